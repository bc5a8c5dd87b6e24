// In: a CUDA C++ file. Out: its PTX with line information, the machine code that `ptxas` makes of it and what it says
// each kernel takes. The one idea: NVIDIA's own compiler reads C++, so every CUDA program that it takes can be
// explained. It is started without a shell, in a folder of its own, with a limit of time; its messages become
// diagnostics at the user's lines.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { DiagnosticError, fail, type Diagnostic } from '../base/index.ts'
import type { ExplainSource, IncludedFile } from '../explain/index.ts'
import { readMachineCode, type MachineFunction } from '../frontend/ptx/index.ts'
import { includedBy } from './included-files.ts'

export interface NvccOptions {
  /** Compute capability; 9.0 when absent. */
  readonly capability?: readonly [number, number]
  readonly includes?: readonly string[]
  /** `NAME` or `NAME=VALUE`. */
  readonly defines?: readonly string[]
  /** A template kernel with its arguments that the file itself does not use: `k<float, 4>`. */
  readonly instance?: string
  /** Milliseconds for each of the two programs; two minutes when absent. */
  readonly timeout?: number
}

/** What the assembler says of one kernel. */
export interface KernelUse {
  readonly registers: number
  readonly sharedBytes: number
  readonly spillBytes: number
}

export interface CompiledCuda {
  readonly ptx: string
  /** The path under which the compiler read the file, as `.file` has it. */
  readonly path: string
  /** Files that code of the PTX comes from, beside the file itself. */
  readonly included: readonly IncludedFile[]
  /** What the assembler made of that PTX, by function. */
  readonly machine: ReadonlyMap<string, MachineFunction>
  /** By mangled name. */
  readonly kernels: Readonly<Record<string, KernelUse>>
}

const how = (file: string): string =>
  `where the CUDA toolkit is, run: nvcc -ptx -lineinfo -arch=sm_90 ${file.replace(/[^\w./-]/g, '_')}; then ` +
  `explain the .ptx file`

/** Compiles a file. Throws `cuda.nvcc` when there is no compiler, `cuda.compile` with its errors. */
export function compileCudaFile(file: string, options: NvccOptions = {}): CompiledCuda {
  const path = resolve(file)
  const paths = [path, ...(options.includes ?? []), ...(options.defines ?? [])]
  const odd = paths.find((p) => !/^[\w./+=,@ :()-]*$/.test(p))
  if (odd !== undefined)
    fail(
      'cuda.nvcc',
      `nvcc passes names on to a shell, so '${printable(odd)}' is not given to it`,
      undefined,
      'use letters, digits and . / _ - + = alone',
    )
  const [major, minor] = options.capability ?? [9, 0]
  if (major * 10 + minor < 75)
    fail(
      'cuda.nvcc',
      `this GPU has compute capability ${major}.${minor}, which today's nvcc does not compile for (7.5 and newer)`,
      undefined,
      'give --arch 90, or explain PTX that an older nvcc made',
    )
  const folder = mkdtempSync(join(tmpdir(), 'tesela-cuda-'))
  try {
    const out = join(folder, 'kernel.ptx')
    const flags = [
      ...(options.includes ?? []).map((i) => `-I${resolve(i)}`),
      ...(options.defines ?? []).map((d) => `-D${d}`),
      `-I${dirname(path)}`,
    ]
    run(
      'nvcc',
      [
        '-ptx',
        '-lineinfo',
        `-arch=sm_${major}${minor}`,
        '-std=c++17',
        '--expt-relaxed-constexpr',
        '--extended-lambda',
        ...flags,
        '-o',
        out,
        options.instance === undefined ? path : using(folder, path, options.instance),
      ],
      file,
      folder,
      options.timeout,
    )
    const ptx = readFileSync(out, 'utf8')
    const cubin = join(folder, 'kernel.cubin')
    const kernels = assemble(out, cubin, major, minor, file, folder, options.timeout)
    const included = includedBy(ptx, path, file, options.includes ?? [])
    return { ptx, path, included, kernels, machine: readMachineCode(readFileSync(cubin)) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Compiles a text that would stand in the place of a file; what that includes is found beside it. */
export function compileCudaText(text: string, file: string, options: NvccOptions = {}): CompiledCuda {
  const folder = mkdtempSync(join(tmpdir(), 'tesela-cuda-'))
  try {
    const path = join(folder, basename(file))
    writeFileSync(path, text)
    return compileCudaFile(path, { ...options, includes: [...(options.includes ?? []), dirname(resolve(file))] })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** PTX of a CUDA text for cc 9.0. Throws as `compileCudaFile` does. */
export function ptxOfText(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tesela-cuda-'))
  try {
    const [file, out] = [join(folder, 'kernel.cu'), join(folder, 'kernel.ptx')]
    writeFileSync(file, text)
    run('nvcc', ['-ptx', '-arch=sm_90', '-std=c++17', '-o', out, file], 'the emitted CUDA', folder)
    return readFileSync(out, 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A file that uses an instance of a template in another, so that the compiler makes it. */
function using(folder: string, path: string, instance: string): string {
  if (!/^[\w:<>, *&()+-]+$/.test(instance))
    fail('cuda.template', `'${printable(instance)}' is no template with its arguments`)
  const file = join(folder, 'instance.cu')
  writeFileSync(file, `#include "${path}"\nnamespace { auto wanted = &${instance}; }\n`)
  return file
}

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 120)

function assemble(
  ptx: string,
  cubin: string,
  major: number,
  minor: number,
  file: string,
  folder: string,
  timeout: number | undefined,
): CompiledCuda['kernels'] {
  const log = run('ptxas', ['-v', '-lineinfo', `-arch=sm_${major}${minor}`, '-o', cubin, ptx], file, folder, timeout)
  return readUse(log)
}

/** Reads the lines of `ptxas -v`. */
export function readUse(log: string): CompiledCuda['kernels'] {
  const number = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0)
  return Object.fromEntries(
    log
      .split(/Compiling entry function '/)
      .slice(1)
      .map((part): [string, KernelUse] => [
        part.slice(0, part.indexOf("'")),
        {
          registers: number(part, /Used (\d+) registers/),
          sharedBytes: number(part, /(\d+) bytes smem/),
          spillBytes: number(part, /(\d+) bytes spill stores/),
        },
      ]),
  )
}

function run(program: string, args: readonly string[], file: string, cwd: string, timeout = 120_000): string {
  const done = spawnSync(program, args, { encoding: 'utf8', cwd, timeout, maxBuffer: 2 ** 26, killSignal: 'SIGKILL' })
  const missing = done.error as NodeJS.ErrnoException | undefined // what spawn gives
  if (missing?.code === 'ENOENT')
    fail('cuda.nvcc', `${program} is not on this machine, and CUDA C++ is read through it`, undefined, how(file))
  if (missing?.code === 'ETIMEDOUT' || done.signal !== null)
    fail('cuda.nvcc', `${program} was stopped after ${timeout / 1000} seconds`, undefined, how(file))
  if (missing) fail('cuda.nvcc', `${program} does not start: ${missing.message}`, undefined, how(file))
  if (done.status !== 0) throw new DiagnosticError(errorsOf(`${done.stdout}${done.stderr}`, file, program))
  return `${done.stdout}${done.stderr}`
}

/** `file(12): error: text` and `file:12:3: fatal error: text` as diagnostics; the first ten. */
export function errorsOf(log: string, file: string, program: string): readonly Diagnostic[] {
  const found = log.split('\n').flatMap((line): Diagnostic[] => {
    const m = /^(.*?)(?:\((\d+)\)|:(\d+)(?::(\d+))?): (?:fatal |catastrophic )?error(?: #[\w-]+)?: (.*)$/.exec(line)
    if (!m) return []
    const mine = m[1] === resolve(file) ? file : m[1]!
    return [
      {
        severity: 'error',
        code: 'cuda.compile',
        message: printable(m[5]!),
        at: { file: mine, line: Number(m[2] ?? m[3]), column: Number(m[4] ?? 1) },
      },
    ]
  })
  if (found.length > 0) return found.slice(0, 10)
  const words = printable(log.split('\n').find((l) => /error|fatal/i.test(l)) ?? 'no message').trim()
  return [
    {
      severity: 'error',
      code: 'cuda.compile',
      message: `${program} failed: ${words}`,
      at: { file, line: 1, column: 1 },
    },
  ]
}

/** A CUDA text with what its compiler made of it, as `explain` takes them. */
export function cudaSource(text: string, file: string, made: CompiledCuda): ExplainSource {
  const { ptx, path, included, kernels, machine } = made
  return {
    text,
    file,
    language: 'cuda',
    ptx,
    ptxFile: `PTX of ${file}`,
    compiledFrom: path,
    included,
    machine,
    registers: Object.fromEntries(Object.entries(kernels).map(([name, k]) => [name, k.registers])),
  }
}
