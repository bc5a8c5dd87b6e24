// In: a program of `programs.ts`. Out: its spellings as C texts, and the time that one of them is predicted to take.
import { DiagnosticError } from '../../src/base/index.ts'
import { parseC } from '../../src/frontend/c/index.ts'
import { parseUnit } from '../../src/frontend/c/text/parse.ts'
import { preprocess } from '../../src/frontend/c/text/preprocess.ts'
import { functionText } from '../../src/frontend/c/text/print.ts'
import { gpu } from '../../src/gpus/index.ts'
import { optimize } from '../../src/tune/index.ts'
import type { Metamorph } from './programs.ts'
import { helpers, rewrites } from './rewrites.ts'

export interface Spelling {
  readonly name: string
  readonly c: string
}

/** The program as it is written, then in each other spelling that changes its text. The parser must be loaded. */
export async function spellingsOf(program: Metamorph): Promise<readonly Spelling[]> {
  const { functions } = await parseUnit(preprocess(program.c, `${program.name}.c`)),
    [f] = functions
  if (!f) return []
  const pitches = pitchesOf(program)
  const text = (made: string): string =>
    `#pragma tesela sizes(${program.sizes}${made.includes('pitch_') ? pitches : ''})\n${helpers}${made}`
  const plain = functionText(f)
  const others = Object.entries(rewrites).flatMap(([name, rewrite]) => {
    const made = functionText(rewrite(f))
    return made === plain ? [] : [{ name, c: text(made) }]
  })
  return [{ name: 'plain', c: text(plain) }, ...others]
}

/** What the pitch of each array of rows is planned as: the length of its rows. */
function pitchesOf({ c, sizes }: Metamorph): string {
  const values = new Map([...sizes.matchAll(/(\w+) = (\d+)/g)].map(([, name, value]) => [name!, value!]))
  return [...c.matchAll(/float (\w+)\[\w+\]\[(\w+)\]/g)]
    .map(([, name, row]) => `, pitch_${name} = ${values.get(row!)}`)
    .join('')
}

/** Nanoseconds that an H200 is predicted to take, or why there is no kernel. */
export async function predictedNs(c: string, budget?: number): Promise<number | string> {
  try {
    const program = await parseC(c, 'metamorph.c', { function: 'f' })
    const { kernels } = await optimize(program, { gpu: gpu('h200'), targets: ['cuda'], ...(budget && { budget }) })
    return kernels.reduce((n, k) => n + k.prediction.ns, 0)
  } catch (e) {
    if (!(e instanceof DiagnosticError)) throw e
    return e.message.split('\n')[0]!
  }
}
