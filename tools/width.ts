// In: the sources that people write (src, test, bench, tools, site). Out: each line over 120 columns; exit 1 when there
// is one. The formatter breaks code but neither strings, templates, patterns nor comments: give a part of a template a
// name. It does not look at data, goldens or generated files.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Columns of a line, as the formatter's `lineWidth` in biome.json. */
const columns = 120
const folders = ['src', 'test', 'bench', 'tools', 'site']

const isWritten = (file: string): boolean => /\.(ts|mjs|js)$/.test(file) && !/\/made\//.test(file)

/** Lines that are too long, as `file:line`. */
function longLines(root: string): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], {
    cwd: root,
    encoding: 'utf8',
  })
  const files = listed.split('\n').filter((f) => isWritten(f) && existsSync(resolve(root, f)))
  return files.flatMap((file) => {
    const lines = readFileSync(resolve(root, file), 'utf8').split('\n')
    return lines.flatMap((line, i) => (line.length > columns ? [`${file}:${i + 1}`] : []))
  })
}

if (process.argv[1]?.endsWith('width.ts')) {
  const found = longLines(resolve(import.meta.dirname, '..'))
  for (const place of found) console.error(`${place} has more than ${columns} columns`)
  process.exit(found.length > 0 ? 1 : 0)
}
