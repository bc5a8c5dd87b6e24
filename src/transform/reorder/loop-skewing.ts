// In: perfectly nested loops that must run in order, such as those of Gauss and Seidel, or of Smith and Waterman. Out:
// how to skew them so that boxes of iterations can be tiles, when everything that they write is used a constant
// distance away. The one idea (Wolfe's loop skewing; Irigoin and Triolet's tiles): with no negative distances a box
// needs only boxes before it, and those whose positions add up to the same number can run together; with all distances
// positive along the last coordinate, so can the points of a box that have it in common.
import {
  addScaled,
  affineName,
  affineOf,
  registerType,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Idiom,
  type Skew,
  type WaveTiles,
  eachExpr,
  eachStmt,
  someStmt,
  ownExprs,
  perfectNest,
} from '../../ir/index.ts'

/** Distances beyond this leave no tile. */
const farthest = 8
/** Skews beyond this make tiles that are mostly corners. */
const steepest = 8

/** The part that stands for the loop; `undefined` when its iterations cannot be tiled so. */
export function waveTiled(program: Program, loop: Loop): Idiom | undefined {
  const form = wavesOfTiles(program, loop)
  return (
    form && {
      kind: 'idiom',
      body: [loop],
      why: `'${loop.name}' must run in order: a point reads what earlier points wrote`,
      parallel: 0,
      form,
    }
  )
}

function wavesOfTiles(program: Program, loop: Loop): WaveTiles | undefined {
  const { loops, body } = perfectNest(loop)
  const arrays = writtenIn(program, body)
  const rank = arrays?.[0]?.shape.length
  if (!arrays || !rank || rank > 2 || loops.length < 2 || loops.length < rank || loops.length > rank + 1)
    return undefined
  if (
    !arrays.every((a) => a.shape.length === rank && registerType(a.type) === a.type) ||
    !loops.every(isPlain) ||
    !isFlat(body)
  )
    return undefined
  const time = loops.length > rank ? loops[0] : undefined
  const space = loops.slice(loops.length - rank)
  const uses = pointUses(arrays, space, body)
  const skew = uses && skewOf(uses, time !== undefined)
  const column = space[rank - 1]! // as many loops as dimensions
  const near = readBeside(program, arrays, space, body)
  return skew && { kind: 'wave-tiles', time, row: rank === 2 ? space[0] : undefined, column, skew, arrays, near, body }
}

/** Arrays that `body` only reads, all near the point, as it uses those that it writes: costs of steps, right sides. */
function readBeside(
  program: Program,
  written: readonly ArrayDecl[],
  space: readonly Loop[],
  body: readonly LoopStmt[],
): readonly ArrayDecl[] {
  return program.arrays.filter(
    (a) =>
      a.space === 'global' &&
      a.shape.length === space.length &&
      space.length > 1 &&
      registerType(a.type) === a.type &&
      !written.includes(a) &&
      (pointUses([a], space, body) ?? []).length > 0,
  )
}

/** The arrays that `body` writes; `undefined` when it has others than global ones and scalars of its own. */
function writtenIn(program: Program, body: readonly LoopStmt[]): readonly ArrayDecl[] | undefined {
  const own = new Set<string>(),
    written = new Map<string, ArrayDecl>()
  let plain = true
  eachStmt(body, (s) => {
    if (s.kind === 'declare') {
      own.add(s.array.name)
      plain &&= s.array.shape.length === 0
    }
    if (s.kind !== 'store' || own.has(s.array)) return
    const array = program.arrays.find((a) => a.name === s.array)
    plain &&= array !== undefined && array.space === 'global' && !s.atomic
    if (array) written.set(array.name, array)
  })
  return plain ? [...written.values()] : undefined
}

const isFlat = (body: readonly LoopStmt[]): boolean => {
  return !someStmt(body, (s) => s.kind === 'loop')
}

function isPlain(l: Loop): boolean {
  const ofSizes = (e: Expr): boolean => {
    const a = affineOf(e)
    return a !== undefined && [...a.terms.keys()].every((n) => n.startsWith('$'))
  }
  return l.step === 1 && ofSizes(l.lower) && ofSizes(l.upper)
}

/** A use of a written array: how far from the point, by row (0 when there are none) and column. */
export interface Use {
  readonly array: string
  readonly write: boolean
  readonly row: number
  readonly column: number
}

/** All uses in `body` of `arrays`, indexed by the variables of `space`; `undefined` when some is not near the point. */
export function pointUses(
  arrays: readonly ArrayDecl[],
  space: readonly Loop[],
  body: readonly LoopStmt[],
): readonly Use[] | undefined {
  const names = new Set(arrays.map((a) => a.name))
  const out: (Use | undefined)[] = []
  const use = (array: string, index: readonly Expr[], write: boolean): void => {
    const far = index.map((e, d) => {
      const a = affineOf(e),
        rest = a && addScaled(a, affineName(space[d]!.name), -1)
      return rest && rest.terms.size === 0 && Math.abs(rest.constant) <= farthest ? rest.constant : undefined
    }) // a loop per dimension
    out.push(
      far.every((x): x is number => x !== undefined)
        ? { array, write, row: far.length === 2 ? far[0]! : 0, column: far[far.length - 1]! }
        : undefined,
    )
  }
  eachStmt(body, (s) => {
    if (s.kind === 'store' && names.has(s.array)) {
      use(s.array, s.index, true)
      if (s.reduce) use(s.array, s.index, false)
    }
    ownExprs(s).forEach((e) =>
      eachExpr(e, (x) => {
        if (x.kind === 'read' && names.has(x.array)) use(x.array, x.index, false)
      }),
    )
  })
  return out.every((u): u is Use => u !== undefined) ? out : undefined
}

/** The least skew; `undefined` when it is too steep. */
function skewOf(uses: readonly Use[], hasTime: boolean): Skew | undefined {
  const distances = uses.flatMap((p) =>
    uses.flatMap((q) =>
      p.array === q.array && (p.write || q.write) ? [{ row: p.row - q.row, column: p.column - q.column }] : [],
    ),
  )
  const same = distances.filter((d) => d.row > 0 || (d.row === 0 && d.column > 0)) // at the same time only forwards
  const columnRow = Math.max(0, ...same.filter((d) => d.row > 0).map((d) => Math.ceil((1 - d.column) / d.row)))
  const rowTime = hasTime ? Math.max(0, ...distances.map((d) => -d.row)) : 0
  const columnTime = hasTime
    ? Math.max(columnRow * rowTime, ...distances.map((d) => 1 - d.column - columnRow * d.row))
    : 0
  return Math.max(columnRow, rowTime, columnTime) <= steepest ? { rowTime, columnRow, columnTime } : undefined
}
