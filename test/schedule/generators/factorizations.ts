// For tests: random programs like factorisations and solves: one loop that must run in order around statements on rows,
// columns and planes of arrays that they change in place. Integers that wrap, so that every order of a sum gives the
// same.
import { random, type Random } from '../../../src/base/index.ts'
import type { Program } from '../../../src/ir/index.ts'
import { text } from '../support.ts'

const pick = <T>(r: Random, xs: readonly T[]): T => xs[r.int(0, xs.length - 1)]!

/** A loop over what comes before, after or from `k` on, or over everything. */
const range = (r: Random, name: string): string =>
  `for ${name} in ${pick(r, ['k + 1 .. n', 'k + 1 .. n', 'k .. n', '0 .. k', '0 .. n'])}`

const assign = (r: Random): string => pick(r, ['+=', '+=', '=', 'max='])

/** One statement with its loops. */
function statement(r: Random): string {
  switch (r.int(0, 6)) {
    case 0:
      return (
        `${range(r, 'i')} { A[i, k] ${assign(r)} ` +
        `${pick(r, ['A[k, k] * C[i, k]', 'A[i, k] * A[k, k]', 'C[k, i]'])} }`
      )
    case 1:
      return `x[k] ${assign(r)} ${pick(r, ['x[k] * C[k, k]', 'A[k, k]', 'C[k, k] - x[k]'])}`
    case 2: {
      const left = pick(r, ['A[i, k]', 'C[i, k]']),
        right = pick(r, ['A[k, j]', 'C[k, j]', 'A[j, k]'])
      return `${range(r, 'i')} { ${range(r, 'j')} { A[i, j] ${assign(r)} ${left} * ${right} } }`
    }
    case 3:
      return `${range(r, 'i')} { for j in k + 1 .. i + ${r.int(0, 1)} { A[i, j] += A[i, k] * A[j, k] } }`
    case 4:
      return `for j in 0 .. k { x[k] += C[k, j] * x[j] }`
    case 5:
      return `for m in 0 .. n { for j in 0 .. k { B[k, m] += C[k, j] * B[j, m] } }`
    default:
      return `${range(r, 'i')} { x[i] ${assign(r)} A[i, k] * x[k] }`
  }
}

/** The program of `seed`. */
export function eliminatingProgram(seed: number): Program {
  const r = random(seed * 6151 + 1)
  const arrays = ['A: i32[n, n] inout', 'B: i32[n, n] inout', 'C: i32[n, n] in', 'x: i32[n] inout']
  const body = Array.from({ length: r.int(1, 3) }, () => statement(r)).join('\n')
  return text(
    `program eliminating_${seed} { size n = 4000 min 1 ${arrays.map((a) => `array ${a} global`).join(' ')} ` +
      `for k in ${pick(r, ['0', '0', '1'])} .. ${pick(r, ['n', 'n - 1'])} { ${body} } }`,
  )
}
