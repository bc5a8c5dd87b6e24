// In: `src/kernels/index.ts` and the docstrings of what it exports. Out: docs/api.md, the reference of the library. The
// one idea: a docstring stands before its declaration and the declaration says the types, so the page is these, name by
// name, as they stand in the sources. Usage: npx tsx tools/api.ts [--check]   (exit 1 when the page is not what the
// sources say)
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..'),
  index = join(root, 'src/kernels/index.ts'),
  page = join(root, 'docs/api.md')

interface Entry {
  readonly name: string
  readonly doc: string
  readonly code: string
}

/** Names that the index exports, with the files they come from. */
function exported(): readonly (readonly [name: string, file: string])[] {
  return [...readFileSync(index, 'utf8').matchAll(/export (?:type )?\{\s([^}]*)\s\} from '(.*)'/g)].flatMap((m) =>
    m[1]!
      .split(',')
      .filter((n) => n.trim() !== '')
      .map((n) => [n.replace(/\btype\b/, '').trim(), join(dirname(index), m[2]!)] as const),
  ) // the pattern has groups
}

/** The docstring that ends right before `at`, as one paragraph or its lines; empty without one. */
function docBefore(text: string, at: number): string {
  const found = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(text.slice(0, at))
  return (found?.[1] ?? '')
    .split('\n')
    .map((l) => l.replace(/^\s*\*? ?/, '').trimEnd())
    .join('\n')
    .trim()
}

/**
 * What a declaration says without its body: up to the brace of a function or class, all of a type; of a class its
 * public members.
 */
function declared(text: string, at: number): string {
  const rest = text.slice(at),
    head = rest.slice(0, rest.search(/\n\}|\n\n|$/) + 2)
  if (/^export (async )?function\*? /.test(rest)) return /^[\s\S]*?(?= \{(?: \/\/[^\n]*)?\n)/.exec(rest)?.[0] ?? ''
  if (rest.startsWith('export const ')) return /^[\s\S]*?(?= =>| = new| = \[)/.exec(rest)?.[0] ?? ''
  if (rest.startsWith('export class ')) return `${/^.*\{/.exec(rest)?.[0] ?? ''}\n${members(rest).join('\n')}\n}`
  return (
    rest.startsWith('export interface') ? rest.slice(0, rest.indexOf('\n}') + 2) : (rest.split('\n\n')[0] ?? head)
  ).trimEnd()
}

/** Public methods and fields of a class, each with its docstring. */
function members(text: string): readonly string[] {
  const body = text.slice(0, text.indexOf('\n}'))
  const docstring = /\n((?:  \/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?)/
  const name = /(?!private|constructor|\[|return|if|\}|\/)(?:async |readonly |get )?[\w]+/
  const methodOrType = /(?:<[^(]*>)?(?:\(.*?\)(?:: .*?)?(?= \{)|: [^=\n]*)/
  const member = new RegExp(`${docstring.source}  (${name.source}${methodOrType.source})`, 'g')
  return [...body.matchAll(member)].map((m) => `${m[1] ?? ''}  ${m[2] ?? ''}`)
}

const declares = (file: string, name: string): boolean =>
  new RegExp(`^export .*\\b${name}\\b`, 'm').test(readFileSync(file, 'utf8'))

function entryOf(name: string, file: string): Entry {
  const text = readFileSync(file, 'utf8'),
    found = new RegExp(`^export (?:async )?(?:function\\*?|const|class|interface|type) ${name}\\b`, 'm').exec(text)
  const others = [...text.matchAll(/^export \* from '(.*)'/gm)].map((m) => join(dirname(file), m[1]!))
  const declaring = found ? undefined : others.find((other) => declares(other, name))
  if (declaring !== undefined) return entryOf(name, declaring)
  if (!found) throw new Error(`${file} does not declare ${name}`)
  return { name, doc: docBefore(text, found.index), code: declared(text, found.index) }
}

/** The page. */
export function reference(): string {
  const entries = exported()
    .map(([name, file]) => entryOf(name, file))
    .sort((a, b) => a.name.toLowerCase().localeCompare(b.name.toLowerCase(), 'en'))
  const parts = entries.map(
    ({ name, doc, code }) => `## ${name}\n\n${doc ? `${doc}\n\n` : ''}\`\`\`ts\n${code}\n\`\`\`\n`,
  )
  return (
    `# Reference of tesela/kernels\n\nMade from the docstrings by \`npx tsx tools/api.ts\`. \`open\` gives all ` +
    `of it as methods of [Gpu](#gpu); how things go together is in [library.md](library.md) and the ` +
    `[cookbook](cookbook.md).\n\n${parts.join('\n')}`
  )
}

if (process.argv[1]?.endsWith('api.ts')) {
  const text = reference()
  if (!process.argv.includes('--check')) writeFileSync(page, text)
  else if (readFileSync(page, 'utf8') !== text) {
    console.error('docs/api.md is not current: npx tsx tools/api.ts')
    process.exit(1)
  }
}
