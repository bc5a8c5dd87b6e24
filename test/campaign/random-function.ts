// In: a seed. Out: a random C function in the part of C that Tesela reads, and five calls of it. The one idea
// (Csmith's): a program is safe by construction. Ranges of integers are carried along, so that nothing overflows;
// subscripts are made from what loops run over; numbers are known to be exact in f32 or marked as rounded, and what is
// rounded decides nothing. What slips through, gcc's sanitizers find. It does not print or run anything.
import { random, type Random } from '../../src/base/index.ts'

export type ElementType = 'i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'u32' | 'f32'

/** A parameter of the function, in the order of its declaration. */
export type Parameter =
  | { readonly kind: 'integer'; readonly name: string; readonly type: 'i32' | 'u32' }
  | { readonly kind: 'number'; readonly name: string }
  | {
      readonly kind: 'array'
      readonly name: string
      readonly type: ElementType
      readonly isWritten: boolean
      /** Whether results may differ by rounding; else they are equal to the bit. */
      readonly isRounded: boolean
    }

/** One call: values of integers and numbers, contents of arrays before it. */
export interface Call {
  readonly values: Readonly<Record<string, number>>
  readonly arrays: Readonly<Record<string, readonly number[]>>
}

export interface RandomFunction {
  readonly seed: number
  readonly name: string
  /** The whole file. */
  readonly text: string
  readonly parameters: readonly Parameter[]
  /** What it returns; `undefined`: nothing. */
  readonly result: { readonly type: ElementType; readonly isRounded: boolean } | undefined
  readonly calls: readonly Call[]
}

/** An expression of C and what is known of its value. */
interface Value {
  readonly text: string
  readonly type: 'i32' | 'u32' | 'f32'
  readonly low: number
  readonly high: number
  /** A multiple of 2^-`fraction`; meant for numbers only. */
  readonly fraction: number
  /** Whether targets may round it differently. */
  readonly isRounded: boolean
  /**
   * Whether it comes from an array that the function writes: functions that are not linear in it would make a chaotic
   * sequence, whose results no two roundings share.
   */
  readonly isFedBack?: true
}

/** A number of elements: a size and a constant, or a constant alone. */
interface Extent {
  readonly size: 'n' | 'm' | undefined
  readonly plus: number
}

interface ArrayOf {
  readonly name: string
  readonly type: ElementType
  readonly extents: readonly Extent[]
  /** An offset of the caller's added to every subscript and to the length. */
  readonly offset: string | undefined
  readonly isWritten: boolean
  /** Values that it holds before the call. */
  readonly low: number
  readonly high: number
  readonly step: number
  isRounded: boolean
}

interface LoopVariable {
  readonly name: string
  /** First value that it does not take. */
  readonly below: Extent
  readonly type: CounterType
}

type CounterType = 'int' | 'unsigned' | 'size_t' | 'long'

/** Functions of these seeds and later ones have counters that are no int; those before stay what they were. */
const firstTyped = 10_000_000

/** Sizes of calls are at most this. */
const largestSize = 70
/** f32 holds integers exactly up to here. */
const exactIntegers = 2 ** 24
const lowestInt = -(2 ** 31)
const highestInt = 2 ** 31 - 1
const highestUnsigned = 2 ** 32 - 1

const ranges: Readonly<Record<ElementType, readonly [number, number]>> = {
  i8: [-128, 127],
  u8: [0, 255],
  i16: [-32768, 32767],
  u16: [0, 65535],
  i32: [-1000, 1000],
  u32: [0, 2000],
  f32: [-8, 8],
}

const spellings: Readonly<Record<ElementType, readonly string[]>> = {
  i8: ['signed char', 'int8_t'],
  u8: ['unsigned char', 'uint8_t'],
  i16: ['short', 'int16_t'],
  u16: ['unsigned short', 'uint16_t'],
  i32: ['int', 'int32_t'],
  u32: ['unsigned', 'uint32_t', 'unsigned int'],
  f32: ['float'],
}

/** The function of `seed`, any whole number. */
export const randomFunction = (seed: number): RandomFunction => new Writer(seed).write()

class Writer {
  private readonly r: Random
  private readonly arrays: ArrayOf[] = []
  private readonly integers: { readonly name: string; readonly type: 'i32' | 'u32'; readonly values: number[] }[] = []
  private readonly numbers: string[] = []
  private readonly lines: string[] = []
  private readonly locals: Value[] = []
  private loops: LoopVariable[] = []
  private names = 0
  private depth = 1

  constructor(private readonly seed: number) {
    this.r = random(seed * 2654435761 + 17)
  }

  write(): RandomFunction {
    this.declareParameters()
    this.earlyReturn()
    for (let n = this.r.int(1, 3); n > 0; n--) this.piece()
    const result = this.chance(0.12) ? this.returned() : undefined
    const parameters = this.parameterList()
    const type = result ? (result.type === 'f32' ? 'float' : result.type === 'u32' ? 'unsigned' : 'int') : 'void'
    const list = this.shuffled(parameters).map((p) => ({ p, text: this.declarationOf(p) }))
    const text = [
      '#include <math.h>',
      '#include <stdint.h>',
      '#include <stdlib.h>',
      '#define MIN(a, b) ((a) < (b) ? (a) : (b))',
      '#define MAX(a, b) ((a) > (b) ? (a) : (b))',
      '#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))',
      '#define LERP(a, b, t) ((a) + ((b) - (a)) * (t))',
      'static inline int half_of(int x) { return x / 2; }',
      'static float twice(float x) { return x + x; }',
      'static int pick(int flag, int a, int b) { if (flag) return a; return b; }',
      '',
      `${type} f(${list.map((x) => x.text).join(', ')}) {`,
      ...this.lines.map((l) => l.replace('return RETURNED;', result ? 'return 0;' : 'return;')),
      ...(result ? [`  return ${result.text};`] : []),
      '}',
      '',
    ].join('\n')
    return {
      seed: this.seed,
      name: 'f',
      text,
      parameters: list.map((x) => x.p),
      result: result && { type: result.type, isRounded: result.isRounded },
      calls: Array.from({ length: 5 }, (_, i) => this.call(i)),
    }
  }

  // ------------------------------------------------------------------------------------------------- the interface

  private declareParameters(): void {
    this.integers.push({ name: 'n', type: 'i32', values: [] })
    if (this.chance(0.55)) this.integers.push({ name: 'm', type: 'i32', values: [] })
    if (this.chance(0.3)) this.integers.push({ name: 'flag', type: 'i32', values: [0, 1, 1, -1, 2] })
    if (this.chance(0.2)) this.integers.push({ name: 'mode', type: 'i32', values: [1, 0, 3, 2, -5] })
    if (this.chance(0.25)) this.integers.push({ name: 'off', type: 'i32', values: [0, 1, 5, 2, 7] })
    if (this.chance(0.25)) this.integers.push({ name: 'c', type: 'i32', values: [-3, 0, 1, 17, -100] })
    if (this.chance(0.15))
      this.integers.push({ name: 'seed', type: 'u32', values: [0, 1, 4294967295, 12345, 2147483648] })
    if (this.chance(0.3)) this.numbers.push('alpha')
    const types: readonly ElementType[] = ['f32', 'f32', 'f32', 'f32', 'i32', 'i32', 'u8', 'i8', 'u32', 'i16', 'u16']
    for (let n = this.r.int(1, 3); n > 0; n--) this.newArray(`x${n}`, this.pick(types), false)
    for (let n = this.r.int(1, 2); n > 0; n--) this.newArray(`y${n}`, this.pick(types), true)
  }

  private newArray(name: string, type: ElementType, isWritten: boolean): void {
    const rank = this.has('m') && this.chance(0.45) ? 2 : 1
    const plus = this.chance(0.2) ? this.r.int(1, 3) : 0
    const extents: Extent[] = [{ size: 'n', plus }]
    if (rank === 2) extents.push({ size: 'm', plus: 0 })
    else if (this.chance(0.15)) extents.push({ size: undefined, plus: this.r.int(2, 5) })
    const [low, high] = ranges[type]
    const step = type === 'f32' && this.chance(0.5) ? 0.5 : 1
    const offset = this.has('off') && this.chance(0.5) ? 'off' : undefined
    this.arrays.push({ name, type, extents, offset, isWritten, low, high, step, isRounded: false })
  }

  private parameterList(): readonly Parameter[] {
    return [
      ...this.integers.map((x): Parameter => ({ kind: 'integer', name: x.name, type: x.type })),
      ...this.numbers.map((name): Parameter => ({ kind: 'number', name })),
      ...this.arrays.map(
        (a): Parameter => ({
          kind: 'array',
          name: a.name,
          type: a.type,
          isWritten: a.isWritten,
          isRounded: a.isRounded,
        }),
      ),
    ]
  }

  private declarationOf(p: Parameter): string {
    if (p.kind === 'number') return `float ${p.name}`
    const type = this.pick(spellings[p.type])
    if (p.kind === 'integer') return `${this.chance(0.2) ? 'const ' : ''}${type} ${p.name}`
    return `${p.isWritten ? '' : 'const '}${type} *${this.chance(0.2) ? 'restrict ' : ''}${p.name}`
  }

  /** The `turn`th call: sizes from 0 and 1 to 70, unequal, odd and even. */
  private call(turn: number): Call {
    const small = this.chance(0.3) ? 0 : 1
    const sizes = [
      { n: this.r.int(3, 9), m: this.r.int(2, 7) },
      { n: small, m: this.r.int(0, 2) },
      { n: 33, m: 17 },
      { n: 64, m: 32 },
      { n: this.r.int(1, largestSize), m: this.r.int(1, largestSize) },
    ][turn]!
    const values: Record<string, number> = {}
    for (const x of this.integers) values[x.name] = x.name === 'n' || x.name === 'm' ? sizes[x.name] : x.values[turn]!
    for (const name of this.numbers) values[name] = this.pick([0, 1, -1, 0.5, 2, -3])
    const arrays: Record<string, readonly number[]> = {}
    for (const a of this.arrays) {
      const elements = a.extents.reduce((n, e) => n * ((e.size ? sizes[e.size] : 0) + e.plus), 1)
      const length = elements + (a.offset ? values[a.offset]! : 0)
      const steps = (a.high - a.low) / a.step
      arrays[a.name] = Array.from({ length }, () => a.low + a.step * this.r.int(0, steps))
    }
    return { values, arrays }
  }

  // --------------------------------------------------------------------------------------------------- statements

  private earlyReturn(): void {
    if (!this.chance(0.2)) return
    const tests = [
      'n < 1',
      'n <= 0',
      ...(this.has('m') ? ['m < 1 || n < 1', '!m'] : []),
      ...(this.has('flag') ? ['flag < 0'] : []),
    ]
    this.line(`if (${this.pick(tests)}) return RETURNED;`)
  }

  /** A part of the function: a loop nest of a kind, or now and then two in a branch. */
  private piece(): void {
    const from = this.locals.length
    const kinds = [
      'map',
      'map',
      'map',
      'row',
      'row',
      'scan',
      'bins',
      'search',
      'sweeps',
      'product',
      'total',
      'walk',
    ] as const
    if (this.chance(0.1) && (this.has('flag') || this.has('mode'))) {
      this.open(`if (${this.flagTest()})`)
      this.pieceOf(this.pick(kinds))
      this.locals.length = from
      this.depth--
      this.line('} else {')
      this.depth++
      this.pieceOf(this.pick(kinds))
      this.locals.length = from
      this.close()
    } else this.pieceOf(this.pick(kinds))
    this.locals.length = Math.min(this.locals.length, from + 1)
  }

  private pieceOf(kind: 'map' | 'row' | 'scan' | 'bins' | 'search' | 'sweeps' | 'product' | 'total' | 'walk'): void {
    const y = this.pick(this.arrays.filter((a) => a.isWritten))
    switch (kind) {
      case 'map':
        return this.over(y.extents, () => this.assign(y))
      case 'row':
        return this.rows(y)
      case 'scan':
        return this.scan(y)
      case 'bins':
        return this.bins(y)
      case 'search':
        return this.search(y)
      case 'sweeps':
        return this.sweeps(y)
      case 'product':
        return this.product(y)
      case 'total':
        return this.total(y)
      case 'walk':
        return this.walk(y)
    }
  }

  /** Loops over all of `extents`, in any order and direction, around `body`. */
  private over(extents: readonly Extent[], body: () => void, index = 0): void {
    const extent = extents[index]
    if (!extent) return body()
    this.loop(extent, () => this.over(extents, body, index + 1))
  }

  private loop(extent: Extent, body: () => void): void {
    const name = this.fresh('ijkl'[Math.min(3, this.loops.length)]!)
    const end = extentText(extent)
    const type = this.counterType()
    const variable: LoopVariable = { name, below: extent, type }
    const around = this.loops
    const within = (header: string, first = '', last = ''): void => {
      this.open(header)
      if (first) this.line(first)
      this.loops = [...around, variable]
      const locals = this.locals.length
      body()
      this.locals.length = locals
      this.loops = around
      if (last) this.line(last)
      this.close()
    }
    const turn = this.r.int(0, 11)
    if (type !== 'int') {
      const last = this.pick([end, `(${type})(${end})`])
      if (turn <= 5) within(`for (${type} ${name} = 0; ${name} < ${last}; ${name}++)`)
      else if (turn <= 7) within(`for (${type} ${name} = ${end}; ${name}-- > 0;)`)
      else if (turn <= 9) within(`for (${type} ${name} = 0; ${name} < ${last}; ${name} += ${this.r.int(2, 3)})`)
      else {
        this.line(`${type} ${name} = 0;`)
        within(`while (${name} < ${last})`, '', `${name}++;`)
      }
    } else if (turn <= 5)
      within(`for (int ${name} = 0; ${name} < ${end}; ${this.pick(['i++', '++i', 'i += 1']).replace('i', name)})`)
    else if (turn === 6) within(`for (int ${name} = ${end} - 1; ${name} >= 0; ${name}--)`)
    else if (turn === 7) within(`for (int ${name} = 0; ${name} <= ${end} - 1; ${name}++)`)
    else if (turn === 8) within(`for (int ${name} = 0; ${name} < ${end}; ${name} += ${this.r.int(2, 3)})`)
    else if (turn === 9 && this.has('flag')) within(`for (int ${name} = flag ? 1 : 0; ${name} < ${end}; ${name}++)`)
    else if (turn === 10) {
      this.line(`int ${name} = 0;`)
      within(`while (${name} < ${end})`, '', `${name}++;`)
    } else {
      const back = this.fresh('b')
      within(`for (int ${back} = 0; ${back} < ${end}; ${back}++)`, `int ${name} = ${end} - 1 - ${back};`)
    }
  }

  /** Counters are int, but in some functions. */
  private counterType(): CounterType {
    if (this.seed < firstTyped || this.chance(0.5)) return 'int'
    return this.pick(['unsigned', 'unsigned', 'size_t', 'long'] as const)
  }

  /**
   * What C computes in the counter's own type, or in that of an unsigned literal, as an int: quotients, remainders,
   * comparisons and shifts of numbers that may have passed 0.
   */
  private counted(l: LoopVariable): Value {
    const { name, type } = l
    const isWide = type === 'size_t' || type === 'long'
    const u = type === 'int' ? 'u' : ''
    const by = this.r.int(1, 9)
    const near = this.pick([`${name} + ${by}${u}`, `${name} * ${by}${u}`, `${by}${u} * ${name} + 1`])
    // Numbers of 64 bits that have passed 0 are none of WGSL's.
    const passed = isWide ? near : this.pick([near, `${name} - ${by}${u}`, `${by}${u} - ${name}`])
    const d = this.r.int(1, 20)
    const other = this.loops.length > 1 ? this.pick(this.loops).name : `${d}`
    switch (this.r.int(0, 6)) {
      case 0:
      case 1:
        return whole(`(int)((${passed}) % ${d}${u})`, 'i32', -d, d)
      case 2:
        return whole(`(int)((${near}) / ${d})`, 'i32', 0, 1000)
      case 3:
        return whole(`(int)((${passed}) / ${2 ** this.r.int(4, 8)}${u} % 100)`, 'i32', -100, 100)
      case 4:
        return whole(`((${name} - ${by}${u}) ${this.pick(['<', '>', '<=', '!='])} ${other} ? 1 : 0)`, 'i32', 0, 1)
      case 5:
        return isWide
          ? whole(`(int)((${near}) >> ${this.r.int(0, 3)})`, 'i32', 0, 1000)
          : whole(`(int)((${passed}) >> ${this.r.int(22, 30)})`, 'i32', -1, 1024)
      default:
        return whole(`(int)${name}`, 'i32', 0, largestSize + 4)
    }
  }

  /** Whether a `continue` would pass over what moves the loop's variable on: those of `while` end their body so. */
  private assign(y: ArrayOf): void {
    const target = this.place(y, true)
    if (!target) return
    if (this.chance(0.25)) this.local()
    const guard = this.chance(0.3) ? this.condition() : undefined
    if (guard) this.open(`if (${guard})`)
    if (this.chance(0.2)) this.store(y, target, this.pick(['+=', '-=', '*=']))
    else this.store(y, target, '=')
    if (guard && this.chance(0.4)) {
      this.depth--
      this.line('} else {')
      this.depth++
      this.store(y, target, '=')
    }
    if (guard) this.close()
  }

  private store(y: ArrayOf, target: string, how: string): void {
    let value = this.expression(y.type === 'f32' ? 'f32' : this.chance(0.3) ? 'u32' : 'i32', 3)
    if (y.type === 'f32') {
      if (how === '*=') value = this.constant('f32')
      if (value.isRounded || how !== '=')
        y.isRounded = y.isRounded || value.isRounded || how === '*=' || !isSmall(value, 64)
      if (Math.max(-value.low, value.high) > exactIntegers) y.isRounded = true
      this.line(`${target} ${how} ${value.text};`)
      return
    }
    if (how === '*=' || y.type !== 'u32') value = this.reduced(value, 100)
    // Narrow elements take what is left of a number; signed ones of 32 bits must not overflow over many additions.
    this.line(`${target} ${y.type === 'i32' && how === '*=' ? '=' : how} ${value.text};`)
  }

  /** One result for each row: a sum, a product of few, an extreme, a count, where the extreme stands. */
  private rows(y: ArrayOf): void {
    const [first, ...rest] = y.extents
    const inner = rest[0] ?? { size: this.has('m') ? ('m' as const) : ('n' as const), plus: 0 }
    this.loop(first!, () => {
      const body = (): void => this.accumulate(y, inner)
      if (rest.length > 0 && this.chance(0.5)) this.loop(rest[0]!, body)
      else body()
    })
  }

  private accumulate(y: ArrayOf, inner: Extent): void {
    const target = this.place(y, true)
    if (!target) return
    const s = this.fresh('s')
    const isFloat = y.type === 'f32'
    const kind = this.pick(['sum', 'sum', 'max', 'min', 'count', 'where', 'any'] as const)
    const number = kind === 'sum' || kind === 'max' || kind === 'min' ? isFloat : false
    const start =
      kind === 'max'
        ? number
          ? '-1e30f'
          : '-2147483647'
        : kind === 'min'
          ? number
            ? '1e30f'
            : '2147483647'
          : kind === 'where'
            ? '-1'
            : '0'
    this.line(`${number ? 'float' : 'int'} ${s} = ${start};`)
    const best = this.fresh('best')
    if (kind === 'where') this.line(`int ${best} = -1000000;`)
    this.loop(inner, () => {
      const value = number ? this.expression('f32', 2) : this.reduced(this.expression('i32', 2), 1000)
      const v = this.loops[this.loops.length - 1]!
      if (number && (value.isRounded || !isSmall(value, largestSize * 2))) y.isRounded = true
      switch (kind) {
        case 'sum':
          return this.line(`${s} += ${value.text};`)
        case 'max':
          return this.line(
            this.pick([
              `if (${value.text} > ${s}) ${s} = ${value.text};`,
              number ? `${s} = fmaxf(${s}, ${value.text});` : `${s} = MAX(${s}, ${value.text});`,
            ]),
          )
        case 'min':
          return this.line(
            this.pick([`if (${value.text} < ${s}) ${s} = ${value.text};`, `${s} = MIN(${value.text}, ${s});`]),
          )
        case 'count':
          return this.line(`if (${this.condition()}) ${s}++;`)
        case 'any':
          return this.line(`if (${this.condition()}) { ${s} = 1; break; }`)
        case 'where':
          this.open(`if (${value.text} > ${best})`)
          this.line(`${best} = ${value.text};`)
          this.line(`${s} = ${v.name};`)
          return this.close()
      }
    })
    this.line(`${target} = ${s};`)
  }

  /** What was summed up so far, or a recurrence of the first order. */
  private scan(y: ArrayOf): void {
    const s = this.fresh('s')
    const isFloat = y.type === 'f32'
    this.line(`${isFloat ? 'float' : 'int'} ${s} = ${this.r.int(0, 3)};`)
    const [first] = y.extents
    this.loop(first!, () => {
      const target = this.placeWith(y, (e) => (e === first ? this.loops[this.loops.length - 1]!.name : '0'))
      const value = isFloat ? this.expression('f32', 2) : this.reduced(this.expression('i32', 2), 1000)
      const isLinear = isFloat && this.chance(0.4)
      if (isFloat && (isLinear || value.isRounded || !isSmall(value, largestSize * 2))) y.isRounded = true
      const update = isLinear
        ? `${s} = 0.5f * ${s} + ${value.text};`
        : this.pick([`${s} += ${value.text};`, `${s} = MAX(${s}, ${value.text});`, `${s} = ${s} + (${value.text});`])
      const out = `${target} = ${s};`
      if (this.chance(0.6)) {
        this.line(update)
        this.line(out)
      } else {
        this.line(out)
        this.line(update)
      }
    })
  }

  /** Counts of what data say. */
  private bins(y: ArrayOf): void {
    const counts = this.fresh('bin')
    const bins = this.pick([4, 8, 16])
    this.line(`int ${counts}[${bins}];`)
    this.line(`for (int q = 0; q < ${bins}; q++) ${counts}[q] = 0;`)
    this.loop({ size: 'n', plus: 0 }, () => {
      const value = this.expression('i32', 2)
      const place = this.chance(0.5)
        ? `(${value.text}) & ${bins - 1}`
        : `((${value.text}) % ${bins} + ${bins}) % ${bins}`
      this.line(`${counts}[${place}] += ${this.pick(['1', '1', '2'])};`)
    })
    const [first] = y.extents
    this.loop(first!, () => {
      const v = this.loops[this.loops.length - 1]!.name
      const target = this.placeWith(y, (e) => (e === first ? v : '0'))
      this.line(`${target} = ${counts}[${v} % ${bins}];`)
    })
  }

  /** The first place where something holds. */
  private search(y: ArrayOf): void {
    const at = this.fresh('at')
    this.line(`int ${at} = -1;`)
    this.loop({ size: 'n', plus: 0 }, () => {
      this.open(`if (${this.condition()})`)
      this.line(`${at} = ${this.loops[this.loops.length - 1]!.name};`)
      this.line('break;')
      this.close()
    })
    this.locals.push({ text: at, type: 'i32', low: -1, high: largestSize, fraction: 0, isRounded: false })
    this.over(y.extents, () => this.assign(y))
  }

  /** Steps in time over one array, in place. */
  private sweeps(y: ArrayOf): void {
    const [first] = y.extents
    const end = extentText(first!)
    const t = this.fresh('t')
    this.open(`for (int ${t} = 0; ${t} < ${this.r.int(2, 4)}; ${t}++)`)
    const i = this.fresh('i')
    this.open(`for (int ${i} = 1; ${i} < ${end} - 1; ${i}++)`)
    const at = (by: string): string => this.placeWith(y, (e) => (e === first ? `${i}${by}` : '0'))
    if (y.type === 'f32') {
      this.line(`${at('')} = 0.25f * (${at(' - 1')} + 2.0f * ${at('')} + ${at(' + 1')});`)
      y.isRounded = true
    } else this.line(`${at('')} = (${at(' - 1')} / 2 + ${at(' + 1')} / 2) % 1000;`)
    this.close()
    this.close()
  }

  /** A product of a matrix and a vector, or of what arrays there are. */
  private product(y: ArrayOf): void {
    if (y.type !== 'f32' && y.type !== 'i32') return this.over(y.extents, () => this.assign(y))
    const inner: Extent = { size: this.has('m') && this.chance(0.6) ? 'm' : 'n', plus: 0 }
    this.over(y.extents, () => {
      const target = this.place(y, true)
      if (!target) return
      if (this.chance(0.5)) this.line(`${target} = 0;`)
      else if (y.type === 'i32') this.line(`${target} %= 1000;`)
      this.loop(inner, () => {
        const a = y.type === 'f32' ? this.leaf('f32') : this.reduced(this.leaf('i32'), 300)
        const b = y.type === 'f32' ? this.leaf('f32') : this.reduced(this.leaf('i32'), 300)
        if (a.isFedBack || b.isFedBack) return
        const both = times(a, b)
        if (y.type === 'f32' && (both.isRounded || !isSmall(both, largestSize * 4) || y.isRounded)) y.isRounded = true
        this.line(`${target} += ${both.text};`)
      })
    })
  }

  /** One number of everything, used by all. */
  private total(y: ArrayOf): void {
    const s = this.fresh('sum')
    this.line(`int ${s} = 0;`)
    this.loop({ size: 'n', plus: 0 }, () => this.line(`${s} += ${this.reduced(this.expression('i32', 2), 1000).text};`))
    this.locals.push({
      text: s,
      type: 'i32',
      low: -1000 * largestSize,
      high: 1000 * largestSize,
      fraction: 0,
      isRounded: false,
    })
    this.over(y.extents, () => this.assign(y))
  }

  /** A pointer that moves along an array. */
  private walk(y: ArrayOf): void {
    const from = this.arrays.filter(
      (a) => !a.isWritten && a.type === y.type && a.extents[0]!.plus >= y.extents[0]!.plus,
    )
    if (from.length === 0 || y.extents.length > 1) return this.over(y.extents, () => this.assign(y))
    const x = this.pick(from)
    const p = this.fresh('p')
    const q = this.fresh('q')
    const type = spellings[y.type][0]!
    const start = (a: ArrayOf): string => (a.offset ? `${a.name} + ${a.offset}` : a.name)
    this.line(`const ${type} *${p} = ${start(x)};`)
    this.line(`${type} *${q} = ${start(y)};`)
    const i = this.fresh('i')
    this.open(`for (int ${i} = 0; ${i} < ${extentText(y.extents[0]!)}; ${i}++)`)
    if (y.type === 'f32') {
      y.isRounded = y.isRounded || x.isRounded
      this.line(this.pick([`*${q}++ = *${p}++ * 2.0f;`, `*${q} = twice(*${p});`]))
    } else this.line(this.pick([`*${q}++ = *${p}++;`, `*${q} = *${p} / 2;`]))
    if (!this.lines[this.lines.length - 1]!.includes('++')) this.line(`${p}++, ${q}++;`)
    this.close()
  }

  private returned(): Value {
    const s = this.fresh('r')
    const isFloat = this.chance(0.5)
    this.line(`${isFloat ? 'float' : 'int'} ${s} = 0;`)
    let isRounded = false
    this.loop({ size: 'n', plus: 0 }, () => {
      const value = isFloat ? this.expression('f32', 2) : this.reduced(this.expression('i32', 2), 1000)
      isRounded = value.isRounded || !isSmall(value, largestSize * 2)
      this.line(`${s} += ${value.text};`)
    })
    return { text: s, type: isFloat ? 'f32' : 'i32', low: 0, high: 0, fraction: 0, isRounded: isFloat && isRounded }
  }

  /** A variable of this scope with a value. */
  private local(): void {
    const type = this.pick(['f32', 'i32', 'u32'] as const)
    const value = this.expression(type, 2)
    const name = this.fresh('v')
    this.line(`${this.chance(0.3) ? 'const ' : ''}${spellings[type][0]} ${name} = ${value.text};`)
    this.locals.push({ ...value, text: name, type })
  }

  // -------------------------------------------------------------------------------------------------- expressions

  /**
   * An element of `a` under the loops around, as `a[…]`; `undefined` where no loop fits. `exact`: each element once.
   */
  private place(a: ArrayOf, exact = false): string | undefined {
    const used = new Set<string>()
    const parts = a.extents.map((extent) => {
      const found = this.loops.filter((l) => !used.has(l.name) && fits(l.below, extent))
      const loop = found.length > 0 ? (exact ? found[0]! : this.pick(found)) : undefined
      if (!loop) return undefined
      if (exact) used.add(loop.name)
      return exact ? loop.name : this.shifted(loop, extent)
    })
    return parts.every((p) => p !== undefined) ? this.subscripted(a, parts) : undefined
  }

  private placeWith(a: ArrayOf, index: (extent: Extent) => string): string {
    return this.subscripted(a, a.extents.map(index))
  }

  private subscripted(a: ArrayOf, parts: readonly string[]): string {
    const [first, second] = parts
    const width = a.extents[1]
    const flat =
      second === undefined
        ? first!
        : this.pick([
            `(${first}) * ${extentText(width!)} + ${second}`,
            `${second} + ${extentText(width!)} * (${first})`,
          ])
    return `${a.name}[${a.offset ? this.pick([`${flat} + ${a.offset}`, `${a.offset} + ${flat}`]) : flat}]`
  }

  /** A subscript near a loop's variable that stays inside of `extent`. */
  private shifted(l: LoopVariable, extent: Extent): string {
    const end = extentText(extent)
    const room = extent.plus - l.below.plus
    const choices = [l.name, l.name, l.name]
    if (room > 0 && l.below.size === extent.size) choices.push(`${l.name} + ${this.r.int(1, room)}`)
    if (l.below.size === extent.size) {
      choices.push(
        `${end} - 1 - ${l.name}`,
        `(${l.name} > 0 ? ${l.name} - 1 : 0)`,
        `MIN(${l.name} + 1, ${end} - 1)`,
        `${l.name} / 2`,
      )
      choices.push(`(${l.name} + 1) % ${end.includes(' ') ? `(${end})` : end}`)
      if (this.seed >= firstTyped) {
        choices.push(`(${l.name} + ${end} - 1) % (${end})`, `${l.name} / ${this.r.int(1, 4)}u`)
        if (l.type === 'int' || l.type === 'unsigned')
          choices.push(`(${l.name} - ${this.r.int(1, 5)}u) % (${end})`, `(unsigned)(${l.name} - 2) % (${end})`)
      }
      if (this.has('flag')) choices.push(`(flag ? ${l.name} : ${end} - 1 - ${l.name})`)
      if (this.has('c')) choices.push(`CLAMP(${l.name} + c, 0, ${end} - 1)`)
    }
    return this.pick(choices)
  }

  private expression(type: Value['type'], depth: number): Value {
    if (depth <= 0 || this.chance(0.2)) return this.leaf(type)
    return type === 'f32' ? this.floating(depth) : type === 'i32' ? this.signed(depth) : this.unsigned(depth)
  }

  private leaf(type: Value['type']): Value {
    if (this.chance(0.15)) return this.constant(type)
    const local = this.locals.filter((l) => l.type === type)
    if (local.length > 0 && this.chance(0.3)) return this.pick(local)
    if (type === 'f32' && this.numbers.length > 0 && this.chance(0.2))
      return { text: this.pick(this.numbers), type, low: -3, high: 3, fraction: 1, isRounded: false }
    if (type === 'u32' && this.has('seed') && this.chance(0.3)) return whole('seed', 'u32', 0, highestUnsigned)
    if (type === 'i32' && this.chance(0.3)) return this.integerName()
    const arrays = this.arrays.filter((a) => registerOf(a.type) === type && !(a.isRounded && type !== 'f32'))
    for (let tries = 0; tries < 3 && arrays.length > 0; tries++) {
      const a = this.pick(arrays)
      const text = this.place(a)
      if (text) return this.element(a, text)
    }
    if (type === 'i32') return this.integerName()
    return type === 'f32' ? this.converted(this.integerName()) : asUnsigned(this.integerName())
  }

  private element(a: ArrayOf, text: string): Value {
    const type = registerOf(a.type)
    // What is written may hold anything of its type by now.
    if (a.isWritten && type === 'f32')
      return { text, type, low: -1e6, high: 1e6, fraction: 10, isRounded: true, isFedBack: true }
    const [low, high] =
      a.isWritten && a.type === 'i32'
        ? [lowestInt, highestInt]
        : a.isWritten && a.type === 'u32'
          ? [0, highestUnsigned]
          : ranges[a.type]
    return { text, type, low, high, fraction: a.step === 0.5 ? 1 : 0, isRounded: false }
  }

  private integerName(): Value {
    const loops = this.loops.map((l) =>
      l.type !== 'int' || (this.seed >= firstTyped && this.chance(0.2))
        ? this.counted(l)
        : whole(l.name, 'i32', 0, largestSize + 4),
    )
    const given = this.integers.filter((x) => x.type === 'i32').map((x) => whole(x.name, 'i32', -100, 100))
    return this.pick([...loops, ...loops, ...given])
  }

  private constant(type: Value['type']): Value {
    if (type === 'f32') {
      const [text, value] = this.pick([
        ['0.5f', 0.5],
        ['2.0f', 2],
        ['-1.0f', -1],
        ['3', 3],
        ['0.25f', 0.25],
        ['1.5', 1.5],
        ['0.0f', 0],
      ] as const)
      return { text, type, low: value, high: value, fraction: 2, isRounded: false }
    }
    const value = this.pick(type === 'u32' ? [0, 1, 3, 255, 65535, 2654435761] : [0, 1, -1, 2, 7, -8, 100, 255])
    return whole(type === 'u32' ? `${value}u` : value < 0 ? `(${value})` : `${value}`, type, value, value)
  }

  private floating(depth: number): Value {
    const a = this.expression('f32', depth - 1)
    const b = this.expression('f32', depth - 1)
    const bound = Math.max(-a.low, a.high)
    const turn = this.r.int(0, 15)
    if ((turn === 3 || turn === 4) && (a.isFedBack || b.isFedBack)) return sum(a, b, '-')
    if (turn >= 10 && turn <= 13 && (a.isFedBack || b.isFedBack)) return a
    switch (turn) {
      case 0:
      case 1:
        return sum(a, b, '+')
      case 2:
        return sum(a, b, '-')
      case 3:
      case 4:
        return times(a, b)
      case 5:
        return {
          ...a,
          text: this.pick([`fabsf(${a.text})`, `(${a.text} < 0 ? -(${a.text}) : ${a.text})`]),
          low: 0,
          high: bound,
        }
      case 6: {
        const name = this.pick(['floorf', 'ceilf', 'truncf', 'rintf', 'roundf'])
        if (a.isRounded) return { ...a, text: `-(${a.text})`, low: -a.high, high: -a.low }
        return { ...a, text: `${name}(${a.text})`, low: a.low - 1, high: a.high + 1, fraction: 0 }
      }
      case 7: {
        const name = this.pick(['fminf', 'fmaxf', 'MIN', 'MAX'])
        return { ...joined(a, b), text: `${name}(${a.text}, ${b.text})` }
      }
      case 8:
        return { ...joined(a, b), text: `(${this.condition()} ? ${a.text} : ${b.text})` }
      case 9:
        return this.converted(this.expression('i32', depth - 1))
      case 10:
        return this.rounded(`(${a.text}) / (1.0f + (${b.text}) * (${b.text}))`, bound)
      case 11: {
        const name = this.pick(['sinf', 'cosf', 'tanhf', 'atanf'])
        return this.rounded(`${name}(${a.text})`, 2)
      }
      case 12:
        return this.rounded(
          this.pick([`expf(-fabsf(${a.text}))`, `logf(1.0f + fabsf(${a.text}))`, `sqrtf(fabsf(${a.text}))`]),
          bound + 1,
        )
      case 13: {
        const square = times(a, a)
        return {
          ...square,
          text: this.pick([`powf(${a.text}, 2)`, `powf(${a.text}, 2.0f)`, `pow(${a.text}, 2)`]),
          low: 0,
          isRounded: true,
        }
      }
      case 14:
        return { ...a, text: `twice(${a.text})`, low: 2 * a.low, high: 2 * a.high }
      default:
        return { ...sum(a, times(sum(b, a, '-'), this.constant('f32')), '+'), text: `LERP(${a.text}, ${b.text}, 0.5f)` }
    }
  }

  /** What targets round in ways of their own. */
  private rounded(text: string, bound: number): Value {
    return { text, type: 'f32', low: -bound, high: bound, fraction: 20, isRounded: true }
  }

  private converted(a: Value): Value {
    const isExact = Math.max(-a.low, a.high) <= exactIntegers
    const small = isExact ? a : this.reduced(a, 4000)
    return {
      ...small,
      text: this.pick([`(float)(${small.text})`, `(float)(${small.text})`, `1.0f * (${small.text})`]),
      type: 'f32',
      fraction: 0,
    }
  }

  private signed(depth: number): Value {
    const a = this.expression('i32', depth - 1)
    const b = this.expression('i32', depth - 1)
    switch (this.r.int(0, 16)) {
      case 0:
      case 1:
        return this.within(sum(a, b, '+'), a, b)
      case 2:
        return this.within(sum(a, b, '-'), a, b)
      case 3:
        return this.within(times(a, b), a, b)
      case 4: {
        const d = this.r.int(1, 9) * (this.chance(0.2) ? -1 : 1)
        const bound = Math.max(Math.abs(a.low), Math.abs(a.high))
        const isQuotient = this.chance(0.5)
        const high = isQuotient ? bound : Math.abs(d)
        return whole(
          `(${a.text}) ${isQuotient ? '/' : '%'} ${d < 0 ? `(${d})` : d}`,
          'i32',
          -high,
          Math.min(highestInt, high),
        )
      }
      case 5:
        return { ...whole(`((${a.text}) ${this.pick(['&', '|', '^'])} (${b.text}))`, 'i32', lowestInt, highestInt) }
      case 6:
        return whole(`((${a.text}) >> ${this.r.int(0, 6)})`, 'i32', Math.min(a.low, 0), Math.max(0, a.high))
      case 7:
        return whole(`(${this.condition()})`, 'i32', 0, 1)
      case 8:
        return { ...joined(a, b), text: `(${this.condition()} ? ${a.text} : ${b.text})` }
      case 9: {
        const [type, low, high] = this.pick([
          ['signed char', -128, 127],
          ['unsigned char', 0, 255],
          ['short', -32768, 32767],
          ['uint16_t', 0, 65535],
        ] as const)
        return whole(`(${type})(${a.text})`, 'i32', low, high)
      }
      case 10:
        return a.low > lowestInt ? whole(`abs(${a.text})`, 'i32', 0, Math.max(-a.low, a.high, 0)) : a
      case 11:
        return { ...joined(a, b), text: `${this.pick(['MIN', 'MAX'])}(${a.text}, ${b.text})` }
      case 12: {
        const f = this.expression('f32', depth - 1)
        return f.isRounded || Math.max(-f.low, f.high) > 1e9
          ? a
          : whole(`(int)(${f.text})`, 'i32', Math.floor(f.low), Math.ceil(f.high))
      }
      case 13:
        return a.low > lowestInt
          ? whole(`-(${a.text})`, 'i32', -a.high, -a.low)
          : whole(`~(${a.text})`, 'i32', -a.high - 1, -a.low - 1)
      case 14:
        return whole(`half_of(${a.text})`, 'i32', Math.min(0, a.low), Math.max(0, a.high))
      case 15: {
        const flag = this.integerName()
        return { ...joined(a, b), text: `pick(${flag.text}, ${a.text}, ${b.text})` }
      }
      default:
        return whole(`(int)((${this.expression('u32', depth - 1).text}) % ${this.r.int(2, 1000)}u)`, 'i32', 0, 1000)
    }
  }

  /** `value` where it cannot overflow, else one of its arguments. */
  private within(value: Value, a: Value, b: Value): Value {
    return value.low >= lowestInt && value.high <= highestInt ? value : this.chance(0.5) ? a : this.reduced(b, 1000)
  }

  /** The integer `a` with an absolute value below `limit`. */
  private reduced(a: Value, limit: number): Value {
    if (a.low > -limit && a.high < limit) return a
    const text = `((${a.text}) % ${limit}${a.type === 'u32' ? 'u' : ''})`
    return a.type === 'u32' ? whole(text, 'u32', 0, limit - 1) : whole(text, 'i32', 1 - limit, limit - 1)
  }

  private unsigned(depth: number): Value {
    const a = this.expression('u32', depth - 1)
    const b = this.expression('u32', depth - 1)
    const full = (text: string): Value => whole(text, 'u32', 0, highestUnsigned)
    switch (this.r.int(0, 7)) {
      case 0:
      case 1:
        return full(`((${a.text}) ${this.pick(['+', '-', '*'])} (${b.text}))`)
      case 2:
        return full(`((${a.text}) ${this.pick(['&', '|', '^'])} (${b.text}))`)
      case 3:
        return full(`((${a.text}) ${this.pick(['<<', '>>'])} ${this.r.int(0, 31)})`)
      case 4:
        return full(`((${a.text}) ${this.pick(['/', '%'])} ${this.r.int(1, 50)}u)`)
      case 5:
        return full(`~(${a.text})`)
      case 6:
        return full(`(${this.condition()} ? ${a.text} : ${b.text})`)
      default:
        return asUnsigned(this.expression('i32', depth - 1))
    }
  }

  /** Something that is true or not, and exact. */
  private condition(): string {
    const flags = this.integers.filter((x) => x.name === 'flag' || x.name === 'mode')
    if (flags.length > 0 && this.chance(0.2)) return this.flagTest()
    const type = this.pick(['i32', 'i32', 'u32', 'f32'] as const)
    const a = this.leaf(type)
    const b = this.chance(0.5) ? this.constant(type) : this.leaf(type)
    if (a.isRounded || b.isRounded)
      return `${this.integerName().text} % 3 ${this.pick(['==', '!=', '>'])} ${this.r.int(0, 2)}`
    const one = `${a.text} ${this.pick(['<', '<=', '>', '>=', '==', '!='])} ${b.text}`
    if (this.chance(0.2))
      return (
        `${one} ${this.pick(['&&', '||'])} ${this.integerName().text} ${this.pick(['>', '!='])} ` +
        `${this.r.int(0, 5)}`
      )
    return this.chance(0.1) ? `!(${one})` : one
  }

  private flagTest(): string {
    const flags = this.integers.filter((x) => x.name === 'flag' || x.name === 'mode')
    const name = this.pick(flags).name
    return this.pick([name, `!${name}`, `${name} == 1`, `${name} > 0`, `${name} != 2`])
  }

  // ------------------------------------------------------------------------------------------------------- helpers

  private has(name: string): boolean {
    return this.integers.some((x) => x.name === name)
  }
  private pick<T>(items: readonly T[]): T {
    return items[this.r.int(0, items.length - 1)]! // never empty
  }
  private chance(p: number): boolean {
    return this.r.unit() < p
  }
  private fresh(stem: string): string {
    return `${stem}${this.names++}`
  }
  private shuffled<T>(items: readonly T[]): readonly T[] {
    return items
      .map((item) => ({ item, key: this.r.unit() }))
      .sort((a, b) => a.key - b.key)
      .map((x) => x.item)
  }
  private line(text: string): void {
    this.lines.push('  '.repeat(this.depth) + text)
  }
  private open(header: string): void {
    this.line(`${header} {`)
    this.depth++
  }
  private close(): void {
    this.depth--
    this.line('}')
  }
}

const extentText = (e: Extent): string =>
  e.size === undefined ? `${e.plus}` : e.plus === 0 ? e.size : `${e.size} + ${e.plus}`

/** Whether what runs below `below` is a subscript of `extent`. */
const fits = (below: Extent, extent: Extent): boolean => below.size === extent.size && below.plus <= extent.plus

const registerOf = (type: ElementType): Value['type'] => (type === 'f32' ? 'f32' : type === 'u32' ? 'u32' : 'i32')

const whole = (text: string, type: 'i32' | 'u32', low: number, high: number): Value => ({
  text,
  type,
  low,
  high,
  fraction: 0,
  isRounded: false,
})

const asUnsigned = (a: Value): Value =>
  whole(`(unsigned)(${a.text})`, 'u32', a.low < 0 ? 0 : a.low, a.low < 0 ? highestUnsigned : a.high)

/** Whether sums of so many of it are exact in f32. */
const isSmall = (a: Value, terms: number): boolean =>
  !a.isRounded && Math.max(-a.low, a.high) * 2 ** a.fraction * terms < exactIntegers

/** What holds of either of two. */
const joined = (a: Value, b: Value): Value => ({
  ...a,
  low: Math.min(a.low, b.low),
  high: Math.max(a.high, b.high),
  fraction: Math.max(a.fraction, b.fraction),
  isRounded: a.isRounded || b.isRounded,
  ...((a.isFedBack || b.isFedBack) && { isFedBack: true as const }),
})

function sum(a: Value, b: Value, how: '+' | '-'): Value {
  const [low, high] = how === '+' ? [a.low + b.low, a.high + b.high] : [a.low - b.high, a.high - b.low]
  return settled({ ...joined(a, b), text: `(${a.text} ${how} (${b.text}))`, low, high })
}

function times(a: Value, b: Value): Value {
  const corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]
  return settled({
    ...joined(a, b),
    text: `(${a.text}) * (${b.text})`,
    low: Math.min(...corners),
    high: Math.max(...corners),
    fraction: a.fraction + b.fraction,
  })
}

/** A number of more digits than f32 has is rounded. */
const settled = (a: Value): Value => (a.type === 'f32' && !isSmall(a, 1) ? { ...a, isRounded: true } : a)
