// In: a LoopIR program, sizes, scalars and host arrays. Out: the arrays, written in place. The one idea: this is the
// definition of what a program means: it runs from top to bottom, bindings ignored. Expressions become closures over
// typed arrays once, so that a few million multiply-adds take well under a second. Every index is checked, and so is
// that locals are written before they are read. Where JavaScript text may be compiled, the same is run as text
// (`interpret-text.ts`); under any other content policy the closures run.
import { fail, InternalError, type Span } from '../../base/index.ts'
import { symbolsOf } from '../loop/build.ts'
import { addScaled, affineConstant, affineOf, type Affine } from '../integers/affine.ts'
import { endOf, isEndless } from '../loop/early-exit.ts'
import { evaluate } from '../evaluate.ts'
import {
  bigOp,
  fastBinary,
  logicalBig,
  numberOp,
  reduceOp,
  rounding,
  saturate,
  wrapBig,
  type NumberOp,
} from './interpret-ops.ts'
import type { OpName } from '../ops.ts'
import {
  linearNum,
  offset1,
  offset2,
  offset3,
  outOfBounds,
  shiftedRead,
  uninitialised,
  type Cell,
  type Linear,
  type Num,
} from './interpret-places.ts'
import { isBig, textOf, type TextKind, type FailureSite, type ProgramText } from './interpret-text.ts'
import { f16Bits, f16Value, roundTo } from '../round.ts'
import { printExpr, printStmt } from '../loop/text-loop.ts'
import { hostArray, isFloat, registerType, type HostArray, type MemoryType, type ScalarType } from '../types.ts'
import type { ArrayDecl, Expr, If, Loop, LoopStmt, Program, Store } from '../loop/loop.ts'

/**
 * What a run needs: a value per size and scalar, memory per array (`temp` arrays are made when absent), row-major
 * without padding.
 */
export interface Inputs {
  readonly sizes: Readonly<Record<string, number>>
  readonly scalars: Readonly<Record<string, number>>
  /** Elements of the declared type; with `precision: 'f64'` also `Float64Array` for any float type. f16 as raw bits. */
  readonly arrays: Readonly<Record<string, HostArray>>
}

export interface InterpretOptions {
  /**
   * `declared` (default): every float operation rounds to its type. `f64`: floats compute and temporaries live in
   * float64.
   */
  readonly precision?: 'declared' | 'f64'
  /** Moves the results of float operations, as a target may whose promises are inexact; nothing moves when absent. */
  readonly moved?: (op: OpName, type: 'f32' | 'f64') => Moved | undefined
  /** Loop iterations allowed, over all loops together; default 10⁹. */
  readonly maxSteps?: number
  /** Runs the closures, which define what a program means, also where text could be compiled. */
  readonly closures?: boolean
}

/** What becomes of the result of an operation on a and b. */
export type Moved = (result: number, a: number, b: number) => number

type Run = () => void
type Big = () => bigint

interface Scope {
  readonly cells: ReadonlyMap<string, Cell>
  /** Slot of each loop variable in the frame; slot 0 is always 0. */
  readonly slots: ReadonlyMap<string, number>
}

/** Two GiB of doubles. */
const maxLocalElements = 2 ** 28
/** Iterations after which a loop that data end is taken never to end. */
const mostTurns = 1_000_000

/**
 * Runs `program` on `inputs`, writing arrays in place. Throws a `DiagnosticError` for an index out of bounds (naming
 * array, index and statement), a read of a local that was never written, too many steps, and inputs that are missing or
 * too small.
 */
export function interpret(program: Program, inputs: Inputs, options: InterpretOptions = {}): void {
  new Interpreter(program, inputs, options).run()
}

/** Elements that an array with these extents has. */
const countOf = (extents: readonly number[]): number => extents.reduce((n, e) => n * Math.max(e, 0), 1)

class Interpreter {
  private readonly program: Program
  private readonly inputs: Inputs
  private readonly f64: boolean
  private readonly maxSteps: number
  private readonly moved: InterpretOptions['moved']
  private steps = 0
  private localElements = 0
  private frame: Float64Array
  private readonly closures: boolean

  constructor(program: Program, inputs: Inputs, options: InterpretOptions) {
    this.program = program
    this.inputs = inputs
    this.f64 = options.precision === 'f64'
    this.maxSteps = options.maxSteps ?? 1e9
    this.moved = options.moved
    this.closures = options.closures ?? false
    this.frame = new Float64Array(1 + deepest(program.body))
    for (const s of symbolsOf(program))
      if (!Number.isInteger(inputs.sizes[s.name])) fail('interpret.input', `size ${s.name} is not given`, program.at)
  }

  run(): void {
    const cells = this.program.arrays.map((a) => this.parameter(a))
    const asText = this.closures ? undefined : this.asText(cells)
    if (asText) return asText()
    this.block(this.program.body, { cells: new Map(cells.map((c) => [c.decl.name, c])), slots: new Map() })()
  }

  /** The program as compiled text on this memory, where there is one. */
  private asText(parameters: readonly Cell[]): Run | undefined {
    const { f64, program, inputs, maxSteps } = this
    if (program.scalars.some((s) => isBig(s.type) || inputs.scalars[s.name] === undefined)) return undefined
    const held = parameters.map((c) => ({
      isLocal: c.written !== null,
      isCoded: this.isCoded(c),
      rank: c.decl.shape.length,
    }))
    const made = functionOf(program, { f64, moved: this.moved !== undefined, held })
    if (!made) return undefined
    const { sites, called, locals, run } = made
    const cells = [...parameters, ...locals.map((a) => this.local(a))]
    const functions: NumberOp[] = []
    for (const i of called) functions[i] = this.functionAt(sites[i]!) // of these sites
    const spanOf = (site: number): Span | undefined => sites[site]!.at
    return () =>
      run({
        memory: cells.map((c) => c.data),
        written: cells.map((c) => c.written),
        extents: cells.map((c) => c.extents),
        sizes: symbolsOf(program).map((s) => inputs.sizes[s.name]!), // asked by the constructor
        scalars: program.scalars.map((s) => this.scalar(s.name, s.type)),
        functions,
        ops: {
          encode: f16Bits,
          decode: f16Value,
          half: rounding('f16', false),
          i32: (x) => (x > lowestInt - 1 && x < highestInt + 1 ? x | 0 : saturate(x, 'i32')),
          u32: (x) => (x > -1 && x <= highestUnsigned ? x >>> 0 : saturate(x, 'u32')),
        },
        maxSteps,
        mostTurns,
        refuse: (array, values, site) => outOfBounds(cells[array]!, values, textAt(sites[site]!), spanOf(site)),
        unset: (array, offset, site) => uninitialised(cells[array]!, offset, textAt(sites[site]!), spanOf(site)),
        late: (site) => this.tooLate(spanOf(site)),
        endless: (site) => neverEnds(spanOf(site)),
      })
  }

  /** What the operation or the update at a site computes, before rounding. */
  private functionAt({ expr, store, type }: FailureSite): NumberOp {
    if (store && type) return reduceOp(store, type)
    if (expr?.kind !== 'op') throw new InternalError('interpret', 'a site without an operation')
    const from = expr.args[0]!.type // every operation has one
    if (expr.op === 'bitcast') return (a) => Number(evaluate('bitcast', from, [a], expr.type))
    return this.operation(expr.op, from)
  }

  private scalar(name: string, type: ScalarType): number {
    const given = this.inputs.scalars[name] ?? fail('interpret.input', `scalar ${name} is not given`)
    return rounding(type, false)(given)
  }

  private tooLate(at: Span | undefined): never {
    return fail('interpret.steps', `the program takes more than ${this.maxSteps} loop iterations`, at)
  }

  private extents(a: ArrayDecl): number[] {
    return a.shape.map((e) => this.num(e, { cells: new Map(), slots: new Map() })())
  }

  private parameter(a: ArrayDecl): Cell {
    const given = this.inputs.arrays[a.name]
    if (!given && a.role === 'temp') return this.local(a)
    const extents = this.extents(a)
    if (!given) return fail('interpret.input', `array ${a.name} is not given`, a.at)
    if (given.length < countOf(extents))
      fail('interpret.input', `array ${a.name} has ${given.length} elements, ${extents.join(' × ')} are needed`, a.at)
    const wide = given instanceof Float64Array && this.f64 && isFloat(a.type)
    if (!wide && given.constructor !== hostArray(a.type, 0).constructor)
      fail('interpret.input', `array ${a.name} of ${a.type} was given as ${given.constructor.name}`, a.at)
    return { decl: a, extents, data: given, written: null }
  }

  private local(a: ArrayDecl): Cell {
    const extents = this.extents(a),
      count = countOf(extents)
    this.localElements += count
    if (this.localElements > maxLocalElements)
      fail('interpret.memory', `local arrays need more than ${maxLocalElements} elements`, a.at)
    const data = this.f64 && isFloat(a.type) ? new Float64Array(count) : hostArray(a.type, count)
    return { decl: a, extents, data, written: new Uint8Array(count) }
  }

  // -------------------------------------------------------------------------------------------------- statements

  private block(body: readonly LoopStmt[], outer: Scope): Run {
    let scope = outer
    const runs: Run[] = []
    for (const s of body) {
      if (s.kind === 'declare') {
        const cell = this.local(s.array)
        scope = { ...scope, cells: new Map(scope.cells).set(s.array.name, cell) }
        runs.push(() => {
          cell.written?.fill(0)
        })
      } else runs.push(this.stmt(s, scope))
    }
    const [a, b] = runs
    if (!a) return () => {}
    if (!b) return a
    if (runs.length === 2)
      return () => {
        a()
        b()
      }
    return () => {
      for (let i = 0; i < runs.length; i++) runs[i]!()
    }
  }

  private stmt(s: Exclude<LoopStmt, { kind: 'declare' }>, scope: Scope): Run {
    switch (s.kind) {
      case 'loop':
        return this.loop(s, scope)
      case 'if':
        return this.branch(s, scope)
      case 'store':
        return isBig(registerType(this.cell(s.array, scope).decl.type)) ? this.storeBig(s, scope) : this.store(s, scope)
    }
  }

  private loop(s: Loop, scope: Scope): Run {
    const lower = this.num(s.lower, scope),
      upper = this.num(s.upper, scope)
    const slot = scope.slots.size + 1,
      { step } = s,
      frame = this.frame
    const inner = { ...scope, slots: new Map(scope.slots).set(s.name, slot) }
    const guard = s.body.length === 1 ? endOf(s) : undefined
    if (guard) return this.ending(s, guard, inner, slot)
    const body = this.block(s.body, inner)
    const { maxSteps } = this
    return () => {
      const end = upper()
      for (let v = lower(); v < end; v += step) {
        if (++this.steps > maxSteps) this.tooLate(s.at)
        frame[slot] = v
        body()
      }
    }
  }

  /** A loop that ends where its guard fails. */
  private ending(s: Loop, guard: If, scope: Scope, slot: number): Run {
    const lower = this.num(s.lower, scope),
      upper = this.num(s.upper, scope)
    const goes = this.num(guard.condition, scope),
      body = this.block(guard.then, scope)
    const { maxSteps, frame } = this,
      longest = isEndless(s) ? mostTurns : Infinity
    return () => {
      const end = upper()
      for (let v = lower(), first = v; v < end; v += s.step) {
        if (++this.steps > maxSteps) this.tooLate(s.at)
        if (v - first > longest) neverEnds(s.at)
        frame[slot] = v
        if (!goes()) return
        body()
      }
    }
  }

  private branch(s: If, scope: Scope): Run {
    const condition = this.num(s.condition, scope),
      then = this.block(s.then, scope),
      otherwise = this.block(s.else, scope)
    return () => {
      if (condition()) then()
      else otherwise()
    }
  }

  private store(s: Store, scope: Scope): Run {
    const cell = this.cell(s.array, scope),
      { data, written } = cell
    const type = registerType(cell.decl.type),
      round = rounding(type, this.f64),
      coded = this.isCoded(cell)
    const offset = this.offset(cell, s.index, scope, () => printStmt(s), s.at),
      value = this.num(s.value, scope)
    const memory = data as Float64Array // 64-bit integers are stored by storeBig
    const put: (o: number, v: number) => void = coded
      ? (o, v) => {
          memory[o] = f16Bits(v)
        }
      : (o, v) => {
          memory[o] = v
        }
    if (!s.reduce) {
      if (!written && !coded)
        return () => {
          const v = value()
          memory[offset()] = v
        }
      return () => {
        const v = value(),
          o = offset()
        put(o, v)
        if (written) written[o] = 1
      }
    }
    const combine = reduceOp(s, type),
      load = this.element(cell, () => printStmt(s), s.at)
    if (s.reduce === 'add' && isFloat(type) && !written && !coded)
      return () => {
        const v = value(),
          o = offset()
        memory[o] = memory[o]! + v
      }
    return () => {
      const v = value(),
        o = offset()
      put(o, round(combine(load(o), v, 0)))
    }
  }

  private storeBig(s: Store, scope: Scope): Run {
    const cell = this.cell(s.array, scope),
      { written } = cell,
      type = registerType(cell.decl.type)
    const offset = this.offset(cell, s.index, scope, () => printStmt(s), s.at),
      value = this.big(s.value, scope)
    const memory = cell.data as BigInt64Array // checked by the caller
    const check = this.readCheck(cell, () => printStmt(s), s.at)
    const combine =
      s.reduce === 'land' || s.reduce === 'lor' ? logicalBig(s.reduce) : s.reduce ? bigOp(s.reduce, type) : null
    return () => {
      const v = value(),
        o = offset()
      if (combine) check(o)
      memory[o] = combine ? combine(memory[o]!, v) : v
      if (written) written[o] = 1
    }
  }

  // ------------------------------------------------------------------------------------------------------ memory

  private cell(name: string, scope: Scope): Cell {
    return scope.cells.get(name) ?? fail('interpret.scope', `${name} is not declared here`)
  }

  /** f16 in memory is raw bits, unless the caller gave float64. */
  private isCoded(cell: Cell): boolean {
    return cell.decl.type === 'f16' && !(cell.data instanceof Float64Array)
  }

  private readCheck(cell: Cell, where: () => string, at: Span | undefined): (o: number) => void {
    const { written } = cell
    return written
      ? (o) => {
          if (!written[o]) uninitialised(cell, o, where(), at)
        }
      : () => {}
  }

  /** Reads one element of a number type by its offset. */
  private element(cell: Cell, where: () => string, at: Span | undefined): (o: number) => number {
    const memory = cell.data as Float64Array,
      { written } = cell // callers keep 64-bit integers away
    if (this.isCoded(cell)) {
      const check = this.readCheck(cell, where, at)
      return (o) => {
        check(o)
        return f16Value(memory[o]!)
      }
    }
    if (!written) return (o) => memory[o]!
    return (o) => (written[o] ? memory[o]! : uninitialised(cell, o, where(), at))
  }

  /** The row-major offset of an element; every index is checked against its extent. */
  private offset(cell: Cell, index: readonly Expr[], scope: Scope, where: () => string, at: Span | undefined): Num {
    const { extents } = cell
    const parts = index.map((e) => this.linear(e, scope) ?? this.num(e, scope))
    const refuse = (values: readonly number[]): never => outOfBounds(cell, values, where(), at)
    if (parts.length === 0) return () => 0
    const [x, y, z] = parts
    if (parts.length === 1 && x && typeof x !== 'function') return offset1(this.frame, x, extents[0]!, refuse)
    if (parts.length === 2 && x && y && typeof x !== 'function' && typeof y !== 'function')
      return offset2(this.frame, x, y, extents, refuse)
    if (
      parts.length === 3 &&
      x &&
      y &&
      z &&
      typeof x !== 'function' &&
      typeof y !== 'function' &&
      typeof z !== 'function'
    )
      return offset3(this.frame, x, y, z, extents, refuse)
    const evals = parts.map((p) => (typeof p === 'function' ? p : linearNum(this.frame, p)))
    return () => {
      let o = 0
      for (let d = 0; d < evals.length; d++) {
        const v = evals[d]!(),
          n = extents[d]!
        if (!(v >= 0 && v < n)) refuse(evals.map((e) => e()))
        o = o * n + v
      }
      return o
    }
  }

  /** `e` as base + at most two loop variables, or undefined. */
  private linear(e: Expr, scope: Scope): Linear | undefined {
    const form = affineOf(e)
    if (!form) return undefined
    const closed = this.withSizes(form)
    const terms = [...closed.terms].map(([name, factor]) => ({ slot: scope.slots.get(name) ?? -1, factor }))
    if (terms.length > 2 || terms.some((t) => t.slot < 0)) return undefined
    return {
      base: closed.constant,
      slot1: terms[0]?.slot ?? 0,
      factor1: terms[0]?.factor ?? 0,
      slot2: terms[1]?.slot ?? 0,
      factor2: terms[1]?.factor ?? 0,
    }
  }

  private withSizes(form: Affine): Affine {
    let result = affineConstant(form.constant)
    for (const [name, factor] of form.terms) {
      const term = name.startsWith('$')
        ? affineConstant(this.inputs.sizes[name.slice(1)]!)
        : { constant: 0, terms: new Map([[name, 1]]) }
      result = addScaled(result, term, factor)
    }
    return result
  }

  // ------------------------------------------------------------------------------------------------- expressions

  /** An expression of any type but i64 and u64. */
  private num(e: Expr, scope: Scope): Num {
    const linear = e.kind === 'op' && e.type === 'i32' ? this.linear(e, scope) : undefined
    if (linear) {
      const value = linearNum(this.frame, linear)
      return () => value() | 0
    }
    switch (e.kind) {
      case 'const': {
        const v = Number(e.value)
        return () => v
      }
      case 'var': {
        const slot = scope.slots.get(e.name) ?? fail('interpret.scope', `${e.name} is no loop variable here`),
          { frame } = this
        return () => frame[slot]!
      }
      case 'size': {
        const v = this.inputs.sizes[e.name] ?? fail('interpret.scope', `${e.name} is no size`)
        return () => v
      }
      case 'scalar': {
        const v = this.scalar(e.name, e.type)
        return () => v
      }
      case 'read': {
        const cell = this.cell(e.array, scope),
          where = (): string => printExpr(e)
        const plain = !cell.written && !this.isCoded(cell),
          direct = plain
            ? shiftedRead(
                this.frame,
                cell,
                e.index.map((i) => this.linear(i, scope)),
                (values) => outOfBounds(cell, values, where(), e.at),
              )
            : undefined
        if (direct) return direct
        const offset = this.offset(cell, e.index, scope, where, e.at),
          load = this.element(cell, where, e.at)
        if (plain) {
          const memory = cell.data as Float64Array
          return () => memory[offset()]!
        } // number types only here
        return () => load(offset())
      }
      case 'op':
        return this.opNum(e, scope)
      case 'choose': {
        const condition = this.num(e.condition, scope),
          then = this.num(e.then, scope),
          otherwise = this.num(e.else, scope)
        return () => (condition() ? then() : otherwise())
      }
    }
  }

  private opNum(e: Extract<Expr, { kind: 'op' }>, scope: Scope): Num {
    if (e.op === 'convert') return this.convertNum(e, scope)
    if (e.op === 'bitcast') return this.bitcastNum(e, scope)
    const [x, y, z] = e.args
    if (isBig(x!.type)) return this.compareBig(e, scope)
    const a = this.num(x!, scope),
      b = y && this.num(y, scope),
      c = z && this.num(z, scope)
    if (e.op === 'select')
      return () => {
        const p = b!(),
          q = c!()
        return a() ? p : q
      }
    const round = rounding(e.type, this.f64)
    if (e.op === 'fma') return () => round(round(a() * b!()) + c!())
    const f = this.operation(e.op, x!.type),
      exact = e.type === 'bool' || e.type === 'f64' || (this.f64 && isFloat(e.type))
    if (!b) return exact ? () => f(a(), 0, 0) : () => round(f(a(), 0, 0))
    return (
      (e.type === 'f32' || exact ? fastBinary(e, a, b, exact) : undefined) ??
      (exact ? () => f(a(), b(), 0) : () => round(f(a(), b(), 0)))
    )
  }

  /** An operation on numbers of one type, moved where the options say so. */
  private operation(name: OpName, type: ScalarType): NumberOp {
    const f = numberOp(name, type, this.f64)
    const move = type === 'f32' || type === 'f64' ? this.moved?.(name, type) : undefined
    return move ? (a, b, c) => move(f(a, b, c), a, b) : f
  }

  private compareBig(e: Extract<Expr, { kind: 'op' }>, scope: Scope): Num {
    const a = this.big(e.args[0]!, scope),
      b = this.big(e.args[1]!, scope)
    switch (e.op) {
      case 'eq':
        return () => +(a() === b())
      case 'ne':
        return () => +(a() !== b())
      case 'lt':
        return () => +(a() < b())
      case 'le':
        return () => +(a() <= b())
      case 'gt':
        return () => +(a() > b())
      case 'ge':
        return () => +(a() >= b())
      default:
        throw new InternalError('interpret', `${e.op} of ${e.args[0]!.type} gives no ${e.type}`)
    }
  }

  private convertNum(e: Extract<Expr, { kind: 'op' }>, scope: Scope): Num {
    const x = e.args[0]!,
      { type } = e,
      wide = this.f64 && isFloat(type)
    if (isBig(x.type)) {
      const a = this.big(x, scope)
      return wide ? () => Number(a()) : () => Number(roundTo(type, a()))
    }
    const a = this.num(x, scope)
    if (type === 'bool') return () => +(a() !== 0)
    if (isFloat(x.type) && (type === 'i32' || type === 'u32')) return () => saturate(a(), type)
    const round = rounding(type, this.f64)
    return () => round(a())
  }

  private bitcastNum(e: Extract<Expr, { kind: 'op' }>, scope: Scope): Num {
    const from = e.args[0]!.type
    const a = isBig(from) ? this.big(e.args[0]!, scope) : this.num(e.args[0]!, scope)
    return () => Number(evaluate('bitcast', from, [a()], e.type))
  }

  /** An expression of type i64 or u64. */
  private big(e: Expr, scope: Scope): Big {
    switch (e.kind) {
      case 'const': {
        const v = BigInt(e.value)
        return () => v
      }
      case 'scalar': {
        const v = wrapBig(e.type)(
          BigInt(Math.trunc(this.inputs.scalars[e.name] ?? fail('interpret.input', `scalar ${e.name} is not given`))),
        )
        return () => v
      }
      case 'read': {
        const cell = this.cell(e.array, scope),
          where = (): string => printExpr(e),
          memory = cell.data as BigInt64Array // by the type of e
        const offset = this.offset(cell, e.index, scope, where, e.at),
          check = this.readCheck(cell, where, e.at)
        return () => {
          const o = offset()
          check(o)
          return memory[o]!
        }
      }
      case 'choose': {
        const condition = this.num(e.condition, scope),
          then = this.big(e.then, scope),
          otherwise = this.big(e.else, scope)
        return () => (condition() ? then() : otherwise())
      }
      case 'op':
        return this.opBig(e, scope)
      case 'var':
      case 'size':
        throw new InternalError('interpret', `${e.name} is no ${String(e.type)}`)
    }
  }

  private opBig(e: Extract<Expr, { kind: 'op' }>, scope: Scope): Big {
    const x = e.args[0]!,
      { type } = e
    if (e.op === 'select') {
      const c = this.num(x, scope),
        a = this.big(e.args[1]!, scope),
        b = this.big(e.args[2]!, scope)
      return () => {
        const p = a(),
          q = b()
        return c() ? p : q
      }
    }
    if (e.op === 'convert' || e.op === 'bitcast') {
      const { op } = e,
        a = isBig(x.type) ? this.big(x, scope) : this.num(x, scope)
      const from = op === 'convert' && isFloat(x.type) ? 'f64' : x.type // a float is its own float64
      return () => BigInt(evaluate(op, from, [a()], type))
    }
    const a = this.big(x, scope),
      y = e.args[1],
      b = y && this.big(y, scope),
      f = bigOp(e.op, type)
    return b ? () => f(a(), b()) : () => f(a(), 0n)
  }
}

/** What a compiled text is given. */
interface Environment {
  readonly memory: readonly HostArray[]
  readonly written: readonly (Uint8Array | null)[]
  readonly extents: readonly (readonly number[])[]
  readonly sizes: readonly number[]
  readonly scalars: readonly number[]
  readonly functions: readonly NumberOp[]
  readonly ops: Readonly<Record<'encode' | 'decode' | 'half' | 'i32' | 'u32', (x: number) => number>>
  readonly maxSteps: number
  readonly mostTurns: number
  readonly refuse: (array: number, values: readonly number[], site: number) => never
  readonly unset: (array: number, offset: number, site: number) => never
  readonly late: (site: number) => never
  readonly endless: (site: number) => never
}

interface Compiled extends ProgramText {
  readonly run: (environment: Environment) => void
}

const compiledOf = new WeakMap<Program, Map<string, Compiled | null>>()

/** The program as a function, made once for each kind of memory; null where no text may be compiled or says it. */
function functionOf(program: Program, kind: TextKind): Compiled | null {
  const known = compiledOf.get(program) ?? new Map<string, Compiled | null>()
  compiledOf.set(program, known)
  const key = JSON.stringify(kind)
  const found = known.get(key)
  if (found !== undefined) return found
  const text = textOf(program, kind)
  const run = text && compiledText(text.text)
  const made = text && run ? { ...text, run } : null
  known.set(key, made)
  return made
}

/** Null under a content policy that compiles no text. */
function compiledText(text: string): Compiled['run'] | null {
  try {
    // The text has numbers and names of its own alone; nothing of the program's stands in it.
    return new Function('env', text) as Compiled['run']
  } catch (e) {
    if (e instanceof EvalError) return null
    throw e
  }
}

/** What i32 and u32 hold. */
const lowestInt = -(2 ** 31),
  highestInt = 2 ** 31 - 1,
  highestUnsigned = 2 ** 32 - 1

/** The expression or statement at a site, as it is printed. */
function textAt({ expr, store }: FailureSite): string {
  if (store) return printStmt(store)
  return expr ? printExpr(expr) : ''
}

function neverEnds(at: Span | undefined): never {
  return fail(
    'interpret.endless',
    `this loop has not ended after ${mostTurns} iterations on the data that it was tried on`,
    at,
    'give it a bound, as in while (… && turn < 100)',
  )
}

function deepest(body: readonly LoopStmt[]): number {
  return body.reduce(
    (most, s) =>
      Math.max(
        most,
        s.kind === 'loop' ? 1 + deepest(s.body) : s.kind === 'if' ? Math.max(deepest(s.then), deepest(s.else)) : 0,
      ),
    0,
  )
}

/** The memory type that inputs of `type` have at `precision` (what callers allocate for results in float64). */
export const referenceType = (type: MemoryType): MemoryType => (isFloat(type) ? 'f64' : type)
