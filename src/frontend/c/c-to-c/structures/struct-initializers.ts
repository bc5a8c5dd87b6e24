// In: a list of initial values of structures. Out: their numbers in the order of memory. The one idea: C goes through
// members and elements in order, a list in braces fills one of them, and what a list leaves out is 0.
import { fail } from '../../../../base/index.ts'
import { numberOf } from '../c-rewriting.ts'
import type { CExpr, CStruct } from '../../text/syntax.ts'

type List = Extract<CExpr, { kind: 'list' }>

/** What a list still has. */
interface Left {
  items: readonly CExpr[]
}

/** Lists in the order of members, and the constant extents of a member. */
export interface StructLayout {
  readonly inMembers: (list: List, struct: CStruct) => List
  readonly extentsOf: (member: CStruct['members'][number]) => readonly number[]
}

/** The numbers of `list`, which gives an array of `extents` of structures, element by element. */
export function numbersIn(
  list: List,
  extents: readonly number[],
  struct: CStruct,
  layout: StructLayout,
): readonly CExpr[] {
  const out: CExpr[] = []
  whole(list, extents, struct, layout, out)
  return out
}

function whole(
  list: List,
  extents: readonly number[],
  struct: CStruct | undefined,
  layout: StructLayout,
  out: CExpr[],
): void {
  const left: Left = { items: extents.length === 0 && struct ? layout.inMembers(list, struct).items : list.items }
  parts(left, extents, struct, layout, out, list)
  if (left.items.length > 0) fail('c.declaration', 'these braces hold more values than belong there', left.items[0]!.at)
}

/** What an array of `extents`, or one structure or number, takes from the front of `left`. */
function parts(
  left: Left,
  extents: readonly number[],
  struct: CStruct | undefined,
  layout: StructLayout,
  out: CExpr[],
  list: List,
): void {
  const [n, ...rest] = extents
  if (n !== undefined) for (let i = 0; i < n; i++) part(left, rest, struct, layout, out, list)
  else if (struct) for (const m of struct.members) part(left, layout.extentsOf(m), m.struct, layout, out, list)
  else {
    const [first, ...others] = left.items
    left.items = others
    out.push(first ?? numberOf(0, list.at))
  }
}

/** As `parts`, where a list in braces of its own is all of it. */
function part(
  left: Left,
  extents: readonly number[],
  struct: CStruct | undefined,
  layout: StructLayout,
  out: CExpr[],
  list: List,
): void {
  const [first, ...others] = left.items
  if (first?.kind !== 'list') return parts(left, extents, struct, layout, out, list)
  left.items = others
  whole(first, extents, struct, layout, out)
}
