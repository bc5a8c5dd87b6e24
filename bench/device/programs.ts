// Whole programs on the device. On a machine without one, with PolyBench's folder: makes the plans of its programs for a
// data set and writes them with their texts, a file per program. On the device, with the folder of plans: times each
// through CUDA's driver and through WebGPU (Dawn): kernels alone, arrays stay on the device, random data.
//   npx tsx bench/device/programs.ts make POLYBENCH OUT [--size EXTRALARGE] [--only NAME,…] [--budget N]
//   npx tsx bench/device/programs.ts time OUT [--on cuda,webgpu] [--only NAME,…]   (a line of JSON per program and device)
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gpu } from '../../src/gpus/index.ts'
import { chooseVariant, executions, type Plan, type PlanValues } from '../../src/ir/index.ts'
import { freshArrays, openMeasurer, optimize, plannedValues } from '../../src/tune/index.ts'
import { kernelOf, sourcesIn, type DataSet } from '../polybench/sources.ts'

const [task, folder, ...rest] = process.argv.slice(2)
const option = (name: string, otherwise: string): string => { const i = rest.indexOf(`--${name}`); return i < 0 ? otherwise : rest[i + 1] ?? otherwise }
const only = option('only', '').split(',').filter((x) => x !== '')
const wanted = (name: string): boolean => only.length === 0 || only.includes(name)

interface Stored { readonly name: string; readonly values: PlanValues; readonly plans: { readonly cuda: Plan; readonly wgsl: Plan } }

/** 64-bit constants have no JSON of their own. */
const toText = (x: unknown): string => JSON.stringify(x, (_, v: unknown) => (typeof v === 'bigint' ? { bigint: `${v}` } : v))
const fromText = (text: string): Stored => JSON.parse(text, (_, v: unknown) => (typeof v === 'object' && v !== null && 'bigint' in v ? BigInt((v as { bigint: string }).bigint) : v)) as Stored // written by toText

async function make(polybench: string, out: string): Promise<void> {
  mkdirSync(out, { recursive: true })
  for (const source of sourcesIn(polybench).filter((s) => wanted(s.name))) {
    try {
      const program = await kernelOf(source, option('size', 'EXTRALARGE') as DataSet, 'float')
      const { plan, cudaPlan, search } = await optimize(program, { gpu: gpu('h200'), targets: ['wgsl', 'cuda'], budget: Number(option('budget', '6')) })
      const stored: Stored = { name: source.name, values: plannedValues(program), plans: { cuda: cudaPlan!, wgsl: plan } } // both are targets
      writeFileSync(join(out, `${source.name}.json`), toText(stored))
      console.log(`${source.name}: ${[...executions(chooseVariant(plan, stored.values), stored.values)].length} launches, ${search.seconds.toFixed(1)} s`)
    } catch (e) {
      console.log(`${source.name}: ${e instanceof Error ? e.message : String(e)}`)
    }
  }
}

async function time(plans: string): Promise<void> {
  for (const on of option('on', 'cuda,webgpu').split(',') as ('cuda' | 'webgpu')[]) {
    const measurer = await openMeasurer(on)
    for (const file of readdirSync(plans).sort().filter((f) => f.endsWith('.json') && wanted(f.slice(0, -5)))) {
      const { name, values, plans: { cuda, wgsl } } = fromText(readFileSync(join(plans, file), 'utf8'))
      const plan = on === 'cuda' ? cuda : wgsl
      try {
        const timing = await measurer.time(plan, values, freshArrays(plan.arrays, values, 1, true))
        console.log(JSON.stringify({ name, on, device: measurer.name, ms: timing.ns / 1e6, min: timing.min / 1e6, spread: timing.spread, samples: timing.samples, repeats: timing.repeats, launches: [...executions(chooseVariant(plan, values), values)].length }))
      } catch (e) {
        console.log(JSON.stringify({ name, on, error: e instanceof Error ? e.message : String(e) }))
      }
    }
    measurer.close()
  }
}

if (task === 'make' && folder !== undefined && rest[0] !== undefined) await make(folder, rest[0])
else if (task === 'time' && folder !== undefined) await time(folder)
else throw new Error('say make POLYBENCH OUT, or time OUT')
