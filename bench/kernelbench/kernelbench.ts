// In: programs of this folder and of `level1` and `level2` (all of this folder, or those whose names begin with one of
// the words given: `conv`, `level1`, `level2/014`). Out: for each what `optimize` predicts on an H200, the time that
// any schedule must take there (`lowerBound`), their ratio, CPU seconds, and what stands between; at the end the
// median and the greatest of these seconds. The search has the effort that it has by default. The programs are layers
// of neural networks at sizes that benchmarks of such use, written as plain loops; those of the levels are
// KernelBench's problems under its numbers.
//   npx tsx bench/kernelbench/kernelbench.ts [NAME…] [--json FILE] [--cuda OUT] [--limit SECONDS] [--memory GB]
// `--json` adds a line of JSON per program to FILE. `--cuda` writes launchers for `make.ts` and `harness.py`. With
// `--limit` each program is compiled in a process of its own, which is ended after so many seconds of a processor or
// when it holds more than `--memory` (4) GB. `bench/device/programs.ts make bench/kernelbench OUT` makes plans to time
// through Tesela.
import { fork } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { DiagnosticError } from '../../src/base/index.ts'
import { defaultEffort } from '../../src/cli/commands/optimize.ts'
import { parserFiles } from '../../src/cli/files.ts'
import { loadParser, parseC } from '../../src/frontend/c/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { chooseVariant, executions } from '../../src/ir/index.ts'
import { optimize, plannedValues } from '../../src/tune/index.ts'
import { countFrom, someOf } from '../arguments.ts'
import { launcherFile } from './launcher-file.ts'

const { values: given, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    cuda: { type: 'string' },
    limit: { type: 'string' },
    memory: { type: 'string' },
    one: { type: 'boolean' },
  },
})
const folder = resolve(import.meta.dirname)

/**
 * What is known of a program. `refusal`: the compiler does not take it; `ended`: it took too long or too much; `error`:
 * it should not have failed so.
 */
interface Row {
  readonly name: string
  readonly predicted?: number
  readonly bound?: number
  readonly ratio?: number
  readonly launches?: number
  readonly seconds?: number
  readonly megabytes?: number
  readonly finding?: string
  readonly refusal?: string
  readonly ended?: string
  readonly error?: string
}

const programsIn = (level: string): string[] =>
  existsSync(join(folder, level))
    ? readdirSync(join(folder, level))
        .filter((f) => f.endsWith('.c'))
        .map((f) => join(level, f.slice(0, -2)))
    : []

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

async function compiled(name: string): Promise<Row> {
  const before = cpuSeconds()
  const spent = (): Pick<Row, 'seconds' | 'megabytes'> => ({
    seconds: cpuSeconds() - before,
    megabytes: Math.round(process.resourceUsage().maxRSS / 1024),
  })
  try {
    const text = readFileSync(join(folder, `${name}.c`), 'utf8')
    const program = await parseC(text, `${name}.c`)
    const result = await optimize(program, { gpu: gpu('h200'), targets: ['cuda'], effort: defaultEffort })
    const took = spent(),
      plan = result.cudaPlan!, // the only target
      values = plannedValues(program)
    if (given.cuda !== undefined) {
      mkdirSync(given.cuda, { recursive: true })
      writeFileSync(join(given.cuda, `${name.replace('/', '-')}.cu`), launcherFile(plan, values, text))
    }
    return {
      name,
      predicted: result.kernels.reduce((n, k) => n + k.prediction.ns, 0),
      bound: result.lowerBound.ns,
      ratio: result.distance.times,
      launches: [...executions(chooseVariant(plan, values), values)].length,
      ...took,
      ...(result.distance.finding && { finding: result.distance.finding.message }),
    }
  } catch (e) {
    return e instanceof DiagnosticError
      ? { name, ...spent(), refusal: e.message }
      : { name, ...spent(), error: e instanceof Error ? (e.stack ?? e.message) : String(e) }
  }
}

/** The same by a process of its own, which may not go on for ever or take all memory. */
function compiledApart(name: string, limit: number, gigabytes: number): Promise<Row> {
  return new Promise((done) => {
    const out = given.cuda === undefined ? [] : ['--cuda', given.cuda]
    const child = fork(import.meta.filename, ['--one', name, ...out], { stdio: 'inherit' })
    let row: Row | undefined, why: string | undefined
    const started = Date.now()
    const end = (reason: string): void => {
      why = reason
      child.kill('SIGKILL')
    }
    const watch = setInterval(() => {
      const held = residentMegabytes(child.pid)
      if ((processorSeconds(child.pid) ?? (Date.now() - started) / 1e3) > limit) end(`ended after ${limit} s`)
      else if (held > gigabytes * 1024) end(`ended at ${(held / 1024).toFixed(1)} GB`)
    }, 250)
    child.on('message', (m) => (row = m as Row)) // what `--one` sends
    child.on('exit', (code, signal) => {
      clearInterval(watch)
      done(
        row ?? (why === undefined ? { name, error: `the process ended with ${code ?? signal}` } : { name, ended: why }),
      )
    })
  })
}

/** User and system time, in ticks of 10 ms; Linux alone says it, and waiting for others does not count. */
function processorSeconds(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ') // from the third on
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return undefined
  }
}

/** Linux alone says it; elsewhere 0. */
function residentMegabytes(pid: number | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

const us = (ns: number): string => (ns / 1e3).toFixed(1).padStart(10)

function line(row: Row): string {
  if (row.predicted === undefined) return ` ${(row.refusal ?? row.ended ?? `internal: ${row.error}`).split('\n')[0]}`
  const ratio = row.ratio!.toFixed(2).padStart(8) // is there where the prediction is, as the others are
  return `${us(row.predicted)}${us(row.bound!)}${ratio}${row.seconds!.toFixed(1).padStart(7)}  ${row.finding ?? ''}`
}

async function all(): Promise<void> {
  const limit = given.limit === undefined ? undefined : countFrom(given.limit, 0, 'the limit'),
    memory = countFrom(given.memory, 4, 'the memory')
  const names = someOf(
    (named.length === 0
      ? programsIn('')
      : ['', 'level1', 'level2'].flatMap(programsIn).filter((n) => named.some((w) => n.startsWith(w)))
    ).sort(),
    'program of that name',
  )
  const width = Math.max(22, ...names.map((n) => n.length)) + 2
  const seconds: number[] = []
  process.stdout.write(`${'program'.padEnd(width)}${'µs'.padStart(10)}${'bound'.padStart(10)}   ratio  CPU s\n`)
  for (const name of names) {
    const row = limit === undefined ? await compiled(name) : await compiledApart(name, limit, memory)
    if (row.predicted !== undefined) seconds.push(row.seconds!) // stands beside it
    if (row.error !== undefined) process.exitCode = 1
    if (given.json !== undefined) appendFileSync(given.json, `${JSON.stringify(row)}\n`)
    process.stdout.write(`${name.padEnd(width)}${line(row)}\n`)
  }
  const sorted = seconds.sort((a, b) => a - b)
  if (sorted.length > 0)
    process.stdout.write(`CPU s: median ${sorted[sorted.length >> 1]!.toFixed(1)}, most ${sorted.at(-1)!.toFixed(1)}\n`)
}

if (given.limit === undefined) await loadParser(parserFiles())
if (given.one) {
  process.send!(await compiled(named[0]!)) // by `compiledApart`
  process.disconnect()
} else await all()
