// Which schedule of the library for which size: tiles and slices of products (bench/data/h200-matmul-tiles.json),
// blocks and loads in flight of reductions. Two halves, because the compiler is here and the device there:
//   npx tsx bench/device/schedules.ts prepare JOBS.json              here: schedules for every size, as texts and
// launches
//   npx esbuild bench/device/schedules.ts --bundle --platform=node --format=esm --target=es2022 --external:webgpu
// --outfile=out/schedules.mjs
//   node out/schedules.mjs run JOBS.json OUT.json                       there: microseconds of the product and of
// adding the slices up
import { readFileSync, writeFileSync } from 'node:fs'
import { bindingsOf, planValue, type PlanLaunch, type PlanValues } from '../../src/ir/index.ts'

interface Step {
  readonly text: string
  readonly grid: readonly number[]
  readonly bind: readonly string[]
  readonly params: readonly number[]
}
/** `row` tells what it is; `work` is multiplications or elements, for how often to repeat it. */
interface Job {
  readonly row: readonly (string | number)[]
  readonly work: number
  readonly steps: readonly Step[]
}

/** Sizes of products; the first `few` of them for every layout, all for factors as they are. */
const sizes = [
  [1024, 1024, 1024],
  [4096, 4096, 4096],
  [1000, 1000, 1000],
  [512, 512, 512],
  [2048, 2048, 2048],
  [4096, 4100, 4096],
  [4096, 64, 4096],
  [64, 4096, 4096],
  [128, 128, 65536],
  [16384, 1024, 256],
  [256, 6272, 2304],
  [64, 8192, 4096],
  [4096, 64, 8192],
  [8192, 8192, 8192],
] as const
const few = 3

interface Reduction {
  readonly file: string
  readonly defines?: Readonly<Record<string, string>>
  readonly sets: readonly Readonly<Record<string, number>>[]
  readonly points: readonly Readonly<Record<string, number>>[]
}

const grid = (
  ...lists: readonly (readonly [string, readonly number[]])[]
): readonly Readonly<Record<string, number>>[] =>
  lists.reduce<readonly Readonly<Record<string, number>>[]>(
    (points, [name, values]) => points.flatMap((p) => values.map((v) => ({ ...p, [name]: v }))),
    [{}],
  )

const sum = { OP: '0', T: 'float' }
const reductions: readonly Reduction[] = [
  {
    file: 'matvec/columns.c',
    sets: [
      { b: 1, n: 4096, p: 4096 },
      { b: 1, n: 1024, p: 1024 },
    ],
    points: grid(
      ['threads', [32, 64]],
      ['rows', [1, 4, 8]],
      ['vector', [4]],
      ['unroll', [4, 8]],
      ['blocks', [1, 16, 32, 64]],
    ),
  },
  {
    file: 'matvec/rows.c',
    sets: [{ b: 1, n: 4096, p: 4096 }],
    points: grid(
      ['threads', [64, 128, 256]],
      ['rows', [1, 2]],
      ['vector', [4]],
      ['unroll', [2, 4]],
      ['blocks', [1]],
      ['warp', [0]],
    ),
  },
  {
    file: 'reduce/whole.c',
    defines: sum,
    sets: [{ n: 2 ** 20 }, { n: 2 ** 24 }, { n: 2 ** 27 }],
    points: grid(
      ['threads', [256, 512]],
      ['rows', [1]],
      ['vector', [4]],
      ['unroll', [2, 4, 8]],
      ['blocks', [264, 528, 1056, 2112]],
      ['warp', [0]],
    ),
  },
  {
    file: 'reduce/columns.c',
    defines: sum,
    sets: [
      { b: 1, n: 8192, m: 16384 },
      { b: 1, n: 4, m: 2 ** 20 },
    ],
    points: grid(
      ['threads', [32, 256]],
      ['rows', [1, 8]],
      ['vector', [4]],
      ['unroll', [4, 8]],
      ['blocks', [1, 16, 64]],
    ).filter((p) => p['threads']! * p['rows']! <= 512),
  },
  {
    file: 'transpose/turn.c',
    sets: [
      { b: 1, n: 8191, m: 8193 },
      { b: 1, n: 8192, m: 8192 },
      { b: 1, n: 4096, m: 4096 },
    ],
    defines: { T: 'unsigned' },
    points: grid(['tile', [32, 64]], ['rows', [4, 8, 16]], ['pad', [1]], ['vector', [1, 4]]),
  },
]

function stepOf(l: PlanLaunch, values: PlanValues, names: Readonly<Record<string, string>>): Step {
  return {
    text: l.emitted!.wgsl!.text,
    grid: l.grid.map((g) => planValue(g, values)),
    params: l.kernel.params.map((p) => planValue(l.params[p.name]!, values)),
    bind: bindingsOf(l.kernel).map((b) => names[l.arguments[b.resource.name]!]!), // every resource has an argument
  }
}

const hash = (j: Job): number =>
  j.row
    .join(' ')
    .split('')
    .reduce((h, c) => (Math.imul(h, 31) + c.charCodeAt(0)) >>> 0, 7)

async function prepare(out: string): Promise<void> {
  const tools = '../../tools/kernels.ts' // not a literal, so that the bundle for the device leaves the compiler out
  const { planOf, prepare: parser } = (await import(tools)) as typeof import('../../tools/kernels.ts')
  const { spec } = await import('../../src/kernels/matmul/kernel.ts')
  await parser()
  const jobs: Job[] = []
  const dir = 'src/kernels/matmul',
    plans = spec['matmul']!
  const adding = (
    await planOf(
      {
        file: '../reduce/columns.c',
        defines: { OP: '0', T: 'float' },
        points: [{ threads: 64, rows: 1, vector: 4, unroll: 8, blocks: 1 }],
        hooks: [],
      },
      dir,
    )
  ).variants[0]!
  for (const [key, given] of Object.entries(plans)) {
    const [, layout = '', tile = ''] = /^split-(..)-(\w+)$/.exec(key) ?? []
    if (!tile) continue
    const [variant] = (await planOf({ ...given, hooks: [] }, dir)).variants
    for (const [m, n, k] of layout === 'nn' || layout === 'tn' ? sizes : sizes.slice(0, few)) {
      for (let splits = 1; splits <= 256; splits++) {
        const values = { sizes: { splits, n: m, m: n, p: k / splits }, scalars: {} }
        // one variant, with a condition
        if (k % splits !== 0 || (splits > 1 && k / splits < 64) || planValue(variant!.when!, values) === 0) continue
        const [x = 0, y = 0, z = 0] = variant!.launches[0]!.grid.map((g) => planValue(g, values))
        if (x * y * z < 60 || (splits > 1 && x * y * z > 1056)) continue
        const product = stepOf(variant!.launches[0]!, values, { A: 'A', B: 'B', C: splits > 1 ? 'partial' : 'C' })
        const sum =
          splits > 1
            ? [
                stepOf(
                  adding.launches[0]!,
                  { sizes: { b: 1, n: splits, m: m * n }, scalars: {} },
                  { x: 'partial', y: 'C' },
                ),
              ]
            : []
        jobs.push({ row: [layout, m, n, k, tile, splits], work: m * n * k, steps: [product, ...sum] })
      }
    }
  }
  jobs.sort((x, y) => hash(x) - hash(y)) // what is slow for a moment shall not be all of one kind
  for (const { file, defines, sets, points } of reductions) {
    for (const point of points) {
      const plan = await planOf({ file, points: [point], hooks: [], ...(defines && { defines }) }, 'src/kernels')
      for (const sizes_ of sets) {
        const values = { sizes: sizes_, scalars: {} }
        const variant = plan.variants.find((v) => v.when === null || planValue(v.when, values))!
        jobs.push({
          row: [file, JSON.stringify(sizes_), JSON.stringify(point)],
          work: 16 * Object.values(sizes_).reduce((a, b) => a * b),
          steps: variant.launches.map((l) =>
            stepOf(l, values, {
              A: 'A',
              x: file.startsWith('matvec') ? 'B' : 'A',
              y: 'C',
              ...Object.fromEntries(plan.arrays.filter((a) => a.role === 'temp').map((a) => [a.name, 'partial'])),
            }),
          ),
        })
      }
    }
  }
  writeFileSync(out, JSON.stringify(jobs))
  console.log(`${jobs.length} jobs`)
}

async function run(from: string, out: string): Promise<void> {
  const { create, globals } = await import('webgpu')
  Object.assign(globalThis, globals)
  const keep = Object.assign(globalThis, {
    dawn: create(['enable-dawn-features=allow_unsafe_apis', 'disable-dawn-features=timestamp_quantization']),
  }).dawn
  const adapter = (await keep.requestAdapter())!
  const limits = Object.fromEntries(
    (
      [
        'maxComputeWorkgroupStorageSize',
        'maxComputeInvocationsPerWorkgroup',
        'maxComputeWorkgroupSizeX',
        'maxBufferSize',
        'maxStorageBufferBindingSize',
      ] as const
    ).map((name) => [name, adapter.limits[name]]),
  )
  const device = await adapter.requestDevice({ requiredFeatures: ['timestamp-query'], requiredLimits: limits })
  let refused = ''
  device.onuncapturederror = (e) => {
    refused ||= e.error.message.split('\n')[0]!
  }
  const room = 4 * 2 ** 27,
    storage = 128 | 8 | 4
  const buffers: Record<string, GPUBuffer> = Object.fromEntries(
    Object.entries({ A: 1, B: 1, C: 1, partial: 1 }).map(([name, n]) => [
      name,
      device.createBuffer({ size: room * n, usage: storage }),
    ]),
  )
  const data = Float32Array.from({ length: room / 4 }, (_, i) => ((Math.imul(i, 1664525) + 1013904223) | 0) / 2 ** 31)
  for (const name of ['A', 'B']) device.queue.writeBuffer(buffers[name]!, 0, data)
  const query = device.createQuerySet({ type: 'timestamp', count: 2 }),
    resolved = device.createBuffer({ size: 16, usage: 512 | 4 }),
    read = device.createBuffer({ size: 16, usage: 1 | 8 })
  const pipelines = new Map<string, GPUComputePipeline>()
  const rows: unknown[] = []
  for (const { row, work, steps } of JSON.parse(readFileSync(from, 'utf8')) as readonly Job[]) {
    const ready = steps.map(({ text, grid, bind, params }) => {
      const pipeline =
        pipelines.get(text) ??
        device.createComputePipeline({ layout: 'auto', compute: { module: device.createShaderModule({ code: text }) } })
      pipelines.set(text, pipeline)
      const uniform = device.createBuffer({ size: 64, usage: 64 | 8 })
      device.queue.writeBuffer(uniform, 0, new Int32Array(params))
      const entries = [...bind.map((name) => buffers[name]!), ...(params.length > 0 ? [uniform] : [])].map(
        (buffer, binding) => ({ binding, resource: { buffer } }),
      )
      return { pipeline, grid, group: device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }) }
    })
    const repeats = Math.max(3, Math.min(400, Math.ceil(5e10 / work)))
    const record = (pass: GPUComputePassEncoder, n: number): void => {
      for (let i = 0; i < n; i++)
        for (const s of ready) {
          pass.setPipeline(s.pipeline)
          pass.setBindGroup(0, s.group)
          pass.dispatchWorkgroups(s.grid[0]!, s.grid[1], s.grid[2])
        }
      pass.end()
    }
    const samples: number[] = []
    for (let s = 0; s < 4; s++) {
      const encoder = device.createCommandEncoder()
      record(encoder.beginComputePass(), s === 0 ? repeats : 1)
      record(
        encoder.beginComputePass({
          timestampWrites: { querySet: query, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 },
        }),
        repeats,
      )
      encoder.resolveQuerySet(query, 0, 2, resolved, 0)
      encoder.copyBufferToBuffer(resolved, 0, read, 0, 16)
      device.queue.submit([encoder.finish()])
      await read.mapAsync(1)
      const [from_ = 0n, to = 0n] = new BigUint64Array(read.getMappedRange().slice(0))
      read.unmap()
      samples.push(Number(to - from_) / repeats)
    }
    if (refused) console.log(row.join(' '), refused)
    else rows.push([...row, Number((samples.sort((a, b) => a - b)[1]! / 1000).toFixed(1))])
    refused = ''
  }
  writeFileSync(out, `[\n${rows.map((r) => JSON.stringify(r)).join(',\n')}\n]\n`)
  process.exit(0)
}

const [command, a = '', b = ''] = process.argv.slice(2)
if (command === 'prepare') await prepare(a)
else await run(a, b)
