// tree-reduce: the threads of a block share one reduction: each accumulates its part, then a tree combines the parts.
//
//   declare s: f32[] temp private s = 0.0f
//   for t in 0 .. 32 { for k in 0 .. m { s += A[t, k] } }
//   y[0] = s
// → declare s: f32[] temp private s = 0.0f declare part: f32[32] temp private
//   for t in 0 .. 32 @thread(1) { part[t] = 0.0f for k in 0 .. m { part[t] += A[t, k] } }
//   for t in 0 .. 32 @thread(1) { s += part[t] }
//   y[0] = s
//
// A target that loops inside index (several results per thread) gets as many parts, and a tree for each.
//
// Side conditions: a constant power-of-two extent from 0; the loop's only store is a reduction into a private target
// that its variable does not index, and loops inside only by themselves, with constant extents from 0; the operator is
// associative and commutative (every `ReduceOp` is, floats up to rounding).
import { fail } from '../../base/index.ts'
import {
  int,
  literal,
  loop,
  loopVar,
  registerType,
  type ArrayDecl,
  type Binding,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
  identityOf,
  constantExtent,
  eachStmt,
  freshName,
  mapBody,
  nest,
  replaceLoops,
  uses,
} from '../../ir/index.ts'
import { declarationOf } from './stage.ts'

export interface TreeReduce {
  readonly loop: string
  /** Stride of the loop's digit in the thread rank; default 1. */
  readonly stride?: number
}

export function treeReduce(program: Program, { loop: name, stride = 1 }: TreeReduce): Program {
  const partName = freshName(program, 'part')
  return replaceLoops(program, name, (l) => {
    const extent = constantExtent(l)
    if (extent === undefined || (extent & (extent - 1)) !== 0 || extent < 1)
      return fail('schedule.tree-reduce', `'${name}' needs a constant power-of-two extent`)
    const { store: target, tile } = theStore(l)
    const array = declarationOf(program, target.array)
    if (array.space !== 'private') return fail('schedule.tree-reduce', `'${target.array}' is no private accumulator`)
    const part: ArrayDecl = {
      name: partName,
      type: array.type,
      shape: [l, ...tile].map((x) => int(constantExtent(x)!)),
      role: 'temp',
      space: 'private',
    }
    const index = [l, ...tile].map((x) => loopVar(x.name))
    const type = registerType(array.type)
    const bind: Binding = { kind: 'thread', stride }
    const own = mapBody(l.body, (s) => (s.kind === 'store' ? [{ ...s, array: partName, index }] : undefined))
    const start: LoopStmt = {
      kind: 'store',
      array: partName,
      index,
      reduce: null,
      value: identityOf(target.reduce!, type),
    }
    const joined: Store = { ...target, value: { kind: 'read', type, array: partName, index } }
    return [
      { kind: 'declare', array: part },
      { ...l, bind, body: [...nest(tile, [start]), ...own] },
      loop(
        name,
        int(extent),
        nest(
          tile.map((t): Loop => ({ ...t, bind: { kind: 'unroll' } })),
          [joined],
        ),
        { bind },
      ),
    ]
  })
}

/** The loop's reduction, and the loops inside that tell its targets apart. */
function theStore(l: Loop): { readonly store: Store; readonly tile: readonly Loop[] } {
  const stores: Store[] = []
  let inside: readonly Loop[] = []
  eachStmt(l.body, (s, around) => {
    if (s.kind !== 'store') return
    stores.push(s)
    inside = around
  })
  const only = stores.length === 1 ? stores[0]! : undefined
  const tile = inside.filter((t) => only?.index.some((e) => uses(e, t.name)))
  const plain = tile.every(
    (t) =>
      constantExtent(t) !== undefined &&
      literal(t.lower) === 0 &&
      t.step === 1 &&
      only?.index.every((e) => !uses(e, t.name) || e.kind === 'var'),
  )
  if (!only?.reduce || !plain || only.index.some((e) => uses(e, l.name)))
    return fail('schedule.tree-reduce', `'${l.name}' is not one reduction into one target`)
  return { store: only, tile }
}
