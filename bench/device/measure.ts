// Measures kernels made from plain loops on the GPU at hand: every rung of the ladder and points of the space, WGSL
// through Dawn and CUDA through the driver. In: a folder with examples and parser files, a list of tasks. Out: one JSON
// file of rows. Each result is compared with the reference at sampled elements before its time counts.
// Usage: node measure.mjs DIR OUT.json TASKS.json
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { create, globals } from 'webgpu'
import { random } from '../../src/base/index.ts'
import { emitPlan } from '../../src/emit/index.ts'
import { parseC } from '../../src/frontend/c/index.ts'
import type { HostArray, Plan, PlanValues } from '../../src/ir/index.ts'
import { analyse, build, type Analysed } from '../../src/pipeline.ts'
import { openCuda, openWebGpu, type Cuda, type WebGpu } from '../../src/run/index.ts'
import type { Point } from '../../src/schedule/index.ts'
import { freshArrays, sampledReference, type Sample } from '../../src/tune/index.ts'
import { secondsFrom } from '../arguments.ts'

interface Task {
  readonly file: string
  readonly defines?: Record<string, string>
  /** `ladder`, `space`, or explicit points (one list per part). */
  readonly points: 'ladder' | 'top' | 'space' | readonly (readonly Point[])[]
  /** Every nth point of the space. */
  readonly every?: number
  readonly on: readonly ('webgpu' | 'webgpu-robust' | 'cuda')[]
  readonly samples?: number
  readonly rewrite?: string
  /** Leave out the comparison with the reference (for sweeps whose best is checked later). */
  readonly unchecked?: boolean
  readonly warmupNs?: number
}

Object.assign(globalThis, globals)
const [dir = '.', out = 'out.json', tasksFile = 'tasks.json'] = process.argv.slice(2)
const tasks = JSON.parse(readFileSync(tasksFile, 'utf8')) as readonly Task[]
const wasm = {
  runtime: readFileSync(join(dir, 'web-tree-sitter.wasm')),
  grammar: readFileSync(join(dir, 'tree-sitter-c.wasm')),
}
/** Experiments on the text of kernels: `name` → rewrite. */
const rewrites: Record<string, (text: string) => string> = {
  '': (t) => t,
  muladd: (t) => t.replace(/fma\((\S+), (\S+), (\S+)\)/g, '$1 * $2 + $3'),
  vec4: (t) => {
    const n = new Set<string>()
    let u = t.replace(
      /( *)(sum_\w+)_0 = fma\((\w+\.\w), (\w+)\.x, \2_0\);\n *\2_1 = .*\n *\2_2 = .*\n *\2_3 = .*\n/g,
      (_, i, s, a, b) => {
        n.add(s)
        return `${i}${s} = fma(vec4f(${a}), ${b}, ${s});\n`
      },
    )
    for (const s of n) {
      u = u.replace(
        new RegExp(`var ${s}_0 = 0.0;\n *var ${s}_1 = 0.0;\n *var ${s}_2 = 0.0;\n *var ${s}_3 = 0.0;`),
        `var ${s} = vec4f();`,
      )
      for (const [k, c] of ['x', 'y', 'z', 'w'].entries()) u = u.replaceAll(`${s}_${k}`, `${s}.${c}`)
    }
    return u
  },
}
const rows: unknown[] = []
const started = Date.now()
const deadline = secondsFrom(process.env['LIMIT_S'], 540) * 1000

const devices: { webgpu?: WebGpu; robust?: WebGpu; cuda?: Cuda } = {}
async function device(on: string): Promise<WebGpu | Cuda> {
  const open = (toggles: string): Promise<WebGpu> =>
    openWebGpu({
      create,
      toggles: [`enable-dawn-features=allow_unsafe_apis${toggles}`, 'disable-dawn-features=timestamp_quantization'],
    })
  if (on === 'cuda') return (devices.cuda ??= await openCuda())
  const gpu =
    on === 'webgpu' ? (devices.webgpu ??= await open(',disable_robustness')) : (devices.robust ??= await open(''))
  gpu.keepInputs = true
  return gpu
}

function pointsOf(analysed: Analysed, task: Task): readonly (readonly Point[])[] {
  if (typeof task.points !== 'string') return task.points
  const lists = analysed.parts.map((p) =>
    task.points === 'ladder'
      ? p.sketch.ladder.map((r) => r.point)
      : task.points === 'top'
        ? p.sketch.ladder.slice(-1).map((r) => r.point)
        : p.sketch.space.filter((_, i) => i % (task.every ?? 1) === 0),
  )
  const n = Math.max(...lists.map((l) => l.length))
  return Array.from({ length: n }, (_, i) => lists.map((l) => l[Math.min(i, l.length - 1)]!))
}

/** As `optimize` makes it for that target. */
function planFor(analysed: Analysed, points: readonly Point[], on: string): Plan {
  if (on !== 'cuda') return build(analysed, points).plan
  return build(
    analysed,
    points.map((p, i) => analysed.parts[i]?.sketch.forCuda?.(p) ?? p),
    { warp: 32, exact: false },
  ).plan
}

function worstError(samples: readonly Sample[], results: Record<string, HostArray>): number {
  let worst = 0
  for (const { array, index, value, scale } of samples) {
    const got = Number(results[array]![index])
    const error = Math.abs(got - value) / Math.max(scale, 1e-30)
    worst = Number.isNaN(error) ? Infinity : Math.max(worst, error)
  }
  return worst
}

const short = (points: readonly Point[]): string =>
  points
    .map((p) =>
      Object.entries(p)
        .map(([k, v]) => `${k}${v}`)
        .join(' '),
    )
    .join(' | ')

for (const task of tasks) {
  const program = await parseC(readFileSync(join(dir, task.file), 'utf8'), task.file, {
    wasm,
    ...(task.defines && { defines: task.defines }),
  })
  const analysed = analyse(program)
  const values: PlanValues = {
    sizes: Object.fromEntries(program.sizes.map((s) => [s.name, s.planned])),
    scalars: Object.fromEntries(program.scalars.map((s) => [s.name, s.planned ?? 1.5])),
  }
  let inputs: Record<string, HostArray> | undefined
  let samples: readonly Sample[] | undefined
  for (const points of pointsOf(analysed, task)) {
    for (const on of task.on) {
      if (Date.now() - started > deadline) continue
      const row: Record<string, unknown> = { file: task.file, defines: task.defines ?? {}, on, points }
      try {
        const emitted: Plan = emitPlan(planFor(analysed, points, on), { targets: [on === 'cuda' ? 'cuda' : 'wgsl'] })
        const rewrite = rewrites[task.rewrite ?? '']!
        const plan: Plan = {
          ...emitted,
          variants: emitted.variants.map((v) => ({
            ...v,
            launches: v.launches.map((l) => ({
              ...l,
              emitted: {
                ...l.emitted,
                ...(l.emitted?.wgsl && { wgsl: { ...l.emitted.wgsl, text: rewrite(l.emitted.wgsl.text) } }),
              },
            })),
          })),
        }
        inputs ??= freshArrays(plan.arrays, values, 11)
        if (!task.unchecked) samples ??= sampledReference(program, values, inputs, 24, random(7))
        const gpu = await device(on)
        if (!task.unchecked) row['error'] = worstError(samples ?? [], await gpu.runPlan(plan, values, inputs))
        const t = await gpu.timePlan(plan, values, inputs, {
          samples: task.samples ?? 9,
          warmup: 2,
          minSampleNs: 3e6,
          warmupNs: task.warmupNs ?? 1e8,
        })
        Object.assign(row, { ns: t.ns, min: t.min, spread: t.spread, repeats: t.repeats })
      } catch (e) {
        row['failed'] = String((e as Error).message).slice(0, 160)
      }
      rows.push(row)
      console.log(
        `${((Date.now() - started) / 1000).toFixed(0)}s`,
        task.file.replace('examples/', ''),
        on,
        task.rewrite ?? '',
        short(points),
        row['failed'] ??
          `${(Number(row['ns']) / 1000).toFixed(1)} µs ±${(100 * Number(row['spread'])).toFixed(0)} ` +
            `%${row['error'] === undefined ? '' : ` err ${Number(row['error']).toExponential(1)}`}`,
      )
    }
  }
}
writeFileSync(
  out,
  JSON.stringify({ device: devices.cuda?.name ?? devices.webgpu?.info?.description ?? 'unknown', rows }),
)
process.exit(0)
