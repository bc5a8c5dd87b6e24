// In: a LoopIR program. Out: every pair of accesses to the same memory of which one writes, with the loop that carries
// it. The one idea: for each pair and each common loop one system of integer constraints, decided exactly (Omega test):
// both iterations exist, they touch the same element, and the source runs before the sink. Subscripts that are not
// linear are taken to touch anything, but for pairs of places that `butterfly-subscripts.ts`, `block-subscripts.ts`,
// `modular-subscripts.ts` and `range-test.ts` know; the dependence then says that it is not `exact`. Dependences are
// between memory cells: a write in between does not remove them.
import { DiagnosticError, type Diagnostic, type Span } from '../base/index.ts'
import {
  accesses,
  addScaled,
  affineConstant,
  affineName,
  disjuncts,
  exprKey,
  atLeast,
  equalTo,
  feasible,
  linearForms,
  notLess,
  plus,
  signedSizes,
  symbolsOf,
  type Access,
  type Affine,
  type Answer,
  type Constraint,
  type Domain,
  type Loop,
  type LoopStmt,
  type Program,
  type Signed,
} from '../ir/index.ts'
import { blocksApart } from './block-subscripts.ts'
import { neverMeet } from './butterfly-subscripts.ts'
import { goesAround } from './modular-subscripts.ts'
import { rangesApart } from './range-test.ts'

/**
 * Sign of sink − source in one loop: `<` the sink is later, `=` same iteration, `>` earlier; combinations where several
 * occur.
 */
export type Direction = '<' | '=' | '>' | '<=' | '>=' | '!=' | '*'

export interface VectorEntry {
  readonly direction: Direction
  /** Iterations from source to sink when always the same, else null. */
  readonly distance: number | null
}

export interface Dependence {
  /** `flow`: write then read; `anti`: read then write; `output`: write then write. */
  readonly kind: 'flow' | 'anti' | 'output'
  readonly array: string
  readonly source: Access
  readonly sink: Access
  /** Loops around both, outermost first. */
  readonly common: readonly Loop[]
  /** Index into `common` of the loop that carries it; null: within one iteration of all of them. */
  readonly level: number | null
  /** One entry per common loop. */
  readonly vector: readonly VectorEntry[]
  /** Both ends belong to stores of the same reduction operator: their order does not matter up to rounding. */
  readonly reduction: boolean
  /** Some of these hold where it is: the source's loop variables have the prefix `s`, the sink's `t`. */
  readonly where: readonly (readonly Constraint[])[]
  /** False when some subscript, bound or guard is not linear, so that it may not exist. */
  readonly exact: boolean
}

/** Each pair is a system of inequalities to be decided: more would take minutes. */
const maxPairs = 40_000
/** Each loop adds two variables to a system, and the Omega test is exponential in them. */
const maxDepth = 24

/** Why `p` is too large to be analysed; undefined where it is not. */
function analysisLimit(p: Program, all: readonly Access[]): Diagnostic | undefined {
  const refused = (message: string, at: Span | undefined): Diagnostic => ({
    severity: 'error',
    code: 'analysis.size',
    message,
    ...(at && { at }),
  })
  const pairs = groupsOf(all).reduce((n, g) => n + g.length ** 2, 0)
  if (pairs > maxPairs)
    return refused(
      `the program has ${all.length} accesses, ${pairs} pairs of which may depend on each other; at most ` +
        `${maxPairs} are analysed`,
      p.at,
    )
  const deep = all.find((a) => a.loops.length > maxDepth)
  return deep && refused(`loops are nested ${deep.loops.length} deep; at most ${maxDepth} are analysed`, deep.at)
}

/** The accesses of a program; where they are too many, those that a statement repeats once. */
function accessesOf(p: Program): readonly Access[] {
  const all = accesses(p)
  return analysisLimit(p, all) ? distinct(all) : all
}

function distinct(all: readonly Access[]): readonly Access[] {
  const seen = new Map<LoopStmt, Map<Domain, Set<string>>>()
  return all.filter((a) => {
    const domains = seen.get(a.statement) ?? new Map<Domain, Set<string>>(),
      keys = domains.get(a.domain) ?? new Set<string>(),
      key = `${a.kind} ${a.reduce ?? ''} ${a.array}[${a.index.map(exprKey).join(' ')}]`
    if (keys.has(key)) return false
    seen.set(a.statement, domains.set(a.domain, keys.add(key)))
    return true
  })
}

/** Positions of the accesses that may meet: of one array, declared at one place. */
function groupsOf(all: readonly Access[]): readonly (readonly number[])[] {
  const byArray = new Map<string, number[]>()
  all.forEach((a, i) => {
    const key = `${a.array}@${a.declared?.path.join('.') ?? ''}`
    const group = byArray.get(key)
    if (group) group.push(i)
    else byArray.set(key, [i])
  })
  return [...byArray.values()]
}

/**
 * All dependences of `p`, by source and sink in program order. `assuming`: what else is known of sizes (`$n`). A
 * program that is too large to be analysed is refused with a diagnostic; `knownDependences` answers undefined instead.
 */
export function dependences(p: Program, assuming: readonly Constraint[] = []): readonly Dependence[] {
  const all = accessesOf(p),
    limit = analysisLimit(p, all)
  if (limit) throw new DiagnosticError([limit])
  return allBetween(all, assuming, signedSizes(symbolsOf(p)))
}

/** The dependences of `p`; undefined where it is too large to be analysed. */
export function knownDependences(p: Program): readonly Dependence[] | undefined {
  const all = accessesOf(p)
  return analysisLimit(p, all) ? undefined : allBetween(all, [], signedSizes(symbolsOf(p)))
}

function allBetween(all: readonly Access[], assuming: readonly Constraint[], signed: Signed): readonly Dependence[] {
  const written = new Set(all.flatMap((a) => (a.kind === 'write' ? [a.array] : [])))
  const sides = all.map((a) => ({ source: side(a, 's', assuming), sink: side(a, 't', assuming) }))
  const found: Dependence[] = []
  for (const group of groupsOf(all)) {
    for (const i of group)
      for (const j of group) {
        if (all[i]!.kind === 'read' && all[j]!.kind === 'read') continue
        found.push(...between(all[i]!, all[j]!, sides[i]!.source, sides[j]!.sink, i < j, { signed, written }))
      }
  }
  return found
}

/** One access with its own copy of all loop variables. */
interface Side {
  readonly prefix: string
  /** One of them holds. */
  readonly cases: readonly (readonly Constraint[])[]
  /** Undefined where not linear. */
  readonly index: readonly (Affine | undefined)[]
  readonly exact: boolean
}

function renamed(form: Affine, prefix: string): Affine {
  return {
    constant: form.constant,
    terms: new Map([...form.terms].map(([n, c]) => [n.startsWith('$') ? n : prefix + n, c])),
  }
}

function side(a: Access, prefix: string, assuming: readonly Constraint[]): Side {
  const forms = linearForms(a.index, a.domain)
  const extra = forms.flatMap((f) => f?.extra ?? [])
  return {
    prefix,
    exact: a.domain.exact && forms.every((f) => f !== undefined),
    cases: disjuncts(a.domain).map((known) =>
      [...assuming, ...known, ...extra].map((c) => ({ ...c, form: renamed(c.form, prefix) })),
    ),
    index: forms.map((f) => f && renamed(f.form, prefix)),
  }
}

/** How many loops are around both. */
function commonLoops(a: Access, b: Access): number {
  let n = 0
  while (n < a.loops.length && n < b.loops.length && a.loops[n] === b.loops[n] && samePath(a, b, a.depths[n]!)) n++
  return n
}

const samePath = (a: Access, b: Access, length: number): boolean =>
  a.path.length >= length && b.path.length >= length && a.path.slice(0, length).every((x, i) => x === b.path[i])

const sameStatement = (a: Access, b: Access): boolean =>
  a.path.length === b.path.length && samePath(a, b, a.path.length)

/** What is known of the program around two accesses. */
interface Known {
  /** Sizes that may be negative. */
  readonly signed: Signed
  /** Arrays whose elements change. */
  readonly written: ReadonlySet<string>
}

function between(a: Access, b: Access, s: Side, t: Side, textuallyBefore: boolean, known: Known): Dependence[] {
  const n = commonLoops(a, b),
    common = a.loops.slice(0, n)
  const variable = (x: Side, k: number): Affine => affineName(x.prefix + common[k]!.name)
  const delta = (k: number): Affine => addScaled(variable(t, k), variable(s, k), -1)
  const touches = s.index.flatMap((x, d) => {
    const y = t.index[d]
    return x && y ? [equalTo(x, y)] : []
  })
  const base = s.cases.flatMap((x) => t.cases.map((y) => [...x, ...y, ...touches]))
  // A local is fresh in every iteration of the loops around its declaration.
  const first = a.declared?.loops ?? 0
  const found: Dependence[] = []
  const exact = s.exact && t.exact
  const note = (level: number | null, more: readonly Constraint[]): void => {
    const answer = feasibleAny(base, more)
    if (answer === 'empty') return
    const system = base.map((x) => [...x, ...more])
    const kind = a.kind === 'read' ? 'anti' : b.kind === 'read' ? 'flow' : 'output'
    let vector: readonly VectorEntry[] | undefined // few ask for it, and it costs several questions
    const reduction = a.reduce !== null && a.reduce === b.reduce
    found.push({
      kind,
      array: a.array,
      source: a,
      sink: b,
      common,
      level,
      reduction,
      where: system,
      exact: exact && answer === 'feasible',
      get vector() {
        return (vector ??= common.map((loop, k) =>
          level === null || k < level ? same : step(system, delta(k), loop.step, k === level),
        ))
      },
    })
  }
  const equalUpTo = (k: number): Constraint[] => common.slice(0, k).map((_, i) => ({ form: delta(i), equal: true }))
  for (let level = first; level < n; level++) {
    if (!exact && isApart(a, b, common, level, known)) continue
    note(level, [...equalUpTo(level), atLeast(plus(delta(level), -1))])
  }
  if (textuallyBefore && !sameStatement(a, b) && !exclusive(a, b)) note(null, equalUpTo(n))
  return found
}

/** Whether two places that are not both linear touch different elements in different iterations of a loop. */
const isApart = (a: Access, b: Access, common: readonly Loop[], level: number, { signed, written }: Known): boolean =>
  neverMeet(a, b, common, level) ||
  blocksApart(a, b, common, level, signed) ||
  goesAround(a, b, common, level, written, signed) ||
  rangesApart(a, b, common, level)

/** A union of systems: of one of them some integers are a solution. */
type Systems = readonly (readonly Constraint[])[]

function feasibleAny(systems: Systems, more: readonly Constraint[] = []): Answer {
  const answers = systems.map((x) => feasible(x, more))
  return answers.includes('feasible') ? 'feasible' : answers.includes('unknown') ? 'unknown' : 'empty'
}

/**
 * Whether `a` and `b` are in the two branches of one `if`, so that no iteration runs both. The domains say so where the
 * condition is linear; this says it otherwise.
 */
function exclusive(a: Access, b: Access): boolean {
  return a.branches.some((x) =>
    b.branches.some((y) => x.depth === y.depth && samePath(a, b, x.depth) && x.then !== y.then),
  )
}

const same: VectorEntry = { direction: '=', distance: 0 }

/**
 * Which signs `delta` can have under `system`, and its value when there is only one; in iterations of a loop with
 * `stride`.
 */
function step(system: Systems, delta: Affine, stride: number, isCarrier: boolean): VectorEntry {
  const can = (more: Constraint): boolean => feasibleAny(system, [more]) !== 'empty'
  const later = isCarrier || can(atLeast(plus(delta, -1)))
  const equal = !isCarrier && can({ form: delta, equal: true })
  const earlier = !isCarrier && can(notLess(affineConstant(-1), delta))
  const direction = directionOf(later, equal, earlier)
  if (equal && !later && !earlier) return same
  if (equal || (later && earlier)) return { direction, distance: null }
  const size = later
    ? constantSize(system, delta, stride)
    : constantSize(system, addScaled(affineConstant(0), delta, -1), stride)
  return { direction, distance: size === null ? null : later ? size : -size }
}

function directionOf(later: boolean, equal: boolean, earlier: boolean): Direction {
  if (later && earlier) return equal ? '*' : '!='
  if (later) return equal ? '<=' : '<'
  if (earlier) return equal ? '>=' : '>'
  return '='
}

/** The one value that the positive `delta` has, in strides; null when it has several or is beyond 2²⁰. */
function constantSize(system: Systems, delta: Affine, stride: number): number | null {
  const within = (n: number): boolean => feasibleAny(system, [notLess(affineConstant(n), delta)]) === 'feasible'
  let high = 1
  while (!within(high)) {
    if ((high *= 2) > 2 ** 20) return null
  }
  let low = high === 1 ? 0 : high / 2
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (within(middle)) high = middle
    else low = middle
  }
  return feasibleAny(system, [atLeast(plus(delta, -high - 1))]) === 'empty' && high % stride === 0
    ? high / stride
    : null
}
