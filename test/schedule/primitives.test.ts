// Every primitive: the example in its file's header is run as it stands there, what it refuses is refused in its words,
// and what it makes computes the same.
import { describe, expect, test } from 'vitest'
import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isInapplicable } from '../../src/base/index.ts'
import { parseProgram, printProgram, verifyProgram, type Program } from '../../src/ir/index.ts'
import {
  bind,
  doubleBuffer,
  fragment,
  fuse,
  heldLoads,
  liftChoice,
  pad,
  peel,
  pipeline,
  pipelineAcross,
  prefetch,
  registerTile,
  reorder,
  shareMemory,
  sinkGuard,
  split,
  splitReductionProgram,
  stage,
  stageOut,
  treeReduce,
  unrollLoop,
  vectorize,
  wholeTile,
} from '../../src/schedule/index.ts'
import { nestsOf } from '../../src/regions/index.ts'
import { results, text } from './support.ts'

const folder = resolve(import.meta.dirname, '../../src/schedule/primitives')

/** The example of a file's header: what stands before `→` and after it. */
function example(file: string): { readonly before: string; readonly after: string } {
  const lines = readFileSync(join(folder, `${file}.ts`), 'utf8').split('\n')
  const arrow = lines.findIndex((l) => l.startsWith('// → '))
  const first = lines.lastIndexOf('//', arrow),
    last = lines.indexOf('//', arrow)
  const join_ = (part: readonly string[]): string => part.map((l) => l.slice(5)).join('\n')
  return { before: join_(lines.slice(first + 1, arrow)), after: join_(lines.slice(arrow, last)) }
}

const around = (declarations: string, body: string): string =>
  `program example { size n = 8 min 1 size m = 8 min 1 ${declarations} ${body} }`

interface Example {
  /** Arrays beside the sizes `n` and `m`. */
  readonly arrays: string
  /** Statements around the example: what it needs to be a program. */
  readonly wrap?: (body: string) => string
  readonly apply: (p: Program) => Program
  readonly results: readonly string[]
  /** What the result has beside. */
  readonly more?: string
}

const vectors = 'array x: f32[n] in global array y: f32[n] inout global'
const wide = 'array x: f32[32 * n] in global array y: f32[32 * n] out global'
const matrix =
  'array A: f32[8 + n, 4 * m + 32] in global array C: f32[8 + n, 4 * m + 32] inout global array y: f32[8 + n] ' +
  'inout global'
const tiles = 'array x: f32[8, 4] in global array y: f32[4, 4] out global'
const fill = 'declare T: f32[8, 4] temp shared for a in 0 .. 8 { for b in 0 .. 4 { T[a, b] = x[a, b] } }'
const keep = (rank: string): string => `for a in 0 .. 4 { for b in 0 .. 4 { y[a, b] = s[${rank}] } }`

const examples: Readonly<Record<string, Example>> = {
  split: {
    arrays: vectors,
    apply: (p) => split(p, { loop: 'i', factor: 4, outer: 'io', inner: 'ii' }),
    results: ['y'],
  },
  bind: { arrays: vectors, apply: (p) => bind(p, { loop: 'i', to: { kind: 'block', axis: 'x' } }), results: ['y'] },
  fuse: {
    arrays: `${vectors} array D: f32[n, 8] inout global`,
    apply: (p) => fuse(p, { outer: 'i', inner: 'j', as: 'ij' }),
    results: ['D'],
  },
  reorder: {
    arrays: 'array A: f32[m, n] in global array C: f32[n, m] out global',
    apply: (p) => reorder(p, { order: ['j', 'i'] }),
    results: ['C'],
  },
  'register-tile': { arrays: matrix, apply: (p) => registerTile(p, { tile: ['i'] }), results: ['y'] },
  peel: {
    arrays: 'array A: f32[32, 32 * m + 32] in global array y: f32[1] out global',
    wrap: (b) => `declare s: f32[1] temp private s[0] = 0.0f ${b} y[0] = s[0]`,
    apply: (p) => peel(p, { loop: 'k' }),
    results: ['y'],
  },
  pad: {
    arrays: matrix,
    wrap: (b) => `declare s: f32[4] temp private for i in 0 .. 4 { s[i] = 0.0f } ${b} for i in 0 .. 4 { y[i] = s[i] }`,
    apply: (p) => pad(p, { into: 's', reduction: ['k'] }),
    results: ['y'],
  },
  'stage-out': {
    arrays: matrix,
    apply: (p) => stageOut(p, { array: 'C', at: 'ko', as: 'C_tile', threads: 32, pad: 1 }),
    results: ['C'],
  },
  'share-memory': {
    arrays: 'array x: f32[4, 8] in global array y: f32[4, 8] inout global array z: f32[4, 8] inout global',
    apply: (p) => shareMemory(p, { at: 'b', arrays: ['s', 'u'] }),
    results: ['y', 'z'],
  },
  stage: {
    arrays: 'array A: f32[8, 4 * m] in global array C: f32[8, m] inout global',
    apply: (p) => stage(p, { array: 'A', at: 'ko', as: 'A_tile', threads: 32, order: [1, 0], pad: 1 }),
    results: ['C'],
  },
  fragment: {
    arrays: tiles,
    wrap: (b) =>
      `${fill} declare s: f32[4, 4] temp private for a in 0 .. 4 { for b in 0 .. 4 { s[a, b] = 0.0f } } ${b} ` +
      `${keep('a, b')}`,
    apply: (p) => fragment(p, { array: 'T', at: 'k', as: 'row', vector: true }),
    results: ['y'],
  },
  prefetch: { arrays: wide, apply: (p) => prefetch(p, { loop: 'ko', arrays: ['T'] }), results: ['y'] },
  'double-buffer': { arrays: wide, apply: (p) => doubleBuffer(p, { loop: 'ko', arrays: ['T'] }), results: ['y'] },
  pipeline: {
    arrays: tiles,
    wrap: (b) => `${fill} declare s: f32[4] temp private for a in 0 .. 4 { s[a] = 0.0f } ${b} ${keep('a')}`,
    apply: (p) => pipeline(p, { loop: 'k', arrays: ['row'] }),
    results: ['y'],
  },
  'whole-tile': { arrays: vectors, apply: (p) => wholeTile(p, { loop: 'b', array: 'y' }), results: ['y'] },
  'held-loads': {
    arrays: vectors,
    apply: (p) => ({
      ...p,
      body: p.body.flatMap((s) =>
        s.kind === 'loop' ? (heldLoads(p, s, { at: 'u', around: [], multiples: new Set() }) ?? []) : [],
      ),
    }),
    results: ['y'],
  },
  'lift-choice': {
    arrays: matrix,
    wrap: (b) => `declare s: f32[4] temp private for i in 0 .. 4 { s[i] = 0.0f } ${b} for i in 0 .. 4 { y[i] = s[i] }`,
    apply: (p) => liftChoice(p, { loop: 'k' }),
    results: ['y'],
  },
  'sink-guard': { arrays: matrix, apply: (p) => sinkGuard(p, { into: 's' }), results: ['y'] },
  'tree-reduce': {
    arrays: 'array A: f32[32, m] in global array y: f32[1] out global',
    apply: (p) => treeReduce(p, { loop: 't' }),
    results: ['y'],
  },
  'split-reduction': {
    arrays: 'array A: f32[8, m] in global array y: f32[1] out global',
    results: ['y'],
    more: 'array partial: f32[8] temp global',
    apply: (p) => {
      const { program, parts } = nestsOf(p),
        [part] = parts
      if (part?.kind !== 'nest') throw new Error('the example is no nest')
      return splitReductionProgram(program, part)
    },
  },
}

describe('the example in each header', () => {
  test('there is one for every primitive', () =>
    expect(Object.keys(examples).sort()).toEqual(
      readdirSync(folder)
        .map((f) => f.replace('.ts', ''))
        .sort(),
    ))
  test.each(Object.entries(examples))('%s', (name, { arrays, wrap = (b) => b, apply, results: outputs, more = '' }) => {
    const { before, after } = example(name)
    const p = text(around(arrays, wrap(before))),
      q = apply(p)
    verifyProgram(q)
    expect(printProgram(q)).toBe(printProgram(parseProgram(around(`${arrays} ${more}`, wrap(after)))))
    expect(printProgram(q)).not.toBe(printProgram(p))
    for (const sizes of [
      { n: 8, m: 8 },
      { n: 3, m: 5 },
      { n: 1, m: 1 },
    ])
      expect(results(q, outputs, sizes)).toEqual(results(p, outputs, sizes))
  })
})

test('prefetch that leaves out the last loads', () => {
  const { before, after } = example('prefetch')
  const q = prefetch(text(around(wide, before)), { loop: 'ko', arrays: ['T'], last: 'skip' })
  verifyProgram(q)
  const fetch = 'for t in 0 .. 32 @thread(1) { next_T[t] = x[min(ko + 1, n - 1) * 32 + t] }'
  const skipping = after.replace(fetch, `if ko + 1 < n { ${fetch.replace('min(ko + 1, n - 1)', '(ko + 1)')} }`)
  expect(after).toContain(fetch)
  expect(printProgram(q)).toBe(printProgram(parseProgram(around(wide, skipping))))
  expect(results(q, ['y'], { n: 3, m: 1 })).toEqual(results(text(around(wide, before)), ['y'], { n: 3, m: 1 }))
})

const products = (sum: string, rows = 4): string =>
  'declare T: f32[4, 8] temp shared ' +
  'for t in 0 .. 8 @thread(1) { for r in 0 .. 4 { T[r, t] = x[(ko * 4 + r) * 8 + t] } } ' +
  `for t in 0 .. 8 @thread(1) { for k in 0 .. ${rows} { declare a: f32[2] temp private declare b: f32[] temp private ` +
  `for i in 0 .. 2 { a[i] = T[k, (t + i) % 8] } b = T[k, 7 - t] for i in 0 .. 2 { ${sum} } } }`
const summed = (tile: string): string =>
  'declare s: f32[8, 2] temp private for t in 0 .. 8 @thread(1) { for i in 0 .. 2 { s[t, i] = 0.0f } } ' +
  `for ko in 0 .. n { ${tile} } for t in 0 .. 8 @thread(1) { for i in 0 .. 2 { y[t * 2 + i] = s[t, i] } }`
const across = (p: Program): ReturnType<typeof pipelineAcross> =>
  pipelineAcross(p, { tiles: 'ko', loop: 'k', arrays: ['a', 'b'] })

test('pipeline across tiles multiplies one row behind the loads', () => {
  const arrays = 'array x: f32[32 * n] in global array y: f32[16] out global',
    p = text(around(arrays, summed(products('s[t, i] += a[i] * b')))),
    q = across(p)
  if (isInapplicable(q)) throw new Error(q.inapplicable[0]!.message)
  verifyProgram(q)
  const printed = printProgram(q)
  expect(printed).toContain('s[t, i] += a[(k + 1) % 2, t, i] * b[(k + 1) % 2, t]')
  expect(printed).toContain('s[t, i] += a[1, t, i] * b[1, t]')
  for (const n of [1, 2, 5]) expect(results(q, ['y'], { n, m: 1 })).toEqual(results(p, ['y'], { n, m: 1 }))
})

const more = "'k' does more with a, b than to add up products"
test.each([
  ['something else is added', products('s[t, i] += a[i] + b'), more],
  ['a greatest product', products('s[t, i] = max(s[t, i], a[i] * b)'), more],
  ['a factor that is no register', products('s[t, i] += a[i] * T[k, t]'), more],
  ['the row itself', products('s[t, i] += a[i] * b * f32(k)'), more],
  ['an odd number of rows', products('s[t, i] += a[i] * b', 3), "'k' must be innermost, of an even number of rows"],
])('pipeline across tiles leaves alone: %s', (_, tile, why) => {
  const p = text(around('array x: f32[32 * n] in global array y: f32[16] out global', summed(tile))),
    q = across(p)
  expect(isInapplicable(q) && q.inapplicable[0]!.message).toContain(why)
})

test('peel asks once for all lanes', () => {
  const asked = (guard: string): string =>
    `for k in 0 .. (m + 3) / 4 { for t in 0 .. 4 { for v in 0 .. 4 { if ${guard} { s[v] += A[k * 4 + t, v] } } } }`
  const arrays = 'array A: f32[m, n + 4] in global array y: f32[4] out global',
    wrap = (b: string): string =>
      `declare s: f32[4] temp private for v in 0 .. 4 { s[v] = 0.0f } ${b} for v in 0 .. 4 { y[v] = s[v] }`
  for (const [guard, condition] of [
    ['v < n && k * 4 + t < m', 'if 3 < n {'],
    ['k * 4 + t < m && v + 2 <= n', 'if 4 < n {'],
  ] as const) {
    const p = text(around(arrays, wrap(asked(guard)))),
      q = peel(p, { loop: 'k', lanes: ['v'] })
    verifyProgram(q)
    expect(printProgram(q)).toContain(condition)
    for (const sizes of [
      { n: 4, m: 9 },
      { n: 3, m: 5 },
      { n: 9, m: 8 },
      { n: 1, m: 1 },
    ])
      expect(results(q, ['y'], sizes)).toEqual(results(p, ['y'], sizes))
  }
})

const sum = 'declare s: f32[] temp private s = 0.0f'
const staged =
  'for ko in 0 .. n { declare T: f32[32] temp shared for t in 0 .. 32 @thread(1) { T[t] = x[ko * 32 + t] } ' +
  'for t in 0 .. 32 @thread(1) { y[ko * 32 + t] = T[31 - t] } }'

/** What, arrays, body, the rewrite, the sentence. */
const refusals: readonly (readonly [string, string, string, (p: Program) => Program, string])[] = [
  [
    'split: no such loop',
    vectors,
    'for i in 0 .. n { y[i] = x[i] }',
    (p) => split(p, { loop: 'k', factor: 4, outer: 'a', inner: 'b' }),
    "there is no loop 'k'",
  ],
  [
    'split: factor',
    vectors,
    'for i in 0 .. n { y[i] = x[i] }',
    (p) => split(p, { loop: 'i', factor: 0, outer: 'a', inner: 'b' }),
    "cannot split 'i' by 0: the factor must be a positive integer",
  ],
  [
    'split: name',
    vectors,
    'for i in 0 .. n { y[i] = x[i] }',
    (p) => split(p, { loop: 'i', factor: 4, outer: 'x', inner: 'b' }),
    "cannot split 'i': the name 'x' is taken",
  ],
  [
    'split: step',
    vectors,
    'for i in 0 .. n step 2 { y[i] = x[i] }',
    (p) => split(p, { loop: 'i', factor: 4, outer: 'a', inner: 'b' }),
    "cannot split 'i': its step is 2, not 1",
  ],
  [
    'split: exact',
    vectors,
    'for i in 0 .. n { y[i] = x[i] }',
    (p) => split(p, { loop: 'i', factor: 4, outer: 'a', inner: 'b', tail: 'exact' }),
    "cannot split 'i' exactly: 4 does not divide an extent known only at run time",
  ],
  [
    'split: exact, constant',
    wide,
    'for i in 0 .. 10 { y[i] = x[i] }',
    (p) => split(p, { loop: 'i', factor: 4, outer: 'a', inner: 'b', tail: 'exact' }),
    "cannot split 'i' exactly: 4 does not divide 10",
  ],
  [
    'bind: thread extent',
    vectors,
    'for i in 0 .. n { y[i] = x[i] }',
    (p) => bind(p, { loop: 'i', to: { kind: 'thread', stride: 1 } }),
    "cannot bind 'i' to threads: its extent is not a constant",
  ],
  [
    'bind: from 1',
    vectors,
    'for i in 1 .. n { y[i] = x[i] }',
    (p) => bind(p, { loop: 'i', to: { kind: 'block', axis: 'y' } }),
    "cannot bind 'i' to blocks: it must count from 0 in steps of 1",
  ],
  [
    'vectorize: extent 3',
    wide,
    'for i in 0 .. 3 { y[i] = x[i] }',
    (p) => vectorize(p, 'i'),
    "cannot make 'i' a vector: its extent is 3, not 2 or 4",
  ],
  [
    'unroll: not constant',
    vectors,
    'for i in 0 .. n { y[i] = x[i] }',
    (p) => unrollLoop(p, 'i'),
    "cannot unroll 'i': its extent is not a constant",
  ],
  [
    'fuse: not nested',
    wide,
    'for i in 0 .. 4 { y[i] = 0.0f for j in 0 .. 4 { y[i] += x[j] } }',
    (p) => fuse(p, { outer: 'i', inner: 'j', as: 'ij' }),
    "'j' is not the whole body of 'i'",
  ],
  [
    'fuse: symbolic',
    wide,
    'for i in 0 .. 4 { for j in 0 .. n { y[i] += x[j] } }',
    (p) => fuse(p, { outer: 'i', inner: 'j', as: 'ij' }),
    "'i' and 'j' must count from 0 in steps of 1, 'j' to a positive constant",
  ],
  [
    'fuse: name',
    wide,
    'for i in 0 .. 4 { for j in 0 .. 4 { y[i] += x[j] } }',
    (p) => fuse(p, { outer: 'i', inner: 'j', as: 'x' }),
    "the name 'x' is taken",
  ],
  [
    'reorder: dependence',
    'array C: f32[n + 1, m + 1] inout global',
    'for i in 1 .. n { for j in 0 .. m { C[i, j] = C[i - 1, j + 1] } }',
    (p) => reorder(p, { order: ['j', 'i'] }),
    "cannot reorder j, i: 'C' is also used at other elements",
  ],
  [
    'reorder: bounds',
    'array C: f32[n, n] inout global',
    'for i in 0 .. n { for j in 0 .. i { C[i, j] = 1.0f } }',
    (p) => reorder(p, { order: ['j', 'i'] }),
    "cannot put 'j' outside 'i': its bounds use it",
  ],
  [
    'reorder: not perfect',
    matrix,
    'for i in 0 .. n { y[i] = 0.0f for j in 0 .. m { y[i] += A[i, j] } }',
    (p) => reorder(p, { order: ['j', 'i'] }),
    'the loops j, i are not one perfect nest',
  ],
  [
    'reorder: last write wins',
    vectors,
    'for i in 0 .. n { for j in 0 .. m { y[i] = x[i] + f32(j) } }',
    (p) => reorder(p, { order: ['j', 'i'] }),
    "cannot reorder j, i: iterations write the same element of 'y'",
  ],
  [
    'register-tile: not the nest',
    matrix,
    `for i in 0 .. 4 { ${sum} for k in 0 .. m { s += A[i, k] } y[i] = s }`,
    (p) => registerTile(p, { tile: ['i', 'k'] }),
    'i, k is not the whole perfect nest (found i)',
  ],
  [
    'register-tile: no accumulation',
    vectors,
    'for i in 0 .. 4 { y[i] = x[i] }',
    (p) => registerTile(p, { tile: ['i'] }),
    'the body is not an accumulation: declare, init, one reduction loop, store',
  ],
  [
    'register-tile: extent',
    matrix,
    `for i in 0 .. n { ${sum} for k in 0 .. m { s += A[i, k] } y[i] = s }`,
    (p) => registerTile(p, { tile: ['i'] }),
    "the extent of 'i' is not a constant",
  ],
  [
    'register-tile: reads its result beside',
    matrix,
    `for i in 0 .. 4 { ${sum} for k in 0 .. m { s += A[i, k] } y[i] = s * y[i + 1] }`,
    (p) => registerTile(p, { tile: ['i'] }),
    "'y' is read at other elements than the stored one",
  ],
  [
    'register-tile: reads its result elsewhere',
    matrix,
    `for i in 0 .. 4 { ${sum} for k in 0 .. m { s += A[i, k] * y[0] } y[i] = s }`,
    (p) => registerTile(p, { tile: ['i'] }),
    "'y' is read at other elements than the stored one",
  ],
  [
    'stage: written',
    wide,
    'for ko in 0 .. n { for t in 0 .. 32 { y[ko * 32 + t] = y[ko * 32 + 31 - t] } }',
    (p) => stage(p, { array: 'y', at: 'ko', as: 'T', threads: 32 }),
    "'y' is written in the loop that would stage it",
  ],
  [
    'stage: not read',
    wide,
    'for ko in 0 .. n { for t in 0 .. 32 { y[ko * 32 + t] = 0.0f } }',
    (p) => stage(p, { array: 'x', at: 'ko', as: 'T', threads: 32 }),
    "'x' is not read there",
  ],
  [
    'stage: range',
    wide,
    'for ko in 0 .. n { for t in 0 .. m { y[ko] += x[t] } }',
    (p) => stage(p, { array: 'x', at: 'ko', as: 'T', threads: 32 }),
    "the range of an index of 'x' inside the loop is not a constant",
  ],
  [
    'stage: not affine',
    wide,
    'for ko in 0 .. n { for t in 0 .. 4 { y[ko] += x[t * t] } }',
    (p) => stage(p, { array: 'x', at: 'ko', as: 'T', threads: 32 }),
    "an index of 'x' is not affine",
  ],
  [
    'stage: two places',
    wide,
    'for ko in 0 .. n { y[ko] = x[ko] + x[0] }',
    (p) => stage(p, { array: 'x', at: 'ko', as: 'T', threads: 32 }),
    "the reads of 'x' do not lie in one box",
  ],
  [
    'stage: vector',
    wide,
    'for ko in 0 .. n { for t in 0 .. 6 { y[ko] += x[ko * 6 + t] } }',
    (p) => stage(p, { array: 'x', at: 'ko', as: 'T', threads: 32, vector: 4 }),
    'rows of 6 elements cannot be loaded 4 at a time',
  ],
  [
    'fragment: several',
    wide,
    'for ko in 0 .. n { for t in 0 .. 31 { y[t] = x[t] + x[t + 1] } }',
    (p) => fragment(p, { array: 'x', at: 'ko', as: 'row' }),
    "'x' is read at several elements in 'ko'",
  ],
  [
    'fragment: not read',
    wide,
    'for ko in 0 .. n { y[ko] = 1.0f }',
    (p) => fragment(p, { array: 'x', at: 'ko', as: 'row' }),
    "'x' is not read in 'ko'",
  ],
  [
    'fragment: under a condition',
    wide,
    'for ko in 0 .. n { for t in 0 .. 4 { if ko * 4 + t < n { y[t] = x[ko * 4 + t] } } }',
    (p) => fragment(p, { array: 'x', at: 'ko', as: 'row' }),
    "'x' is read under a condition in 'ko'",
  ],
  [
    'stage-out: not written',
    wide,
    'for ko in 0 .. n { for t in 0 .. 32 { y[ko * 32 + t] = x[t] } }',
    (p) => stageOut(p, { array: 'x', at: 'ko', as: 'T', threads: 32 }),
    "'x' is not written in 'ko'",
  ],
  [
    'stage-out: range',
    wide,
    'for ko in 0 .. n { for t in 0 .. m { y[t] = x[t] } }',
    (p) => stageOut(p, { array: 'y', at: 'ko', as: 'T', threads: 32 }),
    "the range of an index of 'y' inside the loop is not a constant",
  ],
  [
    'stage: clamped in two ways',
    wide,
    'for ko in 0 .. n { for t in 0 .. 4 { y[ko] += x[min(ko + t, n - 1)] * x[max(ko + t, 0)] } }',
    (p) => stage(p, { array: 'x', at: 'ko', as: 'T', threads: 32 }),
    "the reads of 'x' are clamped in different ways",
  ],
  [
    'share-memory: at the same time',
    wide,
    'for ko in 0 .. n { declare S: f32[8] temp shared declare T: f32[8] temp shared for t in 0 .. 8 { S[t] = ' +
      'x[t] T[t] = S[t] } for t in 0 .. 8 { y[t] = T[t] } }',
    (p) => shareMemory(p, { at: 'ko', arrays: ['S', 'T'] }),
    'S, T are in use at the same time',
  ],
  [
    'prefetch: no copy',
    wide,
    staged,
    (p) => prefetch(p, { loop: 'ko', arrays: ['x'] }),
    "'x' is not in workgroup memory",
  ],
  [
    'prefetch: written',
    wide,
    staged.replace('x[ko * 32 + t]', 'y[ko * 32 + t]'),
    (p) => prefetch(p, { loop: 'ko', arrays: ['T'] }),
    "'y' is written in 'ko'",
  ],
  [
    'pad: no accumulator',
    matrix,
    'for i in 0 .. 4 { if i < n { y[i] += A[i, 0] } }',
    (p) => pad(p, { into: 'y', reduction: [] }),
    "'y' is no private accumulator",
  ],
  [
    'fragment: written',
    vectors,
    'for i in 0 .. n { for t in 0 .. 4 { y[i] = x[i] + y[i] } }',
    (p) => fragment(p, { array: 'y', at: 'i', as: 'row' }),
    "'y' is written in 'i'",
  ],
  [
    'double-buffer: not declared there',
    wide,
    `declare T: f32[32] temp shared ${staged.replace('declare T: f32[32] temp shared', '')}`,
    (p) => doubleBuffer(p, { loop: 'ko', arrays: ['T'] }),
    "T are not all declared in 'ko', in workgroup memory",
  ],
  [
    'pipeline: bounds',
    wide,
    staged,
    (p) => pipeline(p, { loop: 'ko', arrays: ['T'] }),
    "'ko' must count from 0 in steps of 1 to a constant",
  ],
  [
    'pipeline: not filled',
    wide,
    staged.replace('0 .. n', '0 .. 4'),
    (p) => pipeline(p, { loop: 'ko', arrays: ['U'] }),
    "U are not all declared and filled once in 'ko'",
  ],
  [
    'sink-guard: reads data',
    matrix,
    `for i in 0 .. 8 { if y[i] > 0.0f { ${sum} for k in 0 .. m { s += A[i, k] } y[i] = s } }`,
    (p) => sinkGuard(p, { into: 's' }),
    "the guard reads 'y'",
  ],
  [
    'tree-reduce: extent',
    matrix,
    `${sum} for t in 0 .. 24 { for k in 0 .. m { s += A[0, k] } } y[0] = s`,
    (p) => treeReduce(p, { loop: 't' }),
    "'t' needs a constant power-of-two extent",
  ],
  [
    'tree-reduce: target',
    matrix,
    'for t in 0 .. 8 { for k in 0 .. m { y[t] += A[t, k] } }',
    (p) => treeReduce(p, { loop: 't' }),
    "'t' is not one reduction into one target",
  ],
  [
    'tree-reduce: global target',
    matrix,
    'for t in 0 .. 8 { for k in 0 .. m { y[0] += A[t, k] } }',
    (p) => treeReduce(p, { loop: 't' }),
    "'y' is no private accumulator",
  ],
]

test.each(refusals)('refused: %s', (_, arrays, body, rewrite, message) => {
  expect(() => rewrite(text(around(arrays, body)))).toThrow(`error: ${message} [schedule.`)
})
