// Plans as data: packing is undone exactly, expressions are evaluated, generation gives the same bytes each time.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { evaluateAtSizes } from '../../src/kernels/recipe.ts'
import { Texts, unpack } from '../../src/kernels/texts.ts'
import { spec } from '../../src/kernels/reduce/kernel.ts'
import { moduleText, prepare, recipesOf } from '../../tools/kernels.ts'
import { packTexts } from '../../tools/pack.ts'

beforeAll(prepare)

test('every kernel that is shipped has at least a subgroup of threads in a block', async () => {
  const folder = join(import.meta.dirname, '../../src/kernels/made'),
    files = readdirSync(folder).filter((f) => f.endsWith('.made.js'))
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) {
    const { packed } = (await import(join(folder, file))) as { readonly packed: Parameters<typeof unpack>[0] }
    const blocks = unpack(packed).flatMap((text) =>
      [...text.matchAll(/@workgroup_size\(([\d, ]+)\)/g)].map((m) =>
        m[1]!.split(',').reduce((n, x) => n * Number(x), 1),
      ),
    )
    expect([file, Math.min(...blocks) >= 32]).toEqual([file, true])
  }
})
test('texts survive packing', () => {
  const stream = random(5),
    words = [
      'let x = 1;\n',
      '  a_12 += b.x',
      ' 17 ',
      '\n\n',
      '(',
      'a',
      '"\\~',
      'let index = 0;',
      'let index_2 = index;',
      'index_2',
      ' index_1',
      'index_02',
      'index',
      'let index_3 =',
      'v.index',
    ]
  const texts = Array.from({ length: 5 }, () =>
    Array.from({ length: 400 }, () => words[Math.floor(stream.unit() * words.length)]).join(''),
  )
  expect(unpack(packTexts(texts))).toEqual(texts)
})
test('texts that only count differently are as good as the same; nothing, and one, are texts too', () => {
  const stream = random(6)
  const places = Array.from({ length: 200 }, (_, i) => i).sort(() => stream.unit() - 0.5)
  const text = (from: number): string =>
    places.map((place, i) => `let index_${from + i} = a[${place}] + index_${from + i - 1};`).join('\n')
  const size = (texts: readonly string[]): number => packTexts(texts).packed.length + packTexts(texts).edits.length
  const one = `let index = 0;\n${text(2)}`
  expect(size([one, `let index = 0;\nlet index_2 = 9;\n${text(3)}`])).toBeLessThan(size([one, one]) + 32)
  for (const texts of [[], [''], ['a', '']]) expect(unpack(packTexts(texts))).toEqual(texts)
})
test('a text that is much like another is packed as edits of it, and is read without the others', () => {
  const lines = Array.from({ length: 200 }, (_, i) => `let v${i} = a[${i * 7}] * ${i % 3};\n`),
    texts = [lines.join(''), lines.with(50, 'x += 1;\n').join(''), lines.toSpliced(20, 3).join(''), 'return 5;\n']
  const packed = packTexts(texts)
  expect(packed.edits.split('|').map((e) => e.includes(' '))).toEqual([false, true, true, false])
  expect(packed.edits.length).toBeLessThan(80)
  const one = new Texts(packed)
  expect([one.text(2), one.text(0)]).toEqual([texts[2], texts[0]])
})
test('a module that builds on the first roots of others is smaller, and is read with them', () => {
  const text = (names: string, n: number): string =>
    Array.from({ length: n }, (_, i) => `let ${names}${i} = a[${(i * 7) % 31}] * ${i % 3} + b;\n`).join('')
  const [one, two, three] = [
    [text('v', 90), text('w', 70), 'return 5;\n'],
    [text('v', 80), text('z', 60)],
    [text('z', 85), 'else\n'],
  ] as const
  const first = packTexts(one, { first: 2 }),
    second = packTexts(two, { base: { packed: first, roots: 1 } }),
    third = packTexts(three, { base: { packed: second, roots: 2 } })
  expect([unpack(first), unpack(second), unpack(third)]).toEqual([one, two, three])
  expect(second.packed.length).toBeLessThan(packTexts(two).packed.length)
  expect(third.words.split('`')).not.toContain(' = ')
  const many = [Array.from({ length: 1100 }, (_, i) => `x${i} ${i}\n`).join('')]
  expect(() => packTexts(many, { base: { packed: first, roots: 1 } })).toThrow(/words have no numbers of 10 bits/)
})
test('a text that is much like one of the base is packed as edits of it, without roots', () => {
  const sum = Array.from({ length: 60 }, (_, i) => `part_${i + 2} = part_${i + 1} + x[${i * 7}];\n`).join(''),
    product = sum.replaceAll('+', '*').replace('[7]', '[8] + 1')
  const base = packTexts(['return 5;\n', sum]),
    packed = packTexts([product, sum], { base: { packed: base, roots: 0 } })
  expect(unpack(packed)).toEqual([product, sum])
  expect(packed).toMatchObject({ count: 0, before: 0 })
})
test('what packing cannot hold is refused', () =>
  expect(() => packTexts(['a`b'])).toThrow('text 0 does not survive packing'))
test('expressions', () => {
  expect(evaluateAtSizes(['div', ['add', 'n', 255], 256], { n: 257 })).toBe(2)
  expect(evaluateAtSizes(['land', ['eq', ['rem', 'n', 4], 0], ['lt', 'n', 9]], { n: 8 })).toBe(1)
  expect(evaluateAtSizes(['min', 'n', 9], { n: 8 }) + evaluateAtSizes(['max', ['sub', 0, 'n'], -9], { n: 8 })).toBe(0)
  expect(evaluateAtSizes(['select', ['ge', 'n', 2], 'n', -1], { n: 1 })).toBe(-1)
})
test('the same sources make the same bytes', async () => {
  const one = { sum: { rows: spec['sum']!['f32-rows-long']! } }
  const dir = join(import.meta.dirname, '../../src/kernels/reduce')
  const make = async (): Promise<string> => moduleText('sum', (await recipesOf(one, dir))['sum']!)
  expect(await make()).toBe(await make())
})
