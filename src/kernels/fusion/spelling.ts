// In: the tree of an expression, and the type it is computed in. Out: its WGSL for vectors of a width, and the helper
// functions that it calls. The one idea: WGSL leaves open what functions make of a NaN (SwiftShader's `exp` makes 0),
// and has no `pow` of negative numbers and no `erf`; what NumPy says of them is spelt with tests on bits, which no
// compiler may assume away.
import type { Tree } from './expression.ts'

/** What expressions are computed in. */
export type ElementKind = 'f32' | 'i32' | 'u32'

/** `vec4<f32>`, or `f32` alone. */
export const vectorOf = (kind: string, width: number): string => (width === 1 ? kind : `vec${width}<${kind}>`)

/** How helper functions of a hook are called: by width, and by the array that is hooked. */
const calledFor = (name: string, width: number, of: string): string => `${name}${width}_${of}`

/** A helper function: arguments, and its body for values of the type `v` (`u`: unsigned ones as wide). */
interface Helper {
  readonly args: string
  readonly body: (v: string, u: string, nan: string) => string
}

/** Coefficients of t⁰, t¹, … as nested products. */
const horner = (v: string, t: string, coefficients: readonly number[]): string =>
  coefficients.reduceRight((sum, c) => (sum ? `fma(${sum}, ${t}, ${v}(${c}f))` : `${v}(${c}f)`), '')

/** Least squares on Chebyshev's nodes: erf(x) ÷ x in x² up to 1, and log(1 − erf(x)) in x from 1 to 4; within 6e-8. */
const erfNear = [
  1.1283791665931555, -0.3761262987769167, 0.11283625725311056, -0.026855399461921517, 0.005191218396026022,
  -0.0008034846810865754, 7.933494406680431e-5,
]
const erfFar = [
  -0.0007569686271660103, -1.1259259493176452, -0.6390933195088834, -0.10331898002811177, 0.022621985921835428,
  -0.0034368675970796693, 0.00031757203449810415, -1.3309390384296874e-5,
]

/** A function of one number, NaN of NaN. */
const unary = (text: (v: string) => string): Helper => ({
  args: 'x',
  body: (v, _u, nan) => `select(${text(v)}, x, ${nan}(x))`,
})

const plain = 'ceil floor round sign sqrt trunc exp exp2 sin cos tan asin acos atan sinh cosh'.split(' ')

/** WGSL's logarithms are of positive numbers: −∞ of 0, NaN of less. */
const logarithm = (name: string): Helper => ({
  args: 'x',
  body: (v, u, nan) => {
    const isZero = `bitcast<${u}>(x) <= ${u}(0x80000000)`
    const none = `bitcast<${v}>(select(${u}(0xffc00000), ${u}(0xff800000), ${isZero}))`
    return `select(select(${name}(x), ${none}, x <= ${v}()), x, ${nan}(x))`
  },
})

const helpers: Readonly<Record<string, Helper>> = {
  nan: { args: 'x', body: (_v, u) => `(bitcast<${u}>(x) & ${u}(0x7fffffff)) > ${u}(0x7f800000)` },
  min: { args: 'x y', body: (_v, _u, nan) => `select(select(min(x, y), y, ${nan}(y)), x, ${nan}(x))` },
  max: { args: 'x y', body: (_v, _u, nan) => `select(select(max(x, y), y, ${nan}(y)), x, ${nan}(x))` },
  ...Object.fromEntries(plain.map((name) => [name, unary(() => `${name}(x)`)])),
  log: logarithm('log'),
  log2: logarithm('log2'),
  // Of ±0 the angle is 0 or π, by the sign of the other, with its own sign, which WGSL leaves open.
  atan2: {
    args: 'x y',
    body: (v, u, nan) => {
      const flat = `select(x, bitcast<${v}>(bitcast<${u}>(x) | ${u}(0x40490fdb)), bitcast<${u}>(y) > ${u}(0x7fffffff))`
      const angle = `select(atan2(x, y), ${flat}, x == ${v}())`
      return `select(select(${angle}, y, ${nan}(y)), x, ${nan}(x))`
    },
  },
  // Beyond ±10 it is ±1 in f32; some devices give NaN for large arguments.
  tanh: unary((v) => `tanh(clamp(x, ${v}(-10.0), ${v}(10.0)))`),
  sigmoid: unary((v) => `${v}(1.0) / (${v}(1.0) + exp(-x))`),
  erf: unary((v) => {
    const far = horner(v, `min(abs(x), ${v}(4.0))`, erfFar),
      near = horner(v, `min(x * x, ${v}(1.0))`, erfNear)
    return `select(sign(x) * (${v}(1.0) - exp(${far})), x * ${near}, abs(x) < ${v}(1.0))`
  }),
  // WGSL's is of positive numbers.
  pow: {
    args: 'x y',
    body: (v, u, nan) => {
      const none = `bitcast<${v}>(bitcast<${u}>(y) | ${u}(0x7fc00000))`
      const negative = `select(pow(abs(x), y) * (1 - 2 * abs(y % 2)), ${none}, y != trunc(y))`
      const ofZero = `${v}(1) / select(abs(x), x, abs(y % 2) == ${v}(1))`
      const positive = `select(pow(abs(x), y), ${ofZero}, (x == ${v}()) & (y < ${v}()))`
      const number = `select(select(${positive}, ${negative}, x < ${v}()), ${v}(1), y == ${v}())`
      return `select(select(${number}, y, ${nan}(y) & (x != ${v}(1))), x, ${nan}(x) & (y != ${v}()))`
    },
  },
}

/** Of integers: what is divided by 0 is 0, as in NumPy. */
const wholeHelpers: Readonly<Record<string, Helper>> = {
  div: { args: 'x y', body: (v) => `select(x / select(y, ${v}(1), y == ${v}()), ${v}(), y == ${v}())` },
  rem: { args: 'x y', body: (v) => `select(x % select(y, ${v}(1), y == ${v}()), ${v}(), y == ${v}())` },
}

/** The text of helper functions for these widths; `names` as `helpersIn` gives them. */
export function helperText(names: readonly string[], kind: ElementKind, widths: readonly number[], of: string): string {
  return widths.flatMap((width) => names.map((name) => helper(name, kind, width, of))).join('')
}

function helper(name: string, kind: ElementKind, width: number, of: string): string {
  const { args, body } = (kind === 'f32' ? helpers : wholeHelpers)[name]! // named by `helpersIn`
  const v = vectorOf(kind, width),
    result = name === 'nan' ? vectorOf('bool', width) : v
  const given = args.split(' ').map((x) => `${x}: ${v}`)
  const text = body(v, vectorOf('u32', width), calledFor('nan', width, of))
  return `fn ${calledFor(name, width, of)}(${given.join(', ')}) -> ${result} {\n  return ${text};\n}\n`
}

/** Which helper functions an expression calls, those that others call first. */
export function helpersIn(tree: Tree, kind: ElementKind): readonly string[] {
  const used = new Set<string>()
  const visit = (t: Tree): void => {
    if (t.kind === 'call') for (const name of t.name === 'clamp' ? ['min', 'max'] : [t.name]) used.add(name)
    if (t.kind === 'binary' && t.op === '/') used.add('div')
    if (t.kind === 'binary' && t.op === '%') used.add('rem')
    for (const inner of partsOf(t)) visit(inner)
  }
  visit(tree)
  const called = Object.keys(kind === 'f32' ? helpers : wholeHelpers).filter((name) => used.has(name))
  return kind === 'f32' && called.length > 0 ? ['nan', ...called] : called
}

function partsOf(t: Tree): readonly Tree[] {
  switch (t.kind) {
    case 'number':
    case 'name':
      return []
    case 'unary':
    case 'value':
      return [t.arg]
    case 'binary':
      return [t.left, t.right]
    case 'choose':
      return [t.condition, t.then, t.else]
    case 'call':
      return t.args
  }
}

export interface HookSpelling {
  readonly kind: ElementKind
  readonly width: number
  /** The hooked array. */
  readonly of: string
  /** The text of a name. */
  readonly nameOf: (name: string) => string
}

/** The expression in WGSL. */
export function wgslOf(t: Tree, s: HookSpelling): string {
  const { kind, width, of, nameOf } = s
  const v = vectorOf(kind, width),
    print = (x: Tree): string => wgslOf(x, s)
  const call = (name: string, ...args: readonly string[]): string => `${calledFor(name, width, of)}(${args.join(', ')})`
  switch (t.kind) {
    case 'number':
      return `${v}(${kind === 'f32' ? `${Math.fround(t.value)}f` : `${t.value}${kind[0]}`})`
    case 'name':
      return nameOf(t.name)
    case 'unary':
      return `${t.op}(${print(t.arg)})`
    case 'value':
      return `select(${v}(), ${v}(1), ${print(t.arg)})`
    case 'binary':
      if (kind !== 'f32' && (t.op === '/' || t.op === '%'))
        return call(t.op === '/' ? 'div' : 'rem', print(t.left), print(t.right))
      // a NaN is unlike itself, which the `!=` of some devices does not say
      if (kind === 'f32' && t.op === '!=') return `!(${print(t.left)} == ${print(t.right)})`
      return `(${print(t.left)} ${/[&|]/.test(t.op) ? t.op[0] : t.op} ${print(t.right)})`
    case 'choose':
      return `select(${print(t.else)}, ${print(t.then)}, ${print(t.condition)})`
    case 'call':
      return called(t.name, t.args.map(print), kind, v, call)
  }
}

function called(
  name: string,
  args: readonly string[],
  kind: ElementKind,
  v: string,
  call: (name: string, ...args: readonly string[]) => string,
): string {
  const [x = '', low = '', high = ''] = args
  if (kind === 'u32' && name === 'sign') return `min(${x}, ${v}(1))`
  if (kind === 'f32' && name === 'clamp') return call('min', call('max', x, low), high)
  return kind === 'f32' && name in helpers ? call(name, ...args) : `${name}(${args.join(', ')})`
}

/** Functions that integers have. */
const wholeFunctions: readonly string[] = ['abs', 'sign', 'min', 'max', 'clamp']

/** Whether a type of integers has the number. */
export const fits = (value: number, kind: ElementKind): boolean =>
  Number.isInteger(value) && (kind === 'i32' ? value === (value | 0) : value === value >>> 0)

/** Why an expression cannot be computed in integers; `null` when it can. */
export function notWhole(t: Tree, kind: ElementKind): string | null {
  if (t.kind === 'number' && !fits(t.value, kind)) return `${t.value} is no number of ${kind}`
  if (t.kind === 'call' && !wholeFunctions.includes(t.name)) return `${t.name} is computed in f32`
  if (t.kind === 'unary' && t.op === '-' && kind === 'u32') return 'u32 has no negative numbers'
  return partsOf(t).reduce<string | null>((found, inner) => found ?? notWhole(inner, kind), null)
}
