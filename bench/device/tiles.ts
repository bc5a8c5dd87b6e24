// Tiles of single matrix products, tried before they become the library's: microseconds by timestamps and in a batch,
// slices along k added up as the library does it, beside what the library chooses. Two halves, because the compiler is
// here and the device there:
//   npx tsx bench/device/tiles.ts prepare LIST JOBS.json        here. LIST: a JSON array of [layout, [m, n, k], tiles,
// slices along k];
//                                                               a tile is `32x64 4x4 k16 b2 l8 sq pipe whole`: outputs
// of a block, of a thread,
//                                                               depth, buffers, lanes along rows
//   node tiles.mjs run JOBS.json OUT.json                       there (LIMIT_S: seconds to start readings in), bundled
// as library.ts
import { readFileSync, writeFileSync } from 'node:fs'
import type { PackedRecipe } from '../../src/kernels/recipe.ts'
import type { PlanSpec } from '../../src/kernels/spec.ts'
import { secondsFrom } from '../arguments.ts'

type Size = readonly [m: number, n: number, k: number]
interface Job {
  readonly layout: string
  readonly size: Size
  readonly tile: string
  readonly splits: number
}
interface Jobs {
  readonly recipes: Readonly<Record<string, PackedRecipe>>
  readonly jobs: readonly Job[]
}

/** The point that a tile's words say. */
function pointOf(tile: string): PlanSpec['points'][number] {
  const found = /^(\d+)x(\d+) (\d+)x(\d+) k(\d+) b(\d) l(\d+)( sq)?( pipe)?( whole)?$/.exec(tile)
  if (!found) throw new Error(`'${tile}' is no tile`)
  const [bm = 0, bn = 0, tm = 0, tn = 0, bk = 0, buffers = 0, lanesI = 0] = found.slice(1, 8).map(Number)
  return {
    bm,
    bn,
    bk,
    tm,
    tn,
    lanesI,
    lanesJ: 32 / lanesI,
    vector: 4,
    pad: 4,
    prefetch: 1,
    buffers,
    unrollK: bk,
    ...(found[8] && { squares: 1 }),
    ...(found[9] && { pipeline: 1 }),
    ...(found[10] && { whole: 1 }),
  }
}

async function prepare(list: string, out: string): Promise<void> {
  const tools = '../../tools/kernels.ts' // not a literal, so that the bundle for the device leaves the compiler out
  const { recipesOf, prepare: parser } = (await import(tools)) as typeof import('../../tools/kernels.ts')
  await parser()
  const recipes: Record<string, PackedRecipe> = {},
    jobs: Job[] = []
  for (const [layout, size, tiles, slices] of JSON.parse(readFileSync(list, 'utf8')) as readonly (readonly [
    string,
    Size,
    readonly string[],
    readonly number[],
  ])[]) {
    for (const tile of tiles) {
      const plan: PlanSpec = {
        file: 'split.c',
        defines: { TA: `${+(layout[0] === 't')}`, TB: `${+(layout[1] === 't')}` },
        points: [pointOf(tile)],
        keep: ['exact'],
        hooks: ['C'],
      }
      try {
        recipes[`${layout} ${tile}`] ??= (await recipesOf({ tried: { product: plan } }, 'src/kernels/matmul'))['tried']!
        jobs.push(...slices.map((splits) => ({ layout, size, tile, splits })))
      } catch (e) {
        console.log(layout, tile, (e as Error).message)
      }
    }
  }
  writeFileSync(out, JSON.stringify({ recipes, jobs }))
  console.log(`${jobs.length} jobs, ${Object.keys(recipes).length} kernels`)
}

async function run(from: string, out: string): Promise<void> {
  const { create, globals } = await import('webgpu')
  const { connect, matmul, tensor, time } = await import('../../src/kernels/index.ts')
  const { addSlices } = await import('../../src/kernels/map/map.ts')
  const { blank } = await import('../../src/kernels/tensor.ts')
  const { recipeOf } = await import('../../src/kernels/device/plan-launches.ts')
  type Made = ReturnType<typeof tensor>
  Object.assign(globalThis, globals)
  const keep = Object.assign(globalThis, {
    dawn: create(['enable-dawn-features=allow_unsafe_apis', 'disable-dawn-features=timestamp_quantization']),
  }).dawn // collected, Dawn would crash
  const core = await connect({ gpu: keep }),
    deadline = Date.now() + secondsFrom(process.env['LIMIT_S'], 100) * 1000
  const { recipes, jobs } = JSON.parse(readFileSync(from, 'utf8')) as Jobs,
    made = Object.fromEntries(Object.entries(recipes).map(([name, packed]) => [name, recipeOf(packed)]))
  const rows: unknown[] = [],
    median = (l: readonly number[]): number => [...l].sort((a, b) => a - b)[l.length >> 1] ?? NaN
  const data = (n: number): Float32Array<ArrayBuffer> => {
    const a = new Float32Array(n)
    for (let i = 0, s = n; i < n; i++) {
      s = (Math.imul(s, 1664525) + 1013904223) | 0
      a[i] = s / 2 ** 31
    }
    return a
  }
  const works = [...new Set(jobs.map((j) => `${j.layout} ${j.size.join('×')}`))]
  for (const work of works) {
    const own = jobs.filter((j) => `${j.layout} ${j.size.join('×')}` === work),
      [
        {
          layout,
          size: [m, n, k],
        },
      ] = own as [Job, ...Job[]] // each work has one
    const [ta, tb] = [layout[0] === 't', layout[1] === 't'],
      x = data(m * k),
      y = data(k * n + 1).subarray(1)
    const a = tensor(core, x, ta ? [k, m] : [m, k]),
      b = tensor(core, y.slice(), tb ? [n, k] : [k, n])
    const library = (): Made => matmul(core, a, b, { transposeA: ta, transposeB: tb })
    const tried =
      ({ tile, splits }: Job) =>
      (): Made => {
        const c = blank(core, [m, n], 'f32'),
          partial = splits > 1 ? blank(core, [splits, m, n], 'f32') : c
        core.record({
          module: `${layout} ${tile}`,
          recipe: made[`${layout} ${tile}`]!,
          plan: 'product',
          sizes: { splits, n: m, m: n, p: k / splits },
          arrays: { A: a.buffer, B: b.buffer, C: partial.buffer },
          cost: { bytes: 0, flop: 0 },
        })
        if (splits > 1) {
          addSlices(partial, c, splits, null)
          partial.dispose()
        }
        return c
      }
    const wrong = (got: ArrayLike<number>): number =>
      Math.max(
        ...Array.from({ length: 32 }, (_, t) => {
          const i = t === 0 ? m - 1 : (t * 7919) % m,
            j = t === 0 ? n - 1 : (t * 104729) % n
          let sum = 0
          for (let z = 0; z < k; z++) sum += x[ta ? z * m + i : i * k + z]! * y[tb ? j * k + z : z * n + j]!
          return Math.abs(got[i * n + j]! - sum) / Math.sqrt(k)
        }),
      )
    const ready: { readonly tile: string; readonly run: () => Made; readonly ns: number[] }[] = []
    for (const [tile, run] of [
      ['library', library] as const,
      ...own.map((j) => [`${j.tile} /${j.splits}`, tried(j)] as const),
    ]) {
      if (Date.now() > deadline) break
      try {
        const c = run(),
          error = wrong(await c.read())
        c.dispose()
        if (error > 1e-5) throw new Error(`error ${error}`)
        ready.push({ tile, run, ns: [] })
      } catch (e) {
        console.log(work, tile, String((e as Error).message).slice(0, 200))
      }
    }
    const repeats = Math.max(5, Math.min(200, Math.ceil(2e11 / (m * n * k))))
    for (let turn = 0; turn < 6; turn++) {
      if (turn > 0 && Date.now() > deadline) break
      for (const r of ready) {
        const ns = await time(core, () => {
          for (let i = 0; i < repeats; i++) r.run().dispose()
        })
        if (turn > 0 && ns !== null) r.ns.push(ns / repeats)
      }
    }
    for (const { tile, run, ns } of ready) {
      const many = 4 * repeats
      let batch = Infinity
      for (let s = 0; s < 3 && Date.now() < deadline; s++) {
        await core.sync()
        const start = performance.now()
        for (let i = 0; i < many; i++) run().dispose()
        await core.sync()
        batch = Math.min(batch, (1000 * (performance.now() - start)) / many)
      }
      rows.push([`${m}×${n}×${k} ${layout}`, tile, Number((median(ns) / 1000).toFixed(2)), Number(batch.toFixed(2))])
    }
    if (ready.length === 0) break
    const shown = rows.slice(-ready.length) as (readonly [string, string, number, number])[]
    for (const r of [...shown].sort((p, q) => p[2] - q[2]).slice(0, 8)) console.log(r.join('  '))
    console.log(`  (library ${shown[0]?.slice(2).join(' ')})`)
    writeFileSync(out, JSON.stringify({ device: core.info?.description, rows }))
    for (const t of [a, b]) t.dispose()
  }
  process.exit(0)
}

const [command, a = '', b = ''] = process.argv.slice(2)
if (command === 'prepare') await prepare(a, b)
else await run(a, b)
