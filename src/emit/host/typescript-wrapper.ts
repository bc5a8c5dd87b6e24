// In: a plan with WGSL texts. Out: a TypeScript module that runs it: `NAME(arguments)` on typed arrays, `NAMEOnGpu` on
// buffers that stay on the GPU. The one idea: the module is self-contained; what does not depend on the plan is the
// text in `wrapper-runtime.ts`, the rest is its types, its checks and its launches. It takes any size the plan takes.
import { fail, InternalError } from '../../base/index.ts'
import {
  allVariants,
  bindingsOf,
  hostVariables,
  leastInteger,
  mayBeNegative,
  mayExceed,
  mostElementsOf,
  needsBeyond,
  needsWords,
  runsOn,
  stepsOf,
  type Emitted,
  type Expr,
  type MemoryType,
  type Plan,
  type PlanArray,
  type PlanLaunch,
  type PlanStep,
  type PlanVariant,
} from '../../ir/index.ts'
import { expressionText, typescriptLanguage } from './size-expressions.ts'
import { legalName, legalNames } from '../legal-names.ts'
import { atLevel, commentLines, levels } from '../printer.ts'
import { elementBytes } from '../wgsl/buffers.ts'
import { checkedElements, checkedNumber, checkedSize, wrapperRuntime } from './wrapper-runtime.ts'
import type { EmitOptions } from '../wgsl/wgsl.ts'

const arrayTypes: Readonly<Record<MemoryType, string>> = {
  i8: 'Int8Array',
  u8: 'Uint8Array',
  i16: 'Int16Array',
  u16: 'Uint16Array',
  f16: 'Uint16Array',
  i32: 'Int32Array',
  u32: 'Uint32Array',
  f32: 'Float32Array',
  i64: 'BigInt64Array',
  u64: 'BigUint64Array',
  f64: 'Float64Array',
}

const reserved =
  `abstract any arguments as async await boolean break case catch class const constructor continue debugger declare \
default delete do
else enum eval export extends false finally for from function get if implements import in instanceof interface is \
let module namespace never new null
number of package private protected public require return set static string super switch symbol this throw true try \
type typeof undefined unknown var
void while with yield Math Number Promise Map WeakMap Array Error Uint8Array DataView GPUDevice navigator`.split(/\s+/)

/** The wrapper of a plan whose launches carry WGSL texts (`emitPlan`). Throws when one does not. */
export function emitTypeScript(plan: Plan, options: EmitOptions = {}): Emitted {
  const name = legalName(camel(plan.name), new Set(reserved))
  const w = new Wrapper(plan, name)
  const text = [...(options.header ?? []).flatMap(commentLines), ...w.module()].join('\n')
  return { target: 'typescript', entry: name, text: `${text}\n` }
}

export const camel = (name: string): string => name.replace(/_+([a-zA-Z0-9])/g, (_, c: string) => c.toUpperCase())
export const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&').replace(/[\r\n\u2028\u2029]/g, ' ')}'`
/** Text inside back quotes. */
export const template = (text: string): string => text.replace(/[\\`]/g, '\\$&').replace(/\$\{/g, '\\${')

class Wrapper {
  private readonly plan: Plan
  private readonly name: string
  private readonly texts = new Map<string, string>()
  private readonly variables: ReadonlyMap<string, string>
  private readonly language = typescriptLanguage(
    (e) => (e.kind === 'var' ? (this.variables.get(e.name) ?? e.name) : `given.${e.name}`),
    (e) => mayBeNegative(e, this.plan),
  )

  constructor(plan: Plan, name: string) {
    this.plan = plan
    this.name = name
    for (const v of allVariants(plan)) for (const l of v.launches) this.sourceName(l)
    this.variables = legalNames(hostVariables(plan), new Set([...reserved, ...this.texts.values(), 'given']))
  }

  /** The constant that holds a launch's WGSL; kernels with the same text share one. */
  private sourceName(l: PlanLaunch): string {
    const text =
      l.emitted?.wgsl?.text ??
      fail('emit.text', `kernel ${l.kernel.name} has no WGSL text`, undefined, 'call emitPlan first')
    const known = this.texts.get(text)
    if (known) return known
    const taken = new Set([...this.texts.values(), ...reserved])
    const name = legalName(`${camel(l.kernel.name)}Wgsl`, taken)
    this.texts.set(text, name)
    return name
  }

  private expr(e: Expr): string {
    return expressionText(e, this.language).text
  }

  /** What stands on one side of a comparison. */
  private operand(e: Expr): string {
    return atLevel(expressionText(e, this.language), levels.sum)
  }

  module(): string[] {
    const sources = [...this.texts].flatMap(([text, name]) => [`const ${name} = /* wgsl */ \`${template(text)}\``, ''])
    return [
      '',
      ...this.types(),
      '',
      ...this.check(),
      '',
      ...this.steps(),
      '',
      ...this.onHost(),
      '',
      ...this.onGpu(),
      '',
      ...sources,
      wrapperRuntime.trim(),
      ...this.checkers(),
    ]
  }

  private checkers(): string[] {
    return [
      ...(this.plan.sizes.some((s) => !s.fixed) ? ['', checkedSize(mostElementsOf(this.plan))] : []),
      ...(this.plan.scalars.length > 0 ? ['', checkedNumber] : []),
      ...(this.plan.arrays.some(mayExceed) ? ['', checkedElements(mostElementsOf(this.plan))] : []),
    ]
  }

  private visible(): readonly PlanArray[] {
    return this.plan.arrays.filter((a) => a.role !== 'temp')
  }

  private shapeWords(a: PlanArray): string {
    const extents = a.shape.map((e) => this.expr(e).replace(/given\./g, ''))
    const role = { in: 'read', out: 'written', inout: 'read and written', temp: '' }[a.role]
    return (
      `/** ${extents.length === 0 ? 'one element' : `at least ${extents.join(' × ')} elements`} of ${a.type}, ` +
      `${role}${a.isOpenEnded ? '; longer ones are transferred whole' : ''}. */`
    )
  }

  private numbers(): string[] {
    const sizes = this.plan.sizes
      .filter((s) => !s.fixed)
      .map(
        (s) =>
          `  /** ${s.min > leastInteger ? `An integer of at least ${s.min}` : 'Any integer of 32 bits'}. ` +
          `*/\n  readonly ${s.name}: number`,
      )
    return [...sizes, ...this.plan.scalars.map((s) => `  readonly ${s.name}: number`)]
  }

  private types(): string[] {
    const own = pascalCase(this.name)
    const written = this.visible().filter((a) => a.role !== 'in')
    const host = this.visible().map(
      (a) => `  ${this.shapeWords(a)}\n  readonly ${a.name}${a.role === 'out' ? '?' : ''}: ${arrayTypes[a.type]}`,
    )
    const gpu = this.visible().map((a) => `  ${this.shapeWords(a)}\n  readonly ${a.name}: GPUBuffer`)
    return [
      `export interface ${own}Numbers {`,
      ...this.numbers(),
      '}',
      '',
      `export interface ${own}Arguments extends ${own}Numbers {`,
      ...host,
      '}',
      '',
      `/** Buffers need the usage STORAGE, and room for whole vectors (16 bytes) where a kernel works in vectors. */`,
      `export interface ${own}GpuArguments extends ${own}Numbers {`,
      ...gpu,
      '}',
      '',
      `export interface ${own}Results {`,
      ...written.map((a) => `  readonly ${a.name}: ${arrayTypes[a.type]}`),
      '}',
    ]
  }

  /** `numbers(args)`: all sizes and scalars, checked; fixed sizes are filled in. */
  private check(): string[] {
    const own = pascalCase(this.name)
    const sizes = this.plan.sizes.map((s) =>
      s.fixed ? `    ${s.name}: ${s.planned},` : `    ${s.name}: checkedSize('${s.name}', args.${s.name}, ${s.min}),`,
    )
    const fields = [...this.plan.sizes, ...this.plan.scalars].map((s) => `${s.name}: number`).join('; ')
    return [
      `type Given = { ${fields} }`,
      '',
      `function numbers(${fields === '' ? '_' : 'args'}: ${own}Numbers): Given {`,
      '  return {',
      ...sizes,
      ...this.plan.scalars.map((s) => `    ${s.name}: checkedNumber('${s.name}', args.${s.name}),`),
      '  }',
      '}',
      '',
      '/** Elements of each array. */',
      `function elements(${this.usesGiven(this.plan.arrays.flatMap((a) => a.shape)) ? 'given' : '_'}: Given): ` +
        `Record<string, number> {`,
      '  return {',
      ...this.plan.arrays.map((a) => `    ${a.name}: ${this.elements(a)},`),
      '  }',
      '}',
    ]
  }

  private elements(a: PlanArray): string {
    const count = a.shape.length === 0 ? '1' : a.shape.map((e) => this.extent(e)).join(' * ')
    return mayExceed(a) ? `checkedElements('${a.name}', ${count})` : count
  }

  /** An extent, 0 where it would be negative. */
  private extent(e: Expr): string {
    return mayBeNegative(e, this.plan) ? `Math.max(0, ${this.expr(e)})` : this.factor(e)
  }

  private factor(e: Expr): string {
    const text = expressionText(e, this.language)
    return text.level >= 80 ? text.text : `(${text.text})`
  }

  private usesGiven(list: readonly Expr[]): boolean {
    return list.some((e) => this.expr(e).includes('given.'))
  }

  /** `steps(given)`: the launches of the variant that fits. */
  private steps(): string[] {
    const all = allVariants(this.plan),
      always = all.findIndex((v) => v.when === null && runsOn(v))
    const reached = always < 0 ? all : all.slice(0, always + 1)
    const lines = reached.flatMap((v) => {
      const launches =
        v.refusal === undefined ? stepsOf(v).flatMap((s) => this.step(s, v)) : [`throw new Error(${quoted(v.refusal)})`]
      const conditions = [...(v.when === null ? [] : [this.expr(v.when)]), ...this.allowed(v)]
      return conditions.length === 0
        ? launches.map((l) => `  ${l}`)
        : [
            `  if (${conditions.length === 1 ? conditions[0] : conditions.map((c) => `(${c})`).join(' && ')}) {`,
            ...[...launches, ...(v.refusal === undefined ? ['return'] : [])].map((l) => `    ${l}`),
            '  }',
          ]
    })
    return [
      '/** Which kernels run, on which grids, with which parameters, in order. */',
      `function* steps(given: Given${this.asksLimits() ? ', limits?: GPUSupportedLimits' : ''}): Generator<Step> {`,
      ...lines,
      ...(always >= 0 ? [] : [`  throw new Error(${quoted(this.uncovered(all))})`]),
      '}',
    ]
  }

  /** Whether some variant runs on some devices alone. */
  private asksLimits(): boolean {
    return allVariants(this.plan).some((v) => !runsOn(v))
  }

  /** `steps(…)` on a device. */
  private stepsOn(): string {
    return this.asksLimits() ? 'steps(given, device.limits)' : 'steps(given)'
  }

  /** What a device must have for a variant that does not run on all of them. */
  private allowed(v: PlanVariant): string[] {
    const needs = Object.entries(needsBeyond(v)).map(([name, n]) => `limits.${name} >= ${n}`)
    return needs.length === 0 ? [] : [`!limits || (${needs.join(' && ')})`]
  }

  /** Why there may be no variant. */
  private uncovered(all: readonly PlanVariant[]): string {
    const needs = all.map(needsBeyond).find((n) => Object.keys(n).length > 0)
    return needs
      ? `${this.plan.name} needs a device with ${needsWords(needs)}, and this one has fewer: let the wrapper ` +
          `open the device, or ask for these limits`
      : `${this.plan.name}: no variant covers these sizes`
  }

  private step(s: PlanStep, variant: PlanVariant): string[] {
    if (typeof s === 'number') return this.launch(variant.launches[s]!) // steps name launches of their variant
    const v = this.variables.get(s.variable)! // of all host loops
    return [
      `for (let ${v} = ${this.expr(s.lower)}; ${v} < ${this.operand(s.upper)}; ${v} += ${s.step}) {`,
      ...s.body.flatMap((x) => this.step(x, variant)).map((l) => `  ${l}`),
      '}',
    ]
  }

  private launch(l: PlanLaunch): string[] {
    const bindings = bindingsOf(l.kernel).map(({ resource, kind }) => {
      const array =
        l.arguments[resource.name] ??
        fail('emit.argument', `kernel ${l.kernel.name} has no array for its resource ${resource.name}`)
      return `{ array: '${array}', kind: '${kind}' }`
    })
    const params = l.kernel.params.map((p) => {
      const e = l.params[p.name]
      if (!e) throw new InternalError('emit/typescript', `kernel ${l.kernel.name} has no value for ${p.name}`)
      const type = p.type === 'f16' ? 'f32' : p.type === 'bool' ? 'u32' : p.type
      return (
        `{ name: '${p.name}', type: '${type}', value: ` +
        `${p.type === 'bool' ? `Number(${this.expr(e)})` : this.expr(e)} }`
      )
    })
    return [
      'yield {',
      // sourceName has checked that the text is there
      `  source: ${this.sourceName(l)}, entry: '${l.emitted!.wgsl!.entry}',`,
      `  grid: [${l.grid.map((e) => this.expr(e)).join(', ')}],`,
      `  bindings: [${bindings.join(', ')}],`,
      `  params: [${params.join(', ')}],`,
      '}',
    ]
  }

  private onHost(): string[] {
    const own = pascalCase(this.name)
    const written = this.visible().filter((a) => a.role !== 'in')
    const arrays = this.visible().map(
      (a) => `    ${a.name}: { data: args.${a.name}, type: ${arrayTypes[a.type]}, role: '${a.role}' },`,
    )
    return [
      `/** Runs ${this.name} on typed arrays. Arrays that it writes are filled when given, and made when not. ` +
        `Throws an Error that says what is wrong. */`,
      `export async function ${this.name}(args: ${own}Arguments, options: { readonly device?: GPUDevice } = ` +
        `{}): Promise<${own}Results> {`,
      '  const given = numbers(args)',
      '  const sizes = elements(given)',
      ...this.visible().flatMap((a) =>
        a.isOpenEnded ? [`  sizes.${a.name} = Math.max(sizes.${a.name}!, args.${a.name}?.length ?? 0)`] : [],
      ),
      '  const arrays: Record<string, HostArray> = {',
      ...arrays,
      '  }',
      ...this.withoutWork(written),
      '  const device = options.device ?? (await defaultDevice())',
      '  const buffers = upload(device, arrays, sizes)',
      '  try {',
      `    await runSteps(device, ${this.stepsOn()}, buffers, [${this.temporaries()}])`,
      '    return {',
      ...written.map(
        (a) =>
          `      ${a.name}: await download(device, buffers.${a.name}!, sizes.${a.name}!, ` +
          `${arrayTypes[a.type]}, args.${a.name}),`,
      ),
      '    }',
      '  } finally {',
      '    for (const buffer of Object.values(buffers)) buffer.destroy()',
      '  }',
      '}',
    ]
  }

  /** Nothing is launched where the sizes leave nothing to do: arrays may then be empty. */
  private withoutWork(written: readonly PlanArray[]): string[] {
    const results = written.map((a) => {
      const role = a.role === 'out' ? 'out' : 'inout'
      return (
        `      ${a.name}: unchanged('${a.name}', args.${a.name}, sizes.${a.name}!, ${arrayTypes[a.type]}, ` +
        `'${role}'),`
      )
    })
    return ['  if (!hasWork(steps(given))) {', '    return {', ...results, '    }', '  }']
  }

  /** Bytes that a buffer must be a multiple of: those of a vector where some kernel reads or writes vectors of it. */
  private unitOf(array: PlanArray): number {
    const launches = allVariants(this.plan).flatMap((v) => v.launches)
    const units = launches.flatMap((l) =>
      Object.entries(l.arguments)
        .filter(([, name]) => name === array.name)
        .map(([resource]) => elementBytes(l.kernel, resource)),
    )
    return Math.max(4, ...units)
  }

  private temporaries(): string {
    return this.plan.arrays
      .filter((a) => a.role === 'temp')
      .map((a) => `{ name: '${a.name}', bytes: ${arrayTypes[a.type]}.BYTES_PER_ELEMENT * sizes.${a.name}! }`)
      .join(', ')
  }

  private onGpu(): string[] {
    const own = pascalCase(this.name)
    const buffers = this.visible().map((a) => `    ${a.name}: args.${a.name},`)
    return [
      `/** Queues ${this.name} on buffers of \`device\`; resolves when WebGPU has accepted it. Nothing is copied. */`,
      `export async function ${this.name}OnGpu(device: GPUDevice, args: ${own}GpuArguments): Promise<void> {`,
      '  const given = numbers(args)',
      '  const sizes = elements(given)',
      '  if (!hasWork(steps(given))) return',
      '  const buffers: Record<string, GPUBuffer> = {',
      ...buffers,
      '  }',
      ...this.visible().map(
        (a) =>
          `  checkBuffer('${a.name}', args.${a.name}, ${arrayTypes[a.type]}.BYTES_PER_ELEMENT * ` +
          `sizes.${a.name}!, ${this.unitOf(a)})`,
      ),
      `  await runSteps(device, ${this.stepsOn()}, buffers, [${this.temporaries()}])`,
      '}',
    ]
  }
}
