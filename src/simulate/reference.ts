// In: a verified kernel and a launch. Out: the buffers, written in place, as KernelIR defines it. The one idea: a
// thread is an array of register values and every op goes through `evaluate`; a warp is a generator that runs its lanes
// in step under a set of active lanes and stops at barriers; a block runs its warps in turn from barrier to barrier, a
// grid its blocks. Slow and obvious on purpose: it is the definition that the compiled form is tested against. It
// counts and reports nothing.
import { fail } from '../base/index.ts'
import {
  bytesOf,
  evaluate,
  f16Bits,
  meetsGrid,
  readElement,
  registerType,
  roundTo,
  type Address,
  type Builtin,
  type Kernel,
  type Launch,
  type MemoryType,
  type Operand,
  type Reg,
  type Resource,
  type ScalarType,
  type Stmt,
  type ScalarValue,
  type Verified,
} from '../ir/index.ts'
import { poisonByte } from './jit/driver.ts'
import { argumentType } from './jit/segment.ts'
import { boundBytes, checkLaunch, paramValues } from './launch.ts'

type Lanes = readonly number[]

export interface ReferenceOptions {
  /** 32 when absent. */
  readonly warpSize?: number
  /** Statements that warps may execute; 10⁷ when absent. */
  readonly maxSteps?: number
  /**
   * Sees every statement that a warp executes: its active lanes, for memory statements the index of each, for `if` how
   * many take it.
   */
  readonly trace?: (s: Stmt, lanes: readonly number[], indices: readonly ScalarValue[], taken: number) => void
}

/**
 * Runs every block of the launch. Throws `simulate.steps` past the limit, and what the simulator throws for bad
 * launches.
 */
export function reference(kernel: Verified<Kernel>, launch: Launch, options: ReferenceOptions = {}): void {
  checkLaunch(kernel, launch)
  const state = {
    kernel,
    launch,
    params: paramValues(kernel, launch),
    warpSize: options.warpSize ?? 32,
    steps: options.maxSteps ?? 1e7,
    trace: options.trace,
  }
  const [gx, gy, gz] = launch.grid
  const blocks: Generator<void, void>[] = [],
    together = meetsGrid(kernel)
  for (let z = 0; z < gz; z++)
    for (let y = 0; y < gy; y++)
      for (let x = 0; x < gx; x++) {
        const block = runBlock(state, [x, y, z])
        if (together) blocks.push(block)
        else block.next()
      }
  for (let waiting = blocks; waiting.length > 0; ) waiting = waiting.filter((b) => b.next().done !== true)
}

interface Run {
  readonly kernel: Kernel
  readonly launch: Launch
  readonly params: ReadonlyMap<string, ScalarValue>
  readonly warpSize: number
  readonly trace: ReferenceOptions['trace']
  steps: number
}

/**
 * Every warp goes on to its next barrier (or its end), then the next warp; repeat until all have ended. It stops where
 * all of them wait for other blocks.
 */
function* runBlock(run: Run, blockIdx: readonly number[]): Generator<void, void> {
  const threads = run.kernel.block[0] * run.kernel.block[1] * run.kernel.block[2]
  const memory = new Memory(run, threads)
  const warps: Generator<Meeting, void>[] = []
  for (let first = 0; first < threads; first += run.warpSize) {
    warps.push(new Warp(run, memory, blockIdx, first, Math.min(run.warpSize, threads - first)).start())
  }
  for (let waiting = warps; waiting.length > 0; ) {
    const here: Generator<Meeting, void>[] = []
    for (let going = waiting; going.length > 0; ) {
      going = going.filter((w) => {
        const { done, value } = w.next()
        if (done !== true && value === 'grid') here.push(w)
        return done !== true && value === 'block'
      })
    }
    waiting = here
    if (waiting.length > 0) yield
  }
}

/** What a warp stops at. */
type Meeting = 'block' | 'grid'

const nothing: ScalarValue = 0
const initial = (type: ScalarType): ScalarValue => (type === 'i64' || type === 'u64' ? 0n : nothing)

/** All memory that a block sees. */
class Memory {
  private readonly views = new Map<
    string,
    { readonly resource: Resource; readonly view: DataView; readonly perThread: number }
  >()

  constructor(run: Run, threads: number) {
    for (const r of run.kernel.resources) {
      const own = r.space === 'shared' || r.space === 'local'
      const bytes = own ? (r.count ?? 0) * bytesOf[r.type] : boundBytes(r, run.launch.buffers[r.name]!)
      const copies = r.space === 'local' ? threads : 1
      const buffer = own
        ? new Uint8Array(bytes * copies).fill(r.zeroed ? 0 : poisonByte).buffer
        : run.launch.buffers[r.name]!
      this.views.set(r.name, {
        resource: r,
        view: new DataView(buffer, 0, bytes * copies),
        perThread: r.space === 'local' ? bytes : 0,
      })
    }
  }

  /** The view and byte position of an access of `bytes` bytes, or undefined when any of it is out of bounds. */
  find(
    a: Address,
    index: ScalarValue,
    bytes: number,
    thread: number,
  ): { readonly view: DataView; readonly byte: number } | undefined {
    const { view, perThread } = this.views.get(a.resource)!
    const byte = Number(BigInt(index) * BigInt(a.stride) + BigInt(a.offset))
    const size = perThread || view.byteLength
    return byte >= 0 && byte + bytes <= size ? { view, byte: byte + thread * perThread } : undefined
  }
}

function writeElement(view: DataView, byte: number, type: MemoryType, value: ScalarValue): void {
  switch (type) {
    case 'i8':
    case 'u8':
      return view.setUint8(byte, Number(value))
    case 'i16':
    case 'u16':
      return view.setUint16(byte, Number(value), true)
    case 'i32':
    case 'u32':
      return view.setUint32(byte, Number(value), true)
    case 'i64':
    case 'u64':
      return view.setBigUint64(byte, BigInt.asUintN(64, BigInt(value)), true)
    case 'f16':
      return view.setUint16(byte, f16Bits(Number(value)), true)
    case 'f32':
      return view.setFloat32(byte, Number(value), true)
    case 'f64':
      return view.setFloat64(byte, Number(value), true)
  }
}

/** Lanes that left a list early, by how. The lanes that reach its end are what `list` gives back. */
interface Left {
  readonly broken: Set<number>
  readonly continued: Set<number>
}

class Warp {
  private readonly run: Run
  private readonly memory: Memory
  private readonly blockIdx: readonly number[]
  private readonly first: number
  private readonly lanes: Lanes
  /** A bit for each lane that has not returned. */
  private present = 0
  private readonly registers: ScalarValue[][]

  constructor(run: Run, memory: Memory, blockIdx: readonly number[], first: number, count: number) {
    this.run = run
    this.memory = memory
    this.blockIdx = blockIdx
    this.first = first
    this.lanes = Array.from({ length: count }, (_, l) => l)
    for (const l of this.lanes) this.present |= 1 << l
    this.registers = this.lanes.map(() => run.kernel.registers.map((r) => initial(r.type)))
  }

  *start(): Generator<Meeting, void> {
    yield* this.list(this.run.kernel.body, this.lanes, null)
  }

  private value(lane: number, o: Operand): ScalarValue {
    switch (o.kind) {
      case 'const':
        return o.value
      case 'param':
        return this.run.params.get(o.name)!
      case 'reg':
        return this.registers[lane]![o.id]!
    }
  }
  private set(lane: number, r: Reg, value: ScalarValue): void {
    this.registers[lane]![r.id] = value
  }

  /** Runs `list` for `lanes`; gives back the lanes that reach its end, in ascending order. */
  private *list(list: readonly Stmt[], lanes: Lanes, left: Left | null): Generator<Meeting, Lanes> {
    let active = lanes
    for (const s of list) {
      if (active.length === 0) break
      if (--this.run.steps < 0)
        fail('simulate.steps', `kernel ${this.run.kernel.name}: more steps than the limit; the kernel may never end`)
      active = yield* this.statement(s, active, left)
    }
    return active
  }

  private trace(s: Stmt, active: Lanes): void {
    const memory = s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic'
    this.run.trace?.(
      s,
      active,
      memory ? active.map((l) => this.value(l, s.address.index)) : [],
      s.kind === 'if' ? active.filter((l) => this.value(l, s.condition) === 1).length : 0,
    )
  }

  private *statement(s: Stmt, active: Lanes, left: Left | null): Generator<Meeting, Lanes> {
    if (s.kind !== 'loop') this.trace(s, active)
    switch (s.kind) {
      case 'if': {
        const taken = active.filter((l) => this.value(l, s.condition) === 1)
        const rest = active.filter((l) => this.value(l, s.condition) !== 1)
        const after = [...(yield* this.list(s.then, taken, left)), ...(yield* this.list(s.else, rest, left))]
        return after.sort((a, b) => a - b)
      }
      case 'loop':
        return yield* this.loop(s, active)
      case 'break':
        for (const l of active) left?.broken.add(l)
        return []
      case 'continue':
        for (const l of active) left?.continued.add(l)
        return []
      case 'return':
        for (const l of active) this.present &= ~(1 << l)
        return []
      case 'barrier':
        if (s.scope !== 'warp') yield s.scope
        return active
      case 'subgroup':
        this.subgroup(s, active)
        return active
      case 'matrix':
        return yield* this.list(s.means, active, left)
      case 'op':
      case 'builtin':
      case 'load':
      case 'store':
      case 'atomic':
        for (const l of active) this.simple(s, l)
        return active
    }
  }

  private *loop(s: Extract<Stmt, { kind: 'loop' }>, lanes: Lanes): Generator<Meeting, Lanes> {
    const broken = new Set<number>()
    let active = lanes
    while (active.length > 0) {
      if (--this.run.steps < 0)
        fail('simulate.steps', `kernel ${this.run.kernel.name}: more steps than the limit; the kernel may never end`)
      this.trace(s, active)
      const left: Left = { broken, continued: new Set() }
      const through = yield* this.list(s.body, active, left)
      const again = [...through, ...left.continued].sort((a, b) => a - b)
      active = yield* this.list(s.continuing, again, { broken, continued: new Set() })
    }
    return [...broken].sort((a, b) => a - b)
  }

  private simple(s: Extract<Stmt, { kind: 'op' | 'builtin' | 'load' | 'store' | 'atomic' }>, lane: number): void {
    switch (s.kind) {
      case 'op':
        return this.set(
          lane,
          s.dst,
          evaluate(
            s.op,
            argumentType(s),
            s.args.map((a) => this.value(lane, a)),
            s.dst.type,
          ),
        )
      case 'builtin':
        return this.set(lane, s.dst, this.builtin(s.name, lane))
      case 'load': {
        const place = this.memory.find(
          s.address,
          this.value(lane, s.address.index),
          bytesOf[s.type] * s.dst.length,
          this.first + lane,
        )
        s.dst.forEach((d, k) =>
          this.set(
            lane,
            d,
            place ? readElement(place.view, place.byte + k * bytesOf[s.type], s.type) : initial(d.type),
          ),
        )
        return
      }
      case 'store': {
        const place = this.memory.find(
          s.address,
          this.value(lane, s.address.index),
          bytesOf[s.type] * s.src.length,
          this.first + lane,
        )
        if (place)
          s.src.forEach((v, k) =>
            writeElement(place.view, place.byte + k * bytesOf[s.type], s.type, this.value(lane, v)),
          )
        return
      }
      case 'atomic':
        return this.atomic(s, lane)
    }
  }

  private atomic(s: Extract<Stmt, { kind: 'atomic' }>, lane: number): void {
    const type = registerType(s.type)
    const place = this.memory.find(s.address, this.value(lane, s.address.index), bytesOf[s.type], this.first + lane)
    if (!place) {
      if (s.dst) this.set(lane, s.dst, initial(type))
      return
    }
    const old = readElement(place.view, place.byte, s.type)
    const [a, b] = s.args.map((x) => this.value(lane, x))
    const after = (): ScalarValue => {
      switch (s.op) {
        case 'load':
          return old
        case 'store':
        case 'exchange':
          return a!
        case 'compareExchange':
          return old === a ? b! : old
        case 'increment':
          return old >= a! ? 0 : Number(old) + 1
        case 'decrement':
          return old === 0 || old > a! ? a! : Number(old) - 1
        case 'add':
        case 'sub':
        case 'min':
        case 'max':
        case 'and':
        case 'or':
        case 'xor':
          return evaluate(s.op, type, [old, a!])
      }
    }
    if (s.op !== 'load') writeElement(place.view, place.byte, s.type, after())
    if (s.dst) this.set(lane, s.dst, old)
  }

  private builtin(name: Builtin, lane: number): number {
    const {
      kernel: { block },
      launch: { grid },
      warpSize,
    } = this.run
    const rank = this.first + lane
    const [bx, by] = block
    switch (name) {
      case 'threadIdx.x':
        return rank % bx
      case 'threadIdx.y':
        return Math.floor(rank / bx) % by
      case 'threadIdx.z':
        return Math.floor(rank / (bx * by))
      case 'blockIdx.x':
        return this.blockIdx[0]!
      case 'blockIdx.y':
        return this.blockIdx[1]!
      case 'blockIdx.z':
        return this.blockIdx[2]!
      case 'blockDim.x':
        return block[0]
      case 'blockDim.y':
        return block[1]
      case 'blockDim.z':
        return block[2]
      case 'gridDim.x':
        return grid[0]
      case 'gridDim.y':
        return grid[1]
      case 'gridDim.z':
        return grid[2]
      case 'threadRank':
        return rank
      case 'lane':
        return lane
      case 'warp':
        return this.first / warpSize
      case 'warpSize':
        return warpSize
      case 'presentLanes':
        return this.present >>> 0
    }
  }

  /** All lanes read their arguments before any writes its result. */
  private subgroup(s: Extract<Stmt, { kind: 'subgroup' }>, active: Lanes): void {
    const values = new Map(active.map((l) => [l, s.args[0] ? this.value(l, s.args[0]) : 0]))
    const results = active.map((l) => this.subgroupValue(s, active, values, l))
    active.forEach((l, i) => this.set(l, s.dst, results[i]!))
  }

  private subgroupValue(
    s: Extract<Stmt, { kind: 'subgroup' }>,
    active: Lanes,
    values: ReadonlyMap<number, ScalarValue>,
    lane: number,
  ): ScalarValue {
    const type = s.dst.type
    const argument = s.args[1] ? Number(this.value(lane, s.args[1])) : 0
    const all = [...values.values()]
    const from = (source: number): ScalarValue => values.get(source) ?? values.get(lane)!
    const fold = (op: 'add' | 'mul' | 'min' | 'max' | 'and' | 'or' | 'xor'): ScalarValue =>
      all.reduce((x, y) => evaluate(op, type, [x, y]))
    const scan = (op: 'add' | 'mul', inclusive: boolean): ScalarValue => {
      const before = active.filter((l) => l < lane || (inclusive && l === lane)).map((l) => values.get(l)!)
      return before.reduce((x, y) => evaluate(op, type, [x, y]), roundTo(type, op === 'mul' ? 1 : 0))
    }
    switch (s.op) {
      case 'shuffle':
      case 'broadcast':
        return from(argument % this.run.warpSize)
      case 'shuffleXor':
        return from((lane ^ argument) >>> 0)
      case 'shuffleUp':
        return from(lane - argument)
      case 'shuffleDown':
        return from(lane + argument)
      case 'broadcastFirst':
        return values.get(active[0]!)!
      case 'add':
      case 'mul':
      case 'min':
      case 'max':
      case 'and':
      case 'or':
      case 'xor':
        return fold(s.op)
      case 'inclusiveAdd':
        return scan('add', true)
      case 'exclusiveAdd':
        return scan('add', false)
      case 'inclusiveMul':
        return scan('mul', true)
      case 'exclusiveMul':
        return scan('mul', false)
      case 'any':
        return all.some((v) => v === 1) ? 1 : 0
      case 'all':
        return all.every((v) => v === 1) ? 1 : 0
      case 'ballot':
        return active.reduce((bits, l) => (bits | (values.get(l) === 1 ? 1 << l : 0)) >>> 0, 0)
      case 'elect':
        return lane === active[0] ? 1 : 0
    }
  }
}
