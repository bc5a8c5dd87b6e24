// In: a program with parallel loops at its top that end, or begin, where memory says (`for (i = 0; i < *count; i++)`,
// `for (i = k; i < n; i++)` behind what has packed k elements). Out: loops over all that an array of theirs has, whose
// iterations ask. The one idea is predication (Allen, Kennedy, Porterfield and Warren 1983) of a loop's bounds: a host
// that launches cannot ask memory, but an iteration that is not inside of the array cannot be one.
import {
  affineName,
  affineOf,
  eachExpr,
  int,
  loopIR,
  loopVar,
  op,
  pass,
  sameAffine,
  someExpr,
  when,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  storedIn,
} from '../../ir/index.ts'
import { inSizes, knownDependences, loopFacts } from '../../analysis/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array k: i32[1] in global
//     array y: f32[n] inout global
//     for i in 0 .. k[0] {
//       y[i] = 1.0f
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array k: i32[1] in global
//     array y: f32[n] inout global
//     for i in 0 .. n {
//       if i < k[0] {
//         y[i] = 1.0f
//       }
//     }
//   }
export const boundPredication = pass<Program>({
  name: 'bound-predication',
  summary: 'a parallel loop that ends where memory says runs over all of an array, and its iterations ask',
  needs: ['dependences', 'loop parallelism'],
  of: loopIR,
  run: predicated,
})

function predicated(p: Program): Program {
  const some = p.body.filter((s): s is Loop => s.kind === 'loop' && s.step === 1 && isOfData(s))
  const known = some.length > 0 ? knownDependences(p) : undefined
  if (!known) return p
  const facts = loopFacts(p, known),
    arrays = new Map(p.arrays.map((a) => [a.name, a]))
  let changed = false
  const body = p.body.map((s): LoopStmt => {
    const isParallel = s.kind === 'loop' && some.includes(s) && facts.find((f) => f.loop === s)?.kind === 'parallel'
    const made = isParallel ? overArray(s, arrays) : undefined
    changed ||= made !== undefined
    return made ?? s
  })
  return changed ? { ...p, body } : p
}

/** Whether memory that the loop leaves alone says where it begins or ends, and nothing but sizes says the rest. */
function isOfData(l: Loop): boolean {
  const stored = storedIn(l.body)
  const isNumber = (e: Expr): boolean =>
    e.type === 'i32' &&
    !someExpr(e, (x) => x.kind === 'var' || x.kind === 'scalar' || (x.kind === 'read' && stored.includes(x.array)))
  return [l.lower, l.upper].every(isNumber) && [l.lower, l.upper].some((e) => someExpr(e, (x) => x.kind === 'read'))
}

function overArray(l: Loop, arrays: ReadonlyMap<string, ArrayDecl>): Loop | undefined {
  const extent = extentOf(l, arrays)
  if (!extent) return undefined
  const i = loopVar(l.name)
  const lower = inSizes(l.lower) ? l.lower : int(0),
    upper = inSizes(l.upper) ? l.upper : extent
  const tests = [
    ...(lower === l.lower ? [] : [op('ge', [i, l.lower])]),
    ...(upper === l.upper ? [] : [op('lt', [i, l.upper])]),
  ]
  const inside = tests.reduce((a, b) => op('land', [a, b]))
  return { ...l, lower, upper, body: [when(inside, l.body)] }
}

/** The extent of a dimension that every iteration indexes with the variable itself: no iteration is outside of it. */
function extentOf(l: Loop, arrays: ReadonlyMap<string, ArrayDecl>): Expr | undefined {
  const own = affineName(l.name, 1)
  for (const s of l.body) {
    if (s.kind !== 'store') continue
    const places = [{ array: s.array, index: s.index }]
    for (const e of [s.value, ...s.index]) {
      if (someExpr(e, (x) => x.kind === 'choose')) continue // what it reads may depend
      eachExpr(e, (x) => {
        if (x.kind === 'read') places.push(x)
      })
    }
    for (const { array, index } of places) {
      const dimension = index.findIndex((e) => {
        const form = affineOf(e)
        return form && sameAffine(form, own)
      })
      const extent = arrays.get(array)?.shape[dimension]
      if (extent && inSizes(extent)) return extent
    }
  }
  return undefined
}
