// Plans with blocks that meet: what stands for them elsewhere is proved and estimated too, they share no launch, and
// their time is known.
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { constOf, KernelBuilder, verifyKernel, type Plan, type PlanVariant, type Program } from '../../src/ir/index.ts'
import { fitsAtOnce, predict } from '../../src/model/index.ts'
import { analyse, build } from '../../src/pipeline.ts'
import { simulate } from '../../src/simulate/index.ts'
import { estimatePlan, plannedValues, plansIn, fusedLaunches, verifyPlans } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'

const h200 = gpu('h200')
const naive = (program: Program): Plan => {
  const a = analyse(program)
  return build(
    a,
    a.parts.map((p) => p.sketch.ladder[0]!.point),
  ).plan
} // ladders are not empty
const meeting = (v: PlanVariant, name: string): PlanVariant => ({
  ...v,
  when: null,
  launches: v.launches.map((l) => ({
    ...l,
    kernel: verifyKernel({ ...l.kernel, name, body: [...l.kernel.body, { kind: 'barrier', scope: 'grid' }] }),
  })),
})
const source = (by: number, n = 1000): string =>
  `#pragma tesela sizes(n = ${n})\nvoid f(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) ` +
  `y[i] = ${by}.0f * x[i] + x[n - 1 - i]; }`

/** A plan whose blocks meet, and another variant for where they cannot. */
async function planOf(by: number, n?: number): Promise<{ program: Program; plan: Plan }> {
  const program = await readC(source(2, n)),
    plan = naive(program),
    other = naive(await readC(source(by, n)))
  // a plan has variants
  return { program, plan: { ...plan, variants: [meeting(plan.variants.at(-1)!, 'f_meeting'), ...other.variants] } }
}

test('a variant that the one before it hides is proved too', async () => {
  const sizes = [{ n: 67 }, { n: 1001 }]
  for (const [by, right] of [
    [2, true],
    [3, false],
  ] as const) {
    const { program, plan } = await planOf(by)
    expect(plansIn(plan, 'cuda').map((p) => p.variants.length)).toEqual([
      plan.variants.length,
      plan.variants.length - 1,
    ])
    expect(
      verifyPlans(
        program,
        plansIn(plan, 'cuda').map((p) => ({ plan: p, sizes })),
        h200,
        1,
      ).map((v) => v.ok),
    ).toEqual([true, right])
  }
  const { plan } = await planOf(2)
  expect(plansIn({ ...plan, variants: plan.variants.slice(1) }, 'cuda')).toHaveLength(1)
})

test('the variant is estimated whose blocks fit', async () => {
  for (const [n, name] of [
    [1000, 'f_meeting'],
    [2 ** 24, 'f'],
  ] as const) {
    const { program, plan } = await planOf(2, n)
    expect(estimatePlan(program, plan, plannedValues(program), h200).launches.map((l) => l.name)).toEqual([name])
  }
  const { program, plan } = await planOf(2, 2 ** 24)
  expect(() =>
    estimatePlan(program, { ...plan, variants: plan.variants.slice(0, 1) }, plannedValues(program), h200),
  ).toThrow('not all fit on the device at once')
})

test('launches whose blocks meet are joined with no other', async () => {
  const program = await readC(
    'void g(int n, int m, const float x[n], const float u[m], float y[n], float z[m]) { for (int i = 0; i < ' +
      'n; i++) y[i] = 2.0f * x[i]; for (int i = 0; i < m; i++) z[i] = u[i] + u[m - 1 - i]; }',
  )
  const plan = naive(program),
    values = plannedValues(program),
    // as above
    launches = (p: Plan): number => fusedLaunches(p, values, h200.multiprocessors).plan.variants[0]!.launches.length
  expect([
    launches(plan),
    launches({
      ...plan,
      variants: plan.variants.map((v) => ({
        ...v,
        launches: [v.launches[0]!, meeting({ ...v, launches: v.launches.slice(1) }, 'own').launches[0]!],
      })),
    }),
  ]).toEqual([1, 2])
})

test(
  'each barrier of the grid takes its time, the slowest ' + 'block decides, and blocks that do not fit are refused',
  () => {
    const make = (scope: 'block' | 'grid', uneven = false) => {
      const k = new KernelBuilder({ name: 'k', block: [256, 1, 1] }),
        x = k.global('x', 'f32'),
        n = k.param('n', 'i32'),
        t = k.builtin('threadIdx.x')
      const v = k.variable('f32', 0, 'v')
      k.forRange({ to: n }, () => {
        k.forRange(
          { to: uneven ? k.op('select', [k.op('eq', [k.builtin('blockIdx.x'), 0]), constOf('i32', 400), 8]) : 8 },
          (i) => k.op('sin', [k.op('add', [v, k.op('convert', [i], { type: 'f32' })])], { dst: v }),
        )
        k.barrier(scope)
      })
      k.store(x, k.op('add', [t, k.op('mul', [k.builtin('blockIdx.x'), 256])]), v)
      return k.finish()
    }
    const ns = (kernel: ReturnType<typeof make>, n: number, blocks = 132): number => {
      const { counters } = simulate(
        kernel,
        { grid: [blocks, 1, 1], params: { n }, buffers: { x: new ArrayBuffer(4 * 256 * blocks) } },
        h200,
        { countOnly: true },
      )
      return predict({
        counters,
        kernel,
        profile: h200,
        registers: 32,
        shared: 0,
        buffers: { x: 4 * 256 * blocks },
        api: 'cuda',
      }).ns
    }
    const barrier =
      (ns(make('grid'), 110) - ns(make('block'), 110) - (ns(make('grid'), 10) - ns(make('block'), 10))) / 100
    expect(barrier).toBeGreaterThan(1200)
    expect(barrier).toBeLessThan(1400)
    expect(ns(make('grid', true), 200) / ns(make('block', true), 200)).toBeGreaterThan(5)
    expect([fitsAtOnce(make('grid'), 132 * 8, 32, h200), fitsAtOnce(make('grid'), 132 * 8 + 1, 32, h200)]).toEqual([
      true,
      false,
    ])
    expect(() => ns(make('grid'), 1, 132 * 8 + 1)).toThrow(
      'the 1057 blocks of kernel k meet, but h200 has room for 1056 at once',
    )
  },
)
