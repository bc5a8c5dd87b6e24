// In: C files whose first line is `//@ NAME | RETURNS | PARAMETERS,… | ORIGIN`: one function each and all that it
// needs.
// Out: a line a file: accepted or the refusal, and at five sizes whether the emitted wrapper on SwiftShader (for 64-bit
// numbers the CUDA plan in the simulator) gives what gcc's build with sanitizers gives on the same random data. The one
// idea: the function itself, as it stands, is the reference. Sizes for which the sanitizers stop the original (its data
// mean nothing there) and those that the wrapper refuses are counted apart. Each file runs in a process of its own.
//   npx tsx bench/foreign.ts FILE.c …          the table
//   npx tsx bench/foreign.ts --one FILE.c      one file, as JSON
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { transform } from 'esbuild'
import { DiagnosticError, random, type Random } from '../src/base/index.ts'
import { emitPlan, emitTypeScript } from '../src/emit/index.ts'
import { gpu } from '../src/gpus/index.ts'
import {
  elementsOf,
  hostArray,
  isFloat,
  isFixed,
  type HostArray,
  type Plan,
  type PlanValues,
  type Program,
} from '../src/ir/index.ts'
import { openWebGpu } from '../src/run/index.ts'
import { optimize, runSimulated, type Optimized } from '../src/tune/index.ts'
import { readC } from '../test/c/read.ts'
import { swiftShaderGpu } from '../test/support/dawn.ts'

/** Sizes of a function by the place of the parameter: small odd, larger odd, 32, a multiple of 32, unequal ones. */
const sizeSets: readonly (readonly number[])[] = [[1], [7], [33], [64], [23, 17, 40, 9, 31, 12]]
/** Largest difference of floats, relative to the largest magnitude of the array: WGSL promises 2⁻¹¹ of sin and cos. */
const relativeBound = 2 ** -10
const secondsOfFile = 90
/** Points of each sketch that are scored: what is computed is looked at, not its speed. */
const pointsOfSearch = 4

type Outcome = 'equal' | 'wrong' | 'undefined' | 'refused' | 'broken'

interface Found {
  readonly name: string
  readonly origin: string
  readonly verdict: 'accepted' | 'refused' | 'internal'
  readonly message: string
  readonly seconds: number
  readonly runs: readonly { readonly outcome: Outcome; readonly what: string }[]
}

interface Source {
  readonly path: string
  readonly text: string
  readonly name: string
  readonly returns: string
  readonly parameters: readonly string[]
  readonly origin: string
}

function sourceAt(path: string): Source {
  const text = readFileSync(path, 'utf8'),
    [name = '', returns = '', parameters = '', origin = ''] = text.split('\n')[0]!.slice(4).split(' | ')
  return { path, text, name, returns, parameters: parameters.split(','), origin }
}

// ------------------------------------------------------------------------------------------------------------- data

function filled(array: HostArray, type: string, r: Random): HostArray {
  for (let i = 0; i < array.length; i++) {
    const u = r.unit()
    const value = isFloat(type as 'f32') ? Math.fround(4 * u - 2) : Math.floor(u * span(type)) - low(type)
    if (array instanceof BigInt64Array || array instanceof BigUint64Array) array[i] = BigInt(value)
    else array[i] = value
  }
  return array
}

const span = (type: string): number => ({ u8: 256, i8: 256, u16: 4096, i16: 4096 })[type] ?? 24
const low = (type: string): number => ({ i8: 128, i16: 2048, i32: 8, i64: 8 })[type] ?? 0

/** Lengths that the source does not say: enough for most of what it reaches. */
const longLength = 4096
const lengthOf = (name: string): boolean => /_length_?$/.test(name)

function valuesAt(program: Program, set: readonly number[], r: Random): PlanValues {
  const size = (i: number): number => set[i % set.length]!
  return {
    sizes: Object.fromEntries(
      program.sizes.map((s, i) => [s.name, isFixed(s) ? s.planned : lengthOf(s.name) ? longLength : size(i)]),
    ),
    scalars: Object.fromEntries(
      program.scalars.map((s) => [s.name, isFloat(s.type) ? Math.fround(r.unit() + 0.25) : Math.floor(r.unit() * 6)]),
    ),
  }
}

const callersOf = (p: Pick<Plan, 'arrays'>): Plan['arrays'] => p.arrays.filter((a) => a.role !== 'temp')

// -------------------------------------------------------------------------------------------------------------- gcc

const cTypes: Readonly<Record<string, string>> = {
  i8: 'int8_t',
  u8: 'uint8_t',
  i16: 'int16_t',
  u16: 'uint16_t',
  i32: 'int32_t',
  u32: 'uint32_t',
  i64: 'int64_t',
  u64: 'uint64_t',
  f32: 'float',
  f64: 'double',
}

interface Structure {
  readonly parameter: string
  readonly type: string
  readonly isPointer: boolean
  readonly numbers: readonly string[]
  readonly arrays: Plan['arrays']
}

/** A parameter of the source whose members the program takes as numbers and arrays named `parameter_member`. */
function structureOf(s: Source, parameter: string, numbers: readonly string[], arrays: Plan['arrays']): Structure {
  const list = new RegExp(`\\b${s.name}\\s*\\(([^{;]*)\\)\\s*\\{`).exec(s.text)?.[1] ?? '',
    declaration = list.split(',').find((x) => new RegExp(`\\b${parameter}\\s*$`).test(x)) ?? ''
  const words = declaration
    .replace(new RegExp(`\\b${parameter}\\s*$`), '')
    .replace(/\b(const|restrict|\w*_RESTRICT)\b|\*/g, ' ')
    .replace(/[^\w\s]+/g, '')
    .trim()
  const pointed = new RegExp(`typedef\\s+(struct\\s+\\w+)\\s*\\*\\s*${words}\\s*;`).exec(s.text)?.[1]
  const isMember = (name: string): boolean => name.startsWith(`${parameter}_`)
  return {
    parameter,
    type: pointed ?? words,
    isPointer: pointed !== undefined || declaration.includes('*'),
    numbers: numbers.filter((name) => isMember(name) && !lengthOf(name)),
    arrays: arrays.filter((a) => isMember(a.name)),
  }
}

/** C that makes the structure (as many as its members' arrays say), and C that gives the arrays back. */
function structureInC(x: Structure): { readonly before: string; readonly after: string } {
  const object = `object_${x.parameter}`,
    memberOf = (name: string): string => name.slice(x.parameter.length + 1),
    at = (name: string): string => `((${x.type} *)0)->${memberOf(name)}`
  const isPointer = (a: Plan['arrays'][number]): string =>
    [cTypes[a.type]!, ...(a.type === 'i8' ? ['char'] : [])]
      .flatMap((t) => [`${t} *`, `const ${t} *`])
      .map((t) => `__builtin_types_compatible_p(__typeof__(${at(a.name)}), ${t})`)
      .join(' || ')
  const copy = (a: Plan['arrays'][number], isBack: boolean): string => {
    const inObject = `&${object}[i].${memberOf(a.name)}`,
      inArray = `(char *)array_${a.name} + i * sizeof ${at(a.name)}`
    return (
      `for (size_t i = 0; i < SIZE_${a.name} / sizeof ${at(a.name)}; i++) ` +
      `memcpy(${isBack ? `${inArray}, ${inObject}` : `${inObject}, ${inArray}`}, sizeof ${at(a.name)});`
    )
  }
  const before = [
    `size_t count_${x.parameter} = 1;`,
    ...x.arrays.map(
      (a) =>
        `if (!(${isPointer(a)}) && SIZE_${a.name} / sizeof ${at(a.name)} > count_${x.parameter}) ` +
        `count_${x.parameter} = SIZE_${a.name} / sizeof ${at(a.name)};`,
    ),
    `${x.type} *${object} = calloc(count_${x.parameter}, sizeof(${x.type}));`,
    ...x.numbers.map((n) => `${object}->${memberOf(n)} = number_${n};`),
    ...x.arrays.map(
      (a) => `if (${isPointer(a)}) *(void **)&${object}->${memberOf(a.name)} = array_${a.name}; else ${copy(a, false)}`,
    ),
  ]
  return {
    before: before.join('\n  '),
    after: x.arrays.map((a) => `if (!(${isPointer(a)})) ${copy(a, true)}`).join('\n  '),
  }
}

/** A program that reads numbers and arrays, calls the function, and writes the arrays and what it returns. */
function driverOf(s: Source, program: Program): string {
  const numbers = [...program.sizes, ...program.scalars].map((x) => x.name),
    arrays = callersOf(program).filter((a) => a.name !== 'result' || s.parameters.includes('result'))
  const isOwn = (name: string): boolean => numbers.includes(name) || arrays.some((a) => a.name === name)
  const structures = s.parameters
    .filter((x) => !isOwn(x))
    .map((x) => structureOf(s, x, numbers, arrays))
    .filter((x) => x.numbers.length + x.arrays.length > 0)
  const inC = structures.map(structureInC)
  const valueOfArray = (name: string): string => {
    const { type, isPointer } = structureOf(s, name, [], [])
    return isPointer || !s.text.includes(`} ${type};`) ? `array_${name}` : `*(${type} *)array_${name}`
  }
  const argument = (name: string): string => {
    if (numbers.includes(name)) return `number_${name}`
    if (arrays.some((a) => a.name === name)) return valueOfArray(name)
    const structure = structures.find((x) => x.parameter === name)
    if (!structure) return '0'
    return `${structure.isPointer ? '' : '*'}object_${name}`
  }
  const call = `${s.name}(${s.parameters.map(argument).join(', ')})`
  return `#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "${resolve(s.path)}"
static void *taken(FILE *f) { uint64_t n; fread(&n, 8, 1, f); void *p = malloc(n); fread(p, 1, n, f); return p; }
int main(void) {
  FILE *in = fopen("in", "rb");
  double number;
  ${numbers.map((n) => `fread(&number, 8, 1, in); double number_${n} = number;`).join('\n  ')}
  ${arrays.map((a) => `${cTypes[a.type]!} *array_${a.name} = taken(in);`).join('\n  ')}
  ${inC.map((x) => x.before).join('\n  ')}
  ${s.returns.endsWith('void') ? `${call};` : `${s.returns} returned = ${call};`}
  ${inC.map((x) => x.after).join('\n  ')}
  FILE *out = fopen("out", "wb");
  ${arrays.map((a) => `fwrite(array_${a.name}, 1, SIZE_${a.name}, out);`).join('\n  ')}
  ${s.returns.endsWith('void') ? '' : 'fwrite(&returned, 1, sizeof returned, out);'}
  fclose(out);
  return 0;
}
`.replace(
    /SIZE_(\w+)/g,
    (_, name: string) =>
      `({ size_t n = 0; FILE *g = fopen("size_${name}", "r"); fscanf(g, "%zu", &n); fclose(g); n; })`,
  )
}

/** Makes the original with its driver; what gcc says where it cannot. */
function compiled(s: Source, program: Program, folder: string): string {
  writeFileSync(join(folder, 'main.c'), driverOf(s, program))
  const flags = [
    '-O1',
    '-g',
    '-w',
    '-std=gnu11',
    '-ffp-contract=off',
    '-fsanitize=address,undefined',
    '-fno-sanitize=shift-base',
  ]
  const made = spawnSync('gcc', [...flags, '-fno-sanitize-recover=all', 'main.c', '-o', 'main', '-lm'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return made.status === 0 ? '' : (/error: .*/.exec(made.stderr)?.[0] ?? 'it does not compile')
}

type Arrays = Readonly<Record<string, HostArray>>

/** What the original leaves in its arrays; a sentence where the sanitizers stop it. */
function original(s: Source, program: Program, values: PlanValues, before: Arrays, folder: string): Arrays | string {
  const numbers = [
    ...program.sizes.map((x) => values.sizes[x.name]!),
    ...program.scalars.map((x) => values.scalars[x.name]!),
  ]
  const arrays = callersOf(program).filter((a) => a.name !== 'result' || s.parameters.includes('result'))
  const pieces: Uint8Array[] = [new Uint8Array(Float64Array.from(numbers).buffer)]
  for (const a of arrays) {
    const bytes = new Uint8Array(before[a.name]!.slice().buffer)
    pieces.push(new Uint8Array(BigUint64Array.of(BigInt(bytes.length)).buffer), bytes)
    writeFileSync(join(folder, `size_${a.name}`), String(bytes.length))
  }
  writeFileSync(join(folder, 'in'), Buffer.concat(pieces))
  const run = spawnSync('./main', {
    cwd: folder,
    encoding: 'utf8',
    timeout: 10_000,
    env: { ...process.env, ASAN_OPTIONS: 'detect_leaks=0' },
  })
  if (run.status !== 0) return /(runtime error: .*|ERROR: AddressSanitizer: [\w-]+)/.exec(run.stderr)?.[1] ?? 'it stops'
  const bytes = readFileSync(join(folder, 'out'))
  let offset = 0
  const after: Record<string, HostArray> = {}
  for (const a of callersOf(program)) {
    if (!before[a.name]) continue
    const data = before[a.name]!.slice(),
      raw = new Uint8Array(data.buffer)
    raw.set(bytes.subarray(offset, offset + raw.length))
    offset += raw.length
    after[a.name] = data
  }
  return after
}

// -------------------------------------------------------------------------------------------------------------- run

type Run = (values: PlanValues, before: Arrays) => Promise<Arrays>

async function wrapperOf(result: Optimized, folder: string): Promise<Run> {
  const made = emitTypeScript(emitPlan(result.plan, { targets: ['wgsl'] })),
    { code } = await transform(made.text, { loader: 'ts', format: 'esm' })
  const path = join(folder, 'wrapper.mjs')
  writeFileSync(path, code)
  const run = ((await import(path)) as Record<string, (...args: unknown[]) => Promise<Arrays>>)[made.entry]!
  const { device } = await openWebGpu({ gpu: await swiftShaderGpu() })
  return async (values, before) => {
    const copies = Object.fromEntries(Object.entries(before).map(([name, data]) => [name, data.slice()]))
    return run({ ...values.sizes, ...values.scalars, ...copies }, { device })
  }
}

const simulatedOf =
  (plan: Plan): Run =>
  async (values, before) => {
    const memory: Record<string, HostArray> = {}
    for (const a of plan.arrays) memory[a.name] = before[a.name]?.slice() ?? hostArray(a.type, elementsOf(a, values))
    const hazards = runSimulated(plan, values, memory, gpu('h200'))
    if (hazards.length > 0) throw new Error(`hazard: ${hazards[0]}`)
    return memory
  }

/** The greater magnitude, of what is finite. */
const greater = (most: number, x: number): number => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most)

/** The arrays with floats moved by their last bits: what the original makes of them says how it is conditioned. */
function moved(before: Arrays, r: Random): Arrays {
  const lastBit = 2 ** -23
  return Object.fromEntries(
    Object.entries(before).map(([name, data]) => {
      const copy = data.slice()
      if (copy instanceof Float32Array || copy instanceof Float64Array)
        copy.forEach((x, i) => {
          copy[i] = x * (1 + (r.unit() < 0.5 ? -lastBit : lastBit))
        })
      return [name, copy]
    }),
  )
}

/** How many times what the original changes by, when its data are moved, a result may differ. */
const timesMoved = 16

/** The largest difference of floats, by array. */
function largestChange(program: Program, a: Arrays, b: Arrays): Readonly<Record<string, number>> {
  return Object.fromEntries(
    callersOf(program).map(({ name, type }) => {
      const [x, y] = [a[name], b[name]]
      if (!x || !y || !isFloat(type)) return [name, 0]
      return [name, Array.from(x as Float32Array).reduce((most, v, i) => greater(most, v - Number(y[i])), 0)]
    }),
  )
}

function difference(
  program: Program,
  found: Arrays,
  wanted: Arrays,
  changes: Readonly<Record<string, number>> = {},
): string {
  for (const a of callersOf(program)) {
    const want = wanted[a.name],
      have = found[a.name]
    if (!want || !have || a.role === 'in') continue
    const largest = isFloat(a.type) ? Array.from(want as Float32Array).reduce(greater, 1e-6) : 0
    for (let i = 0; i < want.length; i++) {
      const x = have[i]!,
        y = want[i]!
      if (Object.is(x, y) || x === y) continue
      if (Number.isNaN(x) && Number.isNaN(y)) continue
      const isNear =
        isFloat(a.type) &&
        Math.abs(Number(x) - Number(y)) <= largest * relativeBound + (changes[a.name] ?? 0) * timesMoved
      if (!isNear) return `${a.name}[${i}] is ${x}, not ${y}`
    }
  }
  return ''
}

// --------------------------------------------------------------------------------------------------------- one file

async function one(path: string): Promise<Found> {
  const s = sourceAt(path),
    start = process.cpuUsage()
  const seconds = (): number => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1e6
  }
  const found = { name: basename(path, '.c'), origin: s.origin, runs: [] }
  const cache = resolve(import.meta.dirname, '../node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'foreign-'))
  try {
    let program: Program, result: Optimized, run: Run
    try {
      program = await readC(s.text, { function: s.name })
      const target = { gpu: gpu('h200'), budget: pointsOfSearch }
      try {
        result = await optimize(program, { ...target, targets: ['wgsl'] })
        run = await wrapperOf(result, folder)
      } catch (e) {
        if (!(e instanceof DiagnosticError) || !/wgsl\.(wide|double|type)|f64/.test(e.diagnostics[0]!.code + e.message))
          throw e
        result = await optimize(program, { ...target, targets: ['cuda'] })
        run = simulatedOf(result.plan)
      }
    } catch (e) {
      const message = e instanceof Error ? e.message : String(e)
      const isTold = e instanceof DiagnosticError
      return { ...found, verdict: isTold ? 'refused' : 'internal', message: message.slice(0, 700), seconds: seconds() }
    }
    const took = seconds()
    const refusal = compiled(s, program, folder)
    if (refusal !== '') return { ...found, verdict: 'internal', message: `gcc: ${refusal}`, seconds: took }
    const runs: { outcome: Outcome; what: string }[] = []
    for (const [i, set] of sizeSets.entries()) {
      const r = random(100 + i),
        values = valuesAt(program, set, r)
      const at = JSON.stringify({ ...values.sizes, ...values.scalars })
      try {
        const before = Object.fromEntries(
          callersOf(program)
            .filter((a) => a.name !== 'result' || s.parameters.includes('result'))
            .map((a) => [a.name, filled(hostArray(a.type, elementsOf(a, values)), a.type, r)]),
        )
        const wanted = original(s, program, values, before, folder)
        if (typeof wanted === 'string') {
          runs.push({ outcome: 'undefined', what: `${at}: ${wanted}` })
          continue
        }
        if (!s.returns.endsWith('void')) Object.assign(wanted, { result: returned(program, folder) })
        const asked = program.arrays.some((a) => a.name === 'result' && a.role === 'inout') && !before['result']
        const given = asked
          ? { ...before, result: hostArray(program.arrays.find((a) => a.name === 'result')!.type, 1) }
          : before
        const made = await run(values, given)
        let what = difference(program, made, wanted)
        if (what !== '') {
          const other = original(s, program, values, moved(before, r), folder)
          if (typeof other !== 'string') what = difference(program, made, wanted, largestChange(program, wanted, other))
        }
        runs.push(what === '' ? { outcome: 'equal', what: at } : { outcome: 'wrong', what: `${at}: ${what}` })
      } catch (e) {
        const message = e instanceof Error ? e.message : String(e)
        runs.push({
          outcome: /hazard|Invalid|Error while/.test(message) ? 'broken' : 'refused',
          what: `${at}: ${message.slice(0, 200)}`,
        })
      }
    }
    return { ...found, verdict: 'accepted', message: '', seconds: took, runs }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the original returned, which stands at the end of its output. */
function returned(program: Program, folder: string): HostArray | undefined {
  const a = program.arrays.find((x) => x.name === 'result')
  if (!a) return undefined
  const data = hostArray(a.type, 1),
    bytes = readFileSync(join(folder, 'out'))
  new Uint8Array(data.buffer).set(bytes.subarray(bytes.length - data.byteLength))
  return data
}

// ------------------------------------------------------------------------------------------------------------ table

const args = process.argv.slice(2)
if (args[0] === '--one') {
  const found = await one(args[1]!)
  writeFileSync(1, `${JSON.stringify(found)}\n`)
  process.exit(0)
}
const all: Found[] = []
for (const path of args) {
  const run = spawnSync(process.execPath, [...process.execArgv, import.meta.filename, '--one', path], {
    encoding: 'utf8',
    timeout: secondsOfFile * 1000,
  })
  const line = run.stdout?.split('\n').find((x) => x.startsWith('{"name"'))
  const lost = (run.stderr ?? '').slice(-300)
  const found: Found = line
    ? (JSON.parse(line) as Found)
    : {
        name: basename(path, '.c'),
        origin: '',
        verdict: 'internal',
        message: `no answer: ${lost}`,
        seconds: secondsOfFile,
        runs: [],
      }
  all.push(found)
  const count = (o: Outcome): number => found.runs.filter((r) => r.outcome === o).length
  const bad =
    found.runs.find((r) => r.outcome === 'wrong' || r.outcome === 'broken') ??
    found.runs.find((r) => r.outcome !== 'equal')
  const counts =
    found.runs.length === 0
      ? ''
      : `${count('equal')} equal, ${count('wrong')} wrong, ${count('broken')} broken, ${count('undefined')} ` +
        `undefined, ${count('refused')} refused`
  console.log(
    [
      found.name,
      found.verdict,
      found.seconds.toFixed(1),
      counts,
      (found.message || bad?.what || '').replaceAll('\n', ' / '),
    ].join(' | '),
  )
}
const runs = all.flatMap((f) => f.runs)
const share = (o: Outcome): number => runs.filter((r) => r.outcome === o).length
console.log(
  `${all.length} functions: ${all.filter((f) => f.verdict === 'accepted').length} accepted, ` +
    `${all.filter((f) => f.verdict === 'refused').length} refused, ` +
    `${all.filter((f) => f.verdict === 'internal').length} internal errors; ${runs.length} runs: ` +
    `${share('equal')} equal, ${share('wrong')} wrong, ${share('broken')} broken, ${share('undefined')} ` +
    `undefined in the original, ${share('refused')} refused by the wrapper`,
)
