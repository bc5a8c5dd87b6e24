// In: a program with a sum over a long row that needs what an earlier reduction of the same row came to: the sum of
// exponentials less the greatest, the sum of squares around the mean. Out: both over parts of the row at once, each sum
// around what its own part came to, then over the parts, moved to what the whole row came to. The one idea: the online
// softmax (Milakov and Gimelshein, 2018) and the pairwise variance (Chan, Golub and LeVeque, 1979): Σ exp(x − m) =
// Σ over parts exp(c − m) Σ exp(x − c) for any c, and Σ (x − m)² = Σ over parts (Σ (x − c)² + n (c − m)²) for their
// means c. A row is read once for both. Only where rows are few and long: others stay in registers or caches.
import { planned } from '../../analysis/index.ts'
import {
  type Chip,
  measuredChip,
  add,
  claimName,
  constant,
  div,
  eachStmt,
  exprKey,
  identityOf,
  int,
  isFloat,
  literal,
  loop as loopOf,
  loopIR,
  loopVar,
  lt,
  mul,
  namesOf,
  op,
  pass,
  perfectNest,
  read,
  readsArray,
  readsIn,
  rewriteExpr,
  someExpr,
  someStmt,
  store,
  sub,
  substitute,
  uses,
  varsOf,
  when,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
} from '../../ir/index.ts'
import { longRow, fewRows } from '../fusion/row-fusion.ts'
import { loopName } from '../normalize/alpha-renaming.ts'

// Before:
//
//   program p {
//     size n = 1000000 min 1
//     array x: f32[n] in global
//     array y: f32[1] out global
//     declare m: f32[] temp private
//     m = -f32.inf
//     for i in 0 .. n {
//       m max= x[i]
//     }
//     declare s: f32[] temp private
//     s = 0.0f
//     for i in 0 .. n {
//       s += exp(x[i] - m)
//     }
//     y[0] = m + log(s)
//   }
//
// After:
//
//   program p {
//     size n = 1000000 min 1
//     array x: f32[n] in global
//     array y: f32[1] out global
//     array m_part: f32[(n + 4095) / 4096 * 4] temp global
//     array s_part: f32[(n + 4095) / 4096 * 4] temp global
//     declare m: f32[] temp private
//     m = -f32.inf
//     for part in 0 .. (n + 4095) / 4096 * 4 {
//       declare m2: f32[] temp private
//       m2 = -f32.inf
//       for i2 in 0 .. 1024 {
//         if part * 1024 + i2 < n {
//           m2 max= x[part * 1024 + i2]
//         }
//       }
//       declare s2: f32[] temp private
//       s2 = 0.0f
//       for i2 in 0 .. 1024 {
//         if part * 1024 + i2 < n {
//           s2 += exp(x[part * 1024 + i2] - max(m2, -3.4028235e+38f))
//         }
//       }
//       m_part[part] = m2
//       s_part[part] = s2
//     }
//     for part in 0 .. (n + 4095) / 4096 * 4 {
//       m max= m_part[part]
//     }
//     declare s: f32[] temp private
//     s = 0.0f
//     for part in 0 .. (n + 4095) / 4096 * 4 {
//       s += s_part[part] * exp(max(m_part[part], -3.4028235e+38f) - m)
//     }
//     y[0] = m + log(s)
//   }
export const onlineReduction = pass<Program>({
  name: 'online-reduction',
  summary: 'a sum around the greatest, or the mean, of its long row is made in parts together with that, and moved',
  of: loopIR,
  needs: ['cost estimate'],
  run: (program, { chip = measuredChip }) => new Rows(program, chip).made(),
})

/** Terms of a part, at most and at least; a block has it in registers and caches. */
const mostTerms = 8192,
  leastTerms = 1024
/** Parts that keep a multiprocessor busy. */
const manyParts = 8
/** Lengths of scratch rows are multiples of this, so that they may be read as vectors. */
const multiple = 4

type Wide = 'f32' | 'f64'

/** A reduction into a private scalar over loops. */
interface Sum {
  readonly position: number
  readonly loops: readonly Loop[]
  readonly store: Store
  readonly type: Wide
  /** With locals of an iteration put in place. */
  readonly value: Expr
}

/** A sum that needs an earlier one. */
interface Dependent {
  readonly first: Sum
  readonly second: Sum
  /** What both are of, in variables of the first. */
  readonly term: Expr
  /** What is subtracted from it. */
  readonly center: Expr
  readonly how: 'exponentials' | 'squares'
}

class Rows {
  private readonly taken: Set<string>
  private readonly arrays: ArrayDecl[] = []
  /** Parts of rows, which stand before the loops around these. */
  private readonly before: LoopStmt[] = []

  constructor(
    private readonly program: Program,
    private readonly chip: Chip,
  ) {
    this.taken = namesOf(program)
  }

  made(): Program {
    const { program } = this,
      top = dependentIn(program.body)
    const body =
      top && this.isWorthwhile(top, []) && isApart(program.body, top, [])
        ? this.inParts(program.body, top, [])
        : program.body.flatMap((s) => this.inLoop(s))
    return this.arrays.length === 0 ? program : { ...program, arrays: [...program.arrays, ...this.arrays], body }
  }

  /** A loop at the top, with what is made of its rows before it. */
  private inLoop(s: LoopStmt): readonly LoopStmt[] {
    const [made] = this.inBody([s], [])
    return [...this.before.splice(0), made!] // one in, one out
  }

  private inBody(body: readonly LoopStmt[], around: readonly Loop[]): readonly LoopStmt[] {
    const found = dependentIn(body)
    if (found && around.length > 0 && this.isWorthwhile(found, around) && isApart(body, found, around))
      return this.inParts(body, found, around)
    let changed = false
    const out = body.map((s): LoopStmt => {
      if (s.kind !== 'loop' || !isPlain(s)) return s
      const inner = this.inBody(s.body, [...around, s])
      if (inner === s.body) return s
      changed = true
      return { ...s, body: inner }
    })
    return changed ? out : body
  }

  private termsOf(loops: readonly Loop[]): number {
    return loops.reduce((n, l) => n * planned(this.program, l.lower, l.upper, l.step), 1)
  }

  private isWorthwhile({ second }: Dependent, around: readonly Loop[]): boolean {
    return this.termsOf(around) <= fewRows && this.termsOf(second.loops) >= longRow
  }

  private inParts(body: readonly LoopStmt[], d: Dependent, around: readonly Loop[]): readonly LoopStmt[] {
    const { first, second } = d,
      [outer, ...inner] = second.loops as readonly [Loop, ...Loop[]], // a sum has a loop
      { type } = first
    const all = this.termsOf(around) * this.termsOf(second.loops),
      terms = Math.min(
        mostTerms,
        Math.max(leastTerms, 2 ** Math.floor(Math.log2(all / (manyParts * this.chip.multiprocessors)))),
      ),
      each = Math.max(1, Math.floor(terms / Math.max(1, this.termsOf(inner))))
    const extent = sub(outer.upper, outer.lower),
      parts = mul(div(add(extent, int(multiple * each - 1)), multiple * each), int(multiple))
    const partName = claimName(this.taken, loopName('part')),
      placeName = claimName(this.taken, outer.name),
      [part, place] = [loopVar(partName), loopVar(placeName)],
      at = [...around.map((l) => loopVar(l.name)), part]
    const scratch = (base: string): ArrayDecl => {
      const name = claimName(this.taken, base),
        a: ArrayDecl = { name, type, shape: [...around.map((l) => l.upper), parts], role: 'temp', space: 'global' }
      this.arrays.push(a)
      return a
    }
    const local = (base: string): ArrayDecl => ({
      name: claimName(this.taken, base),
      type,
      shape: [],
      role: 'temp',
      space: 'private',
    })
    const [firsts, seconds] = [scratch(`${first.store.array}_part`), scratch(`${second.store.array}_part`)],
      [one, two] = [local(first.store.array), local(second.store.array)]
    const offset = add(mul(part, int(each)), place),
      names = new Map<string, Expr>([
        ...first.loops.map((l, i) => [l.name, loopVar(second.loops[i]!.name)] as const), // as many
        [first.loops[0]!.name, add(outer.lower, offset)],
      ])
    const term = substitute(d.term, names)
    const over = (s: Store): LoopStmt => ({
      ...loopOf(placeName, int(each), [
        when(
          lt(offset, extent),
          inner.reduceRight<readonly LoopStmt[]>((x, l) => [{ ...l, body: x }], [s]),
        ),
      ]),
      ...(outer.at && { at: outer.at }),
    })
    const left = op('max', [int(0), op('min', [int(each), sub(extent, mul(part, int(each)))])]),
      count = inner.reduce((n, l) => mul(n, sub(l.upper, l.lower)), left)
    const centerOf = (x: Expr): Expr =>
      d.how === 'exponentials'
        ? op('max', [x, constant(type, lowest(type))])
        : op('div', [x, asFloat(op('max', [int(1), count]), type)])
    const apart = op('sub', [term, centerOf(read(one, []))]),
      own = d.how === 'exponentials' ? op('exp', [apart]) : op('mul', [apart, apart])
    const chunks = loopOf(partName, parts, [
      { kind: 'declare', array: one },
      store(one, [], identityOf(first.store.reduce!, type)), // it reduces
      over({ ...store(one, [], term, first.store.reduce!), ...(first.store.at && { at: first.store.at }) }),
      { kind: 'declare', array: two },
      store(two, [], constant(type, 0)),
      over({ ...store(two, [], own, 'add'), ...(second.store.at && { at: second.store.at }) }),
      store(firsts, at, read(one, [])),
      store(seconds, at, read(two, [])),
    ])
    this.before.push(...around.reduceRight<readonly LoopStmt[]>((x, l) => [{ ...l, body: x }], [chunks]))
    const moved = op('sub', [centerOf(read(firsts, at)), d.center])
    const total =
      d.how === 'exponentials'
        ? op('mul', [read(seconds, at), op('exp', [moved])])
        : op('add', [read(seconds, at), op('mul', [asFloat(count, type), op('mul', [moved, moved])])])
    const overParts = (s: Sum, value: Expr): LoopStmt => {
      const [head] = s.loops,
        whole = loopOf(partName, parts, [{ ...s.store, value }])
      return head?.at ? { ...whole, at: head.at } : whole
    }
    return body.flatMap((s, i): readonly LoopStmt[] => {
      if (i === first.position)
        return [...(around.length === 0 ? this.before.splice(0) : []), overParts(first, read(firsts, at))]
      return i === second.position ? [overParts(second, total)] : [s]
    })
  }
}

/**
 * Whether parts of all rows may be made before any row: what they read is written by nothing before them, and what
 * rows write of it later is their own.
 */
function isApart(body: readonly LoopStmt[], { first }: Dependent, around: readonly Loop[]): boolean {
  const used = new Set(readsIn([{ ...first.store, value: first.value }]).map((r) => r.array)),
    isOurs = (s: LoopStmt): s is Store => s.kind === 'store' && used.has(s.array)
  const locals = new Set<string>(),
    stores: Store[] = []
  eachStmt(around[0]?.body ?? body, (s) => {
    if (s.kind === 'declare') locals.add(s.array.name)
    if (isOurs(s)) stores.push(s)
  })
  if ([...used].some((name) => locals.has(name)) || someStmt(body.slice(0, first.position), isOurs)) return false
  if (around.length === 0) return true
  const later = new Set<Store>()
  eachStmt(body.slice(first.position), (s) => {
    if (isOurs(s)) later.add(s)
  })
  const places = [
    ...stores.map((s) => ({ array: s.array, index: s.index })),
    ...readsIn([{ ...first.store, value: first.value }]),
  ]
  const isOwn = (s: Store): boolean =>
    around.every((l) =>
      s.index.some((_, d) =>
        places.every((p) => {
          const e = p.index[d]
          return p.array !== s.array || (e?.kind === 'var' && e.name === l.name)
        }),
      ),
    )
  return stores.every((s) => later.has(s) && isOwn(s))
}

/** The least finite number: what is −∞ in all of a part adds nothing to others, and NaN stays NaN. */
const lowest = (type: Wide): number => (type === 'f32' ? -3.4028234663852886e38 : -Number.MAX_VALUE)

const asFloat = (e: Expr, type: Expr['type']): Expr => ({ kind: 'op', op: 'convert', type, args: [e] })

/** It counts over sizes, and its variable indexes a row of scratch memory. */
const isPlain = (l: Loop): boolean =>
  l.step === 1 && (literal(l.lower) ?? -1) >= 0 && varsOf(l.upper).size === 0 && !readsArray(l.upper)

/** The first sum of `body` that needs an earlier reduction of the same. */
function dependentIn(body: readonly LoopStmt[]): Dependent | undefined {
  const scalars = new Map(body.flatMap((s) => (s.kind === 'declare' ? [[s.array.name, s.array] as const] : [])))
  const sums = body.flatMap((s, position): readonly Sum[] => {
    const sum = s.kind === 'loop' ? sumOf(s) : undefined,
      into = sum && scalars.get(sum.store.array)
    if (!sum || into?.space !== 'private' || into.shape.length > 0) return []
    return into.type === 'f32' || into.type === 'f64' ? [{ ...sum, position, type: into.type }] : []
  })
  for (const second of sums) {
    const found = second.store.reduce === 'add' ? aroundCenter(second.value) : undefined
    if (!found || !isFixed(found.center, second)) continue
    const first = sums.find((s) => s.position < second.position && isSame(s, second, found.term, found.how, body))
    if (!first) continue
    const between = body.slice(first.position, second.position),
      used = new Set(readsIn([{ ...first.store, value: first.value }]).map((r) => r.array))
    if (someStmt(between, (s) => s.kind === 'store' && used.has(s.array))) continue
    return { first, second, term: first.value, center: found.center, how: found.how }
  }
  return undefined
}

/** `exp(term − center)`, or the square of `term − center`. */
function aroundCenter(
  e: Expr,
): { readonly term: Expr; readonly center: Expr; readonly how: Dependent['how'] } | undefined {
  if (e.kind !== 'op') return undefined
  const [a, b] = e.args
  const squared = e.op === 'mul' && a && b && exprKey(a) === exprKey(b),
    difference = squared || e.op === 'exp' ? a : undefined
  if (difference?.kind !== 'op' || difference.op !== 'sub' || !isFloat(difference.type)) return undefined
  const [term, center] = difference.args
  return term && center && { term, center, how: squared ? 'squares' : 'exponentials' }
}

/** Whether no iteration of the sum changes what is subtracted. */
const isFixed = (center: Expr, { loops, store: into }: Sum): boolean =>
  !loops.some((l) => uses(center, l.name)) && !someExpr(center, (e) => e.kind === 'read' && e.array === into.array)

/** Whether `first` is the greatest, or the sum, of the same term over the same loops. */
function isSame(first: Sum, second: Sum, term: Expr, how: Dependent['how'], body: readonly LoopStmt[]): boolean {
  if (first.store.reduce !== (how === 'squares' ? 'add' : 'max') || first.loops.length !== second.loops.length)
    return false
  const names = new Map(first.loops.map((l, i) => [l.name, loopVar(second.loops[i]!.name)])), // as many
    value = substitute(first.value, names)
  if (exprKey(value) !== exprKey(term)) return false
  return first.loops.every((l, i) => {
    const other = second.loops[i]!
    const bounds = [l.lower, l.upper, other.lower, other.upper]
    if (l.step !== 1 || other.step !== 1 || bounds.some((e) => varsOf(e).size > 0 || readsArray(e))) return false
    return (
      exprKey(l.upper) === exprKey(other.upper) &&
      (exprKey(l.lower) === exprKey(other.lower) || startsWithFirst(first, second, i, body))
    )
  })
}

/** Whether a greatest begins with the element that its loop leaves out. */
function startsWithFirst(first: Sum, second: Sum, i: number, body: readonly LoopStmt[]): boolean {
  const [l, other] = [first.loops[i]!, second.loops[i]!], // both have it
    before = body.slice(0, first.position).findLast((s) => s.kind === 'store' && s.array === first.store.array)
  return (
    first.store.reduce === 'max' &&
    first.loops.length === 1 &&
    literal(other.lower) === 0 &&
    literal(l.lower) === 1 &&
    before?.kind === 'store' &&
    !before.reduce &&
    exprKey(before.value) === exprKey(substitute(first.value, new Map([[l.name, int(0)]])))
  )
}

/** A loop nest that does nothing but reduce, perhaps with locals of one iteration. */
function sumOf(s: Loop): Pick<Sum, 'loops' | 'store' | 'value'> | undefined {
  const { loops, body } = perfectNest(s),
    last = body.at(-1)
  if (last?.kind !== 'store' || !last.reduce || last.index.length > 0) return undefined
  const values = new Map<string, Expr>()
  for (const x of body.slice(0, -1)) {
    if (x.kind === 'declare') continue
    if (x.kind !== 'store' || x.reduce || x.index.length > 0 || values.has(x.array)) return undefined
    if (!body.some((y) => y.kind === 'declare' && y.array.name === x.array)) return undefined
    values.set(x.array, withLocals(x.value, values))
  }
  return { loops, store: last, value: withLocals(last.value, values) }
}

const withLocals = (e: Expr, values: ReadonlyMap<string, Expr>): Expr =>
  rewriteExpr(e, (x) => (x.kind === 'read' && x.index.length === 0 ? values.get(x.array) : undefined))
