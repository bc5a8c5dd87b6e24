// A kernel that was made from C, as a subject. In: KernelIR whose statements know their places in the C, and what its
// launch binds. Out: what `explain` needs of any subject. The one idea: nothing is read and nothing is guessed, so that
// the report is about the lines of the C.
import type { Span } from '../../base/index.ts'
import { bytesOf, isBound, type Dim3, type Kernel, type Resource, type Verified } from '../../ir/index.ts'
import type { WgslBinding } from '../../frontend/wgsl/index.ts'
import { layoutOf, type Subject } from '../subject.ts'

/** A launch of a compiled kernel. */
export interface CompiledLaunch {
  readonly kernel: Verified<Kernel>
  readonly grid: Dim3
  readonly params: Readonly<Record<string, number>>
  /** By resource: the array that is bound, and its bytes. */
  readonly buffers: Readonly<Record<string, { readonly name: string; readonly bytes: number }>>
}

export function subjectOfCompiled({ kernel, params, buffers }: CompiledLaunch, file: string): Subject {
  const bound = kernel.resources.filter(isBound)
  return {
    kernel,
    entry: kernel.name,
    symbol: kernel.name,
    language: 'c',
    workgroupSize: kernel.block,
    bindings: bound.map((r, i) => bindingOf(r, buffers[r.name]?.name ?? r.name, i, { file, line: 1, column: 1 })),
    samplers: [],
    measured: new Set(),
    notes: [],
    plain: bound.every((r) => r.space === 'global'),
    bind: (grid, sized, contents) => ({
      grid,
      params,
      buffers: Object.fromEntries(sized.map((s, i) => [s.binding.resource, contents(s, i)])),
    }),
  }
}

function bindingOf(r: Resource, name: string, binding: number, at: Span): WgslBinding {
  const bytes = bytesOf[r.type]
  return {
    name,
    resource: r.name,
    group: 0,
    binding,
    space: r.space === 'constant' ? 'constant' : 'global',
    access: r.access,
    type: `array of ${r.type}`,
    layout: layoutOf(r.type),
    scalar: r.type,
    minBytes: bytes,
    runtime: { stride: bytes, offset: 0 },
    at,
  }
}
