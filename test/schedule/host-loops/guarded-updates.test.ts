// Branches that ask for what the loops write, with several stores, in blocks of iterations: shortest paths with what
// they go through, spelled in several ways, and random ones of their kind. The rewrite against the source, then whole
// plans, simulated with hazards watched, at sizes around a block.
import { expect, test } from 'vitest'
import { applied, random } from '../../../src/base/index.ts'
import { gpu } from '../../../src/gpus/index.ts'
import { loop as loopOf, loopVar, printProgram, type Loop, type Plan, type Program } from '../../../src/ir/index.ts'
import { mapStmtExprs, rewriteExpr } from '../../../src/ir/loop/loop-tree.ts'
import { analyse, tryBuild } from '../../../src/pipeline.ts'
import { endsApart, firstApart } from '../../../src/transform/reorder/end-peeling.ts'
import { inPiecesAround } from '../../../src/transform/reorder/index-set-splitting.ts'
import { inBlocks } from '../../../src/transform/reorder/strip-mining.ts'
import { runsEverywhere } from '../../../src/tune/default-limits.ts'
import { fastPlan } from '../../../src/tune/empty-sizes.ts'
import { readC } from '../../c/read.ts'
import { isLong, seedsOf, someOf } from '../../support/long.ts'
import { results, verified } from '../support.ts'

/** `p`, one loop, split around its own places, in blocks of `size`, as a plain program again. */
function blockedAgain(p: Program, size: number): Program | undefined {
  const l = p.body[0] as Loop, // one loop
    pieces = inPiecesAround(p, l)
  const b = inBlocks({ ...p, body: [pieces ?? l] }, pieces ?? l, size, pieces !== undefined)
  if (!b) return undefined
  const body = b.body.map((s) =>
    mapStmtExprs(s, (e) =>
      rewriteExpr(e, (x) => (x.kind === 'size' && x.name === b.variable ? loopVar(b.variable) : undefined)),
    ),
  )
  return { ...b.program, hostVariables: [], body: [loopOf(b.variable, l.upper, body, { lower: l.lower, step: size })] }
}

const paths = (body: string): string =>
  `void f(int n, int d[n][n], int next[n][n]) { for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) ${body} }`

/** Stores that a shorter way asks for, with what `random` says of them. */
function guarded(seed: number): string {
  const r = random(seed),
    one = (all: readonly string[]): string => all[r.int(0, all.length - 1)]!
  const found = 'd[i][k] + d[k][j]',
    through = one(['next[i][k]', 'next[k][j]', 'k', 'next[i][k] + k', 'd[i][j]']),
    skip = one(['', '', 'if (i == k) continue;', 'if (i != k)']),
    both = [`d[i][j] = ${found};`, `next[i][j] = ${through};`],
    stores = through === 'd[i][j]' || r.int(0, 1) === 0 ? both.toReversed() : both,
    otherwise = one(['', '', 'else next[i][j] ^= 1;'])
  const inner = one([
    `if (${found} < d[i][j]) { ${stores.join(' ')} } ${otherwise}`,
    `int t = ${found}; if (t < d[i][j]) { d[i][j] = t; next[i][j] = ${through === 'd[i][j]' ? 'k' : through}; }`,
    `if (j != k && ${found} < d[i][j]) { ${stores.join(' ')} }`,
  ])
  return paths(`{ ${skip} for (int j = 0; j < n; j++) { ${inner} } }`)
}

test('random guarded updates in blocks compute what the source does', async () => {
  let made = 0
  for (let seed = 1; seed <= seedsOf(16); seed++) {
    const source = guarded(seed),
      p = await readC(source),
      again = blockedAgain(p, 3)
    if (!again) continue
    made++
    for (const n of [1, 2, 3, 4, 7])
      expect({ source, n, got: results(again, ['d', 'next'], { n }, seed), program: printProgram(again) }).toEqual({
        source,
        n,
        got: results(p, ['d', 'next'], { n }, seed),
        program: printProgram(again),
      })
  }
  expect(made).toBeGreaterThan(seedsOf(8))
}, 240_000)

const shorter = 'd[i][k] + d[k][j] < d[i][j]',
  stores = '{ d[i][j] = d[i][k] + d[k][j]; next[i][j] = next[i][k]; }'

/** Whether the host runs blocks of iterations. */
const inSteps = (a: ReturnType<typeof analyse>): boolean => a.order.some((s) => typeof s !== 'number' && s.step > 1)

test.each(
  someOf([
    ['with successors', paths(`for (int j = 0; j < n; j++) if (${shorter}) ${stores}`)],
    ['but the row itself', paths(`{ if (i == k) continue; for (int j = 0; j < n; j++) if (${shorter}) ${stores} }`)],
    [
      'by way of a local',
      paths(
        'for (int j = 0; j < n; j++) { int t = d[i][k] + d[k][j]; if (t < d[i][j]) { d[i][j] = t; next[i][j] = k; } }',
      ),
    ],
  ] as const),
)(
  'shortest paths %s are in blocks',
  async (_, source) => {
    const a = analyse(await readC(`#pragma tesela sizes(n = 1024)\n${source}`))
    expect(inSteps(a)).toBe(true)
    if (!isLong) return
    for (const n of [1, 33])
      expect(
        verified(
          a,
          a.parts.map((x) => x.sketch.ladder.at(-1)!.point),
          [{ n }],
          {},
          3,
        ).ok,
      ).toBe(true) // it has some
  },
  240_000,
)

test('an end that is peeled answers for a condition and for its opposite', async () => {
  const p = await readC(
    'void f(int n, float u[n][n], float l[n][n]) { for (int i = 0; i < n; i++) for (int k = i; k < n; k++) { ' +
      'if (i == k) l[i][i] = 1; if (i != k) { l[k][i] = u[k][i] / u[i][i]; } } }',
  )
  const made = endsApart(p, p.body[0] as Loop) // one loop
  expect(printProgram({ ...p, body: [made] })).not.toContain('if')
  expect(results({ ...p, body: [made] }, ['l'], { n: 5 }, 1)).toEqual(results(p, ['l'], { n: 5 }, 1))
})

const step = 'for (int i = 0; i < n; i++) { float s = u[t][i];'

test.each<[string, string, boolean]>([
  ['what needs the one before', `${step} if (t > 0) s += l[t - 1][n - 1 - i]; l[t][i] = s; }`, true],
  ['what only the first does', `${step} if (t == 0) s = 1; else s += l[t - 1][n - 1 - i]; l[t][i] = s; }`, true],
  ['a condition the other way around', `${step} if (0 >= t) s = 7; l[t][i] = s; }`, true],
  ['a place that is not an end', `${step} if (t > 1) s += l[t - 2][n - 1 - i]; l[t][i] = s; }`, false],
  ['a place further on', `${step} if (t != 2) s = 3; l[t][i] = s; }`, false],
])('the first iteration comes apart: %s', async (_, body, isApart) => {
  const p = await readC(
      `void f(int n, int m, float u[m][n], float l[m][n]) { for (int t = 0; t < m; t++) { ${body} } }`,
    ),
    made = firstApart(p, p.body[0] as Loop) // one loop
  expect(made !== undefined).toBe(isApart)
  if (!made) return
  const apart = { ...p, body: made }
  expect(printProgram({ ...p, body: made.slice(-1) })).not.toContain('if')
  for (const m of [0, 1, 5]) expect(results(apart, ['l'], { n: 4, m }, 1)).toEqual(results(p, ['l'], { n: 4, m }, 1))
})

test.runIf(isLong)(
  'Doolittle with two arrays is in blocks',
  async () => {
    const a = analyse(
      await readC(
        `#pragma tesela sizes(n = 1024)
        void f(int n, const float a[n][n], float l[n][n], float u[n][n]) { for (int i = 0; i < n; i++) {
          for (int k = i; k < n; k++) {
            float s = 0; for (int j = 0; j < i; j++) s += l[i][j] * u[j][k]; u[i][k] = a[i][k] - s; }
          for (int k = i; k < n; k++) { if (i == k) l[i][i] = 1; else {
            float s = 0; for (int j = 0; j < i; j++) s += l[k][j] * u[j][i];
            l[k][i] = (a[k][i] - s) / u[i][i]; } } } }`,
      ),
    )
    expect(inSteps(a)).toBe(true)
  },
  240_000,
)

test.runIf(isLong)(
  'where blocks need more buffers than every device has, the loops without blocks do not',
  async () => {
    const p = await readC(
      `#pragma tesela sizes(n = 1024)\n${paths(`for (int j = 0; j < n; j++) if (${shorter}) ${stores}`)}`,
    )
    const built = (isUnblocked: boolean): Plan => {
      const a = analyse(p, { isUnblocked })
      expect(inSteps(a)).toBe(!isUnblocked)
      const points = a.parts.map((x) => x.sketch.ladder.at(-1)!.point) // it has some
      return applied(tryBuild(a, points, { only: 'general' })).plan
    }
    expect(runsEverywhere(built(false))).toBe(false)
    expect(runsEverywhere(built(true))).toBe(true)
    const smaller = fastPlan(p, { gpu: gpu('h200'), seed: 1, target: 'wgsl', isUnblocked: true })
    expect(smaller && runsEverywhere(smaller)).toBe(true)
  },
  240_000,
)

test('a sum under a condition of contents stores nothing behind the last iteration of a block', async () => {
  const a = analyse(
    await readC(`void f(int n, int m, unsigned y[n]) { for (int i = 0; i < n; i++) { int s = 0;
      for (int j = 0; j < m; j++) if (y[n - 1 - i] > 0 && i != 0) s++; y[i] = s; } }`),
  )
  for (const n of [1, 33, 65])
    expect(
      verified(
        a,
        a.parts.map((x) => x.sketch.ladder.at(-1)!.point),
        [{ n, m: 5 }],
      ).ok,
    ).toBe(true)
})
