// Single rungs of a ladder, explained by the lines of the C.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseC } from '../../src/frontend/c/index.ts'
import { explainCompiled } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { KnownLaunches, ladderRung, optimize, type FoundRung } from '../../src/tune/index.ts'
import { parserFiles } from '../../src/cli/files.ts'

const text =
  'void axpy(int n, float a, const float *x, float *y) {\n  for (int i = 0; i < n; i++)\n    y[i] += a * x[i];\n}\n'
const n = 4096
const read = (): ReturnType<typeof parseC> => parseC(text, 'axpy.c', { wasm: parserFiles(), defines: { n: String(n) } })
const options = { gpu: gpu('h200'), targets: ['wgsl'] } as const

test('what the lines of the C cost, rung by rung', async () => {
  const program = await read()
  const [plain, coalesced] = [await ladderRung(program, options, 0), await ladderRung(program, options, 1)]
  const line = (r: FoundRung): FoundRung['lines'][number] | undefined => r.lines.find((l) => l.line === 3)
  // Neighbours: x and y are read, y is written, each byte once and none for nobody.
  expect(line(coalesced)).toMatchObject({ moved: 3 * 4 * n, wasted: 0, passes: 0 })
  expect(line(plain)?.wasted).toBeGreaterThan(0)
  expect(plain.row.step).toMatch(/^naive/)
  expect((await ladderRung(program, options, 99)).position).toBe(plain.count - 1)
})

test('a kernel of a rung is explained at the places of the C', async () => {
  const rung = await ladderRung(await read(), options, 1)
  const [kernel] = rung.kernels()
  expect(kernel?.wgsl()).toContain('@compute')
  const { report, view } = explainCompiled({ text, file: 'axpy.c' }, kernel!, options) // there is one
  expect(report.kernel.language).toBe('c')
  expect(report.accesses.map((a) => [a.op, a.at?.line, a.requests, a.sectors])).toEqual(
    expect.arrayContaining([['store', 3, n / 32, n / 8]]),
  )
  expect(report.totals.global.load).toMatchObject({ requests: (2 * n) / 32, sectors: (2 * n) / 8 })
  expect(report.buffers.map((b) => [b.name, b.bytes])).toEqual(
    expect.arrayContaining([
      ['x', 4 * n],
      ['y', 4 * n],
    ]),
  )
  expect(view.source).toEqual(text.split('\n'))
})

test('optimize tells of each rung when it is found', async () => {
  const heard: string[] = []
  const result = await optimize(await read(), { ...options, budget: 1, rung: (r) => heard.push(r.row.step) })
  expect(heard).toEqual(result.ladder.map((r) => r.step))
  expect(heard.length).toBeGreaterThan(1)
})

test('what is counted at smaller sizes is scaled in every figure of a line', async () => {
  const sum = `float sum(int n, const float *x) {
    float s = 0;
    for (int i = 0; i < n; i++)
      s += x[i];
    return s;
  }`
  const large = 2 ** 27,
    program = await parseC(sum, 'sum.c', { wasm: parserFiles(), defines: { n: String(large) } }),
    { row, lines } = await ladderRung(program, options, 0),
    line = lines.find((l) => l.line === 4)
  expect(row.scaled).toBe(true)
  // one thread: a sector for each element, of which it uses four bytes
  expect((line?.moved ?? 0) / (32 * large)).toBeCloseTo(1, 3)
  expect((line?.wasted ?? 0) / (28 * large)).toBeCloseTo(1, 3)
})

class Counted extends KnownLaunches {
  added = 0
  override add(...of: Parameters<KnownLaunches['add']>): void {
    this.added++
    super.add(...of)
  }
}

const examples = join(import.meta.dirname, '../../examples')

test.each([
  'gemm',
  'gemv',
  'jacobi2d',
  'prefix',
  'saxpy',
  'transpose',
])('%s, moved in its text: nothing is counted again, and lines cost what they cost', async (name) => {
  const file = `${name}.c`,
    source = readFileSync(join(examples, file), 'utf8'),
    parsed = (t: string): ReturnType<typeof parseC> => parseC(t, file, { wasm: parserFiles() })
  const known = new Counted()
  await ladderRung(await parsed(source), { ...options, known }, 0)
  const first = known.added
  expect(first).toBeGreaterThan(0)
  const moved = `\n// a remark\n${source.replace(/\{\n/, '{ // another\n\n')}`
  const again = await ladderRung(await parsed(moved), { ...options, known }, 0)
  expect(known.added).toBe(first)
  const alone = await ladderRung(await parsed(moved), options, 0)
  expect(again.lines).toEqual(alone.lines)
  expect(again.row).toEqual(alone.row)
  await ladderRung(await parsed(moved), { ...options, gpu: gpu('gt200'), known }, 0)
  expect(known.added).toBeGreaterThan(first) // another GPU judges for itself
})

test('another kernel is counted anew', async () => {
  const known = new Counted()
  await ladderRung(await read(), { ...options, known }, 0)
  const first = known.added
  const other = await parseC(text.replace('+=', '='), 'axpy.c', { wasm: parserFiles(), defines: { n: String(n) } })
  const found = await ladderRung(other, { ...options, known }, 0)
  expect(known.added).toBeGreaterThan(first)
  expect(found.lines).toEqual((await ladderRung(other, options, 0)).lines)
})
