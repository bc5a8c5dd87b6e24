// What was measured on such a device before. In: a device and a store. Out: its choices, taken from now on. It is what
// `open` needs of tuning, and nothing that measures.
import type { Core } from '../device/core.ts'
import type { Store } from './store.ts'

/** A device by the name and the limits that choices hold for. */
export interface TunedDevice {
  readonly name: string
  readonly limits: string
}

export const schema = 'tesela.tuned/1'

/** Loads what was measured on such a device before. What is not understood is as if it were not there. */
export async function restore(core: Core, store: Store | null): Promise<void> {
  for (const [point, choice] of await stored(core, store)) core.tuned.set(point, choice)
}

/** What a store has for such a device. */
export async function stored(
  core: Core,
  store: Store | null,
): Promise<readonly (readonly [point: string, choice: string])[]> {
  const text = await store?.read(deviceFileName(core)).catch(() => null)
  try {
    const found = JSON.parse(text ?? 'null') as {
      readonly schema?: unknown
      readonly device?: unknown
      readonly entries?: Readonly<Record<string, unknown>>
    } | null // looked at before it is used
    if (found?.schema !== schema || found.device !== describe(core)) return []
    return Object.entries(found.entries ?? {}).flatMap(([point, choice]) =>
      typeof choice === 'string' ? [[point, choice] as const] : [],
    )
  } catch {
    return []
  } // half a file, or none of ours
}

/** The device, as it names itself. */
export const describe = (core: Core): string =>
  [core.info?.vendor, core.info?.architecture, core.info?.device, core.info?.description].filter(Boolean).join(' ') ||
  'a device'

/** What choices hold for: the device and the limits that plans depend on. */
export function tunedDevice(core: Core): TunedDevice {
  const { maxComputeWorkgroupStorageSize, maxComputeInvocationsPerWorkgroup, maxStorageBufferBindingSize } =
    core.device.limits
  const limits = [maxComputeWorkgroupStorageSize, maxComputeInvocationsPerWorkgroup, maxStorageBufferBindingSize]
  return { name: describe(core), limits: limits.join('-') }
}

/** A name for adapter and limits, as a file may have it. */
export function deviceFileName(core: Core): string {
  const { name, limits } = tunedDevice(core)
  return `${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80)}-${limits}`
}
