// Launches as the host code of a CUDA file writes them. In: the text, values that are known otherwise. Out: each
// `kernel<<<grid, block, shared>>>(…)` with its sizes, the scalars it passes and the bytes of its arrays, and the names
// that are missing. The one idea: loops around a launch are followed round by round, and what it writes is read in the
// scope of each (`host-scope.ts`).
import type { Dim3 } from '../../ir/index.ts'
import { codeOf, lineAt, pathTo, headOf, type SourceCode } from '../fixes/source-text.ts'
import type { DeviceProperties } from './device-properties.ts'
import { macrosOf } from './host-macros.ts'
import { enumerationsIn, Scope, type HostText, type LaunchedKernel, type Names } from './host-scope.ts'
import { incrementOf, loopHeads } from './host-statements.ts'
import { kernelsIn } from './kernel-pointers.ts'
import { launchesWritten } from './written-launches.ts'

export interface HostLaunch extends LaunchedKernel {
  readonly line: number
  readonly column: number
  /** Null where the text does not say it. */
  readonly grid: Dim3 | null
  readonly block: Dim3 | null
  readonly shared: number
  /** What is passed, as the text writes it. */
  readonly passed: readonly string[]
  /** Scalars by their position among the parameters. */
  readonly args: Readonly<Record<string, number>>
  /** Bytes of arrays by the position of their parameter. */
  readonly bytes: Readonly<Record<number, number>>
  /** Names whose values the grid and the block need. */
  readonly missing: readonly string[]
  /** The text says a size of no blocks or no threads. */
  readonly isEmpty?: true
  /** It stands in a loop whose rounds the text does not say; this is the first. */
  readonly uncounted?: true
}

/**
 * Every launch as often as the loops around it run, in order. `known`: values of names that come first, of flags.
 * `included`: texts whose macros and functions the file uses. `device`: what the program is told of its GPU.
 */
export function hostLaunches(
  text: string,
  known: Names,
  included: readonly string[] = [],
  device: DeviceProperties = {},
): readonly HostLaunch[] {
  const code = codeOf(text, 'cuda'),
    others = included.map((t) => codeOf(t, 'cuda').bare)
  const macros = new Map([...included, text].flatMap((t) => [...macrosOf(t)])),
    host: HostText = {
      code,
      macros,
      others,
      enumerations: [code.bare, ...others].flatMap(enumerationsIn),
      kernels: kernelsIn([code.bare, ...others]),
      device,
    }
  return launchesWritten(code, macros).flatMap(({ at, groups, given, passed }) => {
    const around = pathTo(code, at).map((s) => headOf(code, s.item).trim())
    const scopeOf = (names: Names): Scope => new Scope(host, names, at, 0)
    const { rounds, isWhole } = roundsOf(around, known, scopeOf)
    const launchedIn = (scope: Scope): HostLaunch => {
      const grid = scope.dimensions(given[0] ?? '')
      const block = scope.dimensions(given[1] ?? '')
      return {
        ...scope.launched(groups),
        line: lineAt(text, at),
        column: at - text.lastIndexOf('\n', at - 1),
        grid,
        block,
        shared: scope.number(given[2] ?? '0')?.n ?? 0,
        passed: passed.map((p) => p.trim()),
        args: Object.fromEntries(passed.flatMap((p, i) => scope.argument(p, i))),
        bytes: Object.fromEntries(passed.flatMap((p, i) => scope.allocated(p, i))),
        missing: grid && block ? [] : [...new Set(scope.missing)],
        ...(given.slice(0, 2).some((size) => scope.isNone(size)) && { isEmpty: true }),
        ...(!isWhole && { uncounted: true }),
      }
    }
    const callers = kernelCallers(scopeOf(known), groups)
    const [once] = rounds,
      written = [...given, ...passed, ...Object.values(groups ?? {})].join()
    const alike = once && !dependsOnRound(code, at, written) ? launchedIn(scopeOf(once)) : null
    return [
      ...rounds.map((names) => alike ?? launchedIn(scopeOf(names))),
      ...callers.map((call) => launchedIn(new Scope(host, known, at, 0, call))),
    ]
  })
}

/** Whether a launch, or what stands in the loops around it, names one of their variables: else all rounds are alike. */
function dependsOnRound(code: SourceCode, at: number, written: string): boolean {
  const loops = pathTo(code, at).flatMap(({ item }) => {
    const text = code.bare.slice(item.from, item.to).trim(),
      heads = loopHeads(text)
    const [last] = heads.slice(-1)
    return last === undefined ? [] : [{ heads, body: text.slice(text.indexOf(last) + last.length) }]
  })
  const names = loops.flatMap(({ heads }) => heads.flatMap((h) => /(\w+)\s*[=:{]/.exec(h)?.[1] ?? []))
  const texts = [written, ...loops.map((l) => l.body)]
  return names.some((name) => texts.some((t) => new RegExp(`\\b${name}\\b`).test(t)))
}

/** Calls of a function that are looked at. */
const mostCalls = 64

/** Calls of the function around a launch that give it other kernels than those before. */
function kernelCallers(first: Scope, callee: Readonly<Record<string, string>> | undefined): readonly number[] {
  const seen = new Set([first.launched(callee).entry])
  return Array.from({ length: Math.min(first.calls, mostCalls) - 1 }, (_, i) => i + 1).filter((call) => {
    const { entry, open } = first.withCall(call).launched(callee)
    if (open !== undefined || seen.has(entry)) return false
    seen.add(entry)
    return true
  })
}

/** Rounds of all loops around a launch that are followed one by one. */
const mostRounds = 1024

/**
 * What the variables of the loops around a place are, round by round. A loop that cannot be followed is passed once, as
 * its beginning says; then it is not the whole.
 */
function roundsOf(
  around: readonly string[],
  known: Names,
  scopeOf: (names: Names) => Scope,
): { readonly rounds: readonly Names[]; readonly isWhole: boolean } {
  let rounds: readonly Names[] = [known],
    isWhole = true
  if (around.some((head) => /^(?:while|do)\b/.test(head))) isWhole = false
  for (const inside of around.flatMap(loopHeads)) {
    const next = rounds.map((names) => roundsOfLoop(inside.split(';'), names, scopeOf))
    const all = next.flatMap((list) => list ?? [])
    if (next.includes(null) || all.length > mostRounds) isWhole = false
    else rounds = all
  }
  return { rounds, isWhole }
}

/** `for (int i = a; i < b; i += c)`; null where the text does not say its values, or where there are too many. */
function roundsOfLoop(
  [init = '', condition = '', step = '']: readonly string[],
  known: Names,
  scopeOf: (names: Names) => Scope,
): readonly Names[] | null {
  const [, each, list] = condition === '' ? (/^[\w\s&]*[\s&](\w+)\s*:\s*([^:][^]*)$/.exec(init.trim()) ?? []) : []
  if (each !== undefined && list !== undefined) {
    const all = scopeOf(known)
      .listed(list)
      ?.map((n) => ({ ...known, [each]: n }))
    return all && all.length <= mostRounds ? all : null
  }
  const [, name, from] = /^(?:[\w\s]*\s)?(\w+)\s*=\s*([^]+)$/.exec(init.trim()) ?? []
  const next = name === undefined ? undefined : incrementOf(step.trim(), name)
  if (name === undefined || from === undefined || next === undefined) return null
  const rounds: Names[] = [],
    scope = scopeOf(known)
  let value = scope.number(from)?.n
  while (rounds.length <= mostRounds) {
    if (value === undefined) return null
    const own = { [name]: value },
      goesOn = scope.number(condition, own)
    if (goesOn === null) return null
    if (goesOn.n === 0) return rounds
    rounds.push({ ...known, ...own })
    value = scope.number(next, own)?.n
  }
  return null
}
