// In: a lowered program and the sizes that nothing says. Out: for each that is the pitch of rows (`p[j * stride + 4 * i
// + c]`), a value to plan for at which rows do not overlap. The one idea: a pitch is at least as long as what a row is
// reached in, from its first element to its last, which image libraries ask of it, too; at a shorter one no kernel
// would know that rows are apart.
import {
  accesses,
  coefficients,
  extreme,
  polynomialOf,
  toAffine,
  type Access,
  type Affine,
  type Polynomial,
} from '../../../../ir/index.ts'
import type { LoweredFunction } from '../../lower/function.ts'
import { layoutsOf } from '../layout-versioning.ts'

/** What is reached of a row: from its first element, or one before it, to another. */
interface Reach {
  readonly low: number
  readonly high: number
}

/**
 * Pitches to plan for, by name, where `values` are planned for others: those of `assumed` sizes at which rows would
 * overlap.
 */
export function plannedPitches(
  lowered: LoweredFunction,
  values: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const { program, assumed } = layoutsOf(lowered)?.planned ?? lowered,
    planned = new Map(program.sizes.map((s) => [s.name, values.get(s.name) ?? s.planned])),
    rows = new Map<string, Reach>()
  const all = accesses(program),
    written = new Set(all.flatMap((x) => (x.kind === 'write' ? [x.array] : [])))
  for (const x of all) {
    // rows that are read alone may overlap
    if (x.index.length !== 1 || x.declared || !written.has(x.array)) continue
    for (const name of pitchesIn(x)) {
      const reach = assumed.has(name) ? reachOf(x, name, planned) : undefined,
        key = `${name} ${x.array}`, // names hold no spaces
        before = rows.get(key)
      if (reach) rows.set(key, before ? joined(before, reach) : reach)
    }
  }
  const made = new Map<string, number>()
  for (const [key, { low, high }] of rows) {
    const name = key.slice(0, key.indexOf(' ')),
      length = Math.ceil((high - low + 1) / elementsOfLine) * elementsOfLine
    // it is a size
    if (high - low >= planned.get(name)! && length > (made.get(name) ?? 0) && length <= longestRow)
      made.set(name, length)
  }
  return made
}

/** Elements of a row that a pitch is planned for. */
const longestRow = 2 ** 20
/** Rows that begin at lines of memory hold a multiple of so many. */
const elementsOfLine = 32

const joined = (a: Reach, b: Reach): Reach => ({ low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) })

/** Sizes that a loop variable is multiplied by alone. */
function pitchesIn(x: Access): readonly string[] {
  const form = polynomialOf(x.index[0]!), // it has one
    parts = form && coefficients(form, new Set(x.loops.map((l) => l.name)))
  return [...(parts?.of.values() ?? [])].flatMap((c) => {
    const [only, more] = [...c.keys()]
    return only?.startsWith('$') && more === undefined && !only.includes('*') ? [only.slice(1)] : []
  })
}

/** What the access reaches of a row of that pitch; undefined where the pitch says it, or other pitches. */
function reachOf(x: Access, pitch: string, planned: ReadonlyMap<string, number>): Reach | undefined {
  const form = polynomialOf(x.index[0]!)!, // it has a pitch
    inRow: Polynomial = new Map([...form].filter(([key]) => !key.split('*').includes(`$${pitch}`))),
    rest = toAffine(inRow)
  const ends = (['low', 'high'] as const).map((side) => {
    const end = rest && extreme(rest, x.loops, side)
    return end && !end.terms.has(`$${pitch}`) ? valueAt(end, planned) : NaN
  })
  const [low = NaN, high = NaN] = ends
  return Number.isNaN(low + high) || high < low ? undefined : { low: Math.min(0, low), high }
}

const valueAt = (form: Affine, planned: ReadonlyMap<string, number>): number =>
  [...form.terms].reduce((sum, [name, c]) => sum + c * (planned.get(name.slice(1)) ?? NaN), form.constant)
