// In: the programs of the repository (examples, bench/everyday, the library, the cases of the C front end), and
// PolyBench where a path is given. Out: a folder with all that the compiler makes of each, and a file of hashes per
// program; or, with `--compare A B`, what differs between two such folders, byte for byte. The one idea: a change of
// structure leaves every text as it was. No device, no clock, no search by the model: points are the ladder's, the
// likely ones and a few of the space by seed. npx tsx tools/identity.ts OUT [--some N] [--polybench FOLDER] npx tsx
// tools/identity.ts --compare A B
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { kernelOf, sourcesIn } from '../bench/polybench/sources.ts'
import { DiagnosticError, random } from '../src/base/index.ts'
import { launchFile } from '../src/cli/commands/explain.ts'
import { includesOf, parserFiles } from '../src/cli/files.ts'
import { emitPlan } from '../src/emit/index.ts'
import { explain } from '../src/explain/index.ts'
import { parseC } from '../src/frontend/c/index.ts'
import { gpu } from '../src/gpus/index.ts'
import { printProgram, type Plan, type Program } from '../src/ir/index.ts'
import { analyse, build, type Analysed } from '../src/pipeline.ts'
import type { Point } from '../src/schedule/index.ts'
import { chipOf, plannedValues } from '../src/tune/index.ts'
import { planOf, prepare, specs } from './kernels.ts'

const root = resolve(import.meta.dirname, '..')
const profile = gpu('h200')
/** Points per part beside the two ends of its ladder: what the sizes make likely, and others by seed. */
const likelyPoints = 1,
  otherPoints = 1
const seed = 1

/** What is made of one program: texts by the names of their files. */
type Texts = Readonly<Record<string, string>>

interface Subject {
  readonly name: string
  readonly texts: () => Promise<Texts>
}

// ── what is made of a program ─────────────────────────────────────────────────────────────────────────────────────

/** Values as text: maps as lists of pairs, numbers that JSON does not have by their names. */
const textOf = (value: unknown): string =>
  JSON.stringify(
    value,
    (_, v: unknown) => {
      if (v instanceof Map) return [...v]
      if (typeof v === 'bigint') return `${v}n`
      return typeof v === 'number' && !Number.isFinite(v) ? String(v) : v
    },
    1,
  )

/** `make`, or the user's error that it ends with. Other errors are ours and are said by name. */
async function orError(make: () => Promise<Texts> | Texts): Promise<Texts> {
  try {
    return await make()
  } catch (e) {
    if (e instanceof DiagnosticError) return { 'error.txt': e.message }
    return { 'error.txt': `internal: ${e instanceof Error ? e.message : String(e)}` }
  }
}

const analysedText = (a: Analysed): string =>
  [
    printProgram(a.program),
    ...a.parts.map(
      (p, i) => `part ${i}: ${textOf({ nest: p.nest.kind, why: p.nest.kind === 'nest' ? '' : p.nest.why })}`,
    ),
    ...a.parts.map(({ sketch: s }, i) => `sketch ${i}: ${s.name} ${s.space.length} ${textOf(s.ladder)}`),
    textOf({ order: a.order, hosted: a.hosted.map((h) => ({ ...h, loop: h.loop.name })), products: a.products }),
  ].join('\n')

/** The choices for all parts that are built: names and a point per part. */
function choices(a: Analysed): readonly (readonly [string, readonly Point[]])[] {
  const r = random(seed)
  const values = plannedValues(a.source)
  const each = (of: (p: Analysed['parts'][number]) => Point | undefined): readonly Point[] =>
    a.parts.map((p) => of(p) ?? p.sketch.ladder[0]!.point) // ladders have a rung
  const likely = a.parts.map(({ sketch }) => sketch.likely?.(values, profile.multiprocessors) ?? [])
  const all: (readonly [string, readonly Point[]])[] = [
    ['first', each((p) => p.sketch.ladder[0]?.point)],
    ['last', each((p) => p.sketch.ladder.at(-1)?.point)],
    ...Array.from({ length: likelyPoints }, (_, n) => {
      const points = a.parts.map((p, i) => likely[i]?.[n] ?? p.sketch.ladder.at(-1)!.point) // ladders have a rung
      return [`likely-${n}`, points] as const
    }),
    ...Array.from({ length: otherPoints }, (_, n) => {
      return [`seed-${n}`, each(({ sketch }) => sketch.space[r.int(0, Math.max(0, sketch.space.length - 1))])] as const
    }),
  ]
  const seen = new Set<string>()
  return all.filter(([, points]) => {
    const key = textOf(points)
    return !seen.has(key) && seen.add(key) !== undefined
  })
}

function planText(plan: Plan, target: 'wgsl' | 'cuda'): string {
  const emitted = emitPlan(plan, { targets: [target] })
  const variants = emitted.variants.map((v) => ({
    when: v.when,
    steps: v.steps,
    launches: v.launches.map((l) => ({ grid: l.grid, arguments: l.arguments, params: l.params })),
  }))
  const texts = new Set(emitted.variants.flatMap((v) => v.launches.map((l) => l.emitted?.[target]?.text ?? '')))
  return [textOf({ arrays: plan.arrays, sizes: plan.sizes, variants }), ...texts].join('\n\n')
}

function builtTexts(a: Analysed, points: readonly Point[], target: 'wgsl' | 'cuda'): string {
  const chip = chipOf(profile)
  try {
    if (target === 'wgsl') {
      const { plan, kernels } = build(a, points)
      return [planText(plan, 'wgsl'), ...kernels.map((k) => `${k.name}\n${k.steps.join('\n')}`)].join('\n\n')
    }
    const own = points.map((p, i) => a.parts[i]?.sketch.forCuda?.(p, chip) ?? p)
    return planText(build(a, own, { warp: 32, exact: 'asked' }).plan, 'cuda')
  } catch (e) {
    return e instanceof DiagnosticError ? e.message : `internal: ${e instanceof Error ? e.message : String(e)}`
  }
}

async function programTexts(read: () => Promise<Program>): Promise<Texts> {
  const program = await read()
  const texts: Record<string, string> = { 'source.loop': printProgram(program) }
  const analysed = await orError(() => {
    const a = analyse(program)
    texts['analysed.txt'] = analysedText(a)
    for (const [name, points] of choices(a)) {
      texts[`${name}.wgsl.txt`] = builtTexts(a, points, 'wgsl')
      texts[`${name}.cuda.txt`] = builtTexts(a, points, 'cuda')
    }
    return {}
  })
  return { ...texts, ...analysed }
}

// ── the programs ──────────────────────────────────────────────────────────────────────────────────────────────────

const wasm = parserFiles()

function cFile(path: string, name: string): Subject {
  const read = (): Promise<Program> =>
    parseC(readFileSync(path, 'utf8'), basename(path), { include: includesOf(path, []), wasm })
  return { name, texts: () => orError(() => programTexts(read)) }
}

const cFiles = (folder: string): readonly Subject[] =>
  readdirSync(join(root, folder))
    .filter((f) => f.endsWith('.c'))
    .sort()
    .map((f) => cFile(join(root, folder, f), `${basename(folder)}-${basename(f, '.c')}`))

const shaders = (folder: string): readonly Subject[] =>
  readdirSync(join(root, folder))
    .filter((f) => f.endsWith('.wgsl'))
    .sort()
    .map((f) => ({ name: `explain-${basename(folder)}-${basename(f, '.wgsl')}`, texts: () => shaderTexts(folder, f) }))

function shaderTexts(folder: string, file: string): Promise<Texts> {
  const path = join(root, folder, file)
  return orError(() => {
    const { grid, ...launch } = launchFile(path.replace(/\.wgsl$/, '.launch.json'))
    const source = { text: readFileSync(path, 'utf8'), file }
    return { 'explain.json': textOf(explain(source, { ...launch, grid: grid ?? [1, 1, 1] }, { gpu: profile })) }
  })
}

/** Cases of the C front end: small programs as loops, or the error that each ends with. All are one subject. */
const frontendCases = (file: string): Subject => ({
  name: basename(file).replace('.', '-'),
  texts: async () => {
    const out: string[] = []
    for (const text of readFileSync(join(root, file), 'utf8').trimEnd().split('\n\n')) {
      const [source = ''] = text.split('\n=>\n')
      const texts = await orError(async () => ({ out: printProgram(await parseC(source, 'test.c', { wasm })) }))
      out.push(source, '=>', ...Object.values(texts), '')
    }
    return { 'cases.txt': out.join('\n') }
  },
})

async function library(): Promise<readonly Subject[]> {
  const all = await specs()
  return all.flatMap(({ dir, spec }) =>
    Object.entries(spec).map(([name, plans]) => ({
      name: `library-${name}`,
      texts: () =>
        orError(async () => {
          const texts: Record<string, string> = {}
          for (const [key, plan] of Object.entries(plans))
            texts[`${key.replace(/[^\w-]/g, '_')}.txt`] = planText(await planOf(plan, dir), 'wgsl')
          return texts
        }),
    })),
  )
}

const polybench = (folder: string): readonly Subject[] =>
  sourcesIn(folder).map((source) => ({
    name: `polybench-${source.name}`,
    texts: () => orError(() => programTexts(() => kernelOf(source, 'LARGE', 'float'))),
  }))

async function subjects(polybenchFolder: string | undefined): Promise<readonly Subject[]> {
  return [
    ...cFiles('examples'),
    ...cFiles('bench/everyday'),
    frontendCases('test/c/accepted.cases'),
    frontendCases('test/c/refused.cases'),
    ...(await library()),
    ...shaders('examples/wgsl'),
    ...shaders('examples/catalogue'),
    ...(polybenchFolder === undefined ? [] : polybench(polybenchFolder)),
  ]
}

// ── folders of texts ──────────────────────────────────────────────────────────────────────────────────────────────

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

function write(out: string, name: string, texts: Texts): void {
  const folder = join(out, name)
  mkdirSync(folder, { recursive: true })
  for (const [file, text] of Object.entries(texts)) writeFileSync(join(folder, file), text)
  const hashes = Object.entries(texts).map(([file, text]) => `${hashOf(text)}  ${name}/${file}\n`)
  writeFileSync(join(out, `${name}.sha256`), hashes.sort().join(''))
}

const seconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

async function emitAll(out: string, some: number, polybenchFolder: string | undefined): Promise<void> {
  await prepare()
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const all = await subjects(polybenchFolder)
  const every = Math.max(1, Math.ceil(all.length / some))
  for (const subject of all.filter((_, i) => i % every === 0)) {
    const before = seconds()
    write(out, subject.name, await subject.texts())
    console.log(`${subject.name}  ${(seconds() - before).toFixed(1)} CPU s`)
  }
  console.log(`all in ${seconds().toFixed(0)} CPU s`)
}

/** Texts that differ or are in one folder alone, each with the first line that differs. */
function differences(a: string, b: string): readonly string[] {
  const listed = (folder: string): ReadonlyMap<string, string> =>
    new Map(
      readdirSync(folder)
        .filter((f) => f.endsWith('.sha256'))
        .flatMap((f) => readFileSync(join(folder, f), 'utf8').trim().split('\n'))
        .map((line) => [line.slice(66), line.slice(0, 64)]),
    )
  const [before, after] = [listed(a), listed(b)]
  const out: string[] = []
  const programs = new Set([...before.keys()].map((f) => dirname(f)))
  for (const [file, hash] of before) {
    if (!existsSync(join(b, `${dirname(file)}.sha256`))) continue // a smaller selection
    if (!after.has(file)) out.push(`${file}: only in ${a}`)
    else if (after.get(file) !== hash) out.push(`${file}: ${firstDifference(join(a, file), join(b, file))}`)
  }
  for (const file of after.keys())
    if (programs.has(dirname(file)) && !before.has(file)) out.push(`${file}: only in ${b}`)
  return out
}

function firstDifference(a: string, b: string): string {
  const [x, y] = [a, b].map((path) => readFileSync(path, 'utf8').split('\n')) as [string[], string[]] // two in, two out
  const line = x.findIndex((text, i) => text !== y[i])
  return `line ${line + 1}:\n  - ${x[line]?.slice(0, 160) ?? ''}\n  + ${y[line]?.slice(0, 160) ?? ''}`
}

function compare(a: string, b: string): void {
  const found = differences(a, b)
  const programs = (folder: string): ReadonlySet<string> =>
    new Set(readdirSync(folder).filter((f) => f.endsWith('.sha256')))
  const inBoth = [...programs(a)].filter((p) => programs(b).has(p)).length
  for (const line of found) console.log(line)
  console.log(`${inBoth} programs in both folders, ${found.length} texts differ`)
  process.exit(found.length > 0 || inBoth === 0 ? 1 : 0)
}

const args = process.argv.slice(2)
const option = (name: string): string | undefined => {
  const i = args.indexOf(name)
  return i < 0 ? undefined : args[i + 1]
}
if (args[0] === '--compare') compare(args[1] ?? '', args[2] ?? '')
else if (args[0] === undefined || args[0].startsWith('--')) {
  console.error('usage: npx tsx tools/identity.ts OUT [--some N] [--polybench FOLDER] | --compare A B')
  process.exit(2)
} else await emitAll(args[0], Number(option('--some') ?? Infinity), option('--polybench'))
