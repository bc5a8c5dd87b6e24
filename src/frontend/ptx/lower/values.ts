// In: PTX operands. Out: KernelIR operands of the type an instruction wants, and results put where the program wants
// them. The one idea: PTX registers are typed by width alone, KernelIR's by kind, so each register gets the kind that
// most of its uses have, and bits are reinterpreted, free of cost, where a use differs. 16-bit registers are u32 whose
// upper half is 0, or f16.
import { fail, type Span } from '../../../base/index.ts'
import {
  isComparison,
  constOf,
  f16Value,
  type Builtin,
  type Const,
  type OpName,
  type Operand as Value,
  type Reg,
  type ScalarType,
  type Stmt,
} from '../../../ir/index.ts'
import { functionAddress, ptxSpan, type FlatBody } from '../control-flow/inlining.ts'
import type { MemoryMap } from '../memory-map.ts'
import {
  bytesOfType,
  isType,
  type Instruction,
  type PtxModule,
  type PtxOperand,
  type PtxType,
  type Register,
} from '../text/syntax.ts'

/** The register type that holds a PTX type. */
export function scalarOf(t: PtxType): ScalarType {
  switch (t) {
    case 'pred':
      return 'bool'
    case 'b8':
    case 'u8':
    case 'b16':
    case 'u16':
    case 'b32':
    case 'u32':
    case 'f16x2':
    case 'bf16':
    case 'bf16x2':
      return 'u32'
    case 's8':
    case 's16':
    case 's32':
      return 'i32'
    case 'b64':
    case 'u64':
    case 'b128':
      return 'u64'
    case 's64':
      return 'i64'
    case 'f16':
      return 'f16'
    case 'f32':
    case 'tf32':
      return 'f32'
    case 'f64':
      return 'f64'
  }
}

const scratch = new DataView(new ArrayBuffer(8))

/** The number that a literal is when read as `t`. */
function literalValue(o: Extract<PtxOperand, { kind: 'literal' }>, t: PtxType): Const {
  const type = scalarOf(t)
  scratch.setBigUint64(0, o.bits)
  if (type === 'f16') return constOf(type, f16Value(Number(o.bits & 0xffffn)))
  if (type === 'f32' || type === 'f64') {
    const value =
      o.float === undefined
        ? type === 'f32'
          ? bitsToF32(o.bits)
          : scratch.getFloat64(0)
        : o.float === 32
          ? bitsToF32(o.bits)
          : scratch.getFloat64(0)
    return constOf(type, value)
  }
  if (type === 'bool') return constOf('bool', o.bits === 0n ? 0 : 1)
  const bits = BigInt(8 * bytesOfType[t])
  const wrapped = t.startsWith('s') ? BigInt.asIntN(Number(bits), o.bits) : BigInt.asUintN(Number(bits), o.bits)
  return constOf(type, type === 'u64' || type === 'i64' ? wrapped : Number(wrapped))
}

function bitsToF32(bits: bigint): number {
  scratch.setUint32(0, Number(bits & 0xffffffffn))
  return scratch.getFloat32(0)
}

const special: Readonly<Record<string, Builtin>> = {
  '%tid.x': 'threadIdx.x',
  '%tid.y': 'threadIdx.y',
  '%tid.z': 'threadIdx.z',
  '%ntid.x': 'blockDim.x',
  '%ntid.y': 'blockDim.y',
  '%ntid.z': 'blockDim.z',
  '%ctaid.x': 'blockIdx.x',
  '%ctaid.y': 'blockIdx.y',
  '%ctaid.z': 'blockIdx.z',
  '%nctaid.x': 'gridDim.x',
  '%nctaid.y': 'gridDim.y',
  '%nctaid.z': 'gridDim.z',
  '%laneid': 'lane',
  '%warpid': 'warp',
}
/** Special registers with one value here: one SM, one cluster of one block, one grid; clocks stand still. */
const fixed: Readonly<Record<string, number>> = {
  WARP_SZ: 32,
  '%smid': 0,
  '%nsmid': 1,
  '%gridid': 0,
  '%clock': 0,
  '%clock_hi': 0,
  '%clock64': 0,
  '%globaltimer': 0,
  '%globaltimer_lo': 0,
  '%globaltimer_hi': 0,
  '%envreg1': 0,
  '%envreg2': 0,
  '%clusterid.x': 0,
  '%clusterid.y': 0,
  '%clusterid.z': 0,
  '%nclusterid.x': 1,
  '%nclusterid.y': 1,
  '%nclusterid.z': 1,
  '%cluster_ctaid.x': 0,
  '%cluster_ctaid.y': 0,
  '%cluster_ctaid.z': 0,
  '%cluster_nctaid.x': 1,
  '%cluster_nctaid.y': 1,
  '%cluster_nctaid.z': 1,
  '%cluster_ctarank': 0,
  '%cluster_nctarank': 1,
  '%tid.w': 0,
  '%ntid.w': 1,
  '%ctaid.w': 0,
  '%nctaid.w': 1,
}
const laneMasks = ['%lanemask_eq', '%lanemask_le', '%lanemask_lt', '%lanemask_ge', '%lanemask_gt']

export const isSpecial = (name: string): boolean =>
  Object.hasOwn(special, name) ||
  Object.hasOwn(fixed, name) ||
  laneMasks.includes(name) ||
  name === '%nwarpid' ||
  name === '%dynamic_smem_size' ||
  name === '%total_smem_size'

/** Which instruction types speak for a signed or a float register. */
function storageTypes(body: FlatBody): ScalarType[] {
  const votes = body.registers.map(() => ({ float: 0, signed: 0, plain: 0 }))
  const vote = (o: PtxOperand | undefined, t: string | undefined): void => {
    if (o?.kind === 'vector') {
      for (const x of o.items) vote(x, t)
      return
    }
    if (o?.kind !== 'register' || t === undefined || !isType(t)) return
    const v = votes[o.id]!
    if (t.startsWith('f') && !t.endsWith('x2')) v.float++
    else if (t.startsWith('s')) v.signed++
    else if (t.startsWith('u')) v.plain++
  }
  for (const {
    opcode: { name, mods },
    operands,
  } of body.instructions) {
    const types = mods.filter(isType)
    const [first, last] = [types[0], types[types.length - 1]]
    if (name === 'cvt') {
      vote(operands[0], first)
      vote(operands[1], last)
    } else if (name === 'setp' || name === 'set') {
      vote(operands[1], last)
      vote(operands[2], last)
    } else if (name === 'ld' || name === 'ldu') vote(operands[0], last)
    else if (name === 'st') vote(operands[1], last)
    else if (
      name === 'add' ||
      name === 'sub' ||
      name === 'mul' ||
      name === 'mad' ||
      name === 'mov' ||
      name === 'selp'
    ) {
      if (last?.startsWith('f')) for (const o of operands) vote(o, last)
    } else if (name !== 'shl' && name !== 'atom' && name !== 'red') for (const o of operands.slice(0, 3)) vote(o, last)
  }
  return body.registers.map((r, i) => {
    const { float, signed, plain } = votes[i]!
    switch (bytesOfType[r.type]) {
      case 1:
        return r.type === 'pred' ? 'bool' : 'u32'
      case 2:
        return r.type === 'f16' || float > signed + plain ? 'f16' : 'u32'
      case 4:
        return r.type === 'f32' || float > signed + plain ? 'f32' : signed > plain ? 'i32' : 'u32'
      default:
        return r.type === 'f64' || float > signed + plain ? 'f64' : signed > plain ? 'i64' : 'u64'
    }
  })
}

/** The list under construction, registers, and every way to read and write operands. */
export class PtxValues {
  readonly module: PtxModule
  readonly body: FlatBody
  readonly memory: MemoryMap
  readonly registers: Reg[] = []
  /** Facts for the user that do not stop the analysis. */
  readonly notes = new Set<string>()
  list: Stmt[] = []
  /** The instruction under way. */
  current: Instruction | null = null
  private readonly own: (Reg | null)[]
  private readonly storage: readonly ScalarType[]

  /** Threads of a block. */
  readonly threads: number

  constructor(module: PtxModule, body: FlatBody, memory: MemoryMap, threads: number) {
    this.threads = threads
    this.module = module
    this.body = body
    this.memory = memory
    this.storage = storageTypes(body)
    this.own = body.registers.map(() => null)
  }

  private votesName: string | null = null
  /** A word of shared memory for reductions over the block. */
  votes(): string {
    this.votesName ??= this.memory.regions.some((r) => r.name === 'votes') ? 'barrier_votes' : 'votes'
    return this.votesName
  }
  /** Shared words that instructions needed besides the program's own. */
  extras(): readonly string[] {
    return this.votesName === null ? [] : [this.votesName]
  }

  at(): Span {
    return ptxSpan(this.module, this.current?.line ?? 1)
  }

  refuse(what: string, hint?: string): never {
    return fail('ptx.unsupported', what, this.at(), hint)
  }

  reg(type: ScalarType, name: string): Reg {
    const r: Reg = { kind: 'reg', id: this.registers.length, type, name }
    this.registers.push(r)
    return r
  }
  temp(type: ScalarType): Reg {
    return this.reg(type, 't')
  }

  push(s: Stmt): void {
    this.list.push(s)
  }

  /** Statements that `emit` pushes, taken apart. */
  collect(emit: () => void): Stmt[] {
    const outer = this.list
    const inner: Stmt[] = []
    this.list = inner
    try {
      emit()
    } finally {
      this.list = outer
    }
    return inner
  }

  op(op: OpName, args: readonly Value[], to?: ScalarType, dst?: Reg): Reg {
    const type = to ?? (isComparison(op) ? 'bool' : args[op === 'select' ? 1 : 0]!.type) // every op has arguments
    const out = dst ?? this.temp(type)
    this.push({ kind: 'op', op, dst: out, args })
    return out
  }

  u32(n: number): Const {
    return constOf('u32', n)
  }

  bits(v: Value, to: ScalarType): Value {
    if (v.type === to) return v
    if (v.kind === 'const' && integer(v.type) && integer(to))
      return constOf(to, to === 'u64' || to === 'i64' ? BigInt(v.value) : Number(v.value))
    return this.op('bitcast', [v], to)
  }
  convert(v: Value, to: ScalarType): Value {
    if (v.type === to) return v
    if (v.kind === 'const' && integer(v.type) && integer(to))
      return constOf(to, to === 'u64' || to === 'i64' ? BigInt(v.value) : Number(BigInt.asUintN(32, BigInt(v.value))))
    return this.op('convert', [v], to)
  }

  register(id: number): Reg {
    const known = this.own[id]
    if (known) return known
    const { name } = this.body.registers[id]!
    const made = this.reg(this.storage[id]!, name.replace(/[^A-Za-z0-9_]/g, '').replace(/^(?=[^A-Za-z_]|$)/, 'r'))
    this.own[id] = made
    return made
  }

  declared(o: Register): PtxType {
    return this.body.registers[o.id]!.type
  }

  /** An operand as `t`. */
  get(o: PtxOperand | undefined, t: PtxType): Value {
    if (!o) return this.refuse(`${this.current?.opcode.text ?? ''} lacks an operand`)
    switch (o.kind) {
      case 'literal':
        return literalValue(o, t)
      case 'register': {
        const v = this.read(o, t)
        return o.negated ? this.op('lnot', [v]) : v
      }
      case 'name':
        return this.fit(this.named(o.name, 0), t)
      case 'address':
        return o.base?.kind === 'name'
          ? this.fit(this.named(o.base.name, o.offset), t)
          : this.refuse('an address is no value')
      case 'vector':
        return this.packed(o.items, t)
      case 'tuple':
      case 'sink':
        return this.refuse(`${this.current?.opcode.text ?? ''} has an operand that cannot be read`)
    }
  }

  private fit(v: Value, t: PtxType): Value {
    const to = scalarOf(t)
    if (v.type === to) return v
    return integer(v.type) && integer(to) ? this.convert(v, to) : this.bits(v, to)
  }

  private read(o: Register, t: PtxType): Value {
    const r = this.register(o.id)
    const to = scalarOf(t)
    const bytes = bytesOfType[this.declared(o)]
    if (bytes === 2 && r.type === 'u32' && t === 's16') return this.signed(r, 16)
    if (bytes === 2 && to === 'f16') return r.type === 'f16' ? r : this.half(r)
    if (bytes === 2 && r.type === 'f16') return this.bits(this.halfBits(r), to)
    if (t === 's8') return this.signed(this.low(r), 8)
    if (t === 'u8' || t === 'b8') return this.op('and', [this.low(r), this.u32(255)])
    if (r.type === to) return r
    const [from, want] = [widthOf(r.type), widthOf(to)]
    if (from === want) return this.bits(r, to)
    return from === 0 || want === 0
      ? this.refuse(`${this.current?.opcode.text ?? ''} mixes a predicate with a number`)
      : this.convert(this.bits(r, from === 64 ? 'u64' : 'u32'), to)
  }

  /** The low 32 bits of a register as u32. */
  private low(r: Reg): Value {
    if (r.type === 'f16') return this.halfBits(r)
    return widthOf(r.type) === 64 ? this.convert(this.bits(r, 'u64'), 'u32') : this.bits(r, 'u32')
  }

  /** The low `bits` of a u32, sign-extended. */
  signed(v: Value, bits: number): Value {
    const up = this.op('shl', [this.bits(v, 'i32'), constOf('i32', 32 - bits)])
    return this.op('shr', [up, constOf('i32', 32 - bits)])
  }

  /** Puts a value of type `t` into a destination. */
  put(o: PtxOperand | undefined, t: PtxType, v: Value): void {
    if (!o || o.kind === 'sink') return
    if (o.kind === 'vector') return this.unpack(o.items, t, v)
    if (o.kind !== 'register') return this.refuse(`${this.current?.opcode.text ?? ''} needs a register for its result`)
    const r = this.register(o.id)
    const value = this.stored(v, t, r.type, bytesOfType[this.declared(o)])
    const last = this.list[this.list.length - 1]
    // The statement just made may write the register itself.
    if (
      value.kind === 'reg' &&
      value.name === 't' &&
      last?.kind === 'op' &&
      last.dst === value &&
      value.id === this.registers.length - 1
    ) {
      this.registers.pop()
      this.list[this.list.length - 1] = { ...last, dst: r }
    } else this.push({ kind: 'op', op: 'copy', dst: r, args: [value] })
  }

  private stored(v: Value, t: PtxType, to: ScalarType, bytes: number): Value {
    if (to === 'bool') return v
    if (bytes === 2) {
      if (to === 'f16') return v.type === 'f16' ? v : this.half(this.op('and', [this.bits(v, 'u32'), this.u32(0xffff)]))
      if (v.type === 'f16') return this.halfBits(v)
      return t === 'bf16' ? v : this.op('and', [this.bits(v, 'u32'), this.u32(0xffff)])
    }
    if (v.type === to) return v
    const from = widthOf(v.type)
    if (v.type === 'f16') return this.bits(this.halfBits(v), to)
    if (from === widthOf(to)) return this.bits(v, to)
    return integer(v.type)
      ? this.bits(this.convert(v, bytes === 8 ? 'u64' : 'u32'), to)
      : this.refuse(`${this.current?.opcode.text ?? ''} does not fit its register`)
  }

  /** `{lo, hi}` as one number. */
  private packed(items: readonly PtxOperand[], t: PtxType): Value {
    const each = (8 * bytesOfType[t]) / items.length
    if (items.length === 2 && each === 32) {
      const [lo, hi] = items.map((x) => this.convert(this.get(x, 'b32'), 'u64'))
      const joined = this.op('or', [lo!, this.op('shl', [hi!, constOf('u64', 32n)])]) // two items
      return this.bits(joined, scalarOf(t))
    }
    if (each !== 16 && each !== 8)
      return this.refuse(`${this.current?.opcode.text ?? ''} packs ${items.length} parts, which cannot be analysed`)
    const wide = bytesOfType[t] === 8
    const parts = items.map((x, i): Value => {
      const v = this.get(x, each === 16 ? 'b16' : 'b8')
      const w = wide ? this.convert(v, 'u64') : v
      return i === 0 ? w : this.op('shl', [w, wide ? constOf('u64', BigInt(i * each)) : this.u32(i * each)])
    })
    return this.bits(
      parts.reduce((a, b) => this.op('or', [a, b])),
      scalarOf(t),
    )
  }

  private unpack(items: readonly PtxOperand[], t: PtxType, v: Value): void {
    const each = (8 * bytesOfType[t]) / items.length
    const wide = bytesOfType[t] === 8
    const whole = this.bits(v, wide ? 'u64' : 'u32')
    items.forEach((x, i) => {
      if (x.kind === 'sink') return
      const moved =
        i === 0 ? whole : this.op('shr', [whole, wide ? constOf('u64', BigInt(i * each)) : this.u32(i * each)])
      const low = wide ? this.convert(moved, 'u32') : moved
      this.put(
        x,
        each === 32 ? 'b32' : each === 16 ? 'b16' : 'b8',
        each === 8 ? this.op('and', [low, this.u32(255)]) : low,
      )
    })
  }

  /** Special registers, and addresses of variables. */
  private named(name: string, offset: number): Value {
    const builtin = Object.hasOwn(special, name) ? special[name] : undefined
    if (builtin) {
      const dst = this.temp('u32')
      this.push({ kind: 'builtin', dst, name: builtin })
      return dst
    }
    if (Object.hasOwn(fixed, name)) return this.u32(fixed[name]!)
    if (laneMasks.includes(name)) return this.laneMask(name)
    const address = this.memory.addressOf(name)
    if (address !== undefined) return constOf('u64', BigInt(address + offset))
    const code = functionAddress(this.module, name)
    if (code !== undefined) return constOf('u64', code + BigInt(offset))
    if (this.isVariable(name)) return constOf('u64', BigInt(4096 + offset))
    return this.refuse(`'${name.slice(0, 80)}' cannot be analysed here`)
  }

  private isVariable(name: string): boolean {
    return this.module.variables.some((v) => v.name === name) || this.body.variables.some((v) => v.name === name)
  }

  private laneMask(name: string): Value {
    const lane = this.temp('u32')
    this.push({ kind: 'builtin', dst: lane, name: 'lane' })
    const bit = this.op('shl', [this.u32(1), lane])
    const below = this.op('sub', [bit, this.u32(1)])
    switch (name) {
      case '%lanemask_eq':
        return bit
      case '%lanemask_lt':
        return below
      case '%lanemask_le':
        return this.op('or', [bit, below])
      case '%lanemask_ge':
        return this.op('not', [below])
      default:
        return this.op('not', [this.op('or', [bit, below])])
    }
  }

  /** The f16 that the low 16 bits of a u32 stand for; the upper ones must be 0. */
  half(bits: Value): Value {
    return this.convert(this.halfNumber(bits), 'f16')
  }

  /** The same as f32. Scaling by 2¹¹² moves the exponent; infinities and NaN keep all ones. */
  halfNumber(bits: Value): Value {
    const u = (n: number): Const => this.u32(n)
    const magnitude = this.op('shl', [this.op('and', [bits, u(0x7fff)]), u(13)])
    const finite = this.op('mul', [this.bits(magnitude, 'f32'), constOf('f32', 2 ** 112)])
    const special = this.bits(this.op('or', [magnitude, u(0x70000000)]), 'f32')
    const whole = this.op('select', [this.op('ge', [magnitude, u(0x7c00 << 13)]), special, finite])
    const sign = this.op('shl', [this.op('and', [bits, u(0x8000)]), u(16)])
    return this.bits(this.op('or', [this.bits(whole, 'u32'), sign]), 'f32')
  }

  /** The 16 bits of an f16 in a u32. */
  halfBits(v: Value): Value {
    const u = (n: number): Const => this.u32(n)
    const bits = this.bits(this.convert(v, 'f32'), 'u32')
    const magnitude = this.op('and', [bits, u(0x7fffffff)])
    const scaled = this.bits(this.op('mul', [this.bits(magnitude, 'f32'), constOf('f32', 2 ** -112)]), 'u32')
    const finite = this.op('shr', [scaled, u(13)])
    const special = this.op('select', [this.op('gt', [magnitude, u(0x7f800000)]), u(0x7e00), u(0x7c00)])
    const whole = this.op('select', [this.op('ge', [magnitude, u(0x7f800000)]), special, finite])
    return this.op('or', [whole, this.op('and', [this.op('shr', [bits, u(16)]), u(0x8000)])])
  }
}

export const integer = (t: ScalarType): boolean => t === 'i32' || t === 'u32' || t === 'i64' || t === 'u64'
const widthOf = (t: ScalarType): 0 | 16 | 32 | 64 =>
  t === 'bool' ? 0 : t === 'f16' ? 16 : t === 'i64' || t === 'u64' || t === 'f64' ? 64 : 32
