// `tesela doctor`: what this machine can do (compile, run on WebGPU, run on CUDA) and, in sentences, what stands in the
// way. It changes nothing and always exits 0: a missing GPU is no error, the simulator needs none.
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { DiagnosticError } from '../../base/index.ts'
import { loadParser } from '../../frontend/c/index.ts'
import { list, paragraph, printable, type Paint } from '../../report/index.ts'
import { openCuda, openWebGpu } from '../../run/index.ts'
import { parserFiles } from '../files.ts'
import { print, printJson, terminalOf } from '../terminal.ts'
import { version } from '../version.ts'

/** One thing that was tried. */
interface Check {
  readonly name: string
  readonly ok: boolean
  /** What was found, or what stands in the way. */
  readonly found: string
  /** What to do about it. */
  readonly hint?: string
}

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('what this machine can do, and what stands in the way')
    .option('--json', 'print the checks as JSON')
    .action((flags: { json?: true }) => run(flags.json === true))
}

async function run(json: boolean): Promise<void> {
  const checks = [node(), await parser(), await webgpu(), await cuda(), await nvcc()]
  const { paint, columns } = terminalOf(process.stdout)
  if (json) return printJson({ schema: 'tesela.doctor/1', version: version(), checks })
  print([...checks.flatMap((c) => lines(c, paint, columns)), '', ...summary(checks, columns)])
}

function lines(c: Check, paint: Paint, columns: number): string[] {
  const mark = c.ok ? paint.green('✓') : paint.yellow('–')
  const name = paint.bold(c.name.padEnd(22))
  return [
    ...paragraph(`  ${mark} ${name} `, printable(c.found), columns),
    ...(c.hint ? paragraph(`  ${' '.repeat(25)}${paint.cyan('hint:')} `, printable(c.hint), columns) : []),
  ]
}

function summary(checks: readonly Check[], columns: number): string[] {
  const has = (name: string): boolean => checks.some((c) => c.name === name && c.ok)
  const measures = [...(has('WebGPU') ? ['--measure webgpu'] : []), ...(has('CUDA') ? ['--measure cuda'] : [])]
  const with_ =
    measures.length > 0
      ? `Measuring on this machine: ${list(measures, 'or')}.`
      : 'Nothing can be measured here: times are predicted.'
  return paragraph(
    '  ',
    `Reading C, scheduling, simulating, verifying and predicting work on every machine. ${with_}`,
    columns,
  )
}

function node(): Check {
  const major = Number(process.versions.node.split('.')[0])
  const found = `Node ${process.versions.node} on ${process.platform} ${process.arch}, ${availableParallelism()} cores`
  return major >= 20
    ? { name: 'Node', ok: true, found }
    : { name: 'Node', ok: false, found: `${found}; Tesela needs Node 20 or later`, hint: 'install a newer Node' }
}

const vulkanHint =
  'install the Vulkan loader (libvulkan1) and the driver of your GPU; VK_ICD_FILENAMES may name a software device'

const messageOf = (error: unknown): { found: string; hint?: string } => {
  const first = error instanceof DiagnosticError ? error.diagnostics[0] : undefined
  const hint = first && (first.code === 'webgpu.adapter' ? vulkanHint : first.hint)
  if (first) return { found: `${first.message}.`, ...(hint && { hint }) }
  return { found: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) }
}

async function check(name: string, work: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, found: await work() }
  } catch (error) {
    return { name, ok: false, ...messageOf(error) }
  }
}

const parser = (): Promise<Check> =>
  check('C parser', async () => {
    await loadParser(parserFiles())
    return 'tree-sitter with its C grammar loads'
  })

async function webgpu(): Promise<Check> {
  const name = 'webgpu' // a variable: the package is optional
  // the package's own types declare the same
  const dawn = (await import(name).catch(() => null)) as { create(options: string[]): GPU; globals: object } | null
  if (!dawn)
    return {
      name: 'WebGPU',
      ok: false,
      found: 'the optional package webgpu (Dawn) is not installed, so WGSL cannot run in Node here.',
      hint: 'npm install webgpu',
    }
  return check('WebGPU', async () => {
    Object.assign(globalThis, dawn.globals)
    const gpu = await openWebGpu({ create: dawn.create, toggles: ['enable-dawn-features=allow_unsafe_apis'] })
    const { info } = gpu
    const features = (['timestamp-query', 'subgroups', 'shader-f16'] as const).map(
      (f) => `${f} ${gpu.device.features.has(f) ? 'yes' : 'no'}`,
    )
    const slow = /swiftshader|llvmpipe|lavapipe/i.test(`${info?.description} ${info?.device}`)
      ? '; this is a processor pretending to be a GPU, its times mean little'
      : ''
    gpu.close()
    return `${info?.description || info?.device || info?.vendor || 'an adapter'}: ${features.join(', ')}${slow}`
  })
}

const cuda = (): Promise<Check> =>
  check('CUDA', async () => {
    const device = await openCuda()
    return `${device.name}, compute capability ${device.computeCapability.join('.')}, through the driver and NVRTC`
  })

async function nvcc(): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)('nvcc', ['--version'], { timeout: 20_000 })
    const release = /release ([\d.]+)/.exec(stdout)?.[1]
    return { name: 'nvcc', ok: true, found: `release ${release ?? 'unknown'}: .cu files can be compiled and read` }
  } catch {
    return {
      name: 'nvcc',
      ok: false,
      found: 'nvcc does not start here, so .cu files cannot be compiled.',
      hint: 'install the CUDA toolkit and put nvcc on the PATH',
    }
  }
}
