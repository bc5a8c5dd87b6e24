// In: a lowered program. Out: the same without a condition on sizes around all of it (`if (stride < w) return;`, an
// assertion): what is inside is the program where it holds, and elsewhere there is none. The one idea: loop versioning:
// the host asks once, kernels need not, and subscripts may count on the answer.
import { eachExpr, keepsConditions, loopIR, pass, withConditions, type Expr, type Program } from '../../../ir/index.ts'

// Before:
//
//   program p {
//     size w = 8 min 0 counts
//     size stride = 8 min 0
//     array y: f32[w * stride] inout global
//     if stride >= w {
//       for i in 0 .. w {
//         y[i * stride] = 0.0f
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size w = 8 min 0 counts
//     size stride = 8 min 0 where stride >= w
//     array y: f32[w * stride] inout global
//     for i in 0 .. w {
//       y[i * stride] = 0.0f
//     }
//   }
export const guardVersioning = pass<Program>({
  name: 'guard-versioning',
  summary: 'a condition on sizes around the whole program is asked by the host, and holds for all that follows',
  of: loopIR,
  run: versioned,
})

/** `p` without the condition around it, where it holds at the planned sizes. */
function versioned(p: Program): Program {
  const [only, more] = p.body
  if (only?.kind !== 'if' || more || only.else.length > 0 || !isOfSizes(only.condition)) return p
  const made = withConditions({ ...p, body: only.then }, [only.condition])
  const planned = Object.fromEntries(p.sizes.map((s) => [s.name, s.planned]))
  return keepsConditions(made, { sizes: planned, scalars: {} }) ? { ...made, otherwise: { ...p, body: [] } } : p
}

/** Whether nothing but the sizes says what `e` is, and some do. */
function isOfSizes(e: Expr): boolean {
  let sizes = 0,
    others = 0
  eachExpr(e, (x) => {
    if (x.kind === 'size') sizes++
    if (x.kind === 'var' || x.kind === 'scalar' || x.kind === 'read') others++
  })
  return sizes > 0 && others === 0
}
