// Schedule of elementwise work, as measured fastest on an H200 (saxpy in bench/data/h200-examples.json).
import type { Spec } from '../spec.ts'

const walking = { threads: 256, vector: 4, run: 1, blocks: 1056 }
/** As many blocks as there are elements for: for arrays that 1056 blocks would not fill. */
const short = { threads: 64, vector: 4, run: 1, blocks: 0 }
const plan = (type: string, point: typeof short): Spec[string][string] => ({
  file: 'map.c',
  defines: { T: type },
  points: [point],
  hooks: ['x', 'y'],
})

export const spec: Spec = {
  map: {
    f32: plan('float', walking),
    u32: plan('unsigned', walking),
    'f32-short': plan('float', short),
    'u32-short': plan('unsigned', short),
  },
}
