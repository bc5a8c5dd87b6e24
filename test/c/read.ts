// For tests: the C front end with the parser's files from node_modules.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parseC, type COptions, type ParserFiles } from '../../src/frontend/c/index.ts'
import type { Program } from '../../src/ir/index.ts'

const require = createRequire(import.meta.url)
export const wasm: ParserFiles = { grammar: readFileSync(require.resolve('tree-sitter-c/tree-sitter-c.wasm')) }

export const readC = (text: string, options: COptions = {}): Promise<Program> => parseC(text, 'test.c', { wasm, ...options })
