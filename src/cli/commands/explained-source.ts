// What `tesela explain FILE` explains. In: the path of a file, flags of its compiler. Out: its text in its language,
// with the PTX and the machine code of CUDA, or a sentence that says why it cannot be explained and what can.
import { existsSync, statSync } from 'node:fs'
import { blankComments, DiagnosticError, fail } from '../../base/index.ts'
import { programTexts, type ExplainSource } from '../../explain/index.ts'
import { means } from '../../frontend/ptx/index.ts'
import type { GpuProfile } from '../../gpus/index.ts'
import { definesCuda, embeddedShader, type EmbeddedShader } from '../embedded-kernels.ts'
import { readSource } from '../files.ts'
import { compileCudaFile, cudaSource, type CompiledCuda, type NvccOptions } from '../nvcc.ts'

/** Flags of `explain` that say how its file is read. */
export interface SourceFlags {
  readonly entry?: string
  readonly arch?: readonly [number, number]
  readonly include?: readonly string[]
  readonly define?: readonly string[]
  readonly gpu: GpuProfile | 'portable'
}

const most = { ptx: 64 * 1024 * 1024 } as const

/** The source in its language; CUDA is compiled first, for the GPU's own architecture unless `--arch` says another. */
export function sourceOf(file: string, flags: SourceFlags): ExplainSource {
  if (file.endsWith('.wgsl')) return { text: plainShader(file), file }
  if (file.endsWith('.ptx')) return { text: readSource(file, most.ptx), file, language: 'ptx' }
  if (!/\.cu[h]?$/.test(file)) return refuseLanguage(file)
  const text = readSource(file),
    source = cudaSource(text, file, compiled(file, flags.entry, nvccOptions(flags)))
  if (flags.entry === undefined) checkOwnKernel(source)
  return source
}

/** The text of a file of WGSL. Refuses one that holds its shader in a string of another language. */
function plainShader(file: string): string {
  const text = readSource(file),
    inside = embeddedShader(blankComments(text)) // in which quotes mean nothing
  if (inside) refuseEmbedded(file, inside)
  return text
}

/** Says what a file of another kind is for, or where in it a kernel stands that can be explained. */
function refuseLanguage(file: string): never {
  const text = existsSync(file) && statSync(file).isFile() ? readSource(file) : '',
    inside = embeddedShader(text)
  if (inside) return refuseEmbedded(file, inside)
  if (definesCuda(text))
    return fail(
      'explain.language',
      `${file} holds CUDA kernels, which explain reads from .cu and .cuh files`,
      undefined,
      'give it a name that ends in .cu, or include it from such a file',
    )
  return fail(
    'explain.language',
    `${file} is no .wgsl, .ptx or .cu file, and no recording (.json)`,
    undefined,
    /\.[ch]$/.test(file)
      ? 'plain C is for tesela optimize; what it writes (.wgsl, .cu) can be explained'
      : 'WGSL, PTX and CUDA C++ are what explain reads',
  )
}

const refuseEmbedded = (file: string, { line, column, lastLine, isPatched }: EmbeddedShader): never =>
  fail(
    'explain.language',
    'the shader stands in a string here, and explain reads files of WGSL alone',
    { file, line, column },
    isPatched
      ? 'parts of it are put in while the program runs: record the page with tesela/record and explain the recording'
      : `copy what is between the quotes (lines ${line} to ${lastLine}) into a .wgsl file; of a page that runs, ` +
          'tesela/record notes all shaders and dispatches',
  )

/** Refuses a program whose kernels are all those of libraries that it includes. */
function checkOwnKernel(source: ExplainSource): void {
  if (programTexts(source).some(definesCuda)) return
  const entries = [...(source.ptx ?? '').matchAll(/^\s*(?:\.(?:visible|weak)\s+)*\.entry\s+([\w$]+)/gm)].map(
    (m) => m[1]!,
  )
  if (entries.length === 0)
    return fail(
      'cuda.kernel',
      'the file has no kernel (__global__)',
      { file: source.file, line: 1, column: 1 },
      'explain the file that defines the kernel, or give the macros that bring it (-D)',
    )
  const line = source.text.split('\n').findIndex((l) => /^[ \t]*#[ \t]*include[ \t]*<(?:thrust|cub|cuda)\//.test(l)) + 1
  fail(
    'cuda.library',
    `the file has no kernel of its own (__global__): the ${counted(entries.length, 'kernel')} that it launches ` +
      `${entries.length === 1 ? 'is' : 'are'} of the libraries that it includes`,
    { file: source.file, line: Math.max(1, line), column: 1 },
    'name one with --entry, by a part of its name as cuobjdump or a profiler shows it, with --grid and --block',
  )
}

const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

export function nvccOptions(flags: SourceFlags): NvccOptions {
  const capability = flags.arch ?? (flags.gpu === 'portable' ? undefined : flags.gpu.computeCapability)
  return {
    ...(capability && { capability }),
    ...(flags.include && { includes: flags.include }),
    ...(flags.define && { defines: flags.define }),
  }
}

/** A file, compiled; once more with an instance of a template that is wanted and that the file does not use. */
function compiled(file: string, entry: string | undefined, options: NvccOptions): CompiledCuda {
  const plain = compileCudaFile(file, options)
  if (
    entry === undefined ||
    !entry.includes('<') ||
    Object.keys(plain.kernels).some((k) => k.includes(entry) || means(entry, k))
  )
    return plain
  try {
    return compileCudaFile(file, { ...options, instance: entry })
  } catch (e) {
    const why = e instanceof DiagnosticError ? e.diagnostics[0] : undefined
    if (why === undefined) throw e
    return fail(
      'cuda.template',
      `the file does not use '${entry.slice(0, 80)}', and nvcc cannot make it: ${why.message}`,
      why.at?.file === file ? why.at : undefined,
      'write the template as the file would be asked for it from outside, with its namespace and arguments',
    )
  }
}
