// Spellings that mean the same are predicted to be equally fast: a few of `bench/metamorphic`, which runs all.
import { expect, test } from 'vitest'
import { programs } from '../../bench/metamorphic/programs.ts'
import { rewrites } from '../../bench/metamorphic/rewrites.ts'
import { predictedNs, spellingsOf } from '../../bench/metamorphic/spellings.ts'
import { random } from '../../src/base/index.ts'
import { parserFiles } from '../../src/cli/files.ts'
import { loadParser } from '../../src/frontend/c/index.ts'
import { isLong } from '../support/long.ts'

const tried = isLong ? Object.keys(rewrites).length : 3
const light = ['axpy', 'add-rows', 'transpose', 'row-sums', 'column-sums', 'filter']

test.each(programs.filter((p) => light.includes(p.name)))('$name is as fast in other spellings', async (program) => {
  await loadParser(parserFiles())
  const [plain, ...others] = await spellingsOf(program),
    next = random(17)
  const before = await predictedNs(plain!.c, 1) // all programs have a function
  expect(before).toBeTypeOf('number')
  const left = [...others]
  for (let n = 0; n < tried && left.length > 0; n++) {
    const [other] = left.splice(next.int(0, left.length - 1), 1)
    const ns = await predictedNs(other!.c, 1) // one was left
    expect(ns, other!.name).toBeLessThanOrEqual(1.5 * Number(before))
  }
})
