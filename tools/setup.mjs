// Brings a fresh clone to a built package: installs the locked dependencies when they are missing or stale, then
// builds.
import { execSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { dirname, join } from 'node:path'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const lock = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')
const stamp = join(root, 'node_modules/.tesela-lock')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  console.error('installing the locked dependencies …')
  execSync('npm ci --no-audit --no-fund', { cwd: root, stdio: ['ignore', 2, 2] })
  writeFileSync(stamp, lock)
}
execSync('node tools/build.mjs', { cwd: root, stdio: ['ignore', 2, 2] })
