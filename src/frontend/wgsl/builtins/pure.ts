// WGSL's pure built-in functions. In: a name and argument values. Out: a value, or undefined when there is no such
// function here. The one idea: each is put together from the few operations of KernelIR as compilers do it, one row a
// function; the rows say how many arguments and of which element.
import { fail } from '../../../base/index.ts'
import { constOf, packHalf, unpackHalf, type Operand, type OpName } from '../../../ir/index.ts'
import { column, sumOfProducts } from './operators.ts'
import { bitFunctions } from './bits.ts'
import { packFunctions } from './pack.ts'
import {
  isAbstract,
  isFloatName,
  layoutStruct,
  matrix,
  registerOf,
  scalar,
  bytesOfWgsl,
  wgslTypeText,
  vectorType,
  type MatrixType,
  type ScalarName,
} from '../types/types.ts'
import {
  concreteName,
  concretize,
  convertPart,
  each,
  numericName,
  scalarValue,
  spread,
  unify,
  vectorValue,
  withElement,
  coerce,
  type Builder,
  type BuiltinRow,
  type WgslValue,
} from '../values.ts'

/** Arguments of one common element; `takes` checks it. Abstract stays abstract only when asked. */
function common(
  k: Builder,
  args: readonly WgslValue[],
  name: string,
  takes: (n: ScalarName) => boolean,
  keepAbstract = false,
): { args: WgslValue[]; element: ScalarName } {
  let first = args[0]!
  for (const a of args.slice(1)) first = unify(k, first, a, `${name}()`).a
  let element = numericName(first, `${name}()`, k.at)
  if (!takes(element) && element === 'abstract-int' && takes('f32')) element = 'abstract-float'
  if (!keepAbstract || !args.every((a) => a.parts.every((p) => p.kind === 'const'))) element = concreteName(element)
  if (!takes(element)) fail('wgsl.type', `${name}() cannot take ${wgslTypeText(first.type)}`, k.at)
  return { args: args.map((a) => coerce(k, a, withElement(a.type, element), `an argument of ${name}()`)), element }
}

const floats = (n: ScalarName): boolean => isFloatName(n)
const numbers = (n: ScalarName): boolean => n !== 'bool'

/** A function that is one operation on each component. */
const direct = (op: OpName, arity: number, takes = floats): BuiltinRow => ({
  arity,
  make: (k, args, name) => {
    const c = common(k, args, name, takes, true)
    return each(k, op, c.args, c.element)
  },
})

type Scalars = (k: Builder, x: readonly Operand[], c: (value: number) => Operand) => Operand
/** A function of each component of floats, written on scalars; `c` makes a literal of the component's type. */
const float = (arity: number, f: Scalars): BuiltinRow => ({
  arity,
  make: (k, args, name) => {
    const { args: values, element } = common(k, args, name, floats, true)
    const size = Math.max(...values.map((v) => v.parts.length))
    const type = values.find((v) => v.parts.length === size)!.type
    const parts = values.map((v) => spread(v, size))
    const c = (value: number): Operand => constOf(registerOf(element), value)
    return {
      type,
      parts: Array.from({ length: size }, (_, i) =>
        f(
          k,
          parts.map((p) => p[i]!),
          c,
        ),
      ),
    }
  },
})

/** A function of whole float vectors (or scalars). */
const whole = (
  arity: number,
  f: (k: Builder, args: readonly WgslValue[], element: ScalarName) => WgslValue,
): BuiltinRow => ({
  arity,
  make: (k, args, name) => {
    const c = common(k, args, name, floats)
    return f(k, c.args, c.element)
  },
})

const clampTo = (k: Builder, x: Operand, low: Operand, high: Operand): Operand =>
  k.apply('min', [k.apply('max', [x, low]), high])
const dot = (k: Builder, a: WgslValue, b: WgslValue): Operand => sumOfProducts(k, a.parts, b.parts)
const length = (k: Builder, a: WgslValue): Operand =>
  a.parts.length === 1 ? k.apply('abs', [a.parts[0]!]) : k.apply('sqrt', [dot(k, a, a)])
const scale = (k: Builder, a: WgslValue, by: Operand, element: ScalarName): WgslValue =>
  each(k, 'mul', [a, scalarValue(element, by)], element)
const sub = (k: Builder, a: WgslValue, b: WgslValue, element: ScalarName): WgslValue => each(k, 'sub', [a, b], element)

const numeric: Record<string, BuiltinRow> = {
  abs: direct('abs', 1, numbers),
  min: direct('min', 2, numbers),
  max: direct('max', 2, numbers),
  sign: direct('sign', 1, numbers),
  acos: direct('acos', 1),
  asin: direct('asin', 1),
  atan: direct('atan', 1),
  atan2: direct('atan2', 2),
  ceil: direct('ceil', 1),
  cos: direct('cos', 1),
  cosh: direct('cosh', 1),
  exp: direct('exp', 1),
  exp2: direct('exp2', 1),
  floor: direct('floor', 1),
  fma: direct('fma', 3),
  inverseSqrt: direct('rsqrt', 1),
  log: direct('log', 1),
  log2: direct('log2', 1),
  pow: direct('pow', 2),
  round: direct('round', 1),
  sin: direct('sin', 1),
  sinh: direct('sinh', 1),
  sqrt: direct('sqrt', 1),
  tan: direct('tan', 1),
  tanh: direct('tanh', 1),
  trunc: direct('trunc', 1),
  clamp: {
    arity: 3,
    make: (k, args, name) => {
      const { args: v, element } = common(k, args, name, numbers, true)
      return each(k, 'min', [each(k, 'max', [v[0]!, v[1]!], element), v[2]!], element)
    },
  },
  saturate: float(1, (k, [x], c) => clampTo(k, x!, c(0), c(1))),
  fract: float(1, (k, [x]) => k.apply('sub', [x!, k.apply('floor', [x!])])),
  degrees: float(1, (k, [x], c) => k.apply('mul', [x!, c(180 / Math.PI)])),
  radians: float(1, (k, [x], c) => k.apply('mul', [x!, c(Math.PI / 180)])),
  step: float(2, (k, [edge, x], c) => k.apply('select', [k.apply('le', [edge!, x!]), c(1), c(0)])),
  mix: float(3, (k, [a, b, t], c) =>
    k.apply('add', [k.apply('mul', [a!, k.apply('sub', [c(1), t!])]), k.apply('mul', [b!, t!])]),
  ),
  smoothstep: float(3, (k, [low, high, x], c) => {
    const t = clampTo(k, k.apply('div', [k.apply('sub', [x!, low!]), k.apply('sub', [high!, low!])]), c(0), c(1))
    return k.apply('mul', [k.apply('mul', [t, t]), k.apply('sub', [c(3), k.apply('mul', [c(2), t])])])
  }),
  asinh: float(1, (k, [x], c) =>
    k.apply('log', [k.apply('add', [x!, k.apply('sqrt', [k.apply('add', [k.apply('mul', [x!, x!]), c(1)])])])]),
  ),
  acosh: float(1, (k, [x], c) =>
    k.apply('log', [k.apply('add', [x!, k.apply('sqrt', [k.apply('sub', [k.apply('mul', [x!, x!]), c(1)])])])]),
  ),
  atanh: float(1, (k, [x], c) =>
    k.apply('mul', [
      k.apply('log', [k.apply('div', [k.apply('add', [c(1), x!]), k.apply('sub', [c(1), x!])])]),
      c(0.5),
    ]),
  ),
  quantizeToF16: float(1, (k, [x]) =>
    x!.type === 'f64' ? x! : k.apply('convert', [k.apply('convert', [x!], 'f16')], 'f32'),
  ),
  ldexp: { arity: 2, make: ldexp },
  modf: { arity: 1, make: modf },
  frexp: { arity: 1, make: frexp },
}

/** Two results in a struct, as WGSL's own: members in order. */
function pair(name: string, members: readonly (readonly [string, WgslValue])[]): WgslValue {
  const type = layoutStruct(
    `__${name}_result_${wgslTypeText(members[0]![1].type)}`,
    members.map(([member, v]) => ({ name: member, type: v.type })),
  )
  return { type, parts: members.flatMap(([, v]) => v.parts) }
}

function modf(k: Builder, args: readonly WgslValue[], name: string): WgslValue {
  const {
    args: [x],
    element,
  } = common(k, args, name, floats)
  const whole = each(k, 'trunc', [x!], element)
  return pair('modf', [
    ['fract', sub(k, x!, whole, element)],
    ['whole', whole],
  ])
}

/** x = fract · 2^exp with ½ ≤ |fract| < 1, from the bits of an f32; subnormals are scaled up first. */
function frexp(k: Builder, args: readonly WgslValue[], name: string): WgslValue {
  const {
    args: [x],
    element,
  } = common(k, args, name, floats)
  const split = x!.parts.map((p) => splitFloat(k, p.type === 'f32' ? p : k.apply('convert', [p], 'f32')))
  const fract = split.map(([f]) => (element === 'f32' ? f : k.apply('convert', [f], registerOf(element))))
  return pair('frexp', [
    ['fract', { type: x!.type, parts: fract }],
    ['exp', { type: withElement(x!.type, 'i32'), parts: split.map(([, e]) => e) }],
  ])
}

function splitFloat(k: Builder, p: Operand): readonly [Operand, Operand] {
  const u = (x: number): Operand => constOf('u32', x)
  const tiny = k.apply('lt', [k.apply('abs', [p]), constOf('f32', 2 ** -126)])
  const bits = k.apply('bitcast', [k.apply('select', [tiny, k.apply('mul', [p, constOf('f32', 2 ** 24)]), p])], 'u32')
  const field = k.apply('and', [k.apply('shr', [bits, u(23)]), u(255)])
  const exponent = k.apply('sub', [
    k.apply('sub', [k.apply('convert', [field], 'i32'), constOf('i32', 126)]),
    k.apply('select', [tiny, constOf('i32', 24), constOf('i32', 0)]),
  ])
  const fraction = k.apply('bitcast', [k.apply('or', [k.apply('and', [bits, u(0x807fffff)]), u(126 << 23)])], 'f32')
  const none = k.apply('eq', [p, constOf('f32', 0)])
  return [k.apply('select', [none, p, fraction]), k.apply('select', [none, constOf('i32', 0), exponent])]
}

function ldexp(k: Builder, [x, e]: readonly WgslValue[], name: string): WgslValue {
  const c = common(k, [x!], name, floats)
  const exponent = concretize(k, e!)
  const power: WgslValue = {
    type: c.args[0]!.type,
    parts: spread(exponent, c.args[0]!.parts.length).map((p) => k.apply('exp2', [convertPart(k, p, c.element)])),
  }
  return each(k, 'mul', [c.args[0]!, power], c.element)
}

const geometry: Record<string, BuiltinRow> = {
  dot: {
    arity: 2,
    make: (k, args, name) => {
      const c = common(k, args, name, numbers)
      return scalarValue(c.element, dot(k, c.args[0]!, c.args[1]!))
    },
  },
  length: whole(1, (k, [a], e) => scalarValue(e, length(k, a!))),
  distance: whole(2, (k, [a, b], e) => scalarValue(e, length(k, sub(k, a!, b!, e)))),
  normalize: whole(1, (k, [a], e) => scale(k, a!, k.apply('rsqrt', [dot(k, a!, a!)]), e)),
  cross: whole(2, (k, [a, b], e) => {
    const minor = (i: number, j: number): Operand =>
      k.apply('sub', [k.apply('mul', [a!.parts[i]!, b!.parts[j]!]), k.apply('mul', [a!.parts[j]!, b!.parts[i]!])])
    return vectorValue(e, [minor(1, 2), minor(2, 0), minor(0, 1)])
  }),
  reflect: whole(2, (k, [i, n], e) =>
    sub(k, i!, scale(k, n!, k.apply('mul', [constOf(registerOf(e), 2), dot(k, n!, i!)]), e), e),
  ),
  faceForward: whole(3, (k, [n, i, g], e) => {
    const front = k.apply('lt', [dot(k, g!, i!), constOf(registerOf(e), 0)])
    return { type: n!.type, parts: n!.parts.map((p) => k.apply('select', [front, p, k.apply('neg', [p])])) }
  }),
  refract: { arity: 3, make: refract },
  transpose: { arity: 1, make: transpose },
  determinant: {
    arity: 1,
    make: (k, [m], name) => scalarValue(squareOf(k, m!, name).element, determinant(k, rowsOf(concretize(k, m!)))),
  },
}

/** k = 1 − eta² (1 − (n·i)²); 0 when k < 0, else eta i − (eta (n·i) + √k) n. */
function refract(k: Builder, args: readonly WgslValue[], name: string): WgslValue {
  const {
    args: [i, n, eta],
    element,
  } = common(k, args, name, floats)
  const [c, h] = [(x: number): Operand => constOf(registerOf(element), x), eta!.parts[0]!]
  const d = dot(k, n!, i!)
  const inside = k.apply('sub', [
    c(1),
    k.apply('mul', [k.apply('mul', [h, h]), k.apply('sub', [c(1), k.apply('mul', [d, d])])]),
  ])
  const along = k.apply('add', [k.apply('mul', [h, d]), k.apply('sqrt', [inside])])
  const bent = sub(k, scale(k, i!, h, element), scale(k, n!, along, element), element)
  const none = k.apply('lt', [inside, c(0)])
  return { type: i!.type, parts: bent.parts.map((p) => k.apply('select', [none, c(0), p])) }
}

function transpose(k: Builder, [m]: readonly WgslValue[], name: string): WgslValue {
  const type = matrixOf(k, m!, name)
  const parts = Array.from({ length: type.rows }, (_, r) =>
    Array.from({ length: type.columns }, (_, c) => m!.parts[c * type.rows + r]!),
  )
  return { type: matrix(type.rows, type.columns, type.element), parts: parts.flat() }
}

function matrixOf(k: Builder, m: WgslValue, name: string): MatrixType {
  return m.type.kind === 'matrix'
    ? m.type
    : fail('wgsl.type', `${name}() takes a matrix, not ${wgslTypeText(m.type)}`, k.at)
}

function squareOf(k: Builder, m: WgslValue, name: string): { element: ScalarName } {
  const type = matrixOf(k, m, name)
  if (type.rows !== type.columns) fail('wgsl.type', `${name}() takes a square matrix, not ${wgslTypeText(type)}`, k.at)
  return { element: concreteName(type.element) }
}

const rowsOf = (m: WgslValue): (readonly Operand[])[] => {
  const type = m.type as MatrixType // the caller has checked
  return Array.from({ length: type.columns }, (_, i) => column({ ...m, type }, i).parts)
}

/** By the first row's minors. */
function determinant(k: Builder, rows: readonly (readonly Operand[])[]): Operand {
  if (rows.length === 1) return rows[0]![0]!
  const terms = rows[0]!.map((x, i) =>
    k.apply('mul', [
      x,
      determinant(
        k,
        rows.slice(1).map((r) => r.filter((_, j) => j !== i)),
      ),
    ]),
  )
  return terms.reduce((sum, t, i) => k.apply(i % 2 === 1 ? 'sub' : 'add', [sum, t]))
}

const logic: Record<string, BuiltinRow> = {
  all: {
    arity: 1,
    make: (k, [a], name) =>
      scalarValue(
        'bool',
        boolParts(k, a!, name).reduce((x, y) => k.apply('land', [x, y])),
      ),
  },
  any: {
    arity: 1,
    make: (k, [a], name) =>
      scalarValue(
        'bool',
        boolParts(k, a!, name).reduce((x, y) => k.apply('lor', [x, y])),
      ),
  },
  select: { arity: 3, make: select },
}

function boolParts(k: Builder, a: WgslValue, name: string): readonly Operand[] {
  return numericName(a, `${name}()`, k.at) === 'bool'
    ? a.parts
    : fail('wgsl.type', `${name}() takes bools, not ${wgslTypeText(a.type)}`, k.at)
}

/** select(false value, true value, condition), by component when the condition is a vector. */
function select(k: Builder, [no, yes, condition]: readonly WgslValue[]): WgslValue {
  const { a, b } = unify(k, no!, yes!, 'select()')
  const [f, t] = condition!.parts.every((p) => p.kind === 'const') ? [a, b] : [concretize(k, a), concretize(k, b)]
  const conditions = spread(condition!, f.parts.length)
  if (conditions.some((c) => c.type !== 'bool'))
    fail('wgsl.type', `select() chooses by bool, not ${wgslTypeText(condition!.type)}`, k.at)
  return { type: f.type, parts: f.parts.map((p, i) => k.apply('select', [conditions[i]!, t.parts[i]!, p])) }
}

const rows: Record<string, BuiltinRow> = { ...numeric, ...geometry, ...logic, ...bitFunctions, ...packFunctions }

/** Calls the built-in function `name`; undefined when it is not one of these. Throws `wgsl.type` on wrong arguments. */
export function callPure(k: Builder, name: string, args: readonly WgslValue[]): WgslValue | undefined {
  if (!Object.hasOwn(rows, name)) return undefined
  const row = rows[name]!
  if (args.length !== row.arity)
    fail('wgsl.type', `${name}() takes ${row.arity} argument${row.arity === 1 ? '' : 's'}, not ${args.length}`, k.at)
  if (args.some((a) => a.pointer !== undefined || a.parts.length === 0))
    fail(
      'wgsl.type',
      `${name}() cannot take ${wgslTypeText(args.find((a) => a.parts.length === 0 || a.pointer)!.type)}`,
      k.at,
    )
  return row.make(k, args, name)
}

/** `bitcast<to>(value)`: equal widths bit for bit; vec2<f16> to and from 32 bits. */
export function bitcast(k: Builder, value: WgslValue, to: ScalarName, size: number): WgslValue {
  const from = concretize(k, value)
  const name = numericName(from, 'bitcast', k.at)
  const refuse = (): never =>
    fail(
      'wgsl.type',
      `bitcast from ${wgslTypeText(from.type)} to ${wgslTypeText(size === 1 ? scalar(to) : vectorType(size, to))}: ` +
        `the sizes differ`,
      k.at,
    )
  if (name === 'bool' || isAbstract(to) || to === 'bool') return refuse()
  const [fromBytes, toBytes] = [bytesOfWgsl(scalar(name)), bytesOfWgsl(scalar(to))]
  if (fromBytes * from.parts.length !== toBytes * size) return refuse()
  if (fromBytes === toBytes)
    return vectorValue(
      to,
      from.parts.map((p) => (p.type === to ? p : k.apply('bitcast', [p], registerOf(to)))),
    )
  return vectorValue(to, toBytes === 4 ? joinHalves(k, from.parts, to) : from.parts.flatMap((p) => splitHalves(k, p)))
}

function joinHalves(k: Builder, parts: readonly Operand[], to: ScalarName): Operand[] {
  return Array.from({ length: parts.length / 2 }, (_, i) => {
    const word = k.apply('or', [
      packHalf(k, parts[2 * i]!),
      k.apply('shl', [packHalf(k, parts[2 * i + 1]!), constOf('u32', 16)]),
    ])
    return to === 'u32' ? word : k.apply('bitcast', [word], registerOf(to))
  })
}

function splitHalves(k: Builder, p: Operand): Operand[] {
  const word = p.type === 'u32' ? p : k.apply('bitcast', [p], 'u32')
  return [
    unpackHalf(k, k.apply('and', [word, constOf('u32', 0xffff)])),
    unpackHalf(k, k.apply('shr', [word, constOf('u32', 16)])),
  ].map((f) => k.apply('convert', [f], 'f16'))
}
