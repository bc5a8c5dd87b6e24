// In: a lowered program in which a number of the caller chooses where arrays are read or written (`if (forward)
// y[i * m + c] = …; else y[c * n + i] = …;`). Out: two programs, one for either answer, and the two as one, of which
// the host takes one. The one idea: loop unswitching (Allen and Cocke, 1971) before subscripts are taken apart, so that
// an array may have other rows in either. A flag that chooses no place stays as it is, and so does a second one.
import type { LoweredFunction } from '../lower/function.ts'
import { wider } from './delinearization.ts'
import { beginAlike } from './sizes/lower-bounds.ts'
import {
  accesses,
  conditionsOf,
  assuming,
  eachExpr,
  exprKey,
  invariantChoices,
  isAskedExactly,
  leastInteger,
  mapStmtExprs,
  negated,
  planValue,
  rewriteExpr,
  sizeOf,
  withConditions,
  isFixed,
  type ArrayDecl,
  type Expr,
  type Program,
  type Size,
} from '../../../ir/index.ts'

/** A program for each answer; the condition holds for the first, which is the one that is planned for. */
export interface Layouts {
  readonly condition: Expr
  readonly planned: LoweredFunction
  readonly other: LoweredFunction
}

/** `undefined` where no number of the caller chooses a layout. */
export function layoutsOf(lowered: LoweredFunction): Layouts | undefined {
  const { program } = lowered
  if (program.otherwise || conditionsOf(program).length > 0) return undefined
  for (const condition of invariantChoices(program.body)) {
    const flag = flagIn(program, condition)
    if (flag && isAskedExactly(condition) && choosesPlaces(program, condition)) return made(lowered, condition, flag)
  }
  return undefined
}

/**
 * What the two mean together, once they have shapes. Where one of them asks more of sizes, `plain` is meant at all that
 * neither takes. All are given every array: what one of them does not read is still the caller's.
 */
export function bothLayouts(
  planned: Program,
  other: Program,
  condition: Expr,
  plain: () => Program,
): Program | undefined {
  const asksMore = [planned, other].some((p) => conditionsOf(p).length > 0),
    rest = asksMore ? plain() : undefined,
    all = [planned, other, ...(rest ? [rest] : [])]
  if ((rest && conditionsOf(rest).length > 0) || !all.slice(1).every((p) => beginAlike(planned, p))) return undefined
  const [whole, contrary, standsBy] = all.map((p) => withAll(p, all)),
    otherwise = standsBy ? { ...withConditions(contrary!, [negated(condition)]), otherwise: standsBy } : contrary!
  return { ...withConditions(whole!, [condition]), otherwise } // as many as programs
}

/** `p` with the sizes and arrays of all programs, which ask nothing of sizes that `p` does not ask. */
function withAll(p: Program, all: readonly Program[]): Program {
  const beside = all.filter((x) => x !== p),
    sizes = [...new Map(all.flatMap((x) => x.sizes).map((s) => [s.name, s])).keys()],
    ownSize = (name: string): Size => {
      const { where: _, ...open } = all.flatMap((x) => x.sizes).find((s) => s.name === name)! // a size of one
      return p.sizes.find((s) => s.name === name) ?? open
    }
  const others = new Map(beside.flatMap((x) => x.arrays).map((a) => [a.name, a]))
  const shared = (a: ArrayDecl): ArrayDecl =>
    beside.reduce(
      (made, x) => ({
        ...made,
        role: wider(
          made,
          x.arrays.find((b) => b.name === a.name),
        ),
      }),
      a,
    )
  const missing = [...others.values()].filter((a) => a.role !== 'temp' && !p.arrays.some((x) => x.name === a.name))
  return {
    ...p,
    sizes: sizes.map(ownSize),
    arrays: [...p.arrays.map(shared), ...missing.map((a): ArrayDecl => ({ ...a, role: wider(a, undefined) }))],
  }
}

/**
 * The one integer of the caller that the condition asks, as a size: one that may be any integer, or a scalar. It asks
 * nothing else.
 */
function flagIn(p: Program, condition: Expr): Size | undefined {
  const names = new Set<string>()
  eachExpr(condition, (x) => {
    if (x.kind === 'scalar' || x.kind === 'size') names.add(x.name)
  })
  const [name] = names,
    size = p.sizes.find((s) => s.name === name),
    scalar = p.scalars.find((s) => s.name === name && s.type === 'i32')
  if (names.size !== 1) return undefined
  if (size) return size.min < 0 && !size.counts && !isFixed(size) ? size : undefined
  return scalar && { kind: 'given', name: scalar.name, min: leastInteger, planned: scalar.planned ?? 1 }
}

/** Whether an array is read or written at some place only where the condition holds, at another only where not. */
function choosesPlaces(p: Program, condition: Expr): boolean {
  const [yes, no] = [true, false].map((holds) => placesIn({ ...p, body: assuming(p.body, condition, holds) }))
  const isIn = (places: ReadonlySet<string> | undefined, key: string): boolean => places?.has(key) === true
  return [...yes!].some(([array, places]) => {
    const others = no!.get(array)
    return others && [...places].some((x) => !isIn(others, x)) && [...others].some((x) => !isIn(places, x))
  }) // two answers
}

function placesIn(p: Program): ReadonlyMap<string, ReadonlySet<string>> {
  const out = new Map<string, Set<string>>(),
    own = new Set(p.arrays.map((a) => a.name))
  for (const { array, index } of accesses(p)) {
    if (!own.has(array) || index.length === 0) continue
    const places = out.get(array) ?? new Set<string>()
    out.set(array, places.add(index.map(exprKey).join(', ')))
  }
  return out
}

/** The flag is a number that the host may ask: a size. */
function made(lowered: LoweredFunction, condition: Expr, flag: Size): Layouts {
  const asSize = (e: Expr): Expr =>
    rewriteExpr(e, (x) => (x.kind === 'scalar' && x.name === flag.name ? sizeOf(flag.name) : undefined))
  const { program } = lowered,
    asked = asSize(condition),
    holds = planValue(asked, { sizes: { [flag.name]: flag.planned }, scalars: {} }) !== 0
  const version = (answer: boolean): LoweredFunction => ({
    ...lowered,
    program: {
      ...program,
      sizes: program.sizes.includes(flag) ? program.sizes : [...program.sizes, flag],
      scalars: program.scalars.filter((s) => s.name !== flag.name),
      body: assuming(program.body, condition, answer).map((s) => mapStmtExprs(s, asSize)),
    },
  })
  return { condition: holds ? asked : negated(asked), planned: version(holds), other: version(!holds) }
}
