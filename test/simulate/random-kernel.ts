// In: a seed and a size. Out: a kernel without races, and a launch for it. The one idea: registers of all types are
// read and assigned anywhere, under any control flow, so that masks, merges and uniformity are tried; threads write
// only slots of their own, and share through memory only across barriers or by commutative atomics.
import { random, type Random } from '../../src/base/index.ts'
import {
  bytesOf,
  constOf,
  hostArray,
  inGroup,
  KernelBuilder,
  opRow,
  ops,
  type Builtin,
  type Kernel,
  type Launch,
  type MemoryType,
  type Operand,
  type OpName,
  type Reg,
  type Resource,
  type ScalarType,
  type SubgroupOp,
  type Verified,
} from '../../src/ir/index.ts'

const scalarTypes: readonly ScalarType[] = ['bool', 'i32', 'u32', 'i64', 'u64', 'f16', 'f32', 'f64']
const common: readonly ScalarType[] = ['i32', 'u32', 'f32', 'bool']
const memoryTypes: readonly MemoryType[] = ['i8', 'u8', 'i16', 'u16', 'f16', 'i32', 'u32', 'f32', 'i64', 'u64', 'f64']
const builtins: readonly Builtin[] = [
  'threadIdx.x',
  'threadIdx.y',
  'threadIdx.z',
  'blockIdx.x',
  'blockIdx.y',
  'blockDim.x',
  'gridDim.x',
  'threadRank',
  'lane',
  'warp',
  'warpSize',
  'blockDim.y',
  'gridDim.y',
  'blockIdx.z',
]
const subgroupOps: readonly SubgroupOp[] = [
  'shuffle',
  'shuffleXor',
  'shuffleUp',
  'shuffleDown',
  'broadcast',
  'broadcastFirst',
  'add',
  'mul',
  'min',
  'max',
  'and',
  'or',
  'xor',
  'inclusiveAdd',
  'exclusiveAdd',
  'inclusiveMul',
  'exclusiveMul',
  'any',
  'all',
  'ballot',
  'elect',
]
const slots = 4

export interface Sample {
  readonly kernel: Verified<Kernel>
  readonly launch: () => Launch
}

export interface SampleOptions {
  readonly barriers?: boolean
  readonly subgroups?: boolean
  /** Loads and stores may leave their buffers. */
  readonly wild?: boolean
}

export function randomKernel(seed: number, size: number, options: SampleOptions = {}): Sample {
  return new Generator(random(seed), size, options).make(seed)
}

class Generator {
  private readonly r: Random
  private readonly options: SampleOptions
  private readonly k: KernelBuilder
  private readonly regs: Reg[] = []
  private readonly params: Operand[] = []
  private readonly inputs: Resource[] = []
  private readonly block: readonly [number, number, number]
  private readonly grid: readonly [number, number, number]
  private readonly out: ReadonlyMap<ScalarType, Resource>
  private readonly counters: Resource
  private readonly shared: Resource
  private readonly local: Resource
  private budget: number
  private depth = 0
  /** Whether all threads of the block run the statements under way (unless some have returned). */
  private together = true

  constructor(r: Random, size: number, options: SampleOptions) {
    this.r = r
    this.options = options
    this.budget = size
    this.block = this.pick([
      [32, 1, 1],
      [16, 4, 1],
      [64, 1, 1],
      [7, 3, 1],
      [8, 4, 2],
      [1, 1, 1],
      [40, 1, 1],
    ] as const)
    this.grid = this.pick([
      [1, 1, 1],
      [2, 1, 1],
      [2, 2, 1],
    ] as const)
    this.k = new KernelBuilder({ name: 'random', block: this.block })
    for (const type of scalarTypes) this.params.push(this.k.param(`p_${type}`, type))
    for (const type of memoryTypes) this.inputs.push(this.k.global(`in_${type}`, type, 'read'))
    this.inputs.push(this.k.resource({ name: 'constants', space: 'constant', type: 'i32', count: 16, access: 'read' }))
    this.out = new Map(
      scalarTypes.filter((t) => t !== 'bool').map((t) => [t, this.k.global(`out_${t}`, t as MemoryType, 'read-write')]),
    ) // all but bool are in memory
    this.counters = this.k.global('counters', 'i32', 'read-write')
    this.shared = this.k.shared('tile', 'i32', 1024, this.chance(0.5))
    this.local = this.k.local('mine', 'i32', 8, this.chance(0.5))
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.r.int(0, list.length - 1)]!
  }
  private chance(p: number): boolean {
    return this.r.unit() < p
  }
  private type(): ScalarType {
    return this.chance(0.7) ? this.pick(common) : this.pick(scalarTypes)
  }

  make(seed: number): Sample {
    for (const type of [...common, ...scalarTypes])
      this.regs.push(this.k.variable(type, this.literal(type).value, `v_${type}`))
    const rank = this.k.builtin('threadRank', 'rank')
    const block = this.k.op('add', [
      this.k.builtin('blockIdx.x'),
      this.k.op('mul', [this.k.builtin('blockIdx.y'), this.k.builtin('gridDim.x')]),
    ])
    const threads = this.block[0] * this.block[1] * this.block[2]
    const global = this.k.op('add', [this.k.op('mul', [block, threads]), rank], { name: 'global' })
    const own = this.k.op('mul', [global, slots], { name: 'own' })
    const fixed = [rank, global, own]
    this.regs.push(...fixed)
    this.statements(own, rank, fixed)
    while (this.budget > 0) this.statements(own, rank, fixed)
    for (const reg of this.regs) this.storeOwn(reg, own)
    const kernel = this.k.finish()
    return { kernel, launch: () => this.launch(seed, threads) }
  }

  private launch(seed: number, threads: number): Launch {
    const data = random(seed ^ 0x5bd1e995)
    const blocks = this.grid[0] * this.grid[1]
    const buffers: Record<string, ArrayBuffer> = { counters: new ArrayBuffer(64) }
    for (const i of this.inputs) buffers[i.name] = fill(data, i.type, 64)
    for (const [type, r] of this.out)
      buffers[r.name] = new ArrayBuffer(blocks * threads * slots * bytesOf[type as MemoryType])
    const params = Object.fromEntries(
      this.params.map((p) => [p.kind === 'param' ? p.name : '', constOf(p.type, someNumber(data, p.type)).value]),
    )
    return { grid: this.grid, params, buffers }
  }

  private literal(type: ScalarType): ReturnType<typeof constOf> {
    return constOf(type, someNumber(this.r, type))
  }

  private operand(type: ScalarType): Operand {
    const known = this.regs.filter((x) => x.type === type)
    const roll = this.r.unit()
    if (known.length > 0 && roll < 0.75) return this.pick(known)
    if (roll < 0.85) return this.params.find((p) => p.type === type)!
    return this.literal(type)
  }

  /** A register to assign: often an old one, so that it has several definitions. */
  private target(type: ScalarType, fixed: readonly Reg[]): Reg {
    const old = this.regs.filter((x) => x.type === type && !fixed.includes(x))
    if (old.length > 0 && this.chance(0.5)) return this.pick(old)
    const reg = this.k.reg(type, 'r')
    this.regs.push(reg)
    return reg
  }

  private statements(own: Reg, rank: Reg, fixed: readonly Reg[]): void {
    const count = this.r.int(1, 8)
    for (let i = 0; i < count && this.budget > 0; i++) {
      this.budget--
      this.statement(own, rank, fixed)
    }
  }

  private statement(own: Reg, rank: Reg, fixed: readonly Reg[]): void {
    const roll = this.r.unit()
    if (roll < 0.5) this.operation(fixed)
    else if (roll < 0.55) this.k.push({ kind: 'builtin', name: this.pick(builtins), dst: this.target('u32', fixed) })
    else if (roll < 0.65) this.loadSomething(fixed)
    else if (roll < 0.69) this.storeOwn(this.pick(this.regs), own)
    else if (roll < 0.73) this.localMemory(fixed)
    else if (roll < 0.77) this.atomic()
    else if (roll < 0.81 && this.options.subgroups) this.subgroup(fixed)
    else if (roll < 0.86 && this.options.barriers && this.together) this.exchange(rank, fixed)
    else if (this.depth < 3) this.structure(own, rank, fixed)
    else this.operation(fixed)
  }

  /** `body` with threads parted, or not when `condition` is the same for the block. */
  private within(together: boolean, body: () => void): void {
    const outer = this.together
    this.together = outer && together
    body()
    this.together = outer
  }

  /** A condition, and whether it is the same for all threads of a block. */
  private condition(): readonly [Operand, boolean] {
    if (!this.chance(0.4)) return [this.operand('bool'), false]
    return [
      this.chance(0.5) ? this.params[0]! : this.k.op('eq', [this.k.builtin('blockIdx.x'), this.r.int(0, 1)]),
      true,
    ]
  }

  private structure(own: Reg, rank: Reg, fixed: readonly Reg[]): void {
    this.depth++
    const inside = (): void => this.statements(own, rank, fixed)
    const roll = this.r.unit()
    const [condition, same] = this.condition()
    if (roll < 0.5) this.within(same, () => this.k.ifThen(condition, inside, this.chance(0.5) ? inside : () => {}))
    else if (roll < 0.95) this.countedLoop(own, rank, fixed)
    else
      this.within(same, () =>
        this.k.ifThen(condition, () => {
          inside()
          this.k.return()
        }),
      )
    this.depth--
  }

  /** A loop of at most 5 rounds, the same for all or by thread, with breaks and continues in it. */
  private countedLoop(own: Reg, rank: Reg, fixed: readonly Reg[]): void {
    const same = this.chance(0.5)
    const bound = same
      ? constOf('u32', this.r.int(0, 4))
      : this.k.op('rem', [this.chance(0.5) ? rank : this.operand('u32'), 5])
    const i = this.k.variable('u32', 0, 'i')
    this.regs.push(i)
    const guard = this.k.variable('u32', 0, 'guard')
    const inside = (): void => this.statements(own, rank, [...fixed, i])
    this.within(same, () =>
      this.k.loop(
        () => {
          this.k.ifThen(
            this.k.op('lt', [guard, bound]),
            () => {},
            () => this.k.break(),
          )
          inside()
          for (const kind of ['break', 'continue'] as const) this.jump(kind)
          if (this.chance(0.5)) inside()
        },
        () => {
          this.k.op('add', [guard, 1], { dst: guard })
          this.k.op('add', [i, 1], { dst: i })
        },
      ),
    )
  }

  /** Threads that jump part from the others for the rest of the loop, unless all of them do. */
  private jump(kind: 'break' | 'continue'): void {
    if (!this.chance(0.3)) return
    const [condition, same] = this.condition()
    this.k.ifThen(condition, () => (kind === 'break' ? this.k.break() : this.k.continue()))
    this.together &&= same
  }

  private operation(fixed: readonly Reg[]): void {
    const names = Object.keys(ops) as OpName[]
    const op = this.pick(names)
    const row = opRow(op)
    const type = this.typeFor(op)
    if (!type) return
    if (op === 'bitcast') return this.bitcast(fixed)
    const to = row.gives === 'bool' ? 'bool' : op === 'convert' ? this.type() : type
    const args = Array.from({ length: row.arity }, (_, i) => this.operand(op === 'select' && i === 0 ? 'bool' : type))
    this.k.push({ kind: 'op', op, dst: this.target(to, fixed), args })
  }

  private typeFor(op: OpName): ScalarType | undefined {
    for (let i = 0; i < 20; i++) {
      const type = this.type()
      if (inGroup(type, opRow(op).takes)) return type
    }
    return undefined
  }

  /** Bits of a NaN are not defined, so floats are freed of them first. */
  private bitcast(fixed: readonly Reg[]): void {
    const [a, b] = this.pick([
      ['f32', 'i32'],
      ['f32', 'u32'],
      ['f64', 'i64'],
      ['f64', 'u64'],
      ['i32', 'u32'],
      ['i64', 'u64'],
    ] as const)
    const value = this.operand(a)
    if (this.chance(0.5))
      return this.k.push({ kind: 'op', op: 'bitcast', dst: this.target(a, fixed), args: [this.operand(b)] })
    const clean =
      a === 'f32' || a === 'f64' ? this.k.op('select', [this.k.op('eq', [value, value]), value, constOf(a, 1)]) : value
    this.k.push({ kind: 'op', op: 'bitcast', dst: this.target(b, fixed), args: [clean] })
  }

  private loadSomething(fixed: readonly Reg[]): void {
    const r = this.pick(this.inputs)
    const type = r.type
    const value: ScalarType = type === 'i8' || type === 'i16' ? 'i32' : type === 'u8' || type === 'u16' ? 'u32' : type
    const width = this.pick([1, 1, 2, 3, 4])
    const dst: Reg[] = []
    while (dst.length < width) {
      const d = this.target(value, fixed)
      if (!dst.includes(d)) dst.push(d)
    }
    const count = r.space === 'constant' ? 16 : 64
    this.k.loadTo(dst, r, this.index(count - width + 1), {
      offset: this.chance(0.8) ? 0 : this.options.wild ? this.r.int(-64, 64) : 0,
    })
  }

  /** An index in 0 … count − 1, or anything when wild. */
  private index(count: number): Operand {
    const type = this.pick(['u32', 'u32', 'i32', 'u64', 'i64'] as const)
    if (this.options.wild && this.chance(0.2)) return this.operand(type)
    const x = this.k.op('convert', [this.k.op('rem', [this.operand('u32'), count])], { type })
    return x
  }

  private storeOwn(value: Operand, own: Reg): void {
    if (value.type === 'bool') value = this.k.op('convert', [value], { type: 'i32' })
    const at = this.k.op('add', [own, this.r.int(0, slots - 1)])
    this.k.store(this.out.get(value.type)!, this.chance(0.5) ? at : this.k.op('convert', [at], { type: 'i32' }), value)
  }

  private localMemory(fixed: readonly Reg[]): void {
    const width = this.pick([1, 2, 4])
    if (this.chance(0.5))
      this.k.store(
        this.local,
        this.index(9 - width),
        Array.from({ length: width }, () => this.operand('i32')),
      )
    else this.k.loadTo([this.target('i32', fixed)], this.local, this.index(8))
  }

  private atomic(): void {
    const op = this.pick(['add', 'min', 'max', 'and', 'or', 'xor'] as const)
    // Different ops do not commute: each has its own counter.
    const at = { add: 0, min: 1, max: 2, and: 3, or: 4, xor: 5 }[op]
    this.k.atomic(op, this.counters, at, [this.operand('i32')])
  }

  private subgroup(fixed: readonly Reg[]): void {
    const op = this.pick(subgroupOps)
    const arity = op === 'elect' ? 0 : op.startsWith('shuffle') || op === 'broadcast' ? 2 : 1
    const vote = op === 'any' || op === 'all' || op === 'ballot' || op === 'elect'
    let type = vote ? ('bool' as const) : this.type()
    const integers = op === 'and' || op === 'or' || op === 'xor'
    const numbers = !vote && arity === 1 && op !== 'broadcastFirst'
    while ((integers && !inGroup(type, 'integer')) || (numbers && type === 'bool')) type = this.type()
    const args = arity === 0 ? [] : [this.operand(type)]
    // The lane that a broadcast reads must be the same for all.
    if (arity === 2)
      args.push(
        op === 'broadcast'
          ? constOf('u32', this.r.int(0, 31))
          : this.chance(0.5)
            ? constOf('u32', this.r.int(0, 33))
            : this.operand('u32'),
      )
    this.k.push({ kind: 'subgroup', op, dst: this.target(op === 'ballot' ? 'u32' : type, fixed), args })
  }

  /** Threads pass values on through shared memory. */
  private exchange(rank: Reg, fixed: readonly Reg[]): void {
    const threads = this.block[0] * this.block[1] * this.block[2]
    this.k.store(this.shared, rank, this.operand('i32'))
    this.k.barrier()
    const other = this.k.op('rem', [this.k.op('add', [rank, this.operand('u32')]), threads])
    this.k.loadTo([this.target('i32', fixed)], this.shared, other)
    this.k.barrier()
  }
}

function someNumber(r: Random, type: ScalarType): number | bigint {
  const wide = type === 'i64' || type === 'u64'
  const special = [0, 1, -1, 2, 31, 32, 33, 2 ** 31 - 1, -(2 ** 31), 65504]
  const roll = r.unit()
  if (type === 'bool') return roll < 0.5 ? 0 : 1
  if (wide)
    return roll < 0.4 ? BigInt(special[r.int(0, special.length - 1)]!) : (BigInt(r.bits()) << 32n) | BigInt(r.bits())
  if (roll < 0.3) return special[r.int(0, special.length - 1)]!
  if (type === 'i32' || type === 'u32') return roll < 0.7 ? r.int(-40, 40) : r.bits()
  if (roll < 0.4) return [NaN, Infinity, -Infinity, -0, 1e-7, 6e-5, 70000, 0.5][r.int(0, 7)]!
  return (r.unit() - 0.5) * 10 ** r.int(-3, 6)
}

function fill(r: Random, type: MemoryType, count: number): ArrayBuffer {
  const array = hostArray(type, count)
  for (let i = 0; i < count; i++) {
    if (array instanceof BigInt64Array) array[i] = BigInt.asIntN(64, someNumber(r, 'i64') as bigint)
    else if (array instanceof BigUint64Array) array[i] = BigInt.asUintN(64, someNumber(r, 'u64') as bigint)
    else
      array[i] =
        type === 'f16' ? r.bits() & 0xffff : Number(someNumber(r, type === 'f32' || type === 'f64' ? 'f64' : 'i32'))
  }
  return array.buffer
}
