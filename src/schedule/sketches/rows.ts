// Sums of rows that need each other: the threads of a row make one after the other, so that they are one launch and what one needs
// of another never leaves its registers. In: the form. Out: the points of a sum of rows, for all of them.
import { fail } from '../../base/index.ts'
import type { LoopStmt, Loop, Program } from '../../ir/index.ts'
import type { Nest, Rows } from '../part.ts'
import { exprKey, freshName, mapBody, mapExpr, mapStmtExprs, namesOf } from '../tree.ts'
import { reduction, rowKernel } from './reduction.ts'
import type { Point, Scheduled, Sketch } from './sketch.ts'

export function rows(program: Program, form: Rows): Sketch | undefined {
  const sketches = form.nests.map((n) => reduction(program, n))
  if (sketches.some((s) => !s)) return undefined
  const [first] = sketches as Sketch[] // a form has nests
  const { likely, ladder, space } = first!
  return { name: 'rows', ladder, space, ...(likely && { likely }), vectorSizes: Object.assign({}, ...sketches.map((s) => s!.vectorSizes)) as Readonly<Record<string, number>>, build: (p) => ({ program, kernels: [built(program, form.nests, p)] }) } // all of them are there
}

function built(program: Program, nests: readonly Nest[], p: Point): Scheduled {
  const made = nests.map((n) => rowKernel(program, n, p))
  const body = made.slice(1).reduce((all, k) => joined(all, distinct(all, k.program)), made[0]!.program.body) // a form has nests
  return { ...made[0]!, program: { ...program, body }, steps: [`${nests.length} sums of a row by the same threads, one after the other`, ...made[0]!.steps] }
}

/** The second behind the first inside of the blocks and threads that both have. */
function joined(a: readonly LoopStmt[], b: readonly LoopStmt[]): readonly LoopStmt[] {
  const [x, y] = [a[0], b[0]]
  if (a.length !== 1 || b.length !== 1 || x?.kind !== 'loop' || y?.kind !== 'loop') return [...a, ...b]
  if (!alike(x, y)) return fail('schedule.rows', 'the rows are not dealt out alike')
  return [{ ...x, body: joined(x.body, y.body) }]
}

export const alike = (a: Loop, b: Loop): boolean => a.name === b.name && exprKey(a.lower) === exprKey(b.lower) && exprKey(a.upper) === exprKey(b.upper) && JSON.stringify(a.bind) === JSON.stringify(b.bind)

/** The body with names of its own for what it declares where `other` declares the same. */
export function distinct(other: readonly LoopStmt[], program: Program): readonly LoopStmt[] {
  const taken = new Set([...namesOf({ ...program, body: other })]), by = new Map<string, string>()
  mapBody(program.body, (s) => { if (s.kind === 'declare' && taken.has(s.array.name)) by.set(s.array.name, freshName({ ...program, body: [...other, ...program.body] }, `${s.array.name}_${by.size + 2}`)); return undefined })
  const name = (n: string): string => by.get(n) ?? n
  return mapBody(program.body.map((s) => mapStmtExprs(s, (e) => mapExpr(e, (x) => (x.kind === 'read' && by.has(x.array) ? { ...x, array: name(x.array) } : undefined)))),
    (s) => (s.kind === 'store' && by.has(s.array) ? [{ ...s, array: name(s.array) }] : s.kind === 'declare' && by.has(s.array.name) ? [{ ...s, array: { ...s.array, name: name(s.array.name) } }] : undefined))
}
