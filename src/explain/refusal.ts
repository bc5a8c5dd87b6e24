// In: why a launch cannot be counted, hazards of the blocks that ran before, what nobody gave. Out: one refusal that
// says all. The one idea: what keeps a kernel from ending is often the hazard itself, and is there whether it ends or
// not; or an integer that is 0 because nobody gave it, by which a loop steps.
import type { Diagnostic, Inapplicable, Span } from '../base/index.ts'
import { allStatements, type Kernel, type Stmt } from '../ir/index.ts'
import type { ExplainReport } from './types.ts'
import type { Ungiven } from './ungiven.ts'

/** The refusal first, then what is amiss: `explain.race` and so on, at the places of the accesses. */
export function withHazards(refusal: Inapplicable, hazards: ExplainReport['hazards']): Inapplicable {
  const found = hazards
    .filter((h) => h.level === 'error')
    .map(
      (h): Diagnostic => ({
        severity: 'error',
        code: `explain.${h.kind}`,
        message: `before that: ${h.message}; for example ${h.example}`,
        hint: h.fix,
        ...(h.at && { at: h.at }),
      }),
    )
  return { inapplicable: [...refusal.inapplicable, ...found] }
}

type Condition = Extract<Stmt, { kind: 'if' }>

/** Names that a sentence lists. */
const mostNames = 6

/** A loop that does not end with the integers that decide that and that nobody gave, and how to give them. */
export function withUngiven({ inapplicable }: Inapplicable, kernel: Kernel, open: readonly Ungiven[]): Inapplicable {
  const [first, ...rest] = inapplicable,
    exits = first?.at && endless.has(first.code) ? exitsOf(kernel, first.at) : [],
    deciding = open.filter((u) => u.holdsIntegers && exits.some((e) => u.follows(e.condition))).slice(0, mostNames)
  if (!first || deciding.length === 0) return { inapplicable }
  const names = deciding.map((u) => `'${u.name}'`).join(', '),
    isOne = deciding.length === 1
  const told: Diagnostic = {
    ...first,
    message:
      `${first.message}; whether the loop ends follows from ${names}, ` +
      `which nobody gave: ${isOne ? 'it is' : 'they are'} 0`,
    hint: `give ${deciding.map(flagOf).join(' ')}`,
  }
  return { inapplicable: [told, ...rest] }
}

/** Refusals of kernels that may never end. */
const endless: ReadonlySet<string> = new Set(['explain.steps', 'simulate.steps'])

const flagOf = ({ name, isNumber }: Ungiven): string =>
  isNumber ? `--arg '${name.replace('[…]', '[0]')}=VALUE'` : `--buffer '${name}=TYPE[COUNT]:@FILE'`

/** The conditions by which loops at a line are left. */
function exitsOf({ body }: Kernel, { file, line }: Span): readonly Condition[] {
  const isHere = (s: Stmt): boolean => s.at?.file === file && s.at.line === line
  return allStatements(body).flatMap((loop): readonly Condition[] => {
    if (loop.kind !== 'loop') return []
    const exits = allStatements([loop]).filter(
      (s): s is Condition => s.kind === 'if' && [...s.then, ...s.else].some((t) => jumps.has(t.kind)),
    )
    return (loop.at ? isHere(loop) : exits.some(isHere)) ? exits : []
  })
}

const jumps: ReadonlySet<Stmt['kind']> = new Set(['break', 'continue', 'return'])
