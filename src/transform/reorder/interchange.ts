// In: a loop that must run in order around other loops, one perfect nest. Out: the nest with those loops outermost
// whose iterations need nothing of each other, so that a thread runs the rest in order. The one idea: a dependence
// between equal iterations of a loop stays where it is when that loop goes outside, or inside. It does not ask whether
// that pays, and splits nothing.
import { knownDependences, type Dependence } from '../../analysis/index.ts'
import { type Loop, type LoopStmt, type Program, nest, perfectNest, readsArray, varsOf } from '../../ir/index.ts'

/**
 * `loop` inside of the loops that nothing crosses; `undefined` where there are none, or their bounds need what would be
 * inside.
 */
export function inward(program: Program, loop: Loop): LoopStmt | undefined {
  const { loops, body } = perfectNest(loop)
  if (loops.length < 2) return undefined
  const apart = uncrossed(program, loop, loops.slice(1))
  const rest = loops.filter((l) => !apart.includes(l)),
    inside = new Set(rest.map((l) => l.name))
  const needs = (l: Loop): boolean => [...varsOf(l.lower), ...varsOf(l.upper)].some((v) => inside.has(v))
  return apart.length === 0 || apart.some(needs) ? undefined : nest([...apart, ...rest], body)[0]
}

/**
 * The one loop in `loop` outside of it, and others that must run in order, where its iterations need nothing of each
 * other; `undefined` where they do, or those loops ask for its variable.
 */
export function outward(program: Program, loop: Loop): Loop | undefined {
  const [inner, more] = loop.body,
    all = dependencesOf(program, loop)
  if (inner?.kind !== 'loop' || more || !all || inOrder(all, loop)) return undefined
  const [made, others] = inside(loop, loop.body, all) ?? []
  return made?.kind === 'loop' && made.name === inner.name && !others ? made : undefined
}

/**
 * `loop` around each of these statements, inside of conditions that do not ask for its variable and of loops that must
 * run in order; `undefined` where they share locals.
 */
function inside(loop: Loop, body: readonly LoopStmt[], all: readonly Dependence[]): readonly LoopStmt[] | undefined {
  const out = body.map((s): LoopStmt | undefined => {
    const asked = s.kind === 'if' ? [s.condition] : s.kind === 'loop' ? [s.lower, s.upper] : [],
      free = asked.every((e) => !varsOf(e).has(loop.name) && !readsArray(e))
    if (s.kind === 'loop' && free && inOrder(all, s)) {
      const within = inside(loop, s.body, all)
      return within && { ...s, body: within }
    }
    if (s.kind !== 'if' || !free) return { ...loop, body: [s] }
    const then = inside(loop, s.then, all),
      otherwise = inside(loop, s.else, all)
    return then && otherwise && { ...s, then, else: otherwise }
  })
  return body.some((s) => s.kind === 'declare') || out.some((s) => s === undefined)
    ? undefined
    : out.flatMap((s) => s ?? [])
}

/** Whether a later iteration of `l` needs what an earlier one does. */
const inOrder = (all: readonly Dependence[], l: Loop): boolean =>
  all.some((d) => d.level !== null && d.common[d.level] === l)

/** The loops that every dependence stays within one iteration of. */
function uncrossed(program: Program, loop: Loop, inner: readonly Loop[]): readonly Loop[] {
  const all = dependencesOf(program, loop)
  return all ? inner.filter((l) => all.every((d) => d.vector[d.common.indexOf(l)]?.direction === '=')) : []
}

/** `undefined` where there are too many accesses. */
function dependencesOf(program: Program, loop: Loop): readonly Dependence[] | undefined {
  return knownDependences({ ...program, body: [loop] })
}
