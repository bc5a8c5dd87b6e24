// In: a LoopIR program. Out: for every store how its reads reuse data, and for every outermost loop what kind of
// computation it is. The one idea: the kind follows from which loops an index does not use (temporal reuse), which loop
// runs along the contiguous dimension, and which reads differ by constants (stencils), never from names.
import {
  accesses,
  addScaled,
  affineOf,
  constantTrips,
  type Access,
  type Affine,
  type Expr,
  type Loop,
  type Program,
  type ReduceOp,
} from '../../ir/index.ts'

export type NestKind = 'contraction' | 'stencil' | 'transpose' | 'elementwise' | 'reduction' | 'other'

export interface ReadFact {
  readonly access: Access
  readonly array: string
  /** Loops around the store whose variable the index does not use: the same element is read again in each iteration. */
  readonly reusedIn: readonly string[]
  /**
   * The loop that steps through neighbouring elements (last index, coefficient 1 or −1, in no other index), or null.
   * When several do, the one that the store has too.
   */
  readonly contiguous: string | null
  /** Every index is linear. */
  readonly affine: boolean
  /**
   * Per dimension the window `[low, high]` that one output iteration reads, when the read is a stencil's; else null.
   */
  readonly window: readonly (readonly [number, number])[] | null
}

export interface StoreFact {
  readonly write: Access
  /** Loops that select the output element; the loops around a private accumulator's declaration are among them. */
  readonly outputLoops: readonly string[]
  /** Loops that the output does not depend on and that accumulate into it. */
  readonly reductionLoops: readonly string[]
  readonly reduce: ReduceOp | null
  readonly contiguous: string | null
  readonly reads: readonly ReadFact[]
  readonly kind: NestKind
}

export interface NestFact {
  /** Position of the outermost statement in the program's body. */
  readonly path: readonly number[]
  readonly kind: NestKind
  /** The store in the most loops, which gives the nest its kind. */
  readonly main: StoreFact
  readonly stores: readonly StoreFact[]
}

/** One fact per outermost statement of `p` that stores something inside a loop. */
export function classify(p: Program): NestFact[] {
  const nests = new Map<number, Access[]>()
  for (const a of accesses(p)) nests.set(a.path[0]!, [...(nests.get(a.path[0]!) ?? []), a])
  return [...nests].flatMap(([first, all]) => {
    const stores = all.filter((a) => a.kind === 'write' && a.loops.length > 0).map((w) => storeFact(w, all))
    const [main] = [...stores].sort((a, b) => weight(b) - weight(a))
    return main ? [{ path: [first], kind: main.kind, main, stores }] : []
  })
}

/** Loops first; then reading stores before initialisations; then non-private results. */
const weight = (s: StoreFact): number =>
  100 * s.write.loops.length + 10 * Math.min(s.reads.length, 9) + (s.write.declared ? 0 : 1)

const sameStatement = (a: Access, b: Access): boolean =>
  a.path.length === b.path.length && a.path.every((x, i) => x === b.path[i])

/**
 * The reads that belong to the store of `w`: its own, and those of the accumulators that it stores on are left to their
 * stores.
 */
function storeFact(w: Access, all: readonly Access[]): StoreFact {
  const reads = all.filter(
    (a) => a.kind === 'read' && sameStatement(a, w) && a.reduce === null && a.declared === undefined,
  )
  const used = usedLoops(w.index)
  const fixed = new Set(w.loops.slice(0, w.declared?.loops ?? 0).map((l) => l.name))
  const outputLoops = w.loops.map((l) => l.name).filter((n) => used.has(n) || fixed.has(n))
  const reductionLoops = w.loops.map((l) => l.name).filter((n) => !used.has(n) && !fixed.has(n) && w.reduce !== null)
  const windows = stencilWindows(reads, w.loops, new Set(outputLoops))
  const contiguous = w.declared ? resultContiguous(w, all) : contiguousLoop(w)
  const facts = reads.map((a, i) => readFact(a, w.loops, windows[i] ?? null, contiguous))
  const partial = { write: w, outputLoops, reductionLoops, reduce: w.reduce, contiguous, reads: facts }
  return { ...partial, kind: kindOf(partial) }
}

/** A private accumulator is stored to its result later: that store's contiguous loop counts. */
function resultContiguous(w: Access, all: readonly Access[]): string | null {
  const use = all.find((a) => a.kind === 'read' && a.array === w.array && a.reduce === null)
  const result = use && all.find((a) => a.kind === 'write' && a.declared === undefined && sameStatement(a, use))
  return result ? contiguousLoop(result) : null
}

function usedLoops(index: readonly Expr[]): Set<string> {
  const names = new Set<string>()
  const visit = (e: Expr): void => {
    switch (e.kind) {
      case 'var':
        names.add(e.name)
        return
      case 'const':
      case 'size':
      case 'scalar':
        return
      case 'read':
        e.index.forEach(visit)
        return
      case 'op':
        e.args.forEach(visit)
        return
      case 'choose':
        ;[e.condition, e.then, e.else].forEach(visit)
    }
  }
  index.forEach(visit)
  return names
}

/** The contiguous loop of `a`; the `preferred` one when several are (`x[i + k]`), else the innermost. */
function contiguousLoop(a: Access, preferred: string | null = null): string | null {
  const last = a.index[a.index.length - 1],
    form = last && affineOf(last)
  if (!form) return null
  const elsewhere = usedLoops(a.index.slice(0, -1))
  const inner = [...a.loops].reverse().map((l) => l.name)
  const found = inner.filter((n) => Math.abs(form.terms.get(n) ?? 0) === 1 && !elsewhere.has(n))
  return found.find((n) => n === preferred) ?? found[0] ?? null
}

function readFact(a: Access, loops: readonly Loop[], window: ReadFact['window'], preferred: string | null): ReadFact {
  const used = usedLoops(a.index)
  return {
    access: a,
    array: a.array,
    reusedIn: loops.map((l) => l.name).filter((n) => !used.has(n)),
    contiguous: contiguousLoop(a, preferred),
    affine: a.index.every((e) => affineOf(e) !== undefined),
    window,
  }
}

// ------------------------------------------------------------------------------------------------------- stencils

/** The parts of an index that loops over outputs give, and the constants `[low, high]` that short inner loops add. */
function centre(
  e: Expr,
  loops: readonly Loop[],
  outputs: ReadonlySet<string>,
): { readonly base: Affine; readonly low: number; readonly high: number } | undefined {
  const form = affineOf(e)
  if (!form) return undefined
  let base: Affine = { constant: 0, terms: new Map() },
    low = form.constant,
    high = form.constant
  for (const [name, c] of form.terms) {
    const loop = loops.find((l) => l.name === name),
      trips = loop && constantTrips(loop),
      from = loop && affineOf(loop.lower)
    if (!loop || outputs.has(name)) base = addScaled(base, { constant: 0, terms: new Map([[name, 1]]) }, c)
    else if (trips === undefined || !from || from.terms.size > 0) return undefined
    else {
      const ends = [c * from.constant, c * (from.constant + (trips - 1) * loop.step)]
      low += Math.min(...ends)
      high += Math.max(...ends)
    }
  }
  return { base, low, high }
}

const keyOf = (a: Affine): string => [...a.terms].sort().join(';')

/**
 * For each read the joint window of all reads of the same array around the same centre; null when it is a single point.
 */
function stencilWindows(
  reads: readonly Access[],
  loops: readonly Loop[],
  outputs: ReadonlySet<string>,
): (readonly (readonly [number, number])[] | null)[] {
  const centres = reads.map((a) => a.index.map((e) => centre(e, loops, outputs)))
  return reads.map((a, i) => {
    const own = centres[i]!
    if (own.length === 0 || own.some((c) => !c) || own.every((c) => c!.base.terms.size === 0)) return null
    const alike = reads.flatMap((b, j) =>
      b.array === a.array && centres[j]!.every((c, d) => c && keyOf(c.base) === keyOf(own[d]!.base)) ? [j] : [],
    )
    const window = own.map((_, d): readonly [number, number] => [
      Math.min(...alike.map((j) => centres[j]![d]!.low)),
      Math.max(...alike.map((j) => centres[j]![d]!.high)),
    ])
    const shifted = window.some(([low, high], d) => high > low && own[d]!.base.terms.size > 0)
    return shifted ? window : null
  })
}

// ---------------------------------------------------------------------------------------------------------- kinds

function kindOf(s: Omit<StoreFact, 'kind'>): NestKind {
  const outputs = new Set(s.outputLoops)
  if (s.reads.some((r) => !r.affine)) return 'other'
  if (s.reads.some((r) => r.window !== null && r.reusedIn.every((n) => !outputs.has(n)))) return 'stencil'
  if (s.reductionLoops.length > 0) {
    const reusing = s.reads.filter((r) => r.reusedIn.some((n) => outputs.has(n)))
    const summed = s.reads.filter((r) => s.reductionLoops.some((n) => !r.reusedIn.includes(n)))
    return reusing.length >= 2 && summed.length >= 2 ? 'contraction' : 'reduction'
  }
  if (s.reduce !== null && s.outputLoops.length < s.write.loops.length) return 'reduction'
  if (s.reads.length === 0 || s.contiguous === null)
    return s.write.index.length > 0 && s.reads.length === 0 ? 'elementwise' : 'other'
  if (
    s.reads.some((r) => r.contiguous !== null && r.contiguous !== s.contiguous && !r.reusedIn.includes(s.contiguous!))
  )
    return 'transpose' // not null: checked above
  return s.reads.every((r) => r.contiguous === s.contiguous || r.reusedIn.includes(s.contiguous!))
    ? 'elementwise'
    : 'other' // as above
}
