// In: the compiler as one file (a bundle that names its parts), a seed, how many. Out: what became of so many small
// faults planted in its schedules, its lowering and its emitters, one at a time: found by the proof, refused by another
// check, without effect on the fixed set of programs, or survived; and of those that survived whether they mean the
// same: an unharmed compiler runs their plans and texts at sizes and on data that no proof has tried. The one idea
// (mutation testing; DeMillo, Lipton and Sayward 1978): a check is worth what it finds.
//   npx esbuild bench/mutation/subject.ts --bundle --platform=node --format=esm --external:webgpu --external:koffi \
//     --outfile=out/subject.mjs
//   node out/mutate.mjs out/subject.mjs 1 300 OUT.json FILE.c…      (mutate.ts bundled the same way, or run by tsx)
import { execFile, execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { random } from '../../src/base/index.ts'
import { countFrom, secondsFrom, seedFrom, someOf } from '../arguments.ts'
import type { Judgement, Verdict } from './subject.ts'

/** A place where a fault can be planted. */
interface Site {
  readonly at: number
  readonly length: number
  readonly text: string
  readonly file: string
  readonly line: number
  readonly kind: string
}

/** V8's coverage: how often parts of a script ran; of parts inside of each other the inner one counts. */
interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}
interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly { readonly ranges: readonly Range[] }[]
  }[]
}

/** What is looked for in code, and what stands there afterwards. */
const faults: readonly { readonly kind: string; readonly found: RegExp; readonly by: (match: string) => string }[] = [
  { kind: 'sign', found: / \+ (?=[\w(])/g, by: () => ' - ' },
  { kind: 'sign', found: / - (?=[\w(])/g, by: () => ' + ' },
  { kind: 'bound', found: / < (?=[\w(])/g, by: () => ' <= ' },
  { kind: 'bound', found: / <= (?=[\w(])/g, by: () => ' < ' },
  { kind: 'bound', found: / > (?=[\w(])/g, by: () => ' >= ' },
  { kind: 'bound', found: / >= (?=[\w(])/g, by: () => ' > ' },
  { kind: 'comparison', found: / === (?=[\w("])/g, by: () => ' !== ' },
  { kind: 'condition', found: / && (?=[\w(!])/g, by: () => ' || ' },
  { kind: 'condition', found: / \|\| (?=[\w(!])/g, by: () => ' && ' },
  { kind: 'operation', found: /"lt"/g, by: () => '"le"' },
  { kind: 'operation', found: /"ge"/g, by: () => '"gt"' },
  { kind: 'operation', found: /"add"/g, by: () => '"sub"' },
  { kind: 'operation', found: /"mul"/g, by: () => '"add"' },
  { kind: 'operation', found: /"div"/g, by: () => '"rem"' },
  { kind: 'operation', found: /"min"/g, by: () => '"max"' },
  { kind: 'operation', found: /"land"/g, by: () => '"lor"' },
  { kind: 'operand', found: /\bsub\(([\w.]+), ([\w.]+)\)/g, by: (m) => m.replace(/\((.*), (.*)\)/, '($2, $1)') },
  { kind: 'operation', found: /\badd\((?=[\w.]+, )/g, by: () => 'sub(' },
  { kind: 'operation', found: /\bmul\((?=[\w.]+, )/g, by: () => 'add(' },
  { kind: 'number', found: /\bint\((0|1)\)/g, by: (m) => (m.includes('0') ? 'int(1)' : 'int(2)') },
  { kind: 'barrier', found: /\{ kind: "barrier"/g, by: () => '{ kind: "barrier-left-out"' },
  { kind: 'text', found: /"workgroupBarrier\(\);"|"__syncthreads\(\);"/g, by: () => '""' },
  {
    kind: 'text',
    found: /infix\("([<>+*-])"/g,
    by: (m) => m.replace(/"(.)"/, (_, c: string) => `"${{ '<': '<=', '>': '>=', '+': '-', '*': '+', '-': '+' }[c]}"`),
  },
]

const planted = /^\/\/ (?:\.\.\/)*(src\/(?:analysis|emit|pipeline|schedule|transform)\/.*|src\/pipeline\.ts)$/
const partMark = /^\/\/ (?:\.\.\/)*[\w@./-]+\.(?:ts|js|mjs|cjs)$/

/** Every place of the bundle where a fault can be planted. */
function sitesIn(bundle: string): readonly Site[] {
  const sites: Site[] = []
  let file: string | undefined
  let at = 0
  let line = 0
  for (const text of bundle.split('\n')) {
    line++
    if (partMark.test(text)) {
      file = planted.exec(text)?.[1]
      line = 0
    } else if (file && !/^\s*(?:\/\/|\/?\*)/.test(text)) {
      for (const f of faults)
        for (const m of text.matchAll(f.found))
          sites.push({ at: at + m.index, length: m[0].length, text: f.by(m[0]), file, line, kind: f.kind })
    }
    at += text.length + 1
  }
  return sites
}

const [bundleFile = '', firstSeed, howMany, out = 'mutation.json', ...programs] = process.argv.slice(2)
const seed = seedFrom(firstSeed, 1)
const wanted = countFrom(howMany, 300)
const files = someOf(programs, 'C file')
const bundle = readFileSync(bundleFile, 'utf8')
const folder = dirname(resolve(bundleFile))
const deadline = Date.now() + secondsFrom(process.env['LIMIT_S'], 3600) * 1000
const runSeconds = 120

const baseline = join(folder, 'baseline.json')
const reached = join(folder, 'reached.json')
if (!isNewer(baseline) || !isNewer(reached)) makeBaseline()

/** Whether an earlier run with this bundle has left the file. */
function isNewer(file: string): boolean {
  return existsSync(file) && statSync(file).mtimeMs > statSync(bundleFile).mtimeMs
}

/** What the unharmed compiler makes, and what of it is reached on the way. */
function makeBaseline(): void {
  const coverage = mkdtempSync(join(folder, 'coverage-'))
  const environment = { ...process.env, NODE_V8_COVERAGE: coverage }
  const args = [bundleFile, '-', '-', ...files]
  writeFileSync(baseline, execFileSync(process.execPath, args, { encoding: 'utf8', env: environment }))
  const [file] = someOf(readdirSync(coverage), 'coverage')
  copyFileSync(join(coverage, file!), reached)
  rmSync(coverage, { recursive: true })
}

/** Parts of the bundle that no program of the set reaches; faults there would say nothing. */
function unreached(): readonly Range[] {
  const { result } = JSON.parse(readFileSync(reached, 'utf8')) as Coverage // V8's own form
  const script = result.find((r) => basename(r.url) === basename(bundleFile))
  return script?.functions.flatMap((f) => f.ranges.filter((r) => r.count === 0)) ?? []
}

interface Row {
  readonly site: Omit<Site, 'at' | 'length'>
  readonly was: string
  readonly verdict: Verdict
  /** Of a survivor. */
  readonly judgement?: Judgement
}

/** The last line that a run prints, or why there is none. */
const answerOf = (args: readonly string[]): Promise<{ readonly json?: string; readonly why: string }> =>
  new Promise((done) => {
    const options = { timeout: runSeconds * 1000, maxBuffer: 2 ** 26, encoding: 'utf8' } as const
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const last = stdout.trim().split('\n').at(-1) ?? ''
      const said = /^\w*Error\b.*$|^.*heap out of memory.*$/m.exec(stderr)?.[0] ?? error?.message
      const why = error?.killed ? 'no end' : (said?.slice(0, 300) ?? 'no answer')
      done(last.startsWith('{') ? { json: last, why } : { why })
    })
  })

async function judged(site: Site, worker: number): Promise<Row> {
  const path = join(folder, `mutant-${worker}.mjs`)
  const plans = join(folder, `plans-${worker}.json`)
  writeFileSync(path, bundle.slice(0, site.at) + site.text + bundle.slice(site.at + site.length))
  const was = bundle
    .slice(bundle.lastIndexOf('\n', site.at) + 1, bundle.indexOf('\n', site.at))
    .trim()
    .slice(0, 200)
  const { at: _, length: __, ...rest } = site
  const { json, why } = await answerOf([path, baseline, plans, ...files])
  // printed by the subject
  const verdict: Verdict = json ? (JSON.parse(json) as Verdict) : { outcome: 'refusal', programs: [], why }
  if (verdict.outcome !== 'survived') return { site: rest, was, verdict }
  const answer = await answerOf([bundleFile, 'judge', plans, ...files])
  const judgement: Judgement = answer.json
    ? (JSON.parse(answer.json) as Judgement)
    : { outcome: 'unjudged', runs: 0, why: answer.why }
  if (judgement.outcome === 'unjudged')
    renameSync(plans, join(folder, `unjudged-${rest.line}-${basename(rest.file)}.json`))
  return { site: rest, was, verdict, judgement }
}

const r = random(seed)
const dead = unreached()
const isReached = (s: Site): boolean => !dead.some((d) => d.startOffset <= s.at && s.at < d.endOffset)
const everywhere = sitesIn(bundle)
const sites = someOf(everywhere.filter(isReached), 'place for a fault')
const drawn = new Set<Site>()
const rows: Row[] = []
const effective = (): number => rows.filter((x) => x.verdict.outcome !== 'unchanged').length

async function work(worker: number): Promise<void> {
  while (effective() < wanted && Date.now() < deadline && drawn.size < sites.length) {
    const site = sites[r.int(0, sites.length - 1)]! // there are some
    if (drawn.has(site)) continue
    drawn.add(site)
    rows.push(await judged(site, worker))
    writeFileSync(out, JSON.stringify(rows))
  }
}

const count = (outcome: Verdict['outcome']): number => rows.filter((x) => x.verdict.outcome === outcome).length
const survivors = (outcome: Judgement['outcome']): readonly Row[] =>
  rows.filter((x) => x.judgement?.outcome === outcome)

/** Prints what became of the faults so far. */
function tell(): void {
  const holes = survivors('wrong').length
  const caught = count('proof') + count('refusal')
  console.log(
    `${everywhere.length} places, ${sites.length} that the programs reach, ${rows.length} faults planted: ` +
      `${count('unchanged')} without effect, ${count('proof')} found by the proof, ${count('refusal')} refused ` +
      `by other checks, ${count('survived')} survived: ${survivors('same').length} mean the same, ` +
      `${survivors('host').length} in texts of host functions alone, ${survivors('unjudged').length} not judged, ` +
      `${holes} wrong; ` +
      `${((100 * caught) / Math.max(1, caught + holes)).toFixed(1)} % of ${caught + holes} wrong ones found`,
  )
  for (const x of [...survivors('wrong'), ...survivors('unjudged'), ...survivors('host'), ...survivors('same')])
    console.log(
      `${x.judgement?.outcome} ${x.site.file}:${x.site.line} ${x.site.kind} -> '${x.site.text.trim()}' ` +
        `[${x.verdict.programs.join(' ')}] ${x.was}${x.judgement?.why ? ` | ${x.judgement.why}` : ''}`,
    )
}

// What was found is told, too, when somebody ends the process.
process.on('SIGTERM', () => {
  tell()
  process.exit(1)
})
await Promise.all(Array.from({ length: availableParallelism() }, (_, i) => work(i)))
tell()
