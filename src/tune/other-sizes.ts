// In: a program that is correct only where conditions on its sizes hold (`stride >= w`), and a plan of it. Out: the
// plan with variants for all other sizes, which are tested first. The one idea: loop versioning (Allen and Kennedy,
// chapter 5): the fast kernels may assume what no compiler can know, because kernels of the loops as they were written
// stand by for the sizes at which it is not true.
import { same } from '../base/index.ts'
import {
  changesNothing,
  conditionsOf,
  choose,
  conjunction,
  allVariants,
  int,
  mul,
  op,
  printExpr,
  type Expr,
  type Plan,
  type PlanArray,
  type Program,
} from '../ir/index.ts'
import {
  emptyVariants,
  fastPlan,
  onlyWhere,
  withEmpty,
  withOwnScratch,
  type Empty,
  type EmptyOptions,
} from './empty-sizes.ts'

/**
 * Variants of `program` for sizes at which its conditions do not hold, then for sizes that are 0; see `Plan.empty`.
 */
export function otherVariants(program: Program, options: EmptyOptions): Empty {
  const empty = emptyVariants(program, options),
    holds = conjunction(conditionsOf(program))
  if (!holds) return empty
  const { variants, scratch } = plainVariants(program, options),
    fails = op('lnot', [holds])
  const asked = variants.map((v) => onlyWhere(fails, v))
  return { ...empty, variants: [...asked, ...empty.variants], scratch: [...scratch, ...empty.scratch] }
}

/**
 * `plan` with these variants, and arrays as long as `program` has them then; those of which nothing says how far they
 * are reached, and which keep what is not written, do so at all sizes.
 */
export function withOthers(program: Program, plan: Plan, others: Empty): Plan {
  const made = withEmpty(program, plan, others),
    holds = conjunction(conditionsOf(program))
  if (!holds || !program.otherwise) return made
  const plain = new Map(program.otherwise.arrays.map((a) => [a.name, a]))
  const shaped = (a: PlanArray): PlanArray => {
    const other = plain.get(a.name)
    if (!other) return a
    const isKept = a.role === 'out' && other.role === 'inout',
      length = lengthIn(program, a)
    return {
      ...a,
      ...(!same(length, product(a.shape)) && { shape: [length] }),
      ...(isKept && { role: 'inout' as const }),
      ...(other.isOpenEnded && { isOpenEnded: true as const }),
    }
  }
  return { ...made, arrays: made.arrays.map(shaped) }
}

/** How long `a` is at all sizes: as long as what is meant at them has it. */
function lengthIn(program: Program, a: Pick<PlanArray, 'name' | 'shape'>): Expr {
  const own = product(a.shape),
    holds = conjunction(conditionsOf(program)),
    other = program.otherwise?.arrays.find((x) => x.name === a.name)
  if (!holds || !program.otherwise || !other) return own
  const rest = lengthIn(program.otherwise, other)
  return same(rest, own) ? own : choose(holds, own, rest)
}

const product = (shape: readonly Expr[]): Expr => shape.reduce(mul, int(1))

/** Variants of the program that is meant where conditions do not hold. */
function plainVariants({ name, sizes, otherwise }: Program, options: EmptyOptions): Omit<Empty, 'target'> {
  if (otherwise && changesNothing(otherwise)) return { variants: [{ when: null, launches: [] }], scratch: [] }
  const program = otherwise && { ...otherwise, name: `${name}_${suffix}` },
    plan = program && fastPlan(program, options)
  if (!plan) {
    const words = conditionsOf({ sizes }).map(printExpr).join(' and ')
    return { variants: [{ when: null, launches: [], refusal: `${name}: ${words} must hold` }], scratch: [] }
  }
  const whole = withOthers(program, plan, otherVariants(program, options))
  return withOwnScratch(whole, allVariants(whole), suffix)
}

const suffix = 'otherwise'
