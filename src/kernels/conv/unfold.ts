// A large convolution as a product whose right factor is stored first: what lies under each window, [channels × window,
// places]. The one idea: gathering costs index arithmetic at every load of the product, which loads each element once
// for every 64 outputs; stored once, it costs that once, and the product is matmul's fastest. Twice the speed of
// gathering in between for 256 channels of 28 × 28 on an H200 (docs/performance.md); the price is memory.
import { recipe } from '../made/map.made.js'
import type { Fused } from '../fusion/hooks.ts'
import { padded } from '../map/map.ts'
import { multiply } from '../matmul/matmul.ts'
import { blank } from '../tensor.ts'
import { convolutionCost, type Convolution } from './geometry.ts'
import { apart, geometryOf, imageHook, paddedDepth } from './product.ts'

/** Most bytes of the stored factor, fewest multiplications, fewest outputs that share it. */
const mostBytes = 2 ** 28,
  fewestProducts = 3e7,
  fewestOutputs = 96

/** Records the convolution when it is one that this suits; false when not. */
export function unfolded(v: Convolution): boolean {
  const depth = v.c * v.r * v.s,
    k = paddedDepth(depth),
    places = v.p * v.q,
    n = v.n * places
  // Vectors do not reach from one image, or one row of the product, into the next.
  if (
    v.core.tuning === 'software' ||
    v.groups > 1 ||
    v.r * v.s === 1 ||
    places % 4 !== 0 ||
    v.o < fewestOutputs ||
    v.o * n * depth < fewestProducts ||
    4 * k * n > mostBytes
  )
    return false
  using columns = blank(v.core, [k, n], 'f32')
  const hook = imageHook(v, v.n, depth, k)
  v.core.record({
    module: 'map',
    recipe,
    plan: 'f32',
    sizes: { n: k * n },
    arrays: { x: v.core.unused, y: columns.memory },
    hooks: [{ ...hook, array: 'x' }],
    hookKey: `unfold ${geometryOf(v)}`,
    cost: { bytes: v.x.bytes + 4 * k * n, flop: 0 },
  })
  const a = k === depth ? v.w : padded(v.w, 1, [v.o, depth], [v.o, k])
  const end = (array: string): Fused | null => {
    const own = v.end(array)
    return v.n === 1
      ? own
      : { hook: apart(v, places, own, array), key: `apart ${geometryOf(v)} ${own?.key}`, tensors: own?.tensors ?? [] }
  }
  multiply({
    core: v.core,
    a,
    b: columns,
    ta: false,
    tb: false,
    batch: 1,
    m: v.o,
    n,
    k,
    shape: [v.o, n],
    out: v.out,
    end,
    cost: convolutionCost(v),
  })
  if (a !== v.w) a.dispose()
  return true
}
