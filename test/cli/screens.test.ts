// What the documents show is what the commands print.
import { expect, test } from 'vitest'
import { printed, screens } from '../../tools/screens.ts'

const all = screens()

test('README and the guide show commands', () => {
  expect(all.length).toBeGreaterThanOrEqual(6)
})

test.each(all.map((s) => [s.file, s.command, s] as const))('%s: tesela %s', (_, __, s) => {
  expect(s.shown, 'npx tsx tools/screens.ts rewrites it').toBe(printed(s.command))
})
