// In: a program, its planned sizes, a GPU. Out: the least time of the loop whose iterations hand on an array: steps of
// a solver, of an automaton over many states, of a recurrent network. The one idea: where each element that an
// iteration leaves needs one that the iteration before left, the loop takes its iterations times the shortest such way
// (the critical path of its dependences; Kumar, "Measuring Parallelism in Computation-Intensive Programs", 1988).
// Where an iteration adds up what all elements became, either one multiprocessor does all of it, or multiprocessors
// hear of each other. Linear forms with constant coefficients are left out, which other orders take (summed areas), and
// so is what elements hand on to themselves alone, which scans take. Linear maps of few elements are composed by scans
// too, so that no such loop is bound by more than the compositions cost. What data decide is what some data make of it:
// a schedule is right for all.
import type { GpuProfile } from '../gpus/index.ts'
import { readsOf } from '../analysis/index.ts'
import {
  addScaled,
  affineConstant,
  affineExpr,
  affineOf,
  eachStmt,
  isEndless,
  isFloat,
  opRow,
  ownExprs,
  planValueIfKnown,
  readsArray,
  varsOf,
  type Affine,
  type Expr,
  type If,
  type Loop,
  type LoopStmt,
  type PlanValues,
  type Program,
  type Store,
} from '../ir/index.ts'
import type { RecurrenceBound } from './recurrence-bound.ts'

/** The loop that takes longest for what its iterations hand on in arrays; null where none does. */
export function iterationBound(program: Program, values: PlanValues, gpu: GpuProfile): RecurrenceBound | null {
  const counts = new Set(program.sizes.filter((s) => s.min >= 0).map((s) => `$${s.name}`))
  let longest: RecurrenceBound | null = null
  eachStmt(program.body, (s) => {
    const iterations = s.kind === 'loop' && !isEndless(s) ? (tripsOf(s, values) ?? 0) : 0
    if (s.kind !== 'loop' || iterations <= 1) return
    for (const [variable, carrier] of carriersOf(s)) {
      const way = new Iteration(s, variable, carrier, values, gpu, counts).way(),
        clocks = way ? Math.min(way.clocks + way.meeting, way.isCurved ? Infinity : composing(carrier, values, gpu)) : 0
      const ns = (1e9 * (iterations - 1) * clocks) / gpu.clockHz.value // the first needs nothing
      if (ns > (longest?.ns ?? 0)) longest = { ns, iterations, variable, distance: 1, line: s.at?.line ?? null }
    }
  })
  return longest
}

/**
 * Clocks in which the whole device composes the linear maps of two iterations, as a scan over iterations does: of the
 * shortest dimension, as the others may be apart, by the fastest product of matrices that is used (Strassen 1969).
 */
function composing(carrier: Box, values: PlanValues, { throughput, multiprocessors }: GpuProfile): number {
  const extents = carrier.map((r) => (r ? (knownValue(affineExpr(addScaled(r.to, r.from, -1)), values) ?? 0) : 0)),
    several = extents.filter((n) => n !== 1),
    elements = several.length === 0 ? 1 : Math.min(...several)
  return elements ** Math.log2(7) / (throughput.fp32.value * multiprocessors)
}

/** What sizes alone say; undefined of what iterations or data say. */
const knownValue = (e: Expr, values: PlanValues): number | undefined =>
  readsArray(e) || varsOf(e).size > 0 ? undefined : planValueIfKnown(e, values)

/** Iterations that sizes alone say. */
function tripsOf(l: Loop, values: PlanValues): number | undefined {
  const low = knownValue(l.lower, values),
    high = knownValue(l.upper, values)
  return low === undefined || high === undefined ? undefined : Math.max(0, Math.ceil((high - low) / l.step))
}

/** Elements from and to which subscripts go, in each dimension; `null`: where data say. */
type Box = readonly ({ readonly from: Affine; readonly to: Affine } | null)[]

/** The box of subscripts in these loops; undefined where it has holes or is no box. */
function boxOf(index: readonly Expr[], loops: readonly Loop[]): Box | undefined {
  const taken = new Set<string>(),
    box: (Box[number] | undefined)[] = index.map((e) => (readsArray(e) ? null : rangeOf(e, loops, taken)))
  return box.every((r) => r !== undefined) ? box : undefined
}

function rangeOf(e: Expr, loops: readonly Loop[], taken: Set<string>): Box[number] | undefined {
  const place = affineOf(e),
    mine = loops.filter((l) => place?.terms.has(l.name)),
    [l] = mine
  if (!place || mine.length > 1) return undefined
  if (!l) return { from: place, to: addScaled(place, affineConstant(1), 1) }
  const lower = affineOf(l.lower),
    upper = affineOf(l.upper)
  const isOwn = (x: Affine): boolean => loops.every((o) => !x.terms.has(o.name))
  if (place.terms.get(l.name) !== 1 || l.step !== 1 || taken.has(l.name)) return undefined
  if (!lower || !upper || !isOwn(lower) || !isOwn(upper)) return undefined
  taken.add(l.name)
  const rest = addScaled(place, { constant: 0, terms: new Map([[l.name, 1]]) }, -1)
  return { from: addScaled(lower, rest, 1), to: addScaled(upper, rest, 1) }
}

/** Whether all of `inner` is in `outer`, whatever the sizes are, of which `counts` are no less than 0. */
function isInside(inner: Box, outer: Box, counts: ReadonlySet<string>): boolean {
  const atLeast = (a: Affine, b: Affine): boolean => {
    const far = addScaled(a, b, -1)
    return far.constant >= 0 && [...far.terms].every(([name, c]) => c > 0 && counts.has(name))
  }
  return inner.every((r, d) => {
    const o = outer[d]
    return o !== undefined && o !== null && (r === null || (atLeast(r.from, o.from) && atLeast(o.to, r.to)))
  })
}

/** As it was in the iteration before. */
function before(box: Box, l: Loop): Box {
  const back = (x: Affine): Affine => ({ ...x, constant: x.constant - l.step * (x.terms.get(l.name) ?? 0) })
  return box.map((r) => r && { from: back(r.from), to: back(r.to) })
}

/** What an iteration leaves of each array: the box of its last store, which is made whatever the data are. */
function carriersOf(l: Loop): ReadonlyMap<string, Box> {
  const out = new Map<string, Box>()
  const walk = (stmts: readonly LoopStmt[], loops: readonly Loop[]): void =>
    stmts.forEach((s) => {
      if (s.kind === 'loop') walk(s.body, [...loops, s])
      if (s.kind === 'if') for (const side of [s.then, s.else]) walk(side, loops)
      if (s.kind !== 'store' || s.index.length === 0) return
      const box = boxOf(s.index, loops)
      if (box && !box.includes(null)) out.set(s.array, box)
      else if (!(s.reduce && out.has(s.array))) out.delete(s.array)
    })
  walk(l.body, [])
  return out
}

/** Integers that one instruction adds up. */
const mostAddends = 3

/** Iterations that a condition is asked in. */
const mostAsked = 4096

/** The way from what the iteration before left to a value. */
interface Way {
  readonly clocks: number
  /** Clocks that the largest sum over all elements takes beside its additions. */
  readonly meeting: number
  /** Not a linear form, of sums and products or of least and largest sums. */
  readonly isCurved: boolean
  /** With factors, and with terms, that differ from place to place. */
  readonly isVaried: boolean
  readonly isShifted: boolean
  /** From other elements than the one that it goes to. */
  readonly isMixed: boolean
  /** Of the least or largest of something. */
  readonly isExtreme: boolean
  /** From an element that data name. */
  readonly isDecided: boolean
  /**
   * Loops that move through elements on the way, and the iterations of all loops that a term uses; 0 where these are
   * not all elements.
   */
  readonly along: ReadonlyMap<string, number>
}

const start: Way = {
  clocks: 0,
  meeting: 0,
  isCurved: false,
  isVaried: false,
  isShifted: false,
  isMixed: false,
  isExtreme: false,
  isDecided: false,
  along: new Map(),
}

/** Whether no other order of the iterations makes what goes this way sooner. */
function isInOrder(way: Way): boolean {
  // terms are factors where least or largest sums are taken
  const hasFactors = way.isVaried || (way.isShifted && way.isExtreme)
  return way.isCurved || (way.isMixed && hasFactors)
}

/** The later of two, as what needs both waits for it; one that counts comes before one that does not. */
function later(a: Way | undefined, b: Way | undefined): Way | undefined {
  if (!a || !b) return a ?? b
  const isFirst = isInOrder(a) === isInOrder(b) ? a.clocks + a.meeting >= b.clocks + b.meeting : isInOrder(a),
    main = isFirst ? a : b
  return {
    ...main,
    isCurved: a.isCurved || b.isCurved,
    isVaried: main.isVaried,
    isExtreme: a.isExtreme || b.isExtreme,
    isShifted: main.isShifted,
    isDecided: a.isDecided || b.isDecided,
    isMixed: main.isMixed || a.isDecided || b.isDecided,
  }
}

/** Elements of an array that an iteration has stored by now. */
interface Stored {
  readonly box: Box | undefined
  readonly way: Way | undefined
}

class Iteration {
  private readonly stored = new Map<string, Stored[]>()
  /** Loops around the declaration of a local. */
  private readonly scope = new Map<string, number>()
  private readonly loops: Loop[] = []
  /** Arrays that conditions have asked. */
  private readonly decided = new Set<string>()
  /** Variables of the statement. */
  private used: ReadonlySet<string> = new Set()

  constructor(
    private readonly loop: Loop,
    private readonly variable: string,
    private readonly carrier: Box,
    private readonly values: PlanValues,
    private readonly gpu: GpuProfile,
    private readonly counts: ReadonlySet<string>,
  ) {}

  /** From an element of the variable to the one of the next iteration, at least; undefined where nobody knows. */
  way(): Way | undefined {
    this.walk(this.loop.body, undefined)
    const way = this.stored.get(this.variable)?.at(-1)?.way
    return way && isInOrder(way) ? way : undefined
  }

  /** `asked`: the way to the conditions around. */
  private walk(stmts: readonly LoopStmt[], asked: Way | undefined): void {
    for (const s of stmts)
      switch (s.kind) {
        case 'declare':
          this.scope.set(s.array.name, this.loops.length)
          this.stored.set(s.array.name, [])
          break
        case 'store':
          this.store(s, asked)
          break
        case 'if':
          this.branch(s, asked)
          break
        case 'loop':
          this.loops.push(s)
          this.walk(s.body, asked)
          this.loops.pop()
      }
  }

  /**
   * What a condition on carried values stores, or leaves, is known once the condition is. A condition on other data
   * holds for some data, if no condition before asked these; what one on places stores is not known.
   */
  private branch(s: If, asked: Way | undefined): void {
    this.used = varsOf(s.condition)
    const condition = this.wayOf(s.condition),
      chosen = condition && after({ ...condition, isExtreme: true }, this.gpu.latency.alu.value)
    if (!chosen && s.else.length === 0 && this.mayHold(s.condition)) return this.walk(s.then, asked)
    const always = this.behindFirst(s.condition)
    if (always !== undefined) return this.walk(always ? s.then : s.else, asked)
    const known = new Map([...this.stored].map(([name, list]) => [name, list.length]))
    for (const side of [s.then, s.else]) this.walk(side, asked ?? chosen)
    if (chosen) return
    for (const [name, list] of this.stored)
      this.stored.set(
        name,
        list.map((x, n) => (n < (known.get(name) ?? 0) ? x : unknown(x))),
      )
  }

  /** What a condition on the loop's variable alone is in all iterations but the first; undefined where it varies. */
  private behindFirst(condition: Expr): boolean | undefined {
    const trips = tripsOf(this.loop, this.values) ?? 0,
      isOwn = [...varsOf(condition)].every((name) => name === this.loop.name)
    if (!isOwn || readsArray(condition) || trips === 0 || trips > mostAsked) return undefined
    const low = planValueIfKnown(this.loop.lower, this.values) ?? 0 // it has iterations
    let all: boolean | undefined
    for (let n = 1; n < trips; n++) {
      const variables = { ...this.values.variables, [this.loop.name]: low + n * this.loop.step },
        one = planValueIfKnown(condition, { ...this.values, variables })
      if (one === undefined || (all !== undefined && all !== (one !== 0))) return undefined
      all = one !== 0
    }
    return all
  }

  private mayHold(condition: Expr): boolean {
    const data = readsOf([condition]).map((x) => x.array)
    const isNew = data.length > 0 && data.every((name) => !this.decided.has(name))
    for (const name of data) this.decided.add(name)
    return isNew
  }

  private store(s: Store, asked: Way | undefined): void {
    const list = this.stored.get(s.array) ?? [],
      last = list.at(-1)
    this.used = new Set(ownExprs(s).flatMap((e) => [...varsOf(e)]))
    const value = asked ?? this.wayOf(s.value),
      way = value && this.leaving(s, this.combined(s, value))
    const box = boxOf(s.index, this.loops)
    if (!s.reduce) list.push({ box, way })
    else if (box?.includes(null) && last) list.push({ box: last.box, way: later(last.way, way && mixed(way)) })
    else list.push({ box, way: later(this.read(s.array, s.index), way) })
    this.stored.set(s.array, list)
  }

  /** With the steps of a tree over all that the element is made of at once. */
  private combined(s: Store, value: Way): Way {
    const gone = this.goneAt(s).filter((l) => value.along.has(l.name)),
      terms = gone.reduce((n, l) => n * (tripsOf(l, this.values) ?? 1), 1),
      depth = Math.ceil(Math.log2(terms) / Math.log2(isFloat(s.value.type) ? 2 : mostAddends))
    const isOne = s.reduce !== null && depth === 0 && !(s.reduce === 'add' && isProduct(s.value))
    return after(
      {
        ...value,
        isExtreme: value.isExtreme || (s.reduce !== null && s.reduce !== 'add'),
        isCurved: value.isCurved || s.reduce === 'mul',
      },
      (isOne ? 1 : depth) * this.gpu.latency.alu.value,
    )
  }

  /** Loops around a store whose iterations are one element's; none where data may make elements of all. */
  private goneAt(s: Store): readonly Loop[] {
    if (s.index.some(readsArray)) return []
    const own = new Set(s.index.flatMap((e) => [...varsOf(e)])),
      inScope = this.scope.get(s.array) ?? 0
    return this.loops.filter((l, depth) => depth >= inScope && !own.has(l.name))
  }

  /** What goes to an element from all of a loop is what multiprocessors hear of, or one has it all. */
  private leaving(s: Store, way: Way): Way {
    const gone = new Set(this.goneAt(s).map((l) => l.name))
    const through = [...way.along].filter(([name]) => gone.has(name)),
      along = new Map([...way.along].filter(([name]) => !gone.has(name)))
    if (through.length === 0) return way
    // elements that keep their place are apart from each other
    const apart = this.loops.reduce((n, l) => n * (along.has(l.name) ? (tripsOf(l, this.values) ?? 1) : 1), 1),
      work = Math.max(...through.map(([, terms]) => terms)) / apart
    return { ...way, along, isMixed: true, meeting: Math.max(way.meeting, this.meetingOf(work)) }
  }

  /** Clocks in which `terms` of a sum are computed: by one multiprocessor, or by all, of which one hears of others. */
  private meetingOf(terms: number): number {
    const { multiprocessors, throughput, latency } = this.gpu,
      alone = terms / throughput.fp32.value
    return Math.min(alone, latency.l2.value / 2 + alone / multiprocessors)
  }

  private read(array: string, index: readonly Expr[]): Way | undefined {
    const box = boxOf(index, this.loops),
      last = this.stored.get(array)?.at(-1)
    if (!box) return undefined
    const source = last ? last.box : array === this.variable ? before(this.carrier, this.loop) : undefined,
      way = last ? last.way : start
    return source && way && isInside(box, source, this.counts)
      ? this.through(way, index, isInside(source, box, this.counts))
      : undefined
  }

  /** With the loops that the subscripts use; `isAll`: they move through all elements that there are. */
  private through(way: Way, index: readonly Expr[], isAll: boolean): Way {
    const names = new Set(index.flatMap((e) => [...varsOf(e)])),
      isDecided = index.some(readsArray)
    const terms = this.loops.reduce((n, l) => n * (this.used.has(l.name) ? (tripsOf(l, this.values) ?? 1) : 1), 1)
    const along = new Map(way.along)
    for (const l of this.loops) if (names.has(l.name)) along.set(l.name, isAll ? terms : 0)
    return { ...way, along, isDecided: way.isDecided || isDecided, isVaried: way.isVaried || isDecided }
  }

  private wayOf(e: Expr): Way | undefined {
    switch (e.kind) {
      case 'const':
      case 'var':
      case 'size':
      case 'scalar':
        return undefined
      case 'read': {
        const place = e.index.map((x) => this.wayOf(x)).reduce(later, undefined)
        return later(this.read(e.array, e.index), place && after(decided(place), this.gpu.latency.shared.value))
      }
      case 'choose': {
        const condition = this.wayOf(e.condition)
        return condition && after({ ...condition, isExtreme: true }, this.gpu.latency.alu.value)
      }
      case 'op':
        return this.wayOfOp(e)
    }
  }

  private wayOfOp(e: Op): Way | undefined {
    const { alu, sfu } = this.gpu.latency
    const ways = e.args.map((x) => this.wayOf(x)),
      way = ways.reduce(later, undefined),
      hasData = e.args.some((x, i) => !ways[i] && readsArray(x))
    if (!way || e.op === 'convert' || e.op === 'copy') return way
    switch (e.op) {
      case 'add':
      case 'sub': {
        // a product that is added at once is one operation
        const fused = e.args.map((x, i) => (isProduct(x) ? ways[i] && after(ways[i], -alu.value) : ways[i])),
          sum = fused.reduce(later, undefined) ?? way // there is one of them
        return after({ ...sum, isShifted: sum.isShifted || hasData }, alu.value)
      }
      case 'neg':
        return after(way, alu.value)
      case 'min':
      case 'max':
        // integers are added and compared at once
        return after({ ...way, isExtreme: true }, isFloat(e.type) ? alu.value : 0)
      case 'abs':
      case 'lt':
      case 'le':
      case 'gt':
      case 'ge':
        return after({ ...way, isExtreme: true }, alu.value)
      case 'mul': {
        const isCurved = way.isCurved || ways.every((w) => w)
        return after({ ...way, isVaried: way.isVaried || hasData, isCurved }, alu.value)
      }
      default:
        if (!isFloat(e.type)) return undefined
        if (e.op === 'div' && !ways[1]) return after({ ...way, isVaried: way.isVaried || hasData }, alu.value)
        return after({ ...way, isCurved: true }, (e.op === 'div' || opRow(e.op).class === 'sfu' ? sfu : alu).value)
    }
  }
}

/** `way` and `clocks` more. */
const after = (way: Way, clocks: number): Way => ({ ...way, clocks: way.clocks + clocks })

const unknown = (s: Stored): Stored => ({ ...s, way: undefined })

type Op = Extract<Expr, { kind: 'op' }>

const decided = (way: Way): Way => ({ ...way, isDecided: true, isVaried: true })

const mixed = (way: Way): Way => ({ ...way, isMixed: true, isVaried: true })

const isProduct = (e: Expr): e is Op => e.kind === 'op' && e.op === 'mul' && isFloat(e.type)
