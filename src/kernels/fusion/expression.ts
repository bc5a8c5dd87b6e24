// In: an expression as text, `max(a * x + b, 0)`. Out: a typed tree (`spelling.ts` prints it). The one idea: a small
// grammar of its own, so that nothing of the text reaches the shader but names, numbers and operators it knows.
// Conditions come from comparisons and go into `?:`, `&&`, `||`, `!`; where a number is needed they are 1 and 0.
import { refuse } from '../error.ts'

export type Tree =
  | { readonly kind: 'number'; readonly type: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly type: 'number'; readonly name: string }
  | { readonly kind: 'unary'; readonly type: 'number' | 'bool'; readonly op: '-' | '!'; readonly arg: Tree }
  /** 1 where a condition holds, else 0. */
  | { readonly kind: 'value'; readonly type: 'number'; readonly arg: Tree }
  | {
      readonly kind: 'binary'
      readonly type: 'number' | 'bool'
      readonly op: string
      readonly left: Tree
      readonly right: Tree
    }
  | {
      readonly kind: 'choose'
      readonly type: 'number'
      readonly condition: Tree
      readonly then: Tree
      readonly else: Tree
    }
  | { readonly kind: 'call'; readonly type: 'number'; readonly name: string; readonly args: readonly Tree[] }

/** Functions by the number of their arguments. */
const functions: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    (
      'abs ceil floor round sign sqrt trunc exp exp2 log log2 sin cos tan asin acos atan sinh cosh tanh ' +
      'sigmoid erf'
    )
      .split(' ')
      .map((name) => [name, 1]),
  ),
  min: 2,
  max: 2,
  pow: 2,
  atan2: 2,
  clamp: 3,
  fma: 3,
}

const levels: readonly (readonly string[])[] = ['||', '&&', '== !=', '< <= > >=', '+ -', '* / %'].map((ops) =>
  ops.split(' '),
)
/** The parser is recursive: deeper nesting would overflow the stack. */
const deepest = 200

/** What other languages spell otherwise. */
const meant: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ['^', 'powers are pow(x, y)'],
  ['.', 'functions stand alone: sqrt(x)'],
  ['=', "'==' compares"],
  ['and', "'&&'"],
  ['or', "'||'"],
  ['not', "'!'"],
  ['if', 'condition ? then : otherwise'],
])

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
  return parser.numeric(tree)
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
      return m[1]
        ? { text: m[1], at: column }
        : this.#wrong(`'${m[2]}' means nothing here`, column, meant.get(m[2] ?? ''))
    })
  }

  #wrong(what: string, at: number, hint?: string): never {
    return refuse('expression', `expression '${this.#text}', column ${at + 1}: ${what}`, hint)
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
    if (this.#token.text) this.#wrong(`'${this.#token.text}' is too much`, this.#token.at, meant.get(this.#token.text))
  }

  numeric(tree: Tree): Tree {
    return tree.type === 'number' ? tree : { kind: 'value', type: 'number', arg: tree }
  }

  #condition(tree: Tree, at: number): Tree {
    return tree.type === 'bool' ? tree : this.#wrong('a number stands where a condition is needed', at)
  }

  /** `a < b < c` is no question about three numbers. */
  #compared(tree: Tree, at: number): Tree {
    return tree.type === 'number' ? tree : this.#wrong("a condition is compared; join two of them by '&&'", at)
  }

  choice(depth: number): Tree {
    const { at } = this.#token
    if (depth > deepest) this.#wrong('it is nested too deeply', at)
    const condition = this.#binary(0, depth)
    if (!this.#take('?')) return condition
    const then = this.numeric(this.choice(depth + 1))
    this.#need(':')
    return {
      kind: 'choose',
      type: 'number',
      condition: this.#condition(condition, at),
      then,
      else: this.numeric(this.choice(depth + 1)),
    }
  }

  #binary(level: number, depth: number): Tree {
    const operators = levels[level]
    if (!operators) return this.#unary(depth)
    const { at } = this.#token
    let left = this.#binary(level + 1, depth)
    for (let op = this.#token; operators.includes(op.text); op = this.#token) {
      this.#at++
      const check = (t: Tree, where: number): Tree => {
        if (level < 2) return this.#condition(t, where)
        return level < 4 ? this.#compared(t, where) : this.numeric(t)
      }
      left = {
        kind: 'binary',
        type: level < 4 ? 'bool' : 'number',
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
    if (this.#take('+')) return this.numeric(this.#unary(depth + 1))
    if (this.#take('-')) return { kind: 'unary', type: 'number', op: '-', arg: this.numeric(this.#unary(depth + 1)) }
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
    return this.#wrong(
      text ? `'${text}' stands where a value is needed` : 'it ends where a value is needed',
      at,
      text === '*' ? meant.get('^') : undefined,
    )
  }

  #number(text: string, at: number): Tree {
    const value = Number(text)
    return Number.isFinite(Math.fround(value))
      ? { kind: 'number', type: 'number', value }
      : this.#wrong(`${text} is too large for f32`, at)
  }

  #name(name: string, at: number): Tree {
    if (!this.#names.includes(name))
      this.#wrong(
        `nothing is called '${name}'; there are ${this.#names.join(', ') || 'no names'}`,
        at,
        meant.get(name) ?? `give it as an operand: { ${name}: … }`,
      )
    this.#used.add(name)
    return { kind: 'name', type: 'number', name }
  }

  #call(name: string, at: number, depth: number): Tree {
    const arity =
      (Object.hasOwn(functions, name) ? functions[name] : undefined) ??
      this.#wrong(`there is no function '${name}'; there are ${Object.keys(functions).join(', ')}`, at, meant.get(name))
    this.#need('(')
    const args: Tree[] = []
    do args.push(this.numeric(this.choice(depth + 1)))
    while (this.#take(','))
    this.#need(')')
    if (args.length !== arity)
      this.#wrong(`${name} takes ${arity} ${arity === 1 ? 'argument' : 'arguments'}, not ${args.length}`, at)
    return { kind: 'call', type: 'number', name, args }
  }
}
