// The public interface as plain JavaScript calls it, at random, a mistake in two calls of three: every call gives the
// right answer or is refused by name (a `TeselaError`), and a right call is never refused. Never `undefined`, never an
// exception of somebody else.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { random } from '../../../src/base/index.ts'
import { Tensor, TeselaError, type Gpu } from '../../../src/kernels/index.ts'
import { isLong } from '../../support/long.ts'
import { openSoftware } from '../language.ts'
import { randomCall, type Call, type World } from './random-calls.ts'
import { references, type Expected } from './references.ts'

let gpu: Gpu, other: Gpu
beforeAll(async () => {
  gpu = await openSoftware()
  other = await openSoftware()
})
afterAll(() => {
  gpu.dispose()
  other.dispose()
})

/** What is wrong with the answer to a call; `null` when nothing is. */
async function wrongWith({ name, args, mistake }: Call): Promise<string | null> {
  let got: unknown
  try {
    got = (gpu as unknown as Record<string, (...args: unknown[]) => unknown>)[name]!(...args)
    if (!(got instanceof Tensor)) return `the answer is ${String(got)}`
    const data = await got.read()
    const want = references[name]!(args)
    return compared(got, data, want)
  } catch (error) {
    if (!(error instanceof TeselaError)) return `a foreign exception: ${String(error)}`
    if (mistake === null) return `a right call was refused: ${error.message}`
    return error.code.length > 0 && /\w{3,}/.test(error.message) ? null : 'a refusal without words'
  }
}

function compared(t: Tensor, data: ArrayLike<number>, want: Expected): string | null {
  if (t.shape.join() !== want.shape.join()) return `the shape is [${t.shape.join()}], not [${want.shape.join()}]`
  if (t.dtype !== want.dtype) return `the type is ${t.dtype}, not ${want.dtype}`
  if (data.length !== want.data.length) return `${data.length} elements, not ${want.data.length}`
  const off = want.data.findIndex((w, i) => !alike(data[i]!, w, want.within?.[i] ?? 0))
  return off < 0 ? null : `element ${off} is ${data[off]}, not ${want.data[off]} (of [${want.data.join()}])`
}

const alike = (got: number, want: number, within: number): boolean =>
  Object.is(got, want) || got === want || Math.abs(got - want) <= within

const shown = (x: unknown): string => {
  if (x instanceof Tensor) return `tensor(${x.dtype} [${x.shape.join()}])`
  if (Array.isArray(x)) return `[${x.map(shown).join(', ')}]`
  if (typeof x !== 'object' || x === null) return typeof x === 'string' ? `'${x}'` : String(x)
  return `{ ${Object.entries(x)
    .map(([k, v]) => `${k}: ${shown(v)}`)
    .join(', ')} }`
}

const seeds = Array.from({ length: isLong ? 10 : 1 }, (_, i) => i + 1)
test.each(seeds)('three hundred random calls, seed %i', async (seed) => {
  const world: World = { gpu, other, stream: random(seed) }
  const wrong: string[] = []
  let accepted = 0
  for (let i = 0; i < 300; i++) {
    const call = randomCall(world)
    const found = await wrongWith(call)
    if (call.mistake === null) accepted++
    if (found) wrong.push(`call ${i}, ${call.name}(${call.args.map(shown).join(', ')}), ${call.mistake}: ${found}`)
  }
  expect(wrong).toEqual([])
  expect(accepted).toBeGreaterThan(60)
})
