// In: a kernel, what ran of it, contents that nobody gave. Out: accesses that never ran, by the condition that kept
// them from it and what that follows from. The one idea: on the way from the kernel's beginning to a statement that did
// not run, the last condition that ran decided: it sent all threads another way, or those that it held jumped.
import { allStatements, listsOf, type Counters, type Kernel, type Stmt } from '../ir/index.ts'
import type { AccessJson, ExplainReport } from './types.ts'
import { sourcePlace } from './accesses.ts'
import type { LanguageWords } from './wording.ts'

type Unreached = ExplainReport['unreached'][number]
type Condition = Extract<Stmt, { kind: 'if' }>

/** What an access of the report is in the kernel. */
export interface Subjects {
  readonly kernel: Pick<Kernel, 'body'>
  readonly executions: Counters['executions']
  /** The accesses that the report lists for a memory statement, by its number in program order. */
  readonly accessOf: (site: number) => AccessJson | undefined
  /** The variables without contents that a condition follows from. */
  readonly follows: (condition: Condition['condition']) => readonly string[]
  /** Accesses of the report. */
  readonly total: number
  readonly words: LanguageWords
  /** What stands at a place of the source. */
  readonly textAt: (at: Stmt['at']) => string | null
}

/** One for each condition that kept accesses from running, the one with most accesses first. */
export function unreachedAccesses(s: Subjects): readonly Unreached[] {
  const ran = ranOf(s.executions),
    groups = new Map<string, { readonly decider: Condition | null; readonly list: Set<AccessJson> }>()
  allStatements(s.kernel.body)
    .filter((x) => x.kind === 'load' || x.kind === 'store' || x.kind === 'atomic')
    .forEach((x, site) => {
      const access = s.accessOf(site)
      if (!access || access.requests > 0 || ran(x)) return
      const decider = deciderOf(s.kernel.body, x, ran)?.condition ?? null
      // `a || b` is two conditions at one place
      const key = `${decider?.at?.file}:${decider?.at?.line}:${decider?.at?.column}`,
        group = groups.get(key) ?? { decider, list: new Set() }
      group.list.add(access)
      groups.set(key, group)
    })
  return [...groups.values()]
    .map(({ decider, list }) => unreached(s, decider, list.size))
    .sort((a, b) => b.accesses - a.accesses)
}

function unreached(s: Subjects, decider: Condition | null, accesses: number): Unreached {
  const condition = decider ? s.textAt(decider.at) : null,
    follows = decider ? s.follows(decider.condition) : [],
    what = `${accesses} of ${s.total} accesses never ran`,
    where = decider?.at
      ? `: the condition at line ${decider.at.line}${condition ? `, \`${condition}\`,` : ''} sent all ` +
        `${s.words.threads} another way`
      : '',
    names = follows.map((n) => `'${n}'`).join(', ')
  const why = follows.length > 0 ? `. It follows from ${names}, whose contents nobody gave (--arg, --buffer)` : ''
  return { accesses, message: `${what}${where}${why}`, at: sourcePlace(decider?.at), condition, follows }
}

function ranOf(executions: Counters['executions']): (s: Stmt) => boolean {
  const found = new Set(executions.flatMap(({ statements, warps }) => (warps > 0 ? statements : [])))
  return (s) => found.has(s)
}

/** The condition that decided that `target` does not run; null condition: not known. Null: it is not in the list. */
function deciderOf(
  list: readonly Stmt[],
  target: Stmt,
  ran: (s: Stmt) => boolean,
): { readonly condition: Condition | null } | null {
  let last: Condition | null = null
  for (const s of list) {
    if (s === target) return { condition: last }
    for (const inner of listsOf(s)) {
      const found = deciderOf(inner, target, ran)
      if (!found) continue
      const isHere = ran(s) && found.condition === null && s.kind === 'if'
      return { condition: (ran(s) ? found.condition : null) ?? (isHere ? s : last) }
    }
    last = jumpIn(s, null, ran) ?? last
  }
  return null
}

/** The innermost condition around a jump that ran. */
function jumpIn(s: Stmt, around: Condition | null, ran: (s: Stmt) => boolean): Condition | null {
  if (s.kind === 'return' || s.kind === 'break' || s.kind === 'continue') return ran(s) ? around : null
  const inside = s.kind === 'if' ? s : around
  for (const inner of listsOf(s))
    for (const x of inner) {
      const found = jumpIn(x, inside, ran)
      if (found) return found
    }
  return null
}
