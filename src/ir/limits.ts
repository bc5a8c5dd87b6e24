// In: a plan's variants. Out: what of WebGPU's limits they need beyond what every device gives. The one idea: the
// defaults of the WebGPU specification (§3.6.2, "limits") hold everywhere, so that a variant that stays below them runs
// anywhere; one that needs more says so as data, and the host takes it only where the device has that.
import type { Kernel } from './kernel/kernel.ts'
import { sharedBytesOf } from './kernel/kernel-parts.ts'
import { bindingsOf, type PlanVariant } from './plan.ts'

/** What a kernel needs of a device, under the names of WebGPU's limits. */
export interface DeviceNeeds {
  readonly maxComputeInvocationsPerWorkgroup: number
  readonly maxComputeWorkgroupSizeX: number
  readonly maxComputeWorkgroupSizeY: number
  readonly maxComputeWorkgroupSizeZ: number
  /** Bytes. */
  readonly maxComputeWorkgroupStorageSize: number
  readonly maxStorageBuffersPerShaderStage: number
}

/** What every device of WebGPU gives. */
export const defaultLimits: DeviceNeeds = {
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupSizeY: 256,
  maxComputeWorkgroupSizeZ: 64,
  maxComputeWorkgroupStorageSize: 16384,
  maxStorageBuffersPerShaderStage: 8,
}

/** The names of the limits, in the order in which they are told. */
export const limitNames = Object.keys(defaultLimits) as readonly (keyof DeviceNeeds)[] // of the record above

/** Words for what a limit counts. */
export const limitWords: Readonly<Record<keyof DeviceNeeds, string>> = {
  maxComputeInvocationsPerWorkgroup: 'threads in a workgroup',
  maxComputeWorkgroupSizeX: 'threads of a workgroup along x',
  maxComputeWorkgroupSizeY: 'threads of a workgroup along y',
  maxComputeWorkgroupSizeZ: 'threads of a workgroup along z',
  maxComputeWorkgroupStorageSize: 'bytes of workgroup memory',
  maxStorageBuffersPerShaderStage: 'storage buffers',
}

/** What one kernel needs. */
export function needsOf(kernel: Kernel): DeviceNeeds {
  const [x, y, z] = kernel.block
  return {
    maxComputeInvocationsPerWorkgroup: x * y * z,
    maxComputeWorkgroupSizeX: x,
    maxComputeWorkgroupSizeY: y,
    maxComputeWorkgroupSizeZ: z,
    maxComputeWorkgroupStorageSize: sharedBytesOf(kernel),
    maxStorageBuffersPerShaderStage: bindingsOf(kernel).filter((b) => b.kind !== 'uniform').length,
  }
}

/** What the kernels of a variant need beyond the defaults; empty where it runs on every device. */
export function needsBeyond(variant: PlanVariant): Partial<DeviceNeeds> {
  const needs = variant.launches.map((l) => needsOf(l.kernel))
  return Object.fromEntries(
    limitNames
      .map((name) => [name, Math.max(0, ...needs.map((n) => n[name]))] as const)
      .filter(([name, n]) => n > defaultLimits[name]),
  )
}

/** Whether a device with these limits, or every device, runs the variant. */
export function runsOn(variant: PlanVariant, limits: Partial<DeviceNeeds> = defaultLimits): boolean {
  // of the names above
  return Object.entries(needsBeyond(variant)).every(([name, n]) => n <= (limits[name as keyof DeviceNeeds] ?? 0))
}

/** `512 threads in a workgroup and 12 storage buffers`. */
export const needsWords = (needs: Partial<DeviceNeeds>): string =>
  limitNames
    .filter((name) => needs[name] !== undefined)
    .map((name) => `${needs[name]} ${limitWords[name]}`)
    .join(' and ')
