// In: a C function. Out: the same with its assertions about what its caller gives as early returns. The one idea: what
// is asserted is a fact for all that follows (LLVM's `llvm.assume`), and an early return is how C says one. Assertions
// about anything but unchanged integer parameters that loops or subscripts ask for say nothing that helps; they go with
// the calls that compute nothing.
import { isInteger, pass } from '../../../ir/index.ts'
import { cFunction } from '../text/representation.ts'
import type { CExpr, CFunction, CStmt } from '../text/syntax.ts'
import { eachC, expressionsOf, notOf, numberOf, writtenIn } from './c-rewriting.ts'
import { everywhere } from './name-uses.ts'

// Before:
//
//   void f(int w, int stride, float *y) {
//     assert(stride >= w);
//     for (int i = 0; i < w; i++) y[i * stride] = 0;
//   }
//
// After:
//
//   void f(int w, int stride, float *y) {
//     if (!(stride >= w)) {
//       return;
//     }
//     for (int i = 0; i < w; i++) {
//       y[i * stride] = 0;
//     }
//   }
export const assertions = pass<CFunction>({
  name: 'assertions',
  summary: 'what is asserted of parameters that loops and subscripts ask for holds for the rest of the function',
  of: cFunction,
  run: asReturns,
})

const asserting: ReadonlySet<string> = new Set(['assert', '__builtin_assume', '__assume'])

function asReturns(f: CFunction): CFunction {
  const named = shapingNames(f),
    written = writtenIn(f.body)
  const isKnown = (e: CExpr): boolean =>
    everywhere(e).every((x) =>
      x.kind === 'name'
        ? named.has(x.name) && !written.has(x.name)
        : x.kind === 'number' || x.kind === 'binary' || x.kind === 'unary',
    )
  const asked = (s: CStmt): CStmt => {
    const [fact, more] = s.kind === 'expr' && s.expr.kind === 'call' && asserting.has(s.expr.name) ? s.expr.args : []
    if (!fact || more || !isKnown(fact)) return s
    const value = f.returns === 'void' ? null : numberOf(0, s.at)
    return { kind: 'if', condition: notOf(fact), then: { kind: 'return', value, at: s.at }, else: null, at: s.at }
  }
  const body = f.body.body.map(asked)
  return body.every((s, i) => s === f.body.body[i]) ? f : { ...f, body: { ...f.body, body } }
}

/** Integer parameters that stand in subscripts or in the headers of loops. */
function shapingNames(f: CFunction): ReadonlySet<string> {
  const integers = new Set(f.parameters.filter((p) => p.extents.length === 0 && isInteger(p.type)).map((p) => p.name))
  const found = new Set<string>()
  const note = (e: CExpr): void =>
    everywhere(e).forEach((x) => {
      if (x.kind === 'name' && integers.has(x.name)) found.add(x.name)
    })
  for (const e of expressionsOf(f.body)) if (e.kind === 'index') note(e.index)
  eachC(f.body, (s) => {
    if (s.kind === 'for') for (const e of [s.condition, s.update]) if (e) note(e)
  })
  return found
}
