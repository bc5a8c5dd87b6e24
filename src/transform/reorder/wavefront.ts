// In: a loop that no loop of the source makes parallel inside. Out: the same statements in steps that the host runs in
// order, all points of one step in parallel. The one idea: every statement gets a time, one of its loop variables or a
// sum of several with small coefficients, such that no dependence goes back in time and what remains at equal times has
// no circles (Lamport's hyperplanes; Feautrier's schedules, found by search). So LU and Cholesky become right-looking,
// and Gauss–Seidel a wavefront. Iterations with locals and conditions have one time for all that they do. Dependences
// are exact; everything is checked by them, nothing is assumed.
import {
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  coefficient,
  eachStmt,
  equalTo,
  feasible,
  implies,
  insideLoops,
  loop as loopOf,
  op,
  perfectNest,
  plus,
  readsArray,
  sizeDomain,
  when,
  type Access,
  type Affine,
  type Constraint,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  conjunction,
  nest,
  substituteStmt,
} from '../../ir/index.ts'
import { type Dependence, extentOfName, knownDependences, loopsOver, type LoopRange } from '../../analysis/index.ts'
import { isOf, statementsOf, type Instances } from './iteration-domains.ts'

/** Statements of one step in order, over the size `variable`, which runs from `lower` to before `upper`. */
export interface Waves {
  readonly variable: string
  readonly lower: Expr
  readonly upper: Expr
  readonly body: readonly LoopStmt[]
}

/** Statements that have one time, with the loops around them and where they run. */
interface Timed {
  readonly body: readonly LoopStmt[]
  readonly loops: readonly Loop[]
  /** A subscript along memory. */
  readonly last: Expr | undefined
  /** Of the loops, outermost first. */
  readonly names: readonly string[]
  /** Each is ≥ 0 where it runs. */
  readonly rows: readonly Affine[]
}

type Time = Affine

/** Statements that get times together. */
const mostInWaves = 8
/** Times that a search tries. */
const mostTried = 40_000
/** Pairs of times of two statements that it looks at, most of them again. */
const mostPairs = 10_000_000
/** Times of one statement that a search tries: all sums of five loops, and the simplest of more. */
const mostTimes = 781

/** Up to `most` ways to run the statements of `program.body` in steps, the simplest times first. */
export function wavesOf(program: Program, variable: string, most: number): readonly Waves[] {
  const statements = statementsOf(program),
    deps = knownDependences(program)?.filter((d) => !d.reduction)
  if (!deps) return []
  const apart =
    statements && statements.length <= mostInWaves
      ? wavesFor(program, variable, most, statements.map(timed), deps, (a) => statements.findIndex((s) => isOf(s, a)))
      : []
  const whole = apart.length === 0 ? iterationOf(program) : undefined
  const between = deps.filter((d) => d.level !== null)
  return whole ? wavesFor(program, variable, most, [whole], between, () => 0) : apart
}

const timed = (s: Instances): Timed => ({
  body: s.body,
  loops: s.loops,
  last: s.stores[0]?.index.at(-1),
  names: s.names,
  rows: s.rows,
})

/**
 * Iterations of the innermost of nested loops with everything that they do, whatever conditions and locals there are;
 * `undefined` where the loops are not linear.
 */
function iterationOf(program: Program): Timed | undefined {
  const [only, more] = program.body,
    { loops, body } = only?.kind === 'loop' && !more ? perfectNest(only) : { loops: [], body: [] }
  if (loops.length < 2 || loops.some((l) => l.step !== 1 || readsArray(l.lower) || readsArray(l.upper)))
    return undefined
  const { constraints, exact, either } = insideLoops(program, loops),
    isPlain = constraints.every((c) => !c.equal && [...c.form.terms.keys()].every((n) => !n.startsWith('%')))
  if (!exact || either.length > 0 || !isPlain) return undefined
  let last: Expr | undefined
  const locals = new Set<string>()
  eachStmt(body, (s) => {
    if (s.kind === 'declare') locals.add(s.array.name)
    if (s.kind === 'store' && !locals.has(s.array) && s.index.length > 0) last ??= s.index[s.index.length - 1]
  })
  return { body, loops, last, names: loops.map((l) => l.name), rows: constraints.map((c) => c.form) }
}

/** Ways to run `statements`; `owner`: which of them an access is of, -1 for none. */
function wavesFor(
  program: Program,
  variable: string,
  most: number,
  statements: readonly Timed[],
  deps: readonly Dependence[],
  owner: (a: Access) => number,
): readonly Waves[] {
  const search = new Search(statements, deps, owner)
  return search.times(most).flatMap((times) => {
    const order = search.order(times)
    const made =
      order &&
      steps(
        program,
        variable,
        order.map((i) => statements[i]!),
        order.map((i) => times[i]!),
      ) // positions in both
    return made ? [made] : []
  })
}

// ── times ─────────────────────────────────────────────────────────────────────────────────────────────────────────

class Search {
  private tried = 0
  private readonly between: ReadonlyMap<string, readonly Dependence[]>
  private readonly known = new Map<string, boolean>()

  constructor(
    private readonly statements: readonly Timed[],
    deps: readonly Dependence[],
    owner: (a: Access) => number,
  ) {
    const between = new Map<string, Dependence[]>()
    for (const d of deps) {
      const [a, b] = [owner(d.source), owner(d.sink)]
      if (a < 0 || b < 0) {
        this.tried = mostTried
        continue
      } // a bound or a condition reads what the loop writes
      const key = `${a} ${b}`
      between.set(key, [...(between.get(key) ?? []), d])
    }
    this.between = between
  }

  /** Times of all statements, the simplest first. */
  times(most: number): readonly (readonly Time[])[] {
    const options = this.statements.map((s, i) => candidates(s).filter((t) => this.advances(i, t)))
    const found: (readonly Time[])[] = [],
      agree = this.agreement(options)
    let pairs = 0
    const extend = (chosen: readonly number[]): void => {
      if (found.length >= most || this.tried >= mostTried || pairs >= mostPairs) return
      const at = chosen.length
      if (at === this.statements.length) {
        const times = chosen.map((x, i) => options[i]![x]!) // an option list per statement
        if (this.order(times)) found.push(times)
        return
      }
      for (let y = 0; y < options[at]!.length; y++)
        if (chosen.every((x, i) => pairs++ < mostPairs && agree(i, x, at, y))) extend([...chosen, y])
    }
    extend([])
    return found
  }

  /**
   * Whether option `x` of statement `i` goes with option `y` of a later statement `j`. A search comes to the same two
   * again and again.
   */
  private agreement(options: readonly (readonly Time[])[]): (i: number, x: number, j: number, y: number) => boolean {
    const unknown = 2,
      rows = options.map((_, j) => options.slice(0, j).map((other) => new Array<Uint8Array | undefined>(other.length)))
    return (i, x, j, y) => {
      // statements and options there are
      const row = (rows[j]![i]![x] ??= new Uint8Array(options[j]!.length).fill(unknown))
      if (row[y] === unknown) {
        const a = options[i]![x]!,
          b = options[j]![y]!
        row[y] = this.forward(i, a, j, b) && this.forward(j, b, i, a) ? 1 : 0
      }
      return row[y] === 1
    }
  }

  /** A statement's own dependences move forward in time. */
  private advances(i: number, t: Time): boolean {
    return this.never(i, t, i, t, 0)
  }

  private forward(a: number, ta: Time, b: number, tb: Time): boolean {
    return this.never(a, ta, b, tb, -1)
  }

  /** No dependence from statement `a` to `b` takes a time of at most `most`. */
  private never(a: number, ta: Time, b: number, tb: Time, most: number): boolean {
    return (this.between.get(`${a} ${b}`) ?? []).every((d, n) => {
      const key = `${a} ${b} ${n} ${text(ta)} ${text(tb)} ${most}`
      const known = this.known.get(key)
      if (known !== undefined) return known
      const late: Constraint = { form: addScaled(affineConstant(most), taken(ta, tb), -1) }
      this.tried++
      const never = d.where.every((w) => feasible(w, [late]) === 'empty')
      this.known.set(key, never)
      return never
    })
  }

  /** An order of the statements at equal times; `undefined` when they need each other in a circle. */
  order(times: readonly Time[]): readonly number[] | undefined {
    const n = times.length
    const before = (a: number, b: number): boolean =>
      (this.between.get(`${a} ${b}`) ?? []).some((d) =>
        d.where.some((w) => feasible(w, [equalTo(taken(times[a]!, times[b]!), affineConstant(0))]) !== 'empty'),
      )
    const edges = Array.from({ length: n }, (_, a) => Array.from({ length: n }, (_, b) => a !== b && before(a, b)))
    const left = new Set(Array.from({ length: n }, (_, i) => i)),
      order: number[] = []
    while (left.size > 0) {
      const next = [...left].find((b) => [...left].every((a) => a === b || !edges[a]![b]!))
      if (next === undefined) return undefined
      left.delete(next)
      order.push(next)
    }
    return order
  }
}

const text = (t: Time): string => [...t.terms].map(([n, c]) => `${n}${c}`).join('+')

/** Time from a source to a sink, in the names of dependences. */
function taken(source: Time, sink: Time): Affine {
  const prefixed = (t: Time, prefix: string): Affine => ({
    constant: t.constant,
    terms: new Map([...t.terms].map(([n, c]) => [prefix + n, c])),
  })
  return addScaled(prefixed(sink, 't'), prefixed(source, 's'), -1)
}

/** Variables alone, then sums with coefficients up to 4 of which one is 1, by their size. */
function candidates(s: Timed): readonly Time[] {
  const { names } = s
  const vectors = names.reduce<readonly (readonly number[])[]>(
    (all) => all.flatMap((v) => [0, 1, 2, 4].map((c) => [...v, c])),
    [[]],
  )
  const size = (v: readonly number[]): number => v.reduce((n, c) => n + c, 0)
  const usable = vectors
    .filter((v) => v.includes(1))
    .sort((a, b) => size(a) - size(b))
    .slice(0, mostTimes)
  return usable.map((v) => ({
    constant: 0,
    terms: new Map(v.flatMap((c, i) => (c === 0 ? [] : [[names[i]!, c] as const]))),
  })) // a coefficient per name
}

// ── steps ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The statements at one time: a loop variable of each is what the time leaves of it. */
function steps(
  program: Program,
  variable: string,
  statements: readonly Timed[],
  times: readonly Time[],
): Waves | undefined {
  const context = sizeDomain(program).constraints
  const now = affineName(`$${variable}`)
  const nests: LoopStmt[] = []
  const ranges = statements.map((s, n) =>
    extentOfName(
      variable,
      s.names,
      [...s.rows, addScaled(affineName(variable), times[n]!, -1), addScaled(times[n]!, affineName(variable), -1)],
      context,
    ),
  ) // a time per statement
  if (!ranges.every((r): r is LoopRange => r !== undefined && implies(context, r.lower))) return undefined
  const lowers = extremes(
      'min',
      ranges.map((r) => r.lower),
      context,
    ),
    uppers = extremes(
      'max',
      ranges.map((r) => r.upper),
      context,
    )
  const within = [
    ...context,
    ...(lowers.length === 1 ? [{ form: addScaled(now, lowers[0]!, -1) }] : []),
    ...(uppers.length === 1 ? [{ form: addScaled(plus(uppers[0]!, -1), now, -1) }] : []),
  ]
  for (const [n, s] of statements.entries()) {
    const time = times[n]! // as above
    const solved = solvedName(s, time)
    const value = addScaled(addScaled(affineName(solved), time, -1), now, 1)
    const rows = s.rows.map((r) =>
      addScaled(addScaled(r, affineName(solved), -coefficient(r, solved)), value, coefficient(r, solved)),
    )
    const rest = s.names.filter((x) => x !== solved)
    const found = loopsOver(
      rest,
      rows.filter((r) => r.terms.size > 0),
      within,
    )
    if (!found) return undefined
    const by = new Map([[solved, affineExpr(value)]]),
      body = s.body.map((x) => substituteStmt(x, by))
    const loops = found.loops.map(
      (r): Loop => loopOf(r.name, affineExpr(r.upper), [], { lower: affineExpr(r.lower), ...at(s, r.name) }),
    )
    const guard = conjunction(found.guards)
    nests.push(...nest(loops, guard ? [when(guard, body)] : body))
  }
  const expr = (name: 'min' | 'max', forms: readonly Affine[]): Expr =>
    forms.map((f) => affineExpr(f)).reduce((a, b) => op(name, [a, b]))
  return { variable, lower: expr('min', lowers), upper: expr('max', uppers), body: nests }
}

function at(s: Timed, name: string): Partial<Pick<Loop, 'at'>> {
  const l = s.loops.find((x) => x.name === name)
  return l?.at ? { at: l.at } : {}
}

/** A variable with coefficient 1: not the one that runs along memory, if there is a choice. */
function solvedName({ names: all, last }: Timed, time: Time): string {
  const names = all.filter((n) => coefficient(time, n) === 1)
  const along = (n: string): boolean =>
    last !== undefined &&
    JSON.stringify(last, (k, v: unknown) => (k === 'at' ? undefined : typeof v === 'bigint' ? `${v}` : v)).includes(
      `"${n}"`,
    )
  return names.find((n) => !along(n)) ?? names[0]! // times have such a variable
}

/** Of some forms those that may be the least or the greatest, as far as `context` says. */
function extremes(name: 'min' | 'max', forms: readonly Affine[], context: readonly Constraint[]): readonly Affine[] {
  const sign = name === 'min' ? 1 : -1
  return forms.reduce<readonly Affine[]>((left, f) => {
    const others = left.filter((g) => g !== f)
    return others.some((g) => implies(context, addScaled(addScaled(affineConstant(0), f, sign), g, -sign)))
      ? others
      : left
  }, forms)
}
