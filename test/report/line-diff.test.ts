// Differences of texts: the kept and the gone lines are the text before, the kept and the new ones that after; no edit
// script is shorter; a line that only moved in is kept.
import { expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { isEqualButForIndent, lineDiff, type DiffLine } from '../../src/report/line-diff.ts'

/** Length of the longest common subsequence, by dynamic programming. */
function common(a: readonly string[], b: readonly string[]): number {
  let above = new Array<number>(b.length + 1).fill(0)
  for (const x of a) {
    const row = [0]
    b.forEach((y, j) => row.push(x === y ? above[j]! + 1 : Math.max(row[j]!, above[j + 1]!)))
    above = row
  }
  return above[b.length]!
}

const without = (lines: readonly DiffLine[], kind: DiffLine['kind']): readonly string[] =>
  lines.filter((l) => l.kind !== kind).map((l) => l.text)

test('edit scripts are right and the shortest', () => {
  const r = random(7)
  const text = (): readonly string[] => Array.from({ length: r.int(1, 14) }, () => 'abcd'[r.int(0, 3)]!)
  for (let n = 0; n < 2000; n++) {
    const [a, b] = [text(), text()]
    const lines = lineDiff(a.join('\n'), b.join('\n'))
    expect(without(lines, 'new')).toEqual(a)
    expect(without(lines, 'gone')).toEqual(b)
    expect(lines.filter((l) => l.kind === 'same')).toHaveLength(common(a, b))
  }
})

test('lines that moved into a block are kept, as they stand there, where that is asked', () => {
  expect(lineDiff('x', '  x')).toEqual([
    { kind: 'gone', text: 'x' },
    { kind: 'new', text: '  x' },
  ])
  expect(lineDiff('x\ny\nz', 'if c {\n  x\n  y\n}\nz', isEqualButForIndent)).toEqual([
    { kind: 'new', text: 'if c {' },
    { kind: 'same', text: '  x' },
    { kind: 'same', text: '  y' },
    { kind: 'new', text: '}' },
    { kind: 'same', text: 'z' },
  ])
})

test('long texts of which little changed are told line by line', () => {
  const lines = Array.from({ length: 9000 }, (_, i) => `line ${i}`)
  const after = lines.map((l, i) => (i % 1000 === 500 ? `${l} changed` : `  ${l}`))
  expect(
    lineDiff(lines.join('\n'), after.join('\n'), isEqualButForIndent).filter((l) => l.kind !== 'same'),
  ).toHaveLength(18)
})
