// Linear recurrences: a few numbers that every iteration makes anew as an affine function of those before. Threads scan
// the maps of their elements as `scan` does sums: each composes those of its neighbours in registers, then the threads'
// maps are composed in workgroup memory, and last each thread walks through its own elements from where the maps before
// it lead. A long one has two kernels: blocks compose the maps of their runs; then each starts where those of the runs
// before its own lead.
import {
  someExpr,
  choose,
  int,
  isFloat,
  loop,
  loopVar,
  lt,
  op,
  read,
  store,
  sub,
  when,
  ceilDiv,
  constantExtent,
  freshName,
  rewriteExpr,
  readsArray,
  uses,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type MapKind,
  type Recurrence,
  type Chip,
} from '../../../ir/index.ts'
import {
  appliedMap,
  coefficientsOf,
  composed,
  identityMap,
  isNearest,
  planned,
  readIndices,
  varying,
  withFixed,
} from '../../../analysis/index.ts'
import { composingMaps } from '../../lower/affine-scan.ts'
import { kernelWith, rowSizes, type Made, type Rung, type Scheduled, type Sketch } from '../sketch.ts'
import {
  arraysUsed,
  atPosition,
  groupPhase,
  guarded,
  hasTiles,
  inside,
  laneOf,
  ofGroup,
  ofThread,
  overBlocks,
  overLanes,
  overLanesInOrder,
  overRows,
  overSteps,
  phase,
  positionOf,
  walkBase,
  walkOf,
  walkSpace,
  walkWords,
  where,
  wholeTiles,
  type Walk,
  type WalkPoint,
} from '../tile-walk.ts'
import { blocksOn } from '../resident-blocks.ts'
import { isResumed } from './column-walk.ts'
import { walkersInWords } from '../step-words.ts'

/** The sketch of a linear recurrence; `undefined` for one of few constant steps. */
export function recurrence(program: Program, form: Recurrence, chip: Chip): Sketch<WalkPoint> | undefined {
  const indices = [...form.stores.map((s) => s.store.index), ...readIndices(form.map)]
  if ((constantExtent(form.loop) ?? Infinity) <= 64) return undefined
  const along = isNearest(indices, form.loop) ? indices : []
  const used = arraysUsed(
    program,
    [...form.map, ...form.stores.map((s) => s.store.value)],
    form.stores.map((s) => s.store.array),
  )
  const can = (p: WalkPoint): boolean => fits(form, p)
  const walk = (p: WalkPoint, whole: boolean): Walk => walkOf(form.parallel, form.loop, along, p, whole)
  return {
    name: 'recurrence',
    ladder: (form.parallel.length > 0 ? rowLadder : ladderOn(chip)).filter((r) => can(r.point)),
    space: (form.parallel.length > 0 ? rowSpace(program, form, chip) : walkSpace([1, 2, 4].map(blocksOn(chip)))).filter(
      can,
    ),
    ...(form.parallel.length > 0 && {
      likely: () => likelyOfRows(program, form, chip, along.length > 0 ? vectorWidth : 1).filter(can),
    }),
    vectorSizes: rowSizes(used),
    build: (p) => build(program, form, walk(p, false)),
    buildExact: (p) => ({ ...build(program, form, walk(p, true)), requires: wholeTiles(walk(p, true)) }),
  }
}

/**
 * A driver's compiler did not come back from maps of greatest sums of integers that are written out for several rows:
 * it may take these apart and join them as it likes.
 */
const fits = (form: Recurrence, p: WalkPoint): boolean =>
  (form.maps.ring === 'sums' || isFloat(form.maps.type) || p.unroll === 1) &&
  (!isResumed(form) || p.blocks !== 1 || p.threads === 1)

const rowLadder: readonly Rung<WalkPoint>[] = [
  { step: 'naive: one thread per row', point: { ...walkBase, threads: 1 } },
  { step: 'one block per row: its threads compose the maps of a tile together', point: walkBase },
  { step: 'several blocks per row: the maps of their runs first', point: { ...walkBase, blocks: 8 } },
]

const vectorWidth = 4
/** Tiles of a run below which blocks rather go through all of a row. */
const fewTiles = 4

const iterations = (program: Program, loops: readonly Loop[]): number =>
  loops.reduce((n, l) => n * planned(program, l.lower, l.upper, l.step), 1)

/** Points over rows in parallel: a block each, or as many as fill the device. */
function rowSpace(program: Program, form: Recurrence, chip: Chip): readonly WalkPoint[] {
  const rows = iterations(program, form.parallel),
    many = [1, 2, 4].map((n) => Math.max(2, Math.ceil(blocksOn(chip)(n) / rows)))
  return [32, 64, 128, 256, 512].flatMap((threads) =>
    [1, 2, 4].flatMap((unroll) =>
      [1, vectorWidth].flatMap((vector) =>
        [1, ...new Set(many)].map((blocks): WalkPoint => ({ ...walkBase, threads, unroll, vector, blocks })),
      ),
    ),
  )
}

/** As many threads as have elements of a row, and as many blocks as fill the device and have some tiles each. */
function likelyOfRows(program: Program, form: Recurrence, chip: Chip, vector: number): readonly WalkPoint[] {
  const length = iterations(program, [form.loop]),
    rows = iterations(program, form.parallel),
    threads = [32, 64, 128, 256].find((t) => t * vector >= length) ?? 256,
    wanted = [1, 2, 4].map((n) => Math.max(2, Math.ceil(blocksOn(chip)(n) / rows))),
    blocks = wanted.filter((n) => n * threads * vector * fewTiles <= length).reverse()
  return [...(rows < blocksOn(chip)(2) ? blocks : []), isResumed(form) ? wanted[0]! : 1].flatMap((n) =>
    [vector, 1].map((v): WalkPoint => ({ ...walkBase, threads, vector: v, blocks: n })),
  )
}

function ladderOn(chip: Chip): readonly Rung<WalkPoint>[] {
  const many = { ...walkBase, blocks: blocksOn(chip)(2) }
  return [
    { step: 'naive: one thread goes through all of it', point: { ...walkBase, threads: 1 } },
    { step: 'one block: its threads compose the maps of a tile together in workgroup memory', point: walkBase },
    { step: 'many blocks: the maps of their runs first, then each goes on from those before it', point: many },
    { step: 'vector loads and stores', point: { ...many, vector: 4 } },
    { step: 'several rows of a tile in flight', point: { ...many, vector: 4, unroll: 4 } },
  ]
}

// ── kernels ───────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * A kernel that goes through the form by one block per point of its parallel loops. `products`: what it composes are
 * maps of several iterations.
 */
export function blockPerRow(program: Program, form: Recurrence, threads: number, name: string): Scheduled {
  const w = walkOf(form.parallel, form.loop, [], { ...walkBase, threads }),
    place: Place = { ...placeOfForm(w, form), products: true }
  return kernelWith(program, walking(place, undefined), name, [
    `${walkersInWords(w, 'row')} composes what runs make of numbers`,
  ])
}

const placeOfForm = (w: Walk, form: Recurrence): Place => ({
  w,
  form,
  count: coefficientsOf(form.maps),
  type: form.states[0]!.type, // there is a state
})

/** A form as a walk sees it. */
interface Place {
  readonly w: Walk
  readonly form: Recurrence
  readonly count: number
  readonly type: ArrayDecl['type']
  /** Maps of its elements are products, whose coefficients may be large; absent: they are what the source says. */
  readonly products?: true
}

function build(program: Program, form: Recurrence, w: Walk): Made {
  const head = walkersInWords(w, form.parallel.length > 0 ? 'row' : 'all')
  const { states } = form.maps
  const what = states === 1 ? 'one number' : `${states} numbers`
  const own =
    w.threads > 1
      ? [
          `an iteration is an affine map of ${what}${ringWords(form.maps)}; ` +
            `threads compose those of their own elements in registers, ` +
            `then the threads before them in workgroup memory`,
          ...range(form),
        ]
      : []
  const place = placeOfForm(w, form)
  if (w.blocks === 1)
    return {
      program,
      kernels: [kernelWith(program, walking(place, undefined), program.name, [head, ...walkWords(w), ...own])],
    }
  const totals: ArrayDecl = {
    name: freshName(program, 'totals'),
    type: place.type,
    shape: [int(place.count), ...form.parallel.map((l) => l.upper), int(w.blocks)],
    role: 'temp',
    space: 'global',
  }
  const starts: ArrayDecl | undefined = isResumed(form)
    ? { ...totals, name: freshName(program, 'starts'), shape: [int(states), ...form.parallel.map((l) => l.upper)] }
    : undefined
  const shared: Program = { ...program, arrays: [...program.arrays, totals, ...(starts ? [starts] : [])] }
  const next: Place = starts
    ? { ...place, form: { ...form, init: form.init.map((_, n) => read(starts, [int(n), ...rowOf(form)])) } }
    : place
  return {
    program: shared,
    kernels: [
      kernelWith(shared, totalling(place, totals, starts), `${program.name}_totals`, [
        `${head} compose the maps of their runs`,
        ...walkWords(w),
      ]),
      form.stores.length === 0
        ? kernelWith(shared, ending(next, totals), `${program.name}_end`, [
            `one block of ${w.threads} threads composes the maps of all runs`,
          ])
        : kernelWith(shared, walking(next, totals), `${program.name}_scan`, [
            `${head}, the last run first: what was read last is still in the cache`,
            ...walkWords(w),
            'each block starts where the maps of the runs before its own lead',
            ...own,
          ]),
    ],
  }
}

const ringWords = ({ ring, modulus }: MapKind): string =>
  ring === 'sums' ? '' : ring === 'residues' ? ` modulo ${modulus}` : ` (the ${ring} of sums)`

/** What composing floats costs where coefficients are large. */
const range = (form: Recurrence): readonly string[] =>
  form.maps.ring === 'sums' && isFloat(form.maps.type) && !form.map.slice(0, form.maps.states ** 2).every(isAtMostOne)
    ? [
        'coefficients of many iterations are multiplied before numbers are: ' +
          'where these products leave the range of the type, so do results',
      ]
    : []

const isAtMostOne = (e: Expr): boolean =>
  e.kind === 'const'
    ? Math.abs(Number(e.value)) <= 1
    : e.kind === 'choose'
      ? [e.then, e.else].every(isAtMostOne)
      : e.kind === 'op' && e.op === 'select' && e.args.slice(1).every(isAtMostOne)

const each = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)
const uu = loopVar('uu'),
  vv = loopVar('vv'),
  own = loopVar('thread_s')

/** Whether a coefficient is the same for all iterations and needs no memory. */
const isPlain = (form: Recurrence, e: Expr): boolean => !readsArray(e) && !uses(e, form.loop.name)

/**
 * Coefficients of elements: x[thread, row, lane], but for those that are plain, where nothing is guarded or nobody asks
 * what comes after the last element.
 */
function elements(p: Place): {
  readonly arrays: readonly ArrayDecl[]
  readonly loads: readonly (readonly [ArrayDecl, Expr, Expr])[]
  readonly at: (lane: Expr) => readonly Expr[]
} {
  const { w, form } = p,
    none = identityMap(form.maps)
  const all = form.map.map((e, n) =>
    form.maps.fixed[n] ||
    (isPlain(form, e) &&
      (w.exact ||
        form.results.length === 0 ||
        (e.kind === 'const' && none[n]!.kind === 'const' && e.value === none[n]!.value)))
      ? undefined
      : ofThread(w, `x${n}_own`, p.type, w.unroll, w.vector),
  )
  return {
    arrays: all.filter((a): a is ArrayDecl => a !== undefined),
    loads: all.flatMap((a, n) => (a ? [[a, form.map[n]!, none[n]!] as const] : [])),
    at: (lane) => all.map((a, n) => (a ? read(a, [own, uu, lane]) : form.map[n]!)),
  }
}

/** The maps of each thread's elements of a tile, and what they are together: total[thread, row, coefficient]. */
function composing(p: Place, total: ArrayDecl, at: Expr): readonly LoopStmt[] {
  const { w, form } = p,
    x = elements(p),
    lane = laneOf(w),
    position = positionOf(w, at, uu, lane)
  const first = x.at(int(0)),
    so = wholeMap(p, total, own, uu)
  return [
    ...x.loads.flatMap(([a, e, otherwise]) =>
      phase(
        w,
        overRows(
          w,
          overLanes(w, [
            store(a, [own, uu, lane], guarded(atPosition(w, e, position), inside(w, position), otherwise)),
          ]),
        ),
      ),
    ),
    ...phase(
      w,
      overRows(w, [
        ...settingMap(p, total, first, own, uu),
        ...overLanes(w, atOnce(p, total, [own, uu], composed(ofOne(p), so, x.at(vv)), varying(form.maps)), 1),
      ]),
    ),
  ]
}

const mapOf =
  (a: ArrayDecl, ...index: readonly Expr[]) =>
  (n: number): Expr =>
    read(a, [...index, int(n)])
const placeOf =
  (a: ArrayDecl, ...index: readonly Expr[]) =>
  (n: number): { readonly array: ArrayDecl; readonly index: readonly Expr[] } => ({
    array: a,
    index: [...index, int(n)],
  })

/** The map whose coefficients that vary are in the array. */
const wholeMap = (p: Place, a: ArrayDecl, ...index: readonly Expr[]): readonly Expr[] =>
  withFixed(p.form.maps, mapOf(a, ...index))

/** `to = to, then map`, by one thread or by all alike. */
const joining = (p: Place, to: ArrayDecl, map: readonly Expr[]): readonly LoopStmt[] =>
  atOnce(p, to, [], composed(p.form.maps, wholeMap(p, to), map), varying(p.form.maps))

/** `to[n] = values[n]` for n in `which`, where values may read all of `to`. */
function atOnce(
  p: Place,
  to: ArrayDecl,
  at: readonly Expr[],
  values: readonly Expr[],
  which: readonly number[],
): readonly LoopStmt[] {
  const next = which.map(
    (n): ArrayDecl => ({ name: `next${n}_own`, type: p.type, shape: [], role: 'temp', space: 'private' }),
  )
  return [
    ...next.map((array): LoopStmt => ({ kind: 'declare', array })),
    ...next.map((a, i) => store(a, [], values[which[i]!]!)),
    ...next.map((a, i) => store(to, [...at, int(which[i]!)], read(a, []))),
  ] // as many
}

/** `to[state] = map of them`. */
const moving = (
  p: Place,
  to: ArrayDecl,
  at: readonly Expr[],
  map: readonly Expr[],
  maps = p.form.maps,
): readonly LoopStmt[] =>
  atOnce(p, to, at, appliedMap(maps, map, each(maps.states).map(mapOf(to, ...at))), each(maps.states))

/** Maps of elements: of single iterations they are no products. */
const ofOne = ({ form: { maps }, products }: Place): MapKind => (products ? maps : { ...maps, grows: false })

const settingMap = (p: Place, a: ArrayDecl, values: readonly Expr[], ...at: readonly Expr[]): readonly LoopStmt[] =>
  varying(p.form.maps).map((n) => store(a, [...at, int(n)], values[n]!))

const setting = (a: ArrayDecl, values: readonly Expr[], ...at: readonly Expr[]): readonly LoopStmt[] =>
  each(values.length).map((n) => store(a, [...at, int(n)], values[n]!))

/** The point of the parallel loops. */
const rowOf = ({ parallel }: Recurrence): readonly Expr[] => parallel.map((l) => loopVar(l.name))

/** Each block's map; `starts` gets what numbers start with. */
function totalling(p: Place, totals: ArrayDecl, starts: ArrayDecl | undefined): readonly LoopStmt[] {
  const { w, form } = p,
    at = loopVar('block_s'),
    none = identityMap(form.maps)
  const total = ofThread(w, 'total', p.type, w.unroll, p.count),
    earlier = ofThread(w, 'before', p.type, w.unroll, p.count),
    run = ofGroup(w, 'run_total', p.type, w.unroll, p.count),
    all = ofGroup(w, 'so_far_own', p.type, p.count)
  const kept = starts ? form.init.map((e, n) => store(starts, [int(n), ...rowOf(form)], e)) : []
  return overBlocks(w, [
    ...(kept.length > 0 ? [when(op('eq', [at, int(0)]), kept)] : []),
    { kind: 'declare', array: all },
    ...groupPhase(w, settingMap(p, all, none)),
    ...overSteps(w, at, [
      ...[...elements(p).arrays, total, earlier, run].map((array): LoopStmt => ({ kind: 'declare', array })),
      ...composing(p, total, at),
      ...together(p, total, earlier, run),
      ...groupPhase(w, overRows(w, joining(p, all, wholeMap(p, run, uu)))),
    ]),
    ...varying(form.maps).map((n) => store(totals, [int(n), ...rowOf(form), at], read(all, [int(n)]))),
  ])
}

/** earlier[thread, row]: the maps of the threads before in the row; run[row]: those of all. */
const together = (p: Place, total: ArrayDecl, earlier: ArrayDecl, run: ArrayDecl): readonly LoopStmt[] => [
  ...groupPhase(p.w, overRows(p.w, settingMap(p, run, identityMap(p.form.maps), uu))),
  ...phase(
    p.w,
    overRows(
      p.w,
      composingMaps(p.form.maps, p.type, placeOf(earlier, own, uu), placeOf(run, uu), mapOf(total, own, uu)),
    ),
  ),
]

/** Walks through each block's run, from where the maps before it lead. */
function walking(p: Place, totals: ArrayDecl | undefined): readonly LoopStmt[] {
  const { w, form } = p,
    n = form.maps.states,
    at = totals ? sub(int(w.blocks - 1), loopVar('block_s')) : int(0)
  const carry = ofGroup(w, 'carry', p.type, n)
  const total = ofThread(w, 'total', p.type, w.unroll, p.count),
    earlier = ofThread(w, 'before', p.type, w.unroll, p.count),
    run = ofGroup(w, 'run_total', p.type, w.unroll, p.count)
  const start = ofGroup(w, 'start', p.type, w.unroll, n),
    acc = ofThread(w, 'acc', p.type, n)
  const kept = [true, false].flatMap((early) =>
    form.states.flatMap((s, i) =>
      form.stores.some((x) => x.earlier === early && asks(x, s))
        ? [
            {
              early,
              i,
              state: s,
              array: ofThread(w, `${early ? 'y_before' : 'y_after'}${i}_own`, p.type, w.unroll, w.vector),
            },
          ]
        : [],
    ),
  )
  const keep = (early: boolean): readonly LoopStmt[] =>
    kept.filter((k) => k.early === early).map((k) => store(k.array, [own, uu, vv], read(acc, [own, int(k.i)])))
  const x = elements(p)
  const steps = [
    ...(totals ? before(p, totals, carry, at) : []),
    ...overSteps(w, at, [
      ...[...x.arrays, total, earlier, run, start, acc, ...kept.map((k) => k.array)].map(
        (array): LoopStmt => ({ kind: 'declare', array }),
      ),
      ...composing(p, total, at),
      ...together(p, total, earlier, run),
      ...groupPhase(
        w,
        overRows(w, [...setting(start, each(n).map(mapOf(carry)), uu), ...moving(p, carry, [], wholeMap(p, run, uu))]),
      ),
      ...phase(
        w,
        overRows(w, [
          ...setting(acc, each(n).map(mapOf(start, uu)), own),
          ...moving(p, acc, [own], wholeMap(p, earlier, own, uu)),
          ...overLanesInOrder(w, [...keep(true), ...moving(p, acc, [own], x.at(vv), ofOne(p)), ...keep(false)]),
        ]),
      ),
      ...form.stores.flatMap((s) =>
        storing(p, s, (name) => kept.find((k) => k.early === s.earlier && k.state.name === name)?.array, at),
      ),
    ]),
  ]
  return overBlocks(w, [
    { kind: 'declare', array: carry },
    ...groupPhase(w, setting(carry, form.init)),
    ...(totals ? [when(isAsked(p, at), steps)] : steps),
    ...results(p, carry, totals && at),
  ])
}

/** Whether somebody asks for what the run of block `at` makes: it has elements, or is the last and has the results. */
const isAsked = ({ w, form }: Place, at: Expr): Expr =>
  form.results.length > 0 ? op('lor', [hasTiles(w, at), op('eq', [at, int(w.blocks - 1)])]) : hasTiles(w, at)

/** What all runs make of the numbers, where nothing else is asked. */
function ending(p: Place, totals: ArrayDecl): readonly LoopStmt[] {
  const carry = ofGroup(p.w, 'carry', p.type, p.form.maps.states)
  return overBlocks({ ...p.w, blocks: 1 }, [
    { kind: 'declare', array: carry },
    ...groupPhase(p.w, setting(carry, p.form.init)),
    ...before(p, totals, carry, int(p.w.blocks)),
    ...results(p, carry, undefined),
  ])
}

const asks = (s: Recurrence['stores'][number], state: ArrayDecl): boolean =>
  [s.store.value, ...(s.guard ? [s.guard] : [])].some((e) =>
    someExpr(e, (x) => x.kind === 'read' && x.array === state.name),
  )

/** carry = what all runs before `at` make of it. */
function before(p: Place, totals: ArrayDecl, carry: ArrayDecl, at: Expr): readonly LoopStmt[] {
  const { w, form } = p,
    none = identityMap(form.maps),
    from = op('add', [op('mul', [loopVar('run'), int(w.threads)]), own])
  const part = ofThread(w, 'part', p.type, p.count),
    earlier = ofThread(w, 'before_own', p.type, p.count),
    all = ofGroup(w, 'runs_own', p.type, p.count)
  return [
    { kind: 'declare', array: all },
    ...groupPhase(w, settingMap(p, all, none)),
    loop('run', ceilDiv(at, w.threads), [
      { kind: 'declare', array: part },
      { kind: 'declare', array: earlier },
      ...phase(
        w,
        varying(form.maps).map((n) =>
          store(part, [own, int(n)], choose(lt(from, at), read(totals, [int(n), ...rowOf(form), from]), none[n]!)),
        ),
      ),
      ...phase(w, composingMaps(form.maps, p.type, placeOf(earlier, own), placeOf(all), mapOf(part, own))),
    ]),
    ...groupPhase(w, moving(p, carry, [], wholeMap(p, all))),
  ]
}

function storing(
  p: Place,
  s: Recurrence['stores'][number],
  y: (state: string) => ArrayDecl | undefined,
  at: Expr,
): readonly LoopStmt[] {
  const { w } = p,
    lane = laneOf(w),
    position = positionOf(w, at, uu, lane)
  const value = (e: Expr): Expr =>
    rewriteExpr(atPosition(w, e, position), (x) => {
      const from = x.kind === 'read' && x.index.length === 0 ? y(x.array) : undefined
      return from && read(from, [own, uu, lane])
    })
  const done: LoopStmt = { ...s.store, index: s.store.index.map(value), value: value(s.store.value) }
  return phase(
    w,
    overRows(w, overLanes(w, where(inside(w, position), s.guard ? [when(value(s.guard), [done])] : [done]))),
  )
}

/** What is stored after the loop: by the block of the last run. */
function results(p: Place, carry: ArrayDecl, at: Expr | undefined): readonly LoopStmt[] {
  const { w, form } = p
  if (form.results.length === 0) return []
  const value = (e: Expr): Expr =>
    rewriteExpr(e, (x) => {
      const n = x.kind === 'read' && x.index.length === 0 ? form.states.findIndex((s) => s.name === x.array) : -1
      return n < 0 ? undefined : read(carry, [int(n)])
    })
  const stores = form.results.map((r) => ({ ...r, value: value(r.value) }))
  return groupPhase(w, at ? [when(op('eq', [at, int(w.blocks - 1)]), stores)] : stores)
}
