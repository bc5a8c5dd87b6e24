// In: a program. Out: the same, where a loop that keeps the least and the greatest asks for both: `if (x < lo)
// lo = x; else if (x > hi) hi = x;`. The one idea: both start from one number, so that lo ≤ hi always, and what is less
// than the least is no new greatest: the `else` keeps nothing from happening.
import {
  conditionalReduction,
  eachStmt,
  loopIR,
  mapBody,
  pass,
  readsIn,
  sameExpr,
  storedIn,
  type Expr,
  type If,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[2] out global
//     declare lo: f32[] temp private
//     declare hi: f32[] temp private
//     lo = x[0]
//     hi = x[0]
//     for i in 1 .. n {
//       if x[i] < lo {
//         lo = x[i]
//       } else {
//         hi max= x[i]
//       }
//     }
//     y[0] = lo
//     y[1] = hi
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[2] out global
//     declare lo: f32[] temp private
//     declare hi: f32[] temp private
//     lo = x[0]
//     hi = x[0]
//     for i in 1 .. n {
//       lo min= x[i]
//       hi max= x[i]
//     }
//     y[0] = lo
//     y[1] = hi
//   }
export const minmaxSeparation = pass<Program>({
  name: 'minmax-separation',
  summary: 'the least and the greatest that start from one number are kept independently of each other',
  of: loopIR,
  run: (p) => {
    const body = separated(p.body)
    return body === p.body ? p : { ...p, body }
  },
})

/** Values that scalars were set to in this list, as far as nothing has changed since that these are made of. */
type Values = ReadonlyMap<string, Expr>

function separated(body: readonly LoopStmt[]): readonly LoopStmt[] {
  let values: Values = new Map()
  let changed = false
  const out = body.map((s): LoopStmt => {
    const inside = withBodies(s),
      made = inside.kind === 'loop' ? loopApart(inside, values) : inside
    values = after(values, s)
    changed ||= made !== s
    return made
  })
  return changed ? out : body
}

function withBodies(s: LoopStmt): LoopStmt {
  if (s.kind === 'loop') {
    const body = separated(s.body)
    return body === s.body ? s : { ...s, body }
  }
  if (s.kind !== 'if') return s
  const then = separated(s.then),
    otherwise = separated(s.else)
  return then === s.then && otherwise === s.else ? s : { ...s, then, else: otherwise }
}

function after(values: Values, s: LoopStmt): Values {
  const stored = new Set(storedIn([s]))
  const kept = [...values].filter(
    ([name, e]) => !stored.has(name) && readsIn([setTo(name, e)]).every((r) => !stored.has(r.array)),
  )
  if (s.kind !== 'store' || s.index.length > 0 || s.reduce !== null) return new Map(kept)
  const { value } = s,
    copied = value.kind === 'read' && value.index.length === 0 ? values.get(value.array) : undefined
  return new Map([...kept, [s.array, copied ?? value]])
}

const setTo = (array: string, value: Expr): Store => ({ kind: 'store', array, index: [], value, reduce: null })

/** The loop with both kept independently, where they start from one value and nothing else in it sets them. */
function loopApart(l: Loop, values: Values): Loop {
  const stores = new Map<string, number>()
  eachStmt(l.body, (s) => {
    if (s.kind === 'store') stores.set(s.array, (stores.get(s.array) ?? 0) + 1)
  })
  const body = mapBody(l.body, (s) => {
    const both = s.kind === 'if' ? extremesOf(s) : undefined,
      [a, b] = both?.map((x) => values.get(x.array)) ?? []
    const isAlike = a !== undefined && b !== undefined && sameExpr(a, b)
    return isAlike && both?.every((x) => stores.get(x.array) === 1) ? both : undefined
  })
  return body === l.body ? l : { ...l, body }
}

/** A least and a greatest of one value, the second where it is not the first; undefined where it is anything else. */
function extremesOf(s: If): readonly [Store, Store] | undefined {
  const targetOf = ({ array, value }: Store): Expr => ({ kind: 'read', type: value.type, array, index: [] }),
    first = conditionalReduction({ ...s, else: [] }, targetOf),
    [second, more] = s.else
  if (first.kind !== 'store' || second?.kind !== 'store' || more || first.array === second.array) return undefined
  const kinds = [first.reduce, second.reduce].sort().join()
  const isPair = kinds === 'max,min' && first.index.length + second.index.length === 0
  return isPair && sameExpr(first.value, second.value) ? [first, second] : undefined
}
