// The fallback sketch for parallel loops that accepts everything: a thread per iteration of loops whose bodies stay as
// they are. It is slow and correct; the report says which loops stayed sequential and why.
import {
  accesses,
  bytesOf,
  loopVar,
  type LoopStmt,
  type PlanValues,
  type Program,
  type Other,
  claimName,
  constantExtent,
  eachStmt,
  someStmt,
  namesOf,
  peelGuard,
  perfectNest,
  replaceLoops,
  withGuard,
} from '../../ir/index.ts'
import { fail } from '../../base/index.ts'
import { planned } from '../../analysis/index.ts'
import { boxesOf, copiesOf, onCopies, wholeBox, type PromotedBox, type Kept } from '../kernel/scratchpad-promotion.ts'
import { guardsOutside, inGroups } from '../kernel/unroll-preload.ts'
import { unrolledRows } from '../kernel/row-unrolling.ts'
import { carried } from '../kernel/scalar-replacement.ts'
import { withRecords } from '../kernel/record-staging.ts'
import { inStrips } from '../kernel/strip-staging.ts'
import { hoisted } from '../kernel/loop-invariant-motion.ts'
import { fuse } from '../primitives/fuse.ts'
import { split } from '../primitives/split.ts'
import { bindAll, script, step, type Script } from '../script.ts'
import { writtenOut } from '../../transform/index.ts'
import { unrolled } from '../kernel/full-unrolling.ts'
import { dealt, fromZero } from './cyclic-distribution.ts'
import { sharedTerms, type TermsPoint } from './reduction/serial-terms.ts'
import { everything, inHand, inRegistersToo, together } from './single-thread.ts'
import { block, type Scheduled, type Sketch } from './sketch.ts'
import { fewPoints, type PerPoint } from './thread-per-point.ts'

/** Parameters of a thread per iteration. */
export type IterationPoint = PerPoint & {
  /** What threads use again stays: 0: in global memory, 1: in workgroup memory, 2: in registers, too; absent: 0. */
  readonly keep?: number
  /** Iterations of the innermost loop whose loads are asked for together; absent: each waits for its own. */
  readonly group?: number
}

/** Parameters of threads that walk along rows in strips. */
export type StripPoint = PerPoint & {
  readonly keep: 0
  /** Of a block. */
  readonly rows: number
  /** Of a strip. */
  readonly columns: number
  /** What the last strip loads ahead: 1: itself again, 2: nothing, by a branch. */
  readonly ahead: number
}

/** Parameters of threads that bring the records of their block into workgroup memory together. */
export type RecordPoint = PerPoint & {
  readonly keep: 0
  readonly records: 1
}

type AnyPoint = IterationPoint | StripPoint | RecordPoint | TermsPoint

const movesRecords = (p: AnyPoint): p is RecordPoint => 'records' in p && p.records === 1

const walksStrips = (p: AnyPoint): p is StripPoint => 'columns' in p && p.columns > 0

const sharesTerms = (p: AnyPoint): p is TermsPoint => 'shared' in p && p.shared === 1

/**
 * Where what threads use again is kept: in global memory and its caches, in workgroup memory, or there and in
 * registers.
 */
type Keep = 0 | 1 | 2

/** Outer loops that an analysis found parallel run one iteration per thread, their bodies as they are. */
export function perIteration(program: Program, part: Other): Sketch<AnyPoint> {
  const at = (keep: Keep): IterationPoint => ({ threads: 64, keep })
  const madeAt = (p: AnyPoint): Scheduled | undefined => {
    if (sharesTerms(p)) return sharedTerms(program, part, p.threads)
    if (walksStrips(p)) return walkingStrips(program, part, p)
    if (movesRecords(p)) return onRecords(program, part, p.threads)
    return p.group
      ? inOrderAhead(program, part, p.threads, p.group)
      : onePerIteration(program, part, p.threads, (p.keep ?? 0) as Keep)
  }
  const scheduledAt = (p: AnyPoint): Scheduled => {
    const made = madeAt(p) ?? fail('schedule.strips', 'no loop walks along rows')
    return { ...made, steps: [...made.steps, ...atomicWords(program, part)] }
  }
  const plain = onePerIteration(program, part, 64, 0).program
  const keeps: readonly Keep[] = boxesToKeep(plain, 64).length === 0 ? [0] : inRegisters(plain) ? [2, 1, 0] : [1, 0]
  const walks = !keeps.includes(2) // loops that are not written out may walk along rows
  const early: readonly IterationPoint[] =
    walks && inOrderAhead(program, part, 64, together)
      ? [together, together / 2].flatMap((group) => [32, 16, 8, 64].map((threads) => ({ threads, keep: 0, group })))
      : []
  const strips =
    walks && walkingStrips(program, part, strippable[0]!)
      ? strippable.filter((p) => p === strippable[0] || walkingStrips(program, part, p))
      : []
  const shared = sharedTerms(program, part, 64) ? sharing : [],
    records = recordPoints(program, part)
  return {
    name: 'per-iteration',
    vectorSizes: {},
    space: [
      ...shared,
      ...strips,
      ...records,
      ...early,
      ...keeps.flatMap((keep) => [16, 32, 64, 128, 256].map((threads) => ({ threads, keep }))),
    ],
    ladder: [
      { step: 'one thread per iteration of the parallel loops', point: at(0) },
      ...(keeps.includes(1)
        ? [{ step: 'what threads use again and again stays in workgroup memory', point: at(1) }]
        : []),
      ...(keeps.includes(2)
        ? [{ step: 'what one thread uses alone stays in its registers, all loops written out', point: at(2) }]
        : []),
      ...(early[0] ? [{ step: 'loads of several iterations are asked for at once', point: early[0] }] : []),
      ...(strips[0]
        ? [
            {
              step: 'threads walk along rows in strips that their block brings into workgroup memory and takes back',
              point: strips[0],
            },
          ]
        : []),
      ...(records[0]
        ? [{ step: 'the threads of a block bring their records into workgroup memory together', point: records[0] }]
        : []),
      ...(shared[0]
        ? [{ step: 'the threads of a block share the terms of an iteration, and add up in a tree', point: shared[0] }]
        : []),
    ],
    ...((walks || records.length > 0) && {
      likely: (_: PlanValues, multiprocessors: number) => [
        ...shared,
        ...strips,
        ...records,
        ...ofManyRounds(program, part, multiprocessors, early),
        ...early,
        ...spread(program, part, multiprocessors),
      ],
    }),
    ...(strips.length > 0 && {
      forCuda: (p: AnyPoint) => (walksStrips(p) ? { ...p, ahead: 2 } : p),
    }),
    build: (p) => ({ program, kernels: [scheduledAt(p)] }),
  }
}

/** What is said of additions that threads make to elements in which they meet. */
function atomicWords(program: Program, part: Other): readonly string[] {
  const added = new Set<string>()
  eachStmt(part.body, (s) => {
    if (s.kind === 'store' && s.atomic) added.add(s.array)
  })
  const ofFloats = program.arrays.some((a) => added.has(a.name) && a.type === 'f32')
  return [
    ...(added.size > 0 ? ['threads that meet in an element use atomics'] : []),
    ...(ofFloats ? ['floats are added as threads come: their last bits differ from run to run'] : []),
  ]
}

/** Blocks that share the terms of an iteration. */
const sharing = [64, 32, 128, 256].map((threads): TermsPoint => ({ threads, keep: 0, shared: 1 }))

/**
 * Rows of a block, columns of a strip and the threads that move it; few rows make many blocks, whose waits overlap. Of
 * 8, 16 and 32 rows of a filter of second order, 4,096 of 4,096 elements, on an H200: 90, 115 and 180 µs (516 without
 * strips).
 */
const strippable: readonly StripPoint[] = (
  [
    [8, 64, 64],
    [8, 128, 128],
    [16, 64, 64],
    [32, 32, 64],
    [32, 64, 128],
    [16, 32, 32],
  ] as const
).map(([rows, columns, threads]): StripPoint => ({ threads, keep: 0, rows, columns, ahead: 1 }))

function walkingStrips(program: Program, part: Other, p: StripPoint): Scheduled | undefined {
  const plain = boundIterations(program, part, p.rows)
  if (!plain) return undefined
  const kept = carried(plain.program)
  const made = inStrips(guardsOutside(kept.program), 'thread_p', {
    columns: p.columns,
    threads: p.threads,
    ahead: p.ahead === 2 ? 'skip' : 'again',
    most: mostBytes,
  })
  if (!made) return undefined
  const strips =
    `${p.rows} × ${p.columns} elements of ${made.arrays.join(', ')} at a time go through workgroup memory, ` +
    `moved by ${p.threads} threads`
  return {
    program: made.program,
    name: program.name,
    steps: [...plain.steps, ...inRegistersToo(kept.arrays), strips],
    held: made.held,
  }
}

/** Bytes of workgroup memory that copies may take. */
const mostBytes = 32768

/** Workgroup memory that records of a block take: what every device of WebGPU has, or what other copies take, too. */
const recordBytes = [16_384, mostBytes]

/** The largest blocks first, all within the same bytes. */
function recordPoints(program: Program, part: Other): readonly RecordPoint[] {
  const sized = [256, 128, 64, 32].map((threads) => ({ threads, bytes: onRecords(program, part, threads)?.bytes })),
    fits = (most: number): readonly RecordPoint[] =>
      sized.flatMap(({ threads, bytes }) => (bytes && bytes <= most ? [{ threads, keep: 0, records: 1 }] : []))
  return recordBytes.map(fits).find((points) => points.length > 0) ?? []
}

function onRecords(
  program: Program,
  part: Other,
  threads: number,
): (Scheduled & { readonly bytes: number }) | undefined {
  const plain = onePerIteration(program, part, threads, 0),
    made = withRecords(plain.program, { block: 'block_p', thread: 'thread_p', threads })
  return (
    made && {
      ...plain,
      program: made.program,
      bytes: made.bytes,
      steps: [...plain.steps, `records of ${made.arrays.join(', ')} go through workgroup memory, a block's together`],
    }
  )
}

/**
 * Where there is less than a full block for each multiprocessor, all get some of it: walks along rows want caches of
 * their own. 2,000 tridiagonal solves took 1.02 ms in blocks of 16, 1.39 of 128.
 */
function spread(program: Program, part: Other, multiprocessors: number): readonly IterationPoint[] {
  const iterations = iterationsOf(program, part),
    threads = [16, 32].find((t) => t * multiprocessors >= iterations)
  return threads ? [{ threads, keep: 0 }] : []
}

/** Threads that a multiprocessor holds, and how often they are replaced where large blocks pay. */
const threadsHeld = 2048,
  manyRounds = 4

/**
 * Where there are several times the threads that multiprocessors hold, blocks are large: starting one takes as long
 * however many threads it has.
 */
function ofManyRounds(
  program: Program,
  part: Other,
  multiprocessors: number,
  early: readonly IterationPoint[],
): readonly IterationPoint[] {
  if (iterationsOf(program, part) < manyRounds * threadsHeld * multiprocessors) return []
  return [...early.slice(0, 1), { keep: 0 }].map((p): IterationPoint => ({ ...p, threads: 256 }))
}

/** Iterations of the parallel loops at the planned sizes. */
function iterationsOf(program: Program, part: Other): number {
  const outer = part.body.find((s) => s.kind === 'loop')
  if (outer?.kind !== 'loop') return 0
  return perfectNest(outer)
    .loops.slice(0, part.parallel)
    .reduce((n, l) => n * planned(program, l.lower, l.upper, l.step), 1)
}

function onePerIteration(program: Program, part: Other, threads: number, keep: Keep): Scheduled {
  const s = boundIterations(program, part, threads)
  if (!s) return everything(program, part.body)
  const near = keep > 0 ? keepNear(s, threads, keep === 2) : s
  const made = inHand(near.program, program.name, near.steps),
    rows = unrolledRows(writtenOut(made.program))
  const steps =
    rows.arrays.length === 0 ? [] : [`loops over ${rows.arrays.join(', ')} are unrolled, which are registers then`]
  return { ...made, program: rows.program, steps: [...made.steps, ...steps] }
}

function inOrderAhead(program: Program, part: Other, threads: number, most: number): Scheduled | undefined {
  const plain = boundIterations(program, part, threads)
  if (!plain) return undefined
  const kept = carried(plain.program),
    made = inGroups(guardsOutside(kept.program), most)
  return (
    made && {
      program: made.program,
      name: program.name,
      steps: [
        ...plain.steps,
        ...inRegistersToo(kept.arrays),
        `up to ${most} iterations ask for what they read of ${made.arrays.join(', ')} at once`,
      ],
      held: made.arrays,
    }
  )
}

/** The parallel loops dealt out to blocks of so many threads; `undefined` when more than they stand there. */
function boundIterations(program: Program, part: Other, threads: number): Script | undefined {
  const outer = part.body.find((s) => s.kind === 'loop')
  if (outer?.kind !== 'loop' || part.body.some((s) => s !== outer && s.kind !== 'declare')) return undefined
  const names = perfectNest(outer)
    .loops.slice(0, part.parallel)
    .map((l) => l.name)
  const [canonical] = fromZero([outer], part.parallel)
  let s = script({ ...program, body: [canonical!] }) // one in, one out
  while (names.length > 1 && isShortLoop(s.program, names[names.length - 1]!)) {
    const [around, short] = names.splice(-2) as [string, string] // there are two
    const as = claimName(namesOf(s.program), `${around}_${short}`)
    s = step(s, null, (q) => fuse(q, { outer: around, inner: short, as }))
    names.push(as)
  }
  const last = names[names.length - 1]! // part.parallel is at least 1
  s = step(s, `one thread per iteration of ${names.join(', ')}, ${threads} per block`, (q) =>
    split(q, { loop: last, factor: threads, outer: 'block_p', inner: 'thread_p' }),
  )
  return step(s, null, (q) =>
    bindAll(q, [
      ...names
        .slice(0, -1)
        .reverse()
        .map((n, i) => [n, block(i === 0 ? 'y' : 'z')] as const),
      ['block_p', block('x')],
      ['thread_p', { kind: 'thread', stride: 1 }],
    ]),
  )
}

/** Whether threads along the loop would idle, and share those of the loop around it instead. */
const isShortLoop = (program: Program, name: string): boolean =>
  someStmt(program.body, (s) => {
    const extent = s.kind === 'loop' && s.name === name ? constantExtent(s) : undefined
    return extent !== undefined && extent >= 1 && extent < fewPoints
  })

/**
 * Boxes that a kernel of one thread per iteration uses more often than copying takes, in so far as they fit; what is
 * written is its thread's own.
 */
function boxesToKeep(program: Program, threads: number): readonly PromotedBox[] {
  const fixed = new Set<string>()
  eachStmt(program.body, (s) => {
    if (s.kind === 'loop' && (s.bind.kind === 'block' || s.bind.kind === 'thread')) fixed.add(s.name)
  })
  const again = (b: PromotedBox): boolean =>
    accesses(program).some(
      (a) =>
        b.uses.has(a.index) &&
        a.loops.filter((l) => !fixed.has(l.name)).length >= b.extents.filter((e) => e > 1).length + (b.own ? 1 : 0),
    )
  let left = mostBytes
  return boxesOf(program, fixed).filter((b) => {
    const bytes = again(b) && (b.own || !b.written) ? boxBytes(b, threads) : Infinity
    if (bytes > left) return false
    left -= bytes
    return true
  })
}

const boxBytes = ({ array, extents, own }: PromotedBox, threads: number): number =>
  bytesOf[array.type] * extents.reduce((n, e, d) => n * (e + (d === extents.length - 1 ? 1 : 0)), own ? threads : 1)

/**
 * What a thread does, all loops written out; `undefined` when it has too many, or no box of its own in one dimension.
 */
function inRegisters(program: Program): Program | undefined {
  const own = boxesToKeep(program, 1).filter((b) => b.own)
  if (own.length === 0 || own.some((b) => b.extents.filter((e) => e > 1).length > 1)) return undefined
  let whole = true
  const next = replaceLoops(program, 'thread_p', (l) => {
    const body = unrolled(l.body)
    whole &&= body !== undefined
    return [{ ...l, body: body ?? l.body }]
  })
  return whole ? next : undefined
}

/** Copies for the block are made by all its threads, those that each thread has of its own by itself. */
function keepNear(given: Script, threads: number, registers: boolean): Script {
  const index = loopVar('thread_p')
  const s: Script = registers
    ? {
        ...given,
        program: inRegisters(given.program) ?? fail('schedule.keep', 'the loops of a thread cannot be written out'),
      }
    : given
  const kept = copiesOf(s.program, boxesToKeep(s.program, threads), registers ? null : { count: threads, index })
  const common = kept.filter((k) => !k.box.own),
    own = kept.filter((k) => k.box.own)
  const body = onCopies(s.program.body, kept, registers ? undefined : index)
  const declared = (list: readonly Kept[]): readonly LoopStmt[] => list.map((k) => ({ kind: 'declare', array: k.copy }))
  const program = replaceLoops({ ...s.program, body }, 'thread_p', (l) => {
    const { guard, body: inner } = peelGuard(l.body)
    const each = [
      ...(registers ? declared(own) : []),
      ...own.flatMap((k) => wholeBox(k, k.fill)),
      ...inner,
      ...own.flatMap((k) => (k.box.written ? wholeBox(k, k.back) : [])),
    ]
    return [
      ...declared(registers ? common : kept),
      ...common.flatMap((k) => dealt(k.loops, k.fill, threads)),
      { ...l, body: withGuard(guard, each) },
    ]
  })
  const place = (k: Kept): string =>
    !k.box.own
      ? 'in workgroup memory'
      : registers
        ? 'in the registers of each thread, all loops written out'
        : 'in workgroup memory, for each thread'
  return {
    program: registers
      ? program
      : hoisted(
          program,
          kept.map((k) => k.copy),
        ),
    steps: [
      ...s.steps,
      ...kept.map((k) => `${k.box.extents.join(' × ')} elements of ${k.box.array.name} stay ${place(k)}`),
    ],
  }
}
