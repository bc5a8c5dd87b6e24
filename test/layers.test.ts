import { expect, test } from 'vitest'
import { resolve } from 'node:path'
import { layerErrors } from '../tools/layers.ts'

test('every folder imports strictly lower levels, through their index', () => {
  expect(layerErrors(resolve(__dirname, '../src'))).toEqual([])
})
