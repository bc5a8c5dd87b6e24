// For tests: random programs in the shapes that schedules are made for: nests around a sum, product of arrays, window
// or copy, with shifted, permuted and triangular loops, guards, starts and results. All accesses are in bounds.
import { random, type Random } from '../../../src/base/index.ts'
import type { Program } from '../../../src/ir/index.ts'
import { text } from '../support.ts'

const pick = <T>(r: Random, xs: readonly T[]): T => xs[r.int(0, xs.length - 1)]!

interface Line {
  readonly name: string
  readonly low: number
  readonly head: string
}

/** A loop over part of `[0, n)`; now and then up to or from a loop outside. */
function line(r: Random, name: string, around: readonly Line[]): Line {
  const low = pick(r, [0, 0, 0, 1, 2]),
    outer = around.length > 0 && r.unit() < 0.15 ? pick(r, around) : undefined
  const upper = pick(r, ['n', 'n', 'n', 'n - 1'])
  if (!outer) return { name, low, head: `for ${name} in ${low} .. ${upper}` }
  return r.unit() < 0.5
    ? { name, low: 0, head: `for ${name} in 0 .. ${outer.name} + 1` }
    : { name, low: outer.low, head: `for ${name} in ${outer.name} .. n` }
}

/** An element whose indices are loops with small shifts. */
function element(r: Random, array: string, rank: number, loops: readonly Line[]): string {
  const index = Array.from({ length: rank }, () => {
    const l = pick(r, loops)
    const shift = r.unit() < 0.3 ? r.int(-l.low, 3) : 0
    return shift === 0 ? l.name : shift > 0 ? `${l.name} + ${shift}` : `${l.name} - ${-shift}`
  })
  return `${array}[${index.join(', ')}]`
}

const operand = (r: Random, loops: readonly Line[]): string => {
  const [a, rank] = pick(r, [
    ['x', 1],
    ['A', 2],
    ['B', 2],
    ['T', 3],
  ] as const)
  return element(r, a, rank, loops)
}

function valueOf(r: Random, loops: readonly Line[]): string {
  const [a, b, c] = [operand(r, loops), operand(r, loops), operand(r, loops)]
  return pick(r, [
    a,
    `${a} * ${b}`,
    `${a} * ${b}`,
    `${a} + ${b}`,
    `${a} - ${b} + ${c}`,
    `max(${a}, ${b})`,
    `(${a} - ${b}) * (${a} - ${b})`,
  ])
}

function wrap(loops: readonly Line[], body: string): string {
  return loops.reduceRight((inner, l) => `${l.head} { ${inner} }`, body)
}

/** One nest that writes `out`, a rank of which it is free to choose. */
function nest(r: Random, n: number): string {
  const rank = r.int(0, 3),
    out = ['s', 'y', 'C', 'D'][rank]!
  const outer: Line[] = []
  for (let d = 0; d < rank; d++) outer.push(line(r, `${'abc'[d]}${n}`, outer))
  const target =
    rank === 0
      ? out
      : `${out}[${[...outer]
          .sort(() => (r.unit() < 0.15 ? -1 : 1))
          .map((l) => l.name)
          .join(', ')}]`
  const guard = r.unit() < 0.15 && rank > 0 ? pick(r, [`${outer[0]!.name} > 1`, `${operand(r, outer)} > 0.0f`]) : ''
  const guarded = (body: string): string => (guard ? `if ${guard} { ${body} }` : body)
  if (rank > 0 && r.unit() < 0.3)
    return wrap(outer, guarded(`${target} ${pick(r, ['=', '=', '+='])} ${valueOf(r, outer)}`))
  const inner: Line[] = []
  for (let d = r.int(1, 2); d > 0; d--) inner.push(line(r, `${'kl'[d - 1]}${n}`, [...outer, ...inner]))
  const sign = pick(r, ['+=', '+=', '+=', 'max=', 'min=']),
    value = valueOf(r, [...outer, ...inner])
  const sum = (into: string): string =>
    wrap(inner, r.unit() < 0.15 ? `if ${inner[0]!.name} != 2 { ${into} ${sign} ${value} }` : `${into} ${sign} ${value}`)
  switch (r.int(0, 3)) {
    case 0:
      return wrap(outer, guarded(sum(target)))
    case 1:
      return wrap(outer, guarded(`${target} = 0.0f ${sum(target)}`))
    case 2:
      return wrap(outer, guarded(`${target} *= 2.0f ${sum(target)}`))
    default:
      return wrap(
        outer,
        guarded(
          `declare t${n}: f32[] temp private t${n} = 1.0f ${sum(`t${n}`)} ${target} = ` +
            `${pick(r, [`t${n}`, `t${n} * 2.0f`, `t${n} + ${target}`])}`,
        ),
      )
  }
}

/** The program of `seed`: one nest or two. */
export function shapedProgram(seed: number): Program {
  const r = random(seed * 7919 + 3)
  const arrays = [
    'x: f32[n + 4] in',
    'A: f32[n + 4, n + 4] in',
    'B: f32[n + 4, n + 4] in',
    'T: f32[n + 4, n + 4, n + 4] in',
    's: f32[] inout',
    'y: f32[n + 4] inout',
    'C: f32[n + 4, n + 4] inout',
    'D: f32[n + 4, n + 4, n + 4] inout',
  ]
  const body = Array.from({ length: r.int(1, 2) }, (_, n) => nest(r, n)).join('\n')
  return text(
    `program shaped_${seed} { size n = 16 min 3 ${arrays.map((a) => `array ${a} global`).join(' ')} ${body} }`,
  )
}
