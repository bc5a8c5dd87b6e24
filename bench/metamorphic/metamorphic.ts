// In: names of programs and rewrites (all, where none are given). Out: for each program what an H200 is predicted to
// take in each spelling, as a multiple of the fastest, and at the end how many are within 10 % of it and above 1.5
// times.
//   npx tsx bench/metamorphic/metamorphic.ts [NAME…]
import { parserFiles } from '../../src/cli/files.ts'
import { loadParser } from '../../src/frontend/c/index.ts'
import { predictedNs, spellingsOf } from './spellings.ts'
import { programs } from './programs.ts'

const named = new Set(process.argv.slice(2))
await loadParser(parserFiles())
const ratios: number[] = []
for (const program of programs.filter((p) => named.size === 0 || named.has(p.name))) {
  const rows: { readonly name: string; readonly ns: number | string }[] = []
  for (const { name, c } of await spellingsOf(program)) rows.push({ name, ns: await predictedNs(c) })
  const known = rows.flatMap((r) => (typeof r.ns === 'number' ? [r.ns] : [])),
    best = Math.min(...known)
  process.stdout.write(`${program.name}: best ${(best / 1e3).toFixed(1)} µs\n`)
  for (const { name, ns } of rows) {
    if (typeof ns === 'number') ratios.push(ns / best)
    else ratios.push(Infinity)
    process.stdout.write(`  ${name.padEnd(16)} ${typeof ns === 'number' ? (ns / best).toFixed(2) : ns}\n`)
  }
}
const share = (isIn: (r: number) => boolean): string => `${ratios.filter(isIn).length} of ${ratios.length}`
process.stdout.write(`within 10 %: ${share((r) => r <= 1.1)}; above 1.5 times: ${share((r) => r > 1.5)}\n`)
