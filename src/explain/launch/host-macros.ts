// Lists and macros in the text of host code. In: text. Out: what stands between commas; the macros of a file by name.
// The one idea: brackets keep what is inside together. Which of several definitions is meant is not asked.

/** The texts between commas that stand in no bracket. */
export function parts(text: string): readonly string[] {
  const out: string[] = []
  let depth = 0,
    start = 0
  for (let i = 0; i <= text.length; i++) {
    const c = text[i]
    if (c !== undefined && '([{'.includes(c)) depth++
    if (c !== undefined && ')]}'.includes(c)) depth--
    if (i === text.length || (c === ',' && depth === 0)) {
      out.push(text.slice(start, i).trim())
      start = i + 1
    }
  }
  return out.filter((p) => p !== '')
}

/** `params`: null of a macro without brackets. */
export interface Macro {
  readonly params: readonly string[] | null
  readonly body: string
}

/** The macros that a text defines, the last definition of each. */
export function macrosOf(text: string): ReadonlyMap<string, Macro> {
  const joined = text.replace(/\\\r?\n/g, ' ')
  const found = [...joined.matchAll(/^[ \t]*#[ \t]*define[ \t]+(\w+)(\(([^)]*)\))?[ \t]+(.+)$/gm)]
  return new Map(
    found.map((m) => [
      m[1]!,
      {
        params: m[2] === undefined ? null : parts(m[3] ?? ''),
        body: m[4]!.replace(/\/\/.*$|\/\*.*?\*\//g, '').trim(),
      },
    ]),
  )
}
