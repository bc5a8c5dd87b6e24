// In: statements of one thread without loops. Out: the same, with expressions that stand in several places computed
// once. The one idea: an expression over registers that never change has one value wherever it stands, so the first
// place sets a scalar that later ones read; places under a condition share among themselves and with what stands in
// front. What stands only in an expression that has a scalar needs none.
import {
  isFloat,
  read,
  store,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  eachExprIn,
  someExpr,
  exprKey,
} from '../../ir/index.ts'

/**
 * `isShareable`: of an operation or a choice, whether it has one value wherever it stands; `fresh` gives a scalar of a
 * type.
 */
export function sharedTerms(
  body: readonly LoopStmt[],
  isShareable: (e: Expr) => boolean,
  fresh: (type: ArrayDecl['type']) => ArrayDecl,
): readonly LoopStmt[] {
  const count = new Map<string, number>()
  eachExprIn(body, (x) => {
    if ((x.kind === 'op' || x.kind === 'choose') && isShareable(x))
      count.set(exprKey(x), (count.get(exprKey(x)) ?? 0) + 1)
  })
  return new Sharing(count, fresh).block(body, new Map())
}

/** Arithmetic on floats over scalars that stay as they are: `fixed` are set before they are read and never again. */
export const isFloatTerm =
  (fixed: ReadonlySet<string>) =>
  (e: Expr): boolean => {
    if (!isFloat(e.type as ArrayDecl['type'])) return false
    return !someExpr(e, (x) => x.kind === 'read' && (x.index.length > 0 || !fixed.has(x.array)))
  }

class Sharing {
  constructor(
    private readonly count: ReadonlyMap<string, number>,
    private readonly fresh: (type: ArrayDecl['type']) => ArrayDecl,
  ) {}

  /** `known`: scalars that hold an expression here. */
  block(body: readonly LoopStmt[], known: Map<string, ArrayDecl>): readonly LoopStmt[] {
    return body.flatMap((s): readonly LoopStmt[] => {
      const front: LoopStmt[] = [],
        f = (e: Expr): Expr => this.value(e, known, front)
      switch (s.kind) {
        case 'declare':
        case 'loop':
          return [s]
        case 'store': {
          const value = f(s.value)
          return [...front, { ...s, value }]
        }
        case 'if': {
          const condition = f(s.condition)
          return [
            ...front,
            { ...s, condition, then: this.block(s.then, new Map(known)), else: this.block(s.else, new Map(known)) },
          ]
        }
      }
    })
  }

  /** `around`: how often the nearest expression around stands that gets a scalar; 1 for none. */
  private value(e: Expr, known: Map<string, ArrayDecl>, front: LoopStmt[], around = 1): Expr {
    if (e.kind !== 'op' && e.kind !== 'choose') return e
    const key = exprKey(e),
      held = known.get(key),
      count = this.count.get(key) ?? 0
    if (held) return read(held, [])
    const f = (x: Expr): Expr => this.value(x, known, front, Math.max(count, around))
    const made: Expr =
      e.kind === 'op'
        ? { ...e, args: e.args.map(f) }
        : { ...e, condition: f(e.condition), then: f(e.then), else: f(e.else) }
    if (count <= around) return made
    const local = this.fresh(e.type as ArrayDecl['type']) // of floats
    front.push(store(local, [], made))
    known.set(key, local)
    return read(local, [])
  }
}
