// In: a program with temporaries that iterations of a loop fill and read, one after the other: a row buffer, halves of
// a row, sums up to each of its elements. Out: the same with an element of them for each iteration, where loops that
// get one are parallel then. The one idea is array privatization (Tu and Padua 1993) by array expansion (Feautrier
// 1988): no read of them is upward exposed, so that only reused memory keeps iterations in order, and since nothing
// reads them behind the loop, nothing is copied out of it. It asks whether the room for all iterations is affordable.
import { exposedReadDepth, knownDependences, type Dependence } from '../../analysis/index.ts'
import {
  accesses,
  affineOf,
  freshName,
  loopIRWithTemporaries,
  loopVar,
  pass,
  type Access,
  type ArrayDecl,
  type Expr,
  type Loop,
  type Program,
  type Temporaries,
} from '../../ir/index.ts'
import { withRoomIn } from './array-expansion.ts'
import { elementsIn, isAffordable, isPlain } from './scalar-expansion.ts'

// Before:
//
//   program p {
//     size n = 8 min 2
//     size m = 8 min 1
//     array x: f32[m, n] in global
//     array y: f32[m, n] out global
//     array t: f32[n] temp global
//     for i in 0 .. m {
//       t[0] = 0.0f
//       for j in 1 .. n {
//         t[j] = x[i, j - 1]
//       }
//       for j2 in 0 .. n {
//         y[i, j2] = t[n - 1 - j2]
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 2
//     size m = 8 min 1
//     array x: f32[m, n] in global
//     array y: f32[m, n] out global
//     array t_each: f32[m, n] temp global
//     for i in 0 .. m {
//       t_each[i, 0] = 0.0f
//       for j in 1 .. n {
//         t_each[i, j] = x[i, j - 1]
//       }
//       for j2 in 0 .. n {
//         y[i, j2] = t_each[i, n - 1 - j2]
//       }
//     }
//   }
export const arrayPrivatization = pass<Program, Temporaries>({
  name: 'array-privatization',
  summary:
    'a temporary that iterations fill before they read it gets an element for each, where these are parallel then',
  needs: ['dependences', 'exposed reads'],
  of: loopIRWithTemporaries,
  run: (p, { whole }) => (whole ? withPrivateArrays(p) : p),
})

/** A temporary, the loops around all of its accesses, and how many of them have iterations that need no other's. */
interface Candidate {
  readonly array: ArrayDecl
  readonly own: readonly Access[]
  readonly depth: number
}

function withPrivateArrays(p: Program): Program {
  const all = candidatesOf(p),
    known = all.length === 0 ? undefined : knownDependences(p)
  if (!known) return p
  let left = all
  for (;;) {
    const made = left.map((c) => ({ c, loops: loopsToGo(c, left, known) })),
      tight = made.find(({ c, loops }) => loops.length > 0 && !fits(p, c.array, loops))
    // what one array has no room for is in order, whatever the others have
    if (tight) left = left.filter((c) => c !== tight.c)
    else return made.reduce((q, { c, loops }) => (loops.length === 0 ? q : privateIn(q, c, loops)), p)
  }
}

function candidatesOf(p: Program): readonly Candidate[] {
  const temporaries = p.arrays.filter((a) => a.role === 'temp' && a.shape.length > 0)
  if (temporaries.length === 0) return []
  const all = accesses(p)
  return temporaries.flatMap((array): readonly Candidate[] => {
    const own = all.filter((a) => a.array === array.name && a.declared === undefined),
      depth = own.some((a) => a.kind === 'read') ? exposedReadDepth(array, own) : 0
    return depth > 0 ? [{ array, own, depth }] : []
  })
}

/** Those of the loops around the array that carry nothing but what `candidates` do, which ends with theirs. */
function loopsToGo(
  { own, depth }: Candidate,
  candidates: readonly Candidate[],
  known: readonly Dependence[],
): readonly Loop[] {
  const first = own[0]! // it is read
  return first.loops.slice(0, depth).filter((l, k) => {
    const path = first.path.slice(0, first.depths[k]),
      carried = known.filter((d) => d.level !== null && d.common[d.level] === l && isAt(d.source, d.level, path)),
      isPrivate = (d: Dependence): boolean => candidates.some((c) => c.array.name === d.array && k < c.depth)
    return isPlain(l) && carried.every((d) => d.reduction || isPrivate(d)) && carried.some(isPrivate)
  })
}

/** Whether the access stands in the loop at `path`, which is number `level` of those around it. */
const isAt = (a: Access, level: number, path: readonly number[]): boolean =>
  a.depths[level] === path.length && path.every((x, i) => a.path[i] === x)

const fits = (p: Program, array: ArrayDecl, loops: readonly Loop[]): boolean =>
  isAffordable(p, elementsIn(p, [...loops.map((l) => l.upper), ...array.shape]))

function privateIn(p: Program, { array, own }: Candidate, loops: readonly Loop[]): Program {
  const name = freshName(p, `${array.name}_each`),
    isLast = runsAlong(p, own, loops),
    along = <T>(around: readonly T[], inside: readonly T[]): readonly T[] =>
      isLast ? [...inside, ...around] : [...around, ...inside],
    shape = along<Expr>(
      loops.map((l) => l.upper),
      array.shape,
    ),
    room: ArrayDecl = { ...array, name, shape }
  const now = loops.map((l) => loopVar(l.name))
  return {
    ...p,
    arrays: p.arrays.map((a) => (a === array ? room : a)),
    body: withRoomIn(p.body, array, room, (index) => along(now, index)),
  }
}

/** Whether most of what stands beside the accesses has the last of `loops` along memory: columns that are buffered. */
function runsAlong(p: Program, own: readonly Access[], loops: readonly Loop[]): boolean {
  const name = loops.at(-1)!.name, // there is one at least
    statements = new Set(own.map((a) => a.statement)),
    temporaries = new Set(p.arrays.filter((a) => a.role === 'temp').map((a) => a.name))
  const beside = accesses(p).flatMap((a) => {
      const last = a.index.at(-1),
        form = last && affineOf(last)
      return form && a.index.length > 1 && statements.has(a.statement) && !temporaries.has(a.array) ? [form] : []
    }),
    along = beside.filter((form) => form.terms.get(name) === 1)
  return 2 * along.length > beside.length
}
