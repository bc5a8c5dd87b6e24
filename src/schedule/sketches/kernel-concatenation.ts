// In: kernels of several nests, all with the same grid, blocks and threads. Out: one kernel in which every thread
// executes their bodies one after the other.
import { fail } from '../../base/index.ts'
import {
  type LoopStmt,
  type Loop,
  type Program,
  exprKey,
  freshName,
  mapBody,
  rewriteExpr,
  mapStmtExprs,
  namesOf,
  sameExpr,
} from '../../ir/index.ts'
import { carriedReduction } from '../lower/reduction-tree.ts'
import type { Scheduled } from './sketch.ts'

/** One at least. Throws a `DiagnosticError` where they are not dealt out alike. */
export function concatenated(made: readonly Scheduled[]): Scheduled {
  // there is one
  const body = made.slice(1).reduce((all, k) => joined(all, distinct(all, k.program)), made[0]!.program.body)
  return { ...made[0]!, program: { ...made[0]!.program, body } }
}

/**
 * As `concatenated`, of kernels that need nothing of each other: their statements take turns, also in the loops of each
 * thread.
 */
export function inTurns(made: readonly Scheduled[]): Scheduled {
  // there is one
  const body = made.slice(1).reduce((all, k) => turns(all, distinct(all, k.program)), made[0]!.program.body)
  return { ...made[0]!, program: { ...made[0]!.program, body } }
}

/** One list, with loops and conditions that both have once; trees and vectors stay as they are. */
function turns(a: readonly LoopStmt[], b: readonly LoopStmt[]): readonly LoopStmt[] {
  const [x, y] = [a, b].map((list) => list.filter((s) => s.kind !== 'declare')),
    declared = [...a, ...b].filter((s) => s.kind === 'declare')
  if (x!.length === y!.length) return [...declared, ...x!.flatMap((s, i) => both(s, y![i]!))] // two in, two out
  const [front, back] = [x, y].map((list) => runs(list!)) // as above
  return front!.length === back!.length
    ? [...declared, ...front!.flatMap((r, i) => [...r.plain, ...back![i]!.plain, ...nested(r.end, back![i]!.end)])]
    : [...declared, ...aligned(x!, y!)]
}

/** Both in their own order, loops and conditions of the second with the first ones like them that are still to come. */
function aligned(a: readonly LoopStmt[], b: readonly LoopStmt[]): readonly LoopStmt[] {
  const out: LoopStmt[] = []
  let at = 0
  for (const s of b) {
    const like = a.findIndex((x, i) => i >= at && areOne(x, s))
    if (like < 0) out.push(s)
    else {
      out.push(...a.slice(at, like), ...both(a[like]!, s)) // found
      at = like + 1
    }
  }
  return [...out, ...a.slice(at)]
}

const nested = (a: LoopStmt | undefined, b: LoopStmt | undefined): readonly LoopStmt[] => (a && b ? both(a, b) : [])

/** Plain statements up to each loop or condition, and those behind the last. */
function runs(
  list: readonly LoopStmt[],
): readonly { readonly plain: readonly LoopStmt[]; readonly end: LoopStmt | undefined }[] {
  const out: { plain: LoopStmt[]; end: LoopStmt | undefined }[] = [{ plain: [], end: undefined }]
  for (const s of list) {
    const last = out[out.length - 1]! // there is one
    if (s.kind === 'store') last.plain.push(s)
    else {
      last.end = s
      out.push({ plain: [], end: undefined })
    }
  }
  return out
}

function both(a: LoopStmt, b: LoopStmt): readonly LoopStmt[] {
  if (!areOne(a, b)) return [a, b]
  if (a.kind === 'if' && b.kind === 'if') return [{ ...a, then: turns(a.then, b.then), else: turns(a.else, b.else) }]
  return a.kind === 'loop' && b.kind === 'loop' ? [{ ...a, body: turns(a.body, b.body) }] : [a, b]
}

/** Whether their bodies may take turns in one. */
function areOne(a: LoopStmt, b: LoopStmt): boolean {
  if (a.kind === 'if' && b.kind === 'if') return sameExpr(a.condition, b.condition)
  return (
    a.kind === 'loop' &&
    b.kind === 'loop' &&
    a.bind.kind !== 'vector' &&
    alike(a, b) &&
    !(a.bind.kind === 'thread' && carriedReduction(a))
  )
}

/** The second behind the first inside of the blocks, threads and conditions that both have. */
function joined(a: readonly LoopStmt[], b: readonly LoopStmt[]): readonly LoopStmt[] {
  const [x, y] = [a[0], b[0]]
  if (a.length !== 1 || b.length !== 1) return [...a, ...b]
  if (x?.kind === 'if' && y?.kind === 'if' && sameExpr(x.condition, y.condition))
    return [{ ...x, then: joined(x.then, y.then), else: joined(x.else, y.else) }]
  if (x?.kind !== 'loop' || y?.kind !== 'loop' || x.bind.kind === 'vector' || y.bind.kind === 'vector')
    return [...a, ...b]
  if (!alike(x, y))
    return x.bind.kind === 'block' || y.bind.kind === 'block'
      ? fail('schedule.behind', 'they are not dealt out alike')
      : [...a, ...b]
  return [{ ...x, body: joined(x.body, y.body) }]
}

const alike = (a: Loop, b: Loop): boolean =>
  a.name === b.name &&
  exprKey(a.lower) === exprKey(b.lower) &&
  exprKey(a.upper) === exprKey(b.upper) &&
  JSON.stringify(a.bind) === JSON.stringify(b.bind)

/** The body with names of its own for what it declares where `other` declares the same. */
function distinct(other: readonly LoopStmt[], program: Program): readonly LoopStmt[] {
  const taken = new Set([...namesOf({ ...program, body: other })]),
    by = new Map<string, string>()
  mapBody(program.body, (s) => {
    if (s.kind === 'declare' && taken.has(s.array.name))
      by.set(
        s.array.name,
        freshName({ ...program, body: [...other, ...program.body] }, `${s.array.name}_${by.size + 2}`),
      )
    return undefined
  })
  const name = (n: string): string => by.get(n) ?? n
  return mapBody(
    program.body.map((s) =>
      mapStmtExprs(s, (e) =>
        rewriteExpr(e, (x) => (x.kind === 'read' && by.has(x.array) ? { ...x, array: name(x.array) } : undefined)),
      ),
    ),
    (s) =>
      s.kind === 'store' && by.has(s.array)
        ? [{ ...s, array: name(s.array) }]
        : s.kind === 'declare' && by.has(s.array.name)
          ? [{ ...s, array: { ...s.array, name: name(s.array.name) } }]
          : undefined,
  )
}
