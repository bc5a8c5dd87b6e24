// In: an expression over tensors and numbers, and the shape of its result. Out: a hook that computes it where a kernel
// loads or stores. The one idea: operands of the result's shape are read in the kernel's own vectors, all others by
// strides that are parameters, so that one pipeline serves every shape that broadcasts alike.
import type { Hook } from './adapted-text.ts'
import { described } from '../checks.ts'
import { refuse } from '../error.ts'
import type { Memory } from '../device/memory.ts'
import { parse, type Tree } from './expression.ts'
import { fits, helpersIn, helperText, notWhole, vectorOf, wgslOf, type ElementKind } from './spelling.ts'
import { kindOf, Tensor, type Shape } from '../tensor.ts'

export type Operands = Readonly<Record<string, Tensor | number>>

/** How an operand is read: as the result lies, one element for all, or by extents and strides, innermost first. */
type Reading =
  | { readonly kind: 'same' }
  | { readonly kind: 'one' }
  | { readonly kind: 'strided'; readonly axes: readonly (readonly [extent: number, stride: number])[] }

/** The shape that shapes broadcast to, NumPy's rule. Throws when they do not. */
export function broadcast(shapes: readonly Shape[]): Shape {
  const [first = []] = shapes
  if (shapes.every((s) => equal(s, first))) return first
  const rank = Math.max(0, ...shapes.map((s) => s.length))
  return Array.from({ length: rank }, (_, i) => {
    const extents = shapes.flatMap((s) => s[s.length - rank + i] ?? [])
    const extent = extents.find((d) => d !== 1) ?? 1
    if (extents.some((d) => d !== 1 && d !== extent))
      refuse(
        'tensor.broadcast',
        `shapes ${shapes.map((s) => `[${s.join(', ')}]`).join(' and ')} do not go together`,
        'extents must be equal or 1, from the right',
      )
    return extent
  })
}

/** Result axes with the strides of an operand of `shape`, innermost first, neighbours that lie alike merged. */
export function stridesOf(shape: Shape, result: Shape): readonly (readonly [number, number])[] {
  const axes: [number, number][] = []
  let stride = 1
  for (let i = 1; i <= result.length; i++) {
    const [extent, own] = [result[result.length - i]!, shape[shape.length - i] ?? 1] // i counts from the right
    const step = own === 1 ? 0 : stride
    stride *= own
    if (extent === 1) continue
    const last = axes[axes.length - 1]
    if (last && step === last[0] * last[1]) last[0] *= extent
    else axes.push([extent, step])
  }
  return axes
}

const equal = (a: Shape, b: Shape): boolean => a.length === b.length && a.every((d, i) => d === b[i])

function readingOf(shape: Shape, result: Shape): Reading {
  if (equal(shape, result)) return { kind: 'same' }
  const axes = stridesOf(shape, result)
  if (axes.every(([, stride]) => stride === 0)) return { kind: 'one' }
  return axes.length === 1 ? { kind: 'same' } : { kind: 'strided', axes }
}

export interface Fused {
  readonly hook: Hook
  readonly key: string
  readonly tensors: readonly Tensor[]
}

/**
 * `text` as a hook on `array`, whose own value is called `own` (a store's value; a load's when given), computed in
 * `kind`. The result has `shape`; operands broadcast to it. Operands that lie in the memory of `over`, the array that
 * is stored to (by its name in the kernel where this is a load), are read from there: what is written is bound once.
 */
export function fusedText(
  text: string,
  operands: Operands,
  shape: Shape,
  array: string,
  own: string | null,
  kind: ElementKind = 'f32',
  over?: { readonly memory: Memory; readonly array?: string },
): Fused {
  const { tree, used } = parsed(text, own, Object.keys(operands))
  const tensors = used.flatMap((n): readonly (readonly [string, Tensor])[] => {
    const x = operands[n]
    return x instanceof Tensor ? [[n, x]] : []
  })
  checkKinds(text, tree, tensors, kind)
  const numbers = used.filter((n) => !(operands[n] instanceof Tensor))
  const wrong = numbers.find((n) => typeof operands[n] !== 'number')
  if (wrong) refuse('expression', `'${wrong}' must be a tensor or a number`)
  const unfit = kind === 'f32' ? undefined : numbers.find((n) => !fits(operands[n] as number, kind)) // just checked
  if (unfit !== undefined)
    refuse('expression', `'${unfit}' is ${String(operands[unfit])}, which is no number of ${kind}`)
  const readings = tensors.map(([name, t], n) => {
    const isOver = t.memory === over?.memory
    return { name, tensor: t, id: `h${n}`, isOver, reading: readingOf(t.shape, shape) }
  })
  const idOf = (name: string, width: number): string =>
    name === own
      ? 'own'
      : numbers.includes(name)
        ? `${vectorOf(kind, width)}(params.s${numbers.indexOf(name)})`
        : `v${readings.findIndex((r) => r.name === name)}`
  const strided = readings.flatMap((r) =>
    r.reading.kind === 'strided'
      ? r.reading.axes.map(([extent, stride], i) => ({ id: `${r.id}_${i}`, extent, stride }))
      : [],
  )
  const hook: Hook = {
    array,
    bindings: readings
      .filter((r) => !r.isOver)
      .map((r) => ({
        name: r.id,
        buffer: r.tensor.memory,
        typeOf: (width) => (r.reading.kind === 'same' ? vectorOf(kind, width) : kind),
      })),
    fields: [
      // checked above
      ...numbers.map((n, i) => ({ name: `s${i}`, type: kind, value: operands[n] as number })),
      ...strided.flatMap(({ id, extent, stride }) => [
        { name: `${id}n`, type: 'u32' as const, value: extent },
        { name: `${id}s`, type: 'u32' as const, value: stride },
      ]),
    ],
    functions: [
      ...readings.flatMap((r) => (r.reading.kind === 'strided' ? [placeFunction(r.id, r.reading.axes)] : [])),
      helperText(helpersIn(tree, kind), kind, [1, 2, 4], array),
    ].join(''),
    body: (width, to) =>
      bodyOf(
        to,
        valueOf(wgslOf(tree, { kind, width, of: array, nameOf: (name) => idOf(name, width) }), kind, width),
        readings,
        kind,
        width,
        own !== null,
        over?.array ?? to,
      ),
  }
  const key = `${text} ${own} ${kind}: ${numbers} ` + `${readings.map((r) => (r.isOver ? 'over' : keyOf(r.reading)))}`
  return { hook, key, tensors: tensors.map(([, t]) => t) }
}

const keyOf = (r: Reading): string => (r.kind === 'strided' ? r.axes.map(([, s]) => s > 0).join(' ') : r.kind)

interface Parsed {
  readonly tree: Tree
  readonly used: readonly string[]
}

/** Expressions that were parsed, by their text and the names it may use. */
const known = new Map<string, Parsed>(),
  mostKnown = 256

function parsed(text: string, own: string | null, names: readonly string[]): Parsed {
  if (typeof text !== 'string') refuse('expression', `an expression is a text, not ${described(text)}`)
  const key = `${text} ${own}: ${names}`
  let found = known.get(key)
  if (!found) {
    const used = new Set<string>(),
      tree = parse(text, own ? [own, ...names] : names, used)
    if (known.size >= mostKnown) known.clear()
    known.set(key, (found = { tree, used: [...used].filter((n) => n !== own) }))
  }
  return found
}

export const floatVector = (width: number): string => vectorOf('f32', width)

/** What a kernel of words of 32 bits is given for a value. */
const valueOf = (value: string, kind: ElementKind, width: number): string =>
  kind === 'i32' ? `bitcast<${vectorOf('u32', width)}>(${value})` : value

/** Throws unless all tensors of an expression are of the kind it is computed in, and it is made of what that has. */
function checkKinds(
  text: string,
  tree: Tree,
  tensors: readonly (readonly [string, Tensor])[],
  kind: ElementKind,
): void {
  const other = tensors.find(([, t]) => kindOf(t.dtype) !== kind)
  if (other)
    refuse(
      'tensor.dtype',
      `'${other[0]}' is a tensor of ${other[1].dtype}, and '${text}' is computed in ${kind}`,
      `cast it: cast(${other[0]}, '${kind}')`,
    )
  const why = kind === 'f32' ? null : notWhole(tree, kind)
  if (why !== null) refuse('expression', `expression '${text}' of tensors of ${kind}: ${why}`, "cast them to 'f32'")
}

/** A value of `width` elements of `type`, each from `lane`. */
export function lanes(width: number, type: string, lane: (k: number) => string): string {
  const all = Array.from({ length: width }, (_, k) => lane(k)).join(', ')
  return width === 1 ? all : `vec${width}<${type}>(${all})`
}

interface Read {
  readonly id: string
  readonly isOver: boolean
  readonly reading: Reading
}

function bodyOf(
  array: string,
  value: string,
  reads: readonly Read[],
  kind: ElementKind,
  width: number,
  isStore: boolean,
  over: string,
): string {
  const lines = reads.map(({ id, isOver, reading }, n) => {
    const text =
      reading.kind === 'same'
        ? isOver
          ? elementOf(over, kind, width)
          : `${id}[i]`
        : lanes(width, kind, (k) => `${id}[${reading.kind === 'one' ? 0 : `place_${id}(i * ${width}u + ${k}u)`}]`)
    return `  let v${n} = ${text};`
  })
  return [...lines, ...(isStore ? ['  let own = v;', `  ${array}[i] = ${value};`] : [`  return ${value};`])].join('\n')
}

/** What the array that is stored to holds: of integers, bits. */
const elementOf = (array: string, kind: ElementKind, width: number): string =>
  kind === 'i32' ? `bitcast<${vectorOf(kind, width)}>(${array}[i])` : `${array}[i]`

/** The element of an operand that belongs to element `e` of the result. */
export function placeFunction(id: string, axes: readonly (readonly [number, number])[]): string {
  const terms: string[] = []
  let rest = 'e'
  for (const [i, [, stride]] of axes.entries()) {
    if (stride !== 0)
      terms.push(`${i === axes.length - 1 ? rest : `(${rest}) % params.${id}_${i}n`} * params.${id}_${i}s`)
    rest = `${rest} / params.${id}_${i}n`
  }
  return `fn place_${id}(e: u32) -> u32 {\n  return ${terms.join(' + ') || '0u'};\n}\n`
}

/** Bytes that the tensors of a fused expression are, each counted once. */
export const operandBytes = (f: Fused): number => [...new Set(f.tensors)].reduce((n, t) => n + t.bytes, 0)
