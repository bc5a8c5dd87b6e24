// What the build makes of a kernel and the library runs: plans as data. In: a module of packed texts and plans. Out: the
// WGSL text of a launch and the value of its expressions. The one idea: texts of one operation are alike, so they are kept
// as copies of each other (LZ77 over words); `tools/kernels.ts` packs them, and nothing here compiles.

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

/** A generated module. */
export interface Recipe {
  /** Words that texts are made of. */
  readonly words: readonly string[]
  /** Packed texts (see `unpack`). */
  readonly packed: string
  readonly plans: Readonly<Record<string, RecipePlan>>
}

export type Sizes = Readonly<Record<string, number>>

/** Characters of numbers: a digit of base 45 from `#` on; the second half of the alphabet ends a number. */
const base = 45, first = 35

/** The numbers of a packed string. `\` does not occur in one: it stands for `~`. */
export function numbersOf(packed: string): readonly number[] {
  const out: number[] = []
  let value = 0
  for (let i = 0; i < packed.length; i++) {
    const c = packed.charCodeAt(i)
    const digit = (c === 126 ? 92 : c) - first
    value = value * base + (digit % base)
    if (digit >= base) { out.push(value); value = 0 }
  }
  return out
}

/** The inverse of `numbersOf`. */
export function packNumbers(numbers: readonly number[]): string {
  const one = (n: number): string => {
    let text = '', rest = n
    for (let end = base; ; end = 0) {
      const c = first + (rest % base) + end
      text = (c === 92 ? '~' : String.fromCharCode(c)) + text
      rest = Math.floor(rest / base)
      if (rest === 0) return text
    }
  }
  return numbers.map(one).join('')
}

/** Texts of a packed string. An even number is a word (half of it); an odd one copies (n − 1) / 2 + 3 words, a distance follows (see `distanceAfter`). `\0` ends a text. */
export function unpack(recipe: Recipe): readonly string[] {
  const codes = numbersOf(recipe.packed)
  const words: number[] = []
  let distance = 0
  for (let i = 0; i < codes.length;) {
    const code = codes[i++] ?? 0
    if (code % 2 === 0) { words.push(code / 2); continue }
    distance = distanceAfter(distance, codes[i++] ?? 0)
    const from = words.length - distance
    for (let k = 0; k < (code - 1) / 2 + shortest; k++) words.push(words[from + k] ?? 0)
  }
  return words.map((w) => recipe.words[w] ?? '').join('').split('\0').slice(0, -1)
}

/** A distance by its code: even, half of it added to the last distance (odd halves subtract); odd, itself. Copies mostly go on where the last one ended. */
export function distanceAfter(last: number, code: number): number {
  if (code % 2 === 1) return (code - 1) / 2
  const half = code / 2
  return half % 2 === 1 ? last - (half + 1) / 2 : last + half / 2
}

/** The shortest code of a distance. */
export function distanceCode(last: number, distance: number): number {
  const step = distance - last
  return Math.min(2 * distance + 1, step < 0 ? 2 * (-2 * step - 1) : 4 * step)
}

/** Words of the shortest copy. */
export const shortest = 3

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
