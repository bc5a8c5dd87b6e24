// In: loads, stores, atomics and asynchronous copies. Out: KernelIR accesses of the resource that provenance found. The
// one idea: an address keeps its number; the resource's base and the constant part go into the access's offset, so
// nothing is added at run time. What calls pass and entry parameters hold is registers and launch parameters, never
// memory.
import {
  constOf,
  registerType,
  type Address,
  type AtomicOp,
  type MemoryType,
  type Operand as Value,
  type Param,
  type Reg,
  type ScalarType,
  type Stmt,
} from '../../../ir/index.ts'
import { hasResult } from '../instruction-cost.ts'
import { addHalves } from './floats.ts'
import { typeOf } from './integers.ts'
import { windows, type MemoryRegion, type RootSpace } from '../memory-map.ts'
import { addressesOf, spaceOfInstruction } from '../provenance.ts'
import {
  bytesOfType,
  type AddressOperand,
  type PtxFunction,
  type Instruction,
  type PtxOperand,
  type PtxType,
} from '../text/syntax.ts'
import { scalarOf, type PtxValues } from './values.ts'

/** A launch parameter: what an entry reads at `offset` of its parameter `index`. */
export interface ParamSlot {
  readonly param: Param
  readonly index: number
  readonly offset: number
  readonly type: PtxType
}

export class Accesses {
  readonly slots = new Map<string, ParamSlot>()
  private readonly v: PtxValues
  private readonly entry: PtxFunction
  private readonly cells = new Map<string, { readonly reg: Reg; readonly from: number; readonly to: number }>()

  constructor(v: PtxValues, entry: PtxFunction) {
    this.v = v
    this.entry = entry
  }

  /** Lowers a memory instruction; false when it is none. */
  instruction(s: Instruction): boolean {
    switch (s.opcode.name) {
      case 'ld':
      case 'ldu':
        this.each(s, () => this.load(s))
        return true
      case 'st':
        this.each(s, () => this.store(s))
        return true
      case 'atom':
      case 'red':
        this.each(s, () => this.atomic(s))
        return true
      case 'cp':
        return this.copy(s)
      case 'isspacep':
        this.isSpace(s)
        return true
      default:
        return false
    }
  }

  /** The space of which an access is being lowered, when its address may lie in several. */
  private chosen: RootSpace | null = null

  /** An access for each space that its address may lie in, chosen by its value. */
  private each(s: Instruction, emit: () => void): void {
    const { v } = this
    const [a] = addressesOf(s)
    const spaces = a ? v.memory.regionsOf(a).map((r) => r.space) : []
    if (spaces.length < 2 || a?.base?.kind !== 'register') {
      emit()
      return
    }
    const place = v.op('add', [v.get(a.base, 'u64'), constOf('u64', BigInt.asUintN(64, BigInt(a.offset)))])
    const arms = spaces.map((space) => ({ inside: this.inside(place, space), body: this.arm(space, emit) }))
    for (const { inside, body } of arms) v.push({ kind: 'if', condition: inside, then: body, else: [], free: true })
  }

  /** Whether an address lies in a space, when spaces lie apart. */
  private inside(place: Value, space: RootSpace): Value {
    const { v } = this
    const below = (end: number): Value => v.op('lt', [place, constOf('u64', BigInt(end))])
    switch (space) {
      case 'shared':
        return below(windows.shared)
      case 'local':
        return v.op('land', [v.op('lnot', [below(windows.shared)]), below(windows.local)])
      case 'global':
      case 'const':
        return v.op('lnot', [below(windows.local)])
    }
  }

  private arm(space: RootSpace, emit: () => void): Stmt[] {
    this.chosen = space
    const body = this.v.collect(emit)
    this.chosen = null
    return body.map((x) =>
      x.kind === 'load' || x.kind === 'store' || x.kind === 'atomic'
        ? { ...x, counts: { [x.kind]: 1 } }
        : { ...x, free: true },
    )
  }

  /** Where an address of an access leads. Throws `ptx.unsupported`. */
  address(a: AddressOperand): Address {
    const { v } = this
    const region = this.regionOf(a)
    if (!region) return v.refuse('where this access goes is not known')
    const offset = (n: number): number =>
      Math.abs(n) < 2 ** 31 ? n : v.refuse(`an address ${n} bytes from its base cannot be analysed`)
    // A 32-bit base may be less than 0 when the offset brings it back: addresses wrap around.
    if (a.base?.kind === 'register') {
      const wide = bytesOfType[v.declared(a.base)] === 8
      return {
        resource: region.name,
        index: v.get(a.base, wide ? 'u64' : 's32'),
        stride: 1,
        offset: offset(a.offset - region.base),
      }
    }
    const place = a.base === null ? 0 : region.places.get(a.base.name)
    if (place === undefined) return v.refuse(`'${a.base?.name.slice(0, 80) ?? ''}' cannot be accessed here`)
    return {
      resource: region.name,
      index: constOf('u32', 0),
      stride: 1,
      offset: offset(a.base === null ? a.offset - region.base : place + a.offset),
    }
  }

  private regionOf(a: AddressOperand): MemoryRegion | undefined {
    const { memory } = this.v
    return this.chosen === null ? memory.regionOf(a) : memory.regionsOf(a).find((r) => r.space === this.chosen)
  }

  private width(s: Instruction): number {
    const { mods } = s.opcode
    return mods.includes('v8') || mods.includes('b128')
      ? this.v.refuse(`${s.opcode.text}: accesses of more than 16 bytes a thread cannot be analysed`)
      : mods.includes('v4')
        ? 4
        : mods.includes('v2')
          ? 2
          : 1
  }

  /** The one address of an access. */
  private only(s: Instruction): AddressOperand {
    return addressesOf(s)[0] ?? this.v.refuse(`${s.opcode.text} lacks an address`)
  }

  private load(s: Instruction): void {
    const { v } = this
    const a = this.only(s)
    const t = typeOf(s)
    const [dst] = s.operands
    const items = dst?.kind === 'vector' ? dst.items : dst ? [dst] : []
    if (items.length !== this.width(s)) v.refuse(`${s.opcode.text} names ${items.length} registers`)
    if (a.base?.kind === 'name' && spaceOfInstruction(s) === 'param') {
      const name = a.base.name
      items.forEach((o, k) => v.put(o, t, this.passed(s, name, a.offset + k * bytesOfType[t], t)))
      return
    }
    const types = items.map((o) => this.storage(o, t))
    const type = types.every((x) => x === types[0]) ? types[0]! : memoryType(t)
    const value = registerType(type)
    const address = this.address(a)
    const seen = new Set<number>()
    const regs = items.map((o) => {
      const own = o.kind === 'register' && this.fits(o, t, value) && !seen.has(o.id) ? v.register(o.id) : v.temp(value)
      if (o.kind === 'register') seen.add(o.id)
      return own
    })
    v.push({ kind: 'load', dst: regs, type, address })
    items.forEach((o, k) => {
      if (o.kind !== 'register' || regs[k] !== v.register(o.id)) v.put(o, wideEnough(t), regs[k]!)
    })
  }

  /** Whether a register can take the loaded value as it is. */
  private fits(o: Extract<PtxOperand, { kind: 'register' }>, t: PtxType, value: ScalarType): boolean {
    const declared = bytesOfType[this.v.declared(o)]
    if (declared === 2 && t.startsWith('s')) return false
    return this.v.register(o.id).type === value && declared >= bytesOfType[t]
  }

  /** The memory type whose register type is that of the destination, when the widths agree. */
  private storage(o: PtxOperand, t: PtxType): MemoryType {
    if (o.kind !== 'register' || bytesOfType[t] < 2) return memoryType(t)
    const { type } = this.v.register(o.id)
    if (bytesOfType[t] === 2) return type === 'f16' ? 'f16' : memoryType(t)
    return bytesOfType[this.v.declared(o)] === bytesOfType[t] && type !== 'bool' && type !== 'f16'
      ? type
      : memoryType(t)
  }

  private store(s: Instruction): void {
    const { v } = this
    const a = this.only(s)
    const t = typeOf(s)
    const source = s.operands[1]
    const items = source?.kind === 'vector' ? source.items : source ? [source] : []
    if (items.length !== this.width(s)) v.refuse(`${s.opcode.text} names ${items.length} values`)
    if (a.base?.kind === 'name' && v.body.cells.has(a.base.name)) {
      const name = a.base.name
      items.forEach((o, k) => this.pass(s, name, a.offset + k * bytesOfType[t], t, o))
      return
    }
    if (spaceOfInstruction(s) === 'param') return
    const types = items.map((o) => this.storage(o, t))
    const type = types.every((x) => x === types[0]) ? types[0]! : memoryType(t)
    const values = items.map((o) => this.stored(o, t, type))
    v.push({ kind: 'store', src: values, type, address: this.address(a) })
  }

  private stored(o: PtxOperand, t: PtxType, type: MemoryType): Value {
    const { v } = this
    const want = registerType(type)
    if (type === 'f16') return v.get(o, 'f16')
    const value = v.get(o, bytesOfType[t] < 4 ? (t.startsWith('s') ? 's32' : 'u32') : t)
    return value.type === want ? value : v.bits(value, want)
  }

  // What calls pass, and parameters of the entry.

  private cell(s: Instruction, name: string, offset: number, t: PtxType): Reg {
    const key = `${name}+${offset}`
    const known = this.cells.get(key)
    const to = offset + bytesOfType[t]
    if (known && known.to !== to)
      return this.v.refuse(
        `${s.opcode.text}: what a call passes is written and read in different pieces, which cannot be analysed`,
      )
    if (known) return known.reg
    for (const [other, c] of this.cells)
      if (other.startsWith(`${name}+`) && c.from < to && offset < c.to)
        this.v.refuse(
          `${s.opcode.text}: what a call passes is written and read in different pieces, which cannot be analysed`,
        )
    const reg = this.v.reg(bytesOfType[t] === 8 ? 'u64' : 'u32', 'passed')
    this.cells.set(key, { reg, from: offset, to })
    return reg
  }

  /** The part that is read of something wider that was written, in the low bits of a u32. */
  private piece(name: string, offset: number, t: PtxType): Reg | null {
    const { v } = this
    const to = offset + bytesOfType[t]
    const whole = [...this.cells].find(
      ([key, c]) => key.startsWith(`${name}+`) && c.from <= offset && to <= c.to && to - offset < c.to - c.from,
    )?.[1]
    if (!whole) return null
    const { reg, from } = whole
    const by = constOf(reg.type, reg.type === 'u64' ? BigInt(8 * (offset - from)) : 8 * (offset - from))
    const moved = v.op('shr', [reg, by])
    return reg.type === 'u64' ? v.op('convert', [moved], 'u32') : moved
  }

  private pass(s: Instruction, name: string, offset: number, t: PtxType, o: PtxOperand): void {
    const { v } = this
    const reg = this.cell(s, name, offset, t)
    const value = v.get(o, bytesOfType[t] < 4 ? 'u32' : t)
    v.push({ kind: 'op', op: 'copy', dst: reg, args: [v.bits(value, reg.type)] })
  }

  private passed(s: Instruction, name: string, offset: number, t: PtxType): Value {
    const { v } = this
    if (v.body.cells.has(name)) {
      const reg = this.piece(name, offset, t) ?? this.cell(s, name, offset, t)
      const wide =
        bytesOfType[t] < 4
          ? t.startsWith('s')
            ? v.signed(reg, 8 * bytesOfType[t])
            : v.op('and', [reg, v.u32(2 ** (8 * bytesOfType[t]) - 1)])
          : v.op('copy', [reg])
      return v.bits(wide, scalarOf(wideEnough(t)))
    }
    return v.op('copy', [this.slot(name, offset, t)])
  }

  private slot(name: string, offset: number, t: PtxType): Param {
    const index = this.entry.params.findIndex((p) => p.name === name)
    if (index < 0) return this.v.refuse(`'${name.slice(0, 80)}' is no parameter`)
    const whole =
      offset === 0 &&
      bytesOfType[this.entry.params[index]!.type] === bytesOfType[t] &&
      this.entry.params[index]!.count === 1
    const type = t.startsWith('b')
      ? this.entry.params[index]!.type.startsWith('f') && whole
        ? this.entry.params[index]!.type
        : t
      : t
    const id = `arg_${index}${whole ? '' : `_${offset}_${type}`}`
    let slot = this.slots.get(id)
    if (!slot) {
      slot = { param: { kind: 'param', name: id, type: scalarOf(wideEnough(type)) }, index, offset, type }
      this.slots.set(id, slot)
    }
    return slot.param
  }

  // Atomics.

  private atomic(s: Instruction): void {
    const { v } = this
    const { mods } = s.opcode
    const t = typeOf(s)
    if (isHalf(t) && mods.includes('add') && !mods.some((m) => /^v\d$/.test(m))) return this.halfAtomic(s, t)
    if (
      mods.includes('v2') ||
      mods.includes('v4') ||
      mods.includes('v8') ||
      bytesOfType[t] < 4 ||
      t.endsWith('x2') ||
      t === 'b128'
    )
      v.refuse(`${s.opcode.text} cannot be analysed`)
    const word = mods.find((m) => Object.hasOwn(atomicOps, m))
    const op = word === undefined ? v.refuse(`${s.opcode.text} cannot be analysed`) : atomicOps[word]! // just found
    const [type, ptx] = atomicType(op, t)
    const address = this.address(this.only(s))
    if (this.regionOf(this.only(s))?.space === 'local') v.refuse('an atomic on local memory cannot be analysed')
    const dst = s.opcode.name === 'atom' && !this.isUnread(s.operands[0]) ? s.operands[0] : undefined
    const args = s.operands
      .slice(s.opcode.name === 'atom' ? 2 : 1, (s.opcode.name === 'atom' ? 2 : 1) + (op === 'compareExchange' ? 2 : 1))
      .map((o) => v.get(o, ptx))
    const old = dst && dst.kind !== 'sink' ? v.temp(registerType(type)) : null
    v.push({ kind: 'atomic', op, dst: old, type, address, args, ...(this.isFenced(s) && { fenced: true }) })
    if (old) v.put(dst, ptx, old)
  }

  /** Whether a fence of the device stands between the atomic and the last store before it, or in it. */
  private isFenced(s: Instruction): boolean {
    if (s.opcode.mods.some((m) => m === 'acq_rel' || m === 'release')) return true
    const { instructions } = this.v.body
    for (let i = instructions.indexOf(s) - 1; i >= 0; i--) {
      const { name, mods } = instructions[i]!.opcode // within the list
      if (name === 'fence' || name === 'membar') return !mods.includes('cta')
      if (name === 'st' && !mods.includes('shared') && !mods.includes('local')) return false
    }
    return false
  }

  private read: ReadonlySet<number> | null = null
  /** Whether nothing reads a result. */
  private isUnread(o: PtxOperand | undefined): boolean {
    this.read ??= registersRead(this.v.body.instructions)
    return o?.kind === 'register' && !this.read.has(o.id)
  }

  /** Sums of halves, one or two in a word: one atomic is counted, and an exchange that compares makes the sum. */
  private halfAtomic(s: Instruction, t: HalfType): void {
    const { v } = this
    const given = this.address(this.only(s))
    if (this.regionOf(this.only(s))?.space === 'local') v.refuse('an atomic on local memory cannot be analysed')
    const returns = s.opcode.name === 'atom'
    const added = v.get(s.operands[returns ? 2 : 1], bytesOfType[t] === 4 ? 'b32' : 'b16')
    const { address, by } = bytesOfType[t] === 4 ? { address: given, by: v.u32(0) } : this.wordOf(given)
    const old = v.temp('u32')
    v.push({ kind: 'atomic', op: 'or', dst: old, type: 'u32', address, args: [v.u32(0)] })
    const quiet = { free: true, counts: {} } as const
    const body = v
      .collect(() => {
        const seen = v.temp('u32')
        v.push({
          kind: 'atomic',
          op: 'compareExchange',
          dst: seen,
          type: 'u32',
          address,
          args: [old, addHalves(v, t, old, added, by)],
          ...quiet,
        })
        v.push({
          kind: 'if',
          condition: v.op('eq', [seen, old]),
          then: [{ kind: 'break', free: true }],
          else: [],
          free: true,
        })
        v.op('copy', [seen], 'u32', old)
      })
      .map((x) => ({ ...x, free: true as const }))
    v.push({ kind: 'loop', body, continuing: [], free: true })
    if (returns)
      v.put(
        s.operands[0],
        'b32',
        bytesOfType[t] === 4 ? v.op('copy', [old]) : v.op('and', [v.op('shr', [old, by]), v.u32(0xffff)]),
      )
  }

  /** The word that holds a half, and how many bits below the half are. */
  private wordOf({ resource, index, offset }: Address): { readonly address: Address; readonly by: Value } {
    const { v } = this
    const wide = index.type === 'u64'
    const at = v.op('add', [
      index,
      wide ? constOf('u64', BigInt.asUintN(64, BigInt(offset))) : constOf(index.type, offset),
    ])
    const low = wide ? v.convert(at, 'u32') : v.bits(at, 'u32')
    return {
      address: {
        resource,
        index: v.op('and', [
          at,
          wide ? constOf('u64', 2n ** 64n - 4n) : constOf(index.type, index.type === 'u32' ? 0xfffffffc : -4),
        ]),
        stride: 1,
        offset: 0,
      },
      by: v.op('shl', [v.op('and', [low, v.u32(2)]), v.u32(3)]),
    }
  }

  // cp.async

  private copy(s: Instruction): boolean {
    const { v } = this
    const { mods } = s.opcode
    if (mods[0] !== 'async') return v.refuse(`${s.opcode.text.slice(0, 80)} cannot be analysed`)
    if (!mods.includes('global')) return false
    const [to, from] = addressesOf(s)
    const [size, ignore] = [s.operands[2], s.operands[3]]
    if (!to || !from || size?.kind !== 'literal') return v.refuse(`${s.opcode.text} cannot be analysed`)
    const bytes = Number(size.bits)
    if (bytes !== 4 && bytes !== 8 && bytes !== 16) v.refuse(`${s.opcode.text} of ${bytes} bytes cannot be analysed`)
    const regs = Array.from({ length: bytes / 4 }, () => v.temp('u32'))
    const load = (): void => v.push({ kind: 'load', dst: regs, type: 'u32', address: this.address(from) })
    const zero = (): void => {
      for (const r of regs) v.push({ kind: 'op', op: 'copy', dst: r, args: [v.u32(0)] })
    }
    if (ignore?.kind === 'register' && v.declared(ignore) === 'pred')
      v.push({ kind: 'if', condition: v.get(ignore, 'pred'), then: v.collect(zero), else: v.collect(load), free: true })
    else if (ignore === undefined || (ignore.kind === 'literal' && Number(ignore.bits) === bytes)) load()
    else {
      const some = v.get(ignore, 'u32')
      v.push({
        kind: 'if',
        condition: v.op('ne', [some, v.u32(0)]),
        then: v.collect(load),
        else: v.collect(zero),
        free: true,
      })
      regs.forEach((r, k) => v.op('select', [v.op('gt', [some, v.u32(4 * k)]), r, v.u32(0)], 'u32', r))
    }
    v.push({ kind: 'store', src: regs, type: 'u32', address: this.address(to), free: true })
    return true
  }

  /** Where the address leads is known from where it came from. */
  private isSpace(s: Instruction): void {
    const space = s.opcode.mods[0]?.split('::')[0]
    const a: AddressOperand | undefined =
      s.operands[1]?.kind === 'register' ? { kind: 'address', base: s.operands[1], offset: 0, parts: [] } : undefined
    const spaces = a ? this.v.memory.spacesOf(a) : []
    if (
      spaces.length > 1 &&
      this.v.memory.split &&
      a?.base &&
      (space === 'shared' || space === 'local' || space === 'global')
    ) {
      this.v.put(s.operands[0], 'pred', this.v.op('copy', [this.inside(this.v.get(a.base, 'u64'), space)]))
      return
    }
    if (spaces.length !== 1) return this.v.refuse('which memory this pointer leads to is not known')
    this.v.put(s.operands[0], 'pred', this.v.op('copy', [constOf('bool', spaces[0] === space ? 1 : 0)]))
  }
}

/** Registers that some instruction reads. */
function registersRead(list: readonly Instruction[]): ReadonlySet<number> {
  const read = new Set<number>()
  const see = (o: PtxOperand | null): void => {
    if (o?.kind === 'register') read.add(o.id)
    else if (o?.kind === 'vector' || o?.kind === 'tuple') o.items.forEach(see)
    else if (o?.kind === 'address') {
      see(o.base)
      o.parts.forEach(see)
    }
  }
  for (const s of list) {
    see(s.guard)
    s.operands.forEach((o, k) => {
      if (k > 0 || !hasResult(s)) see(o)
    })
  }
  return read
}

type HalfType = 'f16' | 'bf16' | 'f16x2' | 'bf16x2'
const isHalf = (t: PtxType): t is HalfType => t === 'f16' || t === 'bf16' || t === 'f16x2' || t === 'bf16x2'

const atomicOps: Readonly<Record<string, AtomicOp>> = {
  add: 'add',
  min: 'min',
  max: 'max',
  and: 'and',
  or: 'or',
  xor: 'xor',
  exch: 'exchange',
  cas: 'compareExchange',
  inc: 'increment',
  dec: 'decrement',
}

function atomicType(op: AtomicOp, t: PtxType): readonly [MemoryType, PtxType] {
  const wide = bytesOfType[t] === 8
  if (op === 'and' || op === 'or' || op === 'xor' || op === 'compareExchange' || op === 'exchange')
    return wide ? ['u64', 'u64'] : ['u32', 'u32']
  return [memoryType(t), t.startsWith('b') ? (wide ? 'u64' : 'u32') : t]
}

/** What memory holds for a PTX type. */
export function memoryType(t: PtxType): MemoryType {
  switch (t) {
    case 'pred':
    case 'b8':
    case 'u8':
      return 'u8'
    case 's8':
      return 'i8'
    case 'b16':
    case 'u16':
    case 'bf16':
      return 'u16'
    case 's16':
      return 'i16'
    case 'f16':
      return 'f16'
    case 'b32':
    case 'u32':
    case 'f16x2':
    case 'bf16x2':
    case 'tf32':
      return 'u32'
    case 's32':
      return 'i32'
    case 'f32':
      return 'f32'
    case 'b64':
    case 'u64':
    case 'b128':
      return 'u64'
    case 's64':
      return 'i64'
    case 'f64':
      return 'f64'
  }
}

const wideEnough = (t: PtxType): PtxType => (t === 'f16' || bytesOfType[t] >= 4 ? t : t.startsWith('s') ? 's32' : 'u32')
