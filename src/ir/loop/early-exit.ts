// In: a loop. Out: the guard around its whole body, where its condition does not use the loop's variable. The one idea:
// an iteration in which such a guard is false changes nothing, so the guard is false in all later iterations too, and
// the loop may end there.
import { literal } from './build.ts'
import type { Expr, If, Loop } from './loop.ts'

/** The end of a loop that only its guard ends. */
export const endless = 2147483647

/** Whether only its guard ends the loop. */
export const isEndless = (l: Loop): boolean => literal(l.upper) === endless

/** The `if` that is all of the body of `l` and does not ask its variable; undefined when there is none. */
export function endOf(l: Loop): If | undefined {
  const [only, more] = l.body.filter((s) => s.kind !== 'declare')
  return only?.kind === 'if' && !more && only.else.length === 0 && !asks(only.condition, l.name) ? only : undefined
}

function asks(e: Expr, name: string): boolean {
  switch (e.kind) {
    case 'const':
    case 'size':
    case 'scalar':
      return false
    case 'var':
      return e.name === name
    case 'read':
      return e.index.some((x) => asks(x, name))
    case 'op':
      return e.args.some((x) => asks(x, name))
    case 'choose':
      return [e.condition, e.then, e.else].some((x) => asks(x, name))
  }
}
