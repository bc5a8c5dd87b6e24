// `tesela occupancy`: warps in flight, every limit, what to change.
import { Option, type Command } from 'commander'
import { fail } from '../../base/index.ts'
import { gpu, type BlockUse, type GpuProfile } from '../../gpus/index.ts'
import { occupancyJson, occupancyLines } from '../../report/index.ts'
import { gpuNamed, wholeNumber } from '../flags.ts'
import { print, printJson, terminalOf } from '../terminal.ts'

interface Flags {
  readonly gpu: GpuProfile
  readonly threads?: number
  readonly registers: number
  readonly shared: number
  readonly json?: true
}

export function occupancyCommand(program: Command): void {
  program
    .command('occupancy')
    .description('warps in flight on a multiprocessor, every limit, and what to change')
    .addOption(
      new Option('--gpu <name>', 'GPU profile (tesela gpus lists them)')
        .argParser(gpuNamed)
        .default(gpu('h200'), 'h200'),
    )
    .option('--threads <n>', 'threads per block (needed)', wholeNumber(1, 65536))
    .option('--registers <n>', 'registers per thread; 0: unknown, no limit', wholeNumber(0, 65536), 0)
    .option('--shared <bytes>', 'shared memory per block', wholeNumber(0), 0)
    .option('--json', 'print the occupancy object as JSON')
    .action((flags: Flags) => run(flags))
}

function run(flags: Flags): void {
  const threads =
    flags.threads ??
    fail('cli.threads', 'the threads of a block are missing', undefined, 'give them with --threads 256')
  const use: BlockUse = { threads, registers: flags.registers, shared: flags.shared }
  const { paint, columns } = terminalOf(process.stdout)
  if (flags.json) printJson(occupancyJson(flags.gpu, use))
  else print(occupancyLines(flags.gpu, use, paint, columns))
}
