// Matrix products of any shape: α·A·B + β·C + bias through an activation. Transposed factors are read as they lie;
// batches, vectors and products with few tiles and a long k have plans of their own. What comes after the sum is fused
// into the store.
import { activated, type Activation } from '../fusion/activation.ts'
import type { Core } from '../device/core.ts'
import type { Memory } from '../device/memory.ts'
import type { Cost, Work } from '../device/prepared-launches.ts'
import { checkFlags, checkNumber, checkOptions } from '../checks.ts'
import { refuse } from '../error.ts'
import { broadcast, fusedText, operandBytes, stridesOf, type Fused, type Operands } from '../fusion/hooks.ts'
import { recipe } from '../made/matmul.made.js'
import { resultOf, type ResultOptions } from '../result.ts'
import { addSlices, checkOperands, crop, gather, mapInto, padded } from '../map/map.ts'
import {
  blank,
  checkTensors,
  elements,
  kindOf,
  Tensor,
  typeFor,
  type DType,
  type Product,
  type Shape,
} from '../tensor.ts'
import { choices, extentsFor, type LayoutName, type TileName } from './choose.ts'
import { units, type Problem } from './problem.ts'

export interface MatmulOptions extends ResultOptions {
  /**
   * The last two axes of the first (second) factor are [k, m] ([n, k]): read as they lie, or turned by the library
   * where that is faster.
   */
  readonly transposeA?: boolean
  readonly transposeB?: boolean
  /** Factor of the product; 1 when absent. */
  readonly alpha?: number
  /** `beta · c` is added; c broadcasts to the result. beta is 1 when absent. */
  readonly c?: Tensor
  readonly beta?: number
  /** Added to every row: [n], or anything that broadcasts to the result. */
  readonly bias?: Tensor
  readonly activation?: Activation
  /** What the expression names besides `x`: numbers, and tensors that broadcast to the result. */
  readonly operands?: Operands
}

/**
 * The product of the last two axes, [m, k] · [k, n]; axes before them are batches and broadcast. f32; f16 where both
 * factors are, added up in f32. `out` may be `c` (or an operand of the result's shape): α·A·B + β·C in place.
 */
export function matmul<A extends DType, B extends DType>(
  core: Core,
  a: Tensor<A>,
  b: Tensor<B>,
  options: MatmulOptions = {},
): Tensor<Product<A, B>> {
  return product(core, a, b, options) as Tensor<Product<A, B>> // as typeFor says
}

function product(core: Core, a: Tensor, b: Tensor, options: MatmulOptions): Tensor<'f32' | 'f16'> {
  checkArguments(core, a, b, options)
  const operands = operandsOf(options),
    others = Object.values(operands).filter((t) => t instanceof Tensor)
  const ta = options.transposeA ?? false,
    tb = options.transposeB ?? false
  const { m, n, k } = check(a, b, ta, tb)
  const batches = broadcast([a.shape.slice(0, -2), b.shape.slice(0, -2)])
  const shape = [...batches, m, n]
  const text = ending(options)
  const large = others.find((t) => broadcast([shape, t.shape]).join() !== shape.join())
  if (large)
    refuse(
      'tensor.broadcast',
      `an operand of shape [${large.shape.join(', ')}] does not broadcast to the product's, [${shape.join(', ')}]`,
    )
  const dtype = typeFor([a, b]),
    inputs = {
      ...Object.fromEntries(Object.entries(operands).filter(isTensor)),
      'the first factor': a,
      'the second factor': b,
    }
  const isInPlace = (name: string, t: Tensor): boolean => name in operands && t.shape.join() === shape.join()
  return resultOf(core, 'matmul', options.out, { shape, dtype, inputs, isInPlace }, (to) => {
    // refuses what is wrong before anything is made
    const fused = text === 'x' ? null : fusedText(text, operands, shape, 'C', 'x', 'f32', to && { memory: to.memory })
    if (k === 0 && elements(shape) > 0) return mapInto(core, text.replace(/\bx\b/g, '0'), operands, shape, dtype, to)
    const end = (array: string): Fused | null => fused && { ...fused, hook: { ...fused.hook, array } }
    const count = elements(batches),
      joins = !ta && elements(b.shape) === k * n // rows of all batches are rows of one product
    const left = expanded(a, batches),
      right = joins ? b : expanded(b, batches)
    const out = to ?? blank(core, shape, dtype)
    const p: Problem = {
      core,
      a: left,
      b: right,
      ta,
      tb,
      batch: joins ? 1 : count,
      m: joins ? m * count : m,
      n,
      k,
      shape,
      out,
      end,
    }
    if (elements(shape) > 0) multiply(p)
    for (const copy of [left, right]) if (copy !== a && copy !== b) copy.dispose()
    return out
  })
}

const isTensor = (e: [string, Tensor | number]): e is [string, Tensor] => e[1] instanceof Tensor

const optionNames = [
  'transposeA',
  'transposeB',
  'alpha',
  'c',
  'beta',
  'bias',
  'activation',
  'operands',
  'out',
] satisfies readonly (keyof MatmulOptions)[]

function checkArguments(core: Core, a: Tensor, b: Tensor, options: MatmulOptions): void {
  checkTensors(core, 'matmul', { a, b })
  checkOptions('matmul', options, optionNames)
  const { transposeA, transposeB, alpha, beta, c, bias, operands } = options
  checkFlags('matmul', { transposeA, transposeB })
  checkNumber('matmul', 'alpha', alpha)
  checkNumber('matmul', 'beta', beta)
  checkTensors(core, 'matmul', { ...(c !== undefined && { c }), ...(bias !== undefined && { bias }) })
  if (operands !== undefined) checkOperands(core, 'matmul', operands)
}

function check(
  a: Tensor,
  b: Tensor,
  ta: boolean,
  tb: boolean,
): { readonly m: number; readonly n: number; readonly k: number } {
  for (const [name, t] of [
    ['first', a],
    ['second', b],
  ] as const) {
    if (kindOf(t.dtype) !== 'f32')
      refuse('tensor.dtype', `matmul multiplies f32 and f16, and its ${name} factor is ${t.dtype}`)
    if (t.shape.length < 2)
      refuse(
        'matmul.shape',
        `the ${name} factor of matmul has the shape [${t.shape.join(', ')}]; it needs two axes`,
        'reshape a vector to [1, k] or [k, 1]',
      )
  }
  const [ra = 0, ca = 0] = a.shape.slice(-2),
    [rb = 0, cb = 0] = b.shape.slice(-2)
  const [m, k, inner, n] = [ta ? ca : ra, ta ? ra : ca, tb ? cb : rb, tb ? rb : cb]
  if (k !== inner)
    refuse(
      'matmul.shape',
      `matmul of [${a.shape.join(', ')}]${ta ? ' transposed' : ''} and ` +
        `[${b.shape.join(', ')}]${tb ? ' transposed' : ''}: the inner extents ${k} and ${inner} differ`,
    )
  return { m, n, k }
}

/** The factor with all batches; a copy where it broadcasts. */
function expanded(t: Tensor, batches: Shape): Tensor {
  const full = [...batches, ...t.shape.slice(-2)]
  return elements(full) === t.length ? t : gather(t, full, stridesOf(t.shape, full))
}

/** What is done with an element `x` of the product, as an expression. */
function ending({ alpha = 1, beta = 1, c, bias, activation = 'none', operands = {} }: MatmulOptions): string {
  const product = alpha === 1 ? 'x' : 'alpha * x'
  const addend = beta === 1 ? ' + c' : ' + beta * c'
  const sum = `${product}${c ? addend : ''}${bias ? ' + bias' : ''}`
  return activated(activation, sum, ['alpha', 'beta', 'c', 'bias', ...Object.keys(operands)])
}

function operandsOf({ alpha = 1, beta = 1, c, bias, operands = {} }: MatmulOptions): Operands {
  const taken = Object.keys(operands).find((name) => ['x', 'alpha', 'beta', 'c', 'bias'].includes(name))
  if (taken !== undefined)
    refuse('matmul.operands', `'${taken}' is matmul's own name in an activation`, 'give the operand another one')
  return { ...operands, alpha, beta, ...(c && { c }), ...(bias && { bias }) }
}

/** Records the product; every extent is at least 1. */
export function multiply(p: Problem): void {
  if (p.n === 1 || p.m === 1) {
    withVector(p)
    return
  }
  if (units.get(p.core)?.multiply(p)) return
  const { core, m, n, k, batch } = p
  const layout: LayoutName = `${p.ta ? 't' : 'n'}${p.tb ? 't' : 'n'}`,
    family = batch === 1 ? 'split' : 'batch',
    e = { m, n, k, batch, layout }
  const plan = (tile: TileName, as: string): string => `${tile === 'small' ? 'batch' : family}-${as}-${tile}`
  const fits = (tile: TileName, splits: number): boolean => {
    const x = extentsFor(tile, e)
    return core.fits(recipe, plan(tile, x.layout), sizesOf({ ...x, batch }, splits))
  }
  const even = m % 64 === 0 && n % 64 === 0 && k % 16 === 0
  const [name, splits] = core
    .pick(
      `${family}${even ? '' : ' odd'} ${layout}`,
      [m, n, k, batch],
      core.once([layout, m, n, k, batch].join(), () => [...choices(core.tuning, e, fits)].slice(0, 12)),
    )
    .split('/')
  const tile = name as TileName // of a `Choice`
  const x = extentsFor(tile, e),
    same = x.m === m && x.n === n && x.k === k
  if (tile === 'small' || (!same && batch * m * n * k <= 1 << 18))
    sliced(p, 1, { module: 'matmul', recipe, plan: plan('small', layout) })
  else
    inVectors(p, x, (q) =>
      turned(q, x.layout, (r) => sliced(r, Number(splits), { module: 'matmul', recipe, plan: plan(tile, x.layout) })),
    )
}

/** Runs the product on factors stored as `layout` says, copied where they are not. */
function turned(p: Problem, layout: LayoutName, run: (q: Problem) => void): void {
  const [ta, tb] = [layout[0] === 't', layout[1] === 't']
  const a = ta === p.ta ? p.a : turn(p.a, p.batch, p.ta ? [p.k, p.m] : [p.m, p.k])
  const b = tb === p.tb ? p.b : turn(p.b, p.batch, p.tb ? [p.n, p.k] : [p.k, p.n])
  run({ ...p, a, b, ta, tb })
  for (const copy of [a, b]) if (copy !== p.a && copy !== p.b) copy.dispose()
}

/** Matrices [b, n, m] as [b, m, n]. */
function turn(x: Tensor, b: number, [n, m]: readonly [number, number]): Tensor<'f32'> {
  const out = blank(x.core, [b, m, n], 'f32')
  x.core.record({
    module: 'matmul',
    recipe,
    plan: 'turn',
    sizes: { b, n, m },
    arrays: { x: x.memory, y: out.memory },
    cost: { bytes: 8 * b * n * m, flop: 0 },
  })
  return out
}

export const sizesOf = (
  p: Pick<Problem, 'batch' | 'm' | 'n' | 'k'>,
  splits: number,
): Readonly<Record<string, number>> => ({ splits, batch: p.batch, n: p.m, m: p.n, p: p.k / splits })

/**
 * Runs the product with extents that vectors divide: where they do not, on copies with zeros around, and cut out again.
 */
export function inVectors(
  p: Problem,
  { m, n, k }: { readonly m: number; readonly n: number; readonly k: number },
  run: (q: Problem) => void,
): void {
  const [a, b] = [
    fitted(p.a, p.batch, p.ta ? [p.k, p.m] : [p.m, p.k], p.ta ? [k, m] : [m, k]),
    fitted(p.b, p.batch, p.tb ? [p.n, p.k] : [p.k, p.n], p.tb ? [n, k] : [k, n]),
  ]
  if (m === p.m && n === p.n) run({ ...p, a, b, k })
  else {
    const larger = blank(p.core, [p.batch, m, n], 'f32')
    run({ ...p, a, b, m, n, k, out: larger, end: () => null })
    crop(larger, p.out, [m, n], [p.m, p.n], p.end('y'))
    larger.dispose()
  }
  for (const copy of [a, b]) if (copy !== p.a && copy !== p.b) copy.dispose()
}

const fitted = (t: Tensor, batch: number, from: readonly [number, number], to: readonly [number, number]): Tensor =>
  from[0] === to[0] && from[1] === to[1] ? t : padded(t, batch, from, to)

/** Records the product in slices along k by a plan, and the sum of several. */
export function sliced(
  p: Problem,
  splits: number,
  { arrays, ...work }: Pick<Work, 'module' | 'recipe' | 'plan'> & Partial<Pick<Work, 'arrays'>>,
): void {
  const { core, a, b, m, n, out } = p
  const to = (C: Memory, end: Fused | null): void =>
    core.record({
      ...work,
      sizes: sizesOf(p, splits),
      arrays: { A: a.memory, B: b.memory, C, ...arrays },
      cost: costOf(p, end),
      ...fusing(end),
    })
  if (splits === 1) {
    to(out.memory, p.end('C'))
    return
  }
  const partial = blank(core, [splits, m, n], 'f32')
  to(partial.memory, null)
  addSlices(partial, out, splits, p.end('y'))
  partial.dispose()
}

const fusing = (end: Fused | null): Pick<Work, 'hooks' | 'hookKey'> =>
  end ? { hooks: [end.hook], hookKey: end.key } : {}

const costOf = (p: Problem, end: Fused | null): Cost =>
  p.cost ?? {
    bytes: p.a.bytes + p.b.bytes + 4 * p.batch * p.m * p.n + (end ? operandBytes(end) : 0),
    flop: 2 * p.batch * p.m * p.n * p.k,
  }

/** One of the sides is a vector: every element of the matrix is used once. */
function withVector(p: Problem): void {
  const right = p.n === 1
  const [matrix, vector, n] = right ? [p.a, p.b, p.m] : [p.b, p.a, p.n]
  const alongRows = right ? !p.ta : p.tb
  const kind = alongRows ? 'rows' : 'columns',
    long = alongRows ? p.k >= 1024 : p.batch * Math.ceil(n / 256) < 264 && p.k >= 256
  const sizes = { b: p.batch, n, p: p.k },
    short = `${kind}-short`
  const plan = p.core.pick(
    `vector ${kind}`,
    [p.batch * n, p.k],
    p.core.once([kind, p.batch, n, p.k].join(), () => {
      const one = p.k <= 16 * n ? ['columns-one', kind] : [kind, 'columns-one'] // else it has too few blocks
      const some = (alongRows ? [kind] : one).filter((name) => p.core.fits(recipe, name, sizes))
      return long ? [...some, short] : [short, ...some]
    }),
    short,
  )
  const end = p.end('y')
  p.core.record({
    module: 'matmul',
    recipe,
    plan,
    sizes,
    arrays: { A: matrix.memory, x: vector.memory, y: p.out.memory },
    cost: costOf(p, end),
    ...fusing(end),
  })
}
