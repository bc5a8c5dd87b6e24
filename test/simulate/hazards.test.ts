// What a run reports besides counts, and where it stops: each hazard in a kernel of a few lines.
import { describe, expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import {
  constOf,
  KernelBuilder,
  verifyKernel,
  type Hazard,
  type Kernel,
  type Launch,
  type Resource,
} from '../../src/ir/index.ts'
import { FenceOrder } from '../../src/simulate/observe/fence-order.ts'
import { reference, simulate, type SimulationOptions, type RunOptions } from '../../src/simulate/index.ts'

const h200 = gpu('h200')
const checks: SimulationOptions = { check: { races: true, uninitialized: true } }

function hazards(
  make: (k: KernelBuilder) => void,
  launch: Partial<Launch> = {},
  options: SimulationOptions & RunOptions = checks,
  block: readonly [number, number, number] = [64, 1, 1],
  changed: (kernel: Kernel) => Kernel = (kernel) => kernel,
): readonly Hazard[] {
  const k = new KernelBuilder({ name: 'k', block })
  make(k)
  return simulate(verifyKernel(changed(k.finish())), { grid: [1, 1, 1], params: {}, buffers: {}, ...launch }, h200, {
    exact: true,
    ...options,
  }).counters.hazards
}

describe('out of bounds', () => {
  const make = (k: KernelBuilder): void => {
    const A = k.global('A', 'f32')
    k.store(A, k.builtin('threadIdx.x'), k.op('add', [k.load(A, k.op('sub', [k.builtin('threadIdx.x'), 1])), 1]))
  }
  test('is dropped, reads 0, and is reported once per statement', () => {
    const A = new Float32Array(60).fill(5)
    const found = hazards(make, { buffers: { A: A.buffer } }, {})
    expect(found.map((h) => [h.kind, h.count])).toEqual([
      ['out-of-bounds', 4],
      ['out-of-bounds', 4],
    ])
    expect(found[0]!.message).toBe(
      "'A.3 = load f32 A[sub.2 * 4 + 0]' goes out of bounds; the access was dropped and reads gave 0",
    )
    expect(found[0]!.example).toBe(
      "block (0, 0, 0), thread (0, 0, 0): byte 17179869180 of 'A' (index -1, which wraps to 4294967295), which has 240",
    )
    expect(A[0]).toBe(1)
    expect(A[59]).toBe(6)
  })
  test('an index that wraps around is not in bounds', () => {
    const found = hazards(
      (k) => k.store(k.global('A', 'f32'), k.op('mul', [k.builtin('threadIdx.x'), 0x40000000]), 1),
      { buffers: { A: new ArrayBuffer(16) } },
      {},
    )
    expect(found.map((h) => [h.kind, h.count])).toEqual([['out-of-bounds', 48]])
  })
  test('64-bit indices that would wrap as well', () => {
    const A = new Float32Array(4)
    const found = hazards(
      (k) =>
        k.store(
          k.global('A', 'f32'),
          k.op('mul', [k.op('convert', [k.builtin('threadIdx.x')], { type: 'i64' }), 2n ** 32n]),
          1,
        ),
      { buffers: { A: A.buffer } },
      {},
    )
    expect(found.map((h) => h.count)).toEqual([63])
    expect([...A]).toEqual([1, 0, 0, 0])
  })
  test('a declared count limits a larger buffer', () => {
    const found = hazards(
      (k) => k.store(k.global('A', 'i32', 'write', 10), k.builtin('threadIdx.x'), 1),
      { buffers: { A: new ArrayBuffer(400) } },
      {},
    )
    expect(found.map((h) => h.count)).toEqual([54])
  })
  test('a uniform index', () => {
    const A = new Int32Array(4)
    const found = hazards((k) => k.store(k.global('A', 'i32'), -1, 1), { buffers: { A: A.buffer } }, {})
    expect(found.map((h) => h.count)).toEqual([64])
    expect([...A]).toEqual([0, 0, 0, 0])
  })
})

/** Threads write their slot and read their neighbour's. */
function neighbours(barrier: boolean) {
  return (k: KernelBuilder): void => {
    const [s, out] = [k.shared('s', 'i32', 64), k.global('out', 'i32')]
    const t = k.builtin('threadIdx.x')
    k.store(s, t, k.op('bitcast', [t], { type: 'i32' }))
    if (barrier) k.barrier()
    k.store(out, t, k.load(s, k.op('rem', [k.op('add', [t, 1]), 64])))
  }
}
const kinds = (list: readonly Hazard[]): string[] => list.map((h) => h.kind)
const out = (): Partial<Launch> => ({ buffers: { out: new ArrayBuffer(256) } })

describe('races', () => {
  test('a missing barrier', () => {
    const found = hazards(neighbours(false), out())
    expect(kinds(found)).toContain('race')
    expect(found.find((h) => h.kind === 'race')!.message).toMatch(
      /load i32 s.* and 'store i32 s.*' touch the same bytes from different threads with no barrier between/,
    )
  })
  test('none with the barrier', () => expect(hazards(neighbours(true), out())).toEqual([]))
  test('nothing is looked for unless asked', () => expect(hazards(neighbours(false), out(), {})).toEqual([]))
  test('between blocks', () => {
    const make = (k: KernelBuilder): void =>
      k.store(
        k.global('out', 'i32'),
        k.builtin('threadIdx.x'),
        k.op('bitcast', [k.builtin('blockIdx.x')], { type: 'i32' }),
      )
    const found = hazards(make, { grid: [2, 1, 1], ...out() })
    expect(found.map((h) => [h.kind, h.count])).toEqual([['race', 64]])
    expect(found[0]!.example).toBe(
      "block (1, 0, 0), thread (0, 0, 0) and thread (0, 0, 0) of block (0, 0, 0): byte 0 of 'out'",
    )
  })
  test('atomics do not race', () =>
    expect(hazards((k) => k.atomic('add', k.global('out', 'i32'), 0, [1]), { grid: [2, 1, 1], ...out() })).toEqual([]))
  test('an atomic and a plain store do', () => {
    const found = hazards((k) => {
      const o = k.global('out', 'i32')
      k.atomic('add', o, 0, [1])
      k.ifThen(k.op('eq', [k.builtin('threadIdx.x'), 40]), () => k.store(o, 0, 0))
    }, out())
    expect(kinds(found)).toEqual(['race'])
  })
  test('a writer that many read at one place, whoever reads first', () => {
    for (const writer of [0, 1, 2, 31, 40]) {
      const found = hazards((k) => {
        const s = k.shared('s', 'i32', 64),
          t = k.builtin('threadIdx.x')
        k.store(s, t, 1)
        k.barrier()
        k.load(s, 5)
        k.ifThen(k.op('eq', [t, writer]), () => k.store(s, 5, 2))
      })
      expect([...new Set(kinds(found))], `writer ${writer}`).toEqual(['race'])
    }
  })
  test.each([
    ['of their own', 1, []],
    ['that two threads write', 2, ['race']],
  ] as const)('whole vectors %s', (_, threads, said) => {
    const found = hazards((k) => {
      const s = k.shared('s', 'i32', 512),
        t = k.builtin('threadIdx.x'),
        at = k.op('div', [t, threads])
      k.store(s, at, [1, 1, 1, 1], { stride: 16 })
      k.barrier()
      k.loadVector(4, s, at, { stride: 16 })
    })
    expect([...new Set(kinds(found))]).toEqual(said)
  })
  test('vectors and single elements of one array', () => {
    const make =
      (barrier: boolean) =>
      (k: KernelBuilder): void => {
        const s = k.shared('s', 'i32', 256),
          t = k.builtin('threadIdx.x')
        for (let i = 0; i < 4; i++) k.store(s, k.op('add', [t, 64 * i]), 1)
        if (barrier) k.barrier()
        k.loadVector(4, s, k.op('mul', [t, 4]))
      }
    expect(kinds(hazards(make(false)))).toContain('race')
    expect(hazards(make(true))).toEqual([])
  })
  test('a warp barrier orders its warp', () => {
    const make =
      (between: boolean) =>
      (k: KernelBuilder): void => {
        const o = k.global('out', 'i32')
        const t = k.builtin('threadIdx.x')
        k.store(o, t, 1)
        if (between) k.barrier('warp')
        k.load(o, k.op('xor', [t, 1]))
      }
    expect(kinds(hazards(make(false), out()))).toEqual(['race'])
    expect(hazards(make(true), out())).toEqual([])
  })
})

describe('uninitialised memory', () => {
  const read =
    (zeroed: boolean, space: 'shared' | 'local') =>
    (k: KernelBuilder): void => {
      const m: Resource = space === 'shared' ? k.shared('m', 'i32', 64, zeroed) : k.local('m', 'i32', 4, zeroed)
      k.store(
        k.global('out', 'i32'),
        k.builtin('threadIdx.x'),
        k.load(m, space === 'shared' ? k.builtin('threadIdx.x') : 1),
      )
    }
  for (const space of ['shared', 'local'] as const) {
    test(`${space}`, () =>
      expect(hazards(read(false, space), out()).map((h) => [h.kind, h.count])).toEqual([['uninitialized', 64]]))
    test(`${space}, zeroed`, () => expect(hazards(read(true, space), out())).toEqual([]))
  }
})

test('a shuffle from a lane that is not active', () => {
  const make = (k: KernelBuilder): void => {
    const t = k.builtin('threadIdx.x')
    k.ifThen(k.op('lt', [t, 8]), () => k.store(k.global('out', 'u32'), t, k.subgroup('shuffleXor', [t, 8])))
  }
  const found = hazards(make, out(), {})
  expect(found.map((h) => [h.kind, h.count, h.message])).toEqual([
    [
      'uninitialized',
      8,
      "'shuffleXor.2 = subgroup shuffleXor (threadIdx_x.0, u32:8)' reads a lane that is not active; it got " +
        'its own value',
    ],
  ])
})

test('a block writes what an earlier block has read, though it reads it first itself', () => {
  const make = (k: KernelBuilder): void => {
    const A = k.global('A', 'u32')
    const b = k.builtin('blockIdx.x')
    k.store(A, b, k.op('add', [k.load(A, b), k.load(A, k.op('add', [b, 1]))]))
  }
  const found = hazards(make, { grid: [2, 1, 1], buffers: { A: new ArrayBuffer(12) } }, checks, [1, 1, 1])
  expect(found.map((h) => [h.kind, h.count])).toEqual([['race', 1]])
})

test('a shuffle of equal values from a lane that is not active', () => {
  const make = (k: KernelBuilder): void => {
    const t = k.builtin('threadIdx.x')
    k.ifThen(k.op('lt', [t, 8]), () =>
      k.store(k.global('out', 'u32'), t, k.subgroup('shuffleDown', [constOf('u32', 5), 4])),
    )
  }
  expect(hazards(make, out(), {}).map((h) => [h.kind, h.count])).toEqual([['uninitialized', 4]])
})

test('a vector access off its alignment', () => {
  const make = (k: KernelBuilder): void => void k.loadVector(4, k.global('A', 'f32'), k.builtin('threadIdx.x'))
  const found = hazards(make, { buffers: { A: new ArrayBuffer(400) } }, {})
  expect(found.map((h) => [h.kind, h.count])).toEqual([['misaligned', 48]])
})

describe('barriers that not all threads reach', () => {
  const inside =
    (limit: number) =>
    (k: KernelBuilder): void =>
      k.ifThen(k.op('lt', [k.builtin('threadIdx.x'), limit]), () => k.barrier())
  test('a part of a warp', () => {
    const found = hazards(inside(40), {}, {})
    expect(found.map((h) => [h.kind, h.count, h.example])).toEqual([
      ['barrier-divergence', 24, 'block (0, 0, 0), thread (40, 0, 0) does not arrive'],
    ])
  })
  test('a whole warp', () => expect(hazards(inside(32), {}, {}).map((h) => h.count)).toEqual([32]))
  test('all threads', () => expect(hazards(inside(64), {}, {})).toEqual([]))
  test('threads that have returned are not waited for', () => {
    expect(
      hazards(
        (k) => {
          k.ifThen(k.op('ge', [k.builtin('threadIdx.x'), 50]), () => k.return())
          k.barrier()
        },
        {},
        {},
      ),
    ).toEqual([])
  })
  test('in a loop whose rounds differ by thread', () => {
    const found = hazards(
      (k) => k.forRange({ to: k.op('rem', [k.builtin('threadIdx.x'), 3]), type: 'u32' }, () => k.barrier()),
      {},
      {},
    )
    expect(kinds(found)).toEqual(['barrier-divergence'])
  })
})

const message = (run: () => void): string => {
  try {
    run()
  } catch (e) {
    return e instanceof Error ? e.message : String(e)
  }
  return 'no error'
}

describe('limits', () => {
  const endless =
    (barrier: boolean) =>
    (k: KernelBuilder): void =>
      k.loop(() => {
        if (barrier) k.barrier()
      })
  test('an endless loop stops', () =>
    expect(message(() => hazards(endless(false), {}, { maxSteps: 1e6 }))).toBe(
      'error: kernel k: more than 1000000 steps (option maxSteps); the kernel may never end ' +
        '[simulate.steps]\n  hint: a loop that data end wants such data in the buffers; one that waits for ' +
        'earlier blocks wants all blocks (--exact), which run in order',
    ))
  test('and is named where it stands', () => {
    const at = { file: 'k.wgsl', line: 7, column: 3 }
    const inner = (k: KernelBuilder): void =>
      k.loop(
        () => k.barrier('warp'),
        () => {},
        { at },
      )
    expect(message(() => hazards(inner, {}, { maxSteps: 1e6 }))).toContain('k.wgsl:7:3: error: kernel k: more than')
  })
  test('with a barrier in it as well', () =>
    expect(message(() => hazards(endless(true), {}, { maxSteps: 1e6 }))).toContain('more than 1000000 steps'))
  test('in the reference too', () => {
    const k = new KernelBuilder({ name: 'k', block: [1, 1, 1] })
    k.loop(() => {})
    const kernel = k.finish()
    expect(message(() => reference(kernel, { grid: [1, 1, 1], params: {}, buffers: {} }, { maxSteps: 100 }))).toContain(
      'simulate.steps',
    )
  })
  test('too much memory', () => {
    expect(
      message(() => hazards((k) => k.global('A', 'i32'), { buffers: { A: new ArrayBuffer(5e6) } }, { maxBytes: 4e6 })),
    ).toMatch(/the launch needs \d+ bytes, more than the limit of 4000000 \(option maxBytes\)/)
  })
  test('a local array that no machine holds', () =>
    expect(message(() => hazards((k) => k.local('L', 'i32', 2 ** 30)))).toContain(
      'shared and local arrays need more than the limit',
    ))
  test('a missing buffer', () =>
    expect(message(() => hazards((k) => k.global('A', 'i32')))).toBe(
      "error: kernel k: no buffer for 'A' [simulate.buffer]",
    ))
  test('a missing parameter', () =>
    expect(message(() => hazards((k) => k.param('n', 'i32')))).toBe(
      "error: kernel k: no value for parameter 'n' [simulate.param]",
    ))
  test('a parameter that does not fit', () =>
    expect(message(() => hazards((k) => k.param('n', 'u32'), { params: { n: -1 } }))).toBe(
      "error: kernel k: parameter 'n' is u32, which cannot hold -1 [simulate.param]",
    ))
  test('an empty grid', () =>
    expect(message(() => hazards(() => {}, { grid: [0, 1, 1] }))).toContain(
      'a grid of 0×1×1 blocks cannot be launched',
    ))
  test('a block outside the grid', () =>
    expect(message(() => hazards(() => {}, {}, { exact: false, blocks: [[1, 0, 0]] }))).toContain(
      'block (1, 0, 0) is not in a grid of 1×1×1',
    ))
})

test('a grid of endlessly many empty blocks stops', () => {
  expect(message(() => hazards(() => {}, { grid: [2 ** 30, 2 ** 30, 1] }, { maxSteps: 1e5 }))).toContain(
    'simulate.steps',
  )
})

test('wide warps are refused where a kernel looks at its lanes', () => {
  const wide = { ...h200, warpSize: 64 }
  const k = new KernelBuilder({ name: 'k', block: [64, 1, 1] })
  k.store(k.global('out', 'u32'), k.builtin('threadIdx.x'), k.builtin('lane'))
  const kernel = k.finish()
  expect(
    message(() =>
      simulate(kernel, { grid: [1, 1, 1], params: {}, ...out(), buffers: { out: new ArrayBuffer(256) } }, wide),
    ),
  ).toContain('warps of 64 are simulated as halves of 32')
})

test('wide warps run as halves where it does not', () => {
  const k = new KernelBuilder({ name: 'k', block: [128, 1, 1] })
  k.store(k.global('out', 'u32'), k.builtin('threadIdx.x'), k.builtin('threadIdx.x'))
  const buffer = new ArrayBuffer(512)
  const { counters } = simulate(
    k.finish(),
    { grid: [1, 1, 1], params: {}, buffers: { out: buffer } },
    { ...h200, warpSize: 64 },
  )
  expect(counters.sites[0]!.requests).toBe(4)
  expect([...new Uint32Array(buffer)]).toEqual(Array.from({ length: 128 }, (_, i) => i))
})

test('narrow warps have their own number of lanes', () => {
  const k = new KernelBuilder({ name: 'k', block: [16, 1, 1] })
  const t = k.builtin('threadIdx.x')
  k.store(k.global('out', 'u32'), t, k.subgroup('add', [t]))
  const buffer = new ArrayBuffer(64)
  const { counters } = simulate(
    k.finish(),
    { grid: [1, 1, 1], params: {}, buffers: { out: buffer } },
    { ...h200, warpSize: 4 },
  )
  expect(counters.sites[0]!.requests).toBe(4)
  expect([...new Uint32Array(buffer)]).toEqual([6, 6, 6, 6, 22, 22, 22, 22, 38, 38, 38, 38, 54, 54, 54, 54])
})

test('counting only leaves buffers alone', () => {
  const buffer = new Uint32Array(64).fill(9).buffer
  const k = new KernelBuilder({ name: 'k', block: [64, 1, 1] })
  k.store(k.global('out', 'u32'), k.builtin('threadIdx.x'), 1)
  const { counters } = simulate(k.finish(), { grid: [1, 1, 1], params: {}, buffers: { out: buffer } }, h200, {
    countOnly: true,
  })
  expect(counters.sites[0]!.threads).toBe(64)
  expect(new Set(new Uint32Array(buffer))).toEqual(new Set([9]))
})

test('blocks behind the end of the work are found, wherever it ends', () => {
  const k = new KernelBuilder({ name: 'k', block: [32, 1, 1] }),
    n = k.param('n', 'u32'),
    out = k.global('out', 'u32')
  const at = k.op('add', [k.op('mul', [k.builtin('blockIdx.x'), 32]), k.builtin('threadIdx.x')])
  k.ifThen(k.op('lt', [at, n]), () => {
    k.store(out, at, 1)
    k.store(out, at, 2)
  })
  const kernel = k.finish(),
    launch = (count: number) => ({
      grid: [528, 1, 1] as const,
      params: { n: count },
      buffers: { out: new ArrayBuffer(528 * 128) },
    })
  for (const count of [0, 1, 31, 32, 33, 64, 96, 4000, 32 * 263, 32 * 264, 32 * 265, 32 * 526, 32 * 527, 32 * 528]) {
    const counted = simulate(kernel, launch(count), h200, { countOnly: true }).counters,
      all = simulate(kernel, launch(count), h200, { exact: true }).counters
    // else one block that does less than the others stands for none or is one of the few that ran
    const whole = count % 32 === 0
    if (whole)
      expect([count, counted.sites.map((s) => s.requests), counted.instructions.warp]).toEqual([
        count,
        all.sites.map((s) => s.requests),
        all.instructions.warp,
      ])
    else expect(Math.abs(counted.sites[0]!.threads - all.sites[0]!.threads)).toBeLessThanOrEqual(count < 32 ? 0 : 32)
    expect(counted.coverage.simulated).toBeLessThanOrEqual(5)
  }
})

test('a ticket behind a fence orders what blocks did before it with those that take a later one', () => {
  const order = new FenceOrder()
  const turn = (block: number, interval: number, key?: string): void => {
    order.begin()
    if (key !== undefined) order.update(key, block, interval)
  }
  turn(0, 10, 'ticket')
  turn(1, 20, 'another')
  turn(2, 30)
  expect(
    [0, 1].map((b) => order.orders(b, 5)),
    'without a ticket',
  ).toEqual([false, false])
  turn(3, 40, 'ticket')
  expect(order.orders(0, 10), 'before the ticket').toBe(true)
  expect(order.orders(0, 11), 'behind it').toBe(false)
  expect(order.orders(1, 20), 'of another place').toBe(false)
  expect(order.orders(3, 40), 'the own one').toBe(false)
  order.restart()
  turn(4, 50, 'ticket')
  expect(order.orders(0, 10), 'of an earlier launch').toBe(false)
})

describe('the sum of all parts by the block that comes last', () => {
  const last = (fenced: boolean): readonly string[] =>
    hazards(
      (k) => {
        const [part, ticket, total] = [k.global('part', 'u32'), k.global('ticket', 'u32'), k.global('total', 'u32')]
        k.store(part, k.builtin('blockIdx.x'), 7)
        const taken = k.atomic('add', ticket, 0, [1], { result: true })
        k.ifThen(k.op('eq', [taken!, 3]), () => k.store(total, 0, k.load(part, 0)))
      },
      {
        grid: [4, 1, 1],
        buffers: { part: new ArrayBuffer(16), ticket: new ArrayBuffer(4), total: new ArrayBuffer(4) },
      },
      checks,
      [1, 1, 1],
      (kernel) => ({
        ...kernel,
        body: kernel.body.map((s) => (s.kind === 'atomic' && fenced ? { ...s, fenced: true as const } : s)),
      }),
    ).map((h) => h.kind)
  test('is none behind a fence', () => expect(last(true)).toEqual([]))
  test('is a race without one', () => expect(last(false)).toEqual(['race']))
})
