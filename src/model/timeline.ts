// In: a kernel, what its compiler leaves, and how long each memory access takes. Out: the clocks that one warp needs
// from its first instruction to its last when no other warp is in its way. The one idea: compilers order each piece of
// straight code so that everything issues as soon as its arguments allow, and pieces follow each other in order; a loop
// takes what its second round takes, times its rounds; compilers lift the loads of an unrolled group to its front, so
// those wait together.
import { definesOf, isCached, listsOf, opRow, usesOf, type Kernel, type Stmt } from '../ir/index.ts'
import type { GpuProfile } from '../gpus/index.ts'
import { instructionsOf, type Compiler } from './instructions.ts'
import type { Residue } from './residue.ts'

/** Rounds of an unrolled loop whose loads a compiler keeps under way together: more would cost registers. */
const mostLifted = 8

/** Clocks from issue to result of a load or atomic statement; of the slowest of so many rounds' that wait together. */
export type AccessLatency = (s: Stmt, sideBySide: number) => number

/**
 * What the clock does, in order: a statement begins and its result is there, or rounds of a loop pass that are like the
 * last.
 */
export type Moment =
  | {
      readonly kind: 'statement'
      readonly statement: Stmt
      readonly start: number
      readonly issued: number
      readonly ready: number
    }
  | {
      readonly kind: 'rounds'
      readonly statement: Stmt
      readonly rounds: number
      readonly start: number
      readonly ready: number
    }

interface State {
  clock: number
  /**
   * Where the current piece of straight code begins: inside it compilers issue everything as soon as its arguments
   * allow.
   */
  open: number
  /** Where a space's order begins: what is read from it is not read before the last store to it. */
  readonly stored: { cached: number; shared: number }
  /** When the last instruction of the piece issues. */
  latest: number
  /** When each register's value is there. */
  readonly ready: Map<number, number>
}

/** What a warp runs on. */
export interface WarpSetting {
  readonly residue: Residue
  readonly latency: AccessLatency
  readonly profile: GpuProfile
  readonly barrierClocks: number
  readonly compiler: Compiler
  /** Rounds of outermost loops ÷ those that were counted; without a loop everything takes so much longer. */
  readonly longer: number
  readonly tell?: ((m: Moment) => void) | undefined
}

/** Clocks of one warp alone, averaged over the warps of the launch that the residue was made for. */
export function warpClocks(kernel: Kernel, setting: WarpSetting): number {
  const { longer } = setting,
    loops = hasLoop(kernel.body)
  const t = new Timeline(kernel, { ...setting, longer: loops ? longer : 1 })
  const state: State = { clock: 0, open: 0, stored: { cached: 0, shared: 0 }, latest: 0, ready: new Map() }
  t.list(kernel.body, state)
  let last = Math.max(state.clock, state.latest)
  for (const ready of state.ready.values()) last = Math.max(last, ready) // there may be more than a call takes
  return last * (loops ? 1 : longer)
}

const hasLoop = (body: readonly Stmt[]): boolean => body.some((s) => s.kind === 'loop' || listsOf(s).some(hasLoop))

class Timeline {
  private readonly residue: Residue
  private readonly latency: AccessLatency
  private readonly profile: GpuProfile
  private readonly barrierClocks: number
  private readonly compiler: Compiler
  private readonly global: ReadonlySet<string>
  private readonly tell: ((m: Moment) => void) | undefined
  /** Rounds of outermost loops ÷ those that were counted. */
  private readonly longer: number
  private depth = 0

  constructor(kernel: Kernel, of: WarpSetting) {
    this.tell = of.tell
    this.longer = of.longer
    this.compiler = of.compiler
    this.global = new Set(kernel.resources.filter(isCached).map((r) => r.name))
    this.residue = of.residue
    this.latency = of.latency
    this.profile = of.profile
    this.barrierClocks = of.barrierClocks
  }

  list(body: readonly Stmt[], state: State): void {
    for (const s of body) this.one(s, state)
  }

  private one(s: Stmt, state: State): void {
    if (s.kind === 'loop') return this.loop(s, state)
    if (s.kind === 'barrier') {
      const came = state.clock
      state.clock = Math.max(state.clock, state.latest, ...state.ready.values()) + this.barrierClocks
      this.tell?.({ kind: 'statement', statement: s, start: came, issued: 1, ready: state.clock })
      return this.begin(state)
    }
    const given = usesOf(s).reduce((t, o) => (o.kind === 'reg' ? Math.max(t, state.ready.get(o.id) ?? 0) : t), 0)
    const issued = this.residue.issued(s)
    state.clock += issued
    if (s.kind === 'if') return this.branch(s, state, given)
    /** What the compiler folds away or computes ahead is there when its arguments are. */
    if (s.kind === 'op' && (issued === 0 || this.residue.early(s))) {
      state.ready.set(s.dst.id, given)
      return
    }
    const start = Math.max(state.open, given, this.order(s, state))
    state.latest = Math.max(state.latest, start + issued)
    for (const r of definesOf(s)) state.ready.set(r.id, start + this.resultClocks(s))
    this.tell?.({
      kind: 'statement',
      statement: s,
      start,
      issued,
      ready: start + Math.max(issued, this.resultClocks(s)),
    })
    const lifts = this.profile.compiler?.liftsLoads ?? true
    if (s.kind === 'atomic' || (s.kind === 'store' && !lifts)) this.begin(state)
    else if (s.kind === 'store') state.stored[this.space(s)] = Math.max(state.clock, state.latest)
  }

  private space(s: Extract<Stmt, { kind: 'load' | 'store' | 'atomic' }>): 'cached' | 'shared' {
    return this.global.has(s.address.resource) ? 'cached' : 'shared'
  }

  /** A load waits for stores to its own space: memory of a workgroup is no buffer, and compilers know it. */
  private order(s: Stmt, state: State): number {
    return s.kind === 'load' || s.kind === 'store' ? state.stored[this.space(s)] : 0
  }

  /** A new piece: what follows cannot be issued before what came, except loads that nobody has waited for. */
  private begin(state: State): void {
    state.clock = Math.max(state.clock, state.latest)
    state.open = state.clock
  }

  /** Predicates cost nothing; both sides of a branch are passed as often as warps took them. */
  private branch(s: Extract<Stmt, { kind: 'if' }>, state: State, given: number): void {
    const jumps = this.residue.issued(s) > 0
    if (jumps && !this.residue.early(s)) {
      state.latest = Math.max(state.latest, given)
      this.begin(state)
    }
    const came = Math.max(1e-9, this.residue.warps(s))
    for (const side of listsOf(s)) {
      const first = side[0]
      if (!first) continue
      const share = Math.min(1, this.residue.warps(first) / came)
      const before = state.clock
      this.list(side, state)
      if (!jumps) continue
      this.begin(state)
      state.clock = before + (state.clock - before) * share
      state.latest = state.open = state.clock
    }
  }

  private loop(s: Extract<Stmt, { kind: 'loop' }>, state: State): void {
    this.depth++
    this.rounds(s, this.residue.rounds(s) * (this.depth === 1 ? this.longer : 1), state)
    this.depth--
  }

  private rounds(s: Extract<Stmt, { kind: 'loop' }>, rounds: number, state: State): void {
    const group = Math.max(1, Math.round(Math.min(rounds, this.residue.unrolled(s), mostLifted)))
    const pinned = this.pinned(s),
      lifted = group > 1 && !pinned ? liftable(s) : []
    this.group(s, group, state, lifted, pinned)
    const more = rounds / group - 1
    if (more <= 0) return
    const before = state.clock
    this.group(s, group, state, lifted, pinned)
    const rest = (state.clock - before) * (more - 1)
    if (rest > 0)
      this.tell?.({
        kind: 'rounds',
        statement: s,
        rounds: rounds - 2 * group,
        start: state.clock,
        ready: state.clock + rest,
      })
    state.clock += rest
    for (const [id, at] of state.ready) if (at > before) state.ready.set(id, at + rest)
  }

  /**
   * Whether loads stay where they are because the loop stores: nobody tells compilers that arrays are apart, and bounds
   * that WebGPU checks keep workgroup memory in order too.
   */
  private pinned(s: Extract<Stmt, { kind: 'loop' }>): boolean {
    const stores = (list: readonly Stmt[]): boolean =>
      list.some(
        (x) =>
          ((x.kind === 'store' || x.kind === 'atomic') &&
            (this.compiler === 'webgpu' || this.global.has(x.address.resource))) ||
          listsOf(x).some(stores),
      )
    return stores(s.body)
  }

  /** `rounds` rounds as one body: the lifted loads of all of them, then the rest of each; pinned ones in order. */
  private group(
    s: Extract<Stmt, { kind: 'loop' }>,
    rounds: number,
    state: State,
    lifted: readonly Stmt[],
    pinned: boolean,
  ): void {
    this.begin(state)
    const start = state.clock
    for (const l of lifted) state.clock += this.residue.issued(l) * rounds
    for (let r = 0; r < rounds; r++) {
      if (pinned && r > 0) this.begin(state)
      for (const x of [...s.body, ...s.continuing]) {
        const n = lifted.indexOf(x)
        if (n < 0) this.one(x, state)
        else this.lifted(x, start + r * lifted.length + n, rounds, state)
      }
    }
    this.begin(state)
  }

  /** A load at the front of its group. */
  private lifted(s: Stmt, start: number, rounds: number, state: State): void {
    const ready = start + this.latency(s, rounds)
    for (const d of definesOf(s)) state.ready.set(d.id, ready)
    this.tell?.({
      kind: 'statement',
      statement: s,
      start,
      issued: this.residue.issued(s),
      ready,
    })
  }

  private resultClocks(s: Stmt): number {
    if (s.kind === 'load' || s.kind === 'atomic') return this.latency(s, 1)
    if (s.kind === 'subgroup') return this.profile.latency.shared.value
    if (s.kind !== 'op') return 0
    if (opRow(s.op).class === 'sfu')
      return this.profile.latency.sfu.value + this.profile.latency.alu.value * (instructionsOf(s) - 1)
    return this.profile.latency.alu.value * (s.dst.type === 'f64' ? 2 : 1) * Math.max(1, instructionsOf(s))
  }
}

/** Loads of a loop whose address does not wait for what the loop loads. */
function liftable(loop: Extract<Stmt, { kind: 'loop' }>): readonly Stmt[] {
  const all = [...loop.body, ...loop.continuing]
  const waiting = new Set<number>()
  for (let grew = true; grew; ) {
    grew = false
    for (const s of all) {
      const waits =
        s.kind === 'load' || s.kind === 'atomic' || usesOf(s).some((o) => o.kind === 'reg' && waiting.has(o.id))
      if (waits)
        for (const r of definesOf(s))
          if (!waiting.has(r.id)) {
            waiting.add(r.id)
            grew = true
          }
    }
  }
  return all.filter((s) => s.kind === 'load' && usesOf(s).every((o) => o.kind !== 'reg' || !waiting.has(o.id)))
}
