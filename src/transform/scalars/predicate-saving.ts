// In: statements under a condition on data that the statements themselves change, such as the body of an iteration
// that ends once its error is small. Out: the same statements under a copy of the condition, saved in a temporary
// before them. The one idea: statements under a condition that stays the same can be distributed over several loops; a
// condition that they change keeps them together. So do locals declared under the condition, which therefore become
// locals of the enclosing block.
import {
  choose,
  constant,
  op,
  read,
  store,
  when,
  type ArrayDecl,
  type Expr,
  type If,
  type LoopStmt,
  type Program,
  eachExpr,
  freshName,
  someStmt,
} from '../../ir/index.ts'
import { hasLoop } from '../../analysis/index.ts'

/** `body` with those conditions in temporaries of `program`; the same objects where there are none. */
export function keptConditions(
  program: Program,
  body: readonly LoopStmt[],
): { readonly program: Program; readonly body: readonly LoopStmt[] } {
  let current = program
  const lifted: LoopStmt[] = []
  const own = (stmts: readonly LoopStmt[]): readonly LoopStmt[] => {
    const rest = stmts.filter((s) => s.kind !== 'declare')
    lifted.push(...stmts.filter((s) => s.kind === 'declare'))
    return all(rest.length === stmts.length ? stmts : rest)
  }
  const all = (stmts: readonly LoopStmt[]): readonly LoopStmt[] => {
    const made = stmts.flatMap((s) => (s.kind === 'if' && hasLoop(s) ? kept(s) : [s]))
    return made.length === stmts.length && made.every((s, n) => s === stmts[n]) ? stmts : made
  }
  const kept = (s: If): readonly LoopStmt[] => {
    const then = own(s.then),
      otherwise = own(s.else)
    if (!changes(s) && s.else.length === 0) return then === s.then ? [s] : [{ ...s, then }]
    const flag: ArrayDecl = { name: freshName(current, 'holds'), type: 'i32', shape: [], role: 'temp', space: 'global' }
    current = { ...current, arrays: [...current.arrays, flag] }
    const is = (truth: boolean): Expr => op(truth ? 'ne' : 'eq', [read(flag, []), constant('i32', 0)])
    return [
      store(flag, [], choose(s.condition, constant('i32', 1), constant('i32', 0))),
      ...(then.length > 0 ? [when(is(true), then)] : []),
      ...(otherwise.length > 0 ? [when(is(false), otherwise)] : []),
    ]
  }
  const made = all(body)
  return { program: current, body: lifted.length === 0 ? made : [...lifted, ...made] }
}

/** Whether the statements under a condition store what it reads. */
function changes(s: If): boolean {
  const read = new Set<string>()
  eachExpr(s.condition, (e) => {
    if (e.kind === 'read') read.add(e.array)
  })
  return someStmt([...s.then, ...s.else], (x) => x.kind === 'store' && read.has(x.array))
}
