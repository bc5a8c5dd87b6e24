// Launches that read and write ranges of one buffer of the caller's. In: a launch and its buffers. Out: the launch with
// those arrays that it reads declared as written, too. The one idea: WebGPU lets a launch bind a buffer for reading or
// for writing, not for both, and disjoint ranges for writing are allowed.
import { refuse } from '../error.ts'
import { BufferRange, bufferOf, overlap, type Memory } from './memory.ts'
import type { PreparedLaunch } from './prepared-launches.ts'

const made = new WeakMap<PreparedLaunch, Map<string, PreparedLaunch>>()

/** The launch as it can be bound; the same one where no buffer is both read and written. */
export function bindable(launch: PreparedLaunch, all: readonly Memory[]): PreparedLaunch {
  if (!all.some((m) => m instanceof BufferRange)) return launch
  const written = new Set(all.filter((_, i) => launch.writes[i]).map(bufferOf))
  // the parameters' buffer is bound behind the arrays, before what hooks read
  const bindings = all.flatMap((m, i) =>
    !launch.writes[i] && written.has(bufferOf(m)) ? [i < launch.arrays.length || !launch.uniform ? i : i + 1] : [],
  )
  if (bindings.length === 0) return launch
  const shared = all.filter((m) => written.has(bufferOf(m)))
  if (shared.some((m, i) => shared.some((other, k) => k > i && overlap(m, other))))
    refuse(
      'out.memory',
      `${launch.name} reads memory of the buffer that it writes to in two ways, and WebGPU has no binding for that`,
      'give the result a buffer of its own',
    )
  const known = made.get(launch) ?? new Map<string, PreparedLaunch>(),
    key = bindings.join()
  const changed = known.get(key) ?? asWritten(launch, bindings)
  made.set(launch, known.set(key, changed))
  return changed
}

const asWritten = (launch: PreparedLaunch, bindings: readonly number[]): PreparedLaunch => ({
  ...launch,
  key: `${launch.key}/${bindings}`,
  kinds: launch.kinds.map((kind, i) => (bindings.includes(i) ? 'read-write' : kind)),
  text: (hooks) =>
    bindings.reduce(
      (text, n) => text.replace(`@binding(${n}) var<storage, read>`, `@binding(${n}) var<storage, read_write>`),
      launch.text(hooks),
    ),
})
