// In: a program at full size, its inputs. Out: what some elements of its outputs must be, in float64. The one idea: the
// parallel loops of a nest are narrowed to one iteration each, and the reference interpreter runs what is left. For
// checking runs that are too large for the interpreter.
import type { Random } from '../../base/index.ts'
import {
  interpret,
  int,
  planValue,
  type Expr,
  type HostArray,
  type PlanValues,
  type Program,
  nestProgram,
  substitute,
  type Nest,
} from '../../ir/index.ts'
import { nestsOf } from '../../regions/index.ts'
import { rectangular } from '../../transform/index.ts'

export interface Sample {
  readonly array: string
  /** Flat index. */
  readonly index: number
  readonly value: number
  /** Σ|terms|: what errors are relative to. */
  readonly scale: number
}

/**
 * `count` sampled elements of what the last nest writes (all of them when there are fewer). Programs of several nests
 * give none unless the last reads only inputs.
 */
export function sampledReference(
  program: Program,
  values: PlanValues,
  inputs: Readonly<Record<string, HostArray>>,
  count: number,
  random: Random,
): readonly Sample[] {
  const { program: lifted, parts } = nestsOf(program)
  const only = parts.length === 1 ? parts[0] : undefined
  const part = only?.kind === 'nest' ? rectangular(only) : undefined
  if (!part) return []
  return Array.from({ length: part.parallel.length === 0 ? 1 : count }, () =>
    sampleOf(lifted, part, values, inputs, random),
  ).flatMap((s) => (s ? [s] : []))
}

function sampleOf(
  program: Program,
  part: Nest,
  values: PlanValues,
  inputs: Readonly<Record<string, HostArray>>,
  random: Random,
): Sample | undefined {
  const at = new Map<string, Expr>()
  const parallel = part.parallel.map((l) => {
    const extent = planValue(l.upper, values)
    const i = random.int(0, Math.max(0, extent - 1))
    at.set(l.name, int(i))
    return { ...l, lower: int(i), upper: int(i + 1) }
  })
  const index = part.out.index.map((e) => planValue(substitute(e, at), values))
  const flat = index.reduce((n, x, d) => n * planValue(part.out.array.shape[d]!, values) + x, 0)
  const run = (p: Nest, arrays: Record<string, HostArray>): number => {
    interpret(nestProgram(program, { ...p, parallel }), { ...values, arrays }, { precision: 'f64' })
    return Number(arrays[part.out.array.name]![flat])
  }
  const out = inputs[part.out.array.name]
  if (!out) return undefined
  const kept = out[flat]!
  const value = run(part, { ...inputs })
  out[flat] = kept
  const scale = part.reduction ? run(positive(part), { ...inputs }) : Math.abs(value)
  out[flat] = kept
  return { array: part.out.array.name, index: flat, value, scale: Math.max(Math.abs(value), scale) }
}

/** Terms of the reduction without sign. */
function positive(part: Nest): Nest {
  const r = part.reduction!
  return { ...part, reduction: { ...r, value: { kind: 'op', type: r.value.type, op: 'abs', args: [r.value] } } }
}
