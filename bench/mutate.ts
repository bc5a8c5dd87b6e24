// In: a folder of WGSL files, the first seed, how many. Out: every damaged copy of a file that crashes `explain`, hangs
// it for more than 10 s, or makes it report a bug of its own. The one idea: tokens of real programs are removed,
// doubled, swapped or replaced by tokens from elsewhere, so that most of the program stays sound and the damage reaches
// every stage.
//   npx tsx bench/mutate.ts FOLDER 1 2000
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DiagnosticError, random, type Random } from '../src/base/index.ts'
import { explain } from '../src/explain/index.ts'
import { entryPoints } from '../src/frontend/wgsl/index.ts'
import { gpu } from '../src/gpus/index.ts'
import { countFrom, seedFrom, someOf } from './arguments.ts'

const folder = process.argv[2] ?? '.'
const first = seedFrom(process.argv[3], 1)
const count = countFrom(process.argv[4], 2000)
const wgslFiles = (path: string): string[] =>
  readdirSync(path)
    .sort()
    .flatMap((name) => {
      const full = join(path, name)
      return statSync(full).isDirectory() ? wgslFiles(full) : name.endsWith('.wgsl') ? [full] : []
    })

const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|[A-Za-z_]\w*|[0-9][\w.]*|\s+|[-+*/%&|^<>=!]=?|./gu
const strange = [
  '0',
  '-1',
  '4294967295u',
  '2147483648',
  '1e38',
  '0x1p-149',
  'array<u32>',
  'vec3f()',
  'ptr<function, u32>',
  'mat4x4f',
  'true',
  '&',
  '*',
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  '<',
  '>',
  '->',
  '@',
  ';',
  ',',
  'loop {',
  'return',
  'struct',
  'var<workgroup>',
  'textureLoad',
  'atomicAdd',
  'sampler',
  'bool',
  'f16',
  '1000000',
  '/*',
  'ä',
  '\u0000',
  '\ud800',
  '"',
]

function damaged(text: string, r: Random): string {
  const tokens = text.match(token) ?? []
  const at = (): number => r.int(0, Math.max(0, tokens.length - 1))
  for (let n = r.int(1, 2); n > 0; n--) {
    const [i, j] = [at(), at()]
    switch (r.int(0, 5)) {
      case 0:
        tokens.splice(i, r.int(1, 3))
        break
      case 1:
        tokens.splice(j, 0, ...tokens.slice(i, i + r.int(1, 30)))
        break
      case 2:
        ;[tokens[i], tokens[j]] = [tokens[j] ?? '', tokens[i] ?? '']
        break
      case 3:
        tokens[i] = strange[r.int(0, strange.length - 1)]!
        break
      case 4:
        tokens[i] = tokens[j] ?? ''
        break
      default:
        tokens.length = r.unit() < 0.1 ? i : tokens.length
    }
  }
  return tokens.join('')
}

const files = someOf(wgslFiles(folder), `WGSL file in ${folder}`)
const tally = new Map<string, number>()
for (let seed = first; seed < first + count; seed++) {
  const r = random(seed)
  const file = files[r.int(0, files.length - 1)]!
  const text = damaged(readFileSync(file, 'utf8'), r)
  const start = performance.now()
  let result = 'accepted'
  try {
    const [entry] = entryPoints(text, 'm.wgsl')
    explain(
      { text, file: 'm.wgsl' },
      { grid: [2, 1, 1] },
      { gpu: gpu('h200'), maxSteps: 1e6, ...(entry !== undefined && { entry }) },
    )
  } catch (e) {
    result = e instanceof DiagnosticError ? 'refused' : 'CRASH'
    if (result === 'CRASH')
      console.log(
        `seed ${seed} ${file}: ` +
          `${e instanceof Error ? (e.stack ?? e.message).split('\n').slice(0, 4).join(' | ') : String(e)}`,
      )
  }
  const seconds = (performance.now() - start) / 1000
  if (seconds > 10) console.log(`seed ${seed} ${file}: ${seconds.toFixed(1)} s (${result})`)
  tally.set(result, (tally.get(result) ?? 0) + 1)
}
console.log([...tally].map(([k, n]) => `${n} ${k}`).join(', '))
