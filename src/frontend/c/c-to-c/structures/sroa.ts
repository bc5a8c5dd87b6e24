// In: a C function without local pointers. Out: the same without structures. The one idea: a structure in memory whose
// members have one type is a row of numbers, so an array of them is an array with one dimension more, and memory stays
// as it was; a local structure is a variable per member, and an array of structures with members of several types an
// array per member, of which the function keeps a note. Members that are pointers are refused by name.
import { cFunction, type InUnit } from '../../text/representation.ts'
import { keeping, pass } from '../../../../ir/index.ts'
import { fail, type Span } from '../../../../base/index.ts'
import { largestList } from '../../lower/initializers.ts'
import {
  binaryOf,
  blockOf,
  expressionsOf,
  inRegion,
  mapChildren,
  mapParts,
  nameOf,
  FreshNames,
  numberOf,
} from '../c-rewriting.ts'
import { writtenMembers } from '../moving-pointers.ts'
import { rootName } from '../name-uses.ts'
import { Scoped } from '../scoped-walk.ts'
import { constantIn } from '../../settle/sizes/planned-sizes.ts'
import { numbersIn } from './struct-initializers.ts'
import type { CExpr, CFunction, CScalar, CStmt, CStruct, Declarator } from '../../text/syntax.ts'

// Before:
//
//   struct point { float x, y; };
//   void f(int n, struct point *p) {
//     for (int i = 0; i < n; i++) p[i].x = p[i].y;
//   }
//
// After:
//
//   void f(int n, float *p[2]) {
//     for (int i = 0; i < n; i++) {
//       p[i][0] = p[i][1];
//     }
//   }
export const sroa = pass<CFunction, InUnit>({
  name: 'scalar-replacement-of-aggregates',
  summary: 'a structure is a variable or an array per member, or a row of numbers',
  of: cFunction,
  run: keeping(flattenStructs),
})

/** A member with what stands before it, in elements. */
interface Field {
  readonly d: Declarator
  readonly offset: number
  readonly count: number
}

/** Replaces structures in `f` by numbers. */
export function flattenStructs(f: CFunction): CFunction {
  const structs = new Structs(f)
  return structs.run()
}

/** What an expression with a structure's type is. */
type Value =
  /** `offset` elements into the row `row`; `extents` left to be indexed. */
  | {
      readonly kind: 'row'
      readonly row: CExpr
      readonly offset: CExpr | null
      readonly struct: CStruct | undefined
      readonly extents: readonly number[]
    }
  | { readonly kind: 'local'; readonly name: string; readonly struct: CStruct }
  /** Element `index` of the arrays that begin with `name`. */
  | {
      readonly kind: 'column'
      readonly name: string
      readonly index: readonly CExpr[]
      readonly struct: CStruct | undefined
      readonly extents: readonly number[]
    }

/** A local structure, or an array of structures in memory. */
interface Known {
  readonly struct: CStruct
  readonly rank: number
  readonly isLocal: boolean
  readonly isApart?: true
  /** What the caller's pointer points to, taken apart. */
  readonly isHandle?: true
  readonly prefix: string
}

class Structs extends Scoped<Known> {
  private readonly f: CFunction
  private readonly names: FreshNames
  private readonly notes: string[] = []
  /** Numbers behind the caller's pointer that the function changes: arrays of one element. */
  private readonly given = new Set<string>()

  constructor(f: CFunction) {
    super()
    this.f = f
    this.names = new FreshNames([f])
  }

  run(): CFunction {
    const parameters = this.f.parameters.flatMap((p) => this.declared(p, p.extents.length === 0))
    const body = inRegion(this.f.body.body, (x) => this.list(x))
    return {
      ...this.f,
      parameters,
      body: { ...this.f.body, body },
      ...(this.notes.length > 0 && { notes: [...(this.f.notes ?? []), ...this.notes] }),
    }
  }

  private declared(d: Declarator, isLocal: boolean): Declarator[] {
    const { struct } = d
    if (!struct) {
      this.scope.delete(d.name)
      return [d]
    }
    if (!isLocal) {
      const problem = mixed(struct)
      const hasPointers = leaves(struct).some((m) => m.pointer)
      if (
        d.extents.length === 1 &&
        d.pointer &&
        (problem || elementOf(struct) === 'i32') &&
        isHandle(struct) &&
        (hasPointers || isOneAndFixed(this.f.body, d.name, struct))
      )
        return this.handle(d, struct)
      if (problem && isPlainStruct(struct)) return this.columns(d, struct)
      this.scope.set(d.name, { struct, rank: d.extents.length, isLocal, prefix: d.name })
      const { struct: _, ...rest } = d
      if (problem)
        return [{ ...rest, unknown: `struct ${struct.name} has ${problem}`, hint: 'pass an array per member' }]
      const own = d.initial?.kind === 'list' ? { ...rest, initial: this.listed(d.initial, d, struct) } : rest
      return [{ ...own, type: elementOf(struct), extents: [...d.extents, numberOf(sizeOf(struct), d.at)] }]
    }
    const prefix = this.names.prefix(d.name, memberNames(struct))
    this.scope.set(d.name, { struct, rank: 0, isLocal, prefix })
    if (d.initial && d.initial.kind !== 'list') return this.variables(struct, prefix, d.at)
    return this.variables(struct, prefix, d.at, d.initial?.kind === 'list' ? d.initial : undefined)
  }

  /** An array per member, for members of several types. */
  private columns(d: Declarator, struct: CStruct): Declarator[] {
    const prefix = this.names.prefix(d.name, memberNames(struct))
    this.scope.set(d.name, { struct, rank: d.extents.length, isLocal: false, isApart: true, prefix })
    const made = this.split(d, struct, prefix)
    const members = made.map((m) => m.name).join(', ')
    if (this.f.parameters.includes(d))
      this.notes.push(
        `struct ${struct.name} has members of several types: ` +
          `the kernels take an array for each member of ${d.name} (${members})`,
      )
    return made
  }

  /** The arrays of the members of `d`, each with its part of the list of values. */
  private split(d: Declarator, struct: CStruct, prefix: string): Declarator[] {
    const list = d.initial?.kind === 'list' ? this.listed(d.initial, d, struct) : undefined,
      all = sizeOf(struct)
    const of = (s: CStruct, name: string, extents: Declarator['extents'], from: number): Declarator[] =>
      fieldsOf(s).flatMap(({ d: m, offset, count: own }) => {
        const shape = [...extents, ...m.extents],
          at = from + offset
        if (m.struct && m.extents.length === 0) return of(m.struct, `${name}_${m.name}`, shape, at)
        if (m.struct && list)
          return fail(
            'c.declaration',
            `a list of values for ${m.name}, an array of structures in structures with members of several types, ` +
              `is not supported`,
            list.at,
            'fill it with assignments',
          )
        if (m.struct) return of(m.struct, `${name}_${m.name}`, shape, at)
        const initial: List | undefined = list && {
          kind: 'list',
          items: list.items.filter((_, i) => i % all >= at && i % all < at + own),
          at: list.at,
        }
        return [
          {
            ...m,
            name: `${name}_${m.name}`,
            extents: shape,
            at: d.at,
            ...(d.pointer && { pointer: true as const }),
            ...(d.isStatic && { isStatic: true as const }),
            ...(initial && { initial }),
          },
        ]
      })
    return of(struct, prefix, d.extents, 0)
  }

  /** The numbers of a list of structures, in the order of memory. */
  private listed(list: List, d: Declarator, struct: CStruct): List {
    const inner = d.extents.slice(1).map((e) => constantOf(e, d)),
      row = inner.reduce((n, e) => n * e, sizeOf(struct)),
      first = d.extents[0]
    const outer =
      first === null || first === undefined
        ? list.items.some((x) => x.kind === 'list')
          ? list.items.length
          : Math.ceil(list.items.length / row)
        : constantOf(first, d)
    const extents = d.extents.length === 0 ? [] : [outer, ...inner]
    if (extents.reduce((n, e) => n * e, sizeOf(struct)) > largestList)
      fail(
        'c.declaration',
        `${d.name} has a list of values and more than ${largestList} numbers`,
        d.at,
        'fill it with a loop',
      )
    return {
      kind: 'list',
      items: [
        ...numbersIn(list, extents, struct, { inMembers, extentsOf: (m) => m.extents.map((e) => constantOf(e, m)) }),
      ],
      at: list.at,
    }
  }

  /**
   * One structure with arrays in it, behind a pointer: its arrays, and its numbers by value, but for those that change,
   * which the caller must get back.
   */
  private handle(d: Declarator, struct: CStruct): Declarator[] {
    const prefix = this.names.prefix(d.name, memberNames(struct))
    this.scope.set(d.name, { struct, rank: 1, isLocal: true, isHandle: true, prefix })
    const made = this.variables(struct, prefix, d.at)
    const written = writtenMembers(this.f.body, d.name),
      own = (m: Declarator): string => m.name.slice(prefix.length + 1)
    const moved = made.find((m) => isPointer(m) && written.has(own(m)))
    if (moved)
      fail(
        'c.declaration',
        `the function changes the pointer ${own(moved)} behind the pointer ${d.name}`,
        d.at,
        'pass what it points to as a parameter of its own',
      )
    // of a structure in the structure the last name is written
    const isChanged = (m: Declarator): boolean =>
        m.extents.length === 0 && [...written].some((x) => own(m) === x || own(m).endsWith(`_${x}`)),
      changed = made.filter(isChanged).map((m) => m.name)
    for (const name of changed) this.given.add(name)
    this.notes.push(
      `${d.name} is taken apart into its members: ${made.map((m) => m.name).join(', ')}` +
        (changed.length > 0 ? `; changed, and so arrays of one element: ${changed.join(', ')}` : ''),
    )
    return made.map((m) => (this.given.has(m.name) ? { ...m, extents: [numberOf(1, m.at)] } : m))
  }

  /** A variable per member, with the values of `list`, of which what is left out is 0. */
  private variables(struct: CStruct, prefix: string, at: Span, list?: List): Declarator[] {
    const items = list && inMembers(list, struct).items
    if (items && items.length > struct.members.length)
      fail(
        'c.declaration',
        `struct ${struct.name} has ${struct.members.length} members and its list ${items.length} values`,
        at,
      )
    return struct.members.flatMap((m, i): Declarator[] => {
      const name = `${prefix}_${m.name}`,
        none: List = { kind: 'list', items: [], at },
        item = items?.[i] ?? (m.struct || (m.extents.length > 0 && !isPointer(m)) ? none : numberOf(0, at))
      if (m.struct && m.extents.length > 0)
        return this.localArray({ ...m, name, at, ...(items && { initial: item }) }, m.struct)
      if (!m.struct) return [{ ...m, name, at, ...(items && { initial: item }) }]
      if (items && item.kind !== 'list')
        return fail(
          'c.declaration',
          `the structure ${m.name} in struct ${struct.name} has no braces of its own`,
          item.at,
          'put its values in braces',
        )
      return this.variables(m.struct, name, at, items && item.kind === 'list' ? item : undefined)
    })
  }

  /** An array of structures in a local structure: a row of all its numbers, or an array per member. */
  private localArray(d: Declarator, struct: CStruct): Declarator[] {
    if (mixed(struct)) return this.split(d, struct, d.name)
    const { struct: _, ...rest } = d,
      count = d.extents.reduce((n, e) => n * constantOf(e, d), sizeOf(struct))
    return [
      {
        ...rest,
        type: elementOf(struct),
        extents: [numberOf(count, d.at)],
        ...(d.initial?.kind === 'list' && { initial: this.listed(d.initial, d, struct) }),
      },
    ]
  }

  protected statement(s: CStmt): CStmt[] {
    if (s.kind === 'declare' && !s.declarators.some((d) => d.struct))
      return [{ ...s, declarators: s.declarators.flatMap((d) => this.declared(this.valued(d), true)) }]
    if (s.kind === 'declare') {
      return s.declarators.flatMap((d): CStmt[] => {
        const declarators = this.declared(this.valued(d), d.extents.length === 0),
          made: CStmt = { kind: 'declare', declarators, at: s.at }
        return d.struct && d.initial && d.initial.kind !== 'list'
          ? [made, ...this.copied(nameOf(d.name, d.at), d.initial, s.at)]
          : [made]
      })
    }
    if (s.kind === 'block') return [{ ...s, body: this.list(s.body) }]
    if (s.kind === 'expr' && s.expr.kind === 'assign' && s.expr.op === '' && this.structOf(s.expr.left)) {
      const root = rootName(s.expr.left) ?? ''
      if (this.scope.get(root)?.isHandle)
        return fail(
          'c.declaration',
          `the function changes the structure behind the pointer ${root}, which has pointers`,
          s.at,
          'pass what changes as a parameter of its own',
        )
      return this.copied(s.expr.left, s.expr.right, s.at)
    }
    return [
      mapParts(
        s,
        (e) => this.value(e),
        (x) => this.one(x),
      ),
    ]
  }

  private valued(d: Declarator): Declarator {
    return {
      ...d,
      extents: d.extents.map((e) => e && this.value(e)),
      ...(d.initial && { initial: this.value(d.initial, d.struct !== undefined) }),
    }
  }

  /** `to = (struct s){ … }`; what the list leaves out is 0. */
  private filled(to: CExpr, struct: CStruct, list: Extract<CExpr, { kind: 'list' }>, at: Span): CStmt[] {
    const values = inMembers(list, struct).items.map((x) => (x.kind === 'list' ? x : this.value(x)))
    if (values.length > struct.members.length)
      fail(
        'c.declaration',
        `struct ${struct.name} has ${struct.members.length} members and its list ${values.length} values`,
        list.at,
      )
    return struct.members.flatMap((m, i): CStmt[] => {
      const member: CExpr = { kind: 'member', base: to, name: m.name, at },
        value = values[i] ?? numberOf(0, at)
      if (m.struct && m.extents.length === 0 && (value.kind === 'list' || !values[i]))
        return this.filled(member, m.struct, value.kind === 'list' ? value : { kind: 'list', items: [], at }, at)
      if ((m.extents.length > 0 && !isPointer(m)) || value.kind === 'list')
        return fail(
          'c.declaration',
          `the member ${m.name} of struct ${struct.name} is given in a list`,
          at,
          'assign its elements one by one',
        )
      return [{ kind: 'expr', expr: { kind: 'assign', op: '', left: this.value(member), right: value, at }, at }]
    })
  }

  /** `to = from`, member by member. */
  private copied(to: CExpr, from: CExpr, at: Span): CStmt[] {
    const struct = this.structOf(to)
    if (struct && from.kind === 'list') return this.filled(to, struct, from, at)
    if (struct && from.kind === 'choose' && this.isWhole(from))
      return [
        {
          kind: 'if',
          condition: this.value(from.condition),
          then: blockOf(this.copied(to, from.then, at), at),
          else: blockOf(this.copied(to, from.else, at), at),
          at,
        },
      ]
    if (!struct || !this.structOf(from)) return fail('c.type', 'a structure is assigned something else', at)
    return struct.members.flatMap((m): CStmt[] => {
      const member = (base: CExpr): CExpr => ({ kind: 'member', base, name: m.name, at })
      if (m.struct && m.extents.length === 0) return this.copied(member(to), member(from), at)
      const extents = isPointer(m) ? [] : m.extents,
        places = extents.reduce<CExpr[][]>(
          (all, e) => all.flatMap((x) => Array.from({ length: constantOf(e, m) }, (_, i) => [...x, numberOf(i, at)])),
          [[]],
        )
      const whole = (base: CExpr, index: readonly CExpr[]): CExpr =>
        index.reduce<CExpr>((b, i) => ({ kind: 'index', base: b, index: i, at }), member(base))
      if (m.struct) return places.flatMap((index) => this.copied(whole(to, index), whole(from, index), at))
      return places.map((index): CStmt => {
        const element = (base: CExpr): CExpr => this.value(whole(base, index))
        return { kind: 'expr', expr: { kind: 'assign', op: '', left: element(to), right: element(from), at }, at }
      })
    })
  }

  /** Whether `e` is a structure, or one of two. */
  private isWhole(e: CExpr): boolean {
    return e.kind === 'choose' ? this.isWhole(e.then) && this.isWhole(e.else) : this.structOf(e) !== undefined
  }

  private structOf(e: CExpr): CStruct | undefined {
    const v = this.valueAt(e)
    return v?.kind === 'local' ? v.struct : v && v.extents.length === 0 ? v.struct : undefined
  }

  /** What `e` is, when it is a structure, an array of them, or a part of one in memory. */
  private valueAt(e: CExpr): Value | undefined {
    if (e.kind === 'name' || e.kind === 'index' || e.kind === 'deref') {
      const index: CExpr[] = []
      let root: CExpr = e
      for (;;) {
        if (root.kind === 'index') {
          index.unshift(root.index)
          root = root.base
        } else if (root.kind === 'deref') {
          index.unshift(numberOf(0, root.at))
          root = root.arg
        } else break
      }
      const known = root.kind === 'name' ? this.scope.get(root.name) : undefined
      if (known?.isLocal && index.length === known.rank && index.every((x) => x.kind === 'number' && x.value === 0))
        return { kind: 'local', name: known.prefix, struct: known.struct }
      if (known?.isApart && index.length === known.rank)
        return {
          kind: 'column',
          name: known.prefix,
          index: index.map((x) => this.value(x)),
          struct: known.struct,
          extents: [],
        }
      if (known && !known.isApart && !known.isLocal && index.length === known.rank)
        return {
          kind: 'row',
          row: mapChildren(e, (x) => this.value(x)),
          offset: null,
          struct: known.struct,
          extents: [],
        }
      const inner = e.kind === 'index' ? this.valueAt(e.base) : undefined
      if (e.kind === 'index' && inner?.kind === 'column' && inner.extents.length > 0)
        return { ...inner, index: [...inner.index, this.value(e.index)], extents: inner.extents.slice(1) }
      if (e.kind !== 'index' || inner?.kind !== 'row' || inner.extents.length === 0) return undefined
      const step = inner.extents.slice(1).reduce((n, x) => n * x, inner.struct ? sizeOf(inner.struct) : 1)
      const at = step === 1 ? this.value(e.index) : binaryOf('*', this.value(e.index), numberOf(step, e.at))
      return { ...inner, offset: inner.offset ? binaryOf('+', inner.offset, at) : at, extents: inner.extents.slice(1) }
    }
    if (e.kind !== 'member') return undefined
    const base = this.valueAt(e.base)
    const struct = base && base.kind !== 'local' && base.extents.length > 0 ? undefined : base?.struct
    if (!base || !struct) return undefined
    if (base.kind === 'local') {
      const own = struct.members.find((m) => m.name === e.name)
      if (!own?.struct) return undefined
      const name = `${base.name}_${own.name}`,
        extents = own.extents.map((x) => constantOf(x, own))
      if (extents.length === 0) return { kind: 'local', name, struct: own.struct }
      return mixed(own.struct)
        ? { kind: 'column', name, index: [], struct: own.struct, extents }
        : { kind: 'row', row: nameOf(name, e.at), offset: null, struct: own.struct, extents }
    }
    const field = fieldsOf(struct).find((x) => x.d.name === e.name)
    if (!field) return fail('c.member', `struct ${struct.name} has no member ${e.name}`, e.at)
    const { d } = field
    if (base.kind === 'column')
      return {
        ...base,
        name: `${base.name}_${d.name}`,
        struct: d.struct,
        extents: d.extents.map((x) => constantOf(x, d)),
      }
    const here = numberOf(field.offset, e.at)
    return {
      kind: 'row',
      row: base.row,
      offset: base.offset ? (field.offset === 0 ? base.offset : binaryOf('+', base.offset, here)) : here,
      struct: d.struct,
      extents: d.extents.map((x) => constantOf(x, d)),
    }
  }

  private value(e: CExpr, isWhole = false): CExpr {
    if (isWhole && this.isWhole(e)) return e
    if (e.kind === 'member' || e.kind === 'index') {
      const v = this.valueAt(e)
      if (v?.kind === 'row' && v.struct === undefined && v.extents.length === 0 && v.offset)
        return { kind: 'index', base: v.row, index: v.offset, at: e.at }
    }
    const column = e.kind === 'member' || e.kind === 'index' ? this.valueAt(e) : undefined
    if (column?.kind === 'column' && column.struct === undefined)
      return column.index.reduce<CExpr>(
        (b, index) => ({ kind: 'index', base: b, index, at: e.at }),
        nameOf(column.name, e.at),
      )
    if (e.kind === 'member') {
      const base = this.valueAt(e.base)
      if (base?.kind === 'local') {
        if (!base.struct.members.some((m) => m.name === e.name))
          fail('c.member', `struct ${base.struct.name} has no member ${e.name}`, e.at)
        const name = nameOf(`${base.name}_${e.name}`, e.at)
        return this.given.has(name.name) ? { kind: 'index', base: name, index: numberOf(0, e.at), at: e.at } : name
      }
      return fail(
        'c.expression',
        'only a structure has members, and this is not one',
        e.at,
        'use arrays of structures, structures, and their members by name; ' +
          'unions are read if all members are numbers of one size',
      )
    }
    if (!isWhole && this.structOf(e))
      return fail(
        'c.type',
        'expected a number, found a structure',
        e.at,
        'use its members; a result of several numbers is stored through a pointer that the function takes',
      )
    return isWhole && e.kind !== 'list' ? e : mapChildren(e, (x) => this.value(x))
  }
}

type List = Extract<CExpr, { kind: 'list' }>

/** The list with its items in the order of the members; what it leaves out is 0. */
function inMembers(list: List, struct: CStruct): List {
  if (!list.members) return list
  const values: (CExpr | undefined)[] = struct.members.map(() => undefined)
  let next = 0
  for (const [i, item] of list.items.entries()) {
    const name: string | undefined = list.members[i],
      at = name === undefined ? next : struct.members.findIndex((m) => m.name === name)
    if (at < 0 || at >= values.length)
      return fail(
        'c.member',
        name === undefined
          ? `struct ${struct.name} has ${struct.members.length} members and its list more values`
          : `struct ${struct.name} has no member ${name}`,
        item.at,
      )
    values[at] = item
    next = at + 1
  }
  const { members: _, ...plain } = list
  return {
    ...plain,
    items: values.map(
      (v, i) =>
        v ??
        (struct.members[i]!.struct || struct.members[i]!.extents.length > 0
          ? { kind: 'list', items: [], at: list.at }
          : numberOf(0, list.at)),
    ),
  } // a value per member
}

function fieldsOf(struct: CStruct): Field[] {
  let offset = 0
  return struct.members.map((d) => {
    const count = d.extents.reduce((n, e) => n * constantOf(e, d), d.struct ? sizeOf(d.struct) : 1)
    const field = { d, offset, count }
    offset += count
    return field
  })
}

/** The types of all numbers of a structure in order, when its memory is a row of one type. */
export const sizeOfStruct = (struct: CStruct): readonly CScalar[] | undefined =>
  mixed(struct) ? undefined : Array.from({ length: sizeOf(struct) }, () => elementOf(struct))

const sizeOf = (struct: CStruct): number => fieldsOf(struct).reduce((n, f) => n + f.count, 0)

function constantOf(e: CExpr | null, d: Declarator): number {
  if (e === null)
    return fail(
      'c.declaration',
      `the member ${d.name} is a pointer, which cannot be followed`,
      d.at,
      'pass what it points to as an array of its own',
    )
  return constantIn(e) ?? fail('c.declaration', `the member ${d.name} has no constant size`, d.at)
}

function leaves(struct: CStruct): Declarator[] {
  return struct.members.flatMap((m) => (m.struct ? leaves(m.struct) : [m]))
}

/** What the names of variables for its members end with. */
const memberNames = (struct: CStruct): readonly string[] =>
  struct.members.flatMap((m) => [m.name, ...(m.struct ? memberNames(m.struct).map((x) => `${m.name}_${x}`) : [])])

/** Whether it points to an array. */
const isPointer = (d: Declarator): boolean => d.extents.includes(null)

const elementOf = (struct: CStruct): CScalar => leaves(struct)[0]?.type ?? 'void'

/** Whether `name` is only asked for members of what it points at, none of which changes. */
function isOneAndFixed(body: CStmt, name: string, struct: CStruct): boolean {
  const all = expressionsOf(body),
    written = writtenMembers(body)
  const isIt = (e: CExpr): boolean => e.kind === 'name' && e.name === name
  const asked = all.filter(
    (e) =>
      e.kind === 'member' &&
      ((e.base.kind === 'deref' && isIt(e.base.arg)) ||
        (e.base.kind === 'index' && isIt(e.base.base) && e.base.index.kind === 'number' && e.base.index.value === 0)),
  )
  return (
    asked.length > 0 &&
    all.filter(isIt).length === asked.length &&
    struct.members.every((m) => m.extents.length === 0 && !m.struct && !written.has(m.name))
  )
}

/** Whether all members are numbers or arrays, of pointers one deep. */
const isHandle = (struct: CStruct): boolean =>
  leaves(struct).every((m) => m.unknown === undefined && m.type !== 'void') &&
  struct.members.every((m) => !m.struct || m.extents.length === 0)

/** Whether all members are numbers or arrays of constant size. */
const isPlainStruct = (struct: CStruct): boolean =>
  leaves(struct).length > 0 &&
  leaves(struct).every(
    (m) =>
      m.unknown === undefined && m.type !== 'void' && m.extents.every((e) => e !== null && constantIn(e) !== undefined),
  )

/** Why a structure is no row of numbers. */
function mixed(struct: CStruct): string | undefined {
  const all = leaves(struct)
  const pointer = all.find((m) => m.unknown !== undefined || m.extents.some((e) => e === null))
  if (pointer) return `the member ${pointer.name}, ${pointer.unknown ? `and ${pointer.unknown}` : 'which is no number'}`
  const other = all.find((m) => m.type !== all[0]!.type) // a structure has members
  return all.length === 0 ? 'no members' : other && `members of several types (${all[0]!.name} and ${other.name})`
}
