// In: what `-D` and `#pragma tesela sizes` say, the file's text and what was read from it. Out: which `-D` are macros
// and which are values to plan for. The one idea: a `-D` that nothing in the file is called is a misspelling, and is
// refused; so is a size of the pragma that is nearly one of the function's, while others may be meant for other files.
import { fail, nearest, type Span } from '../../../base/index.ts'
import type { Preprocessed } from './preprocess.ts'
import type { CFunction } from './syntax.ts'
import { tokenLines, type Token } from './tokens.ts'

/** A value to plan for, and where it is said. */
export interface Planned {
  readonly value: number
  readonly at: Span
}

/** A `-D` name that is a parameter in the text is a value to plan for; all others are macros. */
export function sortDefines(
  text: string,
  file: string,
  defines: Readonly<Record<string, string>>,
): { macros: Record<string, string>; values: Map<string, Planned> } {
  const macros: Record<string, string> = {},
    values = new Map<string, Planned>(),
    names = Object.keys(defines)
  const parameters =
    names.length > 0
      ? parametersIn(tokenLines(text, file).flatMap((l) => (l.directive ? [] : l.tokens)))
      : new Set<string>()
  for (const [name, value] of Object.entries(defines)) {
    if (!parameters.has(name)) {
      macros[name] = value
      continue
    }
    if (value.trim() === '' || Number.isNaN(Number(value))) fail('c.define', `-D ${name}=${value} is no number`)
    values.set(name, { value: Number(value), at: placeOf(name) })
  }
  return { macros, values }
}

const placeOf = (name: string): Planned['at'] => ({ file: `-D ${name}`, line: 1, column: 1 })

/** Words before a name that make no type of it. */
const noTypes: ReadonlySet<string> = new Set(['return', 'else', 'case', 'goto', 'sizeof', 'do', 'in'])

/** Names in brackets with a type before and a comma or bracket behind: parameters. */
function parametersIn(tokens: readonly Token[]): ReadonlySet<string> {
  const found = new Set<string>()
  let depth = 0
  for (const [i, t] of tokens.entries()) {
    if (t.text === '(') depth++
    if (t.text === ')') depth--
    const before = tokens[i - 1],
      after = tokens[i + 1]?.text
    if (
      t.kind === 'name' &&
      depth > 0 &&
      before?.kind === 'name' &&
      !noTypes.has(before.text) &&
      (after === ',' || after === ')')
    )
      found.add(t.text)
  }
  return found
}

/**
 * Throws a `DiagnosticError` for a `-D` that nothing in the file is called, and for a size of the pragma that is a
 * macro, or no parameter but nearly one that it does not name.
 */
export function checkNames(
  macros: Readonly<Record<string, string>>,
  source: Preprocessed,
  f: CFunction,
  functions: readonly CFunction[],
  sizes: readonly string[],
): void {
  const known = new Set([...sizes, ...functions.flatMap((g) => g.parameters.map((p) => p.name))])
  const own = f.parameters.flatMap((p) => (p.extents.length === 0 && p.name !== '' ? [p.name] : []))
  const hint = (name: string, others: readonly string[]): string | undefined => {
    const near = nearest(name, [...own, ...others])
    return near ? `did you mean ${near}?` : own.length > 0 ? `${f.name} has ${own.join(', ')}` : undefined
  }
  for (const [name, value] of Object.entries(macros)) {
    // Without a value it may be a switch of other files, and what begins like this belongs to compilers.
    if (value !== '1' && !name.startsWith('_') && !source.names.has(name))
      fail(
        'c.define',
        `nothing in the file is called ${name}`,
        placeOf(name),
        hint(
          name,
          [...source.macros].filter((m) => m !== name),
        ),
      )
  }
  for (const [name, { at }] of source.planned) {
    if (known.has(name)) continue
    if (source.macros.has(name))
      fail(
        'c.pragma',
        `${name} is a macro, not a size that the caller gives`,
        at,
        `change its #define, or give -D ${name}=VALUE`,
      )
    const near = nearest(
      name.toLowerCase(),
      own.filter((o) => !source.planned.has(o)).map((o) => o.toLowerCase()),
    )
    if (near !== undefined)
      fail(
        'c.pragma',
        `${f.name} has no size or number that is called ${name}`,
        at,
        `did you mean ${own.find((o) => o.toLowerCase() === near) ?? near}?`,
      )
  }
}
