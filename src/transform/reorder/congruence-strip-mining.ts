// In: a program whose loops only do something where a sum of two of their variables is a multiple of a constant
// (`if ((i + 1 - u) % 2 != 0) continue;`, as transposed convolutions are written). Out: the outer loop in strips of
// that many iterations, and the inner one over what is a multiple alone. The one idea: which iterations of the inner
// loop count depends on the place in a strip alone (a phase), and there every so manieth does. Order stays as it was.
import {
  add,
  affineExpr,
  affineOf,
  coefficient,
  conjuncts,
  claimName,
  div,
  int,
  literal,
  loopIR,
  loopVar,
  lt,
  mapBody,
  mapStmtExprs,
  mod,
  mul,
  namesOf,
  op,
  pass,
  peelGuard,
  perfectNest,
  rewriteExpr,
  sameAffine,
  sub,
  substitute,
  eachStmt,
  someStmt,
  withGuard,
  type Affine,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array w: f32[4] in global
//     array y: f32[n * 2] inout global
//     for i in 0 .. n * 2 {
//       for u in 0 .. 4 {
//         if (i - u) % 2 == 0 && i - u >= 0 {
//           y[i] += x[(i - u) / 2] * w[u]
//         }
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array w: f32[4] in global
//     array y: f32[n * 2] inout global
//     for i_strip in 0 .. n {
//       for i_phase in 0 .. 2 {
//         for u_turn in 0 .. 2 {
//           if i_strip * 2 + i_phase - (u_turn * 2 + i_phase) >= 0 {
//             y[i_strip * 2 + i_phase] += x[i_strip - u_turn] * w[u_turn * 2 + i_phase]
//           }
//         }
//       }
//     }
//   }
export const congruenceStripMining = pass<Program>({
  name: 'congruence-strip-mining',
  summary: 'loops that skip what is no multiple of a constant run in strips, so that they skip nothing',
  of: loopIR,
  run: (program) => stripped(program),
})

/** Dimensions in which a window may move. */
const mostStrips = 4

function stripped(given: Program): Program {
  let program = given
  for (let n = 0; n < mostStrips; n++) {
    const found = congruenceIn(program)
    if (!found) return program
    program = inStrips(program, found)
  }
  return program
}

/** All that `inner` does is done where `form` is a multiple of `by`. */
interface Congruence {
  readonly outer: Loop
  readonly inner: Loop
  readonly form: Affine
  readonly by: number
}

function congruenceIn(program: Program): Congruence | undefined {
  let found: Congruence | undefined
  eachStmt(program.body, (s, around) => {
    if (found || s.kind !== 'loop' || !isPlain(s)) return
    const { guard } = peelGuard(perfectNest(s).body)
    for (const c of guard.flatMap(conjuncts)) {
      const asked = multipleIn(c),
        outer = asked && partner(asked.form, s, around)
      if (asked && outer && literal(s.upper) !== undefined) found ??= { outer, inner: s, ...asked }
    }
  })
  return found
}

const isPlain = (l: Loop): boolean => literal(l.lower) === 0 && l.step === 1 && l.bind.kind === 'serial'

/** `form % by == 0` */
function multipleIn(c: Expr): { readonly form: Affine; readonly by: number } | undefined {
  const [rest, zero] = c.kind === 'op' && c.op === 'eq' ? c.args : []
  if (rest?.kind !== 'op' || rest.op !== 'rem' || rest.type !== 'i32' || !zero || literal(zero) !== 0) return undefined
  const form = affineOf(rest.args[0]!),
    by = literal(rest.args[1]!) // two arguments
  return form && by !== undefined && by > 1 ? { form, by } : undefined
}

/** The loop around `inner` that alone moves the form besides, each by one. */
function partner(form: Affine, inner: Loop, around: readonly Loop[]): Loop | undefined {
  const others = [...form.terms.keys()].filter((name) => name !== inner.name),
    outer = around.find((l) => l.name === others[0])
  const isUnit = (l: Loop): boolean => Math.abs(coefficient(form, l.name)) === 1
  return outer && others.length === 1 && isUnit(inner) && isUnit(outer) && isPlain(outer) ? outer : undefined
}

function inStrips(program: Program, { outer, inner, form, by }: Congruence): Program {
  const taken = namesOf(program)
  eachStmt(program.body, (s) => {
    if (s.kind === 'loop') taken.add(s.name)
  })
  const named = (base: string): string => claimName(taken, base)
  const [strip, phase, turn] = [named(`${outer.name}_strip`), named(`${outer.name}_phase`), named(`${inner.name}_turn`)]
  const [co, ci] = [coefficient(form, outer.name), coefficient(form, inner.name)]
  // of the inner variable what remains: −ci (co · phase + constant) mod by
  const slope = -ci * co,
    start = (((-ci * form.constant) % by) + by) % by
  const shift = slope > 0 ? add(loopVar(phase), int(start)) : sub(int(start + by), loopVar(phase)),
    rest = slope > 0 && start === 0 ? loopVar(phase) : mod(shift, by)
  const at = new Map<string, Expr>([
    [outer.name, add(mul(loopVar(strip), int(by)), loopVar(phase))],
    [inner.name, add(mul(loopVar(turn), int(by)), rest)],
  ])
  // form / by, of a dividend that is no less than 0
  const whole = Math.ceil(Math.abs(form.constant) / by) + 2
  const plus = (e: Expr, c: number, x: Expr): Expr => (c > 0 ? add(e, x) : sub(e, x))
  const ofPhase = exactly(plus(plus(int(form.constant + whole * by), co, loopVar(phase)), ci, rest), by)
  const steps = plus(plus(sub(ofPhase, int(whole)), co, loopVar(strip)), ci, loopVar(turn))
  const placed = (e: Expr): Expr =>
    substitute(
      rewriteExpr(e, (x) => (isQuotient(x, form, by) ? steps : undefined)),
      at,
    )
  const innerBody = (l: Loop): readonly LoopStmt[] =>
    mapBody(l.body, (s) => {
      if (s.kind !== 'if') return undefined
      const left = conjuncts(s.condition).filter((c) => !isAsked(c, form, by))
      return left.length === conjuncts(s.condition).length ? undefined : [...withGuard(left, s.then)]
    })
  const turns = Math.ceil(literal(inner.upper)! / by) // a constant: it was asked before
  const inside = (body: readonly LoopStmt[]): readonly LoopStmt[] =>
    mapBody(body, (s) =>
      s.kind === 'loop' && s.name === inner.name
        ? [
            {
              ...s,
              name: turn,
              upper: int(turns),
              body: withGuard(
                literal(inner.upper)! % by === 0 ? [] : [lt(at.get(inner.name)!, inner.upper)],
                innerBody(s),
              ),
            },
          ]
        : undefined,
    )
  const strips = exactly(outer.upper, by)
  const body = mapBody(program.body, (s): readonly LoopStmt[] | undefined => {
    if (s.kind !== 'loop' || s.name !== outer.name || !holds(s, inner)) return undefined
    const guard = isWhole(outer.upper, by) ? [] : [lt(at.get(outer.name)!, outer.upper)]
    const phases: Loop = {
      ...s,
      name: phase,
      upper: int(by),
      body: withGuard(
        guard,
        inside(s.body).map((x) => mapStmtExprs(x, placed)),
      ),
    }
    return [
      {
        ...s,
        name: strip,
        upper: isWhole(outer.upper, by) ? strips : exactly(add(outer.upper, int(by - 1)), by),
        body: [phases],
      },
    ]
  })
  return { ...program, body }
}

/** Whether all values of a linear form are multiples. */
function isWhole(e: Expr, by: number): boolean {
  const a = affineOf(e)
  return a !== undefined && a.constant % by === 0 && [...a.terms.values()].every((c) => c % by === 0)
}

/** e / by for e ≥ 0; without a division where it is a linear form of multiples. */
function exactly(e: Expr, by: number): Expr {
  const a = affineOf(e)
  if (!a || !isWhole(e, by)) return literal(e) === undefined ? op('div', [e, int(by)]) : div(e, by)
  return affineExpr({ constant: a.constant / by, terms: new Map([...a.terms].map(([name, c]) => [name, c / by])) })
}

/** Whether the loop has the other one inside. */
function holds(l: Loop, inner: Loop): boolean {
  return someStmt([l], (s) => s === inner || (s.kind === 'loop' && s.name === inner.name))
}

const isQuotient = (e: Expr, form: Affine, by: number): boolean => {
  const a = e.kind === 'op' && e.op === 'div' && literal(e.args[1]!) === by ? affineOf(e.args[0]!) : undefined // two
  return a !== undefined && sameAffine(a, form)
}

function isAsked(c: Expr, form: Affine, by: number): boolean {
  const asked = multipleIn(c)
  return asked !== undefined && asked.by === by && sameAffine(asked.form, form)
}
