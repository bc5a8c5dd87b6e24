// In: the C of `examples/` and `bench/everyday`, and PolyBench where its folder is given. Out: a table of launches of
// emitted plans whose counts differ from those of all blocks, and the processor seconds of both. The one idea: what
// `optimize` ranks by must be what a full run counts, at sizes that no tile divides, too. Every step of every ladder of
// the examples is asked, of the other programs the last. Run with
// `npx tsx bench/plan-counts.ts [GPU,…] [NAME] [--polybench FOLDER]`.
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { includesOf, parserFiles } from '../src/cli/files.ts'
import { parseC } from '../src/frontend/c/index.ts'
import { gpu, type GpuProfile } from '../src/gpus/index.ts'
import {
  arrayBytes,
  chooseVariant,
  meetsGrid,
  planValue,
  type Counters,
  type Dim3,
  type Launch,
  type Plan,
  type PlanLaunch,
  type PlanValues,
  type Program,
} from '../src/ir/index.ts'
import { analyse, build, type Analysed } from '../src/pipeline.ts'
import type { Point } from '../src/schedule/index.ts'
import { compileKernel } from '../src/simulate/index.ts'
import { plannedValues } from '../src/tune/index.ts'
import { kernelOf, sourcesIn } from './polybench/sources.ts'

const args = process.argv.slice(2)
const at = args.indexOf('--polybench')
const [folder] = at < 0 ? [] : args.splice(at, 2).slice(1)
const [gpus = 'gt200,fermi,h200,cdna3', only = ''] = args

/** Sizes of all parameters; three are odd, one is prime. Products of three are cut to what runs here. */
const asked = [64, 96, 37, 131, 255]
/** Blocks and bytes up to which all blocks run here. */
const mostBlocks = 4096,
  mostBytes = 2 ** 28
const mostSteps = 3e7

const wasm = parserFiles()

interface Subject {
  readonly name: string
  readonly read: () => Promise<Program>
  readonly all: boolean
}

const cFiles = (dir: string, all: boolean): readonly Subject[] =>
  readdirSync(dir)
    .filter((f) => f.endsWith('.c'))
    .sort()
    .map((f) => ({
      name: `${basename(dir)}/${f}`,
      all,
      read: () => parseC(readFileSync(`${dir}/${f}`, 'utf8'), f, { include: includesOf(`${dir}/${f}`, []), wasm }),
    }))

const subjects: readonly Subject[] = [
  ...cFiles('examples', true),
  ...cFiles('bench/everyday', false),
  ...(folder === undefined
    ? []
    : sourcesIn(folder).map((s) => ({
        name: `polybench/${s.name}`,
        all: false,
        read: () => kernelOf(s, 'SMALL', 'float'),
      }))),
].filter((s) => s.name.includes(only))

/** A point for each part, per step of the longest ladder; `all`: every step, or the last alone. */
function pointsOf(a: Analysed, all: boolean): readonly (readonly Point[])[] {
  const steps = Math.max(...a.parts.map((p) => p.sketch.ladder.length))
  const wanted = all ? Array.from({ length: steps }, (_, i) => i) : [steps - 1]
  const at = (ladder: Analysed['parts'][number]['sketch']['ladder'], n: number): Point =>
    ladder[Math.min(n, ladder.length - 1)]!.point // none is empty
  return wanted.map((n) => a.parts.map(({ sketch }) => at(sketch.ladder, n)))
}

function launchOf(plan: Plan, launch: PlanLaunch, values: PlanValues): Launch {
  const bytes = (name: string): number => {
    const array = plan.arrays.find((a) => a.name === name)
    return array ? Math.max(16, arrayBytes(array, values)) : 16
  }
  return {
    grid: launch.grid.map((e) => planValue(e, values)) as unknown as Dim3, // three of three
    params: Object.fromEntries(Object.entries(launch.params).map(([k, e]) => [k, planValue(e, values)])),
    buffers: Object.fromEntries(Object.entries(launch.arguments).map(([k, a]) => [k, new ArrayBuffer(bytes(a))])),
  }
}

function differences(a: Counters, b: Counters): readonly string[] {
  const found: string[] = []
  const compare = (what: string, x: number, y: number): void => {
    if (Math.abs(x - y) > 1e-6 * Math.abs(y)) found.push(`${what} ${x} ≠ ${y}`)
  }
  compare('instructions', a.instructions.warp, b.instructions.warp)
  compare('threads', a.instructions.thread, b.instructions.thread)
  a.sites.forEach((s, i) => {
    for (const k of ['requests', 'sectors', 'idealSectors', 'lines', 'wavefronts', 'idealWavefronts'] as const)
      compare(`site ${i} ${k}`, s[k] ?? 0, b.sites[i]![k] ?? 0) // the same kernel
  })
  a.branches.forEach((x, i) => {
    compare(`branch ${i}`, x.executed, b.branches[i]!.executed)
    compare(`divergent ${i}`, x.divergent, b.branches[i]!.divergent)
  })
  return found
}

const totals = { launches: 0, differ: 0, sampled: 0, left: 0, usual: 0, all: 0 }

function compareLaunch(name: string, launch: PlanLaunch, run: Launch, profile: GpuProfile): void {
  const blocks = run.grid[0] * run.grid[1] * run.grid[2]
  if (blocks === 0) return
  if (blocks > mostBlocks || meetsGrid(launch.kernel)) {
    totals.left++
    return
  }
  const simulation = compileKernel(launch.kernel, profile)
  const counted = (exact: boolean): { counters: Counters; seconds: number } | null => {
    const from = process.cpuUsage()
    try {
      const { counters } = simulation.run(run, { countOnly: true, maxSteps: mostSteps, ...(exact && { exact }) })
      const { user, system } = process.cpuUsage(from)
      return { counters, seconds: (user + system) / 1e6 }
    } catch {
      return null // too long for all blocks
    }
  }
  const usual = counted(false)
  const all = usual && counted(true)
  if (!usual || !all) {
    totals.left++
    return
  }
  totals.launches++
  totals.usual += usual.seconds
  totals.all += all.seconds
  if (!usual.counters.coverage.exact) {
    totals.sampled++
    return
  }
  const found = differences(usual.counters, all.counters)
  if (found.length === 0) return
  totals.differ++
  console.log(`${name} ${launch.kernel.name}: ${found.slice(0, 3).join('; ')}`)
}

function comparePlan(name: string, plan: Plan, program: Program, profile: GpuProfile): void {
  for (const n of asked) {
    const planned = plannedValues(program)
    const values: PlanValues = { ...planned, sizes: Object.fromEntries(program.sizes.map((s) => [s.name, n])) }
    if (plan.arrays.reduce((sum, a) => sum + arrayBytes(a, values), 0) > mostBytes) continue
    try {
      const variant = chooseVariant(plan, values)
      for (const launch of variant.launches.slice(0, 12)) {
        const first = { ...values, variables: Object.fromEntries(variablesOf(variant).map((v) => [v, 0])) }
        compareLaunch(`${profile.name} ${name} n=${n}`, launch, launchOf(plan, launch, first), profile)
      }
    } catch {
      totals.left++ // sizes that the program refuses
    }
  }
}

const variablesOf = (variant: { readonly steps?: readonly unknown[] }): readonly string[] =>
  [
    ...JSON.stringify(variant.steps ?? [], (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v)).matchAll(
      /"variable":"(\w+)"/g,
    ),
  ].map(
    ([, name]) => name!, // the pattern has it
  )

for (const subject of subjects) {
  const program = await subject.read().catch(() => null)
  if (!program) continue
  const analysed = analyse(program)
  for (const name of gpus.split(','))
    for (const [i, points] of pointsOf(analysed, subject.all).entries()) {
      const made = (() => {
        try {
          return build(analysed, points).plan
        } catch {
          return null // a step that this program has not
        }
      })()
      if (made) comparePlan(`${subject.name} step ${i}`, made, program, gpu(name))
    }
}
console.log(
  `${totals.launches} launches, ${totals.differ} differ, ${totals.sampled} sampled, ${totals.left} left out; ` +
    `${totals.usual.toFixed(1)} CPU s against ${totals.all.toFixed(1)} for all blocks`,
)
process.exitCode = totals.differ > 0 || totals.launches === 0 ? 1 : 0
