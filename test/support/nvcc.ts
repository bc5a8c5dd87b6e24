// CUDA without a GPU for tests: nvcc compiles to a cubin and ptxas says what registers it took. A machine without nvcc
// is told so in the test's output; nothing is passed over in silence.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let known: boolean | undefined

/** Whether `nvcc` can be run here; says so once when it cannot. */
export function nvccAvailable(): boolean {
  if (known === undefined) {
    known = spawnSync('nvcc', ['--version']).status === 0
    if (!known) console.warn('NOT CHECKED: nvcc is not on this machine, so no emitted CUDA is compiled')
  }
  return known
}

export interface CompiledKernel {
  readonly name: string
  readonly registers: number
  readonly spillBytes: number
  readonly sharedBytes: number
}

/** Compiles one translation unit for sm_90; throws nvcc's messages when it does not compile. */
export function compileCuda(text: string, options: readonly string[] = []): readonly CompiledKernel[] {
  const folder = mkdtempSync(join(tmpdir(), 'tesela-'))
  try {
    writeFileSync(join(folder, 'kernel.cu'), text)
    const args = [
      '-arch=sm_90',
      '-cubin',
      '-std=c++17',
      '-Xptxas',
      '-v',
      ...options,
      '-o',
      join(folder, 'kernel.cubin'),
      join(folder, 'kernel.cu'),
    ]
    const run = spawnSync('nvcc', args, { encoding: 'utf8' })
    if (run.status !== 0) throw new Error(`${run.stdout}${run.stderr}`)
    return resourceUse(run.stdout + run.stderr)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What `ptxas -v` printed. */
export function resourceUse(log: string): readonly CompiledKernel[] {
  const number = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0)
  return log
    .split(/Compiling entry function '/)
    .slice(1)
    .map((part) => ({
      name: part.slice(0, part.indexOf("'")),
      registers: number(part, /Used (\d+) registers/),
      spillBytes: number(part, /(\d+) bytes spill stores/),
      sharedBytes: number(part, /(\d+) bytes smem/),
    }))
}
