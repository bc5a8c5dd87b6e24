// In: a kernel in which each thread walks along a row of its own. Out: the same, a strip of so many columns at a time,
// which the threads of a block bring into workgroup memory and take back together. The one idea: neighbouring threads
// walk in neighbouring rows, so that what they ask for at once lies a row apart, a sector for each; a strip has whole
// sectors.
import { attempted, isInapplicable } from '../../base/index.ts'
import {
  accesses,
  add,
  affineOf,
  bytesOf,
  ceilDiv,
  coefficient,
  int,
  literal,
  loopVar,
  lt,
  mul,
  registerType,
  sameAffine,
  sub,
  type Access,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  claimName,
  eachExpr,
  eachStmt,
  mapBody,
  rewriteExpr,
  mapStmtExprs,
  namesOf,
  ownExprs,
  peelGuard,
  readsArray,
  replaceLoops,
  substitute,
  substituteStmt,
  theLoop,
  uses,
  withGuard,
  sets,
} from '../../ir/index.ts'
import { group, groupSize } from './unroll-preload.ts'
import { ownThread } from './scalar-replacement.ts'
import { paddedCount } from '../lower/thread-digits.ts'
import { prefetched } from '../primitives/prefetch.ts'
import { declarationOf, stage } from '../primitives/stage.ts'
import { stageOut } from '../primitives/stage-out.ts'

export interface Strip {
  /** Columns of a strip. */
  readonly columns: number
  /** Threads that bring and take strips: at least as many as there are rows. */
  readonly threads: number
  /**
   * The next strip of what is only read is asked for before this one is worked on; what the last iteration does
   * (`prefetch`).
   */
  readonly ahead?: 'again' | 'skip'
  /** Bytes of workgroup memory that strips may take. */
  readonly most: number
}

export interface InStrips {
  readonly program: Program
  /** Arrays whose strips are in workgroup memory. */
  readonly arrays: readonly string[]
  /** Those whose next strip is on its way while this one is worked on. */
  readonly held: readonly string[]
}

/**
 * `program` with the loops of its thread loop `rows` in strips, where they walk along rows; `undefined` when none does.
 */
export function inStrips(program: Program, rows: string, o: Strip): InStrips | undefined {
  const taken = namesOf(program),
    cut = cutIntoStrips(program, theLoop(program, rows), o.columns, taken)
  if (!cut) return undefined
  const near = new Set<string>(),
    held = new Set<string>()
  let next = cut.program,
    left = o.most
  for (const s of cut.strips) {
    const read = new Map<string, string>()
    for (const array of s.arrays) {
      const made = staged(next, array, s.name, taken, o),
        strip = made && declarationOf(made.program, made.copy),
        bytes = strip ? paddedCount(strip) * bytesOf[strip.type] : Infinity
      if (!made || bytes > left) continue
      left -= bytes
      next = made.program
      near.add(array)
      if (made.readOnly) read.set(array, made.copy)
    }
    const early =
      read.size > 0 && o.ahead
        ? prefetched(next, { loop: s.name, arrays: [...read.values()], last: o.ahead })
        : undefined
    if (early && !isInapplicable(early)) {
      for (const array of read.keys()) held.add(array)
      next = early
    }
    next = wholeFirst(next, s.inner, taken)
  }
  return near.size > 0 ? { program: next, arrays: [...near], held: [...held] } : undefined
}

/** A loop over strips, the loop over the columns of one, and the arrays whose rows these walk along. */
interface Cut {
  readonly name: string
  readonly inner: string
  readonly arrays: readonly string[]
}

/**
 * What threads do between walks, and each walk with its loop over strips outside of the threads; all threads meet in
 * between.
 */
function cutIntoStrips(
  program: Program,
  l: Loop,
  columns: number,
  taken: Set<string>,
): { readonly program: Program; readonly strips: readonly Cut[] } | undefined {
  const { guard, body } = peelGuard(l.body),
    all = accesses(program),
    strips: Cut[] = [],
    out: LoopStmt[] = []
  if (guard.some(readsArray)) return undefined
  let others: LoopStmt[] = []
  const flush = (): void => {
    if (others.length > 0) out.push({ ...l, body: withGuard(guard, others) })
    others = []
  }
  for (const s of body) {
    if (s.kind === 'declare') continue
    const walk = walkOf(s),
      arrays = walk ? walked(program, all, l, walk.loop) : []
    if (!walk || arrays.length === 0) {
      others.push(s)
      continue
    }
    flush()
    const { loop } = walk,
      name = claimName(taken, `${loop.name}_strip`),
      inner = claimName(taken, `${loop.name}_at`)
    strips.push({ name, inner, arrays })
    const value = add(loop.lower, add(mul(loopVar(name), int(columns)), loopVar(inner)))
    const each: Loop = {
      ...loop,
      name: inner,
      lower: int(0),
      upper: int(columns),
      body: withGuard(
        [lt(value, loop.upper)],
        loop.body.map((x) => substituteStmt(x, new Map([[loop.name, value]]))),
      ),
    }
    out.push({
      ...loop,
      name,
      lower: int(0),
      upper: ceilDiv(sub(loop.upper, loop.lower), columns),
      body: [{ ...l, body: withGuard([...guard, ...walk.guard], [each]) }],
    })
  }
  flush()
  const declared = body.flatMap((s) => (s.kind === 'declare' ? [s.array] : []))
  return strips.length > 0
    ? {
        program: perThread(
          replaceLoops(program, l.name, () => out),
          declared,
          l.name,
          literal(l.upper)!,
        ),
        strips,
      }
    : undefined // thread loops have constant extents
}

/** A loop that may stand in conditions of its thread. */
function walkOf(s: LoopStmt): { readonly loop: Loop; readonly guard: readonly Expr[] } | undefined {
  const { guard, body } = peelGuard([s]),
    loop = body[0]
  return body.length === 1 && loop?.kind === 'loop' && !guard.some(readsArray) ? { loop, guard } : undefined
}

/** Arrays of which each row is walked along by `l` in a thread of its own. */
function walked(program: Program, all: readonly Access[], rows: Loop, l: Loop): readonly string[] {
  const free = (e: Expr): boolean => !uses(e, rows.name) && !readsArray(e)
  if (l.bind.kind !== 'serial' || l.step !== 1 || !free(l.lower) || !free(l.upper) || !ownThread(l.body)) return []
  const inside = new Set<readonly Expr[]>()
  eachStmt(l.body, (s) => {
    if (s.kind === 'store') inside.add(s.index)
    ownExprs(s).forEach((e) =>
      eachExpr(e, (x) => {
        if (x.kind === 'read') inside.add(x.index)
      }),
    )
  })
  return program.arrays
    .filter((a) => {
      if (registerType(a.type) !== a.type || a.shape.length < 2 || a.space !== 'global') return false
      const mine = all.filter((x) => x.array === a.name),
        here = mine.filter((x) => inside.has(x.index))
      return (
        here.length > 0 &&
        here.every((x) => inRow(x, rows.name)) &&
        here.some((x) => Math.abs(columnOf(x, l.name)) === 1) &&
        (mine.every((x) => x.kind === 'read') || ownRow(mine, rows.name))
      )
    })
    .map((a) => a.name)
}

const columnOf = (x: Access, loop: string): number => {
  const a = affineOf(x.index[x.index.length - 1]!)
  return a ? coefficient(a, loop) : 0
}

/** Whether neighbouring threads are in neighbouring rows. */
const inRow = (x: Access, rows: string): boolean =>
  x.index.every((e, d) => {
    const a = affineOf(e),
      c = a && coefficient(a, rows)
    return c === 0 || (c === 1 && d < x.index.length - 1)
  }) && x.index.some((e) => uses(e, rows))

/** Whether one dimension alone says which thread it is, the same in all accesses: no other thread has the row. */
function ownRow(mine: readonly Access[], rows: string): boolean {
  return mine[0]!.index.some((_, d) =>
    mine.every((x) => {
      const a = affineOf(x.index[d]!),
        first = affineOf(mine[0]!.index[d]!)
      return a && first && coefficient(a, rows) === 1 && sameAffine(a, first)
    }),
  )
}

/** What a thread keeps from strip to strip is one array for all threads, an element each. */
function perThread(program: Program, declared: readonly ArrayDecl[], rows: string, count: number): Program {
  const own = new Set(declared.map((a) => a.name)),
    index = loopVar(rows)
  const body = mapBody(program.body, (s) =>
    s.kind === 'store' && own.has(s.array) ? [{ ...s, index: [index, ...s.index] }] : undefined,
  )
  const f = (e: Expr): Expr =>
    rewriteExpr(e, (x) => (x.kind === 'read' && own.has(x.array) ? { ...x, index: [index, ...x.index] } : undefined))
  const first = body.map((s) => mapStmtExprs(s, f))
  const wide = declared.map((a): LoopStmt => ({ kind: 'declare', array: { ...a, shape: [int(count), ...a.shape] } }))
  return { ...program, body: inBlock(first, wide) }
}

/** `what` in front of the statements of a block. */
function inBlock(body: readonly LoopStmt[], what: readonly LoopStmt[]): readonly LoopStmt[] {
  return body.map((s) =>
    s.kind === 'loop' && s.bind.kind === 'block'
      ? {
          ...s,
          body: s.body.some((x) => x.kind === 'loop' && x.bind.kind === 'block')
            ? inBlock(s.body, what)
            : [...what, ...s.body],
        }
      : s,
  )
}

/** `array`'s strip in workgroup memory; `undefined` when it is no box of constant size. */
function staged(
  program: Program,
  array: string,
  at: string,
  taken: Set<string>,
  o: Strip,
): { readonly program: Program; readonly copy: string; readonly readOnly: boolean } | undefined {
  const copy = claimName(new Set(taken), `${array}_strip`)
  const readOnly = !sets(theLoop(program, at).body, array)
  const made = attempted(() =>
    (readOnly ? stage : stageOut)(program, { array, at, as: copy, threads: o.threads, pad: 1 }),
  )
  if (isInapplicable(made)) return undefined
  taken.add(copy)
  return { program: made, copy, readOnly }
}

/** The loop `inner` without its condition, some iterations written out, where the strip is whole. */
function wholeFirst(program: Program, inner: string, taken: Set<string>): Program {
  return replaceLoops(program, inner, (l) => {
    const { guard, body } = peelGuard(l.body),
      columns = literal(l.upper)! // a strip has so many
    const end = guard.find((g) => uses(g, inner)),
      rest = guard.filter((g) => g !== end)
    if (!end) return [l]
    const plain: Loop = { ...l, body: withGuard(rest, body) },
      size = groupSize(plain, 0, mostAtOnce),
      number = claimName(taken, `${inner}_group`)
    const whole: Loop =
      size === 1
        ? plain
        : {
            ...l,
            name: number,
            upper: int(columns / size),
            body: group(plain, size, mul(loopVar(number), int(size)), program, taken),
          }
    return [{ kind: 'if', condition: substitute(end, new Map([[inner, int(columns - 1)]])), then: [whole], else: [l] }]
  })
}

/** Most iterations of a strip that are written out; strips have multiples of it. */
const mostAtOnce = 8
