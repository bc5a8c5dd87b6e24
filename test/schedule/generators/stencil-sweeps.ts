// For tests: random programs that sweep over a grid again and again: stencils of one to three dimensions from several
// nests with offsets, borders, guards and arrays that are only read; and sweeps in place, with and without time. In
// bounds from size 6 on.
import { random, type Random } from '../../../src/base/index.ts'
import type { Program } from '../../../src/ir/index.ts'
import { text } from '../support.ts'

const pick = <T>(r: Random, xs: readonly T[]): T => xs[r.int(0, xs.length - 1)]!

const shifted = (name: string, by: number): string =>
  by === 0 ? name : by > 0 ? `${name} + ${by}` : `${name} - ${-by}`

const header = (rank: number, planned: number): string => {
  const shape = Array.from({ length: rank }, () => 'n').join(', ')
  return (
    `size t = ${planned} min 1 size n = ${planned} min 6 array A: f32[${shape}] inout global array B: ` +
    `f32[${shape}] inout global array C: f32[${shape}] inout global array x: f32[${shape}] in global array f: ` +
    `f32[t] in global`
  )
}

/** A loop per dimension, or, now and then, one place at a border: the index of the point, and how far reads may go. */
interface Dimension {
  readonly head: string | undefined
  readonly index: string
  readonly low: number
  readonly high: number
}

function dimension(r: Random, name: string, mayBeThin: boolean): Dimension {
  if (mayBeThin && r.unit() < 0.25)
    return pick(r, [
      { head: undefined, index: '0', low: 0, high: 2 },
      { head: undefined, index: 'n - 1', low: -2, high: 0 },
      { head: undefined, index: '1', low: -1, high: 2 },
    ])
  return {
    head: `for ${name} in ${pick(r, ['2', '2', '3'])} .. n - ${pick(r, ['2', '2', '3'])}`,
    index: name,
    low: -2,
    high: 2,
  }
}

function place(r: Random, dims: readonly Dimension[]): string {
  return dims
    .map((d) => {
      const by = r.unit() < 0.5 ? 0 : r.int(d.low, d.high)
      return d.index === '0'
        ? String(by)
        : d.index === '1'
          ? String(1 + by)
          : d.index === 'n - 1'
            ? `n - ${1 - by}`
            : shifted(d.index, by)
    })
    .join(', ')
}

const own = (dims: readonly Dimension[]): string => dims.map((d) => d.index).join(', ')

function nest(r: Random, n: number, rank: number): string {
  const dims = Array.from({ length: rank }, (_, d) => dimension(r, `${'ijk'[d]}${n}`, d === 0 && rank > 1))
  const target = pick(r, ['A', 'A', 'B', 'C'])
  const reads = Array.from({ length: r.int(1, 4) }, () => {
    const a = pick(r, ['A', 'A', 'B', 'B', 'C', 'x'])
    return a === target && r.unit() < 0.8 ? `${a}[${own(dims)}]` : `${a}[${place(r, dims)}]`
  })
  const terms = [
    ...reads.map((e) => `${pick(r, ['0.25f', '0.5f', '-0.125f'])} * ${e}`),
    ...(r.unit() < 0.15 ? ['f[s]'] : []),
  ]
  const statement = `${target}[${own(dims)}] = ${terms.join(' + ')}`
  const guard = dims.find((d) => d.head)
  const body =
    guard && r.unit() < 0.15
      ? `if ${pick(r, [`${guard.index} > 4`, `x[${own(dims)}] > 0.0f`])} { ${statement} }`
      : statement
  return dims.reduceRight((inner, d) => (d.head ? `${d.head} { ${inner} }` : inner), body)
}

/** `to` from the neighbourhood of `from`, inside of the borders. */
function relaxed(r: Random, to: string, from: string, rank: number, suffix: string): string {
  const names = Array.from({ length: rank }, (_, d) => `${'ijk'[d]}${suffix}`),
    here = names.join(', ')
  const near = (): string => names.map((i) => shifted(i, r.int(-1, 1))).join(', ')
  return names.reduceRight(
    (inner, i) => `for ${i} in 2 .. n - 2 { ${inner} }`,
    `${to}[${here}] = 0.5f * ${from}[${near()}] + 0.25f * ${from}[${near()}] + 0.125f * ` +
      `${pick(r, [from, to])}[${here}]`,
  )
}

/** A time loop around nests. */
export function stencilProgram(seed: number): Program {
  const r = random(seed),
    rank = pick(r, [1, 2, 2, 3])
  const nests = Array.from({ length: r.int(0, 3) }, (_, n) => nest(r, n, rank))
  return text(
    `program stencil_${seed} { ${header(rank, rank === 3 ? 120 : 600)} for s in 0 .. t { ` +
      `${relaxed(r, 'B', 'A', rank, 'a')} ${nests.join(' ')} ${relaxed(r, 'A', 'B', rank, 'b')} } }`,
  )
}

/** Sweeps in place: of rows and columns, of columns alone, with a time loop around them or none. */
export function sweepProgram(seed: number): Program {
  const r = random(seed),
    rank = pick(r, [1, 2, 2]),
    timed = rank === 1 || r.unit() < 0.6
  const dims = Array.from(
    { length: rank },
    (_, d): Dimension => ({
      head: `for ${'ij'[d]} in ${pick(r, ['2', '3'])} .. n - 2`,
      index: 'ij'[d]!,
      low: -2,
      high: 2,
    }),
  ) // two at most
  const statement = (target: string, also: readonly string[]): string => {
    const reads = Array.from({ length: r.int(1, 5) }, () => {
      const a = pick(r, [target, target, ...also])
      return `0.2f * ${a}[${place(r, dims)}]`
    })
    return `${target}[${own(dims)}] = 0.1f * ${target}[${place(r, dims)}] + ${reads.join(' + ')}`
  }
  const two = r.unit() < 0.3
  const one = statement('A', two ? ['B', 'x'] : ['x'])
  const body = two ? `${statement('B', ['A'])} ${one}` : r.unit() < 0.2 ? `if x[${own(dims)}] > 0.0f { ${one} }` : one
  const inner = dims.reduceRight((b, d) => `${d.head} { ${b} }`, body)
  return text(`program sweep_${seed} { ${header(rank, 600)} ${timed ? `for s in 0 .. t { ${inner} }` : inner} }`)
}
