// In: a C function without calls, and its file. Out: the same with those of the file's variables that need more than a
// name: counters of loops and tables of structures are the function's own, arrays of structures are parameters. The one
// idea: what a kernel changes its caller must be given back, so that variables that the function changes are parameters
// of one element, as the report says.
import { cFunction, type InUnit } from '../text/representation.ts'
import { pass } from '../../../ir/index.ts'
import { eachC, expressionsOf, inRegion, mapParts, writtenIn } from './c-rewriting.ts'
import type { CFunction, CStmt, CUnit, Declarator } from '../text/syntax.ts'

// Before:
//
//   int k;
//   void f(int n, float *y) {
//     for (k = 0; k < n; k++) y[k] = 1;
//   }
//
// After:
//
//   void f(int n, float *y) {
//     int k;
//     for (k = 0; k < n; k++) {
//       y[k] = 1;
//     }
//   }
export const globals = pass<CFunction, InUnit>({
  name: 'globals',
  summary: 'counters and tables of structures of the file are the function’s own, and changed variables are parameters',
  of: cFunction,
  run: (f, { unit }) => withGlobals(f, unit),
})

/** Brings the file's variables that `f` uses into it where `function.ts` would not know them. */
export function withGlobals(f: CFunction, unit: CUnit): CFunction {
  const own = declaredIn(f),
    used = new Set(expressionsOf(f.body).flatMap((e) => (e.kind === 'name' && !own.has(e.name) ? [e.name] : [])))
  const written = writtenIn(f.body),
    changed = new Set(unit.functions.flatMap((g) => [...writtenIn(g.body)]))
  const locals: Declarator[] = [],
    parameters: Declarator[] = [],
    given: string[] = []
  for (const { isConst, ...g } of unit.globals.filter((x) => used.has(x.name))) {
    if (g.struct && g.initial && !changed.has(g.name)) locals.push({ ...g, isStatic: true })
    else if (g.struct && !g.initial && g.extents.length > 0) parameters.push(g)
    else if (!g.struct && g.extents.length === 0 && written.has(g.name) && !isConst)
      onlyCounts(f.body, g.name) ? locals.push(plainOf(g)) : given.push(g.name)
  }
  if (locals.length + parameters.length + given.length === 0) return f
  const notes = [
    ...(parameters.length > 0
      ? [`${parameters.map((p) => p.name).join(', ')}: arrays of the file that are parameters of the kernels`]
      : []),
    ...(given.length > 0
      ? [
          `${given.join(', ')}: changed by the function and declared outside of it; ` +
            `the kernels take an array of one element for each`,
        ]
      : []),
  ]
  const declares: CStmt[] = locals.map((d) => ({ kind: 'declare', declarators: [d], at: d.at }))
  const body = inRegion(f.body.body, (list) => [...declares, ...list])
  return {
    ...f,
    parameters: [...f.parameters, ...parameters],
    body: { ...f.body, body },
    notes: [...(f.notes ?? []), ...notes],
  }
}

function plainOf(d: Declarator): Declarator {
  const { initial: _, isStatic: __, ...plain } = d
  return plain
}

/** Names of parameters and locals. */
function declaredIn(f: CFunction): ReadonlySet<string> {
  const names = new Set(f.parameters.map((p) => p.name))
  eachC(f.body, (s) => {
    if (s.kind === 'declare') for (const d of s.declarators) names.add(d.name)
  })
  return names
}

/**
 * Whether the variable is read only inside of `for` loops that set it first, so that nobody sees it afterwards or
 * before.
 */
function onlyCounts(body: CStmt, name: string): boolean {
  const visit = (s: CStmt): boolean => {
    if (s.kind === 'for' && s.init?.kind === 'expr' && writtenIn(s.init).has(name)) return true
    let fine = true
    mapParts(
      s,
      (e) => {
        fine &&= !expressionsOf({ kind: 'expr', expr: e, at: e.at }).some((x) => x.kind === 'name' && x.name === name)
        return e
      },
      (x) => {
        fine &&= visit(x)
        return x
      },
    )
    return fine
  }
  return visit(body)
}
