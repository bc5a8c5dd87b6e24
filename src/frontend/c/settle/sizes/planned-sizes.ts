// In: a file's functions, and the program that one of them became. Out: values to plan for where nobody said any. The
// one idea: a file tells its sizes in two ways, by what its own calls pass and by how much the arrays of known extents
// hold.
import {
  accesses,
  addScaled,
  affineConstant,
  affineName,
  affineOf,
  coefficient,
  extreme,
  isInteger,
  type Affine,
} from '../../../../ir/index.ts'
import type { LoweredFunction } from '../../lower/function.ts'
import { eachC, expressionsOf, writtenIn } from '../../c-to-c/c-rewriting.ts'
import type { Planned } from '../../text/defines.ts'
import type { CExpr, CFunction, CUnit } from '../../text/syntax.ts'

/** Calls that pass nothing larger show how a function is used, and are not what it is made for. */
const leastLargest = 256

/**
 * What the file's calls of `f` pass for its integer parameters, by parameter: constants, and variables that keep what
 * they are declared with. Of several calls the one with the most work counts, by the product of what it passes.
 */
export function passedTo(f: CFunction, unit: CUnit): ReadonlyMap<string, Planned> {
  const calls = unit.functions
    .filter((g) => g !== f)
    .flatMap((g) => {
      const known = keptIn(g, unit)
      return expressionsOf(g.body).flatMap((e) => {
        if (e.kind !== 'call' || e.name !== f.name || e.args.length !== f.parameters.length) return []
        return [
          f.parameters.flatMap((p, i): [string, Planned][] => {
            // as many as parameters
            const value = p.extents.length === 0 && isInteger(p.type) ? constantIn(e.args[i]!, known) : undefined
            return value !== undefined && Number.isInteger(value) && value >= 1 && value <= 2147483647
              ? [[p.name, { value, at: e.at }]]
              : []
          }),
        ]
      })
    })
  const work = (call: readonly (readonly [string, Planned])[]): number => call.reduce((n, [, p]) => n * p.value, 1)
  const [best = []] = calls.filter((c) => c.some(([, p]) => p.value >= leastLargest)).sort((a, b) => work(b) - work(a))
  return new Map(best)
}

/** Variables of `g` and of the file that hold a number from their declaration on. */
function keptIn(g: CFunction, unit: CUnit): ReadonlyMap<string, CExpr> {
  const written = writtenIn(g.body),
    known = new Map<string, CExpr>(),
    twice = new Set<string>()
  const keep = (name: string, initial: CExpr | undefined): void => {
    if (known.has(name) || !initial) twice.add(name)
    else known.set(name, initial)
  }
  for (const v of unit.globals) if (v.isConst && v.extents.length === 0) keep(v.name, v.initial)
  eachC(g.body, (s) => {
    if (s.kind === 'declare') for (const d of s.declarators) if (d.extents.length === 0) keep(d.name, d.initial)
  })
  for (const name of [...written, ...twice, ...g.parameters.map((p) => p.name)]) known.delete(name)
  for (const e of expressionsOf(g.body)) if (e.kind === 'address' && e.arg.kind === 'name') known.delete(e.arg.name)
  return known
}

/** The number that `e` is, when it is one. */
export function constantIn(e: CExpr, known: ReadonlyMap<string, CExpr> = new Map(), depth = 0): number | undefined {
  const of = (x: CExpr): number | undefined => constantIn(x, known, depth + 1)
  if (depth > 32) return undefined
  switch (e.kind) {
    case 'number':
      return e.value
    case 'name': {
      const initial = known.get(e.name)
      return initial && of(initial)
    }
    case 'cast':
      return isInteger(e.type) ? of(e.arg) : undefined
    case 'binary': {
      const [a, b] = [of(e.left), of(e.right)]
      if (a === undefined || b === undefined) return undefined
      switch (e.op) {
        case '+':
          return a + b
        case '-':
          return a - b
        case '*':
          return a * b
        case '/':
          return b === 0 ? undefined : Math.trunc(a / b)
        case '<<':
          return a * 2 ** b
        default:
          return undefined
      }
    }
    default:
      return undefined
  }
}

/**
 * For each size that nothing says, the greatest value at which no subscript leaves a dimension of known extent, where
 * there is one.
 */
export function held({ program, open, assumed }: LoweredFunction): ReadonlyMap<string, number> {
  if (assumed.size === 0) return new Map()
  const known = new Map(program.sizes.flatMap((s) => (assumed.has(s.name) ? [] : [[s.name, s.planned] as const])))
  const arrays = new Map(program.arrays.flatMap((a) => (open.has(a.name) ? [] : [[a.name, a] as const]))),
    most = new Map<string, number>()
  for (const x of accesses(program)) {
    const shape = x.declared ? undefined : arrays.get(x.array)?.shape
    if (!shape) continue
    for (const [d, e] of x.index.entries()) {
      const index = affineOf(e),
        extent = affineOf(shape[d]!) // as many as subscripts
      const highest = index && extreme(index, x.loops, 'high')
      if (!highest || !extent || ![...extent.terms.keys()].every((n) => known.has(n.slice(1)))) continue
      const room = withNumbers(addScaled(addScaled(extent, affineConstant(1), -1), highest, -1), known),
        [only, more] = [...room.terms.keys()]
      if (only === undefined || more !== undefined || coefficient(room, only) >= 0) continue
      const name = only.slice(1),
        value = Math.floor(room.constant / -coefficient(room, only))
      if (value >= 1) most.set(name, Math.min(value, most.get(name) ?? Infinity))
    }
  }
  return most
}

/** `form` with the sizes that are known in place. */
const withNumbers = (form: Affine, known: ReadonlyMap<string, number>): Affine =>
  [...known].reduce((f, [name, value]) => {
    const c = coefficient(f, `$${name}`)
    return c === 0 ? f : addScaled(addScaled(f, affineName(`$${name}`), -c), affineConstant(value), c)
  }, form)
