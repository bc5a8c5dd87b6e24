// Sums over pairs: forces of all bodies on each, densities, potentials on a grid. Every row meets every term, so what
// is loaded for a term serves several rows that a thread has in registers, and all lanes of a warp, which have the same
// terms. Where rows are too few for all multiprocessors, slices of threads share the terms of a row, and a tree adds up
// theirs.
import { same } from '../../../base/index.ts'
import {
  add,
  affineOf,
  bytesOf,
  ceilDiv,
  coefficient,
  div,
  int,
  loop,
  loopVar,
  lt,
  mul,
  op,
  read,
  registerType,
  store,
  sub,
  when,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type Program,
  identityOf,
  zeroOf,
  type Nest,
  type Other,
  claimName,
  eachStmt,
  mapBody,
  rewriteExpr,
  mapStmtExprs,
  namesOf,
  nest as wrap,
  readsIn,
  substitute,
  withGuard,
} from '../../../ir/index.ts'
import { pairsOf, plannedPairs, type Loaded, type Pairs, type Sum } from '../../../transform/index.ts'
import { block, threads, unroll, vector, type Made, type Rung, type Scheduled, type Sketch } from '../sketch.ts'

/** Parameters of rows that all meet the same terms. */
export type PairsPoint = {
  /** Threads of a block with rows of their own. */
  readonly lanes: number
  /** Threads that share the terms of a row. */
  readonly slices: number
  /** Rows of a thread. */
  readonly own: number
  /** Terms at once. */
  readonly unroll: number
}

/** The sketch of a part whose rows all meet the same terms; `undefined` for others. */
export function pairs(program: Program, part: Other): Sketch<PairsPoint> | undefined {
  const form = pairsOf(program, part)
  if (!form) return undefined
  const space = spaceOf(form),
    { rows } = plannedPairs(program, form)
  return {
    name: 'pairs',
    vectorSizes: {},
    space,
    ladder: ladderOf(form, space),
    likely: (_, multiprocessors) => likely(space, rows, multiprocessors),
    build: (p): Made => ({ program, kernels: [scheduled(program, form, p)] }),
  }
}

/** The same of a sum, or of several over the same loops, none of which uses what another stores. */
export function pairSums(program: Program, nests: readonly Nest[]): Sketch<PairsPoint> | undefined {
  const [head] = nests,
    loops = head?.reduction?.loops ?? []
  if (!head || loops.length !== 1 || nests.some((n) => n.guard || !n.reduction || n.before)) return undefined
  const terms = nests.flatMap(({ reduction: r }) =>
    withGuard(r?.guard ? [r.guard] : [], r ? [store(r.into, [], r.value, r.op)] : []),
  ) // all have one
  const starts = nests.flatMap(({ reduction: r }): readonly LoopStmt[] =>
    r ? [{ kind: 'declare', array: r.into }, store(r.into, [], r.init)] : [],
  )
  const body = wrap(head.parallel, [
    ...starts,
    ...wrap(loops, terms),
    ...nests.map(({ out }) => store(out.array, out.index, out.value)),
  ])
  return pairs(program, { kind: 'serial', body, why: '', parallel: head.parallel.length })
}

// ── points ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Bytes of workgroup memory for the tree: what WebGPU always has. */
const treeBytes = 32768

function spaceOf(form: Pairs): readonly PairsPoint[] {
  const bytes = form.sums.reduce((n, s) => n + bytesOf[s.scalar.type], 0)
  const groups = form.inOrder
    ? [
        [64, 1],
        [128, 1],
        [256, 1],
      ]
    : [
        [128, 1],
        [256, 1],
        [32, 2],
        [32, 4],
        [32, 8],
        [32, 16],
        [64, 4],
      ]
  const points = groups.flatMap(([lanes, slices]) =>
    [1, 2].flatMap((own) => [1, 4].map((unrolled) => ({ lanes: lanes!, slices: slices!, own, unroll: unrolled }))),
  ) // two each
  return points.filter((p) => p.slices === 1 || p.lanes * p.slices * p.own * bytes <= treeBytes)
}

function ladderOf(form: Pairs, space: readonly PairsPoint[]): readonly Rung<PairsPoint>[] {
  const plain: PairsPoint = { lanes: 128, slices: 1, own: 1, unroll: 1 },
    shared: PairsPoint = { lanes: 32, slices: 16, own: 1, unroll: 4 }
  const rungs: readonly Rung<PairsPoint>[] = [
    { step: 'a row for each thread, each element loaded once', point: plain },
    { step: 'several terms at once', point: { ...plain, unroll: 4 } },
    ...(form.inOrder
      ? [{ step: 'each element loaded serves two rows', point: { ...plain, unroll: 4, own: 2 } }]
      : [
          { step: 'sixteen threads share the terms of a row', point: shared },
          { step: 'each element loaded serves two rows', point: { ...shared, own: 2 } },
        ]),
  ]
  return rungs.filter(({ point }) => space.some((p) => same(p, point)))
}

/**
 * Warps of a multiprocessor with which it has something to do while loads are on their way. Of 16,384 rows on an H200
 * (bodies as structures and as arrays, a cutoff, a density over 65,536 terms) 31 warps took 209, 278, 198 and 585 µs,
 * 15 of the same threads 381, 283, 252 and 621; four rows of a thread were never faster than two.
 */
const enoughWarps = 28

/**
 * As many rows of its own for a thread as leave enough warps everywhere, with as few threads for a row as that takes.
 */
function likely(space: readonly PairsPoint[], rows: number, multiprocessors: number): readonly PairsPoint[] {
  const last = (p: PairsPoint): number => p.lanes * p.own
  const warps = (p: PairsPoint): number => (Math.ceil(rows / last(p)) * p.lanes * p.slices) / 32 / multiprocessors
  const enough = space.filter((p) => p.unroll === 4 && warps(p) >= enoughWarps)
  return [...(enough.length > 0 ? enough : space.filter((p) => p.unroll === 4))].sort((a, b) =>
    enough.length > 0 ? b.own - a.own || a.slices - b.slices : warps(b) - warps(a),
  )
}

// ── the kernel ────────────────────────────────────────────────────────────────────────────────────────────────────

interface Names {
  readonly blocks: string
  readonly lane: string
  readonly slice: string
  readonly own: string
  readonly turn: string
  readonly step: string
  readonly each: string
}

/** Sums of one operator and type, whose trees share their barriers. */
interface Group {
  readonly sums: readonly Sum[]
  readonly part: ArrayDecl
  readonly total: ArrayDecl
}

function scheduled(program: Program, form: Pairs, p: PairsPoint): Scheduled {
  return new Writing(program, form, p.lanes, p.slices, p.own, p.unroll).kernel()
}

class Writing {
  private readonly names: Names
  private readonly groups: readonly Group[]
  private readonly ofRow: ReadonlySet<string>

  constructor(
    private readonly program: Program,
    private readonly form: Pairs,
    private readonly lanes: number,
    private readonly slices: number,
    private readonly own: number,
    private readonly unrolled: number,
  ) {
    const taken = namesOf(program),
      name = (base: string): string => claimName(taken, base)
    for (const a of [...form.locals, ...form.shared.map((l) => l.scalar), ...form.own.map((l) => l.scalar)])
      taken.add(a.name)
    for (const l of [...form.rows, form.loop]) taken.add(l.name)
    this.names = {
      blocks: name('block_p'),
      lane: name('lane'),
      slice: name('slice'),
      own: name('own'),
      turn: name('turn'),
      step: name('step'),
      each: name('each'),
    }
    this.ofRow = new Set([...form.locals, ...form.own.map((l) => l.scalar)].map((a) => a.name))
    const kinds = new Map<string, Sum[]>()
    for (const s of form.sums)
      kinds.set(`${s.op} ${s.scalar.type}`, [...(kinds.get(`${s.op} ${s.scalar.type}`) ?? []), s])
    this.groups = [...kinds.values()].map((sums): Group => {
      const { scalar } = sums[0]!,
        shape = [int(sums.length * own)] // of one sum at least
      const array = (base: string, before: readonly Expr[]): ArrayDecl => ({
        ...scalar,
        name: name(base),
        shape: [...before, ...shape],
      })
      return { sums, part: array('part', [int(lanes), int(slices)]), total: array('total', [int(lanes)]) }
    })
  }

  kernel(): Scheduled {
    const { rows } = this.form,
      last = rows[rows.length - 1]!,
      tile = this.lanes * this.own // there is one
    const body: readonly LoopStmt[] =
      this.slices === 1
        ? [this.overLanes([...this.declares(), ...this.terms(), ...this.results(false)])]
        : [
            ...this.groups.flatMap((g) => [g.part, g.total]).map((array): LoopStmt => ({ kind: 'declare', array })),
            this.overLanes([
              this.overSlices([...this.declares(), ...this.terms(), ...this.groups.flatMap((g) => this.parts(g))]),
            ]),
            ...this.groups.flatMap((g) => this.tree(g)),
            this.overLanes([...this.declares(), ...this.results(true)]),
          ]
    const front = rows.slice(0, -1).map((l, i, all) => ({ ...l, bind: block(i === all.length - 1 ? 'y' : 'z') }))
    const blocks = loop(this.names.blocks, ceilDiv(last.upper, tile), body, { bind: block('x') })
    return { program: { ...this.program, body: wrap(front, [blocks]) }, name: this.program.name, steps: this.words() }
  }

  private words(): readonly string[] {
    const { rows, loop: l } = this.form,
      name = rows[rows.length - 1]!.name // there is one
    const inRegisters = this.own > 1 ? `, ${this.own} in the registers of each thread` : ''
    return [
      `${this.lanes * this.own} rows of '${name}' per block${inRegisters}; ` +
        `all lanes of a warp have the same terms of '${l.name}'`,
      ...(this.slices > 1 ? [`${this.slices} threads share the terms of a row, a tree adds up theirs`] : []),
      ...(this.unrolled > 1 ? [`${this.unrolled} terms at once, loaded ahead`] : []),
    ]
  }

  private overLanes(body: readonly LoopStmt[]): LoopStmt {
    return loop(this.names.lane, int(this.lanes), body, { bind: threads(1) })
  }
  private overSlices(body: readonly LoopStmt[]): LoopStmt {
    return loop(this.names.slice, int(this.slices), body, { bind: threads(this.lanes) })
  }
  private overOwn(body: readonly LoopStmt[]): readonly LoopStmt[] {
    return body.length === 0 ? [] : [loop(this.names.own, int(this.own), body, { bind: unroll })]
  }

  /** What a thread keeps, for each of its rows. */
  private declares(): readonly LoopStmt[] {
    return [...this.form.locals, ...this.form.own.map((l) => l.scalar)].map((a) => ({
      kind: 'declare',
      array: { ...a, shape: [int(this.own)] },
    }))
  }

  /** The row of a thread's own; `held`: the last one where there are no more. */
  private row(held: boolean): Expr {
    const { rows } = this.form,
      last = rows[rows.length - 1]!,
      { blocks, own, lane } = this.names // there is one
    const at = add(
      mul(loopVar(blocks), int(this.lanes * this.own)),
      add(mul(loopVar(own), int(this.lanes)), loopVar(lane)),
    )
    return held ? op('min', [at, sub(last.upper, int(1))]) : at
  }

  /** Statements for one of the rows, whose scalars are elements; `by`: the loop's variable. */
  private forRow(
    body: readonly LoopStmt[],
    row: Expr,
    by: readonly (readonly [string, Expr])[] = [],
  ): readonly LoopStmt[] {
    const index = [loopVar(this.names.own)],
      values = new Map([[this.form.rows[this.form.rows.length - 1]!.name, row], ...by])
    const f = (e: Expr): Expr =>
      rewriteExpr(substitute(e, values), (x) =>
        x.kind === 'read' && this.ofRow.has(x.array) ? { ...x, index } : undefined,
      )
    return mapBody(
      body.map((s) => mapStmtExprs(s, f)),
      (s) => (s.kind === 'store' && this.ofRow.has(s.array) ? [{ ...s, index }] : undefined),
    )
  }

  private terms(): readonly LoopStmt[] {
    const { form, slices, unrolled } = this,
      { loop: l } = form,
      slice = slices === 1 ? int(0) : loopVar(this.names.slice)
    const starts =
      slices === 1
        ? []
        : form.sums.map((s) =>
            store(s.scalar, [], identityOf(s.op, registerType(s.scalar.type) as Parameters<typeof identityOf>[1])),
          )
    const loads = form.own.map((o) => store(o.scalar, [], o.from))
    const count = sub(l.upper, l.lower),
      whole = div(count, unrolled),
      turn = add(slice, mul(loopVar(this.names.turn), int(slices)))
    const turns = loop(
      this.names.turn,
      slices === 1 ? whole : ceilDiv(sub(whole, slice), slices),
      this.group(add(l.lower, mul(turn, int(unrolled))), unrolled),
    )
    const rest = loop(this.names.turn, l.upper, this.group(loopVar(this.names.turn), 1), {
      lower: add(add(l.lower, mul(whole, int(unrolled))), slice),
      step: slices,
    })
    return [
      ...this.overOwn(this.held([...form.before, ...starts, ...loads])),
      { ...turns, ...(l.at && { at: l.at }) },
      ...(unrolled > 1 ? [rest] : []),
    ]
  }

  /**
   * What a row begins with. The last row stands in for rows that there are not, unless what it reads changes while they
   * do.
   */
  private held(begin: readonly LoopStmt[]): readonly LoopStmt[] {
    const last = this.form.rows[this.form.rows.length - 1]!,
      stored = new Set<string>(),
      set = new Map<string, ArrayDecl>() // there is one
    eachStmt(this.form.after, (s) => {
      if (s.kind === 'store') stored.add(s.array)
    })
    if (!readsIn(begin).some((r) => stored.has(r.array) && !this.ofRow.has(r.array)))
      return this.forRow(begin, this.row(true))
    const all = [...this.form.locals, ...this.form.own.map((o) => o.scalar)]
    eachStmt(begin, (s) => {
      const scalar = s.kind === 'store' ? all.find((a) => a.name === s.array) : undefined
      if (scalar) set.set(scalar.name, scalar)
    })
    const zeros = [...set.values()].map((a) => store(a, [], zeroOf(registerType(a.type))))
    return [
      ...this.forRow(zeros, this.row(true)),
      when(lt(this.row(false), last.upper), this.forRow(begin, this.row(false))),
    ]
  }

  /** `count` terms from one on: their elements, then what each is to each row. */
  private group(first: Expr, count: number): readonly LoopStmt[] {
    const { form } = this,
      at = (e: Expr): Expr => substitute(e, new Map([[form.loop.name, add(first, loopVar(this.names.step))]]))
    const load = ({ scalar, from }: Loaded): readonly LoopStmt[] => {
      const into: ArrayDecl = { ...scalar, shape: [int(count)] },
        bind = count === 4 && this.isAlong(from) ? vector : unroll
      return [
        { kind: 'declare', array: into },
        loop(
          this.names.step,
          int(count),
          [store(into, [loopVar(this.names.step)], { ...from, index: from.index.map(at) })],
          { bind },
        ),
      ]
    }
    const shared = new Set(form.shared.map((s) => s.scalar.name))
    const ofStep = (e: Expr): Expr =>
      rewriteExpr(e, (x) =>
        x.kind === 'read' && shared.has(x.array) ? { ...x, index: [loopVar(this.names.step)] } : undefined,
      )
    const each = form.term.flatMap((s) =>
      this.overOwn(
        this.forRow([mapStmtExprs(s, ofStep)], this.row(true), [
          [form.loop.name, add(first, loopVar(this.names.step))],
        ]),
      ),
    )
    return [...form.shared.flatMap(load), loop(this.names.step, int(count), each, { bind: unroll })]
  }

  /** Whether terms one after the other read neighbours in memory. */
  private isAlong(from: Loaded['from']): boolean {
    const last = affineOf(from.index[from.index.length - 1] ?? int(0)),
      name = this.form.loop.name
    return (
      last !== undefined &&
      coefficient(last, name) === 1 &&
      from.index.slice(0, -1).every((e) => {
        const a = affineOf(e)
        return a !== undefined && coefficient(a, name) === 0
      })
    )
  }

  private parts(g: Group): readonly LoopStmt[] {
    const { lane, slice, own } = this.names
    return this.overOwn(
      g.sums.map((s, i) =>
        store(
          g.part,
          [loopVar(lane), loopVar(slice), add(int(i * this.own), loopVar(own))],
          read(s.scalar, [loopVar(own)]),
        ),
      ),
    )
  }

  private tree({ sums, part, total }: Group): readonly LoopStmt[] {
    const { lane, slice, each } = this.names,
      { op: name, scalar } = sums[0]!,
      count = sums.length * this.own // of one sum at least
    const over = (s: LoopStmt): LoopStmt => loop(each, int(count), [s], { bind: unroll })
    return [
      this.overLanes([
        over(
          store(
            total,
            [loopVar(lane), loopVar(each)],
            identityOf(name, registerType(scalar.type) as Parameters<typeof identityOf>[1]),
          ),
        ),
      ]),
      this.overLanes([
        this.overSlices([
          over(
            store(
              total,
              [loopVar(lane), loopVar(each)],
              read(part, [loopVar(lane), loopVar(slice), loopVar(each)]),
              name,
            ),
          ),
        ]),
      ]),
    ]
  }

  /** What stands behind the loop, for rows that there are; `again`: what stands before it has to be said again. */
  private results(again: boolean): readonly LoopStmt[] {
    const { form, names } = this,
      row = this.row(false),
      last = form.rows[form.rows.length - 1]! // there is one
    const joined = again
      ? this.groups.flatMap((g) =>
          g.sums.map((s, i) =>
            store(
              s.scalar,
              [loopVar(names.own)],
              read(g.total, [loopVar(names.lane), add(int(i * this.own), loopVar(names.own))]),
              s.op,
            ),
          ),
        )
      : []
    return this.overOwn([
      when(lt(row, last.upper), [
        ...(again ? this.forRow(form.before, row) : []),
        ...joined,
        ...this.forRow(form.after, row),
      ]),
    ])
  }
}
