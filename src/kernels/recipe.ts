// What the build makes of a kernel and the library runs: plans as data. In: a module of packed texts. Out: the texts
// and plans in it, and the values of their expressions. `tools/kernels.ts` makes them; nothing here compiles.
import { textsOf, type Packed } from './texts.ts'

/** An integer, the name of a size, or an operation on such: `['div', ['add', 'n', 255], 256]`. */
export type RecipeValue = number | string | readonly [string, ...RecipeValue[]]

/** `uniform` is the parameters' buffer, `constant` an array in constant memory. */
export type Kind = 'uniform' | 'constant' | 'read' | 'read-write'

/** A launch: its text, what the text says of itself, and its grid. */
export interface RecipeLaunch {
  readonly name: string
  /** Which of the module's texts. */
  readonly number: number
  readonly text: string
  readonly grid: readonly [RecipeValue, RecipeValue, RecipeValue]
  /** Array of each binding, in order from 0; the parameters' buffer follows when there are any. */
  readonly bind: readonly (readonly [array: string, kind: Kind])[]
  /** Fields of the parameters' buffer, 4 bytes each: sizes, or what stands for them. */
  readonly params: readonly RecipeValue[]
  readonly threads: number
  /** Bytes of workgroup memory. */
  readonly shared: number
}

export interface RecipeVariant<Launch = RecipeLaunch> {
  /** A bool over sizes; `null`: always. */
  readonly when: RecipeValue | null
  readonly launches: readonly Launch[]
}

export interface RecipePlan<Launch = RecipeLaunch> {
  /** Scratch arrays by name: elements (4 bytes each). */
  readonly temps: readonly (readonly [name: string, elements: RecipeValue])[]
  /** The first whose condition holds. */
  readonly variants: readonly RecipeVariant<Launch>[]
}

/** A generated module: the texts of its launches, and its plans as JSON (`Stored`). */
export interface PackedRecipe extends Packed {
  readonly plans: string
}

/** Plans, whose launches say the number of a text, the grid, and parameters that are no sizes; the texts' shapes. */
export interface Stored {
  readonly shapes: readonly (readonly [threads: number, shared: number])[]
  readonly plans: Readonly<Record<string, RecipePlan<readonly [text: number, ...RecipeLaunch['grid'], given?: Given]>>>
}

/** Values of parameters by name. */
export type Given = Readonly<Record<string, RecipeValue>>

export type Plans = Readonly<Record<string, RecipePlan>>

/** The plans of a module. What is in a text is read from it when a launch is asked for it. */
export function plansOf(recipe: PackedRecipe): Plans {
  const texts = textsOf(recipe),
    { shapes, plans: stored } = JSON.parse(recipe.plans) as Stored // as the build wrote it
  const plans = Object.fromEntries(
    Object.entries(stored).map(([key, { temps, variants }]) => [
      key,
      {
        temps,
        variants: variants.map(({ when, launches }) => ({
          when,
          launches: launches.map(([number, x, y, z, given]): RecipeLaunch => {
            const [threads = 0, shared = 0] = shapes[number] ?? []
            const read = (): RecipeLaunch => launchOf(number, texts.text(number), [x, y, z], given)
            return new StoredLaunch(number, [x, y, z], threads, shared, read)
          }),
        })),
      },
    ]),
  )
  return plans
}

/** A launch of a module, whose text is unpacked when it is needed: which variant is taken hangs on its shape alone. */
class StoredLaunch implements RecipeLaunch {
  readonly number: number
  readonly grid: RecipeLaunch['grid']
  readonly threads: number
  readonly shared: number
  readonly #read: () => RecipeLaunch
  #said: RecipeLaunch | undefined

  constructor(number: number, grid: RecipeLaunch['grid'], threads: number, shared: number, read: () => RecipeLaunch) {
    this.number = number
    this.grid = grid
    this.threads = threads
    this.shared = shared
    this.#read = read
  }

  get #own(): RecipeLaunch {
    return (this.#said ??= this.#read())
  }
  get text(): string {
    return this.#own.text
  }
  get name(): string {
    return this.#own.name
  }
  get bind(): RecipeLaunch['bind'] {
    return this.#own.bind
  }
  get params(): RecipeLaunch['params'] {
    return this.#own.params
  }
}

/** A launch by its text, which says its bindings, parameters, threads and workgroup memory. */
export function launchOf(number: number, text: string, grid: RecipeLaunch['grid'], given: Given = {}): RecipeLaunch {
  const all = (pattern: RegExp): readonly RegExpMatchArray[] => [...text.matchAll(pattern)]
  const numbers = all(/@workgroup_size\(([\d, ]+)\)\nfn (\w+)/g)[0] ?? []
  return {
    name: numbers[2] ?? '',
    number,
    text,
    grid,
    bind: all(/var<storage, (read)(_write)?> (\w+)/g).map(([, , write, array = '']) => [
      array,
      write ? 'read-write' : 'read',
    ]),
    params: all(/^  (\w+): i32,$/gm).map(([, name = '']) => given[name] ?? name),
    threads: (numbers[1] ?? '').split(',').reduce((n, x) => n * Number(x), 1),
    shared: all(/var<workgroup> \w+: array<(?:vec(\d))?.*?(16|32).*?, (\d+)>;/g).reduce(
      (n, [, lanes = 1, bits = 32, count = 0]) => n + (+lanes * +bits * +count) / 8,
      0,
    ),
  }
}

export type Sizes = Readonly<Record<string, number>>

const operations: Readonly<Record<string, (a: number, b: number, c: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => Math.trunc(a / b),
  rem: (a, b) => a % b,
  min: (a, b) => Math.min(a, b),
  max: (a, b) => Math.max(a, b),
  eq: (a, b) => +(a === b),
  ne: (a, b) => +(a !== b),
  lt: (a, b) => +(a < b),
  le: (a, b) => +(a <= b),
  gt: (a, b) => +(a > b),
  ge: (a, b) => +(a >= b),
  land: (a, b) => +(a && b),
  lor: (a, b) => +(a || b),
  select: (c, a, b) => (c ? a : b),
}

/** Operations that expressions of recipes may hold. */
export const known: readonly string[] = /* @__PURE__ */ Object.keys(operations)

/** The value of an expression; bools are 0 and 1. */
export function evaluateAtSizes(v: RecipeValue, sizes: Sizes): number {
  if (typeof v === 'number') return v
  if (typeof v === 'string') return sizes[v] ?? NaN
  const [name, ...args] = v
  const [a = 0, b = 0, c = 0] = args.map((x) => evaluateAtSizes(x, sizes))
  return operations[name]?.(a, b, c) ?? NaN
}
