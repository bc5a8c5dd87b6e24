// For tests: random sequences of primitives on random and on chosen nests. Each step is refused in a sentence or leaves
// a well-formed program that computes the same.
import { DiagnosticError, random, type Random } from '../../../src/base/index.ts'
import {
  printProgram,
  verifyProgram,
  type Binding,
  type Loop,
  type Program,
  eachStmt,
  perfectNest,
} from '../../../src/ir/index.ts'
import {
  bind,
  doubleBuffer,
  fragment,
  fuse,
  pad,
  pipeline,
  prefetch,
  registerTile,
  reorder,
  sinkGuard,
  split,
  stage,
  treeReduce,
} from '../../../src/schedule/index.ts'
import { randomProgram } from '../../random-program.ts'
import { results, text, type Sizes } from '../support.ts'

const nests = [
  'array A: f32[n, m] in global array B: f32[m, n] in global array C: f32[n, n] out global for i in 0 .. n { ' +
    'for j in 0 .. n { declare s: f32[] temp private s = 0.0f for k in 0 .. m { s += A[i, k] * B[k, j] } C[i, ' +
    'j] = s } }',
  'array A: f32[n, n] in global array B: f32[n, m] in global array C: f32[n, m] inout global for i in 0 .. n ' +
    '{ for j in 0 .. m { declare s: f32[] temp private s = C[i, j] for k in 0 .. i + 1 { s += A[i, k] * B[k, ' +
    'j] } C[i, j] = s } }',
  'array A: f32[n + 2, m + 2] in global array C: f32[n, m] out global for i in 0 .. n { for j in 0 .. m { ' +
    'C[i, j] = A[i, j] + A[i + 1, j + 2] - A[i + 2, j + 1] } }',
  'array A: f32[n + 2, m + 2] in global array w: f32[3, 3] in global array C: f32[n, m] out global for i in 0 ' +
    '.. n { for j in 0 .. m { declare s: f32[] temp private s = 0.0f for a in 0 .. 3 { for b in 0 .. 3 { s += ' +
    'w[a, b] * A[i + a, j + b] } } C[i, j] = s } }',
  'array A: f32[n, m] in global array C: f32[m, n] out global for i in 0 .. n { for j in 0 .. m { C[j, i] = ' +
    'A[i, j] } }',
  'array A: f32[n, m] in global array y: f32[n] out global for i in 0 .. n { declare s: f32[] temp private s ' +
    '= 0.0f for j in 0 .. m { s += A[i, j] } y[i] = s }',
  'array A: f32[n, m] in global array y: f32[m] inout global for i in 0 .. n { for j in 0 .. m { y[j] max= A[i, j] } }',
  'array A: f32[n, m] in global array C: f32[n, m] inout global for i in 0 .. n { for j in 0 .. m { if A[i, ' +
    'j] > 0.0f { C[i, j] += A[i, j] } } }',
  'array x: f32[8 * n] in global array y: f32[8 * n] out global for i in 0 .. n { for j in 0 .. 8 { y[i * 8 + ' +
    'j] = x[i * 8 + 7 - j] } }',
  'array x: f32[n] in global array y: f32[n] inout global for i in 0 .. n { for t in 0 .. 4 { y[i] = y[i] + x[i] } }',
]

const kept = (p: Program): readonly string[] => p.arrays.filter((a) => a.role !== 'temp').map((a) => a.name)

function startOf(seed: number, r: Random): Program {
  if (seed % 2 === 0) return randomProgram(seed, { exact: true })
  return text(`program nest { size n = 5 min 1 size m = 6 min 1 ${nests[r.int(0, nests.length - 1)]!} }`)
}

/** All loops and arrays that a step may name. */
function namesIn(p: Program): { readonly loops: readonly Loop[]; readonly arrays: readonly string[] } {
  const loops: Loop[] = [],
    arrays = p.arrays.map((a) => a.name)
  eachStmt(p.body, (s) => {
    if (s.kind === 'loop') loops.push(s)
    if (s.kind === 'declare') arrays.push(s.array.name)
  })
  return { loops, arrays }
}

interface Step {
  readonly words: string
  readonly apply: (p: Program) => Program
}

/** One random step; `n` makes its names new. */
function stepOf(p: Program, r: Random, n: number): Step | undefined {
  const { loops, arrays } = namesIn(p)
  const pick = <T>(xs: readonly T[]): T => xs[r.int(0, xs.length - 1)]!
  if (loops.length === 0 || arrays.length === 0) return undefined
  const l = pick(loops),
    array = pick(arrays),
    at = l.name
  const chain = perfectNest(l).loops.map((x) => x.name)
  const make = (words: string, apply: (q: Program) => Program): Step => ({ words, apply })
  switch (r.int(0, 17)) {
    case 0:
    case 1:
    case 2: {
      const factor = pick([1, 2, 3, 4, 8]),
        tail = pick(['guard', 'guard', 'exact'] as const)
      return make(`split ${at} by ${factor} (${tail})`, (q) =>
        split(q, { loop: at, factor, outer: `o${n}`, inner: `i${n}`, tail }),
      )
    }
    case 3:
    case 4: {
      const order = [...chain].slice(0, r.int(2, 4)).sort(() => r.unit() - 0.5)
      return make(`reorder ${order.join()}`, (q) => reorder(q, { order }))
    }
    case 5:
      return make(`fuse ${chain.slice(0, 2).join()}`, (q) =>
        fuse(q, { outer: at, inner: chain[1] ?? 'none', as: `f${n}` }),
      )
    case 6: {
      const to = pick<Binding>([
        { kind: 'unroll' },
        { kind: 'vector' },
        { kind: 'thread', stride: 1 },
        { kind: 'block', axis: 'x' },
        { kind: 'serial' },
      ])
      return make(`bind ${at} to ${to.kind}`, (q) => bind(q, { loop: at, to }))
    }
    case 7: {
      const o = { array, at, as: `tile${n}`, threads: pick([4, 8, 32]), pad: pick([0, 1]), vector: pick([1, 1, 2, 4]) }
      return make(`stage ${JSON.stringify(o)}`, (q) => stage(q, o))
    }
    case 8: {
      const tile = chain.slice(0, r.int(1, chain.length))
      return make(`register-tile ${tile.join()}`, (q) => registerTile(q, { tile }))
    }
    case 9: {
      const reduction = chain.slice(0, r.int(0, chain.length))
      return make(`pad ${array}; ${reduction.join()}`, (q) => pad(q, { into: array, reduction }))
    }
    case 10:
      return make(`fragment ${array} at ${at}`, (q) =>
        fragment(q, { array, at, as: `row${n}`, vector: r.unit() < 0.5 }),
      )
    case 11:
      return make(`prefetch ${array} at ${at}`, (q) => prefetch(q, { loop: at, arrays: [array] }))
    case 12:
      return r.unit() < 0.5
        ? make(`double-buffer ${array} at ${at}`, (q) => doubleBuffer(q, { loop: at, arrays: [array] }))
        : make(`pipeline ${array} at ${at}`, (q) => pipeline(q, { loop: at, arrays: [array] }))
    case 13:
    case 14: {
      const factor = pick([2, 4]),
        inner = chain[1]
      return make(`split ${at} by ${factor}${inner ? `, ${inner} by 2` : ''} and register-tile`, (q) => {
        const once = split(q, { loop: at, factor, outer: `o${n}`, inner: `i${n}` })
        if (!inner) return registerTile(once, { tile: [`i${n}`] })
        const twice = split(once, { loop: inner, factor: 2, outer: `p${n}`, inner: `j${n}` })
        return registerTile(reorder(twice, { order: [`o${n}`, `p${n}`, `i${n}`, `j${n}`] }), {
          tile: [`i${n}`, `j${n}`],
        })
      })
    }
    case 15:
      return make(`split ${at} and tree-reduce`, (q) =>
        treeReduce(
          reorder(split(q, { loop: at, factor: 4, outer: `o${n}`, inner: `i${n}` }), { order: [`i${n}`, `o${n}`] }),
          { loop: `i${n}` },
        ),
      )
    case 16: {
      const twice = r.unit() < 0.5
      return make(`stage ${array} at ${at}, prefetch${twice ? ', double-buffer' : ''}`, (q) => {
        const got = prefetch(stage(q, { array, at, as: `tile${n}`, threads: 8 }), { loop: at, arrays: [`tile${n}`] })
        return twice ? doubleBuffer(got, { loop: at, arrays: [`tile${n}`] }) : got
      })
    }
    default:
      return r.unit() < 0.5
        ? make(`tree-reduce ${at}`, (q) => treeReduce(q, { loop: at }))
        : make(`sink-guard ${array}`, (q) => sinkGuard(q, { into: array }))
  }
}

const allSizes: readonly Sizes[] = [
  { n: 5, m: 6 },
  { n: 1, m: 3 },
]

export interface Run {
  readonly done: readonly string[]
  readonly refused: number
  /** What went wrong. */
  readonly problem?: { readonly seed: number; readonly why: string; readonly before: string; readonly after: string }
}

/** A sequence of up to `length` steps from a seed. */
export function trySequence(seed: number, length = 10): Run {
  const r = random(seed)
  let p = startOf(seed, r)
  const names = kept(p)
  const want = allSizes.map((sizes) => results(p, names, sizes, seed))
  const done: string[] = []
  let refused = 0
  for (let n = 0; n < length; n++) {
    const step = stepOf(p, r, n)
    if (!step) break
    let q: Program | undefined
    const bad = (why: string): Run => ({
      done,
      refused,
      problem: { seed, why: `${step.words}: ${why}`, before: printProgram(p), after: q ? printProgram(q) : '' },
    })
    try {
      q = step.apply(p)
    } catch (e) {
      if (!(e instanceof DiagnosticError)) return bad(String(e))
      refused++
      continue
    }
    try {
      verifyProgram(q)
      for (const [i, sizes] of allSizes.entries())
        if (JSON.stringify(results(q, names, sizes, seed)) !== JSON.stringify(want[i]))
          return bad(`other results at ${JSON.stringify(sizes)}`)
    } catch (e) {
      return bad(String(e).slice(0, 300))
    }
    done.push(step.words)
    p = q
  }
  return { done, refused }
}
