// What names mean at a place of the host code of a CUDA file. In: the text, the place, values that are known otherwise.
// Out: numbers, sizes of grids and blocks, arrays and kernels that expressions there mean, and the names that are
// missing. The one idea: what stands before a place in the blocks around it is followed, statement by statement; a
// parameter has the value of a call. What only runs decide stays unknown.
import type { Dim3 } from '../../ir/index.ts'
import { closing, headOf, pathTo, type SourceCode, type Item, type BlockStep } from '../fixes/source-text.ts'
import { deviceAttributeIn, devicePropertyOf, type DeviceProperties } from './device-properties.ts'
import { bytesOfNamed, type HostTypes } from './host-types.ts'
import { assignedIn, pointeeOf, pointeesIn, pointerUpdateOf, type Kernels } from './kernel-pointers.ts'
import { guardedOf, labelled, switchedOf, updatedIn, updateOf } from './host-statements.ts'
import { parts, type Macro } from './host-macros.ts'
import { hostNumber, hostLiteral, type Call, type HostNumber, type Lookup } from './host-values.ts'

export interface LaunchedKernel {
  /** The kernel, with template arguments as numbers. */
  readonly entry: string
  /**
   * What is known of the kernel where no text of the program has its body: it is declared alone, or the launch goes
   * through a pointer of that name that may be anything.
   */
  readonly open?: 'declared' | 'pointer'
}

/** Rounds of a loop before a launch that are followed, and what a name means behind one that is not. */
const mostSteps = 64,
  unknown = '?'

/** Values of names. */
export type Names = Readonly<Record<string, number>>
const valueOf = (n: number): HostNumber => ({ n, real: !Number.isInteger(n) })

/** Definitions that are followed from one name to the next; a longer chain is mostly a circle. */
const mostDepth = 8
const declared = new RegExp(
  String.raw`^(?:(?:static|const|constexpr|unsigned|long)\s+)*` +
    String.raw`(?:(?:std::)?(?:\w*int\w*|size_t)|unsigned|long|float|double|auto|bool|dim3)\s+`,
)

/** An enumeration: its name, empty where it has none, and its enumerators with the texts of their values. */
export interface Enumeration {
  readonly name: string
  readonly all: readonly { readonly name: string; readonly value: string | undefined }[]
}

export const enumerationsIn = (text: string): readonly Enumeration[] =>
  [...text.matchAll(/\benum\s+(?:class\s+|struct\s+)?(\w*)\s*(?::\s*[\w:\s]+)?\{([^{}]*)\}/g)].map(
    ([, name = '', list = '']) => ({
      name,
      all: parts(list).map((part) => {
        const [, each = '', value] = /^(\w+)\s*(?:=\s*([^]+))?$/.exec(part) ?? []
        return { name: each, value }
      }),
    }),
  )

/** The name that a parameter declares: `int n = 4`, `T`, or `void (*k)(int)`. */
const parameterName = (text: string): string =>
  /\(\s*\*\s*(\w+)\s*\)\s*\(/.exec(text)?.[1] ?? /(\w+)\s*(?:=[^]*)?$/.exec(text)?.[1] ?? ''

/** A file of host code, with the macros and the texts of what it includes. */
export interface HostText {
  readonly code: SourceCode
  readonly macros: ReadonlyMap<string, Macro>
  readonly others: readonly string[]
  readonly enumerations: readonly Enumeration[]
  readonly kernels: Kernels
  readonly device: DeviceProperties
}

/** What names mean at a place. */
export class Scope {
  readonly missing: string[] = []
  private readonly host: HostText
  private readonly code: SourceCode
  private readonly macros: ReadonlyMap<string, Macro>
  private readonly known: Names
  private readonly depth: number
  private readonly at: number
  /** Which of the calls of the function around is the one that runs. */
  private readonly call: number
  /** Texts of names, the last one before the place. */
  private readonly texts = new Map<string, string>()
  /** The value of the last condition of an `if`; null of one that only runs decide. */
  private asked: HostNumber | null = null
  /** What names point to that may be pointers to kernels. */
  private readonly pointees = new Map<string, string>()
  /** Types of arrays. */
  private readonly types = new Map<string, string>()
  private readonly owner: Item | null
  private readonly busy = new Set<string>()
  private caller: { readonly scope: Scope; readonly args: ReadonlyMap<string, string> } | null | undefined

  constructor(host: HostText, known: Names, at: number, depth: number, call = 0) {
    const { code, macros } = host
    this.host = host
    this.code = code
    this.macros = macros
    this.known = known
    this.depth = depth
    this.at = at
    this.call = call
    const path = pathTo(code, at)
    this.owner =
      path.find((s) => s.item.blocks.length > 0 && /\w\s*\([^]*\)\s*$/.test(headOf(code, s.item).trim()))?.item ?? null
    for (const step of path) this.read(step)
  }

  private read({ list, index, item }: BlockStep): void {
    for (const before of list.slice(0, index)) this.item(before)
    const [, init] = /^for\s*\(([^;]*);/.exec(headOf(this.code, item)) ?? []
    if (init !== undefined) this.statement(`${init};`)
  }

  /** A statement before the place. What a condition guards that only runs decide leaves what was said before. */
  private item(item: Item): void {
    const text = this.code.bare.slice(item.from, item.to).trim(),
      guarded = guardedOf(text)
    if (/^(?:inline\s+)?namespace\b/.test(text)) return this.within(item)
    const choice = switchedOf(text)
    if (choice !== null) return this.switched(item, choice)
    if (/^else\b/.test(text)) return this.otherwise(text.slice('else'.length).trim())
    if (!guarded) return this.statement(text)
    const { word, condition, rest } = guarded,
      [body, other] = item.blocks
    const round = (): void => (body ? this.within(item) : this.statement(rest))
    if (word === 'if') {
      this.asked = this.quietly(condition)
      if (!/\belse\b/.test(rest)) {
        if (this.asked?.n) round()
      } else if (!this.asked || /\belse\s+if\b/.test(rest)) this.forgetPointees(rest)
      else if (this.asked.n) round()
      else for (const inner of other?.items ?? []) this.item(inner)
    } else if (word !== 'while' || !this.follows(condition, round)) this.forget(rest)
  }

  private within({ blocks: [body] }: Item): void {
    for (const inner of body?.items ?? []) this.item(inner)
  }

  /** The statement behind `else` that follows an `if` without braces. */
  private otherwise(text: string): void {
    if (!this.asked || guardedOf(text)) this.forgetPointees(text)
    else if (this.asked.n === 0) this.statement(text)
  }

  /** `switch (condition) { case 0: … break; … }`: from the label that it takes to the next `break`. */
  private switched({ from, to, blocks: [body] }: Item, condition: string): void {
    const value = this.quietly(condition),
      items = (body?.items ?? []).map((i) => labelled(this.code.bare, i))
    if (!value) return this.forget(this.code.bare.slice(from, to))
    const taken = items.findIndex((i) => i.labels.some((l) => this.quietly(l)?.n === value.n)),
      first = taken >= 0 ? taken : items.findIndex((i) => i.isDefault)
    if (first >= 0) this.untilBreak(items.slice(first).map((i) => i.item))
  }

  /** Statements up to a `break`; whether there is one. */
  private untilBreak(items: readonly Item[]): boolean {
    return items.some((item) => {
      const { item: inner } = labelled(this.code.bare, item),
        text = this.code.bare.slice(inner.from, inner.to).trim()
      if (/^(?:break|return)\b/.test(text)) return true
      if (text.startsWith('{')) return this.untilBreak(inner.blocks[0]?.items ?? [])
      this.item(inner)
      return false
    })
  }

  /** `while (n < m) n *= 2;` as often as it runs; false where the text does not say how often that is. */
  private follows(condition: string, round: () => void): boolean {
    for (let n = 0; n < mostSteps; n++) {
      const goesOn = this.quietly(condition)
      if (!goesOn) return false
      if (goesOn.n === 0) return true
      round()
    }
    return false
  }

  /** What a loop changes that is not followed is not known behind it. */
  private forget(text: string): void {
    for (const name of updatedIn(text)) if (this.texts.has(name)) this.texts.set(name, unknown)
    this.forgetPointees(text)
  }

  private forgetPointees(text: string): void {
    for (const name of assignedIn(text)) this.pointees.set(name, unknown)
  }

  /** A number, or null, without what it misses. */
  private quietly(text: string): HostNumber | null {
    const before = this.missing.length,
      value = this.number(text)
    this.missing.length = before
    return value
  }

  /** Gives a name a value that may be said by its old one; what was said by that is said by numbers from now on. */
  private change(name: string, value: string): void {
    const next = this.quietly(value)
    for (const [other, text] of this.texts) {
      if (other === name || text.startsWith('{') || !new RegExp(`\\b${name}\\b`).test(text)) continue
      const settled = this.quietly(other)
      if (settled) this.texts.set(other, hostLiteral(settled))
    }
    this.texts.set(name, next ? hostLiteral(next) : unknown)
  }

  private statement(text: string): void {
    const pointer = pointerUpdateOf(text)
    if (pointer) this.pointees.set(pointer.name, pointer.value)
    // n = m = 64;
    const [chain] = /^(?:\w+\s*=\s*)+(?=\w+\s*=(?!=))/.exec(text) ?? []
    if (chain !== undefined) {
      const last = text.slice(chain.length),
        value = last.replace(/^\w+\s*=\s*/, '')
      this.statement(last)
      for (const [name] of chain.matchAll(/\w+/g)) this.statement(`${name} = ${value}`)
      return
    }
    const attribute = deviceAttributeIn(text, this.host.device)
    if (attribute) this.texts.set(attribute.name, String(attribute.value))
    const update = updateOf(text)
    if (update && this.texts.has(update.name)) return this.change(update.name, update.value)
    const isDeclaration = declared.test(text)
    const plain = /^\w+(?:\s*\.\s*[xyz])?\s*=(?!=)/.test(text)
    if (!isDeclaration && !plain) return
    const body = text.replace(declared, '').replace(/;\s*$/, '')
    for (const part of parts(body)) {
      const [, name, value, inBrackets] =
        /^\*?\s*(\w+(?:\s*\.\s*[xyz])?)(?:\s*\[[^\]]*\])?\s*(?:=\s*([^]*)|([({][^]*[)}]))?$/.exec(part) ?? []
      const made = inBrackets === undefined ? undefined : `{${inBrackets.slice(1, -1)}}`
      const empty = /^dim3\s/.test(text) && /^\w+$/.test(part) ? '{1}' : undefined
      const meaning = value ?? made ?? empty
      // what a pointer is tells no size
      if (name === undefined || meaning === undefined || (part.startsWith('*') && value !== undefined)) continue
      const whole = name.replace(/\s+/g, '')
      if (plain && !this.isKnown(meaning)) {
        if (this.texts.has(whole)) this.texts.set(whole, unknown)
        continue
      }
      if (plain && this.quietly(meaning)) this.change(whole, meaning)
      else this.texts.set(whole, meaning)
      this.types.set(name, /(\w+)\s+$/.exec(declared.exec(text)?.[0] ?? '')?.[1] ?? '')
    }
  }

  /** Whether a size is a number below 1. */
  isNone(text: string): boolean {
    const value = this.quietly(text)
    return value !== null && value.n < 1
  }

  /** Whether the text says a value that is assigned. */
  private isKnown(text: string): boolean {
    const before = this.missing.length
    const known = this.dimensions(text) !== null
    this.missing.length = before
    return known
  }

  /** `own`: values of names that come before all others. */
  number(text: string, own: Names = {}): HostNumber | null {
    if (this.depth > mostDepth || this.busy.size > 64) return null
    const lookup: Lookup = (name) => (Object.hasOwn(own, name) ? valueOf(own[name]!) : this.lookup(name)) // it has it
    return hostNumber(text, lookup, this.result)
  }

  private readonly lookup: Lookup = (name) => {
    if (Object.hasOwn(this.known, name)) return valueOf(this.known[name]!) // it has it
    if (name === 'true' || name === 'false') return { n: name === 'true' ? 1 : 0, real: false }
    if (name === 'argc' && !this.texts.has(name)) return { n: 1, real: false } // a program without arguments
    if (this.busy.has(name)) return null
    this.busy.add(name)
    const value = this.meaning(name)
    this.busy.delete(name)
    if (value === null) this.missing.push(name)
    return value
  }

  private meaning(name: string): HostNumber | null {
    const [, array, position] = /^(\w+)\[(\d+)\]$/.exec(name) ?? []
    if (array !== undefined) return this.inArray(array, Number(position))
    if (name.startsWith('sizeof ')) return this.sizeOf(name.slice('sizeof '.length))
    const text = this.texts.get(name)
    if (text !== undefined) return this.number(text.startsWith('{') ? text.slice(1, -1) : text)
    const [, of, axis] = /^(\w+)\.([xyz])$/.exec(name) ?? []
    if (of !== undefined && axis !== undefined) {
      const all = this.dimensions(of)
      return all && { n: all['xyz'.indexOf(axis)]!, real: false }
    }
    const property = devicePropertyOf([this.code.bare, ...this.host.others], this.host.device, name)
    if (property !== null) return { n: property, real: false }
    const macro = this.macros.get(name)
    if (macro && macro.params === null) return this.number(macro.body)
    const enumerator = this.enumerator(name)
    if (enumerator) return enumerator
    const constant = this.constant(name)
    if (constant !== null) return this.number(constant)
    const { scope, args } = this.called() ?? {}
    const passed = args?.get(name)
    return passed === undefined || !scope ? null : scope.number(passed)
  }

  /** What a file that is included says of `constexpr int name = …;`. */
  private constant(name: string): string | null {
    if (!/^\w+$/.test(name)) return null
    const pattern = new RegExp(`\\bconst(?:expr)?\\s+(?:[\\w:]+\\s+)+${name}\\s*=\\s*([^;{}]+);`)
    return this.host.others.map((t) => pattern.exec(t)?.[1]).find((m) => m !== undefined) ?? null
  }

  /** `Kind::wide`, or `wide` of an enumeration without a scope. */
  private enumerator(name: string): HostNumber | null {
    const path = name.split('::'),
      last = path.at(-1),
      scope = path.at(-2)
    for (const { name: of, all } of this.host.enumerations) {
      if ((scope !== undefined && scope !== of) || !all.some((e) => e.name === last)) continue
      let value: HostNumber | null = { n: -1, real: false }
      for (const { name: each, value: said } of all) {
        value = said === undefined ? value && { n: value.n + 1, real: false } : this.quietly(said)
        if (each === last) return value
      }
    }
    return null
  }

  /** Elements of an array that is declared with them; null of another. */
  private elements(array: string): readonly string[] | null {
    const [, inside] = /^\{([^]*)\}$/.exec(this.texts.get(array)?.trim() ?? '') ?? []
    return inside === undefined ? null : parts(inside)
  }

  /** The numbers of a list in braces, or of an array that is declared with them. */
  listed(text: string): readonly number[] | null {
    const [, inside] = /^\s*\{([^]*)\}\s*$/.exec(text) ?? [],
      all = (inside === undefined ? this.elements(text.trim()) : parts(inside))?.map((p) => this.quietly(p))
    return all?.every((v) => v !== null) ? all.map((v) => v.n) : null
  }

  private inArray(array: string, position: number): HostNumber | null {
    const text = this.elements(array)?.[position]
    return text === undefined ? null : this.number(text)
  }

  /** Bytes of an array that is declared with its elements, or of a type. */
  private sizeOf(array: string): HostNumber | null {
    const all = this.elements(array),
      each = bytesOfNamed(this.named, all === null ? array : (this.types.get(array) ?? ''))
    return each === null ? null : { n: each * (all?.length ?? 1), real: false }
  }

  private get named(): HostTypes {
    const texts = [this.code.bare, ...this.host.others]
    const isDefined = (name: string): boolean =>
      this.macros.has(name) ||
      Object.hasOwn(this.known, name) ||
      texts.some((t) => new RegExp(`^[ \\t]*#[ \\t]*define[ \\t]+${name}\\b`, 'm').test(t))
    return { texts, isDefined }
  }

  private readonly result: Call = (name, args) => {
    const macro = this.macros.get(name)
    const made = macro?.params ? { params: macro.params, body: macro.body } : this.expression(name)
    if (!made || args.some((a) => a === null)) return null
    const own = new Map(made.params.map((p, i) => [p, args[i] ?? null] as const))
    return hostNumber(made.body, (n) => (own.has(n) ? own.get(n)! : this.lookup(n)), this.result)
  }

  /** A function of one statement: `int ceil_div(int a, int b) { return (a + b - 1) / b; }`. */
  private expression(name: string): { params: readonly string[]; body: string } | null {
    const pattern = new RegExp(`\\b${name}\\s*\\(([^(){};]*)\\)\\s*\\{\\s*return\\s+([^;]+);\\s*\\}`)
    const found = [this.code.bare, ...this.host.others].map((t) => pattern.exec(t)).find((m) => m !== null)
    if (!found) return null
    return { params: parts(found[1]!).map((p) => /(\w+)\s*$/.exec(p)?.[1] ?? ''), body: found[2]! }
  }

  /** A number, `dim3(x, y, z)`, or the name of one. */
  dimensions(text: string): Dim3 | null {
    const bare = text.trim()
    if (/^\w+$/.test(bare) && !Object.hasOwn(this.known, bare)) {
      const meant = this.texts.get(bare)
      if (meant !== undefined && /^(?:\{|dim3\b)/.test(meant)) return this.changed(bare, meant)
      const { scope, args } = meant === undefined ? (this.called() ?? {}) : {}
      const passed = args?.get(bare)
      if (scope && passed !== undefined) return scope.dimensions(passed)
    }
    const [, inside] = /^(?:dim3\s*)?[({]([^]*)[)}]$/.exec(bare) ?? []
    const isList = inside !== undefined && (/^dim3|^\{/.test(bare) || parts(inside).length > 1)
    const all = (isList ? parts(inside) : [bare]).map((p) => this.number(p))
    if (all.length === 0 || all.length > 3 || !all.every((v) => v !== null && v.n >= 1)) return null
    const [x = 1, y = 1, z = 1] = all.map((v) => Math.trunc(v!.n))
    return [x, y, z]
  }

  /** A `dim3` whose members may have been assigned. */
  private changed(name: string, meant: string): Dim3 | null {
    const made = this.dimensions(/^dim3/.test(meant) ? meant : `dim3${meant}`)
    const [x, y, z] = ['x', 'y', 'z'].map((axis, i) => {
      const text = this.texts.get(`${name}.${axis}`)
      return text === undefined ? made?.[i] : this.number(text)?.n
    })
    return x !== undefined && y !== undefined && z !== undefined ? [x, y, z] : null
  }

  /** The same place as another call of the function around reaches it. */
  withCall(call: number): Scope {
    return new Scope(this.host, this.known, this.at, this.depth, call)
  }

  /** The function around a place: its name and the names of its parameters, those of its template first. */
  private get function(): { readonly name: string; readonly kinds: number; readonly params: readonly string[] } | null {
    const head = this.owner ? headOf(this.code, this.owner).trim() : ''
    const [, name, list] = /(\w+)\s*\(([^]*)\)\s*$/.exec(head) ?? []
    if (name === undefined || list === undefined) return null
    const kinds = parts(/^template\s*<([^<>]*)>/.exec(head)?.[1] ?? '')
    return { name, kinds: kinds.length, params: [...kinds, ...parts(list)].map(parameterName) }
  }

  /** Places outside of the function around that call it. */
  private callsOf(name: string): readonly RegExpExecArray[] {
    const { owner, code } = this
    return [...code.bare.matchAll(new RegExp(`\\b${name}\\s*(?:<([^<>;]*)>)?\\s*\\(`, 'g'))].filter((m) => {
      const isInside = owner !== null && m.index >= owner.from && m.index < owner.to
      return !isInside && pathTo(code, m.index).length >= 2
    })
  }

  /** How many calls of the function around the text has. */
  get calls(): number {
    const around = this.function
    return around ? this.callsOf(around.name).length : 0
  }

  /** The place that calls the function around, with the texts of its arguments. */
  private called(): { readonly scope: Scope; readonly args: ReadonlyMap<string, string> } | null {
    if (this.caller !== undefined) return this.caller
    this.caller = null
    const { code, function: around } = this,
      m = around && this.depth < mostDepth ? this.callsOf(around.name)[this.call] : undefined
    if (!around || !m) return null
    const open = m.index + m[0].length,
      types = Array.from({ length: around.kinds }, (_, i) => parts(m[1] ?? '')[i] ?? ''),
      passed = [...types, ...parts(code.text.slice(open, closing(code.bare, open - 1) - 1))],
      args = new Map(around.params.map((p, i) => [p, passed[i] ?? ''] as const))
    this.caller = { scope: new Scope(this.host, this.known, m.index, this.depth + 1), args }
    return this.caller
  }

  /** The kernel that a launch names, itself or by a pointer. */
  launched({ pointer, path, args, index = '' }: Readonly<Record<string, string>> = {}): LaunchedKernel {
    const written = pointer ?? `${path}${args ?? ''}${index}`,
      entry = this.kernel(written, 0)
    if (entry === null)
      return pointer !== undefined || index !== '' || this.pointees.has(path ?? '') || this.isParameter(path ?? '')
        ? { entry: written, open: 'pointer' }
        : { entry: path! + this.template(args) } // one of the two is there
    const known = this.host.kernels.get(
      entry
        .replace(/<[^]*$/, '')
        .split('::')
        .at(-1) ?? '',
    )
    return known?.isDefined === false ? { entry, open: 'declared' } : { entry }
  }

  /** Whether the function around has a parameter of a name. */
  private isParameter(name: string): boolean {
    return this.owner !== null && new RegExp(`\\b${name}\\s*[,)=]`).test(headOf(this.code, this.owner))
  }

  /** The kernel, with template arguments as numbers, that a text means here; null where it means none that is known. */
  private kernel(text: string, depth: number): string | null {
    const meant = depth > mostDepth ? null : pointeeOf(text)
    if (meant?.kind === 'element') {
      const at = this.quietly(meant.index)?.n,
        value = at === undefined ? undefined : pointeesIn(this.pointees.get(meant.list) ?? '')[at]
      return value === undefined ? null : this.kernel(value, depth + 1)
    }
    if (meant?.kind === 'choice') {
      const condition = this.quietly(meant.condition)
      return condition && this.kernel(meant.values[condition.n !== 0 ? 0 : 1], depth + 1)
    }
    if (!meant) return null
    const { path, args } = meant,
      value = args === undefined ? this.pointees.get(path) : undefined
    if (value !== undefined) return this.kernel(value, depth + 1)
    if (this.host.kernels.has(path.split('::').at(-1) ?? '')) return path + this.template(args)
    const { scope, args: passed } = this.called() ?? {},
      given = passed?.get(path)
    return scope && given !== undefined ? scope.kernel(given, depth + 1) : null
  }

  /** Arguments of a template as numbers where they are some. */
  template(text: string | undefined): string {
    if (text === undefined) return ''
    const args = parts(text.slice(1, -1)).map((p) => {
      const before = this.missing.length
      const value = /^(?:true|false)$/.test(p) ? null : this.number(p)
      this.missing.length = before
      return value === null ? this.called()?.args.get(p) || p : String(value.n)
    })
    return `<${args.join(', ')}>`
  }

  argument(text: string, position: number): readonly [string, number][] {
    const before = this.missing.length
    const value = this.number(text)
    this.missing.length = before
    return value === null ? [] : [[String(position), value.n]]
  }

  /** Bytes that `cudaMalloc` gives the array that is passed. */
  allocated(text: string, position: number): readonly [number, number][] {
    const name = /^(?:\([^()]*\)\s*)?&?\s*([A-Za-z_]\w*)$/.exec(text.trim())?.[1]
    if (name === undefined) return []
    const pattern = new RegExp(
      `\\b(?:cudaMalloc(?:Managed|Host|Async)?|cudaHostAlloc)\\s*\\(\\s*` +
        `(?:\\(\\s*[\\w:]+\\s*\\*\\s*\\*\\s*\\)\\s*|\\w+_cast\\s*<[^<>]*>\\s*\\(\\s*)?&\\s*${name}\\s*\\)?\\s*,`,
      'g',
    )
    const all = [...this.code.bare.matchAll(pattern)],
      own = all.filter((m) => !this.owner || (m.index >= this.owner.from && m.index < this.owner.to)),
      { scope, args } = own.length > 0 ? {} : (this.called() ?? {}),
      passed = args?.get(name)
    if (scope && passed !== undefined) return scope.allocated(passed, position)
    // The one that is still there: the last before the place, of names that several functions have that of its own.
    const found = own.findLast((m) => m.index < this.at) ?? own[0] ?? all[0]
    if (!found) return []
    const open = this.code.bare.indexOf('(', found.index)
    const [, size = ''] = parts(this.code.text.slice(open + 1, closing(this.code.bare, open) - 1))
    const bytes = new Scope(this.host, this.known, found.index, this.depth + 1).number(size)?.n
    return bytes !== undefined && bytes >= 1 && bytes <= mostBytes ? [[position, bytes]] : []
  }
}

/** Larger buffers are sized by running the kernel instead. */
const mostBytes = 2 ** 29
