// In: a block and a loop in it that keeps what differs from what it kept last, on a stack (`if (k == 0 || x[i] != y[k -
// 1]) y[k++] = x[i];`) or in a number (`if (x[i] != last) { …; last = x[i]; }`). Out: the same, where each value is
// compared with the one before it. The one idea is an invariant of the loop: what was kept last equals the value of the
// iteration before, since that one was kept or was the same. Iterations hand on nothing then but how many were kept.
import {
  choose,
  int,
  literal,
  loopVar,
  op,
  ownExprs,
  eachStmt,
  exprKey,
  rewriteExpr,
  sameExpr,
  sub,
  substitute,
  type ArrayDecl,
  type Expr,
  type If,
  type Loop,
  type LoopStmt,
  type Store,
  storedIn,
} from '../../ir/index.ts'
import { mentionsAny } from '../../analysis/index.ts'

/** The block with one such comparison of the loop at `at` changed; undefined where there is none. */
export function comparedWithLast(
  body: readonly LoopStmt[],
  at: number,
  arrays: readonly ArrayDecl[],
): readonly LoopStmt[] | undefined {
  const loop = body[at]
  if (loop?.kind !== 'loop' || loop.step !== 1) return undefined
  const before = body.slice(0, at),
    written = storedIn(loop.body)
  const known = [...arrays, ...before.flatMap((s) => (s.kind === 'declare' ? [s.array] : []))]
  /** Whether a value is the same when it is read again: it is not cut to fewer bits. */
  const keeps = (s: Store): boolean => known.some((a) => a.name === s.array && a.type === s.value.type)
  for (const [n, s] of loop.body.entries()) {
    if (s.kind !== 'if' || s.else.length > 0) continue
    const made = onStack(before, loop, s, written, keeps) ?? inScalar(loop, s, written, keeps)
    if (made)
      return [
        ...before,
        { ...loop, body: [...loop.body.slice(0, n), ...made, ...loop.body.slice(n + 1)] },
        ...body.slice(at + 1),
      ]
  }
  return undefined
}

/** What must differ, and what else lets a value be kept. */
interface Test {
  readonly differ: Extract<Expr, { kind: 'op' }>
  readonly or: Expr | undefined
}

function testOf(e: Expr): Test | undefined {
  if (e.kind === 'op' && e.op === 'ne') return { differ: e, or: undefined }
  if (e.kind === 'op' && e.op === 'lor') {
    const [or, last] = e.args
    return last?.kind === 'op' && last.op === 'ne' ? { differ: last, or } : undefined
  }
  const isOr = e.kind === 'choose' && e.then.kind === 'const' && Boolean(e.then.value)
  return isOr && e.else.kind === 'op' && e.else.op === 'ne' ? { differ: e.else, or: e.condition } : undefined
}

/** The comparison `value != kept`, either way round. */
const sides = ({ differ: { args } }: Test): readonly (readonly [value: Expr, kept: Expr])[] => [
  [args[0]!, args[1]!],
  [args[1]!, args[0]!],
]

const previous = (e: Expr, loop: Loop): Expr => substitute(e, new Map([[loop.name, sub(loopVar(loop.name), int(1))]]))

/** `if (x[i] != last) { …; last = x[i]; }`: `last` is set in every iteration. */
function inScalar(
  loop: Loop,
  s: If,
  written: readonly string[],
  keeps: (s: Store) => boolean,
): readonly LoopStmt[] | undefined {
  const test = testOf(s.condition)
  for (const [value, kept] of test ? sides(test) : []) {
    if (kept.kind !== 'read' || kept.index.length > 0 || value.type === 'f32') continue
    const own = s.then.find((x): x is Store => x.kind === 'store' && x.array === kept.array)
    if (!own || own.reduce || !keeps(own) || !sameExpr(own.value, value)) continue
    if (storesTo(loop.body, kept.array) !== 1) continue
    if (mentionsAny([value], written)) continue
    return [
      { ...s, then: s.then.filter((x) => x !== own) },
      { ...own, value },
    ]
  }
  return undefined
}

/** `if (k == 0 || x[i] != y[k - 1]) y[k++] = x[i]`, or with a first element before the loop. */
function onStack(
  before: readonly LoopStmt[],
  loop: Loop,
  s: If,
  written: readonly string[],
  keeps: (s: Store) => boolean,
): readonly LoopStmt[] | undefined {
  const test = testOf(s.condition),
    [put, count, more] = s.then
  if (!test || more || put?.kind !== 'store' || count?.kind !== 'store' || put.reduce || put.index.length !== 1)
    return undefined
  if (!keeps(put)) return undefined
  const [place] = put.index as readonly [Expr],
    k = count.array
  if (place.kind !== 'read' || place.array !== k || place.index.length > 0 || count.index.length > 0) return undefined
  if (count.reduce !== 'add' || literal(count.value) !== 1 || storesTo(loop.body, k) !== 1) return undefined
  if (storesTo(loop.body, put.array) !== 1 || mentionsAny([put.value], written)) return undefined
  const kept: Expr = { kind: 'read', type: put.value.type, array: put.array, index: [sub(place, int(1))] }
  const isIt = sides(test).some(([value, x]) => sameExpr(value, put.value) && exprKey(x) === exprKey(kept))
  if (!isIt || readsOf(loop.body, put.array) !== 1) return undefined
  const start = startOf(before, k),
    differ = op('ne', [put.value, previous(put.value, loop)])
  if (start === 0 && test.or && isNone(test.or, k))
    return [{ ...s, condition: choose(op('le', [loopVar(loop.name), loop.lower]), truth, differ) }]
  const first = before.findLast((x): x is Store => x.kind === 'store' && x.array === put.array),
    firstValue = substitute(put.value, new Map([[loop.name, sub(loop.lower, int(1))]]))
  const isFirst =
    start !== undefined && first?.index.length === 1 && literal(first.index[0]!) === start - 1 && !first.reduce
  return isFirst && !test.or && sameExpr(first.value, firstValue) && !changed(before, first, put)
    ? [{ ...s, condition: differ }]
    : undefined
}

const truth: Expr = { kind: 'const', type: 'bool', value: 1 }

/** `k == 0`. */
const isNone = (e: Expr, k: string): boolean =>
  e.kind === 'op' &&
  (e.op === 'eq' || e.op === 'le') &&
  e.args[0]?.kind === 'read' &&
  e.args[0].array === k &&
  literal(e.args[1]!) === 0

/** The number that the last statement before the loop sets `name` to. */
function startOf(before: readonly LoopStmt[], name: string): number | undefined {
  const last = before.findLast((s) => storedIn([s]).includes(name))
  return last?.kind === 'store' && !last.reduce && last.index.length === 0 ? literal(last.value) : undefined
}

/** Whether anything behind `first` stores to the array, or to what `put` is made of. */
function changed(before: readonly LoopStmt[], first: Store, put: Store): boolean {
  const later = storedIn(before.slice(before.indexOf(first) + 1))
  return later.includes(put.array) || mentionsAny([put.value], later)
}

function storesTo(body: readonly LoopStmt[], array: string): number {
  let n = 0
  eachStmt(body, (s) => {
    if (s.kind === 'store' && s.array === array) n++
  })
  return n
}

function readsOf(body: readonly LoopStmt[], array: string): number {
  let n = 0
  eachStmt(body, (s) =>
    ownExprs(s).forEach((e) => {
      rewriteExpr(e, (x) => {
        if (x.kind === 'read' && x.array === array) n++
        return undefined
      })
    }),
  )
  return n
}
