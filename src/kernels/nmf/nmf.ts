// Nonnegative matrix factorisation by multiplicative updates: V ≈ W · H, all of them ≥ 0. The one idea: an update is
// products and one fused expression, W ← W ∘ above ÷ below; what is shared by a step (H Hᵀ, sums of rows) is made once.
//
// Frobenius and Kullback–Leibler: D. Lee, S. Seung, Algorithms for Non-negative Matrix Factorization, NIPS 13 (2000),
// theorems 1 and 2. With labels: H. Lee, J. Yoo, S. Choi, Semi-Supervised Nonnegative Matrix Factorization, IEEE Signal
// Processing Letters 17 (2010): the factors of the data also explain the labels, ‖V − W H‖² + λ ‖Y − B H‖² with one H.
import { random, type Random } from '../../base/index.ts'
import type { Core } from '../device/core.ts'
import { checkOptions, checkWord, described } from '../checks.ts'
import { refuse } from '../error.ts'
import { map } from '../map/map.ts'
import { matmul, type MatmulOptions } from '../matmul/matmul.ts'
import { units, type Updates } from '../matmul/problem.ts'
import { mean, sum } from '../reduce/sum.ts'
import { checkTensors, tensor, type Tensor } from '../tensor.ts'
import { transpose } from '../transpose/transpose.ts'
import { canDivide, canUpdate, divided, epsilon, updated } from './update.ts'

export interface NmfOptions {
  /** Columns of W and rows of H, from 1. */
  readonly rank: number
  /** Updates of both factors; 200 when absent. */
  readonly iterations?: number
  /**
   * What is made small; `frobenius` when absent: the sum of squared differences, or v · log(v ÷ wh) − v + wh summed.
   */
  readonly loss?: 'frobenius' | 'kullback-leibler'
  /** Where to start: [m, rank] and [rank, n], all ≥ 0. Random from `seed` when absent, scaled to the mean of V. */
  readonly w?: Tensor<'f32'>
  readonly h?: Tensor<'f32'>
  /** An integer; 1 when absent. */
  readonly seed?: number
  /**
   * Classes of the columns: [classes, n], 1 where a column has the class, 0 elsewhere; a column of zeros has none.
   * Frobenius only.
   */
  readonly labels?: Tensor<'f32'>
  /** Weight λ of the labels; 1 when absent. */
  readonly weight?: number
}

/** What `nmf` found: tensors of their own. */
export class Factors {
  readonly core: Core
  /** [m, rank] */
  readonly w: Tensor<'f32'>
  /** [rank, n] */
  readonly h: Tensor<'f32'>
  /** [classes, rank] where there were labels: class scores of a column are `classes · h`. */
  readonly classes: Tensor<'f32'> | null

  constructor(core: Core, w: Tensor<'f32'>, h: Tensor<'f32'>, classes: Tensor<'f32'> | null) {
    this.core = core
    this.w = w
    this.h = h
    this.classes = classes
  }

  /** H [rank, n] of other columns V [m, n]; W stays as it was found. */
  encode(v: Tensor<'f32'>, options: EncodeOptions = {}): Tensor<'f32'> {
    checkTensors(this.core, 'encode', { v })
    checkOptions('encode', options, ['iterations', 'loss', 'seed', 'h'])
    const { core, w } = this
    const { iterations = 200, loss = 'frobenius' } = options
    const rank = w.shape[1]!
    const [, n] = check(core, v, { ...options, rank, w })
    let h = start(core, v, [rank, n], options.h, rank, random(options.seed ?? 1))
    if (loss === 'frobenius') return encoded(core, v, w, h, iterations)
    for (let i = 0; i < iterations; i++) h = step(h, (own) => kullbackH(core, v, w, h, own))
    return h
  }

  /**
   * Scores [classes, n] of columns V: the class of a column is the one with the greatest. Throws when there were no
   * labels.
   */
  scores(v: Tensor<'f32'>, options: Omit<EncodeOptions, 'loss'> = {}): Tensor<'f32'> {
    if (!this.classes)
      return refuse('nmf.classes', 'these factors were made without labels', 'give nmf the labels of the columns')
    const h = this.encode(v, options)
    const scores = matmul(this.core, this.classes, h)
    h.dispose()
    return scores
  }

  dispose(): void {
    for (const t of [this.w, this.h, this.classes]) t?.dispose()
  }

  [Symbol.dispose](): void {
    this.dispose()
  }
}

export type EncodeOptions = Pick<NmfOptions, 'iterations' | 'loss' | 'seed' | 'h'>

/**
 * V [m, n] ≈ W · H after `iterations` updates of W (and the classes), then H, the order of scikit-learn's `mu` solver.
 * Recorded at once; nothing waits. Throws a `TeselaError` for shapes and types that do not fit; that V is ≥ 0 is the
 * caller's word.
 */
export function nmf(core: Core, v: Tensor<'f32'>, options: NmfOptions): Factors {
  checkTensors(core, 'nmf', { v })
  checkOptions('nmf', options, ['rank', 'iterations', 'loss', 'w', 'h', 'seed', 'labels', 'weight'])
  const { rank, iterations = 200, loss = 'frobenius', weight = 1, labels } = options
  const [m, n] = check(core, v, options)
  const stream = random(options.seed ?? 1)
  let w = start(core, v, [m, rank], options.w, rank, stream),
    h = start(core, v, [rank, n], options.h, rank, stream)
  const faster =
    loss === 'frobenius' && !labels && iterations > 0 && [m, n].every((p) => canDivide(core, rank, p))
      ? units.get(core)?.updates(v, rank)
      : null
  if (faster) return onUnits(core, faster, w, h, iterations)
  if (
    loss === 'frobenius' &&
    !labels &&
    iterations >= fewest &&
    [
      { p: m, n, r: rank },
      { p: n, n: m, r: rank },
    ].every((e) => canUpdate(core, e))
  )
    return inTurns(core, v, w, h, iterations)
  let classes = labels ? start(core, labels, [labels.shape[0]!, rank], undefined, rank, stream) : null
  for (let i = 0; i < iterations; i++) {
    w = step(w, (own) => (loss === 'frobenius' ? squaresW(core, v, w, h, own) : kullbackW(core, v, w, h, own)))
    // just seen
    const b = labels && classes && (classes = step(classes, (own) => squaresW(core, labels, classes!, h, own)))
    h = step(h, (own) =>
      loss === 'frobenius'
        ? squaresH(core, v, w, h, labels && b ? { y: labels, b, weight } : null, own)
        : kullbackH(core, v, w, h, own),
    )
  }
  return new Factors(core, w, h, classes)
}

/** H after updates with one W: Wᵀ V and Wᵀ W stay what they are, and an update is the product that divides. */
function encoded(core: Core, v: Tensor, w: Tensor, h: Tensor<'f32'>, iterations: number): Tensor<'f32'> {
  if (iterations === 0) return h
  const above = matmul(core, w, v, { transposeA: true }),
    square = matmul(core, w, w, { transposeA: true })
  for (let i = 0; i < iterations; i++)
    h = step(h, () =>
      matmul(core, square, h, { activation: `old * above / (x == 0 ? ${epsilon} : x)`, operands: { old: h, above } }),
    )
  for (const t of [above, square]) t.dispose()
  return h
}

/** So many iterations make up for a copy of V. */
const fewest = 8

/**
 * The sum of squares, with a copy of V that is turned, and of each factor turned for the other one's update: sums run
 * along rows of all of them.
 */
function inTurns(core: Core, v: Tensor<'f32'>, w: Tensor<'f32'>, h: Tensor<'f32'>, iterations: number): Factors {
  const columns = transpose(core, v)
  let turnedW = transpose(core, w)
  for (let i = 0; i < iterations; i++) {
    turnedW = step(turnedW, (own) => updated(core, columns, own(transpose(core, h)), turnedW))
    w = step(w, () => transpose(core, turnedW))
    h = step(h, () => updated(core, v, w, h))
  }
  for (const t of [columns, turnedW]) t.dispose()
  return new Factors(core, w, h, null)
}

/**
 * The sum of squares where matrix units make the products with V: both factors have their sums along rows, and V is
 * read either way.
 */
function onUnits(core: Core, updates: Updates, w: Tensor<'f32'>, h: Tensor<'f32'>, iterations: number): Factors {
  let turnedW = step(w, () => transpose(core, w))
  const next = (old: Tensor<'f32'>, other: Tensor, tb: boolean): Tensor<'f32'> => {
    const { above, square } = updates.with(other, tb)
    return step(old, () => divided(above, square, old))
  }
  for (let i = 0; i < iterations; i++) {
    turnedW = next(turnedW, h, true)
    h = next(h, turnedW, false)
  }
  updates.dispose()
  return new Factors(
    core,
    step(turnedW, () => transpose(core, turnedW)),
    h,
    null,
  )
}

// ── what an update is ─────────────────────────────────────────────────────────────────────────────────────────────

type Own = <T extends Tensor>(t: T) => T

/** `above` is a product's element `x`; 0 ÷ 0 is 0. */
const ratio = (old: Tensor, below: Tensor): Pick<MatmulOptions, 'activation' | 'operands'> => ({
  activation: `old * x / (below == 0 ? ${epsilon} : below)`,
  operands: { old, below },
})

/** W ∘ (V Hᵀ) ÷ (W (H Hᵀ)). */
function squaresW(core: Core, v: Tensor, w: Tensor, h: Tensor, own: Own): Tensor<'f32'> {
  const below = own(matmul(core, w, own(matmul(core, h, h, { transposeB: true }))))
  return matmul(core, v, h, { transposeB: true, ...ratio(w, below) })
}

/** H ∘ (Wᵀ V + λ Bᵀ Y) ÷ ((Wᵀ W + λ Bᵀ B) H); without labels the terms with λ are left out. */
function squaresH(
  core: Core,
  v: Tensor,
  w: Tensor,
  h: Tensor,
  labels: { readonly y: Tensor; readonly b: Tensor; readonly weight: number } | null,
  own: Own,
): Tensor<'f32'> {
  const added = labels && { beta: labels.weight, c: own(matmul(core, labels.b, labels.b, { transposeA: true })) }
  const below = own(matmul(core, own(matmul(core, w, w, { transposeA: true, ...added })), h))
  const above = labels && { beta: labels.weight, c: own(matmul(core, labels.b, labels.y, { transposeA: true })) }
  return matmul(core, w, v, { transposeA: true, ...above, ...ratio(h, below) })
}

/** W ∘ ((V ÷ W H) Hᵀ) ÷ (sums of the rows of H). */
function kullbackW(core: Core, v: Tensor, w: Tensor, h: Tensor<'f32'>, own: Own): Tensor<'f32'> {
  return matmul(core, own(quotients(core, v, w, h)), h, {
    transposeB: true,
    ...ratio(w, own(sum(core, h, { axes: 1 }))),
  })
}

/** H ∘ (Wᵀ (V ÷ W H)) ÷ (sums of the columns of W). */
function kullbackH(core: Core, v: Tensor, w: Tensor<'f32'>, h: Tensor, own: Own): Tensor<'f32'> {
  const sums = own(sum(core, w, { axes: 0 }))
  return matmul(core, w, own(quotients(core, v, w, h)), {
    transposeA: true,
    ...ratio(h, own(sums.reshape([sums.length, 1]))),
  })
}

/** V ÷ (W H), in the product's stores. */
const quotients = (core: Core, v: Tensor, w: Tensor, h: Tensor): Tensor<'f32'> =>
  matmul(core, w, h, { activation: `v / max(x, ${epsilon})`, operands: { v } })

/** The new factor; the old one and everything in between is given back. */
function step(old: Tensor<'f32'>, update: (own: Own) => Tensor<'f32'>): Tensor<'f32'> {
  const owned: Tensor[] = [old]
  const made = update((t) => {
    owned.push(t)
    return t
  })
  for (const t of owned) t.dispose()
  return made
}

// ── around it ─────────────────────────────────────────────────────────────────────────────────────────────────────

function check(
  core: Core,
  v: Tensor,
  { rank, iterations = 200, loss = 'frobenius', w, h, labels, weight = 1, seed = 1 }: NmfOptions,
): readonly [m: number, n: number] {
  const given = Object.entries({ V: v, w, h, labels }).flatMap(([name, t]) =>
    t === undefined ? [] : [[name, t] as const],
  )
  checkTensors(core, 'nmf', Object.fromEntries(given))
  for (const [name, t] of given)
    if (t.dtype !== 'f32') refuse('tensor.dtype', `nmf factorises f32, and ${name} is ${t.dtype}`)
  const [m = 0, n = 0] = v.shape
  if (v.shape.length !== 2 || m === 0 || n === 0)
    refuse('nmf.shape', `nmf factorises a matrix, and V has the shape [${v.shape.join(', ')}]`)
  for (const [name, value] of Object.entries({ rank, iterations }))
    if (!Number.isInteger(value) || value < (name === 'rank' ? 1 : 0))
      refuse('nmf.options', `${name} is ${described(value)}; it must be an integer from ${name === 'rank' ? 1 : 0}`)
  checkWord('nmf', 'loss', loss, ['frobenius', 'kullback-leibler'])
  if (!(typeof weight === 'number' && weight >= 0 && weight < Infinity))
    refuse('nmf.options', `weight is ${described(weight)}; it must be a number from 0`)
  if (!Number.isInteger(seed)) refuse('nmf.options', `seed is ${described(seed)}; it must be an integer`)
  if (labels && loss !== 'frobenius') refuse('nmf.options', 'labels go with the loss frobenius')
  const wanted: readonly (readonly [string, Tensor | undefined, readonly number[]])[] = [
    ['w', w, [m, rank]],
    ['h', h, [rank, n]],
    ['labels', labels, [labels?.shape[0] ?? 0, n]],
  ]
  for (const [name, t, shape] of wanted)
    if (t && t.shape.join() !== shape.join())
      refuse(
        'nmf.shape',
        `${name} has the shape [${t.shape.join(', ')}]; with V [${v.shape.join(', ')}] and rank ${rank} it ` +
          `must be [${shape.join(', ')}]`,
      )
  return [m, n]
}

/**
 * A copy of what the caller gives; else random numbers from 0 to 2 √(mean of V ÷ rank), so that W H has the mean of V.
 */
function start(
  core: Core,
  v: Tensor<'f32'>,
  shape: readonly [number, number],
  given: Tensor | undefined,
  rank: number,
  stream: Random,
): Tensor<'f32'> {
  if (given) return map(core, 'x', { x: given })
  const average = mean(core, v),
    x = tensor(
      core,
      Float32Array.from({ length: shape[0] * shape[1] }, () => stream.unit()),
      shape,
    )
  const made = map(core, '2 * x * sqrt(average / rank)', { x, average, rank })
  for (const t of [average, x]) t.dispose()
  return made
}
