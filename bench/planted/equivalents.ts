// Plants that are no faults: the kernel computes the same with them, each for the reason that stands beside it. In:
// nothing. Out: the list. A plant is taken out here after reading it, never because it was missed.

export interface Equivalent {
  readonly file: string
  readonly fault: string
  readonly line: number
  readonly why: string
}

export const equivalents: readonly Equivalent[] = [
  {
    file: 'transpose.cu',
    fault: 'axes exchanged',
    line: 4,
    why: 'reads other elements of the matrix, all of them there',
  },
  { file: 'reduce.cu', fault: 'shared index too far', line: 15, why: 'another part of the array, which is written' },
  { file: 'stencil.cu', fault: 'index one too far', line: 9, why: 'another element of the array' },
  {
    file: 'stencil.cu',
    fault: 'index one too far',
    line: 10,
    why: 'another element: no block ends there that would leave the array',
  },
  { file: 'stencil.cu', fault: 'index below 0', line: 9, why: 'another element: the first block does not run it' },
  { file: 'stencil.cu', fault: 'index below 0', line: 10, why: 'another element of the array' },
  { file: 'stencil.cu', fault: 'elements far apart', line: 10, why: 'three threads of a block' },
  { file: 'matmul.cu', fault: 'loop off by one', line: 9, why: 'guards keep the round that is too much from memory' },
  { file: 'scan.cu', fault: 'guard off by one', line: 11, why: 'a sum without one term, of elements that are there' },
  { file: 'scan.cu', fault: 'loop off by one', line: 9, why: 'a round in which no thread adds' },
  { file: 'scan.cu', fault: 'shared index too far', line: 12, why: 'another element, which is written' },
  { file: 'scan.cu', fault: 'shared index too far', line: 18, why: 'the next row of the same array' },
  { file: 'scan.cu', fault: 'shared index too far', line: 20, why: 'the next row of the same array' },
  {
    file: 'scan.cu',
    fault: 'array not written first',
    line: 15,
    why: 'the compiler leaves the loop out, whose sums nobody reads',
  },
  {
    file: 'softmax.cu',
    fault: 'array not written first',
    line: 14,
    why: 'the compiler leaves the reads of the array out',
  },
  {
    file: 'softmax.cu',
    fault: 'array not written first',
    line: 28,
    why: 'the compiler leaves the reads of the array out',
  },
  { file: 'softmax.cu', fault: 'reads what it writes', line: 36, why: 'each thread its own element, from zeros' },
  { file: 'saxpy.cu', fault: 'reads what it writes', line: 5, why: 'each thread its own element' },
  { file: 'scale.wgsl', fault: 'reads what it writes', line: 11, why: 'each invocation its own element' },
  { file: 'blur.wgsl', fault: 'guard off by one', line: 10, why: 'the border, which is in the array' },
  { file: 'blur.wgsl', fault: 'index one too far', line: 11, why: 'another point of the grid' },
  { file: 'blur.wgsl', fault: 'index one too far', line: 12, why: 'another point of the grid, each by one invocation' },
  { file: 'blur.wgsl', fault: 'index below 0', line: 11, why: 'another point of the grid' },
  { file: 'blur.wgsl', fault: 'index below 0', line: 12, why: 'another point of the grid, each by one invocation' },
  {
    file: 'kept.wgsl',
    fault: 'index one too far',
    line: 21,
    why: 'a gap in an array that is larger than what is kept',
  },
  { file: 'kept.wgsl', fault: 'index below 0', line: 21, why: 'another element: the first one is not kept' },
  {
    file: 'turned.wgsl',
    fault: 'shared index too far',
    line: 10,
    why: 'the column of the padding, which WGSL makes zero',
  },
  {
    file: 'turned.wgsl',
    fault: 'shared index too far',
    line: 14,
    why: 'the column of the padding, which WGSL makes zero',
  },
  {
    file: 'reduce-halving.wgsl',
    fault: 'shared index too far',
    line: 18,
    why: 'another part of the array, which is written',
  },
  {
    file: 'reduce-compacted.wgsl',
    fault: 'shared index too far',
    line: 14,
    why: 'another part of the array, of no other invocation',
  },
  {
    file: 'reduce-compacted.wgsl',
    fault: 'shared index too far',
    line: 19,
    why: 'another part of the array, which is written',
  },
  {
    file: 'scan-tree.wgsl',
    fault: 'barrier left out',
    line: 34,
    why: 'each invocation reads what it wrote in the last round',
  },
  {
    file: 'scan-tree.wgsl',
    fault: 'barrier of another kind',
    line: 34,
    why: 'each invocation reads what it wrote in the last round',
  },
  { file: 'scan-tree.wgsl', fault: 'index one too far', line: 10, why: 'another element of the array' },
  {
    file: 'scan-tree.wgsl',
    fault: 'index one too far',
    line: 35,
    why: 'the element that the invocation itself writes next',
  },
  { file: 'scan-tree.wgsl', fault: 'index below 0', line: 11, why: 'another element of the array' },
  {
    file: 'scan-tree.wgsl',
    fault: 'index below 0',
    line: 36,
    why: 'the element that the invocation itself has written',
  },
  {
    file: 'scan-tree.wgsl',
    fault: 'shared index too far',
    line: 10,
    why: 'the element that the invocation itself writes next; WGSL makes the other zero',
  },
  {
    file: 'scan-tree.wgsl',
    fault: 'shared index too far',
    line: 29,
    why: 'an element that nobody writes in that round',
  },
  {
    file: 'scan-tree.wgsl',
    fault: 'shared index too far',
    line: 30,
    why: 'an element that nobody else touches in that round',
  },
  { file: 'scan-tree.wgsl', fault: 'shared index too far', line: 35, why: 'an element that is written' },
  {
    file: 'histogram-tile.wgsl',
    fault: 'all on one counter',
    line: 14,
    why: 'one value to one place: the lanes of a subgroup are added up first',
  },
  { file: 'matmul-bounds.wgsl', fault: 'loop off by one', line: 14, why: 'the steps of 16 do not meet the bound' },
  { file: 'jacobi.cu', fault: 'guard off by one', line: 5, why: 'the border, which is in the array' },
  { file: 'jacobi.cu', fault: 'index one too far', line: 6, why: 'another point of the grid, each by one thread' },
  { file: 'jacobi.cu', fault: 'index below 0', line: 6, why: 'another point of the grid' },
  { file: 'vector-copy.cu', fault: 'guard off by one', line: 4, why: 'lengths are multiples of four' },
  {
    file: 'compact.cu',
    fault: 'index one too far',
    line: 21,
    why: 'a gap in an array that is larger than what is kept',
  },
  { file: 'compact.cu', fault: 'index below 0', line: 21, why: 'another element: the first one is not kept' },
  { file: 'bitonic.cu', fault: 'index one too far', line: 6, why: 'another key of the block' },
  { file: 'bitonic.cu', fault: 'index below 0', line: 7, why: 'another key of the block' },
  { file: 'last-block.cu', fault: 'shared index too far', line: 20, why: 'another part of the array, which is written' },
]
