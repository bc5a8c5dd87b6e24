// Random C functions from fixed seeds: others, in a file of its own so that both cores run.
import { test } from 'vitest'
import { compareFunctions, seedsFrom } from './compare.ts'

test('200 more random functions', () => compareFunctions(seedsFrom(201, 200)))
