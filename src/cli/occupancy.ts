// `tesela occupancy`: warps in flight, every limit, what to change.
import type { Command } from 'commander'
import { gpu, type BlockUse, type GpuProfile } from '../gpus/index.ts'
import { occupancyJson, occupancyLines } from '../report/index.ts'
import { gpuNamed, wholeNumber } from './flags.ts'
import { print, printJson, terminalOf } from './terminal.ts'

interface Flags { readonly gpu: GpuProfile; readonly threads: number; readonly registers: number; readonly shared: number; readonly json?: true }

export function occupancyCommand(program: Command): void {
  program.command('occupancy').description('warps in flight on a multiprocessor, every limit, and what to change')
    .option('--gpu <name>', 'GPU profile (tesela gpus lists them)', gpuNamed, gpu('h200'))
    .requiredOption('--threads <n>', 'threads per block', wholeNumber(1, 65536))
    .option('--registers <n>', 'registers per thread; 0: unknown, no limit', wholeNumber(0, 65536), 0)
    .option('--shared <bytes>', 'shared memory per block', wholeNumber(0), 0)
    .option('--json', 'print the occupancy object as JSON')
    .action((flags: Flags) => run(flags))
}

function run(flags: Flags): void {
  const use: BlockUse = { threads: flags.threads, registers: flags.registers, shared: flags.shared }
  const { paint, columns } = terminalOf(process.stdout)
  if (flags.json) printJson(occupancyJson(flags.gpu, use))
  else print(occupancyLines(flags.gpu, use, paint, columns))
}
