// In: an optimized plan. Out: its files: which kernel of which variant stands in which, for what sizes, and the texts.
// The one idea: the fastest variant has the plain name, the others say in their names what sizes they take; each WGSL
// file says on top how to dispatch it, because a shader alone does not.
import { emitCudaLauncher, emitTypeScript } from '../emit/index.ts'
import {
  bindingsOf,
  conjunction,
  conjuncts,
  multiplesIn,
  needsBeyond,
  needsWords,
  printExpr,
  runsOn,
  stepsOf,
  type Plan,
  type PlanLaunch,
  type PlanLoop,
  type PlanStep,
  type PlanVariant,
} from '../ir/index.ts'
import type { Optimized } from '../tune/index.ts'
import { error, list } from './words.ts'

/** One file to write. */
export interface OutputFile {
  readonly name: string
  readonly target: 'wgsl' | 'cuda' | 'ts'
  /** What is in it, in a few words. */
  readonly what: string
  readonly text: string
  /** The kernel that the file holds; absent when it holds all. */
  readonly kernel?: string
  /** Index of the variant that the file belongs to. */
  readonly variant?: number
}

// ── conditions ────────────────────────────────────────────────────────────────────────────────────────────────────

/** When a variant may be taken: `n a multiple of 256`, or `any size`. */
export function conditionWords(variant: PlanVariant): string {
  const needs = needsBeyond(variant)
  return Object.keys(needs).length === 0
    ? sizeWords(variant)
    : `${sizeWords(variant)} on devices with ${needsWords(needs)}`
}

function sizeWords(variant: PlanVariant): string {
  if (variant.shape) {
    const { size, most } = variant.shape,
      inner = withinShape(variant)
    return `${size} at most ${most}${inner.when ? `, and ${sizeWords(inner)}` : ''}`
  }
  if (variant.when === null) return 'any size'
  const multiples = multiplesIn(variant.when)
  if (!multiples) return printExpr(variant.when)
  const together = [...new Set(multiples.values())].map((n) => ({
    n,
    names: [...multiples].filter(([, m]) => m === n).map(([name]) => name),
  }))
  return list(
    together.map(({ n, names }) =>
      names.length === 1 ? `${names[0]} a multiple of ${n}` : `${list(names)} multiples of ${n}`,
    ),
  )
}

/** A variant of a shape as it would be without it: the shape's condition stands first. */
function withinShape({ shape: _, ...v }: PlanVariant): PlanVariant {
  const rest = v.when ? conjuncts(v.when).slice(1) : []
  return { ...v, when: conjunction(rest) ?? null }
}

/**
 * What tells a variant's files apart: nothing for the first, `any` for all sizes, `n4` for multiples of 4, `m-to-8` for
 * a shape; `default` for devices that have no more than WebGPU's default limits, where others need more.
 */
function slug(plan: Plan, variant: PlanVariant, index: number): string {
  const isAlike = (v: PlanVariant): boolean =>
    v.shape?.size === variant.shape?.size && v.shape?.most === variant.shape?.most
  const alike = plan.variants.filter(isAlike),
    shape = variant.shape ? `.${variant.shape.size}-to-${variant.shape.most}` : ''
  if (alike[0] === variant) return shape
  const isSmaller = runsOn(variant) && alike.some((v) => !runsOn(v))
  return `${shape}${sizeSlug(withinShape(variant), index)}${isSmaller ? '.default' : ''}`
}

function sizeSlug(variant: PlanVariant, index: number): string {
  if (variant.when === null) return '.any'
  const multiples = multiplesIn(variant.when)
  return multiples ? `.${[...multiples].map(([name, n]) => `${name}${n}`).join('-')}` : `.variant${index + 1}`
}

// ── files ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * All files of a result, fastest first: WGSL per kernel and variant, one CUDA file, one TypeScript module. `source`
 * names the input.
 */
export function outputFiles(
  result: Optimized,
  targets: readonly ('wgsl' | 'cuda')[],
  source: string,
): readonly OutputFile[] {
  const { plan } = result
  const wgsl = targets.includes('wgsl')
    ? [
        ...plan.variants.flatMap((v, i) => v.launches.map((l, n) => wgslFile(plan, v, i, l, n))),
        ...(plan.empty ?? []).flatMap((v) => v.launches.map((l, n) => emptyFile(plan, v, l, n))),
      ]
    : []
  const cuda: OutputFile[] = targets.includes('cuda')
    ? [
        {
          name: `${plan.name}.cu`,
          target: 'cuda',
          what: `all kernels and a host function ${plan.name}(…, stream)`,
          text: emitCudaLauncher(result.cudaPlan ?? plan, {
            header: fileHeader(result, result.cudaPlan ?? plan, source),
          }).text,
        },
      ]
    : []
  const ts: OutputFile[] = targets.includes('wgsl')
    ? [
        {
          name: `${plan.name}.ts`,
          target: 'ts',
          what: `typed functions that run it on WebGPU: arrays in, arrays out`,
          text: emitTypeScript(plan, { header: fileHeader(result, plan, source) }).text,
        },
      ]
    : []
  return [...distinct(wgsl), ...cuda, ...ts]
}

/** Files of the same name hold the same kernel launched twice. */
const distinct = (files: readonly OutputFile[]): readonly OutputFile[] =>
  files.filter((f, i) => files.findIndex((g) => g.name === f.name) === i)

function wgslFile(plan: Plan, variant: PlanVariant, index: number, launch: PlanLaunch, step: number): OutputFile {
  const several = variant.launches.length > 1
  const sizes = plan.variants.length > 1 ? `for ${conditionWords(variant)}` : 'for any size'
  return {
    name: `${several ? launch.kernel.name : plan.name}${slug(plan, variant, index)}.wgsl`,
    target: 'wgsl',
    kernel: launch.kernel.name,
    variant: index,
    what: several ? `kernel ${step + 1} of ${variant.launches.length}, ${sizes}` : `the kernel ${sizes}`,
    text: `${dispatchLines(plan, variant, launch, step)
      .map((l) => `// ${l}`.trimEnd())
      .join('\n')}\n${launch.emitted?.wgsl?.text ?? ''}`,
  }
}

/** What tells the files of a variant for other sizes from those of variants before it that have the same kernels. */
function emptySlug(plan: Plan, variant: PlanVariant, kernel: string): string {
  const all = plan.empty ?? [],
    before = all.slice(0, all.indexOf(variant)).filter((v) => v.launches.some((l) => l.kernel.name === kernel))
  if (before.length === 0) return ''
  return runsOn(variant) && !before.some((v) => runsOn(v)) ? '.default' : `.variant${before.length + 1}`
}

/** The file of a kernel for sizes of which some are 0. */
function emptyFile(plan: Plan, variant: PlanVariant, launch: PlanLaunch, step: number): OutputFile {
  const { name } = launch.kernel
  return {
    name: `${name}${emptySlug(plan, variant, name)}.wgsl`,
    target: 'wgsl',
    kernel: name,
    what: `kernel ${step + 1} of ${variant.launches.length}, for ${conditionWords(variant)}`,
    text: `${dispatchLines(plan, variant, launch, step)
      .map((l) => `// ${l}`.trimEnd())
      .join('\n')}\n${launch.emitted?.wgsl?.text ?? ''}`,
  }
}

/** The host loops around a launch, outermost first. */
function loopsAround(steps: readonly PlanStep[], launch: number): readonly PlanLoop[] {
  return steps.flatMap((s): readonly PlanLoop[] =>
    typeof s !== 'number' && contains(s, launch) ? [s, ...loopsAround(s.body, launch)] : [],
  )
}

const contains = (l: PlanLoop, launch: number): boolean =>
  l.body.some((s) => (typeof s === 'number' ? s === launch : contains(s, launch)))

/** How to dispatch a shader: sizes, workgroups, bindings. */
function dispatchLines(plan: Plan, variant: PlanVariant, launch: PlanLaunch, step: number): readonly string[] {
  const [x, y, z] = launch.grid.map(printExpr)
  const bindings = bindingsOf(launch.kernel).map(
    (b) => `${b.binding} ${launch.arguments[b.resource.name] ?? b.resource.name}`,
  )
  const params = launch.kernel.params.map((p) => p.name)
  const uniform = params.length > 0 ? [`; ${bindings.length} the uniform buffer of ${list(params)}`] : []
  return [
    ...(plan.variants.length > 1 ? [`For ${conditionWords(variant)}.`] : []),
    ...loopsAround(stepsOf(variant), step).map(
      (l) =>
        `For ${l.variable} from ${printExpr(l.lower)} to before ` +
        `${printExpr(l.upper)}${l.step === 1 ? '' : ` in steps of ${l.step}`}, with the other kernels of that ` +
        `loop in order:`,
    ),
    `Dispatch (${x}, ${y}, ${z}) workgroups. Group 0: ${bindings.join(', ')}${uniform.join('')}.`,
    '',
  ]
}

/** What stands on top of files that hold the whole plan. */
function fileHeader(result: Optimized, plan: Plan, source: string): readonly string[] {
  const { verified } = result
  const conditions = plan.variants.map((v, i) => `  ${i + 1}. ${conditionWords(v)}`)
  return [
    `${plan.name}, made by Tesela from ${source}.`,
    '',
    ...result.kernels.flatMap((k) => [
      `${k.name}, ${k.block[0] * k.block[1] * k.block[2]} threads per block:`,
      ...k.steps.map((s, i) => `  ${i + 1}. ${s}`),
    ]),
    '',
    ...(conditions.length > 1 ? ['Variants, the first that fits is taken:', ...conditions, ''] : []),
    `Verified against a float64 reference at ${verified.sizes.map(sizesText).join('; ')}:`,
    `largest relative error ${error(verified.maxRelativeError)}, ${error(verified.bound)} allowed.`,
  ]
}

/** `n = 64, m = 32`. */
export const sizesText = (sizes: Readonly<Record<string, number>>): string =>
  Object.entries(sizes)
    .map(([k, v]) => `${k} = ${v}`)
    .join(', ') || 'its own size'
