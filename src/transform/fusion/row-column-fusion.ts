// In: the regions of a program. Out: the same, where sums of the columns of an array follow sums of its rows and use
// what came out for their row alone, y = Aᵀ f(A x), as one part: a block that has read its rows for the first adds up
// its share of the columns while the rows are in its cache. (Sums that need nothing of each other gain nothing by that:
// they stand side by side in one launch.)
import {
  bytesOf,
  literal,
  loopVar,
  eachExpr,
  exprKey,
  rewriteExpr,
  sameExpr,
  substitute,
  pass,
  measuredChip,
  cacheShare,
  type ArrayDecl,
  type Expr,
  type Loop,
  type Program,
  type Crossed,
  type Nest,
  type Idiom,
  type Region,
  type Read,
  type Regions,
  type Chip,
} from '../../ir/index.ts'
import { planned } from '../../analysis/index.ts'
import { joinedNeighbours, partOfForm, regionsWithKernels, type RegionContext, withRegions } from './adjacent-fusion.ts'
import { rectangular } from '../normalize/bounding-box.ts'
import { insideOf, roleInRow, mentionsArray } from './row-fusion.ts'

// Before:
//
//   program p {
//     size n = 2048 min 1
//     size m = 2048 min 1
//     array x: f32[n, m] in global
//     array v: f32[m] in global
//     array a: f32[n] out global
//     array b: f32[m] out global
//     for i in 0 .. n {
//       declare s: f32[] temp private
//       s = 0.0f
//       for j in 0 .. m {
//         s += x[i, j] * v[j]
//       }
//       a[i] = s
//     }
//     for c in 0 .. m {
//       declare t: f32[] temp private
//       t = 0.0f
//       for k in 0 .. n {
//         t += x[k, c] * a[k]
//       }
//       b[c] = t
//     }
//   }
//
// After:
//
//   program p {
//     size n = 2048 min 1
//     size m = 2048 min 1
//     array x: f32[n, m] in global
//     array v: f32[m] in global
//     array a: f32[n] out global
//     array b: f32[m] out global
//     // form: crossed
//     for i in 0 .. n {
//       declare s: f32[] temp private
//       s = 0.0f
//       for j in 0 .. m {
//         s += x[i, j] * v[j]
//       }
//       a[i] = s
//     }
//     for c in 0 .. m {
//       declare t: f32[] temp private
//       t = 0.0f
//       for k in 0 .. n {
//         t += x[k, c] * a[k]
//       }
//       b[c] = t
//     }
//   }
export const rowColumnFusion = pass<Regions, RegionContext>({
  name: 'row-column-fusion',
  summary: 'sums of rows and sums of the columns of the same array are one launch that reads it once',
  of: regionsWithKernels,
  run: (given, { chip }) => withRegions(given, withCrossed(given.program, given.regions, chip)),
})

/** `regions` with sums of rows, and of columns that use them, put together, also inside of loops of the host. */
const withCrossed = (program: Program, regions: readonly Region[], chip: Chip = measuredChip): readonly Region[] =>
  joinedNeighbours(regions, (before, next) =>
    before.kind === 'nest' && next.kind === 'nest' ? crossed(program, before, next, chip) : undefined,
  )

/** Rows and columns from which on both reach all multiprocessors: 256 on an H200. */
const fewestOn = ({ multiprocessors }: Chip): number => (256 * multiprocessors) / measuredChip.multiprocessors
/**
 * Bytes of an array that stays in a second-level cache (40 MB on an H200): a larger one is read at the rate of memory
 * twice as it is once, by blocks that wait in between (16,384 × 8,192 on an H200: 246 µs, 256 in two launches).
 */
const mostBytesOn = (chip: Chip): number => 4e7 * cacheShare(chip)

function crossed(program: Program, before: Nest, next: Nest, chip: Chip): Idiom | undefined {
  const rows = rectangular(before),
    columns = rectangular(next),
    form = rows && columns && formOf(program, rows, columns, chip)
  return form && partOfForm(program, [before, next], form)
}

/** `undefined` when `rows` are no sums of rows, or `columns` none of the columns of what they read. */
function formOf(program: Program, rows: Nest, columns: Nest, chip: Chip): Crossed | undefined {
  const [row] = rows.parallel,
    [column] = columns.parallel,
    down = columns.reduction?.loops[0]
  if (
    roleInRow(rows, 1) !== 'sum' ||
    !row ||
    !column ||
    !down ||
    columns.parallel.length !== 1 ||
    columns.reduction!.loops.length !== 1 ||
    columns.guard ||
    columns.reduction!.guard
  )
    return undefined
  if (literal(down.lower) !== 0 || !sameExpr(down.upper, row.upper) || rows.reduction!.loops.length !== 1)
    return undefined
  const form: Crossed = { kind: 'crossed', rows, columns: withRow(columns, down, row) }
  const along = rows.reduction!.loops[0]!,
    shared = sharedArray(program, form, along, column)
  const extents = [row, column].map((l) => planned(program, l.lower, l.upper, 1)) as [number, number] // two in, two out
  return shared &&
    followRows(form) &&
    Math.min(...extents) >= fewestOn(chip) &&
    extents[0] * extents[1] * bytesOf[shared.type] <= mostBytesOn(chip)
    ? form
    : undefined
}

/** The sums of columns with the variable of the rows. */
function withRow(columns: Nest, down: Loop, row: Loop): Nest {
  const r = columns.reduction! // they are sums
  return {
    ...columns,
    reduction: { ...r, loops: [row], value: substitute(r.value, new Map([[down.name, loopVar(row.name)]])) },
  }
}

/** The array of which both read the same elements. */
function sharedArray(program: Program, { rows, columns }: Crossed, along: Loop, column: Loop): ArrayDecl | undefined {
  const places = (e: Expr, by: ReadonlyMap<string, Expr>): ReadonlyMap<string, Read> => {
    const out = new Map<string, Read>()
    eachExpr(substitute(e, by), (x) => {
      if (x.kind === 'read' && x.index.length > 1) out.set(exprKey(x), x)
    })
    return out
  }
  const first = places(rows.reduction!.value, new Map([[along.name, loopVar(column.name)]])),
    second = places(columns.reduction!.value, new Map()) // both are sums
  const key = [...first.keys()].find((k) => second.has(k))
  return key === undefined ? undefined : program.arrays.find((a) => a.name === first.get(key)!.array)
}

/** Columns use what came out for their row, and for no other; rows use nothing of the columns. */
function followRows({ rows, columns }: Crossed): boolean {
  const from = rows.out.array,
    at = rows.out.index.map(exprKey).join(),
    r = columns.reduction! // they are sums
  const others = rewriteExpr(r.value, (x) =>
    x.kind === 'read' && x.array === from.name && x.index.map(exprKey).join() === at
      ? loopVar(rows.parallel[0]!.name)
      : undefined,
  ) // rows have a loop
  return (
    from.name !== columns.out.array.name &&
    mentionsArray([r.value], from) &&
    !mentionsArray([others, r.init, columns.out.value], from) &&
    !mentionsArray([r.value], columns.out.array) &&
    !mentionsArray([...insideOf(rows), rows.out.value], columns.out.array)
  )
}
