// Kernels as the worst that a target allows: what is inexact moves and stays within its allowance, what is open is NaN,
// what is exact does not move; proofs find what hangs on it.
import { describe, expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import {
  allowanceOf,
  errorOf,
  KernelBuilder,
  opRow,
  promiseOf,
  type OpName,
  type TargetName,
} from '../../src/ir/index.ts'
import { analyse, build } from '../../src/pipeline.ts'
import { simulate, worstCase } from '../../src/simulate/index.ts'
import { verifyPlans, type Verification } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'

const count = 64

/** o[i] = op(x[i], y[i]), perhaps rounded down, as the worst that `target` allows. */
function run(
  op: OpName,
  target: TargetName,
  rounded: boolean,
  seed: number,
  x: (i: number) => number,
  y = x,
): Float32Array {
  const k = new KernelBuilder({ name: 'one', block: [count, 1, 1] })
  const [a, b, o] = [k.global('x', 'f32', 'read'), k.global('y', 'f32', 'read'), k.global('o', 'f32', 'write')]
  const i = k.builtin('threadIdx.x')
  const args = [k.load(a, i), k.load(b, i)]
  k.store(o, i, k.op(op, args.slice(0, opRow(op).arity)))
  const out = new Float32Array(count)
  const buffers = {
    x: Float32Array.from({ length: count }, (_, n) => x(n)).buffer,
    y: Float32Array.from({ length: count }, (_, n) => y(n)).buffer,
    o: out.buffer,
  }
  const kernel = worstCase(k.finish(), { target, seed, rounded })
  simulate(kernel, { grid: [1, 1, 1], params: {}, buffers }, gpu('h200'), { exact: true })
  return out
}

const inexact = ['sqrt', 'rsqrt', 'exp', 'log', 'sin', 'tan', 'acos', 'tanh', 'sinh', 'atan'] as const

describe.each(['wgsl', 'cuda'] as const)('%s', (target) => {
  test.each(inexact)('%s moves within what is allowed, by the seed', (op) => {
    const at = (i: number): number => Math.fround(0.01 + i / 80)
    const exact = { rsqrt: (v: number) => 1 / Math.sqrt(v) } as Readonly<Record<string, (v: number) => number>>
    const f = exact[op] ?? (Math as unknown as Record<string, (v: number) => number>)[op]! // Math has the others
    const allowed = allowanceOf(promiseOf(op, target, false), 'f32')
    const got = run(op, target, false, 1, at)
    const moved = [...got].filter((r, i) => r !== Math.fround(f(at(i))))
    expect(moved.length).toBeGreaterThan(count / 8)
    got.forEach((r, i) => {
      const want = f(at(i)),
        rounding = Math.abs(want) * 2 ** -23
      expect(Math.abs(r - want)).toBeLessThanOrEqual(
        errorOf(allowed, 'f32', want, at(i), 0) * (1 + 2 ** -20) + rounding,
      )
    })
    expect([...run(op, target, false, 2, at)]).not.toEqual([...got])
    expect([...run(op, target, false, 1, at)]).toEqual([...got])
  })
})

test('a quotient moves unless an answer hangs on it; of divisors that are open it is NaN', () => {
  const whole = (i: number): number => 3 * (i + 1)
  const exact = Array.from({ length: count }, (_, i) => i + 1)
  const plain = run('div', 'wgsl', false, 1, whole, () => 3)
  expect([...plain]).not.toEqual(exact)
  expect([...plain].some((r, i) => Math.floor(r) === i)).toBe(true)
  expect([...run('div', 'wgsl', true, 1, whole, () => 3)]).toEqual(exact)
  expect([...run('div', 'wgsl', false, 1, whole, () => 2 ** 127)].every(Number.isNaN)).toBe(true)
})

test('sums, products and comparisons are the kernel itself', () => {
  expect([...run('mul', 'wgsl', false, 1, (i) => i / 7)]).toEqual(
    Array.from({ length: count }, (_, i) => Math.fround(Math.fround(i / 7) ** 2)),
  )
})

/** The proof of the C function at its plainest, with WGSL's promises. */
async function proof(body: string): Promise<Verification> {
  const program = await readC(`#include <math.h>\nvoid f(int n, const float *x, const float *y, float *o) { ${body} }`)
  const analysed = analyse(program)
  const { plan } = build(
    analysed,
    analysed.parts.map((p) => p.sketch.ladder[0]!.point), // ladders are not empty
  )
  return verifyPlans(program, [{ plan, sizes: [{ n: 300 }], target: 'wgsl' }], gpu('h200'), 1)[0]! // one in, one out
}

test.each([
  [
    'a softmax',
    'float s = 0; for (int i = 0; i < n; i++) s += expf(x[i]); for (int i = 0; i < n; i++) o[i] = expf(x[i]) / s;',
  ],
  ['angles', 'for (int i = 0; i < n; i++) o[i] = sinf(9.0f * x[i]) * cosf(y[i]);'],
  ['cubes', 'for (int i = 0; i < n; i++) o[i] = powf(x[i], 3);'],
  ['whole quotients', 'for (int i = 0; i < n; i++) o[i] = floorf((3.0f * floorf(20.0f * x[i])) / 3.0f);'],
  ['powers that are chosen', 'for (int i = 0; i < n; i++) o[i] = powf(x[i], y[i] > 0 ? 2.0f : 3.0f);'],
  ['roots', 'for (int i = 0; i < n; i++) o[i] = sqrtf(x[i] * x[i] + y[i] * y[i]);'],
])('%s are proved', async (_, body) => {
  const { why } = await proof(body)
  expect(why).toBeUndefined()
})

test('what is allowed above 1e-2 is said', async () => {
  const { ok, loose } = await proof('for (int i = 0; i < n; i++) o[i] = 1000.0f * (sinf(x[i]) - sinf(x[i] + 0.0001f));')
  expect(ok).toBe(true)
  expect(loose?.[0]).toMatch(/^o: what WGSL promises of its operations allows errors up to/)
})

test(
  'integers that hang on logarithms are said, those that ' + 'hang on whole powers, quotients and roots are not',
  async () => {
    const counted = async (value: string): Promise<Verification> => {
      const program = await readC(
        `#include <math.h>\nvoid f(int n, const float *x, int *k) { for (int i = 0; i < n; i++) k[i] = ${value}; }`,
      )
      const analysed = analyse(program)
      const { plan } = build(
        analysed,
        analysed.parts.map((p) => p.sketch.ladder[0]!.point), // ladders are not empty
      )
      // one in, one out
      return verifyPlans(program, [{ plan, sizes: [{ n: 2003 }], target: 'wgsl' }], gpu('h200'), 1)[0]!
    }
    expect((await counted('(int)log10f((float)(i + 1))')).loose?.[0]).toMatch(
      /^k: up to 0.1 % of its integers hang on operations that are inexact in WGSL/,
    )
    for (const value of ['(int)powf(10.0f, (float)(i % 5))', '(int)sqrtf((float)i)', '(int)(3.0f * (float)i / 3.0f)'])
      expect(await counted(value)).toMatchObject({ ok: true, maxRelativeError: 0 })
  },
)
