// fragment: what one iteration of a loop reads of a staged tile is first copied into registers, so that every value is
// loaded once and serves all outputs of the thread. What conditions on loops of constant extents keep from being read
// is not loaded.
//
//   for k in 0 .. 2 { for i in 0 .. 4 { for j in 0 .. 4 { s[i, j] += T[k, i] } } }
// → for k in 0 .. 2 { declare row: f32[4] temp private
//     for row_i in 0 .. 4 @vector { row[row_i] = T[k, row_i] }
//     for i in 0 .. 4 { for j in 0 .. 4 { s[i, j] += row[i] } } }
//
// Side conditions: all reads of the array in the loop's body are the same element expression; the loops inside that it
// uses count from 0 in steps of 1 to constants; the body does not write the array, but each element after it was read
// and once; where conditions stand around reads, the element is inside of the array without them.
import { fail } from '../../base/index.ts'
import {
  int,
  literal,
  loop,
  loopVar,
  registerType,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
  conjuncts,
  constantExtent,
  eachStmt,
  someStmt,
  exprKey,
  freshName,
  mapStmtExprs,
  ownExprs,
  readsArray,
  rewriteExpr,
  someExpr,
  readByChoice,
  readsIn,
  replaceLoops,
  substitute,
  uses,
  varsOf,
  withGuard,
  type Read,
} from '../../ir/index.ts'
import { alwaysInside, injective, isApart } from '../../analysis/index.ts'
import { declarationOf, locate } from './stage.ts'

export interface Fragment {
  readonly array: string
  /** The loop in whose every iteration the registers are filled. */
  readonly at: string
  readonly as: string
  /** The copy's innermost loop becomes a vector access when its extent is 2 or 4. */
  readonly vector?: boolean
}

export function fragment(program: Program, options: Fragment): Program {
  const array = declarationOf(program, options.array)
  const name = freshName(program, options.as)
  const { outer } = locate(program, options.at)
  return replaceLoops(program, options.at, (l) => {
    checkUse(l, array, outer)
    const fixed = new Set([...outer, l].flatMap((x) => (constantExtent(x) === undefined ? [] : [x.name])))
    return [
      {
        ...l,
        body: afterCopy(l.body, array, theRead(l.body, options), { name, vector: options.vector === true, fixed }),
      },
    ]
  })
}

/** The copy reads without the guards that stand around the reads, before anything that the body writes. */
function checkUse(l: Loop, array: ArrayDecl, outer: readonly Loop[]): void {
  const isAsked = hasIfs(l.body) || readByChoice(l.body).has(array.name)
  eachStmt(l.body, (s, around) => {
    if (s.kind === 'store' && s.array === array.name && !ownElement(s, around, l) && !storesApart(s, around, l))
      fail('schedule.fragment', `'${array.name}' is written in '${l.name}'`)
    if (array.space === 'private') return
    for (const r of readsIn(s.kind === 'loop' || s.kind === 'if' ? [] : [s])) {
      if (
        r.array === array.name &&
        isAsked &&
        (array.space === 'global' || !alwaysInside(array.shape, r.index, [...outer, l, ...around]))
      )
        fail('schedule.fragment', `'${array.name}' is read under a condition in '${l.name}'`)
    }
  })
}

/** Whether nothing that `l` reads of the array is an element that it stores there. */
const storesApart = (s: Store, around: readonly Loop[], l: Loop): boolean =>
  readsIn(l.body).every((r) => r.array !== s.array || isApart(r.index, s.index, [l, ...around]))

/**
 * Whether each iteration of the loops around stores another element, the one that it reads, and nothing else in `l`
 * reads the array.
 */
function ownElement(s: Store, around: readonly Loop[], l: Loop): boolean {
  const own = readsIn([s]).filter((r) => r.array === s.array)
  const alone = own.length > 0 && readsIn(l.body).filter((r) => r.array === s.array).length === own.length
  return (
    alone &&
    !s.reduce &&
    injective(s.index, around) &&
    own.every((r) => r.index.every((e, d) => exprKey(e) === exprKey(s.index[d]!)))
  )
}

function theRead(body: readonly LoopStmt[], o: Fragment): Read {
  const reads = readsIn(body).filter((r) => r.array === o.array)
  const first = reads[0] ?? fail('schedule.fragment', `'${o.array}' is not read in '${o.at}'`)
  if (!reads.every((r) => exprKey(r) === exprKey(first)))
    fail('schedule.fragment', `'${o.array}' is read at several elements in '${o.at}'`)
  return first
}

function hasIfs(body: readonly LoopStmt[]): boolean {
  return someStmt(body, (s) => s.kind === 'if')
}

/** How registers are filled. */
interface Filling {
  readonly name: string
  /** The innermost loop of the copy becomes a vector access when its extent is 2 or 4. */
  readonly vector: boolean
  /** Where each element is loaded from; default: where it is read. */
  readonly from?: readonly Expr[]
  /**
   * Loops around of constant extents. What no read takes, by conditions on them and on the loops inside, is not loaded:
   * nothing is left of such conditions where loops are written out.
   */
  readonly fixed?: ReadonlySet<string>
}

/** `body` after a copy of what it reads by `read`, and of nothing else, of the array. */
export function afterCopy(
  body: readonly LoopStmt[],
  array: ArrayDecl,
  read: Read,
  { name, vector, from = read.index, fixed }: Filling,
): readonly LoopStmt[] {
  const loops = loopsUsed(body, read.index)
  const extents = loops.map(
    (l) => constantExtent(l) ?? fail('schedule.fragment', `the extent of '${l.name}' is not a constant`),
  )
  for (const l of loops)
    if (literal(l.lower) !== 0 || l.step !== 1)
      fail('schedule.fragment', `'${l.name}' does not count from 0 in steps of 1`)
  const registers: ArrayDecl = { name, type: array.type, shape: extents.map(int), role: 'temp', space: 'private' }
  const renamed = loops.map((l) => `${name}_${l.name}`)
  const by = new Map(loops.map((l, i) => [l.name, loopVar(renamed[i]!)]))
  const store: LoopStmt = {
    kind: 'store',
    array: name,
    index: renamed.map(loopVar),
    reduce: null,
    value: { ...read, index: from.map((e) => substitute(e, by)) },
  }
  const innermost = loops.length - 1,
    inVectors = vector && [2, 4].includes(extents[innermost]!)
  // Vectors stand under the conditions of all their lanes.
  const constants = fixed && new Set([...fixed, ...loops.map((l) => l.name)])
  const asked = constants ? conditionsOf(body, exprKey(read), constants).map((c) => substitute(c, by)) : [],
    ofLanes = asked.some((c) => uses(c, renamed[innermost] ?? '')) ? loops.length : innermost
  const copy = loops.reduceRight<LoopStmt>((inner, _, i) => {
    const filled = i === ofLanes - 1 ? withGuard(asked, [inner]) : [inner]
    return loop(renamed[i]!, int(extents[i]!), filled, {
      bind: { kind: i === innermost && inVectors && ofLanes === innermost ? 'vector' : 'unroll' },
    })
  }, store)
  const fromRegisters: Expr = {
    kind: 'read',
    type: registerType(array.type),
    array: name,
    index: loops.map((l) => loopVar(l.name)),
  }
  const key = exprKey(read)
  const rest = body.map((s) =>
    mapStmtExprs(s, (e) =>
      rewriteExpr(e, (x) => (x.kind === 'read' && exprKey(x) === key ? fromRegisters : undefined)),
    ),
  )
  return [{ kind: 'declare', array: registers }, ...(ofLanes <= 0 ? withGuard(asked, [copy]) : [copy]), ...rest]
}

/** Conditions under which alone the element is read, on `loops` and nothing else. */
function conditionsOf(body: readonly LoopStmt[], key: string, loops: ReadonlySet<string>): readonly Expr[] {
  let common: readonly Expr[] | undefined
  const visit = (stmts: readonly LoopStmt[], around: readonly Expr[]): void => {
    for (const s of stmts) {
      if (ownExprs(s).some((e) => someExpr(e, (x) => x.kind === 'read' && exprKey(x) === key))) {
        const here = new Set(around.map(exprKey))
        common = common ? common.filter((c) => here.has(exprKey(c))) : around
      }
      if (s.kind === 'loop') visit(s.body, around)
      if (s.kind === 'if') {
        visit(s.then, [...around, ...conjuncts(s.condition)])
        visit(s.else, around)
      }
    }
  }
  visit(body, [])
  return (common ?? []).filter((c) => !readsArray(c) && [...varsOf(c)].every((name) => loops.has(name)))
}

/** Loops inside `body` that the index uses, outermost first. */
function loopsUsed(body: readonly LoopStmt[], index: readonly Expr[]): readonly Loop[] {
  const out: Loop[] = []
  eachStmt(body, (s) => {
    if (s.kind !== 'loop' || !index.some((e) => uses(e, s.name))) return
    const same = out.find((l) => l.name === s.name)
    if (!same) out.push(s)
    else if (constantExtent(same) !== constantExtent(s))
      fail('schedule.fragment', `'${s.name}' names loops of different extents`)
  })
  return out
}
