// Which tile for which matrix product: every one of a list of tiles, with factors as they lie and turned first, on the
// products of PolyBench at EXTRALARGE, f32 (bench/data/h200-products.json). Two halves, because the compiler is here
// and the device there:
//   npx tsx bench/device/products.ts prepare POLYBENCH OUT      here: a file of plans with texts and launches, CUDA
// texts as files
//   node products.mjs run OUT RESULT.json [webgpu,cuda]         there: nanoseconds of each; CUDA from OUT/*.cubin where
// `nvcc -cubin` made these
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { random } from '../../src/base/index.ts'
import { emitPlan } from '../../src/emit/index.ts'
import {
  arrayBytes,
  chooseVariant,
  hostArray,
  type HostArray,
  type Plan,
  type PlanValues,
  type Program,
} from '../../src/ir/index.ts'
import { analyse, build, onlyPart } from '../../src/pipeline.ts'
import { openCuda, openWebGpu } from '../../src/run/index.ts'
import type { Point } from '../../src/schedule/index.ts'
import { secondsFrom } from '../arguments.ts'

/** What is measured: `row` tells which. */
interface Task {
  readonly row: Readonly<Record<string, string | number>>
  readonly on: 'webgpu' | 'cuda'
  readonly plan: Plan
  readonly values: PlanValues
}

const tile = (
  bm: number,
  bn: number,
  bk: number,
  tm: number,
  tn: number,
  lanesI: number,
  lanesJ: number,
  buffers: number,
): Point => ({ bm, bn, bk, tm, tn, lanesI, lanesJ, vector: 4, pad: 4, prefetch: 1, buffers, unrollK: bk })
const tiles: readonly Point[] = [
  tile(64, 128, 8, 8, 8, 8, 4, 2),
  tile(128, 128, 8, 8, 8, 4, 8, 2),
  tile(128, 128, 16, 8, 16, 8, 4, 1),
  tile(128, 256, 16, 8, 16, 8, 4, 1),
  tile(64, 128, 16, 8, 8, 8, 4, 1),
  tile(64, 256, 16, 8, 16, 8, 4, 1),
  tile(128, 256, 8, 8, 16, 8, 4, 2),
  tile(128, 128, 8, 8, 16, 8, 4, 2),
  tile(64, 64, 16, 8, 8, 8, 4, 1),
  tile(128, 128, 16, 8, 8, 4, 8, 1),
  tile(64, 128, 16, 8, 8, 8, 4, 2),
  tile(256, 128, 16, 16, 8, 4, 8, 1),
  tile(96, 128, 16, 8, 8, 4, 8, 1),
  tile(128, 192, 16, 8, 16, 8, 4, 1),
  tile(160, 128, 16, 8, 16, 4, 8, 1),
]

/** Plain products: names of the sizes n, m, p of A[n][p] · B[p][m]. */
const plain: readonly (readonly [name: string, n: number, m: number, p: number])[] = [
  ['gemm', 2000, 2300, 2600],
  ['4096', 4096, 4096, 4096],
  ['2mm 1', 1600, 1800, 2200],
  ['3mm F', 1800, 2200, 2400],
  ['3mm G', 1600, 2200, 1800],
]
const text = (
  second: string,
  read: string,
): string => `void product(int n, int m, int p, float A[n][p], float B${second}, float C[n][m]) {
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { C[i][j] = 0.0f; for (int k = 0; k < p; k++) C[i][j] += \
A[i][k] * B${read}; } }`

async function prepare(polybench: string, out: string): Promise<void> {
  // not literals, so that the bundle for the device leaves the compiler out
  const [files, sources, c] = ['../../src/cli/files.ts', '../polybench/sources.ts', '../../src/frontend/c/index.ts']
  const { parserFiles } = (await import(files!)) as typeof import('../../src/cli/files.ts')
  const { kernelOf, sourcesIn } = (await import(sources!)) as typeof import('../polybench/sources.ts')
  const { parseC } = (await import(c!)) as typeof import('../../src/frontend/c/index.ts')
  mkdirSync(out, { recursive: true })
  const tasks: Task[] = [],
    texts: Record<string, string> = {}
  const add = (
    name: string,
    program: Program,
    part: number,
    point: Point,
    sets: readonly (readonly [string, Readonly<Record<string, number>>])[],
  ): void => {
    const only = onlyPart(analyse(program), part),
      sketch = only.parts[0]!.sketch
    for (const [target, exact] of [
      ['wgsl', true],
      ['cuda', true],
      ['cuda', false],
    ] as const) {
      const at = target === 'cuda' ? (sketch.forCuda?.(point) ?? point) : point
      try {
        const plan = emitPlan(
          build(only, [at], { exact, only: 'vector', ...(target === 'cuda' && { warp: 32 }) }).plan,
          { targets: [target] },
        )
        for (const [set, sizes] of sets) {
          const values = { sizes, scalars: Object.fromEntries(program.scalars.map((s) => [s.name, 1.5])) }
          const variant = chooseVariant(plan, values),
            first = plan.variants.indexOf(variant) === 0 && plan.variants.length > 1
          if (target === 'cuda' && exact && !first) continue // the same as without
          tasks.push({
            row: { product: set || name, target, variant: first ? 'whole k' : 'any', ...at },
            on: target === 'wgsl' ? 'webgpu' : 'cuda',
            plan: slim({ ...plan, variants: [variant] }, texts),
            values,
          })
        }
      } catch (e) {
        console.log(name, part, JSON.stringify(point), e instanceof Error ? e.message : e)
      }
    }
  }
  const both = (point: Point): readonly Point[] => [
    { ...point, squares: 1 },
    { ...point, turn: 1 },
  ]
  const product = await parseC(text('[p][m]', '[k][j]'), 'product.c', { wasm: parserFiles() }),
    turnedProduct = await parseC(text('[m][p]', '[j][k]'), 'product.c', { wasm: parserFiles() })
  const programs = Object.fromEntries(
    await Promise.all(
      sourcesIn(polybench)
        .filter((s) => ['syrk', 'syr2k', 'symm', 'trmm'].includes(s.name))
        .map(async (s) => [s.name, await kernelOf(s, 'EXTRALARGE', 'float')] as const),
    ),
  )
  for (const [i, given] of tiles.entries()) {
    for (const point of both(given)) {
      add(
        '',
        product,
        0,
        point,
        plain.map(([name, n, m, p]) => [name, { n, m, p }]),
      )
      if ([2, 3, 6].includes(i)) add('', turnedProduct, 0, point, [['4096 nt', { n: 4096, m: 4096, p: 4096 }]])
      for (const [name, program] of Object.entries(programs)) {
        for (const part of name === 'symm' ? [0, 1] : [name === 'trmm' ? 1 : 0]) {
          if (name === 'syr2k' && i % 4 > 0) continue
          add(`${name} ${part + 1}`, program, part, point, [
            ['', Object.fromEntries(program.sizes.map((s) => [s.name, s.planned]))],
          ])
        }
      }
    }
  }
  writeFileSync(join(out, 'tasks.json.gz'), gzipSync(JSON.stringify({ texts, tasks })))
  console.log(`${tasks.length} tasks`)
}

const nameOf = (t: string): string => createHash('sha256').update(t).digest('hex').slice(0, 16)

interface Packed {
  readonly texts: Record<string, string>
  readonly tasks: Task[]
}

/** The plan with names for its texts, which `texts` keeps once, and without the bodies of its kernels. */
const slim = (plan: Plan, texts: Record<string, string>): Plan =>
  JSON.parse(
    JSON.stringify(plan, (k, v: unknown) => {
      if (k === 'body') return []
      if (k !== 'text' || typeof v !== 'string') return v
      texts[nameOf(v)] = v
      return nameOf(v)
    }),
  ) as Plan // but for texts and bodies as it was

const load = (folder: string): Packed =>
  JSON.parse(gunzipSync(readFileSync(join(folder, 'tasks.json.gz'))).toString()) as Packed // written by `prepare`

async function run(folder: string, out: string, on: string): Promise<void> {
  const limit = Date.now() + 1000 * secondsFrom(process.env['LIMIT_S'], 120)
  const { texts, tasks } = load(folder)
  const full = (t: Task): Plan =>
    JSON.parse(JSON.stringify(t.plan), (k, v: unknown) =>
      k === 'text' && typeof v === 'string' ? texts[v] : v,
    ) as Plan // written by `slim`
  const rows: unknown[] = [],
    arrays = new Map<number, HostArray>()
  const arrayOf = (bytes: number): HostArray => {
    const known = arrays.get(bytes) ?? hostArray('f32', new ArrayBuffer(bytes)),
      stream = random(7)
    if (!arrays.has(bytes)) for (let i = 0; i < known.length; i++) known[i] = stream.unit() - 0.5
    arrays.set(bytes, known)
    return known
  }
  for (const device of on.split(',')) {
    const gpu = device === 'cuda' ? await openCuda() : await openDawn()
    const mine = tasks.filter((t) => t.on === device)
    if (device === 'cuda') fromFiles(gpu, folder)
    for (const t of mine) {
      if (Date.now() > limit) {
        console.log('no time for', JSON.stringify(t.row))
        continue
      }
      const plan = full(t),
        inputs = Object.fromEntries(
          plan.arrays
            .filter((a) => a.role !== 'temp' && a.role !== 'out')
            .map((a) => [a.name, arrayOf(arrayBytes(a, t.values))]),
        )
      try {
        const time = await gpu.timePlan(plan, t.values, inputs, {
          samples: 5,
          warmup: 1,
          minSampleNs: 2e6,
          warmupNs: 1e7,
        })
        rows.push({
          ...t.row,
          ...t.values.sizes,
          ns: Math.round(time.ns),
          min: Math.round(time.min),
          ...(device === 'cuda' && {
            registers: (gpu as Awaited<ReturnType<typeof openCuda>>).resourcesOf(plan.variants[0]!.launches.at(-1)!)
              .registers,
          }),
        })
      } catch (e) {
        console.log(JSON.stringify(t.row), e instanceof Error ? e.message.slice(0, 200) : e)
      }
      writeFileSync(out, JSON.stringify(rows)) // what is done stays when time runs out inside of a compiler
    }
  }
  console.log(`${rows.length} rows, ${Math.round((limit - Date.now()) / 1000)} s left`)
  process.exit(0)
}

async function openDawn(): ReturnType<typeof openWebGpu> {
  const { create, globals } = await import('webgpu')
  Object.assign(globalThis, globals)
  const gpu = await openWebGpu({
    create,
    toggles: ['enable-dawn-features=allow_unsafe_apis', 'disable-dawn-features=timestamp_quantization'],
  })
  gpu.keepInputs = true
  return gpu
}

/** Machine code that nvcc made side by side before, in place of NVRTC one by one. */
function fromFiles(gpu: unknown, folder: string): void {
  const cuda = gpu as { cubin(source: string, name: string): Uint8Array } // private there: a bench may look inside
  const compile = cuda.cubin.bind(gpu)
  cuda.cubin = (source, name) => {
    const path = join(folder, `${nameOf(source)}.cubin`)
    return existsSync(path) ? readFileSync(path) : compile(source, name)
  }
}

/** Writes the CUDA texts for nvcc. */
function unpack(folder: string): void {
  const { texts, tasks } = load(folder)
  for (const t of tasks.filter((x) => x.on === 'cuda'))
    for (const l of t.plan.variants[0]!.launches)
      writeFileSync(join(folder, `${l.emitted!.cuda!.text}.cu`), texts[l.emitted!.cuda!.text]!)
}

const [command, a = '', b = '', c = 'webgpu,cuda'] = process.argv.slice(2)
if (command === 'prepare') await prepare(a, b)
else if (command === 'unpack') unpack(a)
else await run(a, b, c)
