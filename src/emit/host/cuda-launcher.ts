// In: a plan. Out: one CUDA file with all its kernels and an `extern "C"` host function that picks the variant, makes
// scratch memory, computes grids and launches on a stream. The one idea: the counterpart of the TypeScript wrapper, for
// programs in C and C++. Pointers are to device memory; lengths cannot be checked, sizes are. A variant whose blocks
// meet is taken only where all of them are on the device at once, which its host function asks CUDA.
import { fail, InternalError } from '../../base/index.ts'
import {
  boundResources,
  allVariants,
  bytesOf,
  hostVariables,
  mayBeNegative,
  mayExceed,
  meets,
  meetsGrid,
  planValue,
  mostElementsOf,
  sharedPlaces,
  someExpr,
  stepsOf,
  type Emitted,
  type Expr,
  type Kernel,
  type Plan,
  type PlanArray,
  type PlanLaunch,
  type PlanStep,
  type PlanVariant,
  type Verified,
} from '../../ir/index.ts'
import { cudaType } from '../cuda/op-spellings.ts'
import { printCuda, type CudaParts } from '../cuda/cuda.ts'
import { kernelsThatRound } from '../rounding.ts'
import { cppLanguage, expressionText } from './size-expressions.ts'
import { legalName, legalNames } from '../legal-names.ts'
import { atLevel, commentLines, levels } from '../printer.ts'
import { cudaTaken } from '../cuda/reserved-words.ts'
import type { EmitOptions } from '../wgsl/wgsl.ts'

/**
 * The launcher of a plan: `cudaError_t NAME(arrays…, sizes…, scalars…, cudaStream_t stream)`. It returns
 * `cudaErrorInvalidValue` for sizes below their minimum or covered by no variant, `cudaErrorInvalidConfiguration` for
 * grids that CUDA does not take, `cudaErrorCooperativeLaunchTooLarge` where blocks would have to meet that do not fit
 * on the device, and otherwise what CUDA says. Nothing is synchronised.
 */
export function emitCudaLauncher(plan: Plan, options: LauncherOptions = {}): EmittedLauncher {
  const { header = [], takesFixed = false } = options,
    { lines, ...launcher } = takesFixed ? launcherOf(plan, new Map()) : usualLauncherOf(plan)
  return { ...launcher, text: `${[...header.flatMap(commentLines), ...lines].join('\n')}\n` }
}

/** A launcher without its header. */
interface PrintedLauncher extends Omit<EmittedLauncher, 'text'> {
  readonly lines: readonly string[]
}

function launcherOf(plan: Plan, constants: Constants): PrintedLauncher {
  const launcher = new Launcher(plan, constants)
  return { entries: launcher.entries(), constants, target: 'cuda', entry: launcher.name, lines: launcher.file() }
}

/** Launchers by their plans: one that is compared with its plan is printed after that. */
const usual = new WeakMap<Plan, PrintedLauncher>()

function usualLauncherOf(plan: Plan): PrintedLauncher {
  const launcher = usual.get(plan) ?? launcherOf(plan, constantsOf(plan))
  usual.set(plan, launcher)
  return launcher
}

export interface LauncherOptions extends EmitOptions {
  /** Kernels take fixed sizes, too, so that they run at others. */
  readonly takesFixed?: boolean
}

/** A launcher, and for each kernel the name that it has in it, and parameters that are constants there. */
export interface EmittedLauncher extends Emitted {
  readonly entries: ReadonlyMap<Verified<Kernel>, string>
  readonly constants: Constants
}

type Constants = ReadonlyMap<Verified<Kernel>, ReadonlyMap<string, number>>

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

/** Says whether a kernel whose blocks meet may be launched. */
const fitHelper = `// Whether so many blocks are on the device at once, as blocks that meet must be. An empty grid \
is no launch.
static bool fit_at_once(const void* kernel, int threads, size_t shared_bytes, long long x, long long y, long long z)
{
  int device = 0, can = 0, processors = 0, each = 0;
  if (x <= 0 || y <= 0 || z <= 0) return true;
  if (cudaGetDevice(&device) != cudaSuccess || cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, device) \
!= cudaSuccess || can == 0) return false;
  if (cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess) return false;
  if (shared_bytes > 0 && cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, \
(int)shared_bytes) != cudaSuccess) return (void)cudaGetLastError(), false;
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared_bytes) != cudaSuccess) return \
(void)cudaGetLastError(), false;
  const long long most = (long long)each * processors;
  return x <= most && y <= most && z <= most && x * y <= most && x * y * z <= most;
}
`

/**
 * All kernels of a plan, with those of their integer parameters that hang on fixed sizes alone and are the same in all
 * launches: compilers divide by numbers in fewer instructions, and keep no registers for them.
 */
function constantsOf(plan: Plan): Constants {
  const fixed = Object.fromEntries(plan.sizes.filter((s) => s.fixed).map((s) => [s.name, s.planned])),
    launches = allVariants(plan).flatMap((v) => v.launches)
  const isOpen = (e: Expr): boolean =>
    someExpr(e, (x) => (x.kind === 'size' ? !Object.hasOwn(fixed, x.name) : x.kind !== 'op' && x.kind !== 'const'))
  const valuesIn = (kernel: Verified<Kernel>): ReadonlyMap<string, number> => {
    const own = launches.filter((l) => l.kernel === kernel)
    const known = (name: string): number | undefined => {
      const given = own.map((l) => l.params[name]!), // has a value
        values = new Set(given.map((e) => (isOpen(e) ? undefined : planValue(e, { sizes: fixed, scalars: {} }))))
      return values.size === 1 ? [...values][0] : undefined
    }
    return new Map(
      kernel.params.flatMap(({ name, type }): readonly (readonly [string, number])[] => {
        const value = type === 'i32' ? known(name) : undefined
        return value === undefined || !Number.isInteger(value) || Math.abs(value) >= 2 ** 31 ? [] : [[name, value]]
      }),
    )
  }
  return new Map([...new Set(launches.map((l) => l.kernel))].map((kernel) => [kernel, valuesIn(kernel)]))
}

class Launcher {
  readonly name: string
  private readonly plan: Plan
  private readonly taken = new Set(cudaTaken)
  private readonly names: ReadonlyMap<string, string>
  private readonly parts = new Map<Verified<Kernel>, CudaParts>()
  private readonly constants: Constants
  private readonly language

  constructor(plan: Plan, constants: Constants) {
    this.plan = plan
    this.constants = constants
    this.name = legalName(plan.name, this.taken)
    const rounded = kernelsThatRound(plan)
    for (const v of allVariants(plan))
      for (const { kernel } of v.launches)
        if (!this.parts.has(kernel))
          this.parts.set(
            kernel,
            printCuda(kernel, this.taken, 'static', rounded.has(kernel), this.constants.get(kernel)),
          )
    const all = [...[...plan.arrays, ...plan.sizes, ...plan.scalars].map((x) => x.name), ...hostVariables(plan)]
    const lists = plan.variants
      .flatMap((v) => v.launches)
      .filter((l) => meetsGrid(l.kernel))
      .map(({ kernel: k }) => k.resources.length + k.params.length)
    const own =
      lists.length === 0
        ? []
        : ['fit_at_once', 'all_fit', 'list', ...Array.from({ length: Math.max(...lists) }, (_, i) => `argument_${i}`)]
    this.names = legalNames(all, new Set([...this.taken, 'error', 'blocks', 'grid_of', ...own]))
    this.language = cppLanguage(
      (e) => this.nameOf(e.name),
      (e) => mayBeNegative(e, plan),
    )
  }

  entries(): ReadonlyMap<Verified<Kernel>, string> {
    return new Map([...this.parts].map(([kernel, { entry }]) => [kernel, entry]))
  }

  private nameOf(old: string): string {
    return this.names.get(old) ?? old
  }

  private expr(e: Expr): string {
    return expressionText(e, this.language).text
  }

  /** What stands on one side of a comparison. */
  private operand(e: Expr): string {
    return atLevel(expressionText(e, this.language), levels.sum)
  }

  file(): string[] {
    const parts = [...this.parts.values()]
    const includes = new Set([
      '#include <algorithm>',
      '#include <cmath>',
      '#include <cuda_runtime.h>',
      ...parts.flatMap((p) => p.includes),
    ])
    const helpers = new Map(parts.flatMap((p) => [...p.helpers]))
    return [
      ...includes,
      '',
      ...[...helpers.values()].flatMap((h) => [h, '']),
      ...parts.flatMap((p) => [...p.text, '']),
      gridHelper,
      ...(this.plan.variants.some(meets) ? [fitHelper] : []),
      ...this.host(),
    ]
  }

  private visible(): readonly PlanArray[] {
    return this.plan.arrays.filter((a) => a.role !== 'temp')
  }

  private host(): string[] {
    const { plan } = this
    const args = [
      ...this.visible().map((a) => `${a.role === 'in' ? 'const ' : ''}${cudaType[a.type]}* ${this.nameOf(a.name)}`),
      ...plan.sizes.filter((s) => !s.fixed).map((s) => `long long ${this.nameOf(s.name)}`),
      ...plan.scalars.map((s) => `${cudaType[s.type]} ${this.nameOf(s.name)}`),
      'cudaStream_t stream',
    ]
    const fixed = plan.sizes
      .filter((s) => s.fixed)
      .map((s) => `  const long long ${this.nameOf(s.name)} = ${s.planned};`)
    const fallback = plan.variants.find((v) => v.when === null)
    const refusal = fallback ? 'cudaErrorCooperativeLaunchTooLarge' : 'cudaErrorInvalidValue'
    return [
      `// ${this.visible()
        .map((a) => `${this.nameOf(a.name)}: ${a.shape.map((e) => this.expr(e)).join(' × ') || 'one element'}`)
        .join('; ')}.`,
      `extern "C" cudaError_t ${this.name}(`,
      ...args.map((a, i) => `    ${a}${i < args.length - 1 ? ',' : ')'}`),
      '{',
      ...fixed,
      ...this.checks(),
      ...allVariants(plan).flatMap((v) => this.variant(v)),
      ...(plan.variants.some((v) => v.when === null && !meets(v)) ? [] : [`  return ${refusal};`]),
      '}',
    ]
  }

  /** Kernels count elements in 32 bits: sizes, and the elements of every array. */
  private checks(): string[] {
    const most = mostElementsOf(this.plan)
    const sizes = this.plan.sizes
      .filter((s) => !s.fixed)
      .map((s) => `${this.nameOf(s.name)} < ${s.min} || ${this.nameOf(s.name)} > ${most}`)
    const tests = [
      ...sizes,
      ...new Set(
        this.plan.arrays.filter(mayExceed).map((a) => `${a.shape.map((e) => this.extent(e)).join(' * ')} > ${most}.0`),
      ),
    ]
    return tests.length === 0 ? [] : [`  if (${tests.join(' || ')}) return cudaErrorInvalidValue;`]
  }

  /** An extent as a number of type double, 0 where it would be negative. */
  private extent(e: Expr): string {
    const text = `(double)(${this.expr(e)})`
    return mayBeNegative(e, this.plan) ? `std::max(0.0, ${text})` : text
  }

  private variant(variant: PlanVariant): string[] {
    const { when, launches } = variant
    if (launches.length === 0) {
      const result = variant.refusal === undefined ? 'cudaSuccess' : 'cudaErrorInvalidValue'
      return [`  ${when === null ? '' : `if (${this.expr(when)}) `}return ${result};`]
    }
    const temps = this.plan.arrays.filter(
      (a) => a.role === 'temp' && launches.some((l) => Object.values(l.arguments).includes(a.name)),
    )
    const body = [
      'cudaError_t error = cudaSuccess;',
      'dim3 blocks;',
      ...temps.map((a) => `${cudaType[a.type]}* ${this.nameOf(a.name)} = nullptr;`),
      ...temps.map(
        (a) =>
          `if (error == cudaSuccess) error = ` +
          `cudaMallocAsync(reinterpret_cast<void**>(&${this.nameOf(a.name)}), ${this.bytes(a)}, stream);`,
      ),
      ...stepsOf(variant).flatMap((s) => this.step(s, variant)),
      ...temps.map((a) => `if (${this.nameOf(a.name)} != nullptr) cudaFreeAsync(${this.nameOf(a.name)}, stream);`),
      'return error;',
    ]
    const taken = meets(variant) ? this.fitting(variant, body) : body
    return [when === null ? '  {' : `  if (${this.expr(when)}) {`, ...taken.map((l) => `    ${l}`), '  }']
  }

  /** `body` where the blocks of all launches that need it are on the device at once. */
  private fitting(variant: PlanVariant, body: readonly string[]): string[] {
    const asked = (s: PlanStep): string[] => {
      if (typeof s !== 'number') return this.loop(s, null, s.body.flatMap(asked))
      const l = variant.launches[s]! // steps name launches of their variant
      if (!meetsGrid(l.kernel)) return []
      return [
        `if (!fit_at_once((const void*)${this.entry(l)}, ${threadsOf(l.kernel)}, ` +
          `${sharedPlaces(l.kernel)?.bytes ?? 0}, ${this.grid(l)})) return false;`,
      ]
    }
    return [
      'const auto all_fit = [&]() {',
      ...stepsOf(variant)
        .flatMap(asked)
        .map((l) => `  ${l}`),
      '  return true;',
      '};',
      'if (all_fit()) {',
      ...body.map((l) => `  ${l}`),
      '}',
    ]
  }

  /** A loop of the host around lines, or nothing around nothing. `where`: what else must hold to go on. */
  private loop(s: Exclude<PlanStep, number>, where: string | null, lines: readonly string[]): string[] {
    const v = this.nameOf(s.variable)
    return lines.length === 0
      ? []
      : [
          `for (long long ${v} = ${this.expr(s.lower)}; ${where === null ? '' : `${where} && `}${v} < ` +
            `${this.operand(s.upper)}; ${v} += ${s.step}) {`,
          ...lines.map((l) => `  ${l}`),
          '}',
        ]
  }

  private grid(l: PlanLaunch): string {
    return l.grid.map((e) => this.expr(e)).join(', ')
  }

  private entry(l: PlanLaunch): string {
    return this.parts.get(l.kernel)!.entry
  } // made for every launch

  private bytes(a: PlanArray): string {
    const extents = a.shape.map(
      (e) =>
        `(unsigned long long)${mayBeNegative(e, this.plan) ? `std::max(0ll, ${this.expr(e)})` : `(${this.expr(e)})`}`,
    )
    return [`${bytesOf[a.type]}ull`, ...extents].join(' * ')
  }

  private step(s: PlanStep, variant: PlanVariant): string[] {
    if (typeof s === 'number') return this.launch(variant.launches[s]!) // steps name launches of their variant
    return this.loop(
      s,
      'error == cudaSuccess',
      s.body.flatMap((x) => this.step(x, variant)),
    )
  }

  private launch(l: PlanLaunch): string[] {
    const { kernel } = l
    const bound = boundResources(kernel)
    const arrays = bound.map((r) => {
      const name =
        l.arguments[r.name] ?? fail('emit.argument', `kernel ${kernel.name} has no array for its resource ${r.name}`)
      const isConstant = this.plan.arrays.some((a) => a.name === name && a.role === 'in')
      return isConstant && r.access !== 'read'
        ? `const_cast<${cudaType[r.type]}*>(${this.nameOf(name)})`
        : this.nameOf(name) // what is held counts as written (`lower/interface`)
    })
    const params = this.open(kernel).map((p) => {
      const e = l.params[p.name]
      if (!e) throw new InternalError('emit/launcher', `kernel ${kernel.name} has no value for ${p.name}`)
      const value = this.expr(e.kind === 'op' && e.op === 'convert' ? e.args[0]! : e) // one argument; the cast converts
      return p.type === 'f16'
        ? `__float2half((float)(${value}))`
        : `(${cudaType[p.type]})${/^\w+$/.test(value) ? value : `(${value})`}`
    })
    const entry = this.entry(l),
      bytes = sharedPlaces(kernel)?.bytes ?? 0,
      block = `dim3(${kernel.block.join(', ')})`
    const allowed =
      bytes === 0
        ? []
        : [`  error = cudaFuncSetAttribute(${entry}, cudaFuncAttributeMaxDynamicSharedMemorySize, ${bytes});`]
    const started = meetsGrid(kernel)
      ? this.cooperative(l, [...arrays, ...params], block, bytes)
      : [
          `  ${entry}<<<blocks, ${block}, ${bytes}, stream>>>(${[...arrays, ...params].join(', ')});`,
          '  error = cudaGetLastError();',
        ]
    const run =
      bytes === 0 ? started : [...allowed, '  if (error == cudaSuccess) {', ...started.map((x) => `  ${x}`), '  }']
    return [`if (error == cudaSuccess && grid_of(blocks, error, ${this.grid(l)})) {`, ...run, '}']
  }

  /** Parameters that the kernel takes. */
  private open(kernel: Verified<Kernel>): Kernel['params'] {
    return kernel.params.filter((p) => !this.constants.get(kernel)?.has(p.name))
  }

  /** A cooperative launch takes the places of its arguments. */
  private cooperative(l: PlanLaunch, values: readonly string[], block: string, bytes: number): string[] {
    const bound = boundResources(l.kernel)
    const types = [
      ...bound.map((r) => `${r.access === 'read' ? 'const ' : ''}${cudaType[r.type]}*`),
      ...this.open(l.kernel).map((p) => cudaType[p.type]),
    ]
    const list = values.length === 0 ? 'nullptr' : 'list'
    return [
      ...values.map((v, i) => `  ${types[i]} argument_${i} = ${v};`),
      ...(values.length === 0
        ? []
        : [`  void* list[] = {${values.map((_, i) => `(void*)&argument_${i}`).join(', ')}};`]),
      `  error = cudaLaunchCooperativeKernel((const void*)${this.entry(l)}, blocks, ${block}, ${list}, ` +
        `${bytes}, stream);`,
    ]
  }
}

const threadsOf = ({ block }: Kernel): number => block[0] * block[1] * block[2]
