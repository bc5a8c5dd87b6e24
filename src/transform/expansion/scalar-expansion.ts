// In: a program with local scalars. Out: the same with names that are unique, or with some of them as arrays that have
// an element per iteration of the loops around. The one idea: a scalar of its own for each iteration lets the loop
// around be split between the computation that sets it and the ones that use it.
import {
  addScaled,
  affineExpr,
  affineName,
  affineOf,
  plus,
  constantElements,
  literal,
  loopVar,
  registerType,
  constantExtent,
  hasOnlySizes,
  implies,
  sizeDomain,
  mapStmtExprs,
  namesOf,
  readsArray,
  readsIn,
  sets,
  pass,
  loopIR,
  symbolsOf,
  replaceReads,
  uses,
  type Affine,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'
import { planned, plannedBound } from '../../analysis/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     for i in 0 .. n {
//       declare s: f32[] temp private
//       s = x[i]
//       y[i] = s
//     }
//     for j in 0 .. n {
//       declare s: f32[] temp private
//       s = y[j]
//       y[j] = s * s
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     for i in 0 .. n {
//       declare s: f32[] temp private
//       s = x[i]
//       y[i] = s
//     }
//     for j in 0 .. n {
//       declare s2: f32[] temp private
//       s2 = y[j]
//       y[j] = s2 * s2
//     }
//   }
export const uniqueNames = pass({
  name: 'unique-names',
  summary: 'locals that share a name get names of their own',
  of: loopIR,
  run: uniqueLocals,
})

/** Every declared array under a name of its own. */
export function uniqueLocals(program: Program): Program {
  const taken = new Set<string>([...program.arrays, ...symbolsOf(program), ...program.scalars].map((x) => x.name))
  const all = namesOf(program)
  const fresh = (name: string): string => {
    let n = 2
    while (all.has(`${name}${n}`)) n++
    all.add(`${name}${n}`)
    return `${name}${n}`
  }
  const block = (body: readonly LoopStmt[]): readonly LoopStmt[] => {
    let out = body
    body.forEach((s, i) => {
      if (s.kind !== 'declare') return
      const name = taken.has(s.array.name) ? fresh(s.array.name) : s.array.name
      taken.add(name)
      if (name === s.array.name) return
      out = [
        ...out.slice(0, i),
        { ...s, array: { ...s.array, name } },
        ...out.slice(i + 1).map((x) => renamed(x, s.array.name, name)),
      ]
    })
    const inner = out.map((s): LoopStmt => {
      if (s.kind === 'loop') {
        const own = block(s.body)
        return own === s.body ? s : { ...s, body: own }
      }
      if (s.kind !== 'if') return s
      const then = block(s.then),
        otherwise = block(s.else)
      return then === s.then && otherwise === s.else ? s : { ...s, then, else: otherwise }
    })
    return inner.every((s, i) => s === body[i]) ? body : inner
  }
  const body = block(program.body)
  return body === program.body ? program : { ...program, body }
}

/** `from` called `to` in a statement and all in it. */
export function renamed(s: LoopStmt, from: string, to: string): LoopStmt {
  const f = (e: Expr): Expr => replaceReads(e, from, (x) => ({ ...x, array: to }))
  return replaceArray(mapStmtExprs(s, f), from, (x) => ({ ...x, array: to }))
}

type Store = Extract<LoopStmt, { kind: 'store' }>

function replaceArray(s: LoopStmt, array: string, f: (s: Store) => Store): LoopStmt {
  switch (s.kind) {
    case 'store':
      return s.array === array ? f(s) : s
    case 'loop':
      return { ...s, body: s.body.map((x) => replaceArray(x, array, f)) }
    case 'if':
      return {
        ...s,
        then: s.then.map((x) => replaceArray(x, array, f)),
        else: s.else.map((x) => replaceArray(x, array, f)),
      }
    case 'declare':
      return s
  }
}

// ── a scalar per iteration ────────────────────────────────────────────────────────────────────────────────────────

interface Place {
  readonly array: ArrayDecl
  /** With the extents of a box around their iterations, by name. */
  readonly loops: readonly Loop[]
  readonly extents: ReadonlyMap<string, Expr>
  /** A long sum beside other statements. */
  readonly beside: boolean
}

/**
 * Local scalars below top-level loops that are perfectly nested and count in steps of 1 between what sizes and the
 * loops around say; and long sums below a long loop that has other statements beside it, as a search for the nearest of
 * many has.
 */
function places(program: Program): readonly Place[] {
  const out: Place[] = []
  const visit = (at: LoopStmt, around: readonly Loop[], ends: readonly Around[], perfect: boolean): void => {
    const end = at.kind === 'loop' ? boxOf(program, at, ends) : undefined
    if (at.kind !== 'loop' || !end) return
    const loops = [...around, at],
      inside = [...ends, end],
      body = underGuards(at.body)
    for (const d of body)
      if (
        d.kind === 'declare' &&
        (d.array.shape.length === 0 || (hasRoom(program, d.array, inside) && body.some(isLong))) &&
        d.array.space === 'private' &&
        registerType(d.array.type) === d.array.type &&
        (perfect || isLongSum(program, inside, body, d.array.name))
      )
        out.push({
          array: d.array,
          loops,
          extents: new Map(inside.map((x) => [x.name, x.extent])),
          beside: !perfect,
        })
    const inner = body.filter((x) => x.kind !== 'declare')
    if (!inner.some((x) => x.kind === 'if'))
      for (const x of inner) visit(x, loops, inside, perfect && inner.length === 1)
  }
  for (const s of program.body) visit(s, [], [], true)
  return out
}

/** A loop, the greatest value that its end has, and an extent that is at least 1 and no less. */
interface Around {
  readonly name: string
  readonly end: Affine
  readonly extent: Expr
}

/** The loop with a box around its iterations; undefined where nothing says its end, or they may begin below 0. */
function boxOf(program: Program, l: Loop, around: readonly Around[]): Around | undefined {
  const upper = affineOf(l.upper)
  if (isRectangular(program, l)) return upper && { name: l.name, end: upper, extent: l.upper }
  const end = upper && l.step === 1 ? greatest(upper, around) : undefined,
    extent = end && extentOf(program, end),
    lower = affineOf(l.lower),
    first = lower && least(lower, around)
  const isKept = first !== undefined && implies(sizeDomain(program).constraints, first)
  return extent && isKept ? { name: l.name, end, extent } : undefined
}

/** An extent that is at least 1 where loops end at `end` at the latest; undefined where that may be below 0. */
export function extentOf(program: Program, end: Affine): Expr | undefined {
  const known = sizeDomain(program).constraints
  if (!implies(known, end)) return undefined
  return affineExpr(implies(known, plus(end, -1)) ? end : plus(end, 1))
}

/** The greatest value of an end that uses variables of the loops around, which are not negative. */
export function greatest(a: Affine, around: readonly Pick<Around, 'name' | 'end'>[]): Affine | undefined {
  let out: Affine = { constant: a.constant, terms: new Map() }
  for (const [name, c] of a.terms) {
    const outer = around.find((x) => x.name === name)
    if (!outer) {
      if (!name.startsWith('$')) return undefined
      out = addScaled(out, affineName(name), c)
    } else if (c > 0) out = addScaled(out, plus(outer.end, -1), c)
  }
  return out
}

/** What a beginning is where the variables of the loops around, which it grows with, are 0. */
function least(a: Affine, around: readonly Pick<Around, 'name'>[]): Affine | undefined {
  const isAround = (name: string): boolean => around.some((x) => x.name === name),
    terms = [...a.terms].filter(([name, c]) => !(isAround(name) && c > 0))
  return terms.every(([name]) => name.startsWith('$')) ? { constant: a.constant, terms: new Map(terms) } : undefined
}

/** Elements of a local array that lie apart, one for each iteration beside each other; more of them are rows. */
const mostElements = 16

/** Whether it has a loop of which sizes say the length: a thread that keeps the array runs all of that. */
const isLong = (s: LoopStmt): boolean => s.kind === 'loop' && (constantExtent(s) === undefined || s.body.some(isLong))

const fewElements = (a: ArrayDecl): boolean => constantElements(a.shape) <= mostElements

/** At most as many elements as fit in a thread's own memory without harm. */
export const fitsThread = (a: ArrayDecl): boolean => constantElements(a.shape) <= 256

/** Whether a local array has few elements, or as a row for each iteration no more than the largest arrays have. */
function hasRoom(program: Program, a: ArrayDecl, around: readonly Around[]): boolean {
  const rows = around.reduce((n, x) => n * plannedBound(program, x.extent), 1)
  return fewElements(a) || isAffordable(program, rows * elementsIn(program, a.shape))
}

/** What is expanded may have this many times the elements of the largest array, as layers of networks do. */
const mostTimes = 16

/** Whether an expanded array of so many elements is worth its memory. */
export const isAffordable = (program: Program, elements: number): boolean =>
  elements <= mostTimes * Math.max(...program.arrays.map((a) => elementsIn(program, a.shape)))

/** Elements of an array of this shape at the planned sizes. */
export const elementsIn = (program: Program, shape: readonly Expr[]): number =>
  shape.reduce((n, e) => n * plannedBound(program, e), 1)

/** Iterations of the loops around a sum, and terms of it, from which on a computation of all sums at once pays. */
const manySums = 16,
  manyTerms = 8

/** Whether a statement of `body` is a long sum into the scalar, of which `loops` have many. */
function isLongSum(program: Program, around: readonly Around[], body: readonly LoopStmt[], name: string): boolean {
  const extent = (l: Loop): number => planned(program, l.lower, l.upper, l.step)
  const terms = body.map((s) => sumInto(s, name)).find((x) => x !== undefined)
  if (!terms?.every((l) => isRectangular(program, l))) return false
  const count = terms.reduce((n, l) => n * extent(l), 1),
    elements = around.reduce((n, x) => n * plannedBound(program, x.extent), 1)
  return count >= manyTerms && elements >= manySums && isAffordable(program, elements)
}

/** What conditions on places alone keep from iterations, where a body is nothing else. */
function underGuards(body: readonly LoopStmt[]): readonly LoopStmt[] {
  const [only, more] = body
  return only?.kind === 'if' && !more && only.else.length === 0 && !readsArray(only.condition)
    ? underGuards(only.then)
    : body
}

/** The loops of a sum into the scalar, or of the best of some iterations or all, whatever else they do. */
function sumInto(s: LoopStmt, name: string): readonly Loop[] | undefined {
  const loops: Loop[] = []
  for (let at: LoopStmt | undefined = s; at; ) {
    if (at.kind === 'store')
      return loops.length > 0 && at.array === name && at.reduce && at.index.length === 0 ? loops : undefined
    if (at.kind === 'declare' || (at.kind === 'if' && at.else.length > 0)) return undefined
    if (at.kind === 'loop') loops.push(at)
    const inside: readonly LoopStmt[] = at.kind === 'loop' ? at.body : at.then,
      [only, more] = inside.filter((x) => sets([x], name))
    const isReadBeside = inside.some((x) => x !== only && readsIn([x]).some((r) => r.array === name))
    at = more || isReadBeside ? undefined : only
  }
  return undefined
}

/** It counts from a constant in steps of 1 to where sizes say. */
export function isPlain(l: Loop): boolean {
  const upper = affineOf(l.upper),
    lower = literal(l.lower)
  return (
    l.step === 1 &&
    lower !== undefined &&
    lower >= 0 &&
    upper !== undefined &&
    [...upper.terms.keys()].every((n) => n.startsWith('$'))
  )
}

/** It counts in steps of 1 between what sizes say, from nothing below 0: a step of elimination from `k + 1`. */
function isRectangular(program: Program, l: Loop): boolean {
  const upper = affineOf(l.upper),
    lower = affineOf(l.lower)
  return (
    isPlain(l) ||
    (l.step === 1 &&
      upper !== undefined &&
      lower !== undefined &&
      hasOnlySizes(upper) &&
      hasOnlySizes(lower) &&
      implies(sizeDomain(program).constraints, lower))
  )
}

/** Names of the scalars that `expandScalars` can expand. */
export const expandable = (program: Program): readonly string[] =>
  places(program).flatMap((p) => (fewElements(p.array) ? [p.array.name] : []))

/** Names of local arrays, which `expandScalars` can make rows of a matrix. */
export const localRows = (program: Program): readonly string[] =>
  places(program).flatMap((p) => (fewElements(p.array) ? [] : [p.array.name]))

/** Those of them that are long sums beside other statements. */
export const sumsBeside = (program: Program): readonly string[] =>
  places(program)
    .filter((p) => p.beside)
    .map((p) => p.array.name)

/** The program with the locals `names` as global temporaries with an element per iteration of the loops around. */
export function expandScalars(program: Program, names: readonly string[]): Program {
  return places(program)
    .filter((p) => names.includes(p.array.name))
    .reduce(expandOne, program)
}

/**
 * Loops in the order of an array's dimensions: a few sums of each element (the gates of a cell) lie in planes, so that
 * sums of neighbouring elements lie beside each other. Where many results read the places of a window that is pooled
 * (`x[2 * i + a]`), these stay beside each other, as they are read by tiles of a product.
 */
function inPlanes(program: Program, loops: readonly Loop[]): readonly Loop[] {
  const isShort = (l: Loop): boolean => (constantExtent(l) ?? Infinity) <= mostElements
  const isPlane = (l: Loop): boolean => isShort(l) && !isPooled(program, l, loops)
  return loops.every(isShort) ? loops : [...loops.filter(isPlane), ...loops.filter((l) => !isPlane(l))]
}

/** Results that read an element, from which on they are tiles of a product (`directConvolution` has fewer). */
const manyResults = 40

/** Whether the loop counts places of a window, which as many results read as tiles of a product have. */
function isPooled(program: Program, l: Loop, around: readonly Loop[]): boolean {
  const isLowDigit = (e: Expr): boolean => {
    const place = affineOf(e),
      step = place?.terms.get(l.name) ?? 0
    return step > 0 && around.some((m) => (place?.terms.get(m.name) ?? 0) > step)
  }
  return readsIn(l.body).some((r) => {
    const others = around.filter((m) => r.index.every((e) => !uses(e, m.name))),
      results = others.reduce((n, m) => n * planned(program, m.lower, m.upper, m.step), 1)
    return results >= manyResults && r.index.some(isLowDigit)
  })
}

function expandOne(program: Program, { array, loops, extents: boxes, beside }: Place): Program {
  const order = beside ? inPlanes(program, loops) : loops,
    iteration = order.map((l) => loopVar(l.name)),
    extents = order.map((l) => boxes.get(l.name)!) // one for each
  const along = <T>(own: readonly T[], around: readonly T[]): readonly T[] =>
    fewElements(array) ? [...own, ...around] : [...around, ...own]
  const wide: ArrayDecl = {
    ...array,
    shape: along(array.shape, extents),
    role: 'temp',
    space: 'global',
  }
  const f = (e: Expr): Expr => replaceReads(e, array.name, (x) => ({ ...x, index: along(x.index.map(f), iteration) }))
  const body = program.body.map((s) =>
    dropDeclare(
      replaceArray(mapStmtExprs(s, f), array.name, (x) => ({ ...x, index: along(x.index, iteration) })),
      array.name,
    ),
  )
  return { ...program, arrays: [...program.arrays, wide], body }
}

function dropDeclare(s: LoopStmt, name: string): LoopStmt {
  const without = (body: readonly LoopStmt[]): readonly LoopStmt[] =>
    body.filter((x) => x.kind !== 'declare' || x.array.name !== name).map((x) => dropDeclare(x, name))
  if (s.kind === 'loop') return { ...s, body: without(s.body) }
  return s.kind === 'if' ? { ...s, then: without(s.then), else: without(s.else) } : s
}
