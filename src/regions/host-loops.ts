// In: a program. Out: a tree of regions: nests, idioms and serial code, which become kernels, and loops that the host
// runs around them, with launches in each iteration. The one idea: for each slow sequential loop all known ways to run
// it are built and compared by estimated time, and the cheapest is taken; a loop goes to the host where what is inside
// of it then runs in parallel. Inside, its variable is as known as sizes are (`HostVariable`), because no launch
// changes it. At each step the program remains a plain sequential one.
import {
  withHostVariables,
  affineOf,
  alternatives,
  choose,
  int,
  negated,
  isAskedExactly,
  unswitched,
  cheapest,
  hasOnlySizes,
  implies,
  isEndless,
  loop as loopOf,
  loopVar,
  perfectNest,
  sizeDomain,
  sizeOf,
  freshName,
  guardInside,
  rewriteExpr,
  mapStmtExprs,
  readsArray,
  sizesIn,
  someExpr,
  substituteStmt,
  varsOf,
  type PassContext,
  type Chip,
  type Way,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type HostLoop,
  type Idiom,
  type Other,
  type PassTrace,
  type Region,
  type Regions,
  type Stages,
  type TimeTiles,
  type WaveTiles,
  type HostVariable,
} from '../ir/index.ts'
import {
  keptConditions,
  demoted,
  endsApart,
  firstApart,
  turnsApart,
  inOneNest,
  atDistances,
  byResidues,
  beforeLast,
  distancesIn,
  withElementsEach,
  withRoom,
  inPieces,
  inPiecesAround,
  inBlocks,
  inward,
  outward,
  pairsOf,
  scalarResultsApart,
  waveTiled,
  hasStages,
  stagesOf,
  straightNests,
  timeTiled,
  wavesOf,
} from '../transform/index.ts'
import { costOf, planned, plannedBound, type Nanoseconds, hasLoop, outerLoops } from '../analysis/index.ts'
import { nestsOf } from './nests.ts'
import { inOneBlock } from './one-block-loop.ts'

/** Loops on the host around one another; more launch more often than they gain. */
const deepest = 3

/** What takes less is left as it is: a few launches would take as long. */
const worthwhileNs = 2e4

/** What the search asks of the kernels that forms would get, which are made above it. */
export interface SketchQueries {
  /** Whether some tile of a time loop fits. */
  readonly hasTiles: (program: Program, form: TimeTiles) => boolean
  /** Whether some box of a wavefront fits. */
  readonly hasBoxes: (program: Program, form: WaveTiles) => boolean
  /** Launches that stages take together. */
  readonly launchesOf: (program: Program, form: Stages) => number
}

/** Where the search is: so many loops of the host around. */
interface Search {
  readonly depth: number
  /** So many conditions that the host has asked. */
  readonly asked: number
  readonly kernels: SketchQueries
  /** The GPU whose costs are compared. */
  readonly chip: Chip | undefined
  /** See `PassContext`. */
  readonly isUnblocked: boolean
  /** Who wants to know what is done on this way. */
  readonly trace: PassTrace | undefined
}

const deeper = (s: Search): Search => ({ ...s, depth: s.depth + 1 })

/** `program` taken apart. */
export function regionsOf(program: Program, kernels: SketchQueries, context: PassContext = {}): Regions {
  const { trace, chip, isUnblocked = false } = context
  return takenApart(program, { depth: 0, asked: 0, kernels, chip, isUnblocked, trace }, true)
}

/** `isWhole`: the program is no piece of another, which may read what the piece leaves in temporaries. */
function takenApart(program: Program, search: Search, isWhole = false): Regions {
  const apart = nestsOf(program, isWhole, search.trace, search.chip)
  let current = apart.program
  const regions = apart.parts.flatMap((part): readonly Region[] => {
    const trace = search.trace?.attempt('the host')
    const slow =
      part.kind === 'serial' && costOf(current, part, search.chip) > worthwhileNs && !pairsOf(current, part)
        ? part
        : undefined
    const hosted = slow && search.depth < deepest ? onHost(current, slow, { ...search, trace }) : undefined
    if (!hosted || hosted.cost >= costOf(current, part, search.chip)) return [part]
    if (trace) search.trace?.take(trace)
    current = hosted.program
    return hosted.regions
  })
  return { program: current, regions }
}

/** The sum over all regions. */
function costOfRegions(program: Program, regions: readonly Region[], chip: Chip | undefined): Nanoseconds {
  return regions.reduce(
    (n, r) =>
      n + (r.kind === 'host' ? timesOf(program, r) * costOfRegions(program, r.body, chip) : costOf(program, r, chip)),
    0,
  )
}

/** How often the body runs; conditions on variables of the host may hold in iterations that no plan is made for. */
function timesOf(program: Program, r: HostLoop): number {
  const variables = new Set(program.hostVariables.map((v) => v.name))
  return r.isCondition && sizesIn(r.upper).some((name) => variables.has(name))
    ? 1
    : planned(program, r.lower, r.upper, r.step)
}

/** The statements of `part` one by one, loops on the host; `undefined` when none can be. */
function onHost(given: Program, part: Other, search: Search): (Regions & { readonly cost: Nanoseconds }) | undefined {
  const lifted = withTemporaries(given, part)
  let program = lifted.program
  const regions: Region[] = []
  for (const group of together(lifted.stmts)) {
    const only = group.length === 1 ? group[0]! : undefined
    const made = only?.kind === 'loop' ? cheapestWay(program, only, search) : asItIs(program, group, search)
    program = made.program
    regions.push(...made.regions)
  }
  const only = regions.length === 1 ? regions[0] : undefined
  if (only?.kind === 'serial' && only.parallel <= part.parallel) return undefined
  return { program: { ...program, body: given.body }, regions, cost: costOfRegions(program, regions, search.chip) }
}

/** Ways to run a loop that no kernel runs well. */
export const loopOnHost = alternatives({
  name: 'loop-on-host',
  summary: 'a loop whose iterations must run in order, and that is slow in one block, is run in one of these ways',
  ways: {
    'in-order': 'one block, or one thread, runs its iterations in order',
    'index-set-splitting': 'its iterations are divided at an index behind which nothing is needed of those before',
    'loop-peeling': 'the first or last iterations of the loops in it, where these ask for them, stand apart',
    'full-unrolling': 'the few turns that sweeps in it take are written out, each over all of its grid',
    'first-iteration-peeling': 'its first iteration, which other conditions hold in, stands before it',
    'array-expansion': 'arrays that iterations overwrite get an element for each',
    unswitching: 'the host asks the conditions in it that nothing in it changes, and runs what is left of it',
    'scalar-demotion': 'locals that become elements of arrays are these from the start, so that more comes apart',
    'cycle-shrinking': "iterations that are a distance apart, which alone need each other, are one thread's each",
    interchange: 'the loops in it, whose iterations need nothing of each other, go around it',
    'host-loop': 'the host runs it, and launches what is inside of it in each iteration',
    'time-tiles': 'launches take several of its iterations, on tiles with a halo',
    'skewed-boxes': 'launches take skewed boxes of its iterations and of those of the loops in it',
    'strip-mining': 'the host runs it in blocks of iterations, of which only what depends on each other is in order',
    wavefront: 'the host runs the points of equal time of it and of the loops in it',
    'shift-linearization': 'the host runs it, with sizes for what halves or doubles in each iteration',
    'one-block': 'one block runs what the host would launch',
    stages: 'launches take several of its steps, which reach so far and no further',
    'outer-stages': 'the loops in it go around it, and launches take several of its stages together',
  },
  cost: 'estimated time in ns',
})

type WayOnHost = keyof typeof loopOnHost.ways

/** A way to run a loop, made. */
type Candidate = Way<WayOnHost, Regions>

/** What `make` gives, as ways of that name; what it does is traced apart. */
function tried(search: Search, way: WayOnHost, make: (search: Search) => Regions | undefined): readonly Candidate[] {
  const trace = search.trace?.attempt(way),
    result = make({ ...search, trace })
  return result ? [{ way, result, trace }] : []
}

/** The loop in the way that is estimated to take least time; the earlier of two that take as long. */
function cheapestWay(program: Program, loop: Loop, search: Search): Regions {
  const trace = search.trace?.attempt('in-order')
  const inOrder: Candidate = { way: 'in-order', result: asItIs(program, [loop], { ...search, trace }), trace }
  const ways: readonly [Candidate, ...Candidate[]] = [
    inOrder,
    ...tried(search, 'index-set-splitting', (s) => split(program, loop, s)),
    ...tried(search, 'loop-peeling', (s) => peeled(program, loop, s)),
    ...tried(search, 'full-unrolling', (s) => inTurns(program, loop, s)),
    ...tried(search, 'first-iteration-peeling', (s) => behindFirst(program, loop, s)),
    ...tried(search, 'array-expansion', (s) => widened(program, loop, s)),
    ...tried(search, 'unswitching', (s) => asked(program, loop, s)),
    ...tried(search, 'scalar-demotion', (s) => onElements(program, loop, s)),
    ...tried(search, 'cycle-shrinking', (s) => shrunk(program, loop, s)),
    ...tried(search, 'interchange', (s) => turned(program, loop, s)),
    ...inSteps(program, loop, search),
    ...turnedOut(program, loop, search),
  ]
  const cost = (r: Regions): number => costOfRegions(r.program, r.regions, search.chip),
    subject = (): string => `the loop over ${loop.name}${loop.at ? ` in line ${loop.at.line}` : ''}`
  return cheapest(loopOnHost, subject, ways, cost, search.trace).result
}

function asItIs(program: Program, body: readonly LoopStmt[], search: Search): Regions {
  const { program: after, parts } = nestsOf({ ...program, body }, false, search.trace, search.chip)
  return { program: after, regions: parts }
}

/** The loop in pieces where that makes parallel parts. */
function split(program: Program, loop: Loop, search: Search): Regions | undefined {
  const pieces = inPieces(program, loop)
  return pieces && asItIs(program, pieces, search)
}

/** The loop with ends of the loops in it apart. */
function peeled(program: Program, loop: Loop, search: Search): Regions | undefined {
  const made = endsApart(program, loop)
  return made === loop ? undefined : takenApart({ ...program, body: [made] }, search)
}

/** The loop with sweeps that take turns one behind the other. */
function inTurns(program: Program, loop: Loop, search: Search): Regions | undefined {
  const made = turnsApart(program, loop)
  return made && takenApart({ ...program, body: [made] }, search)
}

/** The loop behind its first iteration, which does without what the others need of the one before. */
function behindFirst(program: Program, loop: Loop, search: Search): Regions | undefined {
  const body = firstApart(program, loop)
  return body && takenApart({ ...program, body }, search)
}

/** The loop with room for what all its iterations write where one wrote after the other. */
function widened(program: Program, loop: Loop, search: Search): Regions | undefined {
  const made = withRoom(program, loop)
  return made && asItIs(made.program, made.body, search)
}

/** Conditions that may stand in each other: each makes two of a loop. */
const mostAsked = 3

/** What is left of the loop for each answer to a condition that the host asks. */
function asked(program: Program, loop: Loop, search: Search): Regions | undefined {
  const made = search.asked < mostAsked ? unswitched(loop) : undefined
  // how often a loop of the host runs is asked of sizes alone
  if (!made || !isAskedExactly(made.condition) || someExpr(made.condition, (e) => e.kind === 'scalar')) return undefined
  const { condition, then, otherwise } = made
  const branches = [
    { body: then, holds: condition },
    { body: otherwise, holds: negated(condition) },
  ]
  let current = program
  const regions = branches.flatMap(({ body, holds }): readonly Region[] => {
    const inner = takenApart({ ...current, body }, { ...search, asked: search.asked + 1 })
    current = inner.program
    return askedFor(current, holds, loop, inner.regions)
  })
  return { program: current, regions }
}

/** `body`, which is of `source`, where `condition` holds when the host asks. */
function askedFor(program: Program, condition: Expr, source: Loop, body: readonly Region[]): readonly Region[] {
  const variable = freshName(program, 'asked'),
    upper = choose(condition, int(1), int(0))
  if (body.length === 0) return []
  return [{ kind: 'host', variable, lower: int(0), upper, step: 1, body, source, steps: false, isCondition: true }]
}

/** The loop by residues; where these may need each other, the host asks, and runs it in order else. */
function shrunk(program: Program, loop: Loop, search: Search): Regions | undefined {
  const made = byResidues(program, loop)
  if (!made || (made.where && !isAskedExactly(made.where))) return undefined
  const { name } = perfectNest(loop).loops.at(-1)!, // the loop itself at least
    why = `'${name}' must run in order: an iteration reads what the one at a distance before it wrote`,
    apart: Region = { kind: 'serial', body: [made.loop], why, parallel: made.parallel }
  if (!made.where) return { program, regions: [apart] }
  const otherwise = asItIs(program, [loop], search)
  return {
    program: otherwise.program,
    regions: [
      ...askedFor(program, made.where, loop, [apart]),
      ...askedFor(program, negated(made.where), loop, otherwise.regions),
    ],
  }
}

/** The loop inside of the loops in it whose iterations need nothing of each other. */
function turned(program: Program, loop: Loop, search: Search): Regions | undefined {
  const made = inward(program, loop)
  return made && asItIs(program, [made], search)
}

/** Stages of each iteration of the loop, where these run apart: all of them take a stage together. */
function turnedOut(program: Program, loop: Loop, search: Search): readonly Candidate[] {
  const made = hasStages(loop) ? outward(program, loop) : undefined
  return made
    ? tried(search, 'outer-stages', (s) => {
        const hosted = hostLoop(program, made, s)
        return hosted && byStages(hosted, s)
      })
    : []
}

/** Ways to run a loop in steps that are loops of none of its statements in the source, or of different ones. */
function inWaves(given: Program, loop: Loop, search: Search): readonly Candidate[] {
  const variable = nameFor(given, { ...loop, name: 'step' }),
    asItStands = demoted({ ...given, body: [loop] })
  const plain = wavesOf(asItStands, variable, mostWays),
    isInOrder = outerLoops({ ...given, body: [loop] }).parallel === 0,
    wide = plain.length === 0 && isInOrder ? withElementsEach(given, loop) : undefined,
    program = wide?.program ?? given
  const waves = wide ? wavesOf({ ...program, body: [wide.loop] }, variable, mostWays) : plain
  return waves.flatMap((w) => {
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
      ...tried(search, 'wavefront', (s) => inWave(program, loop, variable, w, s)),
      ...blocked(program, ofSteps, loop, search),
    ]
  })
}

/** The loop with the host counting the points of equal time. */
function inWave(
  program: Program,
  loop: Loop,
  variable: string,
  w: ReturnType<typeof wavesOf>[number],
  search: Search,
): Regions {
  const middle = Math.max(0, Math.floor((plannedBound(program, w.lower) + plannedBound(program, w.upper)) / 2))
  const step: HostVariable = { name: variable, min: 0, below: w.upper, planned: middle }
  const inner = takenApart({ ...withHostVariables(program, [step]), body: w.body }, deeper(search))
  const { lower, upper } = w
  return {
    program: outside(inner.program, variable),
    regions: [{ kind: 'host', variable, lower, upper, step: 1, body: inner.regions, source: loop, steps: true }],
  }
}

/** Iterations that a block takes together: a launch each for what depends on each other, and enough for a product. */
const blockSizes = [32]

/** Ways to run the loop in blocks of its iterations; `source`: the loop that it was. */
function blocked(program: Program, loop: Loop, source: Loop, search: Search): readonly Candidate[] {
  if (search.depth > 0 || search.isUnblocked) return []
  const plain: Program = { ...program, body: [loop] },
    pieces = inPiecesAround(program, loop)
  const ways: readonly (readonly [Program, boolean])[] = [
    [plain, false],
    ...(pieces ? [[{ ...plain, body: [pieces] }, true] as const] : []),
  ]
  return ways.flatMap(([p, renaming]) =>
    blockSizes.flatMap((size) =>
      tried(search, 'strip-mining', (s) => {
        const only = p.body[0]
        const made =
          only?.kind !== 'loop' || planned(program, loop.lower, loop.upper, 1) < 2 * size
            ? undefined
            : inBlocks(p, only, size, renaming)
        if (!made) return undefined
        const inner = takenApart({ ...made.program, body: made.body }, deeper(s))
        return {
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
        }
      }),
    ),
  )
}

/**
 * The loop with locals that become elements as these from the start, so that more of it comes apart. Where its
 * iterations need nothing of each other, sums stay in registers.
 */
function onElements(program: Program, loop: Loop, search: Search): Regions | undefined {
  if (outerLoops({ ...program, body: [loop] }).parallel > 0) return undefined
  const body = demoted({ ...program, body: [loop] }).body
  return body[0] === loop ? undefined : takenApart({ ...program, body }, search)
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
function inSteps(program: Program, loop: Loop, search: Search): readonly Candidate[] {
  if (isEndless(loop)) return [] // the host cannot see the data that end it
  const ways = [
    ...onHostOrTiled(program, loop, search),
    ...inBoxes(program, loop, search),
    ...blocked(program, loop, loop, search),
  ]
  const tiled = ways.some(({ result: { regions } }) => regions[0]?.kind === 'idiom')
  const all = tiled ? ways : [...ways, ...inWaves(program, loop, search), ...atSizes(program, loop, search)]
  const then = (way: WayOnHost, make: (r: Regions) => Regions | undefined): readonly Candidate[] =>
    all.flatMap(({ result, trace }) => {
      const made = make(result)
      return made ? [{ way, result: made, trace }] : []
    })
  return [...all, ...then('one-block', byOneBlock), ...then('stages', (r) => byStages(r, search))]
}

/**
 * The loop on the host with a size for each number that halves; the last iterations, which are small then, by one
 * block.
 */
function atSizes(program: Program, loop: Loop, search: Search): readonly Candidate[] {
  const whole = tried(search, 'shift-linearization', (s) => hostLoop(program, loop, s, {}))
  if (whole.length === 0) return []
  const upper = beforeLast(loop.lower, loop.upper, smallBits)
  const divided = tried(search, 'shift-linearization', (s) => {
    const large = hostLoop(program, loop, s, { upper }),
      small = large && hostLoop({ ...program, ...large.program }, loop, s, { lower: upper })
    const last = small && byOneBlock(small)
    return large && last && { program: last.program, regions: [...large.regions, ...last.regions] }
  })
  return [...whole, ...divided]
}

/** Distances below 2 to this many bits are one block's. */
const smallBits = 12

/** What the host runs, by one block; the host must know how large temporaries are. */
function byOneBlock({ program, regions }: Regions): Regions | undefined {
  const r = theOnly(regions),
    part = r?.kind === 'host' ? inOneBlock(r) : undefined
  const inside = r ? new Set(variablesOf(r)) : undefined
  const sized = program.arrays.every((a) => a.shape.every((e) => !sizesIn(e).some((name) => inside?.has(name))))
  return part && sized ? { program, regions: [part] } : undefined
}

/** What the host runs, in launches of several steps. */
function byStages({ program, regions }: Regions, { kernels }: Search): Regions | undefined {
  const r = theOnly(regions),
    found = r?.kind === 'host' ? stagesOf(program, r) : undefined
  if (!found) return undefined
  const why = `'${found.loop.source.name}' must run in order; each step combines elements within a known distance`,
    form = { ...found, launches: kernels.launchesOf(program, { ...found, launches: 0 }) }
  return { program, regions: [{ kind: 'idiom', body: [found.loop.source], why, parallel: 0, form }] }
}

/** The region where there are no others: what is made of one would leave them out. */
const theOnly = (regions: readonly Region[]): Region | undefined => (regions.length === 1 ? regions[0] : undefined)

const variablesOf = (r: Region): readonly string[] =>
  r.kind === 'host' ? [r.variable, ...r.body.flatMap(variablesOf)] : []

/** The loop on the host, and in tiles of several of its iterations where its nests allow it. */
function onHostOrTiled(program: Program, loop: Loop, search: Search): readonly Candidate[] {
  const [hosted] = tried(search, 'host-loop', (s) => hostLoop(program, loop, s))
  const host = hosted?.result.regions[0]
  if (!hosted || host?.kind !== 'host') return []
  const inside = hosted.result.program,
    nests = host.body.map((r) => (r.kind === 'nest' ? [r] : r.kind === 'host' ? undefined : straightNests(inside, r)))
  const tiled = nests.every((n) => n !== undefined) ? timeTiled(inside, loop, host.variable, nests.flat()) : undefined
  if (!tiled || !search.kernels.hasTiles(tiled.program, tiled.part.form)) return [hosted]
  const result: Regions = { program: tiled.program, regions: [tiled.part] }
  return [hosted, { way: 'time-tiles', result, trace: hosted.trace }]
}

/** The loop and those in it in skewed boxes; numbers that it keeps beside what boxes fill come after them. */
function inBoxes(program: Program, loop: Loop, search: Search): readonly Candidate[] {
  return tried(search, 'skewed-boxes', (s) => {
    const [table, results] = scalarResultsApart(program, loop) ?? [loop]
    const tiled = boxesOf(program, table)
    if (tiled?.part.form.kind !== 'wave-tiles' || !search.kernels.hasBoxes(tiled.program, tiled.part.form))
      return undefined
    const rest = results ? asItIs(tiled.program, [results], s) : { program: tiled.program, regions: [] }
    return { program: rest.program, regions: [tiled.part, ...rest.regions] }
  })
}

/** The part that stands for the loop and those in it, as they are or as one nest. */
function boxesOf(program: Program, loop: Loop): { readonly program: Program; readonly part: Idiom } | undefined {
  const part = waveTiled(program, loop),
    isParallel = outerLoops({ ...program, body: [loop] }).parallel > 0
  // rows that need nothing of each other are a thread's each: boxes have no more to do at once
  if (part) return isParallel && isOfRows(part) ? undefined : { program, part }
  if (isParallel) return undefined
  const made = inOneNest(program, loop),
    fused = made && waveTiled(made.program, made.loop)
  return made && fused && { program: made.program, part: fused }
}

/** Whether boxes are of one loop that carries, in rows. */
const isOfRows = ({ form }: Idiom): boolean => form.kind === 'wave-tiles' && form.time === undefined

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
  const middle = Math.max(
    least,
    Math.floor((plannedBound(program, loop.lower) + plannedBound(program, loop.upper)) / 2),
  )
  const own: HostVariable = { name: variable, min: least, below: loop.upper, planned: middle },
    named = loop.body.map((s) => substituteStmt(s, new Map([[loop.name, sizeOf(variable)]])))
  const [from, to] = [at?.lower ?? loop.lower, at?.upper ?? loop.upper],
    inside = withHostVariables(program, [own])
  const halves = distancesIn(inside, named, variable, plannedBound(program, from), plannedBound(program, to)),
    made = at && halves
  if (at && !made) return undefined
  const inner = takenApart(
    {
      ...withHostVariables(program, [halves ? { ...own, planned: halves.usual } : own, ...(made?.variables ?? [])]),
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
  hostVariables: p.hostVariables.map(({ below, ...v }) => (below && v.name !== variable ? { ...v, below } : v)),
})

/** A name that no loop has: other parts may hold a piece of the same loop. */
const nameFor = (program: Program, loop: Loop): string => freshName(program, `${loop.name}_now`)
