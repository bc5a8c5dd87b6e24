// Where the statements of a function return, by their shape alone. In: a list of statements. Out: whether every
// `return` can become a branch of an if, so that an inlined function needs no loop to leave.
import type { ElemOf, WgslStatement } from '../text/source.ts'

type IfElem = ElemOf<'if'>

const bodies = (s: WgslStatement): readonly (readonly WgslStatement[])[] => {
  switch (s.kind) {
    case 'block':
      return [s.body]
    case 'if':
      return [s.body.body, ...(s.else ? (s.else.kind === 'if' ? [[s.else]] : [s.else.body]) : [])]
    case 'for':
    case 'while':
      return [s.body.body]
    case 'loop':
      return [s.body.body, ...(s.continuing ? [s.continuing.body.body] : [])]
    case 'continuing':
      return [s.body.body]
    case 'switch':
      return s.clauses.map((c) => c.body.body)
    default:
      return []
  }
}

/** Longer chains of `else if` are laid side by side instead of nested. */
export const longestNested = 60

export function chainLength(s: IfElem): number {
  let n = 1
  for (let at = s; at.else?.kind === 'if'; at = at.else) n++
  return n
}

/** Whether a statement holds a `return`. */
export const hasReturn = (s: WgslStatement): boolean => s.kind === 'return' || bodies(s).some((b) => b.some(hasReturn))

/** How many branches reach the end of the list. */
function exits(list: readonly WgslStatement[]): number {
  let n = 1
  for (const s of list) {
    if (s.kind === 'return') return 0
    if (hasReturn(s)) n *= s.kind === 'if' ? ifExits(s) : s.kind === 'block' ? exits(s.body) : 1
  }
  return n
}

function ifExits(s: IfElem): number {
  const rest = !s.else ? 1 : s.else.kind === 'if' ? ifExits(s.else) : exits(s.else.body)
  return exits(s.body.body) + rest
}

/**
 * Whether every `return` in the list can be had by putting the statements after an `if` into its one branch that goes
 * on. `last`: nothing follows the list.
 */
export function isTail(list: readonly WgslStatement[], last = true): boolean {
  return list.every((s, i) => {
    if (!hasReturn(s) || s.kind === 'return') return true
    const end = last && i === list.length - 1
    if (s.kind === 'block') return isTail(s.body, end) && (end || exits(s.body) <= 1)
    return (
      s.kind === 'if' &&
      chainLength(s) <= longestNested &&
      bodies(s).every((b) => isTail(b, end)) &&
      (end || ifExits(s) <= 1)
    )
  })
}

/** A `break` that leaves the switch itself, not counting one at the end of a clause. */
export function breaksEarly(clause: readonly WgslStatement[]): boolean {
  const body = clause[clause.length - 1]?.kind === 'break' ? clause.slice(0, -1) : clause
  return body.some(breaks)
}

function breaks(s: WgslStatement): boolean {
  if (s.kind === 'break') return true
  return (s.kind === 'if' || s.kind === 'block') && bodies(s).some((b) => b.some(breaks))
}
