// In: the sources of the passes. Out: the example of each, by the pass's name: a program before it and after it, as
// text of its representation. The one idea: an example stands in the comment in front of the declaration, where it is
// read with the pass; tests run it and `docs/passes.md` shows it, and what users load does not carry it.
import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

export interface PassExample {
  readonly before: string
  readonly after: string
  /** Where it stands, from the repository's root. */
  readonly file: string
}

const root = resolve(import.meta.dirname, '..')

/** A comment, perhaps a docstring, and the declaration of a pass with its name. */
const declaration =
  /((?:^\/\/.*\n)+)(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?(?:export )?const \w+ = pass\b[^{]*\(\{\n\s*name: '([\w-]+)'/gm

/** What stands in `comment` under a heading, without the margin of the comment. */
function under(heading: string, comment: string): string | undefined {
  const lines = comment.split('\n')
  const at = lines.indexOf(`// ${heading}:`)
  if (at < 0) return undefined
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((l) => /^\/\/ \S/.test(l))
  const body = end < 0 ? rest : rest.slice(0, end)
  return body
    .map((l) => l.replace(/^\/\/( {3})?/, ''))
    .join('\n')
    .trim()
}

/** All examples. Throws when a pass has half of one or a name has two. */
export function passExamples(): ReadonlyMap<string, PassExample> {
  const found = new Map<string, PassExample>()
  for (const name of readdirSync(join(root, 'src'), { recursive: true }).map(String).sort()) {
    if (!name.endsWith('.ts')) continue
    const text = readFileSync(join(root, 'src', name), 'utf8')
    for (const [, comment = '', pass = ''] of text.matchAll(declaration)) {
      const before = under('Before', comment),
        after = under('After', comment)
      if (before === undefined && after === undefined) continue
      if (before === undefined || after === undefined) throw new Error(`src/${name}: ${pass} has half of an example`)
      if (found.has(pass)) throw new Error(`src/${name}: ${pass} has two examples`)
      found.set(pass, { before, after, file: `src/${name}` })
    }
  }
  return found
}
