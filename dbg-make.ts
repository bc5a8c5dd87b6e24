import { readFileSync, writeFileSync, readdirSync } from 'node:fs'
import { gpu } from '/work/wt/lead/src/gpus/index.ts'
import { chooseVariant, executions } from '/work/wt/lead/src/ir/index.ts'
import { parseC } from '/work/wt/lead/src/frontend/c/index.ts'
import { optimize, plannedValues } from '/work/wt/lead/src/tune/index.ts'
const [dir, out, ...names] = process.argv.slice(2)
const wasmDir = process.env.WASM!
const wasm = { runtime: readFileSync(`${wasmDir}/web-tree-sitter/web-tree-sitter.wasm`), grammar: readFileSync(`${wasmDir}/tree-sitter-c/tree-sitter-c.wasm`) }
const toText = (x: unknown): string => JSON.stringify(x, (_, v: unknown) => (typeof v === 'bigint' ? { bigint: `${v}` } : v))
for (const name of names.length ? names : readdirSync(dir!).filter((f) => f.endsWith('.c')).map((f) => f.slice(0, -2))) {
  const t0 = process.cpuUsage()
  try {
    const program = await parseC(readFileSync(`${dir}/${name}.c`, 'utf8'), `${name}.c`, { wasm } as never)
    const found = await optimize(program as never, { gpu: gpu('h200'), targets: ['wgsl', 'cuda'], budget: Number(process.env.BUDGET ?? 3) } as never)
    const values = plannedValues(program as never)
    writeFileSync(`${out}/${name}.json`, toText({ name, values, predicted: found.kernels.map((k) => [k.name, k.launches, k.prediction.ns ?? null, k.grid, k.block]), plans: { cuda: found.cudaPlan, wgsl: found.plan } }))
    const c = process.cpuUsage(t0)
    console.log(`${name}: ${[...executions(chooseVariant(found.plan, values), values)].length} launches, cpu ${((c.user + c.system) / 1e6).toFixed(1)} s`, found.kernels.map((k) => `${k.name}*${k.launches} ${JSON.stringify((k.prediction as any).seconds ?? (k.prediction as any).ns ?? (k.prediction as any).time)}`).slice(0, 8).join(' | '))
  } catch (e) { console.log(`${name}: ${e instanceof Error ? e.stack!.slice(0, 400) : e}`) }
}
