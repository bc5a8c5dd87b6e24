// In: a C function without calls of its file's functions. Out: the same without local pointers: a pointer is an array
// that has a name, and an integer that says where in it. The one idea: which array a pointer points into never changes,
// so that `*p++` is `a[p_at]` and `p_at = p_at + 1`. Pointers that point into one array now and another then are
// refused.
import { cFunction, type InUnit } from '../text/representation.ts'
import { isInteger, keeping, pass } from '../../../ir/index.ts'
import { fail, type Span } from '../../../base/index.ts'
import { joined, seenAs, taken, widthOf } from './pointers/byte-order.ts'
import { pointersWritten, writtenMembers } from './moving-pointers.ts'
import {
  assignOf,
  binaryOf,
  blockOf,
  declareOf,
  eachC,
  expressionsOf,
  hasRegion,
  inRegion,
  mapC,
  mapChildren,
  mapParts,
  nameOf,
  FreshNames,
  numberOf,
  withoutResult,
} from './c-rewriting.ts'
import { everywhere, keyOfC, rootName } from './name-uses.ts'
import type { Choice } from './pointers/pointer-arrays.ts'
import { Scoped } from './scoped-walk.ts'
import { typeText } from '../text/print.ts'
import type { CExpr, CFunction, CScalar, CStmt, CStruct, CUnit, Declarator } from '../text/syntax.ts'

// Before:
//
//   void f(int n, float *y) {
//     float *p = y;
//     for (int i = 0; i < n; i++) {
//       *p = 1;
//       p = p + 1;
//     }
//   }
//
// After:
//
//   void f(int n, float *y) {
//     int p_at = 0;
//     for (int i = 0; i < n; i++) {
//       y[p_at] = 1;
//       p_at = p_at + 1;
//     }
//   }
export const pointersToIndices = pass<CFunction, InUnit>({
  name: 'pointers-to-indices',
  summary: 'a pointer is an array that has a name, and an integer that says where in it',
  of: cFunction,
  run: keeping((f, { unit }) => resolvePointers(f, unit)),
})

/** Where a pointer points: element `at` of the array `base` (null: its first); or a variable that is no array. */
interface Place {
  readonly base: CExpr
  readonly at: CExpr | null
  readonly isVariable?: true
  /** What the pointer says that its elements are, where it says it. */
  readonly as?: CScalar
  /** Extents of the rows that it points to, where these lie one behind the other in a flat array. */
  readonly rows?: readonly CExpr[] | undefined
}

/** What something is or holds: a structure, or numbers of a type. */
interface Typed {
  readonly struct: CStruct | undefined
  readonly type: CScalar
  /** Dimensions of arrays of it. */
  readonly left: number
}

type Known =
  | { readonly kind: 'array'; readonly rank: number; readonly d: Declarator }
  | { readonly kind: 'pointer'; readonly place: Place; readonly rank: number; readonly d: Declarator }
  /** Declared without a value; what it points into is what is assigned first. */
  | { readonly kind: 'open'; readonly d: Declarator }
  | { readonly kind: 'other'; readonly d?: Declarator }

/** Resolves local pointers and pointer parameters that are moved. */
export function resolvePointers(f: CFunction, unit: CUnit): CFunction {
  return new Pointers(f, unit).run()
}

const blockwise: ReadonlySet<string> = new Set(['memset', 'memcpy', 'memmove'])
export const allocators: ReadonlySet<string> = new Set([
  'malloc',
  'calloc',
  'alloca',
  'aligned_alloc',
  '_mm_malloc',
  '__builtin_alloca',
])

class Pointers extends Scoped<Known> {
  private readonly f: CFunction
  private readonly names: FreshNames
  private readonly written: ReadonlySet<string>
  /** Names of members that something is assigned to. */
  private readonly members: ReadonlySet<string>
  /** Arrays of rows that a cast makes one row. */
  private readonly flattened: ReadonlySet<string>
  /** The array that a pointer which is returned points into. */
  private returned: string | undefined

  constructor(f: CFunction, unit: CUnit) {
    super()
    this.f = f
    this.names = new FreshNames([f, ...unit.functions])
    this.written = pointersWritten(f)
    this.members = writtenMembers(f.body)
    this.flattened = flattenedIn(f)
    for (const g of unit.globals)
      this.scope.set(
        g.name,
        g.extents.length > 0 ? { kind: 'array', rank: g.extents.length, d: g } : { kind: 'other', d: g },
      )
  }

  run(): CFunction {
    const starts: CStmt[] = [],
      parameters: Declarator[] = []
    for (const given of this.f.parameters.map((x) => this.typed(x))) {
      const p = this.flat(given)
      parameters.push(p)
      if (p !== given) continue
      if (p.extents.length === 0) {
        this.scope.set(p.name, { kind: 'other', d: p })
        continue
      }
      if (!this.written.has(p.name)) {
        this.scope.set(p.name, { kind: 'array', rank: p.extents.length, d: { ...p, pointer: true } })
        continue
      }
      const at = this.names.fresh(`${p.name}_at`)
      starts.push(declareOf(at, 'i32', p.at, numberOf(0, p.at)))
      this.scope.set(p.name, {
        kind: 'pointer',
        place: { base: nameOf(p.name, p.at), at: nameOf(at, p.at) },
        rank: p.extents.length,
        d: p,
      })
    }
    const body = hasRegion(this.f) ? this.region() : this.list(this.f.body.body)
    const made: CFunction = { ...this.f, parameters, body: { ...this.f.body, body: [...starts, ...body] } }
    return this.returned === undefined ? made : withoutPointer(made, this.returned)
  }

  /** An array that is one row from here on, where a cast makes it one. */
  private flat(d: Declarator): Declarator {
    const [first, ...inner] = d.extents
    if (!this.flattened.has(d.name) || inner.length === 0 || d.struct || d.initial) return d
    const rows = this.rows(d.extents, d.at),
      count = rows.reduce<CExpr | null>((n, x) => n && binaryOf('*', n, x), first ?? null)
    const made: Declarator = { ...d, extents: [count] }
    const place = { base: nameOf(d.name, d.at), at: null, rows }
    this.scope.set(d.name, { kind: 'pointer', place, rank: d.extents.length, d: { ...made, pointer: true } })
    return made
  }

  /** A parameter that points to nothing named holds what the first pointer or cast into it says. */
  private typed(p: Declarator): Declarator {
    if (p.type !== 'void' || p.struct || p.unknown || p.extents.length !== 1) return p
    const found: Pick<Declarator, 'type' | 'struct'>[] = []
    const look = ({ type, struct }: Pick<Declarator, 'type' | 'struct'>, value: CExpr): void => {
      if ((type !== 'void' || struct) && rootName(value) === p.name) found.push({ type, ...(struct && { struct }) })
    }
    eachC(this.f.body, (s) => {
      if (s.kind === 'declare') for (const d of s.declarators) if (d.pointer && d.initial) look(d, d.initial)
      for (const x of pointerCastsIn(s)) look(x, x.arg)
    })
    return { ...p, ...found[0] }
  }

  /** Declarations before a marked region count in it. */
  private region(): readonly CStmt[] {
    for (const s of this.f.body.body) {
      if (s.kind === 'pragma') break
      if (s.kind === 'declare')
        for (const d of s.declarators)
          this.scope.set(
            d.name,
            d.extents.length > 0 ? { kind: 'array', rank: d.extents.length, d } : { kind: 'other', d },
          )
    }
    return inRegion(this.f.body.body, (x) => this.list(x))
  }

  // ---------------------------------------------------------------------------------------------------- statements

  protected statement(s: CStmt): CStmt[] {
    switch (s.kind) {
      case 'declare':
        return s.declarators.flatMap((d) => this.declared(d, s.at))
      case 'expr':
        return this.effect(s.expr, s.at)
      case 'block':
        return [{ ...s, body: this.list(s.body) }]
      case 'for': {
        return this.inScope(() => {
          const init = s.init ? this.statement(s.init) : []
          const [first, more] = init
          const set = init.flatMap((x) => (x.kind === 'expr' ? [x.expr] : []))
          const isHeader = !more || init.every((x) => x.kind === 'declare') || set.length === init.length
          const joined: CStmt | null =
            first?.kind === 'declare' && more
              ? { ...first, declarators: init.flatMap((x) => (x.kind === 'declare' ? x.declarators : [])) }
              : first?.kind === 'expr' && more
                ? { ...first, expr: set.reduce((left, right) => ({ kind: 'comma', left, right, at: left.at })) }
                : (first ?? null)
          const made: CStmt = {
            ...s,
            init: isHeader ? joined : null,
            condition: s.condition && this.value(s.condition),
            update: s.update && this.updated(s.update),
            body: this.one(s.body),
          }
          return isHeader ? [made] : [blockOf([...init, made], s.at)]
        })
      }
      case 'if': {
        const test = this.truth(s.condition)
        if (test.kind !== 'number')
          return [{ ...s, condition: test, then: this.one(s.then), else: s.else && this.one(s.else) }]
        const taken = test.value !== 0 ? s.then : s.else
        return taken ? [this.one(taken)] : []
      }
      case 'return': {
        const place = this.f.returnsPointer && s.value ? this.placeOf(s.value) : undefined,
          root = place && rootName(place.base)
        // what a local array holds would be lost
        if (!this.f.parameters.some((p) => p.name === root)) return [{ ...s, value: s.value && this.value(s.value) }]
        this.returned = root
        return [{ ...s, value: null }]
      }
      case 'while':
      case 'do':
      case 'switch':
      case 'break':
      case 'continue':
      case 'leave':
      case 'pragma':
      case 'empty':
      case 'unknown':
        return [
          mapParts(
            s,
            (e) => this.value(e),
            (x) => this.one(x),
          ),
        ]
    }
  }

  private declared(d: Declarator, at: Span): CStmt[] {
    const own: Declarator = { ...d, extents: d.extents.map((e) => e && this.value(e)) }
    if (d.pointer && !d.unknown && d.extents.filter((e) => e === null).length === 1 && d.initial?.kind !== 'list')
      return this.pointer(own, at)
    const flat = this.flat(own)
    if (flat !== own) return [{ kind: 'declare', declarators: [flat], at }]
    this.scope.set(
      d.name,
      d.extents.length > 0 ? { kind: 'array', rank: d.extents.length, d: own } : { kind: 'other', d },
    )
    return [{ kind: 'declare', declarators: [own.initial ? { ...own, initial: this.value(own.initial) } : own], at }]
  }

  private pointer(d: Declarator, at: Span): CStmt[] {
    if (!d.initial || this.isNull(d.initial)) {
      const { initial: _, ...open } = d
      this.scope.set(d.name, { kind: 'open', d: open })
      return []
    }
    if (d.initial.kind === 'call' && allocators.has(d.initial.name)) return this.allocated(d, d.initial)
    return this.placed(d, this.placeOf(d.initial) ?? this.refuse(d.initial), at)
  }

  /** The declaration of what moves with pointer `d`, which points to `place` from here on. */
  private placed(d: Declarator, place: Place, at: Span): CStmt[] {
    const rank = d.extents.length,
      kept: CStmt[] = [],
      seen: Pick<Place, 'as' | 'rows'> = {
        ...(d.type === 'void' || d.struct ? place.as && { as: place.as } : { as: d.type }),
        ...(rank > 1 && { rows: place.rows ?? (this.ranks(place) === 1 ? this.rows(d.extents, d.at) : undefined) }),
      }
    const keep = (e: CExpr, name: string): CExpr => {
      if (e.kind === 'number') return e
      const fresh = this.names.fresh(name)
      kept.push(declareOf(fresh, 'i32', at, e))
      return nameOf(fresh, at)
    }
    const rows = (e: CExpr): CExpr =>
      e.kind === 'member'
        ? { ...e, base: rows(e.base) }
        : e.kind === 'index'
          ? { ...e, base: rows(e.base), index: keep(e.index, `${d.name}_row`) }
          : e
    if (place.isVariable) {
      this.scope.set(d.name, { kind: 'pointer', place: { ...place, ...seen, base: rows(place.base) }, rank, d })
      return kept
    }
    const moves = this.written.has(d.name)
    /** What data choose is one number; which row it is stands in the subscripts. */
    const chosen = (e: CExpr): CExpr =>
      e.kind === 'index'
        ? keep(e, `${d.name}_row`)
        : e.kind === 'binary' && (e.op === '*' || e.op === '+' || e.op === '-')
          ? mapChildren(e, chosen)
          : e
    const base = rows(place.base),
      from = place.at ? (place.at.kind === 'index' ? place.at : chosen(place.at)) : moves ? numberOf(0, at) : null
    const fresh = from && this.names.fresh(`${d.name}_at`)
    if (from && fresh) kept.push(declareOf(fresh, 'i32', at, from))
    this.scope.set(d.name, { kind: 'pointer', place: { base, at: fresh ? nameOf(fresh, at) : null, ...seen }, rank, d })
    return kept
  }

  /** Dimensions that are left of the array where `place` points. */
  private ranks(place: Place): number | undefined {
    return place.isVariable || place.rows ? undefined : this.typeOf(place.base)?.left
  }

  /** The extents of rows, of which the first says nothing. */
  private rows(extents: readonly (CExpr | null)[], at: Span): readonly CExpr[] {
    return extents
      .slice(1)
      .map((x) => (x ? this.value(x) : fail('c.pointer', 'the length of the rows that this points to is open', at)))
  }

  /** Memory that the function asks for is an array of its own. */
  private allocated(d: Declarator, call: Extract<CExpr, { kind: 'call' }>): CStmt[] {
    const { pointer: _, initial: __, ...rest } = d,
      isZero = call.name === 'calloc',
      [first, second] = call.args
    // its own name may say how large an element is
    this.scope.set(d.name, { kind: 'array', rank: d.extents.length, d: rest })
    const asked =
      isZero && first && second ? binaryOf('*', first, second) : call.name === 'aligned_alloc' ? second : first
    const bytes = asked && this.value(this.spelledOut(asked)),
      count = bytes && (elementsIn(bytes) ?? quotientOf(bytes, d))
    if (!count)
      return fail(
        'c.pointer',
        `the size of ${d.name} is not understood`,
        call.at,
        `ask for n * sizeof(${d.name}[0]) bytes, or declare an array`,
      )
    if (this.written.has(d.name)) {
      const memory: Declarator = { ...d, name: this.names.fresh(`${d.name}_memory`) }
      const made = this.allocated(memory, call)
      return [...made, ...this.placed(d, { base: nameOf(memory.name, d.at), at: null }, d.at)]
    }
    const declare: CStmt = {
      kind: 'declare',
      declarators: [{ ...rest, extents: [count, ...d.extents.slice(1)] }],
      at: d.at,
    }
    if (!isZero) return [declare]
    if (d.struct || d.extents.length > 1)
      return fail(
        'c.pointer',
        `${d.name} is memory of zeros from calloc`,
        call.at,
        'declare it as an array and fill it with zeros in a loop',
      )
    const at = nameOf(this.names.fresh('at'), d.at),
      step: CExpr = { kind: 'update', op: '++', arg: at, at: d.at }
    const zero = assignOf({ kind: 'index', base: nameOf(d.name, d.at), index: at, at: d.at }, numberOf(0, d.at))
    return [
      declare,
      {
        kind: 'for',
        init: declareOf(at.kind === 'name' ? at.name : '', 'i32', d.at, numberOf(0, d.at)),
        condition: binaryOf('<', at, count),
        update: step,
        body: zero,
        at: d.at,
      },
    ]
  }

  private effect(e: CExpr, at: Span): CStmt[] {
    if (e.kind === 'comma') return [...this.effect(e.left, at), ...this.effect(e.right, at)]
    if (e.kind === 'assign' && e.op === '' && e.left.kind === 'name') {
      const known = this.scope.get(e.left.name)
      if (known?.kind === 'open') return this.opened(e.left.name, known.d, e.right, at)
    }
    if (e.kind === 'call' && blockwise.has(e.name)) return [this.blockwise(e)]
    const target = e.kind === 'assign' ? e.left : e.kind === 'update' ? e.arg : undefined,
      choice = target && this.alternatives(target)
    if (choice) {
      const side = (x: CExpr): CStmt =>
        blockOf(
          this.effect(
            mapChildren(e, (child) => (child === target ? x : child)),
            at,
          ),
          at,
        )
      return [
        { kind: 'if', condition: this.truth(choice.condition), then: side(choice.then), else: side(choice.else), at },
      ]
    }
    return [{ kind: 'expr', expr: this.updated(e), at }]
  }

  /** `memset` and `memcpy` as loops. */
  private blockwise(e: Extract<CExpr, { kind: 'call' }>): CStmt {
    const [to, from, bytes] = e.args,
      { at } = e
    if (!to || !from || !bytes) return fail('c.call', `${e.name} takes 3 arguments, got ${e.args.length}`, at)
    const d = this.declaratorOf(to),
      isCopy = e.name !== 'memset',
      other = isCopy ? this.declaratorOf(from) : undefined
    const size = this.value(bytes),
      single = isCopy ? this.copied(to, from, size) : undefined
    if (single) return single
    const whole = d && d.extents.length > 1 && bytes.kind === 'sizeof' && bytes.of
    const isByte = d && (d.type === 'u8' || d.type === 'i8')
    const count = elementsIn(size) ?? (isByte ? size : undefined)
    if (
      !d ||
      d.struct ||
      (isCopy && (!other || other.type !== d.type)) ||
      (!whole && (d.extents.length !== 1 || (other && other.extents.length !== 1) || !count))
    ) {
      return fail(
        'c.call',
        `the call of ${e.name} is not understood`,
        at,
        'give it one array of numbers and n * sizeof(element) bytes, or write its loops here',
      )
    }
    const extents = whole ? d.extents.map((x) => x ?? this.refuse(to)) : [count ?? this.refuse(bytes)]
    const names = extents.map((_, i) => this.names.fresh(`at${i}`))
    const index = names.map((n) => nameOf(n, at))
    const element = (array: CExpr): CExpr =>
      this.value(index.reduce<CExpr>((base, i) => ({ kind: 'index', base, index: i, at }), array))
    const value = isCopy ? element(from) : this.filling(from, d, isByte === true)
    const store = assignOf(element(to), value)
    return extents.reduceRight<CStmt>(
      (body, n, i) => ({
        kind: 'for',
        init: declareOf(names[i]!, 'i32', at, numberOf(0, at)),
        condition: binaryOf('<', index[i]!, n),
        update: { kind: 'update', op: '++', arg: index[i]!, at },
        body,
        at,
      }),
      store,
    )
  }

  /** A copy of one number's bytes, into one of any type that is as wide, or from or into several that are narrower. */
  private copied(to: CExpr, from: CExpr, size: CExpr): CStmt | undefined {
    const bytes = size.kind === 'number' ? size.value : size.kind === 'sizeof' && !size.of ? widthOf(size.type) : 0
    const [target, source] = [to, from].map((e) => (this.placeOf(e) ? this.element(e, null, e.at) : undefined)),
      [into, of] = [target, source].map((e) => e && this.typeOf(e))
    if (!target || !source || !into || !of || into.struct || of.struct || into.left > 0 || of.left > 0) return undefined
    const [here, there] = [widthOf(into.type), widthOf(of.type)]
    if (bytes === 0 || bytes !== Math.max(here, there) || here === 0 || there === 0) return undefined
    const parts = (pointer: CExpr, width: number): readonly CExpr[] =>
      Array.from({ length: bytes / width }, (_, i) => this.element(pointer, numberOf(i, to.at), to.at))
    if (there < here) return assignOf(target, joined(parts(from, there), of.type, into.type))
    if (here < there) {
      const values = taken(source, of.type, into.type)
      return blockOf(
        parts(to, here).map((x, i) => assignOf(x, values[i]!)), // one for each
        to.at,
      )
    }
    const isPlain = into.type === of.type || (isInteger(into.type) && isInteger(of.type))
    if (!isPlain && bytes < 4) return undefined
    return assignOf(target, isPlain ? source : seenAs(source, of.type, into.type))
  }

  /** The element that `memset` with this byte makes. */
  private filling(byte: CExpr, d: Declarator, isByte: boolean): CExpr {
    if (isByte || (byte.kind === 'number' && byte.value === 0)) return this.value(byte)
    const isOnes =
      (byte.kind === 'unary' && byte.op === '-' && byte.arg.kind === 'number' && byte.arg.value === 1) ||
      (byte.kind === 'number' && byte.value === 255)
    if (isOnes && !d.type.startsWith('f')) return { kind: 'unary', op: '-', arg: numberOf(1, byte.at), at: byte.at }
    return fail(
      'c.call',
      `memset fills ${d.name} byte by byte with something other than 0`,
      byte.at,
      'write the loop that sets its elements',
    )
  }

  /** The declaration of the array that `e` points into, at its level. */
  private declaratorOf(e: CExpr): Declarator | undefined {
    const place = this.placeOf(e),
      root = place && rootName(place.base)
    let depth = 0,
      array = place?.base
    for (; array?.kind === 'index'; array = array.base) depth++
    const member = array && this.memberAt(array)
    if (member) return { ...member, extents: member.extents.slice(depth) }
    const known = root === undefined ? undefined : this.scope.get(root)
    // a parameter that moves is a pointer into itself
    const isArray = known?.kind === 'array' || (known?.kind === 'pointer' && rootName(known.place.base) === root)
    if (!place || place.isVariable || !known || !isArray) return undefined
    return { ...known.d, extents: known.d.extents.slice(depth) }
  }

  /** `e` with the first values of variables that never change. */
  private spelledOut(e: CExpr): CExpr {
    return mapC(e, (x) => {
      const known = x.kind === 'name' ? this.scope.get(x.name) : undefined,
        value = known?.kind === 'other' && x.kind === 'name' && !this.written.has(x.name) ? known.d?.initial : undefined
      const isFixed = value && everywhere(value).every((y) => y.kind !== 'name' || !this.written.has(y.name))
      return value && isFixed ? this.spelledOut(value) : x
    })
  }

  /** The first assignment to a pointer that was declared without a value. */
  private opened(name: string, d: Declarator, value: CExpr, at: Span): CStmt[] {
    if (value.kind === 'call' && allocators.has(value.name)) return this.allocated({ ...d, initial: value }, value)
    return this.placed({ ...d, name }, this.placeOf(value) ?? this.refuse(value), at)
  }

  /** An expression statement or a part of a header of `for`: what moves pointers moves their numbers. */
  private updated(e: CExpr): CExpr {
    if (e.kind === 'comma') return { ...e, left: this.updated(e.left), right: this.updated(e.right) }
    const target = e.kind === 'assign' ? e.left : e.kind === 'update' ? e.arg : undefined
    const known = target?.kind === 'name' ? this.scope.get(target.name) : undefined
    if (target?.kind !== 'name' || known?.kind !== 'pointer') return this.value(e)
    const { at, base } = known.place
    if (!at) return this.refuse(e)
    if (e.kind === 'update' && !known.place.rows) return { ...e, arg: at }
    if (e.kind === 'update') {
      const by = inElements(numberOf(1, e.at), known.place)
      return { kind: 'assign', op: e.op === '++' ? '+' : '-', left: at, right: by, at: e.at }
    }
    if (e.kind !== 'assign') return this.value(e)
    if (e.op !== '') return { ...e, left: at, right: inElements(this.value(e.right), known.place) }
    const to = this.placeOf(e.right) ?? this.refuse(e.right)
    if (!sameBase(to.base, base))
      fail(
        'c.pointer',
        `the pointer ${target.name} points into different arrays at different times`,
        e.at,
        'use a pointer per array; for two arrays that take turns, write both steps in the loop or copy the result back',
      )
    return { ...e, left: at, right: to.at ?? numberOf(0, e.at) }
  }

  private refuse(e: CExpr): never {
    if (e.kind === 'unknown') return fail('c.expression', `${e.what} is not supported`, e.at, e.hint)
    if (this.alternatives(e))
      return fail(
        'c.pointer',
        'this points into one array or another',
        e.at,
        'write it as if … else with an access to each array',
      )
    return fail(
      'c.pointer',
      'it is not known which array this points into',
      e.at,
      'point into an array by its name, as in a + i or &a[i]',
    )
  }

  // --------------------------------------------------------------------------------------------------- expressions

  private isPointer(e: CExpr): boolean {
    return this.placeOf(e) !== undefined
  }

  /** Where `e` points, when it is a pointer or a whole array. */
  private placeOf(e: CExpr): Place | undefined {
    switch (e.kind) {
      case 'name': {
        const known = this.scope.get(e.name)
        if (known?.kind === 'pointer') return known.place
        return known?.kind === 'array' ? { base: e, at: null } : undefined
      }
      case 'binary': {
        if (e.op !== '+' && e.op !== '-') return undefined
        const left = this.placeOf(e.left),
          right = left || e.op === '-' ? undefined : this.placeOf(e.right)
        if (left?.isVariable || right?.isVariable || (left && this.placeOf(e.right))) return undefined
        if (left) {
          const by = inElements(this.value(e.right), left)
          return { ...left, at: left.at || e.op === '-' ? binaryOf(e.op, left.at ?? numberOf(0, e.at), by) : by }
        }
        const by = right && inElements(this.value(e.left), right)
        return right && by && { ...right, at: right.at ? binaryOf('+', right.at, by) : by }
      }
      case 'cast': {
        const place = e.pointer && this.placeOf(e.arg)
        if (!place || !e.pointer) return undefined
        const seen = e.type === 'void' ? place : { ...place, as: e.type }
        const ranks = this.ranks(place)
        if (e.pointer.length === 1 && place.rows) return { ...seen, rows: undefined }
        if (e.pointer.length === ranks || ranks === undefined) return seen
        return ranks === 1 ? { ...seen, rows: this.rows(e.pointer, e.at) } : this.refuse(e)
      }
      case 'address': {
        if (e.arg.kind === 'index') {
          const inner = this.placeOf({ kind: 'binary', op: '+', left: e.arg.base, right: e.arg.index, at: e.at })
          return inner
        }
        if (e.arg.kind === 'deref') return this.placeOf(e.arg.arg)
        if (e.arg.kind === 'name' && this.scope.get(e.arg.name)?.kind === 'other')
          return { base: e.arg, at: null, isVariable: true }
        return e.arg.kind === 'member' && this.typeOf(e.arg)?.left === 0
          ? { base: this.value(e.arg), at: null, isVariable: true }
          : undefined
      }
      case 'index': {
        // a row of an array with several dimensions
        const whole = this.placeOf(e.base)
        if (whole?.rows) {
          const by = inElements(this.value(e.index), whole),
            inner = whole.rows.slice(1)
          return {
            ...whole,
            at: whole.at ? binaryOf('+', whole.at, by) : by,
            rows: inner.length > 0 ? inner : undefined,
          }
        }
        const rank = this.rankOf(e.base)
        return rank !== undefined && rank > 1
          ? { base: this.element(e.base, this.value(e.index), e.at), at: null, ...(whole?.as && { as: whole.as }) }
          : undefined
      }
      case 'choose': {
        const then = this.placeOf(e.then),
          other = this.placeOf(e.else)
        if (!then || !other || !sameBase(then.base, other.base)) return undefined
        const zero = numberOf(0, e.at)
        return {
          base: then.base,
          at: { ...e, condition: this.value(e.condition), then: then.at ?? zero, else: other.at ?? zero },
        }
      }
      case 'member':
        return (this.typeOf(e)?.left ?? 0) > 0 ? { base: this.value(e), at: null } : undefined
      case 'deref':
        return this.placeOf({ kind: 'index', base: e.arg, index: numberOf(0, e.at), at: e.at })
      case 'number':
      case 'unary':
      case 'assign':
      case 'update':
      case 'call':
      case 'sizeof':
      case 'comma':
      case 'list':
      case 'unknown':
        return undefined
    }
  }

  /**
   * The structure or number that `e` is, or holds in arrays of `left` dimensions; members that are pointers and move
   * have none.
   */
  private typeOf(e: CExpr): Typed | undefined {
    if (e.kind === 'index' || e.kind === 'deref') {
      const of = this.typeOf(e.kind === 'index' ? e.base : e.arg)
      return of && of.left > 0 ? { ...of, left: of.left - 1 } : undefined
    }
    if (e.kind === 'member') {
      const m = this.memberAt(e)
      return m && m.unknown === undefined && (m.extents.every((x) => x !== null) || !this.members.has(m.name))
        ? { struct: m.struct, type: m.type, left: m.extents.length }
        : undefined
    }
    const known = e.kind === 'name' ? this.scope.get(e.name) : undefined
    return known && known.kind !== 'open' && known.d
      ? { struct: known.d.struct, type: known.d.type, left: known.d.extents.length }
      : undefined
  }

  /** The declaration of a member, where `e` is one. */
  private memberAt(e: CExpr): Declarator | undefined {
    const of = e.kind === 'member' ? this.typeOf(e.base) : undefined
    return of?.left === 0 && e.kind === 'member' ? of.struct?.members.find((x) => x.name === e.name) : undefined
  }

  /** `sizeof x`: the bytes of its type times its elements. */
  private sized(e: Extract<CExpr, { kind: 'sizeof' }>, of: CExpr): CExpr {
    let depth = 0,
      root = of
    while (root.kind === 'index' || root.kind === 'deref') {
      depth++
      root = root.kind === 'index' ? root.base : root.arg
    }
    const known = root.kind === 'name' ? this.scope.get(root.name) : undefined
    const pointed = known?.kind === 'pointer' && known.rank === depth ? this.declaratorOf(root) : undefined,
      d = known?.kind === 'array' || known?.kind === 'other' ? known.d : (pointed ?? this.memberAt(root))
    const left = pointed ? [] : d?.extents.slice(depth)
    if (!d || d.struct || !left || (left.length > 0 && depth === 0 && d.pointer))
      return fail(
        'c.expression',
        'the size of this is not known here',
        e.at,
        'use sizeof of a type; a parameter is a pointer',
      )
    return left.reduce<CExpr>((n, x) => binaryOf('*', x ?? this.refuse(of), n), {
      kind: 'sizeof',
      type: d.type,
      at: e.at,
    })
  }

  private rankOf(e: CExpr): number | undefined {
    if (e.kind === 'index') {
      const rank = this.rankOf(e.base)
      return rank === undefined ? undefined : rank - 1
    }
    const known = e.kind === 'name' ? this.scope.get(e.name) : undefined
    return known?.kind === 'array' || known?.kind === 'pointer' ? known.rank : undefined
  }

  /** What a pointer is on the two sides of a choice between places in different arrays, where it begins with one. */
  private alternatives(e: CExpr): Choice | undefined {
    if (e.kind === 'choose') {
      const then = this.placeOf(e.then) ?? this.alternatives(e.then),
        other = this.placeOf(e.else) ?? this.alternatives(e.else)
      return then && other && this.placeOf(e) === undefined ? e : undefined
    }
    const inner =
      e.kind === 'cast' || e.kind === 'deref' || e.kind === 'address'
        ? e.arg
        : e.kind === 'index' || e.kind === 'member'
          ? e.base
          : e.kind === 'binary' && (e.op === '+' || e.op === '-')
            ? e.left
            : undefined
    const choice = inner && this.alternatives(inner)
    if (!choice) return undefined
    const side = (x: CExpr): CExpr => mapChildren(e, (child) => (child === inner ? x : child))
    return { ...choice, then: side(choice.then), else: side(choice.else) }
  }

  /** `pointer[index]`. */
  private element(pointer: CExpr, index: CExpr | null, at: Span): CExpr {
    const place = this.placeOf(pointer)
    const zero = numberOf(0, at)
    if (!place) return { kind: 'index', base: this.value(pointer), index: index ?? zero, at }
    if (place.isVariable)
      return index && !(index.kind === 'number' && index.value === 0) ? this.refuse(pointer) : place.base
    if (place.rows) return this.refuse(pointer)
    return {
      kind: 'index',
      base: place.base,
      index: place.at && index ? binaryOf('+', place.at, index) : (place.at ?? index ?? zero),
      at,
    }
  }

  /** `pointer[index]` as the pointer's type says. */
  private read(pointer: CExpr, index: CExpr | null, at: Span): CExpr {
    const element = this.element(pointer, index, at),
      as = this.placeOf(pointer)?.as,
      own = as && this.otherThan(as, element)
    return as && own ? seenAs(element, own, as) : element
  }

  /** The type of the number `element` where that is another than `as`, and as wide. Refuses others. */
  private otherThan(as: CScalar, element: CExpr): CScalar | undefined {
    const own = this.typeOf(element)
    if (!own || own.struct || own.left > 0 || own.type === as || own.type === 'void') return undefined
    const isSized = (isInteger(own.type) && isInteger(as)) || widthOf(as) >= 4
    return isSized && widthOf(own.type) === widthOf(as) ? own.type : this.notAs(element, own.type, as)
  }

  private notAs(element: CExpr, own: CScalar, as: CScalar): never {
    return fail(
      'c.pointer',
      `${rootName(element) ?? 'this'} holds ${typeText(own)} and is taken for ${typeText(as)} here`,
      element.at,
      'declare it as what it is taken for; only numbers of one size are read as each other',
    )
  }

  /** A store through a pointer that takes the array's numbers for others: the value goes the way back. */
  private stored(e: Extract<CExpr, { kind: 'assign' | 'update' }>): CExpr | undefined {
    const left = e.kind === 'assign' ? e.left : e.arg,
      pointer = left.kind === 'index' ? left.base : left.kind === 'deref' ? left.arg : undefined,
      as = pointer && this.placeOf(pointer)?.as
    if (!pointer || !as) return undefined
    const target = this.element(pointer, left.kind === 'index' ? this.value(left.index) : null, left.at),
      own = this.otherThan(as, target)
    if (!own) return undefined
    const by = e.kind === 'assign' ? this.value(e.right) : numberOf(1, e.at),
      op = e.kind === 'assign' ? e.op : e.op === '++' ? '+' : '-',
      value = op === '' ? by : binaryOf(op, seenAs(target, own, as), by)
    const back = seenAs({ kind: 'cast', type: as, arg: value, at: e.at }, as, own)
    return { kind: 'assign', op: '', left: target, right: back, at: e.at }
  }

  /** `e` as a condition: every pointer that is known points somewhere. */
  private truth(e: CExpr): CExpr {
    const is = (value: boolean): CExpr => numberOf(value ? 1 : 0, e.at)
    if (this.placeOf(e)) return is(true)
    if (e.kind === 'unary' && e.op === '!') {
      const arg = this.truth(e.arg)
      return arg.kind === 'number' ? is(arg.value === 0) : arg === e.arg ? e : { ...e, arg }
    }
    if (e.kind !== 'binary') return this.value(e)
    if (e.op !== '&&' && e.op !== '||') return this.value(e)
    const left = this.truth(e.left),
      right = this.truth(e.right),
      decides = e.op === '||'
    if (left.kind === 'number') return (left.value !== 0) === decides ? is(decides) : right
    if (right.kind === 'number' && (right.value !== 0) !== decides) return left
    return { ...e, left, right }
  }

  /** Whether `e` asks if a pointer that is known points nowhere. */
  private isNullTest(e: Extract<CExpr, { kind: 'binary' }>): boolean {
    const isPlaced = (x: CExpr): boolean => this.placeOf(x) !== undefined
    return (
      (e.op === '==' || e.op === '!=') &&
      (this.isNull(e.right) ? isPlaced(e.left) : this.isNull(e.left) && isPlaced(e.right))
    )
  }

  private isNull(e: CExpr): boolean {
    return (
      (e.kind === 'number' && e.value === 0) ||
      (e.kind === 'name' && e.name === 'NULL') ||
      (e.kind === 'cast' && e.pointer !== undefined && this.isNull(e.arg))
    )
  }

  /** `e` as a value, without pointers. */
  private value(e: CExpr): CExpr {
    const choice = e.kind === 'index' || e.kind === 'deref' || e.kind === 'member' ? this.alternatives(e) : undefined
    if (choice) return this.value(choice)
    switch (e.kind) {
      case 'index':
        return this.read(e.base, this.value(e.index), e.at)
      case 'deref': {
        if (this.scope.size > 0 && this.isPointer(e.arg)) return this.read(e.arg, null, e.at)
        break
      }
      case 'name': {
        const known = this.scope.get(e.name)
        if (known?.kind === 'open')
          fail(
            'c.pointer',
            `it is not known which array the pointer ${e.name} points into here`,
            e.at,
            'point it into one array where it is declared; where branches choose the array, use it inside of them',
          )
        if (known?.kind === 'pointer' && !known.place.at && !known.place.isVariable) return known.place.base
        break
      }
      case 'choose':
        return { ...e, condition: this.truth(e.condition), then: this.value(e.then), else: this.value(e.else) }
      case 'unary': {
        if (e.op === '!') return { ...e, arg: this.truth(e.arg) }
        break
      }
      case 'binary': {
        if (this.isNullTest(e)) return numberOf(e.op === '!=' ? 1 : 0, e.at)
        if (e.op === '&&' || e.op === '||') return { ...e, left: this.truth(e.left), right: this.truth(e.right) }
        const isOrder = ['==', '!=', '<', '<=', '>', '>=', '-'].includes(e.op)
        const left = isOrder ? this.placeOf(e.left) : undefined,
          right = left && this.placeOf(e.right)
        if (!left || !right) break
        if (!sameBase(left.base, right.base)) {
          // arrays do not overlap
          const isEquality = e.op === '==' || e.op === '!='
          if (isEquality && rootName(left.base) !== rootName(right.base)) return numberOf(e.op === '!=' ? 1 : 0, e.at)
          fail('c.pointer', 'these two point into different arrays', e.at, 'compare places in one array')
        }
        return { ...e, left: left.at ?? numberOf(0, e.at), right: right.at ?? numberOf(0, e.at) }
      }
      case 'assign':
      case 'update':
        return this.stored(e) ?? mapChildren(e, (x) => this.value(x))
      case 'address':
        return this.refuse(e.arg.kind === 'unknown' ? e.arg : e)
      case 'sizeof':
        return e.of ? this.sized(e, e.of) : e
      case 'number':
      case 'call':
      case 'cast':
      case 'comma':
      case 'list':
      case 'member':
      case 'unknown':
        break
    }
    return mapChildren(e, (x) => this.value(x))
  }
}

/** `f` without the pointer into `array` that it returns: what that points to is in the array. */
const withoutPointer = (f: CFunction, array: string): CFunction => ({
  ...f,
  returns: 'void',
  body: { ...f.body, body: f.body.body.map(withoutResult) },
  notes: [...(f.notes ?? []), `the pointer into ${array} that ${f.name} returns is left out`],
})

/** Arrays with several dimensions of which a cast makes one row: `(float *)a`. */
function flattenedIn(f: CFunction): ReadonlySet<string> {
  const found = new Set<string>()
  eachC(f.body, (s) => {
    for (const x of pointerCastsIn(s)) if (x.pointer?.length === 1 && x.arg.kind === 'name') found.add(x.arg.name)
  })
  return found
}

/** Casts to pointers in a statement's own expressions. */
const pointerCastsIn = (s: CStmt): readonly Extract<CExpr, { kind: 'cast' }>[] =>
  expressionsOf(s)
    .flatMap(everywhere)
    .filter((x) => x.kind === 'cast')
    .filter((x) => x.pointer)

/** `n` places of what `place` points to, in elements: rows have several. */
const inElements = (n: CExpr, place: Place): CExpr => (place.rows ?? []).reduce((by, x) => binaryOf('*', by, x), n)

/** n of `n * sizeof(T)`. */
function elementsIn(bytes: CExpr): CExpr | undefined {
  if (bytes.kind === 'cast') return elementsIn(bytes.arg)
  if (bytes.kind !== 'binary' || bytes.op !== '*') return undefined
  const isSize = (e: CExpr): boolean => e.kind === 'sizeof'
  if (isSize(bytes.right)) return bytes.left
  if (isSize(bytes.left)) return bytes.right
  const left = elementsIn(bytes.left)
  if (left) return { ...bytes, left }
  const right = elementsIn(bytes.right)
  return right && { ...bytes, right }
}

/** As many elements as `bytes` hold. */
const quotientOf = (bytes: CExpr, d: Declarator): CExpr | undefined =>
  d.struct || d.type === 'void' || d.extents.length > 1
    ? undefined
    : binaryOf('/', bytes, { kind: 'sizeof', type: d.type, at: d.at })

const sameBase = (a: CExpr, b: CExpr): boolean => keyOfC(a) === keyOfC(b)
