// Kernels that are made for experiments compute what they say: on SwiftShader as in the simulator, from random data,
// and the products and sums as float64 does.
import { expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { scalarNamesOf, parseWgsl } from '../../src/frontend/wgsl/index.ts'
import {
  allMembers,
  articleTranspose,
  bankStride,
  blockShape,
  branchEvery,
  convolveIdle,
  copyFrom,
  elementwiseShader,
  indexed,
  movedTile,
  oneElement,
  oneMember,
  paddedMembers,
  paddedTile,
  productShader,
  remainder,
  stepSum,
  transposedProduct,
  treeSum,
  windowSum,
} from '../../src/study/wgsl.ts'
import { difference, onDevice, simulated } from '../wgsl/both.ts'

type Case = readonly [
  name: string,
  text: string,
  grid: readonly [number, number, number],
  overrides: Record<string, number>,
  bytes: number,
]
const cases: readonly Case[] = [
  ['copy random', copyFrom('h % n', '  var h = i * 2654435761u;\n  h ^= h >> 15;\n'), [3, 1, 1], { n: 700 }, 4096],
  ['copy pieces', copyFrom('i / 2 * 32 + i % 2'), [2, 1, 1], { n: 300 }, 32768],
  ['copy pitch', copyFrom('group.x * 100 + local'), [3, 1, 1], { n: 192, block: 64 }, 4096],
  ['structure', elementwiseShader(2, false), [2, 1, 1], {}, 16384],
  ['arrays', elementwiseShader(4, true), [1, 1, 1], {}, 4096],
  ['vec2', oneElement('vec2f'), [2, 1, 1], {}, 4096],
  ['member', oneMember, [2, 1, 1], { n: 300 }, 4096],
  ['members', allMembers, [2, 1, 1], { n: 300 }, 4096],
  ['article', articleTranspose, [3, 3, 1], { n: 48 }, 9216],
  ['shape', blockShape(8, 32), [3, 1, 1], { pitch: 37 }, 8192],
  ['banks', bankStride, [2, 1, 1], { stride: 7 }, 512],
  ['padding', paddedTile(35), [2, 1, 1], {}, 8192],
  ['branches', branchEvery, [1, 1, 1], { width: 4 }, 1024],
  ['margin, edges', remainder(3, false), [2, 3, 1], { pitch: 53 }, 16384],
  ['margin, all', remainder(3, true), [2, 3, 1], { pitch: 53 }, 16384],
  ['idle', convolveIdle(2), [4, 4, 1], { width: 48, height: 40 }, 8192],
  ['transposed', transposedProduct, [2, 1, 1], { rows: 8, columns: 64, depth: 19 }, 8192],
  ...(
    [
      {},
      { outputs: 4 },
      { outputs: 4, adjacent: true },
      { outputs: 4, phases: 2 },
      { tile: 8, outputs: 2, unroll: 4 },
      { ballast: 512 },
    ] as const
  ).map(
    (p): Case => [
      `product ${JSON.stringify(p)}`,
      productShader(p),
      [64 / (('tile' in p ? p.tile : 16) * ('outputs' in p ? p.outputs : 1)), 64 / ('tile' in p ? p.tile : 16), 1],
      { n: 64 },
      16384,
    ],
  ),
  ['product open', productShader({ unroll: 4, open: true }), [4, 4, 1], { n: 64 }, 16384],
  ...(['copy', 'columns', 'tile'] as const).map((how): Case => [how, movedTile(how), [2, 2, 1], { n: 64 }, 16384]),
  ['diagonal', movedTile('tile', true), [2, 2, 1], { n: 64 }, 16384],
  ...(['rows', 'columns', 'columns exchanged', 'linear'] as const).map(
    (o): Case => [`index ${o}`, indexed(o), o === 'linear' ? [4, 1, 1] : [1, 4, 1], { n: 32 }, 4096],
  ),
  ['window', windowSum(8, false), [2, 1, 1], {}, 4096],
  ['window, staged', windowSum(8, true), [2, 1, 1], {}, 4096],
  ['padded members', paddedMembers, [2, 1, 1], { n: 300 }, 8192],
  ['tree', treeSum(64), [3, 1, 1], {}, 768],
  ['steps', stepSum(64), [3, 1, 1], {}, 768],
]

function buffersOf(text: string, overrides: Record<string, number>, bytes: number): Record<string, ArrayBuffer> {
  const r = random(17)
  return Object.fromEntries(
    parseWgsl(text, 'made.wgsl', { overrides }).bindings.map((b) => {
      const view = new Float32Array(bytes / 4)
      expect(scalarNamesOf(b.layout.kind === 'array' ? b.layout.element : b.layout).every((n) => n === 'f32')).toBe(
        true,
      )
      for (let i = 0; i < view.length; i++) view[i] = r.unit()
      return [b.name, view.buffer]
    }),
  )
}

test.each(cases.map((c) => [c[0], c] as const))('%s', async (name, [, text, grid, overrides, bytes]) => {
  const data = buffersOf(text, overrides, bytes)
  const mine = simulated(text, grid, data, { overrides, check: true })
  expect(mine.hazards).toEqual([])
  const theirs = await onDevice(text, grid, data, parseWgsl(text, 'made.wgsl', { overrides }), { overrides })
  expect(difference(mine.buffers, theirs, new Set(Object.keys(data)), 1e-4)).toBe(null)
  const floats = (buffer: ArrayBuffer | undefined): Float32Array => new Float32Array(buffer ?? new ArrayBuffer(0))
  if (name.startsWith('product')) {
    const [a, b, c] = [floats(data['a']), floats(data['b']), floats(mine.buffers['c'])]
    for (let row = 0; row < 64; row++)
      for (let column = 0; column < 64; column++) {
        let sum = 0
        for (let k = 0; k < 64; k++) sum += (a[row * 64 + k] ?? NaN) * (b[k * 64 + column] ?? NaN)
        expect(Math.abs((c[row * 64 + column] ?? NaN) / sum - 1)).toBeLessThan(1e-5)
      }
  }
  if (name === 'tree' || name === 'steps')
    for (let g = 0; g < 3; g++)
      expect(floats(mine.buffers['output'])[g]).toBeCloseTo(
        floats(data['input'])
          .slice(g * 64, g * 64 + 64)
          .reduce((x, y) => x + y, 0),
        3,
      )
})
