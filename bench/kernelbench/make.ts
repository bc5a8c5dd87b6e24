// In: a folder of launchers that `kernelbench.ts --cuda OUT` wrote. Out: a shared library beside each, for an H100 or
// H200, and CUDA's runtime that they ask for, which a machine with another CUDA may not have. Those that are newer than
// their file stay.
//   npx tsx bench/kernelbench/make.ts OUT
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { someOf } from '../arguments.ts'

const out = process.argv[2]
if (out === undefined) throw new Error('say make.ts OUT')

const flags = ['-std=c++17', '-O3', '-arch=sm_90', '-cudart', 'shared', '-shared', '-Xcompiler', '-fPIC', '-w']
let failed = 0
for (const file of someOf(
  readdirSync(out)
    .filter((f) => f.endsWith('.cu'))
    .sort(),
  `launcher in ${out}`,
)) {
  const from = join(out, file),
    to = from.replace(/\.cu$/, '.so')
  if (existsSync(to) && statSync(to).mtimeMs > statSync(from).mtimeMs) continue
  const started = Date.now()
  const built = spawnSync('nvcc', [...flags, '-o', to, from], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    timeout: 300_000,
  })
  if (built.status !== 0) failed++
  const said = built.status === 0 ? `${((Date.now() - started) / 1e3).toFixed(1)} s` : built.stderr || 'no answer'
  process.stdout.write(`${file}: ${said}\n`)
}

/** The runtime by the name that a library asks for, wherever the linker of this machine finds it. */
const library = readdirSync(out).find((f) => f.endsWith('.so') && !f.startsWith('lib'))
if (library !== undefined) {
  const runtime = /NEEDED.*\[(libcudart\.so\.\d+)\]/.exec(
    execFileSync('readelf', ['-d', join(out, library)], { encoding: 'utf8' }),
  )?.[1]
  const { stderr: said } = spawnSync('nvcc', ['--dryrun', join(out, library.replace(/so$/, 'cu'))], {
    encoding: 'utf8',
  })
  const top = /TOP=(.*)/.exec(said)?.[1]?.trim() ?? ''
  const found = ['lib64', 'targets/x86_64-linux/lib', 'lib']
    .map((d) => join(top, d, runtime ?? ''))
    .find((f) => runtime !== undefined && existsSync(f))
  if (found === undefined) process.stdout.write(`${runtime ?? 'a runtime'} is not beside nvcc; copy it yourself\n`)
  else copyFileSync(realpathSync(found), join(out, runtime!))
}
if (failed > 0) process.exitCode = 1
