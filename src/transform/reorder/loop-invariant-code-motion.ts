// In: a program with a loop whose every iteration fills an array anew with the same values, such as the window of each
// frame, or powers that each row needs. Out: the same, these statements once, in front of the loop. The one idea is
// loop-invariant code motion of stores: what neither depends on the loop nor on anything that it changes, and is read
// in an iteration only after it was stored there, need not be stored again.
import { isElsewhere, knownDependences, mentionsAny, readsOf } from '../../analysis/index.ts'
import {
  affineOf,
  implies,
  int,
  loopIR,
  lt,
  ownExprs,
  pass,
  sizeDomain,
  someStmt,
  sub,
  uses,
  when,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
} from '../../ir/index.ts'
import { fitsThread } from '../expansion/scalar-expansion.ts'
import { arraysOf } from '../fission/loop-distribution.ts'

// Before:
//
//   program p {
//     size n = 512 min 1
//     size m = 64 min 1
//     array x: f32[m, n] in global
//     array w: f32[n] out global
//     array y: f32[m, n] out global
//     for t in 0 .. m {
//       for i in 0 .. n {
//         w[i] = cos(f32(i))
//         y[t, i] = x[t, i] * w[i]
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 512 min 1
//     size m = 64 min 1
//     array x: f32[m, n] in global
//     array w: f32[n] out global
//     array y: f32[m, n] out global
//     for i in 0 .. n {
//       w[i] = cos(f32(i))
//     }
//     for t in 0 .. m {
//       for i in 0 .. n {
//         y[t, i] = x[t, i] * w[i]
//       }
//     }
//   }
export const loopInvariantCodeMotion = pass({
  name: 'loop-invariant-code-motion',
  summary: 'arrays that every iteration of a loop fills alike are filled once, before it',
  needs: ['dependences'],
  of: loopIR,
  run: (program) => {
    const body = program.body.flatMap((s) => (s.kind === 'loop' ? (hoisted(program, s) ?? [s]) : [s]))
    return body.every((s, i) => s === program.body[i]) ? program : { ...program, body }
  },
})

/** A store in a loop, and the loops and conditions between. */
interface Leaf {
  readonly path: string
  readonly store: Store
  readonly chain: readonly LoopStmt[]
}

/** What every iteration of `loop` does alike, and the loop with the rest; `undefined` where that is nothing. */
function hoisted(program: Program, loop: Loop): readonly LoopStmt[] | undefined {
  const leaves = leavesOf(loop.body, [], []),
    own = program.body.flatMap((s) => (s.kind === 'declare' && fitsThread(s.array) ? [s.array.name] : []))
  const isCandidate = ({ store, chain }: Leaf): boolean =>
    store.index.length > 0 &&
    !store.reduce &&
    !mayReadItself(store) &&
    !own.includes(store.array) &&
    !someStmt(loop.body, (s) => s.kind === 'declare' && s.array.name === store.array) &&
    ![store, ...chain].some((s) => ownExprs(s).some((e) => uses(e, loop.name)))
  const candidates = leaves.filter(isCandidate)
  if (!candidates.some(isInLoop)) return undefined
  const same = alike(program, loop, leaves, candidates)
  if (!same.some(isInLoop)) return undefined
  const paths = new Set(same.map((l) => l.path)),
    once = keeping(loop.body, [], (path) => paths.has(path)),
    rest = keeping(loop.body, [], (path) => !paths.has(path))
  return [
    ...(isTaken(program, loop) ? once : [when(lt(loop.lower, loop.upper), once)]),
    ...(rest.some((s) => s.kind !== 'declare') ? [{ ...loop, body: rest }] : []),
  ]
}

/** Whether what is stored may be made of what was in the same element. */
const mayReadItself = (store: Store): boolean =>
  readsOf(ownExprs(store)).some((r) => r.array === store.array && !isElsewhere(r.index, store.index))

const isInLoop = (l: Leaf): boolean => l.chain.some((s) => s.kind === 'loop')

/**
 * Those of the `candidates` that read nothing that others of the `leaves` store, share their arrays with none of them,
 * and store to no element that the same iteration may have read before.
 */
function alike(program: Program, loop: Loop, leaves: readonly Leaf[], candidates: readonly Leaf[]): readonly Leaf[] {
  const declares = program.body.filter((s) => s.kind === 'declare'),
    all = knownDependences({ ...program, body: [...declares, loop] })
  if (!all) return []
  const readBefore = new Set(
    all.flatMap((d) => (d.kind === 'anti' && d.level !== 0 ? [d.sink.path.slice(1).join()] : [])),
  )
  let same = candidates.filter(
    ({ path, store }) => !readBefore.has(path) && !mentionsAny([loop.lower, loop.upper], [store.array]),
  )
  for (;;) {
    const others = leaves.filter((l) => !same.includes(l)).map((l) => l.store.array)
    const kept = same.filter(
      ({ store, chain }) => !others.includes(store.array) && !mentionsAny([store, ...chain].flatMap(ownExprs), others),
    )
    if (kept.length === same.length) return same
    same = kept
  }
}

/** Whether the loop has an iteration, whatever the sizes. */
function isTaken(program: Program, loop: Loop): boolean {
  const extent = affineOf(sub(sub(loop.upper, loop.lower), int(1)))
  return extent !== undefined && implies(sizeDomain(program).constraints, extent)
}

/** Paths count as those of accesses do: statements of `else` come after those of `then`. */
function leavesOf(
  body: readonly LoopStmt[],
  path: readonly number[],
  chain: readonly LoopStmt[],
  from = 0,
): readonly Leaf[] {
  return body.flatMap((s, i): readonly Leaf[] => {
    const at = [...path, from + i]
    switch (s.kind) {
      case 'store':
        return [{ path: at.join(), store: s, chain }]
      case 'loop':
        return leavesOf(s.body, at, [...chain, s])
      case 'if':
        return [...leavesOf(s.then, at, [...chain, s]), ...leavesOf(s.else, at, [...chain, s], s.then.length)]
      case 'declare':
        return []
    }
  })
}

/** `body` with those of its stores that `isKept`, and what is around them. */
function keeping(
  body: readonly LoopStmt[],
  path: readonly number[],
  isKept: (path: string) => boolean,
  from = 0,
): readonly LoopStmt[] {
  const kept = body.flatMap((s, i): readonly LoopStmt[] => {
    const at = [...path, from + i]
    switch (s.kind) {
      case 'store':
        return isKept(at.join()) ? [s] : []
      case 'loop': {
        const inner = keeping(s.body, at, isKept)
        return inner.length > 0 ? [{ ...s, body: inner }] : []
      }
      case 'if': {
        const then = keeping(s.then, at, isKept),
          otherwise = keeping(s.else, at, isKept, s.then.length)
        return then.length + otherwise.length > 0 ? [{ ...s, then, else: otherwise }] : []
      }
      case 'declare':
        return [s]
    }
  })
  const used = new Set(kept.flatMap((s) => [...arraysOf(s)]))
  return kept.filter((s) => s.kind !== 'declare' || used.has(s.array.name))
}
