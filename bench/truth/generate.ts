// In: the examples. Out: one CUDA program that launches every rung of every ladder at small sizes, and what the simulator
// counts on the same launches (all blocks). The program runs under Nsight Compute on a device; compare.ts puts both side
// by side. Usage: npx tsx bench/truth/generate.ts OUT_DIR
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { emitCuda } from '../../src/emit/index.ts'
import { parseC } from '../../src/frontend/c/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { bytesOf, chooseVariant, elementsOf, planValue, type Dim3, type Plan, type PlanLaunch, type PlanValues } from '../../src/ir/index.ts'
import { occupancyOf } from '../../src/model/index.ts'
import { analyse, build } from '../../src/pipeline.ts'
import { simulate } from '../../src/simulate/index.ts'

const require = createRequire(import.meta.url)
const bytes = (path: string): Uint8Array => readFileSync(require.resolve(path))
const wasm = { runtime: bytes('web-tree-sitter/web-tree-sitter.wasm'), grammar: bytes('tree-sitter-c/tree-sitter-c.wasm') }
const out = process.argv[2] ?? 'out/truth'
const examples = join(import.meta.dirname ?? '.', '../../examples')
const profile = gpu('h200')

/** Sizes that keep an exact simulation short: odd ones and round ones. */
const sizesOf: Readonly<Record<string, readonly number[]>> = { gemm: [256, 200], 'gemm-nt': [256], 'gemm-tn': [256], trmm: [192], 'batched-gemm': [64], conv2d: [300], separable: [300], jacobi2d: [515], transpose: [512, 333] }
const fallback: readonly number[] = [70000]

interface Kernel { readonly id: string; readonly example: string; readonly step: string; readonly size: number; readonly simulated: Record<string, number> }
const kernels: Kernel[] = []
const texts: string[] = []
const launches: string[] = []

function add(example: string, step: string, size: number, plan: Plan, launch: PlanLaunch, values: PlanValues): void {
  const id = `k${kernels.length}`
  const grid = launch.grid.map((e) => Math.max(1, planValue(e, values))) as unknown as Dim3 // three in, three out
  const params = Object.fromEntries(Object.entries(launch.params).map(([k, e]) => [k, planValue(e, values)]))
  const sizeOf = (array: string): number => { const a = plan.arrays.find((x) => x.name === array)!; return Math.max(16, elementsOf(a, values) * bytesOf[a.type]) }
  const buffers = Object.fromEntries(Object.entries(launch.arguments).map(([k, array]) => [k, new ArrayBuffer(Math.ceil(sizeOf(array) / 16) * 16)]))
  const { counters } = simulate(launch.kernel, { grid, params, buffers }, profile, { exact: true })
  const sum = (space: string, op: string, key: 'requests' | 'sectors' | 'wavefronts' | 'idealWavefronts'): number => counters.sites.filter((s) => s.space === space && s.op === op).reduce((n, s) => n + s[key], 0)
  const threads = launch.kernel.block[0]
  const shared = launch.kernel.resources.reduce((n, r) => n + (r.space === 'shared' ? (r.count ?? 0) * bytesOf[r.type] : 0), 0)
  kernels.push({
    id, example, step, size,
    simulated: {
      loadRequests: sum('global', 'load', 'requests'), loadSectors: sum('global', 'load', 'sectors'), storeRequests: sum('global', 'store', 'requests'), storeSectors: sum('global', 'store', 'sectors'),
      sharedLoadWavefronts: sum('shared', 'load', 'wavefronts'), sharedStoreWavefronts: sum('shared', 'store', 'wavefronts'),
      warpInstructions: counters.instructions.warp - counters.instructions.warpByClass.move, lanes: counters.instructions.thread / counters.instructions.warp,
      occupancyAt32: occupancyOf(profile, threads, 32, shared).occupancy, threads, shared,
    },
  })
  const { entry, text } = emitCuda(launch.kernel)
  texts.push(text.replace(new RegExp(`\\b${entry}\\(`), `${id}(`))
  const bound = launch.kernel.resources.filter((r) => r.space === 'global' || r.space === 'constant')
  const args = [...bound.map((_, i) => `(float*)b[${i}]`), ...launch.kernel.params.map((p) => (p.type === 'f32' ? `${params[p.name]}f` : `${params[p.name]}`))]
  launches.push(`  { ${bound.map((r, i) => `b[${i}] = buffer(${i}, ${buffers[r.name]!.byteLength});`).join(' ')} ${id}<<<dim3(${grid.join(', ')}), ${threads}>>>(${args.join(', ')}); check("${id}"); }`)
}

for (const file of readdirSync(examples).filter((f) => f.endsWith('.c') && f !== 'gemm-tt.c').sort()) {
  const name = basename(file, '.c')
  const program = await parseC(readFileSync(join(examples, file), 'utf8'), file, { wasm })
  const analysed = analyse(program)
  const rungs = Math.max(...analysed.parts.map((p) => p.sketch.ladder.length))
  for (const size of sizesOf[name] ?? (program.arrays.some((a) => a.shape.length > 1) ? [512, 301] : fallback)) {
    const values: PlanValues = { sizes: Object.fromEntries(program.sizes.map((s) => [s.name, s.name === 'batch' ? 3 : size])), scalars: Object.fromEntries(program.scalars.map((s) => [s.name, 1.5])) }
    for (let i = 0; i < rungs; i++) {
      const points = analysed.parts.map((p) => p.sketch.ladder[Math.min(i, p.sketch.ladder.length - 1)]!.point)
      const { plan } = build(analysed, points, { warp: 32 })
      chooseVariant(plan, values).launches.forEach((launch, n) => add(name, `${i + 1}.${n + 1}`, size, plan, launch, values))
    }
  }
}

const program = `// Made by bench/truth/generate.ts.
#include <cstdio>
#include <cstdlib>
static void* pool[8]; static size_t held[8];
static void* buffer(int i, size_t bytes) {
  if (held[i] < bytes) { cudaFree(pool[i]); if (cudaMalloc(&pool[i], bytes) != cudaSuccess) { printf("no memory\\n"); exit(1); } held[i] = bytes; cudaMemset(pool[i], 0, bytes); }
  return pool[i];
}
static void check(const char* id) { cudaError_t e = cudaDeviceSynchronize(); if (e != cudaSuccess) { printf("%s: %s\\n", id, cudaGetErrorString(e)); exit(1); } }
${texts.join('\n')}
int main() {
  void* b[8];
${launches.join('\n')}
  printf("${kernels.length} kernels\\n");
}
`
mkdirSync(out, { recursive: true })
writeFileSync(join(out, 'truth.cu'), program)
writeFileSync(join(out, 'simulated.json'), JSON.stringify(kernels))
console.log(`${kernels.length} kernels, ${(program.length / 1e6).toFixed(1)} MB of text`)
