// Schedule of elementwise work, as measured fastest on an H200 (saxpy in bench/data/h200-examples.json).
import type { Spec } from '../spec.ts'

const point = { threads: 256, vector: 4, run: 1, blocks: 1056 }
const plan = (type: string): Spec[string][string] => ({ file: 'map.c', defines: { T: type }, points: [point], hooks: ['x', 'y'] })

export const spec: Spec = { map: { f32: plan('float'), u32: plan('unsigned') } }
