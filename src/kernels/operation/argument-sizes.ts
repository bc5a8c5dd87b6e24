// Arguments against what an operation declares. In: tensors and numbers by name. Out: the value of every size and
// scalar. The one idea: each axis of a declared array is an equation over sizes; axes that are one size (or a sum or
// product with what is known) say it, and all others are checked. What is wrong is refused by name.
import { nearest } from '../../base/index.ts'
import { described } from '../checks.ts'
import { refuse } from '../error.ts'
import { Tensor } from '../tensor.ts'
import type { ElementType, OperationArray, OperationData } from './data.ts'
import { hostValue, hostWords, solved } from './host-values.ts'

/** Tensors for arrays, numbers for scalars and for sizes that no shape says. */
export type OperationArguments = Readonly<Record<string, Tensor | number | undefined>>

export const visibleArrays = (data: OperationData): readonly OperationArray[] =>
  data.arrays.filter((a) => a.role !== 'temp')

/** The largest i32. */
const greatest = 2 ** 31 - 1

/**
 * Values of sizes and scalars for these arguments; `out` are tensors that results go to. Throws a `TeselaError` that
 * names the first thing wrong.
 */
export function numbersOf(
  data: OperationData,
  args: OperationArguments,
  out: OperationArguments,
): Readonly<Record<string, number>> {
  checkByName(`out of ${data.name}`, out, data, 'out')
  checkNames(data, args, out)
  const given = visibleArrays(data).flatMap((array) =>
    [args[array.name], out[array.name]].flatMap((t) => (t instanceof Tensor ? [{ array, tensor: t }] : [])),
  )
  for (const { array, tensor } of given) checkKind(data, array, tensor)
  const numbers: Record<string, number> = {},
    said: Record<string, string> = {}
  for (const s of data.scalars) numbers[s.name] = scalarOf(data, s.name, s.type, args[s.name])
  for (const s of data.sizes) {
    const number = s.fixed ?? args[s.name]
    if (typeof number !== 'number') continue
    numbers[s.name] = number
    said[s.name] = s.fixed === undefined ? 'as given' : 'always'
  }
  for (let before = -1; before < Object.keys(numbers).length; ) {
    before = Object.keys(numbers).length
    for (const { array, tensor } of given) learn(array, tensor, numbers, said)
  }
  for (const s of data.sizes) checkSize(data, s.name, s.min, numbers[s.name])
  for (const { array, tensor } of given) checkShape(data, array, tensor, numbers, said)
  return numbers
}

function checkNames(data: OperationData, args: OperationArguments, out: OperationArguments): void {
  const arrays = visibleArrays(data)
  const inputs = arrays.filter((a) => a.role !== 'out').map((a) => a.name),
    numbers = [...data.scalars, ...data.sizes.filter((s) => s.fixed === undefined)].map((s) => s.name)
  const results = arrays.filter((a) => a.role !== 'in').map((a) => a.name)
  checkKnown(data.name, 'takes', args, [...inputs, ...numbers], results)
  checkKnown(data.name, 'has a result', out, results, [])
  for (const [name, t] of Object.entries(out))
    if (t !== undefined && !(t instanceof Tensor))
      refuse('operation.argument', `${data.name}: out.${name} must be a tensor`)
  for (const name of inputs)
    if (args[name] !== undefined && !(args[name] instanceof Tensor))
      refuse('operation.argument', `${data.name}: ${name} must be a tensor`, 'gpu.tensor makes one')
  for (const { name, role } of arrays)
    if (role !== 'out' && args[name] === undefined && !(role === 'inout' && out[name] !== undefined))
      refuse('operation.argument', `${data.name}: ${name} is missing, a tensor`)
}

/** Throws unless tensors are given by name: arguments, or memory for results. */
export function checkByName(what: string, given: unknown, data: OperationData, role: 'in' | 'out'): void {
  if (typeof given === 'object' && !(given instanceof Tensor) && !Array.isArray(given)) return
  const names = visibleArrays(data).filter((a) => a.role === role || a.role === 'inout')
  const listed = names.map((a) => a.name).join(', ')
  refuse('operation.argument', `${what} takes tensors by name, not ${described(given)}`, `{ ${listed} }`)
}

function checkKnown(
  operation: string,
  what: string,
  given: OperationArguments,
  names: readonly string[],
  results: readonly string[],
): void {
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue
    const near = nearest(name, names)
    refuse(
      'operation.argument',
      `${operation} ${what} ${names.length === 0 ? 'nothing' : names.join(', ')}, and no ${name}`,
      results.includes(name)
        ? `${name} is a result: it is returned, or given as { out: { ${name} } }`
        : near && `did you mean ${near}?`,
    )
  }
}

function checkKind(data: OperationData, array: OperationArray, tensor: Tensor): void {
  if (tensor.dtype !== array.type)
    refuse('operation.dtype', `${data.name}: ${array.name} is a tensor of ${array.type}, not of ${tensor.dtype}`)
  if (
    !array.isOpenEnded &&
    tensor.shape.length !== array.shape.length &&
    !(array.shape.length === 0 && tensor.length === 1)
  )
    refuse(
      'operation.shape',
      `${data.name}: ${array.name} has ${axes(array.shape.length)} [${array.shape.map(hostWords).join(', ')}], and a ` +
        `tensor of shape [${tensor.shape.join(', ')}] was given`,
      'reshape shares the memory',
    )
}

const axes = (n: number): string => (n === 1 ? 'one axis' : `${n} axes`)

function scalarOf(data: OperationData, name: string, type: ElementType, value: Tensor | number | undefined): number {
  if (typeof value !== 'number')
    return refuse(
      'operation.argument',
      `${data.name}: ${name} ${value === undefined ? 'is missing, a number' : 'must be a number'}`,
    )
  if (type === 'f32') return Math.fround(value)
  const [least, most] = type === 'u32' ? [0, 2 ** 32 - 1] : [-(2 ** 31), greatest]
  if (!Number.isInteger(value) || value < least || value > most)
    refuse('operation.argument', `${data.name}: ${name} must be an integer from ${least} to ${most}, not ${value}`)
  return value
}

/** Notes sizes that the axes of a tensor say. */
function learn(
  array: OperationArray,
  tensor: Tensor,
  numbers: Record<string, number>,
  said: Record<string, string>,
): void {
  if (tensor.shape.length !== array.shape.length || array.isOpenEnded) return
  array.shape.forEach((extent, axis) => {
    const found = solved(extent, tensor.shape[axis]!, numbers) // as many axes
    if (!found) return
    numbers[found[0]] = found[1]
    said[found[0]] = `by axis ${axis} of ${array.name}`
  })
}

function checkSize(data: OperationData, name: string, min: number, value: number | undefined): void {
  if (value === undefined)
    return refuse('operation.size', `${data.name}: no shape says ${name}`, `give it as a number: { ${name}: … }`)
  const least = Math.max(min, -(2 ** 31))
  if (!Number.isInteger(value) || value < least || value > greatest)
    refuse('operation.size', `${data.name}: ${name} must be an integer from ${least} to ${greatest}, not ${value}`)
}

function checkShape(
  data: OperationData,
  array: OperationArray,
  tensor: Tensor,
  numbers: Readonly<Record<string, number>>,
  said: Readonly<Record<string, string>>,
): void {
  const extents = array.shape.map((e) => Math.max(0, hostValue(e, numbers)))
  if (array.isOpenEnded) {
    const least = extents.reduce((n, d) => n * d, 1)
    if (tensor.length < least)
      refuse('operation.shape', `${data.name}: ${array.name} has ${tensor.length} elements, and ${least} are needed`)
    return
  }
  extents.forEach((want, axis) => {
    if (tensor.shape[axis] === want) return
    const words = hostWords(array.shape[axis]!), // as many axes
      names = namesIn(array.shape[axis]!),
      why = names.map((n) => (n === words ? said[n] : `${n} = ${numbers[n]} ${said[n]}`)).filter((w) => w !== undefined)
    refuse(
      'operation.shape',
      `${data.name}: axis ${axis} of ${array.name} is ${tensor.shape[axis]}, and ${words} is ${want}` +
        `${why.length > 0 ? ` ${names[0] === words ? why[0] : `(${why.join(', ')})`}` : ''}`,
    )
  })
}

/** Names in an expression, each once. */
function namesIn(v: OperationArray['shape'][number]): readonly string[] {
  if (typeof v === 'number') return []
  if (typeof v === 'string') return [v]
  return [...new Set(v.slice(2).flatMap((x) => namesIn(x as OperationArray['shape'][number])))] // arguments follow
}

/** Sizes that no shape of an argument says: they are given as numbers. */
export function sizesToGive(data: OperationData): readonly string[] {
  const numbers: Record<string, number> = Object.fromEntries(
    data.sizes.flatMap((s) => (s.fixed === undefined ? [] : [[s.name, s.fixed]])),
  )
  const shapes = visibleArrays(data).filter((a) => a.role !== 'out' && !a.isOpenEnded)
  for (let before = -1; before < Object.keys(numbers).length; ) {
    before = Object.keys(numbers).length
    // an extent of 0 is divided by anything
    for (const extent of shapes.flatMap((a) => a.shape)) {
      const found = solved(extent, 0, numbers)
      if (found) numbers[found[0]] = 1
    }
  }
  return data.sizes.map((s) => s.name).filter((name) => !(name in numbers))
}
