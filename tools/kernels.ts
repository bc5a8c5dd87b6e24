// In: the folders of `src/kernels` (definitions in C, schedules as points). Out: one module of plans per operation in
// `src/kernels/made/`, which the library imports. The one idea: the whole compiler runs here, so that none of it is
// needed where the library runs. The same sources make the same bytes.
// Usage: tsx tools/kernels.ts [[--without] MODULE…]
import { mkdirSync, readdirSync, readFileSync, existsSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { emitPlan } from '../src/emit/index.ts'
import { loadParser, parseC } from '../src/frontend/c/index.ts'
import { bindingsOf, sharedBytesOf, type Expr, type Plan, type PlanLaunch } from '../src/ir/index.ts'
import {
  known,
  launchOf,
  type Given,
  type PackedRecipe,
  type RecipeLaunch,
  type Stored,
  type RecipeValue,
} from '../src/kernels/recipe.ts'
import type { PlanSpec, Spec } from '../src/kernels/spec.ts'
import { analyse, build, type Analysed } from '../src/pipeline.ts'
import { joinLaunches } from '../src/schedule/index.ts'
import { packTexts } from './pack.ts'

const folder = resolve(import.meta.dirname, '../src/kernels')
const require = createRequire(import.meta.url)

/** Texts by their number in a module. */
class Texts {
  readonly all: string[] = []
  add(text: string): number {
    const at = this.all.indexOf(text)
    return at >= 0 ? at : this.all.push(text) - 1
  }
}

/**
 * Modules that build on the first roots of another one, and how many these are: it is much like them, or is there
 * wherever they are. More roots make a module smaller, and its first launch slower.
 */
const bases: Readonly<Record<string, readonly [base: string, roots: number]>> = {
  argmax: ['map', 1],
  convolution: ['matmul', 2],
  histogram: ['map', 1],
  lines: ['map', 1],
  matmul: ['map', 1],
  max: ['sum', 6],
  nmf: ['matmul', 2],
  norm: ['sum', 0],
  planes: ['lines', 4],
  product: ['sum', 0],
  scan: ['map', 1],
  sum: ['map', 1],
  transpose: ['map', 1],
}
/** How many texts come first, where others build on more than the shortest: those of f32. */
const firsts: Readonly<Record<string, number>> = { sum: 15 }
/** A module and all that it builds on. */
const chainOf = (module: string): readonly string[] => {
  const base = bases[module]?.[0]
  return base === undefined ? [module] : [module, ...chainOf(base)]
}

/** The modules, what builds on them, and what all of these build on. */
function related(modules: readonly string[]): ReadonlySet<string> {
  const changed = [...modules, ...Object.keys(bases)].filter((m) => chainOf(m).some((b) => modules.includes(b)))
  return new Set(changed.flatMap(chainOf))
}

/** The module of each name in a spec; they build on `known` ones. */
export async function recipesOf(
  spec: Spec,
  dir: string,
  known: Readonly<Record<string, PackedRecipe>> = {},
): Promise<Readonly<Record<string, PackedRecipe>>> {
  const out: Record<string, PackedRecipe> = {}
  for (const [module, plans] of Object.entries(spec)) {
    const texts = new Texts()
    const made: Record<string, Stored['plans'][string]> = {}
    for (const [key, plan] of Object.entries(plans)) made[key] = recipePlan(await planOf(plan, dir), plan, texts)
    const shapes = texts.all.map((text): Stored['shapes'][number] => {
      const { threads, shared } = launchOf(0, text, [1, 1, 1])
      return [threads, shared]
    })
    const stored: Stored = { shapes, plans: made }
    const [name = '', roots = 0] = bases[module] ?? [],
      base = known[name]
    const packed = packTexts(texts.all, {
      first: firsts[module] ?? 0,
      ...(base && { base: { packed: base, roots } }),
    })
    out[module] = { ...packed, plans: JSON.stringify(stored) }
  }
  return out
}

export const planOf = async (spec: PlanSpec, dir: string): Promise<Plan> => (await madeOf(spec, dir)).plan

/**
 * The plan with its texts, and what it is made of: the program, and the plan with all its variants, before any are
 * joined or left out.
 */
export async function madeOf(
  spec: PlanSpec,
  dir: string,
): Promise<{ readonly analysed: Analysed; readonly full: Plan; readonly plan: Plan }> {
  const file = join(dir, spec.file)
  const program = await parseC(readFileSync(file, 'utf8'), spec.file, {
    ...(spec.defines && { defines: spec.defines }),
  })
  const analysed = analyse(program)
  const { plan: full } = build(analysed, spec.points, {
    exact: spec.keep?.includes('exact') ?? true,
    ...(spec.halves && { halves: true }),
  })
  const variants = kept(full, spec).map((v) =>
    spec.together ? { ...v, launches: [joinLaunches(v.launches, full.name)] } : v,
  )
  return { analysed, full, plan: emitPlan({ ...full, variants }, { targets: ['wgsl'], hooks: spec.hooks }) }
}

function kept(plan: Plan, spec: PlanSpec): Plan['variants'] {
  const names =
    plan.variants.length > 3
      ? ['exact', 'unaligned', 'vector', 'general']
      : ['exact', 'vector', 'general'].slice(3 - plan.variants.length)
  const wanted: readonly string[] = spec.keep ?? names
  if (spec.keep?.includes('exact') && plan.variants.length < 3)
    throw new Error(`${spec.file} has no variant for whole tiles`)
  return plan.variants.filter((_, i) => wanted.includes(names[i]!)) // as many names as variants
}

function recipePlan(plan: Plan, spec: PlanSpec, texts: Texts): Stored['plans'][string] {
  if (plan.scalars.length > 0) throw new Error(`${spec.file} has scalar parameters: fuse them instead`)
  return {
    temps: plan.arrays
      .filter((a) => a.role === 'temp')
      .map((a) => [a.name, a.shape.map(valueOf).reduce((x, y) => ['mul', x, y], 1)]),
    variants: plan.variants.map((v) => ({
      when: v.when && valueOf(v.when),
      launches: v.launches.map((l) => stored(l, texts)),
    })),
  }
}

/**
 * The number of a launch's text, its grid and parameters that are no sizes; throws unless the text says everything else
 * as the plan does.
 */
function stored(l: PlanLaunch, texts: Texts): readonly [number, RecipeValue, RecipeValue, RecipeValue, Given?] {
  const grid = l.grid.map(valueOf) as [RecipeValue, RecipeValue, RecipeValue] // three axes
  const text = l.emitted?.wgsl?.text ?? ''
  const values = Object.entries(l.params).map(([name, e]) => [name, valueOf(e)] as const),
    given = Object.fromEntries(values.filter(([name, v]) => v !== name))
  const said = launchOf(0, text, grid, given)
  const planned: RecipeLaunch = {
    name: l.emitted?.wgsl?.entry ?? '',
    number: 0,
    text,
    grid,
    bind: bindingsOf(l.kernel).map((b) => [l.arguments[b.resource.name] ?? '', b.kind]),
    params: l.kernel.params.map((p) => valueOf(l.params[p.name]!)), // every parameter has a value
    threads: l.kernel.block.reduce((a, b) => a * b),
    shared: sharedBytesOf(l.kernel),
  }
  if (JSON.stringify(said) !== JSON.stringify(planned))
    throw new Error(
      `${l.kernel.name}: its text does not say what its plan does: ${JSON.stringify({ ...said, text: '' })}, ` +
        `${JSON.stringify({ ...planned, text: '' })}`,
    )
  const launch = [texts.add(text), ...grid] as const
  return Object.keys(given).length > 0 ? [...launch, given] : launch
}

function valueOf(e: Expr): RecipeValue {
  switch (e.kind) {
    case 'const':
      return Number(e.value)
    case 'size':
      return e.name
    case 'op':
      if (!known.includes(e.op)) throw new Error(`a plan holds ${e.op}, which src/kernels/recipe.ts does not know`)
      return [e.op, ...e.args.map(valueOf)]
    case 'choose':
      return ['select', valueOf(e.condition), valueOf(e.then), valueOf(e.else)]
    case 'scalar':
    case 'var':
    case 'read':
      throw new Error(`a plan expression holds a ${e.kind}`)
  }
}

/** The text of a generated module. */
export const moduleText = (name: string, { base, ...recipe }: PackedRecipe): string =>
  `// Made by tools/kernels.ts: the plans of ${name} as data.
import { recipeOf } from '../device/plan-launches.ts'
${base ? `import { packed as base } from './${bases[name]?.[0]}.made.js'\n` : ''}\
export const packed = ${base ? `{ base, ...${JSON.stringify(recipe)} }` : JSON.stringify(recipe)}
export const recipe = /* @__PURE__ */ recipeOf(packed)
`

/** All specs: folder and spec. */
export async function specs(): Promise<readonly { readonly dir: string; readonly spec: Spec }[]> {
  const dirs = readdirSync(folder)
    .map((d) => join(folder, d))
    .filter((d) => existsSync(join(d, 'kernel.ts')))
    .sort()
  const all = await Promise.all(
    dirs.map(async (dir) => ({ dir, spec: ((await import(join(dir, 'kernel.ts'))) as { spec?: Spec }).spec })),
  ) // what such a file exports
  return all.flatMap(({ dir, spec }) => (spec ? [{ dir, spec }] : []))
}

/** Reads the C parser's WebAssembly once. */
export async function prepare(): Promise<void> {
  const wasm = (name: string): Uint8Array => readFileSync(require.resolve(name))
  await loadParser({
    runtime: wasm('web-tree-sitter/web-tree-sitter.wasm'),
    grammar: wasm('tree-sitter-c/tree-sitter-c.wasm'),
  })
}

if (process.argv[1]?.endsWith('kernels.ts')) {
  const given = process.argv.slice(2),
    others = given[0] === '--without',
    only = others ? given.slice(1) : given
  await prepare()
  mkdirSync(join(folder, 'made'), { recursive: true })
  const made: Record<string, PackedRecipe> = {}
  const all = (await specs())
    .flatMap(({ dir, spec }) => Object.entries(spec).map(([name, plans]) => ({ dir, name, plans })))
    .sort((a, b) => chainOf(a.name).length - chainOf(b.name).length)
  const asked = related(only),
    rest = all.map(({ name }) => name).filter((name) => !asked.has(name))
  const wanted = others || only.length === 0 ? new Set(rest.flatMap(chainOf)) : asked
  for (const { dir, name, plans } of all) {
    if (!wanted.has(name)) continue
    made[name] = (await recipesOf({ [name]: plans }, dir, made))[name]! // asked for
    writeFileSync(join(folder, 'made', `${name}.made.js`), moduleText(name, made[name]))
  }
}
