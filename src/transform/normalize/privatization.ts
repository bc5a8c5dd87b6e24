// In: a LoopIR program. Out: the same with temporaries declared as far inside as possible. The one idea: a temporary
// that every iteration writes before it reads, and that nothing outside the loop uses, is a fresh one in each
// iteration; its declaration moves into the body, and the false dependences between iterations are gone. It moves
// nothing else.
import {
  someExpr,
  accesses,
  affineOf,
  coversWhole,
  type Access,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type Program,
  pass,
  loopIRWithTemporaries,
  type Temporaries,
} from '../../ir/index.ts'
import { hasExposedReads } from '../../analysis/index.ts'
import { writesWhatIsRead } from './written-elements.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     declare t: f32[] temp private
//     for i in 0 .. n {
//       t = x[i]
//       y[i] = t * t
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     for i in 0 .. n {
//       declare t: f32[] temp private
//       t = x[i]
//       y[i] = t * t
//     }
//   }
export const privatization = pass<Program, Temporaries>({
  name: 'privatization',
  summary: 'an array that every iteration of a loop writes before it reads is declared inside of the loop',
  of: loopIRWithTemporaries,
  run: (p, { whole }) => privatise(p, whole),
})

/** Temporaries of the whole program become private ones up to this many elements. */
const largestPrivate = 256

/**
 * Moves declarations of temporaries into loops; the same object when nothing moves. Bounded by the depth of the
 * program. `whole`: nothing else uses the temporaries of the program itself, so that they may become private.
 */
export function privatise(p: Program, whole = true): Program {
  let current = p
  for (let turn = 0; turn < 1000; turn++) {
    const next = moveOne(current, whole)
    if (next === current) return current
    current = next
  }
  return current
}

interface Candidate {
  readonly array: ArrayDecl
  /** Where its `declare` is; undefined for a temporary of the program. */
  readonly path: readonly number[] | undefined
}

function candidates(p: Program, whole: boolean): Candidate[] {
  const inside = (body: readonly LoopStmt[], path: readonly number[], from = 0): Candidate[] =>
    body.flatMap((s, i): Candidate[] => {
      const here = [...path, from + i]
      switch (s.kind) {
        case 'declare':
          return [{ array: s.array, path: here }]
        case 'loop':
          return inside(s.body, here)
        case 'if':
          return [...inside(s.then, here), ...inside(s.else, here, s.then.length)]
        case 'store':
          return []
      }
    })
  const temporaries = p.arrays.filter((a) => whole && a.role === 'temp' && elements(a) <= largestPrivate)
  return [...temporaries.map((array) => ({ array, path: undefined })), ...inside(p.body, [])]
}

function elements(a: ArrayDecl): number {
  return a.shape.reduce((n, e) => {
    const form = affineOf(e)
    return n * (form && form.terms.size === 0 ? Math.max(form.constant, 0) : Infinity)
  }, 1)
}

function moveOne(p: Program, whole: boolean): Program {
  const all = accesses(p)
  for (const c of candidates(p, whole)) {
    const own = all.filter((a) => a.array === c.array.name && samePlace(a.declared?.path, c.path))
    const target = own.length > 0 ? loopToEnter(p, c, own) : undefined
    if (target) return moved(p, c, target)
  }
  return p
}

const samePlace = (a: readonly number[] | undefined, b: readonly number[] | undefined): boolean =>
  a === undefined || b === undefined ? a === b : a.join() === b.join()

/** The path of the innermost loop around all accesses each iteration of which writes first, below the declaration. */
function loopToEnter(p: Program, c: Candidate, own: readonly Access[]): readonly number[] | undefined {
  const first = own[0]!,
    outside = first.declared?.loops ?? 0
  const around = (length: number): boolean =>
    own.every((a) => a.path.length > length && first.path.slice(0, length).every((x, i) => a.path[i] === x))
  for (let depth = first.loops.length; depth > outside; depth--) {
    const length = first.depths[depth - 1]!
    const path = first.path.slice(0, length)
    if (
      around(length) &&
      (writtenFirst(c.array, own, depth) ||
        writesWhatIsRead(c.array, own, depth, sameIndex) ||
        (c.array.shape.length === 0
          ? assignedFirst(bodyAt(p.body, path), c.array.name) !== 'read'
          : !hasExposedReads(c.array, own, depth)))
    )
      return path
  }
  return undefined
}

/**
 * Whether, in one iteration of the outermost `depth` loops, a write that certainly happens reaches every element before
 * any read. Reads in the same loops as that write must be of the element that their own iteration wrote. Nothing is
 * left of what stood in the array before: of an array that is seen afterwards it is not enough that reads are served
 * (`writesWhatIsRead`).
 */
export function writtenFirst(array: ArrayDecl, own: readonly Access[], depth: number): boolean {
  const at = own.findIndex((a) => a.kind === 'write' && coversWhole(array, a, depth))
  const cover = own[at]
  if (!cover || own.slice(0, at).some((a) => a.kind === 'read')) return false
  return own
    .slice(at + 1)
    .every(
      (a) => a.kind === 'write' || !cover.loops.slice(depth).some((l) => a.loops.includes(l)) || sameIndex(a, cover),
    )
}

/** The body of the loop at `path`. */
function bodyAt(body: readonly LoopStmt[], path: readonly number[]): readonly LoopStmt[] {
  const [index, ...rest] = path
  const s = body[index!] // paths are of statements
  if (s?.kind === 'loop') return rest.length === 0 ? s.body : bodyAt(s.body, rest)
  if (s?.kind !== 'if') return []
  const n = s.then.length
  return rest[0]! < n ? bodyAt(s.then, rest) : bodyAt(s.else, [rest[0]! - n, ...rest.slice(1)])
}

/** Whether every way through `body` writes the variable before it reads it; `open` when some way does neither. */
export function assignedFirst(body: readonly LoopStmt[], name: string): 'written' | 'read' | 'open' {
  const reads = (e: Expr): boolean => someExpr(e, (x) => x.kind === 'read' && x.array === name)
  for (const s of body) {
    const own =
      s.kind === 'store'
        ? [s.value, ...s.index]
        : s.kind === 'if'
          ? [s.condition]
          : s.kind === 'loop'
            ? [s.lower, s.upper]
            : []
    if (own.some(reads)) return 'read'
    if (s.kind === 'store' && s.array === name) return s.reduce === null ? 'written' : 'read'
    const parts =
      s.kind === 'loop'
        ? [assignedFirst(s.body, name)]
        : s.kind === 'if'
          ? [assignedFirst(s.then, name), assignedFirst(s.else, name)]
          : []
    if (parts.includes('read')) return 'read'
    if (s.kind === 'if' && parts.every((x) => x === 'written')) return 'written'
  }
  return 'open'
}

const sameIndex = (a: Access, b: Access): boolean => {
  const text = (e: Expr): string =>
    JSON.stringify(e, (key, value: unknown) =>
      key === 'at' ? undefined : typeof value === 'bigint' ? `${value}` : value,
    )
  return a.index.every((e, d) => text(e) === text(b.index[d]!))
}

function moved(p: Program, c: Candidate, target: readonly number[]): Program {
  const array: ArrayDecl = c.path === undefined ? { ...c.array, space: 'private' } : c.array
  const declare: LoopStmt = { kind: 'declare', array, ...(c.array.at && { at: c.array.at }) }
  const entered = editAt(p.body, target, (s) => (s.kind === 'loop' ? [{ ...s, body: [declare, ...s.body] }] : [s]))
  if (c.path === undefined) return { ...p, arrays: p.arrays.filter((a) => a !== c.array), body: entered }
  return { ...p, body: editAt(entered, c.path, () => []) }
}

/** `body` with the statement at `path` replaced. The declaration stands before its loop, so paths to it stay valid. */
function editAt(
  body: readonly LoopStmt[],
  path: readonly number[],
  edit: (s: LoopStmt) => readonly LoopStmt[],
): readonly LoopStmt[] {
  const [index, ...rest] = path
  return body.flatMap((s, i) => {
    if (i !== index) return [s]
    if (rest.length === 0) return edit(s)
    if (s.kind === 'loop') return [{ ...s, body: editAt(s.body, rest, edit) }]
    if (s.kind !== 'if') return [s]
    const n = s.then.length
    return rest[0]! < n
      ? [{ ...s, then: editAt(s.then, rest, edit) }]
      : [{ ...s, else: editAt(s.else, [rest[0]! - n, ...rest.slice(1)], edit) }]
  })
}
