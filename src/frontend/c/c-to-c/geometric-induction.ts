// In: the body of a loop that counts its turns, because its own variable doubles or halves. Out: the same where other
// variables that each turn doubles, halves or steps are said by the turn. The one idea: what a turn does to such a
// variable, it does as often as there were turns, so that no iteration needs the one before. The steps themselves stay,
// for who reads the variable behind the loop.
import { continues, declares, jumpsOut } from './structuring-facts.ts'
import { movedBy, shiftOf, stepOfVariable } from './counted-header.ts'
import {
  binaryOf,
  blockOf,
  declareOf,
  nameOf,
  type FreshNames,
  numberOf,
  replacedIn,
  writtenIn,
} from './c-rewriting.ts'
import type { CExpr, CScalar, CStmt } from '../text/syntax.ts'

/**
 * `body` and what goes before the loop; `turn` counts from 0, and no turn is left before its end but by the last one.
 */
export function alongTurns(
  body: CStmt,
  turn: string,
  names: FreshNames,
  types: ReadonlyMap<string, CScalar>,
): { readonly before: readonly CStmt[]; readonly body: CStmt } {
  const before: CStmt[] = []
  let list: readonly CStmt[] = body.kind === 'block' && body.label === undefined ? body.body : [body]
  if (continues(body)) return { before, body }
  for (const [i, s] of list.entries()) {
    const name = s.kind === 'expr' ? movedBy(s.expr) : undefined,
      value = name !== undefined && s.kind === 'expr' ? after(s.expr, name) : undefined
    if (
      name === undefined ||
      !value ||
      !['i32', 'u32'].includes(types.get(name) ?? '') ||
      list.some((x, k) => k !== i && (writtenIn(x).has(name) || declares(x, name) || (k < i && jumpsOut(x))))
    )
      continue
    const { at } = s,
      first = names.fresh(`${name}_first`),
      turns = nameOf(turn, at)
    before.push(declareOf(first, types.get(name)!, at, nameOf(name, at))) // asked above
    const then = (count: CExpr): CExpr => value(nameOf(first, at), count)
    list = list.map((x, k) =>
      k === i ? x : replacedIn(x, name, then(k < i ? turns : binaryOf('+', turns, numberOf(1, at)))),
    )
  }
  return before.length === 0 ? { before, body } : { before, body: blockOf(list, body.at) }
}

/**
 * What the variable is after so many steps from a first value; `undefined` where a step by a division may round towards
 * 0 from below.
 */
function after(e: CExpr, name: string): ((first: CExpr, turns: CExpr) => CExpr) | undefined {
  const step = stepOfVariable(e, name),
    shift = step ? undefined : shiftOf(e, name)
  const times = (turns: CExpr, by: number): CExpr => (by === 1 ? turns : binaryOf('*', turns, numberOf(by, turns.at)))
  if (step) {
    const { by, sign } = step
    return by.kind === 'number' ? (first, turns) => binaryOf(sign, first, times(turns, by.value)) : undefined
  }
  // fewer turns than bits
  return shift?.by === 1 && !shift.divides ? (first, turns) => binaryOf(shift.op, first, turns) : undefined
}
