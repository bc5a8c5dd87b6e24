// In: a lowered program in which all integers that the caller gives are sizes. Out: what each of them may be. The one
// idea: a number counts where its 0 leaves nothing of some loop or array; whatever else reaches a bound or a subscript
// (a flag, an offset, a pad) keeps all values of its type. What an integer is divided by is at least 1, unless a
// condition asks for it first.
import {
  contains,
  affineName,
  atLeast,
  int,
  isNonNegative,
  leastInteger,
  literal,
  mapExpr,
  mapStmts,
  plus,
  polynomialOf,
  sub,
  withSize,
  sizeOf,
  isFixed,
  type ArrayDecl,
  type Constraint,
  type Expr,
  type LoopStmt,
  type Program,
  type Size,
} from '../../../ir/index.ts'

/** The least value that a parameter may have, and whether it counts iterations or elements. */
export type Least = Pick<Size, 'min' | 'counts'>

/** For each size of `p` that a parameter is; `isUnsigned`: its C type has no sign. */
export function leastOf(p: Program, isUnsigned: (name: string) => boolean): ReadonlyMap<string, Least> {
  const lengths = lengthsIn(p)
  return new Map(
    p.sizes
      .filter((s) => !isFixed(s))
      .map(({ name }): [string, Least] => {
        const own = lengths.filter((e) => mentions(e, name)),
          leavesNothing = (value: number): boolean => own.some((e) => isNone(withSize(e, name, value)))
        if (leavesNothing(0)) return [name, { min: 0, counts: true }]
        if (leavesNothing(-1)) return [name, { min: 0 }] // as of `i <= n`
        if (dividesBy(p.body, name)) return [name, { min: 1 }]
        return [name, { min: isUnsigned(name) ? 0 : leastInteger }]
      }),
  )
}

/** Numbers of iterations of all loops, and extents of all arrays that are declared with them. */
function lengthsIn(p: Program): readonly Expr[] {
  const found: Expr[] = []
  const note = (a: ArrayDecl): void => {
    found.push(...a.shape)
  }
  p.arrays.forEach(note)
  mapStmts(
    p.body,
    (e) => e,
    (s) => {
      if (s.kind === 'loop') found.push(...iterationsOf(s.lower, s.upper))
      if (s.kind === 'declare') note(s.array)
      return [s]
    },
  )
  return found
}

/** `upper - lower`; below the least of several bounds it is each of these. */
export function iterationsOf(lower: Expr, upper: Expr): readonly Expr[] {
  if (upper.kind === 'op' && upper.op === 'min') return upper.args.flatMap((e) => iterationsOf(lower, e))
  if (lower.kind === 'op' && lower.op === 'max') return lower.args.flatMap((e) => iterationsOf(e, upper))
  return [sub(upper, lower)]
}

/** Whether a length is at most 0 where all sizes in it are at least 1, and loops count from 0. */
function isNone(e: Expr): boolean {
  const p = polynomialOf(e)
  if (p) {
    const isOfSizes = (key: string): boolean => key.split('*').every((n) => n.startsWith('$'))
    const least = [...p].reduce((sum, [key, c]) => (key === '' || isOfSizes(key) ? sum + c : sum), 0)
    return least <= 0 && [...p].every(([key, c]) => key === '' || c < 0)
  }
  if (e.kind === 'op' && (e.op === 'div' || e.op === 'shr'))
    return (literal(e.args[1]!) ?? -1) >= 0 && isNone(e.args[0]!)
  const known: Constraint[] = []
  mapExpr(e, (x) => {
    if (x.kind === 'size') known.push(atLeast(plus(affineName(`$${x.name}`), -1)))
    if (x.kind === 'var') known.push(atLeast(affineName(x.name)))
    return x
  })
  return isNonNegative(sub(int(0), e), known)
}

const mentions = (e: Expr, name: string): boolean => contains(e, sizeOf(name))

/** Whether an integer is divided by what is 0 where `name` is, and no condition asks for `name` before. */
function dividesBy(body: readonly LoopStmt[], name: string): boolean {
  const of = (e: Expr): boolean => {
    switch (e.kind) {
      case 'const':
      case 'var':
      case 'size':
      case 'scalar':
        return false
      case 'read':
        return e.index.some(of)
      case 'choose':
        return of(e.condition) || (!mentions(e.condition, name) && (of(e.then) || of(e.else)))
      case 'op': {
        const [a, b] = e.args
        if (e.op === 'select' || e.op === 'land' || e.op === 'lor')
          return of(a!) || (!mentions(a!, name) && e.args.slice(1).some(of)) // two arguments at least
        const divides = (e.op === 'div' || e.op === 'rem') && e.type === 'i32' && mentions(b!, name)
        return (divides && literal(withSize(b!, name, 0)) === 0) || e.args.some(of)
      }
    }
  }
  return body.some((s): boolean => {
    switch (s.kind) {
      case 'declare':
        return s.array.shape.some(of)
      case 'store':
        return of(s.value) || s.index.some(of)
      case 'loop':
        return of(s.lower) || of(s.upper) || dividesBy(s.body, name)
      case 'if':
        return of(s.condition) || (!mentions(s.condition, name) && [s.then, s.else].some((b) => dividesBy(b, name)))
    }
  })
}
