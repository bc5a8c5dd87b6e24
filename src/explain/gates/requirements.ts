// Gates on figures. In: a requirement as people write it (`each read of input sectorsPerRequest <= 4`) and a report.
// Out: why it is not met, or nothing. The grammar:
//   requirement = figure relation number [unit]
//   figure      = time | occupancy | … | space.op.sum | "each" filter* sum      (`each`: of every access that passes
// the filters)
//   filter      = read | write | atomic | global | shared | constant | local | "of" NAME
// Errors point at the word. What a GPU's makers do not document cannot be required: that is said, and fails.
import { fail } from '../../base/index.ts'
import type { AccessJson, ExplainReport, SumJson } from '../types.ts'

export interface Requirement {
  readonly text: string
  readonly figure: (r: ExplainReport) => readonly Figure[]
  readonly relation: Relation
  /** In the unit of the figure. */
  readonly bound: number
}

/** A value and what it is of; null: unknown. */
interface Figure {
  readonly of: string
  readonly value: number | null
}

const relations = {
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
  '=': (a: number, b: number) => a === b,
} as const
type Relation = keyof typeof relations

const kernelFigures: Readonly<Record<string, (r: ExplainReport) => number | null>> = {
  time: (r) => r.prediction.ns,
  occupancy: (r) => r.occupancy.occupancy,
  warpEfficiency: (r) => r.warpEfficiency,
  branchEfficiency: (r) => r.branchEfficiency,
  registers: (r) => r.occupancy.registers.perThread,
  instructions: (r) => r.instructions.warp,
  hazards: (r) => r.hazards.length,
  findings: (r) => r.findings.filter((f) => f.rule !== 'SOLBottleneck' && f.rule !== 'HighPipeUtilization').length,
  warnings: (r) => r.findings.filter((f) => f.level === 'warning').length,
}

type Sum = SumJson & { readonly worstConflict?: number | null }
const per = (n: number | null, requests: number): number | null =>
  n === null ? null : requests === 0 ? 0 : n / requests
const sums: Readonly<Record<string, (s: Sum) => number | null>> = {
  efficiency: (s) => s.efficiency,
  requests: (s) => s.requests,
  threads: (s) => s.threads,
  bytes: (s) => s.bytes,
  usefulBytes: (s) => s.usefulBytes,
  movedBytes: (s) => s.movedBytes,
  sectors: (s) => s.sectors,
  sectorsPerRequest: (s) => per(s.sectors, s.requests),
  wavefronts: (s) => s.wavefronts,
  passesPerRequest: (s) => per(s.wavefronts, s.requests),
  excessPasses: (s) => (s.wavefronts === null ? null : s.wavefronts - s.idealWavefronts),
}
const accessSums: typeof sums = { ...sums, worstConflict: (s) => s.worstConflict ?? null }

const spaces = ['global', 'shared', 'constant', 'local'] as const
const ops = { read: 'load', write: 'store', atomic: 'atomic', load: 'load', store: 'store' } as const
const units: Readonly<Record<string, number>> = {
  '%': 0.01,
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
  k: 1e3,
  M: 1e6,
  G: 1e9,
}

interface Word {
  readonly text: string
  readonly at: number
}

/** Throws `explain.require` with the place of the word that is wrong. */
export function parseRequirement(text: string): Requirement {
  const words = [...text.matchAll(/<=|>=|<|>|=|%|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|"[^"]*"|[A-Za-z_µ][\w.µ]*|\S/g)].map(
    (m): Word => ({ text: m[0], at: m.index }),
  )
  const p = new Parser(text, words)
  const figure = p.figure()
  const relation = p.relation()
  const bound = p.number()
  p.end()
  return { text, figure, relation, bound }
}

class Parser {
  private readonly text: string
  private readonly words: readonly Word[]
  private next = 0

  constructor(text: string, words: readonly Word[]) {
    this.text = text
    this.words = words
  }

  figure(): Requirement['figure'] {
    const word = this.take('a figure', figureHint)
    if (word.text === 'each') return this.each()
    const whole = own(kernelFigures, word.text)
    if (whole) return (r) => [{ of: word.text, value: whole(r) }]
    return this.total(word)
  }

  /** `global.load.efficiency`; constant and local memory have no op. */
  private total(word: Word): Requirement['figure'] {
    const parts = word.text.split('.')
    const space = spaces.find((s) => s === parts[0]) ?? this.bad(word, `'${word.text}' is no figure`, figureHint)
    const split = space === 'global' || space === 'shared'
    const op = own(ops, parts[1] ?? '')
    const sum = own(sums, parts[split ? 2 : 1] ?? '')
    if ((split && !op) || !sum || parts.length !== (split ? 3 : 2))
      return this.bad(
        word,
        `'${word.text}' is no figure`,
        `write ${split ? `${space}.load.efficiency` : `${space}.efficiency`}, with one of ` +
          `${Object.keys(sums).join(', ')}`,
      )
    return (r) => [
      {
        of: word.text,
        value: sum(space === 'global' || space === 'shared' ? r.totals[space][op ?? 'load'] : r.totals[space]),
      },
    ]
  }

  private each(): Requirement['figure'] {
    const filters: ((a: AccessJson) => boolean)[] = []
    const names: Word[] = []
    for (;;) {
      const word = this.take('a figure of an access', `one of ${Object.keys(accessSums).join(', ')}`)
      const op = own(ops, word.text),
        space = spaces.find((s) => s === word.text),
        sum = own(accessSums, word.text)
      if (sum) return (r) => each(r, filters, names, sum, word.text, this.text)
      if (op) filters.push((a) => a.op === op)
      else if (space) filters.push((a) => a.space === space)
      else if (word.text === 'of') {
        const named = this.take('the name of a buffer or array', undefined)
        const name = named.text.replace(/^"|"$/g, '')
        names.push({ text: name, at: named.at })
        filters.push((a) => a.resource === name)
      } else
        this.bad(
          word,
          `'${word.text}' is no figure of an access`,
          `after each: read, write, atomic, ${spaces.join(', ')}, of NAME; then one of ` +
            `${Object.keys(accessSums).join(', ')}`,
        )
    }
  }

  relation(): Relation {
    const word = this.take('a comparison', 'one of <, <=, >, >=, =')
    return (
      (Object.keys(relations) as Relation[]).find((r) => r === word.text) ??
      this.bad(word, `'${word.text}' is no comparison`, 'one of <, <=, >, >=, =')
    ) // the table's own keys
  }

  number(): number {
    const word = this.take('a number', undefined)
    const value = Number(word.text)
    if (!/^-?\d/.test(word.text) || !Number.isFinite(value)) this.bad(word, `'${word.text}' is no number`, undefined)
    const unit = this.words[this.next]
    if (!unit) return value
    this.next++
    return (
      value *
      (own(units, unit.text) ?? this.bad(unit, `'${unit.text}' is no unit`, `one of ${Object.keys(units).join(', ')}`))
    )
  }

  end(): void {
    const word = this.words[this.next]
    if (word) this.bad(word, `'${word.text}' is too much`, 'a requirement ends after its number and unit')
  }

  private take(what: string, hint: string | undefined): Word {
    return this.words[this.next++] ?? this.bad({ text: '', at: this.text.length }, `${what} is missing`, hint)
  }

  private bad(word: Word, message: string, hint: string | undefined): never {
    return fail(
      'explain.require',
      message,
      { file: `--require ${this.text}`, line: 1, column: word.at + 1, length: Math.max(1, word.text.length) },
      hint,
    )
  }
}

const figureHint = `one of ${Object.keys(kernelFigures).join(', ')}, global.load.efficiency and the like, or each …`

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/**
 * The figure of every access that ran and passes the filters. A name that no access has is an error: a gate must not
 * pass by a typo.
 */
function each(
  r: ExplainReport,
  filters: readonly ((a: AccessJson) => boolean)[],
  names: readonly Word[],
  sum: (s: Sum) => number | null,
  figure: string,
  text: string,
): Figure[] {
  for (const { text: name, at } of names) {
    if (!r.accesses.some((a) => a.resource === name))
      fail(
        'explain.require',
        `the kernel accesses no '${name}'`,
        { file: `--require ${text}`, line: 1, column: at + 1, length: name.length },
        `it accesses ${[...new Set(r.accesses.map((a) => a.resource))].join(', ')}`,
      )
  }
  return r.accesses
    .filter((a) => a.requests > 0 && filters.every((f) => f(a)))
    .map((a) => ({
      of:
        `${figure} of ${a.op === 'load' ? 'read' : a.op === 'store' ? 'write' : 'atomic'} ` +
        `\`${a.text}\`${a.at ? ` (line ${a.at.line})` : ''}`,
      value: sum(a),
    }))
}

/** A sentence for every figure that does not meet the requirement. */
export function unmet(requirement: Requirement, r: ExplainReport): string[] {
  return requirement.figure(r).flatMap(({ of, value }) => {
    if (value === null) return [`${of} is not known for ${r.gpu}, so ${requirement.text} cannot be shown`]
    return relations[requirement.relation](value, requirement.bound)
      ? []
      : [`${of} is ${short(value)}, not ${requirement.relation} ${short(requirement.bound)}`]
  })
}

const short = (x: number): string => String(Number(x.toPrecision(4)))
