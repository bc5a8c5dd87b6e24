// In: the functions of a file. Out: the same where a function that ends with a call of itself is a loop instead. The
// one idea: `return g(x, y)` in g gives its parameters new values and begins anew; every other way to call itself is
// refused where it is called.
import type { CUnit } from '../text/syntax.ts'
import { cUnit, withAllFunctions } from '../text/representation.ts'
import { pass } from '../../../ir/index.ts'
import {
  assignOf,
  blockOf,
  declareOf,
  eachC,
  expressionsOf,
  mapParts,
  nameOf,
  FreshNames,
  numberOf,
} from './c-rewriting.ts'
import { everywhere } from './name-uses.ts'
import type { CExpr, CFunction, CStmt } from '../text/syntax.ts'

// Before:
//
//   int gcd(int a, int b) {
//     if (b == 0) return a;
//     return gcd(b, a % b);
//   }
//
// After:
//
//   int gcd(int a, int b) {
//     while (1) {
//       {
//         if (b == 0) {
//           return a;
//         }
//         {
//           int a_next = b;
//           int b_next = a % b;
//           a = a_next;
//           b = b_next;
//           goto anew;
//         }
//       }
//       anew:;
//     }
//   }
export const tailCalls = pass<CUnit>({
  name: 'tail-calls',
  summary: 'a function that ends with a call of itself is a loop',
  of: cUnit,
  run: (unit) => withAllFunctions(unit, withoutTailCalls(unit.functions)),
})

/** `functions` with calls of themselves at their ends as loops. */
export function withoutTailCalls(functions: readonly CFunction[]): readonly CFunction[] {
  return functions.map((f) => (callsItself(f) ? (asLoop(f) ?? f) : f))
}

/** Functions that call themselves, directly or through others. */
export function recursiveIn(functions: Iterable<CFunction>): ReadonlySet<string> {
  const calls = new Map(
    [...functions].map((f) => [
      f.name,
      new Set(expressionsOf(f.body).flatMap((e) => (e.kind === 'call' ? [e.name] : []))),
    ]),
  )
  const reached = (from: string): ReadonlySet<string> => {
    const found = new Set<string>(),
      stack = [...(calls.get(from) ?? [])]
    for (let name = stack.pop(); name !== undefined; name = stack.pop())
      if (!found.has(name)) {
        found.add(name)
        stack.push(...(calls.get(name) ?? []))
      }
    return found
  }
  return new Set([...calls.keys()].filter((name) => reached(name).has(name)))
}

const isCall = (e: CExpr | null, f: CFunction): e is Extract<CExpr, { kind: 'call' }> =>
  e?.kind === 'call' && e.name === f.name
const callsItself = (f: CFunction): boolean => expressionsOf(f.body).some((e) => isCall(e, f))

/** The function as a loop, when it calls itself in returns alone and with numbers. */
function asLoop(f: CFunction): CFunction | undefined {
  const names = new FreshNames([f]),
    label = names.fresh('anew'),
    parameters = f.parameters.filter((p) => p.name !== '')
  let failed = false,
    ends = f.returns === 'void'
  const again = (e: Extract<CExpr, { kind: 'call' }>): CStmt => {
    const changed = parameters
      .map((p, i) => ({ p, to: e.args[i] }))
      .filter(({ p, to }) => !(to?.kind === 'name' && to.name === p.name))
    failed ||=
      e.args.length !== parameters.length ||
      changed.some(({ p }) => p.extents.length > 0 || p.struct) ||
      e.args.some((a) => everywhere(a).some((x) => isCall(x, f)))
    const next = changed.map(({ p }) => names.fresh(`${p.name}_next`))
    return blockOf(
      [
        ...changed.map(({ p, to }, i) => declareOf(next[i]!, p.type, e.at, to)),
        ...changed.map(({ p }, i) => assignOf(nameOf(p.name, e.at), nameOf(next[i]!, e.at))),
        { kind: 'leave', label, at: e.at }, // a name for each
      ],
      e.at,
    )
  }
  const visit = (s: CStmt): CStmt => {
    if (s.kind !== 'return') return mapParts(s, (e) => e, visit)
    const { value } = s
    if (isCall(value, f)) return again(value)
    if (value?.kind === 'choose' && everywhere(value).some((x) => isCall(x, f)))
      return visit({
        kind: 'if',
        condition: value.condition,
        then: { ...s, value: value.then },
        else: { ...s, value: value.else },
        at: s.at,
      })
    ends = true
    return s
  }
  const body = f.body.body.map(visit),
    { at } = f
  let left = failed || !ends
  for (const s of body)
    eachC(s, (x) => {
      mapParts(
        x,
        (e) => {
          left ||= everywhere(e).some((y) => isCall(y, f))
          return e
        },
        (y) => y,
      )
    })
  if (left) return undefined
  const end: CStmt[] = f.returns === 'void' ? [{ kind: 'return', value: null, at }] : []
  return {
    ...f,
    body: {
      ...f.body,
      body: [
        {
          kind: 'while',
          condition: numberOf(1, at),
          body: blockOf([{ kind: 'block', label, body: [...body, ...end], at }], at),
          at,
        },
      ],
    },
  }
}
