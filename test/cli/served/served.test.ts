// The process that runs of tests share says what each would say in a process of its own, also after others.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith, root, tesela, teselaAlone } from '../run.ts'

const wgsl = join(root, 'examples/wgsl/transpose-naive.wgsl')

test.each<[string, readonly string[], number]>([
  ['what it is', ['--version'], 0],
  ['a report', ['explain', wgsl, '--grid', '32,128', '--json'], 0],
  ['a gate that fails', ['explain', wgsl, '--grid', '32,128', '--deny', 'warning'], 1],
  ['a file that is not there, in the folder of the run', ['optimize', 'nowhere.c'], 2],
  ['wrong usage', ['optimise', 'x.c'], 2],
])('%s', (_, args, code) => {
  const folder = folderWith({}),
    alone = teselaAlone(args, folder)
  expect(alone.code).toBe(code)
  expect(alone.out + alone.err).not.toBe('')
  for (let turn = 0; turn < 2; turn++) expect(tesela(args, folder)).toEqual(alone)
})

test('files are of the folder that a run is in', () => {
  for (const name of ['one', 'two']) {
    const folder = folderWith({ 'k.c': `void ${name}(int n, float x[n]) { for (int i = 0; i < n; i++) x[i] *= 2; }` })
    expect(tesela(['optimize', 'k.c', '--budget', '1'], folder).code).toBe(0)
    expect(existsSync(join(folder, `out/${name}/report.json`))).toBe(true)
  }
})
