// One kernel on a device. In: WGSL, a launch, its report, a device. Out: how long the device takes. The one idea: the
// device runs the very text that was explained, on the same contents, through the protocol of tuning.
import { fail } from '../base/index.ts'
import {
  launchMemory,
  type ExplainLaunch,
  type ExplainOptions,
  type ExplainReport,
  type ExplainSource,
} from '../explain/index.ts'
import { parseWgsl, type WgslKernel } from '../frontend/wgsl/index.ts'
import { bindingsOf, bytesOf, hostArray, int, type HostArray, type Plan, type Resource } from '../ir/index.ts'
import type { Timing } from '../run/index.ts'
import type { Measurer } from '../tune/index.ts'
import { fixOverrides } from './bound.ts'

/**
 * Measures a WGSL kernel. Throws a `DiagnosticError`: `measure.*` where the studies' way of binding cannot hold it,
 * `webgpu.*` where the device refuses it.
 */
export async function measureKernel(
  source: ExplainSource,
  launch: ExplainLaunch,
  options: Pick<ExplainOptions, 'entry' | 'seed'>,
  report: Pick<ExplainReport, 'buffers'>,
  device: Measurer,
): Promise<Timing> {
  const text = fixOverrides(source.text, launch.overrides)
  const wgsl = parseWgsl(text, source.file, options.entry === undefined ? {} : { entry: options.entry })
  const bound = boundIn(wgsl)
  const { buffers } = launchMemory(source, launch, options, report)
  const arrays: Record<string, HostArray> = {}
  for (const r of bound) arrays[r.name] = hostArray(r.type, buffers[r.name] ?? new ArrayBuffer(16))
  return device.time(planOf(wgsl, bound, text, launch, arrays), { sizes: {}, scalars: {} }, arrays)
}

/** Resources that the text binds, in the order of their bindings, which must be 0, 1, 2 … of group 0. */
function boundIn(wgsl: WgslKernel): readonly Resource[] {
  const texture = wgsl.bindings.find((b) => b.texture)
  if (texture)
    fail('measure.texture', `'${texture.name}' is a texture, which is not measured here`, texture.at, 'use a buffer')
  const byName = new Map(wgsl.bindings.map((b) => [b.resource, b]))
  const bound = bindingsOf({ ...wgsl.kernel, resources: wgsl.kernel.resources.filter((r) => byName.has(r.name)) })
  for (const { resource, binding } of bound) {
    const b = byName.get(resource.name)
    if (b && (b.group !== 0 || b.binding !== binding))
      fail(
        'measure.binding',
        `'${b.name}' is @group(${b.group}) @binding(${b.binding}); as number ${binding} of the variables in use it ` +
          `must be @group(0) @binding(${binding}) to be measured`,
        b.at,
        'number the bindings that the kernel uses from 0, all of group 0',
      )
  }
  return bound.map((b) => b.resource)
}

function planOf(
  { kernel, entry }: WgslKernel,
  bound: readonly Resource[],
  text: string,
  launch: ExplainLaunch,
  arrays: Readonly<Record<string, HostArray>>,
): Plan {
  const [x, y, z] = launch.grid
  return {
    name: entry,
    sizes: [],
    scalars: [],
    arrays: bound.map((r) => ({
      name: r.name,
      type: r.type,
      shape: [int(Math.floor((arrays[r.name]?.byteLength ?? 0) / bytesOf[r.type]))],
      role: r.access === 'read' ? 'in' : 'inout',
    })),
    variants: [
      {
        when: null,
        launches: [
          {
            // a device asks the kernel only what it binds: sizes of buffers are in the text
            kernel: { ...kernel, resources: bound, params: [] },
            grid: [int(x), int(y), int(z)],
            arguments: Object.fromEntries(bound.map((r) => [r.name, r.name])),
            params: {},
            emitted: { wgsl: { target: 'wgsl', entry, text } },
          },
        ],
      },
    ],
  }
}
