import { readFileSync } from 'node:fs'
import { parserFiles } from './src/cli/files.ts'
import { parseC } from './src/frontend/c/index.ts'
import { analyse, build } from './src/pipeline.ts'
import { emitPlan } from './src/emit/index.ts'
const f = process.argv[2]!
const p = await parseC(readFileSync(f, 'utf8'), f, { wasm: parserFiles() } as any)
const a = analyse(p)
const b = build(a, a.parts.map((x) => x.sketch.ladder.at(-1)!.point))
const e: any = emitPlan(b.plan, { targets: ['cuda'] } as any)
for (const v of e.variants) for (const l of v.launches) console.log(l.emitted.cuda.text ?? l.emitted.cuda.source ?? JSON.stringify(l.emitted.cuda).slice(0, 3000))
