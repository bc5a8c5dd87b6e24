// Hooks: accesses of an array through a function, so that a host may put its own work there; the text still compiles.
import { expect, test } from 'vitest'
import { emitPlan } from '../../src/emit/index.ts'
import { saxpyCase } from './plans.ts'

const text = (hooks: readonly string[]): string =>
  // WGSL was asked for
  emitPlan(saxpyCase(64).plan, { targets: ['wgsl'], hooks }).variants[0]!.launches[0]!.emitted!.wgsl!.text

test('what is only read is loaded, what is written stored, through one function each', () => {
  expect(text(['x'])).toMatch(/fn load_x\(i: u32\) -> (\w|[<>])+ \{\n {2}return x\[i\];\n\}/)
  expect(text(['x'])).toMatch(/load_x\(u32\(/)
  expect(text(['y'])).toMatch(/fn store_y\(i: u32, v: (\w|[<>])+\) \{\n {2}y\[i\] = v;\n\}/)
  expect(text([])).not.toMatch(/load_|store_/)
})
