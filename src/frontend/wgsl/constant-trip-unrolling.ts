// In: a kernel. Out: the same kernel, in which counted loops that index private arrays are written out, so that those
// indices are constants. The one idea: partial evaluation. A loop is run here as far as constants decide, trip by trip,
// and what they do not decide is left as code; a loop in which anything else decides how long it runs stays. Compilers
// of WGSL do this because a register has no address: an array whose indices are constants is registers
// (`register-promotion.ts`), one with an index known only at run time is memory. Full unrolling by constant trip counts
// is in Muchnick, Advanced Compiler Design and Implementation, 17.4.1.
import {
  allStatements,
  definesOf,
  evaluate,
  isFloat,
  kernelIR,
  listsOf,
  mapDefines,
  mapUses,
  pass,
  roundTo,
  usesOf,
  type Address,
  type Const,
  type Kernel,
  type Operand,
  type Reg,
  type Stmt,
} from '../../ir/index.ts'

type Loop = Extract<Stmt, { kind: 'loop' }>

// Before:
//
//   kernel pair block 32 1 1
//   global y: f32[*] read-write
//   local pair: f32[2] read-write zeroed
//   reg i.0: u32
//   reg more.1: bool
//   reg v.2: f32
//   {
//     i.0 = copy u32:0
//     loop {
//       more.1 = lt i.0, u32:2
//       if more.1 {
//       } else {
//         break
//       }
//       v.2 = convert i.0
//       store f32 pair[i.0 * 4 + 0] = v.2
//     } continuing {
//       i.0 = add i.0, u32:1
//     }
//   }
//
// After:
//
//   kernel pair block 32 1 1
//   global y: f32[*] read-write
//   local pair: f32[2] read-write zeroed
//   reg i.0: u32
//   reg more.1: bool
//   reg v.2: f32
//   reg more.3: bool
//   reg v.4: f32
//   reg more.5: bool
//   reg v.6: f32
//   reg more.7: bool
//   {
//     store f32 pair[u32:0 * 4 + 0] = f32:0
//     store f32 pair[u32:1 * 4 + 0] = f32:1
//   }
export const constantTripUnrolling = /* @__PURE__ */ pass<Kernel>({
  name: 'constant-trip-unrolling',
  summary: 'loops of a constant number of trips that index private arrays are written out, where that is short enough',
  of: kernelIR,
  run: unrolled,
})

/**
 * Instructions that one loop may become: the size up to which `model/residue.ts` assumes that compilers write out
 * constant loops. What constants decide, and the accesses that become registers, are none.
 */
const mostOfOneLoop = 1024
/**
 * Statements that all loops of a kernel may become together, and that are looked at for one: as much as keeps a report
 * quick.
 */
const mostOfAll = 16384

function unrolled(kernel: Kernel): Kernel {
  const arrays = new Set(kernel.resources.filter((r) => r.space === 'local').map((r) => r.name))
  if (!hasOpenIndex(kernel.body, arrays)) return kernel
  // an array that one index known at run time reaches stays in memory: no loop is written out for its sake
  for (let before = Infinity; arrays.size > 0 && arrays.size < before; ) {
    before = arrays.size
    const next = new Unroller(kernel, arrays).result()
    const open = openArrays(next.body, arrays)
    if (open.size === 0) return next
    for (const name of open) arrays.delete(name)
  }
  return kernel
}

const addressOf = (s: Stmt): Address | null => ('address' in s ? s.address : null)

function openArrays(body: readonly Stmt[], arrays: ReadonlySet<string>): Set<string> {
  const open = new Set<string>()
  for (const s of allStatements(body)) {
    const address = addressOf(s)
    if (address && arrays.has(address.resource) && address.index.kind !== 'const') open.add(address.resource)
  }
  return open
}

const hasOpenIndex = (body: readonly Stmt[], arrays: ReadonlySet<string>): boolean => openArrays(body, arrays).size > 0

/** How a list of statements ends: it falls through, it leaves or continues the loop around it, or that is not known. */
type Ending = 'through' | 'break' | 'continue' | 'open'

class Unroller {
  private readonly kernel: Kernel
  private readonly arrays: ReadonlySet<string>
  private readonly registers: Reg[]
  /** Registers with one definition, which stands before all uses: each copy of a loop has its own. */
  private readonly values: ReadonlySet<number>
  /** What registers are known to hold. */
  private known = new Map<number, Const>()
  private readonly renamed = new Map<number, Reg>()
  /** Loops that are written out around the statement. */
  private depth = 0
  /** Instructions that were written, and statements that were looked at. */
  private size = 0
  private seen = 0

  constructor(kernel: Kernel, arrays: ReadonlySet<string>) {
    this.kernel = kernel
    this.arrays = arrays
    this.registers = [...kernel.registers]
    this.values = valuesOf(kernel.body)
  }

  result(): Kernel {
    const out: Stmt[] = []
    this.list(this.kernel.body, out)
    const body = withoutDeadConstants(out)
    return { ...this.kernel, registers: this.registers, body }
  }

  private list(body: readonly Stmt[], out: Stmt[]): Ending {
    for (const s of body) {
      const ending = this.statement(s, out)
      if (ending !== 'through') return ending
    }
    return 'through'
  }

  private statement(s: Stmt, out: Stmt[]): Ending {
    switch (s.kind) {
      case 'if':
        return this.branch(s, out)
      case 'loop':
        this.loop(s, out)
        return 'through'
      case 'break':
      case 'continue':
        if (this.depth === 0) out.push(s)
        return this.depth === 0 ? 'through' : s.kind
      default:
        this.simple(s, out)
        return 'through'
    }
  }

  private readonly operand = (o: Operand): Operand => {
    if (o.kind !== 'reg') return o
    return this.known.get(o.id) ?? this.renamed.get(o.id) ?? o
  }

  private simple(s: Stmt, out: Stmt[]): void {
    this.seen++
    const used = mapUses(s, this.operand, (inner) => inner)
    const value = foldedValue(used)
    if (!value && !this.isRegister(used)) this.size++
    const made = mapDefines(used, (r) => this.defined(r))
    for (const r of definesOf(s)) this.known.delete(r.id)
    if (value && s.kind === 'op') this.known.set(s.dst.id, value)
    out.push(made)
  }

  private isRegister(s: Stmt): boolean {
    const address = addressOf(s)
    return address !== null && this.arrays.has(address.resource) && address.index.kind === 'const'
  }

  private defined(r: Reg): Reg {
    if (this.depth === 0 || !this.values.has(r.id)) return r
    const fresh: Reg = { ...r, id: this.registers.length }
    this.registers.push(fresh)
    this.renamed.set(r.id, fresh)
    return fresh
  }

  private branch(s: Extract<Stmt, { kind: 'if' }>, out: Stmt[]): Ending {
    const condition = this.operand(s.condition)
    // decided, and inside a loop that is written out: elsewhere programs stay as their authors wrote them
    if (condition.kind === 'const' && this.depth > 0)
      return this.list(Number(condition.value) === 1 ? s.then : s.else, out)
    const before = new Map(this.known)
    const sides: Stmt[][] = [[], []]
    const endings = [s.then, s.else].map((list, i) => {
      this.known = new Map(before)
      return this.list(list, sides[i]!)
    })
    if (endings.some((e) => e !== 'through')) return 'open'
    this.known = before
    this.forget([s])
    out.push({ ...s, condition, then: sides[0]!, else: sides[1]! })
    return 'through'
  }

  private forget(list: readonly Stmt[]): void {
    for (const inner of allStatements(list)) for (const r of definesOf(inner)) this.known.delete(r.id)
  }

  private loop(s: Loop, out: Stmt[]): void {
    if (this.seen < mostOfAll && hasOpenIndex([...s.body, ...s.continuing], this.arrays)) {
      const [known, renamed, registers, size, seen] = [
        new Map(this.known),
        new Map(this.renamed),
        this.registers.length,
        this.size,
        this.seen,
      ]
      const written = this.trips(s)
      if (written) {
        out.push(...written)
        return
      }
      this.known = known
      this.renamed.clear()
      for (const [id, r] of renamed) this.renamed.set(id, r)
      this.registers.length = registers
      this.size = size
      this.seen = seen
    }
    this.kept(s, out)
  }

  /** The loop as code: nothing that it assigns is known inside or behind it; loops inside may be written out. */
  private kept(s: Loop, out: Stmt[]): void {
    const depth = this.depth
    this.depth = 0
    this.forget([s])
    const body: Stmt[] = [],
      continuing: Stmt[] = []
    this.list(s.body, body)
    this.forget([s])
    this.list(s.continuing, continuing)
    this.forget([s])
    this.depth = depth
    out.push({ ...s, body, continuing })
  }

  /** All trips of a loop one after the other; null where more than constants decide how many there are. */
  private trips(s: Loop): readonly Stmt[] | null {
    const out: Stmt[] = []
    const most = this.size + mostOfOneLoop,
      mostSeen = this.seen + mostOfAll
    this.depth++
    let ending: Ending = 'through'
    while (ending === 'through' && this.size <= most && this.seen <= mostSeen) {
      this.seen++ // also of a trip that leaves nothing
      ending = this.list(s.body, out)
      if (ending === 'through' || ending === 'continue') ending = this.list(s.continuing, out)
    }
    this.depth--
    return ending === 'break' ? out : null
  }
}

/** The value of an operation on whole numbers and conditions, or of a conversion, whose arguments are constants. */
function foldedValue(s: Stmt): Const | null {
  if (s.kind !== 'op' || (isFloat(s.dst.type) && s.op !== 'convert')) return null
  const args = s.args.filter((a) => a.kind === 'const')
  if (args.length < s.args.length || args.length === 0) return null
  const type = s.op === 'select' ? args[1]!.type : args[0]!.type
  if (isFloat(type)) return null
  const value = evaluate(
    s.op,
    type,
    args.map((a) => a.value),
    s.dst.type,
  )
  return { kind: 'const', type: s.dst.type, value: roundTo(s.dst.type, value) }
}

/** Registers that are defined once, before every use in the order of the text. */
function valuesOf(body: readonly Stmt[]): Set<number> {
  const once = new Set<number>(),
    other = new Set<number>()
  for (const s of allStatements(body)) {
    for (const o of usesOf(s)) if (o.kind === 'reg' && !once.has(o.id)) other.add(o.id)
    for (const r of definesOf(s)) {
      if (once.has(r.id)) other.add(r.id)
      once.add(r.id)
    }
  }
  for (const id of other) once.delete(id)
  return once
}

/** Operations that nobody reads any more, because what they give was known. */
function withoutDeadConstants(body: readonly Stmt[]): readonly Stmt[] {
  const read = new Set<number>()
  for (const s of allStatements(body)) for (const o of usesOf(s)) if (o.kind === 'reg') read.add(o.id)
  const isDead = (s: Stmt): boolean => s.kind === 'op' && !read.has(s.dst.id)
  const walk = (list: readonly Stmt[]): readonly Stmt[] =>
    list
      .filter((s) => !isDead(s))
      .map((s) => (listsOf(s).length > 0 && s.kind !== 'matrix' ? mapUses(s, (o) => o, walk) : s))
  const next = walk(body)
  return allStatements(next).length === allStatements(body).length ? next : withoutDeadConstants(next)
}
