// In: what the device wrote (`bench/device/points.ts`, `bench/micro`). Out: the committed data, with provenance.
// Usage: npx tsx bench/model/record.ts points|micro|occupancy FILE DATE
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [what = '', file = '', date = ''] = process.argv.slice(2)
const device = 'NVIDIA H200 (132 multiprocessors), driver 580.159.04, CUDA 13.0'
const out = (name: string, text: string): void => writeFileSync(join(import.meta.dirname ?? '.', '../data', name), text)
const lines = <T>(rows: readonly T[]): string => rows.map((r) => JSON.stringify(r)).join(',\n')
const provenance = (p: Record<string, string>): string => JSON.stringify({ device, date, ...p })

if (what === 'points') {
  const rows = JSON.parse(readFileSync(file, 'utf8')) as readonly Record<string, unknown>[]
  const p = provenance({
    what:
      'the points of bench/model/points.ts; webgpu-robust: Dawn as browsers have it, webgpu: robustness off, ' +
      'cuda: CUDA text of the same kernel through NVRTC',
    protocol:
      'timestamp queries and CUDA events around enough launches back to back on the same data; 30 ms of work ' +
      'before samples count; 7 samples of at least 2 ms; ns is the median, spread half the interquartile ' +
      'range over the median',
    'made by': 'bench/model/prepare.ts, bench/device/points.ts, bench/model/record.ts',
  })
  out('h200-points.json', `{"provenance": ${p}, "rows": [\n${lines(rows)}\n]}\n`)
} else if (what === 'micro') {
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((l) => JSON.parse(l) as { name?: string; value: number; unit: string })
    .filter((r) => r.name !== undefined)
  const p = provenance({
    what: 'bench/micro/micro.cu, one run',
    'made by': 'nvcc -O3 -arch=sm_90; bench/model/record.ts',
  })
  const readings = lines(rows.map((r) => [r.name, r.value, r.unit]))
  out('h200-micro.json', `{"provenance": ${p}, "rows": [\n${readings}\n]}\n`)
} else if (what === 'occupancy') {
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((l) => l.split(',').map(Number))
  const byKernel = [...new Set(rows.map((r) => r.slice(0, 2).join()))].map((k) => [
    ...k.split(',').map(Number),
    ...rows.filter((r) => r.slice(0, 2).join() === k).map((r) => r[4]!),
  ])
  const first = rows.filter((r) => r.slice(0, 2).join() === rows[0]!.slice(0, 2).join())
  const combos = first.slice(0, 187).map((r) => [r[2], r[3]])
  const kernels = [...new Map(byKernel.map((k) => [k.slice(0, 2).join(), k.slice(0, 2 + combos.length)])).values()]
  const p = provenance({
    what:
      'cudaOccupancyMaxActiveBlocksPerMultiprocessor by registers, static shared bytes, ' +
      'then one answer for each [threads, dynamic shared bytes]; -1: refused',
    'made by': 'bench/micro/occupancy.cu',
  })
  const launches = JSON.stringify(combos)
  out('h200-occupancy.json', `{"provenance": ${p},\n"launches": ${launches},\n"kernels": [\n${lines(kernels)}\n]}\n`)
} else throw new Error('points, micro or occupancy?')
