// A small language for tests of operations of one's own: C becomes an operation on SwiftShader, without a thread.
import { parserFiles } from '../../src/cli/files.ts'
import { compileOperation, type CompileSettings } from '../../src/compile/index.ts'
import { gpu as profile } from '../../src/gpus/index.ts'
import { operation, type Operation } from '../../src/kernels/index.ts'

const known = new Map<string, Promise<Operation>>()

/** The operation of a C function, compiled once. */
export function operationOf(source: string, settings: Omit<CompileSettings, 'gpu'> = {}): Promise<Operation> {
  const key = JSON.stringify([source, settings])
  const made =
    known.get(key) ??
    compileOperation(source, { budget: 2, gpu: profile('h200'), wasm: parserFiles(), ...settings }).then(
      ({ data }) => operation(JSON.parse(JSON.stringify(data))), // as a store gives it back
    )
  known.set(key, made)
  return made
}
