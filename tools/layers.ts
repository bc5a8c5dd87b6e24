// In: the import statements of src/ and site/, the files of src, test, tools, bench and site. Out: one line per import
// that breaks the levels of ARCHITECTURE.md, per cycle of imports, per folder with too many loose files, per file that
// a comment names and nobody has, per file that takes an error of the user's for an answer; exit 1 if any. The one
// idea: a folder's level is data; an import must go to a strictly lower level, through the folder's index, and inside
// of a folder files have an order, too; the site stands above all and knows the package by its public names only. It
// does not resolve types or follow packages.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, extname, join, relative, resolve } from 'node:path'

/**
 * Level of each unit of `src/`; a unit imports strictly lower levels only. `schedule/primitives` and the like are parts
 * of their folder.
 */
export const levels: Readonly<Record<string, number>> = {
  base: 0,
  record: 0,
  ir: 1,
  'frontend/c': 2,
  'frontend/wgsl': 2,
  'frontend/ptx': 2,
  analysis: 2,
  gpus: 2,
  transform: 3,
  regions: 4,
  schedule: 5,
  simulate: 3,
  emit: 3,
  model: 3,
  run: 3,
  pipeline: 6,
  tune: 7,
  explain: 7,
  study: 8,
  report: 8,
  store: 8,
  kernels: 9,
  compile: 10,
  ops: 10,
  farm: 11,
  cli: 12,
}

/** The unit a file under `src/` belongs to (`frontend/c`, `ir`, `pipeline` …). Throws when it belongs to none. */
export function unitOf(path: string): string {
  const parts = path.replace(/\.ts$/, '').split('/')
  for (const n of [2, 1]) {
    const unit = parts.slice(0, n).join('/')
    if (unit in levels) return unit
  }
  throw new Error(`src/${path} is in no folder of the design: add its level to tools/layers.ts and ARCHITECTURE.md`)
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*['"](\.[^'"]+)['"]|import\(\s*['"](\.[^'"]+)['"]\s*\)/g

function tsFiles(dir: string): string[] {
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name)
    if (statSync(path).isDirectory()) return tsFiles(path)
    return name.endsWith('.ts') ? [path] : []
  })
}

/** Every import of `root` (a `src/` folder) that breaks the levels, as sentences; empty when all is well. */
export function layerErrors(root: string): string[] {
  const errors: string[] = []
  for (const file of tsFiles(root)) {
    const from = relative(root, file)
    if (!from.includes('/') && unitIsPublic(from)) continue
    const unit = unitOf(from)
    for (const match of readFileSync(file, 'utf8').matchAll(importPattern)) {
      const to = relative(root, resolve(dirname(file), match[1] ?? match[2] ?? ''))
      const target = unitOf(to)
      if (target === unit) continue
      if (levels[target]! >= levels[unit]!)
        errors.push(
          `src/${from} (${unit}, level ${levels[unit]}) imports src/${to} (${target}, level ${levels[target]})`,
        )
      else if (target !== 'pipeline' && to !== `${target}/index.ts`)
        errors.push(`src/${from} reaches into src/${to}: import src/${target}/index.ts`)
    }
  }
  return errors
}

/** The files of `root` by what they import of it, types too. */
function importGraph(root: string): ReadonlyMap<string, readonly string[]> {
  const files = new Set(tsFiles(root))
  return new Map(
    [...files].map((file) => {
      const found = [...readFileSync(file, 'utf8').matchAll(importPattern)]
      const imported = found.map((m) => resolve(dirname(file), m[1] ?? m[2] ?? ''))
      return [file, imported.filter((f) => files.has(f))]
    }),
  )
}

/** Cycles of imports in `root` (a `src/` folder) that a walk in depth meets, as sentences; empty when all is well. */
export function cycleErrors(root: string): readonly string[] {
  const graph = importGraph(root),
    done = new Set<string>(),
    errors: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    const since = path.indexOf(file)
    const way = [...path, file]
    if (since >= 0)
      errors.push(
        `a cycle of imports: ${way
          .slice(since)
          .map((f) => relative(root, f))
          .join(' → ')}`,
      )
    if (since >= 0 || done.has(file)) return
    for (const next of graph.get(file) ?? []) visit(next, way)
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return errors
}

/** Every import of `site` that leaves its folder but for the package's public names, as sentences. */
export function siteErrors(site: string): string[] {
  return tsFiles(site).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(importPattern)].flatMap((match) => {
      const to = relative(site, resolve(dirname(file), match[1] ?? match[2] ?? ''))
      const said = `site/${relative(site, file)} imports ${to.replace(/^(\.\.\/)+/, '')}`
      return to.startsWith('..') ? [`${said}: use the package's public names (tesela/…)`] : []
    }),
  )
}

/** Top-level files that only re-export for the package's subpaths; they may import anything. */
function unitIsPublic(file: string): boolean {
  return [
    'index.ts',
    'compile.ts',
    'explain.ts',
    'html.ts',
    'kernels.ts',
    'occupancy.ts',
    'ops.ts',
    'optimize.ts',
    'study.ts',
  ].includes(file)
}

/** Files of code that may lie loose in a folder: what a person takes in at a glance. Folders of data have no limit. */
const looseFiles = 20

/** The files that people wrote, with those that are new; paths from `root`. */
function writtenFiles(root: string): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  return listed.split('\n').filter((f) => f !== '' && existsSync(resolve(root, f)))
}

const isCode = (file: string): boolean =>
  /^(src|test|tools|bench|site)\//.test(file) && /^\.(ts|mjs)$/.test(extname(file))

/** Folders with more files of code than `looseFiles`, as sentences; empty when all is well. */
export function folderErrors(root: string): readonly string[] {
  const loose = new Map<string, number>()
  for (const file of writtenFiles(root).filter(isCode)) loose.set(dirname(file), (loose.get(dirname(file)) ?? 0) + 1)
  return [...loose]
    .filter(([, n]) => n > looseFiles)
    .map(([folder, n]) => `${folder} has ${n} loose files, ${looseFiles} are allowed: give some of them a room`)
}

/**
 * A file of TypeScript that a comment or a document names: `tree.ts`, `emit/tree.ts`. Names in capitals stand for any
 * file, and what a command writes under `out/` is not ours.
 */
const citedFile = /`((?:[\w-]+\/)*[\w-]+(?:\.test)?\.ts)`/g

/** Places that name a file which nobody has, as sentences. The change log speaks of files as they were. */
export function citationErrors(root: string): readonly string[] {
  const files = writtenFiles(root)
  const ends = new Set(files.flatMap((f) => f.split('/').map((_, i, parts) => parts.slice(i).join('/'))))
  return files
    .filter((f) => isCode(f) || (f.endsWith('.md') && f !== 'CHANGELOG.md'))
    .flatMap((file) =>
      readFileSync(resolve(root, file), 'utf8')
        .split('\n')
        .flatMap((line, i) =>
          [...line.matchAll(citedFile)]
            .map((m) => m[1]!) // the pattern has one group
            .filter((name) => !/[A-Z]|^out\//.test(name) && !ends.has(name))
            .map((name) => `${file}:${i + 1} names ${name}, which is nowhere`),
        ),
    )
}

/** Units at the program's edges, which tell people of a `DiagnosticError`; `base` makes it a value for all others. */
const edges: readonly string[] = ['base', 'cli', 'compile', 'farm']

/** Files of `root` (a `src/` folder) that catch a `DiagnosticError` to go on without what it refuses, as sentences. */
export const catchErrors = (root: string): readonly string[] =>
  tsFiles(root)
    .map((file) => relative(root, file))
    .filter((file) => file.includes('/') && !edges.includes(unitOf(file)))
    .filter((file) => /instanceof DiagnosticError/.test(readFileSync(join(root, file), 'utf8')))
    .map((file) => `src/${file} catches a DiagnosticError: ask for a value (attempted, or a function try…)`)

/** All that this file checks of the repository at `root`. */
export const houseErrors = (root: string): readonly string[] => [
  ...layerErrors(join(root, 'src')),
  ...cycleErrors(join(root, 'src')),
  ...siteErrors(join(root, 'site')),
  ...catchErrors(join(root, 'src')),
  ...folderErrors(root),
  ...citationErrors(root),
]

if (process.argv[1]?.endsWith('layers.ts')) {
  const errors = houseErrors(resolve(import.meta.dirname ?? '.', '..'))
  for (const error of errors) console.error(error)
  process.exit(errors.length > 0 ? 1 : 0)
}
