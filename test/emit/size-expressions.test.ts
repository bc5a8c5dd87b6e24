// Texts of plan expressions in both languages, run and compared with the value that the plan has: signed and unsigned
// integers at the ends of their ranges, where C wraps the one kind and leaves the other open.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { cppLanguage, expressionText, typescriptLanguage } from '../../src/emit/host/size-expressions.ts'
import {
  constant,
  leastInteger,
  mayBeNegative,
  op,
  planValue,
  printExpr,
  sizeOf,
  type Expr,
  type OpName,
  type Plan,
} from '../../src/ir/index.ts'

const available = spawnSync('g++', ['--version']).status === 0
if (!available) console.warn('NOT CHECKED: g++ is not on this machine, so no C++ of plan expressions is executed')

const sizes: Plan['sizes'] = [{ kind: 'given', name: 'k', min: leastInteger, planned: 1 }]
const r = random(2026)
const unsignedOps: readonly OpName[] = ['add', 'sub', 'mul', 'and', 'or', 'xor', 'min', 'max']
const oneOf = <T>(list: readonly T[]): T => list[r.int(0, list.length - 1)]!

/** An unsigned expression over the signed number k. */
function unsigned(depth: number): Expr {
  if (depth === 0) return r.int(0, 1) ? op('convert', [sizeOf('k')], 'u32') : constant('u32', oneOf([0, 1, 3, 65537]))
  const a = unsigned(depth - 1)
  switch (r.int(0, 4)) {
    case 0:
      return op(oneOf<OpName>(['shl', 'shr']), [a, constant('u32', r.int(0, 31))])
    case 1:
      return op(oneOf<OpName>(['div', 'rem']), [a, constant('u32', oneOf([1, 3, 36]))])
    case 2:
      return op('convert', [op('convert', [a], 'i32')], 'u32')
    default:
      return op(oneOf(unsignedOps), [a, unsigned(depth - 1)])
  }
}

const numbers = [0, 1, -1, 2, 255, -70000, 2147483647, -2147483648]
const expressions = Array.from({ length: 200 }, (_, n) => {
  const a = unsigned(n % 4)
  return n % 2 ? op('convert', [a], 'i32') : op('lt', [a, unsigned(n % 3)])
})
// as many bits as a size has, of 0, too
const magnitude = op('max', [sizeOf('k'), constant('i32', 0)])
expressions.push(op('clz', [magnitude]))
const wanted = expressions.map((e) => numbers.map((k) => planValue(e, { sizes: { k }, scalars: {} })))

test('TypeScript', () => {
  const language = typescriptLanguage(
    (e) => e.name,
    (e) => mayBeNegative(e, { sizes }),
  )
  expressions.forEach((e, n) => {
    const { text } = expressionText(e, language)
    const f = new Function('k', `return Number(${text})`) as (k: number) => number
    expect({ of: printExpr(e), text, values: numbers.map((k) => f(k) + 0) }).toEqual({
      of: printExpr(e),
      text,
      values: wanted[n],
    })
  })
})

test.skipIf(!available)('C++', () => {
  const language = cppLanguage(
      (e) => e.name,
      (e) => mayBeNegative(e, { sizes }),
    ),
    texts = expressions.map((e) => expressionText(e, language).text)
  const folder = mkdtempSync(join(tmpdir(), 'tesela-sizes-'))
  try {
    const lines = texts.map((text) => `    printf("%lld ", (long long)(${text}));`).join('\n')
    writeFileSync(
      join(folder, 'a.cpp'),
      `#include <algorithm>\n#include <cmath>\n#include <cstdio>\n#include <cstdlib>\nint main(int, char** given) {\n` +
        `  for (int n = 1; given[n]; n++) {\n    long long k = atoll(given[n]);\n${lines}\n    puts("");\n  }\n}\n`,
    )
    const flags = ['-std=c++17', '-w', '-fsanitize=undefined', '-fno-sanitize-recover=all']
    expect(
      spawnSync('g++', [...flags, '-o', join(folder, 'a'), join(folder, 'a.cpp')], { encoding: 'utf8' }).stderr,
    ).toBe('')
    const { stdout, stderr } = spawnSync(join(folder, 'a'), numbers.map(String), { encoding: 'utf8' })
    expect(stderr).toBe('')
    const values = stdout
      .trim()
      .split('\n')
      .map((line) => line.trim().split(' ').map(Number))
    expressions.forEach((e, n) =>
      expect({ of: printExpr(e), text: texts[n], values: values.map((row) => row[n]) }).toEqual({
        of: printExpr(e),
        text: texts[n],
        values: wanted[n],
      }),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
