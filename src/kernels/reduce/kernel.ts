// Schedules of reductions, a module per operation with plans for each type. Long ones as measured fastest on an H200
// (bench/data/h200-examples.json); short rows share a block, few columns are combined by many blocks.
import type { PlanSpec, Spec } from '../spec.ts'

const long = { threads: 256, rows: 1, vector: 4, unroll: 4, blocks: 1, warp: 0 }
/** By the numbers that the loops have for them. */
const operations = { sum: 0, product: 1, max: 2 }
const types = { f32: 'float', i32: 'int', u32: 'unsigned' }

const plans = (op: number, type: string, hooks: readonly string[] = ['y']): Readonly<Record<string, PlanSpec>> => {
  const common = { defines: { OP: `${op}`, T: type }, hooks }
  const whole = { ...common, file: 'whole.c' },
    rows = { ...common, file: 'rows.c' },
    columns = { ...common, file: 'columns.c' }
  return {
    'whole-long': { ...whole, points: [{ ...long, blocks: 1056 }] },
    'whole-short': { ...whole, points: [long] },
    'rows-long': { ...rows, points: [long] },
    'rows-short': { ...rows, points: [{ ...long, threads: 32, rows: 8, unroll: 1 }] },
    'rows-tiny': { ...rows, points: [{ ...long, threads: 4, rows: 64, vector: 1, unroll: 1 }], keep: ['general'] },
    'columns-long': { ...columns, points: [{ threads: 32, rows: 8, vector: 4, unroll: 4, blocks: 16 }] },
    'columns-short': { ...columns, points: [{ threads: 64, rows: 1, vector: 4, unroll: 4, blocks: 1 }] },
  }
}

/** Everything is compared as i32 in an order that hooks make: `fusion/ordered-bits.ts`. */
const compares = (op: number): boolean => op === operations.max

const everyType = (op: number): Readonly<Record<string, PlanSpec>> =>
  Object.fromEntries(
    Object.entries(types)
      .filter(([short]) => !compares(op) || short === 'i32')
      .flatMap(([short, type]) => {
        const hooks = compares(op) ? ['x', 'y'] : ['y']
        return Object.entries(plans(op, type, hooks)).map(([key, plan]) => [`${short}-${key}`, plan] as const)
      }),
  )

/** Sums whose loads can be fused with. */
const norm = Object.fromEntries(
  Object.entries(plans(0, 'float', ['x', 'y'])).map(([key, plan]) => [`f32-${key}`, plan] as const),
)

export const spec: Spec = {
  ...Object.fromEntries(Object.entries(operations).map(([name, op]) => [name, everyType(op)])),
  norm,
}
