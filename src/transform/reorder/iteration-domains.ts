// In: loops around statements. Out: the statements, each with its loops and the linear constraints of the iterations
// in which it runs: its iteration domain in the polyhedral model (Feautrier 1992). The one idea: what reordering moves
// is statements with domains. A store is a statement; so is a branch that asks for what the loops write, with all that
// it stores (`if (d[i][k] + d[k][j] < d[i][j]) { d[i][j] = …; next[i][j] = …; }`), and an iteration with locals: what
// needs each other in one iteration moves together. It does not say which orders dependences allow.
import {
  accesses,
  conjunction,
  eachStmt,
  insideLoop,
  insideLoops,
  ownExprs,
  sizeDomain,
  someExpr,
  when,
  whereHolds,
  type Access,
  type Affine,
  type Domain,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
} from '../../ir/index.ts'
import { hasLoop } from '../../analysis/index.ts'

/** A statement with the loops around it and where it runs. */
export interface Instances {
  /** What runs, under what data decide of it. */
  readonly body: readonly LoopStmt[]
  /** The path of all that is in it begins so. */
  readonly path: readonly number[]
  /** The stores in it, but those to locals of it; one at least. */
  readonly stores: readonly Store[]
  readonly loops: readonly Loop[]
  /** Of the loops, outermost first. */
  readonly names: readonly string[]
  /** Each is ≥ 0 where it runs. */
  readonly rows: readonly Affine[]
}

/** Statements of a program that is looked at: orders that are searched for are exponential in them. */
const mostStatements = 48

/** Whether the access is in the statement. */
export const isOf = (s: Pick<Instances, 'path'>, a: Pick<Access, 'path'>): boolean =>
  s.path.every((p, i) => a.path[i] === p)

/**
 * Every statement with the points where it runs, as far as data do not decide, in the order of the source; `undefined`
 * when some are not linear or there are locals of several or too many.
 */
export function statementsOf(program: Program): readonly Instances[] | undefined {
  const all = accesses(program),
    writes = all.filter((a) => a.kind === 'write'),
    written = new Set(writes.map((a) => a.array)),
    groups = groupsIn(program, written),
    alone = writes.filter((a) => !groups.some((g) => isOf(g, a)))
  if (alone.length + groups.length > mostStatements) return undefined
  if (alone.some((a) => a.declared || a.statement.kind !== 'store')) return undefined
  const made = [...alone.map((a) => ofStore(program, a, written)), ...groups.map((g) => ofGroup(program, g, written))]
  return made.every((s) => s !== undefined) ? made.toSorted((a, b) => inText(a.path, b.path)) : undefined
}

/** The order of two paths in the text. */
function inText(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((p, i) => p !== b[i])
  return at < 0 ? a.length - b.length : a[at]! - (b[at] ?? -1) // a position in `a`
}

const isLinear = (d: Domain): boolean =>
  d.constraints.every((c) => !c.equal && [...c.form.terms.keys()].every((n) => !n.startsWith('%')))

const isKnown = (d: Domain): boolean => d.exact && d.either.length === 0

function ofStore(program: Program, write: Access, written: ReadonlySet<string>): Instances | undefined {
  const { loops, domain, path, statement } = write,
    guard = isKnown(domain) ? undefined : dataGuard(program, write, written)
  if (statement.kind !== 'store' || loops.length === 0 || !isLinear(domain) || (!isKnown(domain) && !guard))
    return undefined
  return {
    body: guard ? [when(guard, [statement])] : [statement],
    path,
    stores: [statement],
    loops,
    names: loops.map((l) => l.name),
    rows: domain.constraints.map((c) => c.form),
  }
}

/** Conditions around a statement, and whether these are all that there are: no other branch is. */
interface Asked {
  readonly loops: readonly Loop[]
  readonly holding: readonly Expr[]
  readonly branches: readonly { readonly then: boolean }[]
}

/** All conditions around a store whose loops data do not bound; `undefined` where they read what the program writes. */
function dataGuard(program: Program, a: Asked, written: ReadonlySet<string>): Expr | undefined {
  const isFixed = a.holding.every((c) => !asksFor(c, written))
  return isKnown(insideLoops(program, a.loops)) && isFixed && a.branches.every((b) => b.then)
    ? conjunction(a.holding)
    : undefined
}

const asksFor = (e: Expr, written: ReadonlySet<string>): boolean =>
  someExpr(e, (x) => x.kind === 'read' && written.has(x.array))

// ── statements of several stores ──────────────────────────────────────────────────────────────────────────────────

interface Group extends Asked {
  readonly body: readonly LoopStmt[]
  readonly path: readonly number[]
  readonly domain: Domain
}

/** Branches that ask for what the loops write, and iterations with locals, as far as no loop is in them. */
function groupsIn(program: Program, written: ReadonlySet<string>): readonly Group[] {
  const out: Group[] = []
  const visit = (body: readonly LoopStmt[], around: Omit<Group, 'body'>, from: number): void => {
    const { loops, path } = around
    if (loops.length > 0 && body.some((s) => s.kind === 'declare') && !body.some(hasLoop)) {
      out.push({ ...around, body })
      return
    }
    body.forEach((s, i) => {
      const here = { ...around, path: [...path, from + i] }
      if (s.kind === 'loop') visit(s.body, { ...here, loops: [...loops, s], domain: insideLoop(around.domain, s) }, 0)
      if (s.kind !== 'if') return
      if (loops.length > 0 && !hasLoop(s) && asksFor(s.condition, written)) {
        out.push({ ...here, body: [s] })
        return
      }
      const branch = (then: boolean): Omit<Group, 'body'> => ({
        ...here,
        domain: whereHolds(around.domain, s.condition, then),
        holding: then ? [...around.holding, s.condition] : around.holding,
        branches: [...around.branches, { then }],
      })
      visit(s.then, branch(true), 0)
      visit(s.else, branch(false), s.then.length)
    })
  }
  visit(program.body, { path: [], loops: [], domain: sizeDomain(program), holding: [], branches: [] }, 0)
  return out
}

function ofGroup(program: Program, g: Group, written: ReadonlySet<string>): Instances | undefined {
  const guard = isKnown(g.domain) ? undefined : dataGuard(program, g, written)
  if (!isLinear(g.domain) || (!isKnown(g.domain) && !guard)) return undefined
  const stores: Store[] = [],
    own = new Set<string>()
  eachStmt(g.body, (s) => {
    if (s.kind === 'declare') own.add(s.array.name)
    if (s.kind === 'store' && !own.has(s.array)) stores.push(s)
  })
  if (stores.length === 0 || stores.some((s) => s.atomic)) return undefined
  const rows = g.domain.constraints.map((c) => c.form)
  return {
    body: guard ? [when(guard, g.body)] : g.body,
    path: g.path,
    stores,
    loops: g.loops,
    names: g.loops.map((l) => l.name),
    rows,
  }
}

/** Everything that the statement computes with and asks. */
export function expressionsOf(s: Instances): readonly Expr[] {
  const out: Expr[] = []
  eachStmt(s.body, (x) => out.push(...ownExprs(x)))
  return out
}
