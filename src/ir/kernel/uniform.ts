// Uniformity analysis. In: a kernel and a warp size. Out: for each register, whether all active lanes of a warp always
// hold the same value, and whether its single definition dominates every use. The one idea: such a register needs no
// merge under a mask, so it is uniform if its inputs are; a register with several definitions is uniform only if none
// is in divergent control flow. The answer may say varying where a value is uniform, never the reverse.
import { unreachable } from '../../base/index.ts'
import { definesOf, listsOf, usesOf } from './kernel-parts.ts'
import type { Builtin, Kernel, Operand, Reg, Stmt, SubgroupOp } from './kernel.ts'

/** What is known of a kernel's registers and loops. */
export interface Facts {
  readonly uniform: readonly boolean[]
  readonly single: readonly boolean[]
  /** Whether lanes may part inside a loop: some leave or skip ahead while others stay. */
  readonly splits: ReadonlyMap<Stmt, boolean>
}

/** Passes after which the analysis gives up on registers that are assigned more than once. */
const maxPasses = 50

/** Whether registers hold the same in all lanes of a warp, and where lanes may part. */
export function facts(kernel: Kernel, warpSize: number): Facts {
  const single = findSingle(kernel)
  const uniform = kernel.registers.map(() => true)
  const pass = new Pass(kernel, warpSize, uniform, single)
  for (let passes = 1; pass.run(); passes++) {
    // Each pass may carry the news back by one register only. Calling every reassigned register varying ends that:
    // what is left flows forwards.
    if (passes === maxPasses)
      single.forEach((one, id) => {
        if (!one) uniform[id] = false
      })
  }
  return { uniform, single, splits: pass.splits }
}

/** One definition, and every use later in the same list or nested in it. */
function findSingle(kernel: Kernel): boolean[] {
  const single = kernel.registers.map(() => true)
  const defined = kernel.registers.map(() => false)
  const open = kernel.registers.map(() => false)
  const visit = (list: readonly Stmt[]): void => {
    const here: number[] = []
    for (const s of list) {
      for (const u of usesOf(s)) if (u.kind === 'reg' && !open[u.id]) single[u.id] = false
      for (const d of definesOf(s)) {
        if (defined[d.id]) single[d.id] = false
        defined[d.id] = open[d.id] = true
        here.push(d.id)
      }
      for (const inner of listsOf(s)) visit(inner)
    }
    for (const id of here) open[id] = false
  }
  visit(kernel.body)
  return single
}

const uniformSubgroup: ReadonlySet<SubgroupOp> = new Set<SubgroupOp>([
  'broadcast',
  'broadcastFirst',
  'add',
  'mul',
  'min',
  'max',
  'and',
  'or',
  'xor',
  'any',
  'all',
  'ballot',
])

class Pass {
  readonly splits = new Map<Stmt, boolean>()
  private changed = false
  private readonly kernel: Kernel
  private readonly warpSize: number
  private readonly uniform: boolean[]
  private readonly single: readonly boolean[]

  constructor(kernel: Kernel, warpSize: number, uniform: boolean[], single: readonly boolean[]) {
    this.kernel = kernel
    this.warpSize = warpSize
    this.uniform = uniform
    this.single = single
  }

  run(): boolean {
    this.changed = false
    this.list(this.kernel.body, false)
    return this.changed
  }

  private isUniform(o: Operand): boolean {
    return o.kind !== 'reg' || this.uniform[o.id]! // ids are dense
  }

  private define(r: Reg, value: boolean, divergent: boolean): void {
    if (!this.uniform[r.id] || (value && (this.single[r.id] || !divergent))) return
    this.uniform[r.id] = false
    this.changed = true
  }

  private list(list: readonly Stmt[], divergent: boolean): void {
    for (const s of list) this.statement(s, divergent)
  }

  private statement(s: Stmt, divergent: boolean): void {
    switch (s.kind) {
      case 'op':
        return this.define(
          s.dst,
          s.args.every((a) => this.isUniform(a)),
          divergent,
        )
      case 'builtin':
        return this.define(s.dst, this.builtinUniform(s.name), divergent)
      case 'load':
        for (const d of s.dst)
          this.define(d, this.isUniform(s.address.index) && !this.isLocal(s.address.resource), divergent)
        return
      case 'atomic':
        if (s.dst) this.define(s.dst, false, divergent)
        return
      case 'subgroup':
        return this.define(
          s.dst,
          uniformSubgroup.has(s.op) && s.args.slice(1).every((a) => this.isUniform(a)),
          divergent,
        )
      case 'if': {
        const inner = divergent || !this.isUniform(s.condition)
        this.list(s.then, inner)
        return this.list(s.else, inner)
      }
      case 'loop': {
        const parts = this.parts(s.body, false) || this.parts(s.continuing, false)
        this.splits.set(s, parts)
        this.list(s.body, divergent || parts)
        return this.list(s.continuing, divergent || parts)
      }
      case 'matrix':
        return this.list(s.means, divergent)
      case 'store':
      case 'barrier':
      case 'break':
      case 'continue':
      case 'return':
        return
      default:
        return unreachable(s)
    }
  }

  private isLocal(resource: string): boolean {
    return this.kernel.resources.find((r) => r.name === resource)?.space === 'local'
  }

  /** Whether a break or continue of this loop stands under a varying condition. */
  private parts(list: readonly Stmt[], varying: boolean): boolean {
    return list.some((s) => {
      if (s.kind === 'break' || s.kind === 'continue') return varying
      if (s.kind !== 'if') return false
      const inner = varying || !this.isUniform(s.condition)
      return this.parts(s.then, inner) || this.parts(s.else, inner)
    })
  }

  private builtinUniform(name: Builtin): boolean {
    const [x, y, z] = this.kernel.block
    const fits = (n: number): boolean => n % this.warpSize === 0
    switch (name) {
      case 'threadIdx.x':
        return x === 1
      case 'threadIdx.y':
        return y === 1 || fits(x)
      case 'threadIdx.z':
        return z === 1 || fits(x * y)
      case 'threadRank':
      case 'lane':
        return false
      case 'blockIdx.x':
      case 'blockIdx.y':
      case 'blockIdx.z':
      case 'blockDim.x':
      case 'blockDim.y':
      case 'blockDim.z':
      case 'gridDim.x':
      case 'gridDim.y':
      case 'gridDim.z':
      case 'warp':
      case 'warpSize':
      case 'presentLanes':
        return true
    }
  }
}
