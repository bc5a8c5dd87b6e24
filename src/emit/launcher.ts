// In: a plan. Out: one CUDA file with all its kernels and an `extern "C"` host function that picks the variant, makes
// scratch memory, computes grids and launches on a stream. The one idea: the counterpart of the TypeScript wrapper, for
// programs in C and C++. Pointers are to device memory; lengths cannot be checked, sizes are.
import { fail, InternalError } from '../base/index.ts'
import { bytesOf, hostVariables, stepsOf, type Emitted, type Expr, type Kernel, type Plan, type PlanArray, type PlanLaunch, type PlanStep, type PlanVariant, type Verified } from '../ir/index.ts'
import { cudaType, printCuda, type CudaParts } from './cuda.ts'
import { kernelsThatRound } from './rounding.ts'
import { cppLanguage, expressionText } from './expression.ts'
import { legalName, legalNames } from './names.ts'
import { commentLines } from './print.ts'
import { cudaTaken } from './words-cuda.ts'
import type { EmitOptions } from './wgsl.ts'

/**
 * The launcher of a plan: `cudaError_t NAME(arrays…, sizes…, scalars…, cudaStream_t stream)`. It returns
 * `cudaErrorInvalidValue` for sizes below their minimum or covered by no variant, `cudaErrorInvalidConfiguration` for
 * grids that CUDA does not take, and otherwise what CUDA says. Nothing is synchronised.
 */
export function emitCudaLauncher(plan: Plan, options: EmitOptions = {}): Emitted {
  const launcher = new Launcher(plan)
  return { target: 'cuda', entry: launcher.name, text: `${[...(options.header ?? []).flatMap(commentLines), ...launcher.file()].join('\n')}\n` }
}

/** Sets the grid and says whether there is anything to launch. */
const gridHelper = `// Whether there is anything to launch; the grid, or an error when CUDA does not take it.
static bool grid_of(dim3& blocks, cudaError_t& error, long long x, long long y, long long z)
{
  if (x <= 0 || y <= 0 || z <= 0) return false;
  if (x > 2147483647 || y > 65535 || z > 65535) {
    error = cudaErrorInvalidConfiguration;
    return false;
  }
  blocks = dim3((unsigned)x, (unsigned)y, (unsigned)z);
  return true;
}
`

class Launcher {
  readonly name: string
  private readonly plan: Plan
  private readonly taken = new Set(cudaTaken)
  private readonly names: ReadonlyMap<string, string>
  private readonly parts = new Map<Verified<Kernel>, CudaParts>()
  private readonly language

  constructor(plan: Plan) {
    this.plan = plan
    this.name = legalName(plan.name, this.taken)
    const rounded = kernelsThatRound(plan)
    for (const v of plan.variants) for (const l of v.launches) if (!this.parts.has(l.kernel)) this.parts.set(l.kernel, printCuda(l.kernel, this.taken, 'static', rounded.has(l.kernel)))
    const all = [...[...plan.arrays, ...plan.sizes, ...plan.scalars].map((x) => x.name), ...hostVariables(plan)]
    this.names = legalNames(all, new Set([...this.taken, 'error', 'blocks', 'grid_of']))
    this.language = cppLanguage((e) => this.nameOf(e.name))
  }

  private nameOf(old: string): string {
    return this.names.get(old) ?? old
  }

  private expr(e: Expr): string {
    return expressionText(e, this.language).text
  }

  file(): string[] {
    const parts = [...this.parts.values()]
    const includes = new Set(['#include <algorithm>', '#include <cmath>', '#include <cuda_runtime.h>', ...parts.flatMap((p) => p.includes)])
    const helpers = new Map(parts.flatMap((p) => [...p.helpers]))
    return [...includes, '', ...[...helpers.values()].flatMap((h) => [h, '']), ...parts.flatMap((p) => [...p.text, '']), gridHelper, ...this.host()]
  }

  private visible(): readonly PlanArray[] {
    return this.plan.arrays.filter((a) => a.role !== 'temp')
  }

  private host(): string[] {
    const { plan } = this
    const args = [
      ...this.visible().map((a) => `${a.role === 'in' ? 'const ' : ''}${cudaType[a.type]}* ${this.nameOf(a.name)}`),
      ...plan.sizes.filter((s) => !s.fixed).map((s) => `long long ${this.nameOf(s.name)}`),
      ...plan.scalars.map((s) => `${cudaType[s.type]} ${this.nameOf(s.name)}`), 'cudaStream_t stream',
    ]
    const fixed = plan.sizes.filter((s) => s.fixed).map((s) => `  const long long ${this.nameOf(s.name)} = ${s.planned};`)
    return [
      `// ${this.visible().map((a) => `${this.nameOf(a.name)}: ${a.shape.map((e) => this.expr(e)).join(' × ') || 'one element'}`).join('; ')}.`,
      `extern "C" cudaError_t ${this.name}(`, ...args.map((a, i) => `    ${a}${i < args.length - 1 ? ',' : ')'}`), '{',
      ...fixed, ...this.checks(), ...plan.variants.flatMap((v) => this.variant(v)),
      ...(plan.variants.some((v) => v.when === null) ? [] : ['  return cudaErrorInvalidValue;']), '}',
    ]
  }

  private checks(): string[] {
    const tests = this.plan.sizes.filter((s) => !s.fixed).map((s) => `${this.nameOf(s.name)} < ${s.min} || ${this.nameOf(s.name)} > 2147483647`)
    return tests.length === 0 ? [] : [`  if (${tests.join(' || ')}) return cudaErrorInvalidValue;`]
  }

  private variant(variant: PlanVariant): string[] {
    const { when, launches } = variant
    const temps = this.plan.arrays.filter((a) => a.role === 'temp' && launches.some((l) => Object.values(l.arguments).includes(a.name)))
    const body = [
      'cudaError_t error = cudaSuccess;', 'dim3 blocks;', ...temps.map((a) => `${cudaType[a.type]}* ${this.nameOf(a.name)} = nullptr;`),
      ...temps.map((a) => `if (error == cudaSuccess) error = cudaMallocAsync(reinterpret_cast<void**>(&${this.nameOf(a.name)}), ${this.bytes(a)}, stream);`),
      ...stepsOf(variant).flatMap((s) => this.step(s, variant)),
      ...temps.map((a) => `if (${this.nameOf(a.name)} != nullptr) cudaFreeAsync(${this.nameOf(a.name)}, stream);`), 'return error;',
    ]
    return [when === null ? '  {' : `  if (${this.expr(when)}) {`, ...body.map((l) => `    ${l}`), '  }']
  }

  private bytes(a: PlanArray): string {
    return [`${bytesOf[a.type]}ull`, ...a.shape.map((e) => `(unsigned long long)(${this.expr(e)})`)].join(' * ')
  }

  private step(s: PlanStep, variant: PlanVariant): string[] {
    if (typeof s === 'number') return this.launch(variant.launches[s]!) // steps name launches of their variant
    const v = this.nameOf(s.variable)
    return [`for (long long ${v} = ${this.expr(s.lower)}; error == cudaSuccess && ${v} < ${this.expr(s.upper)}; ${v} += ${s.step}) {`, ...s.body.flatMap((x) => this.step(x, variant)).map((l) => `  ${l}`), '}']
  }

  private launch(l: PlanLaunch): string[] {
    const { kernel } = l
    const bound = kernel.resources.filter((r) => r.space === 'global' || r.space === 'constant')
    const arrays = bound.map((r) => {
      const name = l.arguments[r.name] ?? fail('emit.argument', `kernel ${kernel.name} has no array for its resource ${r.name}`)
      const isConstant = this.plan.arrays.some((a) => a.name === name && a.role === 'in')
      return isConstant && r.access !== 'read' ? `const_cast<${cudaType[r.type]}*>(${this.nameOf(name)})` : this.nameOf(name) // what is held counts as written (`lower/interface`)
    })
    const params = kernel.params.map((p) => {
      const e = l.params[p.name]
      if (!e) throw new InternalError('emit/launcher', `kernel ${kernel.name} has no value for ${p.name}`)
      const value = this.expr(e.kind === 'op' && e.op === 'convert' ? e.args[0]! : e) // one argument; the cast converts
      return p.type === 'f16' ? `__float2half((float)(${value}))` : `(${cudaType[p.type]})${/^\w+$/.test(value) ? value : `(${value})`}`
    })
    const entry = this.parts.get(kernel)!.entry // made for every launch
    return [
      `if (error == cudaSuccess && grid_of(blocks, error, ${l.grid.map((e) => this.expr(e)).join(', ')})) {`,
      `  ${entry}<<<blocks, dim3(${kernel.block.join(', ')}), 0, stream>>>(${[...arrays, ...params].join(', ')});`, '  error = cudaGetLastError();', '}',
    ]
  }
}
