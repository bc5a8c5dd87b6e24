// Passes as they are declared: each example is run as it stands there, names are unique, the page is up to date, and a
// pass that changes nothing gives back the same object.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseProgram, printProgram, runPass, type AnyPass, type Program } from '../../src/ir/index.ts'
import { allPasses, catalogue } from '../../src/pipeline/catalogue.ts'
import { passExamples } from '../../tools/pass-examples.ts'
import { passesPage } from '../../tools/passes.ts'
import { readC } from '../c/read.ts'
import { randomProgram } from '../random-program.ts'

const examples = passExamples()

test.each(allPasses.map((p): [string, AnyPass] => [p.name, p]))('the example of %s', async (_, pass) => {
  const example = examples.get(pass.name)
  if (!example) throw new Error(`no example stands in front of ${pass.name}`)
  await readC('void f(int n, float *y) { for (int i = 0; i < n; i++) y[i] = 0; }') // loads the parser
  const { value, context } = await pass.of.read(example.before)
  const made = runPass(pass, value, context)
  expect(made).not.toBe(value)
  expect(pass.of.print(made).trimEnd()).toBe(example.after)
  expect(example.after).not.toBe(pass.of.print(value).trimEnd())
})

test('every example belongs to a pass that runs', () => {
  expect([...examples.keys()].filter((name) => !allPasses.some((p) => p.name === name))).toEqual([])
})

test('names are unique', () => {
  const names = catalogue.flatMap((s) => [
    s.name,
    ...(s.kind === 'alternatives' ? Object.keys(s.ways).map((w) => `${s.name}/${w}`) : []),
  ])
  const all = [...names, ...allPasses.map((p) => p.name)]
  expect(all.filter((n, i) => all.indexOf(n) !== i)).toEqual([])
})

test('the page is what the declarations say', () => {
  expect(readFileSync(resolve(import.meta.dirname, '../../docs/passes.md'), 'utf8')).toBe(passesPage())
})

/** Of these, one is for programs that C was just lowered to, and one always gives regions, which it was not given. */
const onPrograms = allPasses.filter(
  (p) => p.of.name === 'LoopIR' && p.name !== 'delinearization' && p.name !== 'host-loops',
)

test.each(
  onPrograms.map((p): [string, AnyPass] => [p.name, p]),
)('%s gives back the same object when nothing changed', (_, pass) => {
  let kept = 0
  for (let seed = 0; seed < 60; seed++) {
    const p: Program = parseProgram(printProgram(randomProgram(seed, { depth: 1 + (seed % 3) })))
    const opened = pass.of.read(printProgram(p))
    if (opened instanceof Promise) throw new Error('LoopIR is read at once')
    const made = runPass(pass, opened.value, opened.context)
    if (pass.of.print(made) !== pass.of.print(opened.value)) continue
    kept++
    expect(made === opened.value || pass.of.isSame?.(made, opened.value) === true).toBe(true)
  }
  expect(kept).toBeGreaterThan(0)
})
