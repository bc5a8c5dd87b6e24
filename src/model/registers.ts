// In: a kernel. Out: an estimate of the 32-bit registers that a thread needs at once, from live ranges. The one idea:
// a value is live from its first definition to its last use; what a loop uses from outside, or carries round, lives as
// long as the loop. What is computed before a loop and used only behind it is computed there, as compilers do. They
// reorder more than that, so this is an estimate and every report says so until a compiler's number is there.
import { definesOf, usesOf, type Kernel, type Reg, type Stmt } from '../ir/index.ts'

interface Range { from: number; to: number; readonly words: number }

/** Where the walk is, and every range that was touched so far in order. */
interface Clock { position: number; readonly touched: Range[] }

/** Registers for addresses, the stack pointer and temporaries that every compiled kernel has; seen in `ptxas -v` of small kernels. */
const overhead = 8

/** Estimated 32-bit registers per thread, at least 16 and not capped. */
export function estimateRegisters(kernel: Kernel): number {
  const ranges = new Map<number, Range>()
  walk(sunk(kernel.body), { position: 0, touched: [] }, ranges)
  const events: (readonly [number, number])[] = []
  for (const r of ranges.values()) events.push([r.from, r.words], [r.to + 0.5, -r.words])
  events.sort((a, b) => a[0] - b[0])
  let live = 0, most = 0
  for (const [, words] of events) {
    live += words
    most = Math.max(most, live)
  }
  const pointers = 2 * kernel.resources.filter((r) => r.space === 'global').length
  return Math.max(16, most + pointers + overhead)
}

const isWhole = ({ type }: Reg): boolean => type === 'i32' || type === 'u32' || type === 'bool'

/** Operations on places and conditions that only statements behind a loop or in one side of a branch use, moved there; last ones first, so that what they use follows them. */
function sunk(body: readonly Stmt[]): readonly Stmt[] {
  const out: { stmt: Stmt; uses: ReadonlySet<number> }[] = [] // backwards
  for (const s of [...body].reverse()) {
    const users = s.kind === 'op' && isWhole(s.dst) ? out.flatMap((x, i) => (x.uses.has(s.dst.id) ? [i] : [])) : [], first = users.at(-1) ?? -1
    const branch = users.length === 1 ? withFront(out[first]!.stmt, s) : undefined // just found
    if (branch) out[first] = { stmt: branch, uses: usedIn(branch) }
    else out.splice(first >= 0 && out.slice(first + 1).some((x) => x.stmt.kind === 'loop') ? first + 1 : out.length, 0, { stmt: s, uses: usedIn(s) })
  }
  return out.reverse().map(({ stmt: s }) => (s.kind === 'if' ? { ...s, then: sunk(s.then), else: sunk(s.else) } : s))
}

/** The branch with `s` in front of the one side that uses its result. */
function withFront(branch: Stmt, s: Stmt): Stmt | undefined {
  const [made] = definesOf(s)
  if (branch.kind !== 'if' || !made || usesOf(branch).some((o) => o.kind === 'reg' && o.id === made.id)) return undefined
  const [then, other] = [branch.then, branch.else].map((side) => side.some((x) => usedIn(x).has(made.id)))
  if (then === other) return undefined
  return then ? { ...branch, then: [s, ...branch.then] } : { ...branch, else: [s, ...branch.else] }
}

function usedIn(s: Stmt, into = new Set<number>()): ReadonlySet<number> {
  for (const o of usesOf(s)) if (o.kind === 'reg') into.add(o.id)
  for (const b of s.kind === 'if' ? [s.then, s.else] : s.kind === 'loop' ? [s.body, s.continuing] : []) for (const x of b) usedIn(x, into)
  return into
}

function walk(body: readonly Stmt[], clock: Clock, ranges: Map<number, Range>): void {
  for (const s of body) {
    clock.position++
    const at = clock.position
    for (const o of usesOf(s)) if (o.kind === 'reg') extend(ranges, o, at, clock)
    for (const r of definesOf(s)) extend(ranges, r, at, clock)
    if (s.kind === 'if') { walk(s.then, clock, ranges); walk(s.else, clock, ranges) }
    if (s.kind === 'loop') loop(s, clock, ranges)
  }
}

function loop(s: Extract<Stmt, { kind: 'loop' }>, clock: Clock, ranges: Map<number, Range>): void {
  const start = clock.position
  const seen = clock.touched.length
  walk(s.body, clock, ranges)
  walk(s.continuing, clock, ranges)
  const end = ++clock.position
  for (const r of clock.touched.slice(seen)) if (r.from <= start) r.to = end
}

function extend(ranges: Map<number, Range>, r: Reg, at: number, clock: Clock): void {
  const known = ranges.get(r.id) ?? { from: at, to: at, words: r.type === 'bool' ? 0 : r.type === 'f64' || r.type === 'i64' || r.type === 'u64' ? 2 : 1 }
  known.to = at
  ranges.set(r.id, known)
  clock.touched.push(known)
}
