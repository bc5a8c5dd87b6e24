// Schedules of searches for the greatest and least, like those of reductions: many blocks for few long rows.
import type { PlanSpec, Spec } from '../spec.ts'

const long = { threads: 256, unroll: 4, vector: 4, blocks: 1056, rows: 1 }
/** Floats are compared as integers in their order, which a hook makes of them: `fusion/ordered-bits.ts`. */
const types = {
  i32: ['int', 'INT_MAX', 'INT_MIN'],
  u32: ['unsigned', 'UINT_MAX', '0u'],
} as const

const plans = (least: boolean): Readonly<Record<string, PlanSpec>> =>
  Object.fromEntries(
    Object.entries(types).flatMap(([type, [name, greatest, lowest]]) => {
      const common = {
        defines: { T: name, LEAST: least ? '1' : '0', START: least ? greatest : lowest },
        hooks: type === 'i32' ? ['x'] : [],
      }
      const rows = { ...common, file: 'rows.c' },
        keep = ['vector', 'general'] as const
      return [
        [`${type}-long`, { ...rows, points: [long] }],
        [`${type}-medium`, { ...rows, points: [{ ...long, blocks: 64 }], keep }],
        [`${type}-rows`, { ...rows, points: [{ ...long, blocks: 1 }], keep }],
        [`${type}-short`, { ...rows, points: [{ ...long, threads: 32, unroll: 1, blocks: 1, rows: 8 }], keep }],
        [`${type}-columns`, { ...common, file: 'columns.c', points: [{ threads: 64 }] }],
      ] as const
    }),
  )

export const spec: Spec = { argmax: plans(false), argmin: plans(true) }
