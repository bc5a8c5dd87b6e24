// In: regions. Out: the same, where a nest that sums products of two factors has a `flat` twin that is a product of
// matrices: the loops of the results that only the left factor uses are its rows, those of the right factor its
// columns, and all summed loops are one. The one idea ("implicit GEMM", Chetlur et al., cuDNN, 2014): what a window
// shows need not be copied ("im2col") to be a matrix; its elements are computed from their row and column, with all
// guards, where tiles of it are loaded. So convolutions of any rank, stride, padding, dilation and grouping, and other
// contractions of tensors, are products of matrices. A factor that lies in memory as the matrix does is seen as one; a
// small one that does not, as filters, is packed: made one by a nest before (Goto and van de Geijn, 2008). Terms then
// go by places of the window first, over channels inside of them, so that the steps of a tile's sum lie in one place.
import {
  type Kernels,
  type RegionContext,
  regionsWithKernels,
  withBody,
  withRegions,
} from '../fusion/adjacent-fusion.ts'
import {
  add,
  addScaled,
  affineExpr,
  affineOf,
  coefficient,
  conjunction,
  conjuncts,
  constant,
  claimName,
  choose,
  exprKey,
  factorsOf,
  int,
  literal,
  loopVar,
  lt,
  namesOf,
  op,
  read,
  registerType,
  rewriteExpr,
  substitute,
  uses,
  varsOf,
  pass,
  type Affine,
  type ArrayDecl,
  type Computed,
  type Expr,
  type Flat,
  type Loop,
  type Nest,
  type Program,
  type Read,
  type Reduction,
  type Region,
  type Regions,
} from '../../ir/index.ts'
import { planned, termsInOnePlace, uniqueReads } from '../../analysis/index.ts'
import { canonicalNest } from '../normalize/rebase.ts'
import type { SizeProducts } from '../normalize/size-linearization.ts'
import { loopName } from '../normalize/alpha-renaming.ts'
import { readsElsewhere } from '../expansion/input-copy.ts'
import {
  countingOf,
  recoveredIndices,
  fused,
  linearly,
  type FusedLoops,
  type Subscripts,
  type Times,
} from './fused-index.ts'

// Before:
//
//   program p {
//     size f = 64 min 1
//     size h = 256 min 1
//     size w = 256 min 1
//     array x: f32[32, h + 2, w + 2] in global
//     array k: f32[f, 32, 3, 3] in global
//     array y: f32[f, h, w] out global
//     for o in 0 .. f {
//       for i in 0 .. h {
//         for j in 0 .. w {
//           declare s: f32[] temp private
//           s = 0.0f
//           for c in 0 .. 32 {
//             for u in 0 .. 3 {
//               for v in 0 .. 3 {
//                 s += x[c, i + u, j + v] * k[o, c, u, v]
//               }
//             }
//           }
//           y[o, i, j] = s
//         }
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size f = 64 min 1
//     size h = 256 min 1
//     size w = 256 min 1
//     size h_by_w = 65536 min 1 derived
//     array x: f32[32, h + 2, w + 2] in global
//     array k: f32[f, 32, 3, 3] in global
//     array y: f32[f, h, w] out global
//     array k_packed: f32[288, f] temp global
//     for u_v_c in 0 .. 288 {
//       for o in 0 .. f {
//         k_packed[u_v_c, o] = k[o, u_v_c % 32, u_v_c / 96, u_v_c / 32 % 3]
//       }
//     }
//     for o in 0 .. f {
//       for i in 0 .. h {
//         for j in 0 .. w {
//           declare s: f32[] temp private
//           s = 0.0f
//           for c in 0 .. 32 {
//             for u in 0 .. 3 {
//               for v in 0 .. 3 {
//                 s += x[c, i + u, j + v] * k[o, c, u, v]
//               }
//             }
//           }
//           y[o, i, j] = s
//         }
//       }
//     }
//     // over fewer loops: for i_j in 0 .. h_by_w {
//     // over fewer loops:   for o in 0 .. f {
//     // over fewer loops:     declare s: f32[] temp private
//     // over fewer loops:     s = 0.0f
//     // over fewer loops:     for u_v_c in 0 .. 288 {
//     // over fewer loops:       s += x_matrix[u_v_c, i_j] * k_packed[u_v_c, o]
//     // over fewer loops:     }
//     // over fewer loops:     y[o, i_j] = s
//     // over fewer loops:   }
//     // over fewer loops: }
//     // where x_matrix[u_v_c, i_j] is x[u_v_c % 32, i_j / w + u_v_c / 96, i_j % w + u_v_c / 32 % 3]
//   }
export const implicitGemm = pass<Regions, RegionContext>({
  name: 'implicit-gemm',
  summary:
    'a sum of products of any shape gets a twin that is a product of matrices, of elements found as they are loaded',
  of: regionsWithKernels,
  run: (given, context) => {
    const { regions, program: own } = withTwins(given.program, given.regions, context),
      program = context.sizes.withAll(own)
    return program === given.program ? withRegions(given, regions) : { program, regions }
  },
})

function withTwins(given: Program, regions: readonly Region[], context: RegionContext): Regions {
  let program = given
  const { sizes, kernels } = context
  const all = (list: readonly Region[]): readonly Region[] => {
    const out = list.flatMap((r): readonly Region[] => {
      if (r.kind === 'host') return [withBody(r, all(r.body))]
      if (r.kind !== 'nest' || kernels.isProduct(program, r)) return [r]
      const packed = twinOf(program, r, sizes, kernels.isContraction, true)
      const whole = packed && withPacked(program, packed.packed)
      if (whole && packed.packed.length > 0 && kernels.hasTiles(whole, { ...r, flat: packed.flat })) {
        program = whole
        return [...packed.packed, { ...r, flat: packed.flat }]
      }
      const flat = productOfMatrices(program, r, sizes, kernels.isContraction)
      return [flat ? { ...r, flat } : r]
    })
    return out.length === list.length && out.every((r, i) => r === list[i]) ? list : out
  }
  return { regions: all(regions), program }
}

/** Results that share a factor, of either, and terms of a sum, from which on tiles beat a thread for each result. */
const fewestShared = 16,
  fewestTerms = 16
/** Results for which an element of a factor is read, from which on it pays to lay the factor out for them. */
const fewestReads = 1024

/** The nest as a product of matrices that `isContraction`: one that is scheduled as such. */
export function productOfMatrices(
  program: Program,
  nest: Nest,
  sizes: SizeProducts,
  isContraction: Kernels['isContraction'],
): Flat | undefined {
  return twinOf(program, nest, sizes, isContraction, false)?.flat
}

/** A twin, and the nests that make what it reads. */
interface Twin {
  readonly flat: Flat
  readonly packed: readonly Nest[]
}

const withPacked = (program: Program, packed: readonly Nest[]): Program => ({
  ...program,
  arrays: [...program.arrays, ...packed.map((n) => n.out.array)],
})

/** `packs`: a factor that is not a matrix, and that many results share, is made one in a launch before. */
function twinOf(
  program: Program,
  nest: Nest,
  sizes: SizeProducts,
  isContraction: Kernels['isContraction'],
  packs: boolean,
): Twin | undefined {
  sizes.avoid(program)
  const found = contractionOf(program, nest)
  if (!found || (packs && found.terms.length === 1)) return undefined // no window
  const times: Times = (x, y) => sizes.times(x, y)
  for (const groups of groupings(program, found, times, packs)) {
    const twin = matrices(program, found, groups, times, packs)
    if (!twin) continue
    if (isContraction(withPacked(sizes.withAll(program), twin.packed), twin.flat)) return twin
  }
  return undefined
}

// ── what is multiplied ────────────────────────────────────────────────────────────────────────────────────────────

/** A factor with the condition under which it is not zero. */
interface Operand {
  readonly value: Expr
  readonly guard: Expr | undefined
  readonly seen: Read
}

interface Contraction {
  readonly nest: Nest
  readonly reduction: Reduction
  /** Loops of the results that both factors use, that only the first and only the second uses; summed loops. */
  readonly batch: readonly Loop[]
  readonly left: readonly Loop[]
  readonly right: readonly Loop[]
  readonly terms: readonly Loop[]
  readonly operands: readonly [Operand, Operand]
}

function contractionOf(program: Program, given: Nest): Contraction | undefined {
  const nest = given.before ? undefined : canonicalNest(program, given),
    bounded = nest?.reduction && withPlainBounds(nest.reduction)
  if (!nest || !bounded || readsElsewhere(nest) || !nest.parallel.every(isPlain)) return undefined
  const reduction = bounded,
    terms = reduction.loops
  const operands = operandsOf(reduction, [...nest.parallel, ...terms], nest.out.array.name)
  if (!operands) return undefined
  const [one, two] = operands.map(
    (o) =>
      (l: Loop): boolean =>
        uses(o.value, l.name),
  ) as [Uses, Uses] // two
  const batch = nest.parallel.filter((l) => one(l) && two(l)),
    left = nest.parallel.filter((l) => one(l) && !two(l)),
    right = nest.parallel.filter((l) => two(l) && !one(l))
  if (batch.length + left.length + right.length < nest.parallel.length || !terms.every((l) => one(l) && two(l)))
    return undefined
  const pays =
    iterations(program, left) >= fewestShared &&
    iterations(program, right) >= fewestShared &&
    iterations(program, terms) >= fewestTerms
  return pays ? { nest, reduction, batch, left, right, terms, operands } : undefined
}

/** Planned iterations of all of the loops together. */
const iterations = (program: Program, loops: readonly Loop[]): number =>
  loops.reduce((n, l) => n * planned(program, l.lower, l.upper, 1), 1)

type Uses = (l: Loop) => boolean

const isPlain = (l: Loop): boolean =>
  literal(l.lower) === 0 && l.step === 1 && affineOf(l.upper) !== undefined && varsOf(l.upper).size === 0

/**
 * The sum over loops from 0 to bounds over sizes: what bounds said beyond that (`max(0, 1 - i) .. min(3, n + 1 - i)`)
 * are conditions, and loops that begin elsewhere (`-1 .. 2`, `max(0, i - 1) .. min(n, i + 2)`) are shifted.
 */
function withPlainBounds(r: Reduction): Reduction | undefined {
  let guards: readonly Expr[] = r.guard ? conjuncts(r.guard) : [],
    loops = r.loops,
    { value } = r
  for (const [i, l] of r.loops.entries()) {
    const { lower, upper } = loops[i]!, // as many
      firsts = extremesOf(lower, 'max'),
      ends = extremesOf(upper, 'min'),
      span = shortest(firsts, ends)
    if (!span) return undefined
    const first = affineExpr(span.first)
    const moved = new Map([[l.name, add(loopVar(l.name), first)]]),
      shift = (e: Expr): Expr => (literal(first) === 0 ? e : substitute(e, moved))
    const own = [
      ...firsts.filter((e) => e !== span.lower).map((e) => op('ge', [loopVar(l.name), e])),
      ...ends.filter((e) => e !== span.upper).map((e) => lt(loopVar(l.name), e)),
    ]
    guards = [...guards, ...own].map(shift)
    value = shift(value)
    loops = loops.map((x, n) =>
      n === i
        ? { ...x, lower: int(0), upper: affineExpr(addScaled(span.end, span.first, -1)) }
        : n > i
          ? { ...x, lower: shift(x.lower), upper: shift(x.upper) }
          : x,
    )
  }
  return loops.every(isPlain) ? { ...r, value, loops, guard: conjunction(guards) } : undefined
}

/** Where a loop begins and ends that is as long for all iterations of those around it. */
interface Span {
  readonly lower: Expr
  readonly upper: Expr
  readonly first: Affine
  readonly end: Affine
}

/** The pair of bounds that is the fewest iterations apart: numbers before sizes, those from 0 before others. */
function shortest(firsts: readonly Expr[], ends: readonly Expr[]): Span | undefined {
  const spans = firsts.flatMap((lower) =>
    ends.flatMap((upper): readonly (Span & { readonly rank: number })[] => {
      const first = affineOf(lower),
        end = affineOf(upper),
        length = first && end && addScaled(end, first, -1)
      if (!length || varsOf(affineExpr(length)).size > 0) return []
      const isMoved = varsOf(lower).size > 0 ? 2 : literal(lower) === 0 ? 0 : 1
      const rank = length.terms.size === 0 ? length.constant : 2 ** 31 + isMoved
      return [{ lower, upper, first, end, rank }]
    }),
  )
  return spans.sort((x, y) => x.rank - y.rank)[0]
}

/** What a bound is the greatest or the least of; of numbers among which a condition chooses it is within the last. */
function extremesOf(e: Expr, of: 'max' | 'min'): readonly Expr[] {
  if (e.kind === 'op' && e.op === of) return e.args.flatMap((x) => extremesOf(x, of))
  const all = chosenIn(e)
  return all.length > 1 ? [e, int(of === 'max' ? Math.min(...all) : Math.max(...all))] : [e]
}

/** All numbers among which conditions choose; empty where there is something else. */
function chosenIn(e: Expr): readonly number[] {
  const value = literal(e)
  if (value !== undefined) return [value]
  const arms = e.kind === 'choose' ? [e.then, e.else] : e.kind === 'op' && e.op === 'select' ? e.args.slice(1) : []
  const all = arms.map(chosenIn)
  return all.some((x) => x.length === 0) ? [] : all.flat()
}

/** Both factors, or what else is read twice; conditions are those of each factor that uses all of their loops. */
function operandsOf(r: Reduction, loops: readonly Loop[], out: string): readonly [Operand, Operand] | undefined {
  const parts: readonly Expr[] = r.op === 'add' ? factorsOf(r.value) : [],
    values = parts.length === 2 ? parts : uniqueReads(r.value)
  const operands = values.map((value): Operand | undefined => {
    const seen = uniqueReads(value).find((x) => r.loops.some((l) => x.index.some((e) => uses(e, l.name))))
    return seen && { value, guard: undefined, seen }
  })
  const [a, b] = operands
  if (!a || !b || operands.length !== 2 || [a, b].some((o) => uniqueReads(o.value).some((x) => x.array === out)))
    return undefined
  if (!r.guard) return [a, b]
  if (r.op !== 'add' || parts.length !== 2) return undefined
  const guards: [Expr[], Expr[]] = [[], []]
  for (const g of conjuncts(r.guard)) {
    const vars = loops.filter((l) => uses(g, l.name)),
      of = [0, 1].filter((n) => vars.every((l) => uses(values[n]!, l.name))) // two
    if (of.length === 0) return undefined
    for (const n of of) guards[n]!.push(g) // of both, as either may be there only where it holds
  }
  return [
    { ...a, guard: conjunction(guards[0]) },
    { ...b, guard: conjunction(guards[1]) },
  ]
}

// ── which loops become one ────────────────────────────────────────────────────────────────────────────────────────

interface Groups {
  /** Over images, say, whose windows do not fill whole tiles together. */
  readonly batch: FusedLoops | undefined
  readonly left: FusedLoops
  readonly right: FusedLoops
  readonly terms: FusedLoops
}

/** Of a tile's width, what results of one iteration of the outermost loop must fill for that loop to stand alone. */
const tileWidth = 128,
  fullEnough = 0.9

/**
 * Ways to group loops, the best first: the outermost loop of rows or columns is a batch of its own where results lie in
 * memory as a matrix then, and fill tiles.
 */
function groupings(program: Program, c: Contraction, times: Times, packs: boolean): readonly Groups[] {
  const along = (loops: readonly Loop[], index: readonly Expr[]): readonly Loop[] =>
    [...loops].sort((a, b) => compare(placeIn(index, a), placeIn(index, b)))
  const out = c.nest.out.index,
    left = along(c.left, out),
    right = along(c.right, out),
    batch = along(c.batch, out)
  const inner = c.operands.find((o) => {
    const last = o.seen.index.at(-1)
    return last && c.terms.some((l) => uses(last, l.name)) && !c.nest.parallel.some((l) => uses(last, l.name))
  })
  const inMemory = inner ? along(c.terms, inner.seen.index) : c.terms,
    terms = packs ? placesFirst(program, c, inMemory) : inMemory
  const taken = namesOf(program)
  for (const l of [...c.nest.parallel, ...c.terms]) taken.add(l.name)
  const upTo = countingOf(program, times)
  const one = (loops: readonly Loop[]): FusedLoops | undefined =>
    fused(
      loops,
      loops.length === 1 ? loops[0]!.name : claimName(new Set(taken), loopName(loops.map((l) => l.name).join('_'))),
      upTo,
    )
  const grouped = (b: readonly Loop[], i: readonly Loop[], j: readonly Loop[]): Groups | undefined => {
    const [bb, ii, jj, kk] = [b.length > 0 ? one(b) : undefined, one(i), one(j), one(terms)]
    return ii && jj && kk && (b.length === 0 || bb) ? { batch: bb, left: ii, right: jj, terms: kk } : undefined
  }
  const isMatrix = (g: Groups): boolean =>
    plainly({ index: out, shape: c.nest.out.array.shape }, g, times) !== undefined
  const fills = (loops: readonly Loop[]): boolean => {
    const n = iterations(program, loops)
    return n >= fullEnough * tileWidth * Math.ceil(n / tileWidth)
  }
  const together = grouped(batch, left, right)
  const apart = [
    right.length > 1 && fills(right.slice(1)) ? grouped([right[0]!, ...batch], left, right.slice(1)) : undefined,
    left.length > 1 && fills(left.slice(1)) ? grouped([left[0]!, ...batch], left.slice(1), right) : undefined,
  ].flatMap((g) => g ?? [])
  if (!together) return apart
  return isMatrix(together) ? [together] : [...apart.filter(isMatrix), together]
}

/**
 * Of a window, summed loops that no condition asks for, over whole steps of terms ("channels"), inside of the others
 * ("taps"): a step lies in one place of the window then, where conditions and quotients are the same for all of it.
 */
function placesFirst(program: Program, c: Contraction, terms: readonly Loop[]): readonly Loop[] {
  const asked = (l: Loop): boolean => c.operands.some((o) => o.guard && uses(o.guard, l.name))
  const isWindow = c.operands.some((o) =>
    o.seen.index.some((e) => [terms, c.nest.parallel].every((loops) => loops.some((l) => uses(e, l.name)))),
  )
  const channels = terms.filter((l) => !asked(l) && iterations(program, [l]) % termsInOnePlace === 0)
  return isWindow || terms.some(asked) ? [...terms.filter((l) => !channels.includes(l)), ...channels] : terms
}

/** The first dimension that uses the loop, and how far it goes in it, for sorting from the outermost. */
function placeIn(index: readonly Expr[], l: Loop): readonly [number, number] {
  const d = index.findIndex((e) => uses(e, l.name)),
    a = index[d] && affineOf(index[d])
  return [d, a ? -Math.abs(coefficient(a, l.name)) : 0]
}

const compare = (a: readonly [number, number], b: readonly [number, number]): number => a[0] - b[0] || a[1] - b[1]

const loopsOf = (groups: readonly FusedLoops[]): readonly Loop[] => groups.map((f) => f.one)

const groupsOf = (g: Groups): readonly FusedLoops[] => [...(g.batch ? [g.batch] : []), g.left, g.right, g.terms]

const plainly = (s: Subscripts, g: Groups, times: Times): Subscripts | undefined =>
  groupsOf(g).reduce<Subscripts | undefined>((x, f) => x && linearly(x, f, times), s)

// ── the twin ──────────────────────────────────────────────────────────────────────────────────────────────────────

function matrices(program: Program, c: Contraction, g: Groups, times: Times, packs: boolean): Twin | undefined {
  const by = new Map<string, Expr>()
  for (const f of groupsOf(g)) for (const [name, e] of recoveredIndices(f, times) ?? []) by.set(name, e)
  if (by.size < c.nest.parallel.length + c.terms.length) return undefined
  const views = new Views(program, c, g, by, times, packs)
  const { nest, reduction: r, operands } = c
  const names = operands.map((o, n) => views.operand(o, n === 0 ? g.left : g.right))
  const replaced = (e: Expr): Expr =>
    rewriteExpr(e, (x) => {
      const n = operands.findIndex((o) => exprKey(o.value) === exprKey(x))
      return n < 0 ? undefined : names[n]
    })
  const { guard } = nest
  const out = views.seen(
    { kind: 'read', type: registerType(nest.out.array.type), array: nest.out.array.name, index: nest.out.index },
    guard,
  )
  const beside = (e: Expr): Expr =>
    rewriteExpr(e, (x) => (x.kind === 'read' && x.array !== r.into.name ? views.seen(x, guard) : undefined))
  const factors = operands.length === 2 && r.op === 'add' && factorsOf(r.value).length === 2
  const flat: Nest = {
    kind: 'nest',
    parallel: [...(g.batch ? [g.batch.one] : []), g.left.one, g.right.one],
    guard: undefined,
    reduction: {
      ...r,
      guard: undefined,
      loops: [g.terms.one],
      init: beside(r.init),
      value: factors ? op('mul', [...names]) : replaced(r.value),
    },
    out: { array: views.arrayOf(out.array), index: out.index, value: beside(nest.out.value) },
  }
  const outside = [flat.reduction!.init, flat.out.value].some((e) =>
    [...varsOf(e)].some((v) => by.has(v) && !isOne(g, v)),
  )
  return outside
    ? undefined
    : { flat: { nests: [flat], shapes: views.shapes, computed: views.computed }, packed: views.packed }
}

const isOne = (g: Groups, name: string): boolean => groupsOf(g).some((f) => f.one.name === name)

/** Arrays as the twin sees them: those that lie in memory as it wants them under their names, others computed. */
class Views {
  readonly computed: Computed[] = []
  /** Nests that make matrices of factors. */
  readonly packed: Nest[] = []
  readonly shapes: Record<string, readonly Expr[]> = {}
  private readonly taken: Set<string>
  private readonly known = new Map<string, Read>()
  /** Arrays that are seen with one shape wherever they are read or stored. */
  private readonly plain = new Map<string, readonly Expr[]>()

  constructor(
    private readonly program: Program,
    private readonly c: Contraction,
    private readonly g: Groups,
    private readonly by: ReadonlyMap<string, Expr>,
    private readonly times: Times,
    private readonly packs: boolean,
  ) {
    this.taken = namesOf(program)
    for (const f of groupsOf(g)) for (const l of [...f.loops, f.one]) this.taken.add(l.name)
    const { nest, reduction: r, operands } = c
    const all = [
      ...operands.filter((o) => isRead(o.value) && !o.guard).map((o) => o.seen),
      ...[r.init, nest.out.value].flatMap((e) => (nest.guard ? [] : uniqueReads(e))),
      ...(nest.guard ? [] : [{ array: nest.out.array.name, index: nest.out.index }]),
    ]
    const mentioned = new Set(
      [...operands.map((o) => o.value), ...operands.flatMap((o) => o.guard ?? []), r.init, nest.out.value].flatMap(
        (e) => uniqueReads(e).map((x) => x.array),
      ),
    )
    mentioned.add(nest.out.array.name)
    for (const name of mentioned) {
      const shape = this.declared(name)?.shape
      if (!shape) continue
      const uses_ = all.filter((x) => x.array === name).map((x) => plainly({ index: x.index, shape }, g, times)),
        [first] = uses_
      const everywhere = this.reads(name) === uses_.length
      if (
        first &&
        everywhere &&
        uses_.every((u) => u && u.shape.map(exprKey).join() === first.shape.map(exprKey).join())
      )
        this.plain.set(name, first.shape)
    }
    for (const [name, shape] of this.plain)
      if (shape.length !== this.declared(name)!.shape.length) this.shapes[name] = shape // declared, or not plain
  }

  arrayOf(name: string): ArrayDecl {
    const made = this.computed.find((x) => x.array.name === name)?.array,
      own = this.declared(name)!
    return made ?? { ...own, shape: this.shapes[name] ?? own.shape }
  }

  /** The factor as a matrix, along memory where that is known. */
  operand({ value, guard, seen }: Operand, own: FusedLoops): Read {
    const plain = value.kind === 'read' && !guard ? this.linear(value) : undefined
    if (plain?.index.every(isUnit)) return plain
    const last = seen.index.at(-1)!,
      alongTerms =
        this.g.terms.loops.some((l) => uses(last, l.name)) && !this.c.nest.parallel.some((l) => uses(last, l.name))
    const { batch, terms } = this.g
    const shared = batch && batch.loops.some((l) => uses(value, l.name)) ? [batch] : [],
      rows = [...shared, terms, own],
      condition = guard && this.substituted(guard)
    if (this.packs && this.isSmall(rows)) return this.matrix(seen.array, this.substituted(value), condition, rows)
    const element = plain ?? this.substituted(value)
    return this.made(seen.array, element, condition, loopsOf(alongTerms ? [...shared, own, terms] : rows))
  }

  /** Whether the sums read each element of a matrix over these loops many times. */
  private isSmall(groups: readonly FusedLoops[]): boolean {
    const { nest, terms } = this.c,
      elements = iterations(
        this.program,
        groups.flatMap((f) => f.loops),
      )
    return elements * fewestReads <= iterations(this.program, [...nest.parallel, ...terms])
  }

  /** The factor as a matrix in memory, rows of terms one after the other. */
  private matrix(of: string, element: Expr, guard: Expr | undefined, groups: readonly FusedLoops[]): Read {
    const parallel = loopsOf(groups),
      array = this.over(`${of}_packed`, of, parallel, { role: 'temp' }),
      index = parallel.map((l) => loopVar(l.name)),
      value = guard ? choose(guard, element, constant(element.type, 0)) : element
    this.packed.push({ kind: 'nest', parallel, guard: undefined, reduction: undefined, out: { array, index, value } })
    return read(array, index) as Read
  }

  /** An element that is read or stored once for each result, where `guard` holds. */
  seen(x: Read, guard: Expr | undefined): Read {
    const key = exprKey(x),
      known = this.known.get(key)
    if (known) return known
    const plain = guard ? undefined : this.linear(x)
    const last = x.index.at(-1),
      alongLeft = last !== undefined && this.g.left.loops.some((l) => uses(last, l.name))
    const { batch, left, right } = this.g
    const loops = [batch, ...(alongLeft ? [right, left] : [left, right])].flatMap((f) =>
      f && f.loops.some((l) => x.index.some((e) => uses(e, l.name)) || (guard && uses(guard, l.name))) ? [f.one] : [],
    )
    const made = plain ?? this.made(x.array, this.substituted(x), guard && this.substituted(guard), loops)
    this.known.set(key, made)
    return made
  }

  private linear(x: Read): Read | undefined {
    const shape = this.declared(x.array)?.shape
    const s = shape && this.plain.has(x.array) ? plainly({ index: x.index, shape }, this.g, this.times) : undefined
    return s && { ...x, index: s.index }
  }

  private readonly substituted = (e: Expr): Expr => substitute(e, this.by)

  private made(of: string, element: Expr, guard: Expr | undefined, loops: readonly Loop[]): Read {
    const role = this.declared(of)?.role ?? 'in',
      array = this.over(`${of}_matrix`, of, loops, { role, computed: true })
    this.computed.push({ array, at: loops.map((l) => l.name), element, ...(guard && { guard }) })
    return read(
      array,
      loops.map((l) => loopVar(l.name)),
    ) as Read
  }

  /** An array of the elements of `of` over all iterations of `loops`. */
  private over(
    name: string,
    of: string,
    loops: readonly Loop[],
    kind: Pick<ArrayDecl, 'role' | 'computed'>,
  ): ArrayDecl {
    return {
      name: claimName(this.taken, name),
      type: this.declared(of)?.type ?? 'f32',
      shape: loops.map((l) => l.upper),
      space: 'global',
      ...kind,
    }
  }

  private declared(name: string): ArrayDecl | undefined {
    return this.program.arrays.find((a) => a.name === name)
  }

  /** How often the nest reads or stores an array. */
  private reads(name: string): number {
    const { nest, reduction: r, operands } = this.c
    const factors = operands.map((o) => uniqueReads(o.value).filter((x) => x.array === name).length),
      guards = operands.map((o) => (o.guard ? uniqueReads(o.guard).filter((x) => x.array === name).length : 0))
    const others = [r.init, nest.out.value].map((e) => uniqueReads(e).filter((x) => x.array === name).length)
    return [...factors, ...guards, ...others].reduce((a, b) => a + b, nest.out.array.name === name ? 1 : 0)
  }
}

const isRead = (e: Expr): e is Read => e.kind === 'read'

/** At most one loop, with coefficient 1. */
function isUnit(e: Expr): boolean {
  const a = affineOf(e)
  if (!a) return false
  const loops = [...a.terms].filter(([n]) => !n.startsWith('$'))
  return loops.length <= 1 && loops.every(([, c]) => c === 1)
}
