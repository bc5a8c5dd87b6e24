// What a plan launches, worked out once. In: a module of packed plans, then works: a plan, sizes and hooks. Out: their
// launches with everything but their buffers and the numbers of their hooks. The one idea: programs do the same at the
// same sizes again and again, so that an operation costs the host a look-up.
import { folded, hookWidth, withHook, withParams, type Hook } from '../fusion/adapted-text.ts'
import { refuse } from '../error.ts'
import {
  evaluateAtSizes,
  plansOf,
  type PackedRecipe,
  type Plans,
  type RecipeLaunch,
  type RecipePlan,
  type RecipeVariant,
  type Sizes,
} from '../recipe.ts'
import {
  slot,
  type LaunchCore,
  type PreparedJob,
  type PreparedLaunch,
  type Recipe,
  type Work,
} from './prepared-launches.ts'

/** Sizes of a plan whose launches are kept. */
const mostJobs = 64

/** The plans of a module, each unpacked when it is asked for. */
export function recipeOf(packed: PackedRecipe): Recipe {
  let plans: Plans | undefined
  const planOf = (name: string): RecipePlan | undefined => (plans ??= plansOf(packed))[name],
    known = new WeakMap<LaunchCore, WeakMap<RecipePlan, PreparedJob[]>>()
  return {
    fits: (core, plan, sizes) => planOf(plan)?.variants.some((v) => isPossible(core, v, sizes)) ?? false,
    job(core, work, hooks) {
      const plan = planOf(work.plan) ?? refuse('internal.plan', `there is no plan ${work.plan}`)
      let own = known.get(core)
      if (!own) known.set(core, (own = new WeakMap()))
      const halves = halvesOf(core, work, hooks),
        jobs = own.get(plan) ?? []
      const same = jobs.find((j) => j.hookKey === work.hookKey && j.halves === halves && alike(j.sizes, work.sizes))
      if (same) return same
      const made = jobOf(core, work, plan, hooks, halves)
      own.set(plan, [...jobs.slice(1 - mostJobs), made])
      return made
    },
  }
}

/** Whether the device can run a variant for these sizes. */
function isPossible({ device: { limits } }: LaunchCore, v: RecipeVariant, sizes: Sizes): boolean {
  const {
    maxComputeInvocationsPerWorkgroup: threads,
    maxComputeWorkgroupSizeX: x,
    maxComputeWorkgroupStorageSize: shared,
  } = limits
  return (
    (v.when === null || evaluateAtSizes(v.when, sizes) !== 0) &&
    v.launches.every((l) => l.threads <= Math.min(threads, x) && l.shared <= shared)
  )
}

/** The launches of a work. */
function jobOf(core: LaunchCore, work: Work, plan: RecipePlan, hooks: readonly Hook[], halves: string): PreparedJob {
  const variant =
    plan.variants.find((v) => isPossible(core, v, work.sizes)) ??
    refuse('device.limits', `this device cannot run ${work.module}: its workgroups are too small`)
  return {
    sizes: work.sizes,
    hookKey: work.hookKey,
    halves,
    launches: variant.launches.map((launch) => launchOf(core, work, launch, hooks, halves.split(' '))),
    temps: plan.temps.map(([name, elements]) => [name, 4 * evaluateAtSizes(elements, work.sizes)] as const),
  }
}

/** Names of the arrays that hold f16. */
function halvesOf({ half }: LaunchCore, work: Work, hooks: readonly Hook[]): string {
  if (!half) return ''
  const all = [
    ...Object.entries(work.arrays),
    ...hooks.flatMap((h) => h.bindings.map((b) => [b.name, b.buffer] as const)),
  ]
  return all
    .filter(([, buffer]) => half.buffers.has(buffer))
    .map(([name]) => name)
    .join(' ')
}

function launchOf(
  core: LaunchCore,
  work: Work,
  launch: RecipeLaunch,
  all: readonly Hook[],
  halved: readonly string[],
): PreparedLaunch {
  const plain = launch.text
  const hooked = all.map((h) => hookWidth(plain, h.array) > 0),
    hooks = all.filter((_, i) => hooked[i])
  const wanted = launch.grid.map((v) => evaluateAtSizes(v, work.sizes)) as [number, number, number] // three axes
  const most = core.longestGrid
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
    if (halves.length > 0) fused = core.half!.text(fused, halves) // halves are known by it
    return fold ? folded(fused) : fused
  }
  const count = arrays.length + extra.length,
    mostBuffers = core.device.limits.maxStorageBuffersPerShaderStage
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

/** Whether two works have the same sizes. */
function alike(a: Sizes, b: Sizes): boolean {
  for (const name in a) if (a[name] !== b[name]) return false
  return true
}
