// What `bench/device/collection.ts` and `collection.py` measure: every operation of `tesela/ops` at its planned sizes,
// with shapes and how arguments are filled.
//   npx tsx bench/collection/cases.ts CASES.json [NAME…]
import { writeFileSync } from 'node:fs'
import { hostValue } from '../../src/kernels/operation/host-values.ts'
import type { DType, Operation } from '../../src/kernels/index.ts'
import * as collection from '../../src/ops.ts'
import { kernelsHash, rooms, rowsOf } from '../../tools/ops.ts'

/** How an array is filled: element i from a hash of i and a seed. */
export interface Fill {
  /**
   * Floats from `low` to below `low + span`; integers below `end`; i · `end`; words of 32 random bits; i · 40503 modulo
   * `end` (each once where `end` is a power of two); square matrices of `end` rows, floats with `end` on the diagonal.
   */
  readonly kind: 'uniform' | 'below' | 'steps' | 'words' | 'spread' | 'diagonal'
  readonly end?: number
  readonly low?: number
  readonly span?: number
}

export interface Case {
  readonly name: string
  readonly sizes: Readonly<Record<string, number>>
  /** Sizes that no shape says, and scalars. */
  readonly numbers: Readonly<Record<string, number>>
  readonly arrays: readonly {
    readonly name: string
    readonly type: DType
    readonly role: 'in' | 'out' | 'inout'
    readonly shape: readonly number[]
    readonly fill: Fill
    readonly seed: number
  }[]
  /** Whether arrays that are changed are changed where they lie; else each call begins with a copy. */
  readonly inPlace: boolean
  readonly kernels: string
}
export type Cases = readonly Case[]

type Sizes = Readonly<Record<string, number>>

/** Arrays that are not floats from −2 to 2, by `operation.array` or by `array`. */
const fills: Readonly<Record<string, (sizes: Sizes) => Fill>> = {
  place: (s) => ({ kind: 'below', end: s['rows'] ?? s['n'] ?? 1 }),
  'gatherElements.place': (s) => ({ kind: 'below', end: s['n']! }),
  'scatter.place': (s) => ({ kind: 'spread', end: s['rows']! }),
  label: (s) => ({ kind: 'below', end: s['width'] ?? s['n'] ?? 1 }),
  condition: () => ({ kind: 'below', end: 2 }),
  variance: () => ({ kind: 'uniform', low: 1, span: 1 }),
  start: (s) => ({ kind: 'steps', end: s['entries']! / s['rows']! }),
  column: (s) => ({ kind: 'below', end: s['n']! }),
  'scatterAdd.x': () => ({ kind: 'below', end: 1000 }),
  'scatterAdd.y': () => ({ kind: 'below', end: 1000 }),
  'klDivergence.target': () => ({ kind: 'uniform', low: 0, span: 1 }),
  'binaryCrossEntropy.target': () => ({ kind: 'uniform', low: 0, span: 1 }),
  'adamStep.second': () => ({ kind: 'uniform', low: 0, span: 1 }),
  deviation: () => ({ kind: 'uniform', low: 1, span: 1 }),
  diagonal: () => ({ kind: 'uniform', low: 8, span: 4 }),
  'dequantizeInt8.x': () => ({ kind: 'words' }),
  w: () => ({ kind: 'words' }),
  'matmulInt8.scale': () => ({ kind: 'uniform', low: 0, span: 2 ** -10 }),
  'dequantizeInt4.x': () => ({ kind: 'words' }),
  'cumulativeProduct.x': () => ({ kind: 'uniform', low: 1, span: 2 ** -10 }),
}
const ordinary: Fill = { kind: 'uniform', low: -2, span: 4 }

/** Numbers that operations are given besides sizes. */
const scalars: Readonly<Record<string, number>> = {
  epsilon: 2 ** -17,
  seed: 12345,
  value: 7,
  least: -0.5,
  most: 1,
  scale: 0.125,
}

/** Operations whose arrays would not stay what they must be if they were changed where they lie again and again. */
const copied: ReadonlySet<string> = new Set([])

/** For a trial where no GPU is: sizes above are cut off. */
const largest = Number(process.env['LARGEST'] ?? Infinity)

const sizesIn = (planned: string): Sizes =>
  Object.fromEntries(
    [...planned.matchAll(/(\w+) = (\d+)/g)].map(([, name = '', n]) => [name, Math.min(largest, Number(n))]),
  )

function caseOf(room: string, name: string, planned: string): Case {
  const { data } = (collection as unknown as Readonly<Record<string, Operation>>)[name]! // `rowsOf` lists what is there
  const sizes = sizesIn(planned)
  const numbers = Object.fromEntries([
    ...data.sizes.map((s) => [s.name, sizes[s.name] ?? s.fixed ?? 0] as const),
    ...data.scalars.map((s) => [s.name, scalars[`${name}.${s.name}`] ?? scalars[s.name] ?? 0.5] as const),
  ])
  const arrays = data.arrays.flatMap((a, i) =>
    a.role === 'temp'
      ? []
      : [
          {
            name: a.name,
            type: a.type,
            role: a.role,
            shape: a.shape.map((e) => hostValue(e, numbers)),
            fill: (fills[`${name}.${a.name}`] ?? fills[a.name])?.(numbers) ?? ordinary,
            seed: i + 1,
          },
        ],
  )
  return {
    name,
    sizes,
    numbers: Object.fromEntries(
      Object.entries(numbers).filter(([n]) => data.scalars.some((s) => s.name === n) || !saidByShapes(data, n)),
    ),
    arrays,
    inPlace: !copied.has(name),
    kernels: kernelsHash(room, name),
  }
}

/** Whether an argument has an axis that is this size. */
const saidByShapes = (data: Operation['data'], size: string): boolean =>
  data.sizes.some((s) => s.name === size && s.fixed !== undefined) ||
  data.arrays.some((a) => (a.role === 'in' || a.role === 'inout') && a.shape.includes(size))

function writeCases(to: string, only: readonly string[]): void {
  const all = rooms()
    .flatMap(rowsOf)
    .filter((r) => only.length === 0 || only.includes(r.name))
  writeFileSync(to, JSON.stringify(all.map(({ room, name, planned }) => caseOf(room, name, planned))))
  console.log(`${all.length} operations`)
}

if (process.argv[1]?.endsWith('collection/cases.ts')) {
  const [to, ...only] = process.argv.slice(2)
  if (to) writeCases(to, only)
  else console.error('cases.ts CASES.json [NAME…]')
  process.exit(to ? 0 : 2)
}
