// What scans and linear recurrences down columns have in common: something that a walk over rows carries for each
// column, how the rows of a run join into one step, and what such a step makes of it. In: a form. Out: that as
// statements over private arrays. The one idea: a running sum is carried as the states of a recurrence are, a partial
// sum as a map is.
import {
  identityOf,
  int,
  read,
  readsArray,
  store,
  uses,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type MemoryType,
  type Recurrence,
  type Scan,
  type ScanStore,
  type Store,
} from '../../../ir/index.ts'
import { appliedMap, composed, identityMap, mentionsAny, varying, withFixed } from '../../../analysis/index.ts'

/** What a walk down columns carries from row to row. */
export interface Carried {
  readonly parallel: readonly Loop[]
  /** How many of the last of these number columns that lie side by side. */
  readonly side: 1 | 2
  readonly loop: Loop
  readonly type: MemoryType
  /** Scalars that stores and results read. */
  readonly states: readonly ArrayDecl[]
  readonly init: readonly Expr[]
  /** What a row's step is loaded as: expressions of the row, each of an element of its own. */
  readonly loads: readonly Expr[]
  /** Numbers of a total, and of the one of no rows. */
  readonly none: readonly Expr[]
  readonly stores: readonly ScanStore[]
  readonly results: readonly Store[]
  /** `total = total, then step`; `loaded`: the elements of `loads`. */
  joinRow(total: ArrayDecl, loaded: (n: number) => Expr): readonly LoopStmt[]
  /** `states = step(states)`. */
  moveRow(states: ArrayDecl, loaded: (n: number) => Expr): readonly LoopStmt[]
  /** `states = total(states)`; `total`: its numbers. */
  moveTotal(states: ArrayDecl, total: (n: number) => Expr): readonly LoopStmt[]
  /** What runs start with, as a form over so many; absent: each run goes through the totals before it. */
  startsOf?(over: Loop, total: (n: number) => Expr, stores: readonly Store[]): Recurrence
}

/** Whether numbers start with what results replace: no thread may store these while others read them. */
export const isResumed = ({ init, results }: Pick<Recurrence, 'init' | 'results'>): boolean =>
  mentionsAny(
    init,
    results.map((r) => r.array),
  )

const at = (n: number): readonly Expr[] => [int(n)]

/** A running sum (product, least, greatest). */
export function carriedByScan(form: Scan): Carried {
  const add = (to: ArrayDecl, x: Expr): readonly LoopStmt[] => [store(to, at(0), x, form.op)]
  return {
    ...form,
    side: 1,
    type: form.into.type,
    states: [form.into],
    init: [form.init],
    loads: [form.value],
    none: [identityOf(form.op, form.value.type)],
    joinRow: (total, loaded) => add(total, loaded(0)),
    moveRow: (states, loaded) => add(states, loaded(0)),
    moveTotal: (states, total) => add(states, total(0)),
  }
}

/** The numbers of a linear recurrence; what varies of its maps is what totals are made of. */
export function carriedByRecurrence(form: Recurrence, side: 1 | 2): Carried {
  const { maps } = form,
    type = form.states[0]!.type, // there is one
    own = { ...maps, grows: false }, // maps of single rows are no products
    all = varying(maps),
    loaded = all.filter((n) => readsArray(form.map[n]!) || uses(form.map[n]!, form.loop.name))
  const stepOf = (from: (n: number) => Expr): readonly Expr[] =>
    form.map.map((e, n) => (loaded.includes(n) ? from(loaded.indexOf(n)) : e))
  const moving = (states: ArrayDecl, map: readonly Expr[], kind = maps): readonly LoopStmt[] =>
    atOnce(
      states,
      type,
      appliedMap(
        kind,
        map,
        form.states.map((_, n) => read(states, at(n))),
      ),
    )
  return {
    ...form,
    side,
    type,
    loads: loaded.map((n) => form.map[n]!),
    none: all.map((n) => identityMap(maps)[n]!),
    joinRow: (total, from) => {
      const before = withFixed(maps, (n) => read(total, at(all.indexOf(n)))),
        after = composed(own, before, stepOf(from))
      return atOnce(
        total,
        type,
        all.map((n) => after[n]!),
      )
    },
    moveRow: (states, from) => moving(states, stepOf(from), own),
    moveTotal: (states, total) =>
      moving(
        states,
        withFixed(maps, (n) => total(all.indexOf(n))),
      ),
    startsOf: (over, total, stores) => ({
      ...form,
      loop: over,
      map: withFixed(maps, (n) => total(all.indexOf(n))),
      stores: stores.map((s) => ({ earlier: true, guard: undefined, store: s })),
      results: [],
    }),
  }
}

/** `to[n] = values[n]`, where values may read all of `to`. */
function atOnce(to: ArrayDecl, type: MemoryType, values: readonly Expr[]): readonly LoopStmt[] {
  if (values.length === 1) return [store(to, at(0), values[0]!)]
  const next = values.map(
    (_, n): ArrayDecl => ({ name: `next${n}_own`, type, shape: [], role: 'temp', space: 'private' }),
  )
  return [
    ...next.map((array): LoopStmt => ({ kind: 'declare', array })),
    ...next.map((a, n) => store(a, [], values[n]!)),
    ...next.map((a, n) => store(to, at(n), read(a, []))), // as many
  ]
}
