// `tesela job`: one unit of work as a file, for schedulers of batch jobs: the same result wherever and however often it
// is run.
import type { Command } from 'commander'
import { dirname } from 'node:path'
import { readJob, runJobInFile } from '../../farm/index.ts'
import { jobFiles, jobTools, readJson } from '../job-tools.ts'
import { checkFile, writeFiles } from '../outputs.ts'
import { print, printJson } from '../terminal.ts'

interface Flags {
  readonly o?: string
  readonly json?: true
}

export function jobCommand(program: Command): void {
  program
    .command('job')
    .description('one unit of work, for batch systems: simulate, optimize, search, prove, measure or fuzz')
    .argument('<file.json>', 'the job (tesela.job/1)')
    .option('-o <file>', 'where the result goes (default: FILE.result.json); one of the same job is kept')
    .option('--json', 'print the result, too')
    .action((file: string, flags: Flags) => run(file, flags))
}

async function run(file: string, flags: Flags): Promise<void> {
  const tools = jobTools()
  const job = await readJob(readJson(file), jobFiles, dirname(file), tools.wasm)
  const path = flags.o ?? `${file.replace(/\.json$/, '')}.result.json`
  checkFile(path)
  const result = await runJobInFile(job, path, tools, (where, text) => writeFiles({ [where]: text }))
  if (flags.json) printJson(result)
  else print([`${job.kind} ${result.key.slice(0, 12)}: ${path}`])
}
