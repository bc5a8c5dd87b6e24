// In: a kernel. Out: the same kernel, in which private arrays whose every index is a constant are registers, one an
// element. The one idea: such an array has no need of addresses, so that no compiler keeps it in memory: a write is a
// new value of the register, a read its value until the next write. Promotion of memory to registers after scalar
// replacement of aggregates (Muchnick, Advanced
// Compiler Design and Implementation, 12.2), then propagation of copies inside straight code (the same, 12.5).
import {
  allStatements,
  bytesOf,
  constOf,
  definedOnce,
  kernelIR,
  mapUses,
  pass,
  registerType,
  type Address,
  type Kernel,
  type MemoryType,
  type Operand,
  type Reg,
  type Stmt,
} from '../../ir/index.ts'

// Before:
//
//   kernel twice block 32 1 1
//   global y: f32[*] read-write
//   local pair: f32[2] read-write zeroed
//   reg i.0: u32
//   reg v.1: f32
//   reg twice.2: f32
//   {
//     i.0 = builtin threadIdx.x
//     v.1 = load f32 y[i.0 * 4 + 0]
//     store f32 pair[u32:1 * 4 + 0] = v.1
//     v.1 = load f32 pair[u32:0 * 4 + 4]
//     twice.2 = add v.1, v.1
//     store f32 y[i.0 * 4 + 0] = twice.2
//   }
//
// After:
//
//   kernel twice block 32 1 1
//   global y: f32[*] read-write
//   reg i.0: u32
//   reg v.1: f32
//   reg twice.2: f32
//   reg pair1.3: f32
//   {
//     i.0 = builtin threadIdx.x
//     v.1 = load f32 y[i.0 * 4 + 0]
//     pair1.3 = copy v.1
//     v.1 = copy pair1.3
//     twice.2 = add v.1, v.1
//     store f32 y[i.0 * 4 + 0] = twice.2
//   }
export const registerPromotion = /* @__PURE__ */ pass<Kernel>({
  name: 'register-promotion',
  summary: 'private arrays that are indexed by constants only become registers, one an element',
  of: kernelIR,
  run: replaced,
})

/** Elements of an array at most: a thread has 255 registers on the largest GPUs, and a few times that may be dead. */
const mostElements = 1024

function replaced(kernel: Kernel): Kernel {
  const homes = homesOf(kernel)
  if (homes.size === 0) return kernel
  const elements = [...homes.values()].flatMap((places) => [...places.values()])
  const body = new Replacement(kernel, homes).body()
  return {
    ...kernel,
    resources: kernel.resources.filter((r) => !homes.has(r.name)),
    registers: [...kernel.registers, ...elements],
    body,
  }
}

/** The registers of an array's elements by their first byte. */
type Places = ReadonlyMap<number, Reg>

interface Access {
  readonly type: MemoryType
  readonly lanes: number
  readonly address: Address
}

function accessOf(s: Stmt): Access | null {
  if (s.kind === 'load') return { type: s.type, lanes: s.dst.length, address: s.address }
  if (s.kind === 'store') return { type: s.type, lanes: s.src.length, address: s.address }
  return 'address' in s ? { type: s.type, lanes: 0, address: s.address } : null
}

/** First bytes of what an access touches; null where its index is no constant. */
function bytesTouched({ type, lanes, address }: Access): readonly number[] | null {
  if (address.index.kind !== 'const' || lanes === 0) return null
  const first = Number(address.index.value) * address.stride + address.offset
  return Array.from({ length: lanes }, (_, i) => first + i * bytesOf[type])
}

/** Arrays that can be registers: every access has a constant place inside, and no two take it as different types. */
function homesOf(kernel: Kernel): ReadonlyMap<string, Places> {
  const types = new Map<string, Map<number, MemoryType>>()
  const sizes = new Map<string, number>()
  for (const r of kernel.resources) {
    if (r.space !== 'local' || r.count === null || r.count > mostElements) continue
    types.set(r.name, new Map())
    sizes.set(r.name, r.count * bytesOf[r.type])
  }
  for (const s of allStatements(kernel.body)) {
    const access = accessOf(s)
    const known = access && types.get(access.address.resource)
    if (!access || !known) continue
    const name = access.address.resource
    const touched = bytesTouched(access)
    const fits = touched?.every((at) => fitsBeside(known, at, access.type, sizes.get(name)!))
    if (!fits) types.delete(name)
    else for (const at of touched ?? []) known.set(at, access.type)
  }
  return registersOf(types, kernel.registers.length)
}

function fitsBeside(known: ReadonlyMap<number, MemoryType>, at: number, type: MemoryType, size: number): boolean {
  const bytes = bytesOf[type]
  // every element begins at a multiple of its size, so that those which overlap share the place of the larger one
  const others = [...Array(bytes).keys()].map((i) => at + i).filter((b) => known.has(b))
  const inside = at >= 0 && at + bytes <= size && at % bytes === 0
  const inLarger = [2, 4, 8].some((n) => n > bytes && bytesAt(known, at - (at % n)) >= n)
  return inside && !inLarger && others.every((b) => b === at && known.get(b) === type)
}

const bytesAt = (known: ReadonlyMap<number, MemoryType>, at: number): number => {
  const type = known.get(at)
  return type ? bytesOf[type] : 0
}

function registersOf(
  types: ReadonlyMap<string, ReadonlyMap<number, MemoryType>>,
  first: number,
): ReadonlyMap<string, Places> {
  const homes = new Map<string, Places>()
  let id = first
  for (const [name, places] of types) {
    const registers = new Map<number, Reg>()
    for (const [at, type] of [...places].sort(([a], [b]) => a - b)) {
      const register: Reg = { kind: 'reg', id, type: registerType(type), name: `${name}${at / bytesOf[type]}` }
      registers.set(at, register)
      id++
    }
    homes.set(name, registers)
  }
  return homes
}

/** What reads of elements gave, by the register that they were read into: valid until the element is written again. */
type Copies = Map<number, Reg>

class Replacement {
  private readonly kernel: Kernel
  private readonly homes: ReadonlyMap<string, Places>
  private readonly values: ReadonlyMap<number, Stmt>

  constructor(kernel: Kernel, homes: ReadonlyMap<string, Places>) {
    this.kernel = kernel
    this.homes = homes
    this.values = definedOnce(kernel.body)
  }

  body(): readonly Stmt[] {
    return [...this.zeros(), ...this.list(this.kernel.body, new Map())]
  }

  /** WGSL's private memory begins as zeros; not needed for elements that the kernel's own list writes first. */
  private zeros(): readonly Stmt[] {
    const mentioned = new Set<Reg>(),
      written = new Set<Reg>()
    for (const s of this.kernel.body) {
      const own = s.kind === 'store' ? this.registersOf(s) : null
      for (const r of own ?? []) if (!mentioned.has(r)) written.add(r)
      for (const inner of allStatements([s])) for (const r of this.registersOf(inner) ?? []) mentioned.add(r)
    }
    const zeroed = this.kernel.resources.filter((r) => r.zeroed && this.homes.has(r.name))
    return zeroed
      .flatMap((r) => [...this.homes.get(r.name)!.values()])
      .filter((r) => !written.has(r))
      .map((dst): Stmt => ({ kind: 'op', op: 'copy', dst, args: [constOf(dst.type, zeroOf(dst))] }))
  }

  /** Registers of the elements that a statement touches; null where it touches no array that is replaced. */
  private registersOf(s: Stmt): readonly Reg[] | null {
    const access = accessOf(s)
    const places = access && this.homes.get(access.address.resource)
    return access && places ? bytesTouched(access)!.map((at) => places.get(at)!) : null
  }

  private list(body: readonly Stmt[], copies: Copies): readonly Stmt[] {
    return body.flatMap((s) => this.statement(s, copies))
  }

  private statement(s: Stmt, copies: Copies): readonly Stmt[] {
    const operand = (o: Operand): Operand => (o.kind === 'reg' ? (copies.get(o.id) ?? o) : o)
    const elements = this.registersOf(s)
    if (elements && s.kind === 'load') return s.dst.map((dst, i) => this.read(s, dst, elements[i]!, copies))
    if (elements && s.kind === 'store') {
      // all lanes are read before one is written
      const src = s.src.map(operand)
      this.forget(elements, copies)
      return src.map((value, i): Stmt => ({ ...placed(s), kind: 'op', op: 'copy', dst: elements[i]!, args: [value] }))
    }
    if (s.kind === 'if') {
      const condition = operand(s.condition)
      const [then, other] = [this.list(s.then, new Map(copies)), this.list(s.else, new Map(copies))]
      this.forget(this.writtenIn([s]), copies)
      return [{ ...s, condition, then, else: other }]
    }
    if (s.kind === 'loop') {
      this.forget(this.writtenIn([s]), copies)
      const inside = new Map(copies)
      const body = this.list(s.body, inside)
      // another trip, or `continue`, may have come here past some of the body
      return [{ ...s, body, continuing: this.list(s.continuing, new Map(copies)) }]
    }
    return [mapUses(s, operand, (inner) => inner)]
  }

  private read(s: Stmt, dst: Reg, element: Reg, copies: Copies): Stmt {
    if (this.values.has(dst.id)) copies.set(dst.id, element)
    return { ...placed(s), kind: 'op', op: 'copy', dst, args: [element] }
  }

  private writtenIn(list: readonly Stmt[]): readonly Reg[] {
    return allStatements(list).flatMap((s) => (s.kind === 'store' ? (this.registersOf(s) ?? []) : []))
  }

  private forget(written: readonly Reg[], copies: Copies): void {
    const ids = new Set(written.map((r) => r.id))
    for (const [id, element] of copies) if (ids.has(element.id)) copies.delete(id)
  }
}

const zeroOf = (r: Reg): number | bigint => (r.type === 'i64' || r.type === 'u64' ? 0n : 0)

/** Where a statement stands and what it counts as, without what it does. */
const placed = ({ at, comment, free }: Stmt): Pick<Stmt, 'at' | 'comment' | 'free'> => ({
  ...(at && { at }),
  ...(comment !== undefined && { comment }),
  ...(free && { free }),
})
