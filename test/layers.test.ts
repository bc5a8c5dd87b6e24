import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { catchErrors, citationErrors, cycleErrors, folderErrors, houseErrors, siteErrors } from '../tools/layers.ts'

test('imports go to lower levels, folders have at most 20 loose files, files that are named exist', () => {
  expect(houseErrors(resolve(__dirname, '..'))).toEqual([])
})

const citing = (file: string): string => `// See \`${file}\`.\n`

test('a folder of 21 files and a name that no file has are said', () => {
  const root = mkdtempSync(join(tmpdir(), 'tesela-layers-'))
  try {
    execFileSync('git', ['init', '-q'], { cwd: root })
    mkdirSync(join(root, 'src/emit'), { recursive: true })
    for (let i = 0; i < 21; i++) writeFileSync(join(root, `src/emit/f${i}.ts`), citing('emit/f3.ts'))
    expect(citationErrors(root)).toEqual([])
    writeFileSync(join(root, 'src/emit/f0.ts'), citing('emit/lost.ts'))
    expect(folderErrors(root)).toEqual(['src/emit has 21 loose files, 20 are allowed: give some of them a room'])
    expect(citationErrors(root)).toEqual(['src/emit/f0.ts:1 names emit/lost.ts, which is nowhere'])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})

test('the site knows the package by its public names', () => {
  expect(siteErrors(resolve(__dirname, '../site'))).toEqual([])
})

test('an error of the user is caught at the edges and nowhere else', () => {
  const root = mkdtempSync(join(tmpdir(), 'tesela-catches-'))
  try {
    for (const unit of ['cli', 'tune']) {
      mkdirSync(join(root, unit))
      writeFileSync(join(root, unit, 'a.ts'), 'const isRefused = (e: unknown) => e instanceof DiagnosticError\n')
    }
    expect(catchErrors(root)).toEqual([
      'src/tune/a.ts catches a DiagnosticError: ask for a value (attempted, or a function try…)',
    ])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})

test('files that import each other are said, types too', () => {
  const root = mkdtempSync(join(tmpdir(), 'tesela-cycles-'))
  try {
    writeFileSync(join(root, 'a.ts'), "import { b } from './b.ts'\n")
    writeFileSync(join(root, 'b.ts'), "import { c } from './c.ts'\n")
    writeFileSync(join(root, 'c.ts'), '')
    expect(cycleErrors(root)).toEqual([])
    writeFileSync(join(root, 'c.ts'), "import type { B } from './b.ts'\n")
    expect(cycleErrors(root)).toEqual(['a cycle of imports: b.ts → c.ts → b.ts'])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
