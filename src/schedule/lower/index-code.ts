// In: integer index expressions. Out: operands, and addresses of elements. The one idea: an index is a polynomial
// (`index-polynomial.ts`), summed from what the outermost scope knows inwards, each part once per scope.
import { fail } from '../../base/index.ts'
import {
  bytesOf,
  type ArrayDecl,
  type Expr,
  type Operand,
  type Stmt,
  exprKey,
  readsArray,
  varsOf,
} from '../../ir/index.ts'
import { Code } from './code.ts'
import { i32 } from './operands.ts'
import {
  constantPart,
  indexPartsOf,
  isClosed,
  polyAdd,
  polyConstant,
  polyKey,
  polyLiteral,
  polyMul,
  polyOf,
  type Atom,
  type Environment,
  type IndexPart,
  type Poly,
} from './index-polynomial.ts'

/** A coordinate of what lies behind several others. */
const isPlace = (a: Atom): boolean => a.kind === 'quotient' || a.kind === 'remainder'

/** Several times an extent. */
const isStep = ({ atoms, coefficient }: IndexPart): boolean =>
  Math.abs(coefficient) > 1 && atoms.every((a) => a.kind === 'size')

export abstract class Indices extends Code {
  /** The scope that each loop variable lives in. */
  protected readonly depthOf = new Map<string, number>()
  /** Values of the loops that are written out, and of lanes. */
  protected readonly literals = new Map<string, number>()
  /** Loop variables that are never negative, with their greatest values. */
  protected readonly naturals = new Map<string, number>()
  /** Index values that depend on data get a new key each time: what they read may have changed in between. */
  private opaques = 0
  protected readonly env: Environment = {
    literalOf: (n) => this.literals.get(n),
    mostOf: (n) => this.naturals.get(n),
    multipleOf: (n) => this.multipleOf(n),
    leastOf: (n) => this.leastOf(n),
    keyOf: (e) => (readsArray(e) ? `${exprKey(e)}#${this.opaques++}` : `${exprKey(e)}${this.literalsIn(e)}`),
  }

  protected abstract value(e: Expr): Operand
  /** What a size is known to be a multiple of. */
  protected abstract multipleOf(size: string): number
  /** What a size is at least. */
  protected abstract leastOf(size: string): number

  protected index(e: Expr): Operand {
    return this.polyValue(polyOf(e, this.env))
  }

  protected flat(a: ArrayDecl, index: readonly Expr[]): Poly {
    let p: Poly = polyConstant(0)
    const last = a.shape.length - 1
    index.forEach((e, d) => {
      let extent = polyOf(a.shape[d]!, this.env)
      if (d === last && a.pad) extent = polyAdd(extent, polyConstant(a.pad))
      p = polyAdd(polyMul(p, extent), polyOf(e, this.env))
    })
    return p
  }

  /** `lanes`: elements accessed at once; the index then counts vectors where its parts divide. */
  protected address(a: ArrayDecl, index: readonly Expr[], lanes = 1): Extract<Stmt, { kind: 'load' }>['address'] {
    const flat = this.flat(a, index)
    const stride = bytesOf[a.type]
    const offset = constantPart(flat)
    const keep = a.space === 'global' && lanes === 1 ? 0 : offset
    const rest = polyAdd(flat, polyConstant(keep), -1)
    const whole = lanes > 1 && [...rest.values()].every((m) => m.coefficient % lanes === 0)
    const scaled: Poly = whole
      ? new Map([...rest].map(([k, m]) => [k, { ...m, coefficient: m.coefficient / lanes }]))
      : rest
    return {
      resource: a.name,
      index: this.polyValue(scaled),
      stride: whole ? stride * lanes : stride,
      offset: keep * stride,
    }
  }

  /**
   * The value of a polynomial: its parts summed from the outermost scope inwards, each part once per scope. What is
   * multiplied by several sizes, as a row's place is by an extent of `2 * n - 1`, is multiplied once, by their sum.
   */
  protected polyValue(p: Poly): Operand {
    const constant = constantPart(p)
    if (p.size === 0 || (p.size === 1 && constant !== 0)) return i32(constant)
    const known = isClosed(p) ? this.known(this.polyDepth(p), `Σ${polyKey(p)}`) : undefined
    if (known) return known
    const parts = indexPartsOf(p).map((part) => ({
        part,
        depth: Math.max(0, ...part.atoms.map((a) => this.atomDepth(a))),
      })),
      innermost = Math.max(0, ...parts.map((x) => x.depth))
    // Where rows of a window are computed, what they have in common is computed once, and kept instead of each.
    const inWindow = innermost > 0 && parts.some((x) => x.depth === innermost && x.part.atoms.some(isPlace)),
      orderOf = ({ part, depth }: (typeof parts)[number]): number => (inWindow && isStep(part) ? Infinity : depth)
    const inOrder = parts.sort((x, y) => orderOf(x) - orderOf(y) || (x.part.key < y.part.key ? -1 : 1))
    let sum: Operand | undefined,
      soFar: Poly = new Map(),
      within = 0
    for (const { part, depth } of inOrder) {
      const value = this.at(inWindow ? depth : this.placeAt(depth), () => this.product(part)),
        previous = sum
      soFar = polyAdd(soFar, part.whole)
      within = Math.max(within, depth)
      const next = (): Operand =>
        this.memoised(within, `Σ${polyKey(soFar)}`, () =>
          previous ? this.addOrSub(previous, part, value) : this.signed(part, value),
        )
      sum = inWindow && !isStep(part) ? this.at(within, next) : next()
    }
    if (!sum) return i32(constant)
    if (constant === 0) return sum
    const base = sum
    return this.memoised(innermost, `Σ${polyKey(p)}`, () =>
      constant > 0
        ? this.rawOp('add', [base, i32(constant)], 'i32', 'index')
        : this.rawOp('sub', [base, i32(-constant)], 'i32', 'index'),
    )
  }

  protected signed(part: IndexPart, value: Operand): Operand {
    return part.coefficient < 0 ? this.rawOp('neg', [value], 'i32', 'negative') : value
  }

  protected addOrSub(sum: Operand, part: IndexPart, value: Operand): Operand {
    return part.coefficient < 0
      ? this.rawOp('sub', [sum, value], 'i32', 'index')
      : this.rawOp('add', [sum, value], 'i32', 'index')
  }

  /** |coefficient| × atoms × sizes; the sign is the caller's. */
  protected product({ coefficient, atoms, sizes }: IndexPart): Operand {
    let value = this.atom(atoms[0]!)
    for (const a of atoms.slice(1)) value = this.pure('mul', [value, this.atom(a)], 'i32', 'row')
    if (sizes) value = this.pure('mul', [value, this.polyValue(sizes)], 'i32', 'row')
    const c = Math.abs(coefficient)
    return c === 1 ? value : this.pure('mul', [value, i32(c)], 'i32', 'scaled')
  }

  protected atom(a: Atom): Operand {
    switch (a.kind) {
      case 'size':
        return { kind: 'param', name: a.name, type: 'i32' }
      case 'var':
        return this.variable(a.name)
      case 'quotient':
      case 'remainder': {
        const value = (): Operand =>
          this.pure(a.kind === 'quotient' ? 'div' : 'rem', [this.polyValue(a.of), this.polyValue(a.by)], 'i32', a.kind)
        // a division by a size costs too much to be done again in every branch
        return polyLiteral(a.by) === undefined ? this.at(this.atomDepth(a), value) : value()
      }
      case 'min':
      case 'max':
        return this.pure(a.kind, [this.polyValue(a.a), this.polyValue(a.b)], 'i32', a.kind)
      case 'abs':
        return this.pure('abs', [this.polyValue(a.of)], 'i32', 'distance')
      case 'select':
        return this.pure(
          'select',
          [
            this.pure(a.op, [this.polyValue(a.a), this.polyValue(a.b)], 'bool', 'inside'),
            this.polyValue(a.then),
            this.polyValue(a.otherwise),
          ],
          'i32',
          'place',
        )
      case 'opaque':
        return this.opaque(a.expr)
    }
  }

  /** What unrolled loops and lanes are in `e`: the same text has another value in each. */
  protected literalsIn(e: Expr): string {
    return [...varsOf(e)].flatMap((n) => (this.literals.has(n) ? [` ${n}=${this.literals.get(n)}`] : [])).join('')
  }

  protected opaque(e: Expr): Operand {
    if (e.kind === 'op')
      return this.local(
        e.op,
        e.args.map((x) => this.value(x)),
        e.type,
        e.op,
      )
    return this.value(e)
  }

  protected variable(name: string): Operand {
    const depth = this.depthOf.get(name)
    const value = depth === undefined ? undefined : this.scopes[depth]?.memo.get(name)
    return value ?? fail('schedule.lower', `the loop variable '${name}' is not in scope`)
  }

  /** The deepest scope of what it is made of. */
  private polyDepth(p: Poly): number {
    let depth = 0
    for (const { atoms } of p.values()) for (const a of atoms) depth = Math.max(depth, this.atomDepth(a))
    return depth
  }

  protected atomDepth(a: Atom): number {
    const deepest = (p: Poly): number => this.polyDepth(p)
    switch (a.kind) {
      case 'size':
        return 0
      case 'var':
        return this.depthOf.get(a.name) ?? this.scopes.length - 1
      case 'quotient':
      case 'remainder':
        return deepest(a.of)
      case 'min':
      case 'max':
        return Math.max(deepest(a.a), deepest(a.b))
      case 'abs':
        return deepest(a.of)
      case 'select':
        return Math.max(...[a.a, a.b, a.then, a.otherwise].map(deepest))
      case 'opaque':
        return this.scopes.length - 1
    }
  }
}
