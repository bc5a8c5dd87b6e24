// In: the copies of a loop that machine code has. Out: statements around the loop that count as machine code runs:
// rounds are counted while the loop runs, and dealt to the copies behind it. The one idea: what a copy costs depends on
// how many rounds were left when it was reached, which is known, lane by lane, when the loop has ended.
import type { Span } from '../../../base/index.ts'
import { constOf, type Stmt } from '../../../ir/index.ts'
import type { PtxValues } from '../lower/values.ts'
import type { LoopStage } from './costs.ts'

/** Statements before a loop, at the beginning of each round, and behind the loop. */
export interface Rounds {
  readonly before: readonly Stmt[]
  readonly each: readonly Stmt[]
  readonly after: readonly Stmt[]
}

/** `cost` makes a statement that does nothing and counts. */
export function roundsOf(
  v: PtxValues,
  stages: readonly LoopStage[],
  at: Span | undefined,
  cost: (c: LoopStage['costs'][number]) => Stmt,
): Rounds {
  const left = v.reg('u32', 'rounds')
  const set = (op: 'copy' | 'add' | 'sub', n: number): Stmt => ({
    kind: 'op',
    op,
    dst: left,
    args: op === 'copy' ? [constOf('u32', n)] : [left, constOf('u32', n)],
    free: true,
  })
  const after = v.collect(() => {
    for (const s of stages) {
      const run = [...s.costs.map(cost), set('sub', s.copies)]
      // a stage has costs
      const meet: Stmt[] = s.meets ? [cost({ from: s.costs[0]!.from, counts: { control: 1 } })] : []
      const enough = (): Stmt[] =>
        v.collect(() => v.push({ kind: 'op', op: 'ge', dst: flag, args: [left, constOf('u32', s.copies)], free: true }))
      const flag = v.temp('bool')
      const place = at && { at }
      if (s.repeats)
        v.push({
          kind: 'loop',
          free: true,
          continuing: [],
          body: [
            ...enough(),
            {
              kind: 'if',
              condition: flag,
              then: [],
              else: [...meet, { kind: 'break', free: true }],
              counts: {},
              ...place,
            },
            ...run,
          ],
        })
      else
        for (const x of [
          ...enough(),
          { kind: 'if', condition: flag, then: [...run, ...meet], else: meet, counts: {}, ...place } as const,
        ])
          v.push(x)
    }
  })
  return { before: [set('copy', 0)], each: [set('add', 1)], after }
}
