// KernelIR: a structured SIMT program. Scalar virtual registers that may be assigned more than once; loads, stores and
// atomics on named resources; barriers; subgroup operations; structured control flow. No expressions: every effect and
// every operation is one statement, so that each can be counted. Vectors exist only in memory accesses (1 to 4 lanes of
// one type, several registers). Functions are inlined by whoever builds a kernel. Indexing is by element; robust or
// not is the launch's choice, not the kernel's.
import type { Span } from '../../base/index.ts'
import type { InstructionClass, OpName } from '../ops.ts'
import type { MemoryType, ScalarType } from '../types.ts'

/** A virtual register of one thread. Identity is `id`, dense from 0 in its kernel; `name` is a hint for printing. */
export interface Reg {
  readonly kind: 'reg'
  readonly id: number
  readonly type: ScalarType
  readonly name: string
}

/** A literal. `bool` is 0 or 1; `i64`/`u64` use bigint, everything else number, already rounded to `type`. */
export interface Const {
  readonly kind: 'const'
  readonly type: ScalarType
  readonly value: number | bigint
}

/** A launch parameter: the same for all threads of a launch. */
export interface Param {
  readonly kind: 'param'
  readonly name: string
  readonly type: ScalarType
}

export type Operand = Reg | Const | Param

export type Space = 'global' | 'constant' | 'shared' | 'local' | 'texture'

/**
 * A piece of memory. `global`, `constant` and `texture` are bound at launch; `shared` is one per block, `local` one per
 * thread, both of `count` elements, uninitialised unless `zeroed` (WGSL zeroes workgroup and private memory). A texture
 * is an array of texels here; stores that leave it are dropped by its definition and are no hazard.
 */
export interface Resource {
  readonly name: string
  readonly space: Space
  /** Declared element; accesses may use another type (CUDA reinterprets), addressed in bytes all the same. */
  readonly type: MemoryType
  /** Elements of `type`; `null`: as many as the buffer bound at launch holds (bound resources only). */
  readonly count: number | null
  /**
   * `read-write` of what the kernel only reads keeps its loads where they stand: compilers would move those of constant
   * data past barriers, down to their use.
   */
  readonly access: 'read' | 'write' | 'read-write'
  readonly zeroed?: boolean
}

/** Byte address in a resource: `index × stride + offset`. */
export interface Address {
  readonly resource: string
  /** i32, u32, i64 or u64. */
  readonly index: Operand
  /** Bytes per step of `index`. */
  readonly stride: number
  /** Constant bytes added. */
  readonly offset: number
}

export type Builtin =
  | 'threadIdx.x'
  | 'threadIdx.y'
  | 'threadIdx.z'
  | 'blockIdx.x'
  | 'blockIdx.y'
  | 'blockIdx.z'
  | 'blockDim.x'
  | 'blockDim.y'
  | 'blockDim.z'
  | 'gridDim.x'
  | 'gridDim.y'
  | 'gridDim.z'
  /** threadIdx.x + blockDim.x × (threadIdx.y + blockDim.y × threadIdx.z) */
  | 'threadRank'
  /** threadRank mod warp size, and threadRank ÷ warp size */
  | 'lane'
  | 'warp'
  | 'warpSize'
  /** One bit for each lane of the warp whose thread is there and has not returned. */
  | 'presentLanes'

export type AtomicOp =
  | 'add'
  | 'sub'
  | 'min'
  | 'max'
  | 'and'
  | 'or'
  | 'xor'
  | 'exchange'
  | 'compareExchange'
  | 'load'
  | 'store'
  /** u32 that counts round: up to the operand, then 0; down to 0, then the operand. */
  | 'increment'
  | 'decrement'

/**
 * Operations across the active lanes of a warp. `shuffle*` read another lane's value (undefined from an inactive lane:
 * the simulator gives the own value and reports it); `ballot` gives bits 0…31 as u32; scans run in lane order.
 */
export type SubgroupOp =
  | 'shuffle'
  | 'shuffleXor'
  | 'shuffleUp'
  | 'shuffleDown'
  | 'broadcast'
  | 'broadcastFirst'
  | 'add'
  | 'mul'
  | 'min'
  | 'max'
  | 'and'
  | 'or'
  | 'xor'
  | 'inclusiveAdd'
  | 'exclusiveAdd'
  | 'inclusiveMul'
  | 'exclusiveMul'
  | 'any'
  | 'all'
  | 'ballot'
  | 'elect'

/**
 * Who meets at a barrier: all threads of a warp, of a block, of all blocks of the launch, which must then be on the
 * device at once.
 */
export type BarrierScope = 'warp' | 'block' | 'grid'

/** Memory that threads share, as barriers of WGSL tell its kinds apart. */
export type OrderedSpace = 'shared' | 'global' | 'texture'
export const orderedSpaces: readonly OrderedSpace[] = ['shared', 'global', 'texture']

/**
 * A 16 × 16 matrix that the 32 lanes of a warp hold together: factors are f16, results f32. What a lane has of it is in
 * `means` of the statements that touch it, and in no other statement.
 */
export interface Matrix {
  readonly role: 'left' | 'right' | 'result'
  /** Unique in its kernel, and an identifier. */
  readonly name: string
}

/**
 * What a warp does with matrices, all of its lanes at once. `stride`: bytes between neighbouring lines in memory, which
 * are rows, or columns.
 */
export type MatrixStep =
  | { readonly op: 'clear'; readonly sum: Matrix }
  | {
      readonly op: 'load'
      readonly dst: Matrix
      readonly address: Address
      readonly stride: number
      readonly lines: 'rows' | 'columns'
    }
  | { readonly op: 'store'; readonly src: Matrix; readonly address: Address; readonly stride: number }
  /** sum += left × right; the order in which products are added up, and how that is rounded, is the device's. */
  | { readonly op: 'multiply'; readonly left: Matrix; readonly right: Matrix; readonly sum: Matrix }

interface At {
  readonly at?: Span
  /** Words for the reader of emitted code, printed before the statement. */
  readonly comment?: string
  /**
   * Executed, but not counted as an instruction or a branch: it belongs to a neighbouring statement, as when one
   * instruction of the source takes several. What a free access moves counts, unless it has `counts`.
   */
  readonly free?: true
  /**
   * Instructions of the machine that one execution counts as, by class; one of the statement's own class when absent.
   * Given, it also counts for a free statement.
   */
  readonly counts?: Readonly<Partial<Record<InstructionClass, number>>>
  /**
   * Branches of the machine that one execution counts as: of an `if` that is not free 1 when absent, of all else 0.
   * Those of other statements are never divergent.
   */
  readonly branches?: number
}

export type Stmt = At &
  (
    | { readonly kind: 'op'; readonly op: OpName; readonly dst: Reg; readonly args: readonly Operand[] }
    | { readonly kind: 'builtin'; readonly dst: Reg; readonly name: Builtin }
    /** `dst.length` consecutive elements of `type`; 1 to 4 of them, aligned to their total size. */
    | { readonly kind: 'load'; readonly dst: readonly Reg[]; readonly type: MemoryType; readonly address: Address }
    | { readonly kind: 'store'; readonly src: readonly Operand[]; readonly type: MemoryType; readonly address: Address }
    /** `dst` is the value before. `args`: the operand; for `compareExchange` comparand then value; for `load` none. */
    | {
        readonly kind: 'atomic'
        readonly op: AtomicOp
        readonly dst: Reg | null
        readonly type: MemoryType
        readonly address: Address
        readonly args: readonly Operand[]
        /** The thread passed a fence of the device after its last store: what it did is seen by who updates next. */
        readonly fenced?: true
      }
    /** `args`: the value, then lane, mask or delta (u32) where the op has one. */
    | { readonly kind: 'subgroup'; readonly op: SubgroupOp; readonly dst: Reg; readonly args: readonly Operand[] }
    /** The threads of the scope meet and see each other's writes. */
    | {
        readonly kind: 'barrier'
        readonly scope: BarrierScope
        /** Of a block: only the threads that come here meet; that others do not is no fault. */
        readonly some?: true
        /** Of a block: the one kind of memory whose writes are seen behind it; all kinds when absent. */
        readonly orders?: OrderedSpace
      }
    /**
     * `means`: what it does, lane by lane; for all but emitters of targets that have such instructions (`plainKernel`).
     */
    | { readonly kind: 'matrix'; readonly step: MatrixStep; readonly means: readonly Stmt[] }
    | {
        readonly kind: 'if'
        readonly condition: Operand
        readonly then: readonly Stmt[]
        readonly else: readonly Stmt[]
      }
    /** Endless until `break` or `return`. `continue` jumps to `continuing`, which runs after every iteration. */
    | { readonly kind: 'loop'; readonly body: readonly Stmt[]; readonly continuing: readonly Stmt[] }
    | { readonly kind: 'break' }
    | { readonly kind: 'continue' }
    | { readonly kind: 'return' }
  )

/** One kernel. Names of resources and params are unique identifiers. */
export interface Kernel {
  readonly name: string
  readonly params: readonly Param[]
  readonly resources: readonly Resource[]
  /** Threads per block; fixed when known at compile time, as WGSL needs it. */
  readonly block: readonly [number, number, number]
  readonly registers: readonly Reg[]
  readonly body: readonly Stmt[]
}

declare const verified: unique symbol
/** A kernel that `verifyKernel` accepted; emitters and the simulator take nothing else. */
export type Verified<K> = K & { readonly [verified]: true }
