// In: a program. Out: the same without the names that sketches give to their own loops and arrays, and what each new
// name was. The one idea: schedules are scripts that speak of loops by name, so the source must not use the same names
// for something else. Names that nothing collides with stay as the source has them.
import { anyOf, oneOfNames } from '../../base/index.ts'
import {
  symbolsOf,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type Plan,
  type PlanLaunch,
  type PlanStep,
  type Program,
  mapBody,
  rewriteExpr,
  mapStmtExprs,
  namesOf,
} from '../../ir/index.ts'

/** Names of the source by those that stand for them. */
export type Spelling = ReadonlyMap<string, string>

/** What sketches call arrays of threads and groups. */
const ownArrays = anyOf([
  oneOfNames(String.raw`x_own\d* total part before earlier carry run_total start acc block_sum (best|place)_(own|all)`),
  /_(own|tile|run\d?)$/,
])

/** What sketches call loops; of a loop of the source `i` they make `i_in`, `i_out` and their like. */
const ownLoops = anyOf([
  oneOfNames(
    String.raw`uu vv bk kk ku k4 [btv][mnijc] [pt][ijxy] [pt]\d run deal step pass turn share round neighbour`,
  ),
  /^((thread|block|lane|warp|part|box|tile|row|column|step|uu)_\w*[a-z\d]|at_\d)$/,
  /_(in|out|rest|pass|row|col|again|first|[vtq]|\d)$/,
])

/** A name for a loop that is no schedule's. */
export const loopName = (name: string): string => (ownLoops.test(name) ? `${name}_` : name)

/** The same program where nothing collides. */
export function spelledApart(program: Program): { readonly program: Program; readonly spelling: Spelling } {
  const taken = namesOf(program),
    spelling = new Map<string, string>(),
    fresh = new Map<string, string>()
  const claim = (name: string, own: RegExp): void => {
    if (!own.test(name) || fresh.has(name)) return
    let other = `${name}_`
    while (taken.has(other)) other += '_' // names of schedules end in no underscore
    taken.add(other)
    fresh.set(name, other)
    spelling.set(other, name)
  }
  for (const a of program.arrays) claim(a.name, ownArrays)
  for (const x of [...symbolsOf(program), ...program.scalars]) claim(x.name, ownLoops)
  mapBody(program.body, (s) => {
    if (s.kind === 'loop') claim(s.name, ownLoops)
    if (s.kind === 'declare') claim(s.array.name, ownArrays)
    return undefined
  })
  return { program: fresh.size === 0 ? program : respelled(program, fresh), spelling }
}

/** The program with other names, all of one kind or another alike. */
function respelled(program: Program, names: Spelling): Program {
  const now = <T extends { readonly name: string }>(x: T): T => ({ ...x, name: names.get(x.name) ?? x.name })
  const f = (e: Expr): Expr => inNames(e, names)
  const array = (a: ArrayDecl): ArrayDecl => ({ ...now(a), shape: a.shape.map(f) })
  const body = mapBody(
    program.body.map((s) => mapStmtExprs(s, f)),
    (s): readonly LoopStmt[] => {
      switch (s.kind) {
        case 'loop':
          return [now(s)]
        case 'declare':
          return [{ ...s, array: array(s.array) }]
        case 'store':
          return [{ ...s, array: names.get(s.array) ?? s.array }]
        case 'if':
          return [s]
      }
    },
  )
  return {
    ...program,
    sizes: program.sizes.map((s) => ({
      ...now(s),
      ...(s.where && { where: s.where.map(f) }),
    })),
    hostVariables: program.hostVariables.map((v) => ({ ...now(v), ...(v.below && { below: f(v.below) }) })),
    scalars: program.scalars.map(now),
    arrays: program.arrays.map(array),
    body,
  }
}

function inNames(e: Expr, names: Spelling): Expr {
  return rewriteExpr(e, (x) => {
    const array = x.kind === 'read' ? names.get(x.array) : undefined
    if (x.kind === 'read') return array === undefined ? undefined : { ...x, array }
    const name = x.kind === 'var' || x.kind === 'size' || x.kind === 'scalar' ? names.get(x.name) : undefined
    return name === undefined ? undefined : ({ ...x, name } as Expr) // one of those with a name
  })
}

/** The plan in the source's names. */
export function asSpelled(plan: Plan, spelling: Spelling): Plan {
  if (spelling.size === 0) return plan
  const was = (name: string): string => spelling.get(name) ?? name
  const f = (e: Expr): Expr => inNames(e, spelling)
  const steps = (list: readonly PlanStep[]): readonly PlanStep[] =>
    list.map((s) => (typeof s === 'number' ? s : { ...s, lower: f(s.lower), upper: f(s.upper), body: steps(s.body) }))
  const launch = (l: PlanLaunch): PlanLaunch => ({
    ...l,
    grid: [f(l.grid[0]), f(l.grid[1]), f(l.grid[2])],
    params: Object.fromEntries(Object.entries(l.params).map(([name, e]) => [name, f(e)])),
    arguments: Object.fromEntries(Object.entries(l.arguments).map(([name, a]) => [name, was(a)])),
  })
  return {
    ...plan,
    sizes: plan.sizes.map((s) => ({ ...s, name: was(s.name) })),
    scalars: plan.scalars.map((s) => ({ ...s, name: was(s.name) })),
    arrays: plan.arrays.map((a) => ({
      ...a,
      name: was(a.name),
      shape: a.shape.map(f),
      ...(a.elements && { elements: { ...a.elements, low: f(a.elements.low), high: f(a.elements.high) } }),
    })),
    variants: plan.variants.map((v) => ({
      ...v,
      when: v.when && f(v.when),
      launches: v.launches.map(launch),
      ...(v.steps && { steps: steps(v.steps) }),
    })),
  }
}
