// Before any test: `dist/` is built anew when it is missing or older than what it is made of, so that tests of the
// built package never test yesterday's.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

function newest(path: string): number {
  const stat = statSync(path)
  return stat.isDirectory()
    ? Math.max(
        0,
        ...readdirSync(path)
          .filter((name) => name !== 'made')
          .map((name) => newest(join(path, name))),
      )
    : stat.mtimeMs
}

export default function setup(): void {
  const built = join(root, 'dist/cli.js')
  const sources = Math.max(
    ...[
      'src',
      'examples/catalogue',
      'tools/build.mjs',
      'tools/texts.mjs',
      'tools/kernels.ts',
      'package.json',
      'tsconfig.json',
    ].map((p) => newest(join(root, p))),
  )
  if (!existsSync(built) || statSync(built).mtimeMs < sources)
    execFileSync(process.execPath, ['tools/build.mjs'], { cwd: root, stdio: 'inherit' })
}
