// In: a program that uses quotients of its sizes (`w / 2`, `(h + 1) >> 1`, `n / k`), their numbers of bits (`32 -
// clz(n)`) or powers of two (`1 << k`), or has loops that begin at one of several (`flag ? 1 : 0`, `max(0, skip)`).
// Out: the same program with a new size for each such value, and the definition of each new size. The one idea: a
// quotient of sizes never changes during a run, so it may be a size itself; where the divisor is a constant, linear
// constraints relate it to the dividend. Quotients of loop variables stay as they are.
import { affineConstant, affineExpr, affineName, affineOf, type Affine } from './affine.ts'
import { int, literal, op, sizeOf, sub, symbolsOf } from '../loop/build.ts'
import { conditionsOf, plus, sizeDomain } from './domain.ts'
import { hasOnlySizes } from './affine-bounds.ts'
import { implies } from './omega-test.ts'
import { leastInteger, type Expr, type HostVariable, type Loop, type Program, type Size } from '../loop/loop.ts'
import { mapBody, someExpr } from '../loop/loop-tree.ts'
import { planValue } from '../plan.ts'
import { mapExpr, mapStmts } from '../loop/rewrite.ts'
import { withConditions } from '../loop/conditions.ts'

export interface Quotients {
  /** The same object where nothing is divided. */
  readonly program: Program
  /** What each new size is, over those of the source. */
  readonly values: ReadonlyMap<string, Expr>
}

/** `source` with a size for each quotient of its sizes; `nameOf` makes a name that is free from one that tells. */
export const withQuotients = (source: Program, nameOf: (base: string) => string): Quotients =>
  withMade(source, new Maker(source, nameOf, false))

/** The same for powers of two alone. */
export const withPowers = (source: Program, nameOf: (base: string) => string): Quotients =>
  withMade(source, new Maker(source, nameOf, true))

function withMade(source: Program, maker: Maker): Quotients {
  const f = (e: Expr): Expr => mapExpr(e, (x) => maker.replaced(x))
  const arrays = source.arrays.map((a) => ({ ...a, shape: a.shape.map(f) })),
    replaced = mapStmts(source.body, (x) => maker.replaced(x))
  const body = mapBody(replaced, (x) => (x.kind === 'loop' ? maker.started(x) : undefined))
  if (maker.values.size === 0) return { program: source, values: maker.values }
  const sizes = maker.sizes.map(({ where: _, ...s }): Size => s),
    program = withConditions({ ...source, sizes, arrays, body }, conditionsOf(source).map(f))
  return { program, values: maker.values }
}

/** `program` with the quotients in place of the sizes that stood for them. */
export function withoutQuotients(program: Program, values: Quotients['values']): Program {
  if (values.size === 0) return program
  const f = (e: Expr): Expr => inSource(e, values)
  const plain = {
    ...program,
    sizes: program.sizes.filter((s) => !values.has(s.name)).map(({ where: _, ...s }): Size => s),
    arrays: program.arrays.map((a) => ({ ...a, shape: a.shape.map(f) })),
    body: mapStmts(program.body, (x) => valueIn(x, values)),
  }
  return withConditions(plain, conditionsOf(program).map(f))
}

const valueIn = (x: Expr, values: Quotients['values']): Expr => (x.kind === 'size' ? (values.get(x.name) ?? x) : x)
const inSource = (e: Expr, values: Quotients['values']): Expr => mapExpr(e, (x) => valueIn(x, values))

class Maker {
  sizes: readonly Size[]
  readonly hostVariables: readonly HostVariable[]
  readonly values = new Map<string, Expr>()
  /** What stands for a quotient, by its text. */
  private readonly made = new Map<string, Expr>()

  constructor(
    source: Program,
    private readonly nameOf: (base: string) => string,
    private readonly onlyPowers: boolean,
  ) {
    this.sizes = source.sizes
    this.hostVariables = source.hostVariables
  }

  /**
   * `e`, whose parts are replaced, as a size where it is a quotient; sums of such sizes and constants as one linear
   * form.
   */
  replaced(e: Expr): Expr {
    if (e.kind !== 'op' || e.type !== 'i32') return e
    if (e.op === 'shl') return this.power(e) ?? e
    if (this.onlyPowers) return e
    if (e.op === 'div' || e.op === 'shr') return this.quotient(e.args[0]!, e.op, e.args[1]!) ?? e // two arguments
    const bits =
      e.op === 'sub' && literal(e.args[0]!) === 32 && e.args[1]!.kind === 'op' && e.args[1]!.op === 'clz'
        ? affineOf(e.args[1]!.args[0]!)
        : undefined // two arguments, and one
    if (bits && bits.terms.size > 0 && hasOnlySizes(bits) && this.isKnown(bits)) return this.bits(e, bits)
    const isMoved = e.args.some((x) => [...this.made.values()].some((m) => m === x && m.kind === 'op'))
    const sum = isMoved && (e.op === 'add' || e.op === 'sub') ? affineOf(e) : undefined
    return sum ? affineExpr(sum) : e
  }

  /** The loop from a size on where it begins at a choice between sizes: only its end is joined of several elsewhere. */
  started(l: Loop): readonly [Loop] | undefined {
    const { lower } = l
    if (this.onlyPowers || affineOf(lower) || !this.isChoice(lower)) return undefined
    const sizes = Object.fromEntries(symbolsOf(this).map((s) => [s.name, s.planned])),
      planned = planValue(lower, { sizes, scalars: {} })
    return [{ ...l, lower: this.named(lower, 'first', this.leastOf(lower), planned) }]
  }

  /** Whether it chooses between sizes and numbers, by what sizes and numbers say. */
  private isChoice(e: Expr): boolean {
    return !someExpr(e, (x) => !(x.kind === 'const' || x.kind === 'op' || this.isSymbol(x)))
  }

  private isSymbol(e: Expr): boolean {
    return e.kind === 'size' && symbolsOf(this).some((s) => s.name === e.name)
  }

  /** A bound from below. */
  private leastOf(e: Expr): number {
    const form = affineOf(e)
    if (form) return form.terms.size === 0 ? form.constant : (this.least(form) ?? leastInteger)
    if (e.kind !== 'op') return leastInteger
    if (e.op === 'max') return Math.max(...e.args.map((x) => this.leastOf(x)))
    const ends = e.op === 'select' ? e.args.slice(1) : e.op === 'min' ? e.args : []
    return ends.length > 0 ? Math.min(...ends.map((x) => this.leastOf(x))) : leastInteger
  }

  private quotient(x: Expr, how: 'div' | 'shr', y: Expr): Expr | undefined {
    const of = affineOf(x),
      n = literal(y),
      divisor = how === 'div' ? affineOf(y) : undefined
    const by = how === 'div' ? n : n !== undefined && n >= 0 && n < 31 ? 2 ** n : undefined
    if (!of || of.terms.size === 0 || !hasOnlySizes(of) || !this.isSized(of)) return undefined
    const low = this.isKnown(of) ? this.least(of) : undefined
    if (how === 'shr' && (low === undefined || low < 0)) return undefined
    if (by !== undefined && low !== undefined) return by > 1 ? this.size(of, affineConstant(by), low, by) : undefined
    if (by !== undefined) return by > 1 ? this.size(of, affineConstant(by), undefined, undefined) : undefined
    const isPositive =
      divisor &&
      divisor.terms.size > 0 &&
      hasOnlySizes(divisor) &&
      this.isSized(divisor) &&
      (this.least(divisor) ?? 0) > 0
    return isPositive ? this.size(of, divisor, low !== undefined && low >= 0 ? 0 : undefined, undefined) : undefined
  }

  /** `e` where it is 1 shifted by what sizes say: at least 1 wherever C says what it is. */
  private power(e: Extract<Expr, { kind: 'op' }>): Expr | undefined {
    const by = affineOf(e.args[1]!) // two arguments
    if (literal(e.args[0]!) !== 1 || !by || by.terms.size === 0 || !hasOnlySizes(by) || !this.isSized(by))
      return undefined
    const planned = this.planned(by)
    return planned < 0 || planned > 30 ? undefined : this.named(e, `two_to_${names(by)}`, 1, 2 ** planned)
  }

  /** `e` as a size. */
  private named(e: Expr, base: string, min: number, planned: number): Expr {
    const key = JSON.stringify(e),
      before = this.made.get(key)
    if (before) return before
    const name = this.nameOf(base)
    this.sizes = [...this.sizes, { kind: 'derived', name, min, planned }]
    this.values.set(name, inSource(e, this.values))
    this.made.set(key, sizeOf(name))
    return sizeOf(name)
  }

  /** `e`: how many bits `of` has. */
  private bits(e: Expr, of: Affine): Expr {
    const key = JSON.stringify(e),
      before = this.made.get(key)
    if (before) return before
    const name = this.nameOf(`${names(of)}_bits`)
    this.sizes = [...this.sizes, { kind: 'bits', name, min: 0, planned: 32 - Math.clz32(this.planned(of)) }]
    this.values.set(name, inSource(e, this.values))
    this.made.set(key, sizeOf(name))
    return sizeOf(name)
  }

  /**
   * `low`: what is divided is at least that, where it is known; C rounds towards 0, so that the size counts from there.
   * `by`: what is divided by, where linear constraints shall say it.
   */
  private size(of: Affine, divisor: Affine, low: number | undefined, by: number | undefined): Expr {
    const value = op('div', [affineExpr(of), affineExpr(divisor)]),
      key = JSON.stringify(value),
      before = this.made.get(key)
    if (before) return before
    const first = by === undefined || low === undefined ? 0 : Math.trunc(low / by),
      from = Math.min(0, first)
    const planned = Math.trunc(this.planned(of) / this.planned(divisor)) - from
    const name = this.nameOf(`${names(of)}_over_${by ?? names(divisor)}`)
    const facts = { name, min: low === undefined ? leastInteger : first - from, planned }
    const size: Size =
      by === undefined || low === undefined
        ? { kind: 'derived', ...facts }
        : { kind: 'quotient', ...facts, of: affineExpr(of), by, from, signed: low < 0 }
    this.sizes = [...this.sizes, size]
    this.values.set(name, inSource(sub(value, int(from)), this.values))
    const made = from === 0 ? sizeOf(name) : affineExpr(plus(affineName(`$${name}`), from))
    this.made.set(key, made)
    return made
  }

  /** Whether all of its terms are sizes or host variables here. */
  private isSized(form: Affine): boolean {
    return [...form.terms.keys()].every((n) => symbolsOf(this).some((s) => `$${s.name}` === n))
  }

  /** Whether it is made of sizes that count: of those that may be negative C rounds some quotients up. */
  private isKnown(form: Affine): boolean {
    return [...form.terms.keys()].every((n) => symbolsOf(this).some((s) => `$${s.name}` === n && s.min >= 0))
  }

  private planned(form: Affine): number {
    return this.at(form, (s) => s.planned)
  }

  /** A bound of a form of sizes from below; undefined where none is known. */
  private least(form: Affine): number | undefined {
    if ([...form.terms.values()].every((c) => c > 0)) return this.at(form, (s) => s.min)
    return implies(sizeDomain(this).constraints, form) ? 0 : undefined
  }

  private at(form: Affine, value: (s: Size | HostVariable) => number): number {
    return [...form.terms].reduce(
      (n, [name, c]) => n + c * value(symbolsOf(this).find((s) => `$${s.name}` === name)!),
      form.constant,
    ) // all are known
  }
}

const names = (form: Affine): string => [...form.terms.keys()].map((n) => n.slice(1)).join('_')
