// In: the measured ladders of examples/*.c (bench/data/h200-examples.json). Out: what the model predicts for each rung
// that was measured as WebGPU with robustness on or as CUDA. None of these readings was used while the model was made.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gpu } from '../../src/gpus/index.ts'
import { analyse, build } from '../../src/pipeline.ts'
import { parseC } from '../../src/frontend/c/index.ts'
import type { Point } from '../../src/schedule/index.ts'
import { estimatePlan, plannedValues } from '../../src/tune/index.ts'
import { examples, wasm } from '../truth/launches.ts'

export interface Rung {
  readonly family: string
  readonly name: string
  readonly on: 'webgpu-robust' | 'cuda'
  readonly ns: number
  readonly predicted: number
  readonly terms: string
}

interface Row {
  readonly file: string
  readonly defines?: Record<string, string>
  readonly on: string
  readonly points: readonly Point[]
  readonly ns: number
}

/** With all the shared memory that CUDA has. */
const { webgpuShared: _, ...cudaGpu } = gpu('h200')

/** Predictions for every measured rung. */
export async function ladders(): Promise<readonly Rung[]> {
  const { rows } = JSON.parse(readFileSync(join(import.meta.dirname ?? '.', '../data/h200-examples.json'), 'utf8')) as {
    readonly rows: readonly Row[]
  }
  const out: Rung[] = []
  for (const row of rows) {
    if (
      row.on === 'webgpu' &&
      rows.some(
        (r) =>
          r.on === 'webgpu-robust' &&
          r.file === row.file &&
          JSON.stringify([r.points, r.defines]) === JSON.stringify([row.points, row.defines]),
      )
    )
      continue
    const program = await parseC(readFileSync(join(examples, `${row.file}.c`), 'utf8'), `${row.file}.c`, {
      wasm,
      ...(row.defines && { defines: row.defines }),
    })
    const analysed = analyse(program)
    const cuda = row.on === 'cuda'
    const points = cuda ? row.points.map((p, i) => analysed.parts[i]?.sketch.forCuda?.(p) ?? p) : row.points
    const plan = build(analysed, points, cuda ? { warp: 32, exact: false } : {}).plan
    const { prediction } = estimatePlan(program, plan, plannedValues(program), cuda ? cudaGpu : gpu('h200'), {
      steps: 3e6,
    })
    const terms = Object.entries(prediction.terms)
      .filter(([, v]) => v > 0.15 * prediction.ns)
      .sort((a, b) => b[1] - a[1])
      .map(([k, v]) => `${k} ${(v / 1000).toFixed(1)}`)
      .join(' ')
    out.push({
      family: `${row.file}.c`,
      name: `${row.file} ${Object.values(row.defines ?? {}).join(' ')} ${row.points
        .map((p) =>
          Object.entries(p)
            .map(([k, v]) => `${k}${v}`)
            .join(' '),
        )
        .join(' | ')}`,
      on: cuda ? 'cuda' : 'webgpu-robust',
      ns: row.ns,
      predicted: prediction.ns,
      terms,
    })
  }
  return out
}
