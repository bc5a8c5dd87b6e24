// In: a flat body and its module. Out: which memory every access may touch, as KernelIR resources. The one idea: PTX
// pointers are numbers, so a dataflow over registers finds from which parameters and variables each address may come
// (its provenance); what only ever meets itself is a resource of its own, what mixes shares one. Addresses keep their
// values: a resource begins at `base`, and accesses subtract that.
import { fail } from '../../base/index.ts'
import { ptxSpan, type FlatBody } from './inline.ts'
import { shortName } from './names.ts'
import { bytesOfType, type AddressOperand, type Func, type Instruction, type Module, type Operand, type PtxSpace, type Variable } from './syntax.ts'

export type Root =
  /** A pointer passed at `offset` of a parameter. */
  | { readonly kind: 'parameter'; readonly index: number; readonly offset: number }
  | { readonly kind: 'variable'; readonly variable: Variable }
  /** The parameters themselves, when their address is taken. */
  | { readonly kind: 'parameters' }
  /** A pointer that was read from memory. */
  | { readonly kind: 'loaded' }

export type RootSpace = 'global' | 'const' | 'shared' | 'local'

/** One resource of the kernel: the roots that live in it. */
export interface Region {
  readonly name: string
  readonly space: RootSpace
  readonly roots: readonly Root[]
  /** Address of byte 0 of the resource. */
  readonly base: number
  /** Bytes, or null for what is bound at launch. */
  readonly bytes: number | null
  /** Bytes at its beginning that variables and parameters take; what a launch binds comes behind. */
  readonly held: number
  /** Where each variable begins in the resource. */
  readonly places: ReadonlyMap<string, number>
  /** Whether pointers read from memory lead here. */
  readonly flat: boolean
}

export interface MemoryMap {
  readonly regions: readonly Region[]
  /** Region that an address of an access leads to; undefined for parameters and what calls pass. */
  regionOf(a: AddressOperand): Region | undefined
  /** All of them: several when the address may lie in several spaces, which its value tells (`windows`). */
  regionsOf(a: AddressOperand): readonly Region[]
  /** Address of a variable, or undefined when nothing reaches it. */
  addressOf(name: string): number | undefined
  /** The region of a pointer parameter. */
  regionOfRoot(root: Root): Region | undefined
  readonly pointers: readonly Extract<Root, { kind: 'parameter' }>[]
  /** Where the value of an address's base may come from. */
  rootsOf(a: AddressOperand): readonly Root[]
  /** The spaces that a pointer may lead to. */
  spacesOf(a: AddressOperand): readonly RootSpace[]
  /** Whether addresses of spaces lie apart. */
  readonly split: boolean
}

/** Where the addresses of a space end, when some access needs to tell spaces apart: shared memory first, then local, then the others. */
export const windows = { shared: 2 ** 24, local: 2 ** 25 } as const

const told = new Set(['ld', 'st', 'atom', 'red'])
const isMemory = new Set(['ld', 'ldu', 'st', 'atom', 'red', 'cp', 'wmma', 'ldmatrix', 'stmatrix'])

export function spaceOfInstruction(s: Instruction): PtxSpace | 'generic' {
  for (const m of s.opcode.mods) {
    const plain = m.split('::')[0]!
    if (plain === 'global' || plain === 'shared' || plain === 'local' || plain === 'const' || plain === 'param') return plain
  }
  return 'generic'
}

/** The address operands of a memory instruction: one, or of cp.async two. */
export function addressesOf(s: Instruction): readonly AddressOperand[] {
  if (!isMemory.has(s.opcode.name) || isTensorCopy(s)) return []
  const all = s.operands.filter((o): o is AddressOperand => o.kind === 'address')
  return s.opcode.name === 'cp' ? all.slice(0, s.opcode.mods[1] === 'mbarrier' || s.opcode.mods.includes('prefetch') ? 0 : 2) : all
}

const isTensorCopy = (s: Instruction): boolean => s.opcode.name === 'cp' && s.opcode.mods.includes('tensor')

/** Where a copy goes to and comes from: in this order in a bulk copy's name, else into shared memory. */
function copySpaces(s: Instruction): readonly RootSpace[] {
  const named = s.opcode.mods.map((m) => m.split('::')[0]!).filter((m): m is RootSpace => m === 'shared' || m === 'global') // a part of a text
  return s.opcode.mods[1] === 'bulk' && named.length === 2 ? named : ['shared', 'global']
}

export function mapMemory(module: Module, entry: Func, body: FlatBody, dynamicShared: number): MemoryMap {
  return new Mapper(module, entry, body, dynamicShared).run()
}

/** Shared memory that the system keeps at the beginning of a block's own: 1 KiB since sm_90. */
const reserved = (name: string, line: number): Variable => ({ name, space: 'shared', type: 'b8', count: 1024, align: 128, initial: null, pointers: [], external: false, line })

const nothing = 0n

class Mapper {
  private readonly module: Module
  private readonly entry: Func
  private readonly body: FlatBody
  private readonly dynamicShared: number
  private readonly roots: Root[] = []
  private readonly rootIds = new Map<string, number>()
  private readonly variables = new Map<string, Variable>()
  private readonly params = new Map<string, number>()
  private readonly from: bigint[]
  /** What pointers are stored in a root's own memory. */
  private readonly contents = new Map<number, bigint>()
  private readonly cells = new Map<string, bigint>()
  private definite = nothing
  private changed = false

  constructor(module: Module, entry: Func, body: FlatBody, dynamicShared: number) {
    this.module = module
    this.entry = entry
    this.body = body
    this.dynamicShared = dynamicShared
    this.from = body.registers.map(() => nothing)
    for (const v of [...module.variables, ...body.variables]) if (!body.cells.has(v.name)) this.variables.set(v.name, v)
    entry.params.forEach((p, i) => this.params.set(p.name, i))
    for (const s of body.instructions) for (const o of s.operands) if (o.kind === 'name' && o.name.startsWith('%reserved_smem_offset_')) this.variables.set(o.name, reserved(o.name, s.line))
  }

  run(): MemoryMap {
    this.follow()
    this.alone()
    // Again, now that pointers are known from the numbers that they are moved by.
    this.from.fill(nothing)
    this.contents.clear()
    this.cells.clear()
    this.known = true
    this.follow()
    return this.build()
  }

  private follow(): void {
    for (let pass = 0; pass < 100; pass++) {
      this.changed = false
      for (const s of this.body.instructions) this.flow(s)
      if (!this.changed) return
    }
  }

  private known = false

  /** Where a sum points: of a pointer and a number, where the pointer does. */
  private sum(a: bigint, b: bigint): bigint {
    const sure = (set: bigint): boolean => (set & this.definite) !== nothing || idsIn(set).some((id) => this.roots[id]!.kind !== 'parameter')
    if (!this.known || a === nothing || b === nothing || sure(a) === sure(b)) return a | b
    return sure(a) ? a : b
  }

  /** What is an access's address without anything else is a pointer, not a number that others are moved by. */
  private alone(): void {
    for (const s of this.body.instructions) for (const a of addressesOf(s)) {
      const source = this.sourceOf(a)
      if (isSingle(source)) this.definite |= source
    }
  }

  private id(root: Root): number {
    const key = keyOf(root)
    let id = this.rootIds.get(key)
    if (id === undefined) { id = this.roots.length; this.roots.push(root); this.rootIds.set(key, id) }
    return id
  }
  private bit(root: Root): bigint { return 1n << BigInt(this.id(root)) }

  private sourceOf(o: Operand | undefined): bigint {
    if (!o) return nothing
    switch (o.kind) {
      case 'register': return this.from[o.id]!
      case 'name': {
        const v = this.variables.get(o.name)
        if (v) return this.bit({ kind: 'variable', variable: v })
        return this.params.has(o.name) ? this.bit({ kind: 'parameters' }) : nothing
      }
      case 'vector': return o.items.reduce((n, x) => n | this.sourceOf(x), nothing)
      case 'address': return this.sourceOf(o.base ?? undefined)
      case 'literal': case 'sink': case 'tuple': return nothing
    }
  }

  private give(o: Operand | undefined, roots: bigint): void {
    if (!o || roots === nothing) return
    if (o.kind === 'vector') { for (const x of o.items) this.give(x, roots); return }
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
      case 'mov': case 'cvt': case 'shfl': return this.give(dst, this.sourceOf(a))
      case 'cvta': {
        const source = this.sourceOf(a)
        if (mods[0] === 'to' && isSingle(source)) this.definite |= source
        return this.give(dst, source)
      }
      case 'add': return this.give(dst, this.sum(this.sourceOf(a), this.sourceOf(b)))
      case 'and': case 'or': case 'min': case 'max': case 'selp': return this.give(dst, this.sourceOf(a) | this.sourceOf(b))
      case 'sub': return this.give(dst, this.sourceOf(a))
      case 'mad': return this.give(dst, this.sourceOf(c))
      case 'ld': case 'ldu': return this.give(dst, this.loaded(s, a))
      case 'st': return this.stored(s, dst, a)
      case 'atom': if (mods.includes('exch') || mods.includes('cas')) this.give(dst, mods.includes('b64') ? this.bit({ kind: 'loaded' }) : nothing); return
      case 'bfi': case 'lop3': case 'prmt': return this.give(dst, this.sourceOf(a) | this.sourceOf(b))
      default: return
    }
  }

  private is64(s: Instruction): boolean {
    const type = s.opcode.mods[s.opcode.mods.length - 1]
    return type === 'u64' || type === 'b64' || type === 's64'
  }

  /** What a load gives: a pointer parameter, what was stored to its memory, or some pointer nobody knows. */
  private loaded(s: Instruction, a: Operand | undefined): bigint {
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
      const opaque = r.kind === 'parameter' || r.kind === 'loaded' || r.kind === 'parameters' || (r.kind === 'variable' && (r.variable.space === 'global' || r.variable.space === 'const'))
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

  private stored(s: Instruction, to: Operand | undefined, value: Operand | undefined): void {
    const roots = this.sourceOf(value)
    if (to?.kind !== 'address' || roots === nothing) return
    if (to.base?.kind === 'name' && this.body.cells.has(to.base.name)) {
      const key = `${to.base.name}+${to.offset}`
      const sum = (this.cells.get(key) ?? nothing) | roots
      if (sum !== this.cells.get(key)) { this.cells.set(key, sum); this.changed = true }
      return
    }
    if (!this.is64(s)) return
    for (const id of idsIn(this.sourceOf(to))) {
      const sum = (this.contents.get(id) ?? nothing) | roots
      if (sum !== this.contents.get(id)) { this.contents.set(id, sum); this.changed = true }
    }
  }

  private spaceOf(root: Root): RootSpace {
    if (root.kind === 'parameters') return 'const'
    if (root.kind !== 'variable') return 'global'
    const { space } = root.variable
    return space === 'param' ? 'local' : space
  }

  /** The roots that an access can reach, given the space it names. */
  private reach(s: Instruction, a: AddressOperand, space: PtxSpace | 'generic'): number[] {
    const all = idsIn(this.sourceOf(a))
    const fits = space === 'generic' ? all : all.filter((id) => this.spaceOf(this.roots[id]!) === (space === 'param' ? 'const' : space))
    if (fits.length > 0) return fits
    if (space === 'shared') return this.allOf('shared')
    if (space === 'local') return this.allOf('local')
    if (space === 'const') return this.allOf('const')
    return s.opcode.name === 'ld' && space === 'param' ? [] : [this.id({ kind: 'loaded' })]
  }

  private allOf(space: RootSpace): number[] {
    for (const v of this.variables.values()) if (v.space === space) this.id({ kind: 'variable', variable: v })
    return this.roots.flatMap((r, id) => (this.spaceOf(r) === space && r.kind === 'variable' ? [id] : []))
  }

  private build(): MemoryMap {
    const union = new Union()
    const first = new Map<AddressOperand, readonly number[]>()
    for (const s of this.body.instructions) {
      const addresses = addressesOf(s)
      addresses.forEach((a, k) => {
        if (a.base?.kind === 'name' && (this.body.cells.has(a.base.name) || (this.params.has(a.base.name) && spaceOfInstruction(s) === 'param'))) return
        const space = s.opcode.name === 'cp' ? copySpaces(s)[k]! : spaceOfInstruction(s)
        const ids = this.reach(s, a, space)
        if (ids.length === 0) return
        const groups = this.bySpace(s, ids)
        for (const g of groups) for (const id of g) union.join(g[0]!, id)
        first.set(a, groups.map((g) => g[0]!)) // groups have members
      })
    }
    this.mergeLoaded(union, first)
    return this.regions(union, first)
  }

  /** What an address may reach, by space. Only loads, stores and atomics can tell spaces apart. */
  private bySpace(s: Instruction, ids: readonly number[]): readonly (readonly number[])[] {
    const groups = new Map<RootSpace, number[]>()
    for (const id of ids) { const space = this.spaceOf(this.roots[id]!); groups.set(space, [...(groups.get(space) ?? []), id]) }
    const spaces = [...groups.keys()]
    const able = told.has(s.opcode.name) && !spaces.includes('const') && !(s.opcode.name !== 'ld' && s.opcode.name !== 'st' && spaces.includes('local'))
    if (spaces.length > 1 && !able) fail('ptx.unsupported', `the address of this access may lie in ${spaces.join(' or in ')} memory, which cannot be told apart here`, ptxSpan(this.module, s.line))
    return [...groups.values()]
  }

  /** A pointer that was read from memory may point into any buffer: all of them become one. */
  private mergeLoaded(union: Union, first: ReadonlyMap<AddressOperand, readonly number[]>): void {
    const loaded = this.rootIds.get('loaded')
    if (loaded === undefined || ![...first.values()].flat().some((id) => union.find(id) === union.find(loaded))) return
    for (const id of new Set([...first.values()].flat())) if (this.spaceOf(this.roots[id]!) === 'global') union.join(loaded, id)
    for (const roots of this.contents.values()) for (const id of idsIn(roots)) if (this.spaceOf(this.roots[id]!) === 'global') union.join(loaded, id)
  }

  private regions(union: Union, first: ReadonlyMap<AddressOperand, readonly number[]>): MemoryMap {
    const split = [...first.values()].some((ids) => ids.length > 1)
    const used = new Set([...first.values()].flat().map((id) => union.find(id)))
    const groups = new Map<number, Root[]>()
    this.roots.forEach((r, id) => {
      const g = union.find(id)
      if (!used.has(g)) return
      const list = groups.get(g)
      if (list) list.push(r)
      else groups.set(g, [r])
    })
    const shared = this.sharedLayout()
    const byGroup = new Map<number, Region>()
    const names = new Set<string>()
    let nextBase = split ? windows.local : 4096, nextLocal = windows.shared as number
    for (const [g, roots] of groups) {
      const space = this.spaceOf(roots[0]!)
      const apart = split && space === 'local'
      const region = this.region(space, roots, shared, apart ? nextLocal : nextBase, names)
      if (apart) nextLocal += 4096 * Math.ceil((region.bytes ?? 0) / 4096)
      else if (space !== 'shared') nextBase += 4096 + 4096 * Math.ceil((region.bytes ?? 0) / 4096)
      byGroup.set(g, region)
    }
    const byRoot = new Map<string, Region>()
    this.roots.forEach((r, id) => { const region = byGroup.get(union.find(id)); if (region) byRoot.set(keyOf(r), region) })
    const pointers = this.roots.filter((r): r is Extract<Root, { kind: 'parameter' }> => r.kind === 'parameter' && byRoot.has(keyOf(r)))
    if (nextLocal > windows.local) fail('ptx.unsupported', `local memory of ${nextLocal - windows.shared} bytes that pointers mix with shared or global memory cannot be analysed`)
    const byAddress = new Map([...first].map(([a, ids]) => [a, ids.map((id) => byGroup.get(union.find(id))!)]))
    return {
      regions: [...byGroup.values()], pointers,
      split,
      regionOf: (a) => byAddress.get(a)?.[0],
      regionsOf: (a) => byAddress.get(a) ?? [],
      rootsOf: (a) => idsIn(this.sourceOf(a)).map((id) => this.roots[id]!),
      spacesOf: (a) => [...new Set(idsIn(this.sourceOf(a)).map((id) => this.spaceOf(this.roots[id]!)))],
      addressOf: (name) => {
        const v = this.variables.get(name)
        const region = v ? byRoot.get(keyOf({ kind: 'variable', variable: v })) : this.params.has(name) ? byRoot.get('parameters') : undefined
        const place = region?.places.get(name)
        return region && place !== undefined ? region.base + place : undefined
      },
      regionOfRoot: (root) => byRoot.get(keyOf(root)),
    }
  }

  /** Offsets of shared variables as the assembler lays them out; arrays of unknown size share the end. */
  private sharedLayout(): { readonly places: Map<string, number>; readonly sizes: Map<string, number> } {
    const places = new Map<string, number>(), sizes = new Map<string, number>()
    const all = [...this.variables.values()].filter((v) => v.space === 'shared')
    let next = 0
    for (const v of all.filter((x) => x.count > 0)) {
      next = Math.ceil(next / v.align) * v.align
      places.set(v.name, next)
      sizes.set(v.name, v.count * bytesOfType[v.type])
      if (this.roots.some((r) => r.kind === 'variable' && r.variable.name === v.name)) next += v.count * bytesOfType[v.type]
    }
    next = Math.ceil(next / 16) * 16
    for (const v of all.filter((x) => x.count === 0)) { places.set(v.name, next); sizes.set(v.name, this.dynamicShared) }
    return { places, sizes }
  }

  private region(space: RootSpace, roots: readonly Root[], shared: ReturnType<Mapper['sharedLayout']>, nextBase: number, names: Set<string>): Region {
    const flat = roots.some((r) => r.kind === 'loaded')
    const variables = roots.flatMap((r) => (r.kind === 'variable' ? [r.variable] : []))
    const name = this.nameOf(space, roots, flat, names)
    const places = new Map<string, number>()
    if (space === 'shared') {
      const dynamic = variables.find((v) => v.count === 0)
      if (dynamic && this.dynamicShared === 0) fail('ptx.shared', `the kernel uses shared memory whose size the launch gives ('${shortName(dynamic.name)}')`, ptxSpan(this.module, dynamic.line), 'give its bytes with --shared BYTES, the third number of <<<grid, block, shared>>>')
      const base = Math.min(...variables.map((v) => shared.places.get(v.name)!))
      let end = base + 1
      for (const v of variables) { const at = shared.places.get(v.name)!; places.set(v.name, at - base); end = Math.max(end, at + shared.sizes.get(v.name)!) }
      return { name, space, roots, base, bytes: end - base, held: end - base, places, flat }
    }
    let next = 0
    if (roots.some((r) => r.kind === 'parameters')) for (const [i, at] of parameterPlaces(this.entry).entries()) {
      places.set(this.entry.params[i]!.name, at)
      next = at + sizeOfVariable(this.entry.params[i]!)
    }
    for (const v of variables) {
      next = Math.ceil(next / Math.max(16, v.align)) * Math.max(16, v.align)
      places.set(v.name, next)
      next += Math.max(1, v.count * bytesOfType[v.type])
    }
    const bound = space === 'global' && roots.some((r) => r.kind !== 'variable')
    return { name, space, roots, base: nextBase, bytes: bound ? null : Math.max(4, next), held: next, places, flat }
  }

  private nameOf(space: RootSpace, roots: readonly Root[], flat: boolean, names: Set<string>): string {
    const one = roots[0]!
    const only = roots.length === 1
    let name = 'memory'
    if (!flat && one.kind === 'parameters') name = 'parameters'
    else if (!flat && one.kind === 'parameter') name = only ? `param_${one.index}${one.offset > 0 || bytesOfType[this.entry.params[one.index]!.type] < 8 ? `_${one.offset}` : ''}` : `params_${roots.map((r) => (r.kind === 'parameter' ? r.index : 'x')).join('_').slice(0, 40)}`
    else if (!flat && one.kind === 'variable') name = only ? shortName(one.variable.name) : space
    const clean = (name === '' ? 'unnamed' : name).replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '_').slice(0, 60)
    let unique = clean
    for (let i = 2; names.has(unique); i++) unique = `${clean}_${i}`
    names.add(unique)
    return unique
  }
}

export const sizeOfVariable = (v: Variable): number => Math.max(1, v.count * bytesOfType[v.type])

/** Where each parameter of an entry lies among the parameters' bytes. */
export function parameterPlaces(entry: Func): number[] {
  let next = 0
  return entry.params.map((p) => {
    const at = Math.ceil(next / p.align) * p.align
    next = at + sizeOfVariable(p)
    return at
  })
}

class Union {
  private readonly up = new Map<number, number>()
  find(x: number): number {
    let at = x
    for (let next = this.up.get(at); next !== undefined; next = this.up.get(at)) at = next
    return at
  }
  join(a: number, b: number): void {
    const [x, y] = [this.find(a), this.find(b)]
    if (x !== y) this.up.set(Math.max(x, y), Math.min(x, y))
  }
}

const isSingle = (set: bigint): boolean => set !== nothing && (set & (set - 1n)) === nothing

function idsIn(set: bigint): number[] {
  const ids: number[] = []
  for (let rest = set, id = 0; rest !== nothing; rest >>= 1n, id++) if (rest & 1n) ids.push(id)
  return ids
}

export const keyOf = (r: Root): string => {
  switch (r.kind) {
    case 'parameter': return `parameter ${r.index} ${r.offset}`
    case 'variable': return `variable ${r.variable.name}`
    case 'parameters': case 'loaded': return r.kind
  }
}
