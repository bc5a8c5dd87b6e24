// In: an operation and a target. Out: what the target promises of it as the emitter spells it.
import type { OpName } from '../ops.ts'
import { cudaPromises } from './cuda.ts'
import { exact, ulp, type Promised, type TargetName } from './promise.ts'
import { wgslPromises } from './wgsl.ts'

const tables: Readonly<Record<TargetName, Readonly<Record<OpName, Promised>>>> = {
  wgsl: wgslPromises,
  cuda: cudaPromises,
}

/** What emitters round to nearest on demand. */
const onDemand: ReadonlySet<OpName> = new Set(['div', 'rcp', 'sqrt'])

/** CUDA's powf, and products of few factors, which replace logarithms where an answer hangs on it. */
const plainPower: Promised = {
  f32: { kind: 'ulp', ulp: 9, perExponent: 1, wholePowers: true },
  f64: ulp(2),
  source: cudaPromises.pow.source,
}

/** `rounded`: in a kernel where an answer hangs on how quotients and roots are rounded (`emit/rounding.ts`). */
export function promiseOf(op: OpName, target: TargetName, rounded: boolean): Promised {
  const row = tables[target][op]
  if (!rounded) return row
  if (onDemand.has(op)) return { f32: exact, source: row.source }
  return op === 'pow' && target === 'cuda' ? plainPower : row
}
