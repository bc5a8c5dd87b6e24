// The LoopIR verifier: what it refuses, word by word. Programs come from text where text can say them.
import { describe, expect, test } from 'vitest'
import { int, parseProgram, verifyProgram, type Expr, type LoopStmt, type Program } from '../../src/ir/index.ts'

const base = parseProgram(
  'program p { size n = 8 min 1 scalar a: f32 array x: f32[n] in global array y: f32[n, 4] inout global array ' +
    'k: i32[n] inout global y[0, 0] = 1.0f }',
)
const message = (p: Program): string => {
  try {
    verifyProgram(p)
  } catch (e) {
    return (e as Error).message.split('\n')[0]!
  }
  return 'accepted'
}
const text = (body: string): string =>
  message(
    parseProgram(
      `program p { size n = 8 min 1 scalar a: f32 array x: f32[n] in global array y: f32[n, 4] inout global ` +
        `array k: i32[n] inout global ${body} }`,
    ),
  )
const withBody = (...body: LoopStmt[]): string => message({ ...base, body })
const f = (value: number): Expr => ({ kind: 'const', type: 'f32', value })

describe('from text', () => {
  test.each([
    ['y[0, 0] = x[n]', 'accepted'],
    ['x[0] = 1.0f', 'x is an input and is stored to, in "x[0] = 1.0f"'],
    ['y[0] = 1.0f', 'y has rank 2 and is indexed with 1, in "y[0] = 1.0f"'],
    ['y[0, 0] = 1', 'a i32 is stored to y of f32, in "y[0, 0] = 1"'],
    ['y[0, 0] = x[1.0f]', 'index or bound 1.0f is f32, not i32, in "y[0, 0] = x[1.0f]"'],
    ['y[0, 0] = x[0] + k[0]', 'x[0] + k[0] mixes f32 and i32'],
    ['y[0, 0] = x[0] & x[1]', 'and takes integer, got f32'],
    ['y[0, 0] = sqrt(n)', 'sqrt takes float, got i32'],
    ['y[0, 0] ^= x[0]', 'reduction xor on f32'],
    ['y[0, 0] &&= x[0]', 'reduction land on f32'],
    ['if n { y[0, 0] = 1.0f }', 'condition n is i32, not bool, in "if n {"'],
    ['y[0, 0] = n > 0 ? 1.0f : 0.0f', 'accepted'],
    ['y[0, 0] = n ? 1.0f : 0.0f', 'n ? 1.0f : 0.0f has types i32 ? f32 : f32 → f32'],
    ['for n in 0 .. 4 { k[n] = 1 }', 'n is declared twice, in "for n in 0 .. 4 {"'],
    ['for i in 0 .. n { for i in 0 .. n { k[i] = 1 } }', 'i is declared twice, in "for i in 0 .. n {"'],
    ['for i in 0 .. n { k[i] = 1 } for i in 0 .. n { k[i] = 1 }', 'accepted'],
    ['for i in 0 .. n step 0 { k[i] = 1 }', 'step 0 is no positive integer'],
    ['for i in 0 .. n @thread(1) { k[i] = 1 }', 'a loop bound to thread needs a constant number of iterations'],
    ['for i in 0 .. 32 @thread(0) { k[i] = 1 }', 'thread stride 0 is no positive integer'],
    ['for i in 0 .. 3 @vector { k[i] = 1 }', 'a vector loop has 2 or 4 iterations, not 3'],
    ['for t in 0 .. n { for i in 4 * t .. 4 * t + 4 @vector { k[i] = 1 } }', 'accepted'],
    ['declare s: f32[] temp private s = 1.0f declare s: f32[] temp private', 's is declared twice'],
    ['declare s: f32[] in private', 'declared array s has role in'],
    ['for i in 0 .. n { declare s: f32[i] temp private }', 'extent i of s is no expression of sizes and constants'],
    ['declare s: f32[] temp private pad 1', 'array s has pad 1'],
    ['y[0, 0] = bitcast_f32(n > 0)', 'bitcast from bool to f32 changes the width'],
    ['k[0] = 5000000000', 'constant 5000000000 does not fit i32'],
  ])('%s', (body, expected) => expect(text(body)).toContain(expected))
})

describe('what text cannot say', () => {
  test('a variable outside its loop', () =>
    expect(
      withBody({
        kind: 'store',
        array: 'k',
        index: [{ kind: 'var', type: 'i32', name: 'i' }],
        reduce: null,
        value: int(0),
      }),
    ).toContain('i is no loop variable in scope'))
  test('a local after its block', () =>
    expect(
      withBody(
        {
          kind: 'if',
          condition: { kind: 'const', type: 'bool', value: 1 },
          then: [{ kind: 'declare', array: { name: 's', type: 'f32', shape: [], role: 'temp', space: 'private' } }],
          else: [],
        },
        { kind: 'store', array: 's', index: [], reduce: null, value: f(0) },
      ),
    ).toContain('s is no array in scope'))
  test('a result type that the ops table does not give', () =>
    expect(
      withBody({
        kind: 'store',
        array: 'y',
        index: [int(0), int(0)],
        reduce: null,
        value: { kind: 'op', type: 'f32', op: 'add', args: [int(1), int(2)] },
      }),
    ).toContain('1 + 2 gives i32, marked f32'))
  test('an array of the wrong element type', () =>
    expect(
      withBody({
        kind: 'store',
        array: 'y',
        index: [int(0), int(0)],
        reduce: null,
        value: { kind: 'read', type: 'f32', array: 'k', index: [int(0)] },
      }),
    ).toContain('k of i32 is read as f32'))
  test('a size below its minimum', () =>
    expect(message({ ...base, sizes: [{ kind: 'given', name: 'n', min: 4, planned: 3 }] })).toContain(
      'size n is planned as 3, below its minimum 4',
    ))
  test('the variable of a loop of the host below its minimum', () =>
    expect(message({ ...base, hostVariables: [{ name: 'k_now', min: 4, planned: 3 }] })).toContain(
      'host variable k_now is planned as 3, below its minimum 4',
    ))
  test('the variable of a loop of the host that is called as a size is', () =>
    expect(
      message({
        ...base,
        sizes: [{ kind: 'given', name: 'n', min: 1, planned: 3 }],
        hostVariables: [{ name: 'n', min: 0, planned: 3 }],
      }),
    ).toContain('n is declared twice'))
  test('names that are no identifiers', () =>
    expect(message({ ...base, sizes: [{ kind: 'given', name: 'n n', min: 1, planned: 3 }] })).toContain(
      '"n n" is no identifier',
    ))
  test('private parameters', () =>
    expect(message({ ...base, arrays: base.arrays.map((a) => ({ ...a, space: 'private' as const })) })).toContain(
      'array x of the program is private, not global',
    ))
})
