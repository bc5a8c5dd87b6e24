// In: a LoopIR program. Out: the same, where a loop that goes on with what its last iteration left in some elements
// (`for i { for j { s[j] += x[i, j]; y[i, j] = s[j] } }`) stands inside of the loops that choose these elements. The
// one idea: loop interchange that moves parallel loops outward and recurrences inward (Allen and Kennedy, 1984): what
// is carried is one element then while the inner loop runs, as a running sum or a search in a local is. Sums alone are
// left as they are: their nests have no order. It splits nothing.
import { knownDependences, type Dependence } from '../../analysis/index.ts'
import {
  loopIR,
  nest,
  pass,
  perfectNest,
  readsIn,
  someStmt,
  uses,
  varsOf,
  type Loop,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 64 min 1
//     size m = 64 min 1
//     array x: f32[n, m] in global
//     array s: f32[m] inout global
//     array y: f32[n, m] out global
//     for i in 0 .. n {
//       for j in 0 .. m {
//         s[j] += x[i, j]
//         y[i, j] = s[j]
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 64 min 1
//     size m = 64 min 1
//     array x: f32[n, m] in global
//     array s: f32[m] inout global
//     array y: f32[n, m] out global
//     for j in 0 .. m {
//       for i in 0 .. n {
//         s[j] += x[i, j]
//         y[i, j] = s[j]
//       }
//     }
//   }
export const loopInterchange = pass<Program>({
  name: 'loop-interchange',
  summary: 'a loop that goes on with elements which loops in it choose stands inside of these, where they are parallel',
  of: loopIR,
  needs: ['dependences'],
  run: (program) => {
    const known: { all?: readonly Dependence[] | undefined } = {}
    const dependencesOf = (): readonly Dependence[] | undefined =>
      'all' in known ? known.all : (known.all = knownDependences(program))
    const block = (body: readonly LoopStmt[]): readonly LoopStmt[] => {
      const out = body.flatMap((s): readonly LoopStmt[] => {
        if (s.kind === 'if') {
          const [then, otherwise] = [block(s.then), block(s.else)]
          return then === s.then && otherwise === s.else ? [s] : [{ ...s, then, else: otherwise }]
        }
        if (s.kind !== 'loop') return [s]
        const all = goesOn(s) ? dependencesOf() : undefined,
          made = all && turned(s, all)
        if (made) return made
        const inner = block(s.body)
        return [inner === s.body ? s : { ...s, body: inner }]
      })
      return out.every((s, i) => s === body[i]) ? body : out
    }
    const body = block(program.body)
    return body === program.body ? program : { ...program, body }
  },
})

/** Whether the nest has statements that read and store elements which `outer` does not choose, besides sums. */
function goesOn(outer: Loop): boolean {
  const { loops, body } = perfectNest(outer)
  if (loops.length < 2) return false
  const read = new Set(readsIn(body).map((r) => r.array))
  return someStmt(
    body,
    (s) => s.kind === 'store' && s.index.length > 0 && read.has(s.array) && !s.index.some((e) => uses(e, outer.name)),
  )
}

/** The nest with its parallel loops outermost; undefined where there are none, or `outer` itself is one. */
function turned(outer: Loop, all: readonly Dependence[]): readonly LoopStmt[] | undefined {
  const { loops, body } = perfectNest(outer),
    inside = all.filter((d) => d.common.some((l) => l === outer))
  if (!inside.some((d) => d.level !== null && d.common[d.level] === outer)) return undefined
  const apart = loops.slice(1).filter((l) => inside.every((d) => d.vector[d.common.indexOf(l)]?.direction === '='))
  const rest = loops.filter((l) => !apart.includes(l)),
    names = new Set(rest.map((l) => l.name))
  const needs = (l: Loop): boolean => [...varsOf(l.lower), ...varsOf(l.upper)].some((v) => names.has(v))
  return apart.length === 0 || apart.some(needs) ? undefined : nest([...apart, ...rest], body)
}
