// bind: says where the iterations of a loop run. The program stays the same; only the mapping changes.
//
//   for i in 0 .. n { y[i] = x[i] }
// → for i in 0 .. n @block.x { y[i] = x[i] }
//
// Side conditions: `vector` and `thread` need a constant extent that starts at 0 with step 1; block loops start at 0
// with step 1. That no dependence is carried is the caller's claim about parallel loops and is checked, for the whole
// schedule, by `map` (each private array stays with its thread) and by running the result against the reference.
import { fail } from '../../base/index.ts'
import { literal, type Binding, type Program, constantExtent, replaceLoops } from '../../ir/index.ts'

/** Binds every loop called `loop`. */
export function bind(program: Program, { loop: name, to }: { readonly loop: string; readonly to: Binding }): Program {
  return replaceLoops(program, name, (l) => {
    const from0 = literal(l.lower) === 0 && l.step === 1
    const extent = constantExtent(l)
    if ((to.kind === 'block' || to.kind === 'thread') && !from0)
      fail('schedule.bind', `cannot bind '${name}' to ${to.kind}s: it must count from 0 in steps of 1`)
    if (to.kind === 'thread' && extent === undefined)
      fail('schedule.bind', `cannot bind '${name}' to threads: its extent is not a constant`)
    if (to.kind === 'vector' && extent !== 2 && extent !== 4)
      fail('schedule.bind', `cannot make '${name}' a vector: its extent is ${extent ?? 'not a constant'}, not 2 or 4`)
    if (to.kind === 'unroll' && extent === undefined)
      fail('schedule.bind', `cannot unroll '${name}': its extent is not a constant`)
    return [{ ...l, bind: to }]
  })
}

/** unroll: every iteration is written out. Side condition: a constant extent. */
export const unrollLoop = (program: Program, name: string): Program =>
  bind(program, { loop: name, to: { kind: 'unroll' } })

/** vectorize: contiguous accesses in the loop become one access of 2 or 4 lanes. Side condition: extent 2 or 4. */
export const vectorize = (program: Program, name: string): Program =>
  bind(program, { loop: name, to: { kind: 'vector' } })
