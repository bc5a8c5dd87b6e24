// The front half of the compiler: all passes from a program as it was read to the regions that become kernels and host
// loops. In: a LoopIR program. Out: a `Compilation`, whose regions have sketches. The one idea: the order of the passes
// is a list that reads from top to bottom; whatever a pass produces besides the program (renamings, products of sizes,
// regions) is a field of one state.
import {
  addScaled,
  claimName,
  namesOf,
  withPowers,
  affineOf,
  because,
  hasOnlySizes,
  implies,
  withoutDecided,
  loopIR,
  mapStmtExprs,
  pass,
  printProgram,
  printRegions,
  rewriteExpr,
  sequence,
  sizeDomain,
  verifyProgram,
  type Expr,
  type Flat,
  type Nest,
  type Pass,
  type Program,
  type Region,
  type Representation,
  type Size,
} from '../ir/index.ts'
import { regionsOf } from '../regions/index.ts'
import {
  contraction,
  hasBoxes,
  hasTiles,
  isTiled,
  launchesOf,
  maps,
  rowsSketch,
  sketchOf,
  sums,
} from '../schedule/index.ts'
import {
  congruenceStripMining,
  constantPropagation,
  maskRemainders,
  elementwiseFusion,
  remainderStrengthReduction,
  constantWindows,
  firstIterationPeeling,
  scalarPromotion,
  searchRematerialization,
  guardTightening,
  stripFusion,
  implicitGemm,
  loopInterchange,
  loopRebasing,
  minmaxSeparation,
  producerInlining,
  onlineReduction,
  productOfMatrices,
  seenFlat,
  loopCoalescing,
  rescaledSums,
  runningMoments,
  resultFission,
  resultUnrolling,
  rowColumnFusion,
  rowFusion,
  siblingFusion,
  sizeProducts,
  spelledApart,
  stridedCoalescing,
  tripCount,
  unitSteps,
  withFlat,
  type Kernels,
  type RegionContext,
  type SizeProducts,
  type Spelling,
} from '../transform/index.ts'

/** A program on its way from its text to regions. */
export interface Compilation {
  readonly program: Program
  /** The program in names that no schedule uses, before anything else is changed: what results are compared with. */
  readonly source: Program
  /** What names were in the source, by what they are now. */
  readonly spelling: Spelling
  /** Sizes that stand for products of the source's; absent before they are made. */
  readonly sizes?: SizeProducts
  /** The same as expressions over the source's sizes. */
  readonly products: ReadonlyMap<string, Expr>
  /** Empty before the program is taken apart. */
  readonly regions: readonly Region[]
}

/** The start of all. */
export const compilation = (program: Program): Compilation => ({
  program,
  source: program,
  spelling: new Map(),
  products: new Map(),
  regions: [],
})

/** A program with what passes leave beside it. */
export const compilations: Representation<Compilation> = {
  name: 'LoopIR',
  print: ({ program, regions }) => (regions.length === 0 ? printProgram(program) : printRegions({ program, regions })),
  verify: ({ program }) => verifyProgram({ ...program, body: [] }),
  isSame: (a, b) => a.program === b.program && a.regions === b.regions,
}

/** A pass over programs as one over compilations. */
const onProgram = (of: Pass<Program>): Pass<Compilation> => ({
  ...of,
  of: { ...compilations, verify: ({ program }) => of.of.verify(program) },
  declared: of,
  run: (c, context) => {
    const program = of.run(c.program, context)
    return program === c.program ? c : { ...c, program }
  },
})

/** A pass over regions as one over compilations. */
const onRegions = (of: Pass<{ program: Program; regions: readonly Region[] }, RegionContext>): Pass<Compilation> => ({
  ...of,
  of: { ...compilations, verify: (c) => of.of.verify(c) },
  declared: of,
  run: (c, context) => {
    const sizes = c.sizes ?? sizeProducts(c.program, c.products)
    const { program, regions } = of.run(c, { ...context, sizes, kernels: kernelsWith(sizes) })
    return program === c.program && regions === c.regions ? c : { ...c, program, regions }
  },
})

/** Whether the twin has tiles. */
const isContraction = (program: Program, { nests: [only], ...flat }: Flat): boolean =>
  // it is of one
  contraction(seenFlat(program, { nests: [only!], ...flat }), only!) !== undefined

/** What passes over regions ask of sketches. */
function kernelsWith(sizes: SizeProducts): Kernels {
  const isLarge = (program: Program, nest: Nest): boolean => {
    if (isTiled(program, nest)) return true
    const flat = productOfMatrices(program, nest, sizes, isContraction),
      [only] = flat?.nests ?? []
    return flat !== undefined && only !== undefined && isTiled(seenFlat(sizes.withAll(program), flat), only)
  }
  const isFree = (program: Program, nests: readonly Nest[]): boolean => !nests.some((n) => isLarge(program, n))
  const hasTiles = (program: Program, nest: Nest): boolean =>
    sketchOf(sizes.withAll(program), nest).name === 'contraction'
  return {
    isProduct: (program, nest) => {
      const [flat] = withFlat(program, [nest], sizes) // makes sizes
      return hasTiles(program, flat as Nest) // its flat twin, or as it is
    },
    isContraction,
    hasTiles,
    makesRows: (program, form) =>
      isFree(program, form.nests) && rowsSketch(program, form.nests, form.rows) !== undefined,
    makesSums: (program, form) => isFree(program, form.nests) && sums(program, form.nests) !== undefined,
    makesMaps: (program, form) => maps(program, form.nests) !== undefined,
  }
}

// Before:
//
//   program p {
//     size n = 8 min 0 counts
//     array y: f32[max(1, n)] out global
//     for i in 0 .. n {
//       y[i] = 0.0f
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1 counts
//     array y: f32[n] out global
//     for i in 0 .. n {
//       y[i] = 0.0f
//     }
//   }
export const nonEmptySizes = pass<Program>({
  name: 'non-empty-sizes',
  summary: 'what counts is at least 1, so that max(1, n) is n; kernels for sizes of 0 are made apart',
  needs: ['affine implication'],
  of: loopIR,
  run: withoutZeros,
})

// Before:
//
//   program p {
//     size n = 8 min 1
//     array acc: f32[n] inout global
//     for i in 0 .. n {
//       acc[i] = 0.0f
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array acc_: f32[n] inout global
//     for i in 0 .. n {
//       acc_[i] = 0.0f
//     }
//   }
const alphaRenaming = pass<Compilation>({
  name: 'alpha-renaming',
  summary: 'names that schedules use for what they make get an underscore, which plans take off again',
  of: compilations,
  run: (c) => {
    const { program, spelling } = spelledApart(c.program)
    return { ...c, program, source: program, spelling }
  },
})

// Before:
//
//   program p {
//     size k = 3 min 0
//     array y: f32[1 << k] inout global
//     for i in 0 .. 1 << k {
//       y[i] = 0.0f
//     }
//   }
//
// After:
//
//   program p {
//     size k = 3 min 0
//     size two_to_k = 8 min 1 derived
//     array y: f32[two_to_k] inout global
//     for i in 0 .. two_to_k {
//       y[i] = 0.0f
//     }
//   }
const powerSizes = pass<Compilation>({
  name: 'power-sizes',
  summary: 'a power of two that a size says is a size of its own',
  of: compilations,
  run: (c) => {
    const taken = namesOf(c.program),
      { program, values } = withPowers(c.program, (base) => claimName(taken, base))
    return program === c.program ? c : { ...c, program, products: values }
  },
})

// Before:
//
//   program p {
//     size n = 8 min 1
//     size m = 8 min 1
//     array y: f32[n * m] inout global
//     for i in 0 .. n * m {
//       y[i] = 0.0f
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     size m = 8 min 1
//     size m_by_n = 64 min 1 derived
//     array y: f32[m_by_n] inout global
//     for i in 0 .. m_by_n {
//       y[i] = 0.0f
//     }
//   }
const sizeLinearization = pass<Compilation>({
  name: 'size-linearization',
  summary: 'each product or quotient of sizes is a size of its own, so that all subscripts are linear',
  of: compilations,
  run: (c) => {
    const sizes = sizeProducts(c.program, c.products)
    return { ...c, program: sizes.program, sizes, products: sizes.products }
  },
})

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     array z: f32[n] out global
//     for i in 0 .. n {
//       y[i] = x[i] * 2.0f
//       z[i] = x[i] + 1.0f
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     array z: f32[n] out global
//     for i in 0 .. n {
//       y[i] = x[i] * 2.0f
//     }
//     for i in 0 .. n {
//       z[i] = x[i] + 1.0f
//     }
//   }
const hostLoops = pass<Compilation>({
  name: 'host-loops',
  summary:
    'loops are distributed into nests and idioms; what is left sequential is taken apart with its loop on the host',
  needs: ['dependences', 'loop parallelism', 'cost estimate'],
  of: compilations,
  run: (c, context) => {
    const fits: typeof hasTiles = (p, form) => hasTiles(p, form, context.chip)
    const { program, regions } = regionsOf(c.program, { hasTiles: fits, hasBoxes, launchesOf }, context)
    return { ...c, program, regions }
  },
})

/** From the program of a front end to regions with sketches. */
export const analysis = sequence<Compilation>('analysis', 'from the program of a front end to regions with sketches', [
  because('variants of their own take sizes of 0, and all below may take sizes as positive', onProgram(nonEmptySizes)),
  because('what is compared with the source later is the program from here on', alphaRenaming),
  because('transforms are known by what they halve, however that is said', powerSizes),
  because('tables that choose bounds would hide them from the passes below', onProgram(constantPropagation)),
  because('places that meet are known by remainders from here on', onProgram(maskRemainders)),
  because('bounds that are powers must be bits before bounds are taken as linear', onProgram(tripCount)),
  because(
    'what is left of conditions and strips is the loops that a source was written from',
    onProgram(guardTightening),
  ),
  because('what each of two extremes is asked alone is a reduction to all that follow', onProgram(minmaxSeparation)),
  because('loops that a size may leave empty are told from others by now', onProgram(firstIterationPeeling)),
  because('elements that loops go on with are told from others once these start alike', onProgram(loopInterchange)),
  because('a search is one by now in whichever iteration it begins', onProgram(scalarPromotion)),
  because('what moves with the greatest is in locals by now', onProgram(rescaledSums)),
  because('and so is what moves with the mean', onProgram(runningMoments)),
  because('what a search keeps is in locals by now', onProgram(searchRematerialization)),
  because('steps of strips are no steps of a computation', onProgram(stripFusion)),
  onProgram(unitSteps),
  because('rows from 0 would hide that a window is a constant long', onProgram(constantWindows)),
  because('loops in steps of one have as many iterations as their bounds are apart', onProgram(loopRebasing)),
  because('rows are loops from 0 by now, and parts of them are counted by quotients', onProgram(onlineReduction)),
  because('strips are quotients of sizes, which become sizes below', onProgram(congruenceStripMining)),
  because('steps of several have multiplied subscripts, whose factors may be sizes', sizeLinearization),
  because('its lengths may be products, which are sizes by now', onProgram(stridedCoalescing)),
  hostLoops,
  because('rows and columns of one array save more than rows with what uses them', onRegions(rowColumnFusion)),
  because('rows take all that fits in their threads; siblings are what is left', onRegions(rowFusion)),
  because(
    'rows keep in their threads what they can; what is left is stored, or computed again',
    onRegions(producerInlining),
  ),
  because('two sums can be siblings when neither waits for the other', onRegions(resultFission)),
  onRegions(siblingFusion),
  because('results of one sum join those of none that came before', onRegions(resultUnrolling)),
  because('what no sum could take is fused with its likes', onRegions(elementwiseFusion)),
  because('twins are made for the regions that there are in the end', onRegions(loopCoalescing)),
  because('what fewer loops make a product of matrices needs no elements computed', onRegions(implicitGemm)),
  because('places that meet are known by their remainders up to here', onRegions(remainderStrengthReduction)),
])

/** `max(1, n)` of a size that is at least 1 is n, and `if (n == 0) …` is nothing. */
function withoutZeros(p: Program): Program {
  const sizes = p.sizes.map((s): Size => (s.counts && s.min < 1 ? { ...s, min: 1 } : s)),
    { constraints } = sizeDomain({ ...p, sizes })
  let changed = sizes.some((s, i) => s !== p.sizes[i])
  const decided = (e: Expr): Expr | undefined => {
    if (e.kind !== 'op' || (e.op !== 'max' && e.op !== 'min')) return undefined
    const [a, b] = e.args.map(affineOf)
    if (!a || !b || !hasOnlySizes(a) || !hasOnlySizes(b)) return undefined
    const isGreater = implies(constraints, addScaled(a, b, -1))
    if (!isGreater && !implies(constraints, addScaled(b, a, -1))) return undefined
    changed = true
    return e.args[isGreater === (e.op === 'max') ? 0 : 1]
  }
  const f = (e: Expr): Expr => rewriteExpr(e, decided)
  const arrays = p.arrays.map((a) => ({ ...a, shape: a.shape.map(f) })),
    decidedBody = withoutDecided(p.body, constraints),
    body = decidedBody.map((s) => mapStmtExprs(s, f))
  return changed || decidedBody !== p.body ? { ...p, sizes, arrays, body } : p
}
