// How each language calls the parts of a launch. In: a language. Out: its words. The one idea: findings are written
// once, with these words put in, so that a fix can be followed in the source that it is about. It translates no code.

/** `c`: a kernel that was made from plain loops. */
export type SourceLanguage = 'wgsl' | 'cuda' | 'c'

export interface LanguageWords {
  readonly thread: string
  readonly threads: string
  readonly block: string
  readonly blocks: string
  readonly warp: string
  readonly warps: string
  /** Memory of one block, in a sentence. */
  readonly shared: string
  /** How an array in it is declared. */
  readonly declareShared: string
  readonly global: string
  readonly barrier: string
  /** What orders the threads of a warp alone; null where a language has none. */
  readonly warpBarrier: string | null
  /** The thread's index within its block along an axis. */
  readonly local: (axis: 'x' | 'y') => string
  /** Where the size of a block is written. */
  readonly blockSize: string
  readonly vector: (n: number) => string
  readonly dispatch: string
  /** What devices do with accesses out of bounds. */
  readonly outside: string
  /** What keeps them in bounds: of a buffer, and of an array of the kernel's own. */
  readonly guard: string
  readonly guardOwn: string
  /** What keeps an index from leaving 32 bits. */
  readonly overflow: string
}

const wgsl: LanguageWords = {
  thread: 'invocation',
  threads: 'invocations',
  block: 'workgroup',
  blocks: 'workgroups',
  warp: 'subgroup',
  warps: 'subgroups',
  shared: 'workgroup memory',
  declareShared: 'var<workgroup>',
  global: 'storage',
  barrier: 'workgroupBarrier()',
  warpBarrier: null,
  local: (axis) => `local_invocation_id.${axis}`,
  blockSize: '@workgroup_size',
  vector: (n) => `vec${n}`,
  dispatch: 'dispatch',
  outside: 'WebGPU may clamp instead',
  guard: 'guard it (if (index < arrayLength(…))), or bind a larger buffer',
  guardOwn: 'guard it (if (index < …)), or declare the array longer',
  overflow: 'keep the index below 2³¹, or compute it as u32',
}

const cuda: LanguageWords = {
  thread: 'thread',
  threads: 'threads',
  block: 'block',
  blocks: 'blocks',
  warp: 'warp',
  warps: 'warps',
  shared: 'shared memory',
  declareShared: '__shared__',
  global: 'global memory',
  barrier: '__syncthreads()',
  warpBarrier: '__syncwarp()',
  local: (axis) => `threadIdx.${axis}`,
  blockSize: 'the block size',
  vector: (n) => `float${n}`,
  dispatch: 'launch',
  outside: 'a GPU faults or touches what lies there',
  guard: 'guard it (if (index < n)), or give the array more elements',
  guardOwn: 'guard it (if (index < …)), or declare the array longer',
  overflow: 'compute it in 64 bits: (size_t)row * columns + column',
}

const c: LanguageWords = {
  ...cuda,
  declareShared: 'shared memory',
  barrier: 'a barrier',
  warpBarrier: null,
  local: (axis) => `the thread’s index along ${axis}`,
}

const byLanguage = { wgsl, cuda, c } as const satisfies Record<SourceLanguage, LanguageWords>

export const wordsOf = (language: SourceLanguage): LanguageWords => byLanguage[language]

/** What a kernel is bound by, by the model's terms, as the end of a sentence. */
const parts: Readonly<Record<string, (w: LanguageWords) => string>> = {
  issue: () => 'issuing instructions',
  fp32: () => 'the floating-point pipes',
  fp64: () => 'the double-precision pipes',
  int: () => 'the integer pipes',
  sfu: () => 'the special-function units',
  shared: (w) => `the pipe of ${w.shared}`,
  l1: () => 'the L1 cache pipe',
  l2: () => 'traffic between L1 and L2',
  dram: () => 'traffic to memory',
  latency: () => 'waiting for memory and barriers',
  spill: () => 'registers that do not fit',
  atomics: () => 'atomics that wait for each other',
  blocks: (w) => `starting ${w.blocks}`,
  launch: (w) => `the ${w.dispatch} itself`,
}

/** As `bound by …` goes on; a term that has no words is its own name. */
export const boundWords = (term: string, words: LanguageWords): string => parts[term]?.(words) ?? term
