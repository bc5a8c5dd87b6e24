// In: a program whose loops only do something where a sum of two of their variables is a multiple of a constant
// (`if ((i + 1 - u) % 2 != 0) continue;`, as transposed convolutions are written). Out: the outer loop in strips of
// that many iterations, and the inner one over what is a multiple alone. The one idea: which iterations of the inner
// loop count depends on the place in a strip alone (a phase), and there every so manieth does. Order stays as it was.
import {
  add,
  affineExpr,
  affineOf,
  coefficient,
  affineFolded,
  gcd,
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
  withGuard,
  type Affine,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'
import { conditionOf, inequalityOf } from '../../analysis/index.ts'

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
//           if u_turn <= i_strip {
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

/** `form` is a multiple of `by`. */
interface Multiple {
  readonly form: Affine
  readonly by: number
}

/**
 * All that `inner` does is done where `form` is a multiple of `by`; `outer` moves it by one, up or down, and all else
 * by multiples.
 */
interface Congruence extends Multiple {
  readonly outer: Loop
  readonly inner: Loop
}

function congruenceIn(program: Program): Congruence | undefined {
  let found: Congruence | undefined
  eachStmt(program.body, (s, around) => {
    if (found || s.kind !== 'loop' || !isPlain(s)) return
    for (const c of askedIn(s)) {
      const asked = multipleIn(c),
        outer = asked && partner(asked, s, around)
      if (asked && outer && literal(s.upper) !== undefined && isSolved(coefficient(asked.form, s.name), asked.by))
        found ??= { outer, inner: s, ...asked }
    }
  })
  return found
}

/** Conditions under which alone a loop does anything. */
const askedIn = (l: Loop): readonly Expr[] => peelGuard(perfectNest(l).body).guard.flatMap(conjuncts)

const isPlain = (l: Loop): boolean => literal(l.lower) === 0 && l.step === 1 && l.bind.kind === 'serial'

/** `form % by == 0` */
function multipleIn(c: Expr): Multiple | undefined {
  const [rest, zero] = c.kind === 'op' && c.op === 'eq' ? c.args : []
  if (rest?.kind !== 'op' || rest.op !== 'rem' || rest.type !== 'i32' || !zero || literal(zero) !== 0) return undefined
  const form = affineOf(rest.args[0]!),
    by = literal(rest.args[1]!) // two arguments
  return form && by !== undefined && by > 1 ? { form, by } : undefined
}

/** The loop around `inner` that alone moves the form's residue besides, by one. */
function partner({ form, by }: Multiple, inner: Loop, around: readonly Loop[]): Loop | undefined {
  const others = [...form.terms].filter(([name, c]) => name !== inner.name && c % by !== 0),
    outer = around.find((l) => l.name === others[0]?.[0])
  const isAlone = outer && others.length === 1 && coefficient(form, inner.name) !== 0
  return isAlone && Math.abs(coefficient(form, outer.name)) === 1 && isPlain(outer) ? outer : undefined
}

/** For each phase one residue of the inner variable, or for one phase all of its values and for others none. */
const isSolved = (c: number, by: number): boolean => c % by === 0 || inverse(c, by) !== undefined

const residue = (n: number, by: number): number => ((n % by) + by) % by

/** x with c · x = 1 modulo `by`. */
function inverse(c: number, by: number): number | undefined {
  for (let x = 1; x < by; x++) if (residue(c * x, by) === 1) return x
  return undefined
}

function inStrips(program: Program, found: Congruence): Program {
  const taken = namesOf(program)
  const named = (base: string): string => claimName(taken, base)
  const inverted = inverse(coefficient(found.form, found.inner.name), found.by)
  return inverted === undefined ? onePhase(program, found, named) : allPhases(program, found, inverted, named)
}

type Named = (base: string) => string

const plus = (e: Expr, c: number, x: Expr): Expr =>
  c > 0 ? add(e, c === 1 ? x : mul(int(c), x)) : sub(e, c === -1 ? x : mul(int(-c), x))

/** Steps of the two loops, and those of all else that moves the form, by multiples. */
function withOthers({ outer, inner, form, by }: Congruence, steps: Expr): Expr {
  const terms = new Map([...form.terms].filter(([name]) => name !== outer.name && name !== inner.name))
  return terms.size === 0 ? steps : affineFolded(add(exactly(affineExpr({ constant: 0, terms }), by), steps))
}

/** What is left of the inner variable in each phase; strips begin so many iterations before the outer loop does. */
interface Residue {
  readonly rest: Expr
  readonly before: number
}

/** (slope · (phase − before) + start) mod by: linear where the beginning of strips can make it so. */
function residueOf(phase: Expr, slope: number, start: number, by: number): Residue {
  if (by === 2) return { rest: start === 0 ? phase : sub(int(1), phase), before: 0 }
  if (slope === 1) return { rest: phase, before: start }
  if (slope === by - 1) return { rest: sub(int(by - 1), phase), before: residue(-1 - start, by) }
  return { rest: mod(add(mul(phase, int(slope)), int(start)), by), before: 0 }
}

/** Each phase with the inner iterations that count in it. */
function allPhases(program: Program, found: Congruence, inverted: number, named: Named): Program {
  const { outer, inner, form, by } = found
  const [strip, phase, turn] = [named(`${outer.name}_strip`), named(`${outer.name}_phase`), named(`${inner.name}_turn`)]
  const [co, ci] = [coefficient(form, outer.name), coefficient(form, inner.name)]
  // of the inner variable what remains: −(co · phase + constant) / ci mod by
  const slope = residue(-inverted * co, by),
    start = residue(-inverted * form.constant, by)
  const { rest, before } = residueOf(loopVar(phase), slope, start, by),
    iteration = add(mul(loopVar(strip), int(by)), loopVar(phase)),
    own = before === 0 ? iteration : sub(iteration, int(before)),
    end = before === 0 ? outer.upper : affineFolded(add(outer.upper, int(before)))
  const at = new Map<string, Expr>([
    [outer.name, own],
    [inner.name, add(mul(loopVar(turn), int(by)), rest)],
  ])
  // form / by, of a dividend that is no less than 0
  const constant = form.constant - co * before,
    whole = Math.ceil(Math.abs(constant) / by) + Math.abs(ci) + 1
  const ofPhase = exactly(plus(plus(int(constant + whole * by), co, loopVar(phase)), ci, rest), by)
  const steps = withOthers(
    found,
    affineFolded(plus(plus(sub(ofPhase, int(whole)), co, loopVar(strip)), ci, loopVar(turn))),
  )
  const turned = (s: Loop): Loop => {
    const last = literal(s.upper)! // a constant: it was asked before
    const counted = withGuard(last % by === 0 ? [] : [lt(at.get(inner.name)!, s.upper)], unasked(s, form, by))
    return {
      ...s,
      name: turn,
      upper: int(Math.ceil(last / by)),
      body: counted.map((x) => mapStmtExprs(x, (e) => placed(e, form, by, steps, at))),
    }
  }
  const place = new Map([[outer.name, own]])
  return replaced(program, outer, end, by, strip, (l) => [
    {
      ...l,
      name: phase,
      upper: int(by),
      body: withGuard(
        [...(before === 0 ? [] : [op('le', [int(0), own])]), ...(isWhole(end, by) ? [] : [lt(own, outer.upper)])],
        inside(l.body, found, (s) => [turned(s)]).map((x) => mapStmtExprs(x, (e) => movedTo(e, place))),
      ),
    },
  ])
}

/** `body` with what stands in place of the loops that ask what the inner one asks; others may have its name, too. */
const inside = (
  body: readonly LoopStmt[],
  { inner, form, by }: Congruence,
  instead: (l: Loop) => readonly LoopStmt[],
): readonly LoopStmt[] =>
  mapBody(body, (s) =>
    s.kind === 'loop' &&
    s.name === inner.name &&
    isPlain(s) &&
    literal(s.upper) !== undefined &&
    askedIn(s).some((c) => isAsked(c, form, by))
      ? instead(s)
      : undefined,
  )

/** The phase in which all inner iterations count, and those before and after it, without the inner loop. */
function onePhase(program: Program, found: Congruence, named: Named): Program {
  const { outer, inner, form, by } = found
  const [strip, phase] = [named(`${outer.name}_strip`), named(`${outer.name}_phase`)]
  const [co, ci] = [coefficient(form, outer.name), coefficient(form, inner.name)]
  const own = residue(-co * form.constant, by)
  const steps = withOthers(
    found,
    plus(plus(int((form.constant + co * own) / by), co, loopVar(strip)), ci / by, loopVar(inner.name)),
  )
  return replaced(program, outer, outer.upper, by, strip, (l) => {
    const iteration = (at: Expr, keeps: boolean): readonly LoopStmt[] => {
      const place = new Map<string, Expr>([[outer.name, add(mul(loopVar(strip), int(by)), at)]])
      const kept = (s: Loop): Loop => ({
        ...s,
        body: unasked(s, form, by).map((x) => mapStmtExprs(x, (e) => placed(e, form, by, steps, place))),
      })
      return withGuard(
        isWhole(outer.upper, by) ? [] : [lt(place.get(outer.name)!, outer.upper)],
        inside(l.body, found, (s) => (keeps ? [kept(s)] : [])).map((x) => mapStmtExprs(x, (e) => movedTo(e, place))),
      )
    }
    const others = (from: number, to: number): readonly LoopStmt[] =>
      to - from === 1
        ? iteration(int(from), false)
        : to > from
          ? [{ ...l, name: phase, lower: int(from), upper: int(to), body: iteration(loopVar(phase), false) }]
          : []
    return [...others(0, own), ...iteration(int(own), true), ...others(own + 1, by)]
  })
}

/** `outer` as a loop over strips up to `end`, with what `phases` makes of one iteration in it. */
function replaced(
  program: Program,
  outer: Loop,
  end: Expr,
  by: number,
  strip: string,
  phases: (l: Loop) => readonly LoopStmt[],
): Program {
  const upper = isWhole(end, by) ? exactly(end, by) : exactly(add(end, int(by - 1)), by)
  const body = mapBody(program.body, (s): readonly LoopStmt[] | undefined =>
    s === outer ? [{ ...outer, name: strip, upper, body: phases(outer) }] : undefined,
  )
  return { ...program, body }
}

/** An expression of the inner loop with quotients of the form by the steps that they are. */
const placed = (e: Expr, form: Affine, by: number, steps: Expr, at: ReadonlyMap<string, Expr>): Expr =>
  inPlace(
    e,
    substitute(
      rewriteExpr(e, (x) => (isQuotient(x, form, by) ? steps : undefined)),
      at,
    ),
  )

const movedTo = (e: Expr, at: ReadonlyMap<string, Expr>): Expr => inPlace(e, substitute(e, at))

/** What `e` has become, with comparisons in lowest terms. */
const inPlace = (e: Expr, made: Expr): Expr => (made === e ? e : rewriteExpr(made, inLowestTerms))

/** 2 s + p ≥ 2 t + p − 1 as s ≥ t: phases that stand on both sides are gone. */
function inLowestTerms(e: Expr): Expr | undefined {
  const f = e.kind === 'op' && e.args[0]?.type === 'i32' ? inequalityOf(e) : undefined,
    shared = f ? [...f.terms.values()].reduce(gcd, 0) : 0
  if (!f || shared === 0) return undefined
  const terms = new Map([...f.terms].map(([name, c]) => [name, c / shared] as const))
  return conditionOf({ constant: Math.floor(f.constant / shared), terms })
}

/** The loop's body without what was asked. */
const unasked = (l: Loop, form: Affine, by: number): readonly LoopStmt[] =>
  mapBody(l.body, (s) => {
    if (s.kind !== 'if') return undefined
    const left = conjuncts(s.condition).filter((c) => !isAsked(c, form, by))
    return left.length === conjuncts(s.condition).length ? undefined : [...withGuard(left, s.then)]
  })

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

const isQuotient = (e: Expr, form: Affine, by: number): boolean => {
  const a = e.kind === 'op' && e.op === 'div' && literal(e.args[1]!) === by ? affineOf(e.args[0]!) : undefined // two
  return a !== undefined && sameAffine(a, form)
}

function isAsked(c: Expr, form: Affine, by: number): boolean {
  const asked = multipleIn(c)
  return asked !== undefined && asked.by === by && sameAffine(asked.form, form)
}
