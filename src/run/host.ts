// What every way of running a plan shares: the inputs checked against the plan, the bytes of kernel parameters, and
// samples summed up. It knows no device.
import { fail } from '../base/index.ts'
import {
  bytesOf,
  elementsOf,
  mostElementsOf,
  hostArray,
  planValue,
  type HostArray,
  type Plan,
  type PlanArray,
  type PlanLaunch,
  type PlanValues,
} from '../ir/index.ts'

/** Arrays by name; `f16` as raw bits in a `Uint16Array`. Those of role `out` may be left out. */
export type PlanArrays = Readonly<Record<string, HostArray>>

/** What a measurement found. All times are of one execution of the plan. */
export interface Timing {
  /** Median, nanoseconds. */
  readonly ns: number
  readonly min: number
  /** Half the distance between the first and third quartile, relative to the median. */
  readonly spread: number
  readonly samples: number
  /** Executions of the plan in one sample. */
  readonly repeats: number
  readonly timer: 'timestamps' | 'wall clock' | 'events'
  /** Smallest difference that the timer shows, nanoseconds; 0 when unknown. */
  readonly quantumNs: number
}

export interface TimingOptions {
  /** Executions before anything is measured; 3 when absent. */
  readonly warmup?: number
  /** The device is kept busy this long before samples count, so that it has left its idle clocks; 50 ms when absent. */
  readonly warmupNs?: number
  /** 9 when absent. */
  readonly samples?: number
  /** A sample repeats the plan until it takes this long (1 ms when absent) and at least 20 quanta of the timer. */
  readonly minSampleNs?: number
}

/** Checks sizes, scalars and arrays. Throws a `DiagnosticError` that names the first thing wrong. */
export function checkInputs(plan: Plan, values: PlanValues, arrays: PlanArrays): void {
  const most = mostElementsOf(plan)
  for (const size of plan.sizes) {
    const value = values.sizes[size.name]
    if (value === undefined || !Number.isInteger(value) || value < size.min || value > most) {
      const range = `${size.min} to ${most}`
      fail('run.size', `${plan.name}: ${size.name} must be an integer from ${range}, not ${value}`)
    }
  }
  for (const scalar of plan.scalars)
    if (typeof values.scalars[scalar.name] !== 'number')
      fail('run.scalar', `${plan.name}: ${scalar.name} must be a number`)
  for (const array of plan.arrays) if (array.role !== 'temp') checkArray(plan, array, values, arrays[array.name])
}

function checkArray(plan: Plan, array: PlanArray, values: PlanValues, given: HostArray | undefined): void {
  const elements = elementsOf(array, values)
  if (elements > mostElementsOf(plan))
    fail(
      'run.size',
      `${plan.name}: ${array.name} would have ${elements} elements, and kernels count at most ${mostElementsOf(plan)}`,
    )
  if (given === undefined) {
    if (array.role !== 'out')
      fail('run.array', `${plan.name}: ${array.name} is missing; it has ${elements} elements of ${array.type}`)
    return
  }
  if (given.length < elements)
    fail('run.array', `${plan.name}: ${array.name} must have at least ${elements} elements, not ${given.length}`)
  const expected = hostArray(array.type, 0)
  if (given.constructor.name !== expected.constructor.name)
    fail(
      'run.array',
      `${plan.name}: ${array.name} must be a ${expected.constructor.name}, not a ${given.constructor.name}`,
    )
}

/** The grid of a launch, or `null` when there is nothing to launch. `most`: blocks that an axis may have. */
export function gridOf(
  launch: PlanLaunch,
  values: PlanValues,
  most: readonly [number, number, number],
): readonly [number, number, number] | null {
  const [x, y, z] = launch.grid.map((e) => planValue(e, values)) as [number, number, number] // three in, three out
  if (x <= 0 || y <= 0 || z <= 0) return null
  const grid = [x, y, z] as const
  grid.forEach((n, axis) => {
    if (n > most[axis]!)
      fail(
        'run.grid',
        `kernel ${launch.kernel.name} needs ${n} blocks along ${'xyz'[axis]}, and this device allows ${most[axis]}`,
        undefined,
        'use smaller arrays, or a schedule with more work per block',
      )
  })
  return grid
}

/** Parameter values in declared order. */
export function parametersOf(
  launch: PlanLaunch,
  values: PlanValues,
): readonly { readonly name: string; readonly type: string; readonly value: number }[] {
  return launch.kernel.params.map((p) => {
    const e = launch.params[p.name]
    return {
      name: p.name,
      type: p.type,
      value: e
        ? planValue(e, values)
        : fail('run.param', `kernel ${launch.kernel.name} has no value for its parameter ${p.name}`),
    }
  })
}

/** Bytes of `array` that go to the device and back. */
export const transferredBytes = (array: PlanArray, values: PlanValues, given: HostArray | undefined): number =>
  Math.max(elementsOf(array, values), array.isOpenEnded && given ? given.length : 0) * bytesOf[array.type]

/** Copies of the bytes of an array; for `out` arrays that are not given, bytes that show when nobody writes them. */
export function initialBytes(
  array: PlanArray,
  values: PlanValues,
  given: HostArray | undefined,
): Uint8Array<ArrayBuffer> {
  const bytes = transferredBytes(array, values, given)
  if (given) return new Uint8Array(given.buffer, given.byteOffset, bytes).slice()
  return new Uint8Array(bytes).fill(0xff)
}

/** Median, minimum and spread of samples (nanoseconds per sample of `repeats` executions). */
export function summarize(
  samples: readonly number[],
  repeats: number,
  timer: Timing['timer'],
  quantumNs: number,
): Timing {
  const sorted = samples.map((s) => s / repeats).sort((a, b) => a - b)
  const at = (q: number): number => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0
  const ns = at(0.5)
  return {
    ns,
    min: at(0),
    spread: ns > 0 ? (at(0.75) - at(0.25)) / 2 / ns : 0,
    samples: sorted.length,
    repeats,
    timer,
    quantumNs,
  }
}
