import { expect, test } from 'vitest'
import {
  amount,
  coloured,
  digits,
  duration,
  grouped,
  list,
  paragraph,
  percent,
  plain,
  printable,
  table,
  times,
  width,
  wrap,
} from '../../src/report/index.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1.00 k'],
  [999_499, '999 k'],
  [999_500, '1.00 M'],
  [687_681_306_624, '688 G'],
  [2.5, '2.50'],
  [4.17e12, '4.17 T'],
  [5e18, '5000 P'],
])('amount %s is %s', (n, text) => {
  expect(amount(n)).toBe(text)
})

test.each([
  [0, '0.00 ns'],
  [870, '870 ns'],
  [999.4, '999 ns'],
  [999.6, '1.00 µs'],
  [12_345, '12.3 µs'],
  [2_666_043, '2.67 ms'],
  [44_061_294_142, '44.1 s'],
])('duration %s is %s', (ns, text) => {
  expect(duration(ns)).toBe(text)
})

test('digits, percentages, gains, lists', () => {
  expect([
    digits(0.012345),
    digits(1.2345),
    digits(123.45),
    digits(1234.5),
    digits(-5.678),
    digits(NaN),
    digits(Infinity),
  ]).toEqual(['0.0123', '1.23', '123', '1235', '-5.68', 'NaN', 'Infinity'])
  expect([percent(0.125), percent(1), times(60.51), times(0.9), times(240_668.4)]).toEqual([
    '13 %',
    '100 %',
    '60.5×',
    '0.900×',
    '240,668×',
  ])
  expect([
    grouped(134217728),
    grouped(12),
    grouped(1.5),
    list(['a']),
    list(['a', 'b']),
    list(['a', 'b', 'c'], 'or'),
  ]).toEqual(['134,217,728', '12', '1.5', 'a', 'a and b', 'a, b or c'])
})

test('text from outside cannot steer a terminal, nor reorder it', () => {
  expect(printable('a\tb\u001b[31m\u0007\u009b\u202e')).toBe('a b\ufffd[31m\ufffd\ufffd\ufffd')
})

test('tables align by what is seen, not by colours; stacked headings stand at the bottom', () => {
  const columns = [{ title: 'a' }, { title: 'long\nhead', align: 'right' as const }]
  expect(
    table(columns, [
      [coloured.bold('x'), '1'],
      ['yy', coloured.red('22')],
    ]).map((l) => l.replace(/\u001b\[\d+m/g, '')),
  ).toEqual(['      long', '  a   head', '  x      1', '  yy    22'])
  expect(width(coloured.green('≈ 5 G'))).toBe(5)
})

test('a cell wraps at blanks, its neighbours stay on the first line', () => {
  expect(table([{ title: '', most: 7 }, { title: '' }], [['one two three', 'z']], { indent: 0 })).toEqual([
    'one two  z',
    'three',
  ])
  expect(wrap('a verylongword b', 5)).toEqual(['a', 'verylongword', 'b'])
  expect(paragraph('  • ', 'n\u00a0=\u00a01; m', 9)).toEqual(['  • n = 1;', '    m'])
})

test('no colours means none at all', () => {
  expect(Object.values(plain).map((f) => f('x'))).toEqual(['x', 'x', 'x', 'x', 'x', 'x'])
})
