// Loops whose variable is divided by an even part of their extent: in strips they compute what the same says with a
// loop of its own for the quotient, with numbers for extents and with constants that are sizes.
import { expect, test } from 'vitest'
import type { Program } from '../../src/ir/index.ts'
import { analyse } from '../../src/pipeline.ts'
import { results, sketchNames } from '../schedule/support.ts'
import { readC } from './read.ts'

interface Extents {
  readonly N: number
  readonly G: number
  readonly C: number
  readonly O: number
  readonly H: number
}

const defines = ({ N, G, C, O, H }: Extents): string =>
  [`N ${N}`, `G ${G}`, `C ${C}`, `O ${O}`, `H ${H}`, 'CG (C / G)', 'OG (O / G)'].map((d) => `#define ${d}\n`).join('')

const arrays = 'const float x[N][C][H][H], const float w[O][CG][3][3], float y[N][O][H - 2][H - 2]'

const sum = (x: string, o: string): string =>
  `for (int i = 0; i < H - 2; i++) for (int j = 0; j < H - 2; j++) {
    float s = 0;
    for (int c = 0; c < CG; c++) for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++)
      s += x[n][${x}][i + u][j + v] * w[${o}][c][u][v];
    y[n][${o}][i][j] = s;
  }`

const byQuotient = (e: Extents, at = 'o / OG * CG + c'): string =>
  `${defines(e)}void f(${arrays}) { for (int n = 0; n < N; n++) for (int o = 0; o < O; o++) ${sum(at, 'o')} }`
const byLoops = (e: Extents): string =>
  `${defines(e)}void f(${arrays}) { for (int n = 0; n < N; n++) for (int g = 0; g < G; g++)
  for (int p = 0; p < OG; p++) ${sum('g * CG + c', 'g * OG + p')} }`

const small: Extents = { N: 2, G: 3, C: 6, O: 24, H: 7 }
const large: Extents = { N: 2, G: 3, C: 192, O: 384, H: 260 }

const outputOf = (p: Program, sizes: Readonly<Record<string, number>> = {}): readonly number[] =>
  results(p, ['y'], sizes)['y']!

test.each(['o / OG * CG + c', 'c + CG * (o / OG)', '(o / OG) * (C / G) + c'])('numbers: %s', async (at) => {
  const strips = await readC(byQuotient(small, at)),
    loops = await readC(byLoops(small))
  expect(outputOf(strips)).toEqual(outputOf(loops))
  expect(sketchNames(strips)).toEqual(sketchNames(loops))
})

test.each(['o / OG * CG + c', 'c + CG * (o / OG)'])('constants that are sizes: %s', async (at) => {
  const strips = await readC(byQuotient(large, at))
  const value = (name: string): number => {
    const [first, by] = name.split('_')
    return small[first as keyof Extents] / (by ? small.G : 1)
  }
  const sizes = Object.fromEntries(strips.sizes.map((s) => [s.name, value(s.name)]))
  expect(Object.keys(sizes).length).toBeGreaterThan(2)
  expect(outputOf(strips, sizes)).toEqual(outputOf(await readC(byLoops(small))))
  expect(analyse(strips).parts.map((p) => p.sketch.name)).toEqual(['elementwise', 'contraction'])
})

test('a part that leaves a rest stays a quotient', async () => {
  const rest = await readC('void f(const float x[8], float y[66]) { for (int i = 0; i < 66; i++) y[i] = x[i / 16]; }')
  expect(rest.body.length).toBe(1)
  expect(outputOf(rest).length).toBe(66)
  const [loop] = rest.body
  expect(loop?.kind === 'loop' && loop.body[0]?.kind).toBe('store')
})
