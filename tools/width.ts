// In: the sources that people write (src, test, bench, tools, site). Out: each line over 120 columns; exit 1 when a
// folder has more of them than it is allowed. The formatter breaks code but neither strings, templates nor comments.
// It does not look at data, goldens or generated files.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Columns of a line, as the formatter's `lineWidth` in biome.json. */
const columns = 120

/**
 * Lines that are still longer, by folder: mostly one template whose expression needs a name. These numbers only go
 * down; a folder that is not named has none.
 */
const allowed: Readonly<Record<string, number>> = {
  bench: 16,
  'src/cli': 4,
  'src/emit': 3,
  'src/explain': 3,
  'src/frontend/c': 14,
  'src/frontend/ptx': 1,
  'src/frontend/wgsl': 1,
  'src/ir': 3,
  'src/kernels': 6,
  'src/report': 8,
  'src/schedule': 40,
  'src/study': 4,
  'src/transform': 3,
  'src/tune': 1,
  test: 27,
  tools: 1,
}

/** The folder of `allowed` that a file is counted in: a folder of `src`, else the first one of its path. */
function folderOf(file: string): string {
  const parts = file.split('/')
  if (parts[0] !== 'src') return parts[0] ?? file
  return parts.slice(0, parts[1] === 'frontend' ? 3 : 2).join('/')
}

/** Lines that are too long, as `file:line`, by folder. */
export function longLines(root: string): ReadonlyMap<string, readonly string[]> {
  const folders = ['src', 'test', 'bench', 'tools', 'site']
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], {
    cwd: root,
    encoding: 'utf8',
  })
  const found = new Map<string, string[]>()
  for (const file of listed
    .split('\n')
    .filter((f) => /\.(ts|mjs|js)$/.test(f) && !/\/made\//.test(f) && existsSync(resolve(root, f)))) {
    const lines = readFileSync(resolve(root, file), 'utf8').split('\n')
    lines.forEach((line, i) => {
      if (line.length <= columns) return
      const folder = folderOf(file)
      found.set(folder, [...(found.get(folder) ?? []), `${file}:${i + 1}`])
    })
  }
  return found
}

/** What breaks the rule, as sentences; empty when all is well. */
export function widthErrors(root: string): readonly string[] {
  const found = longLines(root)
  const folders = new Set([...found.keys(), ...Object.keys(allowed)])
  return [...folders].flatMap((folder) => {
    const lines = found.get(folder) ?? []
    const most = allowed[folder] ?? 0
    if (lines.length > most)
      return [`${folder} has ${lines.length} lines over ${columns} columns, ${most} are allowed: ${lines.join(' ')}`]
    if (lines.length < most)
      return [`${folder} has only ${lines.length} lines over ${columns} columns: set its number in tools/width.ts`]
    return []
  })
}

if (process.argv[1]?.endsWith('width.ts')) {
  const errors = widthErrors(resolve(import.meta.dirname, '..'))
  for (const error of errors) console.error(error)
  process.exit(errors.length > 0 ? 1 : 0)
}
