// In: what Nsight Compute read (`ncu --csv --page raw`) and what the simulator counted on the same launches. Out: a
// compact table of both, committed as data. Usage: npx tsx bench/truth/compare.ts NCU.csv simulated.json OUT.json
import { readFileSync, writeFileSync } from 'node:fs'

const [ncuFile = '', simulatedFile = '', out = ''] = process.argv.slice(2)

interface Kernel {
  readonly id: string
  readonly example: string
  readonly step: string
  readonly size: number
  readonly simulated: Record<string, number>
}

function cells(line: string): string[] {
  return [...line.matchAll(/"((?:[^"]|"")*)"/g)].map((m) => m[1]!)
}

const lines = readFileSync(ncuFile, 'utf8')
  .split('\n')
  .filter((l) => l.startsWith('"'))
const head = cells(lines[0]!)
const column = (name: string): number => head.indexOf(name)
const wanted: Readonly<Record<string, string>> = {
  loadRequests: 'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum',
  loadSectors: 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum',
  storeRequests: 'l1tex__t_requests_pipe_lsu_mem_global_op_st.sum',
  storeSectors: 'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum',
  sharedLoadWavefronts: 'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum',
  sharedStoreWavefronts: 'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum',
  warpInstructions: 'smsp__inst_executed.sum',
  lanes: 'smsp__thread_inst_executed_per_inst_executed.ratio',
  registers: 'launch__registers_per_thread',
}
const read = new Map(
  lines.slice(2).map((l) => {
    const c = cells(l)
    const name = c[column('Kernel Name')]!.replace(/\(.*/, '')
    return [
      name,
      Object.fromEntries(
        Object.entries(wanted).map(([key, metric]) => [key, Number(c[column(metric)]?.replace(/,/g, ''))]),
      ),
    ]
  }),
)
const kernels = JSON.parse(readFileSync(simulatedFile, 'utf8')) as readonly Kernel[]
const keys = [
  'loadRequests',
  'loadSectors',
  'storeRequests',
  'storeSectors',
  'sharedLoadWavefronts',
  'sharedStoreWavefronts',
  'warpInstructions',
  'lanes',
] as const
const rows = kernels.flatMap((k) => {
  const hardware = read.get(k.id)
  return hardware
    ? [
        {
          kernel: `${k.example} ${k.step} n=${k.size}`,
          simulated: keys.map((key) => Math.round(k.simulated[key]! * 100) / 100),
          hardware: keys.map((key) => Math.round(hardware[key]! * 100) / 100),
        },
      ]
    : []
})
for (const [i, key] of keys.entries()) {
  const equal = rows.filter((r) => r.simulated[i] === r.hardware[i]).length
  const off = rows
    .filter((r) => r.simulated[i] !== r.hardware[i])
    .sort(
      (a, b) =>
        Math.abs(Math.log((b.simulated[i]! + 1) / (b.hardware[i]! + 1))) -
        Math.abs(Math.log((a.simulated[i]! + 1) / (a.hardware[i]! + 1))),
    )
  const within = rows.filter(
    (r) => Math.abs(r.simulated[i]! - r.hardware[i]!) <= 0.01 * Math.max(1, r.hardware[i]!),
  ).length
  console.log(
    `${key}: ${equal} of ${rows.length} equal, ${within} within 1 %; worst: ${off
      .slice(0, 6)
      .map((r) => `${r.kernel} ${r.simulated[i]}/${r.hardware[i]}`)
      .join('; ')}`,
  )
}
if (out) {
  const provenance = {
    device: 'NVIDIA H200, driver 580.159.04, CUDA 13.0 (nvcc -arch=sm_90)',
    date: '2026-11-20',
    what: 'kernels made from examples/*.c, one per rung of each ladder, at small sizes; columns as named',
    tool: 'ncu --clock-control none, raw page',
    'made by': 'bench/truth/generate.ts and compare.ts',
    metrics: wanted,
  }
  writeFileSync(out, JSON.stringify({ provenance, columns: keys, rows }))
}
