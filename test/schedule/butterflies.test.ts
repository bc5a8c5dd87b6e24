// Butterflies of transforms and exchanges of sorting networks in place: stages run on many threads, and give what the source
// gives at every size that stays inside the arrays.
import { describe, expect, test } from 'vitest'
import { analyse, build } from '../../src/pipeline.ts'
import { stepsOf } from '../../src/ir/index.ts'
import { readC } from '../c/read.ts'
import { verified } from './support.ts'

type Case = readonly [name: string, text: string, sizes: Readonly<Record<string, number>>, parallel: string]

const sizes = '#pragma tesela sizes(n = 65536)\n'
const inPlace: readonly Case[] = [
  ['a Fourier transform', 'void f(int n, float *re, float *im) { for (int len = 2; len <= n; len <<= 1) { float ang = -6.2831853f / len; for (int i = 0; i < n; i += len) for (int j = 0; j < len / 2; j++) { float wr = cosf(ang * j), wi = sinf(ang * j); int u = i + j, v = i + j + len / 2; float xr = re[v] * wr - im[v] * wi, xi = re[v] * wi + im[v] * wr; re[v] = re[u] - xr; im[v] = im[u] - xi; re[u] += xr; im[u] += xi; } } }', { n: 512, re_length: 512, im_length: 512 }, 'per-iteration'],
  ['of structures, over pairs', 'typedef struct { float re, im; } cpx; void f(int n, int m, cpx *x, const cpx *w) { for (int s = 1; s <= m; s++) { int half = 1 << (s - 1), step = n >> s; for (int k = 0; k < n / 2; k++) { int j = k % half, u = k / half * 2 * half + j, v = u + half; cpx t = { x[v].re * w[j * step].re - x[v].im * w[j * step].im, x[v].re * w[j * step].im + x[v].im * w[j * step].re }; x[v].re = x[u].re - t.re; x[v].im = x[u].im - t.im; x[u].re += t.re; x[u].im += t.im; } } }', { n: 512, m: 9, x_length: 512, w_length: 256 }, 'per-iteration'],
  ['Walsh and Hadamard', 'void f(int n, float *x) { for (int h = 1; h < n; h *= 2) for (int i = 0; i < n; i += 2 * h) for (int j = i; j < i + h; j++) { float a = x[j], b = x[j + h]; x[j] = a + b; x[j + h] = a - b; } }', { n: 1024, x_length: 1024 }, 'per-iteration'],
  ['at a size that is no power of two', 'void f(int n, int *x) { for (int h = 1; h < n; h *= 2) for (int i = 0; i < n; i += 2 * h) for (int j = i; j < i + h; j++) { int a = x[j], b = x[j + h]; x[j] = a + b; x[j + h] = a - b; } }', { n: 300, x_length: 600 }, 'per-iteration'],
  ['where a bit is clear', 'void f(int n, float *x) { for (int h = 1; h < n; h <<= 1) for (int i = 0; i < n; i++) if ((i & h) == 0) { float a = x[i], b = x[i | h]; x[i] = a + b; x[i | h] = a - b; } }', { n: 256 }, 'per-iteration'],
  ['bitonic sorting', 'void f(int n, int *a) { for (int k = 2; k <= n; k *= 2) for (int j = k / 2; j > 0; j /= 2) for (int i = 0; i < n; i++) { int l = i ^ j; if (l > i) { if (((i & k) == 0 && a[i] > a[l]) || ((i & k) != 0 && a[i] < a[l])) { int t = a[i]; a[i] = a[l]; a[l] = t; } } } }', { n: 256 }, 'per-iteration'],
]
describe('pairs in place', () => {
  test.each(inPlace)('%s', async (_, text, at, parallel) => {
    const a = analyse(await readC(sizes + text)), points = a.parts.map((p) => p.sketch.ladder[0]!.point)
    expect(a.parts.map((p) => p.sketch.name)).toEqual([parallel])
    expect(stepsOf(build(a, points).plan.variants[0]!).every((s) => typeof s !== 'number')).toBe(true) // the host runs the stages
    const given = Object.fromEntries(a.source.sizes.map((s) => [s.name, at[s.name] ?? at['n']!])) // lengths that the case does not name
    const v = verified(a, points, [given])
    expect({ ok: v.ok, why: v.why }).toEqual({ ok: true, why: undefined })
  })
})

const dependent: readonly (readonly [string, string])[] = [
  ['pairs that overlap', 'void f(int n, float *x) { for (int h = 1; h < n; h <<= 1) for (int i = 0; i < n - h; i++) { float a = x[i], b = x[i + h]; x[i] = a + b; x[i + h] = a - b; } }'],
  ['exchanges without a condition', 'void f(int n, int *a) { for (int j = 1; j < n; j *= 2) for (int i = 0; i < n; i++) { int l = i ^ j; a[i] = a[i] + a[l]; } }'],
  ['three places of two digits', 'void f(int n, int m, float *x) { for (int s = 0; s < m; s++) { int h = 1 << s; for (int k = 0; k < n; k++) { int u = k / h * 2 * h + k % h; x[u] = x[u + h] + x[u + 2 * h]; } } }'],
  ['a mask that changes', 'void f(int n, const int *m, int *a) { for (int j = 1; j < n; j *= 2) for (int i = 0; i < n; i++) { int l = i ^ m[i]; if (l > i) { int t = a[i]; a[i] = a[l]; a[l] = t; } } }'],
]
describe('what other iterations touch', () => {
  test.each(dependent)('%s', async (_, text) => { expect(analyse(await readC(sizes + text)).parts.map((p) => p.sketch.name)).not.toContain('per-iteration') })
})
