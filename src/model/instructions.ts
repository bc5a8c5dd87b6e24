// In: one statement of a kernel. Out: the instructions that one execution of it is, before a compiler removes anything.
import type { OpName, ScalarType, Stmt } from '../ir/index.ts'

/** Who compiles: `cuda` rounds divisions and roots right and reduces the arguments of sines fully, WGSL need not. */
export type Compiler = 'webgpu' | 'cuda'

/** Statements up to which a branch becomes predicates. */
const shortBranch = 8

/** Instructions of operations that have none of their own (PTX ISA; counted in the machine code of small kernels). */
const expansion: Partial<Record<OpName, number>> = {
  sqrt: 2,
  rsqrt: 1,
  rcp: 1,
  exp: 2,
  exp2: 1,
  log: 2,
  log2: 1,
  sin: 2,
  cos: 2,
  tan: 5,
  asin: 14,
  acos: 14,
  atan: 14,
  atan2: 18,
  sinh: 10,
  cosh: 8,
  tanh: 8,
  pow: 5,
  round: 1,
  popcount: 1,
  sign: 3,
  reverseBits: 1,
  ctz: 2,
  clz: 2,
}

/** Of a branch that jumps: where to meet again, the jump, the meeting (machine code of NVRTC 13). */
const branchInstructions = 3

/** Instructions of one execution before anything is removed. */
export function instructionsOf(s: Stmt, compiler: Compiler = 'webgpu'): number {
  switch (s.kind) {
    case 'op':
      return s.free ? 0 : opInstructions(s, compiler)
    case 'builtin':
    case 'matrix':
    case 'break':
    case 'continue':
    case 'return':
    case 'loop':
      return 0
    case 'load':
    case 'store':
    case 'atomic':
    case 'subgroup':
    case 'barrier':
      return 1
    case 'if':
      return short(s, compiler) ? 0 : branchInstructions
  }
}

/**
 * A branch that becomes predicates: a few statements without loops or barriers; in WebGPU, where bounds are checked,
 * without stores.
 */
function short(s: Extract<Stmt, { kind: 'if' }>, compiler: Compiler): boolean {
  const inside = [...s.then, ...s.else]
  if (compiler === 'webgpu' && inside.some((x) => x.kind === 'store')) return false
  return (
    inside.length <= shortBranch &&
    inside.every((x) => x.kind === 'op' || x.kind === 'load' || x.kind === 'store' || x.kind === 'builtin')
  )
}

function opInstructions(s: Extract<Stmt, { kind: 'op' }>, compiler: Compiler): number {
  const type = s.args[s.op === 'select' ? 1 : 0]?.type ?? s.dst.type
  const wide = type === 'i64' || type === 'u64' ? 2 : 1
  const b = s.args[1]
  switch (s.op) {
    case 'copy':
    case 'bitcast':
      return 0
    case 'land':
    case 'lor':
    case 'lnot':
      return 0.5
    case 'convert':
      return s.args[0]?.type === s.dst.type || (isWord(type) && isWord(s.dst.type)) ? 0 : 1
    case 'div':
    case 'rem':
      if (type === 'f32' || type === 'f16') return (compiler === 'cuda' ? 9 : 2) + (s.op === 'rem' ? 3 : 0)
      if (type === 'f64') return 12
      if (b?.kind === 'const') return isPower(Number(b.value)) ? 1 : s.op === 'div' ? 2 : 3
      return (s.op === 'div' ? 20 : 22) * wide
    default:
      return ((compiler === 'cuda' ? exact[s.op] : undefined) ?? expansion[s.op] ?? 1) * wide
  }
}

/** The same where CUDA's default accuracy asks for more (machine code of NVRTC 13). */
const exact: Partial<Record<OpName, number>> = {
  sqrt: 8,
  rsqrt: 3,
  rcp: 6,
  exp: 6,
  log: 9,
  sin: 30,
  cos: 30,
  tan: 36,
  pow: 30,
}

const isWord = (t: ScalarType): boolean => t === 'i32' || t === 'u32' || t === 'bool'
const isPower = (n: number): boolean => n > 0 && (n & (n - 1)) === 0
