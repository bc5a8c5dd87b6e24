// Kernels that experiments vary in ways no override can: how many outputs a thread has, how far a loop is written out,
// how much memory of the block is taken. In: a few numbers. Out: WGSL. Plain text templates; every kernel is run
// against SwiftShader in tests.

const repeat = (n: number, line: (i: number) => string): string => Array.from({ length: n }, (_, i) => line(i)).join('')

/** output[i] = input[index], index an expression of i, n, local and group.x; `more` declares what it needs. */
export const copyFrom = (index: string, more = ''): string => `override n: u32 = 1048576;
override block: u32 = 256;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(block)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32, \
@builtin(workgroup_id) group: vec3u) {
  let i = id.x;
${more}  if (i < n) {
    output[i] = input[${index}];
  }
}
`

/** Elements of `vectors` × 16 bytes, as one structure or as that many arrays. */
export function elementwiseShader(vectors: number, split: boolean): string {
  const inputs = split
    ? repeat(vectors, (v) => `@group(0) @binding(${v}) var<storage, read> part${v}: array<vec4f>;\n`)
    : '@group(0) @binding(0) var<storage, read> input: array<Element>;\n'
  const sum = Array.from({ length: vectors }, (_, v) => (split ? `part${v}[id.x]` : `input[id.x].part${v}`)).join(' + ')
  const members = repeat(vectors, (v) => `  part${v}: vec4f,\n`)
  const structure = split ? '' : `struct Element {\n${members}}\n\n`
  const binding = split ? vectors : 1
  return `${structure}${inputs}@group(0) @binding(${binding}) var<storage, read_write> output: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  output[id.x] = ${sum};
}
`
}

/** One element of `type` a thread. */
export const oneElement = (type: string): string => `@group(0) @binding(0) var<storage, read> input: array<${type}>;
@group(0) @binding(1) var<storage, read_write> output: array<${type}>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  output[id.x] = input[id.x];
}
`

/** One member of n structures, each member an array of its own. */
export const oneMember = `override n: u32 = 1048576;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < n) {
    output[id.x] = x[id.x] * 0.5;
  }
}
`

/** Three members of n structures, each an array of its own. */
export const allMembers = `override n: u32 = 1048576;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> y: array<f32>;
@group(0) @binding(2) var<storage, read> z: array<f32>;
@group(0) @binding(3) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < n) {
    let p = vec3f(x[id.x], y[id.x], z[id.x]);
    output[id.x] = dot(p, p);
  }
}
`

/** A transpose whose tile is filled and emptied as the article prints it. */
export const articleTranspose = `override n: u32 = 1024;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

var<workgroup> tile: array<array<f32, 16>, 16>;

@compute @workgroup_size(16, 16)
fn main(@builtin(local_invocation_id) local: vec3u, @builtin(global_invocation_id) id: vec3u) {
  tile[local.x][local.y] = input[id.x + id.y * n];
  workgroupBarrier();
  let value = tile[local.y][local.x];
  workgroupBarrier();
  output[id.y + id.x * n] = value;
}
`

/** A sum of two matrices of `pitch` columns in blocks of `x` × `y` threads. */
export const blockShape = (x: number, y: number): string => `override pitch: u32 = 2048;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(${x}, ${y})
fn main(@builtin(global_invocation_id) id: vec3u) {
  let at = id.y * pitch + id.x;
  c[at] = a[at] + b[at];
}
`

/** Reads of shared memory `stride` words apart, many times. */
export const bankStride = `override stride: u32 = 1;

@group(0) @binding(0) var<storage, read_write> output: array<f32>;

var<workgroup> words: array<f32, 2048>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
  for (var i = local; i < 2048; i += 64) {
    words[i] = f32(i);
  }
  workgroupBarrier();
  var sum = 0.0;
  for (var i = 0u; i < 256; i++) {
    sum += words[(local * stride + i) & 2047];
  }
  output[id.x] = sum;
}
`

/** Reads of shared memory at words that a warp's lanes choose as `index` says, of `local` and `lane`, many times. */
export const bankPattern = (
  index: string,
): string => `@group(0) @binding(0) var<storage, read_write> output: array<f32>;

var<workgroup> words: array<f32, 2048>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
  for (var i = local; i < 2048; i += 64) {
    words[i] = f32(i);
  }
  workgroupBarrier();
  let lane = local % 16;
  let word = ${index};
  var sum = 0.0;
  for (var i = 0u; i < 256; i++) {
    sum += words[(word + i) & 2047];
  }
  output[id.x] = sum;
}
`

/** A tile of 32 rows of `width` words, written along rows and read down columns. */
export const paddedTile = (width: number): string => `@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

var<workgroup> tile: array<array<f32, ${width}>, 32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let first = group.x * 1024;
  for (var row = local.y; row < 32; row += 8) {
    tile[row][local.x] = input[first + row * 32 + local.x];
  }
  workgroupBarrier();
  for (var row = local.y; row < 32; row += 8) {
    output[first + row * 32 + local.x] = tile[local.x][row];
  }
}
`

export interface ProductShader {
  /** Rows and columns of the tile of a, and threads along each axis of a block. */
  readonly tile?: number
  /** Outputs of a thread, along a row. */
  readonly outputs?: number
  /** Where a thread's outputs lie: `tile` columns apart, or side by side. */
  readonly adjacent?: boolean
  /** Steps of the inner product written out. */
  readonly unroll?: number
  /** Let the steps be counted by a value that no compiler knows. */
  readonly open?: boolean
  /** Words of workgroup memory taken for nothing: none, or at least one a thread. */
  readonly ballast?: number
  /** Phases in which the tile of b is loaded and used: each needs its part of the memory only. */
  readonly phases?: number
  /** Leave a barrier out. */
  readonly without?: 'load' | 'compute'
}

/** c = a · b, n × n, through tiles; a thread computes `outputs` elements of a row. */
export function productShader({
  tile = 16,
  outputs = 1,
  adjacent = false,
  unroll = 1,
  open = false,
  ballast = 0,
  phases = 1,
  without,
}: ProductShader): string {
  const each = outputs / phases,
    width = tile * each,
    own = `local.y * ${tile} + local.x`
  const at = (d: number): string => (adjacent ? `local.x * ${each} + ${d}` : `local.x + ${d * tile}`)
  const barrier = (which: 'load' | 'compute'): string => (which === without ? '' : '    workgroupBarrier();\n')
  const firstColumn = `group.x * ${tile * outputs}`
  /** Loads of the columns of b that a phase multiplies with. */
  const loads = (p: number): string =>
    repeat(
      each,
      (d) => `    right[local.y][${at(d)}] = b[(k + local.y) * n + ${firstColumn} + ${p * width} + ${at(d)}];\n`,
    )
  /** The products of row element i + `u` with each of the thread's columns. */
  const products = (p: number, u: number): string =>
    `      let value${u} = left[local.y][i + ${u}];\n` +
    repeat(each, (d) => `      sum${p * each + d} += value${u} * right[i + ${u}][${at(d)}];\n`)
  const phase = (p: number): string =>
    `${loads(p)}${barrier('load')}    for (var i = 0u; i < ${open ? 'steps' : tile}; i += ${unroll}) {
${repeat(unroll, (u) => products(p, u))}    }
${barrier('compute')}`
  const inputs = '@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u'
  const sums = repeat(outputs, (d) => `  var sum${d} = 0.0;\n`)
  const counted = open ? ', @builtin(num_workgroups) groups: vec3u' : ''
  const steps = open ? '  let steps = n / groups.y;\n' : ''
  const column = (d: number): string => `${firstColumn} + ${Math.floor(d / each) * width} + ${at(d % each)}`
  const unused = ballast > 0 ? ` + ballast[${own}]` : ''
  return `override n: u32 = 512;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

var<workgroup> left: array<array<f32, ${tile}>, ${tile}>;
var<workgroup> right: array<array<f32, ${width}>, ${tile}>;
${ballast > 0 ? `var<workgroup> ballast: array<f32, ${ballast}>;\n` : ''}
@compute @workgroup_size(${tile}, ${tile})
fn main(${inputs}${counted}) {
  let row = group.y * ${tile} + local.y;
${steps}${sums}${ballast > 0 ? `  ballast[${own}] = 0.0;\n` : ''}  for (var k = \
0u; k < n; k += ${tile}) {
    left[local.y][local.x] = a[row * n + k + local.x];
${repeat(phases, phase)}  }
${repeat(outputs, (d) => `  c[row * n + ${column(d)}] = sum${d}${unused};\n`)}}
`
}

/** Two ways through a branch, taken by turns of `width` threads. */
export const branchEvery = `override width: u32 = 1;

@group(0) @binding(0) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var x = f32(id.x);
  if (id.x / width % 2 == 0) {
    for (var i = 0; i < 64; i++) {
      x = x * 1.5 + 0.25;
    }
  } else {
    for (var i = 0; i < 64; i++) {
      x = x * 0.5 - 0.75;
    }
  }
  output[id.x] = x;
}
`

const reductionHead = (block: number): string => `@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

var<workgroup> sums: array<f32, ${block}>;

@compute @workgroup_size(${block})
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32, \
@builtin(workgroup_id) group: vec3u) {
  sums[local] = input[id.x];
`

/** The sum of each block by a tree: half as many additions in every step. */
export const treeSum = (block: number): string => `${reductionHead(block)}  workgroupBarrier();
  for (var step = ${block / 2}u; step > 0; step /= 2) {
    if (local < step) {
      sums[local] += sums[local + step];
    }
    workgroupBarrier();
  }
  if (local == 0) {
    output[group.x] = sums[0];
  }
}
`

/** The sum of each block as the last element of a prefix sum in steps: all threads add in every step. */
export const stepSum = (
  block: number,
): string => `${reductionHead(block)}  for (var step = 1u; step < ${block}; step *= 2) {
    workgroupBarrier();
    var value = sums[local];
    if (local >= step) {
      value += sums[local - step];
    }
    workgroupBarrier();
    sums[local] = value;
  }
  if (local == ${block - 1}) {
    output[group.x] = sums[${block - 1}];
  }
}
`

/**
 * A tile of (16 + 2r)² elements loaded by 16 × 16 threads: what is left over is dealt out to all, or to the threads at
 * the edges.
 */
export function remainder(radius: number, spread: boolean): string {
  const side = 16 + 2 * radius
  const load = (y: string, x: string, indent: string): string =>
    `${indent}tile[${y}][${x}] = input[(corner.y + ${y}) * pitch + corner.x + ${x}];\n`
  const far = (axis: 'x' | 'y'): string => `local.${axis} + 16`
  const edges = `${load('local.y', 'local.x', '  ')}  if (local.x < ${2 * radius}) \
{\n${load('local.y', far('x'), '    ')}  }
  if (local.y < ${2 * radius}) {\n${load(far('y'), 'local.x', '    ')}  }
  if (local.x < ${2 * radius} && local.y < ${2 * radius}) {\n${load(far('y'), far('x'), '    ')}  }
`
  const dealt =
    `  for (var i = rank; i < ${side * side}; i += 256) ` + `{\n${load(`i / ${side}`, `i % ${side}`, '    ')}  }\n`
  return `override pitch: u32 = 1024;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

var<workgroup> tile: array<array<f32, ${side}>, ${side}>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u, \
@builtin(local_invocation_index) rank: u32, @builtin(workgroup_id) group: vec3u) {
  let corner = group.xy * 16;
${spread ? dealt : edges}  workgroupBarrier();
  output[id.y * pitch + id.x] = tile[local.y][local.x] + tile[local.y + ${radius}][local.x + ${radius}] + \
tile[local.y + ${2 * radius}][local.x + ${2 * radius}];
}
`
}

/** A convolution whose block of 16 × 16 threads loads one pixel each; those of the border then stand idle. */
export const convolveIdle = (radius: number): string => `override width: u32 = 1024;
override height: u32 = 1024;

@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read> weights: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

var<workgroup> tile: array<array<f32, 16>, 16>;

@compute @workgroup_size(16, 16)
fn main(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let at = vec2i(group.xy * ${16 - 2 * radius}u + local.xy) - ${radius};
  let last = vec2i(i32(width) - 1, i32(height) - 1);
  let near = clamp(at, vec2i(), last);
  tile[local.y][local.x] = image[u32(near.y) * width + u32(near.x)];
  workgroupBarrier();
  let inside = all(local.xy >= vec2u(${radius})) && all(local.xy < vec2u(${16 - radius}));
  if (inside && all(at <= last)) {
    var sum = 0.0;
    for (var y = 0u; y < ${2 * radius + 1}; y++) {
      for (var x = 0u; x < ${2 * radius + 1}; x++) {
        sum += tile[local.y + y - ${radius}][local.x + x - ${radius}] * weights[y * ${2 * radius + 1} + x];
      }
    }
    output[u32(at.y) * width + u32(at.x)] = sum;
  }
}
`

/**
 * A convolution whose block of 16 × 16 threads loads its own pixels only: neighbours in the block come from the tile,
 * those of other blocks from memory.
 */
export const convolveBlock = (radius: number): string => `override width: u32 = 1024;
override height: u32 = 1024;

@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read> weights: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

var<workgroup> tile: array<array<f32, 16>, 16>;

@compute @workgroup_size(16, 16)
fn main(@builtin(local_invocation_id) local: vec3u, @builtin(global_invocation_id) id: vec3u) {
  tile[local.y][local.x] = image[id.y * width + id.x];
  workgroupBarrier();
  let last = vec2i(i32(width) - 1, i32(height) - 1);
  var sum = 0.0;
  for (var y = 0; y < ${2 * radius + 1}; y++) {
    for (var x = 0; x < ${2 * radius + 1}; x++) {
      let near = vec2i(local.xy) + vec2i(x, y) - ${radius};
      var pixel: f32;
      if (all(near >= vec2i()) && all(near < vec2i(16))) {
        pixel = tile[near.y][near.x];
      } else {
        let at = clamp(vec2i(id.xy) + vec2i(x, y) - ${radius}, vec2i(), last);
        pixel = image[u32(at.y) * width + u32(at.x)];
      }
      sum += pixel * weights[y * ${2 * radius + 1} + x];
    }
  }
  output[id.y * width + id.x] = sum;
}
`

/**
 * out = leftᵀ · right: `rows` of out are columns of left, `depth` is summed over; neighbours are neighbours in a row of
 * out.
 */
export const transposedProduct = `override rows: u32 = 32;
override columns: u32 = 1024;
override depth: u32 = 512;

@group(0) @binding(0) var<storage, read> left: array<f32>;
@group(0) @binding(1) var<storage, read> right: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var k = 0u; k < depth; k++) {
    sum += left[k * rows + id.y] * right[k * columns + id.x];
  }
  output[id.y * columns + id.x] = sum;
}
`

/** `values` numbers that a thread loads, keeps through a loop of reads that each wait for the one before, and adds. */
export const keptValues = (values: number): string => `override n: u32 = 61440;
override rounds: u32 = 64;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read> next: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
${repeat(values, (v) => `  let value${v} = input[id.x + ${v}u * n];\n`)}  var at = id.x;
  for (var i = 0u; i < rounds; i++) {
    at = (at + next[at]) % n;
  }
  var sum = f32(at);
${repeat(values, (v) => `  sum = sum * 0.5 + value${v};\n`)}  output[id.x] = sum;
}
`

/**
 * Blocks of 32 × 8 threads that move tiles of 32 × 32: a copy, a transpose by columns, or one through a padded tile;
 * `diagonal` deals blocks out along diagonals, so that those side by side write to different columns.
 */
export function movedTile(how: 'copy' | 'columns' | 'tile', diagonal = false): string {
  const order = diagonal ? 'vec2u((group.x + group.y) % groups.x, group.x)' : 'group.xy'
  const input = 'input[(corner.y + row) * n + corner.x + local.x]'
  const each = (line: string): string => `  for (var row = local.y; row < 32; row += 8) {\n    ${line}\n  }\n`
  const bodies = {
    copy: each(`output[(corner.y + row) * n + corner.x + local.x] = ${input};`),
    columns: each(`output[(corner.x + local.x) * n + corner.y + row] = ${input};`),
    tile:
      each(`tile[row][local.x] = ${input};`) +
      '  workgroupBarrier();\n' +
      each('output[(corner.x + row) * n + corner.y + local.x] = tile[local.x][row];'),
  }
  return `override n: u32 = 1024;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
${how === 'tile' ? '\nvar<workgroup> tile: array<array<f32, 33>, 32>;\n' : ''}
@compute @workgroup_size(32, 8)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, \
@builtin(local_invocation_id) local: vec3u) {
  let corner = ${order} * 32;
${bodies[how]}}
`
}

/** How two coordinates become an index. */
export type IndexOrder = 'rows' | 'columns' | 'columns exchanged' | 'linear'

/** A copy of an n × n matrix, element by element. */
export function indexed(order: IndexOrder): string {
  const index = {
    rows: 'id.y * n + id.x',
    columns: 'id.x * n + id.y',
    'columns exchanged': 'id.y * n + id.x',
    linear: 'id.x',
  }
  const what = {
    rows: 'stored by rows: x is the column',
    columns: 'stored by columns: x is the column all the same',
    'columns exchanged': 'stored by columns: x is the row',
    linear: 'stored any way: one index',
  }
  return `// A matrix ${what[order]}.
override n: u32 = 1024;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(${order === 'linear' ? '256' : '32, 8'})
fn main(@builtin(global_invocation_id) id: vec3u) {
  let at = ${index[order]};
  output[at] = input[at];
}
`
}

/** output[i] = the sum of `reads` inputs from i on, straight from memory or through a tile of the block. */
export function windowSum(reads: number, tile: boolean): string {
  const margin = reads - 1
  const rest = `  if (local < ${margin}) {\n    tile[local + 256] = input[id.x + 256];\n  }\n`
  const stage = `  tile[local] = input[id.x];
${margin > 0 ? rest : ''}  workgroupBarrier();
`
  return `@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
${tile ? `\nvar<workgroup> tile: array<f32, ${256 + margin}>;\n` : ''}
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
${tile ? stage : ''}  var sum = 0.0;
${repeat(reads, (i) => `  sum += ${tile ? 'tile[local' : 'input[id.x'} + ${i}];\n`)}  output[id.x] = sum;
}
`
}

/** Four numbers a thread, `each` of them in a word, halved. */
export function narrow(each: 1 | 2 | 4): string {
  const [type, halved] = {
    1: ['vec4f', 'x * 0.5'],
    2: ['vec4<f16>', 'x * 0.5h'],
    4: ['u32', 'pack4x8unorm(unpack4x8unorm(x) * 0.5)'],
  }[each] as [string, string]
  return `${each === 2 ? 'enable f16;\n\n' : ''}@group(0) @binding(0) var<storage, read> input: array<${type}>;
@group(0) @binding(1) var<storage, read_write> output: array<${type}>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = input[id.x];
  output[id.x] = ${halved};
}
`
}

/** The length of vectors of three, which stand in 16 bytes each, read whole. */
export const paddedMembers = `override n: u32 = 1048576;

@group(0) @binding(0) var<storage, read> particles: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < n) {
    let p = particles[id.x].xyz;
    output[id.x] = dot(p, p);
  }
}
`
