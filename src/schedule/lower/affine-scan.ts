// In: a thread loop that composes maps: `for t: { before[t] = run; run = run, then map[t] }`, over coefficients of
// affine maps. Out: whether it is one. The one idea: `composingMaps` writes such a body and `carriedComposition` knows
// no other, so that what threads are to do together is a composition by construction, and may be joined in any
// grouping.
import {
  literal,
  read,
  store,
  type ArrayDecl,
  type Const,
  type Expr,
  type Loop,
  type LoopStmt,
  type MemoryType,
  type Store,
  type Fixed,
  type MapKind,
  sameExpr,
  uses,
} from '../../ir/index.ts'
import { composed, varying, withFixed } from '../../analysis/index.ts'

/** A scan of maps that a thread loop carries; `rows`: an unrolled loop around its stores. */
export interface CarriedComposition {
  readonly rows: Loop | undefined
  readonly maps: MapKind
  /** Of coefficients: of all threads before, of the thread's own map, of the two together, of all so far. */
  readonly before: readonly Store[]
  readonly own: readonly Store[]
  readonly next: readonly Store[]
  readonly run: readonly Store[]
}

const named = { own: 'mine_own', next: 'after_own' } as const
const nameOf = (name: string, n: number): string => name.replace('_', `${n}_`)

/** Private scalars of a composition, one for each coefficient that varies: the thread's own map, and what comes out. */
const scalarsOf = (k: MapKind, name: string, type: MemoryType): readonly ArrayDecl[] =>
  varying(k).map((n) => ({ name: nameOf(name, n), type, shape: [], role: 'temp', space: 'private' }))

/** `before = run; run = run, then own`, coefficient by coefficient: the body of a loop over threads. */
export function composingMaps(
  k: MapKind,
  type: MemoryType,
  before: (n: number) => { readonly array: ArrayDecl; readonly index: readonly Expr[] },
  run: (n: number) => { readonly array: ArrayDecl; readonly index: readonly Expr[] },
  own: (n: number) => Expr,
): readonly LoopStmt[] {
  const mine = scalarsOf(k, named.own, type),
    next = scalarsOf(k, named.next, type)
  const at = (n: number): Expr => read(run(n).array, run(n).index),
    all = varying(k)
  const after = composed(
    k,
    withFixed(k, at),
    withFixed(k, (n) => read(mine[all.indexOf(n)]!, [])),
  ) // it varies
  return [
    ...[...mine, ...next].map((array): LoopStmt => ({ kind: 'declare', array })),
    ...all.map((n) => store(before(n).array, before(n).index, at(n))),
    ...all.map((n, i) => store(mine[i]!, [], own(n))),
    ...all.map((n, i) => store(next[i]!, [], after[n]!)),
    ...all.map((n, i) => store(run(n).array, run(n).index, read(next[i]!, []))), // one for each
  ]
}

/** The composition that the loop carries, if it is one. */
export function carriedComposition(l: Loop): CarriedComposition | undefined {
  const only = l.body.length === 1 ? l.body[0] : undefined
  const rows = only?.kind === 'loop' && only.bind.kind === 'unroll' ? only : undefined
  const stores = (rows ?? l).body.flatMap((s) => (s.kind === 'store' && !s.reduce ? [s] : [])),
    count = stores.length / 4
  const [before, own, next, run] = [0, 1, 2, 3].map((n) => stores.slice(n * count, (n + 1) * count)) as [
    Store[],
    Store[],
    Store[],
    Store[],
  ] // four slices
  const first = next[0],
    positions = own.map((s) => Number(/^\D*(\d+)_/.exec(s.array)?.[1] ?? NaN))
  if (!first || (rows ?? l).body.some((s) => s.kind !== 'declare' && (s.kind !== 'store' || s.reduce))) return undefined
  if (
    !own.every((s, n) => s.array === nameOf(named.own, positions[n]!)) ||
    !next.every((s, n) => s.array === nameOf(named.next, positions[n]!))
  )
    return undefined // as many
  if (
    !run.every(
      (s, n) => s.value.kind === 'read' && s.value.array === next[n]!.array && !s.index.some((e) => uses(e, l.name)),
    )
  )
    return undefined // as many
  const kind = kindsOf(first.value, positions).find((k) => {
    const after = composed(
      k,
      all(
        k,
        positions,
        before.map((s) => s.value),
      ),
      all(k, positions, own.map(scalarStoredTo)),
    )
    return positions.every((p, n) => sameExpr(after[p]!, next[n]!.value))
  })
  return kind &&
    before.every(
      (s, n) =>
        s.value.kind === 'read' &&
        s.value.array === run[n]!.array &&
        s.value.index.length === run[n]!.index.length &&
        s.value.index.every((e, d) => sameExpr(e, run[n]!.index[d]!)),
    )
    ? { rows, maps: kind, before, own, next, run }
    : undefined
}

/** All coefficients, of which `values` are those at `positions`. */
export const all = (k: MapKind, positions: readonly number[], values: readonly Expr[]): readonly Expr[] =>
  withFixed(k, (n) => values[positions.indexOf(n)]!) // those that vary

/** Kinds of maps of which the coefficients at `positions` vary; `composition`: what the first of them becomes. */
function kindsOf(composition: Expr, positions: readonly number[]): readonly MapKind[] {
  const type = composition.type,
    by = composition.kind === 'op' && composition.op === 'rem' ? literal(composition.args[1]!) : undefined
  const rings: readonly Pick<MapKind, 'ring' | 'modulus' | 'sets' | 'grows'>[] = [
    ...(by !== undefined ? [{ ring: 'residues', modulus: by, sets: false, grows: false } as const] : []),
    ...[false, true].flatMap((sets) => [false, true].map((grows) => ({ ring: 'sums', sets, grows }) as const)),
    ...(['greatest', 'least'] as const).map((ring) => ({ ring, sets: false, grows: false })),
  ]
  return [1, 2, 3].flatMap((states) => {
    const fixed = Array.from(
      { length: states * states + states },
      (_, n): Fixed =>
        positions.includes(n)
          ? undefined
          : n < states * states && n % states === Math.floor(n / states)
            ? 'unit'
            : 'nothing',
    )
    return positions.every((p) => p < fixed.length)
      ? rings.map((ring): MapKind => ({ states, type, fixed, ...ring }))
      : []
  })
}

/** The private scalar that the store is to. */
export const scalarStoredTo = (s: Store): Expr => ({ kind: 'read', type: s.value.type, array: s.array, index: [] })

/** The constant that the expression is. */
export const literalConst = (e: Expr): Const => {
  const c = e as Extract<Expr, { kind: 'const' }>
  return { kind: 'const', type: c.type, value: c.value }
} // identities are constants
