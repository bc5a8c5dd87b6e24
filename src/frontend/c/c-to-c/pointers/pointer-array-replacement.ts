// In: a C function without calls of its file's functions. Out: the same with a pointer for each element of a short
// array of pointers (`const float *rows[3] = {a, b, c}`). The one idea: scalar replacement (Callahan, Carr and Kennedy,
// "Improving Register Allocation for Subscripted Variables", 1990), of pointers: loops of constant bounds whose
// variable says which pointer is meant are unrolled, and what a variable still chooses is a choice among them. Which
// pointer is set must be known; arrays that are used as a whole are left as they are.
import { cFunction, type InUnit } from '../../text/representation.ts'
import { keeping, pass } from '../../../../ir/index.ts'
import { fail } from '../../../../base/index.ts'
import {
  assignOf,
  binaryOf,
  blockOf,
  eachC,
  expressionsOf,
  FreshNames,
  inRegion,
  mapC,
  mapParts,
  nameOf,
  numberOf,
  replacedIn,
  writtenIn,
} from '../c-rewriting.ts'
import { everywhere } from '../name-uses.ts'
import { isLeft, statementsOf } from './pointer-arrays.ts'
import { constantIn } from '../../settle/sizes/planned-sizes.ts'
import type { CExpr, CFunction, CStmt, Declarator } from '../../text/syntax.ts'

// Before:
//
//   void f(int n, const float *a, const float *b, float *y) {
//     const float *rows[2] = {a, b};
//     for (int i = 0; i < n; i++) {
//       for (int k = 0; k < 2; k++) y[i] += rows[k][i];
//     }
//   }
//
// After:
//
//   void f(int n, float *a, float *b, float *y) {
//     float *rows_0 = a;
//     float *rows_1 = b;
//     for (int i = 0; i < n; i++) {
//       y[i] += rows_0[i];
//       y[i] += rows_1[i];
//     }
//   }
export const pointerArrayReplacement = pass<CFunction, InUnit>({
  name: 'pointer-array-replacement',
  summary: 'a short array of pointers is a pointer for each of its elements',
  of: cFunction,
  run: keeping((f, { unit }) => withPointersApart(f, unit.functions)),
})

/** Pointers in one array, and iterations of a loop that is unrolled for them. */
const mostPointers = 16

type For = Extract<CStmt, { kind: 'for' }>

/** `f` with its short arrays of pointers taken apart. */
export function withPointersApart(f: CFunction, unit: Iterable<CFunction>): CFunction {
  const arrays = pointerArrays(f)
  if (arrays.size === 0) return f
  const names = new FreshNames([f, ...unit]),
    apart = new Map<string, readonly string[]>()
  for (const [name, count] of arrays) {
    const ends = Array.from({ length: count }, (_, i) => String(i)),
      prefix = names.prefix(name, ends)
    apart.set(
      name,
      ends.map((end) => `${prefix}_${end}`),
    )
  }
  const body = inRegion(f.body.body, (list) => list.flatMap((s) => unrolled(s, arrays)).map((s) => taken(s, apart)))
  return { ...f, body: { ...f.body, body } }
}

/** The arrays of pointers of which only elements are used, with their numbers of elements. */
function pointerArrays(f: CFunction): ReadonlyMap<string, number> {
  const found = new Map<string, number>(),
    declared: string[] = f.parameters.map((p) => p.name)
  eachC(f.body, (s) => {
    if (s.kind !== 'declare') return
    for (const d of s.declarators) {
      declared.push(d.name)
      const count = countOf(d)
      if (count !== undefined && count > 0 && count <= mostPointers) found.set(d.name, count)
    }
  })
  const all = expressionsOf(f.body)
  for (const name of found.keys()) {
    const uses = all.filter((e) => e.kind === 'name' && e.name === name).length,
      elements = all.filter((e) => elementOf(e) === name).length
    if (uses !== elements || declared.filter((x) => x === name).length > 1) found.delete(name)
  }
  return found
}

/** Elements of an array of pointers; undefined of what is none. */
function countOf(d: Declarator): number | undefined {
  const [first, second, more] = d.extents
  if (!d.pointer || second !== null || more !== undefined) return undefined
  return first ? constantIn(first) : d.initial?.kind === 'list' ? d.initial.items.length : undefined
}

/** The array of which `e` is an element. */
const elementOf = (e: CExpr): string | undefined =>
  e.kind === 'index' && e.base.kind === 'name' ? e.base.name : undefined

/** What stands for `s`, with loops written out whose variable chooses among the pointers of an array. */
function unrolled(s: CStmt, arrays: ReadonlyMap<string, number>): readonly CStmt[] {
  const made = s.kind === 'for' ? iterationsOf(s, arrays) : undefined
  if (made) return made.flatMap((x) => unrolled(x, arrays))
  if (s.kind === 'block') return [{ ...s, body: s.body.flatMap((x) => unrolled(x, arrays)) }]
  return [
    mapParts(
      s,
      (e) => e,
      (x) => {
        const [only, ...more] = unrolled(x, arrays)
        return only && more.length === 0 ? only : blockOf([...(only ? [only] : []), ...more], x.at)
      },
    ),
  ]
}

function iterationsOf(s: For, arrays: ReadonlyMap<string, number>): readonly CStmt[] | undefined {
  const { init } = s,
    only = init?.kind === 'declare' && init.declarators.length === 1 ? init.declarators[0] : undefined,
    set = init?.kind === 'expr' && init.expr.kind === 'assign' && init.expr.op === '' ? init.expr : undefined
  const variable = only?.name ?? (set?.left.kind === 'name' ? set.left.name : undefined),
    from = only?.initial ?? set?.right
  if (variable === undefined || !from || !s.condition || !s.update) return undefined
  const chooses = expressionsOf(s.body).some(
    (e) => e.kind === 'index' && arrays.has(elementOf(e) ?? '') && mentions(e.index, variable),
  )
  if (!chooses || writtenIn(s.body).has(variable) || isLeft(s.body)) return undefined
  const values = valuesOf(variable, from, s.condition, s.update)
  if (!values) return undefined
  const body = values.slice(0, -1).flatMap((value) => opened(replacedIn(s.body, variable, numberOf(value, s.at))))
  const last = set ? [assignOf(set.left, numberOf(values[values.length - 1]!, s.at))] : [] // there is one at least
  return [...body, ...last]
}

/** The statements of an iteration, which keeps its braces where it declares something. */
const opened = (body: CStmt): readonly CStmt[] =>
  statementsOf(body).some((s) => s.kind === 'declare') ? [body] : statementsOf(body)

/** The values that a variable has in the iterations of a short loop, and behind it. */
function valuesOf(variable: string, from: CExpr, condition: CExpr, update: CExpr): readonly number[] | undefined {
  const step = stepOf(variable, update),
    values: number[] = []
  let at = constantIn(from)
  while (at !== undefined && step !== undefined && values.length <= mostPointers) {
    values.push(at)
    const holds = constantAt(condition, variable, at)
    if (holds === undefined) return undefined
    if (holds === 0) return values
    at += step
  }
  return undefined
}

/** What a header adds to its variable. */
function stepOf(variable: string, update: CExpr): number | undefined {
  if (update.kind === 'update' && mentions(update.arg, variable)) return update.op === '++' ? 1 : -1
  if (update.kind !== 'assign' || update.left.kind !== 'name' || update.left.name !== variable) return undefined
  const by = constantIn(update.right)
  return by === undefined || (update.op !== '+' && update.op !== '-') ? undefined : update.op === '+' ? by : -by
}

/** The value of an expression, where it is a constant once its variable is `value`. */
const constantAt = (e: CExpr, variable: string, value: number): number | undefined =>
  compared(mapC(e, (x) => (x.kind === 'name' && x.name === variable ? numberOf(value, x.at) : x)))

function compared(e: CExpr): number | undefined {
  if (e.kind !== 'binary') return constantIn(e)
  const left = constantIn(e.left),
    right = constantIn(e.right)
  if (left === undefined || right === undefined) return undefined
  const holds = { '<': left < right, '<=': left <= right, '>': left > right, '>=': left >= right, '!=': left !== right }
  return Object.hasOwn(holds, e.op) ? Number(holds[e.op as keyof typeof holds]) : undefined // just asked
}

const mentions = (e: CExpr, name: string): boolean => everywhere(e).some((x) => x.kind === 'name' && x.name === name)

/** `s` with pointers in place of the elements of arrays of them. */
function taken(s: CStmt, apart: ReadonlyMap<string, readonly string[]>): CStmt {
  const declared = (d: Declarator): readonly Declarator[] => {
    const names = apart.get(d.name)
    if (!names) return [d]
    const { initial, unknown: _, hint: __, ...plain } = d
    return names.map((name, i) => {
      const value = initial?.kind === 'list' ? initial.items[i] : undefined
      return { ...plain, name, extents: [null], ...(value && { initial: replaced(value, apart) }) }
    })
  }
  if (s.kind === 'declare' && s.declarators.some((d) => apart.has(d.name)))
    return { ...s, declarators: s.declarators.flatMap(declared) }
  return mapParts(
    s,
    (e) => replaced(e, apart),
    (x) => taken(x, apart),
  )
}

const replaced = (e: CExpr, apart: ReadonlyMap<string, readonly string[]>): CExpr =>
  mapC(e, (x) => {
    if (x.kind === 'assign' && x.left.kind === 'choose' && x.op === '' && isPointers(x.left, apart))
      return fail(
        'c.pointer',
        'which pointer of an array is set depends on a variable',
        x.at,
        'set them one by one, or in a loop of constant bounds',
      )
    const names = x.kind === 'index' ? apart.get(elementOf(x) ?? '') : undefined
    if (!names || x.kind !== 'index') return x
    const pointer = (i: number): CExpr =>
      i >= 0 && i < names.length
        ? nameOf(names[i]!, x.at)
        : fail('c.out-of-bounds', `there is no pointer ${i} in ${elementOf(x)}`, x.at)
    const known = constantIn(x.index)
    if (known !== undefined) return pointer(known)
    return names.slice(0, -1).reduceRight<CExpr>(
      (other, _, i) => ({
        kind: 'choose',
        condition: binaryOf('==', x.index, numberOf(i, x.at)),
        then: pointer(i),
        else: other,
        at: x.at,
      }),
      pointer(names.length - 1),
    )
  })

/** Whether a choice is among the pointers of an array. */
const isPointers = (e: CExpr, apart: ReadonlyMap<string, readonly string[]>): boolean =>
  e.kind === 'choose'
    ? isPointers(e.then, apart)
    : e.kind === 'name' && [...apart.values()].some((names) => names.includes(e.name))
