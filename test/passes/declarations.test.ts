// Passes as they are declared: each example is run as it stands there, names are unique, the page is up to date, and a
// pass that changes nothing gives back the same object.
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import {
  parseProgram,
  printProgram,
  runPass,
  translate,
  type AnyPass,
  type AnyTranslation,
  type Program,
} from '../../src/ir/index.ts'
import { allPasses, passCatalogue } from '../../src/pipeline/catalogue.ts'
import { scheduleSteps } from '../../src/schedule/index.ts'
import { openExample, passExamples } from '../../tools/pass-examples.ts'
import { passesPage } from '../../tools/passes.ts'
import { readC } from '../c/read.ts'
import { randomProgram } from '../random-program.ts'

const examples = passExamples()

const named = <T extends AnyPass | AnyTranslation>(list: readonly T[]): readonly (readonly [string, T])[] =>
  list.map((p) => [p.name, p])

/** A program after a pass or a translation, as text. */
function textAfter(of: AnyPass | AnyTranslation, { value, context }: Awaited<ReturnType<typeof openExample>>): string {
  return of.kind === 'pass' ? of.of.print(runPass(of, value, context)) : of.to.print(translate(of, value, context))
}

test.each(named(allPasses))('the example of %s', async (_, of) => {
  const example = examples.get(of.name)
  if (!example) throw new Error(`no example stands in front of ${of.name}`)
  await readC('void f(int n, float *y) { for (int i = 0; i < n; i++) y[i] = 0; }') // loads the parser
  const opened = await openExample(of, example.before)
  expect(textAfter(of, opened).trimEnd()).toBe(example.after)
  const given = of.kind === 'pass' ? of.of : of.from
  expect(example.after).not.toBe(given.print(opened.value).trimEnd())
})

test('every example belongs to a pass that runs', () => {
  expect([...examples.keys()].filter((name) => !allPasses.some((p) => p.name === name))).toEqual([])
})

test('names are unique', () => {
  const names = passCatalogue.flatMap((s) => [
    s.name,
    ...(s.kind === 'alternatives' ? Object.keys(s.ways).map((w) => `${s.name}/${w}`) : []),
  ])
  const all = [...names, ...allPasses.map((p) => p.name)]
  expect(all.filter((n, i) => all.indexOf(n) !== i)).toEqual([])
})

test('the page is what the declarations say', () => {
  expect(readFileSync(resolve(import.meta.dirname, '../../docs/passes.md'), 'utf8')).toBe(passesPage())
})

/** Two are for programs that C was just lowered to, and one always gives regions, which it was not given. */
const others: ReadonlySet<string> = new Set(['array-lower-bounds', 'delinearization', 'host-loops'])
const onPrograms = allPasses.filter(
  (p): p is AnyPass => p.kind === 'pass' && p.of.name === 'LoopIR' && !others.has(p.name),
)

test.each(named(onPrograms))('%s gives back the same object when nothing changed', async (_, pass) => {
  let kept = 0
  for (let seed = 0; seed < 60; seed++) {
    const p: Program = parseProgram(printProgram(randomProgram(seed, { depth: 1 + (seed % 3) })))
    const { value, context } = await openExample(pass, printProgram(p))
    const made = runPass(pass, value, context)
    if (pass.of.print(made) !== pass.of.print(value)) continue
    kept++
    expect(made === value || pass.of.isSame?.(made, value) === true).toBe(true)
  }
  expect(kept).toBeGreaterThan(0)
})

test('every file of primitives and of rewrites inside a kernel is in the vocabulary, and nothing else is', () => {
  const files = ['primitives', 'kernel'].flatMap((folder) =>
    readdirSync(resolve(import.meta.dirname, '../../src/schedule', folder)).map((f) => f.replace('.ts', '')),
  )
  expect(Object.keys(scheduleSteps.words).sort()).toEqual(files.sort())
})
