// In: loops whose searches keep what they found in memory (`if (v < best) { best = v; *where = i; }`). Out: the same in
// locals, read before the loop and stored behind it. The one idea is register promotion (Cooper and Lu 1997): an
// element that a loop reads and stores at one place alone is a number while the loop runs, and a search for the best
// of several numbers is known as one where none of them is in memory.
import {
  readsIn,
  someStmt,
  claimName,
  eachStmt,
  exprKey,
  loopIR,
  mapStmts,
  namesOf,
  pass,
  read,
  registerType,
  someExpr,
  store,
  uses,
  type ArrayDecl,
  type Expr,
  type If,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array at: i32[1] inout global
//     array y: f32[] out global
//     declare best: f32[] temp private
//     best = 0.0f
//     for i in 0 .. n {
//       if x[i] > best {
//         best = x[i]
//         at[0] = i
//       }
//     }
//     y = best
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array at: i32[1] inout global
//     array y: f32[] out global
//     declare best: f32[] temp private
//     best = 0.0f
//     declare at_run: i32[] temp private
//     at_run = at[0]
//     for i in 0 .. n {
//       if x[i] > best {
//         best = x[i]
//         at_run = i
//       }
//     }
//     at[0] = at_run
//     y = best
//   }
export const scalarPromotion = pass<Program>({
  name: 'scalar-promotion',
  summary: 'what a search keeps in one element of an array is a local while its loop runs',
  needs: ['accesses'],
  of: loopIR,
  run: promoted,
})

function promoted(p: Program): Program {
  let taken: Set<string> | undefined
  const nameOf = (array: ArrayDecl): string => claimName((taken ??= namesOf(p)), `${array.name}_run`)
  /** Outermost loops first: an element is stored once, behind the last loop that it is alone in. */
  const block = (body: readonly LoopStmt[]): readonly LoopStmt[] =>
    body.flatMap((s): readonly LoopStmt[] => {
      if (s.kind === 'if') return [{ ...s, then: block(s.then), else: block(s.else) }]
      if (s.kind !== 'loop') return [s]
      const found = kept(p, s)
      if (found.length === 0) return [{ ...s, body: block(s.body) }]
      return found.reduce<readonly LoopStmt[]>(
        (made, { array, index }) => inLocal(made, array, index, nameOf(array)),
        [s],
      )
    })
  const body = block(p.body)
  return taken ? { ...p, body } : p
}

/** An element of an array of the caller's. */
interface Element {
  readonly array: ArrayDecl
  readonly index: readonly Expr[]
}

/** Elements that searches in `loop` keep, each of an array that `loop` reads and stores nowhere else. */
function kept(p: Program, loop: Extract<LoopStmt, { kind: 'loop' }>): readonly Element[] {
  const found = new Map<string, Element>()
  eachStmt([loop], (s) => {
    if (s.kind !== 'if') return
    const locals = new Set(s.then.flatMap((x) => (x.kind === 'store' && x.index.length === 0 ? [x.array] : [])))
    if (!asks(s, locals)) return
    for (const x of s.then) {
      const array = x.kind === 'store' && !x.reduce ? p.arrays.find((a) => a.name === x.array) : undefined
      if (x.kind !== 'store' || !array || x.index.length === 0 || registerType(array.type) !== array.type) continue
      if (isAlone(loop, x.array, x.index)) found.set(x.array, { array, index: x.index })
    }
  })
  return [...found.values()]
}

/** Whether the condition is about what is stored where it holds: what was best so far. */
const asks = (s: If, locals: ReadonlySet<string>): boolean =>
  someExpr(s.condition, (e) => e.kind === 'read' && locals.has(e.array))

/**
 * Whether the element at `index`, which no iteration changes, is all that `loop` has to do with the array. Sizes do not
 * choose it: where one is 0 there may be no such element, and no iteration that asks for it.
 */
function isAlone(loop: LoopStmt, array: string, index: readonly Expr[]): boolean {
  const key = index.map(exprKey).join()
  const isOther = (e: readonly Expr[]): boolean => e.map(exprKey).join() !== key
  const isElsewhere = (s: LoopStmt): boolean =>
    s.kind === 'loop' ? index.some((e) => uses(e, s.name)) : s.kind === 'store' && s.array === array && isOther(s.index)
  return (
    !index.some((e) => someExpr(e, (x) => x.kind === 'read' || x.kind === 'size')) &&
    !someStmt([loop], isElsewhere) &&
    !readsIn([loop]).some((r) => r.array === array && isOther(r.index))
  )
}

function inLocal(
  body: readonly LoopStmt[],
  array: ArrayDecl,
  index: readonly Expr[],
  name: string,
): readonly LoopStmt[] {
  const local: ArrayDecl = { ...array, name, shape: [], role: 'temp', space: 'private' }
  const made = mapStmts(
    body,
    (e) => (e.kind === 'read' && e.array === array.name ? read(local, []) : e),
    (s) => [s.kind === 'store' && s.array === array.name ? { ...s, array: name, index: [] } : s],
  )
  return [
    { kind: 'declare', array: local },
    store(local, [], read(array, index)),
    ...made,
    store(array, index, read(local, [])),
  ]
}
