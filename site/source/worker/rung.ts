// A rung as the page hears of it. In: what the ladder found. Out: plain data.
import { pageRung } from 'tesela/html'
import type { FoundRung } from 'tesela/optimize'
import type { HeardRung } from './protocol.ts'

export const heardRung = ({ position, count, row, lines }: FoundRung): HeardRung => ({
  position,
  count,
  rung: pageRung(row),
  lines,
})
