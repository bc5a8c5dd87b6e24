// Whole programs on the device. On a machine without one, with PolyBench's folder: makes the plans of its programs for
// a data set and writes them with their texts, a file per program. On the device, with the folder of plans: times each
// through CUDA's driver and through WebGPU (Dawn): kernels alone, arrays stay on the device, random data. `check`
// compares the results at another data set with those of gcc's executables, which `build` puts beside the plans (a
// device machine may have no compiler). In place of PolyBench's, a folder of C files that plan their own sizes will do
// (bench/everyday).
//   npx tsx bench/device/programs.ts make POLYBENCH OUT [--size EXTRALARGE] [--only NAME,…] [--budget N]
// [--on cuda,webgpu]   (without a budget the search has the effort that it has by default)
//   npx tsx bench/device/programs.ts points POLYBENCH OUT [--only NAME,…] [--most N]   (a file for each of up to N
// points of a program's space, for programs of one kernel: which schedule is fastest there)
//   npx tsx bench/device/programs.ts build POLYBENCH OUT [--size LARGE]
//   npx tsx bench/device/programs.ts time|check OUT [--on cuda,webgpu] [--only NAME,…] [--largest GIB]   (a line of
// JSON per program and device; `largest`: programs with an array of more GiB are left out)
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defaultEffort } from '../../src/cli/commands/optimize.ts'
import { parserFiles } from '../../src/cli/files.ts'
import { emitPlan } from '../../src/emit/index.ts'
import { parseC } from '../../src/frontend/c/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { arrayBytes, chooseVariant, executions, type Plan, type PlanValues, type Program } from '../../src/ir/index.ts'
import { analyse, build as buildPlan } from '../../src/pipeline.ts'
import {
  chipOf,
  estimatePlan,
  freshArrays,
  openMeasurer,
  optimize,
  plannedValues,
  type ArrayData,
  type Measurer,
} from '../../src/tune/index.ts'
import { worstOf } from '../polybench/error.ts'
import { compileGcc, readRecord } from '../polybench/gcc.ts'
import { kernelOf, sourcesIn, type DataSet } from '../polybench/sources.ts'
import { countFrom, someOf } from '../arguments.ts'

const [task, folder, ...rest] = process.argv.slice(2)
const option = (name: string, otherwise: string): string => {
  const i = rest.indexOf(`--${name}`)
  return i < 0 ? otherwise : (rest[i + 1] ?? otherwise)
}
const only = option('only', '')
  .split(',')
  .filter((x) => x !== '')
const wanted = (name: string): boolean => only.length === 0 || only.includes(name)

type Device = 'cuda' | 'webgpu'
const devices = option('on', 'cuda,webgpu').split(',') as Device[] // openMeasurer refuses others
const largest = Number(option('largest', 'Infinity')) * 2 ** 30

/** `predicted`: microseconds of all launches, by the model; in WebGPU, if it has that plan. */
interface Stored {
  readonly name: string
  readonly values: PlanValues
  readonly predicted?: number
  readonly plans: { readonly cuda?: Plan; readonly wgsl?: Plan }
}
const planOf = (of: Stored, on: Device): Plan => {
  const plan = on === 'cuda' ? of.plans.cuda : of.plans.wgsl
  if (!plan) throw new Error(`there is no plan for ${on}`)
  return plan
}
/** The plan for either: their arrays are the same. */
const anyPlan = (of: Stored): Plan => planOf(of, of.plans.wgsl ? 'webgpu' : 'cuda')

/** 64-bit constants have no JSON of their own. */
const toText = (x: unknown): string =>
  JSON.stringify(x, (_, v: unknown) => (typeof v === 'bigint' ? { bigint: `${v}` } : v))
const fromText = (text: string): Stored =>
  JSON.parse(text, (_, v: unknown) =>
    typeof v === 'object' && v !== null && 'bigint' in v ? BigInt((v as { bigint: string }).bigint) : v,
  ) as Stored // written by toText

/** Names and programs of PolyBench's folder, or of any with C files. */
function programsIn(folder: string): readonly { readonly name: string; readonly read: () => Promise<Program> }[] {
  if (existsSync(join(folder, 'utilities/benchmark_list')))
    return sourcesIn(folder).map((s) => ({
      name: s.name,
      read: () => kernelOf(s, option('size', 'EXTRALARGE') as DataSet, 'float'),
    }))
  return readdirSync(folder)
    .filter((f) => f.endsWith('.c'))
    .sort()
    .map((f) => ({
      name: f.slice(0, -2),
      read: () => parseC(readFileSync(join(folder, f), 'utf8'), f, { wasm: parserFiles() }),
    }))
}

async function make(polybench: string, out: string): Promise<void> {
  mkdirSync(out, { recursive: true })
  for (const source of someOf(
    programsIn(polybench).filter((s) => wanted(s.name)),
    'program of that name',
  )) {
    try {
      const program = await source.read()
      const { plan, cudaPlan, search, kernels } = await optimize(program, {
        gpu: gpu('h200'),
        targets: devices.map((d) => (d === 'cuda' ? 'cuda' : 'wgsl')),
        ...(rest.includes('--budget')
          ? { budget: countFrom(option('budget', '6'), 6, 'the budget') }
          : { effort: defaultEffort }),
      })
      const stored: Stored = {
        name: source.name,
        values: plannedValues(program),
        predicted: kernels.reduce((ns, k) => ns + k.prediction.ns, 0) / 1e3,
        plans: {
          ...(devices.includes('cuda') && { cuda: cudaPlan! }),
          ...(devices.includes('webgpu') && { wgsl: plan }),
        },
      }
      writeFileSync(join(out, `${source.name}.json`), toText(stored))
      console.log(
        `${source.name}: ${[...executions(chooseVariant(plan, stored.values), stored.values)].length} ` +
          `launches, ${search.seconds.toFixed(1)} s`,
      )
    } catch (e) {
      console.log(`${source.name}: ${e instanceof Error ? e.message : String(e)}`)
    }
  }
}

/** The plans of points spread over the space of each program that has one sketch, with what the model says of them. */
async function makePoints(folder: string, out: string): Promise<void> {
  mkdirSync(out, { recursive: true })
  const most = countFrom(option('most', '24'), 24, 'the number of points')
  for (const source of programsIn(folder).filter((s) => wanted(s.name))) {
    const program = await source.read(),
      analysed = analyse(program),
      values = plannedValues(program),
      [part, ...more] = analysed.parts
    if (!part || more.length > 0) {
      console.log(`${source.name}: ${analysed.parts.length} kernels`)
      continue
    }
    const { space, ladder, forCuda } = part.sketch,
      stride = Math.max(1, space.length / most)
    const points = [
      ...ladder.map((r) => r.point),
      ...Array.from({ length: Math.min(most, space.length) }, (_, i) => space[Math.floor(i * stride)]!),
    ]
    for (const point of points) {
      const own = forCuda?.(point, chipOf(gpu('h200'))) ?? point
      const { plan } = buildPlan(analysed, [own], { warp: 32, exact: 'asked', at: values })
      const cuda = emitPlan(plan, { targets: ['cuda'] }),
        name = `${source.name}@${Object.entries(own)
          .map(([k, v]) => `${k}${v}`)
          .join(' ')}`
      const predicted = estimatePlan(program, cuda, values, gpu('h200')).prediction.ns / 1e3
      const of: Stored = { name, values, predicted, plans: { cuda, wgsl: cuda } }
      writeFileSync(join(out, `${name}.json`), toText(of))
    }
    console.log(`${source.name}: ${part.sketch.name}, ${points.length} points`)
  }
}

const stored = (plans: string): readonly Stored[] =>
  someOf(
    readdirSync(plans)
      .sort()
      .filter((f) => f.endsWith('.json') && wanted(f.slice(0, -5))),
    `plan in ${plans}`,
  ).map((f) => fromText(readFileSync(join(plans, f), 'utf8')))

/** Does `f` for each program on each device; what fails becomes a line, too. */
async function onDevices(
  plans: string,
  f: (measurer: Measurer, of: Stored, plan: Plan) => Promise<object>,
): Promise<void> {
  const programs = stored(plans)
  for (const on of devices) {
    const measurer = await openMeasurer(on)
    for (const of of programs) {
      const answer = await withinSize(of)
        .then(() => f(measurer, of, planOf(of, on)))
        .catch((e: unknown) => ({ error: e instanceof Error ? e.message : String(e) }))
      console.log(JSON.stringify({ name: of.name, on, ...answer }))
    }
    measurer.close()
  }
}

async function withinSize(of: Stored): Promise<void> {
  const bytes = Math.max(...anyPlan(of).arrays.map((a) => arrayBytes(a, of.values)))
  if (bytes > largest) throw new Error(`an array of ${(bytes / 2 ** 30).toFixed(1)} GiB`)
}

/** Bytes of all arrays that the caller gives or gets, each read or written once. */
const moved = (plan: Plan, values: PlanValues): number =>
  plan.arrays.reduce((n, a) => n + (a.role === 'temp' ? 0 : a.role === 'inout' ? 2 : 1) * arrayBytes(a, values), 0)

async function timeOf(measurer: Measurer, plan: Plan, values: PlanValues, arrays: ArrayData): Promise<object> {
  const t = await measurer.time(plan, values, arrays)
  return {
    device: measurer.name,
    ms: t.ns / 1e6,
    min: t.min / 1e6,
    spread: t.spread,
    samples: t.samples,
    repeats: t.repeats,
    launches: [...executions(chooseVariant(plan, values), values)].length,
  }
}

/** gcc's executables of every plan's program, single and double, beside the plans. */
function build(polybench: string, plans: string): void {
  const sources = sourcesIn(polybench)
  for (const of of stored(plans))
    for (const type of types)
      compileGcc(
        sources.find((s) => s.name === of.name)!,
        anyPlan(of),
        option('size', 'LARGE') as DataSet,
        type,
        join(plans, `${of.name}.${type}`),
        ['-O2'],
      )
}

const types = ['float', 'double'] as const

/** Runs the executables that have not run, all at once, each in a folder of its own below `plans`. */
async function runExecutables(plans: string): Promise<void> {
  await Promise.all(
    stored(plans).flatMap(({ name }) =>
      types.map(
        (type) =>
          new Promise<void>((done, failed) => {
            const cwd = folderOf(plans, name, type)
            if (existsSync(join(cwd, 'after'))) return done()
            mkdirSync(cwd, { recursive: true })
            execFile(resolve(plans, `${name}.${type}`), { cwd }, (e) => (e ? failed(e) : done()))
          }),
      ),
    ),
  )
}

const folderOf = (plans: string, name: string, type: string): string => join(plans, `${name}-${type}`)

/**
 * What the device computes from `init_array`'s values, and gcc in single precision, against gcc in double; and the time
 * at those sizes.
 */
async function check(plans: string): Promise<void> {
  await runExecutables(plans)
  await onDevices(plans, async (measurer, { name }, plan) => {
    const single = readRecord(plan, folderOf(plans, name, 'float'), 'float'),
      double = readRecord(plan, folderOf(plans, name, 'double'), 'double')
    const found = await measurer.run(plan, single.values, single.before)
    return {
      error: worstOf(plan, found, double.after),
      gcc: worstOf(plan, single.after, double.after),
      ...(await timeOf(measurer, plan, single.values, freshArrays(plan.arrays, single.values, 1, true))),
    }
  })
}

if (task === 'make' && folder !== undefined && rest[0] !== undefined) await make(folder, rest[0])
else if (task === 'points' && folder !== undefined && rest[0] !== undefined) await makePoints(folder, rest[0])
else if (task === 'build' && folder !== undefined && rest[0] !== undefined) build(folder, rest[0])
else if (task === 'time' && folder !== undefined)
  await onDevices(folder, async (measurer, { values, predicted }, plan) => ({
    ...(await timeOf(measurer, plan, values, freshArrays(plan.arrays, values, 1, true))),
    ...(predicted !== undefined && { predicted, bytes: moved(plan, values) }),
  }))
else if (task === 'check' && folder !== undefined) await check(folder)
else throw new Error('say make POLYBENCH OUT, build POLYBENCH OUT, time OUT or check OUT')
