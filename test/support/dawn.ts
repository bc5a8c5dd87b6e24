// WebGPU in Node for tests: Dawn's null backend, which validates WGSL without any driver, and SwiftShader, which runs
// it on the CPU. SwiftShader and a Vulkan loader come out of the Chromium package; the loader is opened by path first,
// so that Dawn finds it already there and no environment has to be set before the process starts.
import { brotliDecompressSync } from 'node:zlib'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const cache = resolve(import.meta.dirname, '../../node_modules/.cache/swiftshader')

interface Dawn {
  create(options: string[]): GPU
  readonly globals: object
}

/** Everything that `create` returned, kept for the life of the process: Dawn crashes when one is collected. */
const kept: unknown[] = []

async function loadDawn(): Promise<Dawn> {
  const dawn = (await import('webgpu')) as unknown as Dawn // the package's own types declare the same
  Object.assign(globalThis, dawn.globals)
  return dawn
}

/** Dawn without a driver, with more of its options. */
export async function nullGpu(options: readonly string[] = []): Promise<GPU> {
  const { create } = await loadDawn()
  const gpu = create(['backend=null', ...options])
  kept.push(gpu)
  return gpu
}

/** A device that validates everything and runs nothing. */
export async function nullDevice(): Promise<GPUDevice> {
  const adapter = await (await nullGpu()).requestAdapter()
  if (!adapter) throw new Error('Dawn has no null backend')
  // just filtered
  const features = [...adapter.features].filter((f) => f === 'subgroups' || f === 'shader-f16') as GPUFeatureName[]
  return adapter.requestDevice({ requiredFeatures: features })
}

/** Error messages of Tint for a module, each with the line it stands on; empty when it is valid. */
export async function tintErrors(
  device: GPUDevice,
  code: string,
  entry: string,
  constants: Readonly<Record<string, number>> = {},
): Promise<string[]> {
  device.pushErrorScope('validation')
  const module = device.createShaderModule({ code })
  device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: entry, constants } })
  const error = await device.popErrorScope()
  return error ? [error.message] : []
}

/** Files of a tar archive by name. */
function untar(tar: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const field = (from: number, length: number): string =>
      tar.toString('latin1', at + from, at + from + length).replace(/\0.*$/s, '')
    const size = parseInt(field(124, 12), 8)
    files.set(field(0, 100).replace(/^\.\//, ''), tar.subarray(at + 512, at + 512 + size))
    at += 512 + Math.ceil(size / 512) * 512
  }
  return files
}

/** The folder with `libvk_swiftshader.so` and its ICD file, unpacked on first use. */
export function swiftShaderFolder(): string {
  if (existsSync(join(cache, 'ready'))) return cache
  mkdirSync(cache, { recursive: true })
  const archive = join(dirname(require.resolve('@sparticuz/chromium')), '../../bin/swiftshader.tar.br')
  for (const [name, data] of untar(brotliDecompressSync(readFileSync(archive)))) writeWhole(join(cache, name), data)
  writeWhole(join(cache, 'ready'), Buffer.from(''))
  return cache
}

/** Writes beside and renames, so that a process next to this one never sees half a file. */
function writeWhole(path: string, data: Buffer): void {
  writeFileSync(`${path}.${process.pid}`, data)
  renameSync(`${path}.${process.pid}`, path)
}

let swiftShader: Promise<GPU> | undefined

/**
 * Shaders clear their workgroup arrays in a loop. By the extension of Vulkan SwiftShader writes a store out for every
 * element, and compiling even a small kernel takes half a second of two cores.
 */
export const clearsInLoops = 'use_vulkan_zero_initialize_workgroup_memory_extension'

/** A GPU whose adapters are SwiftShader's: subgroups of 4, timestamps, no f16. One per process. */
export function swiftShaderGpu(): Promise<GPU> {
  swiftShader ??= openSwiftShader()
  return swiftShader
}

async function openSwiftShader(): Promise<GPU> {
  const folder = swiftShaderFolder()
  process.env['VK_ICD_FILENAMES'] = join(folder, 'vk_swiftshader_icd.json')
  const koffi = (await import('koffi')).default
  kept.push(koffi.load(join(folder, 'libvulkan.so.1')))
  const { create } = await loadDawn()
  const gpu = create([`disable-dawn-features=${clearsInLoops}`])
  kept.push(gpu)
  return gpu
}
