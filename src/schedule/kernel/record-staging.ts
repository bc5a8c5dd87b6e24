// In: a kernel of a thread for each iteration, which uses records of its own: the members of a structure, the channels
// of a pixel, a small matrix. Out: the same where all threads of a block bring the records of the block into workgroup
// memory together, and take back what they changed. The one idea: records of neighbouring iterations lie side by side,
// so that what a block uses is one piece of memory, which neighbouring threads read as neighbours (coalescing through
// shared memory; Che, Sheaffer and Skadron, "Dymaxion", 2011). It leaves alone what iterations share.
import {
  accesses,
  add,
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  bytesOf,
  claimName,
  coefficient,
  div,
  eachStmt,
  implies,
  int,
  literal,
  loop as loopOf,
  loopVar,
  lt,
  mul,
  namesOf,
  nest,
  op,
  peelGuard,
  placedElsewhere,
  plus,
  read,
  readsArray,
  replaceLoops,
  store,
  substitute,
  withGuard,
  type Affine,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'
import { conditionOf, hasExposedReads, inequalityOf } from '../../analysis/index.ts'
import { dealt } from '../sketches/cyclic-distribution.ts'
import { boxesOf, type PromotedBox } from './scratchpad-promotion.ts'

/** Shorter records are loaded as vectors, or by the caches, as well. */
const fewestElements = 3

/** The loops of a kernel: over blocks and, in it, over the threads of a block, which have an iteration each. */
export interface IterationLoops {
  readonly block: string
  readonly thread: string
  /** Threads of a block. */
  readonly threads: number
}

/** Iterations, and what must hold for one of them to do anything, as far as no memory says it. */
interface Iterations extends IterationLoops {
  readonly body: readonly LoopStmt[]
  readonly guard: readonly Expr[]
  /** Nothing else must hold. */
  readonly isExact: boolean
}

interface Records {
  readonly box: PromotedBox
  /** The dimension in which records follow one another; those behind it are whole in each record. */
  readonly along: number
  /**
   * Elements from one record to the next in that dimension, below 0 where later iterations have those in front, and
   * elements of a record in the dimensions behind.
   */
  readonly step: number
  readonly inner: number
  /** Elements of a record that are copied, and places between copies of two: odd, so that banks differ. */
  readonly length: number
  readonly stride: number
  readonly copy: ArrayDecl
}

/** The kernel on copies of its records, the arrays of these, and the bytes of all copies; `undefined` without any. */
export function withRecords(
  program: Program,
  given: IterationLoops,
): { readonly program: Program; readonly arrays: readonly string[]; readonly bytes: number } | undefined {
  const loops = iterationsOf(program, given),
    records = loops ? recordsOf(program, loops) : [],
    bytes = records.reduce((n, r) => n + bytesOf[r.copy.type] * (literal(r.copy.shape[0]!) ?? Infinity), 0)
  if (!loops || records.length === 0) return undefined
  const body = placedElsewhere(program.body, (at) => {
    const r = records.find((x) => x.box.uses.has(at))
    return r && { array: r.copy.name, index: [placeIn(r, at, loops)] }
  })
  const staged = replaceLoops({ ...program, body }, loops.thread, (l) => [
    ...records.map((r): LoopStmt => ({ kind: 'declare', array: r.copy })),
    ...records.flatMap((r) => (isWrittenWhole(program, r, loops) ? [] : moved(r, loops, false))),
    l,
    ...records.flatMap((r) => (r.box.written ? moved(r, loops, true) : [])),
  ])
  return { program: staged, arrays: [...new Set(records.map((r) => r.box.array.name))], bytes }
}

function iterationsOf(program: Program, loops: IterationLoops): Iterations | undefined {
  let found: Iterations | undefined
  eachStmt(program.body, (s) => {
    if (s.kind !== 'loop' || s.name !== loops.thread) return
    const { guard, body } = peelGuard(s.body),
      known = guard.filter((c) => !readsArray(c))
    found = { ...loops, body, guard: known, isExact: known.length === guard.length }
  })
  return found
}

function recordsOf(program: Program, loops: IterationLoops): readonly Records[] {
  const bound = new Set<string>(),
    atomic = new Set<string>()
  eachStmt(program.body, (s) => {
    if (s.kind === 'loop' && (s.bind.kind === 'block' || s.bind.kind === 'thread')) bound.add(s.name)
    if (s.kind === 'store' && s.atomic) atomic.add(s.array)
  })
  const taken = namesOf(program)
  return boxesOf(program, bound).flatMap((box, _, all): readonly Records[] => {
    const layout = box.own && !atomic.has(box.array.name) ? layoutOf(box, loops) : undefined
    if (!layout || (hasGaps(box, layout) && all.some((b) => b !== box && b.array === box.array))) return []
    const stride = layout.length + 1 - (layout.length % 2),
      name = claimName(taken, `${box.array.name}_records`),
      shape = [int(loops.threads * stride)]
    return [{ ...layout, stride, box, copy: { name, type: box.array.type, shape, role: 'temp', space: 'shared' } }]
  })
}

/** Whether a record has elements that are copied and not used, which may be those of another box. */
const hasGaps = ({ array, extents }: PromotedBox, { along }: Pick<Records, 'along'>): boolean =>
  extents.some((n, d) => d > along && n !== literal(array.shape[d]!))

/** How records lie in memory; `undefined` where neighbouring iterations do not have neighbouring records. */
function layoutOf(box: PromotedBox, loops: IterationLoops): Omit<Records, 'box' | 'copy' | 'stride'> | undefined {
  const along = box.base.findIndex((f) => coefficient(f, loops.thread) !== 0),
    behind = box.array.shape.slice(along + 1).map((e) => literal(e))
  if (along < 0 || !box.base.slice(along + 1).every((f) => f.terms.size === 0)) return undefined
  if (!behind.every((n) => n !== undefined)) return undefined
  const base = box.base[along]!, // it is a dimension
    step = coefficient(base, loops.thread),
    inner = behind.reduce((a, b) => a * b, 1),
    extent = box.extents[along]!
  const isOneAfterAnother =
    Math.abs(step) >= extent &&
    coefficient(base, loops.block) === step * loops.threads &&
    Math.abs(step) * inner >= fewestElements
  return isOneAfterAnother ? { along, step, inner, length: extent * inner } : undefined
}

/** Where an element of the thread's record is in the copy. */
function placeIn(r: Records, at: readonly Expr[], loops: IterationLoops): Expr {
  // what lies in a box is affine
  const inRecord = at
    .slice(r.along)
    .reduce<Affine>(
      (n, e, d) =>
        addScaled(scaled(n, d === 0 ? 1 : lengthOf(r, r.along + d)), addScaled(affineOf(e)!, startOf(r, d), -1), 1),
      affineConstant(0),
    )
  return affineExpr(addScaled(inRecord, slotOf(r, loops), r.stride))
}

/** Which of the copies is the thread's: they lie as the records do. */
const slotOf = ({ step }: Records, { thread, threads }: IterationLoops): Affine =>
  step > 0 ? affineName(thread) : plus(affineName(thread, -1), threads - 1)

const scaled = (a: Affine, by: number): Affine => addScaled(affineConstant(0), a, by)

/** Elements of a dimension behind that of the records, which is a constant. */
const lengthOf = (r: Records, d: number): number => literal(r.box.array.shape[d]!)!

/** Where a record begins, `d` dimensions behind that of the records, in which it is whole. */
const startOf = (r: Records, d: number): Affine => (d === 0 ? r.box.base[r.along]! : affineConstant(0))

/** Whether every iteration writes all of its record before it reads any of it, so that nothing need be brought. */
function isWrittenWhole(program: Program, r: Records, loops: Iterations): boolean {
  const { array, base, extents } = r.box,
    names = extents.slice(r.along).map((_, d) => `%record${d}`),
    over = names.map((name, d): Loop => loopOf(name, int(d === 0 ? extents[r.along]! : lengthOf(r, r.along + d)), []))
  const at = [
    ...base.slice(0, r.along).map(affineExpr),
    ...names.map((name, d) => add(affineExpr(startOf(r, d)), loopVar(name))),
  ]
  const whole = nest(over, [store(r.copy, [int(0)], read(array, at))]),
    all = accesses({ ...program, body: [...loops.body, ...whole] })
  const own = all.filter((a) => a.array === array.name)
  return loops.isExact && !hasExposedReads(array, own, 0)
}

/** All records of a block into their copies, or `back`, by all of its threads. */
function moved(r: Records, loops: Iterations, back: boolean): readonly LoopStmt[] {
  const { box, copy, length, stride } = r,
    name = `${copy.name}_at`,
    at = loopVar(name)
  const there = [...box.base.slice(0, r.along).map(affineExpr), ...placesOf(r, at, loops)],
    here = [stride === length ? at : add(at, div(at, length))]
  const asked = loops.guard.filter((c) => inequalityOf(c) === undefined),
    slot = new Map([[loops.thread, div(at, length)]]),
    ofSlots = new Map([[loops.thread, substitute(affineExpr(slotOf(r, loops)), slot)]])
  const guard = [
    ...asked.map((c) => substitute(c, ofSlots)),
    ...box.where.map((f) => boundOn(ofSlot(f, r, loops), loops.thread, name, length)),
    ...insideOf(r, there),
  ]
  const over = loopOf(name, int(loops.threads * length), [])
  const element = back ? store(box.array, there, read(copy, here)) : store(copy, here, read(box.array, there))
  return dealt([over], withGuard(guard, [element]), loops.threads)
}

/** The subscripts of element `at` of all that are copied, from the dimension of the records on. */
function placesOf(r: Records, at: Expr, loops: IterationLoops): readonly Expr[] {
  const base = r.box.base[r.along]!, // it is a dimension
    step = Math.abs(r.step),
    others = addScaled(base, affineName(loops.thread, r.step), -1), // the slots are counted from their first
    first = affineExpr(r.step > 0 ? others : plus(others, r.step * (loops.threads - 1))),
    isDense = r.length === step * r.inner,
    inRecord = isDense ? at : op('rem', [at, int(r.length)]),
    record = isDense ? int(0) : mul(div(at, r.length), int(step))
  const along = add(first, add(record, r.inner === 1 ? inRecord : div(inRecord, r.inner)))
  let stride = r.inner
  const behind = r.box.array.shape.slice(r.along + 1).map((_, d) => {
    const n = lengthOf(r, r.along + 1 + d)
    stride /= n
    return op('rem', [stride === 1 ? at : div(at, stride), int(n)])
  })
  return [along, ...behind]
}

/** `f` for the thread whose copy is at the slot that it says the thread is. */
const ofSlot = (f: Affine, r: Records, loops: IterationLoops): Affine => {
  const c = coefficient(f, loops.thread)
  return addScaled(addScaled(f, affineName(loops.thread), -c), slotOf(r, loops), c)
}

/** `f ≥ 0` for the thread whose record element `at` of the copies belongs to. */
function boundOn(f: Affine, thread: string, at: string, length: number): Expr {
  const c = coefficient(f, thread),
    rest = scaled(addScaled(f, affineName(thread, c), -1), length)
  // t = ⌊at / length⌋: t ≤ a is at ≤ length · a + length − 1, and t ≥ −a is at ≥ −length · a
  if (c === -1) return conditionOf(plus(addScaled(rest, affineName(at), -1), length - 1))
  if (c === 1) return conditionOf(addScaled(rest, affineName(at), 1))
  return substitute(conditionOf(f), new Map([[thread, div(loopVar(at), length)]]))
}

/** What keeps places inside of the array where nothing else does. */
function insideOf(r: Records, there: readonly Expr[]): readonly Expr[] {
  const { array, base, extents, known } = r.box
  return array.shape.flatMap((e, d): readonly Expr[] => {
    if (d > r.along) return []
    const size = affineOf(e),
      room = size && plus(addScaled(size, base[d]!, -1), -extents[d]!) // a base and an extent per dimension
    return [
      ...(implies(known, base[d]!) ? [] : [op('ge', [there[d]!, int(0)])]),
      ...(room && implies(known, room) ? [] : [lt(there[d]!, e)]),
    ]
  })
}
