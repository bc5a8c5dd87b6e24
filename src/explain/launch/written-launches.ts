// Launches as a CUDA file writes them. In: its text and macros. Out: the callee, the sizes and what is passed of each,
// as texts, with its place. The one idea: a launch in a macro is one at every use of the macro, with the arguments of
// that use; macros in macros are not followed.
import { closing, type SourceCode } from '../fixes/source-text.ts'
import { parts, type Macro } from './host-macros.ts'
import { launchPattern } from './kernel-pointers.ts'

/** A launch as it is written, at a place of the file: where it stands, or where a macro that holds it is used. */
export interface WrittenLaunch {
  readonly at: number
  readonly groups: Readonly<Record<string, string>> | undefined
  readonly given: readonly string[]
  readonly passed: readonly string[]
}

export function launchesWritten(code: SourceCode, macros: ReadonlyMap<string, Macro>): readonly WrittenLaunch[] {
  const uses = [...macros].flatMap(([name, { params, body }]) =>
    params === null || !body.includes('<<<')
      ? []
      : [...code.bare.matchAll(new RegExp(`\\b${name}\\s*\\(`, 'g'))].flatMap((m) => {
          const open = m.index + m[0].length,
            args = parts(code.text.slice(open, closing(code.bare, open - 1) - 1)),
            text = expanded(params, body, args)
          return launchesOf(text, text).map((l) => ({ ...l, at: m.index }))
        }),
  )
  return [...launchesOf(code.bare, code.text), ...uses].sort((a, b) => a.at - b.at)
}

/** The body of a macro with its arguments in place. */
const expanded = (params: readonly string[], body: string, args: readonly string[]): string =>
  body.replace(/\b[A-Za-z_]\w*\b/g, (word) => args[params.indexOf(word)] ?? word)

/** The launches of a text, given without its comments and strings too. */
function launchesOf(bare: string, text: string): readonly WrittenLaunch[] {
  return [...bare.matchAll(launchPattern)].flatMap((m) => {
    const open = m.index + m[0].length,
      close = endOf(bare, open)
    const [bracket] = /^>>\s*>\s*\(/.exec(bare.slice(close)) ?? []
    if (close < 0 || bracket === undefined) return []
    const first = close + bracket.length,
      end = closing(bare, first - 1) - 1
    return [
      { at: m.index, groups: m.groups, given: parts(text.slice(open, close)), passed: parts(text.slice(first, end)) },
    ]
  })
}

/** Where `>>>` closes the launch; −1 where it does not. */
function endOf(bare: string, open: number): number {
  let depth = 0
  for (let i = open; i < bare.length && bare[i] !== ';'; i++) {
    if ('([{'.includes(bare[i]!)) depth++
    if (')]}'.includes(bare[i]!)) depth--
    if (depth === 0 && /^>>\s*>/.test(bare.slice(i, i + 4))) return i
  }
  return -1
}
