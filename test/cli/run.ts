// For tests: the built command line as a child process, in a fresh folder.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { swiftShaderFolder } from '../support/dawn.ts'

export const root = resolve(import.meta.dirname, '../..')
const cli = join(root, 'dist/cli.js')

export interface Run {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A new empty folder with files in it. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tesela-test-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** What a command line has in its environment to run on SwiftShader. */
export function softwareDevice(): Readonly<Record<string, string>> {
  const folder = swiftShaderFolder()
  return {
    LD_LIBRARY_PATH: folder,
    VK_ICD_FILENAMES: join(folder, 'vk_swiftshader_icd.json'),
    NODE_OPTIONS: `--import ${pathToFileURL(resolve(import.meta.dirname, '../support/clearing.mjs'))}`,
  }
}

/** Runs `tesela args…` in `cwd`, piped. */
export function tesela(
  args: readonly string[],
  cwd: string = folderWith({}),
  env: Readonly<Record<string, string>> = {},
): Run {
  const { NO_COLOR: _, FORCE_COLOR: __, ...clean } = process.env
  const r = spawnSync(process.execPath, [cli, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...clean, ...env },
    timeout: 100_000,
  })
  return { code: r.status, out: r.stdout, err: r.stderr }
}
