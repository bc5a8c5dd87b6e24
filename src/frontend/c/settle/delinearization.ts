// In: a lowered program with arrays of unknown extent. Out: the program with all shapes and roles. The one idea: a flat
// subscript is taken apart into several only when every access allows it and the inner indices provably stay in range;
// the first extent is then the largest index that the loops reach, plus one. What cannot be known is refused by name.
import { loweredC } from '../lower/lowered.ts'
import {
  DiagnosticError,
  inapplicable,
  isInapplicable,
  type Diagnostic,
  type Inapplicable,
} from '../../../base/index.ts'
import {
  accesses,
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  coefficient,
  disjuncts,
  endsOnStep,
  extreme,
  feasible,
  affineConditionOf,
  sizeDomain,
  gcd,
  implies,
  int,
  isNonNegative,
  isNeverNegative,
  literal,
  mayDivideByZero,
  loopVar,
  mapStmts,
  namesOf,
  ofSizes,
  op,
  signedSizes,
  sub,
  sizeOf,
  replaceVariables,
  usedNames,
  withPowers,
  withQuotients,
  withoutQuotients,
  coefficients,
  conditionsOf,
  hasOnlySizes,
  notNegative,
  withConditions,
  divide,
  leading,
  plusScaled,
  polynomialExpr,
  polynomialOf,
  polynomialProduct,
  toAffine,
  toExpr,
  pass,
  symbolsOf,
  type Access,
  type Affine,
  type ArrayDecl,
  type Constraint,
  type Expr,
  type Loop,
  type Program,
  type Size,
  type Polynomial,
  type Quotients,
  type Signed,
} from '../../../ir/index.ts'
import { withPlaces, withPlannedSteps } from './access-steps.ts'
import { radicesOf, withDigits, type How } from './mixed-radix-loops.ts'
import { exactQuotient, reachOf, distinctSizes, type Top } from './extent-inference.ts'
import { plannedLength } from './sizes/planned-lengths.ts'
import type { LoweredFunction } from '../lower/function.ts'
import { promotedLocals } from './values/narrow-locals.ts'
import { narrowReductions } from './values/minmax-recognition.ts'
import { withinOf, type Within } from './ranges/clamped-indices.ts'
import { rolesOf } from './array-roles.ts'
import { unitQuotientSteps } from './quotient-steps.ts'
import {
  oneAfterOther,
  withProductSizes,
  withWholeParts,
  withWholeQuotients,
  withWholeRounds,
  wholeStrips,
  type Identified,
} from './size-identities.ts'

// Before:
//
//   void f(int n, int m, const float *a, float *b) {
//     for (int i = 0; i < n; i++)
//       for (int j = 0; j < m; j++) b[i * m + j] = a[j * n + i];
//   }
//
// After:
//
//   program f {
//     size n = 1024 min 0 counts
//     size m = 1024 min 0 counts
//     array a: f32[m, n] in global
//     array b: f32[n, m] out global
//     for i in 0 .. n {
//       for j in 0 .. m {
//         b[i, j] = a[j, i]
//       }
//     }
//   }
export const delinearization = pass<LoweredFunction>({
  name: 'delinearization',
  summary: 'arrays get the dimensions and extents that their subscripts show',
  needs: ['accesses', 'affine implication'],
  of: loweredC,
  run: (lowered) => ({ ...lowered, program: settleShapes(lowered), open: new Set() }),
})

/** Finds shapes and roles. Throws a `DiagnosticError` for arrays whose size the program does not tell. */
export function settleShapes(lowered: LoweredFunction): Program {
  const flat = promotedLocals(narrowReductions(lowered.program)),
    program = inRowsOfSome({ ...lowered, program: flat }, lowered.standsBy ? 'prove' : 'assume'),
    lengths = new Lengths(lowered)
  const made = settled(program, lowered, lengths)
  if (isRefusal(made)) throw new DiagnosticError(made)
  if (conditionsOf(program).length === conditionsOf(flat).length) return made
  // the program with what rows its arrays have whatever sizes are, where its lengths tell how long they are
  const rows = inRowsOfSome({ ...lowered, program: flat }, 'prove'),
    takesAll = rows.sizes.every((s, i) => s.min === flat.sizes[i]?.min) // of the sizes of `flat`, in their order
  const otherwise = settled(takesAll ? rows : flat, lowered, lengths)
  if (isRefusal(otherwise)) return made
  const sizes = [...flat.sizes, ...lengths.made].filter((s) => [made, otherwise].some((p) => hasSize(p, s.name)))
  const both = (p: Program, other: Program): Program => ({
    ...p,
    sizes: sizes.map((s) => [...p.sizes, ...other.sizes].find((x) => x.name === s.name)!), // one of them has it
    arrays: p.arrays.map((a) => ({
      ...a,
      role: wider(
        a,
        other.arrays.find((x) => x.name === a.name),
      ),
    })),
  })
  return { ...both(made, otherwise), otherwise: both(otherwise, { ...made, sizes: [...flat.sizes, ...lengths.made] }) }
}

const hasSize = (p: Program, name: string): boolean => p.sizes.some((s) => s.name === name)

/** The role of an array of two programs, of which the other may leave it as it is. */
export function wider(a: ArrayDecl, b: ArrayDecl | undefined): ArrayDecl['role'] {
  if (!b) return a.role === 'out' ? 'inout' : a.role
  return a.role === b.role ? a.role : 'inout'
}

/** Everything that is wrong with the arrays of a program. */
type Refusal = readonly Diagnostic[]

const isRefusal = (x: Program | Refusal): x is Refusal => Array.isArray(x)

/** `program` with shapes and roles; what does nothing elsewhere has them too. */
function settled(program: Program, lowered: LoweredFunction, lengths: Lengths): Program | Refusal {
  const shaped = closed(program, lowered, lengths)
  if (isRefusal(shaped)) return shaped
  const made = withRoles(shaped),
    { otherwise } = made
  return otherwise
    ? { ...made, otherwise: { ...otherwise, sizes: made.sizes, arrays: made.arrays.map(withoutQuotient) } }
    : made
}

/** The array where nothing is done: empty, if its extents divided by what may be 0. */
const withoutQuotient = (a: ArrayDecl): ArrayDecl =>
  a.shape.some(mayDivideByZero) ? { ...a, shape: a.shape.map(() => int(0)) } : a

/** `program` with the first extents of arrays that have none. */
function closed(program: Program, lowered: LoweredFunction, lengths: Lengths): Program | Refusal {
  const diagnostics: Diagnostic[] = [],
    found = accesses(program)
  const arrays = program.arrays.map((a) => {
    if (!lowered.open.has(a.name)) return a
    const uses = found.filter((x) => x.array === a.name)
    const made = closeShape(program, a, uses) ?? lengths.withLength(a, program)
    if (!isInapplicable(made)) return made
    diagnostics.push(...made.inapplicable)
    return a
  })
  if (diagnostics.length > 0) return diagnostics
  return dropUnused({ ...program, sizes: [...program.sizes, ...lengths.made], arrays }, lowered.given)
}

/** Lengths of arrays that the caller says. */
class Lengths {
  readonly made: Size[] = []
  private readonly taken: Set<string>
  private readonly known = new Map<string, Expr>()

  constructor(private readonly lowered: LoweredFunction) {
    this.taken = namesOf(lowered.program)
  }

  /** `a` of `program` with its length for its first extent. */
  withLength(a: ArrayDecl, program: Program): ArrayDecl | Inapplicable {
    const length = this.of(a, program)
    return isInapplicable(length) ? length : { ...a, shape: [length, ...a.shape.slice(1)] }
  }

  private of(a: ArrayDecl, inRows: Program): Expr | Inapplicable {
    const before = this.known.get(a.name)
    if (before) return before
    const { planned: given } = this.lowered,
      { program } = withPowers(this.lowered.program, (base) => `${base}/`) // `1 << k` elements
    let name = `${a.name}_length`
    while (this.taken.has(name)) name += '_'
    this.taken.add(name)
    const planned =
      given.get(name)?.value ??
      plannedLength(inRows, a.name, Math.max(defaultLength, ...program.sizes.map((s) => s.planned)))
    if (!Number.isInteger(planned) || planned < 1)
      return inapplicable(
        'c.size',
        `the size ${name} = ${planned} is no positive 32-bit integer`,
        given.get(name)?.at ?? a.at,
      )
    this.made.push({ kind: 'given', name, min: 0, counts: true, planned })
    this.known.set(a.name, sizeOf(name))
    return sizeOf(name)
  }
}

/** Elements of an array whose length is a size of its own, where nothing else is planned. */
const defaultLength = 1024

/** Without what the source does not read, and without arrays that nothing is left of. */
function dropUnused(p: Program, given: ReadonlySet<string>): Program {
  const used = usedNames(p),
    isKept = (name: string): boolean => used.has(name) || given.has(name)
  return {
    ...p,
    sizes: p.sizes.filter((s) => isKept(s.name)),
    scalars: p.scalars.filter((s) => isKept(s.name)),
    arrays: p.arrays.filter((a) => used.has(a.name)),
  }
}

// ------------------------------------------------------------------------------------------------- delinearisation

/** With sizes for quotients that no name of C can meet. */
function quotientsApart(p: Program): Quotients {
  let n = 0
  return withQuotients(p, (base) => `${base}/${n++}`)
}

/**
 * All flat arrays taken apart that can be where what counts is at least 1. A subscript in rows is the same number where
 * rows are empty (`x[i * m]` at m = 0), and what is read there is of no use or outside of its array; what is written
 * there would be an element, so that such a size may not be 0 at all.
 */
function inRowsOfSome(lowered: LoweredFunction, how: How): Program {
  const { sizes } = lowered.program
  const some = delinearised({ ...lowered, program: { ...lowered.program, sizes: sizes.map(atLeastOne) } }, how)
  const taken = new Set(
    some.arrays.filter((a, i) => a.shape.length > lowered.program.arrays[i]!.shape.length).map((a) => a.name),
  ) // one for each
  const program = withConditions(
      { ...some, sizes },
      conditionsOf(some).filter((e) => !isKnown(e, sizes)),
    ),
    // quotients are sizes like others: what is below one of them stays in its row
    plain = quotientsApart(program).program,
    shapes = new Map(plain.arrays.map((a) => [a.name, a.shape]))
  const outside = accesses(plain).filter(
    (x) => x.kind === 'write' && taken.has(x.array) && !staysInRows(x, shapes.get(x.array)!),
  )
  const extents = new Map(program.arrays.map((a) => [a.name, a.shape.slice(1)])),
    needed = new Set(outside.flatMap((x) => extents.get(x.array)!.flatMap(distinctSizes)))
  if (needed.size === 0) return program
  return { ...program, sizes: program.sizes.map((s) => (needed.has(s.name) ? atLeastOne(s) : s)) }
}

/** Whether sizes keep a condition whatever they are. */
function isKnown(e: Expr, sizes: readonly Size[]): boolean {
  const form = affineConditionOf(e)
  return form !== undefined && implies(sizeDomain({ sizes, hostVariables: [] }).constraints, form)
}

/** The size where its 0 is refused. */
const atLeastOne = ({ counts, ...s }: Size): Size => (counts ? { ...s, min: Math.max(1, s.min) } : s)

/** Whether all subscripts but the first are below their extents. */
const staysInRows = (x: Access, shape: readonly Expr[]): boolean =>
  disjuncts(x.domain).every((known) =>
    shape.slice(1).every((e, d) => isNonNegative(sub(sub(e, int(1)), x.index[d + 1]!), known)),
  )

/** With sizes for quotients. */
function apart(p: Program): Identified {
  const { program, values } = quotientsApart(unitQuotientSteps(p))
  return { program, inSource: (made) => withoutQuotients(made, values) }
}

/** The same where what is divided is a multiple. */
function multiplesApart(p: Program): Identified | undefined {
  const { program, values } = quotientsApart(unitQuotientSteps(p)),
    whole = withWholeQuotients(program, values)
  return whole && { program: whole, inSource: (made) => withoutQuotients(made, values) }
}

/** All flat arrays taken apart that can be, in the terms of sizes in which most of them can. */
function delinearised(lowered: LoweredFunction, how: How): Program {
  const terms = [
    apart,
    oneAfterOther(apart, withProductSizes),
    oneAfterOther(withWholeRounds, apart),
    oneAfterOther(withPlannedSteps, apart),
    oneAfterOther(withPlaces, apart),
    multiplesApart,
    oneAfterOther(withWholeParts, (p) => multiplesApart(p) ?? apart(p)),
    ...wholeStrips(lowered.program).map((strips) => oneAfterOther(strips, apart)),
  ]
  const asked = conditionsOf(lowered.program).length
  let best: Pick<Taken, 'program' | 'left'> = { program: lowered.program, left: Infinity }
  for (const inTerms of terms) {
    const said = best.left === 0 ? undefined : inTerms(lowered.program)
    if (said && how === 'prove' && conditionsOf(said.program).length > asked) continue
    const made = said && inBestRows({ ...lowered, program: said.program }, how)
    if (made && made.left < best.left) best = { program: said.inSource(made.program), left: made.left }
  }
  return best.program
}

/** All flat arrays taken apart that can be. */
function inBestRows({ program, flat: plain, open }: LoweredFunction, how: How): Taken {
  const flat = new Set([
    ...plain,
    ...program.arrays.flatMap((a) =>
      a.shape.length > 1 && open.has(a.name) && accesses(program).some((x) => x.array === a.name && isFlat(x))
        ? [a.name]
        : [],
    ),
  ])
  const plainly = inBestRadices(program, flat, how),
    digits =
      plainly.left === 0
        ? program
        : radicesOf(program)
            .filter(isSymbolic)
            .reduce((p, radix) => withDigits(p, radix, how), program)
  // one array may have its rows only where counters of two loops are digits
  const apart = digits === program ? plainly : inBestRadices(digits, flat, how)
  return apart.left < plainly.left ? apart : plainly
}

/** The same, with counters as digits of what makes most of them possible. */
function inBestRadices(program: Program, flat: ReadonlySet<string>, how: How): Taken {
  let best = inRows(program, flat, how)
  const radices = [...flatOf(program, flat).flatMap((a) => stridesOf(program, a.all)), ...radicesOf(program)]
  for (const radix of radices.slice(0, maxRadices)) {
    // loops over all elements go along with the rows of others
    const digits = isSymbolic(radix) ? withDigits(best.taken, radix, how) : best.taken,
      other = digits === best.taken ? best : inRows(digits, flat, how)
    if (other.left < best.left) best = other
  }
  return best
}

/** A program with rows, what it was before, and how many accesses are left that are not linear. */
interface Taken {
  readonly taken: Program
  readonly program: Program
  readonly left: number
}

/** Row lengths that are tried for one array. */
const maxRadices = 8
const isSymbolic = (radix: readonly Polynomial[]): boolean =>
  radix.length > 1 && radix.slice(0, -1).every((s) => ofSizes(s) && !isConstant(s))

/** Arrays with one subscript that may be several, with how many rows of some length they have. */
function flatOf(
  p: Program,
  flat: ReadonlySet<string>,
): readonly { readonly name: string; readonly all: readonly Access[]; readonly rows: Rows }[] {
  const all = accesses(p),
    of = (name: string): readonly Access[] => all.filter((a) => a.array === name)
  const declared = declaredIn(p).filter((a) => a.shape.length > 0 && !flat.has(a.name) && of(a.name).some(isFlat))
  return [
    ...[...flat].map((name) => ({ name, all: of(name), rows: () => int(1) })),
    ...declared.map(({ name, shape: [length] }) => ({
      name,
      all: of(name),
      rows: (row: Polynomial) => rowsOf(length!, row),
    })), // one dimension at least
  ]
}

/**
 * Whether the first subscript may be several: of a flat array, or of one of structures, whose members are the last
 * dimension.
 */
const isFlat = ({ index: [first] }: Access): boolean =>
  first !== undefined && !affineOf(first) && openIndex(first).form !== undefined

/** `taken` with rows. */
function inRows(taken: Program, flat: ReadonlySet<string>, how: How): Taken {
  // An array whose subscripts read one that has its rows by now is asked anew how it is read.
  const program = flatOf(taken, flat).reduce((p, a) => {
    const all = p === taken ? a.all : accesses(p).filter((x) => x.array === a.name)
    return delinearise(p, a.name, all, a.rows, how)
  }, taken)
  return { taken, program, left: leftIn(program) }
}

/**
 * How many accesses are not linear, and as a fraction of one of them how many of arrays that are stored to are not even
 * where what they divide and what data choose are numbers like others: of `x[r / 2][c / 2]` it may be known that no two
 * iterations meet, of `x[r / 2 * w + c / 2]` not.
 */
function leftIn(program: Program): number {
  const all = accesses(program),
    isLinear = (e: Expr): boolean => {
      const { form } = openIndex(e)
      return form !== undefined && toAffine(form) !== undefined
    }
  const left = all.filter((a) => a.index.some((e) => !affineOf(e))),
    stored = new Set(all.flatMap((a) => (a.kind === 'write' ? [a.array] : [])))
  return left.length + left.filter((a) => stored.has(a.array) && !a.index.every(isLinear)).length / (all.length + 1)
}

const declaredIn = (p: Program): readonly ArrayDecl[] => {
  const locals: ArrayDecl[] = []
  mapStmts(
    p.body,
    (e) => e,
    (s) => {
      if (s.kind === 'declare') locals.push(s.array)
      return [s]
    },
  )
  return [...p.arrays, ...locals]
}

/** How many rows of `row` elements make `length`; undefined where some would be left over. */
function rowsOf(length: Expr, row: Polynomial): Expr | undefined {
  const all = polynomialOf(length),
    parts = all && divide(all, row)
  return parts?.remainder.size === 0 ? polynomialExpr(parts.quotient) : undefined
}

/** How many rows of so many elements an array has. */
type Rows = (row: Polynomial) => Expr | undefined

/** `p` with the flat array `name` given several dimensions, when its accesses allow it; else `p`. */
function delinearise(p: Program, name: string, all: readonly Access[], rows: Rows, how: How): Program {
  const plain = inDigits(p, name, all, rows) ?? divided(p, name, all, rows)
  return how === 'assume' && plain === p && all.some(isFlat) ? (inDigits(p, name, all, rows, plannedOf(p)) ?? p) : plain
}

/**
 * `p` with the flat array `name` given the rows of which all accesses are digits; undefined where there are none. With
 * `planned` sizes it may be that they are digits only where some conditions hold, as they do at these.
 */
function inDigits(
  p: Program,
  name: string,
  all: readonly Access[],
  rows: Rows,
  planned?: ReadonlyMap<string, number>,
): Program | undefined {
  const within = withinOf(p)
  for (const strides of stridesOf(p, all)) {
    const first = rows(strides[0]!) // at least the stride 1
    if (!first) continue
    const extents = strides
      .slice(1)
      .map((s, i) => divide(strides[i]!, s))
      .map((d) => (d.remainder.size === 0 ? toAffine(d.quotient) : undefined))
    const inner = extents.filter((e) => e !== undefined)
    const { assume, assumed } = assuming(planned)
    const splits = inner.length === extents.length ? splitAll(all, strides, inner, within, assume) : undefined
    if (!splits || assumed.length > mostAssumed) continue
    const made = rewriteIndices(p, name, [first, ...inner.map(affineExpr)], splits)
    return withConditions(made, assumed.map(notNegative))
  }
  return undefined
}

/** Conditions that one array may ask of sizes. */
const mostAssumed = 4

/** What keeps the forms that are assumed: those of sizes alone that are not negative where they are as planned. */
function assuming(planned: ReadonlyMap<string, number> | undefined): {
  readonly assume: Assume
  readonly assumed: readonly Affine[]
} {
  const assumed: Affine[] = []
  const assume: Assume = (form) => {
    if (!planned || !hasOnlySizes(form) || !(plannedValue(form, planned) >= 0)) return false
    // of two that differ in a number the lower one is all that is asked
    const at = assumed.findIndex((known) => addScaled(known, form, -1).terms.size === 0)
    if (at < 0) assumed.push(form)
    else if (form.constant < assumed[at]!.constant) assumed[at] = form
    return true
  }
  return { assume, assumed }
}

/**
 * An array that is written row by row, or read so by loops, and also read where data choose, outside of these loops
 * (`row[label]`), gets rows all the same: what cannot be taken apart is divided by the length of a row, which is exact
 * and lets the writes be told apart.
 */
function divided(p: Program, name: string, all: readonly Access[], rows: Rows): Program {
  const linear = all.filter((a) => polynomialOf(a.index[0]!) !== undefined),
    others = all.filter((a) => !linear.includes(a))
  const isSeldom = others.every((a) =>
    linear.some((b) => b.loops.length > a.loops.length && a.loops.every((l) => b.loops.includes(l))),
  )
  if (
    others.length === 0 ||
    others.some((a) => a.kind === 'write') ||
    (!isSeldom && linear.every((a) => a.kind === 'read'))
  )
    return p
  for (const strides of stridesOf(p, linear)) {
    const [row, one, more] = strides
    const extent = row && toAffine(row),
      length = extent && affineExpr(extent)
    const splits =
      length && one && !more && literal(length) === undefined
        ? splitAll(linear, strides, [extent], () => false)
        : undefined
    const first = rows(row!)
    if (!length || !splits || !first) continue
    const every = new Map(splits)
    for (const a of others)
      every.set(keyOf(a.index.slice(0, 1)), [op('div', [a.index[0]!, length]), op('rem', [a.index[0]!, length])])
    return rewriteIndices(p, name, [first, length], every)
  }
  return p
}

/** The digits of every subscript by its text; undefined when one cannot be split. */
function splitAll(
  all: readonly Access[],
  strides: readonly Polynomial[],
  inner: readonly Affine[],
  within: Within,
  assume = assumesNothing,
): Map<string, readonly Expr[]> | undefined {
  const splits = new Map<string, readonly Expr[]>()
  for (const a of all) {
    const index = splitIndex(a, strides, inner, within, assume),
      key = keyOf(a.index.slice(0, 1))
    const before = splits.get(key)
    // The same text under other loops may need another borrow: then there is no one answer for it.
    if (!index || (before && keyOf(before) !== keyOf(index))) return undefined
    splits.set(key, index)
  }
  return splits
}

function rewriteIndices(
  p: Program,
  name: string,
  shape: readonly Expr[],
  splits: ReadonlyMap<string, readonly Expr[]>,
): Program {
  const rewritten = (index: readonly Expr[]): readonly Expr[] => [
    ...splits.get(keyOf(index.slice(0, 1)))!,
    ...index.slice(1),
  ] // all accesses were split
  const shaped = (a: ArrayDecl): ArrayDecl => (a.name === name ? { ...a, shape: [...shape, ...a.shape.slice(1)] } : a)
  const body = mapStmts(
    p.body,
    (e) => (e.kind === 'read' && e.array === name ? { ...e, index: rewritten(e.index) } : e),
    (s) => [
      s.kind === 'store' && s.array === name
        ? { ...s, index: rewritten(s.index) }
        : s.kind === 'declare'
          ? { ...s, array: shaped(s.array) }
          : s,
    ],
  )
  return { ...p, arrays: p.arrays.map(shaped), body }
}

/** Places do not count. */
const keyOf = (index: readonly Expr[]): string =>
  JSON.stringify(index, (key, value: unknown) =>
    key === 'at' ? undefined : typeof value === 'bigint' ? `${value}` : value,
  )

const loopNames = (a: Access): ReadonlySet<string> => new Set(a.loops.map((l) => l.name))

/**
 * Candidates for the row lengths, each largest first and ending in 1: the symbolic coefficients of loop variables, with
 * at most one constant below them. None when a subscript is no polynomial with single loop variables in its terms.
 */
function stridesOf(program: Program, all: readonly Access[]): Polynomial[][] {
  const found = new Map<string, Polynomial>(),
    multiples = new Map<string, number>()
  const planned = plannedOf(program)
  for (const a of all) {
    const { form, chosen } = openIndex(a.index[0]!),
      split = form && coefficients(form, new Set([...loopNames(a), ...chosen.keys()]))
    if (!split) return []
    for (const stride of split.of.values()) {
      const length = positive(stride, planned),
        key = polynomialKey(length)
      found.set(key, length)
      if (!isConstant(stride)) multiples.set(key, gcd(content(stride), multiples.get(key) ?? 0))
    }
  }
  const ordered = [...found.values()].filter((s) => s.size > 0).sort(bySize)
  const symbolic: Polynomial[] = []
  for (const s of ordered.filter((x) => !isConstant(x))) {
    const rival = symbolic.findIndex((c) => leading(c)[0] === leading(s)[0])
    if (rival < 0) symbolic.push(s)
    else if (s.size < symbolic[rival]!.size) symbolic[rival] = s
  }
  const one: Polynomial = new Map([['', 1]])
  const constants = ordered.filter((s) => isConstant(s) && s.get('') !== 1).slice(0, maxConstants)
  // `i * n + (s - i)` steps by n − 1: the row may be what is left without the constant.
  const round = symbolic.map((s) => new Map([...s].filter(([key]) => key !== '')))
  const isRounded =
    round.some((s, i) => s.size !== symbolic[i]!.size) && new Set(round.map(polynomialKey)).size === round.length
  // Rows of 2 · w, or of several numbers each, as of colours: `(i * w + j) * 3 + c`.
  const whole = symbolic.map((s) => {
    const times = multiples.get(polynomialKey(s)) ?? 1
    return times > 1 ? new Map([...s].map(([factors, c]) => [factors, c * times])) : s
  })
  const isMultiple = whole.some((s, i) => s !== symbolic[i])
  return [
    ...(symbolic.length > 0 ? [[...symbolic, one]] : []),
    ...(isRounded ? [[...round, one]] : []),
    ...(isMultiple ? [[...whole, one], ...constants.map((c) => [...whole, c, one])] : []),
    ...constants.map((c) => [...symbolic, c, one]),
  ]
}

const isConstant = (p: Polynomial): boolean => p.size === 1 && p.has('')

/** The greatest number that divides all coefficients. */
const content = (p: Polynomial): number => [...p.values()].reduce((g, c) => gcd(Math.abs(c), g), 0)

const plannedOf = (p: Program): ReadonlyMap<string, number> => new Map(p.sizes.map((s) => [`$${s.name}`, s.planned]))

/** Different largest subscripts of one array that are compared. */
const maxTops = 100
/** Constant row lengths that are tried. */
const maxConstants = 6

/** The stride as the length that it is at the planned sizes: `h - r + 1` and not its negative. */
const positive = (p: Polynomial, planned: ReadonlyMap<string, number>): Polynomial => {
  const [, c] = leading(p)
  const size = Math.max(1, ...[...p.keys()].map((k) => (k === '' ? 0 : k.split('*').length)))
  const value = [...p].reduce(
    (sum, [key, n]) => sum + (key === '' ? n : key.split('*').reduce((x, name) => x * (planned.get(name) ?? NaN), n)),
    0,
  )
  // as it is said where it is 0 at the planned sizes; by the leading term where not all are sizes
  const sign = (Number.isNaN(value) ? c : value) < 0 ? -1 : 1
  // A constant multiple of a symbolic stride (`2*i*n`) steps over rows: the row is what it is a multiple of.
  const factor = isConstant(p) ? 1 : content(p)
  return size > 0 ? new Map([...p].map(([k, v]) => [k, (sign * v) / factor])) : p
}

function bySize(a: Polynomial, b: Polynomial): number {
  const [ka, ca] = leading(a),
    [kb, cb] = leading(b)
  const da = ka === '' ? 0 : ka.split('*').length,
    db = kb === '' ? 0 : kb.split('*').length
  return db - da || (da === 0 ? cb - ca : a.size - b.size)
}

/** The digits of one subscript, provably within `extents` but for the first; undefined when that fails. */
function splitIndex(
  a: Access,
  strides: readonly Polynomial[],
  extents: readonly Affine[],
  within: Within,
  assume: Assume,
): readonly Expr[] | undefined {
  const { form: whole, chosen } = openIndex(a.index[0]!)
  if (!whole) return undefined
  let rest = whole
  const digits: Affine[] = []
  const variables = new Set([...loopNames(a), ...chosen.keys()])
  for (const stride of strides) {
    const parts: { of: ReadonlyMap<string, Polynomial>; rest: Polynomial } | undefined = coefficients(rest, variables)
    if (!parts) return undefined
    let digit: Polynomial = new Map(),
      next: Polynomial = new Map()
    for (const [variable, c] of [...parts.of, ['', parts.rest] as const]) {
      const { quotient, remainder } = divide(c, stride)
      const name = new Map([[variable, 1]])
      digit = plusScaled(digit, product(name, quotient), 1)
      next = plusScaled(next, product(name, remainder), 1)
    }
    const form = toAffine(digit)
    if (!form) return undefined
    digits.push(form)
    rest = next
  }
  const bounds = [...chosen].flatMap(([name, e]) =>
    extents.flatMap((extent) =>
      offsetsOf(digits, name)
        .filter((more) => within(e, extent, a, more))
        .flatMap((more) => {
          const moved = addScaled(affineName(name), affineConstant(more), 1)
          return [{ form: moved }, { form: addScaled(addScaled(extent, moved, -1), affineConstant(1), -1) }]
        }),
    ),
  )
  const index = rest.size === 0 ? inRange(a, digits, extents, bounds, assume) : undefined
  return index?.map((e) => replaceVariables(e, chosen))
}

/** What is added to a name wherever it is a digit with a number, and 0: `x[r * d + j + 1]`. */
const offsetsOf = (digits: readonly Affine[], name: string): readonly number[] => [
  ...new Set([0, ...digits.filter((d) => d.terms.size === 1 && coefficient(d, name) === 1).map((d) => d.constant)]),
]

function product(name: Polynomial, p: Polynomial): Polynomial {
  const key = [...name.keys()][0]!
  return new Map([...p].map(([k, c]) => [[...(key ? [key] : []), ...(k ? k.split('*') : [])].sort().join('*'), c]))
}

/**
 * The subscript as a polynomial in which names stand for what data choose, as the row in `a[rows[i] * n + j]`, and
 * these.
 */
function openIndex(e: Expr): { readonly form: Polynomial | undefined; readonly chosen: ReadonlyMap<string, Expr> } {
  const chosen = new Map<string, Expr>(),
    names = new Map<string, string>()
  const open = (x: Expr): Expr => {
    if (x.type !== 'i32' || polynomialOf(x)) return x
    if (x.kind === 'op' && (x.op === 'add' || x.op === 'sub' || x.op === 'mul' || x.op === 'neg'))
      return { ...x, args: x.args.map(open) }
    const key = keyOf([x]),
      name = names.get(key) ?? `@${names.size}` // no name of C
    names.set(key, name)
    chosen.set(name, x)
    return loopVar(name)
  }
  return { form: polynomialOf(open(e)), chosen }
}

/** Whether a form of sizes may be taken to be at least 0; who says so asks for it at run time. */
type Assume = (form: Affine) => boolean

const assumesNothing: Assume = () => false

/**
 * Proves 0 ≤ digit < extent for all but the first digit, where `bounds` of what data choose hold, borrowing one from
 * the digit before where needed; or assumes of sizes what makes it so for all iterations of the loops around.
 */
function inRange(
  a: Access,
  digits: Affine[],
  extents: readonly Affine[],
  bounds: readonly Constraint[],
  assume: Assume,
): readonly Expr[] | undefined {
  const known = disjuncts(a.domain).map((c) => [...c, ...bounds]),
    holds = (e: Affine): boolean => known.every((c) => implies(c, e))
  for (let d = digits.length - 1; d > 0; d--) {
    const extent = extents[d - 1]!
    const fits = (by: number): boolean => {
      const x = addScaled(digits[d]!, extent, by)
      return holds(x) && holds(addScaled(addScaled(extent, x, -1), affineConstant(1), -1))
    }
    const by = [0, 1, -1].find(fits) ?? (isAssumed(a, digits[d]!, extent, holds, assume) ? 0 : undefined)
    if (by === undefined) return undefined
    digits[d] = addScaled(digits[d]!, extent, by)
    digits[d - 1] = addScaled(digits[d - 1]!, affineConstant(1), -by)
  }
  return digits.map(
    (form) =>
      toExpr(new Map([...form.terms, ...(form.constant === 0 ? [] : [['', form.constant] as const])])) ?? int(0),
  )
}

/** Whether 0 ≤ `digit` < `extent` holds, or at the ends of all loops by what is assumed. */
function isAssumed(
  a: Access,
  digit: Affine,
  extent: Affine,
  holds: (form: Affine) => boolean,
  assume: Assume,
): boolean {
  const low = extreme(digit, a.loops, 'low'),
    high = extreme(digit, a.loops, 'high')
  const room = high && addScaled(addScaled(extent, high, -1), affineConstant(1), -1),
    belowExtent = addScaled(addScaled(extent, digit, -1), affineConstant(1), -1)
  const isInside = (holds(digit) || (low && assume(low))) && (holds(belowExtent) || (room && assume(room)))
  return isInside === true
}

/** What a form of sizes is where they are as planned. */
const plannedValue = (form: Affine, planned: ReadonlyMap<string, number>): number =>
  [...form.terms].reduce((sum, [name, c]) => sum + c * (planned.get(name) ?? NaN), form.constant)

// -------------------------------------------------------------------------------------------------- first extents

/**
 * `a` with its first extent: the largest first index that any access reaches, plus one; undefined when nothing tells.
 */
function closeShape(p: Program, a: ArrayDecl, all: readonly Access[]): ArrayDecl | Inapplicable | undefined {
  const unique = new Map<string, { readonly top: Affine; readonly from: readonly Access[] }>()
  if (all.length === 0) return a
  for (const access of all) {
    const index = access.index[0] && affineOf(access.index[0])
    const top = index && extreme(index, access.loops, 'high')
    if (!index || !top)
      return closePolynomial(
        p,
        a,
        all.some((x) => x.kind === 'write'),
      )
    const exact = overshoots(access, index)
      ? closePolynomial(
          p,
          a,
          all.some((x) => x.kind === 'write'),
        )
      : undefined
    if (exact) return exact
    const best = tightened(access, index, top)
    const key = keyOf([affineExpr(best)])
    unique.set(key, { top: best, from: [...(unique.get(key)?.from ?? []), access] })
  }
  const tops = [...unique.values()]
  if (tops.length > maxTops)
    return inapplicable(
      'c.shape',
      `the size of ${a.name} cannot be found: its subscripts reach ${tops.length} different ends`,
      a.at,
      `declare it with its size, as in float ${a.name}[n]`,
    )
  // What reaches further only has to do so where the loops around have iterations.
  const kept = withoutLess(tops, (u, t) =>
    t.from.every((x) => implies(x.domain.constraints, addScaled(u.top, t.top, -1))),
  )
  const extent = kept.map((t) => affineExpr(addScaled(t.top, affineConstant(1), 1))).reduce((x, y) => op('max', [x, y]))
  return { ...a, shape: [extent, ...a.shape.slice(1)], isDerived: true }
}

/**
 * The first extent where some subscript is not linear: bounds of what it can be, where the program tells; subscripts
 * that nothing bounds are taken to stay below the others, or below the length that the caller's array has. Undefined
 * when no subscript tells, or none that a loop moves: then only the caller knows how far it reaches.
 */
function closePolynomial(p: Program, a: ArrayDecl, isWritten: boolean): ArrayDecl | undefined {
  const { tops, unknown, ranges } = reachOf(p, a.name, highestPolynomial)
  if (tops.length === 0 || (unknown !== 'none' && !ranges)) return undefined
  const all = eachOnce(tops),
    signed = signedSizes(symbolsOf(p))
  const partsOf = (x: Top): readonly Polynomial[] => (x.also ? [x.top, x.also] : [x.top])
  const kept = withoutLess(all, (y, x) =>
    partsOf(y).every((large) =>
      partsOf(x).some((small) => isNeverNegative(plusScaled(large, small, -1), signed, x.positive)),
    ),
  )
  if (kept.length === 0 || kept.length > maxTops) return undefined
  const extents = kept.map((x) =>
    partsOf(x)
      .map((top) => polynomialExpr(plusScaled(top, new Map([['', 1]]), 1)))
      .reduce((a, b) => op('min', [a, b])),
  )
  return {
    ...a,
    shape: [extents.reduce((x, y) => op('max', [x, y])), ...a.shape.slice(1)],
    ...((unknown === 'counted' || (unknown === 'data' && !isWritten)) && { isOpenEnded: true }),
    ...(unknown === 'none' && { isDerived: true }),
  }
}

/** The same subscript from several accesses once, with the sizes that are at least 1 wherever it is reached. */
function eachOnce(tops: readonly Top[]): readonly Top[] {
  const found = new Map<string, Top>()
  for (const x of tops) {
    const key = polynomialKey(x.top) + (x.also ? polynomialKey(x.also) : ''),
      before = found.get(key)
    const positive = before ? new Set([...before.positive].filter((name) => x.positive.has(name))) : x.positive
    found.set(key, { ...x, positive })
  }
  return [...found.values()]
}

/** `all` without those of which one of the rest is at least as large wherever they are reached. */
function withoutLess<T>(all: readonly T[], isAsLarge: (large: T, small: T) => boolean): readonly T[] {
  const answers = new Map<number, boolean>()
  const covers = (i: number, j: number): boolean => {
    const key = i * all.length + j,
      known = answers.get(key) ?? isAsLarge(all[i]!, all[j]!) // positions in `all`
    answers.set(key, known)
    return known
  }
  let kept = all.map((_, i) => i)
  const left: number[] = []
  for (const i of all.keys()) {
    const rest = kept.filter((j) => j !== i)
    if (![...left, i].every((x) => rest.some((j) => covers(j, x)))) continue
    kept = rest
    left.push(i)
  }
  return kept.map((i) => all[i]!)
}

const polynomialKey = (p: Polynomial): string => JSON.stringify([...p].sort())
/** More ends of loops whose steps may be negative are not compared. */
const mostEnds = 8

/**
 * As `extreme`; a loop is replaced by its end only where every term that it stands in grows with it, or falls, and by
 * both ends where a size that may be negative says which.
 */
export function highestPolynomial(
  index: Polynomial,
  loops: readonly Loop[],
  signed: Signed,
): readonly Polynomial[] | undefined {
  let forms: readonly Polynomial[] = [index]
  for (const loop of [...loops].reverse()) {
    const next = forms.map((form) => atEnds(form, loop, signed))
    if (!next.every((x) => x !== undefined)) return undefined
    forms = next.flat()
    if (forms.length > mostEnds) return undefined
  }
  return forms.every(ofSizes) ? forms : undefined
}

/** `form` where `loop` is at the end where it is largest, or at both. */
function atEnds(form: Polynomial, loop: Loop, signed: Signed): readonly Polynomial[] | undefined {
  const parts = coefficients(form, new Set([loop.name])),
    c = parts?.of.get(loop.name)
  if (!parts) return undefined
  if (!c) return [form]
  const isOpen = [...c.keys()].some((key) => key.split('*').some((name) => signed.has(name.slice(1)))),
    grows = [...c.values()].every((v) => v > 0),
    falls = [...c.values()].every((v) => v < 0)
  if (!isOpen && !grows && !falls) return undefined
  const last = endsOf(loop.upper)?.map((upper) => lastOf(loop, upper)),
    ends = [...(isOpen || grows ? [last] : []), ...(isOpen || falls ? [sidesOf(loop.lower)] : [])]
  return ends.every((end) => end !== undefined)
    ? ends.flat().map((end) => plusScaled(parts.rest, polynomialProduct(end, c), 1))
    : undefined
}

/** The value of the last iteration of a loop to `upper`. */
function lastOf({ lower, step }: Loop, upper: Polynomial): Polynomial {
  const one = new Map([['', 1]]),
    last = plusScaled(upper, one, -1),
    first = polynomialOf(lower)
  if (step === 1 || !first || !ofSizes(upper) || !ofSizes(first)) return last
  return plusScaled(first, exactQuotient(plusScaled(last, first, -1), step), step)
}

/**
 * Whether a loop in steps would be taken to reach further than it does: what is added to its variable (`x[i + j]` in
 * steps of 8 with j below 8) counts from the last step, and the end need not be one.
 */
const overshoots = ({ loops }: Access, index: Affine): boolean =>
  loops.some((l) => {
    if (l.step === 1 || coefficient(index, l.name) <= 0 || endsOnStep(l, affineOf(l.upper))) return false
    const added = addScaled(index, affineName(l.name), -coefficient(index, l.name)),
      most = extreme(added, loops, 'high')
    return most === undefined || most.constant > 0
  })

/** Polynomials one of which `e` is, whatever its conditions say; undefined when it is something else. */
function sidesOf(e: Expr): readonly Polynomial[] | undefined {
  const exact = polynomialOf(e)
  if (exact) return [exact]
  const parts =
    e.kind === 'choose'
      ? [e.then, e.else]
      : e.kind === 'op' && e.op === 'select'
        ? e.args.slice(1)
        : e.kind === 'op' && (e.op === 'min' || e.op === 'max')
          ? e.args
          : undefined
  const sides = parts?.map(sidesOf)
  return sides?.every((side) => side !== undefined) ? sides.flat() : undefined
}

/** Polynomials none of which `e` is above: of a minimum that of sizes, if one is. */
function endsOf(e: Expr): readonly Polynomial[] | undefined {
  if (e.kind === 'op' && e.op === 'min') {
    const all = e.args.map(endsOf)
    return all.find((x) => x?.every(ofSizes)) ?? (all.every((x) => x !== undefined) ? all.flat() : undefined)
  }
  if (e.kind === 'op' && e.type === 'i32' && (e.op === 'add' || e.op === 'sub') && !polynomialOf(e)) {
    const [a, b] = e.args as readonly [Expr, Expr] // it has two
    const by = polynomialOf(b),
      ends = by && endsOf(a)
    return ends?.map((x) => plusScaled(x, by!, e.op === 'add' ? 1 : -1)) // of one that there is
  }
  return sidesOf(e)
}

/** The least that guards over sizes, or a constant below `top`, keep `index` at or below. */
function tightened(access: Access, index: Affine, top: Affine): Affine {
  const { constraints } = access.domain
  let best = top
  for (const { form } of constraints) {
    const most = addScaled(form, index, 1)
    if (hasOnlySizes(most) && implies(constraints, addScaled(best, most, -1))) best = most
  }
  for (let n = 0; n < 64; n++) {
    const next = addScaled(best, affineConstant(1), -1)
    if (!implies(constraints, addScaled(next, index, -1))) return best
    // A domain that is empty implies anything.
    if (n === 0 && feasible(constraints) === 'empty') return affineConstant(0)
    best = next
  }
  return top
}

function withRoles(p: Program): Program {
  const { program, values } = quotientsApart(p)
  const { arrays, ...rest } = rolesOf(program)
  // What lies beyond the extents is the caller's before and after.
  const kept = arrays.map((a): ArrayDecl => (a.isOpenEnded && a.role === 'out' ? { ...a, role: 'inout' } : a))
  return withoutQuotients({ ...rest, arrays: kept }, values)
}
