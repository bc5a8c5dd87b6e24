// In: C functions with calls, or seeds of random ones. Out: nothing, or what fails the test: five calls each, gcc under
// its sanitizers against the emitted WGSL on SwiftShader and the emitted CUDA on the host's processor. None may differ;
// hardly any may be refused.
import { expect } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parserFiles } from '../../src/cli/files.ts'
import { openWebGpu } from '../../src/run/index.ts'
import { swiftShaderGpu } from '../support/dawn.ts'
import { typeStripper } from './strip.ts'
import { campaign, emptyTally, tallyLine } from './campaign.ts'
import { randomFunction, type RandomFunction } from './random-function.ts'

/** Functions that share a compiler's run. */
const batch = 25

/** Compares the random functions of `seeds`, and says how much was compared. */
export const compareFunctions = (seeds: readonly number[]): Promise<void> => compareAll(seeds.map(randomFunction))

/** Compares `functions`, and says how much was compared. */
export async function compareAll(functions: readonly RandomFunction[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tesela-campaign-'))
  const webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
  try {
    const javascript = await typeStripper()
    const tally = emptyTally()
    for (let i = 0; i < functions.length; i += batch) {
      const options = {
        wasm: parserFiles(),
        folder,
        headers: import.meta.dirname,
        webgpu,
        javascript,
        cuda: ['host'],
      } as const
      await campaign(functions.slice(i, i + batch), options, tally)
    }
    console.log(tallyLine(tally))
    const wrong = tally.findings.filter((f) => f.kind !== 'refused')
    expect(wrong.map((f) => `${f.seed}, call ${f.call}, ${f.on}: ${f.why}`)).toEqual([])
    expect(tally.accepted).toBeGreaterThan(0.9 * functions.length)
    expect(tally.compared.wgsl).toBeGreaterThan(4 * tally.accepted)
    expect(tally.compared.host).toBeGreaterThan(4 * tally.accepted)
  } finally {
    webgpu.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `count` seeds from `first`. */
export const seedsFrom = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => first + i)
