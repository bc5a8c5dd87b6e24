// In: a folder of WGSL files. Out: for each entry point whether the simulator and SwiftShader leave the same bytes,
// from the same random bytes, and why not where they do not. The one idea: real shaders find errors of meaning that
// generated ones do not. Entry points with hazards in the simulator (races, reads outside) are skipped: WebGPU leaves
// their results open.
//   npx tsx bench/corpus-device.ts FOLDER
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DiagnosticError, random, type Random } from '../src/base/index.ts'
import { explain } from '../src/explain/index.ts'
import { textureExtent, scatterTexels, textureBytes } from '../src/explain/launch/texture-sizes.ts'
import {
  entryPoints,
  scalarNamesOf,
  offsets,
  parseWgsl,
  type WgslBinding,
  type WgslKernel,
  type WType,
} from '../src/frontend/wgsl/index.ts'
import { gpu } from '../src/gpus/index.ts'
import { f16Bits } from '../src/ir/index.ts'
import { difference, onDevice, simulated, type Options } from '../test/wgsl/both.ts'
import type { TextureSpec } from '../test/wgsl/device-textures.ts'

const [folder = '.'] = process.argv.slice(2)
/** The first of these that a kernel runs on without hazards is taken. */
const grids = [
  [2, 2, 1],
  [2, 1, 1],
  [1, 1, 1],
] as const

const wgslFiles = (path: string): string[] =>
  readdirSync(path)
    .sort()
    .flatMap((name) => {
      const full = join(path, name)
      return statSync(full).isDirectory() ? wgslFiles(full) : name.endsWith('.wgsl') ? [full] : []
    })

/** The type with its runtime-sized array as long as `bytes` allow. */
function sized(type: WType, bytes: number, stride: number, offset: number): WType {
  if (type.kind === 'array' && type.count === null)
    return { ...type, count: Math.max(1, Math.floor((bytes - offset) / stride)) }
  if (type.kind !== 'struct') return type
  return {
    ...type,
    members: type.members.map((m, i) =>
      i === type.members.length - 1 ? { ...m, type: sized(m.type, bytes, stride, offset) } : m,
    ),
  }
}

/** Floats in −1 … 1, integers in 0 … 15. */
function contents(b: WgslBinding, bytes: number, r: Random): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(bytes))
  if (b.texture) {
    scatterTexels(view.buffer, b.texture, true, r)
    return view.buffer
  }
  const type = b.runtime ? sized(b.layout, bytes, b.runtime.stride, b.runtime.offset) : b.layout
  const names = scalarNamesOf(type)
  offsets(type).forEach((at, i) => {
    if (at + 4 > bytes) return
    if (names[i] === 'f32') view.setFloat32(at, Math.fround(2 * r.unit() - 1), true)
    else if (names[i] === 'f16') view.setUint16(at, f16Bits(2 * r.unit() - 1), true)
    else view.setUint32(at, r.int(0, 15), true)
  })
  return view.buffer
}

function overridesFor<T>(make: (o: Record<string, number>) => T): readonly [T, Record<string, number>] {
  const overrides: Record<string, number> = {}
  for (;;) {
    try {
      return [make(overrides), overrides]
    } catch (e) {
      const [, name] = (e instanceof DiagnosticError && /override '([^']+)' has no value/.exec(e.message)) || []
      if (name === undefined || Object.hasOwn(overrides, name)) throw e
      overrides[name] = 4
    }
  }
}

/** Names of buffers that hold floats only, which are compared with a tolerance. */
const floatsOf = (wgsl: WgslKernel): Set<string> =>
  new Set(
    wgsl.bindings
      .filter((b) =>
        b.texture
          ? b.texture.format.memory === 'f32'
          : scalarNamesOf(b.runtime ? sized(b.layout, b.minBytes, b.runtime.stride, b.runtime.offset) : b.layout).every(
              (n) => n === 'f32',
            ),
      )
      .map((b) => b.name),
  )

async function compare(
  text: string,
  file: string,
  entry: string,
  grid: readonly [number, number, number],
): Promise<string> {
  const [report, overrides] = overridesFor((o) =>
    explain({ text, file }, { grid, overrides: o }, { gpu: gpu('h200'), entry }),
  )
  const bytes = new Map(report.buffers.map((b) => [b.name, b.bytes]))
  const r = random(7)
  const textures: Record<string, TextureSpec> = {}
  const base: Options = { entry, overrides, maxSteps: 3e7 }
  const probe = parseWgsl(text, file, { entry, overrides })
  for (const b of probe.bindings) {
    if (!b.texture) continue
    const size = textureExtent(b, b.texture, {}, grid, probe.workgroupSize)
    textures[b.name] = { size, format: b.texture.format.name, levels: b.texture.levels }
    bytes.set(b.name, textureBytes(b.texture, size))
    if (b.texture.format.depth) return 'skipped: depth textures cannot be filled'
  }
  const samplers = Object.fromEntries(probe.samplers.map((s) => [s.name, { filter: 'nearest' as const }]))
  const buffers = Object.fromEntries(
    probe.bindings.map((b) => [
      b.name,
      contents(
        b,
        b.texture ? bytes.get(b.name)! : Math.max(bytes.get(b.name) ?? 16, Math.ceil(b.minBytes / 16) * 16),
        r,
      ),
    ]),
  )
  const options: Options = { ...base, textures, samplers }
  const mine = simulated(text, grid, buffers, { ...options, check: true })
  if (mine.hazards.length > 0) return `skipped: ${[...new Set(mine.hazards.map((h) => h.kind))].join(', ')}`
  const theirs = await onDevice(text, grid, buffers, mine.wgsl, options)
  return difference(mine.buffers, theirs, floatsOf(mine.wgsl), 2e-3) ?? 'same'
}

const tally = new Map<string, number>()
for (const file of wgslFiles(folder)) {
  const text = readFileSync(file, 'utf8')
  let entries: readonly string[] = []
  try {
    entries = entryPoints(text, file)
  } catch (e) {
    if (!(e instanceof DiagnosticError)) throw e
  }
  for (const entry of entries) {
    let result = ''
    for (const grid of grids) {
      result = await compare(text, file, entry, grid).catch(
        (e: unknown) => `refused: ${e instanceof Error ? e.message.split('\n')[0] : String(e)}`,
      )
      if (!result.startsWith('skipped')) break
    }
    const kind = result.split(':')[0]!.replace(/^.*\[\d+\]$/, 'different')
    tally.set(kind, (tally.get(kind) ?? 0) + 1)
    if (kind !== 'same') console.log(`${relative(folder, file)} ${entry}: ${result.slice(0, 200)}`)
  }
}
console.log([...tally].map(([k, n]) => `${n} ${k}`).join(', '))
process.exit(0)
