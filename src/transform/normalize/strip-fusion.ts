// In: a LoopIR program. Out: the same, where loops over strips and over the places of a strip are one loop over all
// places again. The one idea: strip mining backwards: sources are tiled by hand for caches that a GPU does not have,
// and tiles are chosen below. A loop over strips with loops between it and its places moves inwards first, which it
// may where its iterations do not need each other but for sums, of elements where a local stood for one within a strip.
import { knownDependences, loopFacts } from '../../analysis/index.ts'
import { demoted } from '../scalars/scalar-demotion.ts'
import {
  add,
  affineOf,
  int,
  literal,
  loopIR,
  loopVar,
  pass,
  sameAffine,
  someStmt,
  uses,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array y: f32[n] out global
//     for s in 0 .. n step 16 {
//       for i in s .. min(n, s + 16) {
//         y[i] = 1.0f
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array y: f32[n] out global
//     for i in 0 .. n {
//       y[i] = 1.0f
//     }
//   }
export const stripFusion = pass<Program>({
  name: 'strip-fusion',
  summary: 'a loop over strips and the loop over the places of a strip are one loop over all places',
  of: loopIR,
  needs: ['loop parallelism'],
  run: fused,
})

function fused(p: Program): Program {
  for (let current = p; ; ) {
    const found = fusible(current) ?? onElements(current)
    if (!found) return current
    current = { ...found.program, body: withoutStrips(found.program.body, found.strips) }
  }
}

interface Fusible {
  readonly program: Program
  readonly strips: Strips
}

function fusible(program: Program): Fusible | undefined {
  const strips = stripsIn(program.body).find(({ strip, isDirect }) => isDirect || isFree(program, strip))
  return strips && { program, strips }
}

/** Strips whose sums go on from an element, which a local holds meanwhile, where they are of the element itself. */
function onElements(program: Program): Fusible | undefined {
  const hasSteps = someStmt(program.body, (s) => s.kind === 'loop' && s.step > 1),
    made = hasSteps ? demoted(program) : program
  return made === program ? undefined : fusible(made)
}

/** A loop over strips, the loop over the places of one, and whether nothing stands between them. */
interface Strips {
  readonly strip: Loop
  readonly places: Loop
  readonly isDirect: boolean
}

function stripsIn(body: readonly LoopStmt[]): readonly Strips[] {
  return body.flatMap((s): readonly Strips[] => {
    if (s.kind === 'if') return stripsIn([...s.then, ...s.else])
    if (s.kind !== 'loop') return []
    const places = s.step > 1 ? placesOf(s, s.body) : undefined
    return [...(places ? [{ strip: s, places, isDirect: s.body[0] === places }] : []), ...stripsIn(s.body)]
  })
}

/** The only loop in `body`, or in its only loop and so on, that runs through the places of a strip. */
function placesOf(strip: Loop, body: readonly LoopStmt[]): Loop | undefined {
  const [only, more] = body
  if (only?.kind !== 'loop' || more) return undefined
  if (isPlaces(strip, only)) return only.body.some((s) => mentions(s, strip.name)) ? undefined : only
  return uses(only.lower, strip.name) || uses(only.upper, strip.name) ? undefined : placesOf(strip, only.body)
}

/** Whether `l` runs from the strip's variable through as many places as the strip steps over, up to its end. */
function isPlaces(strip: Loop, l: Loop): boolean {
  const at = loopVar(strip.name),
    next = add(at, int(strip.step))
  if (l.step !== 1 || !isEqual(l.lower, at)) return false
  const ends = l.upper.kind === 'op' && l.upper.op === 'min' ? l.upper.args : [l.upper]
  const others = ends.filter((e) => !isEqual(e, next))
  if (others.length === ends.length) return false
  const low = literal(strip.lower),
    high = literal(strip.upper)
  const isWhole = low !== undefined && high !== undefined && (high - low) % strip.step === 0
  return others.length === 0 ? isWhole : others.every((e) => isEqual(e, strip.upper))
}

function isEqual(a: Expr, b: Expr): boolean {
  const x = affineOf(a),
    y = affineOf(b)
  return x !== undefined && y !== undefined && sameAffine(x, y)
}

function mentions(s: LoopStmt, name: string): boolean {
  switch (s.kind) {
    case 'declare':
      return false
    case 'store':
      return [s.value, ...s.index].some((e) => uses(e, name))
    case 'if':
      return uses(s.condition, name) || [...s.then, ...s.else].some((x) => mentions(x, name))
    case 'loop':
      return uses(s.lower, name) || uses(s.upper, name) || s.body.some((x) => mentions(x, name))
  }
}

/** Whether iterations of the loop need nothing of each other but sums. */
function isFree(p: Program, loop: Loop): boolean {
  const known = knownDependences(p)
  return known !== undefined && loopFacts(p, known).some((f) => f.loop === loop && f.kind !== 'sequential')
}

/** `body` without the loop over strips, and with all places in the loop over places. */
function withoutStrips(body: readonly LoopStmt[], strips: Strips): readonly LoopStmt[] {
  const { strip, places } = strips
  return body.flatMap((s): readonly LoopStmt[] => {
    if (s === strip) return withoutStrips(strip.body, strips)
    if (s === places) return [{ ...places, lower: strip.lower, upper: strip.upper }]
    if (s.kind === 'loop') return [{ ...s, body: withoutStrips(s.body, strips) }]
    if (s.kind === 'if') return [{ ...s, then: withoutStrips(s.then, strips), else: withoutStrips(s.else, strips) }]
    return [s]
  })
}
