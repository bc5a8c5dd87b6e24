// Random C functions from a fixed seed (`bench/campaign.ts` runs as many as one likes), five calls each: gcc under its
// sanitizers against the emitted WGSL on SwiftShader and the emitted CUDA on the host's processor. None may differ;
// hardly any may be refused.
import { expect, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parserFiles } from '../../src/cli/files.ts'
import { openWebGpu } from '../../src/run/index.ts'
import { swiftShaderGpu } from '../support/dawn.ts'
import { typeStripper } from './strip.ts'
import { campaign, emptyTally, tallyLine } from './campaign.ts'

const functions = 50
const batch = 25
const firstSeed = 1

test(`${functions} random functions`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tesela-campaign-'))
  try {
    const webgpu = await openWebGpu({ gpu: await swiftShaderGpu() })
    const javascript = await typeStripper()
    const tally = emptyTally()
    for (let seed = firstSeed; seed < firstSeed + functions; seed += batch) {
      const seeds = Array.from({ length: batch }, (_, i) => seed + i)
      const options = {
        wasm: parserFiles(),
        folder,
        headers: import.meta.dirname,
        webgpu,
        javascript,
        cuda: ['host'],
      } as const
      await campaign(seeds, options, tally)
    }
    console.log(tallyLine(tally))
    const wrong = tally.findings.filter((f) => f.kind !== 'refused')
    expect(wrong.map((f) => `${f.seed}, call ${f.call}, ${f.on}: ${f.why}`)).toEqual([])
    expect(tally.accepted).toBeGreaterThan(0.9 * functions)
    expect(tally.compared.wgsl).toBeGreaterThan(4 * tally.accepted)
    expect(tally.compared.host).toBeGreaterThan(4 * tally.accepted)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
