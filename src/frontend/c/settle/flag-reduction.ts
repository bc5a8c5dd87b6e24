// In: a lowered program. Out: the same with locals and results that are only ever 0 or 1 set by a reduction where a
// loop sets them without asking (`if (…) changed = 1;`, `if (…) sorted = 0;`). The one idea: to set such a flag is the
// greatest of it and 1, to clear it the least of it and 0, in whatever order iterations do so. A flag that its loop
// reads stays as it is.
import {
  int,
  literal,
  mapExpr,
  mapStmts,
  type Expr,
  type LoopStmt,
  type Program,
  type Store,
  pass,
  loopIR,
} from '../../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     scalar k: i32
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     declare f: i32[] temp private
//     f = 0
//     for i in 0 .. n {
//       if x[i] > 0.0f {
//         f = 1
//       }
//     }
//     y[0] = f32(f)
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     scalar k: i32
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     declare f: i32[] temp private
//     f = 0
//     for i in 0 .. n {
//       if x[i] > 0.0f {
//         f max= 1
//       }
//     }
//     y[0] = f32(f)
//   }
export const flagReduction = pass({
  name: 'flag-reduction',
  summary: 'a local that loops only ever set to 1, or clear, is a maximum, or a minimum',
  of: loopIR,
  run: withFlags,
})

/** The same object where there are none. */
export function withFlags(p: Program): Program {
  const flags = flagsOf(p)
  if (flags.size === 0) return p
  let found = false
  /** `loop`: what the innermost loop around reads; undefined outside of loops. `known`: flags that have a value. */
  const walk = (
    body: readonly LoopStmt[],
    loop: ReadonlySet<string> | undefined,
    before: ReadonlySet<string>,
  ): readonly LoopStmt[] => {
    const known = new Set(before)
    return body.map((s): LoopStmt => {
      switch (s.kind) {
        case 'declare':
          return s
        case 'loop':
          return { ...s, body: walk(s.body, readIn(s.body), known) }
        case 'if':
          return { ...s, then: walk(s.then, loop, known), else: walk(s.else, loop, known) }
        case 'store': {
          if (!flags.has(s.array)) return s
          const isSet = known.has(s.array)
          known.add(s.array)
          if (!loop || loop.has(s.array) || !isSet) return s
          found = true
          return { ...s, reduce: literal(s.value) === 1 ? 'max' : 'min' }
        }
      }
    })
  }
  const body = walk(p.body, undefined, new Set())
  return found ? { ...p, body } : p
}

/** Locals that are declared once, and the result, where they are only given 0 and 1. */
function flagsOf({ arrays, body }: Program): ReadonlySet<string> {
  const results = arrays.filter((a) => a.shape.length === 0 && a.type === 'i32'),
    declared = new Map(results.map((a) => [a.name, 1])),
    others = new Set<string>()
  const isFlag = (s: Store): boolean =>
    s.reduce === null &&
    s.index.length === 0 &&
    (literal(s.value) === 0 || literal(s.value) === 1) &&
    s.value.type === int(0).type
  mapStmts(
    body,
    (e) => e,
    (s) => {
      if (s.kind === 'declare' && s.array.shape.length === 0 && s.array.type === 'i32')
        declared.set(s.array.name, (declared.get(s.array.name) ?? 0) + 1)
      if (s.kind === 'store' && !isFlag(s)) others.add(s.array)
      return [s]
    },
  )
  return new Set([...declared].filter(([name, n]) => n === 1 && !others.has(name)).map(([name]) => name))
}

function readIn(body: readonly LoopStmt[]): ReadonlySet<string> {
  const found = new Set<string>(),
    note = (e: Expr): Expr =>
      mapExpr(e, (x) => {
        if (x.kind === 'read') found.add(x.array)
        return x
      })
  mapStmts(body, note)
  return found
}
