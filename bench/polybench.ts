// In: the folder of PolyBench/C 4.2.1. Out: a table, a line per program: accepted or why not, launches at the data
// set's sizes, kernels, CPU seconds to compile (search and proof included), and the largest error of any output against
// gcc's, relative to the array's largest magnitude, when the plan runs in the simulator on the inputs of the program's
// own `init_array`; next to it the same of gcc's single precision against float64 (2⁻²⁹ of it where the type is
// double). Sources are not modified. Plans are made for the sizes of `--plan` and run at those of `--size`, unless a
// size is a macro.
//   npx tsx bench/polybench.ts FOLDER [--size MINI|SMALL|…] [--plan MINI|…] [--type float|double] [--only NAME,…]
// [--budget N]
import { DiagnosticError } from '../src/base/index.ts'
import { gpu } from '../src/gpus/index.ts'
import {
  chooseVariant,
  elementsOf,
  executions,
  hostArray,
  isFixed,
  type HostArray,
  type Plan,
  type PlanValues,
} from '../src/ir/index.ts'
import { optimize, referenceOf, runSimulated } from '../src/tune/index.ts'
import { worstOf } from './polybench/error.ts'
import { runGcc } from './polybench/gcc.ts'
import { kernelOf, sourcesIn, type DataSet, type Source } from './polybench/sources.ts'
import { countFrom, someOf } from './arguments.ts'

const [folder, ...rest] = process.argv.slice(2)
if (folder === undefined) throw new Error('give the folder of PolyBench/C')
const option = (name: string, otherwise: string): string => {
  const i = rest.indexOf(`--${name}`)
  return i < 0 ? otherwise : (rest[i + 1] ?? otherwise)
}
const size = option('size', 'MINI') as DataSet,
  plannedFor = option('plan', 'LARGE') as DataSet,
  type = option('type', 'float') as 'float' | 'double'
const only = option('only', '')
    .split(',')
    .filter((x) => x !== ''),
  budget = countFrom(option('budget', '3'), 3, 'the budget')

interface Row {
  readonly name: string
  readonly launches: string
  readonly kernels: string
  readonly seconds: number
  readonly error: string
  readonly gcc: string
  readonly sketches: string
  readonly verdict: string
}

/** What gcc's float64 may be off by: as far as its single precision is, with 29 bits more. */
async function errorOfDouble(source: Source, planned: DataSet): Promise<number> {
  const program = await kernelOf(source, planned, 'float'),
    { values, before, after } = runGcc(source, program, size, 'float')
  return worstOf(program, after, referenceOf(program, values, before)) * 2 ** -29
}

async function rowOf(source: Source): Promise<Row> {
  const clock = process.cpuUsage()
  const seconds = (): number => {
    const { user, system } = process.cpuUsage(clock)
    return (user + system) / 1e6
  }
  const row = (more: Partial<Row>): Row => ({
    name: source.name,
    launches: '',
    kernels: '',
    seconds: seconds(),
    error: '',
    gcc: '',
    sketches: '',
    verdict: '',
    ...more,
  })
  try {
    const large = await kernelOf(source, plannedFor, type)
    const program = large.sizes.some((s) => isFixed(s)) ? await kernelOf(source, size, type) : large
    const target = type === 'float' ? 'wgsl' : 'cuda'
    const result = await optimize(program, { gpu: gpu('h200'), targets: [target], budget })
    const compiled = seconds()
    const plan = result.plan
    const record = runGcc(source, program, size, type)
    const variant = chooseVariant(plan, record.values)
    const launches = [...executions(variant, record.values)].length
    const found = run(plan, record.values, record.before)
    const reference = referenceOf(program, record.values, record.before)
    const [ours, gccs] = [worstOf(program, found, reference), worstOf(program, record.after, reference)]
    const theirs = type === 'float' ? gccs : await errorOfDouble(source, large === program ? plannedFor : size)
    // dependent columns in gramschmidt: what is compared is noise
    const lost = theirs * (type === 'float' ? 1 : 2 ** 29) > 0.1
    const right = Math.max(ours, gccs) <= Math.max(16 * theirs, 64 * (type === 'float' ? 2 ** -24 : 2 ** -53))
    return row({
      launches: String(launches),
      kernels: String(new Set(variant.launches.map((l) => l.kernel)).size),
      seconds: compiled,
      error: ours.toExponential(1),
      gcc: theirs.toExponential(1),
      sketches: result.parts.map((p) => p.sketch).join(' '),
      verdict: lost ? 'no digits are left in gcc either' : right ? '' : 'WRONG',
    })
  } catch (e) {
    if (e instanceof DiagnosticError)
      return row({ verdict: e.diagnostics.map((d) => `${d.at ? `${d.at.line}: ` : ''}${d.message}`).join('; ') })
    return row({ verdict: e instanceof Error ? (e.stack ?? e.message) : String(e) })
  }
}

function run(
  plan: Plan,
  values: PlanValues,
  before: { readonly [array: string]: HostArray },
): { readonly [name: string]: HostArray } {
  const memory: { [name: string]: HostArray } = {}
  for (const a of plan.arrays) memory[a.name] = before[a.name]?.slice() ?? hostArray(a.type, elementsOf(a, values))
  const hazards = runSimulated(plan, values, memory, gpu('h200'))
  if (hazards.length > 0) throw new Error(hazards[0])
  return memory
}

const chosen = sourcesIn(folder).filter((s) => only.length === 0 || only.includes(s.name))
const rows: Row[] = []
console.log(`program | launches | kernels | CPU s | error | gcc's | sketches`)
for (const source of someOf(chosen, 'program of that name')) {
  const r = await rowOf(source)
  rows.push(r)
  console.log([r.name, r.launches, r.kernels, r.seconds.toFixed(1), r.error, r.gcc, r.sketches, r.verdict].join(' | '))
}
console.log(`${rows.filter((r) => r.verdict === '').length} of ${rows.length} accepted and right`)
