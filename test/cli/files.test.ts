import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSource } from '../../src/cli/files.ts'
import { folderWith } from './run.ts'

test('sources come in UTF-8 or UTF-16, with a mark or without; what is no text is refused', () => {
  const text = 'void größe(int n) {\r\n}\r\n',
    cwd = folderWith({ 'a.c': text, 'b.c': `\ufeff${text}` }),
    utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
  writeFileSync(join(cwd, 'c.c'), utf16)
  writeFileSync(join(cwd, 'd.c'), Buffer.from(utf16).swap16())
  writeFileSync(join(cwd, 'e.c'), Buffer.from('// gr\xf6\xdfe\nint x;\n', 'latin1'))
  writeFileSync(join(cwd, 'f.c'), Buffer.from([1, 0, 2]))
  mkdirSync(join(cwd, 'g.c'))
  for (const name of ['a', 'b', 'c', 'd']) expect(readSource(join(cwd, `${name}.c`)), name).toBe(text)
  expect(readSource(join(cwd, 'e.c'))).toMatch(/\nint x;\n$/)
  expect(() => readSource(join(cwd, 'f.c'))).toThrow('f.c is no text')
  expect(() => readSource(join(cwd, 'g.c'))).toThrow('g.c is a folder, not a file')
  expect(() => readSource(join(cwd, 'a.c'), 4)).toThrow('at most 4 are read')
})
