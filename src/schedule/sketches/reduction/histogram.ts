// Scatter: integers added (or compared, or combined) and floats added at places that data choose: histograms, sparse
// matrices by their elements. Threads use atomics, because they meet. Where the array is small, each block has a copy
// of its own in workgroup memory, `copies` of every element next to each other so that lanes of a warp seldom meet, and
// adds it to the array at the end. Sums of floats differ in their last bits from run to run; WGSL adds them by
// compare-and-exchange.
import {
  add,
  int,
  literal,
  loop,
  loopVar,
  lt,
  mod,
  mul,
  op,
  read,
  store,
  sub,
  when,
  identityOf,
  reduced,
  zeroOf,
  conjuncts,
  exprKey,
  rewriteExpr,
  nest,
  readsArray,
  substituteStmt,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type Program,
  type Store,
  type Scatter,
  type Read,
  type Chip,
} from '../../../ir/index.ts'
import { block, rowSizes, type Made, type Rung, type Sketch } from '../sketch.ts'
import { blocksInWords } from '../step-words.ts'
import {
  alongMemory,
  arraysUsed,
  atPosition,
  guarded,
  inside,
  lastIndices,
  ofThread,
  overBlocks,
  overLanes,
  overLanesInOrder,
  overRows,
  overSteps,
  ownIndex,
  phase,
  positionOf,
  walkOf,
  walkWords,
  where,
  type Walk,
} from '../tile-walk.ts'
import { blocksOn } from '../resident-blocks.ts'

/** Parameters of a scatter. */
export type HistogramPoint = {
  readonly threads: number
  readonly unroll: number
  readonly vector: number
  readonly blocks: number
  /** Elements of workgroup memory for copies of the array; 0: atomics go to global memory. */
  readonly elements?: number
  /** Copies of the array in a block, which neighbouring threads take in turn. */
  readonly copies?: number
}

type Copied = HistogramPoint & { readonly elements: number }

/** The sketch of a scatter. */
export function scatter(program: Program, form: Scatter, chip: Chip): Sketch<HistogramPoint> {
  const small = form.array.shape.length === 1
  const used = arraysUsed(program, [form.store.value, ...form.store.index, ...(form.guard ? [form.guard] : [])], [])
  const private_ = (p: HistogramPoint): p is Copied => small && (p.elements ?? 0) > 0
  return {
    name: 'scatter',
    ladder: ladderOn(chip).slice(0, small ? undefined : 3),
    space: spaceOn(chip).filter((p) => small || p.elements === 0),
    vectorSizes: rowSizes(used),
    build: (p) => (private_(p) && fits(form, p) === true ? own(program, form, p) : direct(program, form, p)),
    buildExact: (p) => {
      const known = fits(form, p)
      return private_(p) && typeof known !== 'boolean' ? { ...own(program, form, p), requires: [known] } : undefined
    },
    unaligned: true,
  }
}

/** Whether a copy of the array fits in the elements of a point; a condition where that depends on sizes. */
function fits(form: Scatter, p: HistogramPoint): boolean | Expr {
  const extent = form.array.shape[0],
    n = extent && literal(extent)
  const most = Math.floor((p.elements ?? 0) / (p.copies ?? 1))
  return !extent ? false : n === undefined ? op('le', [extent, int(most)]) : n <= most
}

// ── points ────────────────────────────────────────────────────────────────────────────────────────────────────────

function ladderOn(chip: Chip): readonly Rung<HistogramPoint>[] {
  const base = { threads: 256, unroll: 1, vector: 1, blocks: blocksOn(chip)(4), elements: 0, copies: 1 }
  return [
    { step: 'naive: one block, every addition an atomic on global memory', point: { ...base, blocks: 1 } },
    { step: 'many blocks', point: base },
    { step: 'vector loads, several in flight', point: { ...base, vector: 4, unroll: 4 } },
    { step: 'a copy for each block in workgroup memory', point: { ...base, vector: 4, unroll: 4, elements: 4096 } },
    {
      step: 'several copies of each element, so that lanes seldom meet',
      point: { ...base, vector: 4, unroll: 4, elements: 4096, copies: 8 },
    },
  ]
}

/** Elements of workgroup memory, and copies of the array in them. */
const copiesInBlock = [
  [0, 1],
  [4096, 1],
  [4096, 4],
  [4096, 8],
  [4096, 16],
] as const

const spaceOn = (chip: Chip): readonly HistogramPoint[] =>
  [256, 512].flatMap((threads) =>
    [2, 4, 8]
      .map(blocksOn(chip))
      .flatMap((blocks) =>
        [1, 4].flatMap((vector) =>
          [1, 4].flatMap((unroll) =>
            copiesInBlock.map(
              ([elements, copies]): HistogramPoint => ({ threads, blocks, vector, unroll, elements, copies }),
            ),
          ),
        ),
      ),
  )

// ── kernels ───────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * The last loop is walked over: by all blocks, or, where there are loops around it, by each block in its share of the
 * first.
 */
function walk(form: Scatter, p: HistogramPoint): Walk {
  const over = form.loops[form.loops.length - 1]! // a scatter has a loop
  return walkOf([], over, [], isDealt(form) ? { ...p, blocks: 1 } : p)
}

const isDealt = (form: Scatter): boolean => form.loops.length > 1

const blocksAround = (form: Scatter, w: Walk, p: HistogramPoint, body: readonly LoopStmt[]): readonly LoopStmt[] =>
  isDealt(form) ? [loop('block_s', int(p.blocks), body, { bind: block('x') })] : overBlocks(w, body)

/** The loops around the walked one: the first dealt out to the blocks in turn, the others as they are. */
function dealt(form: Scatter, p: HistogramPoint, body: readonly LoopStmt[]): readonly LoopStmt[] {
  const [first, ...rest] = form.loops.slice(0, -1)
  if (!first) return body
  const extent = sub(first.upper, first.lower),
    blocks = p.blocks
  const place = op('add', [op('mul', [loopVar('deal'), int(blocks)]), loopVar('block_s')])
  const inner = nest(rest, body).map((s) => substituteStmt(s, new Map([[first.name, add(first.lower, place)]])))
  return [loop('deal', op('div', [add(extent, int(blocks - 1)), int(blocks)]), [when(lt(place, extent), inner)])]
}

const words = (p: HistogramPoint): string => `${blocksInWords(p.blocks)} of ${p.threads} threads`

function direct(program: Program, form: Scatter, p: HistogramPoint): Made {
  const w = walk(form, p)
  const body = blocksAround(
    form,
    w,
    p,
    adding(w, form, p, (index, value): Store => ({ ...form.store, atomic: true, index, value })),
  )
  return {
    program,
    kernels: [
      {
        program: { ...program, body },
        name: program.name,
        steps: [words(p), ...walkWords(w), 'threads that meet in an element use atomics', ...inAnyOrder(form)],
      },
    ],
  }
}

function own(program: Program, form: Scatter, p: Copied): Made {
  const w = walk(form, p),
    copies = p.copies ?? 1
  const reduce = form.store.reduce! // a scatter reduces
  const identity = identityOf(reduce, form.store.value.type),
    extent = form.array.shape[0]! // it has one dimension
  const copy: ArrayDecl = {
    name: `${form.array.name}_own`,
    type: form.array.type,
    shape: [int(p.elements)],
    role: 'temp',
    space: 'shared',
  }
  const mine = copies === 1 ? int(0) : mod(loopVar('thread_s'), copies)
  const at = (element: Expr, which: Expr): readonly Expr[] => [add(mul(element, int(copies)), which)]
  const place = op('add', [op('mul', [loopVar('run'), int(w.threads)]), loopVar('thread_s')])
  const parts = Array.from({ length: copies }, (_, i) => read(copy, at(place, int(i))))
  const sum: ArrayDecl = ofThread(w, 'block_sum', form.array.type)
  const every = (body: readonly LoopStmt[]): readonly LoopStmt[] =>
    phase(w, [
      loop('run', op('div', [add(extent, int(w.threads - 1)), int(w.threads)]), [when(lt(place, extent), body)]),
    ])
  const body = blocksAround(form, w, p, [
    { kind: 'declare', array: copy },
    { kind: 'declare', array: sum },
    ...every(parts.map((_, i) => store(copy, at(place, int(i)), identity))),
    ...adding(
      w,
      form,
      p,
      (index, value): Store => ({
        kind: 'store',
        array: copy.name,
        index: at(index[0]!, mine),
        reduce,
        atomic: true,
        value,
      }),
    ),
    ...every([
      store(
        sum,
        ownIndex(w),
        parts.reduce((a, b) => reduced(reduce, a, b)),
      ),
      when(op('ne', [read(sum, ownIndex(w)), identity]), [
        { kind: 'store', array: form.array.name, index: [place], reduce, atomic: true, value: read(sum, ownIndex(w)) },
      ]),
    ]),
  ])
  const known = fits(form, p)
  const otherwise =
    typeof known === 'boolean'
      ? []
      : [
          `where ${form.array.name} has more than ${Math.floor(p.elements / copies)} elements, ` +
            `threads use atomics on global memory instead`,
        ]
  const copied = copies > 1 ? `, ${copies} times, which neighbouring threads take in turn` : ''
  const steps = [
    words(p),
    ...walkWords(w),
    `each block has a copy of ${form.array.name} in workgroup memory${copied}`,
    'its atomics stay there; what it has counted is added to global memory at the end',
    ...otherwise,
    ...inAnyOrder(form),
  ]
  return { program, kernels: [{ program: { ...program, body }, name: program.name, steps }] }
}

const inAnyOrder = ({ array }: Scatter): readonly string[] =>
  array.type === 'f32' ? ['floats are added as threads come: their last bits differ from run to run'] : []

/** The walk over the loop: what every iteration surely reads is loaded first, in vectors where it can be. */
function adding(
  w: Walk,
  form: Scatter,
  p: HistogramPoint,
  put: (index: readonly Expr[], value: Expr) => Store,
): readonly LoopStmt[] {
  const at = w.blocks > 1 ? loopVar('block_s') : int(0)
  const position = positionOf(w, at, loopVar('uu'), loopVar('vv'))
  const here = (e: Expr): Expr => atPosition(w, e, position)
  const reads = [...new Map(certain(form).map((r) => [exprKey(r), r])).values()]
  const loaded = reads.map((r, i) => ({
    key: exprKey(here(r)),
    value: here(r),
    array: ofThread(w, `x_own${i}`, r.type === 'bool' ? 'i32' : r.type, w.unroll, w.vector),
  }))
  const index = [...ownIndex(w), loopVar('uu'), loopVar('vv')]
  const swap = (e: Expr): Expr =>
    rewriteExpr(here(e), (x) => {
      const hit = x.kind === 'read' ? loaded.find((l) => l.key === exprKey(x)) : undefined
      return hit && read(hit.array, index)
    })
  const done = put(form.store.index.map(swap), swap(form.store.value))
  const guard = form.guard ? conjuncts(form.guard).map(swap) : []
  const body = guard.reduceRight<readonly LoopStmt[]>((inner, g) => [when(g, inner)], [done])
  return dealt(
    form,
    p,
    overSteps(w, at, [
      ...loaded.map(({ array }): LoopStmt => ({ kind: 'declare', array })),
      ...loaded.flatMap(({ array, value }) =>
        phase(
          w,
          overRows(w, overLanes(w, [store(array, index, guarded(value, inside(w, position), zeroOf(value.type)))])),
        ),
      ),
      ...phase(w, overRows(w, overLanesInOrder(w, where(inside(w, position), body)))),
    ]),
  )
}

/** Reads along the loop that every iteration makes, whatever the guard says. */
function certain(form: Scatter): readonly Read[] {
  const over = form.loops[form.loops.length - 1]! // a scatter has a loop
  const first = form.guard ? conjuncts(form.guard).slice(0, 1) : [...form.store.index, form.store.value]
  const out: Read[] = []
  const walkInto = (e: Expr): void => {
    if (e.kind === 'read' && !e.index.some(readsArray) && lastIndices([e]).some((x) => alongMemory(x, over)))
      out.push(e)
    if (e.kind === 'op') e.args.forEach(walkInto)
    if (e.kind === 'read') e.index.forEach(walkInto)
  }
  first.forEach(walkInto)
  return out
}
