// `tesela gpus`: the GPU profiles that are known, and where their numbers come from.
import type { Command } from 'commander'
import { gpu, gpuNames, unknowns, type GpuProfile, type Sourced } from '../../gpus/index.ts'
import { amount, digits, table } from '../../report/index.ts'
import { print, printJson, terminalOf } from '../terminal.ts'

export function gpusCommand(program: Command): void {
  program
    .command('gpus')
    .description('the GPU profiles that --gpu takes')
    .option('--json', 'print the profiles as JSON')
    .action((flags: { json?: true }) => run(flags.json === true))
}

function run(json: boolean): void {
  const profiles = gpuNames().map(gpu)
  const { paint } = terminalOf(process.stdout)
  if (json) return printJson(profiles)
  const right = (title: string) => ({ title, align: 'right' as const })
  const columns = [
    { title: 'name' },
    { title: 'GPU' },
    right('cc'),
    right('SMs'),
    right('clock'),
    right('fp32'),
    right('DRAM'),
    right('warps\nper SM'),
    right('shared\nper SM'),
    { title: 'bandwidth is' },
    { title: 'not documented' },
  ]
  const legend =
    'fp32: multiply-adds counted as two operations, at the clock shown. --json gives every number with its source.'
  print([
    ...table(
      columns,
      profiles.map((p) => row(p, paint.bold)),
      { paint },
    ),
    '',
    `  ${paint.dim(legend)}`,
  ])
}

const bases: Readonly<Record<Sourced['basis'], string>> = {
  found: 'from a source',
  measured: 'measured',
  recalled: 'recalled',
  inferred: 'inferred',
  unknown: 'unknown',
}

const count = (n: number): string => (Number.isFinite(n) ? String(n) : '?')

function row(p: GpuProfile, bold: (text: string) => string): string[] {
  const flops = 2 * p.throughput.fp32.value * p.multiprocessors * p.clockHz.value
  const { dramBytesPerSecond: dram } = p.memory
  return [
    bold(p.name),
    p.title,
    p.computeCapability?.join('.') ?? '',
    String(p.multiprocessors),
    `${digits(p.clockHz.value / 1e9)} GHz`,
    Number.isFinite(flops) ? `${amount(flops)}FLOP/s` : '?',
    `${amount(dram.value)}B/s`,
    count(p.occupancy.maxWarps),
    Number.isFinite(p.occupancy.shared) ? `${p.occupancy.shared / 1024} KiB` : '?',
    bases[dram.basis],
    unknowns(p).join(', '),
  ]
}
