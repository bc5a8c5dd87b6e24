// In: the folder of PolyBench/C 4.2.1 as it was published. Out: its programs, unmodified: the kernel of each as LoopIR
// at the sizes of a data set, as its own headers and macros say. Sizes are symbolic (POLYBENCH_USE_C99_PROTO).
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { includesOf, parserFiles, readSource } from '../../src/cli/files.ts'
import { parseC } from '../../src/frontend/c/index.ts'
import type { Program } from '../../src/ir/index.ts'

export type DataSet = 'MINI' | 'SMALL' | 'MEDIUM' | 'LARGE' | 'EXTRALARGE'

export interface Source {
  readonly name: string
  readonly path: string
  readonly folders: readonly string[]
}

/** The programs that the distribution's own list names. */
export function sourcesIn(folder: string): readonly Source[] {
  const paths = readFileSync(join(folder, 'utilities/benchmark_list'), 'utf8').trim().split(/\s+/)
  return paths.map((p) => {
    const path = join(folder, p)
    return { name: basename(p, '.c'), path, folders: [join(folder, 'utilities'), dirname(path)] }
  })
}

const integerPrograms = new Set(['floyd-warshall', 'nussinov'])

/** Macros as PolyBench's makefiles give them. Programs on integers keep their own type. */
export function macrosOf(source: Source, size: DataSet, type: 'float' | 'double'): Readonly<Record<string, string>> {
  return {
    [`${size}_DATASET`]: '1',
    POLYBENCH_USE_C99_PROTO: '1',
    ...(!integerPrograms.has(source.name) && { [`DATA_TYPE_IS_${type.toUpperCase()}`]: '1' }),
  }
}

/** The kernel. `values`: sizes to plan for, by parameter; those of the data set when they are macros of its header. */
export async function kernelOf(
  source: Source,
  size: DataSet,
  type: 'float' | 'double',
  values: Readonly<Record<string, number>> = headerSizes(source, size),
): Promise<Program> {
  const defines = {
    ...macrosOf(source, size, type),
    ...Object.fromEntries(Object.entries(values).map(([k, v]) => [k, String(v)])),
  }
  return parseC(readSource(source.path), source.path, {
    defines,
    include: includesOf(source.path, source.folders),
    wasm: parserFiles(),
  })
}

/**
 * `# define N 40` under `# ifdef MINI_DATASET`, by the parameter's name: PolyBench's parameters are its macros in small
 * letters.
 */
export function headerSizes(source: Source, size: DataSet): Readonly<Record<string, number>> {
  const text = readFileSync(source.path.replace(/\.c$/, '.h'), 'utf8')
  const [, block = ''] = new RegExp(`ifdef ${size}_DATASET([\\s\\S]*?)#\\s*endif`).exec(text) ?? []
  return Object.fromEntries(
    [...block.matchAll(/#\s*define\s+(\w+)\s+(\d+)/g)].map((m) => [m[1]!.toLowerCase(), Number(m[2])]),
  )
}
