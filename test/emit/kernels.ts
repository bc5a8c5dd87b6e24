// Hand-built kernels that the emit and run tests share. Each is what a schedule would make, in miniature.
import { KernelBuilder, type Kernel, type Verified } from '../../src/ir/index.ts'

/** y[i] += a · x[i] for i < n. */
export function saxpy(): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'saxpy', block: [64, 1, 1] })
  const x = k.global('x', 'f32', 'read'),
    y = k.global('y', 'f32')
  const n = k.param('n', 'i32'),
    a = k.param('a', 'f32')
  const i = k.op('convert', [k.op('add', [k.op('mul', [k.builtin('blockIdx.x'), 64]), k.builtin('threadIdx.x')])], {
    type: 'i32',
    name: 'i',
  })
  k.ifThen(k.op('lt', [i, n]), () => {
    k.store(y, i, k.op('add', [k.load(y, i), k.op('mul', [a, k.load(x, i)])]))
  })
  return k.finish()
}

/** C = A · B, any m, n, k; 16 × 16 tiles of one output each, B padded by one column. */
export function matmul(): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'matmul', block: [16, 16, 1] })
  const A = k.global('A', 'f32', 'read'),
    B = k.global('B', 'f32', 'read'),
    C = k.global('C', 'f32', 'write')
  const tileA = k.shared('tileA', 'f32', 256),
    tileB = k.shared('tileB', 'f32', 16 * 17)
  const m = k.param('m', 'i32'),
    n = k.param('n', 'i32'),
    depth = k.param('depth', 'i32')
  const tx = k.op('convert', [k.builtin('threadIdx.x')], { type: 'i32', name: 'tx' })
  const ty = k.op('convert', [k.builtin('threadIdx.y')], { type: 'i32', name: 'ty' })
  const at = (block: 'blockIdx.x' | 'blockIdx.y', t: typeof tx, name: string): typeof tx =>
    k.op('add', [k.op('mul', [k.op('convert', [k.builtin(block)], { type: 'i32' }), 16]), t], { name })
  const row = at('blockIdx.y', ty, 'row'),
    col = at('blockIdx.x', tx, 'col')
  const acc = k.variable('f32', 0, 'acc')
  k.forRange({ to: depth, step: 16, name: 'k0', comment: 'one tile of the inner dimension' }, (k0) => {
    const ka = k.op('add', [k0, tx], { name: 'ka' }),
      kb = k.op('add', [k0, ty], { name: 'kb' })
    const a = k.variable('f32', 0, 'a'),
      b = k.variable('f32', 0, 'b')
    k.ifThen(k.op('land', [k.op('lt', [row, m]), k.op('lt', [ka, depth])]), () => {
      k.load(A, k.op('add', [k.op('mul', [row, depth]), ka]), { dst: a })
    })
    k.ifThen(k.op('land', [k.op('lt', [kb, depth]), k.op('lt', [col, n])]), () => {
      k.load(B, k.op('add', [k.op('mul', [kb, n]), col]), { dst: b })
    })
    k.store(tileA, k.op('add', [k.op('mul', [ty, 16]), tx]), a)
    k.store(tileB, k.op('add', [k.op('mul', [ty, 17]), tx]), b)
    k.barrier()
    k.forRange({ to: 16, name: 'kk' }, (kk) => {
      const x = k.load(tileA, k.op('add', [k.op('mul', [ty, 16]), kk])),
        y = k.load(tileB, k.op('add', [k.op('mul', [kk, 17]), tx]))
      k.op('fma', [x, y, acc], { dst: acc })
    })
    k.barrier()
  })
  k.ifThen(k.op('land', [k.op('lt', [row, m]), k.op('lt', [col, n])]), () => {
    k.store(C, k.op('add', [k.op('mul', [row, n]), col]), acc)
  })
  return k.finish()
}

/** out[block] = Σ of the block's stride of x, by a tree in shared memory. */
export function reduceShared(): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'reduce_shared', block: [128, 1, 1] })
  const x = k.global('x', 'f32', 'read'),
    out = k.global('out', 'f32', 'write'),
    partial = k.shared('partial', 'f32', 128)
  const n = k.param('n', 'u32')
  const t = k.builtin('threadIdx.x', 't'),
    block = k.builtin('blockIdx.x', 'block')
  const sum = k.variable('f32', 0, 'sum')
  const step = k.op('mul', [k.builtin('gridDim.x'), 128], { name: 'step' })
  const start = k.op('add', [k.op('mul', [block, 128]), t], { name: 'start' })
  k.forRange({ from: start, to: n, step, name: 'i', type: 'u32' }, (i) => {
    k.op('add', [sum, k.load(x, i)], { dst: sum })
  })
  k.store(partial, t, sum)
  const half = k.variable('u32', 64, 'half')
  k.loop(
    () => {
      k.barrier()
      k.ifThen(k.op('eq', [half, 0]), () => k.break())
      k.ifThen(k.op('lt', [t, half]), () =>
        k.store(partial, t, k.op('add', [k.load(partial, t), k.load(partial, k.op('add', [t, half]))])),
      )
    },
    () => k.op('shr', [half, k.op('copy', [1], { type: 'u32', dst: k.reg('u32', 'one') })], { dst: half }),
  )
  k.ifThen(k.op('eq', [t, 0]), () => k.store(out, block, k.load(partial, 0)))
  return k.finish()
}

/** out[0] += Σ x, by subgroup sums and one float atomic per subgroup. */
export function reduceSubgroup(): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'reduce_subgroup', block: [64, 1, 1] })
  const x = k.global('x', 'f32', 'read'),
    out = k.global('out', 'f32')
  const n = k.param('n', 'u32')
  const i = k.op('add', [k.op('mul', [k.builtin('blockIdx.x'), 64]), k.builtin('threadIdx.x')], { name: 'i' })
  const value = k.variable('f32', 0, 'value')
  k.ifThen(k.op('lt', [i, n]), () => {
    k.load(x, i, { dst: value })
  })
  const sum = k.subgroup('add', [value], { name: 'sum' })
  k.ifThen(k.op('eq', [k.builtin('lane'), 0]), () => {
    k.atomic('add', out, 0, [sum])
  })
  return k.finish()
}

/** Counts of x[i] mod 16, gathered per block in shared memory. */
export function histogram(): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'histogram', block: [32, 1, 1] })
  const x = k.global('x', 'u32', 'read'),
    bins = k.global('bins', 'u32'),
    local = k.shared('counts', 'u32', 16, true)
  const n = k.param('n', 'u32')
  const t = k.builtin('threadIdx.x', 't')
  const i = k.op('add', [k.op('mul', [k.builtin('blockIdx.x'), 32]), t], { name: 'i' })
  k.ifThen(k.op('lt', [i, n]), () => {
    k.atomic('add', local, k.op('and', [k.load(x, i), 15]), [1])
  })
  k.barrier()
  k.ifThen(k.op('lt', [t, 16]), () => {
    k.atomic('add', bins, t, [k.atomic('load', local, t, [])!])
  })
  return k.finish()
}

/** y = 2 x in vectors of four, with a scalar tail for the last n mod 4. */
export function copyVector(): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'copy_vector', block: [32, 1, 1] })
  const x = k.global('x', 'f32', 'read'),
    y = k.global('y', 'f32', 'write')
  const n = k.param('n', 'i32')
  const i = k.op(
    'mul',
    [
      k.op('convert', [k.op('add', [k.op('mul', [k.builtin('blockIdx.x'), 32]), k.builtin('threadIdx.x')])], {
        type: 'i32',
      }),
      4,
    ],
    { name: 'i' },
  )
  k.ifThen(
    k.op('le', [k.op('add', [i, 4]), n]),
    () => {
      const v = k.loadVector(4, x, i, { name: 'v' })
      k.store(
        y,
        i,
        v.map((r) => k.op('mul', [r, 2])),
      )
    },
    () => {
      k.forRange({ from: i, to: n, name: 'j' }, (j) => k.store(y, j, k.op('mul', [k.load(x, j), 2])))
    },
  )
  return k.finish()
}

/**
 * Everything that needs care: conditional definitions, loops with `continue`, division by what may be 0, packed loads,
 * votes.
 */
export function oddities(): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'loop', block: [16, 2, 1] })
  const bytes = k.global('class', 'i8', 'read'),
    out = k.global('out', 'i32'),
    table = k.resource({ name: 'table', space: 'constant', type: 'f32', count: 5, access: 'read' })
  const scratch = k.local('scratch', 'i32', 4),
    d = k.param('divisor', 'i32'),
    flag = k.param('flag', 'bool')
  const rank = k.op('convert', [k.builtin('threadRank')], { type: 'i32', name: 'var' })
  const picked = k.reg('i32', 'picked')
  k.ifThen(
    flag,
    () => k.set(picked, 7),
    () => k.set(picked, 9),
  )
  const total = k.variable('i32', 0, 'total')
  const j = k.variable('i32', 0, 'j')
  k.loop(
    () => {
      k.ifThen(k.op('ge', [j, 6]), () => k.break())
      k.ifThen(k.op('eq', [k.op('rem', [j, 2]), 1]), () => k.continue())
      k.op('add', [total, k.load(bytes, k.op('add', [rank, j]))], { dst: total })
    },
    () => {
      k.op('add', [j, 1], { dst: j })
      k.op('xor', [total, 1], { dst: total })
    },
  )
  k.store(scratch, 0, k.op('div', [total, d]))
  k.store(scratch, 1, k.op('shl', [total, rank]))
  k.store(scratch, 2, k.op('convert', [k.op('mul', [k.load(table, k.op('rem', [rank, 5])), 2])], { type: 'i32' }))
  k.store(scratch, 3, k.op('mulhi', [k.op('mul', [total, 123456789]), k.op('sub', [d, -1000000007])]))
  const a = k.load(scratch, 0),
    b = k.load(scratch, 1),
    c = k.load(scratch, 2),
    e = k.load(scratch, 3)
  const x = k.op('xor', [k.op('xor', [a, b]), k.op('xor', [c, e])]),
    y = k.op('select', [k.op('gt', [x, 0]), x, k.op('neg', [x])])
  k.store(out, rank, k.op('add', [k.op('sub', [y, -3]), k.op('mul', [picked, k.op('add', [rank, -2147483648])])]))
  return k.finish()
}

export const allKernels = { saxpy, matmul, reduceShared, reduceSubgroup, histogram, copyVector, oddities }
