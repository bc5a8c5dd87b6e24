// WebGPU in Node: Dawn, through the optional package `webgpu`. Loaded where there is no other, so that pages need not
// have it.
import { refuse } from '../error.ts'

/** With `matrices`, adapters have what Dawn calls unsafe because no standard has it yet, and f16 on NVIDIA's. */
export async function dawn(matrices = true): Promise<GPU> {
  const name = 'webgpu' // not a literal, so that bundlers for browsers leave it alone
  const found = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name).catch(() => null)) as {
    create(options: string[]): GPU
  } | null // the package's shape
  if (!found)
    return refuse('device.missing', 'there is no WebGPU here', 'use a browser that has it; in Node, npm install webgpu')
  return found.create(matrices ? ['enable-dawn-features=allow_unsafe_apis,vulkan_enable_f16_on_nvidia'] : [])
}
