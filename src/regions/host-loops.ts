// In: a program. Out: its parts in a tree: parts that kernels run, and loops that the host runs around them. The one
// idea: a loop that must run in order goes to the host when what is inside of it becomes parallel parts and that is
// estimated to take less time than the threads that would run it otherwise; there its variable is one more size. It
// bounds nothing but what it moves: everything stays a plain sequential program.
import {
  affineOf,
  hasOnlySizes,
  implies,
  isEndless,
  loop as loopOf,
  loopVar,
  sizeDomain,
  sizeOf,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Size,
  type HostLoop,
  type Other,
  type PassTrace,
  type Region,
  type Regions,
  type Stages,
  type TimeTiles,
  type WaveTiles,
  freshName,
  guardInside,
  rewriteExpr,
  mapStmtExprs,
  readsArray,
  sizesIn,
  substituteStmt,
  varsOf,
} from '../ir/index.ts'
import {
  keptConditions,
  demoted,
  atDistances,
  beforeLast,
  distancesIn,
  withRoom,
  inPieces,
  inPiecesAround,
  inBlocks,
  inward,
  outward,
  pairsOf,
  waveTiled,
  hasStages,
  stagesOf,
  straightNests,
  timeTiled,
  wavesOf,
} from '../transform/index.ts'
import { costOf, planned, valueOf, type Cost, hasLoop } from '../analysis/index.ts'
import { nestsOf } from './nests.ts'
import { inOneBlock } from './one-block-loop.ts'

/** Loops on the host around one another; more launch more often than they gain. */
const deepest = 3

/** What takes less is left as it is: a few launches would take as long. */
const worthwhileNs = 2e4

/** What the search asks of the kernels that forms would get, which are made above it. */
export interface Kernels {
  /** Whether some tile of a time loop fits. */
  readonly hasTiles: (program: Program, form: TimeTiles) => boolean
  /** Whether some box of a wavefront fits. */
  readonly hasBoxes: (form: WaveTiles) => boolean
  /** Launches that stages take together. */
  readonly launchesOf: (program: Program, form: Stages) => number
}

/** Where the search is: so many loops of the host around. */
interface Search {
  readonly depth: number
  readonly kernels: Kernels
  /** Who wants to know what is done on this way. */
  readonly trace: PassTrace | undefined
}

const deeper = (s: Search): Search => ({ ...s, depth: s.depth + 1 })

/** `program` taken apart. */
export function regionsOf(program: Program, kernels: Kernels, trace?: PassTrace): Regions {
  return takenApart(program, { depth: 0, kernels, trace })
}

function takenApart(program: Program, search: Search): Regions {
  const apart = nestsOf(program, search.depth === 0, search.trace)
  let current = apart.program
  const regions = apart.parts.flatMap((part): readonly Region[] => {
    const slow =
      part.kind === 'other' && !part.form && costOf(current, part) > worthwhileNs && !pairsOf(current, part)
        ? part
        : undefined
    const hosted = slow && search.depth < deepest ? onHost(current, slow, search) : undefined
    if (!hosted || hosted.cost >= costOf(current, part)) return [part]
    current = hosted.program
    return hosted.regions
  })
  return { program: current, regions }
}

/** The sum over all regions. */
function costOfRegions(program: Program, regions: readonly Region[]): Cost {
  return regions.reduce(
    (n, r) =>
      n +
      (r.kind === 'host'
        ? planned(program, r.lower, r.upper, r.step) * costOfRegions(program, r.body)
        : costOf(program, r)),
    0,
  )
}

/** The statements of `part` one by one, loops on the host; `undefined` when none can be. */
function onHost(given: Program, part: Other, search: Search): (Regions & { readonly cost: Cost }) | undefined {
  const lifted = withTemporaries(given, part)
  let program = lifted.program
  const regions: Region[] = []
  for (const group of together(lifted.stmts)) {
    const only = group.length === 1 ? group[0]! : undefined
    const made =
      only?.kind === 'loop'
        ? cheapest([
            asItIs(program, group),
            split(program, only),
            widened(program, only),
            turned(program, only),
            ...inSteps(program, only, search),
            ...turnedOut(program, only, search),
          ])
        : asItIs(program, group)
    program = made.program
    regions.push(...made.regions)
  }
  const only = regions.length === 1 ? regions[0] : undefined
  if (only?.kind === 'other' && !only.form && only.parallel <= part.parallel) return undefined
  return { program: { ...program, body: given.body }, regions, cost: costOfRegions(program, regions) }
}

function asItIs(program: Program, body: readonly LoopStmt[]): Regions {
  const { program: after, parts } = nestsOf({ ...program, body }, false)
  return { program: after, regions: parts }
}

/** The loop in pieces where that makes parallel parts. */
function split(program: Program, loop: Loop): Regions | undefined {
  const pieces = inPieces(program, loop)
  return pieces && asItIs(program, pieces)
}

/** The loop with room for what all its iterations write where one wrote after the other. */
function widened(program: Program, loop: Loop): Regions | undefined {
  const made = withRoom(program, loop)
  return made && asItIs(made.program, made.body)
}

/** The loop inside of the loops in it whose iterations need nothing of each other. */
function turned(program: Program, loop: Loop): Regions | undefined {
  const made = inward(program, loop)
  return made && asItIs(program, [made])
}

/** Stages of each iteration of the loop, where these run apart: all of them take a stage together. */
function turnedOut(program: Program, loop: Loop, search: Search): readonly Regions[] {
  const made = hasStages(loop) ? outward(program, loop) : undefined,
    hosted = made && hostLoop(program, made, search)
  return hosted ? byStages(hosted, search) : []
}

/** The first of those that are there that no other beats. */
function cheapest([first, ...others]: readonly [Regions, ...(Regions | undefined)[]]): Regions {
  const cost = (r: Regions): Cost => costOfRegions(r.program, r.regions)
  return others.reduce<Regions>((best, r) => (r && cost(r) < cost(best) ? r : best), first)
}

/** Ways to run a loop in steps that are loops of none of its statements in the source, or of different ones. */
function inWaves(program: Program, loop: Loop, search: Search): readonly Regions[] {
  const variable = nameFor(program, { ...loop, name: 'step' })
  return wavesOf(demoted({ ...program, body: [loop] }), variable, mostWays).flatMap((w) => {
    const middle = Math.max(0, Math.floor((valueOf(program, w.lower) + valueOf(program, w.upper)) / 2))
    const inner = takenApart(
      {
        ...program,
        sizes: [...program.sizes, { name: variable, min: 0, below: w.upper, planned: middle }],
        body: w.body,
      },
      deeper(search),
    )
    const ofSteps = loopOf(
      variable,
      w.upper,
      w.body.map((s) =>
        mapStmtExprs(s, (e) =>
          rewriteExpr(e, (x) => (x.kind === 'size' && x.name === variable ? loopVar(variable) : undefined)),
        ),
      ),
      { lower: w.lower },
    )
    return [
      {
        program: outside(inner.program, variable),
        regions: [
          {
            kind: 'host',
            variable,
            lower: w.lower,
            upper: w.upper,
            step: 1,
            body: inner.regions,
            source: loop,
            steps: true,
          },
        ],
      },
      ...blocked(program, ofSteps, loop, search),
    ]
  })
}

/** Iterations that a block takes together: a launch each for what depends on each other, and enough for a product. */
const blockSizes = [32]

/** Ways to run the loop in blocks of its iterations; `source`: the loop that it was. */
function blocked(program: Program, loop: Loop, source: Loop, search: Search): readonly Regions[] {
  if (search.depth > 0) return []
  const plain: Program = { ...program, body: [loop] },
    pieces = inPiecesAround(program, loop)
  const ways: readonly (readonly [Program, boolean])[] = [
    [plain, false],
    ...(pieces ? [[{ ...plain, body: [pieces] }, true] as const] : []),
  ]
  return ways.flatMap(([p, renaming]) =>
    blockSizes.flatMap((size): readonly Regions[] => {
      const only = p.body[0]
      const made =
        only?.kind !== 'loop' || planned(program, loop.lower, loop.upper, 1) < 2 * size
          ? undefined
          : inBlocks(p, only, size, renaming)
      if (!made) return []
      const inner = takenApart({ ...made.program, body: made.body }, deeper(search))
      return [
        {
          program: outside(inner.program, made.variable),
          regions: [
            {
              kind: 'host',
              variable: made.variable,
              lower: loop.lower,
              upper: loop.upper,
              step: size,
              body: inner.regions,
              source,
              steps: loop !== source,
            },
          ],
        },
      ]
    }),
  )
}

/** Times that are compared by what they cost. */
const mostWays = 3

/** Locals that the statements of the part share become temporaries in global memory. */
function withTemporaries(
  program: Program,
  part: Other,
): { readonly program: Program; readonly stmts: readonly LoopStmt[] } {
  const locals = part.body.flatMap((s): readonly ArrayDecl[] =>
    s.kind === 'declare' ? [{ ...s.array, role: 'temp', space: 'global' }] : [],
  )
  return {
    program: { ...program, arrays: [...program.arrays, ...locals] },
    stmts: part.body.filter((s) => s.kind !== 'declare'),
  }
}

/** Loops alone; statements without loops that stand next to each other together. */
function together(stmts: readonly LoopStmt[]): readonly (readonly LoopStmt[])[] {
  const out: LoopStmt[][] = []
  for (const s of stmts) {
    const last = out[out.length - 1]
    if (last && !hasLoop(s) && !hasLoop(last[0]!)) last.push(s)
    else out.push([s])
  }
  return out
}

/** Ways to run the loop in order: on the host, in tiles, and where there are none in waves of single iterations. */
function inSteps(program: Program, loop: Loop, search: Search): readonly Regions[] {
  if (isEndless(loop)) return [] // the host cannot see the data that end it
  const ways = [
    ...onHostOrTiled(program, loop, search),
    ...inBoxes(program, loop, search),
    ...blocked(program, loop, loop, search),
  ]
  const tiled = ways.some(({ regions: [r] }) => r?.kind === 'other' && r.form !== undefined)
  const all = tiled ? ways : [...ways, ...inWaves(program, loop, search), ...atSizes(program, loop, search)]
  return [...all, ...all.flatMap(byOneBlock), ...all.flatMap((r) => byStages(r, search))]
}

/**
 * The loop on the host with a size for each number that halves; the last iterations, which are small then, by one
 * block.
 */
function atSizes(program: Program, loop: Loop, search: Search): readonly Regions[] {
  const whole = hostLoop(program, loop, search, {})
  if (!whole) return []
  const upper = beforeLast(loop.lower, loop.upper, smallBits),
    large = hostLoop(program, loop, search, { upper }),
    small = large && hostLoop({ ...program, ...large.program }, loop, search, { lower: upper })
  const [last] = small ? byOneBlock(small) : []
  return [whole, ...(large && last ? [{ program: last.program, regions: [...large.regions, ...last.regions] }] : [])]
}

/** Distances below 2 to this many bits are one block's. */
const smallBits = 12

/** What the host runs, by one block; the host must know how large temporaries are. */
function byOneBlock({ program, regions: [r] }: Regions): readonly Regions[] {
  const part = r?.kind === 'host' ? inOneBlock(r) : undefined
  const inside = r ? new Set(variablesOf(r)) : undefined
  const sized = program.arrays.every((a) => a.shape.every((e) => !sizesIn(e).some((name) => inside?.has(name))))
  return part && sized ? [{ program, regions: [part] }] : []
}

/** What the host runs, in launches of several steps. */
function byStages({ program, regions: [r] }: Regions, { kernels }: Search): readonly Regions[] {
  const form = r?.kind === 'host' ? stagesOf(program, r) : undefined
  if (!form) return []
  const why = `'${form.loop.source.name}' must run in order, in steps that reach so far and no further`
  return [
    {
      program,
      regions: [
        {
          kind: 'other',
          body: [form.loop.source],
          why,
          parallel: 0,
          form: { ...form, launches: kernels.launchesOf(program, { ...form, launches: 0 }) },
        },
      ],
    },
  ]
}

const variablesOf = (r: Region): readonly string[] =>
  r.kind === 'host' ? [r.variable, ...r.body.flatMap(variablesOf)] : []

/** The loop on the host, and in tiles of several of its iterations where its nests allow it. */
function onHostOrTiled(program: Program, loop: Loop, search: Search): readonly Regions[] {
  const hosted = hostLoop(program, loop, search)
  const host = hosted?.regions[0]
  if (!hosted || host?.kind !== 'host') return []
  const nests = host.body.map((r) =>
    r.kind === 'nest' ? [r] : r.kind === 'other' ? straightNests(hosted.program, r) : undefined,
  )
  const tiled = nests.every((n) => n !== undefined)
    ? timeTiled(hosted.program, loop, host.variable, nests.flat())
    : undefined
  return tiled?.form?.kind === 'time-tiles' && search.kernels.hasTiles(hosted.program, tiled.form)
    ? [hosted, { program: hosted.program, regions: [tiled] }]
    : [hosted]
}

/** The loop and those in it in skewed boxes. */
function inBoxes(program: Program, loop: Loop, { kernels }: Search): readonly Regions[] {
  const tiled = waveTiled(program, loop)
  return tiled?.form?.kind === 'wave-tiles' && kernels.hasBoxes(tiled.form) ? [{ program, regions: [tiled] }] : []
}

/** `at`: with sizes for what halves, which there must be, between these bounds. */
function hostLoop(
  given: Program,
  whole: Loop,
  search: Search,
  at?: { readonly lower?: Expr; readonly upper?: Expr },
): Regions | undefined {
  const { program, body: stmts } = keptConditions(given, whole.body),
    loop = stmts === whole.body ? whole : { ...whole, body: stmts }
  const lower = affineOf(loop.lower),
    upper = affineOf(loop.upper)
  if (
    !lower ||
    !upper ||
    !hasOnlySizes(lower) ||
    !hasOnlySizes(upper) ||
    !implies(sizeDomain(program).constraints, lower)
  )
    return undefined
  const variable = nameFor(program, loop)
  const least = lower.terms.size === 0 ? lower.constant : 0
  const middle = Math.max(least, Math.floor((valueOf(program, loop.lower) + valueOf(program, loop.upper)) / 2))
  const size: Size = { name: variable, min: least, below: loop.upper, planned: middle },
    named = loop.body.map((s) => substituteStmt(s, new Map([[loop.name, sizeOf(variable)]])))
  const [from, to] = [at?.lower ?? loop.lower, at?.upper ?? loop.upper],
    inside: Program = { ...program, sizes: [...program.sizes, size] }
  const halves = distancesIn(inside, named, variable, valueOf(program, from), valueOf(program, to)),
    made = at && halves
  if (at && !made) return undefined
  const inner = takenApart(
    {
      ...program,
      sizes: [...program.sizes, halves ? { ...size, planned: halves.usual } : size, ...(made?.sizes ?? [])],
      body: (made?.body ?? named).flatMap(askedInside),
    },
    deeper(search),
  )
  const host: HostLoop = {
    kind: 'host',
    variable,
    lower: from,
    upper: to,
    step: loop.step,
    body: [],
    source: whole,
    steps: false,
  }
  return {
    program: outside(inner.program, variable),
    regions: [{ ...host, body: made ? atDistances(made.all, inner.regions, host) : inner.regions }],
  }
}

/** Loops under a condition on sizes with the condition inside of them, where they stay parallel. */
function askedInside(s: LoopStmt): readonly LoopStmt[] {
  if (
    s.kind !== 'if' ||
    s.else.length > 0 ||
    !s.then.every((x) => x.kind === 'loop') ||
    varsOf(s.condition).size > 0 ||
    readsArray(s.condition)
  )
    return [s]
  return s.then.flatMap((x) => guardInside(s.condition, [x]))
}

/**
 * The program around the loop of `variable`: that it is below the loop's end says there that the loop is not empty,
 * which nobody knows.
 */
const outside = (p: Program, variable: string): Program => ({
  ...p,
  sizes: p.sizes.map((s) => {
    const { below: _, ...free } = s
    return s.name === variable ? free : s
  }),
})

/** A name that no loop has: other parts may hold a piece of the same loop. */
const nameFor = (program: Program, loop: Loop): string => freshName(program, `${loop.name}_now`)
