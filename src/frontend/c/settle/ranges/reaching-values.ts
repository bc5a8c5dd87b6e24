// In: a local scalar and an access that reads it. Out: the expression that it is there, where straight code and
// conditions, but no loop in between, set it (reaching definitions, with conditions joined by choices). The one idea:
// `b = (int)(x[i] * s); if (b < 0) b = 0; if (b > 63) b = 63;` is min(max((int)(x[i] * s), 0), 63). What is read
// meanwhile must stay as it is.
import {
  choose,
  eachExpr,
  eachStmt,
  reduced,
  replaceReads,
  someStmt,
  type Access,
  type Expr,
  type If,
  type LoopStmt,
  type Program,
} from '../../../../ir/index.ts'

/** The value of the local `name` where `access` happens; undefined where it is not one expression. */
export function valueAt(program: Program, name: string, access: Access): Expr | undefined {
  const levels: (readonly LoopStmt[])[] = []
  let body: readonly LoopStmt[] = program.body
  for (const at of access.path) {
    levels.push(body)
    const s = body[at] ?? undefined
    if (!s) return undefined
    body = bodyOf(s)
  }
  const passed: LoopStmt[] = []
  const value = before(levels, access.path, levels.length - 1, name, passed)
  return value && isSteady(value, passed, name) ? value : undefined
}

/** Whether nothing under the conditions around an access sets the local: there it is what they say of it. */
export function staysUnderConditions(program: Program, name: string, access: Access): boolean {
  let body: readonly LoopStmt[] = program.body
  for (const at of access.path) {
    const s = body[at]
    if (!s || (s.kind === 'if' && writes(s, name))) return false
    body = bodyOf(s)
  }
  return true
}

/** What is in a loop, or in the branches of a condition, as paths count. */
function bodyOf(s: LoopStmt): readonly LoopStmt[] {
  if (s.kind === 'loop') return s.body
  return s.kind === 'if' ? [...s.then, ...s.else] : []
}

/** The value before the statement at `path[level]` of its body. */
function before(
  levels: readonly (readonly LoopStmt[])[],
  path: readonly number[],
  level: number,
  name: string,
  passed: LoopStmt[],
): Expr | undefined {
  const outer = level > 0 ? levels[level - 1]![path[level - 1]!] : undefined // it is on the path
  const isElse = outer?.kind === 'if' && path[level]! >= outer.then.length,
    first = isElse ? outer.then.length : 0
  const around = (): Expr | undefined =>
    !outer || (outer.kind === 'loop' && writes(outer, name)) ? undefined : before(levels, path, level - 1, name, passed)
  return behind(levels[level]!.slice(first, path[level]), name, around, passed)
}

/** The value behind some statements; `start`: before them. */
function behind(
  body: readonly LoopStmt[],
  name: string,
  start: () => Expr | undefined,
  passed: LoopStmt[],
): Expr | undefined {
  const last = body.at(-1)
  if (!last) return start()
  const earlier = (): Expr | undefined => behind(body.slice(0, -1), name, start, passed)
  if (!writes(last, name)) {
    if (last.kind === 'declare' && last.array.name === name) return undefined
    passed.push(last)
    return earlier()
  }
  if (last.kind === 'if') return joined(last, name, earlier, passed)
  if (last.kind !== 'store' || last.index.length > 0) return undefined
  if (!last.reduce && !mentionsIt(last.value, name)) return last.value
  const old = earlier(),
    own = old && replaceReads(last.value, name, () => old)
  return own && (last.reduce ? reduced(last.reduce, old, own) : own)
}

function joined(s: If, name: string, earlier: () => Expr | undefined, passed: LoopStmt[]): Expr | undefined {
  const old = earlier(),
    [then, otherwise] = old ? [s.then, s.else].map((b) => behind(b, name, () => old, passed)) : []
  return old && then && otherwise
    ? choose(
        replaceReads(s.condition, name, () => old),
        then,
        otherwise,
      )
    : undefined
}

const writes = (s: LoopStmt, name: string): boolean => someStmt([s], (x) => x.kind === 'store' && x.array === name)

const mentionsIt = (e: Expr, name: string): boolean => arraysIn(e).has(name)

function arraysIn(e: Expr): ReadonlySet<string> {
  const names = new Set<string>()
  eachExpr(e, (x) => {
    if (x.kind === 'read') names.add(x.array)
  })
  return names
}

/** Whether nothing that was passed stores to what the value reads, and the value is not of the name itself. */
function isSteady(value: Expr, passed: readonly LoopStmt[], name: string): boolean {
  const read = arraysIn(value)
  let isStored = false
  eachStmt(passed, (s) => {
    if (s.kind === 'store' && read.has(s.array)) isStored = true
  })
  return !isStored && !read.has(name)
}
