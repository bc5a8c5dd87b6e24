// In: a LoopIR program and the kinds of memory that it runs on. Out: a function that runs it, or undefined. The one
// idea (partial evaluation; Futamura 1971): the interpreter's closures written down as JavaScript text, which the
// engine compiles. It means what `interpret.ts` means, which stays the definition and is compared with it in the tests,
// and it is taken where text may be compiled and no integer has 64 bits. Names of the program never stand in the text.
import { InternalError, type Span } from '../../base/index.ts'
import { symbolsOf } from '../loop/build.ts'
import { affineOf, type Affine } from '../integers/affine.ts'
import { endOf, isEndless } from '../loop/early-exit.ts'
import type { ArrayDecl, Expr, Loop, LoopStmt, Program, Store } from '../loop/loop.ts'
import { isFloat, registerType, type ScalarType } from '../types.ts'

/** How the memory of an array is held. */
export interface Held {
  readonly isLocal: boolean
  /** f16 as raw bits. */
  readonly isCoded: boolean
  readonly rank: number
}

/** What the text is made for; one text serves all runs of this kind. */
export interface TextKind {
  readonly f64: boolean
  readonly moved: boolean
  /** Of parameters, in declared order; locals follow as they are declared. */
  readonly held: readonly Held[]
}

/** A place in the program that can fail, or what an operation is. */
export interface FailureSite {
  readonly expr?: Expr
  readonly store?: Store
  /** Of the store's register. */
  readonly type?: ScalarType
  readonly at: Span | undefined
}

export interface ProgramText {
  readonly text: string
  readonly sites: readonly FailureSite[]
  /** Positions of sites whose function stands in `env.functions`. */
  readonly called: readonly number[]
  /** Local arrays in the order of their numbers, after the parameters. */
  readonly locals: readonly ArrayDecl[]
}

/** Integers of 64 bits, which are no JavaScript numbers. */
export const isBig = (type: ScalarType): type is 'i64' | 'u64' => type === 'i64' || type === 'u64'

/** Characters of functions that engines still optimise as a whole. */
const longestText = 60_000

/** Thrown where the text cannot say what a program means. */
class Unsaid extends Error {}

/**
 * The text of a program, or undefined where only closures say what it means. Accesses stand where they are made:
 * engines put calls of small functions in place up to a limit, and beyond it every number that one gives is an object.
 * Where the text becomes too long by that, functions make the accesses.
 */
export const textOf = (program: Program, kind: TextKind): ProgramText | undefined =>
  textIn(program, kind, true) ?? textIn(program, kind, false)

function textIn(program: Program, kind: TextKind, isInline: boolean): ProgramText | undefined {
  try {
    return new Writer(program, kind, isInline).text()
  } catch (e) {
    if (e instanceof Unsaid) return undefined
    throw e
  }
}

interface Scope {
  readonly arrays: ReadonlyMap<string, number>
  readonly variables: ReadonlyMap<string, string>
}

class Writer {
  private readonly sites: FailureSite[] = []
  private readonly locals: ArrayDecl[] = []
  private readonly called: number[] = []
  private readonly types: ScalarType[]
  private readonly held: Held[]
  private variables = 0
  private temporaries = 0

  constructor(
    private readonly program: Program,
    private readonly kind: TextKind,
    private readonly isInline: boolean,
  ) {
    this.held = [...kind.held]
    this.types = program.arrays.map((a) => registerType(a.type))
    if (this.types.some(isBig)) throw new Unsaid()
  }

  text(): ProgramText {
    const arrays = new Map(this.program.arrays.map((a, i) => [a.name, i]))
    const body = this.block(this.program.body, { arrays, variables: new Map() })
    const head = [
      "'use strict'",
      'const { memory, written, extents, sizes, scalars, functions, ops, refuse, unset, late, endless } = env',
      'const { maxSteps, mostTurns } = env',
      'const { fround, imul } = Math',
      'let steps = 0',
      ...symbolsOf(this.program).map((_, i) => `const n${i} = sizes[${i}]`),
      ...this.program.scalars.map((_, i) => `const s${i} = scalars[${i}]`),
      ...this.called.map((i) => `const f${i} = functions[${i}]`),
      ...this.held.flatMap((h, i) => this.accessors(h, i)),
      ...Array.from({ length: this.temporaries }, (_, i) => `let t${i} = 0`),
    ]
    const text = [...head, body].join('\n')
    if (text.length > longestText) throw new Unsaid()
    return { text, sites: this.sites, called: this.called, locals: this.locals }
  }

  /** Memory of an array, its extents, and functions that give the place and the value of an element. */
  private accessors({ isLocal, rank }: Held, i: number): readonly string[] {
    const index = Array.from({ length: rank }, (_, d) => `i${d}`)
    return [
      `const a${i} = memory[${i}]`,
      ...(isLocal ? [`const w${i} = written[${i}]`] : []),
      ...index.map((_, d) => `const e${i}_${d} = extents[${i}][${d}]`),
      ...(this.isInline
        ? []
        : [
            `const o${i} = (${[...index, 'site'].join(', ')}) => ${this.checkedPlace(i, index, 'site')}`,
            `const l${i} = (o, site) => ${this.loaded(i, 'o', 'site')}`,
          ]),
    ]
  }

  /** The place of the element at an index, of names and numbers, that is in bounds. */
  private checkedPlace(array: number, index: readonly string[], site: string): string {
    if (index.length === 0) return '0'
    const inside = index.map((x, d) => `${x} >= 0 && ${x} < e${array}_${d}`).join(' && ')
    const place = index.reduce((sum, x, d) => (d === 0 ? x : `(${sum}) * e${array}_${d} + ${x}`), '0')
    return `${inside} ? ${place} : refuse(${array}, [${index.join(', ')}], ${site})`
  }

  /** The element at a place, which is a name or a number. */
  private loaded(array: number, place: string, site: string): string {
    const { isLocal, isCoded } = this.held[array]!,
      value = isCoded ? `ops.decode(a${array}[${place}])` : `a${array}[${place}]`
    return isLocal ? `w${array}[${place}] ? ${value} : unset(${array}, ${place}, ${site})` : value
  }

  /** A name for what an expression gives, and the assignment before it is used; names and numbers are their own. */
  private named(text: string): { readonly name: string; readonly before: string } {
    if (/^[\w.]+$/.test(text)) return { name: text, before: '' }
    const name = `t${this.temporaries++}`
    return { name, before: `${name} = ${text}, ` }
  }

  private site(s: FailureSite): number {
    return this.sites.push(s) - 1
  }

  /** A call of what a site computes. */
  private call(s: FailureSite, args: readonly string[]): string {
    const site = this.site(s)
    this.called.push(site)
    return `f${site}(${[...args, '0', '0'].slice(0, 3).join(', ')})`
  }

  // -------------------------------------------------------------------------------------------------- statements

  private block(body: readonly LoopStmt[], outer: Scope): string {
    let scope = outer
    const lines: string[] = []
    for (const s of body) {
      if (s.kind !== 'declare') {
        lines.push(this.statement(s, scope))
        continue
      }
      const type = registerType(s.array.type)
      if (isBig(type)) throw new Unsaid()
      const number = this.held.length
      const isCoded = s.array.type === 'f16' && !this.kind.f64
      this.held.push({ isLocal: true, isCoded, rank: s.array.shape.length })
      this.types.push(type)
      this.locals.push(s.array)
      scope = { ...scope, arrays: new Map(scope.arrays).set(s.array.name, number) }
      lines.push(s.array.shape.length === 0 ? `w${number}[0] = 0` : `w${number}.fill(0)`)
    }
    return lines.join('\n')
  }

  private statement(s: Exclude<LoopStmt, { kind: 'declare' }>, scope: Scope): string {
    switch (s.kind) {
      case 'loop':
        return this.loop(s, scope)
      case 'if': {
        const otherwise = s.else.length === 0 ? '' : ` else {\n${this.block(s.else, scope)}\n}`
        return `if (${this.number(s.condition, scope)}) {\n${this.block(s.then, scope)}\n}${otherwise}`
      }
      case 'store':
        return this.store(s, scope)
    }
  }

  private loop(s: Loop, scope: Scope): string {
    const v = `v${this.variables++}`
    const inner = { ...scope, variables: new Map(scope.variables).set(s.name, v) }
    const site = this.site({ at: s.at })
    const guard = s.body.length === 1 ? endOf(s) : undefined
    const [lower, upper] = [this.number(s.lower, scope), this.number(s.upper, scope)]
    const counted = `if (++steps > maxSteps) late(${site})`
    const longest = guard && isEndless(s) ? [`if (${v} - ${v}first > mostTurns) endless(${site})`] : []
    const ends = guard ? [`if (!(${this.number(guard.condition, inner)})) break`] : []
    const body = this.block(guard ? guard.then : s.body, inner)
    const first = longest.length > 0 ? `, ${v}first = ${v}` : ''
    return [
      `for (let ${v}end = ${upper}, ${v} = ${lower}${first}; ${v} < ${v}end; ${v} += ${s.step}) {`,
      counted,
      ...longest,
      ...ends,
      body,
      '}',
    ].join('\n')
  }

  private store(s: Store, scope: Scope): string {
    const array = this.arrayOf(s.array, scope)
    const { isLocal, isCoded } = this.held[array]!
    const type = this.types[array]!
    const site = this.site({ store: s, at: s.at })
    const value = this.number(s.value, scope)
    const place = this.place(array, s.index, scope, site)
    const put = (x: string): string => `a${array}[o] = ${isCoded ? `ops.encode(${x})` : x}`
    const mark = isLocal ? [`w${array}[o] = 1`] : []
    if (!s.reduce) return `{ const x = ${value}, o = ${place}; ${[put('x'), ...mark].join('; ')} }`
    const load = this.isInline ? `(${this.loaded(array, 'o', `${site}`)})` : `l${array}(o, ${site})`
    const isSum = s.reduce === 'add' && isFloat(type)
    const combined = isSum ? `${load} + x` : this.call({ store: s, type, at: s.at }, [load, 'x'])
    return `{ const x = ${value}, o = ${place}; ${put(this.rounded(combined, type))} }`
  }

  // ------------------------------------------------------------------------------------------------------ memory

  private arrayOf(name: string, scope: Scope): number {
    const array = scope.arrays.get(name)
    if (array === undefined) throw new Unsaid() // the definition says what is wrong
    return array
  }

  private place(array: number, index: readonly Expr[], scope: Scope, site: number): string {
    const subscripts = index.map((e) => this.subscript(e, scope))
    if (!this.isInline) return `o${array}(${[...subscripts, site].join(', ')})`
    const named = subscripts.map((text) => this.named(text)),
      names = named.map((n) => n.name)
    return `(${named.map((n) => n.before).join('')}${this.checkedPlace(array, names, `${site}`)})`
  }

  /** The element at a place. */
  private load(array: number, place: string, site: number): string {
    if (!this.isInline) return `l${array}(${place}, ${site})`
    if (!this.held[array]!.isLocal) return `(${this.loaded(array, place, `${site}`)})`
    const { name, before } = this.named(place)
    return `(${before}${this.loaded(array, name, `${site}`)})`
  }

  /** A subscript: sums of loop variables do not wrap. */
  private subscript(e: Expr, scope: Scope): string {
    return this.linear(e, scope) ?? this.number(e, scope)
  }

  /** `e` as a constant and at most two loop variables, as the definition has it. */
  private linear(e: Expr, scope: Scope): string | undefined {
    const form = affineOf(e)
    if (!form) return undefined
    const loops = [...form.terms.keys()].filter((name) => !name.startsWith('$'))
    if (loops.length > 2 || loops.some((name) => !scope.variables.has(name))) return undefined
    return this.sum(form, scope)
  }

  private sum(form: Affine, scope: Scope): string {
    const terms = [...form.terms].map(([name, factor]) => {
      const v = name.startsWith('$') ? this.sizeName(name.slice(1)) : scope.variables.get(name)! // asked before
      return factor === 1 ? v : `${factor} * ${v}`
    })
    const constant = form.constant !== 0 || terms.length === 0 ? [literalText(form.constant)] : []
    return `(${[...terms, ...constant].join(' + ')})`
  }

  private sizeName(name: string): string {
    const i = symbolsOf(this.program).findIndex((s) => s.name === name)
    if (i < 0) throw new Unsaid()
    return `n${i}`
  }

  // ------------------------------------------------------------------------------------------------- expressions

  private number(e: Expr, scope: Scope): string {
    if (isBig(e.type)) throw new Unsaid()
    const linear = e.kind === 'op' && e.type === 'i32' ? this.linear(e, scope) : undefined
    if (linear) return `(${linear} | 0)`
    switch (e.kind) {
      case 'const':
        return literalText(Number(e.value))
      case 'var': {
        const v = scope.variables.get(e.name)
        if (v === undefined) throw new Unsaid()
        return v
      }
      case 'size':
        return this.sizeName(e.name)
      case 'scalar': {
        const i = this.program.scalars.findIndex((s) => s.name === e.name)
        if (i < 0) throw new Unsaid()
        return `s${i}`
      }
      case 'read': {
        const array = this.arrayOf(e.array, scope)
        const site = this.site({ expr: e, at: e.at })
        return this.load(array, this.place(array, e.index, scope, site), site)
      }
      case 'choose': {
        const [condition, then] = [this.number(e.condition, scope), this.number(e.then, scope)]
        return `(${condition} ? ${then} : ${this.number(e.else, scope)})`
      }
      case 'op':
        return this.operation(e, scope)
    }
  }

  private operation(e: Extract<Expr, { kind: 'op' }>, scope: Scope): string {
    const from = e.args[0]!.type
    if (e.args.some((x) => isBig(x.type))) throw new Unsaid()
    const args = e.args.map((x) => this.number(x, scope))
    const [a = '', b = '', c = ''] = args
    switch (e.op) {
      case 'select': {
        const [then, other] = [this.named(b), this.named(c)] // both are computed
        return `(${then.before}${other.before}(${a}) ? ${then.name} : ${other.name})`
      }
      case 'fma':
        return this.rounded(`${this.rounded(`(${a}) * (${b})`, e.type)} + ${c}`, e.type)
      case 'bitcast':
        return this.call({ expr: e, at: undefined }, [a])
      case 'convert':
        return this.conversion(e, from, a)
    }
    // Sums and products are what every target promises.
    const isMoved = this.kind.moved && (from === 'f32' || from === 'f64') && !/^(?:add|sub|mul)$/.test(e.op)
    const plain = isMoved ? undefined : plainText(e.op, from, a, b)
    return this.rounded(plain ?? this.call({ expr: e, at: undefined }, args), e.type)
  }

  private conversion(e: Extract<Expr, { kind: 'op' }>, from: ScalarType, a: string): string {
    if (e.type === 'bool') return `+((${a}) !== 0)`
    if (isFloat(from) && (e.type === 'i32' || e.type === 'u32')) return `ops.${e.type}(${a})`
    return this.rounded(a, e.type)
  }

  /** `x` brought back to its type. */
  private rounded(x: string, type: ScalarType): string {
    switch (type) {
      case 'i32':
        return `((${x}) | 0)`
      case 'u32':
        return `((${x}) >>> 0)`
      case 'f32':
        return this.kind.f64 ? `(${x})` : `fround(${x})`
      case 'f16':
        return this.kind.f64 ? `(${x})` : `ops.half(${x})`
      case 'bool':
      case 'f64':
        return `(${x})`
      case 'i64':
      case 'u64':
        throw new InternalError('interpret', `${type} is no number type`)
    }
  }
}

const literalText = (value: number): string => (Object.is(value, -0) ? '(-0)' : value < 0 ? `(${value})` : `${value}`)

const infix: Readonly<Record<string, string>> = {
  eq: '===',
  ne: '!==',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
}

/** The operations that `numberOp` has as one operator, before rounding. */
function plainText(op: string, type: ScalarType, a: string, b: string): string | undefined {
  const comparison = infix[op]
  if (comparison && (type !== 'bool' || op === 'eq' || op === 'ne')) return `+((${a}) ${comparison} (${b}))`
  if (type === 'bool') return logicalText(op, a, b)
  if (op === 'add') return `(${a}) + (${b})`
  if (op === 'sub') return `(${a}) - (${b})`
  if (op === 'neg') return `-(${a})`
  if (op === 'mul') return isFloat(type) ? `(${a}) * (${b})` : `imul(${a}, ${b})`
  if (op === 'div' && isFloat(type)) return `(${a}) / (${b})`
  return undefined
}

function logicalText(op: string, a: string, b: string): string | undefined {
  switch (op) {
    case 'land':
      return `(${a}) & (${b})`
    case 'lor':
      return `(${a}) | (${b})`
    case 'lnot':
      return `(${a}) ^ 1`
    default:
      return undefined
  }
}
