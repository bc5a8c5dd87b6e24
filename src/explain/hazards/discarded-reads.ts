// In: hazards of a WGSL kernel that ran. Out: the same, with reads out of bounds marked from whose value nothing
// follows: select(0.0, a[i - 1], i > 0) evaluates both, and WGSL defines the read to give some element or 0. The one
// idea: differential testing; where the read leaves its buffer it is given other values, and what the kernel writes,
// executes and does wrong must stay the same. It is not asked where contents that nobody gave decide what is discarded.
import { appliedOr, attempted } from '../../base/index.ts'
import type { GpuProfile } from '../../gpus/index.ts'
import {
  allStatements,
  bytesOf,
  constOf,
  definesOf,
  listsOf,
  usesOf,
  verifyKernel,
  type Address,
  type Dim3,
  type Hazard,
  type Kernel,
  type Launch,
  type Operand,
  type Reg,
  type ScalarType,
  type Stmt,
  type Verified,
} from '../../ir/index.ts'
import { compileKernel } from '../../simulate/index.ts'

/** A launch that can be run again and again. */
export interface Repeatable {
  readonly kernel: Verified<Kernel>
  readonly gpu: GpuProfile
  /** The launch with fresh contents. */
  readonly bind: () => Launch
  /** Blocks that are run, none where that is too dear, and steps that each run may take. */
  readonly blocks: readonly Dim3[]
  readonly maxSteps: number
  readonly maxBytes: number
  /** Whether an operand follows from contents that nobody gave. */
  readonly isOpen: (o: Operand) => boolean
}

type Load = Extract<Stmt, { kind: 'load' }>

/**
 * What a read out of bounds gives instead of 0, one a run: values that neither sums nor products nor the smaller or the
 * larger of two hide.
 */
const others = {
  bool: [1, 1, 1],
  i32: [-1, 0x7149f2ca, -0x7149f2ca],
  u32: [0xffffffff, 0x7149f2ca, 0x12345678],
  i64: [-1n, 0x7149f2ca1234567n, -0x7149f2ca1234567n],
  u64: [0xffffffffffffffffn, 0x7149f2ca1234567n, 0x1234567812345678n],
  f16: [NaN, 60000, -60000],
  f32: [NaN, 1e30, -1e30],
  f64: [NaN, 1e30, -1e30],
} as const satisfies Record<ScalarType, readonly (number | bigint)[]>
const variants = [0, 1, 2] as const

/** Marks as `discarded` each read out of bounds from whose value nothing follows in the blocks that are run. */
export function withDiscarded(hazards: readonly Hazard[], launch: Repeatable): readonly Hazard[] {
  const { kernel } = launch,
    all = allStatements(kernel.body)
  if (launch.blocks.length === 0) return hazards
  let plain: Outcome | null | undefined
  return hazards.map((h) => {
    if (h.kind !== 'out-of-bounds' || h.ops[0] !== 'load') return h
    const loads = all.filter(
      (s): s is Load => s.kind === 'load' && s.address.resource === h.resource && isAt(s, h) && s.at !== undefined,
    )
    if (loads.length === 0 || loads.some((l) => decides(kernel, l).some(launch.isOpen))) return h
    plain ??= outcomeOf(kernel, launch)
    if (!plain?.outside.some((o) => isAt(o, h) && o.resource === h.resource)) return h
    const { outside: _, ...expected } = plain,
      isSame = variants.every((v) => {
        const other = outcomeOf(verifyKernel(withOther(kernel, new Set(loads), launch.bind(), v)), launch)
        return other !== null && isAlike(expected, other)
      })
    return isSame ? { ...h, harmless: 'discarded' } : h
  })
}

const isAt = (a: Pick<Hazard, 'at'>, b: Pick<Hazard, 'at'>): boolean =>
  a.at?.line === b.at?.line && a.at?.column === b.at?.column && a.at?.file === b.at?.file

/** Conditions that may keep what a load gave from being used: of choices, around uses, and of jumps past them. */
function decides(kernel: Kernel, load: Load): readonly Operand[] {
  const all = allStatements(kernel.body),
    uses = usesOfValue(all, load)
  const found = all.flatMap((s) => (s.kind === 'op' && s.op === 'select' && uses.has(s) ? s.args.slice(0, 1) : []))
  /** `loop`: the innermost loop around the list; `again`: whether the load may run before it, in an earlier round. */
  const visit = (list: readonly Stmt[], loop: readonly Stmt[] | null, again: boolean): void => {
    for (const s of list) {
      const inner = allStatements([s])
      if (s.kind === 'if' && !inner.includes(load)) {
        const isLate = again || all.indexOf(s) > all.indexOf(load),
          isLeaving = inner.some((x) => isJump(x) && (x.kind === 'return' ? isLate : loop?.some((u) => uses.has(u))))
        if (isLeaving || inner.some((x) => uses.has(x))) found.push(s.condition)
      }
      const isRound = s.kind === 'loop' && inner.includes(load)
      for (const l of listsOf(s)) visit(l, s.kind === 'loop' ? inner : loop, again || isRound)
    }
  }
  visit(kernel.body, null, false)
  return found
}

const isJump = ({ kind }: Stmt): boolean => kind === 'break' || kind === 'continue' || kind === 'return'

/** Statements that use what a load gave, or what is computed from it. */
function usesOfValue(all: readonly Stmt[], load: Load): ReadonlySet<Stmt> {
  const derived = new Set(load.dst.map((r) => r.id)),
    isDerived = (o: Operand): boolean => o.kind === 'reg' && derived.has(o.id)
  for (let before = -1; before !== derived.size; ) {
    before = derived.size
    for (const s of all)
      if ((s.kind === 'op' || s.kind === 'subgroup') && s.args.some(isDerived))
        for (const r of definesOf(s)) derived.add(r.id)
  }
  return new Set(all.filter((s) => usesOf(s).some(isDerived)))
}

/** What a run leaves behind. */
interface Outcome {
  readonly buffers: readonly ArrayBuffer[]
  readonly instructions: number
  readonly hazards: readonly string[]
  readonly outside: readonly Hazard[]
}

/** Null when the run does not end, or cannot be had. */
function outcomeOf(kernel: Verified<Kernel>, { gpu, bind, blocks, maxSteps, maxBytes }: Repeatable): Outcome | null {
  const outcome = attempted((): Outcome => {
    const launch = bind(),
      { counters } = compileKernel(kernel, gpu).run(launch, { blocks, maxSteps, maxBytes }),
      written = kernel.resources.filter((r) => launch.buffers[r.name] && r.access !== 'read')
    return {
      buffers: written.map((r) => launch.buffers[r.name]!), // just asked
      instructions: counters.instructions.thread,
      hazards: counters.hazards.map((h) => `${h.kind} ${h.resource} ${h.at?.line}:${h.at?.column} ${h.count}`),
      outside: counters.hazards.filter((h) => h.kind === 'out-of-bounds'),
    }
  })
  return appliedOr(outcome, null)
}

const isAlike = (a: Omit<Outcome, 'outside'>, b: Outcome): boolean =>
  a.instructions === b.instructions &&
  a.hazards.join() === b.hazards.join() &&
  a.buffers.every((x, i) => hasSameBytes(x, b.buffers[i]))

function hasSameBytes(a: ArrayBuffer, b: ArrayBuffer | undefined): boolean {
  if (a.byteLength !== b?.byteLength) return false
  const [x, y] = [new Uint8Array(a), new Uint8Array(b)]
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return false
  return true
}

/** The kernel where loads that leave their resource give a variant's value. */
function withOther(kernel: Kernel, loads: ReadonlySet<Stmt>, launch: Launch, variant: 0 | 1 | 2): Kernel {
  const registers = [...kernel.registers]
  const flag = (name: string): Reg => {
    const made: Reg = { kind: 'reg', id: registers.length, type: 'bool', name }
    registers.push(made)
    return made
  }
  const sizeOf = ({ resource }: Address): number => {
    const r = kernel.resources.find((x) => x.name === resource)
    return launch.buffers[resource]?.byteLength ?? (r?.count ?? 0) * bytesOf[r?.type ?? 'f32']
  }
  const free = { free: true } as const
  const guarded = (s: Load): readonly Stmt[] => {
    const { index, stride, offset } = s.address,
      last = sizeOf(s.address) - s.dst.length * bytesOf[s.type] - offset,
      most = Math.floor(last / Math.max(1, stride)),
      low = flag('low'),
      high = flag('high'),
      { type } = index,
      least = type.startsWith('u') ? 0 : -Math.floor(offset / Math.max(1, stride)),
      bound = (n: number): Operand => constOf(type, type === 'i64' || type === 'u64' ? BigInt(n) : n)
    const asked: readonly Stmt[] = [
      { kind: 'op', op: 'ge', dst: low, args: [index, bound(least)], ...free },
      most < 0
        ? { kind: 'op', op: 'copy', dst: high, args: [constOf('bool', 0)], ...free }
        : { kind: 'op', op: 'le', dst: high, args: [index, bound(most)], ...free },
    ]
    const given = s.dst.flatMap((dst): readonly Stmt[] => {
      const other = constOf(dst.type, others[dst.type][variant])
      return [low, high].map((inside) => ({ kind: 'op', op: 'select', dst, args: [inside, dst, other], ...free }))
    })
    return [...asked, s, ...given]
  }
  const inside = (list: readonly Stmt[]): readonly Stmt[] =>
    list.flatMap((s) => {
      if (s.kind === 'load' && loads.has(s)) return guarded(s)
      if (listsOf(s).length === 0) return [s]
      if (s.kind === 'if') return [{ ...s, then: inside(s.then), else: inside(s.else) }]
      if (s.kind === 'loop') return [{ ...s, body: inside(s.body), continuing: inside(s.continuing) }]
      return [s]
    })
  const body = inside(kernel.body)
  return { ...kernel, registers, body }
}
