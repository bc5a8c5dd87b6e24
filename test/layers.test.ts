import { expect, test } from 'vitest'
import { resolve } from 'node:path'
import { layerErrors, siteErrors } from '../tools/layers.ts'

test('every folder imports strictly lower levels, through their index', () => {
  expect(layerErrors(resolve(__dirname, '../src'))).toEqual([])
})

test('the site knows the package by its public names', () => {
  expect(siteErrors(resolve(__dirname, '../site'))).toEqual([])
})
