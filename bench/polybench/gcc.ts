// In: a program of PolyBench and its kernel's parameters. Out: what `gcc` computes: the values of all parameters before
// the kernel and after it. The one idea: the instruments that the distribution leaves to its user
// (`polybench_start_instruments`) write the arrays out, so the sources stay as they are.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  elementsOf,
  hostArray,
  isFloat,
  type HostArray,
  type Plan,
  type PlanValues,
  type Program,
} from '../../src/ir/index.ts'
import { macrosOf, type DataSet, type Source } from './sources.ts'

export interface Record {
  readonly values: PlanValues
  readonly before: { readonly [array: string]: HostArray }
  readonly after: { readonly [array: string]: HostArray }
}

/** What is written of a program. */
interface Names {
  readonly numbers: readonly string[]
  readonly arrays: readonly string[]
}

const writes = ({ numbers, arrays }: Names): string =>
  [
    ...numbers.map((n) => `double number_${n} = ${n}; write_out(out, &number_${n}, 8);`),
    ...arrays.map((a) => `write_out(out, *${a}, sizeof *${a});`),
  ].join(' ')

const header = (names: Names): string => `#include_next <polybench.h>
#include <stdio.h>
#undef polybench_start_instruments
#undef polybench_stop_instruments
#undef polybench_prevent_dce
#define polybench_prevent_dce(f)
static void write_out(FILE *f, const void *from, size_t bytes) { fwrite(from, 1, bytes, f); }
#define write_all(write_path) do { FILE *out = fopen(write_path, "wb"); \
${writes(names)} fclose(out); } while (0);
#define polybench_start_instruments write_all(BEFORE)
#define polybench_stop_instruments write_all(AFTER)
`

/** What of a program the records need: plans have it too. */
export type Parameters = Pick<Plan, 'scalars' | 'arrays'> & Pick<Program, 'sizes'>

const kept = (p: Parameters): Parameters['arrays'] => p.arrays.filter((a) => a.role !== 'temp')

/**
 * Compiles the program to `executable`, which writes `before` and `after` into the folder it runs in. Throws what gcc
 * says.
 */
export function compileGcc(
  source: Source,
  program: Parameters,
  size: DataSet,
  type: 'float' | 'double',
  executable: string,
  flags: readonly string[] = ['-O1'],
): void {
  const folder = mkdtempSync(join(tmpdir(), 'polybench-'))
  try {
    writeFileSync(
      join(folder, 'polybench.h'),
      header({
        numbers: [...program.sizes, ...program.scalars].map((x) => x.name),
        arrays: kept(program).map((a) => a.name),
      }),
    )
    const defines = Object.entries(macrosOf(source, size, type)).map(([k, v]) => `-D${k}=${v}`)
    execFileSync('gcc', [
      ...flags,
      '-ffp-contract=off',
      '-w',
      '-I',
      folder,
      ...source.folders.flatMap((f) => ['-I', f]),
      ...defines,
      '-DBEFORE="before"',
      '-DAFTER="after"',
      source.path,
      join(source.folders[0]!, 'polybench.c'),
      '-lm',
      '-o',
      executable,
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What an executable of `compileGcc` left in `folder`; `type` is that of its floating-point arrays. */
export function readRecord(program: Parameters, folder: string, type: 'float' | 'double'): Record {
  const numbers = [...program.sizes, ...program.scalars].map((x) => x.name)
  const read = (name: string): { values: PlanValues; arrays: { [array: string]: HostArray } } => {
    const bytes = readFileSync(join(folder, name))
    const all = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + 8 * numbers.length))
    const valueOf = (xs: readonly { name: string }[], from: number): { [name: string]: number } =>
      Object.fromEntries(xs.map((x, i) => [x.name, all[from + i]!]))
    const values: PlanValues = {
      sizes: valueOf(program.sizes, 0),
      scalars: valueOf(program.scalars, program.sizes.length),
    }
    let offset = 8 * numbers.length
    const arrays: { [array: string]: HostArray } = {}
    for (const a of kept(program)) {
      // role is not temp
      const data = hostArray(isFloat(a.type) ? (type === 'float' ? 'f32' : 'f64') : a.type, elementsOf(a, values))
      const raw = new Uint8Array(data.buffer)
      raw.set(bytes.subarray(offset, offset + raw.length))
      offset += raw.length
      arrays[a.name] = data
    }
    if (offset !== bytes.length) throw new Error(`${folder}: the arrays have ${bytes.length} bytes, not ${offset}`)
    return { values, arrays }
  }
  const before = read('before')
  return { values: before.values, before: before.arrays, after: read('after').arrays }
}

/** Compiles and runs the program. Throws what gcc says. */
export function runGcc(source: Source, program: Parameters, size: DataSet, type: 'float' | 'double'): Record {
  const folder = mkdtempSync(join(tmpdir(), 'polybench-'))
  try {
    const executable = join(folder, 'program')
    compileGcc(source, program, size, type, executable)
    execFileSync(executable, { cwd: folder })
    return readRecord(program, folder, type)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
