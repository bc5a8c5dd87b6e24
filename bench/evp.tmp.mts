import { readFileSync, readdirSync } from 'node:fs'
import { parseC, loadParser } from '../src/frontend/c/index.ts'
import { parserFiles } from '../src/cli/files.ts'
import { gpu } from '../src/gpus/index.ts'
import { optimize } from '../src/tune/index.ts'
await loadParser(parserFiles())
const rows = Object.fromEntries(JSON.parse(readFileSync('bench/data/h200-everyday.json','utf8')).rows.map((r: any) => [r.name, r]))
for (const f of readdirSync('bench/everyday').filter((x) => x.endsWith('.c')).sort()) {
  try {
    const p = await parseC(readFileSync(`bench/everyday/${f}`, 'utf8'), f)
    const r = await optimize(p, { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 })
    const us = r.kernels.reduce((n, k) => n + k.prediction.ns, 0) / 1e3, o = rows[f.slice(0, -2)]
    const q = us / o.predicted
    if (q > 1.05 || q < 0.95) console.log(f, us.toFixed(1), o.predicted, q.toFixed(2), r.kernels.length, o.launches)
  } catch (e) { console.log(f, String(e).slice(0, 200)) }
}
console.log('done')
