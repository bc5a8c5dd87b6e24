// In: a program, its planned sizes, a GPU. Out: the least time of the loop whose iterations wait longest for each
// other. The one idea: an iteration cannot begin before what it needs of the one before is there, so that a loop takes
// its iterations times the latency of its longest recurrence (the recurrence-constrained initiation interval of modulo
// scheduling; Rau, "Iterative Modulo Scheduling", 1994), and by the distance less where elements of an array are handed
// on over several iterations. Sums and linear recurrences are left out, which scans take in another order, and so is
// whatever conditions hand on.
import type { GpuProfile } from '../gpus/index.ts'
import { readsOf } from '../analysis/index.ts'
import {
  addScaled,
  affineOf,
  coefficient,
  eachStmt,
  isEndless,
  isFloat,
  mapStmtExprs,
  opRow,
  ownExprs,
  planValueIfKnown,
  readsArray,
  rewriteExpr,
  varsOf,
  type Expr,
  type Loop,
  type LoopStmt,
  type PlanValues,
  type Program,
} from '../ir/index.ts'
import { inTwoPasses } from '../transform/index.ts'

export interface RecurrenceBound {
  readonly ns: number
  readonly iterations: number
  /** The variable or the array that iterations hand on. */
  readonly variable: string
  /** How many iterations further. */
  readonly distance: number
  readonly line: number | null
}

/** The program as bounds are asked of it: planned sizes are no zeros, and a running mean is one that need not run. */
export const withoutRunningMeans = (source: Program): Program =>
  inTwoPasses({ ...source, sizes: source.sizes.map((s) => (s.counts ? { ...s, min: Math.max(1, s.min) } : s)) })

/** The longest recurrence; null where there is none. */
export function recurrenceBound(program: Program, values: PlanValues, gpu: GpuProfile): RecurrenceBound | null {
  let longest: RecurrenceBound | null = null
  eachStmt(program.body, (s) => {
    if (s.kind !== 'loop' || isEndless(s)) return
    const iterations = iterationsOf(s, values)
    if (iterations <= 1) return
    for (const { variable, name, body, distance } of [...scalarsCarried(s), ...elementsCarried(s)]) {
      const clocks = clocksBetween(body, name, gpu) ?? 0,
        ns = (1e9 * (iterations / distance) * clocks) / gpu.clockHz.value
      if (ns > (longest?.ns ?? 0)) longest = { ns, iterations, variable, distance, line: s.at?.line ?? null }
    }
  })
  return longest
}

/** Iterations that sizes alone say; 0 otherwise. */
function iterationsOf(l: Loop, values: PlanValues): number {
  const known = (e: Expr): number | undefined =>
    readsArray(e) || varsOf(e).size > 0 ? undefined : planValueIfKnown(e, values)
  const low = known(l.lower),
    high = known(l.upper)
  return low === undefined || high === undefined ? 0 : Math.max(0, Math.ceil((high - low) / l.step))
}

/** What iterations hand on: a scalar called `name` in `body`, which is `variable` in the program. */
interface Carried {
  readonly variable: string
  readonly name: string
  readonly body: readonly LoopStmt[]
  /** Iterations from the one that stores a value to the next that needs it. */
  readonly distance: number
}

/** Variables that are stored to in the loop and live around it. */
function scalarsCarried(l: Loop): readonly Carried[] {
  const own = new Set<string>(),
    stored = new Set<string>()
  eachStmt(l.body, (s) => {
    if (s.kind === 'declare') own.add(s.array.name)
    if (s.kind === 'store' && s.index.length === 0) stored.add(s.array)
  })
  return [...stored]
    .filter((name) => !own.has(name))
    .map((name) => ({ variable: name, name, body: l.body, distance: 1 }))
}

/** Elements that every iteration stores, once, and one a few iterations later reads. */
function elementsCarried(l: Loop): readonly Carried[] {
  const readThere = readsOf(l.body.flatMap((s) => (s.kind === 'store' ? ownExprs(s) : []))),
    stored = countsOf(l.body)
  return l.body.flatMap((s): readonly Carried[] => {
    if (s.kind !== 'store' || s.index.length === 0 || s.reduce || stored.get(s.array) !== 1) return []
    const far = readThere.flatMap((r) => (r.array === s.array ? (iterationsApart(l, s.index, r.index) ?? []) : [])),
      distance = Math.min(...far.filter((d) => d > 0))
    if (distance === Infinity) return []
    const name = `${s.array}@`
    const ofElement = (e: Expr): Expr =>
      rewriteExpr(e, (x) =>
        x.kind === 'read' && x.array === s.array && iterationsApart(l, s.index, x.index) === distance
          ? { ...x, array: name, index: [] }
          : undefined,
      )
    const body = l.body.map((x) => {
      const y = mapStmtExprs(x, ofElement)
      return x === s && y.kind === 'store' ? { ...y, array: name, index: [] } : y
    })
    return [{ variable: s.array, name, body, distance }]
  })
}

/** How many stores there are to each array. */
function countsOf(body: readonly LoopStmt[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  eachStmt(body, (s) => {
    if (s.kind === 'store') counts.set(s.array, (counts.get(s.array) ?? 0) + 1)
  })
  return counts
}

/** How many iterations of `l` after the store the element is read; undefined where that is no one number. */
function iterationsApart(l: Loop, stored: readonly Expr[], at: readonly Expr[]): number | undefined {
  const distances = stored.flatMap((e, d): readonly (number | undefined)[] => {
    const own = affineOf(e),
      other = affineOf(at[d]!) // as many
    const far = own && other && addScaled(own, other, -1)
    if (!far || far.terms.size > 0) return [undefined]
    const by = coefficient(own, l.name) * l.step
    return by === 0 ? (far.constant === 0 ? [] : [undefined]) : [far.constant / by]
  })
  const [first] = distances
  return first !== undefined && Number.isInteger(first) && distances.every((d) => d === first) ? first : undefined
}

/** How long after the variable's value the value of an expression is there, and whether it is a linear form of it. */
interface Path {
  readonly clocks: number
  readonly isLinear: boolean
}

/** Paths of locals from the variable; `null` where nobody knows. */
type Paths = ReadonlyMap<string, Path | null>

/** Clocks from the variable's value to its next; undefined where that is no recurrence, or one that scans take. */
function clocksBetween(body: readonly LoopStmt[], variable: string, gpu: GpuProfile): number | undefined {
  const paths = new Map<string, Path | null>([[variable, { clocks: 0, isLinear: true }]])
  for (const s of body) {
    switch (s.kind) {
      case 'declare':
        paths.delete(s.array.name)
        break
      case 'store': {
        if (s.index.length > 0) break
        const path = s.reduce ? null : pathOf(s.value, paths, gpu)
        if (path === undefined) paths.delete(s.array)
        else paths.set(s.array, path)
        break
      }
      case 'if':
      case 'loop':
        eachStmt([s], (x) => {
          if (x.kind === 'store' && x.index.length === 0) paths.set(x.array, null)
        })
    }
  }
  const path = paths.get(variable)
  return path && !path.isLinear ? path.clocks : undefined
}

/** The longest path to `e`; undefined where it does not hang on the variable, `null` where nobody knows. */
function pathOf(e: Expr, paths: Paths, gpu: GpuProfile): Path | null | undefined {
  const of = (x: Expr): Path | null | undefined => pathOf(x, paths, gpu)
  switch (e.kind) {
    case 'const':
    case 'var':
    case 'size':
    case 'scalar':
      return undefined
    case 'read': {
      if (e.index.length === 0) return paths.get(e.array)
      const place = longestOf(e.index.map(of))
      return place && { clocks: place.clocks + gpu.latency.shared.value, isLinear: false }
    }
    case 'choose':
      return [e.condition, e.then, e.else].every((x) => of(x) === undefined) ? undefined : null
    case 'op':
      return pathOfOp(e, of, gpu)
  }
}

/** The longest of some paths; `null` where one of them is not known. */
function longestOf(paths: readonly (Path | null | undefined)[]): Path | null | undefined {
  const hanging = paths.filter((p) => p !== undefined)
  if (hanging.length === 0) return undefined
  return hanging.reduce<Path | null>(
    (a, b) => a && b && { clocks: Math.max(a.clocks, b.clocks), isLinear: a.isLinear && b.isLinear },
    { clocks: 0, isLinear: true },
  )
}

type Op = Extract<Expr, { kind: 'op' }>

function pathOfOp(e: Op, of: (x: Expr) => Path | null | undefined, gpu: GpuProfile): Path | null | undefined {
  const isSum = e.op === 'add' || e.op === 'sub',
    isProduct = (x: Expr): x is Op => x.kind === 'op' && x.op === 'mul' && isFloat(x.type)
  // a product that is added at once is one operation
  const args = isSum ? e.args.flatMap((x) => (isProduct(x) ? x.args : [x])) : e.args,
    hanging = args.map(of).filter((p) => p !== undefined),
    longest = longestOf(args.map(of))
  if (!longest) return longest
  const { clocks, isLinear } = longest
  switch (e.op) {
    case 'convert':
    case 'bitcast':
    case 'copy':
      return { clocks, isLinear: isLinear && isFloat(e.type) === isFloat(e.args[0]!.type) } // it has one
    case 'add':
    case 'sub':
    case 'neg':
      return { clocks: clocks + gpu.latency.alu.value, isLinear: isLinear && e.args.every((x) => isLinearIn(x, of)) }
    case 'mul':
    case 'xor':
    case 'or':
      return { clocks: clocks + gpu.latency.alu.value, isLinear: isLinear && hanging.length === 1 }
    case 'and':
    case 'rem':
    case 'shl':
    case 'shr':
      return { clocks: clocks + gpu.latency.alu.value, isLinear }
    default:
      if (e.type === 'bool' || e.op === 'min' || e.op === 'max' || e.op === 'select') return null
      return { clocks: clocks + latencyOf(e, gpu), isLinear: false }
  }
}

/** Whether at most one side of a product hangs on the variable. */
const isLinearIn = (x: Expr, of: (y: Expr) => Path | null | undefined): boolean =>
  x.kind !== 'op' || x.op !== 'mul' || x.args.filter((y) => of(y) !== undefined).length <= 1

function latencyOf(e: Op, gpu: GpuProfile): number {
  const isFunction = isFloat(e.type) && (e.op === 'div' || opRow(e.op).class === 'sfu')
  return (isFunction ? gpu.latency.sfu : gpu.latency.alu).value
}
