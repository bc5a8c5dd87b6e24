// In: a program of PolyBench and its kernel's parameters. Out: what `gcc` computes: the values of all parameters before the
// kernel and after it. The one idea: the instruments that the distribution leaves to its user (`polybench_start_instruments`)
// write the arrays out, so the sources stay as they are.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { elementsOf, hostArray, type HostArray, type PlanValues, type Program } from '../../src/ir/index.ts'
import { macrosOf, type DataSet, type Source } from './sources.ts'

export interface Record {
  readonly values: PlanValues
  readonly before: { readonly [array: string]: HostArray }
  readonly after: { readonly [array: string]: HostArray }
}

const header = (names: { readonly numbers: readonly string[]; readonly arrays: readonly string[] }): string => `#include_next <polybench.h>
#include <stdio.h>
#undef polybench_start_instruments
#undef polybench_stop_instruments
#undef polybench_prevent_dce
#define polybench_prevent_dce(f)
static void write_out(FILE *f, const void *from, size_t bytes) { fwrite(from, 1, bytes, f); }
#define write_all(write_path) do { FILE *out = fopen(write_path, "wb"); ${[...names.numbers.map((n) => `double number_${n} = ${n}; write_out(out, &number_${n}, 8);`), ...names.arrays.map((a) => `write_out(out, *${a}, sizeof *${a});`)].join(' ')} fclose(out); } while (0);
#define polybench_start_instruments write_all(BEFORE)
#define polybench_stop_instruments write_all(AFTER)
`

/** Compiles and runs the program. Throws what gcc says. */
export function runGcc(source: Source, program: Program, size: DataSet, type: 'float' | 'double'): Record {
  const folder = mkdtempSync(join(tmpdir(), 'polybench-'))
  try {
    const numbers = [...program.sizes, ...program.scalars].map((x) => x.name), arrays = program.arrays.filter((a) => a.role !== 'temp')
    writeFileSync(join(folder, 'polybench.h'), header({ numbers, arrays: arrays.map((a) => a.name) }))
    const at = (name: string): string => join(folder, name)
    const defines = Object.entries(macrosOf(source, size, type)).map(([k, v]) => `-D${k}=${v}`)
    execFileSync('gcc', ['-O1', '-ffp-contract=off', '-w', '-I', folder, ...source.folders.flatMap((f) => ['-I', f]), ...defines, `-DBEFORE="${at('before')}"`, `-DAFTER="${at('after')}"`, source.path, join(source.folders[0]!, 'polybench.c'), '-lm', '-o', at('program')])
    execFileSync(at('program'))
    const read = (name: string): { numbers: Float64Array; arrays: { [array: string]: HostArray }; values: PlanValues } => {
      const bytes = readFileSync(at(name))
      const all = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + 8 * numbers.length))
      const valueOf = (xs: readonly { name: string }[], from: number): { [name: string]: number } => Object.fromEntries(xs.map((x, i) => [x.name, all[from + i]!]))
      const values: PlanValues = { sizes: valueOf(program.sizes, 0), scalars: valueOf(program.scalars, program.sizes.length) }
      let offset = 8 * numbers.length
      const found: { [array: string]: HostArray } = {}
      for (const a of arrays) {
        const data = hostArray(a.type, elementsOf(a, values)) // role is not temp
        const raw = new Uint8Array(data.buffer)
        raw.set(bytes.subarray(offset, offset + raw.length))
        offset += raw.length
        found[a.name] = data
      }
      if (offset !== bytes.length) throw new Error(`${source.name}: the arrays have ${bytes.length} bytes, not ${offset}`)
      return { numbers: all, arrays: found, values }
    }
    const before = read('before')
    return { values: before.values, before: before.arrays, after: read('after').arrays }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
