// What the build makes of a kernel and the library runs: plans as data. In: a module of packed texts. Out: the texts and plans in
// it, and the values of their expressions. `tools/kernels.ts` makes them; nothing here compiles.
import { unpack, type Packed } from './texts.ts'

/** An integer, the name of a size, or an operation on such: `['div', ['add', 'n', 255], 256]`. */
export type Value = number | string | readonly [string, ...Value[]]

export type Kind = 'uniform' | 'read' | 'read-write'

export interface RecipeLaunch {
  readonly name: string
  /** Which of the module's texts. */
  readonly text: number
  readonly grid: readonly [Value, Value, Value]
  /** Array of each binding, in order from 0; the parameters' buffer follows when there are any. */
  readonly bind: readonly (readonly [array: string, kind: Kind])[]
  /** Fields of the parameters' buffer, 4 bytes each. */
  readonly params: readonly (readonly [type: 'i32' | 'u32' | 'f32', value: Value])[]
  readonly threads: number
  /** Bytes of workgroup memory. */
  readonly shared: number
}

export interface RecipeVariant {
  /** A bool over sizes; `null`: always. */
  readonly when: Value | null
  readonly launches: readonly RecipeLaunch[]
}

export interface RecipePlan {
  /** Scratch arrays by name: elements (4 bytes each). */
  readonly temps: readonly (readonly [name: string, elements: Value])[]
  /** The first whose condition holds. */
  readonly variants: readonly RecipeVariant[]
}

/** A generated module. Its texts are those of its launches, and last its plans as JSON. */
export type Recipe = Packed

/** A module unpacked. */
export interface Opened {
  readonly texts: readonly string[]
  readonly plans: Readonly<Record<string, RecipePlan>>
}

const modules = new WeakMap<Recipe, Opened>()

/** What is in a module; unpacked once. */
export function opened(recipe: Recipe): Opened {
  const known = modules.get(recipe)
  if (known) return known
  const texts = unpack(recipe)
  const made: Opened = { texts, plans: JSON.parse(texts[texts.length - 1] ?? '{}') as Opened['plans'] } // as the build wrote it
  modules.set(recipe, made)
  return made
}

export type Sizes = Readonly<Record<string, number>>

const operations: Readonly<Record<string, (a: number, b: number, c: number) => number>> = {
  add: (a, b) => a + b, sub: (a, b) => a - b, mul: (a, b) => a * b, div: (a, b) => Math.trunc(a / b), rem: (a, b) => a % b,
  min: Math.min, max: Math.max, eq: (a, b) => +(a === b), ne: (a, b) => +(a !== b), lt: (a, b) => +(a < b), le: (a, b) => +(a <= b),
  gt: (a, b) => +(a > b), ge: (a, b) => +(a >= b), land: (a, b) => +(a && b), lor: (a, b) => +(a || b), select: (c, a, b) => (c ? a : b),
}

/** Operations that expressions of recipes may hold. */
export const known: readonly string[] = Object.keys(operations)

/** The value of an expression; bools are 0 and 1. */
export function evaluate(v: Value, sizes: Sizes): number {
  if (typeof v === 'number') return v
  if (typeof v === 'string') return sizes[v] ?? NaN
  const [name, ...args] = v
  const [a = 0, b = 0, c = 0] = args.map((x) => evaluate(x, sizes))
  return operations[name]?.(a, b, c) ?? NaN
}
