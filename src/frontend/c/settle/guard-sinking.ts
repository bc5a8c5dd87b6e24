// In: a program. Out: the same without conditions on sizes and scalars alone around loops: what never holds is gone,
// what always holds needs no test, and the rest is asked inside of the loops. The one idea: `if (n < 2) return;` at the
// start of a function must not make one thread of all that follows. Only outside of loops, and only where the loops'
// own bounds read no data; what only fills variables of an iteration, and reads nothing outside of arrays, is not asked
// for.
import {
  accesses,
  addScaled,
  affineOf,
  disjuncts,
  choose,
  conjunction,
  constant,
  endOf,
  feasible,
  identityOf,
  implies,
  mapStmts,
  op,
  plus,
  readsArray,
  registerType,
  sizeDomain,
  store,
  whereHolds,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type Program,
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
//     if k > 2 {
//       for i in 0 .. n {
//         y[i] = x[i]
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     scalar k: i32
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     for i in 0 .. n {
//       if k > 2 {
//         y[i] = x[i]
//       }
//     }
//   }
export const guardSinking = pass({
  name: 'guard-sinking',
  summary: 'conditions on sizes and scalars alone are asked inside of the loops that they are around',
  of: loopIR,
  run: uniformInside,
})

/** `p` with conditions on what the caller gives moved into the loops below them. */
export function uniformInside(p: Program): Program {
  const body = p.body.flatMap((s) => new Uniform(p).visit(s))
  return body.length === p.body.length && body.every((s, i) => s === p.body[i]) ? p : { ...p, body }
}

class Uniform {
  private readonly p: Program
  /** Declarations of each local name. */
  private readonly declared: ReadonlyMap<string, number>

  constructor(p: Program) {
    const names = new Map<string, number>()
    mapStmts(
      p.body,
      (e) => e,
      (s) => {
        if (s.kind === 'declare') names.set(s.array.name, (names.get(s.array.name) ?? 0) + 1)
        return [s]
      },
    )
    this.p = p
    this.declared = names
  }

  visit(s: LoopStmt): readonly LoopStmt[] {
    if (s.kind !== 'if' || !isUniform(s.condition)) return [s]
    if (this.never(s.condition, true)) return s.else.flatMap((x) => this.visit(x))
    if (this.never(s.condition, false)) return s.then.flatMap((x) => this.visit(x))
    const all = [...s.then, ...s.else]
    if (
      !all.some(holdsLoop) ||
      !all.every((x) => (x.kind !== 'declare' || this.declared.get(x.array.name) === 1) && canMove(x))
    )
      return [s]
    return [...this.guardedAll(s.then, s.condition), ...this.guardedAll(s.else, not(s.condition))].flatMap((x) =>
      this.visit(x),
    )
  }

  private never(condition: Expr, truth: boolean): boolean {
    return disjuncts(whereHolds(sizeDomain(this.p), condition, truth)).every((known) => feasible(known) === 'empty')
  }

  private guardedAll(body: readonly LoopStmt[], condition: Expr): readonly LoopStmt[] {
    const locals = localsOf(body)
    return body.flatMap((s) => this.guarded(s, condition, { loops: [], locals }))
  }

  /** `s` under the condition. A variable of the arm has a value on either side, as sums are asked for on both. */
  private guarded(s: LoopStmt, condition: Expr, around: Around): readonly LoopStmt[] {
    switch (s.kind) {
      case 'declare':
        return around.locals.get(s.array.name)?.isLate ? [s, cleared(s.array)] : [s]
      case 'loop':
        return [
          endOf(s)
            ? {
                ...s,
                body: s.body.map((x) => (x.kind === 'if' ? { ...x, condition: both(condition, x.condition) } : x)),
              }
            : { ...s, body: this.holding(s.body, condition, { ...around, loops: [...around.loops, s] }) },
        ]
      case 'if':
        return isUniform(s.condition) && holdsLoop(s)
          ? [
              ...arm(s.then, op('land', [condition, s.condition])),
              ...arm(s.else, op('land', [condition, not(s.condition)])),
            ]
          : arm([s], condition)
      case 'store': {
        const none = s.reduce ? identityOf(s.reduce, s.value.type) : undefined, // a sum stays a sum
          local = around.locals.get(s.array)
        if (local && s.index.length > 0) return arm([s], condition)
        if (local && !s.reduce) return [{ ...s, value: anyway(s.value, condition) }]
        return none ? [{ ...s, value: choose(condition, s.value, none) }] : arm([s], condition)
      }
    }
  }

  /** A loop's body under the condition. */
  private holding(body: readonly LoopStmt[], condition: Expr, around: Around): readonly LoopStmt[] {
    const own = new Map(body.flatMap((s) => (s.kind === 'declare' ? [[s.array.name, s.array] as const] : [])))
    const out: LoopStmt[] = [],
      kept: LoopStmt[] = []
    const set = new Set<string>(),
      withheld = new Set<string>() // locals that have no value where the condition fails
    const flush = (): void => {
      if (kept.length > 0) out.push(...arm(kept.splice(0), condition))
    }
    for (const s of body) {
      const isFree =
        s.kind === 'declare' ||
        (storesIn(s).every((name) => own.has(name)) &&
          !readsIn(s).some((name) => withheld.has(name)) &&
          this.staysInside(s, around.loops))
      for (const name of storesIn(s)) {
        if (isFree) set.add(name)
        else if (!set.has(name)) withheld.add(name)
      }
      if (!isFree && s.kind !== 'loop' && !(s.kind === 'store' && s.reduce)) {
        kept.push(s)
        continue
      }
      flush()
      out.push(
        ...(isFree
          ? [s]
          : s.kind === 'loop' && canEnter(s)
            ? this.guarded(s, condition, around)
            : s.kind === 'store'
              ? this.guarded(s, condition, around)
              : arm([s], condition)),
      )
    }
    flush()
    return out
  }

  /** Whether `s` reads no element outside of an array, whatever the caller gives. */
  private staysInside(s: LoopStmt, around: readonly Extract<LoopStmt, { kind: 'loop' }>[]): boolean {
    const whole = around.reduceRight<LoopStmt>((inner, l) => ({ ...l, body: [inner] }), s),
      arrays = new Map<string, ArrayDecl>(this.p.arrays.map((a) => [a.name, a]))
    return accesses({ ...this.p, body: [whole] }).every(
      (a) =>
        a.declared ||
        a.index.every((e, d) => {
          const index = affineOf(e),
            shape = arrays.get(a.array)?.shape[d],
            extent = shape && affineOf(shape)
          return (
            index &&
            extent &&
            implies(a.domain.constraints, index) &&
            implies(a.domain.constraints, plus(addScaled(extent, index, -1), -1))
          )
        }),
    )
  }
}

/** Where a statement stands: the loops around it, and the variables of the arm of the condition, by name. */
interface Around {
  readonly loops: readonly Extract<LoopStmt, { kind: 'loop' }>[]
  readonly locals: ReadonlyMap<string, Local>
}

interface Local {
  /** What it is set to first stands below another statement. */
  readonly isLate: boolean
}

/** What `body` declares. */
function localsOf(body: readonly LoopStmt[]): ReadonlyMap<string, Local> {
  const found = new Map<string, Local>()
  for (const [i, s] of body.entries()) {
    if (s.kind !== 'declare') continue
    const { name, shape } = s.array,
      first = body.slice(i + 1).find((x) => storesIn(x).includes(name))
    found.set(name, { isLate: shape.length === 0 && first !== undefined && first.kind !== 'store' })
  }
  return found
}

const cleared = (array: ArrayDecl): LoopStmt => store(array, [], constant(registerType(array.type), 0))

/** A value for either side of `condition`: `value` itself where it can be had on both. */
const anyway = (value: Expr, condition: Expr): Expr =>
  isUniform(value) && !divides(value) ? value : choose(condition, value, constant(value.type, 0))

/** Whether something in it is divided, which may be by 0. */
function divides(e: Expr): boolean {
  if (e.kind === 'op') return e.op === 'div' || e.op === 'rem' || e.args.some(divides)
  return e.kind === 'choose' && [e.condition, e.then, e.else].some(divides)
}

/** Whether it is made of what the caller gives. */
function isUniform(e: Expr): boolean {
  switch (e.kind) {
    case 'const':
    case 'size':
    case 'scalar':
      return true
    case 'var':
    case 'read':
      return false
    case 'op':
      return e.args.every(isUniform)
    case 'choose':
      return isUniform(e.condition) && isUniform(e.then) && isUniform(e.else)
  }
}

/** Both hold; what reads data is asked only where the first holds. */
const both = (a: Expr, b: Expr): Expr => conjunction([a, b])! // of two there is one
const not = (e: Expr): Expr => (e.kind === 'op' && e.op === 'lnot' ? e.args[0]! : op('lnot', [e])) // one argument
/** Whether it is a loop, or holds one below conditions on what the caller gives alone. */
const holdsLoop = (s: LoopStmt): boolean =>
  s.kind === 'loop' || (s.kind === 'if' && isUniform(s.condition) && [...s.then, ...s.else].some(holdsLoop))

/** Whether its loops may be entered when the condition fails. */
const canMove = (s: LoopStmt): boolean => s.kind !== 'loop' || (isUniform(s.lower) && isUniform(s.upper))
const canEnter = (s: Extract<LoopStmt, { kind: 'loop' }>): boolean => !readsArray(s.lower) && !readsArray(s.upper)

const arm = (body: readonly LoopStmt[], condition: Expr): readonly LoopStmt[] =>
  // not empty
  body.length === 0 ? [] : [{ kind: 'if', condition, then: body, else: [], ...(body[0]!.at && { at: body[0]!.at }) }]

function storesIn(s: LoopStmt): readonly string[] {
  switch (s.kind) {
    case 'store':
      return [s.array]
    case 'loop':
      return s.body.flatMap(storesIn)
    case 'if':
      return [...s.then, ...s.else].flatMap(storesIn)
    case 'declare':
      return []
  }
}

function readsIn(s: LoopStmt): readonly string[] {
  const found = new Set<string>()
  mapStmts([s], (e) => {
    if (e.kind === 'read') found.add(e.array)
    return e
  })
  return [...found]
}
