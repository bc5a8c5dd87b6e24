// In: operations on block indices and constants. Out: terms, numbers that one block has as a whole, equal terms once.
// The one idea: hash-consed expressions (value numbering), each with a function that computes it for a block. 32-bit
// terms wrap as registers do and are read as signed; 64-bit terms are exact while they fit a double and NaN beyond.
// It knows nothing of threads.
import { isWideInteger, evaluate, type Dim3, type OpName, type ScalarType, type ScalarValue } from '../../ir/index.ts'

/** A number that depends on the block alone. */
export interface BlockTerm {
  readonly id: number
  /** The value where no block index is in it. */
  readonly constant: number | null
  /** Bit 0, 1, 2: the block's index along x, y, z is in it. */
  readonly axes: number
  /** Its value in a block, signed; NaN where it is not known. */
  readonly at: (x: number, y: number, z: number) => number
  /** The same without constants added to it: what differences between blocks need. */
  readonly moving: BlockTerm
  /** Its values at 0 … count − 1 of its one axis; null where one is not known, or more than 32 bits hold. */
  readonly values: (count: number) => Int32Array | null
  /** The value is slope × index + offset, wrapped; null where it is of several axes, or no line is known. */
  readonly line: Line | null
  /** Terms of one axis each that add up to it, wrapped, but for a constant; null where none are known. */
  readonly parts: readonly BlockTerm[] | null
}

export interface Line {
  readonly slope: number
  readonly offset: number
}

/** What a 32-bit register holds, read as signed; a double while it is exact for 64 bits. NaN stays: it is not known. */
const settled = (value: number, wide: boolean): number => {
  if (!wide) return Number.isNaN(value) ? NaN : value | 0
  return Number.isSafeInteger(value) ? value : NaN
}

export class Terms {
  private readonly known = new Map<string, BlockTerm>()
  readonly zero: BlockTerm = this.constant(0)
  /** The grid, where a block's first index is its number and it has no others; null: blocks have three. */
  private readonly numbered: Dim3 | null
  /** What adds up to a block's number: its place in the row, and the blocks of the rows before. */
  private addends: { readonly x: BlockTerm; readonly rows: readonly BlockTerm[] } | undefined

  constructor(numbered: Dim3 | null = null) {
    this.numbered = numbered
  }

  constant(value: number): BlockTerm {
    return this.made(`c${value}`, () => ({ constant: value, axes: 0, at: () => value }))
  }

  /** The block's index along an axis. */
  block(axis: 0 | 1 | 2): BlockTerm {
    if (this.numbered) return this.indexOf(axis, this.numbered)
    const at: readonly BlockTerm['at'][] = [(x) => x, (_, y) => y, (_x, _y, z) => z]
    const line = { slope: 1, offset: 0 }
    return this.made(`b${axis}`, () => ({ constant: null, axes: 1 << axis, at: at[axis]!, line })) // one of three
  }

  /** An index of the block with a number. */
  private indexOf(axis: 0 | 1 | 2, [x, y, z]: Dim3): BlockTerm {
    const below = [1, x, x * y][axis]!, // one of three
      of = [x, y, z][axis]!,
      above = [y * z, z, 1][axis]!
    if (of === 1) return this.constant(0)
    const number = this.made('b', () => ({ constant: null, axes: 1, at: (n) => n, line: { slope: 1, offset: 0 } })),
      quotient = below === 1 ? number : this.quotient(number, below)
    if (above === 1) return quotient
    const word: Word = (q) => q % of
    return this.made(`b${axis}`, () => ({
      constant: null,
      axes: 1,
      at: (n) => word(quotient.at(n, 0, 0), 0, 0),
      list: (count) => listed(count, [quotient], word),
    }))
  }

  add(a: BlockTerm, b: BlockTerm, wide: boolean): BlockTerm {
    if (b.constant === 0) return a
    if (a.constant === 0) return b
    const constant = this.folded([a, b], ([x, y]) => settled(x! + y!, wide))
    if (constant) return constant
    const [left, right] = a.constant === null ? [a, b] : [b, a]
    const number = this.numbered && this.numberOf(left, right, this.numbered)
    if (number) return number
    return this.made(
      `+${wide} ${left.id} ${right.id}`,
      () => ({
        constant: null,
        axes: left.axes | right.axes,
        at: (x, y, z) => settled(left.at(x, y, z) + right.at(x, y, z), wide),
        line: lineOfSum(left, right),
        ...(!wide && { list: (n) => listedSum(n, left, right) }),
      }),
      right.constant === null ? undefined : left.moving,
      !wide && left.parts && right.parts ? [...left.parts, ...right.parts] : null,
    )
  }

  /** The block's number, where these add up to it. */
  private numberOf(a: BlockTerm, b: BlockTerm, [row, y, z]: Dim3): BlockTerm | null {
    if (y === 1 || z > 1) return null
    const { x, rows } = (this.addends ??= {
      x: this.block(0),
      rows: [false, true].map((wide) => this.scale(this.block(1), row, wide)),
    })
    const isNumber = (a === x && rows.includes(b)) || (b === x && rows.includes(a))
    return isNumber ? this.indexOf(0, [row * y, 1, 1]) : null
  }

  scale(a: BlockTerm, factor: number, wide: boolean): BlockTerm {
    if (factor === 1) return a
    const product = (x: number): number => (wide || Number.isNaN(x) ? settled(x * factor, wide) : Math.imul(x, factor))
    if (a.constant !== null) return this.constant(product(a.constant))
    return this.made(
      `*${wide} ${a.id} ${factor}`,
      () => ({
        constant: null,
        axes: a.axes,
        at: (x, y, z) => product(a.at(x, y, z)),
        line: a.line && exactLine(a.line.slope * factor, a.line.offset * factor),
        ...(!wide && { list: (n) => listedProduct(n, a, factor) }),
      }),
      undefined,
      wide || isOfOneAxis(a) ? null : (a.parts?.map((p) => this.scale(p, factor, wide)) ?? null),
    )
  }

  /** ⌊a ÷ by⌋ */
  quotient(a: BlockTerm, by: number): BlockTerm {
    if (a.constant !== null) return this.constant(Math.floor(a.constant / by))
    return this.made(`/ ${a.id} ${by}`, () => ({
      constant: null,
      axes: a.axes,
      at: (x, y, z) => Math.floor(a.at(x, y, z) / by),
      list: (n) => listedQuotient(n, a, by),
    }))
  }

  /** Any operation on integers or bools, as `ir` defines it. */
  op(op: OpName, from: ScalarType, to: ScalarType, args: readonly BlockTerm[]): BlockTerm {
    const areWords = isWord(from) && isWord(to),
      word = areWords ? onWords(op, from, to) : onWide(op, from, to)
    if (word === same) return args[0]! // each has one at least
    if (word) return this.byWord(`${op} ${from} ${to}`, word, args, areWords)
    const value = (values: readonly number[]): number => {
      if (values.some((v) => Number.isNaN(v))) return NaN
      const host = values.map((v, i) => hostValue(v, op === 'select' && i === 0 ? 'bool' : from))
      return settled(signedOf(evaluate(op, from, host, to)), isWideInteger(to))
    }
    return (
      this.folded(args, value) ??
      this.made(`${op} ${from} ${to} ${args.map((a) => a.id).join(' ')}`, () => ({
        constant: null,
        axes: args.reduce((all, a) => all | a.axes, 0),
        at: (x, y, z) => value(args.map((a) => a.at(x, y, z))),
      }))
    )
  }

  /** `areWords`: 32 bits hold what comes out. */
  private byWord(name: string, word: Word, args: readonly BlockTerm[], areWords: boolean): BlockTerm {
    const [a, b, c] = [args[0]!, args[1] ?? this.zero, args[2] ?? this.zero] // each op takes one at least
    return (
      this.folded(args, ([x, y, z]) => word(x!, y ?? 0, z ?? 0)) ?? // as many as the op takes
      this.made(`${name} ${args.map((t) => t.id).join(' ')}`, () => ({
        constant: null,
        axes: a.axes | b.axes | c.axes,
        at: (x, y, z) => {
          const p = a.at(x, y, z),
            q = b.at(x, y, z),
            r = c.at(x, y, z)
          return Number.isNaN(p + q + r) ? NaN : word(p, q, r)
        },
        ...(areWords && { list: (n) => listed(n, [a, b, c], word) }),
      }))
    )
  }

  private folded(args: readonly BlockTerm[], value: (values: readonly number[]) => number): BlockTerm | null {
    const constants = args.flatMap((a) => (a.constant === null ? [] : [a.constant]))
    return constants.length === args.length ? this.constant(value(constants)) : null
  }

  private made(
    key: string,
    make: () => Pick<BlockTerm, 'constant' | 'axes' | 'at'> & {
      readonly line?: Line | null
      readonly list?: BlockTerm['values']
    },
    moving?: BlockTerm,
    parts: readonly BlockTerm[] | null = null,
  ): BlockTerm {
    const known = this.known.get(key)
    if (known) return known
    const { constant, axes, at: computed, line = null, list } = make()
    const at = constant === null ? alongOneAxis(axes, computed) : computed
    const id = this.known.size
    let values: Int32Array | null | undefined
    const term: BlockTerm = {
      id,
      constant,
      axes,
      at,
      values: (count) => {
        if (values === undefined) values = list?.(count) ?? listedAt(count, computed)
        return values
      },
      line,
      get moving(): BlockTerm {
        return moving ?? term
      },
      get parts(): readonly BlockTerm[] | null {
        if (constant !== null) return []
        return isOfOneAxis(term) ? [term] : parts
      },
    }
    this.known.set(key, term)
    return term
  }
}

/** An operation whose results 32 bits hold on the values of terms, of one axis or constant, along it. */
function listed(count: number, of: readonly BlockTerm[], word: Word): Int32Array | null {
  const lists = of.map((t) => (t.constant === null ? t.values(count) : null))
  if (of.some((t, i) => t.constant === null && lists[i] === null)) return null
  const [a, b, c] = lists,
    [p, q, r] = of.map((t) => t.constant ?? 0)
  const out = new Int32Array(count)
  for (let n = 0; n < count; n++) out[n] = word(a ? a[n]! : p!, b ? b[n]! : (q ?? 0), c ? c[n]! : (r ?? 0))
  return out
}

// The commonest have loops of their own: a call for each of a million blocks takes several times as long.

/** `a` is of one axis, `b` too or constant. */
function listedSum(count: number, a: BlockTerm, b: BlockTerm): Int32Array | null {
  const x = a.values(count),
    y = b.constant === null ? b.values(count) : b.constant
  if (x === null || y === null || Number.isNaN(y)) return null
  const out = new Int32Array(count)
  if (typeof y === 'number') for (let n = 0; n < count; n++) out[n] = x[n]! + y
  else for (let n = 0; n < count; n++) out[n] = x[n]! + y[n]!
  return out
}

function listedProduct(count: number, a: BlockTerm, factor: number): Int32Array | null {
  const x = a.values(count)
  if (x === null) return null
  const out = new Int32Array(count)
  for (let n = 0; n < count; n++) out[n] = Math.imul(x[n]!, factor)
  return out
}

function listedQuotient(count: number, a: BlockTerm, by: number): Int32Array | null {
  const x = a.values(count)
  if (x === null) return null
  const out = new Int32Array(count)
  for (let n = 0; n < count; n++) out[n] = Math.floor(x[n]! / by)
  return out
}

function listedAt(count: number, at: BlockTerm['at']): Int32Array | null {
  const out = new Int32Array(count)
  for (let n = 0; n < count; n++) {
    const value = at(n, n, n) // of one axis
    if (!(Math.abs(value) < 2 ** 31)) return null // NaN neither
    out[n] = value
  }
  return out
}

const exactLine = (slope: number, offset: number): Line | null =>
  Number.isSafeInteger(slope) && Number.isSafeInteger(offset) ? { slope, offset } : null

function lineOfSum(a: BlockTerm, b: BlockTerm): Line | null {
  const [p, q] = [a, b].map((t) => (t.constant === null ? t.line : { slope: 0, offset: t.constant }))
  return p && q && isOfOneAxis({ axes: a.axes | b.axes }) ? exactLine(p.slope + q.slope, p.offset + q.offset) : null
}

const isOfOneAxis = ({ axes }: Pick<BlockTerm, 'axes'>): boolean => axes === 1 || axes === 2 || axes === 4

/**
 * `at`, asked once for each index of the axis when it depends on one: all blocks of a large grid ask, and along one
 * axis indices are few.
 */
function alongOneAxis(axes: number, at: BlockTerm['at']): BlockTerm['at'] {
  const answers = new Answers(at)
  // one function for each axis: all blocks are asked, and a list of their places would be made for each question
  switch (axes) {
    case 1:
      return (x, y, z) => answers.of(x, x, y, z)
    case 2:
      return (x, y, z) => answers.of(y, x, y, z)
    case 4:
      return (x, y, z) => answers.of(z, x, y, z)
  }
  return ofLastBlock(at)
}

/** Numbers by index. The first that is asked is in the middle of a grid, where a list becomes a table of hashes. */
class Answers {
  private values = new Float64Array(0)
  private known = new Uint8Array(0)
  private readonly at: BlockTerm['at']

  constructor(at: BlockTerm['at']) {
    this.at = at
  }

  of(index: number, x: number, y: number, z: number): number {
    if (index >= this.known.length) this.grow(index)
    if (this.known[index] === 0) {
      this.values[index] = this.at(x, y, z)
      this.known[index] = 1
    }
    return this.values[index]! // it is there
  }

  private grow(index: number): void {
    const size = 2 ** Math.ceil(Math.log2(index + 2)),
      values = new Float64Array(size),
      known = new Uint8Array(size)
    values.set(this.values)
    known.set(this.known)
    this.values = values
    this.known = known
  }
}

/** `at`, computed once where it is asked several times of one block: digits of an index have much in common. */
function ofLastBlock(at: BlockTerm['at']): BlockTerm['at'] {
  let i = -1,
    j = -1,
    k = -1,
    value = 0
  return (x, y, z) => {
    if (x !== i || y !== j || z !== k) {
      value = at(x, y, z)
      i = x
      j = y
      k = z
    }
    return value
  }
}

/** An operation on what 32-bit registers hold, each read as signed. */
type Word = (a: number, b: number, c: number) => number

/** What leaves a word as it is, read as signed. */
const same: Word = (a) => a

const isWord = (type: ScalarType): boolean => type === 'i32' || type === 'u32' || type === 'bool'

const flag = (x: boolean): number => (x ? 1 : 0)

/** What `evaluate` says of 64-bit integers that doubles hold, and of integers that become wider or narrower. */
export function onWide(op: OpName, from: ScalarType, to: ScalarType): Word | undefined {
  const isInteger = (type: ScalarType): boolean => isWideInteger(type) || type === 'i32' || type === 'u32'
  if (!isInteger(from) || !isInteger(to)) return undefined
  const isWide = isWideInteger(from) && isWideInteger(to)
  if ((op === 'bitcast' || op === 'copy') && isWide) return (a) => a
  if (op === 'add' && isWide) return (a, b) => settled(a + b, true)
  if (op === 'sub' && isWide) return (a, b) => settled(a - b, true)
  if (op === 'mul' && isWide) return (a, b) => settled(a * b + 0, true) // not −0
  if (op !== 'convert') return undefined
  if (!isWideInteger(to)) return (a) => a | 0
  return from === 'u32' ? (a) => a >>> 0 : (a) => a
}

/**
 * What `evaluate` says of 32-bit integers and bools, without its unbounded integers: a grid has millions of blocks, and
 * each is asked. A test compares both.
 */
export function onWords(op: OpName, type: ScalarType, to: ScalarType): Word | undefined {
  const unsigned = type === 'u32'
  switch (op) {
    case 'eq':
      return (a, b) => flag(a === b)
    case 'ne':
      return (a, b) => flag(a !== b)
    case 'lt':
      return unsigned ? (a, b) => flag(a >>> 0 < b >>> 0) : (a, b) => flag(a < b)
    case 'le':
      return unsigned ? (a, b) => flag(a >>> 0 <= b >>> 0) : (a, b) => flag(a <= b)
    case 'gt':
      return unsigned ? (a, b) => flag(a >>> 0 > b >>> 0) : (a, b) => flag(a > b)
    case 'ge':
      return unsigned ? (a, b) => flag(a >>> 0 >= b >>> 0) : (a, b) => flag(a >= b)
    case 'land':
      return (a, b) => flag(a === 1 && b === 1)
    case 'lor':
      return (a, b) => flag(a === 1 || b === 1)
    case 'lnot':
      return (a) => flag(a !== 1)
    case 'select':
      return (a, b, c) => (a === 1 ? b : c)
    case 'bitcast':
      return type === 'bool' ? undefined : same
    case 'copy':
      return same
    case 'convert':
      return to === 'bool' ? (a) => flag(a !== 0) : same
  }
  if (type === 'bool') return undefined
  switch (op) {
    case 'add':
      return (a, b) => (a + b) | 0
    case 'sub':
      return (a, b) => (a - b) | 0
    case 'mul':
      return Math.imul
    case 'div':
      if (unsigned) return (a, b) => (b === 0 ? a : Math.floor((a >>> 0) / (b >>> 0)) | 0)
      return (a, b) => (b === 0 ? a : Math.trunc(a / b) | 0)
    case 'rem':
      if (unsigned) return (a, b) => (b === 0 ? 0 : ((a >>> 0) % (b >>> 0)) | 0)
      return (a, b) => (b === 0 ? 0 : (a % b) | 0)
    case 'neg':
      return (a) => -a | 0
    case 'min':
      return unsigned ? (a, b) => Math.min(a >>> 0, b >>> 0) | 0 : Math.min
    case 'max':
      return unsigned ? (a, b) => Math.max(a >>> 0, b >>> 0) | 0 : Math.max
    case 'and':
      return (a, b) => a & b
    case 'or':
      return (a, b) => a | b
    case 'xor':
      return (a, b) => a ^ b
    case 'not':
      return (a) => ~a
    case 'shl':
      return (a, b) => a << b
    case 'shr':
      return unsigned ? (a, b) => (a >>> b) | 0 : (a, b) => a >> b
  }
  return undefined
}

/** A signed number as `evaluate` takes it. */
function hostValue(value: number, type: ScalarType): ScalarValue {
  switch (type) {
    case 'i64':
      return BigInt(value)
    case 'u64':
      return BigInt.asUintN(64, BigInt(value))
    case 'u32':
      return value >>> 0
    case 'bool':
    case 'i32':
    case 'f16':
    case 'f32':
    case 'f64':
      return value
  }
}

const signedOf = (value: ScalarValue): number => (typeof value === 'bigint' ? Number(BigInt.asIntN(64, value)) : value)
