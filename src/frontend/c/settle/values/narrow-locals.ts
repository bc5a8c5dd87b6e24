// In: a lowered program. Out: the same with local variables of 8 and 16 bits as int, which holds what they do. The one
// idea: type promotion: a value is brought into the range of its type where it is set, if it is not known to be
// in it, or where it is read, if it is a sum, whose last bits the last bits of its terms decide. What is in memory, and
// local arrays, keep their types.
import {
  eachStmt,
  mapStmts,
  op,
  read,
  someExprIn,
  someStmt,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type MemoryType,
  type Program,
  type Store,
} from '../../../../ir/index.ts'
import { convert, narrow } from '../../lower/expressions.ts'
import { intervalOf, ofTypes, type TypeOf } from '../ranges/value-ranges.ts'

type Narrow = 'i8' | 'u8' | 'i16' | 'u16'
const isNarrow = (t: MemoryType): t is Narrow => t === 'i8' || t === 'u8' || t === 'i16' || t === 'u16'

/** A local of `type`, as int; `wraps`: what is stored may be out of its range, so that reads bring it there. */
interface Local {
  readonly array: ArrayDecl
  readonly type: Narrow
  readonly wraps: boolean
}

/** `p` with its narrow local variables in registers; the same object where it has none. */
export function promotedLocals(p: Program): Program {
  const types = new Map<string, readonly MemoryType[]>(p.arrays.map((a) => [a.name, [a.type]])),
    stores: Store[] = []
  eachStmt(p.body, (s) => {
    if (s.kind === 'declare') types.set(s.array.name, [...(types.get(s.array.name) ?? []), s.array.type])
    if (s.kind === 'store') stores.push(s)
  })
  const locals = new Map<string, Local>()
  eachStmt(p.body, (s) => {
    if (s.kind !== 'declare' || s.array.shape.length > 0 || s.array.space !== 'private') return
    const { name, type } = s.array
    if (!isNarrow(type) || types.get(name)?.length !== 1) return
    const array: ArrayDecl = { ...s.array, type: 'i32' },
      wraps = stores.some((x) => x.array === name && isSum(x))
    // a sum whose last bits each iteration asks for is no sum of numbers
    if (!wraps || !isReadWhereSummed(p.body, name)) locals.set(name, { array, type, wraps })
  })
  return locals.size === 0 ? p : { ...p, body: withLocals(p.body, locals, types) }
}

const isSum = (s: Store): boolean => s.reduce !== null && s.reduce !== 'min' && s.reduce !== 'max'

/** Whether some loop sums into `name` and reads it. */
const isReadWhereSummed = (body: readonly LoopStmt[], name: string): boolean =>
  someStmt(
    body,
    (s) =>
      s.kind === 'loop' &&
      someStmt(s.body, (x) => x.kind === 'store' && x.array === name && isSum(x)) &&
      someExprIn(s.body, (e) => e.kind === 'read' && e.array === name),
  )

function withLocals(
  body: readonly LoopStmt[],
  locals: ReadonlyMap<string, Local>,
  types: ReadonlyMap<string, readonly MemoryType[]>,
): readonly LoopStmt[] {
  const typeOf: TypeOf = (name) => {
    const [type, more] = types.get(name) ?? []
    return more ? undefined : type
  }
  const held = ({ array, type, wraps }: Local): Expr => {
    const own = read(array, [])
    return wraps ? narrow(own, type) : own
  }
  const readOf = (e: Expr): Expr => {
    if (e.kind === 'op' && e.op === 'convert') return convert(e.args[0]!, e.type) // conversions there and back are none
    const local = e.kind === 'read' ? locals.get(e.array) : undefined
    return local ? convert(held(local), e.type) : e
  }
  const stored = (s: Store, local: Local): Store => {
    const { type, wraps } = local,
      isIn = isWithin(s.value, type, typeOf),
      given = convert(s.value, 'i32')
    if (isSum(s) || (s.reduce && isIn && !wraps)) return { ...s, value: given }
    const value = s.reduce ? op(s.reduce === 'min' ? 'min' : 'max', [held(local), given]) : given
    return { ...s, reduce: null, value: wraps || isIn ? value : narrow(value, type) }
  }
  return mapStmts(body, readOf, (s) => {
    const local = s.kind === 'store' ? locals.get(s.array) : s.kind === 'declare' ? locals.get(s.array.name) : undefined
    if (local && s.kind === 'declare') return [{ ...s, array: local.array }]
    return [local && s.kind === 'store' ? stored(s, local) : s]
  })
}

const isWithin = (e: Expr, type: Narrow, typeOf: TypeOf): boolean => {
  const known = intervalOf(e, typeOf),
    all = ofTypes[type]
  return known !== undefined && all !== undefined && known.least >= all.least && known.most <= all.most
}
