import { readFileSync, writeFileSync } from 'node:fs'
import { create, globals } from 'webgpu'
import { open } from '../src/kernels/index.ts'
import { addSlices } from '../src/kernels/map/map.ts'
import { blank } from '../src/kernels/tensor.ts'
import { imageHook, apart, vector, windowHook, up } from '../src/kernels/conv/zzproduct.ts'
Object.assign(globalThis, globals)
const small = process.env['SMALL'] === '1'
const keep = Object.assign(globalThis, { dawn: create(['enable-dawn-features=allow_unsafe_apis', 'disable-dawn-features=timestamp_quantization']) }).dawn
const gpu = await open({ gpu: keep, store: null, ...(small ? {} : { tuning: 'nvidia' as const }) })
const { core } = gpu
const recipes = JSON.parse(readFileSync(new URL('./recipes.json', import.meta.url), 'utf8'))
const start = Date.now(), limit = Number(process.env['LIMIT_S'] ?? 120) * 1000
const values = (n: number): Float32Array<ArrayBuffer> => { const a = new Float32Array(n); for (let i = 0, s = 777; i < n; i++) { s = (Math.imul(s, 1664525) + 1013904223) | 0; a[i] = s / 2 ** 31 } return a }
interface Cand { name: string; run: () => { dispose(): void; read(): Promise<ArrayLike<number>> }; us: number[]; error?: number; why?: string }
const result: any = {}
const out = process.env['OUT'] ? `${process.env['OUT']}/try.json` : 'try.json'
const only = new RegExp(process.env['ONLY'] ?? '')
async function group(what: string, cands: Cand[], check: (got: ArrayLike<number>) => number, repeat: number, share: number): Promise<void> {
  if (!only.test(what)) return
  const until = Date.now() + share * 1000
  const good: Cand[] = []
  for (const c of cands) {
    if (Date.now() > until || Date.now() - start > limit) { c.why = 'no time'; continue }
    try { const t = c.run(), got = await t.read(); t.dispose(); c.error = check(got); if (c.error < 1e-4) good.push(c); else c.why = `wrong ${c.error}` } catch (e) { c.why = String((e as Error).message).slice(0, 200) }
  }
  const first = Date.now()
  for (let warm = 0; warm < (small ? 1 : 40) && good.length; warm++) await gpu.time(() => { for (let i = 0; i < repeat; i++) good[0]!.run().dispose() })
  for (let round = 0; round < (small ? 1 : 5); round++) for (const c of good) c.us.push(((await gpu.time(() => { for (let i = 0; i < repeat; i++) c.run().dispose() })) ?? NaN) / repeat / 1000)
  const sorted = good.map((c) => ({ name: c.name, us: [...c.us].sort((a, b) => a - b)[c.us.length >> 1]!, error: c.error })).sort((a, b) => a.us - b.us)
  result[what] = { sorted, failed: cands.filter((c) => c.why).map((c) => [c.name, c.why]) }
  writeFileSync(out, JSON.stringify(result))
  console.log(`${what}: ${good.length} of ${cands.length}, timed in ${Date.now() - first} ms, at ${Date.now() - start} ms`)
  for (const s of sorted.slice(0, 7)) console.log(`   ${s.us.toFixed(2)} ${s.name}`)
  const failed = cands.filter((c) => c.why)
  if (failed.length) console.log(`   failed ${failed.length}: ${failed[0]!.name} ${failed[0]!.why}`)
}
const entries = (what: string): [string, any][] => Object.entries(recipes[what])
{ // columns
  const n = small ? 256 : 4096, k = small ? 300 : 4096
  const a = values(k * n), v = values(k)
  const A = gpu.tensor(a, [k, n]), x = gpu.tensor(v, [1, k])
  const want = [0, 1, n - 1, 77].map((j) => { let s = 0; for (let i = 0; i < k; i++) s += v[i]! * a[i * n + j]!; return s })
  const check = (got: ArrayLike<number>): number => Math.max(...[0, 1, n - 1, 77].map((j, i) => Math.abs(got[j]! - want[i]!) / Math.sqrt(k)))
  const cands: Cand[] = entries('cols').map(([name, recipe]) => ({ name, us: [], run: () => { const y = blank(core, [1, n], 'f32'); core.record({ module: `c ${name}`, recipe, plan: 'p', sizes: { b: 1, n, p: k }, arrays: { A: A.buffer, x: x.buffer, y: y.buffer }, cost: { bytes: 0, flop: 0 } }); return y } }))
  cands.unshift({ name: 'library', us: [], run: () => gpu.matmul(x, A) })
  await group('columns', cands, check, small ? 2 : 100, 40)
}
const product = async (what: string, lay: string, m: number, n: number, k: number): Promise<void> => {
  const a = values(m * k), b = values(k * n), ta = lay === 'tn'
  const A = gpu.tensor(a, ta ? [k, m] : [m, k]), B = gpu.tensor(b, [k, n])
  const at = [[0, 0], [m - 1, n - 1], [5, 33], [m >> 1, n >> 1]] as const
  const want = at.map(([i, j]) => { let s = 0; for (let x = 0; x < k; x++) s += a[ta ? x * m + i : i * k + x]! * b[x * n + j]!; return s })
  const check = (got: ArrayLike<number>): number => Math.max(...at.map(([i, j], w) => Math.abs(got[i * n + j]! - want[w]!) / Math.sqrt(k)))
  const cands: Cand[] = entries('prod').filter(([name]) => name.startsWith(lay)).flatMap(([name, recipe]) => {
    const [, bm, bn] = /(\d+)x(\d+)/.exec(name)!.map(Number), blocks = (m / bm!) * (n / bn!)
    return [1, 2, 4, 6, 8, 12, 16, 24, 32].filter((s) => k % (s * 32) === 0 && (small || blocks * s >= 110) && blocks * s <= 1100).map((splits): Cand => ({ name: `${name} /${splits}`, us: [], run: () => {
      const o = blank(core, [m, n], 'f32'), partial = splits > 1 ? blank(core, [splits, m, n], 'f32') : o
      core.record({ module: `p ${name}`, recipe, plan: 'p', sizes: { splits, batch: 1, n: m, m: n, p: k / splits }, arrays: { A: A.buffer, B: B.buffer, C: partial.buffer }, cost: { bytes: 0, flop: 0 } })
      if (splits > 1) { addSlices(partial, o, splits, null); partial.dispose() }
      return o
    } }))
  })
  cands.unshift({ name: 'library', us: [], run: () => gpu.matmul(A, B, { transposeA: ta }) })
  await group(what, cands, check, small ? 1 : 20, 40)
}
await product(small ? 'tall' : '4096×64×8192 nn', 'nn', small ? 512 : 4096, 64, small ? 256 : 8192)
await product(small ? 'wide' : '64×8192×4096 tn', 'tn', 64, small ? 512 : 8192, small ? 256 : 4096)
{ // convolution
  const [N, C, H, O] = small ? [1, 64, 16, 64] : [8, 64, 56, 64]
  const a = values(N * C * H * H), b = values(O * C * 9)
  const x = gpu.tensor(a, [N, C, H, H]), w = gpu.tensor(b, [O, C, 3, 3])
  const at = [[0, 0, 0, 0], [N - 1, O - 1, H - 1, H - 1], [N - 1, 3, 5, 7], [0, 9, H - 1, 3], [0, 33, 8, 0]] as const
  const want = at.map(([n, o, p, q]) => { let s = 0; for (let c = 0; c < C; c++) for (let r = 0; r < 3; r++) for (let t = 0; t < 3; t++) { const y = p + r - 1, z = q + t - 1; if (y >= 0 && y < H && z >= 0 && z < H) s += b[((o * C + c) * 3 + r) * 3 + t]! * a[((n * C + c) * H + y) * H + z]! } return s })
  const check = (got: ArrayLike<number>): number => Math.max(...at.map(([n, o, p, q], i) => Math.abs(got[((n * O + o) * H + p) * H + q]! - want[i]!) / 24))
  const places = H * H, columns = N * places, depth = C * 9
  const light = (width: number): string => [
    `  let e = i * ${width}u;`, `  let k = e / ${columns}u;`, `  let j = e - k * ${columns}u;`, `  let picture = j / ${places}u;`, `  let place = j - picture * ${places}u;`, `  let p0 = place / ${H}u;`, `  let q0 = place - p0 * ${H}u;`,
    `  let c = k / 9u;`, `  let t = k - 9u * c;`, `  let r = t / 3u;`, `  let y = p0 + r - 1u;`, `  let x = q0 + t - 3u * r - 1u;`,
    `  let row = ((picture * ${C}u + c) * ${H}u + y) * ${H}u + x;`, `  let inside = y < ${H}u;`,
    ...Array.from({ length: width }, (_, l) => `  let v${l} = select(0.0, image[min(row + ${l}u, ${N * C * H * H - 1}u)], inside && x + ${l}u < ${H}u);`),
    `  return ${vector(width, Array.from({ length: width }, (_, l) => `v${l}`))};`].join('\n')
  const cands: Cand[] = entries('conv').flatMap(([name, recipe]) => [0, 1].map((lean): Cand => ({ name: `${name} lean${lean}`, us: [], run: () => {
    const o = blank(core, [N, O, H, H], 'f32')
    const v: any = { core, x, w, n: N, c: C, h: H, width: H, o: O, r: 3, s: 3, p: H, q: H, top: 1, left: 1, stride: [1, 1], dilation: [1, 1], groups: 1, last: false, out: o, end: () => null }
    const A = windowHook(v, O, depth), B = imageHook(v, N, depth, up(depth))
    const hooks = [lean ? { ...A, body: () => '  return windows[i];' } : A, lean ? { ...B, body: light } : B, ...(N > 1 ? [apart(v, places, null, 'C')] : [])]
    core.record({ module: `v ${name}`, recipe, plan: 'p', sizes: { batch: 1, n: O, m: columns, p: depth }, arrays: { A: core.unused, B: core.unused, C: o.buffer }, cost: { bytes: 0, flop: 0 }, hooks, hookKey: `try ${lean}` })
    return o
  } })))
  cands.unshift({ name: 'library', us: [], run: () => gpu.conv2d(x, w, { padding: 1 }) })
  await group('conv', cands, check, small ? 1 : 40, 60)
}
process.exit(0)
