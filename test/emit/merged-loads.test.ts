// Loads that nvcc merges: of an array that a kernel only reads and of one that it writes, on two sides of a choice. The
// one load that comes of them must not take the path that does not see the kernel's own writes. Texts, and nvcc's PTX.
import { describe, expect, test } from 'vitest'
import { emitCuda } from '../../src/emit/index.ts'
import { KernelBuilder, type Kernel, type MemoryType, type Verified } from '../../src/ir/index.ts'
import { ptxOfText } from '../../src/cli/nvcc.ts'
import { nvccAvailable } from '../support/nvcc.ts'

type Spelling = 'if' | 'select' | 'kept'

/** `out[t] = flag ? given[0] * 3 : passed[t] * 3`, where the thread has just written `passed[t]`. */
function choice(spelling: Spelling, passedType: MemoryType = 'i32'): Verified<Kernel> {
  const k = new KernelBuilder({ name: 'choice', block: [32, 1, 1] })
  const out = k.global('out', 'i32'),
    passed = k.global('passed', passedType),
    given = k.global('given', 'i32', 'read'),
    flag = k.param('flag', 'i32')
  const t = k.op('convert', [k.builtin('threadIdx.x', 't')], { type: 'i32' })
  const asInt = (value: ReturnType<typeof k.op>): ReturnType<typeof k.op> =>
    passedType === 'u32' ? k.op('convert', [value], { type: 'i32' }) : value
  k.store(passed, t, passedType === 'u32' ? k.op('convert', [t], { type: 'u32' }) : t)
  const isGiven = k.op('ne', [flag, 0])
  const ofGiven = (): ReturnType<typeof k.op> => k.op('mul', [k.load(given, 0), 3])
  const ofPassed = (): ReturnType<typeof k.op> => k.op('mul', [asInt(k.load(passed, t)), 3])
  if (spelling === 'select') {
    k.store(out, t, k.op('select', [isGiven, ofGiven(), ofPassed()]))
    return k.finish()
  }
  const v = k.variable('i32', spelling === 'kept' ? ofPassed() : 0)
  const setGiven = (): void => k.set(v, ofGiven())
  const setPassed = (): void => k.set(v, ofPassed())
  k.ifThen(isGiven, setGiven, spelling === 'kept' ? undefined : setPassed)
  k.store(out, t, v)
  return k.finish()
}

const spellings = (['if', 'select', 'kept'] as const).flatMap((spelling) =>
  (['i32', 'u32'] as const).map((type) => [spelling, type] as const),
)

describe('a choice between what is read and what is written', () => {
  test.each(spellings)('%s, %s: the array that is read is not restricted', (spelling, type) => {
    const { text } = emitCuda(choice(spelling, type))
    expect(text).toContain('const int* given')
    expect(text).toMatch(/(int|unsigned)\* __restrict__ passed/)
  })

  test.each<Spelling>(['if', 'select', 'kept'])('%s: no width in common, nothing to merge', (spelling) => {
    expect(emitCuda(choice(spelling, 'i16')).text).toContain('const int* __restrict__ given')
  })

  test.runIf(nvccAvailable()).each(spellings)('%s, %s: nvcc takes no read-only path', (spelling, type) => {
    const { text } = emitCuda(choice(spelling, type)),
      ptx = ptxOfText(text)
    expect(ptx).toMatch(/ld\.global/)
    expect(ptx).not.toContain('ld.global.nc')
    const restricted = text.replace('const int* given', 'const int* __restrict__ given')
    expect(ptxOfText(restricted)).toContain('ld.global.nc') // what the rule is for
  })
})
