// In: a contraction whose factors lie with the summed loop inside. Out: kernels that copy those with rows and columns changed, and
// the same contraction on the copies. The one idea: a copy costs one pass over a factor, which the product uses many times; tiles of
// the copy go to workgroup memory row by row, in vectors, without turning anything there.
import type { ArrayDecl, Expr, Loop, Program } from '../../ir/index.ts'
import { copying, mapValues } from '../own.ts'
import type { Nest } from '../part.ts'
import { freshName, mapExpr, uses, type Read } from '../tree.ts'
import type { Scheduled } from './sketch.ts'
import { transpose } from './transpose.ts'

/** A factor of a contraction and the loop that is its own. */
export interface Factor { readonly read: Read; readonly own: Loop }

export interface Turned {
  readonly program: Program
  readonly part: Nest
  /** Further names of arrays, as `Scheduled` has them. */
  readonly aliases: Readonly<Record<string, string>>
  /** The copies themselves, without further names. */
  readonly copies: readonly ArrayDecl[]
  readonly kernels: readonly Scheduled[]
}

type Dims = readonly [own: number, k: number]

/** Dimensions of `factor` along its own loop and along `k`, where `k` is the inner of the two and the last: what turning is for. */
export function turnable({ read: r, own }: Factor, k: Loop): Dims | undefined {
  const dimOf = (l: Loop): number => r.index.findIndex((e) => uses(e, l.name))
  const [o, inner] = [dimOf(own), dimOf(k)]
  return o < inner && inner === r.index.length - 1 && r.index.length <= 3 ? [o, inner] : undefined
}

/** Turns those of `factors` that can be; `aliases` says which of their arrays are one under two names: that one is copied once. */
export function turned(program: Program, part: Nest, factors: readonly Factor[], k: Loop, aliases: Readonly<Record<string, string>>): Turned {
  const made = new Map<string, ArrayDecl>(), kernels: Scheduled[] = []
  let out: Omit<Turned, 'copies' | 'kernels'> = { program, part, aliases }
  for (const factor of factors) {
    const dims = turnable(factor, k)
    if (!dims) continue
    const source = aliases[factor.read.array] ?? factor.read.array, key = `${source} ${dims.join()}`
    const known = made.get(key), array = program.arrays.find((a) => a.name === source)! // a factor is an array of the program
    const copy: ArrayDecl = { ...array, name: freshName(out.program, known ? `${known.name}_again` : `${source}_turned`), role: 'temp', space: 'global', shape: swapped(array.shape, dims) }
    if (!known) {
      made.set(key, copy)
      kernels.push(copyKernel({ ...program, arrays: [...program.arrays, copy] }, array, copy, dims))
    }
    out = {
      program: { ...out.program, arrays: [...out.program.arrays, copy] }, part: mapValues(out.part, (e) => readingCopy(e, factor.read.array, copy.name, dims)),
      aliases: known ? { ...out.aliases, [copy.name]: known.name } : out.aliases,
    }
  }
  return { ...out, copies: [...made.values()], kernels }
}

const swapped = <T>(list: readonly T[], [a, b]: Dims): readonly T[] => list.map((x, d) => (d === a ? list[b]! : d === b ? list[a]! : x)) // dimensions of the list

const readingCopy = (e: Expr, from: string, to: string, dims: Dims): Expr =>
  mapExpr(e, (x) => (x.kind === 'read' && x.array === from ? { ...x, array: to, index: swapped(x.index, dims) } : undefined))

function copyKernel(program: Program, from: ArrayDecl, to: ArrayDecl, dims: Dims): Scheduled {
  const nest = copying(program, from, to, (index) => swapped(index, dims))
  const { kernels: [only] } = transpose(program, nest)!.build({ tile: 32, rows: 8, pad: 1, vector: 4 }) // rows and columns change, in one kernel
  return { ...only!, name: `${program.name}_turned`, steps: [`copy ${from.name} with rows and columns changed`, ...only!.steps] }
}
