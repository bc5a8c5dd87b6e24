// In: loops whose searches keep what they found in memory (`if (v < best) { best = v; *where = i; }`), or that go on
// with an element which they use besides (`s[i] += x[i][j]; y[i][j] = s[i]`). Out: the same in locals, read before the
// loop and stored behind it. The one idea is register promotion (Cooper and Lu 1997): an element that a loop reads and
// stores at one place alone is a number while the loop runs, and a search for the best of several numbers, or a running
// sum, is known as one where none of them is in memory.
import {
  literal,
  readsIn,
  varsOf,
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
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
} from '../../ir/index.ts'
import { touches } from '../idioms/scan-renaming.ts'

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
  summary: 'what a search, or a running value, keeps in one element of an array is a local while its loop runs',
  needs: ['accesses'],
  of: loopIR,
  run: promoted,
})

function promoted(p: Program): Program {
  let taken: Set<string> | undefined
  const arrays = arraysIn(p)
  const nameOf = (array: ArrayDecl): string => claimName((taken ??= namesOf(p)), `${array.name}_run`)
  /** Outermost loops first: an element is stored once, behind the last loop that it is alone in. */
  const block = (body: readonly LoopStmt[]): readonly LoopStmt[] => {
    const out: LoopStmt[] = []
    for (const s of body) {
      const found = s.kind === 'loop' ? kept(arrays, s) : []
      if (s.kind === 'if') out.push({ ...s, then: block(s.then), else: block(s.else) })
      else if (s.kind === 'loop' && found.length === 0) out.push({ ...s, body: block(s.body) })
      else
        out.push(
          ...found.reduce<readonly LoopStmt[]>(
            (made, e) => inLocal(made, e, nameOf(e.array), takenFrom(out, e, found) ?? read(e.array, e.index)),
            [s],
          ),
        )
    }
    return out
  }
  const body = block(p.body)
  return taken ? { ...p, body } : p
}

/** An element of an array of the caller's. */
interface Element {
  readonly array: ArrayDecl
  readonly index: readonly Expr[]
}

type Arrays = ReadonlyMap<string, ArrayDecl>

/**
 * The caller's arrays and temporaries, and local ones that are no rows of a few numbers, or are such rows for the whole
 * program.
 */
function arraysIn(p: Program): Arrays {
  const arrays = new Map(p.arrays.map((a) => [a.name, a]))
  for (const s of p.body) if (s.kind === 'declare') arrays.set(s.array.name, s.array)
  eachStmt(p.body, (s) => {
    if (s.kind === 'declare' && s.array.shape.some((e) => literal(e) === undefined)) arrays.set(s.array.name, s.array)
  })
  return arrays
}

/** Elements that searches in `loop` keep, or that it goes on with, each of an array that it uses nowhere else. */
function kept(arrays: Arrays, loop: Loop): readonly Element[] {
  const found = new Map<string, Element>()
  const note = (s: Store): void => {
    const array = arrays.get(s.array)
    if (!array || s.index.length === 0 || registerType(array.type) !== array.type) return
    if (isAlone(loop, s.array, s.index)) found.set(s.array, { array, index: s.index })
  }
  eachStmt([loop], (s) => {
    if (s.kind !== 'if') return
    const isKept = (x: LoopStmt): boolean =>
      x.kind === 'store' && (x.index.length === 0 || (arrays.has(x.array) && isAlone(loop, x.array, x.index)))
    const values = new Set(s.then.flatMap((x) => (x.kind === 'store' && isKept(x) ? [x.array] : [])))
    if (asks(s, values)) for (const x of s.then) if (x.kind === 'store' && !x.reduce) note(x)
  })
  runningValues(loop).forEach(note)
  return [...found.values()]
}

/**
 * Stores of an innermost loop to elements whose value goes on from iteration to iteration and is used by another
 * statement, too: the first that touches the array reads it. Of what several loops choose as well, so that locals keep
 * nothing of what memory orders.
 */
function runningValues({ body }: Loop): readonly Store[] {
  if (someStmt(body, (s) => s.kind === 'loop')) return []
  const stores: Store[] = []
  eachStmt(body, (s) => {
    if (s.kind === 'store' && s.index.length > 0 && isNoConstant(s.index)) stores.push(s)
  })
  return stores.filter((s) => {
    const [first, ...others] = body.filter((x) => touches([x], s.array)) // itself, or what it stands in
    return others.length > 0
      ? first?.kind !== 'store' || goesOn(first, s.array)
      : first?.kind === 'if' && readsIn([first]).some((r) => r.array === s.array)
  })
}

const isNoConstant = (index: readonly Expr[]): boolean => index.some((e) => varsOf(e).size > 0)

/** Whether the store reads its array first. */
const goesOn = (s: Store, array: string): boolean =>
  (s.array === array && s.reduce !== null) || readsIn([{ ...s, reduce: null }]).some((r) => r.array === array)

/** Whether the condition is about what is stored where it holds: what was best so far. */
const asks = (s: If, values: ReadonlySet<string>): boolean =>
  someExpr(s.condition, (e) => e.kind === 'read' && values.has(e.array))

const keyOf = (index: readonly Expr[]): string => index.map(exprKey).join()

/**
 * Whether the element at `index`, which no iteration changes, is all that `loop` has to do with the array. Sizes do not
 * choose it: where one is 0 there may be no such element, and no iteration that asks for it.
 */
function isAlone(loop: LoopStmt, array: string, index: readonly Expr[]): boolean {
  const key = keyOf(index)
  const isOther = (e: readonly Expr[]): boolean => keyOf(e) !== key
  const isElsewhere = (s: LoopStmt): boolean =>
    s.kind === 'loop' ? index.some((e) => uses(e, s.name)) : s.kind === 'store' && s.array === array && isOther(s.index)
  return (
    !index.some((e) => someExpr(e, (x) => x.kind === 'read' || x.kind === 'size')) &&
    !someStmt([loop], isElsewhere) &&
    !readsIn([loop]).some((r) => r.array === array && isOther(r.index))
  )
}

/**
 * What was stored in the element last, of the stores and declarations that end `before`; the store is taken away. What
 * reads an array of `found`, or one that is stored to in between, would be another number where the local starts.
 */
function takenFrom(before: LoopStmt[], { array, index }: Element, found: readonly Element[]): Expr | undefined {
  const key = keyOf(index),
    later = new Set(found.map((e) => e.array.name))
  for (let k = before.length - 1; k >= 0; k--) {
    const s = before[k]!
    if (s.kind === 'declare') continue
    if (s.kind !== 'store') return undefined
    if (s.array === array.name) {
      const isIt = !s.reduce && !s.atomic && keyOf(s.index) === key
      if (!isIt || someExpr(s.value, (e) => e.kind === 'read' && later.has(e.array))) return undefined
      before.splice(k, 1)
      return s.value
    }
    if (touches([s], array.name)) return undefined
    later.add(s.array)
  }
  return undefined
}

function inLocal(body: readonly LoopStmt[], { array, index }: Element, name: string, start: Expr): readonly LoopStmt[] {
  const local: ArrayDecl = { ...array, name, shape: [], role: 'temp', space: 'private' }
  const made = mapStmts(
    body,
    (e) => (e.kind === 'read' && e.array === array.name ? read(local, []) : e),
    (s) => [s.kind === 'store' && s.array === array.name ? { ...s, array: name, index: [] } : s],
  )
  return [{ kind: 'declare', array: local }, store(local, [], start), ...made, store(array, index, read(local, []))]
}
