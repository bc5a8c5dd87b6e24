// In: a kernel whose threads walk through memory in order. Out: the same, some iterations written out, with all that
// these load asked for first. The one idea: iterations that wait for each other need not wait for each other's loads.
import {
  add,
  affineOf,
  div,
  int,
  literal,
  loopVar,
  mul,
  op,
  read,
  registerType,
  store,
  sub,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  claimName,
  eachStmt,
  exprKey,
  mapBody,
  rewriteExpr,
  mapStmtExprs,
  namesOf,
  peelGuard,
  readsArray,
  substitute,
  substituteStmt,
  unconditionalReads,
  uses,
  withGuard,
  type Read,
} from '../../ir/index.ts'

/** Statements that written out iterations may have, and registers that wait for loads. */
const mostCopies = 96,
  mostLoads = 48

/**
 * Branches one after the other in them. SwiftShader, on which browsers without a GPU run WebGPU, looks at every path
 * through a loop: 4 of them take 0.2 s to compile, 6 take 1.5, 8 take 49.
 */
const mostBranches = 4

/**
 * `program` with its innermost serial loops in groups of up to `most` iterations, and the arrays that are asked early;
 * `undefined` when no loop has such.
 */
export function inGroups(
  program: Program,
  most: number,
): { readonly program: Program; readonly arrays: readonly string[] } | undefined {
  const taken = namesOf(program),
    early = new Set<string>()
  const body = mapBody(program.body, (s) => {
    if (
      s.kind !== 'loop' ||
      s.bind.kind !== 'serial' ||
      s.step !== 1 ||
      readsArray(s.lower) ||
      readsArray(s.upper) ||
      s.body.some((x) => x.kind === 'loop')
    )
      return undefined
    const loads = earlyReads(s, program),
      size = groupSize(s, loads.length, most)
    if (loads.length === 0 || size === 1) return undefined
    loads.forEach((r) => early.add(r.array))
    const count = sub(s.upper, s.lower),
      groups =
        literal(s.lower) === 0 && s.upper.kind === 'size' ? div(count, size) : op('max', [div(count, size), int(0)])
    const number = claimName(taken, `${s.name}_group`),
      first = (n: Expr): Expr => add(s.lower, mul(n, int(size)))
    return [
      {
        ...s,
        name: number,
        lower: int(0),
        upper: groups,
        body: written(s, loads, size, first(loopVar(number)), taken),
      },
      { ...s, lower: first(groups) },
    ]
  })
  return early.size > 0 ? { program: { ...program, body }, arrays: [...early] } : undefined
}

/** `program` with conditions that an innermost loop does not change around it, not in it. */
export function guardsOutside(program: Program): Program {
  return {
    ...program,
    body: mapBody(program.body, (s) => {
      if (s.kind !== 'loop' || s.bind.kind !== 'serial') return undefined
      const { guard, body } = peelGuard(s.body)
      return guard.length > 0 && !guard.some((g) => uses(g, s.name) || readsArray(g))
        ? withGuard(guard, [{ ...s, body }])
        : undefined
    }),
  }
}

/** A group of iterations of `l` from `first` on, loads in front. */
export function group(l: Loop, size: number, first: Expr, program: Program, taken: Set<string>): readonly LoopStmt[] {
  const loads = earlyReads(l, program)
  return written(l, loads.length * size <= mostLoads ? loads : [], size, first, taken)
}

/** So many iterations, a power of two, as may be written out. */
export function groupSize(l: Loop, loads: number, most: number): number {
  let statements = 0,
    branches = 0
  eachStmt(l.body, (s) => {
    if (s.kind !== 'declare') statements += s.kind === 'loop' ? 8 : 1
    if (s.kind === 'if') branches++
  })
  let size = most
  while (size > 1 && (size * statements > mostCopies || size * loads > mostLoads || size * branches > mostBranches))
    size /= 2
  return size
}

/** What every iteration reads of arrays that the loop does not change, once each. */
function earlyReads(l: Loop, program: Program): readonly Read[] {
  const changed = new Set<string>(),
    found = new Map<string, Read>(),
    memory = new Map(program.arrays.map((a) => [a.name, a]))
  eachStmt(l.body, (s) => {
    if (s.kind === 'store') changed.add(s.array)
  })
  eachStmt(program.body, (s) => {
    if (s.kind === 'declare' && s.array.space === 'shared') memory.set(s.array.name, s.array)
  })
  const isLoad = (x: Read): boolean => {
    const a = memory.get(x.array)
    return (
      a !== undefined &&
      a.shape.length > 0 &&
      registerType(a.type) === a.type &&
      !changed.has(x.array) &&
      x.index.every((e) => affineOf(e) !== undefined) &&
      x.index.some((e) => uses(e, l.name))
    )
  }
  for (const s of l.body)
    if (s.kind === 'store' || s.kind === 'if')
      for (const x of unconditionalReads(s)) if (isLoad(x)) found.set(exprKey(x), x)
  return [...found.values()]
}

function written(l: Loop, loads: readonly Read[], size: number, first: Expr, taken: Set<string>): readonly LoopStmt[] {
  const one = claimName(taken, `${l.name}_one`),
    at = new Map<string, Expr>([[l.name, add(first, loopVar(one))]])
  const copies = new Map(
    loads.map((r): [string, ArrayDecl] => [
      exprKey(r),
      {
        name: claimName(taken, `${r.array}_ahead`),
        type: r.type as ArrayDecl['type'],
        shape: [int(size)],
        role: 'temp',
        space: 'private',
      },
    ]),
  ) // registers have the array's type
  const each = (name: string, body: readonly LoopStmt[]): LoopStmt => ({
    ...l,
    name,
    lower: int(0),
    upper: int(size),
    bind: { kind: 'unroll' },
    body,
  })
  const early = (e: Expr): Expr =>
    rewriteExpr(e, (x) => {
      const copy = x.kind === 'read' ? copies.get(exprKey(x)) : undefined
      return copy && read(copy, [loopVar(one)])
    })
  const body = l.body.map((s) => substituteStmt(mapStmtExprs(s, early), at))
  return [
    ...[...copies.values()].map((array): LoopStmt => ({ kind: 'declare', array })),
    ...loads.map((r): LoopStmt => each(one, [store(copies.get(exprKey(r))!, [loopVar(one)], substitute(r, at))])),
    each(one, body),
  ]
}
