// What a host program asks of its GPU before it launches. In: a profile, names and statements of host code. Out: the
// members of `cudaDeviceProp` and the attributes of `cudaDeviceGetAttribute` as numbers. The one idea: a report is of
// one GPU, so what the program would be told of that one is known. Of a structure only declared members are answered.
import { mostBlocksAlong, mostThreadsAlong, type GpuProfile } from '../../gpus/index.ts'

/** Values by the member of `cudaDeviceProp`; of an array with the index. */
export type DeviceProperties = Readonly<Record<string, number>>

export function deviceProperties({ occupancy: o, ...gpu }: GpuProfile): DeviceProperties {
  const [major, minor] = gpu.computeCapability ?? []
  return {
    multiProcessorCount: gpu.multiprocessors,
    warpSize: gpu.warpSize,
    maxThreadsPerBlock: o.maxThreadsPerBlock,
    maxThreadsPerMultiProcessor: o.maxWarps * gpu.warpSize,
    maxBlocksPerMultiProcessor: o.maxBlocks,
    regsPerBlock: o.registers,
    regsPerMultiprocessor: o.registers,
    sharedMemPerBlock: Math.min(o.sharedPerBlock, defaultSharedBytes),
    sharedMemPerBlockOptin: o.sharedPerBlock,
    sharedMemPerMultiprocessor: o.shared,
    ...Object.fromEntries(mostBlocksAlong.map((n, axis) => [`maxGridSize[${axis}]`, n])),
    ...Object.fromEntries(
      mostThreadsAlong.map((n, axis) => [`maxThreadsDim[${axis}]`, Math.min(n, o.maxThreadsPerBlock)]),
    ),
    ...(major !== undefined && minor !== undefined && { major, minor }),
  }
}

/** Bytes of shared memory that a block has unless its kernel asks for more. */
const defaultSharedBytes = 48 * 1024

/** The property that `name.member` is where a text declares `name` as the properties of a device. */
export function devicePropertyOf(texts: readonly string[], properties: DeviceProperties, path: string): number | null {
  const [, name, member] = /^(\w+)\.(\w+(?:\[\d\])?)$/.exec(path) ?? []
  if (name === undefined || member === undefined || !Object.hasOwn(properties, member)) return null
  const declaration = new RegExp(`\\bcudaDeviceProp\\b[\\w\\s,*&]*\\b${name}\\b`)
  return texts.some((t) => declaration.test(t)) ? properties[member]! : null // it is there
}

/** Attributes whose names are not those of the members. */
const members: Readonly<Record<string, string>> = {
  MaxRegistersPerBlock: 'regsPerBlock',
  MaxRegistersPerMultiprocessor: 'regsPerMultiprocessor',
  MaxSharedMemoryPerBlock: 'sharedMemPerBlock',
  MaxSharedMemoryPerBlockOptin: 'sharedMemPerBlockOptin',
  MaxSharedMemoryPerMultiprocessor: 'sharedMemPerMultiprocessor',
  ComputeCapabilityMajor: 'major',
  ComputeCapabilityMinor: 'minor',
  MaxGridDimX: 'maxGridSize[0]',
  MaxGridDimY: 'maxGridSize[1]',
  MaxGridDimZ: 'maxGridSize[2]',
  MaxBlockDimX: 'maxThreadsDim[0]',
  MaxBlockDimY: 'maxThreadsDim[1]',
  MaxBlockDimZ: 'maxThreadsDim[2]',
}

/** The name that `cudaDeviceGetAttribute(&name, cudaDevAttr…, device)` sets, with its value. */
export function deviceAttributeIn(
  statement: string,
  properties: DeviceProperties,
): { readonly name: string; readonly value: number } | null {
  const [, name, attribute = ''] =
    /\bcudaDeviceGetAttribute\s*\(\s*&\s*(\w+)\s*,\s*cudaDevAttr(\w+)/.exec(statement) ?? []
  const member = members[attribute] ?? `${attribute.slice(0, 1).toLowerCase()}${attribute.slice(1)}`
  if (name === undefined || !Object.hasOwn(properties, member)) return null
  return { name, value: properties[member]! } // it is there
}
