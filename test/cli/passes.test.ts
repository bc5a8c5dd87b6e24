// `tesela optimize` on its passes: the list, traces of a program, the report's times, and what names are refused.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PassTrace } from '../../src/ir/index.ts'
import { analyse } from '../../src/pipeline.ts'
import { readC } from '../c/read.ts'
import { folderWith, root, tesela } from './run.ts'

const saxpy = join(root, 'examples/saxpy.c'),
  floyd = join(root, 'bench/everyday/floyd.c')

test('--passes needs no file and lists every pass in its order', () => {
  const r = tesela(['optimize', '--passes'])
  expect([r.code, r.err]).toEqual([0, ''])
  const at = [
    'inlining',
    'delinearization',
    'trip-count',
    'host-loops',
    'privatization',
    'time-tiles',
    'split',
    'kernel-lowering',
    'ptx-inlining',
  ].map((name) => r.out.search(new RegExp(`^  ${name} `, 'm')))
  expect(at.every((x, i) => x > (at[i - 1] ?? 0))).toBe(true)
})

test('a file is asked for where nothing else is', () => {
  const r = tesela(['optimize'])
  expect(r.code).toBe(2)
  expect(r.err).toContain("missing required argument 'file.c'")
})

test('--stop-after prints the program there and writes nothing', () => {
  const cwd = folderWith({})
  const r = tesela(['optimize', saxpy, '--stop-after', 'non-empty-sizes', '--print-changed'], cwd)
  expect([r.code, r.err]).toEqual([0, ''])
  expect(r.out).toMatch(/^- {3}size n = \d+ min 0 counts$/m)
  expect(r.out).toMatch(/^\+ {3}size n = \d+ min 1 counts$/m)
  expect(r.out).toMatch(/\nprogram saxpy \{\n {2}size n = \d+ min 1 counts\n[^]*\n\}\n$/)
  expect(() => readFileSync(join(cwd, 'out/saxpy/report.json'))).toThrow()
})

test.each([
  ['privatisation', 'Did you mean privatization?'],
  ['nothing-of-ours', '--passes lists them'],
])('%s is no pass', (name, words) => {
  const r = tesela(['optimize', saxpy, '--print-after', name])
  expect([r.code, r.out]).toEqual([2, ''])
  expect(r.err).toContain(words)
})

test('the report has the times of passes, and the page their texts', () => {
  const cwd = folderWith({})
  const args = ['optimize', saxpy, '-D', 'n=4096', '--budget', '1', '--json', '--verify-each', '--html', 'page.html']
  const r = tesela([...args, '--print-after', 'host-loops'], cwd)
  expect(r.code).toBe(0)
  const { passes } = JSON.parse(r.out) as { passes: { name: string; changes: number; ms: number }[] }
  expect(passes.map((p) => p.name)).toContain('host-loops')
  expect(passes.every((p) => p.changes > 0 && p.ms >= 0)).toBe(true)
  expect(r.err).toContain('program saxpy {')
  const page = readFileSync(join(cwd, 'page.html'), 'utf8')
  const data = JSON.parse(/<script type="application\/json" id="data">([^]*?)<\/script>/.exec(page)![1]!) as {
    passes: { name: string; of: string; before: number; after: number }[]
    texts: string[]
  }
  expect(data.passes.map((p) => p.name)).toContain('non-empty-sizes')
  // what became another kind of text is shown as it is
  expect(data.passes.every((p) => (data.texts[p.before] === data.texts[p.after]) === p.of.includes(' to '))).toBe(true)
  expect(data.passes.map((p) => p.of)).toContain('C to LoopIR')
})

test('a loop that the host runs: the costs of all ways are kept', async () => {
  const trace = new PassTrace({ verifyEach: true })
  analyse(await readC(readFileSync(floyd, 'utf8'), { trace }), { trace })
  const choice = trace.records.find((r) => r.kind === 'choice')
  expect(choice).toMatchObject({
    alternatives: 'loop-on-host',
    subject: expect.stringMatching(/^the loop over k in line \d+$/),
  })
  const taken = choice!.ways.find((w) => w.way === choice!.taken)!.cost
  expect(choice!.ways.length).toBeGreaterThan(1)
  expect(choice!.ways.every((w) => w.cost >= taken)).toBe(true)
})
