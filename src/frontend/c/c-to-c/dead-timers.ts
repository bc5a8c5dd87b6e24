// In: a C function. Out: the same without stopwatches. The one idea: what comes from a clock goes into variables that
// only clocks and printed lines know; those variables go with their statements. Where anything else needs one, all
// stays as it is, so that the call of the clock is refused with its place.
import type { CUnit } from '../text/syntax.ts'
import { cUnit, withAllFunctions } from '../text/representation.ts'
import { pass } from '../../../ir/index.ts'
import { reportingFunctions } from './inlining.ts'
import { eachC, expressionsOf, mapParts } from './c-rewriting.ts'
import { everywhere, rootName } from './name-uses.ts'
import type { CExpr, CFunction, CStmt, Dropped } from '../text/syntax.ts'

// Before:
//
//   void f(int n, float *y) {
//     clock_t start = clock();
//     for (int i = 0; i < n; i++) y[i] = 1;
//     printf("%f", (double)(clock() - start));
//   }
//
// After:
//
//   void f(int n, float *y) {
//     for (int i = 0; i < n; i++) {
//       y[i] = 1;
//     }
//     ;
//   }
export const deadTimers = pass<CUnit>({
  name: 'dead-timers',
  summary: 'calls of clocks, and variables that only clocks and printed lines know, are gone',
  of: cUnit,
  run: (unit) => withAllFunctions(unit, withoutClocks(unit.functions)),
})

const clocks: ReadonlySet<string> = new Set([
  'clock',
  'time',
  'difftime',
  'omp_get_wtime',
  'omp_get_wtick',
  'gettimeofday',
  'clock_gettime',
  'timespec_get',
  'ftime',
  'getrusage',
  'MPI_Wtime',
  'rtclock',
  '__rdtsc',
  '_rdtsc',
])

/** Removes what only measures time from each of a file's functions. */
export function withoutClocks(functions: readonly CFunction[]): readonly CFunction[] {
  const own = new Set(functions.map((f) => f.name)),
    asked = new Set([...clocks].filter((name) => !own.has(name)))
  for (let before = -1; before !== asked.size; ) {
    // a function that asks a clock and changes nothing is one
    before = asked.size
    for (const f of functions) if (f.returns !== 'void' && calls(f.body, asked) && !changesMemory(f)) asked.add(f.name)
  }
  return functions.map((f) => (calls(f.body, asked) ? withoutTimes(f, asked) : f))
}

const calls = (s: CStmt, names: ReadonlySet<string>): boolean =>
  expressionsOf(s).some((e) => e.kind === 'call' && names.has(e.name))

/** Whether the function stores anywhere but in its own scalars and structures, or calls what might. */
function changesMemory(f: CFunction): boolean {
  const own = localsOf(f)
  return expressionsOf(f.body).some((e) => {
    const target = e.kind === 'assign' ? e.left : e.kind === 'update' ? e.arg : undefined
    return (
      target !== undefined && (target.kind === 'index' || target.kind === 'deref' || !own.has(rootName(target) ?? ''))
    )
  })
}

/** Local variables that are no arrays. */
function localsOf(f: CFunction): ReadonlySet<string> {
  const names = new Set<string>()
  eachC(f.body, (s) => {
    if (s.kind === 'declare') for (const d of s.declarators) if (d.extents.length === 0) names.add(d.name)
  })
  return names
}

function withoutTimes(f: CFunction, asked: ReadonlySet<string>): CFunction {
  const own = localsOf(f),
    times = new Set<string>(),
    dropped: Dropped[] = []
  const isTime = (e: CExpr): boolean =>
    everywhere(e).some((x) => (x.kind === 'call' && asked.has(x.name)) || (x.kind === 'name' && times.has(x.name)))
  for (let before = -1; before !== times.size; ) {
    before = times.size
    eachC(f.body, (s) => {
      if (s.kind === 'declare') for (const d of s.declarators) if (d.initial && isTime(d.initial)) times.add(d.name)
    })
    for (const e of expressionsOf(f.body)) {
      if (e.kind === 'assign' && isTime(e.right)) times.add(rootName(e.left) ?? '')
      if (e.kind === 'call' && asked.has(e.name))
        for (const a of e.args) if (a.kind === 'address') times.add(rootName(a.arg) ?? '')
    }
  }
  if ([...times].some((name) => !own.has(name))) return f
  const isGone = (e: CExpr): boolean =>
    (e.kind === 'call' && asked.has(e.name)) ||
    (e.kind === 'assign' && times.has(rootName(e.left) ?? '')) ||
    (e.kind === 'update' && times.has(rootName(e.arg) ?? '')) ||
    (e.kind === 'cast' && e.type === 'void' && isGone(e.arg))
  const visit = (s: CStmt): CStmt => {
    if (s.kind === 'declare') return { ...s, declarators: s.declarators.filter((d) => !times.has(d.name)) }
    if (s.kind !== 'expr') return mapParts(s, (e) => e, visit)
    const isPrinted = s.expr.kind === 'call' && reportingFunctions.has(s.expr.name) && isTime(s.expr)
    if (!isGone(s.expr) && !isPrinted) return s
    if (s.expr.kind === 'call') dropped.push({ name: s.expr.name, at: s.at })
    return { kind: 'empty', at: s.at }
  }
  for (const e of expressionsOf(f.body))
    if (e.kind === 'call' && asked.has(e.name)) dropped.push({ name: e.name, at: e.at })
  const body = f.body.body.map(visit)
  const isLeft = body.some((s) =>
    expressionsOf(s).some((e) => (e.kind === 'name' && times.has(e.name)) || (e.kind === 'call' && asked.has(e.name))),
  )
  return isLeft ? f : { ...f, body: { ...f.body, body }, dropped: [...(f.dropped ?? []), ...dropped] }
}
