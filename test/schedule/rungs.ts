// For tests of schedules: every rung of every ladder of a program, with shuffles and without, verified.
import { expect } from 'vitest'
import { analyse } from '../../src/pipeline.ts'
import type { Point } from '../../src/schedule/index.ts'
import { readC } from '../c/read.ts'
import { sizesOf, verified } from './support.ts'

/**
 * Whether the program becomes these sketches, and every rung computes it at `sizes`; long loops are shared by three
 * blocks.
 */
export async function rungsHold(
  source: string,
  sketches: readonly string[],
  sizes: readonly (readonly number[])[],
): Promise<void> {
  const p = await readC(source)
  const a = analyse(p)
  expect(a.parts.map((x) => x.sketch.name)).toEqual(sketches)
  const rungs = Math.max(...a.parts.map((x) => x.sketch.ladder.length))
  for (let rung = 0; rung < rungs; rung++) {
    const points: readonly Point[] = a.parts.map(
      ({ sketch: { ladder } }) => ladder[Math.min(rung, ladder.length - 1)]!.point,
    )
    const few = points.map((x) => ((x['blocks'] ?? 1) > 1 ? { ...x, blocks: 3, threads: 32 } : x))
    for (const warp of [{}, { warp: 32 as const }]) {
      const v = verified(
        a,
        few,
        sizes.map((s) => sizesOf(p, s)),
        warp,
      )
      expect({ rung, warp, ok: v.ok, why: v.why }).toEqual({ rung, warp, ok: true, why: undefined })
    }
  }
}
