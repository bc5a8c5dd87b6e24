// In: a LoopIR program. Out: every access to an array with the loops and guards around it, in the order of execution of
// one iteration. The one idea: one walk that dependence analysis, reuse and shape inference share. It knows nothing of
// linearity; `domain.ts` makes constraints of what is collected here.
import type { Span } from '../../base/index.ts'
import { insideLoop, sizeDomain, whereHolds, type Domain } from '../integers/domain.ts'
import type { ReduceOp } from '../ops.ts'
import type { Expr, Loop, LoopStmt, Program } from './loop.ts'

export interface Access {
  /** Position among all accesses of the program. */
  readonly id: number
  readonly array: string
  readonly index: readonly Expr[]
  readonly kind: 'read' | 'write'
  /** Set on both the read and the write of a reduction store. */
  readonly reduce: ReduceOp | null
  /** Loops around it, outermost first. */
  readonly loops: readonly Loop[]
  /** For each of `loops`, how much of `path` leads to it: its own path is `path.slice(0, n)`. */
  readonly depths: readonly number[]
  /** Position of its statement: indices into bodies from the program down; `else` branches count after `then`. */
  readonly path: readonly number[]
  /** The statement it belongs to (the loop or `if` for reads in bounds and conditions). */
  readonly statement: LoopStmt
  /** The `if`s around it: how much of `path` leads to each, and in which branch it is. */
  readonly branches: readonly Branch[]
  /** Conditions that hold where it happens, as they are written. */
  readonly holding: readonly Expr[]
  /** What holds where it happens, in loop variables' own names. */
  readonly domain: Domain
  /** Where a local array is declared, and how many of `loops` are around that; undefined for the program's arrays. */
  readonly declared: Declared | undefined
  readonly at?: Span
}

export interface Declared {
  readonly path: readonly number[]
  readonly loops: number
}

export interface Branch {
  readonly depth: number
  readonly then: boolean
}

interface Walk {
  readonly branches: readonly Branch[]
  readonly holding: readonly Expr[]
  readonly loops: readonly Loop[]
  readonly depths: readonly number[]
  readonly path: readonly number[]
  readonly domain: Domain
  readonly declared: ReadonlyMap<string, Declared>
}

/** All accesses of `p`, in textual order; within a statement index reads and value reads come before the write. */
export function accesses(p: Program): Access[] {
  const out: Access[] = []
  block(
    p.body,
    { loops: [], depths: [], branches: [], holding: [], path: [], domain: sizeDomain(p), declared: new Map() },
    0,
    out,
  )
  return out
}

function block(body: readonly LoopStmt[], outer: Walk, from: number, out: Access[]): void {
  let declared = outer.declared
  body.forEach((s, i) => {
    const w = { ...outer, declared, path: [...outer.path, from + i] }
    switch (s.kind) {
      case 'declare':
        declared = new Map(declared).set(s.array.name, { path: w.path, loops: w.loops.length })
        return
      case 'store':
        return storeAccesses(s, w, out)
      case 'loop':
        for (const e of [s.lower, s.upper]) reads(e, s, w, out)
        return block(
          s.body,
          {
            ...w,
            loops: [...w.loops, s],
            depths: [...w.depths, w.path.length],
            domain: insideLoop(w.domain, s),
          },
          0,
          out,
        )
      case 'if':
        reads(s.condition, s, w, out)
        block(
          s.then,
          {
            ...w,
            branches: [...w.branches, { depth: w.path.length, then: true }],
            holding: [...w.holding, s.condition],
            domain: whereHolds(w.domain, s.condition, true),
          },
          0,
          out,
        )
        block(
          s.else,
          {
            ...w,
            branches: [...w.branches, { depth: w.path.length, then: false }],
            domain: whereHolds(w.domain, s.condition, false),
          },
          s.then.length,
          out,
        )
    }
  })
}

function made(
  id: number,
  array: string,
  index: readonly Expr[],
  kind: 'read' | 'write',
  reduce: ReduceOp | null,
  statement: LoopStmt,
  w: Walk,
  at: Span | undefined,
): Access {
  return {
    id,
    array,
    index,
    kind,
    reduce,
    loops: w.loops,
    depths: w.depths,
    path: w.path,
    branches: w.branches,
    holding: w.holding,
    statement,
    domain: w.domain,
    declared: w.declared.get(array),
    ...(at && { at }),
  }
}

function storeAccesses(s: Extract<LoopStmt, { kind: 'store' }>, w: Walk, out: Access[]): void {
  for (const e of s.index) reads(e, s, w, out)
  reads(s.value, s, w, out)
  if (s.reduce) out.push(made(out.length, s.array, s.index, 'read', s.reduce, s, w, s.at))
  out.push(made(out.length, s.array, s.index, 'write', s.reduce, s, w, s.at))
}

function reads(e: Expr, statement: LoopStmt, w: Walk, out: Access[]): void {
  switch (e.kind) {
    case 'const':
    case 'var':
    case 'size':
    case 'scalar':
      return
    case 'read':
      for (const x of e.index) reads(x, statement, w, out)
      out.push(made(out.length, e.array, e.index, 'read', null, statement, w, e.at ?? statement.at))
      return
    case 'op':
      for (const x of e.args) reads(x, statement, w, out)
      return
    case 'choose':
      reads(e.condition, statement, w, out)
      reads(
        e.then,
        statement,
        { ...w, holding: [...w.holding, e.condition], domain: whereHolds(w.domain, e.condition, true) },
        out,
      )
      reads(e.else, statement, { ...w, domain: whereHolds(w.domain, e.condition, false) }, out)
  }
}
