// Stages of transforms and sorting networks: steps whose windows of bits lie below a number are one launch, in which a
// block has neighbouring elements in workgroup memory from the first to the last and meets at a barrier between two.
// Steps above it are taken several at a time, too: a block has the elements that they reach from a few neighbouring
// columns. What fits in neither is a launch each.
import {
  symbolsOf,
  withHostVariables,
  add,
  affineExpr,
  ceilDiv,
  int,
  literal,
  loop as loopOf,
  loopVar,
  mul,
  op,
  planValue,
  read,
  serial,
  sizeOf,
  store,
  sub,
  bytesOf,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type PlanStep,
  type Program,
  nestProgram,
  type HostLoop,
  type Other,
  type Region,
  type Staged,
  type StagedArray,
  type Stages,
  claimName,
  mapBody,
  rewriteExpr,
  mapStmtExprs,
  namesOf,
  sameExpr,
  sizesIn,
  substituteStmt,
  withGuard,
} from '../../../ir/index.ts'
import { digitsOfNumber, shiftValues, plannedBound } from '../../../analysis/index.ts'
import { fitted, isBounded, shiftedValues, type At } from '../../../transform/index.ts'
import { dealt } from '../cyclic-distribution.ts'
import { perIteration } from '../thread-per-iteration.ts'
import { block, mostShared, type Made, type Scheduled, type Sketch } from '../sketch.ts'

/** Parameters of stages. */
export type StagesPoint = {
  /** Elements of a span, as a power of two; 0: a launch for each step. */
  readonly span: number
  /** Columns of a span where steps reach further, as a power of two. */
  readonly columns: number
  readonly threads: number
}

/** The sketch of stages. */
export function stages(program: Program, form: Stages): Sketch<StagesPoint> {
  const space = spaceOf(program, form)
  const usual = space[0] ?? plain,
    further = space.length > 0 && hasColumns(program, form)
  return {
    name: 'stages',
    vectorSizes: {},
    space: [...space, plain],
    ladder: [
      { step: 'a launch for each step', point: plain },
      ...(space.length > 0
        ? [
            {
              step: 'steps that stay inside a span are one launch, in workgroup memory',
              point: further ? { ...usual, columns: 0 } : usual,
            },
          ]
        : []),
      ...(further
        ? [{ step: 'steps that reach further are taken several at a time, on some columns', point: usual }]
        : []),
    ],
    rounds: (p) =>
      Object.fromEntries(
        p.span
          ? [...form.parts.map((x) => x.loop.upper), ...form.arrays.map((x) => x.array.shape[x.place]!)].flatMap((e) =>
              sizesIn(e).map((name) => [name, 2 ** (p.span + 2)]),
            )
          : [],
      ),
    build: (p) => new Planner(program, form, p).made(),
  }
}

/** Launches of stages at the planned sizes. */
export function launchesOf(
  program: Program,
  form: Stages,
  point: StagesPoint = spaceOf(program, form)[0] ?? plain,
): number {
  const { steps = [] } = new Planner(program, form, point).made()
  const sizes = Object.fromEntries(symbolsOf(program).map((s) => [s.name, s.planned]))
  const count = (list: readonly PlanStep[], at: At): number =>
    list.reduce<number>((n, s) => {
      if (typeof s === 'number') return n + 1
      const all = { ...sizes, ...at },
        [from, to] = [s.lower, s.upper].map((e) => planValue(e, { sizes: all, scalars: {}, variables: all })) as [
          number,
          number,
        ] // two
      for (let v = from; v < to; v += s.step) n += count(s.body, { ...at, [s.variable]: v })
      return n
    }, 0)
  return count(steps, {})
}

/** A launch for each step. */
const plain: StagesPoint = { span: 0, columns: 0, threads: 256 }

/**
 * Elements of a span, of its columns where steps reach further, both as powers of two, and threads of a block; the
 * usual ones first.
 */
function spaceOf(program: Program, form: Stages): readonly StagesPoint[] {
  const longest = Math.max(...form.arrays.map(({ array, place }) => plannedBound(program, array.shape[place]!))),
    top = Math.min(largest, Math.max(leastSpan, Math.ceil(Math.log2(longest))))
  const bytes = form.arrays.reduce((n, a) => n + bytesOf[a.array.type] * besides(a).length, 0)
  const points = [top, top - 1, top + 1, top - 2].flatMap((span) =>
    [4, 3, 5].flatMap((columns) => [512, 256, 1024, 128, 64, 32].map((threads) => ({ span, columns, threads }))),
  )
  return points.filter(
    (p) =>
      bytes * 2 ** p.span <= mostShared &&
      p.threads * 2 <= 2 ** (p.span - form.shift) &&
      p.threads <= mostThreads &&
      p.span >= leastSpan,
  )
}

/** Of spans, as powers of two. */
const leastSpan = 6,
  largest = 12

/** Threads of a block that devices with WebGPU have. */
const mostThreads = 512

const hasColumns = (program: Program, form: Stages): boolean =>
  // asked where there are points
  launchesOf(program, form) < launchesOf(program, form, { ...spaceOf(program, form)[0]!, columns: 0 })

/** Subscripts of the dimensions beside the place, 0 in those of loops. */
function besides({ array, place, apart }: StagedArray): readonly (readonly number[])[] {
  return array.shape.reduce<readonly (readonly number[])[]>(
    (all, e, d) =>
      all.flatMap((at) =>
        Array.from({ length: d === place || apart[d] !== undefined ? 1 : (literal(e) ?? 1) }, (_, n) => [...at, n]),
      ),
    [[]],
  )
}

/**
 * Which elements a block has: 2^rows of them 2^low apart, and 2^columns neighbours of each; all are neighbours where
 * `low` is absent.
 */
interface Span {
  readonly low: Expr | undefined
  readonly rows: number
  readonly columns: number
}

/** Names of host variables as they are inside of loops that this makes. */
type Renamed = ReadonlyMap<string, Expr>

class Planner {
  private program: Program
  private readonly taken: Set<string>
  private readonly kernels: Scheduled[] = []
  private readonly span: number
  private readonly columns: number
  private readonly threads: number

  constructor(
    program: Program,
    private readonly form: Stages,
    p: StagesPoint,
  ) {
    this.program = program
    this.taken = namesOf(program)
    this.span = p.span
    this.columns = p.columns
    this.threads = p.threads
  }

  made(): Made {
    const { loop } = this.form,
      steps = this.span > 0 ? this.staged(loop, [{}], new Map()) : this.plain(loop, loop.lower, loop.upper, new Map())
    return {
      program: this.program,
      kernels: this.kernels.map((k) => ({
        ...k,
        program: { ...k.program, hostVariables: this.program.hostVariables },
      })),
      steps,
    }
  }

  // ── what the host does ──────────────────────────────────────────────────────────────────────────────────────────

  /** `loop` at `outer` values of the variables around it. */
  private staged(loop: HostLoop, outer: readonly At[], by: Renamed): readonly PlanStep[] {
    const lower = loop.lower,
      upper = named(loop.upper, by),
      bounded = outer.every((at) => isBounded(this.program, loop, at))
    const end = bounded ? upper : least(upper, int(shiftValues.length)),
      beyond = bounded ? [] : this.plain(loop, int(shiftValues.length), upper, by)
    const all = outer.map((at) => ({ at, values: shiftedValues(loop, at) })),
      fits = (at: At, v: number): boolean => this.inside(loop.body, { ...at, [loop.variable]: v }).high <= this.span
    const first = all.flatMap(({ at, values }) => {
      const n = values.findIndex((v) => !fits(at, v))
      return n < 0 ? [] : [[at, values[n]!] as const]
    }) // it is one of them
    if (first.length === 0) return [...this.together(loop, lower, end, by, this.low()), ...beyond]
    const last = all.flatMap(({ at, values }) => {
      const n = values.findLastIndex((v) => !fits(at, v))
      return n < 0 ? [] : [[at, values[n]! + 1] as const]
    }) // as above
    const begin = bound(first, Math.min),
      finish = bound(last, Math.max)
    const gain = (taken: (at: At, v: number) => boolean): number =>
      all.reduce(
        (n, { at, values }) =>
          n +
          values.filter((v) => taken(at, v) && this.inside(loop.body, { ...at, [loop.variable]: v }).high > 0).length,
        0,
      )
    const early = gain((at, v) => v < begin.value(at)),
      late = gain((at, v) => v >= finish.value(at))
    if (Math.max(early, late) < 2) return [...this.far(loop, lower, end, all, by), ...beyond]
    if (early >= late) {
      const cut = named(begin.expr, by),
        rest = all.map(({ at, values }) => ({ at, values: values.filter((v) => v >= begin.value(at)) }))
      return [
        ...this.together(loop, lower, least(end, cut), by, this.low()),
        ...this.far(loop, most(lower, cut), end, rest, by),
        ...beyond,
      ]
    }
    const cut = named(finish.expr, by),
      rest = all.map(({ at, values }) => ({ at, values: values.filter((v) => v < finish.value(at)) }))
    return [
      ...this.far(loop, lower, least(end, cut), rest, by),
      ...this.together(loop, most(lower, cut), end, by, this.low()),
      ...beyond,
    ]
  }

  /** Values from `from` to before `to` that reach beyond the span. */
  private far(
    loop: HostLoop,
    from: Expr,
    to: Expr,
    all: readonly { readonly at: At; readonly values: readonly number[] }[],
    by: Renamed,
  ): readonly PlanStep[] {
    const rows = this.span - this.columns,
      points = all.flatMap(({ at, values }) => values.map((v): At => ({ ...at, [loop.variable]: v })))
    const active = points.map((at) => [at, this.inside(loop.body, at)] as const).filter(([, w]) => w.high > 0)
    const inner = loop.body.some((r) => r.kind === 'host'),
      low = active.every(([, w]) => w.high === w.low + 1 && w.low >= this.columns)
        ? fitted(active.map(([at, w]) => [at, w.low]))
        : undefined
    const slope = low?.terms.get(`$${loop.variable}`)
    if (this.columns > 0 && !inner && low && (slope === 1 || slope === -1)) {
      const variable = this.variable(loop),
        until = least(add(sizeOf(variable), int(rows)), to)
      const top = named(
        affineExpr(low),
        new Map([...by, [loop.variable, slope === 1 ? sub(until, int(1)) : sizeOf(variable)]]),
      )
      const first = most(int(this.columns), sub(top, int(rows - 1)))
      return [
        {
          variable,
          lower: from,
          upper: to,
          step: rows,
          body: this.together(loop, sizeOf(variable), until, by, { low: first, rows, columns: this.columns }),
        },
      ]
    }
    if (!inner) return this.plain(loop, from, to, by)
    const variable = this.variable(loop),
      inside = new Map([...by, [loop.variable, sizeOf(variable)]])
    return [
      {
        variable,
        lower: from,
        upper: to,
        step: 1,
        body: loop.body.flatMap((r) => (r.kind === 'host' ? this.staged(r, points, inside) : this.alone(r, inside))),
      },
    ]
  }

  /** As the source says. */
  private plain(loop: HostLoop, from: Expr, to: Expr, by: Renamed): readonly PlanStep[] {
    const variable = this.variable(loop),
      inside = new Map([...by, [loop.variable, sizeOf(variable)]])
    return [
      {
        variable,
        lower: from,
        upper: to,
        step: 1,
        body: loop.body.flatMap((r) =>
          r.kind === 'host' ? this.plain(r, r.lower, named(r.upper, inside), inside) : this.alone(r, inside),
        ),
      },
    ]
  }

  private inside(body: readonly Region[], at: At): { readonly high: number; readonly low: number } {
    return body.reduce(
      (w, r) => {
        const x = this.form.windowOf(r, at)
        return { low: Math.min(w.low, x.low), high: Math.max(w.high, x.high) }
      },
      { low: digitsOfNumber, high: 0 },
    )
  }

  private low(): Span {
    return { low: undefined, rows: this.span, columns: 0 }
  }

  /** A host variable of its own for a loop over what `loop` counts. */
  private variable(loop: HostLoop): string {
    const name = claimName(this.taken, loop.variable),
      known = this.program.hostVariables.find((v) => v.name === loop.variable)
    this.program = withHostVariables(this.program, [{ name, min: 0, planned: known?.planned ?? 1 }])
    return name
  }

  private launch(kernel: Scheduled): readonly PlanStep[] {
    return [this.kernels.push(kernel) - 1]
  }

  /** One step of one part. */
  private alone(region: Region, by: Renamed): readonly PlanStep[] {
    const part: Other =
      region.kind === 'idiom' || region.kind === 'serial'
        ? region
        : {
            kind: 'serial',
            body: region.kind === 'nest' ? nestProgram(this.program, region).body : [],
            why: '',
            parallel: region.kind === 'nest' ? region.parallel.length : 0,
          }
    const body = part.body.map((s) => mapStmtExprs(s, (e) => named(e, by)))
    // it makes one
    return this.launch(perIteration(this.program, { ...part, body }).build({ threads: 256, keep: 0 }).kernels[0]!)
  }

  // ── kernels ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Values of the loop's variable from `from` to before `to` in one launch. */
  private together(loop: HostLoop, from: Expr, to: Expr, by: Renamed, span: Span): readonly PlanStep[] {
    return this.launch(new Kernel(this.program, this.form, span, this.threads, by, this.taken).of(loop, from, to))
  }
}

interface Bound {
  readonly expr: Expr
  readonly value: (at: At) => number
}

/** The form that has these values, or the number that is no more, or no less, than all. */
function bound(points: readonly (readonly [At, number])[], choose: (...values: number[]) => number): Bound {
  const form = fitted(points) ?? { constant: choose(...points.map(([, v]) => v)), terms: new Map<string, number>() }
  return {
    expr: affineExpr(form),
    value: (at) => [...form.terms].reduce((n, [name, c]) => n + c * at[name.slice(1)]!, form.constant),
  } // names of sizes
}

const named = (e: Expr, by: Renamed): Expr => rewriteExpr(e, (x) => (x.kind === 'size' ? by.get(x.name) : undefined))
const least = (a: Expr, b: Expr): Expr => both('min', a, b)
const most = (a: Expr, b: Expr): Expr => both('max', a, b)
function both(how: 'min' | 'max', a: Expr, b: Expr): Expr {
  const [x, y] = [literal(a), literal(b)]
  return sameExpr(a, b) ? a : x !== undefined && y !== undefined ? int(Math[how](x, y)) : op(how, [a, b])
}

const shl = (e: Expr, by: Expr): Expr => {
  const n = literal(by)
  return n === undefined ? op('shl', [e, by]) : mul(e, int(2 ** n))
}
const shr = (e: Expr, by: Expr): Expr => op('shr', [e, by])
const lowBits = (e: Expr, count: number): Expr => op('and', [e, int(2 ** count - 1)])

/** One block runs steps on the elements that it has in workgroup memory. */
class Kernel {
  private readonly near: ReadonlyMap<string, StagedArray & { readonly copy: ArrayDecl }>
  private readonly apart: readonly string[]
  private readonly group: string
  private readonly tile: string
  private readonly item: string
  /** Names of host variables in here: loops of the kernel, or what the host calls them. */
  private readonly names: Map<string, Expr>
  private readonly taken: Set<string>

  constructor(
    private readonly program: Program,
    private readonly form: Stages,
    private readonly span: Span,
    private readonly threads: number,
    by: Renamed,
    taken: ReadonlySet<string>,
  ) {
    this.names = new Map(by)
    this.taken = new Set(taken)
    const fresh = (base: string): string => claimName(this.taken, base)
    this.group = fresh('span')
    this.tile = fresh('column')
    this.item = fresh('item')
    this.apart = form.apart.map(() => fresh('apart'))
    this.near = new Map(
      form.arrays.map((a) => [
        a.array.name,
        {
          ...a,
          copy: {
            name: fresh(`${a.array.name}_near`),
            type: a.array.type,
            shape: a.array.shape.flatMap((e, d) =>
              d === a.place ? [int(2 ** this.bits)] : a.apart[d] === undefined ? [e] : [],
            ),
            role: 'temp',
            space: 'shared',
          },
        },
      ]),
    )
  }

  /** Of a place in the block. */
  private get bits(): number {
    return this.span.rows + this.span.columns
  }

  of(loop: HostLoop, from: Expr, to: Expr): Scheduled {
    const copies = [...this.near.values()],
      inner = this.steps({ ...loop, lower: from, upper: to })
    const body: readonly LoopStmt[] = [
      ...copies.map(({ copy }): LoopStmt => ({ kind: 'declare', array: copy })),
      ...this.copied((far, near) => store(near.array, near.index, read(far.array, far.index))),
      ...inner,
      ...this.copied((far, near) => store(far.array, far.index, read(near.array, near.index))),
    ]
    const { low, rows, columns } = this.span,
      groups = this.groups()
    const blocks = low
      ? [
          loopOf(
            this.group,
            groups,
            [loopOf(this.tile, shl(int(1), sub(low, int(columns))), body, { bind: block('x') })],
            { bind: block('y') },
          ),
        ]
      : [loopOf(this.group, groups, body, { bind: block('x') })]
    const names = copies.map(({ array }) => array.name).join(', ')
    const words = [
      low
        ? `${rows} steps of '${loop.source.name}' at a time on 2^${rows} elements of ${names} that they reach, ` +
          `from 2^${columns} neighbouring columns`
        : `steps of '${loop.source.name}' that stay inside of 2^${rows} neighbouring elements of ${names}, ` +
          `one after the other`,
      `a block of ${this.threads} threads has these elements in workgroup memory meanwhile, ` +
        `with a barrier between two steps`,
    ]
    const all = this.form.apart.reduceRight<readonly LoopStmt[]>(
      (inside, upper, n) => [loopOf(this.apart[n]!, upper, inside, { bind: block('z') })],
      blocks,
    ) // a name for each
    return { program: { ...this.program, body: all }, name: this.program.name, steps: words }
  }

  /** Spans of neighbouring columns, or of neighbours: none lies beyond the arrays, and each has iterations. */
  private groups(): Expr {
    const { low, rows } = this.span,
      { shift } = this.form
    const count = (n: Expr, bits: number): Expr =>
      low ? add(shr(sub(n, int(1)), op('min', [add(low, int(bits)), int(31)])), int(1)) : ceilDiv(n, 2 ** bits)
    const places = this.form.arrays.map(({ array, place }) => array.shape[place]!).reduce((a, b) => most(a, b)),
      iterations = this.form.parts.map((p) => p.loop.upper).reduce((a, b) => most(a, b))
    return sameExpr(places, iterations)
      ? count(places, rows)
      : least(count(places, rows), count(iterations, rows - shift))
  }

  /** For every element of the block that is in its array. */
  private copied(
    make: (
      far: { readonly array: ArrayDecl; readonly index: readonly Expr[] },
      near: { readonly array: ArrayDecl; readonly index: readonly Expr[] },
    ) => LoopStmt,
  ): readonly LoopStmt[] {
    const e = loopVar(this.item)
    const body = [...this.near.values()].flatMap((a) => {
      const { array, place, copy } = a,
        at = this.placed(e, 0)
      const each = besides(a).map((others) => {
        const far = others.map((n, d) => {
          const own = a.apart[d]
          return d === place ? at : own === undefined ? int(n) : loopVar(this.apart[own]!)
        }) // a name for each
        return make(
          { array, index: far },
          {
            array: copy,
            index: others.flatMap((n, d) => (d === place ? [e] : a.apart[d] === undefined ? [int(n)] : [])),
          },
        )
      })
      // high bits of the last rows may leave 31
      return withGuard([...(this.span.low ? [op('ge', [at, int(0)])] : []), op('lt', [at, array.shape[place]!])], each)
    })
    return dealt([loopOf(this.item, int(2 ** this.bits), [])], body, this.threads)
  }

  /** The place, or iteration, that the block knows by the number `e`; of `shift` bits less. */
  private placed(e: Expr, shift: number): Expr {
    const { low, rows, columns } = this.span,
      group = loopVar(this.group)
    if (!low) return add(mul(group, int(2 ** (rows - shift))), e)
    const above = op('min', [add(low, int(rows - shift)), int(31)])
    return add(
      add(shl(group, above), shl(shr(e, int(columns)), low)),
      add(mul(loopVar(this.tile), int(2 ** columns)), lowBits(e, columns)),
    )
  }

  private steps(r: Region): readonly LoopStmt[] {
    if (r.kind !== 'host') return this.phase(this.form.parts.find((p) => p.region === r)!) // every part is one
    const lower = this.named(r.lower),
      upper = this.named(r.upper),
      name = claimName(this.taken, r.source.name)
    this.names.set(r.variable, loopVar(name))
    return [{ kind: 'loop', name, lower, upper, step: 1, bind: serial, body: r.body.flatMap((x) => this.steps(x)) }]
  }

  private named(e: Expr): Expr {
    return named(e, this.names)
  }

  private phase({ apart, loop, locals, clear }: Staged): readonly LoopStmt[] {
    const { low, columns } = this.span,
      halved = clear ? 1 : 0,
      n = this.bits - this.form.shift - halved
    const e = loopVar(this.item),
      bit = clear && (low ? add(sub(this.named(affineExpr(clear)), low), int(columns)) : this.named(affineExpr(clear)))
    const own = bit ? add(e, shl(shr(e, bit), bit)) : e,
      at = this.placed(own, this.form.shift)
    const body = loop.body
      .map((s) =>
        substituteStmt(
          s,
          new Map([[loop.name, at], ...apart.map((l, n) => [l.name, loopVar(this.apart[n]!)] as const)]),
        ),
      )
      .map((s) => mapStmtExprs(s, (x) => this.named(x)))
    return dealt(
      [loopOf(this.item, int(2 ** n), [])],
      [...locals, ...withGuard([op('lt', [at, this.named(loop.upper)])], this.onCopies(body))],
      this.threads,
    )
  }

  private onCopies(body: readonly LoopStmt[]): readonly LoopStmt[] {
    const { low, rows, columns } = this.span
    const index = (
      name: string,
      at: readonly Expr[],
    ): { readonly array: string; readonly index: readonly Expr[] } | undefined => {
      const n = this.near.get(name)
      return (
        n && {
          array: n.copy.name,
          index: at.flatMap((e, d) =>
            d !== n.place
              ? n.apart[d] === undefined
                ? [e]
                : []
              : [low ? add(mul(lowBits(shr(e, low), rows), int(2 ** columns)), lowBits(e, columns)) : lowBits(e, rows)],
          ),
        }
      )
    }
    const reads = body.map((s) =>
      mapStmtExprs(s, (e) =>
        rewriteExpr(e, (x) => {
          const place = x.kind === 'read' ? index(x.array, x.index) : undefined
          return x.kind === 'read' && place ? { ...x, ...place } : undefined
        }),
      ),
    )
    return mapBody(reads, (s) => {
      const place = s.kind === 'store' ? index(s.array, s.index) : undefined
      return s.kind === 'store' && place ? [{ ...s, ...place }] : undefined
    })
  }
}
