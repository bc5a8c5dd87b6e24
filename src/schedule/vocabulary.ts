// The steps that schedules are made of, each with a one-sentence description: schedule primitives, and rewrites of the
// code of a block or a thread. The one idea: they have no fixed order. The script of each sketch says which steps it
// takes and when; the ladder and the trace of a kernel print that script. The file of each primitive has an example.
import type { Vocabulary } from '../ir/index.ts'

export const scheduleSteps: Vocabulary = {
  kind: 'vocabulary',
  name: 'schedule',
  summary: 'what the script of a sketch is made of, in the order that the sketch says',
  words: {
    bind: 'a loop runs over blocks, threads or lanes of a vector, or is unrolled',
    split: 'one loop becomes two: tiling, strip-mining',
    fuse: 'two perfectly nested loops become one that counts through both',
    reorder: 'perfectly nested loops in another order: interchange',
    'register-tile': 'a thread has several outputs at once, so that each value it loads serves many',
    stage: 'a tile of a global array is copied into workgroup memory by all threads of a block',
    'stage-out': 'stores into a tile go to a copy in workgroup memory, which is written back together',
    fragment: 'what an iteration reads of a tile is copied into registers first',
    'share-memory': 'copies in workgroup memory that are in use one after the other become one',
    'double-buffer': 'a tile gets two halves that take turns, so that one barrier per iteration is enough',
    prefetch: 'global loads of the next iteration are issued before the current one computes',
    pipeline:
      'loads from workgroup memory of the next iteration are issued early, across tiles, too: software pipelining',
    pad: 'guarded sums become sums of guarded values, so that inner loops do not branch',
    peel: 'iterations in which guards hold anyway become a loop without them',
    'sink-guard': 'a guard around a sum moves to what touches memory, so that all threads reach what they share',
    'lift-choice': 'a condition that a loop does not change is asked before it: unswitching',
    'whole-tile': 'a tile that passes its guards as a whole asks nothing: versioning',
    'held-loads': 'what guarded stores read is loaded before the guards ask',
    'split-reduction': 'one reduction becomes partial results and a reduction over them: split K',
    'tree-reduce': 'the threads of a block share one reduction and combine their parts in a tree',
    'scalar-replacement': 'an element that a thread stored and reads again in a later iteration waits in a register',
    'full-unrolling': 'all loops of a thread are written out, so that its arrays can be registers',
    'row-unrolling': 'short loops over local arrays are written out, so that the elements are registers',
    'loop-invariant-motion': 'what all iterations of an innermost loop read at one place is read once',
    'unroll-preload': 'a few iterations are written out, with all of their loads first',
    'strip-staging': 'threads that walk along rows bring a strip of columns into workgroup memory together',
    'record-staging':
      'threads bring the records of their block, which lie in one piece, into workgroup memory together',
    'scratchpad-promotion': 'boxes of arrays that are used again and again live in workgroup memory',
  },
}
