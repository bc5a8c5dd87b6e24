// In: a program with loops that ask in every iteration whether it is the first: `if (best < 0 || x[i] > x[best]) best =
// i;`, `if (first) { m = x[i]; first = 0; } else …`. Out: the first iteration before the loop, which no longer asks.
// The one idea is loop peeling (Bacon, Graham and Sharp 1994, 6.3.5): what the local says holds before the loop and not
// after what it guards has run, which the first iteration does. Loops that may be empty stay as they are.
import {
  isComparison,
  add,
  addScaled,
  affineConstant,
  affineOf,
  claimName,
  conditionalReduction,
  eachStmt,
  evaluate,
  implies,
  insideLoop,
  int,
  literal,
  loopIR,
  namesOf,
  negated,
  pass,
  readsIn,
  sets,
  sizeDomain,
  substituteStmt,
  type ArrayDecl,
  type Domain,
  type Expr,
  type If,
  type Loop,
  type LoopStmt,
  type OpName,
  type Program,
  type Store,
} from '../../ir/index.ts'
import { withoutDeadStores } from '../scalars/dead-stores.ts'
import { redirected } from '../idioms/scan-renaming.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: i32[] out global
//     declare best: i32[] temp private
//     best = -1
//     for i in 0 .. n {
//       if best < 0 || x[i] > x[best] {
//         best = i
//       }
//     }
//     y = best
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: i32[] out global
//     declare best: i32[] temp private
//     best = 0
//     for i in 1 .. n {
//       if x[i] > x[best] {
//         best = i
//       }
//     }
//     y = best
//   }
export const firstIterationPeeling = pass<Program>({
  name: 'first-iteration-peeling',
  summary: 'a loop that asks whether it is in its first iteration has that one before it',
  of: loopIR,
  run: peeled,
})

function peeled(p: Program): Program {
  const made = new Peeling(p).block(p.body, sizeDomain(p))
  return made === p.body ? p : { ...p, body: withoutDeadStores(made) }
}

/** A condition on a local, alone or before another one. */
interface Question {
  readonly at: If
  readonly local: string
  readonly name: OpName
  readonly than: Expr
  /** What else is asked. */
  readonly rest: Expr | undefined
}

class Peeling {
  private readonly taken: Set<string>

  constructor(p: Program) {
    this.taken = namesOf(p)
  }

  block(body: readonly LoopStmt[], d: Domain): readonly LoopStmt[] {
    let changed = false
    const out: LoopStmt[] = []
    for (const s of body) {
      if (s.kind !== 'loop') {
        out.push(s)
        continue
      }
      const inner = this.block(s.body, insideLoop(d, s)),
        loop = inner === s.body ? s : { ...s, body: inner },
        first = this.first(loop, out, d)
      changed ||= loop !== s || first !== undefined
      if (!first) {
        out.push(loop)
        continue
      }
      overwrite(out, first.before)
      out.push(...first.before, first.loop)
    }
    return changed ? out : body
  }

  /** The first iteration of `loop`, behind `before`, and the others. */
  private first(
    loop: Loop,
    before: readonly LoopStmt[],
    d: Domain,
  ): { readonly before: readonly LoopStmt[]; readonly loop: Loop } | undefined {
    const questions = loop.body.flatMap((s) => (s.kind === 'if' ? (questionOf(s) ?? []) : [])),
      [question, more] = questions
    const low = affineOf(loop.lower),
      high = affineOf(loop.upper)
    if (!question || more || !low || !high || !isAnswered(question, loop, d)) return undefined
    if (!implies(d.constraints, addScaled(addScaled(high, low, -1), affineConstant(1), -1))) return undefined
    const start = before.findLast((s) => sets([s], question.local)),
      value = start?.kind === 'store' && start.reduce === null ? literal(start.value) : undefined
    if (value === undefined || !holdsFor(question, value)) return undefined
    const then = question.at.then,
      by = new Map([[loop.name, loop.lower]])
    const once = loop.body.flatMap((s) => (s === question.at ? then : [s])),
      own = once.flatMap((s) => (s.kind === 'declare' ? [s.array] : []))
    if (own.some((a) => a.shape.length > 0)) return undefined
    const copies = own.map((a): readonly [ArrayDecl, ArrayDecl] => [a, { ...a, name: claimName(this.taken, a.name) }])
    return {
      before: once.map((s) => copies.reduce((made, [from, to]) => asNamed(made, from, to), substituteStmt(s, by))),
      loop: {
        ...loop,
        lower: add(loop.lower, int(loop.step)),
        body: loop.body.flatMap((s) => (s === question.at ? otherwise(question) : [s])),
      },
    }
  }
}

/**
 * What stands in place of the condition in other iterations, which need not set a flag again: `m max= x` for `if (x >
 * m) m = x`.
 */
function otherwise({ at, local, rest }: Question): readonly LoopStmt[] {
  const extreme = (s: LoopStmt): LoopStmt => conditionalReduction(s, targetOf)
  if (!rest) return at.else.map(extreme)
  const then = at.then.filter((s) => s.kind !== 'store' || s.array !== local || literal(s.value) === undefined)
  return [extreme({ ...at, condition: rest, then })]
}

const targetOf = (s: Store): Expr => ({ kind: 'read', type: s.value.type, array: s.array, index: s.index })

const asNamed = (s: LoopStmt, from: ArrayDecl, to: ArrayDecl): LoopStmt =>
  s.kind === 'declare' && s.array.name === from.name ? { ...s, array: to } : redirected(s, from, to)

/** A comparison of a local with a number, or that or anything else: `v < 0 || q`, lazy or not. */
function questionOf(at: If): Question | undefined {
  const e = at.condition
  const [first, rest] =
    e.kind === 'choose' && e.then.kind === 'const' && e.then.value
      ? [e.condition, e.else]
      : e.kind === 'op' && e.op === 'lor'
        ? e.args
        : [e]
  const a = first?.kind === 'op' && first.op === 'lnot' ? negated(first.args[0]!) : first // a negation is of one
  if (a?.kind !== 'op' || !isComparison(a.op)) return undefined
  const [local, than] = a.args
  const isLocal = local?.kind === 'read' && local.index.length === 0 && than?.kind === 'const'
  return isLocal ? { at, local: local.array, name: a.op, than, rest } : undefined
}

const holdsFor = (q: Question, value: number): boolean =>
  q.than.kind === 'const' && q.than.type === 'i32' && evaluate(q.name, 'i32', [value, q.than.value]) === 1

/** Whether what the question guards makes it false for good, and nothing else in the loop sets the local. */
function isAnswered(q: Question, loop: Loop, d: Domain): boolean {
  const all: Store[] = []
  eachStmt(loop.body, (s) => {
    if (s.kind === 'store' && s.array === q.local) all.push(s)
  })
  const [own, more] = all
  if (!own || more || own.reduce !== null || !q.at.then.includes(own)) return false
  const value = literal(own.value)
  if (value !== undefined) return !holdsFor(q, value)
  // A counter that is not below 0 is no sentinel that is.
  const form = affineOf(own.value),
    inside = insideLoop(d, loop)
  return form !== undefined && isBelowZero(q) && implies(inside.constraints, form)
}

/** Whether only numbers below 0 say yes: `< 0`, `== -1`, `<= -1`. */
function isBelowZero({ name, than }: Question): boolean {
  const n = literal(than) ?? 0
  return (name === 'lt' && n <= 0) || ((name === 'le' || name === 'eq') && n < 0)
}

/** Takes stores to locals off the end of `out` that `next` stores to before it reads them. */
function overwrite(out: LoopStmt[], next: readonly LoopStmt[]): void {
  for (let at = out.length - 1; at >= 0; at--) {
    const s = out[at]!
    if (s.kind === 'declare') continue
    if (s.kind !== 'store') return
    if (s.index.length > 0) continue
    const later = [...out.slice(at + 1), ...next],
      again = later.findIndex((x) => x.kind === 'store' && x.array === s.array && x.reduce === null)
    const isRead = readsIn(later.slice(0, again + 1)).some((r) => r.array === s.array)
    if (again >= 0 && !isRead) out.splice(at, 1)
  }
}
