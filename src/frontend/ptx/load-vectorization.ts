// In: a flat body, and where variables lie in shared memory, or the machine code made of it. Out: the same with
// neighbouring loads of shared memory made one of 8 or 16 bytes, as the assembler does; with machine code stores too,
// and what it shows. The one idea: loads of one block from one base register, with nothing between them that writes
// shared memory or waits, are one access where the address is known to be aligned; how many low bits of a register are
// zero follows from what computes it. It leaves guarded, volatile and narrow loads alone.
import type { FlatBody } from './control-flow/inlining.ts'
import {
  bytesOfType,
  type AddressOperand,
  type Instruction,
  type PtxOperand,
  type PtxType,
  type Register,
} from './text/syntax.ts'

/** Where a shared variable begins, or undefined when that is not known. */
export type PlaceOf = (name: string) => number | undefined

/** Bytes per lane of the widest access of shared memory that machine code has for a line of the PTX; 0 for none. */
export type WidthOf = (line: number) => number

/** The body with the accesses joined that machine code has joined, and without loads whose value it had already. */
export function joinAsAssembled(body: FlatBody, widthOf: WidthOf, placeOf: PlaceOf): FlatBody {
  const replaced = new Map<number, Instruction | null>()
  for (const access of ['ld', 'st'] as const) {
    for (const segment of segmentsOf(body, access))
      for (const group of groupsOf(body, segment, access, placeOf)) joinWindows(group, widthOf, replaced)
  }
  return replaced.size === 0 ? body : rebuilt(body, replaced)
}

/** Joins an access that machine code has wider than the PTX with neighbours that it has not at all. */
function joinWindows(group: readonly Candidate[], widthOf: WidthOf, replaced: Map<number, Instruction | null>): void {
  const at = new Map(group.map((c) => [c.offset, c]))
  for (const c of group) {
    const { bytes, offset } = c
    const lanes = widthOf(c.s.line) / bytes
    if (!(lanes === 2 || lanes === 4) || !at.has(offset)) continue
    const starts = Array.from({ length: lanes }, (_, k) => offset - k * bytes).sort(
      (a, b) => Math.abs(a % (lanes * bytes)) - Math.abs(b % (lanes * bytes)),
    )
    for (const start of starts) {
      // the assembler may lay a variable elsewhere than we do
      if (!c.base && (c.address.offset + start - offset) % (lanes * bytes) !== 0) continue
      const members = Array.from({ length: lanes }, (_, k) => at.get(start + k * bytes))
      if (!members.every((m): m is Candidate => m !== undefined && (m === c || widthOf(m.s.line) === 0))) continue
      join(members, replaced)
      for (const m of members) at.delete(m.offset)
      break
    }
  }
}

/** The body with joined loads; itself when nothing joins. */
export function joinLoads(body: FlatBody, placeOf: PlaceOf): FlatBody {
  if (!body.instructions.some((s) => isShared(s))) return body
  const zeros = new Zeros(body, placeOf)
  const replaced = new Map<number, Instruction | null>()
  for (const segment of segmentsOf(body, 'ld'))
    for (const group of groupsOf(body, segment, 'ld')) joinGroup(group, zeros, replaced)
  return replaced.size === 0 ? body : rebuilt(body, replaced)
}

interface Candidate {
  readonly at: number
  readonly s: Instruction
  readonly address: AddressOperand /** Its base: a register, or the variable of this name. */
  readonly base: Register | null
  readonly name: string /** From the base, or from the beginning of shared memory. */
  readonly offset: number
  readonly bytes: number /** What is loaded or stored. */
  readonly value: PtxOperand
}

/** Kind of access that is joined. */
type Access = 'ld' | 'st'

const isShared = (s: Instruction, access: Access = 'ld'): boolean =>
  s.opcode.name === access && s.opcode.mods.some((m) => m === 'shared' || m.startsWith('shared::'))
// the last modifier of a load is its type
const typeOf = (s: Instruction): PtxType => s.opcode.mods[s.opcode.mods.length - 1] as PtxType

function candidate(
  s: Instruction,
  at: number,
  access: Access,
  single: (r: Register) => boolean,
  placeOf?: PlaceOf,
): Candidate | null {
  const [value, address] = access === 'ld' ? s.operands : [s.operands[1], s.operands[0]]
  if (!isShared(s, access) || s.guard || s.opcode.mods.includes('volatile') || !value || address?.kind !== 'address')
    return null
  const base = address.base?.kind === 'register' ? address.base : null
  const start = base ? 0 : address.base?.kind === 'name' ? placeOf?.(address.base.name) : undefined
  if (start === undefined) return null
  if (access === 'ld' ? value.kind !== 'register' || !single(value) : value.kind === 'vector') return null
  const bytes = bytesOfType[typeOf(s)]
  return bytes === 4 || bytes === 8
    ? {
        at,
        s,
        address,
        base,
        name: address.base?.kind === 'name' ? address.base.name : '',
        offset: start + address.offset,
        bytes,
        value,
      }
    : null
}

/** Instructions after which shared memory may hold something else, or that begin another block. */
const ends = new Set([
  'st',
  'atom',
  'red',
  'bar',
  'barrier',
  'membar',
  'fence',
  'cp',
  'bra',
  'brx',
  'ret',
  'exit',
  'trap',
  'shfl',
  'vote',
  'match',
  'redux',
  'call',
  'stmatrix',
  'wmma',
  'mbarrier',
  'cluster',
])

/** Divisions and roots rounded exactly have a slow path, which is a branch of the machine code. */
const branches = ({ opcode: { name, mods } }: Instruction): boolean =>
  (['div', 'sqrt', 'rcp'].includes(name) && mods.includes('rn')) ||
  (['div', 'rem'].includes(name) && mods.some((m) => m.endsWith('64')))

const elsewhere = new Set(['global', 'local', 'param'])

/** A load that may read what a store has left. */
const mayRead = ({ opcode: { name, mods } }: Instruction): boolean =>
  (name === 'ld' || name === 'ldu') && !['global', 'local', 'param', 'const'].some((m) => (mods[0] ?? '').startsWith(m))

const endsHere = (s: Instruction, access: Access): boolean =>
  branches(s) ||
  (access === 'st' && mayRead(s)) ||
  (ends.has(s.opcode.name) && !(s.opcode.name === 'st' && (access === 'st' || elsewhere.has(s.opcode.mods[0] ?? ''))))

/** Ranges of instructions within which accesses may change places. */
function segmentsOf(body: FlatBody, access: Access): readonly (readonly [number, number])[] {
  const cuts = new Set(body.labels.values())
  body.instructions.forEach((s, i) => {
    if (endsHere(s, access)) cuts.add(i + 1)
  })
  const sorted = [...cuts, 0, body.instructions.length].sort((a, b) => a - b)
  return sorted
    .slice(1)
    .map((to, i) => [sorted[i]!, to] as const)
    .filter(([a, b]) => b > a)
}

const registersWritten = (s: Instruction): readonly number[] => {
  if (s.opcode.name === 'st') return []
  const dst = s.operands[0]
  const items = dst?.kind === 'vector' || dst?.kind === 'tuple' ? dst.items : dst ? [dst] : []
  return [...items, ...(s.second ? [s.second] : [])].flatMap((o) => (o.kind === 'register' ? [o.id] : []))
}

/** Loads of a segment by base and width; a new value of the base begins another group. */
function groupsOf(
  body: FlatBody,
  [from, to]: readonly [number, number],
  access: Access,
  placeOf?: PlaceOf,
): readonly Candidate[][] {
  const open = new Map<string, Candidate[]>(),
    all: Candidate[][] = []
  const single = (r: Register): boolean => definitions(body)[r.id] === 1
  for (let i = from; i < to; i++) {
    const c = candidate(body.instructions[i]!, i, access, single, placeOf)
    if (c) {
      const key = `${c.base?.id ?? c.name} ${c.bytes}`
      const list = open.get(key)
      if (list) list.push(c)
      else {
        const fresh = [c]
        open.set(key, fresh)
        all.push(fresh)
      }
    }
    for (const id of registersWritten(body.instructions[i]!)) {
      for (const bytes of [4, 8]) open.delete(`${id} ${bytes}`)
      // A store that waits for another must still find its value.
      if (access === 'st')
        for (const [key, list] of open)
          if (list.some(({ value }) => value.kind === 'register' && value.id === id)) open.delete(key)
    }
  }
  return all.filter((g) => g.length > 1)
}

const counted = new WeakMap<FlatBody, Int32Array>()

/** How often each register is written. */
function definitions(body: FlatBody): Int32Array {
  let n = counted.get(body)
  if (!n) {
    n = new Int32Array(body.registers.length)
    for (const s of body.instructions) for (const id of registersWritten(s)) n[id]!++
    counted.set(body, n)
  }
  return n
}

/** Joins what lies side by side at an aligned address: four words, else two; two double words. */
function joinGroup(group: readonly Candidate[], zeros: Zeros, replaced: Map<number, Instruction | null>): void {
  const byOffset = new Map<number, Candidate>()
  for (const c of group) if (!byOffset.has(c.offset)) byOffset.set(c.offset, c)
  const { base } = group[0]! // groups have members
  const free = base ? zeros.of(base) : most
  for (const offset of [...byOffset.keys()].sort((a, b) => a - b)) {
    for (const lanes of [4, 2]) {
      const { bytes } = group[0]!
      if (lanes * bytes > 16) continue
      const members = Array.from({ length: lanes }, (_, i) => byOffset.get(offset + i * bytes))
      if (members.some((m) => !m) || Math.min(free, trailing(BigInt(offset))) < Math.log2(lanes * bytes)) continue
      join(members as readonly Candidate[], replaced) // none is missing
      for (const m of members) byOffset.delete(m!.offset) // none is missing
      break
    }
  }
}

function join(members: readonly Candidate[], replaced: Map<number, Instruction | null>): void {
  const [low] = members
  const mods = [
    ...low!.s.opcode.mods.slice(0, -1),
    `v${members.length}`,
    low!.s.opcode.mods[low!.s.opcode.mods.length - 1]!,
  ]
  const { name } = low!.s.opcode
  // A load stands where the first did, a store where the last did: until then its values are being made.
  const place = members.reduce((a, b) => ((name === 'ld' ? b.at < a.at : b.at > a.at) ? b : a))
  for (const m of members) replaced.set(m.at, null)
  const vector: PtxOperand = { kind: 'vector', items: members.map((m) => m.value) }
  replaced.set(place.at, {
    ...place.s,
    opcode: { text: [name, ...mods].join('.'), name, mods },
    operands: name === 'ld' ? [vector, low!.address] : [low!.address, vector],
  })
}

function rebuilt(body: FlatBody, replaced: ReadonlyMap<number, Instruction | null>): FlatBody {
  const place = new Int32Array(body.instructions.length + 1)
  const instructions: Instruction[] = []
  body.instructions.forEach((s, i) => {
    place[i] = instructions.length
    const other = replaced.get(i)
    if (other !== null) instructions.push(other ?? s)
  })
  place[body.instructions.length] = instructions.length
  return {
    ...body,
    instructions,
    labels: new Map([...body.labels].map(([k, at]) => [k, place[at]!])),
    noUnroll: new Set([...body.noUnroll].map((at) => place[at]!)),
  }
}

/** Trailing zeros of a value that is 0: more than any alignment asks for. */
const most = 32

function trailing(bits: bigint): number {
  if (bits === 0n) return most
  let n = 0
  for (let b = bits; (b & 1n) === 0n && n < most; b >>= 1n) n++
  return n
}

/** For each register, how many low bits are zero whatever is computed: the least over its definitions. */
class Zeros {
  private readonly placeOf: PlaceOf
  private readonly known: Int32Array

  constructor(body: FlatBody, placeOf: PlaceOf) {
    this.placeOf = placeOf
    this.known = new Int32Array(body.registers.length).fill(most)
    for (let changed = true; changed; ) {
      changed = false
      for (const s of body.instructions) {
        const written = registersWritten(s)
        if (written.length === 0) continue
        const n = written.length === 1 ? this.result(s) : 0
        for (const id of written)
          if (n < this.known[id]!) {
            this.known[id] = n
            changed = true
          }
      }
    }
  }

  of(r: Register): number {
    return this.known[r.id]!
  }

  private operand(o: PtxOperand | undefined): number {
    if (o?.kind === 'register') return this.known[o.id]!
    if (o?.kind === 'literal') return o.float === undefined ? trailing(o.bits) : 0
    const place = o?.kind === 'name' ? this.placeOf(o.name) : undefined
    return place === undefined ? 0 : trailing(BigInt(place))
  }

  private result(s: Instruction): number {
    const [, a, b, c] = s.operands
    const { name, mods } = s.opcode
    const [x, y, z] = [this.operand(a), this.operand(b), this.operand(c)]
    switch (name) {
      case 'mov':
      case 'cvta':
        return x
      case 'cvt':
        return mods.some((m) => /^[fb]/.test(m)) ? 0 : x
      case 'add':
      case 'sub':
      case 'or':
      case 'xor':
      case 'selp':
        return mods.some((m) => /^f/.test(m)) ? 0 : Math.min(x, y)
      case 'and':
        return Math.max(x, y)
      case 'shl':
        return b?.kind === 'literal' ? Math.min(most, x + Number(b.bits)) : x
      case 'mul':
        return mods.includes('hi') || mods.some((m) => /^f/.test(m)) ? 0 : Math.min(most, x + y)
      case 'mad':
        return mods.includes('hi') || mods.some((m) => /^f/.test(m)) ? 0 : Math.min(x + y, z)
      default:
        return 0
    }
  }
}
