// Decision functions of support vector machines that libsvm trained. The one idea: all kernels between samples and
// vectors are one matrix product with the kernel's function fused into its stores, and all decisions are a second
// product with the coefficients of each pair of classes.
import type { Core } from '../device/core.ts'
import { checkNumber, checkOptions, checkWord, described } from '../checks.ts'
import { refuse } from '../error.ts'
import { map } from '../map/map.ts'
import { matmul, type MatmulOptions } from '../matmul/matmul.ts'
import { sum } from '../reduce/sum.ts'
import { checkTensors, tensor, type Tensor } from '../tensor.ts'
import { parseModel, type SvmModel } from './model.ts'
import { placed, type Placement } from './placed.ts'

/** A model on the device. */
export class Svm {
  readonly model: SvmModel
  private readonly placement: SvmOptions['placement']
  private readonly core: Core
  private readonly vectors: Tensor<'f32'>
  /**
   * What is taken from samples and vectors before their product, so that squares of distances are no differences of
   * large numbers.
   */
  private readonly centre: Tensor<'f32'> | null
  private readonly squares: Tensor<'f32'>
  private readonly coefficients: Tensor<'f32'>
  private readonly offsets: Tensor<'f32'>

  /** `text` is what svm-train writes. */
  constructor(core: Core, text: string, options: SvmOptions = {}) {
    if (typeof text !== 'string')
      refuse('svm.model', `a model is the text that svm-train writes, not ${described(text)}`)
    checkOptions('svm', options, ['features', 'placement'])
    checkNumber('svm', 'features', options.features, 1)
    const model = (this.model = parseModel(text, options.features))
    const placement = (this.placement = options.placement ?? 'product')
    checkWord('svm', 'placement', placement, ['product', 'global', 'constant', 'reordered'])
    const count = model.coefficients.length
    this.core = core
    const centre = model.kernel === 'rbf' && placement === 'product' ? centreOf(model) : null
    this.centre = centre && tensor(core, centre, [1, model.features])
    this.vectors = tensor(core, centre ? model.vectors.map((v, i) => v - centre[i % model.features]!) : model.vectors, [
      count,
      model.features,
    ]) // one for each feature
    this.squares = squaresOf(core, this.vectors, [1, count])
    this.coefficients = tensor(core, pairs(model), [count, model.rho.length])
    this.offsets = tensor(
      core,
      model.rho.map((r) => -r),
      [1, model.rho.length],
    )
  }

  /**
   * Values of the decision functions of samples [n, features]: [n, pairs of classes] in libsvm's order (1 against 2, 1
   * against 3, … ; greater than 0 is the first), or [n, 1].
   */
  decide(x: Tensor<'f32'>): Tensor<'f32'> {
    const { core, model } = this
    checkTensors(core, 'decide', { x })
    if (x.dtype !== 'f32' || x.shape.length !== 2 || x.shape[1] !== model.features)
      refuse(
        'svm.shape',
        `the model has ${model.features} features; samples are f32 [n, ${model.features}], not ${x.dtype} ` +
          `[${x.shape.join(', ')}]`,
      )
    if (this.placement !== 'product')
      return placed(
        { core, x, vectors: this.vectors, coefficients: this.coefficients, offsets: this.offsets, ...this.function },
        this.placement ?? 'global',
      )
    const samples = this.centre ? map(core, 'x - centre', { x, centre: this.centre }) : x
    const own = model.kernel === 'rbf' ? squaresOf(core, samples, [x.shape[0]!, 1]) : null
    const kernels = matmul(core, samples, this.vectors, { transposeB: true, ...this.kernel(own) })
    const values = matmul(core, kernels, this.coefficients, { bias: this.offsets })
    if (samples !== x) samples.dispose()
    own?.dispose()
    kernels.dispose()
    return values
  }

  /**
   * What svm-predict prints for each sample: the label that most pairs vote for (the first of several), 1 or −1 for one
   * class, the value of a regression.
   */
  async predict(x: Tensor<'f32'>): Promise<number[]> {
    const decisions = this.decide(x)
    const values = await decisions.read()
    decisions.dispose()
    const per = this.model.rho.length
    return Array.from({ length: x.shape[0]! }, (_, i) => voted(this.model, values.subarray(i * per, (i + 1) * per)))
  }

  private kernel(own: Tensor | null): Pick<MatmulOptions, 'activation' | 'operands'> {
    const { kernel, gamma, coef0, degree } = this.model
    switch (kernel) {
      case 'linear':
        return {}
      case 'polynomial':
        return {
          activation:
            degree === 0 ? 'x * 0 + 1' : Array.from({ length: degree }, () => '(gamma * x + coef0)').join(' * '),
          operands: { gamma, coef0 },
        }
      case 'rbf':
        return {
          activation: 'exp(-gamma * max(own + squares - 2 * x, 0))',
          operands: { gamma, own: own!, squares: this.squares },
        } // made for this kernel
      case 'sigmoid':
        return { activation: 'tanh(gamma * x + coef0)', operands: { gamma, coef0 } }
    }
  }

  /** The kernel as an expression in `x`, for decisions without a product. */
  private get function(): {
    readonly value: string
    readonly distance: boolean
    readonly numbers: Readonly<Record<string, number>>
  } {
    const { kernel, gamma } = this.model
    if (kernel === 'rbf') return { value: 'exp(-gamma * x)', distance: true, numbers: { gamma } }
    const { activation = 'x', operands = {} } = this.kernel(null)
    // without a distance, all of them are
    return { value: activation, distance: false, numbers: operands as Readonly<Record<string, number>> }
  }

  /** Gives the model's memory back. */
  dispose(): void {
    for (const t of [this.vectors, this.squares, this.coefficients, this.offsets, this.centre]) t?.dispose()
  }

  [Symbol.dispose](): void {
    this.dispose()
  }
}

export interface SvmOptions {
  /** Columns of the data; the largest index in the model when absent. */
  readonly features?: number
  /**
   * How support vectors are read. `product` (when absent): as a factor of a tiled matrix product. The others have a
   * thread for a few samples, as the sources compare them: `global` memory, `constant` memory (64 KiB), or that with
   * the samples `reordered` by feature.
   */
  readonly placement?: 'product' | Placement
}

/** A model that libsvm trained, on the device. Throws a `TeselaError` that names the line of what is wrong in it. */
export const svm = (core: Core, text: string, options: SvmOptions = {}): Svm => new Svm(core, text, options)

/** The mean of the vectors, for each feature. */
function centreOf({ vectors, features, coefficients: { length } }: SvmModel): Float32Array<ArrayBuffer> {
  const sums = new Float64Array(features)
  vectors.forEach((v, i) => {
    sums[i % features]! += v / length
  })
  return Float32Array.from(sums)
}

function squaresOf(core: Core, x: Tensor<'f32'>, shape: readonly number[]): Tensor<'f32'> {
  const squared = map(core, 'x * x', { x })
  const made = sum(core, squared, { axes: 1 }).reshaped(shape)
  squared.dispose()
  return made
}

/**
 * Coefficients of every decision, [vectors, decisions]: of the pair (i, j) those of class i for j and of class j for i.
 */
function pairs({ labels, counts, rho, coefficients }: SvmModel): number[] {
  const out = coefficients.map((c) => (labels.length === 0 ? [c[0]!] : rho.map(() => 0)))
  const starts = counts.map((_, i) => counts.slice(0, i).reduce((a, b) => a + b, 0))
  let pair = 0
  for (let i = 0; i < labels.length; i++) {
    for (let j = i + 1; j < labels.length; j++, pair++) {
      for (let v = 0; v < counts[i]!; v++) out[starts[i]! + v]![pair] = coefficients[starts[i]! + v]![j - 1]!
      for (let v = 0; v < counts[j]!; v++) out[starts[j]! + v]![pair] = coefficients[starts[j]! + v]![i]!
    }
  }
  return out.flat()
}

function voted({ type, labels }: SvmModel, values: Float32Array): number {
  if (type === 'one_class') return values[0]! > 0 ? 1 : -1
  if (labels.length === 0) return values[0]!
  const votes = labels.map(() => 0)
  let pair = 0
  for (let i = 0; i < labels.length; i++)
    for (let j = i + 1; j < labels.length; j++, pair++) votes[values[pair]! > 0 ? i : j]!++
  return labels[votes.indexOf(Math.max(...votes))]!
}
