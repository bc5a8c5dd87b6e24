// In: an example and a size. Out: every launch of every rung of its ladder, and what the simulator counts on it (all
// blocks). Shared by the generator of the CUDA program that runs under Nsight Compute and by the tests on its readings.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseC } from '../../src/frontend/c/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import {
  bytesOf,
  chooseVariant,
  elementsOf,
  planValue,
  type Dim3,
  type Launch,
  type Plan,
  type PlanLaunch,
  type PlanValues,
  type Program,
} from '../../src/ir/index.ts'
import { analyse, build } from '../../src/pipeline.ts'
import { simulate } from '../../src/simulate/index.ts'

const require = createRequire(import.meta.url)
const bytes = (path: string): Uint8Array => readFileSync(require.resolve(path))
export const wasm = {
  runtime: bytes('web-tree-sitter/web-tree-sitter.wasm'),
  grammar: bytes('tree-sitter-c/tree-sitter-c.wasm'),
}
export const examples = join(import.meta.dirname ?? '.', '../../examples')
const profile = gpu('h200')

/** Sizes that keep an exact simulation short: odd ones and round ones. */
const chosen: Readonly<Record<string, readonly number[]>> = {
  gemm: [256, 200],
  'gemm-nt': [256],
  'gemm-tn': [256],
  trmm: [192],
  'batched-gemm': [64],
  conv2d: [300],
  separable: [300],
  jacobi2d: [515],
  transpose: [512, 333],
}

export const sizesFor = (name: string, program: Program): readonly number[] =>
  chosen[name] ?? (program.arrays.some((a) => a.shape.length > 1) ? [512, 301] : [70000])

export const readExample = (name: string): Promise<Program> =>
  parseC(readFileSync(join(examples, `${name}.c`), 'utf8'), `${name}.c`, { wasm })

export interface TruthLaunch {
  readonly step: string
  readonly plan: Plan
  readonly launch: PlanLaunch
  readonly values: PlanValues
  readonly run: Launch
}

/** The launches of a program's ladder, for CUDA's warps, with the variant that the size takes. */
export function launchesOf(program: Program, size: number): readonly TruthLaunch[] {
  const analysed = analyse(program)
  const values: PlanValues = {
    sizes: Object.fromEntries(program.sizes.map((s) => [s.name, s.name === 'batch' ? 3 : size])),
    scalars: Object.fromEntries(program.scalars.map((s) => [s.name, 1.5])),
  }
  const rungs = Math.max(...analysed.parts.map((p) => p.sketch.ladder.length))
  return Array.from({ length: rungs }, (_, i) => {
    const { plan } = build(
      analysed,
      analysed.parts.map((p) => p.sketch.ladder[Math.min(i, p.sketch.ladder.length - 1)]!.point),
      { warp: 32 },
    )
    return chooseVariant(plan, values).launches.map(
      (launch, n): TruthLaunch => ({
        step: `${i + 1}.${n + 1}`,
        plan,
        launch,
        values,
        run: runOf(plan, launch, values),
      }),
    )
  }).flat()
}

function runOf(plan: Plan, launch: PlanLaunch, values: PlanValues): Launch {
  const grid = launch.grid.map((e) => Math.max(1, planValue(e, values))) as unknown as Dim3 // three in, three out
  const sizeOf = (name: string): number => {
    const a = plan.arrays.find((x) => x.name === name)!
    return Math.ceil(Math.max(16, elementsOf(a, values) * bytesOf[a.type]) / 16) * 16
  }
  return {
    grid,
    params: Object.fromEntries(Object.entries(launch.params).map(([k, e]) => [k, planValue(e, values)])),
    buffers: Object.fromEntries(
      Object.entries(launch.arguments).map(([k, array]) => [k, new ArrayBuffer(sizeOf(array))]),
    ),
  }
}

/** What the simulator counts on the launch, all blocks, by the names of the committed readings. */
export function countsOf({ launch, run }: TruthLaunch): Record<string, number> {
  const { counters } = simulate(launch.kernel, run, profile, { exact: true })
  const sum = (space: string, op: string, key: 'requests' | 'sectors' | 'wavefronts'): number =>
    counters.sites.filter((s) => s.space === space && s.op === op).reduce((n, s) => n + s[key], 0)
  return {
    loadRequests: sum('global', 'load', 'requests'),
    loadSectors: sum('global', 'load', 'sectors'),
    storeRequests: sum('global', 'store', 'requests'),
    storeSectors: sum('global', 'store', 'sectors'),
    sharedLoadWavefronts: sum('shared', 'load', 'wavefronts'),
    sharedStoreWavefronts: sum('shared', 'store', 'wavefronts'),
    warpInstructions: counters.instructions.warp - counters.instructions.warpByClass.move,
    lanes: counters.instructions.thread / counters.instructions.warp,
  }
}
