// The compiler's thread, in a page's worker or in Node. In: requests (`kernels/compile/protocol`). Out: an answer for
// each, one after the other. The one idea: what is wrong with the source is an answer, not a failure of the thread.
import { DiagnosticError } from '../base/index.ts'
import type { ParserFiles } from '../frontend/c/index.ts'
import { gpu } from '../gpus/index.ts'
import type { CompileAnswer, CompileRequest, FromThread, ToThread } from '../kernels/index.ts'
import { compileOperation, profileFor } from './compile.ts'

interface Port {
  postMessage(message: FromThread): void
  addEventListener?(type: 'message', listener: (event: { readonly data: ToThread }) => void): void
  on?(type: 'message', listener: (message: ToThread) => void): void
}

const isNode =
  (globalThis as { readonly process?: { readonly versions?: { readonly node?: string } } }).process?.versions?.node !==
  undefined

/** A part of Node, under a name that bundlers for browsers leave alone. */
const load = (name: string): Promise<unknown> => import(/* @vite-ignore */ /* webpackIgnore: true */ name)

async function parserFiles(): Promise<ParserFiles> {
  const runtime = new URL('./web-tree-sitter.wasm', import.meta.url),
    grammar = new URL('./tree-sitter-c.wasm', import.meta.url)
  return { runtime: await bytesAt(runtime), grammar: await bytesAt(grammar) }
}

async function bytesAt(url: URL): Promise<Uint8Array> {
  if (isNode) return ((await load('node:fs/promises')) as typeof import('node:fs/promises')).readFile(url)
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url.href} cannot be loaded: ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}

let parser: Promise<ParserFiles> | undefined

async function answerTo(request: CompileRequest): Promise<CompileAnswer> {
  try {
    parser ??= parserFiles()
    const { data, report } = await compileOperation(request.source, {
      file: request.file,
      defines: request.defines,
      gpu: request.gpu === null ? profileFor(request.device) : gpu(request.gpu),
      wasm: await parser,
      ...(request.function !== null && { function: request.function }),
      ...(request.precision && { precision: request.precision }),
      ...(request.budget !== null && { budget: request.budget }),
      ...(request.seed !== null && { seed: request.seed }),
      shapes: request.shapes,
    })
    return { kind: 'made', data, report }
  } catch (e) {
    if (!(e instanceof DiagnosticError)) return { kind: 'failed', message: e instanceof Error ? e.message : String(e) }
    return {
      kind: 'refused',
      problems: e.diagnostics.map((d) => ({
        code: d.code,
        message: d.message,
        hint: d.hint ?? null,
        file: d.at?.file ?? null,
        line: d.at?.line ?? null,
        column: d.at?.column ?? null,
      })),
    }
  }
}

let last: Promise<void> = Promise.resolve()

const serve = (port: Port): void => {
  const hear = ({ id, request }: ToThread): void => {
    last = last.then(async () => port.postMessage({ id, answer: await answerTo(request) }))
  }
  if (port.on) port.on('message', hear)
  else port.addEventListener?.('message', (e) => hear(e.data))
}

// messages wait for a listener in Node; in a page there must be one when this file has run
if (isNode)
  void load('node:worker_threads').then((threads) =>
    serve((threads as typeof import('node:worker_threads')).parentPort as unknown as Port),
  )
else serve(globalThis as unknown as Port)
