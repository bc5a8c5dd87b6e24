// In: the text of a model that libsvm's svm-train wrote (Chang and Lin, LIBSVM: A Library for Support Vector Machines,
// ACM TIST 2, 2011; the format is in its README). Out: its numbers as dense arrays. Every line that is not understood
// is refused by its number.
import { refuse } from '../error.ts'

export type SvmType = 'c_svc' | 'nu_svc' | 'one_class' | 'epsilon_svr' | 'nu_svr'
export type KernelType = 'linear' | 'polynomial' | 'rbf' | 'sigmoid'

export interface SvmModel {
  readonly type: SvmType
  readonly kernel: KernelType
  readonly degree: number
  readonly gamma: number
  readonly coef0: number
  /** Labels of the classes; empty for regression and one class. */
  readonly labels: readonly number[]
  /** Vectors of each class, in their order; one number without classes. */
  readonly counts: readonly number[]
  /** One per decision. */
  readonly rho: readonly number[]
  /** Rows of the file: coefficients of each vector, one less than there are classes, at least one. */
  readonly coefficients: readonly (readonly number[])[]
  /** The support vectors, [vectors, features], row by row. */
  readonly vectors: Float32Array<ArrayBuffer>
  readonly features: number
}

const types: readonly string[] = ['c_svc', 'nu_svc', 'one_class', 'epsilon_svr', 'nu_svr']
const kernels: readonly string[] = ['linear', 'polynomial', 'rbf', 'sigmoid']

/**
 * Reads a model. `features`: columns of the data; the largest index in the file when absent. Throws a `TeselaError`
 * that names the line.
 */
export function parseModel(text: string, features?: number): SvmModel {
  const lines = text.split(/\r?\n/)
  const start = lines.findIndex((l) => l.trim() === 'SV')
  if (start < 0)
    refuse(
      'svm.model',
      "this is no model of libsvm: it has no line 'SV'",
      'give the text of the file that svm-train writes',
    )
  const header = new Map(
    lines.slice(0, start).flatMap((l, i) => {
      const [key = '', ...rest] = l.trim().split(/\s+/)
      return key ? [[key, { values: rest, line: i + 1 }] as const] : []
    }),
  )
  const words = (key: string): readonly string[] =>
    header.get(key)?.values ?? refuse('svm.model', `the model does not say its ${key}`)
  const numbers = (key: string): readonly number[] => words(key).map((w) => numberOf(w, header.get(key)!.line, key))
  const optional = (key: string, otherwise: number): number =>
    header.has(key) ? (numbers(key)[0] ?? otherwise) : otherwise
  const type = oneOf(words('svm_type')[0], types, 'svm_type'),
    kernel = oneOf(words('kernel_type')[0], kernels, 'kernel_type')
  const classes = optional('nr_class', 2),
    total = optional('total_sv', 0),
    classifies = type.endsWith('svc')
  const rows = lines
    .slice(start + 1)
    .flatMap((l, i) => (l.trim() ? [rowOf(l.trim(), start + 2 + i, classifies ? classes - 1 : 1)] : []))
  if (rows.length !== total)
    refuse('svm.model', `the model says it has ${total} support vectors, and ${rows.length} follow`)
  const widest = rows.reduce((n, r) => Math.max(n, ...r.entries.map(([index]) => index)), 0),
    width = features ?? widest
  if (width < widest || !Number.isInteger(width))
    refuse('svm.features', `the model uses feature ${widest}, and ${width} features were asked for`)
  const vectors = new Float32Array(total * width)
  rows.forEach((r, i) =>
    r.entries.forEach(([index, value]) => {
      vectors[i * width + index - 1] = value
    }),
  )
  const labels = classifies ? numbers('label') : [],
    counts = classifies ? numbers('nr_sv') : [total],
    rho = numbers('rho')
  const decisions = classifies ? (classes * (classes - 1)) / 2 : 1
  const wrong = [
    [rho.length, decisions, 'rho'],
    [labels.length, classifies ? classes : 0, 'label'],
    [counts.length, classifies ? classes : 1, 'nr_sv'],
    [counts.reduce((a, b) => a + b, 0), total, 'nr_sv in all'],
  ] as const
  for (const [got, want, what] of wrong)
    if (got !== want)
      refuse(
        'svm.model',
        `${what}: ${want} numbers are needed for ${classes} classes and ${total} vectors, and there are ${got}`,
      )
  const degree = optional('degree', 3)
  if (kernel === 'polynomial' && (!Number.isInteger(degree) || degree < 0 || degree > 64))
    refuse('svm.model', `the degree ${degree} is no integer from 0 to 64`)
  return {
    type: type as SvmType,
    kernel: kernel as KernelType,
    degree,
    gamma: optional('gamma', 1),
    coef0: optional('coef0', 0),
    labels,
    counts,
    rho,
    coefficients: rows.map((r) => r.coefficients),
    vectors,
    features: width,
  } // just checked
}

function oneOf(word: string | undefined, known: readonly string[], what: string): string {
  return word !== undefined && known.includes(word)
    ? word
    : refuse('svm.model', `${what} '${word ?? ''}' is not known`, `it is one of ${known.join(', ')}`)
}

interface Row {
  readonly coefficients: readonly number[]
  readonly entries: readonly (readonly [index: number, value: number])[]
}

function rowOf(text: string, line: number, coefficients: number): Row {
  const words = text.split(/\s+/)
  const entries = words.slice(coefficients).map((w): readonly [number, number] => {
    const [index = '', value = ''] = w.split(':')
    const place = numberOf(index, line, 'index')
    if (!Number.isInteger(place) || place < 1)
      refuse('svm.model', `line ${line}: '${w}' is no feature: indices count from 1`)
    return [place, numberOf(value, line, 'feature')]
  })
  return { coefficients: words.slice(0, coefficients).map((w) => numberOf(w, line, 'coefficient')), entries }
}

function numberOf(word: string, line: number, what: string): number {
  const n = Number(word)
  return word === '' || Number.isNaN(n) ? refuse('svm.model', `line ${line}: '${word}' is no ${what}`) : n
}
