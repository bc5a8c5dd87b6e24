// In: sizes. Out: teaching kernels built by hand, shared by tests and benchmarks of the simulator.
import { KernelBuilder, type Kernel, type Reg, type Verified } from '../../src/ir/index.ts'

/** C = A·B for n×n f32, one thread an element, blocks of 16×16, n a parameter and a multiple of 16. */
export function naiveMatmul(): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'naive', block: [16, 16, 1] })
  const n = k.param('n', 'u32')
  const [A, B, C] = [k.global('A', 'f32', 'read'), k.global('B', 'f32', 'read'), k.global('C', 'f32', 'write')]
  const global = (axis: 'x' | 'y', name: string): Reg =>
    k.op('add', [k.op('mul', [k.builtin(`blockIdx.${axis}`), 16]), k.builtin(`threadIdx.${axis}`)], { name })
  const [col, row] = [global('x', 'col'), global('y', 'row')]
  const start = k.op('mul', [row, n], { name: 'start' })
  const acc = k.variable('f32', 0, 'acc')
  k.forRange({ to: n, type: 'u32', name: 'k' }, (i) => {
    const a = k.load(A, k.op('add', [start, i]))
    const b = k.load(B, k.op('add', [k.op('mul', [i, n]), col]))
    k.op('fma', [a, b, acc], { dst: acc })
  })
  k.store(C, k.op('add', [start, col]), acc)
  return k.finish()
}

/** The same through 16×16 tiles in shared memory. */
export function tiledMatmul(): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'tiled', block: [16, 16, 1] })
  const n = k.param('n', 'u32')
  const [A, B, C] = [k.global('A', 'f32', 'read'), k.global('B', 'f32', 'read'), k.global('C', 'f32', 'write')]
  const [As, Bs] = [k.shared('As', 'f32', 256), k.shared('Bs', 'f32', 256)]
  const [tx, ty] = [k.builtin('threadIdx.x', 'tx'), k.builtin('threadIdx.y', 'ty')]
  const col = k.op('add', [k.op('mul', [k.builtin('blockIdx.x'), 16]), tx], { name: 'col' })
  const row = k.op('add', [k.op('mul', [k.builtin('blockIdx.y'), 16]), ty], { name: 'row' })
  const acc = k.variable('f32', 0, 'acc')
  const rowStart = k.op('mul', [ty, 16])
  const mine = k.op('add', [rowStart, tx])
  const tiles = k.op('div', [n, 16], { name: 'tiles' })
  k.forRange({ to: tiles, type: 'u32', name: 't' }, (t) => {
    const first = k.op('mul', [t, 16])
    k.store(As, mine, k.load(A, k.op('add', [k.op('mul', [row, n]), k.op('add', [first, tx])])))
    k.store(Bs, mine, k.load(B, k.op('add', [k.op('mul', [k.op('add', [first, ty]), n]), col])))
    k.barrier()
    k.forRange({ to: 16, type: 'u32', name: 'k' }, (i) => {
      const a = k.load(As, k.op('add', [rowStart, i]))
      const b = k.load(Bs, k.op('add', [k.op('mul', [i, 16]), tx]))
      k.op('fma', [a, b, acc], { dst: acc })
    })
    k.barrier()
  })
  k.store(C, k.op('add', [k.op('mul', [row, n]), col]), acc)
  return k.finish()
}

/** out[block] = sum of 2 × 256 elements by a tree in shared memory; threads past n add 0. */
export function treeSum(): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'sum', block: [256, 1, 1] })
  const n = k.param('n', 'u32')
  const [x, out] = [k.global('x', 'f32', 'read'), k.global('out', 'f32', 'write')]
  const s = k.shared('s', 'f32', 256)
  const t = k.builtin('threadIdx.x', 't')
  const block = k.builtin('blockIdx.x', 'b')
  const i = k.op('add', [k.op('mul', [block, 512]), t], { name: 'i' })
  const v = k.variable('f32', 0, 'v')
  for (const offset of [0, 256]) {
    const j = k.op('add', [i, offset])
    k.ifThen(k.op('lt', [j, n]), () => k.op('add', [v, k.load(x, j)], { dst: v }))
  }
  k.store(s, t, v)
  k.barrier()
  const half = k.variable('u32', 128, 'half')
  k.loop(
    () => {
      k.ifThen(k.op('eq', [half, 0]), () => k.break())
      k.ifThen(k.op('lt', [t, half]), () =>
        k.store(s, t, k.op('add', [k.load(s, t), k.load(s, k.op('add', [t, half]))])),
      )
      k.barrier()
    },
    () => k.op('shr', [half, 1], { dst: half }),
  )
  k.ifThen(k.op('eq', [t, 0]), () => k.store(out, block, k.load(s, 0)))
  return k.finish()
}

/**
 * C = A·B with a tm×tn micro tile per thread, 16×16 threads, K steps of 8 through shared memory, inner loops unrolled.
 */
export function registerTiled(tm: number, tn: number): Verified<Kernel> {
  const [bm, bn, bk] = [16 * tm, 16 * tn, 8]
  const k = new KernelBuilder({ name: 'registers', block: [16, 16, 1] })
  const n = k.param('n', 'u32')
  const [A, B, C] = [k.global('A', 'f32', 'read'), k.global('B', 'f32', 'read'), k.global('C', 'f32', 'write')]
  const [As, Bs] = [k.shared('As', 'f32', bm * bk), k.shared('Bs', 'f32', bk * bn)]
  const [tx, ty, rank] = [
    k.builtin('threadIdx.x', 'tx'),
    k.builtin('threadIdx.y', 'ty'),
    k.builtin('threadRank', 'rank'),
  ]
  const row0 = k.op('mul', [k.builtin('blockIdx.y'), bm], { name: 'row0' })
  const col0 = k.op('mul', [k.builtin('blockIdx.x'), bn], { name: 'col0' })
  const acc = Array.from({ length: tm * tn }, (_, i) => k.variable('f32', 0, `acc${i}`))
  const [myRow, myCol] = [k.op('mul', [ty, tm]), k.op('mul', [tx, tn])]
  k.forRange({ to: n, step: bk, type: 'u32', name: 'k0' }, (k0) => {
    for (let part = 0; part < (bm * bk) / 256; part++) {
      const e = k.op('add', [rank, 256 * part])
      const [r, c] = [k.op('div', [e, bk]), k.op('rem', [e, bk])]
      k.store(
        As,
        k.op('add', [k.op('mul', [c, bm]), r]),
        k.load(A, k.op('add', [k.op('mul', [k.op('add', [row0, r]), n]), k.op('add', [k0, c])])),
      )
    }
    for (let part = 0; part < (bn * bk) / 256; part++) {
      const e = k.op('add', [rank, 256 * part])
      const [r, c] = [k.op('div', [e, bn]), k.op('rem', [e, bn])]
      k.store(Bs, e, k.load(B, k.op('add', [k.op('mul', [k.op('add', [k0, r]), n]), k.op('add', [col0, c])])))
    }
    k.barrier()
    for (let kk = 0; kk < bk; kk++) {
      const a = Array.from({ length: tm / 4 }, (_, i) =>
        k.loadVector(4, As, myRow, { offset: 4 * (kk * bm + 4 * i), name: 'a' }),
      ).flat()
      const b = Array.from({ length: tn / 4 }, (_, i) =>
        k.loadVector(4, Bs, myCol, { offset: 4 * (kk * bn + 4 * i), name: 'b' }),
      ).flat()
      for (let i = 0; i < tm; i++)
        for (let j = 0; j < tn; j++) k.op('fma', [a[i]!, b[j]!, acc[i * tn + j]!], { dst: acc[i * tn + j]! })
    }
    k.barrier()
  })
  for (let i = 0; i < tm; i++)
    for (let j = 0; j < tn; j += 4) {
      const at = k.op('add', [
        k.op('mul', [k.op('add', [k.op('add', [row0, myRow]), i]), n]),
        k.op('add', [k.op('add', [col0, myCol]), j]),
      ])
      k.store(C, at, acc.slice(i * tn + j, i * tn + j + 4))
    }
  return k.finish()
}
