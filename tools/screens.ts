// In: Markdown files. Out: the same with the output of commands as they print it now. The one idea: a code block whose
// first line is `$ npx tesela explain …` (or study, occupancy, gpus) is what that command prints; `optimize` searches
// for half a minute and says how long, so that its screen is pasted by hand. `npx tsx tools/screens.ts` rewrites the
// files.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
export const files: readonly string[] = [
  'README.md',
  'docs/explain.md',
  'docs/ci.md',
  ...readdirSync(join(root, 'docs/guide'))
    .filter((f) => f.endsWith('.md'))
    .map((f) => `docs/guide/${f}`)
    .sort(),
]

/** A code block that shows a command, and what it should show. */
export interface Screen {
  readonly file: string
  readonly command: string
  readonly shown: string
}

const block = /```\n\$ npx tesela ((?:explain|occupancy|gpus|study)[^\n]*)\n([\s\S]*?)```/g

/** What a command prints; `dist/` must be built. */
export function printed(command: string): string {
  const args = [...command.matchAll(/'([^']*)'|(\S+)/g)].map((m) => m[1] ?? m[2] ?? '')
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env
  const r = spawnSync(process.execPath, [join(root, 'dist/cli.js'), ...args], { cwd: root, encoding: 'utf8', env })
  return `${r.stdout}${r.stderr}`
}

/** Every screen of the files. */
export function screens(): Screen[] {
  return files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(block)].map(
      (m): Screen => ({ file, command: m[1] ?? '', shown: m[2] ?? '' }),
    ),
  )
}

function rewrite(): void {
  for (const file of files) {
    const path = join(root, file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      text.replace(block, (_, command: string) => `\`\`\`\n$ npx tesela ${command}\n${printed(command)}\`\`\``),
    )
  }
}

if (process.argv[1]?.endsWith('screens.ts')) rewrite()
