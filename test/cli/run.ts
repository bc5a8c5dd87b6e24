// For tests: the built command line, in a fresh folder, in a child process that short runs share.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { swiftShaderFolder } from '../support/dawn.ts'
import { longestRun, runServed, type Run } from './served/served.ts'

export const root = resolve(import.meta.dirname, '../..')
const cli = join(root, 'dist/cli.js')

export type { Run }

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

/** Without what has it write colours. */
function environment(): NodeJS.ProcessEnv {
  const { NO_COLOR: _, FORCE_COLOR: __, ...clean } = process.env
  return clean
}

/** Runs `tesela args…` in `cwd`, piped; with something in its environment in a process of its own. */
export function tesela(
  args: readonly string[],
  cwd: string = folderWith({}),
  env: Readonly<Record<string, string>> = {},
): Run {
  // farms start processes, and hear signals
  const isShared = Object.keys(env).length === 0 && args[0] !== 'farm'
  return isShared ? runServed(cli, args, cwd, environment()) : teselaAlone(args, cwd, env)
}

/** The same in a process of its own. */
export function teselaAlone(
  args: readonly string[],
  cwd: string = folderWith({}),
  env: Readonly<Record<string, string>> = {},
): Run {
  const r = spawnSync(process.execPath, [cli, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...environment(), ...env },
    timeout: longestRun,
  })
  return { code: r.status, out: r.stdout, err: r.stderr }
}
