// sink-guard: a guard around a whole accumulation moves to the places that touch memory, so that all threads of a block
// reach what they must do together (the tree of a shared reduction).
//
//   for i in 0 .. 8 { if i < n { declare s: f32[] temp private s = 0.0f for k in 0 .. m { s += A[i, k] } y[i] = s } }
// → for i in 0 .. 8 { declare s: f32[] temp private s = 0.0f
//     for k in 0 .. m { if i < n { s += A[i, k] } }
//     if i < n { y[i] = s } }
//
// Side conditions: the guarded body declares the accumulator, initialises it, reduces into it and stores it; the guard
// reads no array.
import { fail } from '../../base/index.ts'
import {
  choose,
  constant,
  type Expr,
  type LoopStmt,
  type Program,
  conjunction,
  eachExpr,
  guardInside,
  mapBody,
} from '../../ir/index.ts'

/** Moves the guard around every accumulation into `into`. Unguarded ones stay as they are. */
export function sinkGuard(program: Program, { into }: { readonly into: string }): Program {
  const body = mapBody(program.body, (s) =>
    s.kind === 'if' && s.else.length === 0 && declares(s.then, into) ? sunk(s.condition, s.then) : undefined,
  )
  return body === program.body ? program : { ...program, body }
}

const declares = (body: readonly LoopStmt[], name: string): boolean =>
  body.some((s) => s.kind === 'declare' && s.array.name === name)

function sunk(guard: Expr, body: readonly LoopStmt[]): readonly LoopStmt[] {
  eachExpr(guard, (e) => {
    if (e.kind === 'read') fail('schedule.sink-guard', `the guard reads '${e.array}'`)
  })
  const own = new Set(body.flatMap((s) => (s.kind === 'declare' ? [s.array.name] : [])))
  return body.map((s): LoopStmt => {
    switch (s.kind) {
      case 'declare':
        return s
      case 'loop':
        return guardInside(guard, [s])[0] ?? s
      case 'if':
        return { ...s, condition: conjunction([guard, s.condition]) ?? guard }
      case 'store':
        if (!own.has(s.array)) return { kind: 'if', condition: guard, then: [s], else: [] }
        return s.value.kind === 'const'
          ? s
          : {
              ...s,
              value: choose(
                guard,
                s.value,
                constant(s.value.type, s.value.type === 'i64' || s.value.type === 'u64' ? 0n : 0),
              ),
            }
    }
  })
}
