// In: a C function without calls of its file's functions. Out: the same without unions. The one idea: type punning (C11
// 6.5.2.3, note 95): a union of numbers that are equally wide is one number, and what its members read and store are
// that number's bits. Unions with arrays, structures or members of several sizes never come here: the parser refuses
// them by name.
import { cFunction, type InUnit } from '../../text/representation.ts'
import { isInteger, keeping, pass } from '../../../../ir/index.ts'
import { fail } from '../../../../base/index.ts'
import { seenAs } from '../pointers/byte-order.ts'
import { binaryOf, inRegion, mapChildren, mapParts, numberOf } from '../c-rewriting.ts'
import { everywhere } from '../name-uses.ts'
import { Scoped } from '../scoped-walk.ts'
import type { CExpr, CFunction, CScalar, CStmt, CStruct, Declarator } from '../../text/syntax.ts'

// Before:
//
//   union bits { float f; unsigned u; };
//   void f(int n, float *x, unsigned *y) {
//     for (int i = 0; i < n; i++) {
//       union bits b;
//       b.f = x[i];
//       y[i] = b.u >> 23;
//     }
//   }
//
// After:
//
//   void f(int n, float *x, unsigned *y) {
//     for (int i = 0; i < n; i++) {
//       unsigned b;
//       b = (unsigned bits of)((float)x[i]);
//       y[i] = b >> 23;
//     }
//   }
export const unionPunning = pass<CFunction, InUnit>({
  name: 'union-punning',
  summary: 'a union of numbers of one size is one number, of which its members are the bits',
  of: cFunction,
  run: keeping((f) => new Unions().run(f)),
})

/** What an expression is: a structure, a union or a number in arrays of `left` dimensions. */
interface Typed {
  readonly d: Declarator
  readonly left: number
}

/** A member of a union: what the union is kept as, and what the member says that it is. */
interface Member {
  readonly union: CExpr
  readonly own: CScalar
  readonly as: CScalar
}

class Unions extends Scoped<Declarator> {
  private readonly made = new Map<CStruct, CStruct>()

  run(f: CFunction): CFunction {
    const parameters = f.parameters.map((p) => this.declared(p))
    return { ...f, parameters, body: { ...f.body, body: inRegion(f.body.body, (x) => this.list(x)) } }
  }

  protected statement(s: CStmt): CStmt[] {
    if (s.kind === 'declare') return [{ ...s, declarators: s.declarators.map((d) => this.declared(d)) }]
    if (s.kind === 'block') return [{ ...s, body: this.list(s.body) }]
    const visit = (): CStmt =>
      mapParts(
        s,
        (e) => this.value(e),
        (x) => (s.kind === 'for' && x === s.init ? this.header(x) : this.one(x)),
      )
    return [s.kind === 'for' ? this.inScope(visit) : visit()]
  }

  /** What a header declares, its loop knows. */
  private header(s: CStmt): CStmt {
    return this.statement(s)[0]!
  }

  private declared(d: Declarator): Declarator {
    const initial = d.initial && this.value(d.initial),
      own: Declarator = { ...d, extents: d.extents.map((x) => x && this.value(x)), ...(initial && { initial }) }
    this.scope.set(d.name, d)
    if (!d.struct) return own
    const list = initial?.kind === 'list' ? initial : undefined
    if (list && (d.extents.length > 0 || !d.struct.isUnion) && hasUnion(d.struct) && !isZeros(list))
      fail(
        'c.declaration',
        `${d.name} has a list of values and unions in arrays or structures`,
        d.at,
        'fill it with assignments',
      )
    if (!d.struct.isUnion) return { ...own, struct: this.plain(d.struct) }
    const { struct: _, ...number } = own,
      type = typeOfUnion(d.struct)
    return { ...number, type, ...(list && d.extents.length === 0 && { initial: first(list, d.struct) }) }
  }

  /** The structure with numbers in place of unions. */
  private plain(struct: CStruct): CStruct {
    if (!hasUnion(struct)) return struct
    const known = this.made.get(struct)
    if (known) return known
    const members = struct.members.map((m): Declarator => {
      if (!m.struct) return m
      const { struct: inner, ...number } = m
      return inner.isUnion ? { ...number, type: typeOfUnion(inner) } : { ...m, struct: this.plain(inner) }
    })
    const made: CStruct = { ...struct, members }
    this.made.set(struct, made)
    return made
  }

  private typed(e: CExpr): Typed | undefined {
    if (e.kind === 'name') {
      const d = this.scope.get(e.name)
      return d && { d, left: d.extents.length }
    }
    if (e.kind === 'index' || e.kind === 'deref') {
      const of = this.typed(e.kind === 'index' ? e.base : e.arg)
      return of && of.left > 0 ? { ...of, left: of.left - 1 } : undefined
    }
    if (e.kind !== 'member') return undefined
    const of = this.typed(e.base),
      d = of?.left === 0 ? of.d.struct?.members.find((m) => m.name === e.name) : undefined
    return d && { d, left: d.extents.length }
  }

  private memberOf(e: CExpr): Member | undefined {
    const of = e.kind === 'member' ? this.typed(e.base) : undefined,
      struct = of?.left === 0 ? of.d.struct : undefined
    if (e.kind !== 'member' || !struct?.isUnion) return undefined
    const member =
      struct.members.find((m) => m.name === e.name) ??
      fail('c.member', `union ${struct.name} has no member ${e.name}`, e.at)
    return { union: this.value(e.base), own: typeOfUnion(struct), as: member.type }
  }

  private value(e: CExpr): CExpr {
    if (e.kind === 'assign' || e.kind === 'update') return this.stored(e) ?? mapChildren(e, (x) => this.value(x))
    if (e.kind === 'address' && this.memberOf(e.arg))
      return fail(
        'c.pointer',
        'the address of a member of a union is taken',
        e.at,
        'copy the member to a variable, and take the address of that',
      )
    const member = this.memberOf(e)
    return member ? seenAs(member.union, member.own, member.as) : mapChildren(e, (x) => this.value(x))
  }

  /** An assignment to a member: the union gets the bits of what the member holds then. */
  private stored(e: Extract<CExpr, { kind: 'assign' | 'update' }>): CExpr | undefined {
    const member = this.memberOf(e.kind === 'assign' ? e.left : e.arg)
    if (!member) return undefined
    const { union, own, as } = member,
      by = e.kind === 'assign' ? this.value(e.right) : numberOf(1, e.at),
      op = e.kind === 'assign' ? e.op : e.op === '++' ? '+' : '-',
      value = op === '' ? by : binaryOf(op, seenAs(union, own, as), by)
    return { kind: 'assign', op: '', left: union, right: asBits(value, as, own), at: e.at }
  }
}

/** `value`, converted to the type `as`, as the bits of a number of type `own`. */
const asBits = (value: CExpr, as: CScalar, own: CScalar): CExpr =>
  seenAs({ kind: 'cast', type: as, arg: value, at: value.at }, as, own)

/** What a union is kept as: an integer where it has one, since a float may lose the bits of what is no number. */
function typeOfUnion({ members }: CStruct): CScalar {
  const integer = members.find((m) => m.type !== 'void' && m.type !== 'bool' && isInteger(m.type))
  return (integer ?? members[0]!).type // a union has members
}

/** The value of a list: of the member that it names, or of the first. */
function first(list: Extract<CExpr, { kind: 'list' }>, struct: CStruct): CExpr {
  const name = list.members?.[0],
    member = name === undefined ? struct.members[0]! : struct.members.find((m) => m.name === name) // it has members
  const [value, more] = list.items
  if (!member || more || value?.kind === 'list')
    return fail('c.declaration', `union ${struct.name} is given a list that is not one of its members`, list.at)
  return asBits(value ?? numberOf(0, list.at), member.type, typeOfUnion(struct))
}

const hasUnion = (struct: CStruct): boolean =>
  struct.isUnion === true || struct.members.some((m) => m.struct && hasUnion(m.struct))

/** Whether all values of a list are 0, which is 0 in every member. */
const isZeros = (list: CExpr): boolean =>
  everywhere(list).every((e) => e.kind === 'list' || (e.kind === 'number' && e.value === 0))
