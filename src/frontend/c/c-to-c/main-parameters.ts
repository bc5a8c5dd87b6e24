// In: `main`, when it is the function that is meant. Out: the same as a function with parameters. The one idea: what a
// program leaves are the arrays that it fills and the numbers that it prints, so these are what the kernels give;
// numbers that it takes from its command line (`atoi(argv[1])`) are what they take. Its own result, which only says
// that all went well, is left out.
import { comparisons } from '../../../base/index.ts'
import { cFunction, type InUnit } from '../text/representation.ts'
import { keeping, pass } from '../../../ir/index.ts'
import { eachC, expressionsOf, mapC, mapParts, nameOf, numberOf, withoutResult, writtenIn } from './c-rewriting.ts'
import { everywhere } from './name-uses.ts'
import { startsOf } from './counted-header.ts'
import { allocators } from './pointers-to-indices.ts'
import type { CExpr, CFunction, CStmt, Declarator } from '../text/syntax.ts'

// Before:
//
//   int main(int argc, char **argv) {
//     int n = atoi(argv[1]);
//     float s = 0;
//     for (int i = 0; i < n; i++) s += i;
//     printf("%f", s);
//     return 0;
//   }
//
// After:
//
//   void main(int argument1) {
//     int n = argument1;
//     float s = 0;
//     for (int i = 0; i < n; i++) {
//       s += i;
//     }
//     printf(/* a string */, s);
//   }
export const mainParameters = pass<CFunction, InUnit>({
  name: 'main-parameters',
  summary: '`main` is a function whose parameters are what it reads from its command line and what it fills or prints',
  of: cFunction,
  run: keeping(withoutMain),
})

const readers: Readonly<Record<string, 'i32' | 'f64'>> = {
  atoi: 'i32',
  atol: 'i32',
  atoll: 'i32',
  strtol: 'i32',
  strtoul: 'i32',
  strtoll: 'i32',
  atof: 'f64',
  strtod: 'f64',
  strtof: 'f64',
}
const printers: ReadonlySet<string> = new Set(['printf', 'fprintf'])

/** `main` with its outputs marked and its arguments as parameters; any other function as it is. */
export function withoutMain(f: CFunction): CFunction {
  return f.name === 'main' ? withOutputs(withArguments(f)) : f
}

/** The number k of `atoi(argv[k])`. */
function argumentIn(e: CExpr, list: string | undefined): number | undefined {
  const [first] = e.kind === 'call' && Object.hasOwn(readers, e.name) ? e.args : []
  return first?.kind === 'index' &&
    first.base.kind === 'name' &&
    first.base.name === list &&
    first.index.kind === 'number'
    ? first.index.value
    : undefined
}

function withArguments(f: CFunction): CFunction {
  const [count, list] = f.parameters.filter((p) => p.name !== '')
  if (!count || !list) return { ...f, parameters: [] }
  const found = new Map<number, Declarator>()
  const visit = (e: CExpr): CExpr =>
    mapC(e, (x) => {
      const k = argumentIn(x, list.name)
      if (k === undefined || x.kind !== 'call') return x
      found.set(k, { name: `argument${k}`, type: readers[x.name]!, extents: [], at: x.at }) // it was asked
      return nameOf(`argument${k}`, x.at)
    })
  const walk = (s: CStmt): CStmt => mapParts(s, visit, walk)
  const read = walk(f.body),
    given = Math.max(0, ...found.keys()) + 1
  const counted = (e: CExpr): CExpr =>
    mapC(e, (x) => known(x.kind === 'name' && x.name === count.name ? numberOf(given, x.at) : x))
  const all = (s: CStmt): CStmt => mapParts(s, counted, all)
  const body = all(read),
    asked = new Set(expressionsOf(body).flatMap((e) => (e.kind === 'name' ? [e.name] : [])))
  const others = asked.has(list.name) ? [list] : []
  return {
    ...f,
    parameters: [
      ...others,
      ...[...found.values()].filter((p) => asked.has(p.name)).sort((a, b) => a.name.localeCompare(b.name)),
    ],
    body: { ...f.body, body: body.kind === 'block' ? body.body : [body] },
  }
}

/** Comparisons of numbers, and choices by them, worked out. */
function known(e: CExpr): CExpr {
  const test = e.kind === 'binary' ? comparisons[e.op] : undefined
  if (e.kind === 'binary' && test && e.left.kind === 'number' && e.right.kind === 'number')
    return numberOf(test(e.left.value, e.right.value) ? 1 : 0, e.at)
  return e.kind === 'choose' && e.condition.kind === 'number' ? (e.condition.value !== 0 ? e.then : e.else) : e
}

function withOutputs(f: CFunction): CFunction {
  const written = writtenIn(f.body),
    counters = new Set<string>(),
    printed = new Set<string>()
  eachC(f.body, (s) => {
    if (s.kind === 'for') for (const x of startsOf(s)?.of ?? []) counters.add(x.name)
  })
  for (const e of expressionsOf(f.body))
    if (e.kind === 'call' && printers.has(e.name))
      for (const a of e.args) for (const x of everywhere(a)) if (x.kind === 'name') printed.add(x.name)
  const opened = new Set(
    expressionsOf(f.body).flatMap((e) =>
      e.kind === 'assign' && e.left.kind === 'name' && isMemory(e.right) ? [e.left.name] : [],
    ),
  )
  const isOutput = (d: Declarator): boolean => {
    if (d.struct || d.isStatic || d.unknown) return false
    if (d.pointer)
      return written.has(d.name) && (opened.has(d.name) || (d.initial !== undefined && isMemory(d.initial)))
    return d.extents.length > 0
      ? written.has(d.name) && !d.initial
      : written.has(d.name) && printed.has(d.name) && !counters.has(d.name)
  }
  const outputs: string[] = []
  const mark = (d: Declarator): Declarator => {
    if (!isOutput(d)) return d
    outputs.push(d.name)
    return { ...d, isOutput: true }
  }
  const body = f.body.body.map((s) =>
    withoutResult(s.kind === 'declare' ? { ...s, declarators: s.declarators.map(mark) } : s),
  )
  const last = body[body.length - 1],
    trimmed = last?.kind === 'return' ? body.slice(0, -1) : body
  const notes =
    outputs.length > 0
      ? [`what main leaves, in arrays and in numbers that it prints, is what the kernels give: ${outputs.join(', ')}`]
      : []
  return { ...f, returns: 'void', body: { ...f.body, body: trimmed }, notes: [...(f.notes ?? []), ...notes] }
}

const isMemory = (e: CExpr): boolean => e.kind === 'call' && allocators.has(e.name)
