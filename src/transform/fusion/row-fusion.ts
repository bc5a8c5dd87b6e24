// In: the regions of a program. Out: the same, where sums of rows, what is computed of their results, and single
// elements of the same rows that need each other or use the same elements are one part: the threads of a row make all,
// one after the other, in one launch. The one idea: what one of them uses of another is a result of its own row, which
// all of its threads have in a register, or the same element, which the same thread has just stored: elements are dealt
// out alike.
import {
  affineOf,
  coefficient,
  loopVar,
  type ArrayDecl,
  type Expr,
  type Loop,
  type Program,
  type Nest,
  type Other,
  type Region,
  type Rows,
  eachExpr,
  someExpr,
  exprKey,
  freshName,
  rewriteExpr,
  sameExpr,
  substitute,
  uses,
  pass,
  type Regions,
} from '../../ir/index.ts'
import { canonicalNest } from '../normalize/rebase.ts'
import { mentions, mentionsAny, planned, pointsOf, lateStart, rowOf, sameIndex } from '../../analysis/index.ts'
import { joinedNeighbours, partOfForm, regionsWithKernels, type RegionContext, withRegions } from './adjacent-fusion.ts'

// Before:
//
//   program p {
//     size n = 1024 min 1
//     size m = 1024 min 1
//     array x: f32[n, m] in global
//     array y: f32[n, m] out global
//     array a: f32[n] temp global
//     for i in 0 .. n {
//       declare s: f32[] temp private
//       s = 0.0f
//       for j in 0 .. m {
//         s += x[i, j]
//       }
//       a[i] = s
//     }
//     for i2 in 0 .. n {
//       for j2 in 0 .. m {
//         y[i2, j2] = x[i2, j2] / a[i2]
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 1024 min 1
//     size m = 1024 min 1
//     array x: f32[n, m] in global
//     array y: f32[n, m] out global
//     array a: f32[n] temp global
//     // form: rows
//     for i in 0 .. n {
//       declare s: f32[] temp private
//       s = 0.0f
//       for j in 0 .. m {
//         s += x[i, j]
//       }
//       a[i] = s
//     }
//     for i in 0 .. n {
//       for j in 0 .. m {
//         y[i, j] = x[i, j] / s
//       }
//     }
//   }
export const rowFusion = pass<Regions, RegionContext>({
  name: 'row-fusion',
  summary: 'what is computed of the sum of a row for the elements of the same row is made by the threads of that row',
  of: regionsWithKernels,
  run: (given, { kernels }) => {
    const { program, regions } = given
    return withRegions(
      given,
      withRows(program, regions, (form) => kernels.makesRows(program, form)),
    )
  },
})

/** Rows that keep a large device busy when a group of threads has each. */
const manyRows = 256

/**
 * Rows that leave most multiprocessors idle when a block has each, and terms of one that several blocks add up sooner,
 * although what needs the sum is another launch then.
 */
export const fewRows = 128,
  longRow = 2 ** 16

/**
 * `regions` with such computations of rows put together, also inside of loops of the host; `fits` says whether a
 * schedule takes the form.
 */
export const withRows = (
  program: Program,
  regions: readonly Region[],
  fits: (form: Rows) => boolean,
): readonly Region[] =>
  joinedNeighbours(regions, (before, next) => {
    const form = next.kind === 'nest' ? joinedRows(program, before, next) : undefined
    return form && fits(form) ? partOfForm(program, form.nests, form) : undefined
  })

/** Both as one form, if the second needs what the first makes of its own row alone, or uses the same elements of it. */
function joinedRows(program: Program, before: Nest | Other, next: Nest): Rows | undefined {
  const first =
    before.kind === 'nest'
      ? [canonicalOf(program, before)]
      : before.kind === 'idiom' && before.form.kind === 'rows'
        ? before.form.nests
        : []
  const [head] = first,
    last = canonicalOf(program, next) // which may turn loops around: all rows must count alike
  const sum = [...first, last].find((n) => n?.reduction),
    count = sum?.parallel.length
  if (!head || !last || count === undefined || [...first, last].some((n) => !n || n.guard || n.parallel.length < count))
    return undefined
  const nests = first as readonly Nest[], // asked above
    named = renamed(program, nests, last, count)
  const own = named && nests.every((n) => roleInRow(n, count)) ? withResults(nests, named, count) : undefined
  if (!own || !roleInRow(own, count)) return undefined
  const kept = nests.filter((n, i) => !isOverwritten(n, [...nests.slice(i + 1), own], count))
  if (!kept.every((n) => areApart(n, own, count)) || (own === named && !nests.some((n) => shareRow(n, own, count))))
    return undefined
  const form: Rows = { kind: 'rows', rows: count, nests: [...kept, own] }
  const needed = form.nests.every((n) => n.reduction) && own !== named,
    rows = head.parallel.slice(0, count).reduce((n, l) => n * planned(program, l.lower, l.upper, 1), 1)
  const isShared = rows <= fewRows && form.nests.some((n) => n.reduction && pointsOf(program, n).terms >= longRow)
  return (needed && !isShared) || rows >= manyRows ? form : undefined
}

/** A sum starts from nothing, so that what others use of it is its result. */
function canonicalOf(program: Program, part: Nest): Nest | undefined {
  const nest = part.before ? undefined : canonicalNest(program, part)
  return nest?.reduction ? lateStart(nest) : nest
}

/** Whether the last of `after` stores all that `n` does, and nothing reads it before or needs its accumulator. */
function isOverwritten(n: Nest, after: readonly Nest[], count: number): boolean {
  const last = after[after.length - 1]!,
    map = roleInRow(n, count) === 'map' // there is one
  return (
    last.out.array.name === n.out.array.name &&
    sameIndex(last.out.index, n.out.index) &&
    map === (roleInRow(last, count) === 'map') &&
    (!map || dealtAlike(n, last, count)) &&
    after.every(
      (x) =>
        !mentionsArray(expressions(x), n.out.array) &&
        !(n.reduction && mentionsArray(expressions(x), n.reduction.into)),
    )
  )
}

/** Over `rows` loops: a sum along memory, one element of a row, or all of its elements in a loop of their own. */
export function roleInRow(n: Nest, rows: number): 'sum' | 'single' | 'map' | undefined {
  if (n.guard || rows === 0 || n.parallel.length < rows) return undefined
  if (n.reduction)
    return n.parallel.length === rows &&
      rowOf(n) !== undefined &&
      !mentionsArray([...insideOf(n), n.out.value], n.out.array)
      ? 'sum'
      : undefined
  if (n.parallel.length === rows) return 'single'
  const last = n.out.index[n.out.index.length - 1],
    a = last && affineOf(last),
    column = n.parallel[rows]!
  return n.parallel.length === rows + 1 &&
    a &&
    coefficient(a, column.name) === 1 &&
    n.out.index.slice(0, -1).every((e) => !uses(e, column.name))
    ? 'map'
    : undefined
}

/** The loop along a row. */
const columnOf = (n: Nest, rows: number): Loop | undefined => (n.reduction ? rowOf(n) : n.parallel[rows])

/** The loops inside of a row. */
const insideLoops = (n: Nest, rows: number): readonly Loop[] => n.reduction?.loops ?? n.parallel.slice(rows)

/**
 * `next` over the rows of `nests`, along the same column where one of them has it, or through the same loops, with an
 * accumulator of its own; `undefined` when it has other rows.
 */
function renamed(program: Program, nests: readonly Nest[], next: Nest, count: number): Nest | undefined {
  const rows = nests[0]!.parallel.slice(0, count), // there is one
    others = next.parallel.slice(0, count)
  if (!rows.every((l, i) => sameExpr(l.lower, others[i]!.lower) && sameExpr(l.upper, others[i]!.upper)))
    return undefined // as many
  const inner = insideLoops(next, count),
    column = columnOf(next, count),
    same = column && nests.flatMap((n) => columnOf(n, count) ?? []).find((l) => alike(l, column))
  const twins = nests
    .map((n) => insideLoops(n, count))
    .find((list) => list.length === inner.length && list.every((l, i) => alike(l, inner[i]!)))
  const twinOf = (l: Loop): Loop | undefined => twins?.[inner.indexOf(l)] ?? (l === column ? same : undefined)
  const by = new Map([
    ...others.map((l, i) => [l.name, loopVar(rows[i]!.name)] as const),
    ...inner.flatMap((l) => {
      const twin = twinOf(l)
      return twin ? [[l.name, loopVar(twin.name)] as const] : []
    }),
  ])
  const name = (l: Loop): Loop => ({ ...l, name: twinOf(l)?.name ?? l.name })
  if (
    inner
      .map(name)
      .some((l, i, all) => rows.some((r) => r.name === l.name) || all.findIndex((m) => m.name === l.name) < i)
  )
    return undefined
  const r = next.reduction,
    into: ArrayDecl | undefined = r && { ...r.into, name: freshName(program, `${r.into.name}_${nests.length}`) }
  const f = (e: Expr): Expr =>
    substitute(
      rewriteExpr(e, (x) =>
        into && x.kind === 'read' && x.array === r!.into.name ? { ...x, array: into.name } : undefined,
      ),
      by,
    ) // an accumulator is of a sum
  const bounds = (l: Loop): Loop => ({ ...name(l), lower: f(l.lower), upper: f(l.upper) })
  return {
    ...next,
    parallel: [...rows, ...next.parallel.slice(count).map(bounds)],
    out: { ...next.out, index: next.out.index.map(f), value: f(next.out.value) },
    reduction: r &&
      into && {
        ...r,
        loops: r.loops.map(bounds),
        guard: r.guard && f(r.guard),
        init: f(r.init),
        value: f(r.value),
        into,
      },
  }
}

const alike = (a: Loop, b: Loop): boolean => sameExpr(a.lower, b.lower) && sameExpr(a.upper, b.upper)

/** Operations of an element that are made again sooner than the element is read again. */
const fewOperations = 16

/**
 * `next` with what it reads of results of `nests` as these are computed, from registers; `undefined` where memory would
 * have changed since.
 */
function withResults(nests: readonly Nest[], next: Nest, count: number): Nest | undefined {
  const stored = new Set([...nests, next].map((n) => n.out.array.name))
  let changed = false,
    possible = true
  const f = (e: Expr): Expr =>
    nests.reduceRight(
      (all, n, i) =>
        rewriteExpr(all, (x) => {
          if (
            x.kind !== 'read' ||
            x.array !== n.out.array.name ||
            nests.slice(i + 1).some((later) => later.out.array.name === x.array)
          )
            return undefined
          const map = roleInRow(n, count) === 'map',
            here = sameIndex(x.index, n.out.index) && !mentionsAny([n.out.value], [...stored])
          // from memory
          if (map && (!here || !dealtAlike(n, next, count) || operations(n.out.value) > fewOperations)) return undefined
          if (!here) {
            possible = false
            return undefined
          }
          changed = true
          return n.out.value
        }),
      e,
    )
  const r = next.reduction
  const made: Nest = {
    ...next,
    reduction: r && { ...r, guard: r.guard && f(r.guard), init: f(r.init), value: f(r.value) },
    out: { ...next.out, value: f(next.out.value) },
  }
  return possible ? (changed ? made : next) : undefined
}

function operations(e: Expr): number {
  let n = 0
  eachExpr(e, (x) => {
    if (x.kind === 'op') n++
  })
  return n
}

/** Whether nothing that one stores is used by the other but the same element by the same thread. */
function areApart(n: Nest, next: Nest, count: number): boolean {
  if (n.out.array.name === next.out.array.name)
    return (
      roleInRow(n, count) === 'map' &&
      roleInRow(next, count) === 'map' &&
      sameIndex(n.out.index, next.out.index) &&
      dealtAlike(n, next, count) &&
      ownOnly(n, next) &&
      ownOnly(next, n)
    )
  const [stores, later] = [mentionsArray(expressions(next), n.out.array), mentionsArray(expressions(n), next.out.array)]
  if (stores && (roleInRow(n, count) !== 'map' || !dealtAlike(n, next, count) || !ownOnly(n, next))) return false
  return !later || (roleInRow(next, count) === 'map' && dealtAlike(n, next, count) && ownOnly(next, n))
}

/** Whether threads have the same elements of a row in both. */
function dealtAlike(a: Nest, b: Nest, count: number): boolean {
  const [x, y] = [columnOf(a, count), columnOf(b, count)]
  return (
    x !== undefined &&
    y !== undefined &&
    x.name === y.name &&
    alike(x, y) &&
    [a, b].every((n) => !n.reduction || n.reduction.loops.length === 1)
  )
}

/** Whether `user` uses of what `n` stores the same element alone, where threads take elements. */
function ownOnly(n: Nest, user: Nest): boolean {
  const inside = user.reduction
    ? [user.reduction.value, ...(user.reduction.guard ? [user.reduction.guard] : [])]
    : [user.out.value]
  const isOther = (x: Expr): boolean =>
    x.kind === 'read' && x.array === n.out.array.name && !sameIndex(x.index, n.out.index)
  if (inside.some((e) => someExpr(e, isOther))) return false
  return !user.reduction || !mentionsArray([user.reduction.init, user.out.value], n.out.array)
}

/** Whether both use an element that the loop along the row chooses at the same place. */
function shareRow(a: Nest, b: Nest, count: number): boolean {
  const [x, y] = [columnOf(a, count), columnOf(b, count)]
  if (!x || !y || x.name !== y.name || !alike(x, y)) return false
  const rows = a.parallel.slice(0, count)
  const own = (n: Nest): readonly string[] =>
    placesOf(n)
      .filter((p) => p.index.some((e) => uses(e, x.name)) && rows.every((l) => p.index.some((e) => uses(e, l.name))))
      .map((p) => `${p.array} ${p.index.map(exprKey).join()}`)
  const first = new Set(own(a))
  return own(b).some((p) => first.has(p))
}

function placesOf(n: Nest): readonly { readonly array: string; readonly index: readonly Expr[] }[] {
  const found: { array: string; index: readonly Expr[] }[] = [{ array: n.out.array.name, index: n.out.index }]
  expressions(n).forEach((e) =>
    eachExpr(e, (x) => {
      if (x.kind === 'read') found.push({ array: x.array, index: x.index })
    }),
  )
  return found
}

/** What threads compute before the result of a row. */
export const insideOf = ({ reduction: r }: Nest): readonly Expr[] =>
  r ? [r.init, r.value, ...(r.guard ? [r.guard] : []), ...r.loops.flatMap((l) => [l.lower, l.upper])] : []

const expressions = (n: Nest): readonly Expr[] => [...insideOf(n), ...n.out.index, n.out.value]

export const mentionsArray = (list: readonly Expr[], array: ArrayDecl): boolean => mentions(list, array.name)
