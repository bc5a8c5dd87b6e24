// What WebGPU's compilers cannot prove is rewritten so that they can, and nothing else is; the meaning stays, at the
// ends of the integers too.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emitPlan, emitWgsl } from '../../src/emit/index.ts'
import { shortFloat } from '../../src/emit/literal.ts'
import { int, KernelBuilder, type Kernel, type Operand, type Reg, type Verified } from '../../src/ir/index.ts'
import { openWebGpu, type WebGpu } from '../../src/run/index.ts'
import { reference } from '../../src/simulate/reference.ts'
import { nullDevice, swiftShaderGpu, tintErrors } from '../support/dawn.ts'

let webgpu: WebGpu
beforeAll(async () => {
  webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
})
afterAll(() => webgpu.close())

/** One thread; `body` adds to what is stored in the end. */
function counting(body: (k: KernelBuilder, n: Operand, add: (x: Operand) => void) => void): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'counting', block: [1, 1, 1] })
  const out = k.global('out', 'i32'),
    n = k.param('n', 'i32'),
    total = k.variable('i32', 1, 'total')
  body(k, n, (x) => {
    k.op('add', [k.op('mul', [total, 31], {}), x], { dst: total })
  })
  k.store(out, 0, total)
  return k.finish()
}

/** A loop by `by`, left after 40 rounds at the latest. */
function upTo(k: KernelBuilder, from: number, to: Operand, by: number, body: (i: Reg) => void): void {
  const i = k.variable('i32', from, 'i'),
    rounds = k.variable('i32', 0, 'rounds')
  k.loop(
    () => {
      k.ifThen(
        k.op('lt', [i, to]),
        () => {},
        () => k.break(),
      )
      k.op('add', [rounds, 1], { dst: rounds })
      k.ifThen(k.op('gt', [rounds, 40]), () => k.break())
      body(i)
    },
    () => {
      k.op('add', [i, by], { dst: i })
    },
  )
}

const kernels: Readonly<
  Record<string, { readonly kernel: Verified<Kernel>; readonly has: RegExp; readonly hasNot?: RegExp }>
> = {
  'from 0': {
    kernel: counting((k, n, add) => upTo(k, 0, n, 1, add)),
    has: /for \(var i_left = -i_end; i_left < 0; i_left\+\+\)/,
    hasNot: /< params\.n/,
  },
  'from 3': {
    kernel: counting((k, n, add) => upTo(k, 3, n, 1, add)),
    has: /max\(params\.n, 3\);\n.*i_left = 3 - i_end/,
  },
  'a bound that is known not to be negative': {
    kernel: counting((k, n, add) => upTo(k, 0, k.op('max', [n, 2], { name: 'bound' }), 1, add)),
    has: /i_left = -bound;/,
  },
  'a constant bound stays': {
    kernel: counting((k, _, add) => upTo(k, 0, { kind: 'const', type: 'i32', value: 9 }, 1, add)),
    has: /i < 9; i\+\+/,
  },
  'steps of 2 stay': { kernel: counting((k, n, add) => upTo(k, 0, n, 2, add)), has: /i < params\.n; i \+= 2/ },
  'a negative start stays': { kernel: counting((k, n, add) => upTo(k, -4, n, 1, add)), has: /i < params\.n; i\+\+/ },
  'a bound that changes stays': {
    kernel: counting((k, n, add) => {
      const end = k.variable('i32', 9, 'end')
      k.set(end, n)
      upTo(k, 0, end, 1, (i) => {
        add(i)
        k.op('sub', [end, 1], { dst: end })
      })
    }),
    has: /i < end; i\+\+/,
  },
  'a counter that changes stays': {
    kernel: counting((k, n, add) =>
      upTo(k, 0, n, 1, (i) => {
        add(i)
        k.op('add', [i, 1], { dst: i })
      }),
    ),
    has: /i < params\.n; i\+\+/,
  },
  'the remainder of a counter': {
    kernel: counting((k, n, add) => upTo(k, 0, n, 1, (i) => add(k.op('rem', [i, 3])))),
    has: /i32\(u32\(i\) % 3u\)/,
  },
  'the remainder of what may be negative stays': {
    kernel: counting((k, n, add) => {
      const s = k.variable('i32', 1, 's')
      upTo(k, 0, n, 1, () => {
        k.op('mul', [s, 1664525], { dst: s })
        add(k.op('rem', [s, 7]))
      })
    }),
    has: /s % 7/,
    hasNot: /u32\(s\)/,
  },
  'the remainder of a sum that may wrap stays': {
    kernel: counting((k, n, add) =>
      upTo(k, 0, n, 1, (i) => {
        const far = k.op('add', [i, 2147483647], { name: 'far' })
        add(far)
        add(k.op('rem', [far, 7]))
      }),
    ),
    has: /far % 7/,
  },
  'conditions are joined without branches, which SwiftShader compiles in a time that doubles with each in a loop': {
    kernel: guarded(24),
    has: / & [^]* \| /,
    hasNot: /&&|\|\|/,
  },
}

/** As many stores as `guards`, each under two conditions that change from round to round. */
function guarded(guards: number): Verified<Kernel> {
  return counting((k, n, add) =>
    upTo(k, 0, n, 1, (i) => {
      for (let g = 0; g < guards; g++) {
        const v = k.variable('i32', g, 'v')
        const both = k.op(g % 2 ? 'land' : 'lor', [
          k.op('lt', [k.op('add', [i, g]), n]),
          k.op('gt', [k.op('mul', [i, g]), 7]),
        ])
        k.ifThen(both, () => {
          k.op('add', [v, i], { dst: v })
        })
        add(v)
      }
    }),
  )
}

const bounds = [-2147483648, -5, 0, 1, 2, 3, 4, 7, 39, 2147483647]

test.each(Object.entries(kernels))('%s', async (_, { kernel, has, hasNot }) => {
  const { text } = emitWgsl(kernel)
  expect(text).toMatch(has)
  if (hasNot) expect(text).not.toMatch(hasNot)
  for (const n of bounds) {
    const out = new Int32Array(1)
    reference(kernel, { grid: [1, 1, 1], params: { n }, buffers: { out: out.buffer } })
    const plan = emitPlan(
      {
        name: 'counting',
        sizes: [],
        scalars: [],
        arrays: [{ name: 'out', type: 'i32', shape: [int(1)], role: 'inout' }],
        variants: [
          {
            when: null,
            launches: [{ kernel, grid: [int(1), int(1), int(1)], arguments: { out: 'out' }, params: { n: int(n) } }],
          },
        ],
      },
      { targets: ['wgsl'] },
    )
    const got = await webgpu.runPlan(plan, { sizes: {}, scalars: {} }, { out: new Int32Array(1) })
    expect(Array.from(got['out'] as Int32Array), `n = ${n}\n${text}`).toEqual(Array.from(out))
  }
})

test('the largest float is spelled so that WGSL takes it', async () => {
  const text = shortFloat(3.4028234663852886e38, (x) => Math.fround(x) === 3.4028234663852886e38)
  const device = await nullDevice()
  expect(
    await tintErrors(device, `@compute @workgroup_size(1) fn f() { var x: f32 = -${text}; x += 1.0; }`, 'f'),
  ).toEqual([])
})
