// In: a lowered program. Out: the same with local variables of 8 and 16 bits as int, which holds what they do. The one
// idea: type promotion: a value is brought into the range of its type where it is set, if it is not known to be
// in it, or where it is read, if it is a sum, whose last bits the last bits of its terms decide. What is in memory, and
// local arrays, keep their types.
import {
  eachStmt,
  literal,
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

type Narrow = 'i8' | 'u8' | 'i16' | 'u16'
const isNarrow = (t: MemoryType): t is Narrow => t === 'i8' || t === 'u8' || t === 'i16' || t === 'u16'

interface Range {
  readonly low: number
  readonly high: number
}
const rangeOf: Readonly<Record<Narrow, Range>> = {
  i8: { low: -128, high: 127 },
  u8: { low: 0, high: 255 },
  i16: { low: -32768, high: 32767 },
  u16: { low: 0, high: 65535 },
}

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
  const typeOf = (name: string): MemoryType | undefined => {
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

type TypeOf = (array: string) => MemoryType | undefined

const isWithin = (e: Expr, type: Narrow, typeOf: TypeOf): boolean => {
  const known = valuesOf(e, typeOf),
    { low, high } = rangeOf[type]
  return known !== undefined && known.low >= low && known.high <= high
}

/** What `e` can be, as far as its form and the types of memory tell. */
function valuesOf(e: Expr, typeOf: TypeOf): Range | undefined {
  switch (e.kind) {
    case 'const':
      return typeof e.value === 'number' && Number.isInteger(e.value) ? { low: e.value, high: e.value } : undefined
    case 'read': {
      const type = typeOf(e.array)
      return type && isNarrow(type) ? rangeOf[type] : undefined
    }
    case 'choose':
      return either(valuesOf(e.then, typeOf), valuesOf(e.else, typeOf))
    case 'var':
    case 'size':
    case 'scalar':
      return undefined
    case 'op':
      return valuesOfOp(e, typeOf)
  }
}

function valuesOfOp(e: Extract<Expr, { kind: 'op' }>, typeOf: TypeOf): Range | undefined {
  const [a, b, c] = e.args,
    n = b && literal(b)
  switch (e.op) {
    case 'convert':
      if (a?.type === 'bool') return { low: 0, high: 1 }
      return a && (a.type === 'i32' || a.type === 'u32') && (e.type === 'i32' || e.type === 'u32')
        ? signedAs(valuesOf(a, typeOf), e.type)
        : undefined
    case 'select':
      return either(b && valuesOf(b, typeOf), c && valuesOf(c, typeOf))
    case 'min':
    case 'max':
      return either(a && valuesOf(a, typeOf), b && valuesOf(b, typeOf))
    case 'and':
      return n !== undefined && n >= 0 ? { low: 0, high: n } : undefined
    case 'shr': {
      const isBack = a?.kind === 'op' && a.op === 'shl' && a.type === 'i32' && n !== undefined && n > 0 && n < 32
      const by = isBack ? literal(a.args[1]!) : undefined // shifts have two arguments
      if (by !== undefined && by === n) return { low: -(2 ** (31 - by)), high: 2 ** (31 - by) - 1 }
      const known = a && valuesOf(a, typeOf)
      return known && known.low >= 0 && n !== undefined && n >= 0 ? { low: 0, high: known.high } : undefined
    }
    default:
      return undefined
  }
}

/** The range in a type that may have no sign; undefined where numbers below 0 become others. */
const signedAs = (r: Range | undefined, type: 'i32' | 'u32'): Range | undefined =>
  r && (type === 'i32' || r.low >= 0) ? r : undefined

const either = (a: Range | undefined, b: Range | undefined): Range | undefined =>
  a && b && { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) }
