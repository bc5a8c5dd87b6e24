// `tesela bench` on SwiftShader: what it prints, what tuning keeps, and what it refuses.
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { swiftShaderFolder } from '../support/dawn.ts'
import { folderWith, softwareDevice, tesela } from './run.ts'

const folder = swiftShaderFolder(),
  device = softwareDevice()

test('rows with rates and predictions; tuned choices are kept and found again', () => {
  const store = folderWith({})
  const r = tesela(
    ['bench', 'map 4096', 'transpose', '--tune', '--store', store, '--gpu', 'h200'],
    folderWith({}),
    device,
  )
  expect(r.code, r.err).toBe(0)
  expect(r.out).toMatch(/^Tuning\n/)
  expect(r.out).toMatch(/\n {2}2 choices measured in \d+\.\d s, kept in /)
  expect(r.out).toMatch(/SwiftShader.* timestamps of .*; 2 choices tuned; predicted for h200\n/)
  expect(r.out).toMatch(/\n {2}map 4096 +\d\S* .s +\S+ GB\/s +\S+ .s +-\d+ %  map f32/)
  expect(readdirSync(store)).toHaveLength(1)
  const again = tesela(['bench', 'map 4096', '--measure', 'webgpu', '--store', store, '--json'], folderWith({}), device)
  expect(JSON.parse(again.out)).toMatchObject({
    schema: 'tesela.bench/1',
    tuned: 2,
    predictedFor: null,
    tune: null,
    left: 0,
    rows: [{ name: 'map 4096', wrong: null, bytes: 32768, boundNs: null, predictedNs: null }],
  })
}, 100_000)

test('cases that do not exist, and machines without a device, are refused in a sentence', () => {
  const unknown = tesela(['bench', 'matmull', '--store', folderWith({})], folderWith({}), device)
  expect({ code: unknown.code, out: unknown.out }).toEqual({ code: 2, out: '' })
  expect(unknown.err).toBe(
    'error: no case begins with matmull [bench.name]\n  hint: there are matmul, sum, map, transpose, conv2d\n',
  )
  const none = tesela(['bench'], folderWith({}), { VK_ICD_FILENAMES: '/nonexistent', LD_LIBRARY_PATH: folder })
  expect(none.code).toBe(2)
  // The driver says its part first.
  expect(none.err).toMatch(/\nerror: WebGPU found no adapter \[device\.adapter\]\n {2}hint: /)
})
