// In: a program and data for it. Out: the same data, in which some elements are what conditions of the program compare
// their arrays with, or beside that. The one idea is a fuzzer's dictionary (Zalewski's AFL): a branch behind `x[i] >=
// 255` is taken by no small number, and a fault in it is seen where it is taken alone.
import { random } from '../../base/index.ts'
import {
  eachExpr,
  eachStmt,
  isComparison,
  isFloat,
  isWideInteger,
  ownExprs,
  type Expr,
  type PlanArray,
  type Program,
} from '../../ir/index.ts'
import { largestOf, type ArrayData } from '../run-data.ts'

/** Numbers that data have anyway, up to this: `freshArrays`. */
const usual = { float: 1, integer: 8 }
/** Beyond this, sums of a few leave their types, which conditions ask about and data should not. */
const most = 2 ** 20
/** One element in so many is changed. */
const oneIn = 4

/** By array: the numbers that no data have else and that conditions compare its elements with. */
export type Compared = ReadonlyMap<string, readonly number[]>

/** Of the arrays that the caller gives; nothing of those that choose subscripts, or of `tame` ones of floats. */
export function comparedIn(program: Program, arrays: readonly PlanArray[], tame: boolean): Compared {
  const compared = comparedWith(program)
  return new Map(
    arrays.flatMap((a): [string, readonly number[]][] => {
      const float = isFloat(a.type),
        isGiven = a.role === 'in' || a.role === 'inout'
      if (!isGiven || a.elements || isWideInteger(a.type) || (float && tame)) return []
      const values = [...(compared.get(a.name) ?? [])].filter(
        (x) => Math.abs(x) > (float ? usual.float : usual.integer) && Math.abs(x) <= most,
      )
      return values.length > 0 ? [[a.name, values]] : []
    }),
  )
}

/** Also by way of locals. */
function comparedWith(program: Program): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>(),
    held = new Map<string, Set<string>>()
  /** Arrays whose elements are part of `e`. */
  const sourcesOf = (e: Expr): readonly string[] => {
    const names: string[] = []
    eachExpr(e, (x) => {
      if (x.kind === 'read') names.push(x.array, ...(held.get(x.array) ?? []))
    })
    return names
  }
  eachStmt(program.body, (s) => {
    if (s.kind !== 'store' || s.index.length > 0) return
    const own = held.get(s.array) ?? new Set<string>()
    for (const name of sourcesOf(s.value)) own.add(name)
    held.set(s.array, own)
  })
  const note = (numbers: Expr, e: Expr): void => {
    if (numbers.kind !== 'const') return
    for (const name of sourcesOf(e)) found.set(name, (found.get(name) ?? new Set<number>()).add(Number(numbers.value)))
  }
  eachStmt(program.body, (s) =>
    ownExprs(s).forEach((e) =>
      eachExpr(e, (x) => {
        const [a, b] = x.kind === 'op' && (isComparison(x.op) || x.op === 'min' || x.op === 'max') ? x.args : []
        if (!a || !b) return
        note(a, b)
        note(b, a)
      }),
    ),
  )
  return found
}

/** Changes some elements of `memory` to what conditions ask about, or to what is beside that. */
export function changeTo(compared: Compared, arrays: readonly PlanArray[], memory: ArrayData, seed: number): void {
  const r = random(seed)
  for (const { name, type } of arrays) {
    const data = memory[name],
      values = compared.get(name)
    if (!data || !values) continue
    const high = largestOf[type] ?? most,
      low = type.startsWith('u') ? 0 : -high - 1
    for (let i = 0; i < data.length; i++) {
      if (r.int(1, oneIn) > 1) continue
      const value = values[r.int(0, values.length - 1)]!,
        beside = r.int(-1, 1)
      data[i] = isFloat(type) ? value * (1 + beside / 2) : Math.max(low, Math.min(high, value + beside))
    }
  }
}
