// In: a C function. Out: the same where two arrays take turns in a loop (`tmp = a; a = b; b = tmp` before or after each step)
// without pointers that move. The one idea: two steps bring the pointers back to where they were, so a loop over pairs of steps
// has arrays that stay; an odd last step stands behind it. Loops after which either array is used again are left as they are.
import { startsOf, stepOf } from './headers.ts'
import { binaryOf, blockOf, declareOf, eachC, expressionsOf, inRegion, mapC, mapParts, nameOf, Names, numberOf, writtenIn } from './rewrite.ts'
import type { CExpr, CFunction, CStmt } from './syntax.ts'

type For = Extract<CStmt, { kind: 'for' }>

/** The two arrays, and what the first step does. */
interface Turns { readonly a: string; readonly b: string; readonly step: readonly CStmt[] }

/** A loop that counts up by one from `from`, `count` times. */
interface Counted { readonly name: string; readonly from: CExpr; readonly count: CExpr }

/** Loops of `f` in which two arrays take turns, two steps at a time. */
export function takenTurns(f: CFunction, unit: Iterable<CFunction>): CFunction {
  const pointers = pointersOf(f), names = new Names([f, ...unit])
  const body = inRegion(f.body.body, (list) => list.flatMap((s, i) => (s.kind === 'for' ? paired(s, f.body.body.slice(f.body.body.indexOf(list[i]!) + 1), pointers, names) : [s])))
  return { ...f, body: { ...f.body, body } }
}

/** Names declared as pointers or arrays, in all of the function. */
function pointersOf(f: CFunction): ReadonlySet<string> {
  const names = new Set(f.parameters.filter((p) => p.extents.length > 0).map((p) => p.name))
  eachC(f.body, (s) => { if (s.kind === 'declare') for (const d of s.declarators) if (d.extents.length > 0) names.add(d.name) })
  return names
}

function paired(s: For, after: readonly CStmt[], pointers: ReadonlySet<string>, names: Names): readonly CStmt[] {
  const turns = turnsIn(s.body, pointers), counted = countedBy(s)
  if (!turns || !counted) return [s]
  const step = blockOf(turns.step, s.at), written = writtenIn(step)
  const fixed = (e: CExpr): boolean => expressionsOf({ kind: 'expr', expr: e, at: s.at }).every((x) => x.kind === 'number' || x.kind === 'binary' || (x.kind === 'name' && x.name !== counted.name && !written.has(x.name)))
  let leaves = false
  eachC(step, (x) => { if (x.kind === 'break' || x.kind === 'continue' || x.kind === 'return' || x.kind === 'leave') leaves = true })
  if (leaves || written.has(counted.name) || !fixed(counted.from) || !fixed(counted.count) || after.some((x) => uses(x, [turns.a, turns.b, counted.name]))) return [s]
  const { at } = s, pair = names.fresh(`${counted.name}_pair`)
  const first = binaryOf('+', counted.from, binaryOf('*', numberOf(2, at), nameOf(pair, at)))
  const pairs: CStmt = {
    ...s, init: declareOf(pair, 'i32', at, numberOf(0, at)), condition: binaryOf('<', nameOf(pair, at), binaryOf('/', counted.count, numberOf(2, at))), update: { kind: 'update', op: '++', arg: nameOf(pair, at), at },
    body: blockOf([stepAt(step, counted, first), swapped(stepAt(step, counted, binaryOf('+', first, numberOf(1, at))), turns)], at),
  }
  const last = stepAt(step, counted, binaryOf('+', counted.from, binaryOf('-', counted.count, numberOf(1, at))))
  return [pairs, { kind: 'if', condition: binaryOf('==', binaryOf('%', counted.count, numberOf(2, at)), numberOf(1, at)), then: last, else: null, at }]
}

/** `T *t = a; a = b; b = t;` at the end of a body or at its start, or the same with a `t` from outside. */
function turnsIn(body: CStmt, pointers: ReadonlySet<string>): Turns | undefined {
  const list = body.kind === 'block' ? body.body.filter((s) => s.kind !== 'empty') : []
  const behind = exchange(list.slice(-3), list.slice(0, -3), pointers), before = exchange(list.slice(0, 3), list.slice(3), pointers)
  return behind ?? (before && { ...before, step: before.step.map((s) => swapped(s, before)) })
}

function exchange(three: readonly CStmt[], step: readonly CStmt[], pointers: ReadonlySet<string>): Turns | undefined {
  const [saved, moved, put] = three.map(copied)
  if (!saved || !moved || !put || saved.from !== moved.to || moved.from !== put.to || put.from !== saved.to) return undefined
  const { to: a, from: b } = moved
  if (a === b || ![a, b, saved.to].every((n) => pointers.has(n)) || step.some((s) => uses(s, [saved.to]))) return undefined
  const written = step.flatMap((s) => expressionsOf(s)).some((e) => (e.kind === 'assign' && isName(e.left, [a, b])) || (e.kind === 'update' && isName(e.arg, [a, b])))
  return written || step.length === 0 ? undefined : { a, b, step }
}

const isName = (e: CExpr, names: readonly string[]): boolean => e.kind === 'name' && names.includes(e.name)

/** One name set to another. */
function copied(s: CStmt): { readonly to: string; readonly from: string } | undefined {
  if (s.kind === 'declare') {
    const d = s.declarators.length === 1 ? s.declarators[0]! : undefined
    return d?.initial?.kind === 'name' ? { to: d.name, from: d.initial.name } : undefined
  }
  const e = s.kind === 'expr' ? s.expr : undefined
  return e?.kind === 'assign' && e.op === '' && e.left.kind === 'name' && e.right.kind === 'name' ? { to: e.left.name, from: e.right.name } : undefined
}

function countedBy(s: For): Counted | undefined {
  const start = startsOf(s)?.of, c = s.condition
  if (start?.length !== 1 || c?.kind !== 'binary' || (c.op !== '<' && c.op !== '<=')) return undefined
  const { name, value: from } = start[0]!, step = s.update && stepOf(s.update, name) // one was counted
  if (!isName(c.left, [name]) || step?.sign !== '+' || step.by.kind !== 'number' || step.by.value !== 1) return undefined
  const width = binaryOf('-', c.right, from)
  return { name, from, count: c.op === '<' ? width : binaryOf('+', width, numberOf(1, s.at)) }
}

const uses = (s: CStmt, names: readonly string[]): boolean => expressionsOf(s).some((e) => isName(e, names))

const replaced = (s: CStmt, f: (e: CExpr) => CExpr): CStmt => mapParts(s, (e) => mapC(e, f), (x) => replaced(x, f))

/** The step at one value of the loop's variable. */
const stepAt = (step: CStmt, { name }: Counted, value: CExpr): CStmt => replaced(step, (e) => (isName(e, [name]) ? { ...value, at: e.at } : e))

const swapped = (step: CStmt, { a, b }: Turns): CStmt => replaced(step, (e) => (e.kind === 'name' && (e.name === a || e.name === b) ? { ...e, name: e.name === a ? b : a } : e))
