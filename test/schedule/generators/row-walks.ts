// For tests: random programs whose iterations walk along rows or columns, there or back, with what they keep from step
// to step, in place, beside their own row and under conditions. All accesses are in bounds.
import { random, type Random } from '../../../src/base/index.ts'
import type { Program } from '../../../src/ir/index.ts'
import { text } from '../support.ts'

const pick = <T>(r: Random, xs: readonly T[]): T => xs[r.int(0, xs.length - 1)]!

interface Walk {
  readonly along: 'rows' | 'columns'
  readonly variable: string
  readonly back: boolean
}

/** An element of `array`: of the own row, or `beside` it, at most two steps ahead or one behind. */
function element(
  r: Random,
  array: string,
  w: Walk,
  beside: boolean,
  shift = r.unit() < 0.4 ? r.int(-1, 2) : 0,
): string {
  const plus = (name: string, n: number): string => (n === 0 ? name : n > 0 ? `${name} + ${n}` : `${name} - ${-n}`)
  const step = w.back ? `m + ${2 - shift} - ${w.variable}` : plus(w.variable, shift),
    own = plus('i', beside && r.unit() < 0.3 ? r.int(-1, 2) : 0)
  return `${array}[${w.along === 'rows' ? `${own}, ${step}` : `${step}, ${own}`}]`
}

function step(r: Random, w: Walk, out: string): string {
  const x = (): string => element(r, pick(r, ['x', 'u']), w, true),
    own = (): string => element(r, out, w, false, pick(r, [0, 0, -1, 1]))
  const next = pick(r, [
    `${x()} - p`,
    `max(p, ${x()})`,
    `${x()} - ${x()} + p`,
    `min(p + 1.0f, ${x()})`,
    `${own()} - p`,
    `${x()} - ${own()}`,
  ])
  const put = `${element(r, out, w, false, 0)} ${pick(r, ['=', '=', '=', '+='])} ${pick(r, ['p', 'p', 'p - q'])}`
  return `q = p p = ${next} ${r.unit() < 0.2 ? `if ${pick(r, ['p > 2.0f', `${x()} > 0.0f`])} { ${put} }` : put}`
}

/** The program of `seed`: one walk or two, one after the other. */
export function walkingProgram(seed: number): Program {
  const r = random(seed * 104729 + 11),
    along = pick(r, ['rows', 'rows', 'columns'] as const)
  const walks = Array.from({ length: r.int(1, 2) }, (_, n) => {
    const w: Walk = { along, variable: `j${n}`, back: r.unit() < 0.3 }
    return (
      `for ${w.variable} in ${pick(r, [2, 2, 3])} .. ${pick(r, ['m', 'm', 'm - 1'])} { ` +
      `${step(r, w, pick(r, ['y', 'z']))} }`
    )
  })
  const shape = along === 'rows' ? 'n + 4, m + 4' : 'm + 4, n + 4'
  const arrays = ['x: f32[SHAPE] in', 'u: f32[SHAPE] in', 'y: f32[SHAPE] inout', 'z: f32[SHAPE] inout']
    .map((a) => `array ${a.replace('SHAPE', shape)} global`)
    .join(' ')
  const between = r.unit() < 0.3 ? `y[${along === 'rows' ? 'i, 1' : '1, i'}] = p` : ''
  return text(
    `program walking_${seed} { size n = 64 min 3 size m = 128 min 3 ${arrays} for i in 1 .. n { declare p: ` +
      `f32[] temp private declare q: f32[] temp private p = ${pick(r, ['0.0f', '1.0f'])} q = 0.0f ` +
      `${walks.join(` ${between} `)} } }`,
  )
}
