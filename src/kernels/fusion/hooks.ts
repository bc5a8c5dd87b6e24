// In: an expression over tensors and numbers, and the shape of its result. Out: a hook that computes it where a kernel
// loads or stores. The one idea: operands of the result's shape are read in the kernel's own vectors, all others by
// strides that are parameters, so that one pipeline serves every shape that broadcasts alike.
import type { Hook } from './adapted-text.ts'
import { refuse } from '../error.ts'
import { parse, power, wgslOf, type Tree } from './expression.ts'
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
 * `text` as a hook on `array`, whose own value is called `own` (a store's value; a load's when given). The result has
 * `shape`; operands broadcast to it.
 */
export function fuse(text: string, operands: Operands, shape: Shape, array: string, own: string | null): Fused {
  const { tree, used } = parsed(text, own, Object.keys(operands))
  const tensors = used.flatMap((n): readonly (readonly [string, Tensor])[] => {
    const x = operands[n]
    return x instanceof Tensor ? [[n, x]] : []
  })
  const other = tensors.find(([, t]) => kindOf(t.dtype) !== 'f32')
  if (other) refuse('tensor.dtype', `'${other[0]}' is a tensor of ${other[1].dtype}; expressions are computed in f32`)
  const numbers = used.filter((n) => !(operands[n] instanceof Tensor))
  const wrong = numbers.find((n) => typeof operands[n] !== 'number')
  if (wrong) refuse('expression', `'${wrong}' must be a tensor or a number`)
  const readings = tensors.map(([name, t], n) => ({ name, tensor: t, id: `h${n}`, reading: readingOf(t.shape, shape) }))
  const idOf = (name: string): string =>
    name === own
      ? 'own'
      : numbers.includes(name)
        ? `V(params.s${numbers.indexOf(name)})`
        : `v${readings.findIndex((r) => r.name === name)}`
  const strided = readings.flatMap((r) =>
    r.reading.kind === 'strided'
      ? r.reading.axes.map(([extent, stride], i) => ({ id: `${r.id}_${i}`, extent, stride }))
      : [],
  )
  const hook: Hook = {
    array,
    bindings: readings.map((r) => ({
      name: r.id,
      buffer: r.tensor.buffer,
      typeOf: (width) => (r.reading.kind === 'same' ? vector(width) : 'f32'),
    })),
    fields: [
      // checked above
      ...numbers.map((n, i) => ({ name: `s${i}`, type: 'f32' as const, value: operands[n] as number })),
      ...strided.flatMap(({ id, extent, stride }) => [
        { name: `${id}n`, type: 'u32' as const, value: extent },
        { name: `${id}s`, type: 'u32' as const, value: stride },
      ]),
    ],
    functions: [
      ...readings.flatMap((r) => (r.reading.kind === 'strided' ? [placeFunction(r.id, r.reading.axes)] : [])),
      ...(/\bpow\b/.test(text) ? [1, 2, 4].map((w) => power(`power${w}`, vector(w), vector(w).replace('f', 'u'))) : []),
    ].join(''),
    body: (width, to) =>
      bodyOf(
        to,
        wgslOf(tree, idOf)
          .replaceAll('V(', `${vector(width)}(`)
          .replaceAll('P(', `power${width}(`),
        readings,
        width,
        own !== null,
      ),
  }
  const key =
    `${text} ${own}: ${numbers} ` +
    `${readings.map(({ reading: r }) => (r.kind === 'strided' ? r.axes.map(([, s]) => s > 0).join(' ') : r.kind))}`
  return { hook, key, tensors: tensors.map(([, t]) => t) }
}

interface Parsed {
  readonly tree: Tree
  readonly used: readonly string[]
}

/** Expressions that were parsed, by their text and the names it may use. */
const known = new Map<string, Parsed>(),
  mostKnown = 256

function parsed(text: string, own: string | null, names: readonly string[]): Parsed {
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

export const vector = (width: number): string => (width === 1 ? 'f32' : `vec${width}<f32>`)

/** A value of `width` elements of `type`, each from `lane`. */
export function lanes(width: number, type: string, lane: (k: number) => string): string {
  const all = Array.from({ length: width }, (_, k) => lane(k)).join(', ')
  return width === 1 ? all : `vec${width}<${type}>(${all})`
}

interface Read {
  readonly id: string
  readonly reading: Reading
}

function bodyOf(array: string, value: string, reads: readonly Read[], width: number, isStore: boolean): string {
  const lines = reads.map(({ id, reading }, n) => {
    const text =
      reading.kind === 'same'
        ? `${id}[i]`
        : lanes(width, 'f32', (k) => `${id}[${reading.kind === 'one' ? 0 : `place_${id}(i * ${width}u + ${k}u)`}]`)
    return `  let v${n} = ${text};`
  })
  return [...lines, ...(isStore ? ['  let own = v;', `  ${array}[i] = ${value};`] : [`  return ${value};`])].join('\n')
}

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
