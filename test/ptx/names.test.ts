// Names of kernels as people write them: template arguments are found in mangled symbols.
import { expect, test } from 'vitest'
import { means, writtenName } from '../../src/frontend/ptx/text/demangle.ts'

// Symbols as nvcc makes them, beside what c++filt says (without the function's own parameters).
test.each([
  ['_Z3twoIfEvPT_S0_', 'two<float>'],
  ['plain', 'plain'],
  ['_ZN2nn3actI6__halfLi128ELb1ENS_4SiluEEEvPKT_PS3_i', 'nn::act<__half, 128, true, nn::Silu>'],
  ['_ZN2nn4packIJifjEEEvDpPT_', 'nn::pack<int, float, unsigned int>'],
  ['_Z6unusedIPN2nn3VecILi4EEEEvT_', 'unused<nn::Vec<4>*>'],
  ['_Z13trimul_globalIXadL_Z11matmul_tri3PfiPKfiS2_iiifEEEvS0_S2_iii', 'trimul_global<&matmul_tri3>'],
  ['_Z1kILin3ELj7ELm9EEvv', 'k<-3, 7, 9>'],
  ['_ZN12_GLOBAL__N_11kIdEEvPT_', '(anonymous namespace)::k<double>'],
])('%s is %s', (symbol, name) => expect(writtenName(symbol)).toBe(name))

test('what is not read has no written name', () => {
  for (const s of [
    '_Z8evaluateIiZ4mainEUliE_EvPKT_PiiT0_',
    '_Z3twoIf',
    '_Z9k',
    `_Z1kI${'P'.repeat(500)}fEvv`,
    '_Z1kIS9_Evv',
    '_ZN',
  ])
    expect(writtenName(s)).toBeNull()
})

const act = '_ZN2nn3actI6__halfLi128ELb1ENS_4SiluEEEvPKT_PS3_i'
test.each([
  ['nn::act<half, 128, true>', true],
  ['act<__half,128>', true],
  ['act< half , 128u >', true],
  ['act', true],
  ['::nn::act', true],
  ['act<half, 128, 1>', true],
  ['act<half, 128, true, Silu>', true],
  ['act<half, 64>', false],
  ['act<float>', false],
  ['mm::act<half>', false],
  ['ct<half>', false],
  ['act<half, 128, true, nn::Silu, 7>', false],
  ['act<half, (1<2 ? 128 : 4)>', false],
  ['act<half', false],
] as const)('%s: %s', (written, expected) => expect(means(written, act)).toBe(expected))

test('types have one spelling', () => {
  expect(['unsigned', 'uint32_t', 'unsigned int', 'std::uint32_t'].map((t) => means(`k<${t}>`, '_Z1kIjEvPT_'))).toEqual(
    [true, true, true, true],
  )
  expect(means('k<f>', '_Z1kIXadL_ZN1n1fEfEEEvv')).toBe(true)
})
