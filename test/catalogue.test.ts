// Every kernel of the catalogue at a small size: what the simulator leaves in its buffers equals what SwiftShader
// leaves, from the same random data; its launch file explains without hazards; its first line says what it shows.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { random } from '../src/base/index.ts'
import { explain } from '../src/explain/index.ts'
import { scalarNamesOf, parseWgsl, type WgslBinding } from '../src/frontend/wgsl/index.ts'
import { gpu } from '../src/gpus/index.ts'
import { difference, onDevice, simulated } from './wgsl/both.ts'

const folder = resolve(__dirname, '../examples/catalogue')
const names = readdirSync(folder)
  .filter((f) => f.endsWith('.wgsl'))
  .map((f) => f.replace('.wgsl', ''))
type Small = readonly [overrides: Readonly<Record<string, number>>, grid: readonly [number, number, number]]

/** The first pattern that a name matches: sizes that no tile divides where the kernel takes them. */
const small: readonly (readonly [RegExp, Small])[] = [
  [/^transpose-narrow/, [{ n: 64 }, [8, 8, 1]]],
  [/^transpose-(reads|writes)/, [{ n: 64 }, [2, 8, 1]]],
  [/^transpose/, [{ n: 64 }, [2, 2, 1]]],
  [/^matmul-bounds/, [{ n: 50 }, [4, 4, 1]]],
  [/^matmul-tile-8/, [{ n: 32 }, [4, 4, 1]]],
  [/^matmul-tile-32/, [{ n: 64 }, [2, 2, 1]]],
  [/^matmul-outputs-2/, [{ n: 64 }, [2, 4, 1]]],
  [/^matmul-outputs-4/, [{ n: 64 }, [1, 4, 1]]],
  [/^matmul-registers/, [{ n: 64 }, [1, 1, 1]]],
  [/^matmul/, [{ n: 48 }, [3, 3, 1]]],
  [/^convolve-outputs/, [{ width: 64, height: 64, radius: 2 }, [2, 2, 1]]],
  [/^convolve-halo/, [{ width: 64, height: 64 }, [2, 4, 1]]],
  [/^convolve-idle/, [{ width: 64, height: 64 }, [3, 8, 1]]],
  [/^convolve/, [{ width: 64, height: 64, radius: 3 }, [2, 8, 1]]],
  [/^stencil-five/, [{ n: 64 }, [2, 8, 1]]],
  [/^stencil-seven/, [{ n: 32 }, [1, 4, 32]]],
  [/^mandelbrot/, [{ width: 64, most: 50 }, [4, 4, 1]]],
  [/^bodies/, [{ n: 512 }, [2, 1, 1]]],
  [/^svm-columns/, [{ dimensions: 8, vectors: 16, samples_count: 256 }, [2, 1, 1]]],
  [/^svm/, [{ dimensions: 8, vectors: 16 }, [2, 1, 1]]],
  [/^matvec/, [{ n: 64 }, [1, 1, 1]]],
  [/^(histogram|reduce-(many|atomic|subgroups))/, [{ n: 3000, groups: 3 }, [3, 1, 1]]],
  [/^triad-loop/, [{ n: 3000 }, [3, 1, 1]]],
  [/^(chain|sines|hashes|divisions)/, [{ steps: 9 }, [2, 1, 1]]],
  [/^chase/, [{ steps: 20 }, [2, 1, 1]]],
  [/^gather/, [{ n: 1024 }, [3, 1, 1]]],
  [/^(add|aos|soa|nmf|options)/, [{ n: 900 }, [4, 1, 1]]],
]
/** Workgroups of more than 256 do not run on SwiftShader: there a kernel that computes the same stands in. */
const twins: Readonly<Record<string, readonly [name: string, small: Small]>> = {
  'matmul-tile-32': ['matmul-tile-16', [{ n: 64 }, [4, 4, 1]]],
  'convolve-halo': ['convolve-simple', [{ width: 64, height: 64, radius: 4 }, [2, 8, 1]]],
  'convolve-idle': ['convolve-simple', [{ width: 64, height: 64, radius: 4 }, [2, 8, 1]]],
}
const shape = (name: string): Small => small.find(([pattern]) => pattern.test(name))?.[1] ?? [{}, [3, 1, 1]]

const isFloat = (b: WgslBinding): boolean =>
  b.texture !== undefined ||
  scalarNamesOf(b.layout.kind === 'array' ? b.layout.element : b.layout).every((n) => n === 'f32')

function contents(b: WgslBinding, bytes: number, r: ReturnType<typeof random>): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(Math.ceil(bytes / 16) * 16))
  const float = isFloat(b)
  for (let at = 0; at < view.byteLength; at += 4)
    if (float) view.setFloat32(at, Math.fround(r.unit()), true)
    else view.setUint32(at, r.int(0, 1000), true)
  return view.buffer
}

describe('the catalogue', () => {
  test('has its launches and sentences', () => {
    expect(names.length).toBeGreaterThanOrEqual(70)
    for (const name of names) {
      expect(readFileSync(join(folder, `${name}.wgsl`), 'utf8'), name).toMatch(/^\/\/ \S.*[.:]\n/)
      expect(JSON.parse(readFileSync(join(folder, `${name}.launch.json`), 'utf8')), name).toHaveProperty('grid')
    }
  })

  test.each(names)('%s', async (name) => {
    const text = readFileSync(join(folder, `${name}.wgsl`), 'utf8')
    const declared = new Set([...text.matchAll(/^override (\w+)/gm)].map((m) => m[1]))
    const [wanted, grid] = shape(name)
    const overrides = Object.fromEntries(Object.entries(wanted).filter(([k]) => declared.has(k)))
    const launch = JSON.parse(readFileSync(join(folder, `${name}.launch.json`), 'utf8')) as {
      readonly buffers?: Readonly<Record<string, string>>
    }
    const given = Object.entries(launch.buffers ?? {})
    const buffers = Object.fromEntries(
      given
        .filter(([, v]) => !/x/.test(v))
        .map(([k, v]) => [k, { count: Number(/\[(\d+)\]/.exec(v)?.[1]), type: 'u32' as const }]),
    )
    /** Textures at the kernel's small size. */
    const textures = Object.fromEntries(
      given
        .filter(([, v]) => /x/.test(v))
        .map(([k, v]) => [
          k,
          { format: v.replace(/\[.*/, ''), size: [overrides['width'] ?? 1, overrides['height'] ?? 1, 1] as const },
        ]),
    )
    const shaped = Object.fromEntries(Object.entries(textures).map(([k, texture]) => [k, { texture }]))
    const report = explain(
      { text, file: `${name}.wgsl` },
      { grid, overrides, buffers: { ...buffers, ...shaped } },
      { gpu: gpu('h200') },
    )
    expect(report.hazards.map((h) => h.message)).toEqual([])
    const r = random(11)
    const { bindings } = parseWgsl(text, name, { overrides, textures })
    const data = Object.fromEntries(
      bindings.map((b) => [b.name, contents(b, report.buffers.find((x) => x.name === b.name)?.bytes ?? 16, r)]),
    )
    const mine = simulated(text, grid, data, { overrides, check: true, textures })
    const [twin, [twinOverrides, twinGrid]] = twins[name] ?? [name, [overrides, grid]]
    const twinText = readFileSync(join(folder, `${twin}.wgsl`), 'utf8')
    const theirs = await onDevice(
      twinText,
      twinGrid,
      data,
      parseWgsl(twinText, twin, { overrides: twinOverrides, textures }),
      { overrides: twinOverrides, textures },
    )
    expect(mine.hazards).toEqual([])
    const floats = new Set(bindings.filter(isFloat).map((b) => b.name))
    expect(difference(mine.buffers, theirs, floats, 1e-4)).toBe(null)
  }, 20_000)
})
