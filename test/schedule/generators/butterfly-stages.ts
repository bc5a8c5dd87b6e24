// For tests: random programs whose steps double or halve a distance: butterflies, exchanges, sums in trees, with one
// array or two, structures, tables that are only read, conditions on data; and some whose steps reach further than a
// span or meet each other.
import { random, type Random } from '../../../src/base/index.ts'
import type { Program } from '../../../src/ir/index.ts'
import { text } from '../support.ts'

const pick = <T>(r: Random, xs: readonly T[]): T => xs[r.int(0, xs.length - 1)]!

/** Conditions on the iteration i at the distance h = 2^e, and the two places, or more, that it touches. */
interface Reach {
  readonly holds: readonly string[]
  readonly places: readonly string[]
}

const reaches = (h: string, e: string): readonly Reach[] => [
  { holds: [`(i ^ ${h}) > i`], places: ['i', `(i ^ ${h})`] },
  { holds: [`(i & ${h}) == 0`], places: ['i', `(i | ${h})`] },
  {
    holds: [],
    places: [`((i >> ${e}) * (${h} * 2) + (i & (${h} - 1)))`, `((i >> ${e}) * (${h} * 2) + (i & (${h} - 1)) + ${h})`],
  },
  { holds: [], places: [`(i * 2 - (i & (${h} - 1)))`, `(i * 2 - (i & (${h} - 1)) + ${h})`] },
  { holds: [`i % (${h} * 2) == 0`], places: ['i', `(i + ${h})`] },
  { holds: [`i % (${h} * 2) == 0`], places: [`(i + ${h} - 1)`, `(i + ${h} * 2 - 1)`] },
  { holds: [`(i ^ (${h} * 2 - 1)) > i`], places: ['i', `(i ^ (${h} * 2 - 1))`] },
  { holds: [`i % (${h} * 4) == 0`], places: ['i', `(i + ${h})`, `(i + ${h} * 2)`] },
  { holds: [`i >= ${h}`, `i < n - ${h}`], places: ['i', `(i + ${h})`] },
  { holds: [`(i & ${h}) != 0`], places: ['i', `(i ^ ${h})`] },
]

/** What an iteration does with its places. */
function work(r: Random, arrays: readonly string[], places: readonly string[], direction: string): string {
  const at = (a: string, n: number): string =>
    a === 'q' ? `q[x, ${places[n]}]` : a.endsWith('2') ? `${a}[${places[n]}, ${r.int(0, 1)}]` : `${a}[${places[n]}]`
  const each = arrays.map((a, k) => {
    const [x, y] = [at(a, 0), at(a, 1)],
      last = at(a, places.length - 1),
      name = `v${k}`,
      table = `w[(i & 15)]`
    const before = `declare ${name}: f32[] temp private ${name} = ${x} declare u${k}: f32[] temp private u${k} = ${y}`
    return `${before} ${pick(r, [
      `${x} = ${name} + u${k} ${y} = ${name} - u${k}`,
      `${x} = max(${name}, u${k}) ${last} = min(${name}, u${k})`,
      `if ${name} > u${k} { ${x} = u${k} ${y} = ${name} }`,
      `if ${direction} == 0 { if ${name} > u${k} { ${x} = u${k} ${y} = ${name} } } ` +
        `else { if ${name} < u${k} { ${x} = u${k} ${last} = ${name} } }`,
      `${x} = ${name} + u${k} * ${table} ${last} = u${k} - ${table}`,
      `${y} = ${name} + u${k}`,
      `${y} += ${name}`,
    ])}`
  })
  return each.join(' ')
}

/** The program of `seed`: n and m elements, the second no less than twice the first and than 64. */
export function stagedProgram(seed: number): Program {
  const r = random(seed * 7919 + 3),
    nested = r.unit() < 0.4,
    arrays = pick(r, [['a'], ['a'], ['a', 'b'], ['c2'], ['a', 'c2'], ['q']]),
    rows = arrays[0] === 'q',
    outside = rows && r.unit() < 0.5
  const k = pick(r, ['1 << s', '1 << s', '2 << s']),
    h = nested ? pick(r, [`((${k}) >> t)`, `((${k}) / 2 >> t)`]) : `(${k})`
  const step = (distance: string, exponent: string): string => {
    const { holds, places } = pick(r, reaches(distance, exponent)),
      inside = work(r, arrays, places, `(i & (${k}))`)
    const body = [`${distance} > 0`, `${distance} <= n`, ...holds].reduceRight(
      (inner, c) => `if ${c} { ${inner} }`,
      inside,
    )
    return (
      `${rows && !outside ? 'for x in 0 .. 3 { ' : ''}for i in 0 .. ${pick(r, ['n', 'n', 'n / 2'])} { ${body} ` +
      `}${rows && !outside ? ' }' : ''}`
    )
  }
  const e = k.startsWith('2') ? 's + 1' : 's',
    first = r.unit() < 0.2 ? step(`(${k})`, `(${e})`) : ''
  const again = r.unit() < 0.2 ? step(h, nested ? `(${e} - t)` : `(${e})`) : ''
  const inner = nested
    ? `${first} for t in 0 .. ${pick(r, ['s + 1', 's + 1', 's + 2'])} { ` +
      `${step(h, h.includes('/ 2') ? `(${e} - 1 - t)` : `(${e} - t)`)} ${again} }`
    : `${step(h, `(${e})`)} ${again}`
  return text(`program staged_${seed} { size n = 1048576 min 1 size m = 4194304 min 1 array a: f32[m] inout global \
array b: f32[m] inout global array c2: f32[m, 2] inout global array w: f32[16] in global array q: f32[3, m] inout global
    ${outside ? 'for x in 0 .. 3 { ' : ''}for s in ${pick(r, ['0', '0', '1'])} .. \
${pick(r, ['32 - clz(n)', '32 - clz(n - 1)', '5', '31 - clz(n)'])} { ${inner} }${outside ? ' }' : ''} }`)
}
