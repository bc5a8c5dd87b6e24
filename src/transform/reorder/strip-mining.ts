// In: a loop that must run in order. Out: the same in blocks of some iterations: a loop over blocks around several
// nests. The one idea: where a variable runs through the same elements as the loop, what lies in the block (near) and
// what lies outside (before, after) are pieces of their own; dependences inside a block order the pieces, and only
// those in a circle must run iteration by iteration (strip-mining, index set splitting and distribution: Allen and
// Kennedy, Optimizing Compilers, ch. 5 and 9). So the trailing update of a factorisation becomes a product, and a solve
// a product and small solves.
import {
  withHostVariables,
  accesses,
  addScaled,
  affineExpr,
  affineName,
  affineOf,
  coefficient,
  feasible,
  int,
  loop as loopOf,
  loopVar,
  op,
  plus,
  sameAffine,
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
  claimName,
  freshName,
  namesOf,
  nest,
  substituteStmt,
  uses,
} from '../../ir/index.ts'
import {
  type Dependence,
  plannedBound,
  extentOfName,
  orderedComponents,
  knownDependences,
  loopsOver,
  rowsOf,
  type LoopRange,
} from '../../analysis/index.ts'
import { withPlanes } from '../expansion/array-renaming.ts'
import { withSelects } from '../scalars/select-conversion.ts'
import { isOf, statementsOf, type Instances } from './iteration-domains.ts'

/** A loop over blocks; `body` may use `variable`, the first iteration of a block, as a size of `program`. */
export interface Blocked {
  readonly program: Program
  readonly variable: string
  readonly body: readonly LoopStmt[]
}

/** Pieces that are put in order with each other. */
const mostPieces = 64

/**
 * `source`, the whole body of `program`, in blocks of `size`; `undefined` where all of it would stay together.
 * `renaming`: planes that later iterations overwrite are copied first.
 */
export function inBlocks(program: Program, source: Loop, size: number, renaming = false): Blocked | undefined {
  const lower = affineOf(source.lower),
    upper = affineOf(source.upper)
  if (!lower || !upper || source.step !== 1) return undefined
  const variable = freshName(program, `${source.name}_block`),
    start = affineName(`$${variable}`)
  const middle = Math.floor((plannedBound(program, source.lower) + plannedBound(program, source.upper)) / 2)
  const min = lower.terms.size === 0 ? lower.constant : 0,
    open = withHostVariables(program, [{ name: variable, min, below: source.upper, planned: middle }])
  const { program: wide, loop } =
    (renaming ? withPlanes(open, source, start, size) : { program: open, loop: source }) ?? {}
  const statements = wide && statementsOf(wide)
  if (!wide || !loop || !statements?.every((s) => s.loops[0] === loop)) return undefined
  const b = new Blocks(wide, statements, loop, upper, start, size)
  const pieces = statements.flatMap((s) => b.piecesOf(s))
  const deps = pieces.length > mostPieces || pieces.length <= 1 ? undefined : knownDependences(wide)
  const body =
    deps &&
    b.ordered(
      pieces,
      deps.filter((d) => !d.reduction),
    )
  return body && { program: wide, variable, body }
}

/** The points of a statement where all `rows` hold (each ≥ 0). */
interface Piece {
  readonly statement: Instances
  readonly rows: readonly Affine[]
}

/** A dependence between two pieces inside of one block. */
interface Edge {
  readonly from: number
  readonly to: number
  readonly dependence: Dependence
  /** Some of these hold where it is. */
  readonly where: readonly (readonly Constraint[])[]
}

/** A variable of each piece, and its range in all of them. */
interface Hoisted {
  readonly names: readonly string[]
  readonly range: LoopRange
}

/** How a statement uses a dimension of an array. */
interface Dimension {
  /** Array and number. */
  readonly key: string
  readonly own: Affine
}

/** Iterations k use `c`·k + `rest` of a dimension. */
interface Use {
  readonly c: number
  readonly rest: Affine
}

/** Whether the form is the variable or its opposite, but for sizes. */
const isOneOf = (form: Affine, name: string): boolean =>
  Math.abs(coefficient(form, name)) === 1 && [...form.terms.keys()].every((n) => n === name || n.startsWith('$'))

const scaled = (form: Affine, c: number): Affine => addScaled({ constant: 0, terms: new Map() }, form, c)

class Blocks {
  private readonly context: readonly Constraint[]
  private readonly k: string
  private readonly accesses: readonly Access[]
  private readonly written: ReadonlySet<string>
  private readonly uses: ReadonlyMap<string, readonly Use[]>

  constructor(
    private readonly program: Program,
    statements: readonly Instances[],
    private readonly loop: Loop,
    private readonly upper: Affine,
    private readonly start: Affine,
    private readonly size: number,
  ) {
    this.k = loop.name
    this.context = sizeDomain(program).constraints
    this.accesses = accesses(program)
    this.written = new Set(this.accesses.flatMap((a) => (a.kind === 'write' ? [a.array] : [])))
    this.uses = this.usesOf(statements)
  }

  /** The end of the block, if the loop goes so far. */
  private get end(): Affine {
    return plus(this.start, this.size)
  }

  private inBlock(k: Affine): readonly Affine[] {
    return [addScaled(k, this.start, -1), plus(addScaled(this.end, k, -1), -1), plus(addScaled(this.upper, k, -1), -1)]
  }

  // ── pieces ──────────────────────────────────────────────────────────────────────────────────────────────────────

  piecesOf(s: Instances): readonly Piece[] {
    const places = s.names.flatMap((n) => (n === this.k ? [] : (this.placeOf(s, n) ?? [])))
    const all = places.reduce<readonly (readonly Affine[])[]>(
      (given, at) => given.flatMap((rows) => this.sidesOf(at).map((x) => [...rows, ...x])),
      [[]],
    )
    const ofBlock = (rows: readonly Affine[]): readonly Affine[] => [
      ...rows,
      ...this.inBlock(affineName(this.k)),
      ...s.rows,
    ] // loops take the first bounds that will do
    return all.map((rows) => ({ statement: s, rows: ofBlock(rows) })).filter((p) => !this.isEmpty(p.rows))
  }

  private isEmpty(rows: readonly Affine[]): boolean {
    return feasible([...this.context, ...rows.map((form) => ({ form }))]) === 'empty'
  }

  /** Before the block, in it, and after it. */
  private sidesOf(at: Affine): readonly (readonly Affine[])[] {
    const before = addScaled(this.start, at, -1),
      after = addScaled(at, this.end, -1)
    return [[plus(before, -1)], [addScaled(at, this.start, -1), plus(addScaled(this.end, at, -1), -1)], [after]]
  }

  /**
   * The iteration of the loop that uses the elements that a value of `name` stands for; `undefined` when it uses none:
   * no array that the loop writes has both in one dimension, in this access or another.
   */
  private placeOf(s: Instances, name: string): Affine | undefined {
    const found = this.dimensionsOf(s).flatMap(({ key, own }) =>
      isOneOf(own, name) ? (this.uses.get(key) ?? []).map(({ c, rest }) => scaled(addScaled(own, rest, -1), c)) : [],
    )
    return found.find((f) => sameAffine(f, affineName(name))) ?? found[0]
  }

  /** Dimensions of arrays that the loop writes as the statement uses them, where that is linear. */
  private dimensionsOf(s: Pick<Instances, 'path'>): readonly Dimension[] {
    return this.accesses
      .filter((a) => isOf(s, a) && this.written.has(a.array))
      .flatMap((a) =>
        a.index.flatMap((e, d) => {
          const own = affineOf(e)
          return own ? [{ key: `${a.array} ${d}`, own }] : []
        }),
      )
  }

  /**
   * Where iterations of the loop use a dimension of an array. A statement of several stores that uses one dimension as
   * it does another is there where iterations use that one: `next[i][j]` beside `d[i][j]` and `d[k][j]`.
   */
  private usesOf(statements: readonly Instances[]): ReadonlyMap<string, readonly Use[]> {
    const uses = new Map<string, Use[]>()
    const add = (key: string, use: Use): void => void uses.set(key, [...(uses.get(key) ?? []), use])
    for (const { key, own } of this.dimensionsOf({ path: [] }))
      if (isOneOf(own, this.k)) {
        const c = coefficient(own, this.k)
        add(key, { c, rest: addScaled(own, affineName(this.k), -c) })
      }
    for (const s of statements.filter((x) => x.stores.length > 1)) {
      const all = this.dimensionsOf(s),
        known = new Set(uses.keys())
      for (const name of s.names)
        for (const x of all)
          for (const y of all) {
            if (known.has(x.key) || !isOneOf(x.own, name) || !isOneOf(y.own, name)) continue
            const apart = addScaled(x.own, y.own, -1)
            if (coefficient(apart, name) !== 0) continue
            for (const { c, rest } of known.has(y.key) ? uses.get(y.key)! : [])
              add(x.key, { c, rest: addScaled(rest, apart, 1) })
          }
    }
    return uses
  }

  // ── order ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Loops over the pieces in an order that dependences allow. */
  ordered(pieces: readonly Piece[], deps: readonly Dependence[]): readonly LoopStmt[] | undefined {
    const edges = this.edges(pieces, deps)
    if (!edges) return undefined
    const circles = orderedComponents(pieces.length, edges)
    if (circles.length === 1) return undefined
    const made = circles.map((c) =>
      this.circle(
        c.map((i) => pieces[i]!),
        edges.flatMap((e) =>
          c.includes(e.from) && c.includes(e.to) ? [{ ...e, from: c.indexOf(e.from), to: c.indexOf(e.to) }] : [],
        ),
      ),
    ) // positions in pieces
    return made.every((m): m is readonly LoopStmt[] => m !== undefined) ? made.flat() : undefined
  }

  private edges(pieces: readonly Piece[], deps: readonly Dependence[]): readonly Edge[] | undefined {
    const owner = (a: Access): number => pieces.findIndex((p) => isOf(p.statement, a))
    const out: Edge[] = []
    for (const dependence of deps) {
      // a bound or a condition reads what the loop writes
      if (owner(dependence.source) < 0 || owner(dependence.sink) < 0) return undefined
      pieces.forEach((p, from) =>
        pieces.forEach((q, to) => {
          if (!isOf(p.statement, dependence.source) || !isOf(q.statement, dependence.sink)) return
          // what a statement does in one iteration stays in its order
          if (from === to && dependence.level === null) return
          const sides = [...prefixed(p.rows, 's'), ...prefixed(q.rows, 't')]
          const where = dependence.where.map((w) => [...w, ...sides]).filter((w) => feasible(w) !== 'empty')
          if (where.length > 0) out.push({ from, to, dependence, where })
        }),
      )
    }
    return out
  }

  // ── loops ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Pieces that need each other, `edges` among them by position. */
  private circle(pieces: readonly Piece[], edges: readonly Edge[]): readonly LoopStmt[] | undefined {
    const only = pieces.length === 1 ? pieces[0] : undefined
    if (only && edges.length === 0) return this.alone(only)
    const now = edges.filter((e) => e.where.some((w) => feasible(w, [same(this.k, this.k)]) !== 'empty'))
    if (now.some((e) => e.from === e.to) && !only) return undefined
    const order = only ? [[0]] : orderedComponents(pieces.length, now)
    if (order.some((c) => c.length > 1)) return undefined
    const sorted = order.flat()
    const found = this.parallelNames(pieces, edges),
      taken = new Set(namesOf(this.program)),
      each = found.map(({ range }): LoopRange => ({ ...range, name: claimName(taken, 'each') }))
    const block: LoopRange = { name: this.k, lower: this.start, upper: this.end }
    const known = [...this.context, ...[block, ...each].flatMap(rowsOf).map((form) => ({ form }))]
    const body = sorted.map((i) => {
      const p = pieces[i]!,
        hoisted = found.map(({ names }) => names[i]!) // positions in pieces
      const by = new Map<string, Expr>(hoisted.map((n, e) => [n, loopVar(each[e]!.name)])) // one for each
      const rows = hoisted.reduce((left, n, e) => left.map((r) => renamed(r, n, each[e]!.name)), p.rows)
      return this.loops(
        p,
        p.statement.names.filter((n) => n !== this.k && !hoisted.includes(n)),
        rows,
        known,
        by,
      )
    })
    if (!body.every((b): b is readonly LoopStmt[] => b !== undefined)) return undefined
    const inside = this.shifted({ ...this.loop, lower: affineExpr(block.lower), body: body.flat() }, int(this.size))
    const around = each.map((r) => loopOf(r.name, affineExpr(r.upper), [], { lower: affineExpr(r.lower) }))
    return nest(around, [inside])
  }

  /** A piece in the order of the source; nothing in the block keeps its iterations in order but sums. */
  private alone(p: Piece): readonly LoopStmt[] | undefined {
    // a sum over iterations asks in each of its terms
    const isIndex = p.statement.stores.some((s) => s.index.some((e) => uses(e, this.k)))
    const full = !isIndex || this.isEmpty([...p.rows, plus(addScaled(this.end, this.upper, -1), -1)])
    const left = plus(addScaled(this.upper, affineName(this.k), -1), -1)
    const made = this.loops(
      p,
      p.statement.names,
      p.rows,
      full ? this.context : [...this.context, { form: left }],
      new Map(),
    )
    const only = made?.[0]
    if (only?.kind !== 'loop') return undefined
    const lower = affineOf(only.lower),
      upper = affineOf(only.upper)
    if (!lower || !upper) return undefined
    const [to, end] = [addScaled(upper, this.start, -1), addScaled(this.upper, this.start, -1)].map((f) =>
      affineExpr(f),
    )
    return [this.shifted(only, full ? to! : op('min', [to!, end!]))] // two of two
  }

  /** The loop counted from the start of the block; `upper`: its end from there. */
  private shifted(l: Loop, upper: Expr): Loop {
    const lower = affineExpr(addScaled(affineOf(l.lower)!, this.start, -1)) // affine in both callers
    const value = affineExpr(addScaled(this.start, affineName(l.name), 1))
    return { ...l, lower, upper, body: l.body.map((s) => substituteStmt(s, new Map([[l.name, value]]))) }
  }

  private loops(
    { statement: s, rows: domain }: Piece,
    names: readonly string[],
    rows: readonly Affine[],
    known: readonly Constraint[],
    by: ReadonlyMap<string, Expr>,
  ): readonly LoopStmt[] | undefined {
    const found = loopsOver(names, rows, known)
    if (!found) return undefined
    const at = (name: string): Partial<Pick<Loop, 'at'>> => {
      const l = s.loops.find((x) => x.name === name)
      return l?.at ? { at: l.at } : {}
    }
    const loops = found.loops.map(
      (r): Loop => loopOf(r.name, affineExpr(r.upper), [], { lower: affineExpr(r.lower), ...at(r.name) }),
    )
    const guard = conjunction(found.guards),
      whole = s.stores.length > 1 ? withSelects(this.program, s.body, domain) : s.body,
      body = whole.map((x) => substituteStmt(x, by))
    return nest(loops, guard ? [when(guard, body)] : body)
  }

  /** Variables of the pieces that have the same value at both ends of every edge, and the same range in all pieces. */
  private parallelNames(pieces: readonly Piece[], edges: readonly Edge[]): readonly Hoisted[] {
    const found: Hoisted[] = []
    for (;;) {
      const next = this.parallelName(pieces, edges, found)
      if (!next) return found
      found.push(next)
    }
  }

  /** One more of them, but `chosen`. */
  private parallelName(
    pieces: readonly Piece[],
    edges: readonly Edge[],
    chosen: readonly Hoisted[],
  ): Hoisted | undefined {
    const options = pieces.map((p, i) =>
      p.statement.names.filter((n) => n !== this.k && !chosen.some((c) => c.names[i] === n)),
    )
    const rangeOf = (p: Piece, n: string): LoopRange | undefined =>
      extentOfName(
        n,
        p.statement.names.filter((x) => x !== n),
        p.rows,
        this.context,
      )
    const extend = (names: readonly string[], range: LoopRange): readonly string[] | undefined => {
      const at = names.length
      if (at === pieces.length) return names
      for (const n of options[at]!) {
        // an option list per piece
        const next = [...names, n],
          own = rangeOf(pieces[at]!, n)
        if (!own || !sameAffine(own.lower, range.lower) || !sameAffine(own.upper, range.upper)) continue
        if (
          !edges.every(
            (e) => e.from > at || e.to > at || (e.from !== at && e.to !== at) || keeps(e, next[e.from]!, next[e.to]!),
          )
        )
          continue // chosen so far
        const all = extend(next, range)
        if (all) return all
      }
      return undefined
    }
    for (const n of options[0]!) {
      // there is a piece
      const range = rangeOf(pieces[0]!, n),
        names = range && extend([], range)
      if (range && names?.[0] === n) return { names, range }
    }
    return undefined
  }
}

/** Whether variables have the same value at both ends of the edge. */
const keeps = (e: Edge, from: string, to: string): boolean =>
  e.where.every((w) =>
    [1, -1].every(
      (sign) =>
        feasible([...w, { form: plus(addScaled(affineName(`t${to}`, sign), affineName(`s${from}`), -sign), -1) }]) ===
        'empty',
    ),
  )

const same = (s: string, t: string): Constraint => ({
  form: addScaled(affineName(`s${s}`), affineName(`t${t}`), -1),
  equal: true,
})

function renamed(row: Affine, from: string, to: string): Affine {
  const c = coefficient(row, from)
  return addScaled(addScaled(row, affineName(from), -c), affineName(to), c)
}

const prefixed = (rows: readonly Affine[], prefix: 's' | 't'): readonly Constraint[] =>
  rows.map((r) => ({
    form: {
      constant: r.constant,
      terms: new Map([...r.terms].map(([n, c]) => [n.startsWith('$') ? n : prefix + n, c])),
    },
  }))
