import { readFileSync } from 'node:fs'
import { parserFiles } from './src/cli/files.ts'
import { parseC } from './src/frontend/c/index.ts'
import { analyse, build } from './src/pipeline.ts'
import { printProgram } from './src/ir/index.ts'
const f = process.argv[2]!
const p = await parseC(readFileSync(f, 'utf8'), f, { wasm: parserFiles() } as any)
console.log(printProgram(p))
const a = analyse(p)
for (const x of a.parts as any[]) console.log(x.sketch.name, x.nest.why ?? '', x.nest.body ? printProgram({...a.program, arrays: [], body: x.nest.body}) : '')
