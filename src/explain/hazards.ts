// In: a hazard of the simulator, which speaks of KernelIR. Out: a sentence in the words of the source. The one idea: the
// access that the report lists at the same place says what was written there.
import { unreachable, type Span } from '../base/index.ts'
import type { Hazard } from '../ir/index.ts'
import type { AccessJson } from './types.ts'

const words: Record<AccessJson['op'], string> = { load: 'read', store: 'write', atomic: 'atomic on' }

/** What happens at a place: ``read `a[i]` ``; where a value is read and written in one statement, `prefer` decides. */
function at(place: Span | undefined, list: readonly AccessJson[], prefer?: AccessJson['op']): string {
  const here = list.filter((a) => place && a.at?.line === place.line && a.at.column === place.column)
  const found = here.find((a) => a.op === prefer) ?? here[0]
  return found ? `${words[found.op]} \`${found.text}\`` : 'the access'
}

export function hazardMessage(h: Hazard, list: readonly AccessJson[]): string {
  switch (h.kind) {
    case 'race': {
      const [first, second] = [opOf(h.message, 0), opOf(h.message, 1)]
      const other = h.other && (h.other.line !== h.at?.line || h.other.column !== h.at.column || second !== first) ? ` and ${at(h.other, list, second)} (line ${h.other.line})` : ''
      return `${at(h.at, list, first)}${other}: different invocations touch the same bytes with no barrier between`
    }
    case 'out-of-bounds': return h.example.includes(': outside texture ') ? `${at(h.at, list, 'load')} goes outside the texture; such reads give 0 here, and 0 or another texel on other GPUs` : `${at(h.at, list, opOf(h.message, 0))} goes out of bounds; such reads give 0 here and such writes are dropped (WebGPU may clamp instead)`
    case 'uninitialized': return list.some((a) => a.at?.line === h.at?.line && a.at?.column === h.at?.column) ? `${at(h.at, list)} finds memory that nothing has written` : 'a subgroup operation reads an invocation that is not active; it got its own value, other GPUs may give anything'
    case 'barrier-divergence': return 'not all invocations of the workgroup reach this barrier'
    case 'misaligned': return `${at(h.at, list)} needs an address that is a multiple of its size`
    default: return unreachable(h.kind)
  }
}

/** The kind of the n-th statement that the simulator quotes. */
function opOf(message: string, n: number): AccessJson['op'] | undefined {
  const quoted = [...message.matchAll(/'([^']*)'/g)][n]?.[1]
  if (quoted === undefined) return undefined
  return /\batomic\b/.test(quoted) ? 'atomic' : quoted.startsWith('store') ? 'store' : 'load'
}
