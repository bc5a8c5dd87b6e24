// For tests: the C front end with the parser's files from node_modules.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parseC, type COptions, type ParserFiles } from '../../src/frontend/c/index.ts'
import type { Program } from '../../src/ir/index.ts'

const require = createRequire(import.meta.url)
const bytes = (path: string): Uint8Array => readFileSync(require.resolve(path))
export const wasm: ParserFiles = {
  runtime: bytes('web-tree-sitter/web-tree-sitter.wasm'),
  grammar: bytes('tree-sitter-c/tree-sitter-c.wasm'),
}

export const readC = (text: string, options: COptions = {}): Promise<Program> =>
  parseC(text, 'test.c', { wasm, ...options })
