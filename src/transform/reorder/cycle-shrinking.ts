// In: a loop whose iterations need only what iterations a multiple of a distance before them left, such as an echo or a
// comb filter (`y[i] += g * y[i - d]`). Out: a loop over the residues of that distance, whose iterations need nothing
// of each other, around the iterations of one residue in order. The one idea is cycle shrinking (Polychronopoulos) with
// its two loops interchanged: all dependences stay in one residue. The distance may be a size; where nothing says
// that it is positive, the host asks. It may be a number in memory (`ways[a] += ways[a - coin[c]]`), which the kernel
// reads: where that is below 1 there is one residue, all iterations in order, which is right for any distance.
import {
  add,
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  claimName,
  coefficient,
  eachExpr,
  eachStmt,
  exprKey,
  gcd,
  hasOnlySizes,
  implies,
  int,
  loop as loopOf,
  loopVar,
  mul,
  namesOf,
  nest,
  op,
  ownExprs,
  perfectNest,
  rewriteExpr,
  sameAffine,
  sizeDomain,
  someExpr,
  someStmt,
  storedIn,
  sub,
  substituteStmt,
  uses,
  varsOf,
  type Affine,
  type Expr,
  type Loop,
  type Program,
} from '../../ir/index.ts'
import { isThere, outerLoops } from '../../analysis/index.ts'

/** A loop by residues, with loops around it whose iterations need nothing of each other. */
export interface ByResidues {
  readonly loop: Loop
  /** Loops from the outermost one on that threads share. */
  readonly parallel: number
  /** What must hold for it to mean what the loop means; absent where that is known. */
  readonly where?: Expr
}

/** Distances below this are left to recurrences: few threads would share them. */
const leastDistance = 4

/** The loop, or the innermost in it, by residues of the distance at which its iterations need each other. */
export function byResidues(program: Program, whole: Loop): ByResidues | undefined {
  const { loops } = perfectNest(whole),
    outer = loops.slice(0, -1),
    loop = loops[outer.length]! // itself at least
  if (outer.some((l) => l.step !== 1)) return undefined
  if ([...varsOf(loop.lower), ...varsOf(loop.upper)].some((v) => loops.some((l) => l.name === v))) return undefined
  if (outer.length > 0 && outerLoops({ ...program, body: [whole] }).parallel < outer.length) return undefined
  if (loop.step !== 1 || someStmt(loop.body, (s) => s.kind === 'loop')) return undefined
  if (skipsMost(loop)) return undefined
  const values = new Values(program, loop),
    distance = distanceIn(program, loop, new Set(outer.map((l) => l.name)), values),
    { constraints } = sizeDomain(program)
  if (!distance || !values.areKnownOutside(distance)) return undefined
  const isOfSizes = hasOnlySizes(distance),
    isPositive = isOfSizes && implies(constraints, addScaled(distance, affineConstant(1), -1))
  if (!isPositive && distance.terms.size === 0) return undefined
  if (!isOfSizes && outer.length > 0) return undefined
  const taken = namesOf({ ...program, body: [...program.body, whole] }),
    by = isOfSizes ? affineExpr(distance) : op('max', [values.expression(distance), int(1)]),
    residue = claimName(taken, `${loop.name}_residue`),
    turn = claimName(taken, `${loop.name}_turn`)
  const length = sub(loop.upper, loop.lower),
    // in the loop over residues there is one iteration at least: no difference below is negative
    turns = add(op('div', [sub(sub(length, int(1)), loopVar(residue)), by]), int(1)),
    at = add(add(loop.lower, loopVar(residue)), mul(loopVar(turn), by)),
    body = loop.body.map((s) => substituteStmt(s, new Map([[loop.name, at]])))
  const place = loop.at ? { at: loop.at } : {}
  const [made] = nest(outer, [loopOf(residue, op('min', [by, length]), [loopOf(turn, turns, body, place)], place)])
  if (made?.kind !== 'loop') return undefined
  return {
    loop: made,
    parallel: outer.length + 1,
    ...(isOfSizes && !isPositive && { where: op('ge', [by, int(1)]) }),
  }
}

/**
 * Linear forms of expressions in which numbers in memory that a loop leaves alone have names. Such a name begins with
 * `@`.
 */
class Values {
  private readonly written: ReadonlySet<string>
  private readonly known = new Map<string, Expr>()

  constructor(
    private readonly program: Program,
    private readonly loop: Loop,
  ) {
    this.written = new Set(storedIn([loop]))
  }

  form(e: Expr): Affine | undefined {
    return affineOf(
      rewriteExpr(e, (x) => {
        if ((x.kind !== 'read' && x.kind !== 'scalar') || !this.isFixed(x)) return undefined
        const name = `@${exprKey(x)}`
        this.known.set(name, x)
        return loopVar(name)
      }),
    )
  }

  /** The expression that a form of these is. */
  expression(form: Affine): Expr {
    return rewriteExpr(affineExpr(form), (x) => (x.kind === 'var' ? this.known.get(x.name) : undefined))
  }

  /** Whether the form has sizes and such numbers only. */
  areKnownOutside(form: Affine): boolean {
    return [...form.terms.keys()].every(isOutside)
  }

  /** Whether `x` is the same in all iterations, and may be read where there are none. */
  private isFixed(x: Expr): boolean {
    if (x.type !== 'i32' || uses(x, this.loop.name)) return false
    if (x.kind !== 'read') return true
    const array = this.program.arrays.find((a) => a.name === x.array)
    return (
      array !== undefined &&
      !this.written.has(x.array) &&
      x.index.every((e) => affineOf(e)) &&
      isThere(this.program, array, x.index, [], [])
    )
  }
}

const isOutside = (name: string): boolean => name.startsWith('$') || name.startsWith('@')

/** Whether the loop does nothing but in iterations that are a multiple of something: one residue has all of them. */
function skipsMost(loop: Loop): boolean {
  const isRest = (x: Expr): boolean => x.kind === 'op' && x.op === 'rem' && uses(x, loop.name)
  return loop.body.every(
    (s) => s.kind === 'declare' || (s.kind === 'if' && s.else.length === 0 && someExpr(s.condition, isRest)),
  )
}

/** Of all uses of what the loop writes: the place in the dimension that the loop moves along, and the others. */
interface Use {
  readonly array: string
  readonly along: number
  readonly slope: number
  readonly rest: readonly Affine[]
}

/** The largest number of which all distances between uses are multiples, and which is no 0; `undefined`: none known. */
function distanceIn(program: Program, loop: Loop, outer: ReadonlySet<string>, values: Values): Affine | undefined {
  const own = new Set<string>(),
    written = new Set<string>()
  let isPlain = true
  eachStmt(loop.body, (s) => {
    if (s.kind === 'declare') own.add(s.array.name)
  })
  eachStmt(loop.body, (s) => {
    if (s.kind !== 'store' || own.has(s.array)) return
    written.add(s.array)
    isPlain &&= !s.atomic && program.arrays.some((a) => a.name === s.array && a.space === 'global')
  })
  const found: (Use | undefined)[] = [],
    isStored: boolean[] = []
  const use = (array: string, index: readonly Expr[], isStore: boolean): void => {
    isStored.push(isStore)
    found.push(useOf(loop, array, index, outer, values))
  }
  eachStmt(loop.body, (s) => {
    if (s.kind === 'store' && written.has(s.array)) use(s.array, s.index, true)
    ownExprs(s).forEach((e) =>
      eachExpr(e, (x) => {
        if (x.kind === 'read' && written.has(x.array)) use(x.array, x.index, false)
      }),
    )
  })
  if (!isPlain || written.size === 0 || !found.every((u) => u !== undefined)) return undefined
  // what an iteration reads of rows that the loop never writes to is there before it
  const stored = found.filter((_, n) => isStored[n]),
    met = found.filter((u) => stored.some((v) => v.array === u.array && !areRowsApart(u, v))),
    isApart = (u: Use): boolean => stored.every((v) => v.array !== u.array || areRowsApart(u, v))
  if (!found.every((u) => met.includes(u) || isApart(u))) return undefined
  const distances = met.map((u) => fromFirst(u, met.find((v) => v.array === u.array)!)) // there is this one
  return distances.every((d) => d !== undefined) ? commonDivisor(distances) : undefined
}

function useOf(
  loop: Loop,
  array: string,
  index: readonly Expr[],
  outer: ReadonlySet<string>,
  values: Values,
): Use | undefined {
  const forms = index.map((e) => values.form(e))
  if (!forms.every((f) => f !== undefined)) return undefined
  const moved = forms.flatMap((f, d) => (coefficient(f, loop.name) === 0 ? [] : [d])),
    [along, more] = moved
  if (along === undefined || more !== undefined) return undefined
  const slope = coefficient(forms[along]!, loop.name),
    rest = forms.map((f, d) => (d === along ? addScaled(f, affineName(loop.name), -slope) : f))
  const isFixed = (f: Affine): boolean => [...f.terms.keys()].every((n) => isOutside(n) || outer.has(n))
  return Math.abs(slope) === 1 && rest.every(isFixed) ? { array, along, slope, rest } : undefined
}

/** Whether two uses of one array are in rows that differ by a constant. */
const areRowsApart = (u: Use, v: Use): boolean =>
  u.along === v.along &&
  u.rest.some((f, d) => {
    const difference = addScaled(f, v.rest[d]!, -1) // of one array
    return d !== u.along && difference.terms.size === 0 && difference.constant !== 0
  })

/** Iterations from the use `first` of an element to the use `u`; `undefined` where they may be in different rows. */
function fromFirst(u: Use, first: Use): Affine | undefined {
  if (u.along !== first.along || u.slope !== first.slope) return undefined
  const isSameRow = u.rest.every((f, d) => d === u.along || sameAffine(f, first.rest[d]!)) // of one array
  return isSameRow ? addScaled(u.rest[u.along]!, first.rest[u.along]!, -1) : undefined
}

/** The largest constant, or the one form of sizes, of which all distances are multiples. */
function commonDivisor(distances: readonly Affine[]): Affine | undefined {
  const some = distances.filter((d) => d.constant !== 0 || d.terms.size > 0),
    [first] = some
  if (!first) return undefined
  if (some.every((d) => d.terms.size === 0)) {
    const by = some.reduce((n, d) => gcd(n, Math.abs(d.constant)), 0)
    return by < leastDistance ? undefined : affineConstant(by)
  }
  const isNegative = [...first.terms.values()][0]! < 0, // the first has terms, or is no multiple of one that has
    by = isNegative ? addScaled(affineConstant(0), first, -1) : first
  const isMultiple = (d: Affine): boolean => {
    const [name, c] = [...by.terms][0]! // as above
    const times = coefficient(d, name) / c
    return Number.isInteger(times) && sameAffine(d, addScaled(affineConstant(0), by, times))
  }
  return first.terms.size > 0 && some.every(isMultiple) ? by : undefined
}
