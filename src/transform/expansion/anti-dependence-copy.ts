// In: a program. Out: the same, where a loop that reads elements which only later iterations overwrite, at a distance
// that data say, reads them from a copy: `for (w = W; w >= c[i]; w--) d[w] = max(d[w], d[w − c[i]] + v[i])`. The one
// idea: a distance in the other direction would take a subscript out of its array in the first or in the last
// iteration, which no program does; so it has this one.
import {
  add,
  addScaled,
  affineOf,
  atLeast,
  coefficient,
  implies,
  int,
  loopVar,
  lt,
  op,
  plus,
  sizeDomain,
  sub,
  when,
  type Affine,
  type ArrayDecl,
  type Constraint,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
  conjunction,
  conjuncts,
  eachStmt,
  exprKey,
  rewriteExpr,
  mapStmtExprs,
  namesOf,
  nest,
  ownExprs,
  perfectNest,
  readsArray,
  readsIn,
  sameExpr,
  substitute,
  varsOf,
  type Read,
  pass,
  loopIR,
  storedIn,
} from '../../ir/index.ts'
import {
  inSizes,
  knownDependences,
  mentionsAny,
  readsOf,
  sameIndex,
  inequalityOf,
  hasLoop,
} from '../../analysis/index.ts'
import { copyBefore, copyLoops } from './input-copy.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     size W = 8 min 1
//     host variable i = 4 min 0 below n
//     array c: i32[n] in global
//     array d: i32[W + 1] inout global
//     for w in 0 .. W - (c[i] - 1) {
//       d[W - w] max= d[W - w - c[i]] + 1
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     size W = 8 min 1
//     host variable i = 4 min 0 below n
//     array c: i32[n] in global
//     array d: i32[W + 1] inout global
//     array d_before: i32[W + 1] temp global
//     for at in 0 .. W + 1 {
//       d_before[at] = d[at]
//     }
//     for w in 0 .. W + 1 {
//       if w < W - (c[i] - 1) {
//         d[W - w] max= d_before[W - w - c[i]] + 1
//       }
//     }
//   }
export const antiDependenceCopy = pass({
  name: 'anti-dependence-copy',
  summary: 'a loop that reads what only its later iterations overwrite reads a copy',
  needs: ['dependences'],
  of: loopIR,
  run: readingBefore,
})

/** `program` with such copies in front of loops that can be parallel then. */
export function readingBefore(program: Program): Program {
  let arrays = program.arrays
  const taken = namesOf(program)
  const body = program.body.flatMap((s): readonly LoopStmt[] => {
    const found = s.kind === 'loop' ? overwrittenLater({ ...program, arrays }, s) : undefined
    if (!found) return [s]
    const copy = copyBefore(found.array, taken),
      filled = copyLoops(found.array, copy, taken)
    const fromCopy = (e: Expr): Expr =>
      rewriteExpr(e, (x) =>
        x.kind === 'read' && x.array === found.array.name && !sameIndex(x.index, found.index)
          ? { ...x, array: copy.name, index: x.index.map(fromCopy) }
          : undefined,
      )
    const made = nest(
        found.loops,
        guarded(
          found.guards,
          found.body.map((x) => mapStmtExprs(x, fromCopy)),
        ),
      ),
      declares = program.body.filter((x) => x.kind === 'declare')
    if (
      knownDependences({ ...program, arrays: [...arrays, copy], body: [...declares, ...made] })?.every(
        (d) => d.level === null || d.reduction,
      ) !== true
    )
      return [s]
    arrays = [...arrays, copy]
    return [...filled, ...made]
  })
  return arrays === program.arrays ? program : { ...program, arrays, body }
}

const guarded = (guards: readonly Expr[], body: readonly LoopStmt[]): readonly LoopStmt[] => {
  const all = conjunction(guards)
  return all ? [when(all, body)] : body
}

interface Overwritten {
  readonly array: ArrayDecl
  /** Where the loops store to it. */
  readonly index: readonly Expr[]
  /** Ends are sizes. */
  readonly loops: readonly Loop[]
  /** What is left of ends that are none. */
  readonly guards: readonly Expr[]
  readonly body: readonly LoopStmt[]
}

/** A use of the array under conditions. */
interface Use {
  readonly index: readonly Expr[]
  readonly guards: readonly Expr[]
}

function overwrittenLater(program: Program, l: Loop): Overwritten | undefined {
  const { loops, body } = perfectNest(l),
    written = storedIn(body)
  if (body.some(hasLoop) || loops.some((x) => x.step !== 1 || mentionsAny([x.lower, x.upper], written)))
    return undefined
  for (const array of program.arrays) {
    if (!written.includes(array.name) || array.shape.length === 0 || array.space !== 'global') continue
    const first = firstStore(body, array.name),
      uses = usesOf(body, array.name)
    const others = readsIn(body).filter((r) => r.array === array.name && first && !sameIndex(r.index, first.index))
    if (!first || others.length === 0 || mentionsAny([...first.index, ...others.flatMap((r) => r.index)], written))
      continue
    if (
      !others.some((r) => r.index.some(readsArray)) ||
      !usedThroughout(body, uses, first.index) ||
      !readsFirst(body, array.name, first.index) ||
      !loops.every((x) => first.index.filter((e) => varsOf(e).has(x.name)).length === 1)
    )
      continue
    const ranges = inSizesAlone(array, first.index, loops)
    const asked: Asked = { program, array, loops, uses }
    if (ranges && others.every((r) => first.index.every((e, d) => isLater(asked, e, r.index[d]!))))
      return { array, index: first.index, ...ranges, body }
  }
  return undefined
}

function firstStore(body: readonly LoopStmt[], array: string): Store | undefined {
  let first: Store | undefined
  eachStmt(body, (s) => {
    if (s.kind === 'store' && s.array === array) first ??= s
  })
  return first
}

/** Whether there is one store to the array, and all that is read elsewhere is read before it. */
function readsFirst(body: readonly LoopStmt[], array: string, index: readonly Expr[]): boolean {
  let stores = 0,
    first = true
  eachStmt(body, (s) => {
    if (
      stores > 0 &&
      ownExprs(s).some((e) => readsOf([e]).some((r) => r.array === array && !sameIndex(r.index, index)))
    )
      first = false
    if (s.kind === 'store' && s.array === array) stores++
  })
  return first && stores === 1
}

/**
 * Whether nothing is stored to arrays but where the element of `array` that the iteration stores to is used as well.
 */
const usedThroughout = (body: readonly LoopStmt[], uses: readonly Use[], index: readonly Expr[]): boolean =>
  storesUnder(body, []).every((guards) =>
    uses.some(
      (u) =>
        sameIndex(u.index, index) &&
        u.guards.length <= guards.length &&
        u.guards.every((g, n) => sameExpr(g, guards[n]!)),
    ),
  ) // it is shorter

/** The conditions around each store to an element. */
const storesUnder = (body: readonly LoopStmt[], guards: readonly Expr[]): readonly (readonly Expr[])[] =>
  body.flatMap((s) =>
    s.kind === 'if'
      ? [
          ...storesUnder(s.then, [...guards, ...conjuncts(s.condition)]),
          ...storesUnder(s.else, [...guards, op('lnot', [s.condition])]),
        ]
      : s.kind === 'store' && s.index.length > 0
        ? [guards]
        : [],
  )

/**
 * Uses of the array, each with the conditions of statements around it; those that expressions make by choice are left
 * out.
 */
function usesOf(body: readonly LoopStmt[], array: string, guards: readonly Expr[] = []): readonly Use[] {
  const reads = (es: readonly Expr[], under: readonly Expr[]): readonly Use[] =>
    es.flatMap(certainReads).flatMap((r) => (r.array === array ? [{ index: r.index, guards: under }] : []))
  return body.flatMap((s): readonly Use[] => {
    if (s.kind === 'store')
      return [...(s.array === array ? [{ index: s.index, guards }] : []), ...reads([...s.index, s.value], guards)]
    if (s.kind !== 'if') return []
    const all = conjuncts(s.condition)
    return [
      ...all.flatMap((c, n) => reads([c], [...guards, ...all.slice(0, n)])),
      ...usesOf(s.then, array, [...guards, ...all]),
      ...usesOf(s.else, array, [...guards, op('lnot', [s.condition])]),
    ]
  })
}

/** Reads that the expression makes whatever it chooses. */
function certainReads(e: Expr): readonly Read[] {
  switch (e.kind) {
    case 'read':
      return [e, ...e.index.flatMap(certainReads)]
    case 'op':
      return (e.op === 'land' || e.op === 'lor' ? e.args.slice(0, 1) : e.args).flatMap(certainReads)
    case 'choose':
      return certainReads(e.condition)
    case 'const':
    case 'var':
    case 'size':
    case 'scalar':
      return []
  }
}

/**
 * The loops from where to where the subscripts are in the array, where data say an end; `undefined` where that is no
 * range of sizes.
 */
function inSizesAlone(
  array: ArrayDecl,
  index: readonly Expr[],
  loops: readonly Loop[],
): { readonly loops: readonly Loop[]; readonly guards: readonly Expr[] } | undefined {
  const guards: Expr[] = [],
    out: Loop[] = []
  for (const l of loops) {
    if (inSizes(l.lower) && inSizes(l.upper)) {
      out.push(l)
      continue
    }
    const d = index.findIndex((e) => varsOf(e).has(l.name)),
      form = d < 0 ? undefined : affineOf(index[d]!),
      c = form && coefficient(form, l.name)
    const rest = d < 0 ? undefined : substitute(index[d]!, new Map([[l.name, int(0)]])),
      extent = array.shape[d]
    if (!rest || !extent || (c !== 1 && c !== -1) || !inSizes(rest)) return undefined
    const [lower, upper] =
      c === 1 ? [sub(int(0), rest), sub(extent, rest)] : [sub(add(rest, int(1)), extent), add(rest, int(1))]
    guards.push(
      ...(inSizes(l.lower) ? [] : [op('le', [l.lower, loopVar(l.name)])]),
      ...(inSizes(l.upper) ? [] : [lt(loopVar(l.name), l.upper)]),
    )
    out.push({ ...l, lower: inSizes(l.lower) ? l.lower : lower, upper: inSizes(l.upper) ? l.upper : upper })
  }
  return { loops: out, guards }
}

interface Asked {
  readonly program: Program
  readonly array: ArrayDecl
  readonly loops: readonly Loop[]
  readonly uses: readonly Use[]
}

/**
 * Whether the element that is read `at` is one that this or a later iteration stores to, as far as one dimension says
 * it.
 */
function isLater(asked: Asked, stored: Expr, at: Expr): boolean {
  const far = opened(sub(stored, at)),
    own = opened(stored),
    names = own ? asked.loops.filter((l) => coefficient(own, l.name) !== 0) : [],
    [l] = names
  if (!far || !own || asked.loops.some((x) => coefficient(far, x.name) !== 0)) return false
  if (!l || names.length > 1) return !l && far.terms.size === 0 && far.constant === 0
  const c = coefficient(own, l.name),
    later = addScaled({ constant: 0, terms: new Map() }, far, -c)
  if (Math.abs(c) !== 1) return false
  const sizes = sizeDomain(asked.program).constraints
  return (
    implies(sizes, later) ||
    [sub(l.upper, int(1)), l.lower].some((end) =>
      leavesArray(
        asked,
        [...sizes, atLeast(plus(addScaled({ constant: 0, terms: new Map() }, later, -1), -1))],
        l,
        end,
      ),
    )
  )
}

/**
 * Whether a use of the array is outside of it where `l` is at `end`, for all that is `known`, if there is such an
 * iteration.
 */
function leavesArray({ array, loops, uses }: Asked, known: readonly Constraint[], l: Loop, end: Expr): boolean {
  const at = new Map([[l.name, end]]),
    inside = loops.flatMap((x) => ends(x === l ? end : loopVar(x.name), x))
  if (inside.includes(undefined)) return false
  const there = [...known, ...inside.filter((f): f is Affine => f !== undefined).map(atLeast)]
  return uses.some(
    ({ index, guards }) =>
      guards.every((g) => {
        const f = openedCondition(substitute(g, at))
        return f !== undefined && implies(there, f)
      }) &&
      index.some((e, d) => {
        const place = opened(substitute(e, at)),
          extent = opened(array.shape[d]!) // as many
        return (
          place !== undefined &&
          extent !== undefined &&
          (implies(there, plus(addScaled({ constant: 0, terms: new Map() }, place, -1), -1)) ||
            implies(there, addScaled(place, extent, -1)))
        )
      }),
  )
}

/** What says that the value is between the ends of the loop. */
const ends = (value: Expr, l: Loop): readonly (Affine | undefined)[] => [
  opened(sub(value, l.lower)),
  opened(sub(sub(l.upper, int(1)), value)),
]

/** The linear form in which what is read has names. */
const opened = (e: Expr): Affine | undefined => affineOf(named(e))

const openedCondition = (e: Expr): Affine | undefined => inequalityOf(named(e))

const named = (e: Expr): Expr =>
  rewriteExpr(e, (x) => (x.kind === 'read' || x.kind === 'scalar' ? loopVar(`@${exprKey(x)}`) : undefined))
