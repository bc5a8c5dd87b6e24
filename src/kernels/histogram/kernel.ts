// Schedules of histograms: `few` bins have eight copies of each in a block's workgroup memory, `some` have one, `many`
// are counted in global memory. Blocks are fewer for arrays that 528 would not fill.
import type { PlanSpec, Spec } from '../spec.ts'

const point = { threads: 256, unroll: 4, vector: 4, blocks: 528, elements: 4096, copies: 8 }

const plans = (type: string, name: string): Readonly<Record<string, PlanSpec>> => {
  const common = { file: 'histogram.c', defines: { T: name }, hooks: ['x'] }
  const sizes = (suffix: string, blocks: number): Readonly<Record<string, PlanSpec>> => ({
    [`${type}-few${suffix}`]: { ...common, points: [{ ...point, blocks }], keep: ['exact', 'unaligned'] },
    [`${type}-some${suffix}`]: { ...common, points: [{ ...point, copies: 1, blocks }], keep: ['exact', 'unaligned'] },
    [`${type}-many${suffix}`]: { ...common, points: [{ ...point, elements: 0, copies: 1, blocks }] },
  })
  return { ...sizes('', 528), ...sizes('-short', 32) }
}

export const spec: Spec = {
  histogram: { ...plans('f32', 'float'), ...plans('i32', 'int'), ...plans('u32', 'unsigned') },
}
