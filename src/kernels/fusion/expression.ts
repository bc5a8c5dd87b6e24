// In: an expression as text, `max(a * x + b, 0)`. Out: a typed tree, and its WGSL for elements or vectors of them. The
// one idea: a small grammar of its own, so that nothing of the text reaches the shader but names, numbers and operators
// it knows. Booleans come from comparisons and go into `?:`, `&&`, `||`, `!`.
import { refuse } from '../error.ts'

export type Tree =
  | { readonly kind: 'number'; readonly type: 'f32'; readonly value: number }
  | { readonly kind: 'name'; readonly type: 'f32'; readonly name: string }
  | { readonly kind: 'unary'; readonly type: 'f32' | 'bool'; readonly op: '-' | '!'; readonly arg: Tree }
  | {
      readonly kind: 'binary'
      readonly type: 'f32' | 'bool'
      readonly op: string
      readonly left: Tree
      readonly right: Tree
    }
  | {
      readonly kind: 'choose'
      readonly type: 'f32'
      readonly condition: Tree
      readonly then: Tree
      readonly else: Tree
    }
  | { readonly kind: 'call'; readonly type: 'f32'; readonly name: string; readonly args: readonly Tree[] }

/** Functions: arguments, and the spelling in WGSL. */
const functions: Readonly<Record<string, readonly [arity: number, spell: (...args: readonly string[]) => string]>> = {
  ...Object.fromEntries(
    'abs ceil floor round sign sqrt trunc exp exp2 log log2 sin cos tan asin acos atan sinh cosh'
      .split(' ')
      .map((name) => [name, [1, (x: string) => `${name}(${x})`]]),
  ),
  // Beyond ±10 it is ±1 in f32; some devices give NaN for large arguments.
  tanh: [1, (x) => `tanh(clamp(${x}, V(-10.0), V(10.0)))`],
  sigmoid: [1, (x) => `(V(1.0) / (V(1.0) + exp(-(${x}))))`],
  min: [2, (x, y) => `min(${x}, ${y})`],
  max: [2, (x, y) => `max(${x}, ${y})`],
  pow: [2, (x, y) => `P(${x}, ${y})`],
  atan2: [2, (x, y) => `atan2(${x}, ${y})`],
  clamp: [3, (x, low, high) => `clamp(${x}, ${low}, ${high})`],
  fma: [3, (x, y, z) => `fma(${x}, ${y}, ${z})`],
}

const levels: readonly (readonly string[])[] = ['||', '&&', '== !=', '< <= > >=', '+ -', '* / %'].map((ops) =>
  ops.split(' '),
)
const deepest = 200

interface Token {
  readonly text: string
  readonly at: number
}

/**
 * Parses `text`; `names` may occur in it, and those that do are added to `used`, the first first. Throws a
 * `TeselaError` with the column of what is wrong.
 */
export function parse(text: string, names: readonly string[], used = new Set<string>()): Tree {
  const parser = new Parser(text, names, used)
  const tree = parser.choice(0)
  parser.end()
  return parser.numeric(tree, 0)
}

class Parser {
  readonly #tokens: readonly Token[]
  readonly #text: string
  readonly #names: readonly string[]
  readonly #used: Set<string>
  #at = 0

  constructor(text: string, names: readonly string[], used: Set<string>) {
    this.#text = text
    this.#names = names
    this.#used = used
    this.#tokens = [
      ...text.matchAll(
        /\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|<=|>=|==|!=|&&|\|\||[-+*/%<>!?:(),])|(\S))/g,
      ),
    ].map((m) => {
      const column = (m.index ?? 0) + m[0].length - (m[1] ?? m[2] ?? '').length
      return m[1] ? { text: m[1], at: column } : this.#wrong(`'${m[2]}' means nothing here`, column)
    })
  }

  #wrong(what: string, at: number): never {
    return refuse('expression', `expression '${this.#text}', column ${at + 1}: ${what}`)
  }

  get #token(): Token {
    return this.#tokens[this.#at] ?? { text: '', at: this.#text.length }
  }

  #take(text: string): boolean {
    if (this.#token.text !== text) return false
    this.#at++
    return true
  }

  #need(text: string): void {
    if (!this.#take(text))
      this.#wrong(`'${text}' is missing${this.#token.text ? ` before '${this.#token.text}'` : ''}`, this.#token.at)
  }

  end(): void {
    if (this.#token.text) this.#wrong(`'${this.#token.text}' is too much`, this.#token.at)
  }

  numeric(tree: Tree, at: number): Tree {
    return tree.type === 'f32' ? tree : this.#wrong('a condition stands where a number is needed', at)
  }

  #condition(tree: Tree, at: number): Tree {
    return tree.type === 'bool' ? tree : this.#wrong('a number stands where a condition is needed', at)
  }

  choice(depth: number): Tree {
    const { at } = this.#token
    if (depth > deepest) this.#wrong('it is nested too deeply', at)
    const condition = this.#binary(0, depth)
    if (!this.#take('?')) return condition
    const then = this.numeric(this.choice(depth + 1), this.#token.at)
    this.#need(':')
    return {
      kind: 'choose',
      type: 'f32',
      condition: this.#condition(condition, at),
      then,
      else: this.numeric(this.choice(depth + 1), this.#token.at),
    }
  }

  #binary(level: number, depth: number): Tree {
    const operators = levels[level]
    if (!operators) return this.#unary(depth)
    const { at } = this.#token
    let left = this.#binary(level + 1, depth)
    for (let op = this.#token; operators.includes(op.text); op = this.#token) {
      this.#at++
      const logical = level < 2
      const check = (t: Tree, where: number): Tree => (logical ? this.#condition(t, where) : this.numeric(t, where))
      left = {
        kind: 'binary',
        type: level < 4 ? 'bool' : 'f32',
        op: op.text,
        left: check(left, at),
        right: check(this.#binary(level + 1, depth), op.at + op.text.length),
      }
    }
    return left
  }

  #unary(depth: number): Tree {
    const { at, text } = this.#token
    if (depth > deepest) this.#wrong('it is nested too deeply', at)
    if (this.#take('+')) return this.numeric(this.#unary(depth + 1), at)
    if (this.#take('-')) return { kind: 'unary', type: 'f32', op: '-', arg: this.numeric(this.#unary(depth + 1), at) }
    if (this.#take('!'))
      return { kind: 'unary', type: 'bool', op: '!', arg: this.#condition(this.#unary(depth + 1), at) }
    if (this.#take('(')) {
      const inner = this.choice(depth + 1)
      this.#need(')')
      return inner
    }
    this.#at++
    if (/^[\d.]/.test(text)) return this.#number(text, at)
    if (/^\w/.test(text)) return this.#token.text === '(' ? this.#call(text, at, depth) : this.#name(text, at)
    return this.#wrong(text ? `'${text}' stands where a value is needed` : 'it ends where a value is needed', at)
  }

  #number(text: string, at: number): Tree {
    const value = Math.fround(Number(text))
    return Number.isFinite(value)
      ? { kind: 'number', type: 'f32', value }
      : this.#wrong(`${text} is too large for f32`, at)
  }

  #name(name: string, at: number): Tree {
    if (!this.#names.includes(name))
      this.#wrong(`nothing is called '${name}'; there are ${this.#names.join(', ') || 'no names'}`, at)
    this.#used.add(name)
    return { kind: 'name', type: 'f32', name }
  }

  #call(name: string, at: number, depth: number): Tree {
    const f = Object.hasOwn(functions, name) ? functions[name] : undefined
    const [arity] =
      f ?? this.#wrong(`there is no function '${name}'; there are ${Object.keys(functions).join(', ')}`, at)
    this.#need('(')
    const args: Tree[] = []
    do args.push(this.numeric(this.choice(depth + 1), this.#token.at))
    while (this.#take(','))
    this.#need(')')
    if (args.length !== arity)
      this.#wrong(`${name} takes ${arity} ${arity === 1 ? 'argument' : 'arguments'}, not ${args.length}`, at)
    return { kind: 'call', type: 'f32', name, args }
  }
}

/** `P` of a text for values of a type (`u`: unsigned ones as wide): WGSL's `pow` is of positive numbers. */
export const power = (name: string, v: string, u: string): string =>
  `fn ${name}(x: ${v}, y: ${v}) -> ${v} {\n  let p = pow(abs(x), y);\n  return select(select(p, select(p * (1 ` +
  `- 2 * abs(y % 2)), bitcast<${v}>(bitcast<${u}>(y) | ${u}(0x7fc00000)), y != trunc(y)), x < ${v}()), ` +
  `${v}(1), y == ${v}());\n}\n`

/**
 * WGSL for `V`-typed values (`V` is an alias in the text around it, `P` a `power`); `nameOf` gives the text of a name.
 */
export function wgslOf(t: Tree, nameOf: (name: string) => string): string {
  const print = (x: Tree): string => wgslOf(x, nameOf)
  switch (t.kind) {
    case 'number':
      return `V(${t.value}f)`
    case 'name':
      return nameOf(t.name)
    case 'unary':
      return `${t.op}(${print(t.arg)})`
    case 'binary':
      return `(${print(t.left)} ${/[&|]/.test(t.op) ? t.op[0] : t.op} ${print(t.right)})`
    case 'choose':
      return `select(${print(t.else)}, ${print(t.then)}, ${print(t.condition)})`
    case 'call':
      return functions[t.name]![1](...t.args.map(print)) // parsed: it is there
  }
}
