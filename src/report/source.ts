// In: a program as it was written. Out: what analysis found in it, for people: each nest's kind of reuse, and each loop
// as parallel, a reduction, or sequential with the dependence that makes it so. Facts only; they choose nothing here.
import { attempted, isInapplicable, whyInapplicable } from '../base/index.ts'
import {
  classify,
  loopFacts,
  type Dependence,
  readsOf,
  type LoopFact,
  type NestFact,
  type CarriedReduction,
} from '../analysis/index.ts'
import { someStmt, readsIn, mapStmts, type Loop, type LoopStmt, type Program } from '../ir/index.ts'
import type { Optimized } from '../tune/index.ts'
import { list } from './words.ts'

export interface LoopLine {
  readonly name: string
  readonly line: number | null
  /** Loops around it. */
  readonly depth: number
  readonly kind: LoopFact['kind']
  /** What it reduces, or what keeps it in order; empty for parallel loops. */
  readonly why: string
  /**
   * The dependence that keeps it in order: the lines of both ends and the iterations between them, where these are
   * known.
   */
  readonly blocker: Blocker | null
}

export interface Blocker {
  readonly array: string
  readonly kind: Dependence['kind']
  readonly from: number | null
  readonly to: number | null
  readonly distance: number | null
  /** It is there for certain. */
  readonly exact: boolean
}

export interface NestLine {
  readonly kind: NestFact['kind']
  readonly line: number | null
  /** Which arrays are read again along which loops. */
  readonly reuse: string
}

export interface SourceFacts {
  readonly nests: readonly NestLine[]
  readonly loops: readonly LoopLine[]
}

const tiledWords = {
  halo: 'blocks run several of its iterations on tiles with a halo',
  skewed: 'blocks run it in skewed boxes',
  block: 'one block runs it, its threads share each iteration',
  spans: 'blocks run many of its iterations on the elements that these reach',
  resident: 'all blocks run all of it, and meet after each sweep',
} as const satisfies Record<NonNullable<Optimized['hosted'][number]['tiled']>, string>

/** A loop's name without what sets it apart from names of schedules. */
const plain = (name: string): string => name.replace(/_+$/, '')

/** Who runs a loop that is not parallel: the host, or a thread; `undefined` for what was rewritten. */
export function runsWhere(l: LoopLine, result: Pick<Optimized, 'hosted' | 'parts'>): string | undefined {
  const same = (x: Loop): boolean => x.at?.line === l.line && plain(x.name) === plain(l.name)
  const host = result.hosted.find((h) => same(h.loop))
  if (host?.tiled) return tiledWords[host.tiled]
  if (host?.together)
    return (
      `the host runs it in blocks of ${host.together}: in order what depends on each other in a block, then at ` +
      `once what is left`
    )
  if (host) return host.steps ? 'the host runs it in steps of what may run together' : 'the host runs it'
  const part = result.parts.find((p) => p.inOrder.some(same))
  return (
    part &&
    (part.sketch === 'sequential'
      ? 'one thread runs it'
      : part.sketch === 'per-iteration'
        ? 'each thread runs it'
        : undefined)
  )
}

/**
 * The facts, or the sentence why there are none (programs too large to analyse). `result`: what became of the program,
 * which says whether a loop that only overwrites local variables runs in order all the same.
 */
export function sourceFacts(program: Program, result?: Pick<Optimized, 'hosted' | 'parts'>): SourceFacts | string {
  const facts = attempted((): SourceFacts => {
    const locals = localsIn(program)
    const loops = loopFacts(program).map((fact) => {
      const line = loopLine(fact)
      const own = result && runsWhere(line, result) === undefined ? ownOf(fact, locals) : undefined
      return own ? { ...line, kind: 'parallel' as const, why: own, blocker: null } : line
    })
    return { nests: classify(program).map(nestLine), loops }
  })
  return isInapplicable(facts) ? whyInapplicable(facts) : facts
}

/** Names of the variables that the program declares. */
function localsIn(program: Program): ReadonlySet<string> {
  const names = new Set<string>()
  mapStmts(
    program.body,
    (e) => e,
    (s) => {
      if (s.kind === 'declare') names.add(s.array.name)
      return [s]
    },
  )
  return names
}

/** Most variables that a line names. */
const mostNamed = 3

/**
 * Of a loop whose iterations each set their locals before they read them (privatisation takes such dependences away):
 * the locals, in words. `undefined` where something else keeps it in order.
 */
function ownOf(fact: LoopFact, locals: ReadonlySet<string>): string | undefined {
  const isOwn = (d: Dependence): boolean => locals.has(d.array) && isSetFirst(fact.loop.body, d.array)
  if (fact.kind !== 'sequential' || !fact.blockers.every(isOwn)) return undefined
  const names = [...new Set(fact.blockers.map((d) => d.array))],
    more = names.length - mostNamed
  return (
    `each iteration has its own ` +
    `${more > 0 ? `${names.slice(0, mostNamed).join(', ')} and ${more} more` : list(names)}`
  )
}

/** Whether `body` stores all of the variable `name` before anything in it reads it. */
function isSetFirst(body: readonly LoopStmt[], name: string): boolean {
  const using = body.filter((s) => mentions(s, name)),
    [first, more] = using
  if (first?.kind === 'store')
    return (
      first.array === name &&
      first.index.length === 0 &&
      !first.reduce &&
      !readsOf([first.value]).some((x) => x.array === name)
    )
  return first?.kind === 'loop' && !more && isSetFirst(first.body, name)
}

const mentions = (s: LoopStmt, name: string): boolean =>
  readsIn([s]).some((r) => r.array === name) || someStmt([s], (x) => x.kind === 'store' && x.array === name)

function loopLine(fact: LoopFact): LoopLine {
  const why =
    fact.kind === 'reduction'
      ? fact.reductions.map(reductionWords).join('; ')
      : fact.kind === 'sequential'
        ? blockerWords(fact.blockers)
        : ''
  return {
    name: fact.loop.name,
    line: fact.loop.at?.line ?? null,
    depth: fact.around.length,
    kind: fact.kind,
    why,
    blocker: fact.kind === 'sequential' ? blockerOf(fact.blockers[0]) : null,
  }
}

const reductionNames: Readonly<Record<CarriedReduction['op'], string>> = {
  add: 'sum',
  mul: 'product',
  min: 'minimum',
  max: 'maximum',
  and: 'bitwise and',
  or: 'bitwise or',
  xor: 'bitwise exclusive or',
  land: 'and',
  lor: 'or',
  argmin: 'position of the minimum',
  argmax: 'position of the maximum',
}

const reductionWords = (r: CarriedReduction): string =>
  `${reductionNames[r.op]} into ` +
  `${r.position ? list([r.array, r.position]) : r.array}${r.isUnsure ? ', as far as the analysis can tell' : ''}`

function blockerOf(d: Dependence | undefined): Blocker | null {
  if (!d) return null
  const lineOf = (a: Dependence['source']): number | null => a.at?.line ?? a.statement.at?.line ?? null
  return {
    array: d.array,
    kind: d.kind,
    from: lineOf(d.source),
    to: lineOf(d.sink),
    distance: d.level === null ? null : (d.vector[d.level]?.distance ?? null),
    exact: d.exact,
  }
}

/** Both ends in lines, when they are two. */
function linesOf(d: Dependence): string {
  const b = blockerOf(d)
  return b?.from == null || b.to == null || b.from === b.to ? '' : `, lines ${b.from} and ${b.to}`
}

/** The first thing that keeps a loop in order; others are counted. */
function blockerWords(blockers: readonly Dependence[]): string {
  const [first] = blockers
  if (!first) return ''
  const others = new Set(blockers.map((b) => b.array)).size - 1
  const verbs = {
    flow: 'an iteration reads what an earlier one wrote',
    anti: 'an iteration overwrites what an earlier one reads',
    output: 'an iteration overwrites what an earlier one wrote',
  } as const
  const distance = first.level === null ? null : (first.vector[first.level]?.distance ?? null)
  const how = distance !== null && Math.abs(distance) > 0 ? ` (distance ${Math.abs(distance)})` : ''
  const sure = first.exact ? '' : ', as far as the analysis can tell'
  const likewise = others > 0 ? `; likewise ${others} more ${others > 1 ? 'arrays' : 'array'}` : ''
  return `${first.array}: ${verbs[first.kind]}${how}${linesOf(first)}${sure}${likewise}`
}

function nestLine(fact: NestFact): NestLine {
  const { main } = fact
  const reused = main.reads.flatMap((r) =>
    r.reusedIn.length > 0
      ? [`${r.array} along ${list(r.reusedIn)}`]
      : r.window
        ? [`${r.array} in a window of ${r.window.map(([a, b]) => b - a + 1).join(' × ')}`]
        : [],
  )
  const transposed = main.reads
    .filter((r) => r.contiguous !== null && main.contiguous !== null && r.contiguous !== main.contiguous)
    .map((r) => `${r.array} runs along ${r.contiguous}, the result along ${main.contiguous}`)
  const reuse =
    reused.length > 0
      ? [...new Set(reused)].map((x, i) => (i === 0 ? x.replace(/^(\S+) /, '$1 is read again ') : x)).join(', ')
      : main.reads.length > 0
        ? 'every element is read once'
        : ''
  return {
    kind: fact.kind,
    line: main.write.at?.line ?? null,
    reuse: [reuse, ...(main.kind === 'transpose' ? transposed : [])].filter((s) => s !== '').join('; '),
  }
}
