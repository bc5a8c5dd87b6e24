// In: programs of this folder (all, or those named). Out: for each what `optimize` predicts on an H200, the time that
// any schedule must take there (`lowerBound`), their ratio, CPU seconds, and what stands between; at the end the median
// and the greatest of these seconds. The programs are layers of neural networks at sizes that benchmarks of such use,
// written as plain loops. `bench/device/programs.ts make bench/kernelbench OUT` makes plans to time on a device.
//   npx tsx bench/kernelbench/kernelbench.ts [NAME…]
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DiagnosticError } from '../../src/base/index.ts'
import { parserFiles } from '../../src/cli/files.ts'
import { loadParser, parseC } from '../../src/frontend/c/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { optimize } from '../../src/tune/index.ts'

const folder = resolve(import.meta.dirname)
const named = process.argv.slice(2)
const names = readdirSync(folder)
  .filter((f) => f.endsWith('.c'))
  .map((f) => f.slice(0, -2))
  .filter((n) => named.length === 0 || named.includes(n))
  .sort()

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
const us = (ns: number): string => (ns / 1e3).toFixed(1).padStart(10)

await loadParser(parserFiles())
const seconds: number[] = []
process.stdout.write(`${'program'.padEnd(24)}${'µs'.padStart(10)}${'bound'.padStart(10)}   ratio  CPU s\n`)
for (const name of names) {
  const before = cpuSeconds(),
    file = join(folder, `${name}.c`)
  try {
    const program = await parseC(readFileSync(file, 'utf8'), `${name}.c`)
    const { kernels, lowerBound, distance } = await optimize(program, { gpu: gpu('h200'), targets: ['cuda'] })
    const took = cpuSeconds() - before,
      predicted = kernels.reduce((n, k) => n + k.prediction.ns, 0)
    seconds.push(took)
    const ratio = distance.times.toFixed(2).padStart(8)
    const row = `${us(predicted)}${us(lowerBound.ns)}${ratio}${took.toFixed(1).padStart(7)}`
    process.stdout.write(`${name.padEnd(24)}${row}  ${distance.finding?.message ?? ''}\n`)
  } catch (e) {
    if (!(e instanceof DiagnosticError)) throw e
    process.stdout.write(`${name.padEnd(24)} ${e.message.split('\n')[0]}\n`)
  }
}
const sorted = [...seconds].sort((a, b) => a - b)
if (sorted.length > 0)
  process.stdout.write(`CPU s: median ${sorted[sorted.length >> 1]!.toFixed(1)}, most ${sorted.at(-1)!.toFixed(1)}\n`)
