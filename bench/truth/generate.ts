// In: the examples. Out: one CUDA program that launches every rung of every ladder at small sizes, and what the
// simulator counts on the same launches (all blocks). The program runs under Nsight Compute on a device; compare.ts
// puts both side by side. Usage: npx tsx bench/truth/generate.ts OUT_DIR
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { emitCuda } from '../../src/emit/index.ts'
import { countsOf, examples, launchesOf, readExample, sizesFor, type TruthLaunch } from './launches.ts'

const out = process.argv[2] ?? 'out/truth'
const kernels: { id: string; example: string; step: string; size: number; simulated: Record<string, number> }[] = []
const texts: string[] = []
const launches: string[] = []

function add(example: string, size: number, t: TruthLaunch): void {
  const { launch, run } = t
  const id = `k${kernels.length}`
  kernels.push({ id, example, step: t.step, size, simulated: countsOf(t) })
  const { entry, text } = emitCuda(launch.kernel)
  texts.push(text.replace(new RegExp(`\\b${entry}\\(`), `${id}(`))
  const bound = launch.kernel.resources.filter((r) => r.space === 'global' || r.space === 'constant')
  const args = [
    ...bound.map((_, i) => `(float*)b[${i}]`),
    ...launch.kernel.params.map((p) => (p.type === 'f32' ? `${run.params[p.name]}f` : `${run.params[p.name]}`)),
  ]
  const buffers = bound.map((r, i) => `b[${i}] = buffer(${i}, ${run.buffers[r.name]!.byteLength});`).join(' ')
  launches.push(
    `  { ${buffers} ${id}<<<dim3(${run.grid.join(', ')}), ${launch.kernel.block[0]}>>>(${args.join(', ')}); ` +
      `check("${id}"); }`,
  )
}

for (const file of readdirSync(examples)
  .filter((f) => f.endsWith('.c') && f !== 'gemm-tt.c')
  .sort()) {
  const name = basename(file, '.c')
  const program = await readExample(name)
  for (const size of sizesFor(name, program)) for (const t of launchesOf(program, size)) add(name, size, t)
}

const program = `// Made by bench/truth/generate.ts.
#include <cstdio>
#include <cstdlib>
static void* pool[8]; static size_t held[8];
static void* buffer(int i, size_t bytes) {
  if (held[i] < bytes) { cudaFree(pool[i]); if (cudaMalloc(&pool[i], bytes) != cudaSuccess) { printf("no \
memory\\n"); exit(1); } held[i] = bytes; cudaMemset(pool[i], 0, bytes); }
  return pool[i];
}
static void check(const char* id) { cudaError_t e = cudaDeviceSynchronize(); if (e != cudaSuccess) { printf("%s: \
%s\\n", id, cudaGetErrorString(e)); exit(1); } }
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
