// In: expressions. Out: operands: one, or one for each lane of a vector. The one idea: indices and conditions on them
// are values of `index-code.ts`, everything else is computed where it stands; lanes that touch consecutive elements
// load them as one vector.
import { fail } from '../../base/index.ts'
import {
  comparisonHolds,
  isComparison,
  someExpr,
  constOf,
  isFloat,
  opRow,
  registerType,
  type ArrayDecl,
  type Expr,
  type MemoryType,
  type Operand,
  type Reg,
  type ScalarType,
  type Stmt,
  exprKey,
  readsArray,
} from '../../ir/index.ts'
import { inequalityOf } from '../../analysis/index.ts'
import { Indices } from './index-code.ts'
import { bool, lowerFirst, operandKey } from './operands.ts'
import { decided, literalIndex, polyAdd, polyLiteral, polyOf } from './index-polynomial.ts'
import { divisible, sameInLanes, takeVar } from './lane-indices.ts'

/** What the lanes of a vector loop are doing, while one is lowered. */
export interface VectorLoop {
  readonly name: string
  readonly lanes: number
}

/**
 * Whether it divides or asks for a transcendental function of what the caller gives alone: once for all iterations will
 * do, and no compiler need find out.
 */
function isDearConstant(e: Extract<Expr, { kind: 'op' }>): boolean {
  if (e.type !== 'f32' && e.type !== 'f64' && e.type !== 'f16') return false
  if (!isFixed(e)) return false
  return (
    someExpr(e, (x) => x.kind === 'op' && x.type === e.type && (x.op === 'div' || opRow(x.op).class === 'sfu')) &&
    someExpr(e, (x) => x.kind === 'scalar' || x.kind === 'size')
  )
}

/** Operations that take a few cycles and are defined for all floats. */
const speculated: ReadonlySet<string> = new Set(['add', 'sub', 'mul', 'neg', 'abs', 'min', 'max', 'select'])
/** Of these, as many as a branch around them takes. */
const mostSpeculated = 6

/** b of `a / √b`. */
function rootUnder(e: Extract<Expr, { kind: 'op' }>): Expr | undefined {
  const under = e.op === 'div' && e.type === 'f32' ? e.args[1] : undefined
  return under?.kind === 'op' && under.op === 'sqrt' ? under.args[0] : undefined
}

/** Whether it is the same in every iteration; most are not, and their first read says so. */
function isFixed(e: Expr): boolean {
  switch (e.kind) {
    case 'read':
    case 'var':
      return false
    case 'op':
      return e.args.every(isFixed)
    case 'choose':
      return isFixed(e.condition) && isFixed(e.then) && isFixed(e.else)
    default:
      return true
  }
}

export abstract class Values extends Indices {
  protected readonly arrays = new Map<string, ArrayDecl>()
  protected readonly privates = new Map<string, Reg>()
  protected abstract readonly localArrays: ReadonlySet<string>
  protected abstract readonly changingArrays: ReadonlySet<string>
  /** Conditions on indices that hold where we are. */
  protected readonly holding = new Set<Operand>()
  private readonly speculations = new WeakMap<Expr, boolean>()

  /** `multiples`: sizes that are known multiples of a number; `near`: see `Code`. */
  constructor(
    private readonly multiples: Readonly<Record<string, number>> = {},
    near = false,
  ) {
    super(near)
  }

  protected override value(e: Expr): Operand {
    switch (e.kind) {
      case 'const':
        return constOf(e.type, e.value)
      case 'var':
      case 'size':
        return this.index(e)
      case 'scalar':
        return { kind: 'param', name: e.name, type: e.type }
      case 'read':
        return this.readValue(e)
      case 'op':
        return e.type === 'i32' && !readsArray(e) ? this.index(e) : this.opValue(e)
      case 'choose':
        return this.chooseValue(e)
    }
  }

  private readValue(e: Extract<Expr, { kind: 'read' }>): Operand {
    const a = this.array(e.array)
    if (a.space === 'private' && !this.localArrays.has(a.name)) return this.privateReg(a, e.index)
    return this.loadOne(a, this.address(a, e.index), e.at)
  }

  private opValue(e: Extract<Expr, { kind: 'op' }>): Operand {
    return isDearConstant(e) ? this.memoised(0, `once ${exprKey(e)}`, () => this.opHere(e)) : this.opHere(e)
  }

  private opHere(e: Extract<Expr, { kind: 'op' }>): Operand {
    if (e.type === 'bool' && inequalityOf(e)) return this.comparison(e)
    const side = e.op === 'select' ? decided(e, this.env) : undefined
    if (side) return this.value(side)
    const root = rootUnder(e)
    if (root) return this.overRoot(this.value(e.args[0]!), this.value(root), e.type) // a quotient has two arguments
    const args = e.args.map((a) => this.value(a))
    if (e.type === 'bool' && e.op === 'land' && args.every((a) => this.isIndexValue(a))) return this.foldLand(args)
    return this.local(e.op, args, e.type, e.op)
  }

  /** a / √b as a · (1 / √b), which devices compute at once; both are within a few units of rounding. */
  private overRoot(a: Operand, b: Operand, type: ScalarType): Operand {
    const over =
      b.kind === 'const' && Number(b.value) > 0
        ? constOf(type, 1 / Math.sqrt(Number(b.value)))
        : this.local('rsqrt', [b], type, 'rsqrt')
    return a.kind === 'const' && a.value === 1 ? over : this.local('mul', [a, over], type, 'mul')
  }

  private foldLand(args: readonly Operand[]): Operand {
    const open = args.filter((a) => a.kind !== 'const')
    if (args.some((a) => a.kind === 'const' && Number(a.value) === 0)) return bool(false)
    if (open.length === 0) return bool(true)
    return open.length === 1 ? open[0]! : this.pure('land', open, 'bool', 'inside')
  }

  private comparison(e: Extract<Expr, { kind: 'op' }>): Operand {
    const [a, b] = e.args.map((x) => polyOf(x, this.env))
    const difference = polyLiteral(polyAdd(a!, b!, -1))
    if (difference !== undefined && isComparison(e.op)) return bool(comparisonHolds(e.op, difference))
    const asked = this.pure(e.op, [this.polyValue(a!), this.polyValue(b!)], 'bool', 'inside')
    return this.holding.has(asked) ? bool(true) : asked
  }

  private isIndexValue(o: Operand): boolean {
    return o.kind === 'const' || o.kind === 'param' || this.hoisted.has(o)
  }

  private chooseValue(e: Extract<Expr, { kind: 'choose' }>): Operand {
    const condition = this.value(e.condition)
    if (condition.kind === 'const') return this.value(Number(condition.value) !== 0 ? e.then : e.else)
    if (this.isSpeculated(e))
      return this.local('select', [condition, this.value(e.then), this.value(e.else)], e.type, 'v')
    const dst = this.reg(e.type, 'v')
    this.chooseInto(dst, e)
    return dst
  }

  /**
   * Whether both sides are computed whatever the condition is: a few operations on floats that are at hand. Others may
   * be dear, or touch memory that the condition keeps them from, or leave an integer's range.
   */
  private isSpeculated(e: Extract<Expr, { kind: 'choose' }>): boolean {
    const known = this.speculations.get(e)
    if (known !== undefined) return known
    const found = isFloat(e.type) && this.areSidesAtHand(e)
    this.speculations.set(e, found)
    return found
  }

  private areSidesAtHand(e: Extract<Expr, { kind: 'choose' }>): boolean {
    const atHand = new Set<string>()
    const computed = (x: Expr): void => {
      if (x.kind === 'const') return
      atHand.add(exprKey(x))
      if (x.kind === 'op') x.args.forEach(computed)
      if (x.kind !== 'choose') return
      computed(x.condition)
      if (!this.isSpeculated(x)) return
      computed(x.then)
      computed(x.else)
    }
    computed(e.condition)
    let operations = 0
    const isAtHand = (x: Expr): boolean => {
      if (x.kind === 'const' || x.kind === 'size' || x.kind === 'scalar' || x.kind === 'var') return true
      const key = exprKey(x)
      if (atHand.has(key)) return true
      if (x.kind === 'read') return this.array(x.array).space === 'private' && !this.localArrays.has(x.array)
      atHand.add(key)
      operations++
      return x.kind === 'op'
        ? isFloat(x.type) && speculated.has(x.op) && x.args.every(isAtHand)
        : isAtHand(x.condition) && isAtHand(x.then) && isAtHand(x.else)
    }
    return isAtHand(e.then) && isAtHand(e.else) && operations <= mostSpeculated
  }

  /** `dst` must not be read by `e`'s sides after it is set to the other. */
  protected chooseInto(dst: Reg, e: Extract<Expr, { kind: 'choose' }>): void {
    const condition = this.value(e.condition)
    if (condition.kind === 'const') return this.emitValueInto(dst, Number(condition.value) !== 0 ? e.then : e.else)
    const set = (x: Expr): Stmt[] => this.inScope(() => this.emitValueInto(dst, x))
    if (e.else.kind === 'const' && e.then.kind === 'read' && this.array(e.then.array).space !== 'private') {
      this.emitValueInto(dst, e.else)
      this.emit({ kind: 'if', condition, then: set(e.then), else: [] })
    } else this.emit({ kind: 'if', condition, then: set(e.then), else: set(e.else) })
  }

  protected loadOne(a: ArrayDecl, address: Extract<Stmt, { kind: 'load' }>['address'], at?: Stmt['at']): Operand {
    return this.loadAt(a.type, address, lowerFirst(a.name), at)
  }

  /** Loads one element, or gives what the same scope loaded from there since the memory last changed. */
  private loadAt(
    type: MemoryType,
    address: Extract<Stmt, { kind: 'load' }>['address'],
    name = 'x',
    at?: Stmt['at'],
  ): Operand {
    const key = this.loadKey(address),
      known = this.top.memo.get(key)
    if (known) return known
    const dst = this.reg(registerType(type), name)
    this.emit({ kind: 'load', dst: [dst], type, address, ...(at && { at }) })
    this.top.memo.set(key, dst)
    return dst
  }

  /** What is loaded from there since the memory last changed. */
  private loadKey({ resource, index, offset }: Extract<Stmt, { kind: 'load' }>['address']): string {
    return `load ${resource} ${operandKey(index)} ${offset} ${this.version}`
  }

  protected emitValueInto(dst: Reg, value: Expr): void {
    if (value.kind === 'read' && value.type === dst.type) {
      const a = this.array(value.array)
      const memory = a.space !== 'private' || this.localArrays.has(a.name)
      if (memory)
        return this.emit({
          kind: 'load',
          dst: [dst],
          type: a.type,
          address: this.address(a, value.index),
          ...(value.at && { at: value.at }),
        })
    }
    if (value.kind === 'choose' && value.type === dst.type) return this.chooseInto(dst, value)
    const v = this.value(value)
    this.emit({
      kind: 'op',
      op: 'copy',
      dst,
      args: [v.type === dst.type ? v : this.asMemory(v, dst.type as MemoryType)],
    }) // a bool is always a bool
  }

  protected asMemory(value: Operand, type: MemoryType): Operand {
    const want = registerType(type)
    if (value.type === want) return value
    return this.local('convert', [value], want, 'value')
  }

  protected privateKey(a: ArrayDecl, index: readonly Expr[]): string {
    let key = `${a.name}_`,
      isFirst = true
    for (const e of index) {
      const place = literalIndex(e, this.env) ?? polyLiteral(polyOf(e, this.env))
      if (place === undefined) continue
      key += isFirst ? place : `_${place}`
      isFirst = false
    }
    return key
  }

  protected privateReg(a: ArrayDecl, index: readonly Expr[]): Reg {
    const key = this.privateKey(a, index)
    const known = this.privates.get(key)
    if (known) return known
    const made = this.reg(registerType(a.type), key === `${a.name}_` ? a.name : key)
    this.privates.set(key, made)
    if (this.changingArrays.has(a.name)) this.changing.add(made.id)
    return made
  }

  protected array(name: string): ArrayDecl {
    return this.arrays.get(name) ?? fail('schedule.lower', `there is no array '${name}'`)
  }

  // ── lanes ─────────────────────────────────────────────────────────────────────────────────────────────────────

  protected atLane<T>(v: VectorLoop, lane: number, f: () => T): T {
    const old = this.literals.get(v.name)
    this.literals.set(v.name, lane)
    const out = f()
    if (old === undefined) this.literals.delete(v.name)
    else this.literals.set(v.name, old)
    return out
  }

  /** Whether consecutive lanes touch consecutive elements, from an element that is a multiple of the width. */
  protected contiguous(a: ArrayDecl, index: readonly Expr[], v: VectorLoop): boolean {
    const flat = this.withoutLiteral(v, () => this.flat(a, index))
    const { rest, coefficient } = takeVar(flat, v.name)
    return coefficient === 1 && divisible(rest, v.lanes, (n) => this.multipleOf(n))
  }

  private withoutLiteral<T>(v: VectorLoop, f: () => T): T {
    const old = this.literals.get(v.name)
    this.literals.delete(v.name)
    const out = f()
    if (old !== undefined) this.literals.set(v.name, old)
    return out
  }

  protected multipleOf(size: string): number {
    return this.multiples[size] ?? 1
  }

  /** The value of `e` in each lane. */
  protected lanesOf(e: Expr, v: VectorLoop): readonly Operand[] {
    const each = (f: () => Operand): readonly Operand[] => {
      const out: Operand[] = []
      for (let lane = 0; lane < v.lanes; lane++) out.push(this.atLane(v, lane, f))
      return out
    }
    switch (e.kind) {
      case 'const':
      case 'size':
      case 'scalar':
      case 'var':
        return each(() => this.value(e))
      case 'read':
        return this.lanesOfRead(e, v) ?? each(() => this.value(e))
      case 'op': {
        if (e.type === 'i32' || e.args.some((x) => x.type === 'i32')) return each(() => this.value(e))
        const root = rootUnder(e)
        if (root) {
          const [over, under] = [e.args[0]!, root].map((x) => this.lanesOf(x, v)) // a quotient has two arguments
          return over!.map((a, lane) => this.overRoot(a, under![lane]!, e.type))
        }
        const args = e.args.map((x) => this.lanesOf(x, v)),
          out: Operand[] = []
        for (let lane = 0; lane < v.lanes; lane++) {
          const own = args.map((x) => x[lane]!) // one for each
          out.push(this.local(e.op, own, e.type, 'v'))
        }
        return out
      }
      case 'choose': {
        const lanes = this.lanesOfChoose(e, v)
        if (lanes || !this.isSpeculated(e)) return lanes ?? each(() => this.value(e))
        const [conditions, then, other] = [e.condition, e.then, e.else].map((x) => this.lanesOf(x, v)) // three
        return conditions!.map((c, lane) => this.local('select', [c, then![lane]!, other![lane]!], e.type, 'v'))
      }
    }
  }

  protected lanesOfRead(
    e: Extract<Expr, { kind: 'read' }>,
    v: VectorLoop,
    into?: readonly Reg[],
  ): readonly Operand[] | undefined {
    const a = this.array(e.array)
    if (a.space === 'private' && !this.localArrays.has(a.name)) return undefined
    if (!this.contiguous(a, e.index, v)) return undefined
    const address = this.atLane(v, 0, () => this.address(a, e.index, v.lanes))
    const keys = Array.from({ length: v.lanes }, (_, i) => `${this.loadKey(address)} lane ${i} of ${v.lanes}`),
      known = into ? [] : keys.flatMap((key) => this.top.memo.get(key) ?? [])
    if (known.length > 0) return known
    const dst = into ?? keys.map((_, i) => this.reg(e.type, `${lowerFirst(a.name)}_${i}`))
    this.emit({ kind: 'load', dst, type: a.type, address, ...(e.at && { at: e.at }) })
    if (!into) dst.forEach((r, i) => this.top.memo.set(keys[i]!, r))
    return dst
  }

  protected lanesOfChoose(
    e: Extract<Expr, { kind: 'choose' }>,
    v: VectorLoop,
    into?: readonly Reg[],
  ): readonly Operand[] | undefined {
    if (e.then.kind !== 'read' || e.else.kind !== 'const' || !this.sameForAllLanes(e.condition, v)) return undefined
    const read = e.then,
      otherwise = e.else
    const a = this.array(read.array)
    if (a.space === 'private' || !this.contiguous(a, read.index, v)) return undefined
    const condition = this.atLane(v, 0, () => this.value(e.condition))
    if (condition.kind === 'const' && Number(condition.value) !== 0) return this.lanesOfRead(read, v, into)
    const dst = into ?? Array.from({ length: v.lanes }, (_, i) => this.reg(e.type, `${lowerFirst(a.name)}_${i}`))
    dst.forEach((d) => this.emit({ kind: 'op', op: 'copy', dst: d, args: [constOf(otherwise.type, otherwise.value)] }))
    const then = this.inScope(() => {
      this.lanesOfRead(read, v, dst)
    })
    this.emit({ kind: 'if', condition, then, else: [] })
    return dst
  }

  protected sameForAllLanes(condition: Expr, v: VectorLoop): boolean {
    return this.withoutLiteral(v, () => sameInLanes(condition, v.name, v.lanes, this.env, (n) => this.multipleOf(n)))
  }
}
