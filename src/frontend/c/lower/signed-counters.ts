// In: a lowered program with variables that count in `unsigned`, `long` or `size_t` (`size_t k = 0; … y[k++] = x[i];`).
// Out: the same with int variables. The one idea: in 32 bits a sum is what it is in more, but for what reads it, which
// is converted; of 64 bits only what counts in small steps, or holds ints, is small enough.
import {
  eachStmt,
  int,
  isFloat,
  literal,
  mapStmts,
  op,
  someExpr,
  type Expr,
  type Loop,
  type OpName,
  type Program,
  type ScalarType,
  type Store,
  type Size,
} from '../../../ir/index.ts'
import { convert } from './expressions.ts'

/** Sums of counters and sizes are at most so many times the largest of them, and steps of counters as large. */
export const mostPerSize = 16

/** Operations that sums of counters are made of. */
export const additive: ReadonlySet<OpName> = new Set(['add', 'sub', 'mul', 'neg'])

/** `p` with int variables; sizes are bounded by `Size.reach` where 64 bits are counted in larger steps than 1. */
export function signedCounters(p: Program): Program {
  const types = candidates(p)
  for (let before = -1; before !== types.size; ) {
    before = types.size
    eachStmt(p.body, (s) => {
      const type = s.kind === 'store' ? types.get(s.array) : undefined
      if (s.kind === 'store' && type && !(type === 'u32' ? isSum(s, types) : isSmall(s, types))) types.delete(s.array)
    })
  }
  if (types.size === 0) return p
  let reach = 1
  const value = (e: Expr): Expr => {
    const type = e.kind === 'read' ? types.get(e.array) : undefined
    if (e.kind === 'read' && type) return op('convert', [{ ...e, type: 'i32' }], type)
    // What is around it was converted to int where it is a subscript.
    return e.kind === 'op' && e.op === 'convert' && e.type === 'i32' ? convert(e.args[0]!, 'i32') : e // it has one
  }
  const body = mapStmts(p.body, value, (s) => {
    if (s.kind === 'store' && types.has(s.array)) {
      const made = convert(s.value, 'i32')
      if (s.reduce === 'add' && types.get(s.array) !== 'u32') reach = Math.max(reach, Math.abs(literal(made) ?? 1))
      return [{ ...s, value: made }]
    }
    if (s.kind === 'declare' && types.has(s.array.name)) return [{ ...s, array: { ...s.array, type: 'i32' } }]
    return [s]
  })
  return withReach({ ...p, body }, reach)
}

/** `p` with sizes that are at most so many times below what 31 bits hold. */
export const withReach = (p: Program, reach: number): Program =>
  reach > 1 ? { ...p, sizes: p.sizes.map((s) => reached(s, reach)) } : p

const reached = (s: Size, reach: number): Size =>
  s.kind !== 'given' || s.fixed ? s : { ...s, reach: Math.max(reach, s.reach ?? 1) }

/** Locals of one number in other integers than int. */
function candidates(p: Program): Map<string, ScalarType> {
  const types = new Map<string, ScalarType>()
  eachStmt(p.body, (s) => {
    if (s.kind !== 'declare' || s.array.shape.length > 0) return
    const { name, type } = s.array
    if (type === 'u32' || type === 'i64' || type === 'u64') types.set(name, type)
  })
  return types
}

/** Whether counters, sizes, numbers and other such variables are stored or added: the last bits say the last bits. */
function isSum({ reduce, value }: Store, types: ReadonlyMap<string, ScalarType>): boolean {
  const isCounted = (e: Expr): boolean => {
    switch (e.kind) {
      case 'const':
      case 'var':
      case 'size':
        return !isFloat(e.type)
      case 'read':
        return types.has(e.array)
      case 'op': {
        const [a] = e.args
        if (e.op === 'convert' && a?.type === 'i32') return !readsMemory(a)
        return (e.op === 'convert' || additive.has(e.op)) && !isFloat(e.type) && e.args.every(isCounted)
      }
      case 'scalar':
      case 'choose':
        return false
    }
  }
  return (reduce === null || reduce === 'add') && isCounted(value)
}

/** Whether a number of 64 bits stays one of 32: ints are stored in it, and small numbers added. */
function isSmall({ reduce, value }: Store, types: ReadonlyMap<string, ScalarType>): boolean {
  const step = convert(value, 'i32')
  if (reduce === 'add') return Math.abs(literal(step) ?? Infinity) <= mostPerSize
  if (reduce !== null) return false
  if (value.kind === 'const') return Math.abs(Number(value.value)) < 2 ** 31
  return value.kind === 'read' ? types.has(value.array) : value.kind === 'op' && isInt(value)
}

const isInt = (e: Extract<Expr, { kind: 'op' }>): boolean => e.op === 'convert' && e.args[0]!.type === 'i32'

/** Whether elements of arrays say what `e` is. */
const readsMemory = (e: Expr): boolean => someExpr(e, (x) => x.kind === 'read' && x.index.length > 0)

/**
 * Int variables that only get numbers, sizes and counters that are not negative, and are counted up in small steps; by
 * the largest of these.
 */
export function countsIn(p: Program): ReadonlyMap<string, number> {
  const counts = new Map<string, number>(),
    sizes = new Set(p.sizes.flatMap((s) => (s.min >= 0 ? [s.name] : [])))
  eachStmt(p.body, (s) => {
    if (s.kind === 'declare' && s.array.shape.length === 0 && s.array.type === 'i32') counts.set(s.array.name, 1)
  })
  const isCount = (e: Expr, around: readonly Loop[]): boolean => {
    switch (e.kind) {
      case 'const':
        return Number(e.value) >= 0
      case 'var':
        return (literal(around.findLast((l) => l.name === e.name)?.lower ?? int(-1)) ?? -1) >= 0
      case 'size':
        return sizes.has(e.name)
      case 'read':
        return counts.has(e.array)
      case 'op':
      case 'scalar':
      case 'choose':
        return false
    }
  }
  for (let before = -1; before !== counts.size; ) {
    before = counts.size
    eachStmt(p.body, (s, around) => {
      if (s.kind !== 'store' || !counts.has(s.array) || s.reduce === 'max') return
      const step = s.reduce === 'add' ? (literal(s.value) ?? -1) : undefined
      if (step !== undefined && step >= 0 && step <= mostPerSize)
        counts.set(s.array, Math.max(step, counts.get(s.array) ?? 1))
      else if (s.reduce !== null || !isCount(s.value, around)) counts.delete(s.array)
    })
  }
  return counts
}
