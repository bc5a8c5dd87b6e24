// Loops of any bounds dealt out to the threads of one block: thread t takes iterations t, t + count, and so on.
import {
  add,
  ceilDiv,
  int,
  literal,
  loopVar,
  mul,
  sub,
  type Loop,
  type LoopStmt,
  nest as wrap,
  substituteStmt,
} from '../../ir/index.ts'
import { threads } from './sketch.ts'

/** Threads along the loop that neighbours in memory belong to, where two loops are shared. */
const acrossThreads = 32

/**
 * The points of `loops` dealt out to `count` threads: the innermost loop to neighbours, and the one around it where
 * there is one.
 */
export function dealt(loops: readonly Loop[], body: readonly LoopStmt[], count: number): readonly LoopStmt[] {
  const last = loops.length - 1
  const across = last > 0 ? Math.min(acrossThreads, count) : count
  const [x, y] = [digit(across, 1), digit(count / across, across)]
  const each = loops.map((l, d) => (d === last ? strided(l, x) : d === last - 1 ? strided(l, y) : l))
  return wrap(last > 0 ? [y, x] : [x], wrap(each, body))
}

/** A loop over the threads of a block, or over a digit of their rank. */
export const digit = (extent: number, stride: number): Loop => ({
  kind: 'loop',
  name: `thread_${extent}_${stride}`,
  lower: int(0),
  upper: int(extent),
  step: 1,
  bind: threads(stride),
  body: [],
})

/** The iterations of `l` that belong to the thread at `digit`. */
export const strided = (l: Loop, digit: Loop): Loop => ({
  ...l,
  lower: add(l.lower, mul(loopVar(digit.name), int(l.step))),
  step: l.step * literal(digit.upper)!,
}) // digits have constant extents

/** The first `count` loops of a perfect nest counting from 0 in steps of 1. */
export function fromZero(body: readonly LoopStmt[], count: number): readonly LoopStmt[] {
  const l = body[0]
  if (count === 0 || l?.kind !== 'loop') return body
  const plain = literal(l.lower) === 0 && l.step === 1
  const value = add(l.lower, mul(loopVar(l.name), int(l.step)))
  const inner = plain ? l.body : l.body.map((s) => substituteStmt(s, new Map([[l.name, value]])))
  return [
    {
      ...l,
      lower: int(0),
      upper: plain ? l.upper : ceilDiv(sub(l.upper, l.lower), l.step),
      step: 1,
      body: fromZero(inner, count - 1),
    },
  ]
}
