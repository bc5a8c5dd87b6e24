// In: a kernel, or the kernels of a plan. Out: whether they ask how their quotients and roots were rounded. The one
// idea: an error of an ulp or two is one of rounding wherever numbers only go on to be computed with; a comparison, a
// floor or a conversion to an integer can turn it into another answer (⌊6 / 3⌋), in the same kernel or in one of its
// plan that goes on with the result.
import {
  allStatements,
  allVariants,
  definesOf,
  isFloat,
  usesOf,
  type Kernel,
  type OpName,
  type Operand,
  type Plan,
  type PlanLaunch,
  type Stmt,
} from '../ir/index.ts'

/** What may be an ulp or two from the nearest number. */
const inexact: ReadonlySet<OpName> = new Set(['div', 'sqrt', 'rsqrt', 'rcp', 'pow'])
/** What answers for single numbers. */
const deciding: ReadonlySet<OpName> = new Set([
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'floor',
  'ceil',
  'trunc',
  'round',
  'rem',
  'sign',
  'bitcast',
])

/**
 * Whether a comparison, a rounding or a conversion to an integer depends on a division, root or power of single
 * precision.
 */
export const asksRounding = (kernel: Kernel): boolean => followed(kernel, new Set()).asks

/**
 * The kernels of `plan` whose answers, or those of kernels that go on with their results, may hang on how they round.
 */
export function kernelsThatRound(plan: Plan): ReadonlySet<Kernel> {
  return new Set(
    allVariants(plan).flatMap(({ launches }) => launches.filter((l) => isAsked(l, launches)).map((l) => l.kernel)),
  )
}

/** Whether `first`, or one of `launches` that its numbers reach through arrays, asks for their rounding. */
function isAsked(first: PlanLaunch, launches: readonly PlanLaunch[]): boolean {
  const arrays = new Set<string>(),
    own = followed(first.kernel, new Set())
  const note = (l: PlanLaunch, memory: ReadonlySet<string>): void =>
    memory.forEach((r) => {
      if (l.arguments[r] !== undefined) arrays.add(l.arguments[r])
    })
  note(first, own.memory)
  let asked = own.asks
  for (let size = -1; !asked && size !== arrays.size; ) {
    size = arrays.size
    for (const l of launches) {
      const { asks, memory } = followed(
        l.kernel,
        new Set(Object.keys(l.arguments).filter((r) => arrays.has(l.arguments[r]!))),
        false,
      ) // its own keys
      asked ||= asks
      note(l, memory)
    }
  }
  return asked
}

/**
 * Where numbers go that may be an ulp or two off, `from` memory that holds such and (`own`) what is computed here:
 * which memory, and whether something asks for their rounding.
 */
function followed(
  kernel: Kernel,
  from: ReadonlySet<string>,
  own = true,
): { readonly asks: boolean; readonly memory: ReadonlySet<string> } {
  const all = allStatements(kernel.body),
    values = new Set<number>(),
    memory = new Set(from)
  const known = (o: Operand): boolean => o.kind === 'reg' && values.has(o.id)
  for (let size = -1; size !== values.size + memory.size; ) {
    size = values.size + memory.size
    for (const s of all) {
      const starts = own && s.kind === 'op' && s.dst.type === 'f32' && inexact.has(s.op)
      if (starts || usesOf(s).some(known) || (s.kind === 'load' && memory.has(s.address.resource)))
        follow(s, values, memory)
    }
  }
  const asks = all.some(
    (s) =>
      s.kind === 'op' &&
      s.args.some(known) &&
      (deciding.has(s.op) || (s.op === 'convert' && !isFloat(s.dst.type as 'f32'))),
  ) // the types of floats are among those of memory
  return { asks, memory }
}

function follow(s: Stmt, values: Set<number>, memory: Set<string>): void {
  for (const r of definesOf(s)) values.add(r.id)
  if (s.kind === 'store' || s.kind === 'atomic') memory.add(s.address.resource)
}
