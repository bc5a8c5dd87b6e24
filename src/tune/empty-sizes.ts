// In: a program whose sizes may be 0, and a plan of it that assumes them to be at least 1. Out: the plan with variants
// for sizes of 0. The one idea: for a size of 0 the program simplifies (partial evaluation), mostly to nothing, so that
// no launch is the right variant; what remains (a product without terms is a zero matrix) gets kernels of its own,
// proved like all others. Where no kernel can be built, the host refuses such sizes with a message.
import { attempted, isInapplicable, same } from '../base/index.ts'
import type { GpuProfile } from '../gpus/index.ts'
import {
  affineOf,
  changesNothing,
  conjuncts,
  dividesByZero,
  implies,
  int,
  mapStmts,
  needsBeyond,
  needsWords,
  op,
  exprKey,
  isPositive,
  polynomialExpr,
  polynomialOf,
  printExpr,
  sameExpr,
  signedSizes,
  sizesIn,
  isOfSizes,
  sizeDomain,
  sizeOf,
  specialized,
  sub,
  eachStmt,
  isFixed,
  keepsConditions,
  type Expr,
  type Loop,
  type Plan,
  type PlanArray,
  type PlanVariant,
  type Program,
} from '../ir/index.ts'
import { tryAnalyse, tryBuild, type Analysed } from '../pipeline.ts'
import { chipOf } from './context.ts'
import { isForAll, runsEverywhere, withSmaller } from './default-limits.ts'
import { raisedToConditions } from './proof/condition-sizes.ts'
import { inside, isMuch, smallRadius, verificationSizes } from './proof/proof-sizes.ts'
import { lengthsOf } from './estimate.ts'
import { verifyPlan } from './proof/verify.ts'

/** Variants for sizes that are 0, and the scratch memory of their kernels. */
export interface Empty {
  readonly variants: readonly PlanVariant[]
  readonly scratch: readonly PlanArray[]
  readonly target: 'wgsl' | 'cuda'
}

/** How kernels for what is left are made. */
export interface EmptyOptions {
  readonly gpu: GpuProfile
  readonly seed: number
  readonly target: 'wgsl' | 'cuda'
  /** See `PassContext`. */
  readonly isUnblocked?: boolean
}

/** Programs that get kernels of their own; more zeros at a time are refused. */
const mostKernels = 4
/**
 * Sizes at which the kernels of what is left are proved, where these are not much: the first size and by how much each
 * is more than the one before. Where all are much, the first ones are what is proved.
 */
const provedAt = [
  [2, 1],
  [7, 3],
  [18, 3],
] as const

/** Variants of `program` for sizes that count and are 0; see `Plan.empty`. */
export function emptyVariants(program: Program, options: EmptyOptions): Empty {
  return new Emptying(program, options).all()
}

/** `plan` with variants for sizes that are 0, which it now takes, and arrays as long as `program` has them then. */
export function withEmpty(program: Program, plan: Plan, { variants, scratch, target }: Empty): Plan {
  if (variants.length === 0) return plan
  const shapes = new Map(program.arrays.filter((a) => a.shape.some(choosesLarger)).map((a) => [a.name, a.shape]))
  return {
    ...plan,
    sizes: plan.sizes.map((s) => (s.counts ? { ...s, min: 0 } : s)),
    arrays: [...plan.arrays.map((a) => ({ ...a, shape: shapes.get(a.name) ?? a.shape })), ...scratch],
    empty: closed(plan.name, variants, target),
  }
}

/**
 * `variants` with refusals for devices that run none of those which sizes ask for: variants behind these are meant for
 * other sizes.
 */
function closed(name: string, variants: readonly PlanVariant[], target: Empty['target']): readonly PlanVariant[] {
  const all = [...variants]
  for (const v of variants) {
    const covering = all.filter((other) => asksLess(other, v))
    if (covering.some((c) => isForAll(c, target))) continue
    const why = target === 'cuda' ? 'all blocks at once on the device' : `a device with ${needsWords(needsBeyond(v))}`,
      where = v.when ? ` where ${printExpr(v.when)}` : ''
    const refusal = { when: v.when, launches: [], refusal: `${name} needs ${why}${where}` }
    all.splice(all.indexOf(covering.at(-1)!) + 1, 0, refusal) // covers itself
  }
  return all
}

/** Whether a variant takes all sizes that another takes. */
const asksLess = (a: PlanVariant, b: PlanVariant): boolean => asked(a).every((x) => asked(b).some((y) => same(x, y)))

const asked = ({ when }: PlanVariant): readonly Expr[] => (when ? conjuncts(when) : [])

/** Whether it is `max(1, n)`, which is n only where n is at least 1. */
function choosesLarger(e: Expr): boolean {
  return e.kind === 'op' && (e.op === 'max' || e.op === 'min' || e.args.some(choosesLarger))
}

class Emptying {
  private readonly source: Program
  private readonly options: EmptyOptions
  private readonly lengths: ReadonlySet<string>
  private readonly scratch: PlanArray[] = []
  private made = 0

  constructor(source: Program, options: EmptyOptions) {
    this.source = source
    this.options = options
    this.lengths = lengthsOf(source)
  }

  all(): Empty {
    const variants = this.of(this.source, [])
    return { variants, scratch: this.scratch, target: this.options.target }
  }

  /** Variants of `p`, which is the source where the sizes of `zeros` are 0. */
  private of(p: Program, zeros: readonly string[]): readonly PlanVariant[] {
    const cases = p.sizes
      .filter((s) => s.counts && !isFixed(s))
      .map((s) => ({ name: s.name, left: specialized(p, s.name, 0) }))
    const nothing = cases.filter((c) => changesNothing(c.left)).map((c) => c.name),
      some = cases.filter((c) => !nothing.includes(c.name))
    const none = [
      ...nothing.map(isZero),
      ...spansOf(p)
        .filter((e) => changesNothing(withoutSpan(p, e)))
        .map(isNone),
    ]
    return [
      ...(none.length > 0 ? [{ when: any(none), launches: [] }] : []),
      ...some.flatMap(({ name, left }, i) => {
        const asked = new Set([...nothing, ...some.slice(0, i).map((c) => c.name)])
        return this.left(withoutZero(left, asked), [...zeros, name]).map((v) => onlyWhere(isZero(name), v))
      }),
    ]
  }

  /** Variants of the program that is left where the last of `zeros` is 0. */
  private left(p: Program, zeros: readonly string[]): readonly PlanVariant[] {
    const last = zeros.at(-1)! // at least one
    if (this.lengths.has(last) || dividesByZero(p) || this.made >= mostKernels) return [this.refused(zeros)]
    this.made++
    const suffix = `without_${zeros.join('_')}`,
      plan = plainPlan({ ...p, name: `${this.source.name}_${suffix}` }, this.options)
    if (!plan) return [this.refused(zeros)]
    const { variants, scratch } = withOwnScratch(plan, plan.variants, suffix)
    this.scratch.push(...scratch)
    return [...this.of(p, zeros), ...variants]
  }

  private refused(zeros: readonly string[]): PlanVariant {
    const rest = zeros.slice(0, -1)
    const where = rest.length > 0 ? ` where ${rest.join(' and ')} ${rest.length > 1 ? 'are' : 'is'} 0` : ''
    return { when: null, launches: [], refusal: `${this.source.name}: ${zeros.at(-1)} must be at least 1${where}` }
  }
}

/** The plainest schedule of `p` that is proved; undefined where there is none. */
export function plainPlan(p: Program, options: EmptyOptions): Plan | undefined {
  const analysed = tryAnalyse(p, { chip: chipOf(options.gpu) })
  return isInapplicable(analysed) ? undefined : planAt(p, analysed, options, 0)
}

/**
 * The last step of the ladder of `p` that is proved, or the plainest: what may be asked as often as the rest. Where not
 * every device of WebGPU runs it, the last one that every device runs stands behind it. Sizes that take long are left
 * to the proof of the whole plan, which has them, too.
 */
export function fastPlan(p: Program, options: EmptyOptions): Plan | undefined {
  const analysed = tryAnalyse(p, { chip: chipOf(options.gpu), isUnblocked: options.isUnblocked })
  if (isInapplicable(analysed)) return undefined
  const beside = (plan: Plan): readonly Sizes[] =>
    verificationSizes(p, plan).filter((sizes) => keepsConditions(p, { sizes, scalars: {} }) && !isMuch(p, plan, sizes))
  const fast = planAt(p, analysed, options, -1, beside) ?? planAt(p, analysed, options, 0)
  if (!fast || options.target === 'cuda' || runsEverywhere(fast)) return fast
  const longest = Math.max(...analysed.parts.map((part) => part.sketch.ladder.length))
  for (let rung = -2; rung >= -longest; rung--) {
    const small = planAt(p, analysed, options, rung, beside, runsEverywhere)
    if (small) return withSmaller(fast, small)
  }
  return fast
}

type Sizes = Readonly<Record<string, number>>

/**
 * The schedule of `p` with one step of each ladder, the first where it is shorter, proved at small sizes and at those
 * of `beside`; undefined where it is refused or not wanted.
 */
function planAt(
  p: Program,
  analysed: Analysed,
  { gpu, seed, target }: EmptyOptions,
  rung: number,
  beside: (plan: Plan) => readonly Sizes[] = () => [],
  isWanted: (plan: Plan) => boolean = () => true,
): Plan | undefined {
  const built = tryBuild(
    analysed,
    analysed.parts.map(({ sketch: { ladder } }) => (ladder.at(rung) ?? ladder[0]!).point), // ladders have rungs
    { ...(target === 'cuda' && { warp: 32 }), only: 'general' },
  )
  if (isInapplicable(built) || !isWanted(built.plan)) return undefined
  const { plan } = built,
    extents = extentsOf(p)
  const [least, ...more] = provedAt.map(([base, step]) => {
    const sizes = Object.fromEntries(p.sizes.map((s, i) => [s.name, valueAt(s, base + step * i, extents)]))
    return raisedToConditions(p, inside(p, sizes, smallRadius) ?? sizes)
  })
  const verified = attempted(() => {
    const few = more.filter((set) => !isMuch(p, plan, set)),
      sizes = [...(few.length > 0 ? few : [least!]), ...beside(plan)] // there is a first
    return verifyPlan(p, plan, sizes, gpu, seed)
  })
  return !isInapplicable(verified) && verified.ok ? plan : undefined
}

/** A variant that is asked where `condition` holds, too. */
export const onlyWhere = (condition: Expr, v: PlanVariant): PlanVariant => ({
  ...v,
  when: v.when ? op('land', [condition, v.when]) : condition,
})

/** Variants of another plan, whose scratch memory gets names that no array of other variants has. */
export function withOwnScratch(
  { arrays }: Plan,
  variants: readonly PlanVariant[],
  suffix: string,
): Omit<Empty, 'target'> {
  const own = new Map(
    arrays.filter((a) => a.role === 'temp').map((a) => [a.name, { ...a, name: `${a.name}_${suffix}` }] as const),
  )
  const named = (v: PlanVariant): PlanVariant => ({
    ...v,
    launches: v.launches.map((l) => ({
      ...l,
      arguments: Object.fromEntries(Object.entries(l.arguments).map(([r, name]) => [r, own.get(name)?.name ?? name])),
    })),
  })
  return { variants: variants.map(named), scratch: [...own.values()] }
}

/**
 * Lengths of loops that sizes alone say and that may be negative, as of `i < n - 2` or `i < h - d * (k - 1)`: of two,
 * products are not.
 */
function spansOf(p: Program): readonly Expr[] {
  const found = new Map<string, Expr>(),
    sizes = p.sizes.map((s) => (s.counts ? { ...s, min: Math.max(1, s.min) } : s)),
    { constraints } = sizeDomain({ ...p, sizes }),
    signed = signedSizes(sizes)
  const isSome = (span: Expr): boolean => {
    const form = affineOf(span),
      products = polynomialOf(span)
    return form ? implies(constraints, form) : products !== undefined && isPositive(products, signed)
  }
  eachStmt(p.body, (s) => {
    const span = s.kind === 'loop' ? spanOf(s) : undefined
    if (span && sizesIn(span).length > 0 && !isSome(span)) found.set(exprKey(span), span)
  })
  return [...found.values()]
}

/** How far a loop runs, where sizes alone say it; one text for equal sums of products. */
function spanOf({ lower, upper }: Loop): Expr | undefined {
  const span = sub(upper, lower),
    form = polynomialOf(span),
    made = form ? polynomialExpr(form) : span
  return isOfSizes(made) ? made : undefined
}

/** `p` where loops of this length are empty. */
const withoutSpan = (p: Program, span: Expr): Program => ({
  ...p,
  body: mapStmts(
    p.body,
    (e) => e,
    (s) => {
      const own = s.kind === 'loop' ? spanOf(s) : undefined
      return own && sameExpr(own, span) ? [] : [s]
    },
  ),
})

const isNone = (span: Expr): Expr => op('lt', [span, int(1)])

/** Sizes that loops grow with by themselves: `h` of `i < h - d * (k - 1)`. */
function extentsOf(p: Program): ReadonlySet<string> {
  const found = new Set<string>()
  eachStmt(p.body, (s) => {
    const span = s.kind === 'loop' ? spanOf(s) : undefined,
      form = span && polynomialOf(span)
    for (const [key, c] of form ?? []) if (c > 0 && key.startsWith('$') && !key.includes('*')) found.add(key.slice(1))
  })
  return found
}

/** A size is one of a flag, a pad or a step where it may be negative and no loop grows with it. */
const valueAt = (s: Program['sizes'][number], value: number, extents: ReadonlySet<string>): number =>
  isFixed(s) ? s.planned : s.min >= 0 || extents.has(s.name) ? value : 1

/** `p` where `asked` are at least 1, because variants before it take their 0. */
const withoutZero = (p: Program, asked: ReadonlySet<string>): Program => ({
  ...p,
  sizes: p.sizes.map(({ counts, ...s }) =>
    asked.has(s.name) ? { ...s, min: 1 } : { ...s, ...(counts && { counts }) },
  ),
})

const isZero = (name: string): Expr => op('lt', [sizeOf(name), int(1)])
const any = (all: readonly Expr[]): Expr => all.reduce((a, b) => op('lor', [a, b]))
