// What a plan launches, worked out once. In: a plan, sizes and hooks. Out: its launches with everything but their
// buffers and the numbers of their hooks. The one idea: programs do the same at the same sizes again and again, so that
// an operation costs the host a look-up.
import { folded, hookWidth, withHook, withParams, type Hook } from '../fusion/adapted-text.ts'
import { refuse } from '../error.ts'
import type { Memory } from './memory.ts'
import {
  evaluateAtSizes,
  plansOf,
  type Kind,
  type Recipe,
  type RecipeLaunch,
  type RecipePlan,
  type RecipeVariant,
  type Sizes,
} from '../recipe.ts'

/** What a launch must do at least: bytes moved to and from memory, floating-point operations. */
export interface Cost {
  readonly bytes: number
  readonly flop: number
}

export interface Work {
  /** The recipe's name: pipelines are kept under it. */
  readonly module: string
  readonly recipe: Recipe
  readonly plan: string
  readonly sizes: Sizes
  readonly arrays: Readonly<Record<string, Memory>>
  readonly cost: Cost
  readonly hooks?: readonly Hook[]
  /** Stands for everything of the hooks but their buffers and numbers. */
  readonly hookKey?: string
}

/** A launch of a plan for some sizes: everything but its buffers and the numbers of hooks. */
export interface PreparedLaunch {
  readonly name: string
  /** Of the pipeline. */
  readonly key: string
  readonly text: (hooks: readonly Hook[]) => string
  readonly entry: string
  readonly kinds: readonly Kind[]
  readonly uniform: boolean
  /** Values of the plan's parameters, and the grid that a folded one stands for; numbers of hooks are between them. */
  readonly sizes: readonly number[]
  readonly wanted: readonly number[]
  readonly grid: readonly [number, number, number]
  /** Its arrays, and which of them it writes; which of the work's hooks it has. */
  readonly arrays: readonly string[]
  readonly writes: readonly boolean[]
  readonly hooked: readonly boolean[]
}

/** What a work with such sizes and hooks launches, and its scratch memory in bytes. */
export interface PreparedJob {
  readonly sizes: Sizes
  readonly hookKey: string | undefined
  readonly halves: string
  readonly launches: readonly PreparedLaunch[]
  readonly temps: readonly (readonly [name: string, bytes: number])[]
}

/** f16, where it is used (`half.ts`): buffers that hold it, texts with arrays of it, its numbers. */
export interface Half {
  readonly buffers: WeakSet<Memory>
  text(text: string, names: readonly string[]): string
  numbers(bytes: ArrayBuffer): Float32Array<ArrayBuffer>
}

/** Bytes of a launch's parameters at most. */
export const slot = 256
/** Sizes of a plan whose launches are kept. */
const mostJobs = 64

export const none: readonly never[] = []

export class Jobs {
  /** Set by the first tensor of f16 (`half.ts`). */
  half: Half | null = null
  readonly #limits: GPUSupportedLimits
  readonly #longestGrid: number
  readonly #known = new WeakMap<RecipePlan, PreparedJob[]>()

  constructor(limits: GPUSupportedLimits, longestGrid: number) {
    this.#limits = limits
    this.#longestGrid = longestGrid
  }

  /** Whether the device can run a variant for these sizes. */
  possible(v: RecipeVariant, sizes: Sizes): boolean {
    const {
      maxComputeInvocationsPerWorkgroup: threads,
      maxComputeWorkgroupSizeX: x,
      maxComputeWorkgroupStorageSize: shared,
    } = this.#limits
    return (
      (v.when === null || evaluateAtSizes(v.when, sizes) !== 0) &&
      v.launches.every((l) => l.threads <= Math.min(threads, x) && l.shared <= shared)
    )
  }

  /** The launches of a work. */
  of(work: Work, hooks: readonly Hook[]): PreparedJob {
    const plan = plansOf(work.recipe)[work.plan] ?? refuse('internal.plan', `there is no plan ${work.plan}`)
    const halves = this.#halvesOf(work, hooks),
      jobs = this.#known.get(plan) ?? []
    const known = jobs.find((j) => j.hookKey === work.hookKey && j.halves === halves && alike(j.sizes, work.sizes))
    if (known) return known
    const variant =
      plan.variants.find((v) => this.possible(v, work.sizes)) ??
      refuse('device.limits', `this device cannot run ${work.module}: its workgroups are too small`)
    const made = {
      sizes: work.sizes,
      hookKey: work.hookKey,
      halves,
      launches: variant.launches.map((launch) => this.#launchOf(work, launch, hooks, halves.split(' '))),
      temps: plan.temps.map(([name, elements]) => [name, 4 * evaluateAtSizes(elements, work.sizes)] as const),
    }
    this.#known.set(plan, [...jobs.slice(1 - mostJobs), made])
    return made
  }

  /** Names of the arrays that hold f16. */
  #halvesOf(work: Work, hooks: readonly Hook[]): string {
    if (!this.half) return ''
    const all = [
      ...Object.entries(work.arrays),
      ...hooks.flatMap((h) => h.bindings.map((b) => [b.name, b.buffer] as const)),
    ]
    return all
      .filter(([, buffer]) => this.half!.buffers.has(buffer))
      .map(([name]) => name)
      .join(' ') // just seen
  }

  #launchOf(work: Work, launch: RecipeLaunch, all: readonly Hook[], halved: readonly string[]): PreparedLaunch {
    const plain = launch.text
    const hooked = all.map((h) => hookWidth(plain, h.array) > 0),
      hooks = all.filter((_, i) => hooked[i])
    const wanted = launch.grid.map((v) => evaluateAtSizes(v, work.sizes)) as [number, number, number] // three axes
    const most = this.#longestGrid
    const fold = wanted.some((n) => n > most)
    const total = wanted[0] * wanted[1] * wanted[2]
    const rows = Math.ceil(total / most)
    if (rows > most)
      refuse(
        'device.grid',
        `${work.module} needs ${total} workgroups, and this device allows ${most} × ${most}`,
        'work on parts of the arrays',
      )
    const extra = hooks.flatMap((h) => h.bindings),
      arrays = launch.bind.map(([name]) => name)
    const given = launch.params.length > 0,
      uniform = given || fold || hooks.some((h) => h.fields.length > 0)
    const halves = [...arrays, ...extra.map((b) => b.name)].filter((name) => halved.includes(name))
    const text = (own: readonly Hook[]): string => {
      let at = launch.bind.length + (uniform ? 1 : 0)
      let fused = uniform && !given ? withParams(plain, launch.bind.length) : plain
      for (const h of own) {
        fused = withHook(fused, h, at)
        at += h.bindings.length
      }
      if (halves.length > 0) fused = this.half!.text(fused, halves) // halves are known by it
      return fold ? folded(fused) : fused
    }
    const count = arrays.length + extra.length,
      mostBuffers = this.#limits.maxStorageBuffersPerShaderStage
    const fields = launch.params.length + hooks.reduce((n, h) => n + h.fields.length, 0) + 3
    if (count > mostBuffers || fields > slot / 4) {
      refuse(
        'device.operands',
        `${work.module} would need ${count} arrays and ${fields} parameters at once, and this device allows ` +
          `${mostBuffers} and ${slot / 4}`,
        'split the expression',
      )
    }
    return {
      name: `${work.module} ${work.plan}${launch.name === work.module ? '' : ` ${launch.name}`}`,
      entry: launch.name,
      text,
      uniform,
      arrays,
      hooked,
      key: `${work.module}/${launch.number}/${hooks.length > 0 ? work.hookKey : ''}/${fold}/${halves}`,
      kinds: [
        ...launch.bind.map(([, kind]) => kind),
        ...(uniform ? ['uniform' as const] : []),
        ...extra.map((b) => (b.constant ? ('constant' as const) : ('read' as const))),
      ],
      writes: launch.bind.map(([, kind]) => kind === 'read-write'),
      sizes: launch.params.map((name) => evaluateAtSizes(name, work.sizes)),
      wanted: fold ? wanted : [],
      grid: fold ? [Math.min(total, most), rows, 1] : wanted,
    }
  }
}

/** Whether two works have the same sizes. */
function alike(a: Sizes, b: Sizes): boolean {
  for (const name in a) if (a[name] !== b[name]) return false
  return true
}
