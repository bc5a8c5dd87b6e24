// In: statements of C. Out: what `structuring.ts` must know before it rewrites them: where their jumps go, what is read
// outside of the loops that start it, and the types of scalars. Nothing is changed here.
import { startsOf } from './counted-header.ts'
import { eachC, mapParts, someC } from './c-rewriting.ts'
import { everywhere } from './name-uses.ts'
import type { CExpr, CFunction, CScalar, CStmt } from '../text/syntax.ts'

/** Whether something in `s` leaves what is around `s`. */
export function jumpsOut(s: CStmt): boolean {
  const own = new Set<string>()
  let found = false
  eachC(s, (x) => {
    if (x.kind === 'block' && x.label !== undefined) own.add(x.label)
  })
  const visit = (x: CStmt, inLoop: boolean, inSwitch: boolean): void => {
    if (x.kind === 'break') found ||= !inLoop && !inSwitch
    if (x.kind === 'continue') found ||= !inLoop
    if (x.kind === 'leave') found ||= !own.has(x.label)
    if (x.kind === 'return') found = true
    const isLoop = x.kind === 'for' || x.kind === 'while' || x.kind === 'do'
    mapParts(
      x,
      (e) => e,
      (y) => {
        visit(y, inLoop || isLoop, inSwitch || x.kind === 'switch')
        return y
      },
    )
  }
  visit(s, false, false)
  return found
}

/** Whether a `continue` in `s` belongs to the loop that `s` is the body of. */
export function continues(s: CStmt): boolean {
  if (s.kind === 'continue') return true
  if (s.kind === 'for' || s.kind === 'while' || s.kind === 'do') return false
  let found = false
  mapParts(
    s,
    (e) => e,
    (x) => {
      found ||= continues(x)
      return x
    },
  )
  return found
}

/** Whether something in `s` declares `name`. */
export function declares(s: CStmt, name: string): boolean {
  return someC(s, (x) => x.kind === 'declare' && x.declarators.some((d) => d.name === name))
}

/** Whether `s` never runs to its end, by its form. */
export function neverEnds(s: CStmt): boolean {
  if (s.kind === 'block') {
    const last = s.body[s.body.length - 1]
    return last !== undefined && neverEnds(last)
  }
  if (s.kind === 'if') return s.else !== null && neverEnds(s.then) && neverEnds(s.else)
  return s.kind === 'break' || s.kind === 'continue' || s.kind === 'leave' || s.kind === 'return'
}

/** Whether something in `body` returns. */
export function returnsInside(body: readonly CStmt[]): boolean {
  return body.some((s) => someC(s, (x) => x.kind === 'return'))
}

/** Variables that something reads outside of the `for` loops that give them their first value. */
export function readOutside(body: CStmt): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (s: CStmt, hidden: ReadonlySet<string>): void => {
    const starts = s.kind === 'for' ? (startsOf(s)?.of.map((x) => x.name) ?? []) : []
    const inside = starts.length > 0 ? new Set([...hidden, ...starts]) : hidden
    mapParts(
      s,
      (e) => {
        for (const name of namesRead(e)) if (!inside.has(name)) found.add(name)
        return e
      },
      (x) => {
        // What the header itself assigns is no read.
        if (s.kind === 'for' && x === s.init) {
          for (const start of startsOf(s)?.of ?? [])
            for (const name of namesRead(start.value)) if (!hidden.has(name)) found.add(name)
        } else visit(x, inside)
        return x
      },
    )
  }
  visit(body, new Set())
  return found
}

/** Names that `e` reads; a plain assignment does not read its target. */
function namesRead(e: CExpr): string[] {
  if (e.kind === 'assign' && e.op === '' && e.left.kind === 'name') return namesRead(e.right)
  return everywhere(e).flatMap((x) => (x.kind === 'name' ? [x.name] : []))
}

/** Types of the scalars that `f` declares; a name with several is left out. */
export function typesOf(f: CFunction): ReadonlyMap<string, CScalar> {
  const types = new Map<string, CScalar>(),
    several = new Set<string>()
  const note = (name: string, type: CScalar): void => {
    if ((types.get(name) ?? type) !== type) several.add(name)
    types.set(name, type)
  }
  for (const p of f.parameters) note(p.name, p.type)
  eachC(f.body, (s) => {
    if (s.kind === 'declare') for (const d of s.declarators) note(d.name, d.type)
  })
  for (const name of several) types.delete(name)
  return types
}
