// In: a program whose bounds, shapes or subscripts multiply sizes or divide them (`i < n * m`, `y[i * (w / 2) + j]`).
// Out: the same with a size of its own for each product and quotient, so that everything stays linear. The one idea:
// sizes are multiplied and divided by the host, once.
import {
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  hasCancelling,
  polynomialExpr,
  polynomialOf,
  conditionsOf,
  leastInteger,
  mul,
  sizeOf,
  withConditions,
  withQuotients,
  type Affine,
  type Expr,
  type Program,
  type Size,
  claimName,
  rewriteExpr,
  mapStmtExprs,
  namesOf,
} from '../../ir/index.ts'

export interface SizeProducts {
  readonly program: Program
  /** What each new size is, over those of the source; it grows when `times` makes more. */
  readonly products: ReadonlyMap<string, Expr>
  /** The product of two linear forms of sizes, over sizes that `withAll` has; `undefined` for anything else. */
  times(x: Expr, y: Expr): Expr | undefined
  /** `program` with all sizes that were made. `times` makes none that has a name of `program`. */
  withAll(program: Program): Program
  /** Names that are taken from now on. */
  avoid(program: Program): void
}

/** The same program object where nothing is multiplied. `known`: what some sizes are, over those of the source. */
export function sizeProducts(given: Program, known: ReadonlyMap<string, Expr> = new Map()): SizeProducts {
  const taken = namesOf(given),
    { program: source, values } = withQuotients(given, (base) => claimName(taken, base))
  const inKnown = [...values].map(([name, e]) => [name, withProducts(e, known)] as const)
  const maker = new Maker(source, taken, new Map([...known, ...inKnown]))
  const f = (e: Expr): Expr =>
    rewriteExpr(e, (x) =>
      x.kind === 'op' && x.op === 'mul' && x.type === 'i32' ? maker.product(x.args[0]!, x.args[1]!) : undefined,
    ) // two factors
  const arrays = source.arrays.map((a) => ({ ...a, shape: a.shape.map(f) })),
    body = source.body.map((s) => mapStmtExprs(s, f)),
    conditions = conditionsOf(source).map(f)
  const withAll = (program: Program): Program => {
    const more = [...maker.made.values()]
      .map((m) => m.size)
      .filter((s) => !program.sizes.some((known) => known.name === s.name))
    return more.length === 0 ? program : { ...program, sizes: [...program.sizes, ...more] }
  }
  return {
    program: maker.made.size === 0 ? source : onlyWhere(withAll({ ...source, arrays, body }), conditions),
    products: maker.products,
    times: (x, y) => maker.product(x, y),
    withAll,
    avoid: (program) => maker.avoid(program),
  }
}

/** `program` with these conditions and no others. */
const onlyWhere = (program: Program, conditions: readonly Expr[]): Program =>
  withConditions({ ...program, sizes: program.sizes.map(({ where: _, ...s }): Size => s) }, conditions)

/** `e` over the sizes of the source; a sum of products that stand against each other is a product of sums again. */
export function withProducts(e: Expr, products: ReadonlyMap<string, Expr>): Expr {
  const made = rewriteExpr(e, (x) => (x.kind === 'size' || x.kind === 'var' ? products.get(x.name) : undefined))
  return made === e ? e : rewriteExpr(made, asProduct)
}

function asProduct(x: Expr): Expr | undefined {
  if (x.kind !== 'op' || (x.op !== 'add' && x.op !== 'sub')) return undefined
  const p = polynomialOf(x)
  return p && hasCancelling(p) ? polynomialExpr(p) : undefined
}

class Maker {
  /** By sorted factors. */
  readonly made = new Map<string, { readonly size: Size; readonly factors: readonly string[]; readonly value: Expr }>()
  /** What each size is, by name. */
  readonly products: Map<string, Expr>

  /** `taken`: all names of the source; `quotients`: what its sizes are that stand for quotients of others. */
  constructor(
    private readonly source: Program,
    private readonly taken: Set<string>,
    private readonly quotients: ReadonlyMap<string, Expr>,
  ) {
    this.products = new Map(quotients)
  }

  /** The product of two linear forms of sizes, multiplied out; undefined for anything else. */
  product(x: Expr, y: Expr): Expr | undefined {
    const a = affineOf(x),
      b = affineOf(y)
    if (
      !a ||
      !b ||
      a.terms.size === 0 ||
      b.terms.size === 0 ||
      ![...a.terms.keys(), ...b.terms.keys()].every((n) => n.startsWith('$'))
    )
      return undefined
    if (![...a.terms.keys(), ...b.terms.keys()].every((n) => this.isKnown(n.slice(1)))) return undefined
    let sum: Affine = affineConstant(a.constant * b.constant)
    for (const [n, c] of a.terms) sum = addScaled(sum, affineName(n), c * b.constant)
    for (const [n, c] of b.terms) sum = addScaled(sum, affineName(n), c * a.constant)
    for (const [n, c] of a.terms)
      for (const [m, d] of b.terms)
        sum = addScaled(
          sum,
          affineName(`$${this.named([...this.factorsOf(n.slice(1)), ...this.factorsOf(m.slice(1))])}`),
          c * d,
        )
    return affineExpr(sum)
  }

  avoid(program: Program): void {
    namesOf(program).forEach((name) => this.taken.add(name))
  }

  /** A size of the source, or of such: variables of loops on the host are none. */
  private readonly isKnown = (name: string): boolean =>
    this.products.has(name) || this.source.sizes.some((s) => s.name === name)

  private keep(
    key: string,
    made: { readonly size: Size; readonly factors: readonly string[]; readonly value: Expr },
  ): string {
    this.made.set(key, made)
    this.products.set(made.size.name, made.value)
    return made.size.name
  }

  private factorsOf(name: string): readonly string[] {
    return [...this.made.values()].find((m) => m.size.name === name)?.factors ?? [name]
  }

  /** Whether a product of these sizes may be negative. */
  private isSigned(factors: readonly string[]): boolean {
    return factors.some((f) => this.source.sizes.find((s) => s.name === f)!.min < 0) // factors are sizes of the source
  }

  private named(given: readonly string[]): string {
    const factors = [...given].sort(),
      key = factors.join('*')
    const before = this.made.get(key)
    if (before) return before.size.name
    const name = claimName(this.taken, factors.join('_by_'))
    const times = (value: (s: Size) => number): number =>
      // factors are sizes of the source
      factors.reduce((n, f) => n * value(this.source.sizes.find((s) => s.name === f)!), 1)
    const size: Size = {
      kind: 'derived',
      name,
      min: this.isSigned(factors) ? leastInteger : times((s) => s.min),
      planned: times((s) => s.planned),
    }
    return this.keep(key, {
      size,
      factors,
      value: factors.map((f): Expr => this.quotients.get(f) ?? sizeOf(f)).reduce(mul),
    })
  }
}
