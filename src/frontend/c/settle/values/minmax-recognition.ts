// In: a lowered program. Out: the same, with minima and maxima of unsigned bytes and their like as reductions. The one
// idea: C compares narrow unsigned integers as `int`, which changes no value, so that `if (a[i] > m) m = a[i]` compares
// what it stores.
import {
  conditionalReduction,
  asReduction,
  mapStmts,
  op,
  registerType,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type Program,
  type Store,
} from '../../../../ir/index.ts'

/**
 * Reductions of narrow unsigned integers, which the promotions of C hide; locals that hold what narrow arrays hold are
 * registers as others.
 */
export function narrowReductions(p: Program): Program {
  const arrays = new Map(p.arrays.map((a) => [a.name, a])),
    stores = new Map<string, Store[]>(),
    locals = new Set<string>(),
    twice = new Set<string>()
  mapStmts(
    p.body,
    (e) => e,
    (s) => {
      if (s.kind === 'declare') {
        ;(arrays.has(s.array.name) ? twice : locals).add(s.array.name)
        arrays.set(s.array.name, s.array)
      }
      return [s]
    },
  )
  if (![...arrays.values()].some(isNarrow)) return p
  const body = mapStmts(
    p.body,
    (e) => e,
    (s) => [reducedNarrow(s, arrays)],
  )
  mapStmts(
    body,
    (e) => e,
    (s) => {
      if (s.kind === 'store') stores.set(s.array, [...(stores.get(s.array) ?? []), s])
      return [s]
    },
  )
  let wide = new Set([...locals].filter((name) => !twice.has(name) && isNarrow(arrays.get(name))))
  for (let known = -1; known !== wide.size; ) {
    known = wide.size
    const fits = (e: Expr, most: number): boolean =>
      e.kind === 'const'
        ? Number(e.value) >= 0 && Number(e.value) <= most
        : e.kind === 'read' && largestOf(arrays.get(e.array)) <= most
    wide = new Set(
      [...wide].filter((name) =>
        (stores.get(name) ?? []).every(
          (s) =>
            (s.reduce === null || s.reduce === 'min' || s.reduce === 'max') &&
            fits(s.value, largestOf(arrays.get(name))),
        ),
      ),
    )
  }
  return {
    ...p,
    body: mapStmts(
      body,
      (e) => e,
      (s) => [s.kind === 'declare' && wide.has(s.array.name) ? { ...s, array: { ...s.array, type: 'u32' } } : s],
    ),
  }
}

const largestOf = (a: ArrayDecl | undefined): number => (a?.type === 'u8' ? 255 : a?.type === 'u16' ? 65535 : Infinity)
const isNarrow = (a: ArrayDecl | undefined): boolean => largestOf(a) < Infinity

function reducedNarrow(s: LoopStmt, arrays: ReadonlyMap<string, ArrayDecl>): LoopStmt {
  /** What `e` was before it became an `int`; undefined where it is no narrow unsigned number. */
  const before = (e: Expr): Expr | undefined => {
    const inner = e.kind === 'op' && e.op === 'convert' && e.type === 'i32' ? e.args[0] : undefined
    return inner?.kind === 'read' && isNarrow(arrays.get(inner.array)) ? inner : undefined
  }
  const compared = (e: Expr): Expr | undefined => {
    const [a, b] = e.kind === 'op' ? e.args.map(before) : []
    return e.kind === 'op' && a && b && ['lt', 'le', 'gt', 'ge'].includes(e.op) ? op(e.op, [a, b]) : undefined
  }
  if (s.kind === 'if') {
    const condition = compared(s.condition)
    const made =
      condition &&
      conditionalReduction({ ...s, condition }, (store) => ({
        kind: 'read',
        type: registerType(arrays.get(store.array)!.type),
        array: store.array,
        index: store.index,
      })) // it is declared
    return made?.kind === 'store' ? made : s
  }
  if (s.kind !== 'store' || s.reduce || !isNarrow(arrays.get(s.array))) return s
  // a conversion has one argument
  const whole = s.value.kind === 'op' && s.value.op === 'convert' && s.value.type === 'u32' ? s.value.args[0]! : s.value
  const parts =
    whole.kind === 'choose'
      ? [whole.condition, whole.then, whole.else]
      : whole.kind === 'op' && whole.op === 'select'
        ? whole.args
        : []
  const [condition, a, b] = parts.map((e, n) => (n === 0 ? compared(e) : before(e)))
  const found =
    condition && a && b
      ? asReduction({ kind: 'read', type: a.type, array: s.array, index: s.index }, op('select', [condition, a, b]))
      : undefined
  return found ? { ...s, ...found } : s
}
