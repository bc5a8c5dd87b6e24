// C as a program. In: the text and its flags. Out: the program, in the precision that WGSL has. The parser's two
// WebAssembly files are fetched from beside this script when C is first read.
import runtime from 'web-tree-sitter/web-tree-sitter.wasm?url'
import grammar from 'tree-sitter-c/tree-sitter-c.wasm?url'
import { DiagnosticError, type Span } from 'tesela/explain'
import { doubleIn, loadParser, parseC, toSingle, wideIn, type PassTrace, type Program as Loops } from 'tesela/optimize'
import { isCuda } from '../languages/guess.ts'
import { flagsOfC } from './flags.ts'
import type { Program } from './protocol.ts'

const bytes = async (address: string): Promise<Uint8Array> =>
  new Uint8Array(await (await fetch(new URL(address, self.location.href))).arrayBuffer())

let parser: Promise<unknown> | undefined

/** Reads C. Throws a `DiagnosticError`. */
export async function programOf(program: Program, file: string, trace?: PassTrace): Promise<Loops> {
  const flags = flagsOfC(program.options)
  if (isCuda(program.text))
    refuse(
      'this is CUDA, which nvcc reads and a browser does not',
      'compile it with nvcc -ptx and paste the PTX, or paste the loops that it was made from',
      undefined,
      'site.cuda',
    )
  parser ??= Promise.all([bytes(runtime), bytes(grammar)]).then(([r, g]) => loadParser({ runtime: r, grammar: g }))
  await parser
  const read = await parseC(program.text, file, {
    defines: flags.defines,
    ...(flags.function !== undefined && { function: flags.function }),
    ...(trace && { trace }),
  })
  const wide = wideIn(read)
  if (wide)
    refuse(
      `'${wide.name}' needs integers of 64 bits, which WGSL does not have`,
      'compute with int and unsigned',
      wide.at,
      'site.wide',
    )
  if (flags.single) return toSingle(read)
  const double = doubleIn(read)
  if (double)
    refuse(
      `'${double.name}' is double precision, which WGSL does not have`,
      'add --precision f32 to the flags to compute in single precision',
      double.at,
      'site.double',
    )
  return read
}

function refuse(message: string, hint: string, at: Span | undefined, code: string): never {
  throw new DiagnosticError([{ severity: 'error', code, message, hint, ...(at && { at }) }])
}
