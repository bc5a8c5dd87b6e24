// In: a loop whose body tests conditions that are invariant in it: over sizes and scalar parameters only. Out: the
// first such condition, and the loop specialised to both of its outcomes. The one idea: loop unswitching (Allen and
// Cocke, A Catalogue of Optimizing Transformations, 1971): a condition tested outside the loop hides no dependences
// inside. Whether that pays, and where the test is placed, is for the caller to decide.
import { constant, negated } from './build.ts'
import type { OpName } from '../ops.ts'
import type { Expr, Loop, LoopStmt } from './loop.ts'
import {
  eachExpr,
  eachStmt,
  exprKey,
  mapBody,
  mapStmtExprs,
  ownExprs,
  readsArray,
  rewriteExpr,
  someExpr,
  someStmt,
  varsOf,
} from './loop-tree.ts'
import { mayDivideByZero } from './specialize.ts'

export interface Unswitched {
  readonly condition: Expr
  /** What is left of the loop where the condition holds. */
  readonly then: readonly LoopStmt[]
  readonly otherwise: readonly LoopStmt[]
}

/** `undefined` where nothing asks such a condition. */
export function unswitched(loop: Loop): Unswitched | undefined {
  const condition = invariantChoices([loop])[0]
  return (
    condition && { condition, then: assuming([loop], condition, true), otherwise: assuming([loop], condition, false) }
  )
}

/** It asks something, and nothing that statements change. */
const isInvariant = (e: Expr): boolean =>
  varsOf(e).size === 0 && !readsArray(e) && someExpr(e, (x) => x.kind === 'size' || x.kind === 'scalar')

/** Conditions of `if`s and of choices between values that nothing in the statements changes, each once. */
export function invariantChoices(body: readonly LoopStmt[]): readonly Expr[] {
  const found = new Map<string, Expr>()
  const see = (e: Expr): void => {
    if (isInvariant(e) && !found.has(exprKey(e))) found.set(exprKey(e), e)
  }
  eachStmt(body, (s) => {
    if (s.kind === 'if') see(s.condition)
    for (const e of ownExprs(s))
      eachExpr(e, (x) => {
        if (x.kind === 'choose') see(x.condition)
        else if (x.kind === 'op' && x.op === 'select') see(x.args[0]!) // it has three
      })
  })
  return [...found.values()]
}

/** Statements where the condition holds, or where it does not: whatever asks it, or its contrary, is decided. */
export function assuming(body: readonly LoopStmt[], condition: Expr, holds: boolean): readonly LoopStmt[] {
  const asked = exprKey(condition),
    contrary = exprKey(negated(condition))
  return decided(body, (e) => {
    const key = exprKey(e)
    return key === asked || key === contrary ? (key === asked) === holds : undefined
  })
}

/** Whether a condition holds, where that is known. */
export type KnownConditions = (condition: Expr) => boolean | undefined

/** Statements where conditions are as `known` says; loops and branches of which nothing is left are gone. */
export function decided(body: readonly LoopStmt[], known: KnownConditions): readonly LoopStmt[] {
  const value = (e: Expr): Expr =>
    rewriteExpr(e, (x) => {
      const holds = x.type === 'bool' ? known(x) : undefined
      return holds === undefined ? folded(x) : constant('bool', holds ? 1 : 0)
    })
  return mapBody(
    body.map((s) => mapStmtExprs(s, value)),
    (s) => {
      if (s.kind === 'loop' && !someStmt(s.body, (x) => x.kind === 'store')) return []
      if (s.kind !== 'if') return undefined
      const is = isTrue(s.condition)
      if (is !== undefined) return is ? s.then : s.else
      return s.then.length + s.else.length === 0 ? [] : undefined
    },
  )
}

/**
 * Whether a host, which counts in numbers wide enough for all and knows no other types, answers a condition as C does:
 * comparisons of 32-bit signed integers, without what may fail. Unsigned integers, which wrap, floats, which round, and
 * functions are left to the kernel.
 */
export function isAskedExactly(condition: Expr): boolean {
  const isExact = (e: Expr): boolean =>
    (e.type === 'bool' || e.type === 'i32') && (e.kind !== 'op' || exactOps.has(e.op))
  return !mayDivideByZero(condition) && !someExpr(condition, (e) => !isExact(e))
}

const exactOps: ReadonlySet<OpName> = new Set<OpName>([
  'add',
  'sub',
  'mul',
  'neg',
  'div',
  'rem',
  'min',
  'max',
  'lt',
  'le',
  'gt',
  'ge',
  'eq',
  'ne',
  'land',
  'lor',
  'lnot',
  'select',
  'convert', // of answers to numbers and back: it meets no other types
])

const isTrue = (e: Expr): boolean | undefined => (e.kind === 'const' && e.type === 'bool' ? e.value !== 0 : undefined)

/** A choice by a condition that is decided, and what conditions joined with such a one are. */
function folded(x: Expr): Expr | undefined {
  const [condition, then, otherwise] =
    x.kind === 'choose' ? [x.condition, x.then, x.else] : x.kind === 'op' && x.op === 'select' ? x.args : []
  const is = condition && isTrue(condition)
  if (is !== undefined) return is ? then : otherwise
  const denied = x.kind === 'op' && x.op === 'lnot' ? isTrue(x.args[0]!) : undefined // it has one
  if (denied !== undefined) return constant('bool', denied ? 0 : 1)
  if (x.kind !== 'op' || (x.op !== 'land' && x.op !== 'lor')) return undefined
  const at = x.args.findIndex((e) => isTrue(e) !== undefined)
  if (at < 0) return undefined
  return isTrue(x.args[at]!) === (x.op === 'land') ? x.args[1 - at] : x.args[at] // it has two
}
