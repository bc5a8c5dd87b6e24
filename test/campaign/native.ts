// In: functions of the campaign and, for CUDA, what was emitted for them. Out: what each call leaves in its arrays, run
// as a native program. The one idea: many functions are one program, which reads all arrays from one file and writes
// all results to another, so that compilers and processes start once for a batch. gcc's sanitizers watch the source;
// emitted CUDA runs on the host (`blocks.h`) or, through nvcc, on a device, with guards around every array.
import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plan } from '../../src/ir/index.ts'
import type { ElementType, Parameter, RandomFunction } from './random-function.ts'

/** What a call left: numbers of each array that the function writes, and `result`. */
export type Results = Readonly<Record<string, ArrayLike<number>>>

/** Of each function, of each of its calls; a sentence where there is no result. */
export type BatchResults = readonly (readonly (Results | string)[])[]

/**
 * What the source leaves, and what it leaves when its numbers, and the results of library functions, change in their
 * last bits: where that moves results out of proportion, no rounding is the right one (Higham, "Accuracy and Stability
 * of Numerical Algorithms", 1.10).
 */
export interface SourceResults {
  readonly exact: BatchResults
  readonly moved: BatchResults
}

/** A function and its emitted CUDA. */
export interface CudaFunction {
  readonly of: RandomFunction
  readonly plan: Plan
  readonly text: string
}

const cType: Readonly<Record<ElementType, string>> = {
  i8: 'signed char',
  u8: 'unsigned char',
  i16: 'short',
  u16: 'unsigned short',
  i32: 'int',
  u32: 'unsigned',
  f32: 'float',
}

const arrayClass = {
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
} as const satisfies Record<ElementType, unknown>

type ArrayParameter = Extract<Parameter, { kind: 'array' }>

/** A typed array of `values`. */
export const typed = (type: ElementType, values: readonly number[]): InstanceType<(typeof arrayClass)[ElementType]> =>
  arrayClass[type].from(values)

const arraysOf = (f: RandomFunction): readonly ArrayParameter[] => f.parameters.filter((p) => p.kind === 'array')

/** Relative: two units in the last place of single precision. */
const lastBits = 2 ** -22

/** All arrays of all calls, one after the other; `isMoved`: numbers are changed in their last bits. */
function inputs(functions: readonly RandomFunction[], isMoved = false): Buffer {
  const parts = functions.flatMap((f) =>
    f.calls.flatMap((call) =>
      arraysOf(f).map((a) => {
        const data = typed(a.type, call.arrays[a.name]!) // every call has every array
        if (isMoved && a.type === 'f32') data.forEach((v, i) => (data[i] = v * (1 + (i % 3) * lastBits)))
        return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
      }),
    ),
  )
  return Buffer.concat(parts)
}

const literalOf = (value: number, type: 'i32' | 'u32' | 'f32'): string =>
  type === 'f32' ? `${Number.isInteger(value) ? `${value}.0` : value}f` : type === 'u32' ? `${value}u` : `${value}`

/** Values of integers and numbers as C has them. */
const valueText = (f: RandomFunction, p: Parameter, call: number): string => {
  if (p.kind === 'array') return p.name
  const value = f.calls[call]!.values[p.name]! // every call has every value
  return literalOf(value, p.kind === 'number' ? 'f32' : p.type)
}

const common = `
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static FILE *given, *made;
/* Of no bytes: the end of some, where sanitizers see every access. */
static void *taken(size_t bytes) { char *p = (char *)malloc(bytes ? bytes : 16); if (bytes && fread(p, 1, bytes, \
given) != bytes) exit(8); return bytes ? p : p + 16; }
static void freed(void *p, size_t bytes) { free(bytes ? p : (char *)p - 16); }
static void put(const void *p, size_t bytes) { if (bytes && fwrite(p, 1, bytes, made) != bytes) exit(8); }
static void status(int s) { put(&s, 4); }
`

/**
 * Functions of the source whose results no target gives to the last bit: where the second argument is there, their
 * results change in their last bits, as the numbers that are given do. All operations then round upwards too (what a
 * result depends on its roundings alone: Jézéquel and Chesneaux 2008, CADNA), since a function may be given no number.
 */
const rounded = ['sinf', 'cosf', 'tanhf', 'atanf', 'expf', 'logf', 'sqrtf']

const movedFunctions = `
static int is_moved;
static float moved(float v) {
  static unsigned turn;
  return is_moved ? v * (1.0f + (float)(turn++ % 3) * ${lastBits}f) : v;
}
static float moved_number(float v) { return is_moved ? v * (1.0f + ${lastBits}f) : v; }
${rounded.map((f) => `#define ${f}(x) moved(${f}(x))`).join('\n')}
`

const mainText = (calls: readonly string[], first = '(void)count;'): string => `
int main(int count, char **args) {
  ${first}
  given = fopen(args[1], "rb");
  made = fopen(args[2], "wb");
${calls.map((c) => `  ${c}`).join('\n')}
  fclose(made);
  return 0;
}
`

/** Marks in the sanitizers' output where a call begins. */
const markOf = (f: number, call: number): string => `@@${f}:${call}`

function sourceCalls(f: RandomFunction, index: number): string {
  const blocks = f.calls.map((c, call) => {
    const take = arraysOf(f).map(
      (a) => `${cType[a.type]} *${a.name} = (${cType[a.type]} *)taken(${bytesIn(a, c.arrays)});`,
    )
    const args = f.parameters
      .map((p) => (p.kind === 'number' ? `moved_number(${valueText(f, p, call)})` : valueText(f, p, call)))
      .join(', ')
    const run = f.result ? `${cType[f.result.type]} result = f_${index}(${args});` : `f_${index}(${args});`
    const give = arraysOf(f)
      .filter((a) => a.isWritten)
      .map((a) => `put(${a.name}, ${bytesIn(a, c.arrays)});`)
    const free = arraysOf(f).map((a) => `freed(${a.name}, ${bytesIn(a, c.arrays)});`)
    const mark = `fprintf(stderr, "${markOf(index, call)}\\n"); fflush(stderr);`
    return (
      `{ ${mark} ${take.join(' ')} ${run} status(0); ${give.join(' ')}${f.result ? ' put(&result, 4);' : ''} ` +
      `${free.join(' ')} }`
    )
  })
  return `static void run_${index}(void) {\n  ${blocks.join('\n  ')}\n}`
}

const bytesIn = (a: ArrayParameter, arrays: RandomFunction['calls'][number]['arrays']): number =>
  arrays[a.name]!.length * arrayClass[a.type].BYTES_PER_ELEMENT // every call has every array

/** The functions by gcc with its sanitizers: what they leave, or what is undefined in a call. */
export function runSource(functions: readonly RandomFunction[], folder: string): SourceResults {
  const bodies = functions.map((f, i) => {
    const [prelude, body] = [f.text.slice(0, f.text.indexOf('\n\n')), f.text.slice(f.text.indexOf('\n\n'))]
    const head = i === 0 ? `${prelude}\n${movedFunctions}` : ''
    return `${head}#define f f_${i}\n${body}\n#undef f\n${sourceCalls(f, i)}\n`
  })
  const main = mainText(
    functions.map((_, i) => `run_${i}();`),
    'is_moved = count > 3; if (is_moved) fesetround(FE_UPWARD);',
  )
  writeFileSync(join(folder, 'source.c'), `${common}${bodies.join('\n')}${main}`)
  const checks = ['-fsanitize=address,undefined,float-cast-overflow', '-fsanitize-recover=all']
  // Moved runs round upward and keep intermediate values in extended precision: sums that overflow on the way to a
  // number that does not are finite there.
  const extended = ['-mfpmath=387', '-fexcess-precision=standard']
  for (const [program, ...more] of [['source'], ['moved', ...extended]] as const)
    execFileSync('gcc', [
      '-std=gnu11',
      '-O1',
      '-w',
      '-ffp-contract=off',
      '-frounding-math',
      '-fsingle-precision-constant', // `1.5` beside a float is one (docs/c.md)
      ...checks,
      ...more,
      '-o',
      join(folder, program),
      join(folder, 'source.c'),
      '-lm',
    ])
  const environment = {
    ...process.env,
    LD_PRELOAD: '', // the sanitizers come first
    ASAN_OPTIONS: 'halt_on_error=0:detect_leaks=0',
    UBSAN_OPTIONS: 'print_stacktrace=0',
  }
  const runOn = (given: Buffer, program: 'source' | 'moved'): SpawnSyncReturns<string> => {
    writeFileSync(join(folder, 'given'), given)
    const isMoved = program === 'moved' ? [program] : []
    return spawnSync(join(folder, program), [join(folder, 'given'), join(folder, 'made'), ...isMoved], {
      encoding: 'utf8',
      env: environment,
      timeout: 60_000,
      maxBuffer: 2 ** 28,
    })
  }
  const whole = resultBytes(functions)
  const run = runOn(inputs(functions), 'source')
  const made = run.status === 0 || run.status === 1 ? readFileSync(join(folder, 'made')) : Buffer.alloc(0)
  if (made.length < whole) {
    // A sanitizer that cannot go on ends the program of all: each by itself, only the one at fault has no results.
    if (functions.length > 1) {
      const parts = functions.map((f) => runSource([f], folder))
      return { exact: parts.flatMap((p) => p.exact), moved: parts.flatMap((p) => p.moved) }
    }
    const why = run.error
      ? `the source does not run: ${run.error.message}`
      : `the source ends with ${run.status ?? run.signal}: ${run.stderr.slice(-200)}`
    const none = functions.map((f) => f.calls.map(() => why))
    return { exact: none, moved: none }
  }
  const undefinedAt = new Map<string, string>()
  for (const part of run.stderr.split('@@').slice(1)) {
    const [mark, ...rest] = part.split('\n')
    const first = rest.find((l) => /runtime error|AddressSanitizer/.test(l))
    if (first) undefinedAt.set(`@@${mark}`, first.replace(/^.*?(runtime error|AddressSanitizer)/, '$1'))
  }
  const why = (i: number, call: number): string | undefined => undefinedAt.get(markOf(i, call))
  const exact = readResults(functions, made, why)
  runOn(inputs(functions, true), 'moved')
  const again = readFileSync(join(folder, 'made'))
  return { exact, moved: again.length < whole ? exact : readResults(functions, again, why) }
}

/** Of a whole run: a status of each call, what it writes, and its result. */
const resultBytes = (functions: readonly RandomFunction[]): number =>
  sumOf(functions, (f) =>
    sumOf(f.calls, (call) => {
      const written = arraysOf(f).filter((a) => a.isWritten)
      return 4 + sumOf(written, (a) => bytesIn(a, call.arrays)) + (f.result ? 4 : 0)
    }),
  )

const sumOf = <T>(of: readonly T[], value: (x: T) => number): number => of.reduce((sum, x) => sum + value(x), 0)

function readResults(
  functions: readonly RandomFunction[],
  made: Buffer,
  why: (f: number, call: number) => string | undefined,
): BatchResults {
  let at = 0
  const take = (type: ElementType, length: number): ArrayLike<number> => {
    const bytes = length * arrayClass[type].BYTES_PER_ELEMENT
    const copy = new Uint8Array(made.subarray(at, at + bytes))
    if (copy.length !== bytes) throw new Error('the results end early')
    at += bytes
    return new arrayClass[type](copy.buffer)
  }
  return functions.map((f, i) =>
    f.calls.map((call, c) => {
      const [status] = Array.from(take('i32', 1))
      const written = arraysOf(f).filter((a) => a.isWritten)
      const results: Record<string, ArrayLike<number>> = {}
      for (const a of written) results[a.name] = take(a.type, call.arrays[a.name]!.length)
      if (f.result) results['result'] = take(f.result.type, 1)
      const reason = why(i, c)
      if (reason !== undefined) return reason
      if (status === damaged) return 'writes outside of its arrays'
      return status === 0 ? results : `the host function answers with error ${status}`
    }),
  )
}

/** A status of a call: something stands where nothing may be written. */
const damaged = 7777

const deviceCommon = `
static const size_t guard = 256;
/** Device memory with \`bytes\` of \`from\` between guards. */
static char *onDevice(const void *from, size_t bytes) {
  char *all = (char *)malloc(bytes + 2 * guard), *p = nullptr;
  memset(all, 0xa5, bytes + 2 * guard);
  if (bytes) memcpy(all + guard, from, bytes);
  if (cudaMalloc((void **)&p, bytes + 2 * guard) != cudaSuccess) exit(7);
  cudaMemcpy(p, all, bytes + 2 * guard, cudaMemcpyHostToDevice);
  free(all);
  return p + guard;
}
/** Copies back; false when a guard is damaged. */
static bool fromDevice(void *to, char *p, size_t bytes) {
  char *all = (char *)malloc(bytes + 2 * guard);
  cudaMemcpy(all, p - guard, bytes + 2 * guard, cudaMemcpyDeviceToHost);
  bool whole = true;
  for (size_t i = 0; i < guard; i++) whole = whole && all[i] == (char)0xa5 && all[guard + bytes + i] == (char)0xa5;
  if (bytes) memcpy(to, all + guard, bytes);
  free(all);
  cudaFree(p - guard);
  return whole;
}
`

/** The value of a length that the interface asks for because nothing says it: `x_length` of `x`. */
export const lengthOf = (call: RandomFunction['calls'][number], name: string): number | undefined =>
  name.endsWith('_length') ? call.arrays[name.slice(0, -'_length'.length)]?.length : undefined

/** Calls of the emitted host function: arrays, sizes, scalars, a stream. */
function emittedCalls({ of: f, plan }: CudaFunction, index: number): string {
  const byName = new Map(f.parameters.map((p) => [p.name, p]))
  const arrays = plan.arrays.filter((a) => a.role !== 'temp')
  const blocks = f.calls.map((c, call) => {
    const lines: string[] = []
    for (const a of arraysOf(f)) {
      lines.push(
        `void *h_${a.name} = taken(${bytesIn(a, c.arrays)});`,
        `char *d_${a.name} = onDevice(h_${a.name}, ${bytesIn(a, c.arrays)});`,
      )
    }
    if (f.result) lines.push('int h_result = 0;', 'char *d_result = onDevice(&h_result, 4);')
    const pointers = arrays.map((a) => {
      const p = byName.get(a.name)
      const type = p?.kind === 'array' ? cType[p.type] : f.result ? cType[f.result.type] : 'float'
      return `(${type} *)d_${a.name}`
    })
    const values = [...plan.sizes.filter((s) => !s.fixed), ...plan.scalars].map((s) => {
      const p = byName.get(s.name)
      if (p && p.kind !== 'array') return valueText(f, p, call)
      return `${lengthOf(c, s.name) ?? 0}`
    })
    lines.push(`int error = (int)p${index}::f(${[...pointers, ...values, '0'].join(', ')});`)
    lines.push('if (error == 0) error = (int)cudaDeviceSynchronize();', 'bool whole = true;')
    for (const a of arraysOf(f))
      lines.push(`whole = fromDevice(h_${a.name}, d_${a.name}, ${bytesIn(a, c.arrays)}) && whole;`)
    if (f.result) lines.push('whole = fromDevice(&h_result, d_result, 4) && whole;')
    lines.push(`status(error != 0 ? error : whole ? 0 : ${damaged});`)
    for (const a of arraysOf(f))
      lines.push(
        ...(a.isWritten ? [`put(h_${a.name}, ${bytesIn(a, c.arrays)});`] : []),
        `freed(h_${a.name}, ${bytesIn(a, c.arrays)});`,
      )
    if (f.result) lines.push('put(&h_result, 4);')
    return `{ ${lines.join(' ')} }`
  })
  return `static void run_${index}() {\n  ${blocks.join('\n  ')}\n}`
}

const launchLine = /^(\s*)(\w+)<<<(.+?), (dim3\([^)]*\)), (.+?), stream>>>\((.*)\);$/gm

/** Emitted files as parts of one program; `onHost`: launches are calls of `launchBlocks`. */
export function emittedProgram(functions: readonly CudaFunction[], onHost: boolean): string {
  const includes = new Set(['#include <cuda_runtime.h>'])
  const parts = functions.map((f, i) => {
    const text = f.text
      .replace(/^#include .*$/gm, (line) => {
        includes.add(line)
        return ''
      })
      .replaceAll('extern "C" ', '')
    const body = onHost ? text.replace(launchLine, '$1launchBlocks($3, $4, [&] { $2($6); });') : text
    return `namespace p${i} {\n${body}\n}\n${emittedCalls(f, i)}\n`
  })
  const head = onHost ? '#include "blocks.h"' : [...includes].join('\n')
  return `${head}\n${common}${deviceCommon}${parts.join('\n')}${mainText(functions.map((_, i) => `run_${i}();`))}`
}

/** Emitted CUDA, kernels and host functions: on the host's processor, or through nvcc on the first device. */
export function runCuda(
  functions: readonly CudaFunction[],
  folder: string,
  on: 'host' | 'device',
  headers: string,
): BatchResults {
  if (functions.length === 0) return []
  const source = join(folder, on === 'host' ? 'emitted.cpp' : 'emitted.cu')
  writeFileSync(source, emittedProgram(functions, on === 'host'))
  const program = join(folder, 'emitted')
  const [compiler, flags] =
    on === 'host'
      ? ([
          'g++',
          ['-std=c++17', '-O1', '-fwrapv', '-fno-strict-aliasing', '-ffp-contract=off', '-w', `-I${headers}`],
        ] as const)
      : (['nvcc', ['-std=c++17', '-arch=sm_90', '-w']] as const)
  const built = spawnSync(compiler, [...flags, '-o', program, source], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (built.status !== 0) return oneByOne(functions, folder, on, headers, `${compiler}: ${firstError(built.stderr)}`)
  writeFileSync(join(folder, 'given'), inputs(functions.map((f) => f.of)))
  const run = spawnSync(program, [join(folder, 'given'), join(folder, 'made')], { encoding: 'utf8', timeout: 120_000 })
  if (run.status !== 0)
    return oneByOne(functions, folder, on, headers, `ends with ${run.status ?? run.signal}: ${run.stderr.slice(-200)}`)
  return readResults(
    functions.map((f) => f.of),
    readFileSync(join(folder, 'made')),
    () => undefined,
  )
}

const firstError = (text: string): string => text.split('\n').find((l) => /error/.test(l)) ?? text.slice(0, 200)

/** What is wrong with one function should not hide the others. */
function oneByOne(
  functions: readonly CudaFunction[],
  folder: string,
  on: 'host' | 'device',
  headers: string,
  why: string,
): BatchResults {
  if (functions.length === 1) return [functions[0]!.of.calls.map(() => why)]
  const half = functions.length >> 1
  return [
    ...runCuda(functions.slice(0, half), folder, on, headers),
    ...runCuda(functions.slice(half), folder, on, headers),
  ]
}
