// In: a point. Out: its kernel, its text with the overrides made constants, and the bytes of every buffer. Shared by
// what prepares measurements and what compares them with predictions.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { explain } from '../../src/explain/index.ts'
import { parseWgsl, type WgslKernel } from '../../src/frontend/wgsl/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { fixOverrides } from '../../src/study/index.ts'
import type { Point } from './points.ts'

export interface Case {
  readonly point: Point
  readonly text: string
  readonly wgsl: WgslKernel
  /** Bytes by resource of the kernel. */
  readonly bytes: Readonly<Record<string, number>>
}

const folder = join(import.meta.dirname ?? '.', '../../examples/catalogue')

export function caseOf(point: Point): Case {
  const text = fixOverrides(readFileSync(join(folder, `${point.kernel}.wgsl`), 'utf8'), point.overrides)
  const file = `${point.kernel}.wgsl`
  const wgsl = parseWgsl(text, file, {})
  const buffers = Object.fromEntries(
    Object.entries(point.buffers ?? {}).map(([name, b]) => [name, { count: b.count, type: 'u32' as const }]),
  )
  const report = explain({ text, file }, { grid: point.grid, buffers }, { gpu: gpu('h200') })
  const named = new Map(report.buffers.map((b) => [b.name, b.bytes]))
  return { point, text, wgsl, bytes: Object.fromEntries(wgsl.bindings.map((b) => [b.resource, named.get(b.name)!])) }
}

/** The point in one line. */
export const nameOf = (p: Point): string =>
  `${p.kernel} ${Object.entries(p.overrides)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ')} grid=${p.grid.join('×')}`
