// What passes did to one program: which ran and changed it, for how long, and what the program was before and after.
// In: the runner's notes. Out: records in order, and sums by pass. The one idea: a trace is a value that its reader
// makes and hands in through the context, and programs are never changed, so that a record keeps both by reference and
// prints them only when asked. What a search tries and gives up is kept apart, with its cost.

export interface PassTraceOptions {
  /** Check the program after each pass that changed it. */
  readonly verifyEach?: boolean
  /** Stops after the first run of this pass or sequence. */
  readonly stopAfter?: string
}

/** One run of a pass or a translation. */
export interface PassRecord {
  readonly kind: 'pass'
  readonly pass: string
  /** What the pass does, as a sentence. */
  readonly summary: string
  /**
   * The position of the first record of the passes that ran inside of this one; its own position where there are none.
   */
  readonly first: number
  readonly representation: string
  /** What the program was before, where the step made another representation of it. */
  readonly translatedFrom?: string
  /** The steps in words, where the pass is a script. */
  readonly steps?: readonly string[]
  /** Sequences and searches around it, outermost first. */
  readonly within: readonly string[]
  readonly ms: number
  readonly changed: boolean
  readonly before: () => string
  readonly after: () => string
}

/** One choice between alternatives. */
export interface ChoiceRecord {
  readonly kind: 'choice'
  readonly alternatives: string
  readonly within: readonly string[]
  /** What was chosen for, as in "the loop over k in line 12". */
  readonly subject: string
  readonly taken: string
  /** What the way does that was taken. */
  readonly summary: string
  /** All ways that were possible, in the order in which they were tried. */
  readonly ways: readonly { readonly way: string; readonly cost: number }[]
}

export type TraceRecord = PassRecord | ChoiceRecord

/** A pass's runs together. */
export interface PassTotal {
  readonly name: string
  readonly runs: number
  /** Runs that changed the program. */
  readonly changes: number
  readonly ms: number
}

/** Thrown after the pass at which the compilation was to stop, and caught by whoever set `stopAfter`. */
export class Stopped extends Error {
  readonly pass: string
  readonly text: string
  constructor(pass: string, text: string) {
    super(`stopped after ${pass}`)
    this.name = 'Stopped'
    this.pass = pass
    this.text = text
  }
}

export class PassTrace {
  readonly options: PassTraceOptions
  private readonly all: TraceRecord[] = []
  private readonly totals: Map<string, PassTotal>
  private readonly scope: readonly string[]

  constructor(options: PassTraceOptions = {}, scope: readonly string[] = [], totals = new Map<string, PassTotal>()) {
    this.options = options
    this.scope = scope
    this.totals = totals
  }

  /** What happened to the program, in order. */
  get records(): readonly TraceRecord[] {
    return this.all
  }

  /** Runs of passes that changed the program. */
  get changes(): readonly PassRecord[] {
    return this.all.filter((r): r is PassRecord => r.kind === 'pass' && r.changed)
  }

  /** Times and changes of each pass, in the order of first runs, with what was tried and given up. */
  get passes(): readonly PassTotal[] {
    return [...this.totals.values()]
  }

  /** A trace for one alternative, whose records are adopted when that alternative is taken (`take`). */
  attempt(name: string): PassTrace {
    return new PassTrace(this.options, [...this.scope, name], this.totals)
  }

  /** Adopts the records of the alternative that was chosen. */
  take(way: PassTrace): void {
    const before = this.all.length
    this.all.push(...way.all.map((r) => (r.kind === 'pass' ? { ...r, first: r.first + before } : r)))
  }

  note(record: Omit<PassRecord, 'kind' | 'within'>): void {
    this.all.push({ kind: 'pass', within: this.scope, ...record })
    const { runs, changes, ms } = this.totals.get(record.pass) ?? { runs: 0, changes: 0, ms: 0 }
    this.totals.set(record.pass, {
      name: record.pass,
      runs: runs + 1,
      changes: changes + (record.changed ? 1 : 0),
      ms: ms + record.ms,
    })
  }

  chose(record: Omit<ChoiceRecord, 'kind' | 'within'>): void {
    this.all.push({ kind: 'choice', within: this.scope, ...record })
  }
}
