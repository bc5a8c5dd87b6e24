// prefetch: the global loads of the next iteration are issued before the current one computes, so that their latency
// passes behind arithmetic. A copy into workgroup memory becomes global → registers now, registers → workgroup later.
//
//   for ko in 0 .. n { declare T: f32[32] temp shared
//     for t in 0 .. 32 @thread(1) { T[t] = x[ko * 32 + t] }
//     for t in 0 .. 32 @thread(1) { y[ko * 32 + t] = T[31 - t] } }
// → declare next_T: f32[32] temp private
//   for t in 0 .. 32 @thread(1) { next_T[t] = x[t] }
//   for ko in 0 .. n { declare T: f32[32] temp shared
//     for t in 0 .. 32 @thread(1) { T[t] = next_T[t] }
//     for t in 0 .. 32 @thread(1) { next_T[t] = x[min(ko + 1, n - 1) * 32 + t] }
//     for t in 0 .. 32 @thread(1) { y[ko * 32 + t] = T[31 - t] } }
//
// `last: 'again'` (as above): the last iteration loads its own tile once more. Some compilers wait for loads where a
// branch ends (WebGPU's on NVIDIA). `last: 'skip'` has `if (ko + 1 < n)` around the loads instead: others move loads
// down to their use unless a branch holds them (ptxas).
//
// Side conditions: the loop's body starts with the copies; they are all that writes the staged arrays, and nothing in
// the loop writes what they read.
import { applied, inapplicable, isInapplicable, type Inapplicable } from '../../base/index.ts'
import {
  add,
  affineOf,
  coefficient,
  int,
  literal,
  loopVar,
  lt,
  op,
  sub,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
  constantExtent,
  eachStmt,
  someStmt,
  freshName,
  mapBody,
  readsIn,
  replaceLoops,
  storedIn,
  substituteStmt,
  uses,
} from '../../ir/index.ts'
import { declarationOf } from './stage.ts'

export interface Prefetch {
  readonly loop: string
  /** Staged arrays whose copies move. */
  readonly arrays: readonly string[]
  /** What the last iteration does; default `again`. */
  readonly last?: 'again' | 'skip'
}

/** Throws a `DiagnosticError` where a side condition does not hold. */
export const prefetch = (program: Program, o: Prefetch): Program => applied(prefetched(program, o))

/** As `prefetch`, or which side condition does not hold. */
export function prefetched(program: Program, { loop: at, arrays, last = 'again' }: Prefetch): Program | Inapplicable {
  const names = new Map(arrays.map((a) => [a, freshName(program, `next_${a}`)]))
  let why: Inapplicable | undefined
  const made = replaceLoops(program, at, (l) => {
    const moved = movedCopies(program, l, names)
    if (!isInapplicable(moved)) return withFetches(l, moved, last)
    why ??= moved
    return [l]
  })
  return why ?? made
}

/** The copies into the arrays, which `names` has with their registers. */
function movedCopies(program: Program, l: Loop, names: ReadonlyMap<string, string>): readonly Moved[] | Inapplicable {
  if (l.step !== 1) return inapplicable('schedule.prefetch', `'${l.name}' has step ${l.step}`)
  const all: Moved[] = []
  for (const [array, name] of names) {
    const moved = movedCopy(program, l, array, name)
    if (isInapplicable(moved)) return moved
    all.push(moved)
  }
  const written = new Set(storedIn(l.body))
  const changed = all.flatMap((m) => readsIn([m.fetch])).find((r) => written.has(r.array))
  return changed ? inapplicable('schedule.prefetch', `'${changed.array}' is written in '${l.name}'`) : all
}

/** The loop with what it copies fetched one iteration earlier, and before it what the first iteration copies. */
function withFetches(l: Loop, moved: readonly Moved[], atEnd: 'again' | 'skip'): readonly LoopStmt[] {
  const own = new Set(moved.map((m) => m.copy))
  const last = Math.max(...l.body.map((s, i) => (own.has(s) ? i : -1)))
  const after = add(loopVar(l.name), int(1))
  const next = atEnd === 'skip' ? after : op('min', [after, sub(l.upper, int(1))])
  const loads = moved.map((m) => substituteStmt(m.fetch, new Map([[l.name, next]])))
  const fetchNext: readonly LoopStmt[] =
    atEnd === 'skip' ? [{ kind: 'if', condition: lt(after, l.upper), then: loads, else: [] }] : loads
  const body = l.body.flatMap((s, i): readonly LoopStmt[] => {
    const m = moved.find((x) => x.copy === s)
    return [m ? m.deposit : s, ...(i === last ? fetchNext : [])]
  })
  const first = moved.flatMap((m): readonly LoopStmt[] => [
    { kind: 'declare', array: m.registers },
    substituteStmt(m.fetch, new Map([[l.name, l.lower]])),
  ])
  return [...first, { ...l, body }]
}

interface Moved {
  readonly copy: LoopStmt
  readonly registers: ArrayDecl
  readonly fetch: LoopStmt
  readonly deposit: LoopStmt
}

function movedCopy(program: Program, l: Loop, array: string, name: string): Moved | Inapplicable {
  const staged = declarationOf(program, array)
  if (staged.space !== 'shared') return inapplicable('schedule.prefetch', `'${array}' is not in workgroup memory`)
  const copy = l.body.find((s) => s.kind === 'loop' && writes(s, array))
  if (!copy) return inapplicable('schedule.prefetch', `'${l.name}' has no copy into '${array}'`)
  const around: Loop[] = []
  let store: Store | undefined
  eachStmt([copy], (s, loops) => {
    if (s.kind === 'store') {
      store = s
      around.push(...loops)
    }
  })
  if (!store || store.array !== array || store.reduce)
    return inapplicable('schedule.prefetch', `the copy into '${array}' is no plain copy`)
  if (
    around.some((x) => x.name === l.name) ||
    store.index.some((e) => uses(e, l.name) && staged.shape.length === store!.index.length)
  )
    return inapplicable('schedule.prefetch', `the copy into '${array}' uses '${l.name}' in its target`)
  const open = around.find((x) => registersAlong(x) === undefined)
  if (open) return inapplicable('schedule.prefetch', `'${open.name}' does not count from 0 in steps of 1 to a constant`)
  const registers: ArrayDecl = {
    name,
    type: staged.type,
    shape: around.flatMap((x) => registersAlong(x) ?? []).map((n) => int(n)),
    role: 'temp',
    space: 'private',
  }
  const index = around.map((x) => loopVar(x.name))
  const value = store.value
  const fromRegisters: Expr = { kind: 'read', type: value.type, array: name, index }
  const replaceStore = (f: (s: Store) => Store): LoopStmt =>
    mapBody([copy], (s) => (s.kind === 'store' ? [f(s)] : undefined))[0]!
  return {
    copy,
    registers,
    fetch: replaceStore((s) => ({ ...s, array: name, index })),
    deposit: lanesAlong(replaceStore((s) => ({ ...s, value: fromRegisters }))),
  }
}

/**
 * An unrolled loop around a vector loop trade places where the copy is contiguous along the unrolled one: registers
 * have no order.
 */
function lanesAlong(deposit: LoopStmt): LoopStmt {
  return mapBody([deposit], (s) => {
    const inner = s.kind === 'loop' && s.bind.kind === 'unroll' && s.body.length === 1 ? s.body[0]! : undefined
    const store =
      inner?.kind === 'loop' && inner.bind.kind === 'vector' && inner.body.length === 1 ? inner.body[0]! : undefined
    if (s.kind !== 'loop' || inner?.kind !== 'loop' || store?.kind !== 'store') return undefined
    const last = store.index[store.index.length - 1]
    const a = last && affineOf(last)
    if (
      !a ||
      coefficient(a, s.name) !== 1 ||
      coefficient(a, inner.name) !== 0 ||
      constantExtent(s) !== constantExtent(inner)
    )
      return undefined
    return [{ ...inner, bind: s.bind, body: [{ ...s, bind: inner.bind, body: [store] }] }]
  })[0]!
}

/** How many registers a loop of the copy needs: one per iteration; undefined where it does not count from 0 by 1. */
const registersAlong = (l: Loop): number | undefined =>
  literal(l.lower) === 0 && l.step === 1 ? constantExtent(l) : undefined

function writes(s: LoopStmt, array: string): boolean {
  return someStmt([s], (x) => x.kind === 'store' && x.array === array)
}
