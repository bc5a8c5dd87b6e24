// Values of expressions in the host code of a CUDA program, as far as its text says them. In: an expression, names with
// their values or texts. Out: a number, or null. The one idea: integers divide as C's do and everything else is a
// double; whatever the text does not say (arguments of the program, results of calls) makes the value unknown.
import { binaryLevels } from '../../base/index.ts'

export interface HostNumber {
  readonly n: number
  /** Divides as a floating-point number does. */
  readonly real: boolean
}

/** A value as host code writes it. */
export const hostLiteral = ({ n, real }: HostNumber): string => (real && Number.isInteger(n) ? `${n}.0` : String(n))

export type Lookup = (name: string) => HostNumber | null
/** The arguments of a call and what it gives. */
export type Call = (name: string, args: readonly (HostNumber | null)[]) => HostNumber | null

const numeralPattern = /0[xX][\da-fA-F]+[uUlL]*|(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?[fFuUlL]*/
const namePattern = /[A-Za-z_]\w*(?:\s*(?:::|\.|->)\s*[A-Za-z_]\w*)*/
const signPattern = /<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%()[\]<>?:,&|^~!]/
const tokenPattern = new RegExp(`\\s*(${numeralPattern.source}|${namePattern.source}|${signPattern.source})`, 'y')

export const bytesOfCudaType: Readonly<Record<string, number>> = {
  char: 1,
  bool: 1,
  short: 2,
  half: 2,
  __half: 2,
  int: 4,
  unsigned: 4,
  uint: 4,
  float: 4,
  float2: 8,
  int2: 8,
  uint2: 8,
  double: 8,
  size_t: 8,
  long: 8,
  int4: 16,
  uint4: 16,
  float4: 16,
  double2: 16,
  int8_t: 1,
  uint8_t: 1,
  int16_t: 2,
  uint16_t: 2,
  int32_t: 4,
  uint32_t: 4,
  int64_t: 8,
  uint64_t: 8,
}
const realTypes: ReadonlySet<string> = new Set(['float', 'double'])
const typeWord = /^(?:const|unsigned|signed|long|short|int|char|bool|float|double|size_t|uint|u?int\d+_t|auto)$/

export function hostNumber(text: string, lookup: Lookup, call: Call): HostNumber | null {
  const tokens = tokensOf(text)
  return tokens === null ? null : new Evaluator(tokens, lookup, call).whole()
}

function tokensOf(text: string): readonly string[] | null {
  const tokens: string[] = []
  const source = text.trim()
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < source.length) {
    const found = tokenPattern.exec(source)
    if (!found) return null
    tokens.push(found[1]!.replace(/\s+/g, '').replaceAll('->', '.'))
  }
  return tokens
}

class Evaluator {
  private readonly tokens: readonly string[]
  private readonly lookup: Lookup
  private readonly call: Call
  private at = 0
  private failed = false

  constructor(tokens: readonly string[], lookup: Lookup, call: Call) {
    this.tokens = tokens
    this.lookup = lookup
    this.call = call
  }

  whole(): HostNumber | null {
    const value = this.choice()
    return this.failed || this.at < this.tokens.length ? null : value
  }

  private take(token: string): boolean {
    if (this.tokens[this.at] !== token) return false
    this.at++
    return true
  }

  private choice(): HostNumber | null {
    const condition = this.binary(0)
    if (!this.take('?')) return condition
    const then = this.choice()
    if (!this.take(':')) this.failed = true
    const other = this.choice()
    if (condition === null) return null
    return condition.n !== 0 ? then : other
  }

  private binary(level: number): HostNumber | null {
    const operators = binaryLevels[level]
    if (!operators) return this.unary()
    let left = this.binary(level + 1)
    for (;;) {
      const operator = this.tokens[this.at]
      if (operator === undefined || !operators.includes(operator)) return left
      this.at++
      const right = this.binary(level + 1)
      left = left === null || right === null ? null : combined(operator, left, right)
    }
  }

  private unary(): HostNumber | null {
    const operator = ['-', '+', '!', '~'].find((o) => this.take(o))
    if (operator !== undefined) {
      const of = this.unary()
      return of === null ? null : negated(operator, of)
    }
    return this.primary()
  }

  private primary(): HostNumber | null {
    const token = this.tokens[this.at++]
    if (token === undefined) return this.fail()
    if (token === '(') return this.inBrackets()
    if (/^[\d.]/.test(token)) return numeral(token)
    if (!/^[A-Za-z_]/.test(token)) return this.fail()
    if (token === 'sizeof') return this.size()
    if (token === 'static_cast' && this.take('<')) return this.cast('>')
    this.typeArguments()
    if (this.take('(')) return this.called(token)
    if (this.take('[')) return this.element(token)
    return this.lookup(token)
  }

  /** The types of `min<int>(a, b)`, which is what `min(a, b)` is here. */
  private typeArguments(): void {
    const close = this.tokens.indexOf('>', this.at)
    const isCall = this.tokens[this.at] === '<' && close > 0 && this.tokens[close + 1] === '('
    if (isCall && this.tokens.slice(this.at + 1, close).every((t) => typeWord.test(t))) this.at = close + 1
  }

  /** An element of an array, which is asked for as `name[3]`. */
  private element(name: string): HostNumber | null {
    const at = this.choice()
    if (!this.take(']')) return this.fail()
    return at === null ? null : this.lookup(`${name}[${at.n}]`)
  }

  private fail(): null {
    this.failed = true
    return null
  }

  /** `(type)value` or `(value)`. */
  private inBrackets(): HostNumber | null {
    if (typeWord.test(this.tokens[this.at] ?? '')) return this.cast(')')
    const value = this.choice()
    return this.take(')') ? value : this.fail()
  }

  private cast(close: string): HostNumber | null {
    const words: string[] = []
    while (this.at < this.tokens.length && this.tokens[this.at] !== close) words.push(this.tokens[this.at++]!)
    this.at++
    const value = this.unary()
    if (value === null) return null
    return words.some((w) => realTypes.has(w)) ? { n: value.n, real: true } : { n: Math.trunc(value.n), real: false }
  }

  private size(): HostNumber | null {
    if (!this.take('(')) return this.fail()
    const words: string[] = []
    while (this.at < this.tokens.length && this.tokens[this.at] !== ')') words.push(this.tokens[this.at++]!)
    this.at++
    const isPointer = words.includes('*')
    const [name] = words.filter((w) => w !== 'const' && w !== 'unsigned' && w !== 'signed')
    const bytes = isPointer ? 8 : bytesOfCudaType[name ?? 'unsigned']
    if (bytes !== undefined) return { n: bytes, real: false }
    return words.length === 1 ? this.lookup(`sizeof ${words[0]!}`) : null
  }

  private called(name: string): HostNumber | null {
    const args: (HostNumber | null)[] = []
    if (!this.take(')'))
      do args.push(this.choice())
      while (this.take(','))
    else return this.call(name, args)
    return this.take(')') ? (functions(name, args) ?? this.call(name, args)) : this.fail()
  }
}

function numeral(token: string): HostNumber {
  const isHex = /^0[xX]/.test(token)
  const digits = isHex ? token.replace(/[uUlL]+$/, '') : token.replace(/[fFuUlL]+$/, '')
  return { n: Number(digits), real: !isHex && /[.eE]|[fF]$/.test(token) }
}

const integer = (n: number): HostNumber => ({ n, real: false })

function negated(operator: string, { n, real }: HostNumber): HostNumber {
  if (operator === '-') return { n: -n, real }
  if (operator === '!') return integer(n === 0 ? 1 : 0)
  return operator === '~' ? integer(-n - 1) : { n, real }
}

function combined(operator: string, a: HostNumber, b: HostNumber): HostNumber | null {
  const real = a.real || b.real
  const truth = (x: boolean): HostNumber => integer(x ? 1 : 0)
  switch (operator) {
    case '+':
      return { n: a.n + b.n, real }
    case '-':
      return { n: a.n - b.n, real }
    case '*':
      return { n: a.n * b.n, real }
    case '/':
      return b.n === 0 ? null : { n: real ? a.n / b.n : Math.trunc(a.n / b.n), real }
    case '%':
      return b.n === 0 ? null : integer(a.n % b.n)
    case '<<':
      return integer(a.n * 2 ** b.n)
    case '>>':
      return integer(Math.floor(a.n / 2 ** b.n))
    case '<':
      return truth(a.n < b.n)
    case '>':
      return truth(a.n > b.n)
    case '<=':
      return truth(a.n <= b.n)
    case '>=':
      return truth(a.n >= b.n)
    case '==':
      return truth(a.n === b.n)
    case '!=':
      return truth(a.n !== b.n)
    case '&&':
      return truth(a.n !== 0 && b.n !== 0)
    case '||':
      return truth(a.n !== 0 || b.n !== 0)
    default:
      return integer(Number(bits(operator, BigInt(Math.trunc(a.n)), BigInt(Math.trunc(b.n)))))
  }
}

const bits = (operator: string, a: bigint, b: bigint): bigint => {
  if (operator === '&') return a & b
  return operator === '|' ? a | b : a ^ b
}

/** Functions that host code computes sizes with. */
function functions(name: string, args: readonly (HostNumber | null)[]): HostNumber | null {
  const [a, b] = args
  if (!a) return null
  const plain = name.replace(/^std::/, '')
  if (/^ceilf?$/.test(plain)) return { n: Math.ceil(a.n), real: true }
  if (/^floorf?$/.test(plain)) return { n: Math.floor(a.n), real: true }
  if (/^sqrtf?$/.test(plain)) return { n: Math.sqrt(a.n), real: true }
  if (/^log2f?$/.test(plain)) return { n: Math.log2(a.n), real: true }
  if (!b) return null
  if (/^f?minf?$/.test(plain)) return a.n <= b.n ? a : b
  if (/^f?maxf?$/.test(plain)) return a.n >= b.n ? a : b
  return /^powf?$/.test(plain) ? { n: a.n ** b.n, real: true } : null
}
