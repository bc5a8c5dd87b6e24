// In: the tree and a target's spellings. Out: lines of text. The one idea: WGSL and C share the shape of statements and
// infix operators, so one printer does structure, names and parentheses, and a target only spells what differs.
// Parentheses follow the stricter of both grammars (WGSL does not mix shifts and bitwise operators with others).
import type { Builtin, OpName, ScalarType, SubgroupOp } from '../ir/index.ts'
import { isGroup, type Holder, type Line, type Value } from './tree.ts'

/** Text of an expression and how tightly it binds. */
export interface Text {
  readonly text: string
  readonly level: number
  /** The operator on top, where chains of the same one need no parentheses. */
  readonly infix?: string
}

/** Binding levels. */
export const levels = {
  primary: 100,
  unary: 90,
  product: 80,
  sum: 70,
  shift: 60,
  relation: 50,
  bits: 40,
  logic: 30,
  choice: 20,
} as const

export const primary = (text: string): Text => ({ text, level: levels.primary })
export const call = (name: string, ...args: readonly Text[]): Text => {
  const texts = args.map((a, i) => (i < args.length - 1 && a.level <= levels.relation ? `(${a.text})` : a.text))
  return primary(`${name}(${texts.join(', ')})`)
}

/** `t` in parentheses unless it binds at least as tightly as `level`. */
export const atLevel = (t: Text, level: number): string => (t.level >= level ? t.text : `(${t.text})`)

/** Infix operators by symbol: their own level, and what their operands must reach. */
const infixRows: Readonly<Record<string, readonly [own: number, left: number, right: number]>> = {
  '*': [80, 80, 90],
  '/': [80, 80, 90],
  '%': [80, 80, 90],
  '+': [70, 70, 80],
  '-': [70, 70, 80],
  '<<': [60, 90, 90],
  '>>': [60, 90, 90],
  '>>>': [60, 90, 90],
  '<': [50, 70, 70],
  '<=': [50, 70, 70],
  '>': [50, 70, 70],
  '>=': [50, 70, 70],
  '==': [50, 70, 70],
  '!=': [50, 70, 70],
  '&': [40, 90, 90],
  '|': [40, 90, 90],
  '^': [40, 90, 90],
  '&&': [30, 50, 50],
  '||': [30, 50, 50],
}

/** `a symbol b`. Chains of one of & | ^ && || on the left stay flat. */
export function infix(symbol: string, a: Text, b: Text): Text {
  const [own, left, right] = infixRows[symbol]!
  const flat = own <= levels.bits && a.infix === symbol
  return { text: `${flat ? a.text : atLevel(a, left)} ${symbol} ${atLevel(b, right)}`, level: own, infix: symbol }
}

export const prefix = (symbol: string, a: Text): Text => ({
  text: `${symbol}${a.level >= levels.primary && !a.text.startsWith('-') ? a.text : `(${a.text})`}`,
  level: levels.unary,
})

/** How a target spells one op on printed arguments. */
export type Spell = (args: readonly Text[], type: ScalarType, argType: ScalarType) => Text

/** What a target must say. */
export interface PrintTarget {
  readonly ops: Readonly<Record<OpName, Spell>>
  readonly subgroups: Readonly<
    Record<SubgroupOp, (args: readonly Value[], texts: readonly Text[], type: ScalarType, nested: boolean) => Text>
  >
  /** Names that no register may take: keywords, functions in use, resources. */
  readonly taken: ReadonlySet<string>
  literal(type: ScalarType, value: number | bigint): Text
  param(name: string, type: ScalarType): Text
  builtin(name: Builtin): Text
  load(printer: Printer, v: Extract<Value, { kind: 'load' }>): Text
  /** The arguments of an operation, printed, as its type asks for them; as they are when absent. */
  operands?(v: Extract<Value, { kind: 'op' | 'subgroup' }>, texts: readonly Text[]): readonly Text[]
  atomic(printer: Printer, v: Extract<Value, { kind: 'atomic' }>): Text
  store(printer: Printer, line: Extract<Line, { kind: 'store' }>): readonly string[]
  matrix(printer: Printer, line: Extract<Line, { kind: 'matrix' }>): readonly string[]
  barrier(line: Extract<Line, { kind: 'barrier' }>): readonly string[]
  declare(kind: 'let' | 'var', holder: Holder, name: string, value: string | null): string
  /** A declaration inside `for (…`, without the semicolon. */
  loopVariable(holder: Holder, name: string, value: string): string
  /** An endless loop around printed lines (already indented). */
  endless(body: readonly string[], continuing: readonly string[], continues: boolean): readonly string[]
}

const components = 'xyzw'

/** Names of an open scope, and where to go on numbering a hint: names in it stay taken to its end. */
interface NameScope {
  readonly names: Set<string>
  readonly tries: Map<string, number>
}

const newScope = (): NameScope => ({ names: new Set(), tries: new Map() })

/** Prints one kernel's body. */
export class Printer {
  private readonly target: PrintTarget
  private readonly names = new Map<Holder, string>()
  private readonly visible: NameScope[] = [newScope()]

  constructor(target: PrintTarget) {
    this.target = target
  }

  /** Lines at one level of indentation, in a scope of their own. */
  block(lines: readonly Line[]): string[] {
    this.visible.push(newScope())
    const text = lines.flatMap((line) => this.line(line)).map((l) => (l === '' ? l : `  ${l}`))
    this.visible.pop()
    return text
  }

  value(v: Value): Text {
    switch (v.kind) {
      case 'reg':
        return primary(this.nameOf(v.reg))
      case 'component':
        return primary(`${this.nameOf(v.group)}.${components[v.index]}`)
      case 'const':
        return this.target.literal(v.type, v.value)
      case 'param':
        return this.target.param(v.name, v.type)
      case 'builtin':
        return this.target.builtin(v.name)
      case 'op':
        return this.op(v)
      case 'load':
        return this.target.load(this, v)
      case 'atomic':
        return this.target.atomic(this, v)
      case 'subgroup':
        return this.target.subgroups[v.op](v.args, this.operands(v), v.type, v.nested)
    }
  }

  private operands(v: Extract<Value, { kind: 'op' | 'subgroup' }>): readonly Text[] {
    const texts = v.args.map((a) => this.value(a))
    return this.target.operands?.(v, texts) ?? texts
  }

  /** `x + -3` reads `x - 3`. */
  private op(v: Extract<Value, { kind: 'op' }>): Text {
    const [a, b] = v.args
    const negative =
      b?.kind === 'const' && typeof b.value === 'number' && b.value < 0 && b.type === 'i32' && b.value > -2147483648
    if (v.op === 'add' && a && negative && b.kind === 'const')
      return this.op({ ...v, op: 'sub', args: [a, { ...b, value: -Number(b.value) }] })
    return this.target.ops[v.op](this.operands(v), v.type, v.argType)
  }

  /** The name of a declared holder. */
  nameOf(holder: Holder): string {
    return this.names.get(holder) ?? this.declareName(holder)
  }

  /** A fresh name near `hint`, for a helper variable in the current scope. */
  fresh(hint: string): string {
    const base = this.target.taken.has(hint) || (this.isTaken(hint) && /\d$/.test(hint)) ? `${hint}_` : hint
    let name = base
    const { names, tries } = this.visible.at(-1)!, // one is always open
      from = Math.max(2, ...this.visible.map((scope) => scope.tries.get(base) ?? 2))
    for (let n = from; this.isTaken(name); n++) {
      name = `${base}${/[\d_]$/.test(base) ? '' : '_'}${n}`
      tries.set(base, n)
    }
    names.add(name)
    return name
  }

  private isTaken(name: string): boolean {
    return this.target.taken.has(name) || this.visible.some((scope) => scope.names.has(name))
  }

  private declareName(holder: Holder): string {
    const hint = holder.name.replace(/^_+/, '') || 'v'
    const name = this.fresh(hint)
    this.names.set(holder, name)
    return name
  }

  private line(line: Line): readonly string[] {
    const text = this.statement(line)
    return line.comment === undefined ? text : [...commentLines(line.comment), ...text]
  }

  private statement(line: Line): readonly string[] {
    switch (line.kind) {
      case 'let':
      case 'var': {
        const value = line.value && this.value(line.value).text
        return [this.target.declare(line.kind, line.holder, this.declareName(line.holder), value)]
      }
      case 'set':
        return [`${this.assignment(line.holder, line.value)};`]
      case 'do':
        return [`${this.value(line.value).text};`]
      case 'store':
        return this.target.store(this, line)
      case 'matrix':
        return this.target.matrix(this, line)
      case 'barrier':
        return this.target.barrier(line)
      case 'if':
        return this.branch(line)
      case 'for':
        return this.counted(line)
      case 'while':
        return [`while (${this.value(line.condition).text}) {`, ...this.block(line.body), '}']
      case 'loop':
        return this.endless(line)
      case 'break':
      case 'continue':
      case 'return':
        return [`${line.kind};`]
    }
  }

  private branch(line: Extract<Line, { kind: 'if' }>): readonly string[] {
    const head = [`if (${this.value(line.condition).text}) {`, ...this.block(line.then)]
    const [only] = line.else
    if (!only) return [...head, '}']
    if (line.else.length === 1 && only.kind === 'if' && only.comment === undefined) {
      const [first, ...rest] = this.branch(only)
      return [...head, `} else ${first}`, ...rest]
    }
    return [...head, '} else {', ...this.block(line.else), '}']
  }

  private counted(line: Extract<Line, { kind: 'for' }>): readonly string[] {
    this.visible.push(newScope())
    const start = line.init ? this.value(line.init.value).text : ''
    const init = line.init ? this.target.loopVariable(line.init.holder, this.declareName(line.init.holder), start) : ''
    const condition = line.condition ? ` ${this.value(line.condition).text}` : ''
    const head = `for (${init};${condition}; ${this.assignment(line.update.holder, line.update.value)}) {`
    const body = this.block(line.body)
    this.visible.pop()
    return [head, ...body, '}']
  }

  private endless(line: Extract<Line, { kind: 'loop' }>): readonly string[] {
    return this.target.endless(this.block(line.body), this.block(line.continuing), hasContinue(line.body))
  }

  /** `x = …`, or `x += …` and `x++` where the value starts from x itself. */
  private assignment(holder: Holder, value: Value): string {
    const name = this.nameOf(holder)
    const step = isGroup(holder) ? null : compound(holder, value)
    if (!step) return `${name} = ${this.value(value).text}`
    const isOne =
      step.by.kind === 'const' &&
      step.by.value === 1 &&
      (step.by.type === 'i32' || step.by.type === 'u32') &&
      (step.symbol === '+' || step.symbol === '-')
    return isOne ? `${name}${step.symbol}${step.symbol}` : `${name} ${step.symbol}= ${this.value(step.by).text}`
  }
}

const compoundSymbols: Partial<Record<OpName, string>> = { add: '+', sub: '-', mul: '*', and: '&', or: '|', xor: '^' }

function compound(holder: Holder, v: Value): { symbol: string; by: Value } | null {
  if (v.kind !== 'op' || v.type === 'f16') return null
  const symbol = compoundSymbols[v.op]
  const [a, b] = v.args
  if (!symbol || !a || !b) return null
  if (a.kind === 'reg' && a.reg === holder) return { symbol, by: b }
  return b.kind === 'reg' && b.reg === holder && v.op !== 'sub' ? { symbol, by: a } : null
}

/** Whether a `continue` in these lines belongs to the loop around them. */
function hasContinue(lines: readonly Line[]): boolean {
  return lines.some((l) => l.kind === 'continue' || (l.kind === 'if' && (hasContinue(l.then) || hasContinue(l.else))))
}

/** Comment lines of `text`: nothing in it can end the comment, not even a backslash before the line's end. */
export function commentLines(text: string): string[] {
  return text.split(/[\r\n\u000b\u000c\u0085\u2028\u2029]+/).map((l) =>
    `// ${l
      .replace(/\?\?\//g, '')
      .trimEnd()
      .replace(/\\+$/, '')}`.trimEnd(),
  )
}
