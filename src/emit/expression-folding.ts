// In: a verified kernel. Out: the tree that emitters print. The one idea: walking a list of statements, a value that is
// defined once and used once in the same list waits until its use takes it; whatever would change its meaning in
// between (an assignment to what it reads; for loads, any printed line) makes it a named line first. Loads therefore
// never move past a statement, so that a prefetch stays where the schedule put it.
import { fail } from '../base/index.ts'
import {
  allStatements,
  bytesOf,
  facts,
  placeOf,
  type Kernel,
  type Operand,
  type Reg,
  type Stmt,
  type Verified,
} from '../ir/index.ts'
import { assignedIn, commonName, findScopes, type Home, type Scopes } from './declaration-placement.ts'
import { isGroup, logicalNot, type LoadGroup, type Holder, type Line, type ResourcePlace, type Value } from './tree.ts'

export interface FoldOptions {
  /** Whether the target loads this vector into one variable; else its elements are loaded one by one. */
  readonly canGroup: (load: Extract<Stmt, { kind: 'load' }>) => boolean
}

/** Operations in one expression, so that lines stay readable. */
const maxSize = 10

interface Pending {
  readonly reg: Reg
  readonly value: Value
  readonly size: number
  readonly loads: boolean
  readonly reads: ReadonlySet<number>
  readonly stmt: Stmt
}

/** The kernel's body as lines. Throws `emit.texture` for kernels that touch textures. */
export function foldKernel(kernel: Verified<Kernel>, options: FoldOptions): readonly Line[] {
  const texture = kernel.resources.find((r) => r.space === 'texture')
  if (texture)
    fail('emit.texture', `kernel ${kernel.name} touches the texture '${texture.name}', which no target here can emit`)
  const scopes = findScopes(kernel, options.canGroup)
  const homes = homesOf(kernel, scopes)
  const context: Context = {
    scopes,
    homes,
    declared: declarations(homes),
    canGroup: options.canGroup,
    parted: partedIn(kernel),
  }
  const lines = foldList(kernel.body, context, false)
  return [...(context.declared.get(null) ?? []), ...lines]
}

interface Context {
  readonly scopes: Scopes
  readonly homes: ReadonlyMap<Holder, Home>
  /** Empty declarations by the statement that they stand before; `null`: at the top. */
  readonly declared: ReadonlyMap<Stmt | null, readonly Line[]>
  readonly canGroup: FoldOptions['canGroup']
  /** Whether lanes of a warp may be missing inside of an `if` or a loop that all of them reach. */
  readonly parted: (s: Stmt) => boolean
}

/**
 * Where lanes part: under conditions that differ within a warp; anywhere inside of control flow where threads may
 * return.
 */
function partedIn(kernel: Kernel): Context['parted'] {
  const all = allStatements(kernel.body)
  if (!all.some((s) => s.kind === 'subgroup') || all.some((s) => s.kind === 'return')) return () => true
  const { uniform, splits } = facts(kernel, 32)
  return (s) => (s.kind === 'if' ? s.condition.kind === 'reg' && !uniform[s.condition.id] : splits.get(s) !== false)
}

function homesOf(kernel: Kernel, scopes: Scopes): Map<Holder, Home> {
  const homes = new Map<Holder, Home>()
  for (const reg of kernel.registers) {
    if (!scopes.mentions.has(reg.id)) continue
    const group = scopes.groups.get(reg.id)
    const holder = group ?? reg
    if (!homes.has(holder)) homes.set(holder, scopes.home(holder))
  }
  return homes
}

function declarations(homes: ReadonlyMap<Holder, Home>): Map<Stmt | null, Line[]> {
  const found = new Map<Stmt | null, Line[]>()
  for (const [holder, home] of homes) {
    if (home.kind !== 'before') continue
    const lines = found.get(home.stmt) ?? []
    found.set(home.stmt, lines)
    lines.push({ kind: 'var', holder, value: null })
  }
  return found
}

function foldList(list: readonly Stmt[], context: Context, nested: boolean): Line[] {
  const folder = new ListFolder(list, context, nested)
  for (const s of list) folder.statement(s)
  return folder.finish()
}

class ListFolder {
  private readonly lines: Line[] = []
  private readonly pending = new Map<number, Pending>()
  private readonly inList: ReadonlySet<Stmt>
  private readonly context: Context
  private readonly nested: boolean

  constructor(list: readonly Stmt[], context: Context, nested: boolean) {
    this.inList = new Set(list)
    this.context = context
    this.nested = nested
  }

  finish(): Line[] {
    for (const p of [...this.pending.values()]) this.flush(p)
    return this.lines
  }

  statement(s: Stmt): void {
    this.lines.push(...(this.context.declared.get(s) ?? []))
    switch (s.kind) {
      case 'op':
        return this.assign(s, s.dst, {
          kind: 'op',
          op: s.op,
          type: s.dst.type,
          argType: s.args[s.op === 'select' ? 1 : 0]!.type,
          args: this.values(s.args),
        })
      case 'builtin':
        return this.assign(s, s.dst, { kind: 'builtin', name: s.name })
      case 'subgroup':
        return this.assign(s, s.dst, {
          kind: 'subgroup',
          op: s.op,
          type: s.dst.type,
          args: this.values(s.args),
          nested: this.nested,
        })
      case 'load':
        return this.load(s)
      case 'store':
        return this.emit(s, { kind: 'store', type: s.type, place: this.place(s.address), values: this.values(s.src) })
      case 'atomic':
        return this.atomic(s)
      case 'matrix': {
        const place = placeOf(s.step)
        return this.emit(s, { kind: 'matrix', step: s.step, place: place && this.place(place) })
      }
      case 'barrier':
        return this.emit(s, { kind: 'barrier', scope: s.scope, stmt: s })
      case 'if':
        return this.branch(s)
      case 'loop':
        return this.loop(s)
      case 'break':
      case 'continue':
      case 'return':
        return this.emit(s, { kind: s.kind })
    }
  }

  private values(operands: readonly Operand[]): Value[] {
    return operands.map((o) => this.value(o))
  }

  private value(o: Operand): Value {
    if (o.kind !== 'reg') return o
    const waiting = this.pending.get(o.id)
    if (waiting) {
      this.pending.delete(o.id)
      return waiting.value
    }
    const group = this.context.scopes.groups.get(o.id)
    return group
      ? { kind: 'component', group, index: group.regs.findIndex((r) => r.id === o.id) }
      : { kind: 'reg', reg: o }
  }

  private place(a: {
    readonly resource: string
    readonly index: Operand
    readonly stride: number
    readonly offset: number
  }): ResourcePlace {
    return { resource: a.resource, index: this.value(a.index), stride: a.stride, offset: a.offset }
  }

  /** A value for one register: dropped when nobody uses it, kept waiting when it can fold, else a line. */
  private assign(s: Stmt, reg: Reg, value: Value): void {
    const mentions = this.context.scopes.mentions.get(reg.id)! // s mentions it
    const effect = value.kind === 'atomic' || value.kind === 'subgroup'
    if (!effect && mentions.every((m) => m.defines && m.stmt === s)) return
    const pure = copied(value)
    const size = sizeOf(pure)
    const use = mentions[1]
    const folds =
      !effect &&
      mentions.length === 2 &&
      mentions[0]!.stmt === s &&
      use &&
      !use.defines &&
      this.inList.has(use.stmt) &&
      size <= maxSize &&
      s.comment === undefined
    if (!folds) return this.emit(s, this.assignment(s, reg, value))
    this.pending.set(reg.id, { reg, value: pure, size, loads: loads(pure), reads: readsOf(pure), stmt: s })
  }

  private assignment(s: Stmt, holder: Holder, value: Value): Line {
    const home = this.context.homes.get(holder)
    const plain = copied(value)
    if (home && home.kind !== 'before' && home.at === s) return { kind: home.kind, holder, value: plain }
    return { kind: 'set', holder, value: plain }
  }

  private load(s: Extract<Stmt, { kind: 'load' }>): void {
    const [first] = s.dst
    if (s.dst.length === 1 && first)
      return this.assign(s, first, { kind: 'load', type: s.type, width: 1, place: this.place(s.address) })
    const group = first && this.context.scopes.groups.get(first.id)
    if (group)
      return this.emit(
        s,
        this.assignment(s, group, { kind: 'load', type: s.type, width: s.dst.length, place: this.place(s.address) }),
      )
    if (this.context.canGroup(s)) return this.loadApart(s)
    const index = this.steady(s)
    this.prepare(s)
    s.dst.forEach((reg, i) => {
      const place = { ...s.address, index, offset: s.address.offset + i * bytesOf[s.type] }
      const line = this.assignment(s, reg, { kind: 'load', type: s.type, width: 1, place })
      if (i === 0) this.push(s, line)
      else this.lines.push(line)
    })
  }

  /** One vector load into a name of its own, then its components to registers that are also assigned elsewhere. */
  private loadApart(s: Extract<Stmt, { kind: 'load' }>): void {
    const whole: LoadGroup = { regs: s.dst, type: s.type, name: commonName(s.dst) }
    this.emit(s, {
      kind: 'let',
      holder: whole,
      value: { kind: 'load', type: s.type, width: s.dst.length, place: this.place(s.address) },
    })
    s.dst.forEach((reg, index) => this.lines.push(this.assignment(s, reg, { kind: 'component', group: whole, index })))
  }

  /** The index of a load as something that can be repeated: a register or a literal. */
  private steady(s: Extract<Stmt, { kind: 'load' }>): Value {
    const { index } = s.address
    const waiting = index.kind === 'reg' ? this.pending.get(index.id) : undefined
    if (waiting) this.flush(waiting)
    return this.value(index)
  }

  private atomic(s: Extract<Stmt, { kind: 'atomic' }>): void {
    const place = this.place(s.address)
    const used = s.dst !== null && this.context.scopes.mentions.get(s.dst.id)!.some((m) => !m.defines)
    const value: Value = { kind: 'atomic', op: s.op, type: s.type, place, args: this.values(s.args), used }
    if (s.dst && used) this.emit(s, this.assignment(s, s.dst, value))
    else this.emit(s, { kind: 'do', value })
  }

  private branch(s: Extract<Stmt, { kind: 'if' }>): void {
    const condition = this.value(s.condition)
    const nested = this.nested || this.context.parted(s)
    const then = foldList(s.then, this.context, nested),
      otherwise = foldList(s.else, this.context, nested)
    if (then.length === 0 && otherwise.length === 0) return
    if (then.length === 0) this.emit(s, { kind: 'if', condition: logicalNot(condition), then: otherwise, else: [] })
    else this.emit(s, { kind: 'if', condition, then, else: otherwise })
  }

  private loop(s: Extract<Stmt, { kind: 'loop' }>): void {
    const nested = this.nested || this.context.parted(s)
    const body = foldList(s.body, this.context, nested),
      continuing = foldList(s.continuing, this.context, nested)
    const condition = exitOf(body[0])
    const rest = condition ? body.slice(1) : body
    const [update] = continuing
    if (continuing.length === 1 && update?.kind === 'set' && update.comment === undefined) {
      this.prepare(s)
      const init = this.takeInit(update.holder, s)
      return this.push(s, { kind: 'for', init, condition, update, body: rest })
    }
    if (condition && continuing.length === 0) return this.emit(s, { kind: 'while', condition, body: rest })
    this.emit(s, { kind: 'loop', body, continuing })
  }

  /**
   * The line `var holder = …` taken back when nothing mentions the holder after the loop and moving it changes nothing.
   */
  private takeInit(holder: Holder, loop: Stmt): { holder: Holder; value: Value } | null {
    if (isGroup(holder)) return null
    const [from, to] = this.context.scopes.orders(loop)
    const others = this.context.scopes.mentions.get(holder.id)!.slice(1) // the loop's update mentions it
    if (others.some((m) => m.order < from || m.order >= to)) return null
    const at = this.lines.findLastIndex((l) => l.kind === 'var' && l.holder === holder)
    const line = this.lines[at]
    if (line?.kind !== 'var' || !line.value || line.comment !== undefined) return null
    if (at !== this.lines.length - 1 && !isSteady(line.value)) return null
    this.lines.splice(at, 1)
    return { holder, value: line.value }
  }

  /** Appends a line, after the waiting values that it would overtake. */
  private emit(s: Stmt, line: Line): void {
    this.prepare(s)
    this.push(s, line)
  }

  private prepare(s: Stmt): void {
    const assigned = assignedIn(s)
    for (const p of [...this.pending.values()]) {
      if (p.loads || [...p.reads].some((id) => assigned.has(id))) this.flush(p)
    }
  }

  private push(s: Stmt, line: Line): void {
    this.lines.push(s.comment === undefined ? line : { ...line, comment: s.comment })
  }

  private flush(p: Pending): void {
    this.pending.delete(p.reg.id)
    this.lines.push(this.assignment(p.stmt, p.reg, p.value))
  }
}

/** The condition under which a loop goes on, when this is its first line's whole meaning. */
function exitOf(line: Line | undefined): Value | null {
  if (line?.kind !== 'if' || line.comment !== undefined) return null
  const breaks = (lines: readonly Line[]): boolean =>
    lines.length === 1 && lines[0]!.kind === 'break' && lines[0]!.comment === undefined
  return breaks(line.then) && line.else.length === 0 ? logicalNot(line.condition) : null
}

/** A copy is its argument. */
const copied = (v: Value): Value => (v.kind === 'op' && v.op === 'copy' ? v.args[0]! : v)
const isSteady = (v: Value): boolean => v.kind === 'const' || v.kind === 'param'

const argsOf = (v: Value): readonly Value[] =>
  v.kind === 'op' || v.kind === 'subgroup'
    ? v.args
    : v.kind === 'load'
      ? [v.place.index]
      : v.kind === 'atomic'
        ? [v.place.index, ...v.args]
        : []

const sizeOf = (v: Value): number => (argsOf(v).length === 0 ? 0 : 1) + argsOf(v).reduce((n, a) => n + sizeOf(a), 0)
const loads = (v: Value): boolean => v.kind === 'load' || argsOf(v).some(loads)

function readsOf(v: Value, into = new Set<number>()): Set<number> {
  if (v.kind === 'reg') into.add(v.reg.id)
  if (v.kind === 'component') for (const r of v.group.regs) into.add(r.id)
  for (const a of argsOf(v)) readsOf(a, into)
  return into
}
