// How addresses move with x, y and loops, derived by hand: bytes per step, '?' where it is no constant.
import { expect, test } from 'vitest'
import { siteSteps } from '../../src/explain/address-strides.ts'
import { parseWgsl } from '../../src/frontend/wgsl/index.ts'
import { shader } from './kernels.ts'

const steps = (body: string): string[] =>
  siteSteps(parseWgsl(shader(body), 'test.wgsl').kernel).map((s) =>
    [s.x, s.y, s.z, ...(s.loop === undefined ? [] : [s.loop])].map((v) => v ?? '?').join(' '),
  )

test.each([
  ['c[id.y * n + id.x] = a[id.x * n + id.y];', ['4096 4 0', '4 4096 0']],
  ['for (var k = 0u; k < n; k++) { c[rank] += a[id.y * n + k]; }', ['4 64 1024 0', '0 4096 0 4', '4 64 1024 0']],
  ['for (var k = 0u; k < n; k += 16) { c[0] = b[(k + local.y) * n + id.x]; }', ['4 4096 0 65536', '0 0 0 0']],
  ['var k = id.x; while (k < n) { c[k] = 1; k = k * 2; }', ['? 0 0 ?']],
  ['var k = id.x; loop { if (k >= n) { break; } c[k] = 1; continuing { k -= 4u; } }', ['4 0 0 -16']],
  ['c[select(0u, 8u, id.x > 3)] = 1;', ['? 0 0']],
  ['var k = 0u; if (id.x > 3) { k = 1; } c[k + id.y] = 1;', ['? 4 0']],
  ['c[u32(a[id.y])] = 1;', ['0 4 0', '0 ? 0']],
  ['c[(id.x << 2u) + id.x / 3] = 1;', ['? 0 0']],
  [
    'for (var i = 0u; i < 4; i++) { for (var k = 0u; k < 4; k++) { c[i * 64 + k * 2 + id.x] = 1; } c[i] = 2; }',
    ['4 0 0 8', '0 0 0 4'],
  ],
])('%s: %j', (body, expected) => {
  expect(steps(body)).toEqual(expected)
})

test('a hundred loops in each other are given up, not waited for', () => {
  const deep = (n: number): string =>
    n === 0 ? 'c[id.x] = 1;' : `for (var i${n} = 0u; i${n} < 1; i${n}++) { ${deep(n - 1)} }`
  const started = performance.now()
  expect(steps(deep(100)).every((s) => s.startsWith('?'))).toBe(true)
  expect(performance.now() - started).toBeLessThan(5000)
})
