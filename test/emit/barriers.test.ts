// Which barriers order global memory: the last one before an access of what threads pass to each other through it, and
// no other; in loops the end of a round is before the start of the next.
import { expect, test } from 'vitest'
import { emitWgsl } from '../../src/emit/index.ts'
import { KernelBuilder, type Kernel, type Operand, type Resource, type Verified } from '../../src/ir/index.ts'

type Body = (
  k: KernelBuilder,
  x: {
    readonly rank: Operand
    readonly next: Operand
    readonly a: Resource
    readonly b: Resource
    readonly tile: Resource
    readonly barrier: (name: string) => void
  },
) => void

/** The names of the barriers in `body` that order global memory. `a` and `b` are global, `tile` is shared. */
function ordering(body: Body): readonly string[] {
  const k = new KernelBuilder({ name: 'ordered', block: [64, 1, 1] }),
    names: string[] = []
  const a = k.global('a', 'f32'),
    b = k.global('b', 'f32'),
    tile = k.shared('tile', 'f32', 64)
  const rank = k.builtin('threadRank'),
    next = k.op('rem', [k.op('add', [rank, 1]), 64])
  body(k, {
    rank,
    next,
    a,
    b,
    tile,
    barrier: (name) => {
      names.push(name)
      k.barrier('block')
    },
  })
  const kernel: Verified<Kernel> = k.finish()
  return emitWgsl(kernel)
    .text.split('workgroupBarrier();')
    .slice(1)
    .flatMap((rest, n) => (rest.trimStart().startsWith('storageBarrier();') ? [names[n]!] : [])) // a name for each
}

test.each<readonly [string, readonly string[], Body]>([
  [
    'nothing passed through global memory',
    [],
    (k, { rank, next, a, b, tile, barrier }) => {
      k.store(tile, rank, k.load(a, rank))
      barrier('shown')
      k.store(b, rank, k.load(tile, next))
    },
  ],
  [
    'passed at once',
    ['written'],
    (k, { rank, next, a, b, barrier }) => {
      k.store(a, rank, 1)
      barrier('written')
      k.store(b, rank, k.load(a, next))
    },
  ],
  [
    'the last barrier before the access does',
    ['third'],
    (k, { rank, next, a, b, tile, barrier }) => {
      k.store(a, rank, 1)
      barrier('first')
      k.store(tile, rank, 2)
      barrier('second')
      k.store(tile, next, 3)
      barrier('third')
      k.store(b, rank, k.op('add', [k.load(a, next), k.load(tile, rank)]))
    },
  ],
  [
    'on one way only',
    ['before'],
    (k, { rank, next, a, b, tile, barrier }) => {
      k.store(a, rank, 1)
      barrier('before')
      k.ifThen(k.op('lt', [rank, 3]), () => {
        k.store(b, rank, k.load(a, next))
      })
      barrier('after')
      k.store(tile, rank, 1)
    },
  ],
  [
    'the end of a round',
    ['end'],
    (k, { rank, next, a, tile, barrier }) => {
      const i = k.variable('i32', 0, 'i')
      k.loop(
        () => {
          k.ifThen(
            k.op('lt', [i, 4]),
            () => {},
            () => k.break(),
          )
          k.store(a, rank, k.load(a, next))
          barrier('middle')
          k.store(tile, rank, 1)
          barrier('end')
        },
        () => {
          k.op('add', [i, 1], { dst: i })
        },
      )
    },
  ],
  [
    'an access behind the loop',
    ['last', 'before'],
    (k, { rank, next, a, b, tile, barrier }) => {
      const i = k.variable('i32', 0, 'i')
      k.store(a, rank, 1)
      barrier('before')
      k.loop(
        () => {
          k.ifThen(
            k.op('lt', [i, 4]),
            () => {},
            () => k.break(),
          )
          k.store(tile, rank, 1)
          barrier('last')
        },
        () => {
          k.op('add', [i, 1], { dst: i })
        },
      )
      k.store(b, rank, k.load(a, next))
    },
  ],
])('%s', (_, wanted, body) => {
  expect([...ordering(body)].sort()).toEqual([...wanted].sort())
})
