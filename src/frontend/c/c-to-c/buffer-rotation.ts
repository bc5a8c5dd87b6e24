// In: a C function. Out: the same where arrays take turns in a loop (`tmp = a; a = b; b = tmp` before or after each
// step, or three in a circle) without pointers that move. The one idea: as many steps as there are arrays bring the
// pointers back to where they were, so a loop over so many steps has arrays that stay; the steps that are left stand
// behind it. Loops after which one of the arrays is used again are left as they are.
import { cFunction, type InUnit } from '../text/representation.ts'
import { keeping, pass } from '../../../ir/index.ts'
import { startsOf, stepOfVariable } from './counted-header.ts'
import {
  binaryOf,
  blockOf,
  declareOf,
  eachC,
  expressionsOf,
  inRegion,
  mapC,
  mapParts,
  nameOf,
  FreshNames,
  numberOf,
  writtenIn,
  someC,
} from './c-rewriting.ts'
import type { CExpr, CFunction, CStmt } from '../text/syntax.ts'

// Before:
//
//   void f(int n, int steps, float *a, float *b) {
//     for (int t = 0; t < steps; t++) {
//       for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];
//       float *tmp = a;
//       a = b;
//       b = tmp;
//     }
//   }
//
// After:
//
//   void f(int n, int steps, float *a, float *b) {
//     for (int t_pair = 0; t_pair < ((steps - 0) / 2); t_pair++) {
//       for (int i = 1; i < (n - 1); i++) {
//         b[i] = a[i - 1] + a[i + 1];
//       }
//       for (int i = 1; i < (n - 1); i++) {
//         a[i] = b[i - 1] + b[i + 1];
//       }
//     }
//     if (((steps - 0) % 2) == 1) {
//       for (int i = 1; i < (n - 1); i++) {
//         b[i] = a[i - 1] + a[i + 1];
//       }
//     }
//   }
export const bufferRotation = pass<CFunction, InUnit>({
  name: 'buffer-rotation',
  summary: 'a loop in which arrays take turns is a loop over as many steps as there are arrays, which stay',
  of: cFunction,
  run: keeping((f, { unit }) => takenTurns(f, unit.functions)),
})

type For = Extract<CStmt, { kind: 'for' }>

/** The arrays, of which each becomes the next (the last the first), and what the first step does. */
interface Turns {
  readonly arrays: readonly string[]
  readonly step: readonly CStmt[]
}

/** Arrays that may take turns. */
const mostArrays = 3

/** A loop that counts up by one from `from`, `count` times. */
interface Counted {
  readonly name: string
  readonly from: CExpr
  readonly count: CExpr
}

/** Loops of `f` in which arrays take turns, as many steps at a time as there are arrays. */
export function takenTurns(f: CFunction, unit: Iterable<CFunction>): CFunction {
  const pointers = pointersOf(f),
    names = new FreshNames([f, ...unit])
  const body = inRegion(f.body.body, (list) =>
    list.flatMap((s, i) =>
      s.kind === 'for' ? paired(s, f.body.body.slice(f.body.body.indexOf(list[i]!) + 1), pointers, names) : [s],
    ),
  )
  return { ...f, body: { ...f.body, body } }
}

/** Names declared as pointers or arrays, in all of the function. */
function pointersOf(f: CFunction): ReadonlySet<string> {
  const names = new Set(f.parameters.filter((p) => p.extents.length > 0).map((p) => p.name))
  eachC(f.body, (s) => {
    if (s.kind === 'declare') for (const d of s.declarators) if (d.extents.length > 0) names.add(d.name)
  })
  return names
}

function paired(s: For, after: readonly CStmt[], pointers: ReadonlySet<string>, names: FreshNames): readonly CStmt[] {
  const turns = turnsIn(s.body, pointers),
    counted = countedBy(s)
  if (!turns || !counted) return [s]
  const step = blockOf(turns.step, s.at),
    written = writtenIn(step)
  const fixed = (e: CExpr): boolean =>
    expressionsOf({ kind: 'expr', expr: e, at: s.at }).every(
      (x) =>
        x.kind === 'number' ||
        x.kind === 'binary' ||
        (x.kind === 'name' && x.name !== counted.name && !written.has(x.name)),
    )
  const leaves = someC(step, (x) => ['break', 'continue', 'return', 'leave'].includes(x.kind))
  if (
    leaves ||
    written.has(counted.name) ||
    !fixed(counted.from) ||
    !fixed(counted.count) ||
    after.some((x) => uses(x, [...turns.arrays, counted.name]))
  )
    return [s]
  const { at } = s,
    round = turns.arrays.length,
    pair = names.fresh(`${counted.name}_${round === 2 ? 'pair' : 'round'}`)
  const first = binaryOf('+', counted.from, binaryOf('*', numberOf(round, at), nameOf(pair, at))),
    left = binaryOf('%', counted.count, numberOf(round, at))
  const inRound = (n: number): CStmt =>
    rotated(stepAt(step, counted, n === 0 ? first : binaryOf('+', first, numberOf(n, at))), turns, n)
  const rounds: CStmt = {
    ...s,
    init: declareOf(pair, 'i32', at, numberOf(0, at)),
    condition: binaryOf('<', nameOf(pair, at), binaryOf('/', counted.count, numberOf(round, at))),
    update: { kind: 'update', op: '++', arg: nameOf(pair, at), at },
    body: blockOf(
      turns.arrays.map((_, n) => inRound(n)),
      at,
    ),
  }
  const rest = turns.arrays.slice(1).map((_, n): CStmt => {
    const last = n === round - 2,
      value = binaryOf(
        '+',
        counted.from,
        last
          ? binaryOf('-', counted.count, numberOf(1, at))
          : binaryOf('+', binaryOf('-', counted.count, left), numberOf(n, at)),
      )
    return {
      kind: 'if',
      condition: last ? binaryOf('==', left, numberOf(round - 1, at)) : binaryOf('>', left, numberOf(n, at)),
      then: rotated(stepAt(step, counted, value), turns, n),
      else: null,
      at,
    }
  })
  return [rounds, ...rest]
}

/**
 * `T *t = a; a = b; b = t;` at the end of a body or at its start, or the same with more arrays, or a `t` from outside.
 */
function turnsIn(body: CStmt, pointers: ReadonlySet<string>): Turns | undefined {
  const list = body.kind === 'block' ? body.body.flatMap(opened) : []
  for (let count = 2; count <= mostArrays; count++) {
    const behind = exchange(list.slice(-count - 1), list.slice(0, -count - 1), pointers),
      before = exchange(list.slice(0, count + 1), list.slice(count + 1), pointers)
    if (behind) return behind
    if (before) return { ...before, step: before.step.map((s) => rotated(s, before, 1)) }
  }
  return undefined
}

/** `{ T *t = a; a = b; b = t; }`, with or without `do … while (0)`, as its statements; others as they are. */
function opened(s: CStmt): readonly CStmt[] {
  if (s.kind === 'empty') return []
  const inner = s.kind === 'do' && s.condition.kind === 'number' && s.condition.value === 0 ? s.body : s
  if (inner.kind !== 'block' || inner.label !== undefined) return [s]
  const all = inner.body.flatMap(opened)
  return all.length > 0 && all.every(copied) ? all : [s]
}

function exchange(copies: readonly CStmt[], step: readonly CStmt[], pointers: ReadonlySet<string>): Turns | undefined {
  const [saved, ...moved] = copies.map(copied),
    last = moved[moved.length - 1]
  if (
    !saved ||
    !last ||
    moved.some((m, i) => m?.to !== (i === 0 ? saved.from : moved[i - 1]?.from)) ||
    last.from !== saved.to
  )
    return undefined
  const arrays = moved.flatMap((m) => m?.to ?? [])
  if (
    new Set(arrays).size !== arrays.length ||
    ![...arrays, saved.to].every((n) => pointers.has(n)) ||
    arrays.includes(saved.to) ||
    step.some((s) => uses(s, [saved.to]))
  )
    return undefined
  const written = step
    .flatMap((s) => expressionsOf(s))
    .some((e) => (e.kind === 'assign' && isName(e.left, arrays)) || (e.kind === 'update' && isName(e.arg, arrays)))
  return written || step.length === 0 ? undefined : { arrays, step }
}

const isName = (e: CExpr, names: readonly string[]): boolean => e.kind === 'name' && names.includes(e.name)

/** One name set to another. */
function copied(s: CStmt): { readonly to: string; readonly from: string } | undefined {
  if (s.kind === 'declare') {
    const d = s.declarators.length === 1 ? s.declarators[0]! : undefined
    return d?.initial?.kind === 'name' ? { to: d.name, from: d.initial.name } : undefined
  }
  const e = s.kind === 'expr' ? s.expr : undefined
  return e?.kind === 'assign' && e.op === '' && e.left.kind === 'name' && e.right.kind === 'name'
    ? { to: e.left.name, from: e.right.name }
    : undefined
}

function countedBy(s: For): Counted | undefined {
  const start = startsOf(s)?.of,
    c = s.condition
  if (start?.length !== 1 || c?.kind !== 'binary' || (c.op !== '<' && c.op !== '<=')) return undefined
  const { name, value: from } = start[0]!,
    step = s.update && stepOfVariable(s.update, name) // one was counted
  if (!isName(c.left, [name]) || step?.sign !== '+' || step.by.kind !== 'number' || step.by.value !== 1)
    return undefined
  const width = binaryOf('-', c.right, from)
  return { name, from, count: c.op === '<' ? width : binaryOf('+', width, numberOf(1, s.at)) }
}

const uses = (s: CStmt, names: readonly string[]): boolean => expressionsOf(s).some((e) => isName(e, names))

const replaced = (s: CStmt, f: (e: CExpr) => CExpr): CStmt =>
  mapParts(
    s,
    (e) => mapC(e, f),
    (x) => replaced(x, f),
  )

/** The step at one value of the loop's variable. */
const stepAt = (step: CStmt, { name }: Counted, value: CExpr): CStmt =>
  replaced(step, (e) => (isName(e, [name]) ? { ...value, at: e.at } : e))

/** The step after so many turns. */
const rotated = (step: CStmt, { arrays }: Turns, turns: number): CStmt =>
  turns === 0
    ? step
    : replaced(step, (e) =>
        e.kind === 'name' && arrays.includes(e.name)
          ? { ...e, name: arrays[(arrays.indexOf(e.name) + turns) % arrays.length]! }
          : e,
      ) // within the list
