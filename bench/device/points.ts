// Measures the points of `bench/model` on the GPU at hand: the WGSL text through Dawn with robustness on (as in
// browsers) and off, and the CUDA text made from the same kernel. Usage: node points.mjs TASKS.json OUT.json
// [webgpu,webgpu-robust,cuda]
import { readFileSync, writeFileSync } from 'node:fs'
import { create, globals } from 'webgpu'
import { random } from '../../src/base/index.ts'
import {
  bytesOf,
  hostArray,
  int,
  parseKernel,
  verifyKernel,
  type Emitted,
  type HostArray,
  type Plan,
} from '../../src/ir/index.ts'
import { openCuda, openWebGpu, type Cuda, type WebGpu } from '../../src/run/index.ts'
import type { Point } from '../model/points.ts'
import { secondsFrom } from '../arguments.ts'

interface Task {
  readonly point: Point
  readonly kernel: string
  readonly entry: string
  readonly wgsl: string
  readonly cuda: Emitted
  readonly bytes: Readonly<Record<string, number>>
}

Object.assign(globalThis, globals)
const [tasksFile = 'tasks.json', out = 'out.json', targets = 'webgpu-robust,cuda,webgpu'] = process.argv.slice(2)
const tasks = JSON.parse(readFileSync(tasksFile, 'utf8')) as readonly Task[]
const deadline = Date.now() + secondsFrom(process.env['LIMIT_S'], 540) * 1000
const rows: unknown[] = []

function planOf(task: Task): Plan {
  const kernel = verifyKernel(parseKernel(task.kernel))
  const bound = kernel.resources.filter((r) => r.space === 'global' || r.space === 'constant')
  return {
    name: task.point.kernel,
    sizes: [],
    scalars: [],
    arrays: bound.map((r) => ({
      name: r.name,
      type: r.type,
      shape: [int(Math.ceil(task.bytes[r.name]! / bytesOf[r.type]))],
      role: r.access === 'read' ? 'in' : 'inout',
    })),
    variants: [
      {
        when: null,
        launches: [
          {
            kernel,
            grid: [int(task.point.grid[0]), int(task.point.grid[1]), int(task.point.grid[2])],
            arguments: Object.fromEntries(bound.map((r) => [r.name, r.name])),
            params: {},
            emitted: { wgsl: { target: 'wgsl', entry: task.entry, text: task.wgsl }, cuda: task.cuda },
          },
        ],
      },
    ],
  }
}

function contents(plan: Plan, task: Task): Record<string, HostArray> {
  const stream = random(5)
  return Object.fromEntries(
    plan.arrays.map((a) => {
      const elements = Math.ceil(task.bytes[a.name]! / bytesOf[a.type])
      const array = hostArray(a.type, new ArrayBuffer(elements * bytesOf[a.type]))
      const wanted = task.point.buffers?.[a.name]?.fill ?? (a.type === 'f32' ? 'random' : 'zero')
      if (wanted === 'random')
        for (let i = 0; i < array.length; i++) array[i] = a.type === 'f32' ? stream.unit() : stream.bits()
      return [a.name, array]
    }),
  )
}

const devices = new Map<string, WebGpu | Cuda>()
async function device(on: string): Promise<WebGpu | Cuda> {
  const known = devices.get(on)
  if (known) return known
  const open = (toggles: string): Promise<WebGpu> =>
    openWebGpu({
      create,
      toggles: [`enable-dawn-features=allow_unsafe_apis${toggles}`, 'disable-dawn-features=timestamp_quantization'],
    })
  const made = on === 'cuda' ? await openCuda() : await open(on === 'webgpu' ? ',disable_robustness' : '')
  devices.set(on, made)
  return made
}

const values = { sizes: {}, scalars: {} }
for (const task of tasks) {
  const plan = planOf(task)
  const arrays = contents(plan, task)
  for (const on of targets.split(',')) {
    if (Date.now() > deadline) continue
    const row: Record<string, unknown> = { ...task.point, on }
    try {
      const gpu = await device(on)
      const t = await gpu.timePlan(plan, values, arrays, { samples: 7, warmup: 1, minSampleNs: 2e6, warmupNs: 3e7 })
      Object.assign(row, {
        ns: Math.round(t.ns),
        min: Math.round(t.min),
        spread: Math.round(t.spread * 1e4) / 1e4,
        repeats: t.repeats,
      })
      if (on === 'cuda') Object.assign(row, (gpu as Cuda).resourcesOf(plan.variants[0]!.launches[0]!))
    } catch (e) {
      row['failed'] = String((e as Error).message).slice(0, 200)
    }
    rows.push(row)
  }
}
for (const row of rows as { kernel: string; on: string; failed?: string }[])
  if (row.failed) console.log(row.kernel, row.on, row.failed)
writeFileSync(out, JSON.stringify(rows))
console.log(`${rows.length} rows, ${Math.max(0, Math.round((deadline - Date.now()) / 1000))} s left`)
process.exit(0)
