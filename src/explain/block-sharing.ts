// In: a kernel and one of its memory statements. Out: how many different addresses the threads of a block ask for in
// one round of the loop around it. The one idea: the address is computed for every thread as the kernel would,
// backwards from its index, with loop counters at their first values and sizes at values that no index has by chance;
// so it does not matter how a thread's place is taken apart, by axes or by quotients of one number.
import {
  allStatements,
  evaluate,
  type Builtin,
  type Kernel,
  type Operand,
  type Stmt,
  type ScalarValue,
} from '../ir/index.ts'
import { definitions, type Definitions } from './address-strides.ts'

type Memory = Extract<Stmt, { readonly kind: 'load' | 'store' | 'atomic' }>

/** Stands for the n-th parameter: primes far apart, so that different terms of an address stay different. */
const sizes = [10_007, 20_011, 40_009, 80_021, 160_001, 320_009, 640_007] as const
interface Place {
  readonly x: number
  readonly y: number
  readonly z: number
}
/** The block that is looked at: none of the first, where zeros hide terms. */
const looked: Place = { x: 3, y: 5, z: 7 }
/** Operations for one thread beyond which the address is not followed. */
const mostSteps = 400

/**
 * `site`: the position of the statement among the kernel's memory statements. Null where its address follows from data,
 * or from more than can be followed.
 */
export function addressesInRound(kernel: Kernel, site: number): number | null {
  const statement = allStatements(kernel.body).filter(isMemory)[site]
  if (!statement) return null
  const assigned = definitions(kernel.body)
  const seen = new Set<string>()
  const threads = kernel.block[0] * kernel.block[1] * kernel.block[2]
  for (let rank = 0; rank < threads; rank++) {
    const value = new Thread(kernel, assigned, rank).value(statement.address.index)
    if (value === null) return null
    seen.add(String(value))
  }
  return seen.size
}

/**
 * Bytes that the address of a block's first thread moves when the block moves by one along each axis; null where it
 * follows from data.
 */
export function blockSteps(kernel: Kernel, site: number): readonly (number | null)[] {
  const statement = allStatements(kernel.body).filter(isMemory)[site]
  if (!statement) return [null, null, null]
  const assigned = definitions(kernel.body)
  const at = (block: Place): number | null => {
    const value = new Thread(kernel, assigned, 0, block).value(statement.address.index)
    return value === null ? null : Number(value) * statement.address.stride
  }
  const here = at(looked)
  return (['x', 'y', 'z'] as const).map((axis) => {
    const there = at({ ...looked, [axis]: looked[axis] + 1 })
    return here === null || there === null ? null : there - here
  })
}

const isMemory = (s: Stmt): s is Memory => s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic'

class Thread {
  private readonly kernel: Kernel
  private readonly assigned: Definitions
  private readonly rank: number
  private readonly known = new Map<number, ScalarValue | null>()
  private readonly block: Place
  private left = mostSteps

  constructor(kernel: Kernel, assigned: Definitions, rank: number, block: Place = looked) {
    this.block = block
    this.kernel = kernel
    this.assigned = assigned
    this.rank = rank
  }

  value(o: Operand): ScalarValue | null {
    if (o.kind === 'const') return o.value
    if (o.kind === 'param') {
      const size = sizes[this.kernel.params.findIndex((p) => p.name === o.name) % sizes.length] ?? sizes[0]
      return o.type === 'i64' || o.type === 'u64' ? BigInt(size) : size
    }
    if (this.known.has(o.id)) return this.known.get(o.id) ?? null
    this.known.set(o.id, null) // of what would need itself
    const value = this.made(o.id)
    this.known.set(o.id, value)
    return value
  }

  /** What the first of a register's assignments gives, where the others only count on. */
  private made(id: number): ScalarValue | null {
    const [first, ...others] = this.assigned.get(id) ?? []
    if (--this.left < 0 || !first || !others.every((s) => countsOn(s, id))) return null
    if (first.kind === 'builtin') return this.builtin(first.name)
    if (first.kind !== 'op') return null
    const args = first.args.map((a) => this.value(a))
    const type = (first.op === 'select' ? first.args[1] : first.args[0])!.type
    if (args.some((a) => a === null)) return null
    return evaluate(first.op, type, args as ScalarValue[], first.dst.type) // none is null
  }

  private builtin(name: Builtin): ScalarValue | null {
    const [bx, by, bz] = this.kernel.block
    const { rank } = this
    const at = { x: rank % bx, y: Math.floor(rank / bx) % by, z: Math.floor(rank / (bx * by)) }
    const size = { x: bx, y: by, z: bz }
    const [part = '', axis = ''] = name.split('.') as [string, 'x' | 'y' | 'z']
    if (part === 'threadIdx') return at[axis as 'x']
    if (part === 'blockIdx') return this.block[axis as 'x']
    if (part === 'blockDim') return size[axis as 'x']
    return name === 'threadRank' ? rank : null
  }
}

/** `r = r ± c`. */
const countsOn = (s: Stmt, id: number): boolean =>
  s.kind === 'op' &&
  (s.op === 'add' || s.op === 'sub') &&
  s.args.some((a) => a.kind === 'reg' && a.id === id) &&
  s.args.every((a) => a.kind !== 'reg' || a.id === id)
