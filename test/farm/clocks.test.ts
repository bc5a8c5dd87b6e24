// Clocks and temperature around a measurement: what the driver's program says is read by a stand-in for it; a
// measurement during which they changed is taken again, and refused at last; where nobody can say them, that is said.
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nvidiaClocks, steadyOnNvidia, runJob } from '../../src/farm/index.ts'
import { steadily, unsteady, type Clocks } from '../../src/tune/index.ts'
import { folderWith, softwareDevice, tesela } from '../cli/run.ts'
import { isLong } from '../support/long.ts'
import { tools } from './support.ts'

/** A program that says one line after the other, the last one again and again; each time it notes what it was asked. */
function standIn(...lines: readonly string[]): { readonly folder: string; readonly path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'tesela-clocks-'))
  const path = join(folder, 'nvidia-smi')
  const file = join(folder, 'asked')
  // the shell's own words alone: its PATH is empty but for this program
  const script = `#!/bin/sh
echo "$*" >> '${file}'
n=0
while read -r _; do n=$((n + 1)); done < '${file}'
case $n in
${lines.map((l, i) => `${i + 1 < lines.length ? i + 1 : '*'}) echo '${l}' ;;`).join('\n')}
esac
`
  writeFileSync(path, script)
  chmodSync(path, 0o755)
  return { folder, path }
}
const askedOf = (folder: string): number => readFileSync(join(folder, 'asked'), 'utf8').split('\n').length - 1

describe('what the driver says', () => {
  const device = 'NVIDIA H100 80GB HBM3 (CUDA)'
  test('is read for the GPU of that name', async () => {
    const { path, folder } = standIn('NVIDIA A10, 1, 2, 3\nNVIDIA H100 80GB HBM3, 1980, 2619, 34')
    expect(await nvidiaClocks(device, path)).toEqual({ processorMhz: 1980, memoryMhz: 2619, celsius: 34 })
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe(
      '--query-gpu=name,clocks.sm,clocks.mem,temperature.gpu --format=csv,noheader,nounits\n',
    )
  })
  test.each<[string, string, RegExp]>([
    ['no such GPU', 'NVIDIA A10, 1, 2, 3', /knows 0 GPUs that are called as in 'NVIDIA H100 80GB HBM3 \(CUDA\)'/],
    ['several', 'NVIDIA H100 80GB HBM3, 1, 2, 3\nNVIDIA H100 80GB HBM3, 1, 2, 3', /knows 2 GPUs/],
    ['one that says nothing', 'NVIDIA H100 80GB HBM3, [N/A], 2, 3', /does not say the clocks of NVIDIA H100/],
    ['nothing', '', /knows 0 GPUs/],
  ])('of %s is a sentence', async (_, line, sentence) => {
    const { path } = standIn(line)
    await expect(nvidiaClocks(device, path)).rejects.toThrow(sentence)
    expect(await steadyOnNvidia(device, path)).toMatchObject({
      unchecked: expect.stringMatching(/^clocks and temperature of NVIDIA H100 80GB HBM3 \(CUDA\) are not checked: /),
    })
  })
  test('where there is no such program is a sentence', async () => {
    await expect(nvidiaClocks(device, '/nowhere/nvidia-smi')).rejects.toThrow('/nowhere/nvidia-smi is not there')
  })
})

describe('a measurement', () => {
  const at = (processorMhz: number, memoryMhz = 2619, celsius = 40): Clocks => ({ processorMhz, memoryMhz, celsius })
  test.each<[string, Clocks, Clocks, string | undefined]>([
    ['steady', at(1980), at(1980), undefined],
    ['within 5 %', at(1980), at(1890), undefined],
    ['held back', at(1980), at(1410), 'its clock went from 1980 to 1410 MHz'],
    ['speeding up', at(345), at(1980), 'its clock went from 345 to 1980 MHz'],
    ["in its memory's idle clock", at(1980), at(1980, 810), "its memory's clock went from 2619 to 810 MHz"],
    ['getting hot', at(1980), at(1980, 2619, 51), 'its temperature went from 40 to 51 °C'],
    ['getting warm', at(1980), at(1980, 2619, 50), undefined],
  ])('%s', (_, before, after, expected) => {
    expect(unsteady(before, after)).toBe(expected)
  })

  const timing = { ns: 5, min: 4, spread: 0.1, samples: 9, repeats: 1, timer: 'timestamps', quantumNs: 0 } as const
  const saying = (...mhz: readonly number[]) => {
    let n = 0
    return async (): Promise<Clocks> => at(mhz[Math.min(n++, mhz.length - 1)]!)
  }
  test('is taken again while the clocks change', async () => {
    let taken = 0
    const measure = async () => ({ ...timing, ns: ++taken })
    expect(await steadily(measure, saying(345, 1980, 1980, 1980))).toEqual({
      ...timing,
      ns: 2,
      clocks: { before: at(1980), after: at(1980) },
    })
  })
  test('is refused when they never stop', async () => {
    let taken = 0
    const measure = async () => ({ ...timing, ns: ++taken })
    await expect(steadily(measure, saying(1, 2, 3, 4, 5, 6, 7, 8))).rejects.toThrow(
      'the device was not steady in 4 measurements: in the last one its clock went from 7 to 8 MHz',
    )
    expect(taken).toBe(4)
  })
})

describe('a measure job on a real (software) device', () => {
  const text =
    'void axpy(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) y[i] = 2.0f * x[i] + y[i]; }'
  const run = async (path: string) => {
    const on = {
      program: { name: 'a.c', text, defines: { n: '4096' } },
      gpu: 'h200',
      targets: ['wgsl'],
      seed: 1,
    } as const
    const { points } = (await runJob({ kind: 'optimize', ...on, budget: 1 }, tools)).result as { points: [] }
    const job = { schema: 'tesela.job/1', kind: 'measure', ...on, on: 'webgpu', candidates: [points] }
    const folder = folderWith({ 'job.json': JSON.stringify(job) })
    const { code, err } = tesela(['job', 'job.json'], folder, { ...softwareDevice(), PATH: path })
    expect([code, code === 0 ? '' : err]).toEqual([0, ''])
    const { result } = JSON.parse(readFileSync(join(folder, 'job.result.json'), 'utf8')) as {
      result: { unchecked?: string; measured: { ns?: number; clocks?: object; how?: string; why?: string }[] }
    }
    return { err, ...result }
  }

  test('says loudly that nothing was checked where the driver has no program', async () => {
    const { err, unchecked, measured } = await run('/nowhere')
    expect(unchecked).toMatch(/^clocks and temperature of .* are not checked: nvidia-smi is not there$/)
    expect(err).toContain(`tesela: ${unchecked}`)
    expect(measured[0]!.ns).toBeGreaterThan(0)
    expect(measured[0]!.clocks).toBeUndefined()
  })
  test('keeps the clocks with the time', async () => {
    const { folder } = standIn('SwiftShader, 1500, 800, 40')
    const { unchecked, measured } = await run(folder)
    expect(unchecked).toBeUndefined()
    const clocks = { processorMhz: 1500, memoryMhz: 800, celsius: 40 }
    expect(measured).toMatchObject([{ clocks: { before: clocks, after: clocks } }])
    expect(askedOf(folder)).toBe(3)
  })
  test.runIf(isLong)('measures again, and gives the candidate no time when the clocks never stop', async () => {
    const changing = standIn(...[9, 1, 2, 3, 4, 4].map((n) => `SwiftShader, ${n}00, 800, 40`))
    expect((await run(changing.folder)).measured).toMatchObject([{ ns: expect.any(Number) }])
    expect(askedOf(changing.folder)).toBe(7) // whether it is there, and three measurements
    const never = standIn(...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `SwiftShader, ${n}00, 800, 40`))
    const { measured } = await run(never.folder)
    expect(measured).toMatchObject([{ how: 'device', why: expect.stringContaining('went from 800 to 900 MHz') }])
    expect(measured[0]!.ns).toBeUndefined()
  })
})
