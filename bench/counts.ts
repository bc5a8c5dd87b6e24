// In: the catalogue and `examples/wgsl`. Out: a table of launches whose counts differ from those of all blocks, and the
// processor seconds of both. The one idea: the default may run fewer blocks, but must say what --exact says. Run with
// `npx tsx bench/counts.ts [GPU,…] [NAME]`; a launch that only a sample was taken of must have all in its intervals.
import { readdirSync, readFileSync } from 'node:fs'
import { explain, type ExplainReport } from '../src/explain/index.ts'
import { gpu } from '../src/gpus/index.ts'
import type { Dim3 } from '../src/ir/index.ts'

const [gpus = 'gt200,fermi,h200,cdna3', only = ''] = process.argv.slice(2)
/** Blocks up to which all of them run here. */
const mostBlocks = 4096

interface Case {
  readonly name: string
  readonly text: string
  readonly launch: Record<string, unknown> & { readonly grid: Dim3 }
}

function cases(): readonly Case[] {
  return ['examples/catalogue', 'examples/wgsl'].flatMap((folder) =>
    readdirSync(folder)
      .filter((f) => f.endsWith('.wgsl') && f.includes(only))
      .flatMap((f) => {
        const text = readFileSync(`${folder}/${f}`, 'utf8')
        const launch = launchOf(`${folder}/${f.replace('.wgsl', '.launch.json')}`)
        return variants(launch.grid).map((grid) => ({
          name: `${f} ${grid.join('×')}`,
          text,
          launch: { ...launch, grid },
        }))
      }),
  )
}

function launchOf(file: string): Case['launch'] {
  try {
    const read = JSON.parse(readFileSync(file, 'utf8'))
    return { ...read, grid: [read.grid[0], read.grid[1] ?? 1, read.grid[2] ?? 1] }
  } catch {
    return { grid: [16, 1, 1] }
  }
}

/** The launch's own grid where that is small, and odd ones. */
function variants([x, y, z]: Dim3): readonly Dim3[] {
  const least = (n: number, most: number): number => Math.min(n, most)
  const all: readonly Dim3[] = [
    [x, y, z],
    [least(x, 37), least(y, 23), z],
    [least(x, 64) + 1, y === 1 ? 1 : least(y, 32) + 1, z],
    [3, least(y, 3), z],
  ]
  return all.filter(([a, b, c]) => a * b * c <= mostBlocks)
}

const keys = ['requests', 'threads', 'sectors', 'idealSectors', 'lines', 'wavefronts', 'idealWavefronts'] as const

function differences(a: ExplainReport, b: ExplainReport): readonly string[] {
  const found: string[] = []
  const compare = (what: string, x: number | null, y: number | null): void => {
    if (Math.abs((x ?? 0) - (y ?? 0)) > 1e-6 * Math.abs(y ?? 0)) found.push(`${what} ${x} ≠ ${y}`)
  }
  compare('instructions', a.instructions.warp, b.instructions.warp)
  compare('threads', a.instructions.thread, b.instructions.thread)
  a.accesses.forEach((s, i) => {
    for (const k of keys) compare(`${s.resource}:${s.at?.line} ${k}`, s[k], b.accesses[i]![k])
    compare(`${s.resource}:${s.at?.line} conflict`, s.worstConflict, b.accesses[i]!.worstConflict)
    if (s.pattern !== b.accesses[i]!.pattern) found.push(`${s.resource} ${s.pattern} ≠ ${b.accesses[i]!.pattern}`)
  })
  a.branches.forEach((x, i) => {
    compare('branch', x.executed, b.branches[i]!.executed)
    compare('divergent', x.divergent, b.branches[i]!.divergent)
  })
  compare('time', a.prediction.ns, b.prediction.ns)
  return found
}

let bad = 0,
  sampled = 0,
  fast = 0,
  slow = 0,
  runs = 0
for (const name of gpus.split(','))
  for (const c of cases()) {
    const run = (exact: boolean): { report: ExplainReport; seconds: number } | string => {
      const from = performance.now()
      try {
        const report = explain({ text: c.text, file: c.name }, c.launch as never, {
          gpu: gpu(name),
          exact,
          brief: true,
        })
        return { report, seconds: (performance.now() - from) / 1000 }
      } catch (e) {
        return e instanceof Error ? e.message : String(e)
      }
    }
    const usual = run(false),
      all = run(true)
    if (typeof usual === 'string' || typeof all === 'string') {
      if (typeof usual === 'string' && typeof all !== 'string') console.log(`${name} ${c.name}: ${usual}`)
      continue
    }
    runs++
    fast += usual.seconds
    slow += all.seconds
    if (!usual.report.coverage.exact) {
      sampled++
      console.log(`${name} ${c.name}: sampled ${usual.report.coverage.simulated} of ${usual.report.coverage.blocks}`)
      continue
    }
    const found = differences(usual.report, all.report)
    if (found.length === 0) continue
    bad++
    console.log(`${name} ${c.name}: ${found.slice(0, 4).join('; ')}`)
  }
console.log(
  `${runs} launches, ${bad} differ, ${sampled} sampled; ${fast.toFixed(1)} s against ${slow.toFixed(1)} s for ` +
    `all blocks`,
)
process.exitCode = bad > 0 ? 1 : 0
