// Schedules of scans: long rows are cut into runs of blocks (`long`: four blocks on each of an H200's 132
// multiprocessors, all at once; `medium`: fewer, for what they would not fill), others have a block each, short ones
// share a block.
import type { PlanSpec, Spec } from '../spec.ts'

const long = { threads: 256, unroll: 4, vector: 4, blocks: 528, rows: 1 }
const starts = [{ f32: '0.0f', i32: '0', u32: '0u' }, { f32: '1.0f', i32: '1', u32: '1u' }, { i32: 'INT_MIN' }] as const
const types = { f32: 'float', i32: 'int', u32: 'unsigned' } as const

const startOf = (op: number, type: keyof typeof types): string =>
  (starts[op] as Readonly<Record<string, string>> | undefined)?.[type] ?? '' // an operation of the list

/** Everything is compared as i32 in an order that hooks make: `fusion/ordered-bits.ts`. */
const typesOf = (op: number): readonly (keyof typeof types)[] => (op === 2 ? ['i32'] : ['f32', 'i32', 'u32'])

function plans(op: number, exclusive: number): Readonly<Record<string, PlanSpec>> {
  const of = (
    type: keyof typeof types,
    file: string,
    point: PlanSpec['points'][number],
    keep?: PlanSpec['keep'],
  ): PlanSpec => ({
    file,
    defines: { OP: `${op}`, T: types[type], START: startOf(op, type), EXCLUSIVE: `${exclusive}` },
    points: [point],
    hooks: op === 2 ? ['x', 'y'] : [],
    ...(keep && { keep }),
  }) // an operation of the list
  return Object.fromEntries(
    typesOf(op).flatMap(
      (type) =>
        [
          [`${type}-long`, of(type, 'rows.c', long)],
          [`${type}-medium`, of(type, 'rows.c', { ...long, blocks: 64 }, ['vector', 'general'])],
          [`${type}-rows`, of(type, 'rows.c', { ...long, blocks: 1 }, ['vector', 'general'])],
          [
            `${type}-short`,
            of(type, 'rows.c', { ...long, threads: 32, unroll: 1, rows: 8, blocks: 1 }, ['vector', 'general']),
          ],
          [`${type}-columns`, of(type, 'columns.c', { threads: 64 })],
        ] as const,
    ),
  )
}

export const spec: Spec = {
  scan: Object.fromEntries(
    ['sum', 'product', 'max'].flatMap((name, op) =>
      [0, 1].flatMap((exclusive) =>
        Object.entries(plans(op, exclusive)).map(
          ([key, plan]) => [`${name}-${exclusive ? 'exclusive-' : ''}${key}`, plan] as const,
        ),
      ),
    ),
  ),
}
