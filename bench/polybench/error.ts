// In: what a program computed and what it should be. Out: how far it is off, relative to each array's largest
// magnitude.
import type { HostArray, Plan } from '../../src/ir/index.ts'

export type Arrays = { readonly [name: string]: HostArray }

/** Largest difference relative to the largest magnitude of `want`; NaN equals NaN. */
function errorOf(got: HostArray, want: HostArray): number {
  let scale = 0,
    worst = 0
  for (let i = 0; i < want.length; i++) {
    const w = Number(want[i]),
      d = Math.abs(Number(got[i]) - w)
    if (Number.isNaN(w) && Number.isNaN(Number(got[i]))) continue
    scale = Math.max(scale, Math.abs(w))
    worst = d <= worst ? worst : d
  }
  return worst / (scale || 1)
}

/** The worst of a program's results. */
export const worstOf = (p: Pick<Plan, 'arrays'>, got: Arrays, want: Arrays): number =>
  Math.max(
    ...p.arrays.filter((a) => a.role === 'out' || a.role === 'inout').map((a) => errorOf(got[a.name]!, want[a.name]!)),
  )
