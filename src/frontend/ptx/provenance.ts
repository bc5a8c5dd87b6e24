// In: a flat body. Out: for every register the parameters and variables that its value may point into: its provenance.
// The one idea: PTX pointers are numbers, so that a dataflow over registers, and over what is stored in variables, must
// find which are.
import type { FlatBody } from './control-flow/inlining.ts'
import type {
  AddressOperand,
  PtxFunction,
  Instruction,
  PtxModule,
  PtxOperand,
  PtxSpace,
  Variable,
} from './text/syntax.ts'

export type Root =
  /** A pointer passed at `offset` of a parameter. */
  | { readonly kind: 'parameter'; readonly index: number; readonly offset: number }
  | { readonly kind: 'variable'; readonly variable: Variable }
  /** The parameters themselves, when their address is taken. */
  | { readonly kind: 'parameters' }
  /** A pointer that was read from memory. */
  | { readonly kind: 'loaded' }

const isMemory = new Set(['ld', 'ldu', 'st', 'atom', 'red', 'cp', 'wmma', 'ldmatrix', 'stmatrix'])

export function spaceOfInstruction(s: Instruction): PtxSpace | 'generic' {
  for (const m of s.opcode.mods) {
    const plain = m.split('::')[0]!
    if (plain === 'global' || plain === 'shared' || plain === 'local' || plain === 'const' || plain === 'param')
      return plain
  }
  return 'generic'
}

/** The address operands of a memory instruction: one, or of cp.async two. */
export function addressesOf(s: Instruction): readonly AddressOperand[] {
  if (!isMemory.has(s.opcode.name) || isTensorCopy(s)) return []
  const all = s.operands.filter((o): o is AddressOperand => o.kind === 'address')
  return s.opcode.name === 'cp'
    ? all.slice(0, s.opcode.mods[1] === 'mbarrier' || s.opcode.mods.includes('prefetch') ? 0 : 2)
    : all
}

const isTensorCopy = (s: Instruction): boolean => s.opcode.name === 'cp' && s.opcode.mods.includes('tensor')

/** Shared memory that the system keeps at the beginning of a block's own: 1 KiB since sm_90. */
const reserved = (name: string, line: number): Variable => ({
  name,
  space: 'shared',
  type: 'b8',
  count: 1024,
  align: 128,
  initial: null,
  pointers: [],
  external: false,
  line,
})

/** The set of no roots: sets are numbers with a bit for each. */
const nothing = 0n

/** Where pointers come from, in one flat body. */
export class Provenance {
  private readonly body: FlatBody
  readonly roots: Root[] = []
  readonly rootIds = new Map<string, number>()
  readonly variables = new Map<string, Variable>()
  readonly params = new Map<string, number>()
  private readonly from: bigint[]
  /** What pointers are stored in a root's own memory. */
  readonly contents = new Map<number, bigint>()
  private readonly cells = new Map<string, bigint>()
  private definite = nothing
  private changed = false
  private known = false

  constructor(module: PtxModule, entry: PtxFunction, body: FlatBody) {
    this.body = body
    this.from = body.registers.map(() => nothing)
    for (const v of [...module.variables, ...body.variables]) if (!body.cells.has(v.name)) this.variables.set(v.name, v)
    entry.params.forEach((p, i) => this.params.set(p.name, i))
    for (const s of body.instructions)
      for (const o of s.operands)
        if (o.kind === 'name' && o.name.startsWith('%reserved_smem_offset_'))
          this.variables.set(o.name, reserved(o.name, s.line))
    this.follow()
    this.alone()
    // Again, now that pointers are known from the numbers that they are moved by.
    this.from.fill(nothing)
    this.contents.clear()
    this.cells.clear()
    this.known = true
    this.follow()
  }

  private follow(): void {
    for (let pass = 0; pass < 100; pass++) {
      this.changed = false
      for (const s of this.body.instructions) this.flow(s)
      if (!this.changed) return
    }
  }

  /** Where a sum points: of a pointer and a number, where the pointer does. */
  private sum(a: bigint, b: bigint): bigint {
    const sure = (set: bigint): boolean =>
      (set & this.definite) !== nothing || idsIn(set).some((id) => this.roots[id]!.kind !== 'parameter')
    if (!this.known || a === nothing || b === nothing || sure(a) === sure(b)) return a | b
    return sure(a) ? a : b
  }

  /** What is an access's address without anything else is a pointer, not a number that others are moved by. */
  private alone(): void {
    for (const s of this.body.instructions)
      for (const a of addressesOf(s)) {
        const source = this.sourceOf(a)
        if (isSingle(source)) this.definite |= source
      }
  }

  /** The number of a root, which it gets when it is first asked for. */
  id(root: Root): number {
    const key = rootKey(root)
    let id = this.rootIds.get(key)
    if (id === undefined) {
      id = this.roots.length
      this.roots.push(root)
      this.rootIds.set(key, id)
    }
    return id
  }
  private bit(root: Root): bigint {
    return 1n << BigInt(this.id(root))
  }

  /** Roots that the value of an operand may come from, as a set of bits. */
  sourceOf(o: PtxOperand | undefined): bigint {
    if (!o) return nothing
    switch (o.kind) {
      case 'register':
        return this.from[o.id]!
      case 'name': {
        const v = this.variables.get(o.name)
        if (v) return this.bit({ kind: 'variable', variable: v })
        return this.params.has(o.name) ? this.bit({ kind: 'parameters' }) : nothing
      }
      case 'vector':
        return o.items.reduce((n, x) => n | this.sourceOf(x), nothing)
      case 'address':
        return this.sourceOf(o.base ?? undefined)
      case 'literal':
      case 'sink':
      case 'tuple':
        return nothing
    }
  }

  private give(o: PtxOperand | undefined, roots: bigint): void {
    if (!o || roots === nothing) return
    if (o.kind === 'vector') {
      for (const x of o.items) this.give(x, roots)
      return
    }
    if (o.kind !== 'register') return
    const sum = this.from[o.id]! | roots
    if (sum === this.from[o.id]) return
    this.from[o.id] = sum
    this.changed = true
  }

  private flow(s: Instruction): void {
    const { name, mods } = s.opcode
    const [dst, a, b, c] = s.operands
    switch (name) {
      case 'mov':
      case 'cvt':
      case 'shfl':
        return this.give(dst, this.sourceOf(a))
      case 'cvta': {
        const source = this.sourceOf(a)
        if (mods[0] === 'to' && isSingle(source)) this.definite |= source
        return this.give(dst, source)
      }
      case 'add':
        return this.give(dst, this.sum(this.sourceOf(a), this.sourceOf(b)))
      case 'and':
      case 'or':
      case 'min':
      case 'max':
      case 'selp':
        return this.give(dst, this.sourceOf(a) | this.sourceOf(b))
      case 'sub':
        return this.give(dst, this.sourceOf(a))
      case 'mad':
        return this.give(dst, this.sourceOf(c))
      case 'ld':
      case 'ldu':
        return this.give(dst, this.loaded(s, a))
      case 'st':
        return this.stored(s, dst, a)
      case 'atom':
        if (mods.includes('exch') || mods.includes('cas'))
          this.give(dst, mods.includes('b64') ? this.bit({ kind: 'loaded' }) : nothing)
        return
      case 'bfi':
      case 'lop3':
      case 'prmt':
        return this.give(dst, this.sourceOf(a) | this.sourceOf(b))
      default:
        return
    }
  }

  private is64(s: Instruction): boolean {
    const type = s.opcode.mods[s.opcode.mods.length - 1]
    return type === 'u64' || type === 'b64' || type === 's64'
  }

  /** What a load gives: a pointer parameter, what was stored to its memory, or some pointer nobody knows. */
  private loaded(s: Instruction, a: PtxOperand | undefined): bigint {
    if (a?.kind !== 'address') return nothing
    if (a.base?.kind === 'name') {
      const cell = this.cells.get(`${a.base.name}+${a.offset}`)
      if (this.body.cells.has(a.base.name)) return cell ?? nothing
      const index = this.params.get(a.base.name)
      if (index !== undefined) return this.is64(s) ? this.parametersAt(s, index, a.offset) : nothing
    }
    const where = this.sourceOf(a)
    let found = nothing
    for (const id of idsIn(where)) {
      found |= this.contents.get(id) ?? nothing
      const r = this.roots[id]!
      const opaque =
        r.kind === 'parameter' ||
        r.kind === 'loaded' ||
        r.kind === 'parameters' ||
        (r.kind === 'variable' && (r.variable.space === 'global' || r.variable.space === 'const'))
      if (opaque && this.is64(s)) found |= this.bit({ kind: 'loaded' })
    }
    return found
  }

  private parametersAt(s: Instruction, index: number, offset: number): bigint {
    const [dst] = s.operands
    const count = dst?.kind === 'vector' ? dst.items.length : 1
    let all = nothing
    for (let k = 0; k < count; k++) all |= this.bit({ kind: 'parameter', index, offset: offset + 8 * k })
    return all
  }

  private stored(s: Instruction, to: PtxOperand | undefined, value: PtxOperand | undefined): void {
    const roots = this.sourceOf(value)
    if (to?.kind !== 'address' || roots === nothing) return
    if (to.base?.kind === 'name' && this.body.cells.has(to.base.name)) {
      const key = `${to.base.name}+${to.offset}`
      const sum = (this.cells.get(key) ?? nothing) | roots
      if (sum !== this.cells.get(key)) {
        this.cells.set(key, sum)
        this.changed = true
      }
      return
    }
    if (!this.is64(s)) return
    for (const id of idsIn(this.sourceOf(to))) {
      const sum = (this.contents.get(id) ?? nothing) | roots
      if (sum !== this.contents.get(id)) {
        this.contents.set(id, sum)
        this.changed = true
      }
    }
  }
}

const isSingle = (set: bigint): boolean => set !== nothing && (set & (set - 1n)) === nothing

/** The members of a set of bits. */
export function idsIn(set: bigint): number[] {
  const ids: number[] = []
  for (let rest = set, id = 0; rest !== nothing; rest >>= 1n, id++) if (rest & 1n) ids.push(id)
  return ids
}

/** Equal for equal roots. */
export const rootKey = (r: Root): string => {
  switch (r.kind) {
    case 'parameter':
      return `parameter ${r.index} ${r.offset}`
    case 'variable':
      return `variable ${r.variable.name}`
    case 'parameters':
    case 'loaded':
      return r.kind
  }
}
