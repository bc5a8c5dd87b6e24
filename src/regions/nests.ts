// In: a program. Out: its computations in an order that dependences allow, in canonical form where possible: a `Nest`
// is parallel loops around one assignment, possibly with one reduction inside. The one idea: programs are normalised
// and their loops distributed first, so that sketches need not know the many ways to write the same computation.
// Statements that fit neither a nest nor a known idiom are kept as serial code; nothing is dropped.
import {
  type Chip,
  bytesOf,
  constant,
  isFloat,
  isInteger,
  registerType,
  type MemoryType,
  isTriangular,
  loop as loopOf,
  affineOf,
  int,
  loopVar,
  op,
  sameExpr,
  sizeDomain,
  read,
  type ArrayDecl,
  type Expr,
  type If,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
  reduced,
  type Nest,
  type Other,
  claimName,
  conjuncts,
  conjunction,
  eachStmt,
  someStmt,
  someExpr,
  freshName,
  rewriteExpr,
  namesOf,
  perfectNest,
  readsArray,
  readsIn,
  uses,
  varsOf,
  nestProgram,
  because,
  loopNests,
  pass,
  runPasses,
  sequence,
  type Nests,
  type PassTrace,
  type Temporaries,
} from '../ir/index.ts'
import {
  readBack,
  uniqueNames,
  scalarRenaming,
  singleIterationPromotion,
  liveRangeSplitting,
  privatization,
  arrayPrivatization,
  forwardSubstitution,
  storeForwarding,
  ifConversion,
  boundPredication,
  carriedSubscripts,
  tightened,
  antiDependenceCopy,
  scanRenaming,
  independentFission,
  invariantReductions,
  summedArea,
  initFusion,
  termFission,
  deltaSifting,
  conditionalReductions,
  inputCopy,
  accumulatorInterchange,
  atomicReductions,
  perfectNesting,
  memoryOrder,
  arraysOf,
  distribute,
  expandable,
  expandScalars,
  fitsThread,
  localRows,
  sumsBeside,
  bundled,
  formOf,
  resumedSearch,
  handedOn,
  ownReads,
  gatheredFrom,
  withLiteralBounds,
  withOwnSums,
  withGuardInside,
  withGuardsInside,
  withOwnNests,
  withRowBests,
  lastWriters,
  multiprefix,
  inOneThread,
  type Role,
  packedRows,
  pairsOf,
  runningApart,
  withBranchesApart,
  withNodesSplit,
  loopInvariantCodeMotion,
} from '../transform/index.ts'
import {
  mentions,
  sameIndex,
  planned,
  inequalityOf,
  injective,
  isThere,
  costOf,
  hasLoop,
  outerLoops,
  interchanged,
  knownDependences,
} from '../analysis/index.ts'

/**
 * The computations of `program` in an order that its dependences allow. Loops are split where that takes them into
 * canonical form; local scalars that several computations use become global temporaries. `whole`: the program is all
 * that uses its temporaries, no piece of another.
 */
export function nestsOf(
  source: Program,
  whole = true,
  trace?: PassTrace,
  chip?: Chip,
): { readonly program: Program; readonly parts: readonly (Nest | Other)[] } {
  const plain = runPasses(loopNormalization, source, { whole, trace, chip })
  const undivided: Other = { kind: 'serial', body: plain.body, why: 'it is not distributed yet', parallel: 0 }
  return runPasses(toNests, { program: plain, parts: [undivided] }, { trace, chip })
}

/** Locals of each iteration are its own, and values stand where they are used, before loops are distributed. */
export const loopNormalization = sequence<Program, Temporaries>(
  'loop-normalization',
  'gives each iteration its own locals and puts values where they are used, so that loops can be distributed',
  [
    because('all that follows tells locals apart by name', uniqueNames),
    because('a loop that says nothing would be one more in every nest', singleIterationPromotion),
    scalarRenaming,
    because('renamed scalars have short ranges', liveRangeSplitting),
    because('each range is alone in the loops that use it', privatization),
    because('what was moved into a loop may be several there', liveRangeSplitting),
    because('and those may move further in', privatization),
    because('what iterations are too many or too long to keep for themselves gets room for all', arrayPrivatization),
    because('locals of an iteration have one value, which may stand where it is read', forwardSubstitution),
    because('what an element is compared with is values by now', storeForwarding),
    because('values in conditions are places by now', ifConversion),
    because('and values that places choose are subscripts', carriedSubscripts),
    because('subscripts say by now what a sum uses', invariantReductions),
    because('and what a store uses', loopInvariantCodeMotion),
    antiDependenceCopy,
    scanRenaming,
    because('running values that share a start are apart then', independentFission),
    because('loops that memory ends are known to be parallel once locals are their own', boundPredication),
    summedArea,
  ],
)

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] out global
//     array s: f32[] inout global
//     for i in 0 .. n {
//       y[i] = x[i] * x[i]
//       s += x[i]
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] out global
//     array s: f32[] inout global
//     for i in 0 .. n {
//       y[i] = x[i] * x[i]
//     }
//     declare sum: f32[] temp private
//     sum = s
//     for i in 0 .. n {
//       sum += x[i]
//     }
//     s = sum
//   }
export const loopDistribution = pass<Nests>({
  name: 'loop-distribution',
  summary:
    'loops are divided into nests and idioms as dependences allow, with scalars expanded and sums of their own where ' +
    'that leaves less to one thread',
  needs: ['dependences', 'loop parallelism'],
  of: loopNests,
  run: ({ program }, { chip }) => withCirclesOpen(program, chip),
})

/** What nests are after loops are distributed: fewer where one goes on from another, more where one is two. */
export const toNests = sequence<Nests>(
  'loop-nests',
  'distributes loops into nests, joins those that go on from one another, and takes those apart that are several',
  [
    loopDistribution,
    because('a start is absorbed before its sum is taken apart', initFusion),
    termFission,
    because('a condition may fix the loop of one term and not that of another', deltaSifting),
    conditionalReductions,
    because('copies are made for the nests that are left', inputCopy),
    because('loops with conditions between them are none that are permuted', perfectNesting),
    because('what is in no canonical form by now stays so', memoryOrder),
    because('what one thread does by now it does alone', accumulatorInterchange),
    because('sums that a schedule without atomics makes are in canonical form by now', atomicReductions),
  ],
)

interface Parts {
  readonly program: Program
  readonly parts: readonly (Nest | Other)[]
}

interface Context {
  readonly program: Program
  readonly arrays: ReadonlyMap<string, ArrayDecl>
}

// ── taking a program apart ────────────────────────────────────────────────────────────────────────────────────────

const isBetterApart = (a: Parts, b: Parts, chip: Chip | undefined): boolean =>
  loopsAlone(a) === loopsAlone(b) ? isBetter(a, b, chip) : loopsAlone(a) < loopsAlone(b)

/**
 * Loops that one thread would run after all else read copies of what they overwrite, or have their branches apart,
 * where that leaves it less.
 */
function withCirclesOpen(given: Program, chip: Chip | undefined): Parts {
  let program = given,
    parts = withRows(given, chip)
  for (let i = 0; i < program.body.length && loopsAlone(parts) > 0; i++) {
    for (const tried of [...withNodesSplit(program, i), ...withBranchesApart(program, i)]) {
      const made = withRows(tried, chip)
      if (!isBetterApart(made, parts, chip)) continue
      ;[program, parts] = [tried, made]
      break
    }
  }
  return parts
}

/** Local arrays of iterations are rows of a matrix where that takes more into canonical form. */
function withRows(given: Program, chip: Chip | undefined): Parts {
  const parts = withConditionsInside(given, chip),
    rows = badness(parts) === 0 ? [] : localRows(given)
  if (rows.length === 0) return parts
  const made = withLoopsApart(expandScalars(given, rows), chip)
  return isBetterApart(made, parts, chip) ? made : parts
}

/** Conditions around loops stand in them where that takes more into canonical form. */
function withConditionsInside(given: Program, chip: Chip | undefined): Parts {
  const parts = withLoopsApart(given, chip),
    sunk = badness(parts) === 0 ? undefined : withGuardsInside(given)
  if (!sunk) return parts
  const made = withLoopsApart(sunk, chip)
  return isBetterApart(made, parts, chip) ? made : parts
}

/** Whether a temporary has an element for each of an array that was made for iterations. */
const isTwin = (made: ArrayDecl, b: ArrayDecl): boolean =>
  b.role === 'temp' &&
  b.shape.length > 1 &&
  b.shape.length === made.shape.length &&
  b.shape.every((e, d) => sameExpr(e, made.shape[d]!)) // as many dimensions

/**
 * Loops hand no values on, and searches are reductions, where that takes more into canonical form; eight are tried at
 * most.
 */
function withLoopsApart(given: Program, chip: Chip | undefined): Parts {
  let parts = expanded(given, chip)
  // an array for all iterations may hold what another holds anyway
  const added = parts.program.arrays.slice(given.arrays.length),
    isExpanded = added.some((a) => isTriangular(given.body) || given.arrays.some((b) => isTwin(a, b)))
  if (badness(parts) === 0 && !isExpanded) return parts
  const stored = readBack(given),
    instead = stored && expanded(stored, chip)
  // what is stored anyway needs no array of its own
  const isShorter =
    instead !== undefined && !isBetterApart(parts, instead, chip) && instead.parts.length < parts.parts.length
  if (instead && (isShorter || isBetterApart(instead, parts, chip))) parts = instead
  if (badness(parts) === 0) return parts
  for (let n = 0, tries = 0, all = handedOn(given); badness(parts) > 0 && tries < 8; tries++) {
    const tried = all[n],
      made = tried && expanded(tried, chip)
    if (!made) break
    if (isBetterApart(made, parts, chip)) [parts, all] = [made, handedOn(tried)]
    else n++
  }
  return parts
}

/**
 * Local scalars of outer loops become temporaries with an element per iteration where that takes everything into
 * canonical form.
 */
function expanded(given: Program, chip: Chip | undefined): Parts {
  const { program, parts: plain } = withSumsApart(given)
  if (others(plain) === 0) return plain
  const straight = inStraightLines(plain)
  const all = expandable(program).filter((name) => !straight.has(name))
  let names: readonly string[] = all.length > mostExpanded ? all.filter((name) => isSummed(program, name)) : all
  if (names.length === 0 || names.length > mostExpanded) return plain
  let best = partition(expandScalars(program, names))
  if (!isBetter(best, plain, chip)) {
    for (const fewer of [names.filter((name) => !isRunning(program, name)), sumsBeside(program)]) {
      if (isBetter(best, plain, chip) || fewer.length === 0) continue
      names = fewer
      best = partition(expandScalars(program, names))
    }
  }
  if (!isBetter(best, plain, chip)) return plain
  for (const name of names) {
    const fewer = names.filter((n) => n !== name)
    const tried = partition(expandScalars(program, fewer))
    if (!isBetter(best, tried, chip)) {
      best = tried
      names = fewer
    }
  }
  return best
}

/** Scalars that are tried together, and one by one. */
const mostExpanded = 8

/** Whether a loop below that of the scalar's declaration reduces into it. */
function isSummed(program: Program, name: string): boolean {
  let declared = -1
  return someStmt(program.body, (s, around) => {
    if (s.kind === 'declare' && s.array.name === name) declared = around.length
    return s.kind === 'store' && s.array === name && s.reduce !== undefined && declared >= 0 && around.length > declared
  })
}

/** Whether an innermost loop reads the scalar that it reduces into. */
function isRunning(program: Program, name: string): boolean {
  return someStmt(
    program.body,
    (s) =>
      s.kind === 'loop' &&
      !s.body.some(hasLoop) &&
      s.body.some((x) => x.kind === 'store' && x.array === name && x.reduce) &&
      readsIn(s.body).some((r) => r.array === name),
  )
}

/** Locals of iterations that run apart and have no loops inside: one kernel does all of their statements. */
function inStraightLines({ parts }: Parts): ReadonlySet<string> {
  const names = new Set<string>()
  for (const p of parts) {
    if (p.kind !== 'serial' || p.parallel === 0) continue
    const [only, more] = p.body.filter((s) => s.kind !== 'declare')
    const inside = only?.kind === 'loop' && !more ? perfectNest(only) : undefined
    if (!inside || inside.loops.length > p.parallel || inside.body.some(hasLoop)) continue
    for (const s of inside.body) if (s.kind === 'declare') names.add(s.array.name)
  }
  return names
}

/**
 * Loops that one thread would run, with a term of each sum for each iteration where they can run apart then, or the
 * best of each row.
 */
function withSumsApart(given: Program): { readonly program: Program; readonly parts: Parts } {
  let program = given,
    parts = partition(given)
  for (let i = 0; i < program.body.length && loopsAlone(parts) > 0; i++) {
    for (const tried of [
      withOwnSums(program, i) ??
        withOwnNests(program, i) ??
        withGuardInside(program, i) ??
        withRowBests(program, i) ??
        lastWriters(program, i) ??
        multiprefix(program, i) ??
        packedRows(program, i) ??
        [],
      runningApart(program, i),
    ].flat()) {
      const made = partition(tried)
      if (loopsAlone(made) < loopsAlone(parts)) {
        ;[program, parts] = [tried, made]
        break
      }
    }
  }
  return { program, parts }
}

/** Parts that one thread would run. */
const alone = (p: Parts): number => p.parts.filter((x) => x.kind === 'serial' && x.parallel === 0).length

/** Of these, those with loops. */
const loopsAlone = (p: Parts): number =>
  p.parts.filter((x) => x.kind === 'serial' && x.parallel === 0 && x.body.some(hasLoop)).length

/** What such parts take less, where fewer of their statements are in them, is worth launches of its own. */
const worthwhileShare = 0.75
/** The same of parts in no canonical form that have many threads: as many are left, with little of their work. */
const worthwhileRest = 0.25

/** Whether less is left to one thread, or as much and less is in no canonical form. */
function isBetter(a: Parts, b: Parts, chip: Chip | undefined): boolean {
  const [left, before] = [timeAlone(a, chip), timeAlone(b, chip)]
  if (alone(a) !== alone(b) || loopsAlone(a) === 0)
    return badness(a) === badness(b)
      ? timeOfOthers(a, chip) < worthwhileRest * timeOfOthers(b, chip)
      : badness(a) < badness(b)
  if (left < worthwhileShare * before) return true
  return before < worthwhileShare * left ? false : badness(a) < badness(b)
}

/** Estimated time of the loops that one thread would run. */
const timeAlone = (p: Parts, chip: Chip | undefined): number =>
  p.parts.reduce(
    (n, x) => n + (x.kind === 'serial' && x.parallel === 0 && x.body.some(hasLoop) ? costOf(p.program, x, chip) : 0),
    0,
  )

/** Estimated time of what is in no canonical form. */
const timeOfOthers = (p: Parts, chip: Chip | undefined): number =>
  p.parts.reduce((n, x) => n + (x.kind === 'serial' ? costOf(p.program, x, chip) : 0), 0)

/** What is worse, first of all parts that one thread would run. */
const badness = (p: Parts): number => 1000 * alone(p) + others(p)

const others = (p: Parts): number => p.parts.filter((x) => x.kind === 'serial' && !pairsOf(p.program, x)).length

/**
 * Groups of statements, each a nest where possible. Locals of the function that several groups use become global
 * temporaries.
 */
function partition(source: Program): Parts {
  const program = { ...source, body: bundled(contextOf(source, new Set()).arrays, source.body) }
  const locals = program.body.flatMap((s) => (s.kind === 'declare' ? [s.array] : []))
  const deps = knownDependences(program)
  const everything = contextOf(program, new Set(locals.map((a) => a.name)))
  const lift = new Set(locals.filter((a) => !fitsThread(a)).map((a) => a.name))
  for (;;) {
    const context = contextOf(program, lift)
    const accept = (stmts: readonly LoopStmt[]): boolean =>
      (together(context, stmts) ?? together(everything, stmts) ?? formOf(context.arrays, stmts)) !== undefined
    const apart = deps
      ? distribute(program, deps, accept, (s) => isStraight(context, s))
      : program.body.flatMap((s) => (s.kind === 'declare' ? [] : [[s]]))
    const groups = inOneThread(apart, (g) => roleOf(everything, g, accept(g)))
    const shared = locals.filter(
      (a) => !lift.has(a.name) && groups.filter((g) => g.some((s) => arraysOf(s).has(a.name))).length > 1,
    )
    if (shared.length > 0) {
      shared.forEach((a) => lift.add(a.name))
      continue
    }
    const kept = groups.filter((g) => !isDead(g, context))
    return { program: context.program, parts: kept.flatMap((g) => partOf(context, g, deps === undefined)) }
  }
}

/** A loop without loops inside whose iterations depend on nothing of each other. */
function isStraight(context: Context, s: LoopStmt): boolean {
  if (s.kind !== 'loop') return false
  const { loops, body } = perfectNest(s),
    declares = context.program.body.filter((x) => x.kind === 'declare')
  return !body.some(hasLoop) && outerLoops({ ...context.program, body: [...declares, s] }).parallel >= loops.length
}

/**
 * Whether a group has parallel work, or must run in one thread, or is a statement without a loop, which may go with
 * either.
 */
function roleOf(context: Context, group: readonly LoopStmt[], canonical: boolean): Role {
  if (group.every((s) => s.kind === 'store' || (s.kind === 'if' && !hasLoop(s)))) return 'scalar'
  if (canonical) return 'parallel'
  const declares = context.program.body.filter((s) => s.kind === 'declare')
  return outerLoops({ ...context.program, body: [...declares, ...group] }).parallel > 0 ? 'parallel' : 'one-thread'
}

/** Nothing outside of the group can see what it computes. */
function isDead(group: readonly LoopStmt[], context: Context): boolean {
  return !someStmt(group, (s) => s.kind === 'store' && context.arrays.get(s.array)?.space === 'global')
}

/** The program with the locals `lift` as global temporaries. */
function contextOf(program: Program, lift: ReadonlySet<string>): Context {
  const lifted = liftShared(program, lift)
  const arrays = new Map(lifted.arrays.map((a) => [a.name, a]))
  eachStmt(lifted.body, (s) => {
    if (s.kind === 'declare') arrays.set(s.array.name, s.array)
  })
  return { program: lifted, arrays }
}

function partOf(context: Context, group: readonly LoopStmt[], tooLarge: boolean): readonly (Nest | Other)[] {
  const whole = together(context, group)
  if (whole) return [whole]
  const declares = context.program.body.filter((s) => s.kind === 'declare')
  const used = new Set(group.flatMap((s) => [...arraysOf(s)]))
  const body = [...declares.filter((d) => used.has(d.array.name)), ...group]
  const form = formOf(context.arrays, group) ?? resumedSearch(context.arrays, group)
  if (tooLarge) return [{ kind: 'serial', body, why: 'the program has too many accesses to be analysed', parallel: 0 }]
  const order = outerLoops({ ...context.program, body })
  return [form ? { kind: 'idiom', body, ...order, form } : { kind: 'serial', body, ...order }]
}

/** The one nest that the statements are. */
function together(context: Context, stmts: readonly LoopStmt[]): Nest | undefined {
  return stmts.length === 1 ? cluster(context, stmts, 1) : assemble(context, stmts, [], [])
}

function cluster(context: Context, stmts: readonly LoopStmt[], n: number): Nest | undefined {
  if (stmts.length !== n) return undefined
  return n === 1 ? descend(context, stmts, [], []) : assemble(context, stmts, [], [])
}

function descend(
  context: Context,
  body: readonly LoopStmt[],
  loops: readonly Loop[],
  guards: readonly Expr[],
): Nest | undefined {
  const stmts = body.filter((s) => s.kind !== 'declare')
  const only = stmts.length === 1 ? stmts[0] : undefined
  if (only?.kind === 'loop') return descend(context, only.body, [...loops, only], guards)
  if (only?.kind === 'if' && only.else.length === 0 && isPure(only))
    return descend(context, only.then, loops, [...guards, ...conjuncts(only.condition)])
  if (only?.kind === 'store') return single(context, only, loops, guards)
  return assemble(context, stmts, loops, guards)
}

/** The condition reads nothing that the body writes, but perhaps the element that one store is to. */
function isPure(s: If): boolean {
  const written = new Set<string>(),
    [only, more] = s.then
  eachStmt([s], (x) => {
    if (x.kind === 'store') written.add(x.array)
  })
  return !someExpr(
    s.condition,
    (e) =>
      e.kind === 'read' &&
      written.has(e.array) &&
      !(only?.kind === 'store' && !more && sameIndex(e.index, only.index) && e.index.length > 0),
  )
}

function single(context: Context, given: Store, around: readonly Loop[], asked: readonly Expr[]): Nest | undefined {
  const array = context.arrays.get(given.array)
  if (!array || !normal(around)) return undefined
  const reads =
    array.space === 'global' && !mentions([given.value, ...asked], given.array)
      ? gatheredFrom(context.program, { loops: around, guards: asked, store: given })
      : undefined
  const { store: s, loops, guards } = reads ?? { store: given, loops: around, guards: asked }
  if (!s.reduce) return plain(context, array, s, loops, guards)
  const d = isFloat(array.type) && array.space === 'global' ? s.index.findIndex(readsArray) : -1
  if (d >= 0) return gathered(context, array, s, d, loops, guards)
  const inIndex = (l: Loop): boolean => s.index.some((e) => uses(e, l.name))
  const parallel = loops.filter(inIndex),
    inner = loops.filter((l) => !inIndex(l))
  if (inner.length === 0)
    return plain(context, array, { ...s, reduce: null, value: asOp(s, read(array, s.index)) }, loops, guards)
  const named = new Set(inner.map((l) => l.name))
  const mixed =
    parallel.some((l) => [...named].some((n) => uses(l.lower, n) || uses(l.upper, n))) ||
    !isThere(context.program, array, s.index, parallel, separate(guards, named)[0])
  const linear = mixed ? guards.flatMap((g) => inequalityOf(g) ?? []) : []
  const found = mixed
      ? interchanged(parallel, inner, sizeDomain(context.program).constraints, linear)
      : { parallel, inner, guards: [] },
    turned = found && reads ? withLiteralBounds(found, inner) : found
  if (!turned) return undefined
  const [outside, inside] = separate([...guards.filter((g) => !mixed || !inequalityOf(g)), ...turned.guards], named)
  return build(context, {
    array,
    parallel: turned.parallel,
    guards: outside,
    loops: turned.inner,
    innerGuards: inside,
    store: s,
    init: read(array, s.index),
    result: undefined,
    target: s.index,
    inOrder: loops.slice(0, parallel.length).every((l) => parallel.includes(l)),
  })
}

/**
 * Elements that data choose of, so few that each may look at all that is added: where atomics on copies in workgroup
 * memory could make the sum, reading all of the terms once for each element must cost no more than these.
 */
const mostChosen = 256,
  mostChosenOfSums = 16

/**
 * A sum at places that data choose in dimension `d`: each place takes the terms that choose it, so that none waits for
 * another.
 */
function gathered(
  context: Context,
  array: ArrayDecl,
  s: Store,
  d: number,
  loops: readonly Loop[],
  guards: readonly Expr[],
): Nest | undefined {
  const { program } = context,
    extent = array.shape[d]!,
    others = s.index.filter((_, n) => n !== d)
  if (
    !s.reduce ||
    others.some((e) => !affineOf(e)) ||
    varsOf(extent).size > 0 ||
    planned(program, int(0), extent, 1) > (array.type === 'f32' && s.reduce === 'add' ? mostChosenOfSums : mostChosen)
  )
    return undefined
  const chosen = loopOf(claimName(new Set([...namesOf(program), ...loops.map((l) => l.name)]), 'chosen'), extent, [])
  const parallel = loops.filter((l) => others.some((e) => uses(e, l.name))),
    inner = loops.filter((l) => !parallel.includes(l))
  const named = new Set(inner.map((l) => l.name)),
    needs = (l: Loop): boolean => [...named].some((n) => uses(l.lower, n) || uses(l.upper, n))
  if (inner.length === 0 || parallel.some(needs)) return undefined
  const target = s.index.map((e, n) => (n === d ? loopVar(chosen.name) : e)),
    [outside, inside] = separate(guards, named)
  return build(context, {
    array,
    parallel: [chosen, ...parallel],
    guards: outside,
    loops: inner,
    innerGuards: [...inside, op('eq', [s.index[d]!, loopVar(chosen.name)])],
    store: { ...s, index: target },
    init: read(array, target),
    result: undefined,
    target,
    inOrder: false,
  })
}

const asOp = (s: Store, old: Expr): Expr => reduced(s.reduce!, old, s.value) // callers have checked that it reduces

/** A plain store: parallel when iterations write different elements and read only their own of the array they write. */
function plain(
  context: Context,
  array: ArrayDecl,
  s: Store,
  loops: readonly Loop[],
  guards: readonly Expr[],
): Nest | undefined {
  if (array.space !== 'global') return undefined
  if (!injective(s.index, loops) || guards.some((g) => !readsOwn(g, s))) return undefined
  return settled(
    context,
    {
      kind: 'nest',
      parallel: loops,
      guard: conjunction(guards),
      reduction: undefined,
      out: { array, index: s.index, value: s.value },
    },
    readsOwn(s.value, s),
    true,
  )
}

/** The nest when what it reads of the array that it writes is as the source reads it. */
function settled(context: Context, part: Nest, onlyOwn: boolean, inOrder: boolean): Nest | undefined {
  if (onlyOwn) return part
  const how = ownReads(
    context.program,
    nestProgram(context.program, part).body,
    part.out.array.name,
    part.parallel.length,
    inOrder,
  )
  return how === 'before' ? { ...part, before: true } : how && part
}

function readsOwn(e: Expr, s: Store): boolean {
  return !someExpr(e, (x) => x.kind === 'read' && x.array === s.array && !sameIndex(x.index, s.index))
}

const normal = (loops: readonly Loop[]): boolean => loops.every((l) => l.step === 1)

function separate(guards: readonly Expr[], names: ReadonlySet<string>): readonly [readonly Expr[], readonly Expr[]] {
  const inside = (g: Expr): boolean => [...names].some((n) => uses(g, n))
  return [guards.filter((g) => !inside(g)), guards.filter(inside)]
}

/** [init] reduction [result] at the same place. */
function assemble(
  context: Context,
  stmts: readonly LoopStmt[],
  loops: readonly Loop[],
  guards: readonly Expr[],
): Nest | undefined {
  const at = stmts.findIndex((s) => s.kind === 'loop' || (s.kind === 'if' && hasLoop(s)))
  if (at < 0 || at > 1 || stmts.length - at > 2 || !normal(loops)) return undefined
  const main = innerReduction(stmts[at]!, [], [])
  const before = at === 1 ? stmts[0] : undefined
  const after = stmts[at + 1]
  if (!main || !normal(main.loops) || (before && before.kind !== 'store') || (after && after.kind !== 'store'))
    return undefined
  const target = context.arrays.get(main.store.array)
  if (!target || main.loops.some((l) => main.store.index.some((e) => uses(e, l.name)))) return undefined
  if (
    before &&
    (before.array !== target.name ||
      !sameIndex(before.index, main.store.index) ||
      mentions([before.value], target.name))
  )
    return undefined
  if (!before && target.space === 'private') return undefined
  if (after && target.space === 'global' && after.array !== target.name) return undefined
  const init = !before
    ? read(target, main.store.index)
    : before.reduce
      ? asOp(before, read(target, main.store.index))
      : before.value
  return build(context, {
    array: target,
    parallel: loops,
    guards,
    loops: main.loops,
    innerGuards: main.guards,
    store: main.store,
    init,
    result: after,
    target: main.store.index,
    inOrder: true,
  })
}

function innerReduction(
  s: LoopStmt,
  loops: readonly Loop[],
  guards: readonly Expr[],
): { store: Store; loops: readonly Loop[]; guards: readonly Expr[] } | undefined {
  if (s.kind === 'store') return s.reduce ? { store: s, loops, guards } : undefined
  if (s.kind === 'declare') return undefined
  const body = s.kind === 'loop' ? s.body : s.else.length === 0 ? s.then : []
  const only = body.length === 1 ? body[0] : undefined
  if (!only) return undefined
  return s.kind === 'loop'
    ? innerReduction(only, [...loops, s], guards)
    : innerReduction(only, loops, [...guards, ...conjuncts(s.condition)])
}

interface Pieces {
  readonly array: ArrayDecl
  readonly parallel: readonly Loop[]
  readonly guards: readonly Expr[]
  readonly loops: readonly Loop[]
  readonly innerGuards: readonly Expr[]
  readonly store: Store
  readonly init: Expr
  readonly result: Store | undefined
  readonly target: readonly Expr[]
  /** The parallel loops are around all others in the source. */
  readonly inOrder: boolean
}

function build(context: Context, given: Pieces): Nest | undefined {
  const { loops, guards } = tightened(context.program, given.parallel, {
    loops: given.loops,
    guards: given.innerGuards,
  })
  const p: Pieces = { ...given, loops, innerGuards: guards }
  if (p.array.space === 'private' && mentions([p.store.value], p.array.name)) return undefined
  if (p.innerGuards.some((g) => mentions([g], p.array.name))) return undefined
  const into: ArrayDecl = {
    name: freshName(context.program, p.array.space === 'private' ? p.array.name : 'sum'),
    type: wrapsAtEnd(p) ? wideOf(p.array.type) : p.array.type,
    shape: [],
    role: 'temp',
    space: 'private',
  }
  const renamed: ArrayDecl = p.array.space === 'private' ? { ...into, name: p.array.name } : into
  const whole = resultValue(p, renamed),
    value = whole && wrapsAtEnd(p) ? wrapped(whole, renamed, p.array.type) : whole
  const out = p.result ? context.arrays.get(p.result.array) : p.array
  const index = p.result ? p.result.index : p.target
  if (!value || !out || out.space !== 'global' || !injective(index, p.parallel)) return undefined
  const own: Store = { kind: 'store', array: out.name, index, reduce: null, value }
  if (p.innerGuards.some((g) => mentions([g], out.name)) || p.guards.some((g) => mentions([g], out.name)))
    return undefined
  return settled(
    context,
    {
      kind: 'nest',
      parallel: p.parallel,
      guard: conjunction(p.guards),
      reduction: {
        loops: p.loops,
        guard: conjunction(p.innerGuards),
        op: p.store.reduce!,
        init: p.init,
        value: p.store.value,
        into: renamed,
      },
      out: { array: out, index, value },
    },
    !mentions([p.store.value], out.name) && readsOwn(p.init, own) && readsOwn(value, own),
    p.inOrder,
  )
}

/** Operations whose last bits the last bits of their arguments decide. */
const modular: ReadonlySet<string> = new Set(['add', 'mul', 'and', 'or', 'xor'])

/** Whether a sum in 8 or 16 bits may be made in a register and brought into their range behind it. */
const wrapsAtEnd = ({ array, store }: Pieces): boolean =>
  registerType(array.type) !== array.type && isInteger(array.type) && store.reduce !== null && modular.has(store.reduce)

const wideOf = (type: MemoryType): 'i32' | 'u32' => (registerType(type) === 'u32' ? 'u32' : 'i32')

/** `value`, where the accumulator is read as numbers of `type`. */
const wrapped = (value: Expr, into: ArrayDecl, type: MemoryType): Expr => {
  const bits = 8 * bytesOf[type]
  return rewriteExpr(value, (e) => {
    if (e.kind !== 'read' || e.array !== into.name) return undefined
    if (e.type === 'u32') return op('and', [e, constant('u32', 2 ** bits - 1)])
    return op('shr', [op('shl', [e, int(32 - bits)]), int(32 - bits)])
  })
}

/** What the nest stores at the end, in terms of the accumulator. */
function resultValue(p: Pieces, into: ArrayDecl): Expr | undefined {
  if (!p.result) return read(into, [])
  const isTarget = (e: Expr): boolean => e.kind === 'read' && e.array === p.array.name && sameIndex(e.index, p.target)
  const value = rewriteExpr(p.result.value, (e) => (isTarget(e) ? read(into, []) : undefined))
  if (p.result.reduce && (p.result.array !== p.array.name || mentions([p.result.value], p.array.name))) return undefined
  const full = p.result.reduce ? asOp({ ...p.result, value }, read(into, [])) : value
  if (p.result.array === p.array.name && !sameIndex(p.result.index, p.target)) return undefined
  return full && mentionsExcept(full, p.array.name, into.name) ? undefined : full
}

const mentionsExcept = (e: Expr, array: string, except: string): boolean => array !== except && mentions([e], array)

/** Locals of the function that become global temporaries, so that kernels can share them. */
function liftShared(program: Program, names: ReadonlySet<string>): Program {
  if (names.size === 0) return program
  const lift = program.body.flatMap((s) => (s.kind === 'declare' && names.has(s.array.name) ? [s.array] : []))
  return {
    ...program,
    arrays: [...program.arrays, ...lift.map((a): ArrayDecl => ({ ...a, space: 'global', role: 'temp' }))],
    body: program.body.filter((s) => !(s.kind === 'declare' && names.has(s.array.name))),
  }
}
