// In: a program. Out: the same without local tables of constants: what an element is stands where it is read. The one
// idea: a table that small loops go through is gone once these are written out, and so are its loads; its element is a
// choice by the subscript.
import {
  affineOf,
  int,
  constantElements,
  literal,
  lt,
  mapStmts,
  op,
  opRow,
  constantExtent,
  someExpr,
  ownExprs,
  perfectNest,
  sameExpr,
  substitute,
  uses,
  varsOf,
  pass,
  loopIR,
  someExprIn,
  storedIn,
  someStmt,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     declare w: f32[2] temp private
//     w[0] = 0.5f
//     w[1] = 2.0f
//     for i in 0 .. n {
//       y[i] = x[i] * w[1]
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     for i in 0 .. n {
//       y[i] = x[i] * 2.0f
//     }
//   }
export const constantPropagation = pass({
  name: 'constant-propagation',
  summary: 'local tables that are filled once with constants are gone: their elements stand where they were read',
  of: loopIR,
  run: withoutTables,
})

/** Elements of a table that loops of literal bounds go through, and of one that anything may choose from. */
const most = 81,
  mostChosen = 8

interface Table {
  readonly name: string
  /** Its declaration and what fills it. */
  readonly stmts: readonly LoopStmt[]
  readonly element: (index: readonly Expr[]) => Expr
}

/** The same program object where there is no such table. */
export function withoutTables(program: Program): Program {
  const tables = program.body.flatMap((s) => tableOf(program, s) ?? [])
  if (tables.length === 0) return program
  const byName = new Map(tables.map((t) => [t.name, t])),
    gone = new Set(tables.flatMap((t) => t.stmts))
  const element = (e: Expr): Expr => (e.kind === 'read' ? (byName.get(e.array)?.element(e.index) ?? e) : e)
  return {
    ...program,
    body: mapStmts(
      program.body.filter((s) => !gone.has(s)),
      element,
    ),
  }
}

/** The table that `s` declares, if it is filled once with constants and all that read it may do without. */
function tableOf(program: Program, s: LoopStmt): Table | undefined {
  if (s.kind !== 'declare' || s.array.space !== 'private' || s.array.shape.length === 0) return undefined
  const name = s.array.name,
    elements = constantElements(s.array.shape)
  const writers = program.body.filter((x) => storedIn([x]).includes(name)),
    [first] = writers
  const element =
    elements > most
      ? undefined
      : writers.length === 1 && first?.kind === 'loop'
        ? filled(s.array, first)
        : listed(s.array, writers)
  return element && (elements <= mostChosen || readBySmallLoops(program, name))
    ? { name, stmts: [s, ...writers], element }
    : undefined
}

/** What a loop over all elements fills it with, by the subscripts. */
function filled(array: ArrayDecl, fill: Loop): Table['element'] | undefined {
  const {
    loops,
    body: [store, more],
  } = perfectNest(fill)
  const whole =
    loops.length === array.shape.length &&
    loops.every((l, d) => literal(l.lower) === 0 && l.step === 1 && literal(l.upper) === literal(array.shape[d]!))
  if (
    !whole ||
    store?.kind !== 'store' ||
    more ||
    store.reduce ||
    store.value.type !== array.type ||
    !store.index.every((e, d) => e.kind === 'var' && e.name === loops[d]!.name) ||
    !isClosed(store.value)
  )
    return undefined
  return (index) => substitute(store.value, new Map(loops.map((l, d) => [l.name, index[d]!])))
}

/** A list of stores, one for each element. */
function listed(array: ArrayDecl, stores: readonly LoopStmt[]): Table['element'] | undefined {
  const values = new Map<string, Expr>(),
    extents = array.shape.map((e) => literal(e)!) // it has few elements
  for (const s of stores) {
    if (
      s.kind !== 'store' ||
      s.reduce ||
      s.value.kind !== 'const' ||
      s.value.type !== array.type ||
      s.index.some((e) => literal(e) === undefined)
    )
      return undefined
    values.set(s.index.map((e) => literal(e)).join(), s.value)
  }
  if (values.size !== stores.length || values.size !== extents.reduce((n, e) => n * e, 1)) return undefined
  const among = (index: readonly Expr[], before: readonly number[]): Expr => {
    const [at, ...rest] = index
    // a subscript for each extent
    return at ? choice(at, 0, extents[before.length]!, (i) => among(rest, [...before, i])) : values.get(before.join())!
  }
  return (index) => among(index, [])
}

/** `of` the subscript, from `low` up to below `high`. */
function choice(at: Expr, low: number, high: number, of: (i: number) => Expr): Expr {
  const known = literal(at),
    middle = (low + high) >> 1
  if (known !== undefined && known >= low && known < high) return of(known)
  if (high - low === 1) return of(low)
  const [below, above] = [choice(at, low, middle, of), choice(at, middle, high, of)]
  return sameExpr(below, above) ? below : op('select', [lt(at, int(middle)), below, above])
}

/** Nothing but literals and the subscripts. */
function isClosed(e: Expr): boolean {
  return !someExpr(
    e,
    (x) =>
      x.kind === 'read' || x.kind === 'size' || x.kind === 'scalar' || (x.kind === 'op' && opRow(x.op).class === 'sfu'),
  )
}

/** Whether all subscripts of the table use loops of literal bounds alone. */
function readBySmallLoops(program: Program, name: string): boolean {
  return !someStmt(program.body, (s, around) => {
    const loops = new Set(
      [...around, ...(s.kind === 'loop' ? [s] : [])].filter((l) => constantExtent(l) !== undefined).map((l) => l.name),
    )
    const isSmall = (i: Expr): boolean => affineOf(i) !== undefined && [...varsOf(i)].every((v) => loops.has(v))
    return ownExprs(s).some((e) => someExpr(e, (x) => x.kind === 'read' && x.array === name && !x.index.every(isSmall)))
  })
}

/** Iterations of loops in each other that are written out for the choices they decide. */
const mostCopies = 243

/** Loops of literal bounds whose variable alone decides choices (what is left of a table) are written out. */
export const writtenOut = (program: Program): Program => ({ ...program, body: opened(program.body, 1) })

const opened = (body: readonly LoopStmt[], copies: number): readonly LoopStmt[] =>
  body.map((s): LoopStmt => {
    if (s.kind === 'if') return { ...s, then: opened(s.then, copies), else: opened(s.else, copies) }
    if (s.kind !== 'loop') return s
    const extent = s.bind.kind === 'serial' && s.step === 1 ? constantExtent(s) : undefined,
      inside = copies * (extent ?? 1)
    if (extent === undefined || inside > mostCopies || !decides(s)) return { ...s, body: opened(s.body, copies) }
    return { ...s, bind: { kind: 'unroll' }, body: opened(s.body, inside) }
  })

const decides = (l: Loop): boolean =>
  someExprIn(l.body, (x) => {
    const condition = x.kind === 'op' && x.op === 'select' ? x.args[0] : x.kind === 'choose' ? x.condition : undefined
    return (
      condition?.kind === 'op' &&
      condition.args.some((a) => literal(a) !== undefined) &&
      condition.args.some((a) => uses(a, l.name) && affineOf(a) !== undefined)
    )
  })
