// The CPU beside the GPU. In: what a kernel computes and touches, the profile with its host. Out: what both can do,
// what the kernel would take on each at the least, and the time that its data take over the bus. Bounds only: nobody
// says that a program reaches them.
import type { GpuProfile } from '../../gpus/index.ts'

export interface Processor {
  readonly title: string
  readonly cores: number
  /** Threads that are in flight at once. */
  readonly threads: number
  readonly flops: number
  readonly bytesPerSecond: number
  /** No less than this for the kernel's operations and the bytes of its buffers, each moved once. */
  readonly leastNs: number
}

export interface HostView {
  readonly cpu: Processor
  readonly gpu: Processor
  readonly bus: string
  readonly busBytesPerSecond: number
  /** Bytes that the host gives, and those that it fetches again. */
  readonly bytesIn: number
  readonly bytesOut: number
  readonly inNs: number
  readonly outNs: number
  /** The kernel as predicted. */
  readonly kernelNs: number
}

export interface KernelWork {
  /** Floating-point operations, a multiplication and an addition counted as two. */
  readonly operations: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly ns: number
}

/** Null where no host is in the profile. */
export function hostOf(profile: GpuProfile, work: KernelWork): HostView | null {
  const { host } = profile
  if (!host) return null
  const bytes = work.bytesIn + work.bytesOut
  const least = (flops: number, bytesPerSecond: number): number =>
    Math.max(work.operations / flops, bytes / bytesPerSecond) * 1e9
  const flops = 2 * profile.throughput.fp32.value * profile.multiprocessors * profile.clockHz.value,
    dram = profile.memory.dramBytesPerSecond.value
  return {
    cpu: {
      title: host.title,
      cores: host.cores,
      threads: host.threads,
      flops: host.flops.value,
      bytesPerSecond: host.memoryBytesPerSecond.value,
      leastNs: least(host.flops.value, host.memoryBytesPerSecond.value),
    },
    gpu: {
      title: profile.title,
      cores: profile.multiprocessors,
      threads: profile.multiprocessors * profile.occupancy.maxWarps * profile.warpSize,
      flops,
      bytesPerSecond: dram,
      leastNs: least(flops, dram),
    },
    bus: host.bus,
    busBytesPerSecond: host.busBytesPerSecond.value,
    bytesIn: work.bytesIn,
    bytesOut: work.bytesOut,
    inNs: (work.bytesIn / host.busBytesPerSecond.value) * 1e9,
    outNs: (work.bytesOut / host.busBytesPerSecond.value) * 1e9,
    kernelNs: work.ns,
  }
}
