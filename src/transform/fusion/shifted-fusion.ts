// In: a loop around statements and loops side by side, such as a dynamic program that keeps two rows: `cur[0] = i; for
// (j …) cur[j] = …; for (j …) prev[j] = cur[j];`. Out: the same as two perfectly nested loops, whose bounds use sizes
// alone. The one idea is fusion with shifts (Allen and Kennedy, Optimizing Compilers, ch. 8; Darte and Huard 2000): a
// loop comes so many iterations behind those before it that all that it needs of them is there and nothing that they
// need is gone; all distances are constants, so that the least shifts are exact. What a bound says beyond its extreme
// is asked in each iteration, and a local that iterations of an inner loop hand on becomes an element for each.
import {
  add,
  addScaled,
  affineExpr,
  affineName,
  affineOf,
  coefficient,
  eachExpr,
  eachStmt,
  freshName,
  hasOnlySizes,
  implies,
  int,
  loop as loopOf,
  loopVar,
  lt,
  mapBody,
  mapStmtExprs,
  op,
  ownExprs,
  plus,
  read,
  registerType,
  rewriteExpr,
  sameAffine,
  sets,
  sizeDomain,
  someStmt,
  storedIn,
  substituteStmt,
  when,
  conjunction,
  readsIn,
  replaceReads,
  type Affine,
  type ArrayDecl,
  type Constraint,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'
import { onElements } from '../expansion/ragged-scalar-expansion.ts'

/** Iterations that one loop comes behind another at most. */
const farthest = 8

/** Statements at the points `lower` to before `upper` of the inner loop that is made; `name` is its variable there. */
interface Part {
  readonly name: string
  readonly lower: Affine
  readonly upper: Affine
  readonly body: readonly LoopStmt[]
}

/** A use of an element at a constant distance from a point. */
interface Use {
  readonly array: string
  readonly write: boolean
  readonly row: number
  readonly column: number
}

/** The program with room for what is handed on, and the loops; `undefined` where they cannot be made so. */
export function inOneNest(
  given: Program,
  source: Loop,
): { readonly program: Program; readonly loop: Loop } | undefined {
  if (!ofSizes(source.lower) || !ofSizes(source.upper) || source.step !== 1) return undefined
  const { program, loop } = withoutHandedOn(given, source)
  const arrays = writtenIn(program, loop),
    parts = arrays && loop.body.map((s) => partOf(program, s, arrays))
  if (!parts?.every((p) => p !== undefined) || parts.length === 0) return undefined
  const shifts = shiftsOf(parts, arrays!, loop.name),
    ranges = shifts && rangesOf(program, loop, parts, shifts)
  if (!shifts || !ranges) return undefined
  const name = freshName(program, 'point'),
    point = affineName(name),
    [lower, upper] = ranges
  const body = parts.flatMap((p, n) => {
    const shift = shifts[n]!, // one for each
      own = affineExpr(plus(point, -shift)),
      [from, to] = [plus(p.lower, shift), plus(p.upper, shift)]
    const guard = conjunction([
      ...(sameAffine(from, lower) ? [] : [op('ge', [loopVar(name), affineExpr(from)])]),
      ...(sameAffine(to, upper) ? [] : [lt(loopVar(name), affineExpr(to))]),
    ])
    const stmts = p.body.map((s) => substituteStmt(s, new Map([[p.name, own]])))
    return guard ? [when(guard, stmts)] : stmts
  })
  const first = source.body.find((s) => s.kind === 'loop'),
    at = first?.kind === 'loop' && first.at ? { at: first.at } : {}
  const inner = loopOf(name, affineExpr(upper), body, { lower: affineExpr(lower), ...at })
  return { program, loop: { ...loop, body: [inner] } }
}

function ofSizes(e: Expr): boolean {
  const a = affineOf(e)
  return a !== undefined && hasOnlySizes(a)
}

/** Global arrays that the loop writes, all of one or two dimensions; `undefined` when it writes others. */
function writtenIn(program: Program, loop: Loop): ReadonlyMap<string, ArrayDecl> | undefined {
  const own = new Set<string>()
  eachStmt(loop.body, (s) => {
    if (s.kind === 'declare') own.add(s.array.name)
  })
  const arrays = [...new Set(storedIn(loop.body))].filter((name) => !own.has(name)),
    found = arrays.map((name) => program.arrays.find((a) => a.name === name))
  const rank = found[0]?.shape.length ?? 0
  const isFit = found.every((a) => a?.space === 'global' && a.shape.length === rank && registerType(a.type) === a.type)
  return isFit && (rank === 1 || rank === 2) ? new Map(found.map((a) => [a!.name, a!])) : undefined // found all
}

// ── parts ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A loop without loops in it, or a statement as one of one iteration, at the element that it writes. */
function partOf(program: Program, s: LoopStmt, arrays: ReadonlyMap<string, ArrayDecl>): Part | undefined {
  if (s.kind === 'loop') {
    const lower = affineOf(s.lower),
      upper = affineOf(s.upper)
    if (!lower || !upper || s.step !== 1 || someStmt(s.body, (x) => x.kind === 'loop')) return undefined
    return { name: s.name, lower, upper, body: s.body }
  }
  const place = s.kind === 'declare' || someStmt([s], (x) => x.kind === 'loop') ? undefined : placeOf(s, arrays)
  if (!place) return undefined
  const name = freshName(program, 'there')
  const at = (index: readonly Expr[]): readonly Expr[] => {
    const last = affineOf(index[index.length - 1]!),
      rest = last && addScaled(last, place, -1)
    return rest?.terms.size === 0 ? [...index.slice(0, -1), affineExpr(plus(affineName(name), rest.constant))] : index
  }
  const moved = mapStmtExprs(s, (e) =>
    rewriteExpr(e, (x) => (x.kind === 'read' && arrays.has(x.array) ? { ...x, index: at(x.index) } : undefined)),
  )
  const body = mapBody([moved], (x) =>
    x.kind === 'store' && arrays.has(x.array) ? [{ ...x, index: at(x.index) }] : undefined,
  )
  return { name, lower: place, upper: plus(place, 1), body }
}

/** The last subscript of the first element that a statement writes. */
function placeOf(s: LoopStmt, arrays: ReadonlyMap<string, ArrayDecl>): Affine | undefined {
  let place: Affine | undefined
  eachStmt([s], (x) => {
    if (x.kind === 'store' && arrays.has(x.array)) place ??= affineOf(x.index[x.index.length - 1]!)
  })
  return place
}

// ── shifts ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** How many iterations each part comes later, so that elements are used in the order of the source. */
function shiftsOf(
  parts: readonly Part[],
  arrays: ReadonlyMap<string, ArrayDecl>,
  outer: string,
): readonly number[] | undefined {
  const uses = parts.map((p) => usesOf(p, arrays, outer))
  if (!uses.every((u) => u !== undefined)) return undefined
  const shifts: number[] = []
  for (const own of uses) {
    const least = shifts.flatMap((shift, before) =>
      uses[before]!.flatMap((p) =>
        own.flatMap((q) =>
          p.array === q.array && p.row === q.row && (p.write || q.write) ? [shift + q.column - p.column] : [],
        ),
      ),
    )
    shifts.push(Math.max(0, ...least))
  }
  return Math.max(...shifts) <= farthest ? shifts : undefined
}

/** All uses of the arrays by the points of a part; `undefined` when some is not near its point. */
function usesOf(p: Part, arrays: ReadonlyMap<string, ArrayDecl>, outer: string): readonly Use[] | undefined {
  const out: (Use | undefined)[] = []
  const see = (array: string, index: readonly Expr[], write: boolean): void => {
    if (!arrays.has(array)) return
    const names = index.length === 2 ? [outer, p.name] : [p.name],
      far = index.map((e, d) => {
        const a = affineOf(e),
          rest = a && addScaled(a, affineName(names[d]!), -1) // a name for each
        return rest?.terms.size === 0 ? rest.constant : undefined
      })
    const [row, column] = index.length === 2 ? far : [0, far[0]]
    out.push(row !== undefined && column !== undefined ? { array, write, row, column } : undefined)
  }
  eachStmt(p.body, (s) => {
    if (s.kind === 'store') see(s.array, s.index, true)
    for (const e of ownExprs(s))
      eachExpr(e, (x) => {
        if (x.kind === 'read') see(x.array, x.index, false)
      })
  })
  return out.every((u) => u !== undefined) ? out : undefined
}

// ── ranges ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Bounds that hold the points of all parts in all iterations of the loop around. */
function rangesOf(
  program: Program,
  loop: Loop,
  parts: readonly Part[],
  shifts: readonly number[],
): readonly [Affine, Affine] | undefined {
  const context = sizeDomain(program).constraints,
    first = affineOf(loop.lower)!, // as asked above
    last = plus(affineOf(loop.upper)!, -1)
  const extreme = (a: Affine, side: 1 | -1): Affine => {
    const c = coefficient(a, loop.name)
    return addScaled(addScaled(a, affineName(loop.name), -c), c * side > 0 ? last : first, c)
  }
  const isKnown = (a: Affine): boolean => [...a.terms.keys()].every((n) => n.startsWith('$') || n === loop.name)
  if (!parts.every((p) => isKnown(p.lower) && isKnown(p.upper))) return undefined
  const lowers = parts.map((p, n) => extreme(plus(p.lower, shifts[n]!), -1)), // a shift for each
    uppers = parts.map((p, n) => extreme(plus(p.upper, shifts[n]!), 1)) // as above
  const lower = lowers.find((a) => lowers.every((b) => isAtLeast(context, b, a))),
    upper = uppers.find((a) => uppers.every((b) => isAtLeast(context, a, b)))
  return lower && upper ? [lower, upper] : undefined
}

const isAtLeast = (context: readonly Constraint[], a: Affine, b: Affine): boolean =>
  implies(context, addScaled(a, b, -1))

// ── what is handed on ─────────────────────────────────────────────────────────────────────────────────────────────

/** Locals of an iteration of `loop` that the iterations of one loop in it hand on, as arrays with a place for each. */
function withoutHandedOn(given: Program, source: Loop): { readonly program: Program; readonly loop: Loop } {
  let program = given,
    loop = source
  for (const s of source.body) {
    const made = s.kind === 'declare' ? withPlaces(program, loop, s.array) : undefined
    if (made) [program, loop] = [made.program, made.loop]
  }
  return { program, loop }
}

function withPlaces(program: Program, loop: Loop, local: ArrayDecl): { program: Program; loop: Loop } | undefined {
  const uses = (s: LoopStmt): boolean => sets([s], local.name) || readsIn([s]).some((r) => r.array === local.name)
  const at = loop.body.findIndex((s) => s.kind === 'loop' && uses(s)),
    l = loop.body[at],
    others = loop.body.filter((s, n) => n !== at && s.kind === 'loop' && uses(s))
  if (local.shape.length > 0 || l?.kind !== 'loop' || others.length > 0 || registerType(local.type) !== local.type)
    return undefined
  if (!ofSizes(l.lower) || !ofSizes(l.upper) || l.step !== 1) return undefined
  if (!implies(sizeDomain(program).constraints, affineOf(l.lower)!)) return undefined // affine as asked
  const rank = ranksIn(program, loop),
    rows = rank === 2 ? [loop.upper] : []
  if (rank === undefined) return undefined
  const array: ArrayDecl = {
    ...local,
    name: freshName(program, `${local.name}_each`),
    shape: [...rows, add(l.upper, int(1))],
    role: 'temp',
    space: 'global',
  }
  const element = (place: Expr): readonly Expr[] => (rank === 2 ? [loopVar(loop.name), place] : [place])
  const onPlace = (stmts: readonly LoopStmt[], place: Expr): readonly LoopStmt[] =>
    onElements(stmts, local, array, element(place))
  const here = loopVar(l.name),
    next = add(here, int(1)),
    first = l.body.findIndex((s) => s.kind === 'store' && s.array === local.name && !s.reduce),
    isSure = first >= 0 && !sets(l.body.slice(0, first), local.name)
  const set = l.body[first]
  const body =
    isSure && set?.kind === 'store'
      ? [
          ...onPlace(l.body.slice(0, first), here),
          {
            ...set,
            array: array.name,
            index: element(next),
            value: replaceReads(set.value, local.name, read(array, element(here))),
          },
          ...onPlace(l.body.slice(first + 1), next),
        ]
      : [
          {
            kind: 'store' as const,
            array: array.name,
            index: element(next),
            value: read(array, element(here)),
            reduce: null,
          },
          ...onPlace(l.body, next),
        ]
  const stmts = loop.body.flatMap((s, n): readonly LoopStmt[] => {
    if (s.kind === 'declare' && s.array === local) return []
    if (n === at) return [{ ...l, body }]
    return onPlace([s], n < at ? l.lower : l.upper)
  })
  return { program: { ...program, arrays: [...program.arrays, array] }, loop: { ...loop, body: stmts } }
}

/** Dimensions of the global arrays that the loop writes, where all have as many. */
function ranksIn(program: Program, loop: Loop): number | undefined {
  const ranks = new Set(
    program.arrays.filter((a) => a.space === 'global' && sets(loop.body, a.name)).map((a) => a.shape.length),
  )
  return ranks.size === 1 ? [...ranks][0] : undefined
}
