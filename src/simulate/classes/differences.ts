// In: a kernel, a launch, and what one block of it did. Out: what another block must have in common with it to count
// the same. The one idea: abstract interpretation in which a register is a term of the block plus something that no
// block changes. Then two blocks whose decisions fall alike run the same statements on the same lanes, and an address
// differs by the difference of its term alone: induction over the steps of execution. Only what the block executed is
// looked at. What is loaded from memory that others write, at places that blocks choose, has no term ('data').
import {
  isWideInteger,
  bytesOf,
  definesOf,
  isBound,
  isFloat,
  readElement,
  usesOf,
  type Builtin,
  type Kernel,
  type Launch,
  type MemoryType,
  type Operand,
  type ScalarType,
  type Stmt,
} from '../../ir/index.ts'
import type { Margins } from '../jit/margins.ts'
import type { Site } from '../observe/sites.ts'
import type { Decision, Slice } from './decisions.ts'
import type { Terms, BlockTerm } from './term.ts'

/** `pure`: the term is all of it, so that constants can be told from what threads add. */
interface Known {
  readonly term: BlockTerm
  readonly pure: boolean
}
type Abstract = Known | 'data'

/** What one block did, as far as it can tell blocks apart. */
export interface Observed {
  readonly executed: (s: Stmt) => boolean
  readonly margins: (d: Decision) => Margins
  /** Whether lanes of a site were out of bounds. */
  readonly left: (site: number) => boolean
}

/** What must hold between two blocks. */
export type Condition =
  /** The term is the same, or its remainder by a number. */
  | { readonly kind: 'same'; readonly term: BlockTerm; readonly modulo: number | null }
  /** The decision falls alike: a and b differ by what these terms do. */
  | {
      readonly kind: 'alike'
      readonly decision: Decision
      readonly a: BlockTerm
      readonly b: BlockTerm
      readonly wide?: BlockTerm
    }
  /** Indices of the site stay in bounds. */
  | { readonly kind: 'inside'; readonly site: Site; readonly term: BlockTerm }

/** Null: contents of buffers decide, and no other block is known to do the same. */
export type Conditions = readonly Condition[] | null

export interface BlockSetting {
  readonly kernel: Kernel
  readonly launch: Launch
  readonly slice: Slice
  readonly terms: Terms
  readonly sites: readonly Site[]
  /** Bytes after which counting rules repeat: addresses equal modulo this count the same. */
  readonly period: number
  /** Buffers hold zeros that nobody reads back. */
  readonly blank: boolean
}

/** What other blocks must share with blocks observed, by what is looked at of these: many classes run alike. */
export class SharedConditions {
  private readonly known = new Map<string, Conditions>()

  constructor(private readonly setting: BlockSetting) {}

  /** What other blocks must share with the block observed. */
  of(observed: Observed): Conditions {
    const key = this.lookedAt(observed),
      known = this.known.get(key)
    if (known !== undefined) return known
    const found = new Interpretation(this.setting, observed).run()
    this.known.set(key, found)
    return found
  }

  /** Which statements ran, which sites left their buffers, and to which sides decisions fell. */
  private lookedAt({ executed, left, margins }: Observed): string {
    const { slice, sites } = this.setting
    let text = ''
    for (const s of slice.statements) text += executed(s) ? '1' : '0'
    for (const { index } of sites) text += left(index) ? '1' : '0'
    for (const d of slice.decisions.values()) {
      const m = margins(d)
      text += `${m.below === -Infinity ? '0' : '1'}${m.above === Infinity ? '0' : '1'}`
    }
    return text
  }
}

const noBlock = (a: Abstract): boolean => a !== 'data' && a.term.constant !== null

class Interpretation {
  private readonly registers = new Map<number, Abstract>()
  private readonly arrays = new Map<string, Abstract>()
  /** Registers and arrays whose definitions move differently: all that they were made of must be the same. */
  private readonly mixed = new Set<number | string>()
  private conditions: Condition[] = []
  private keys = new Set<string>()
  private changed = true
  private readonly opaque: Known
  private readonly statements: readonly Stmt[]
  /** Registers that some of them assigns; all that they use is set by others of them. */
  private readonly assigned: ReadonlySet<number>
  private readonly resources: ReadonlyMap<string, Kernel['resources'][number]>
  private readonly setting: BlockSetting
  private readonly observed: Observed

  constructor(setting: BlockSetting, observed: Observed) {
    this.setting = setting
    this.observed = observed
    this.opaque = { term: setting.terms.zero, pure: false }
    this.statements = setting.slice.statements.filter((s) => observed.executed(s))
    this.assigned = new Set(this.statements.flatMap((s) => definesOf(s).map((r) => r.id)))
    this.resources = new Map(setting.kernel.resources.map((r) => [r.name, r]))
    for (const id of setting.slice.unassigned) this.registers.set(id, { term: setting.terms.zero, pure: true })
    for (const r of setting.kernel.resources)
      if (setting.slice.arrays.has(r.name))
        this.arrays.set(r.name, r.zeroed ? { term: setting.terms.zero, pure: true } : this.opaque)
  }

  run(): Conditions {
    while (this.changed) {
      this.changed = false
      this.conditions = []
      this.keys = new Set()
      for (const s of this.statements) this.statement(s)
    }
    return this.decides() ? null : this.conditions
  }

  /** Whether contents reach a condition or an address; otherwise notes what addresses need. */
  private decides(): boolean {
    const at = new Map(this.setting.sites.map((s) => [s.stmt as Stmt, s]))
    return this.statements.some((s) => {
      if (s.kind === 'if') return this.of(s.condition) === 'data'
      const site = at.get(s)
      if (!site) return false
      const index = this.of(site.address.index)
      if (index === 'data') return true
      if (index.term.constant === null && site.address.stride !== 0) this.addressed(site, index)
      return false
    })
  }

  /** Requests whose addresses are equal modulo the period count the same, as long as the same lanes are in bounds. */
  private addressed(site: Site, index: Known): void {
    const { period } = this.setting
    if (this.observed.left(site.index)) {
      this.same(index)
      return
    }
    this.sameRemainder(index, period / divisor(period, Math.abs(site.address.stride)))
    this.require(`i${site.index}`, { kind: 'inside', site, term: index.term.moving })
  }

  private require(key: string, condition: Condition): void {
    if (this.keys.has(key)) return
    this.keys.add(key)
    this.conditions.push(condition)
  }

  /** The value with its term wanted the same in both blocks, so that nothing of it depends on them. */
  private same(a: Abstract): Abstract {
    if (a === 'data' || a.term.constant !== null) return a === 'data' ? a : this.opaque
    const term = a.term.moving
    this.require(`s${term.id}`, { kind: 'same', term, modulo: null })
    return this.opaque
  }

  /** The same of the remainder of the term. */
  private sameRemainder(a: Known, modulo: number): void {
    if (a.term.constant !== null) return
    const term = a.term.moving
    this.require(`r${term.id} ${modulo}`, { kind: 'same', term, modulo })
  }

  private of(o: Operand): Abstract {
    const { terms, launch } = this.setting
    switch (o.kind) {
      case 'reg':
        return this.registers.get(o.id) ?? { term: terms.zero, pure: true }
      case 'const':
        return this.constant(o.value, o.type)
      case 'param':
        return this.constant(launch.params[o.name] ?? 0, o.type)
    }
  }

  private constant(value: number | bigint, type: ScalarType): Abstract {
    if (isFloat(type as 'f32') && type !== 'bool') return this.opaque
    const signed = isWideInteger(type) ? Number(BigInt.asIntN(64, BigInt(value))) : Number(value) | 0
    return { term: this.setting.terms.constant(signed), pure: true }
  }

  private statement(s: Stmt): void {
    const { slice } = this.setting
    if ((s.kind === 'store' || s.kind === 'atomic') && slice.arrays.has(s.address.resource)) this.kept(s)
    const wanted = definesOf(s).filter((r) => slice.deciding.has(r.id))
    if (wanted.length === 0 || this.waits(s)) return
    const common = this.value(s)
    for (const r of wanted) {
      const before = this.registers.get(r.id)
      const value = s.kind === 'load' ? (this.literal(s, s.dst.indexOf(r)) ?? common) : common
      const next = this.mixed.has(r.id) ? this.same(value) : this.joined(before, value, r.id)
      this.changed ||= !equal(before, next)
      this.registers.set(r.id, next)
    }
  }

  /** Whether the statement reads what no statement before has given a value yet. */
  private waits(s: Stmt): boolean {
    return usesOf(s).some((o) => o.kind === 'reg' && this.assigned.has(o.id) && !this.registers.has(o.id))
  }

  /** What shared or local memory may hold now. */
  private kept(s: Extract<Stmt, { kind: 'store' | 'atomic' }>): void {
    if (this.waits(s)) return
    const name = s.address.resource,
      operands = s.kind === 'store' ? s.src : s.args,
      whole = s.kind === 'store' && this.isWhole(s)
    for (const operand of operands) {
      const value = whole && !this.mixed.has(name) ? this.of(operand) : this.same(this.of(operand))
      const before = this.arrays.get(name)
      const isMixed = this.mixed.has(name) && before !== 'data' && value !== 'data'
      const next = isMixed ? this.opaque : this.joined(before, value, name)
      this.changed ||= !equal(before, next)
      this.arrays.set(name, next)
    }
  }

  /** Whether an access takes elements as they were declared, no halves of them. */
  private isWhole({ type, address }: Extract<Stmt, { kind: 'load' | 'store' }>): boolean {
    const declared = this.resources.get(address.resource)?.type
    return declared !== undefined && bytesOf[type] >= 4 && bytesOf[type] === bytesOf[declared]
  }

  private joined(before: Abstract | undefined, value: Abstract, whose: number | string): Abstract {
    if (before === undefined) return value
    if (before === 'data' || value === 'data') return 'data'
    if (before.term === value.term) return before.pure ? value : before
    if (before.term.moving === value.term.moving) return { term: value.term.moving, pure: false }
    if (noBlock(before) && noBlock(value)) return this.opaque
    this.mixed.add(whose)
    this.changed = true
    return this.opaque
  }

  private value(s: Stmt): Abstract {
    switch (s.kind) {
      case 'op':
        return this.operation(s)
      case 'builtin':
        return this.builtin(s.name)
      case 'load':
        return this.loaded(s)
      case 'atomic':
        return this.resources.get(s.address.resource)?.space === 'shared' && !this.isData(s) ? this.opaque : 'data'
      case 'subgroup':
        return this.across(s)
      case 'store':
      case 'barrier':
      case 'matrix':
      case 'if':
      case 'loop':
      case 'break':
      case 'continue':
      case 'return':
        return this.opaque
    }
  }

  private isData(s: Extract<Stmt, { kind: 'atomic' }>): boolean {
    return this.arrays.get(s.address.resource) === 'data'
  }

  private builtin(name: Builtin): Abstract {
    const { terms, launch, kernel } = this.setting
    const axis = name.endsWith('.x') ? 0 : name.endsWith('.y') ? 1 : 2
    if (name.startsWith('blockIdx')) return { term: terms.block(axis), pure: true }
    if (name.startsWith('gridDim')) return { term: terms.constant(launch.grid[axis]), pure: true }
    if (name.startsWith('blockDim')) return { term: terms.constant(kernel.block[axis]), pure: true }
    return this.opaque
  }

  private loaded(s: Extract<Stmt, { kind: 'load' }>): Abstract {
    const resource = this.resources.get(s.address.resource)
    if (!resource) return 'data'
    if (!isBound(resource)) {
      const held = this.arrays.get(resource.name) ?? this.opaque
      if (held === 'data' || this.of(s.address.index) === 'data') return 'data'
      return this.isWhole(s) ? held : this.same(held)
    }
    if (resource.access !== 'read') return 'data'
    if (this.setting.blank) return this.opaque
    return noBlock(this.of(s.address.index)) ? this.opaque : 'data'
  }

  /** The number that element `k` of a load at a known place of a read-only buffer has: sizes, mostly. */
  private literal({ address, type }: Extract<Stmt, { kind: 'load' }>, k: number): Abstract | null {
    const { launch, terms, blank } = this.setting
    const resource = this.resources.get(address.resource),
      buffer = launch.buffers[address.resource]
    const index = this.of(address.index)
    if (!resource || !buffer || resource.access !== 'read' || index === 'data') return null
    if (!index.pure || index.term.constant === null) return null
    const at = index.term.constant * address.stride + address.offset + k * bytesOf[type]
    if (at < 0 || at + bytesOf[type] > buffer.byteLength) return null
    const value = blank ? 0 : integerAt(new DataView(buffer), at, type)
    return value === null ? null : { term: terms.constant(value), pure: true }
  }

  /** Lanes get values of other lanes, or what is made of those of all. */
  private across(s: Extract<Stmt, { kind: 'subgroup' }>): Abstract {
    const [value, lane] = s.args.map((a) => this.of(a))
    if (value === 'data' || lane === 'data') return 'data'
    if (lane) this.same(lane)
    if (value === undefined) return this.opaque
    const moves = s.op.startsWith('shuffle') || s.op.startsWith('broadcast')
    return moves ? { term: value.term.moving, pure: false } : this.same(value)
  }

  private operation(s: Extract<Stmt, { kind: 'op' }>): Abstract {
    const all = s.args.map((a) => this.of(a))
    const args = all.flatMap((a) => (a === 'data' ? [] : [a]))
    if (args.length < all.length) return 'data'
    const from = s.args[s.op === 'select' ? 1 : 0]?.type ?? s.dst.type
    const numbers = from !== 'bool' && !isFloat(from as 'f32') && !isFloat(s.dst.type as 'f32')
    if (args.every((a) => a.pure && a.term.constant !== null) && numbers && s.op !== 'select')
      return this.termOf(s, from, args)
    if (s.op === 'select') return this.selected(s, args)
    if (args.every(noBlock)) return this.opaque
    if (!numbers) return this.all(args)
    return this.integers(s, from, args)
  }

  /** Everything that the result is made of is wanted the same. */
  private all(args: readonly Known[]): Abstract {
    for (const a of args) this.same(a)
    return this.opaque
  }

  private integers(s: Extract<Stmt, { kind: 'op' }>, from: ScalarType, args: readonly Known[]): Abstract {
    const { terms } = this.setting
    const [a, b] = [args[0]!, args[1] ?? args[0]!] // one argument at least, by the verifier
    const wide = isWideInteger(from)
    const sum = (x: Known, y: Known): Known => {
      const pure = x.pure && y.pure
      const [left, right] = pure ? [x.term, y.term] : [x.term.moving, y.term.moving]
      return { term: terms.add(left, right, wide), pure }
    }
    const scaled = (x: Known, factor: number): Known => ({ ...x, term: terms.scale(x.term, factor, wide) })
    const factorOf = (x: Known): number | null => (x.pure ? x.term.constant : null)
    switch (s.op) {
      case 'copy':
        return a
      case 'add':
        return sum(a, b)
      case 'sub':
        return sum(a, scaled(b, -1))
      case 'neg':
        return scaled(a, -1)
      case 'mul': {
        const [x, factor] = factorOf(b) === null ? [b, factorOf(a)] : [a, factorOf(b)]
        if (factor !== null) return scaled(x, factor)
        return this.pureOr(s, from, args)
      }
      case 'shl': {
        const by = factorOf(b)
        return by === null ? this.pureOr(s, from, args) : scaled(a, 2 ** (by & (wide ? 63 : 31)))
      }
      case 'shr': {
        const by = factorOf(b)
        return by === null ? this.pureOr(s, from, args) : this.divided(s, from, a, 2 ** (by & (wide ? 63 : 31)), 'div')
      }
      case 'div':
      case 'rem': {
        const by = factorOf(b)
        return by === null || by <= 0 ? this.pureOr(s, from, args) : this.divided(s, from, a, by, s.op)
      }
      case 'and':
      case 'or':
      case 'xor':
        return this.bits(s, from, a, b, args)
      case 'min':
      case 'max':
        return this.extreme(s, a, b)
      case 'lt':
      case 'le':
      case 'gt':
      case 'ge':
      case 'eq':
      case 'ne':
        this.decided(s, a, b)
        return this.opaque
      case 'convert':
      case 'bitcast':
        return this.converted(s, from, a)
      default:
        return this.pureOr(s, from, args)
    }
  }

  /** The operation on terms, which are of the block alone. */
  private termOf(s: Extract<Stmt, { kind: 'op' }>, from: ScalarType, args: readonly Known[]): Known {
    const terms = args.map((a) => a.term)
    return { term: this.setting.terms.op(s.op, from, s.dst.type, terms), pure: true }
  }

  /** What is only of the block stays a term; of all else the block's part is wanted the same. */
  private pureOr(s: Extract<Stmt, { kind: 'op' }>, from: ScalarType, args: readonly Known[]): Abstract {
    if (!args.every((a) => a.pure)) return this.all(args)
    return this.termOf(s, from, args)
  }

  /** (u + f) ÷ c: with equal remainders of u and equal signs the quotient moves by u ÷ c, and the remainder stays. */
  private divided(
    s: Extract<Stmt, { kind: 'op' }>,
    from: ScalarType,
    a: Known,
    by: number,
    op: 'div' | 'rem',
  ): Abstract {
    if (a.pure)
      return this.pureOr(
        s,
        from,
        s.args.flatMap((x) => this.knownOf(x)),
      )
    this.sameRemainder(a, by)
    this.decided(s, a, a)
    return op === 'rem' ? this.opaque : { term: this.setting.terms.quotient(a.term.moving, by), pure: false }
  }

  private knownOf(o: Operand): Known[] {
    const a = this.of(o)
    return a === 'data' ? [] : [a]
  }

  private bits(
    s: Extract<Stmt, { kind: 'op' }>,
    from: ScalarType,
    a: Known,
    b: Known,
    args: readonly Known[],
  ): Abstract {
    if (a.pure && b.pure) return this.pureOr(s, from, args)
    const [x, mask] = a.pure && a.term.constant !== null ? [b, a.term.constant] : [a, b.pure ? b.term.constant : null]
    if (mask === null) return this.all(args)
    const low = mask >= 0 ? mask : -1 - mask
    const modulo = 2 ** Math.ceil(Math.log2(low + 1))
    if (mask >= 0 || (s.op === 'and' && modulo === low + 1)) {
      this.sameRemainder(x, modulo)
      const stays = s.op === 'and' && mask >= 0
      return stays ? this.opaque : { term: x.term.moving, pure: false }
    }
    return this.all(args)
  }

  private extreme(s: Extract<Stmt, { kind: 'op' }>, a: Known, b: Known): Abstract {
    const margins = this.decided(s, a, b)
    if (!margins) return this.opaque
    if (a.term.moving === b.term.moving) return { term: a.term.moving, pure: false }
    const isLess = margins.below !== -Infinity,
      isNot = margins.above !== Infinity
    if (isLess && isNot) return this.all([a, b])
    const taken = isLess === (s.op === 'min') ? a : b
    return { term: taken.term.moving, pure: false }
  }

  private selected(s: Extract<Stmt, { kind: 'op' }>, [c, a, b]: readonly Known[]): Abstract {
    const decision = this.setting.slice.decisions.get(s)
    const margins = decision && this.observed.margins(decision)
    if (c) this.same(c)
    if (!a || !b) return this.opaque
    if (margins && (margins.below === -Infinity || margins.above === Infinity))
      return margins.below === -Infinity ? b : a
    if (a.term === b.term) return a.pure && b.pure ? a : { ...a, pure: false }
    if (a.term.moving === b.term.moving) return { term: a.term.moving, pure: false }
    return noBlock(a) && noBlock(b) ? this.opaque : this.all([a, b])
  }

  private converted(s: Extract<Stmt, { kind: 'op' }>, from: ScalarType, a: Known): Abstract {
    const { terms } = this.setting
    if (s.dst.type === 'bool') return this.all([a])
    const term = terms.op(s.op, from, s.dst.type, [a.pure ? a.term : a.term.moving])
    if (isWideInteger(s.dst.type) && !isWideInteger(from)) this.decided(s, a, a, term.moving)
    return { term, pure: a.pure }
  }

  /** Wants the decision to fall alike; its margins where they are kept. */
  private decided(s: Extract<Stmt, { kind: 'op' }>, a: Known, b: Known, wide?: BlockTerm): Margins | null {
    const decision = this.setting.slice.decisions.get(s)
    if (!decision) {
      this.all([a, b])
      return null
    }
    if (noBlock(a) && noBlock(b)) return this.observed.margins(decision)
    const [first, second] = decision.sides[0] === 0 ? [a, b] : [b, a]
    this.require(`d${decision.index}`, {
      kind: 'alike',
      decision,
      a: first.term.moving,
      b: second.term.moving,
      ...(wide && { wide }),
    })
    return this.observed.margins(decision)
  }
}

const equal = (a: Abstract | undefined, b: Abstract): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && a.term === b.term && a.pure === b.pure)

/** The integer in memory, signed; null where it is none or too long. */
function integerAt(view: DataView, at: number, type: MemoryType): number | null {
  if (isFloat(type)) return null
  const value = readElement(view, at, type)
  if (typeof value === 'number') return type === 'u32' ? value | 0 : value
  const long = Number(BigInt.asIntN(64, value))
  return Number.isSafeInteger(long) ? long : null
}

/** Greatest common divisor. */
function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}
