// The text form of KernelIR: what is printed parses to an equal value; what is no kernel is refused with a place.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KernelBuilder, parseKernel, printKernel, type Kernel, type Stmt } from '../../src/ir/index.ts'
import { naiveMatmul, registerTiled, tiledMatmul, treeSum } from '../support/kernels.ts'
import { randomKernel } from '../simulate/random-kernel.ts'

const span = { file: 'a "quoted".c', line: 3, column: 14, length: 5 }

/** Gives some statements spans and comments, by their number. */
function annotate(list: readonly Stmt[], every: number, count = { n: 0 }): Stmt[] {
  return list.map((s) => {
    const extra =
      ++count.n % every === 0
        ? {
            at: count.n % 2 ? span : { file: 'x', line: 1, column: 1 },
            comment: `step ${count.n}: "a" \\ b`,
            ...(count.n % 3 === 0 && { free: true as const }),
            ...(count.n % 4 === 0 && { counts: { int: 2.5, load: 1 }, branches: 0.25 }),
            ...(count.n % 5 === 0 && s.kind === 'barrier' && s.scope === 'block' && { some: true as const }),
          }
        : {}
    if (s.kind === 'if')
      return { ...s, ...extra, then: annotate(s.then, every, count), else: annotate(s.else, every, count) }
    if (s.kind === 'loop')
      return { ...s, ...extra, body: annotate(s.body, every, count), continuing: annotate(s.continuing, every, count) }
    return { ...s, ...extra }
  })
}

const roundTrips = (k: Kernel): void => expect(parseKernel(printKernel(k))).toEqual(k)

describe('print, then parse, gives an equal kernel', () => {
  test('teaching kernels', () => [naiveMatmul(), tiledMatmul(), treeSum(), registerTiled(8, 8)].forEach(roundTrips))
  test('random kernels, with spans and comments', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 5 }),
        (seed, size, every) => {
          const { kernel } = randomKernel(seed, size, { barriers: true, subgroups: true, wild: true })
          roundTrips({ ...kernel, body: annotate(kernel.body, every) })
        },
      ),
      { numRuns: 60, seed: 3 },
    )
  })
  test('registers named like keywords, barriers of every scope', () => {
    const k = new KernelBuilder({ name: 'words', block: [1, 1, 1] })
    for (const scope of ['grid', 'block', 'warp'] as const) k.barrier(scope)
    for (const name of ['if', 'loop', 'store', 'atomic', 'barrier', 'break', 'return', 'f32', 'i32'])
      k.op('add', [k.variable('i32', 1, name), 2], { name })
    roundTrips(k.finish())
  })
  test('special numbers', () => {
    const k = new KernelBuilder({ name: 'numbers', block: [1, 1, 1] })
    for (const v of [0, -0, NaN, Infinity, -Infinity, 1e-45, 3.4e38, 0.1]) k.variable('f32', v)
    for (const v of [1e300, 5e-324, -1.5e-7]) k.variable('f64', v)
    for (const v of [-(2n ** 63n), 2n ** 63n - 1n]) k.variable('i64', v)
    roundTrips(k.finish())
  })
})

const refuse = (text: string): string => {
  try {
    parseKernel(text, 'k.ir')
  } catch (e) {
    return e instanceof Error ? e.message : String(e)
  }
  return 'accepted'
}

describe('refusals name the place', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['nothing', '', "k.ir:1:1: error: expected 'kernel', found the end [kernel.syntax]"],
    ['no block', 'kernel k {}', "k.ir:1:10: error: expected 'block', found '{' [kernel.syntax]"],
    ['no body', 'kernel k block 1 1 1', "k.ir:1:21: error: expected '{', found the end [kernel.syntax]"],
    [
      'unknown type',
      'kernel k block 1 1 1\nparam n: float\n{}',
      "k.ir:2:10: error: expected a scalar type, found 'float' [kernel.syntax]",
    ],
    [
      'unknown register',
      'kernel k block 1 1 1\n{\n  a.0 = copy i32:1\n}',
      "k.ir:3:3: error: register 'a.0' is not declared [kernel.syntax]",
    ],
    [
      'unknown op',
      'kernel k block 1 1 1\nreg a.0: i32\n{\n  a.0 = fly i32:1\n}',
      "k.ir:4:9: error: expected an op, found 'fly' [kernel.syntax]",
    ],
    [
      'unknown param',
      'kernel k block 1 1 1\nreg a.0: i32\n{ a.0 = copy $n }',
      "k.ir:3:14: error: param 'n' is not declared [kernel.syntax]",
    ],
    [
      'open list',
      'kernel k block 1 1 1\n{ loop {',
      'k.ir:2:9: error: expected a statement, found the end [kernel.syntax]',
    ],
    [
      'a strange sign',
      'kernel k block 1 1 1 {} §',
      'k.ir:1:25: error: expected a word, number or sign, found § [kernel.syntax]',
    ],
    [
      'text after the end',
      'kernel k block 1 1 1 {} x',
      "k.ir:1:25: error: expected the end of the text, found 'x' [kernel.syntax]",
    ],
  ]
  for (const [what, text, message] of cases) test(what, () => expect(refuse(text)).toBe(message))
  test('deep nesting', () =>
    expect(refuse(`kernel k block 1 1 1 ${'{ loop '.repeat(5000)}`)).toContain('nest deeper than 200'))
})
