// In: a `for`. Out: what it counts: the loop that LoopIR has, in which the source's variable is the loop's or an
// expression of it, and what its condition asks besides. The one idea: one variable of the header must step towards
// something that the body does not change; other variables that step along are expressions of it. All else is no
// counted loop.
import type { Span } from '../../../base/index.ts'
import { assignOf, binaryOf, declareOf, mapC, nameOf, type FreshNames, numberOf, writtenIn } from './c-rewriting.ts'
import { everywhere, readsMemory } from './name-uses.ts'
import type { CExpr, CScalar, CStmt } from '../text/syntax.ts'

type For = Extract<CStmt, { kind: 'for' }>

export interface Header {
  /** The source's variable, and whether the header declares it. */
  readonly variable: string
  readonly own: boolean
  /** Its first value; absent when it has one already. */
  readonly first: CExpr | undefined
  readonly init: CStmt
  readonly condition: CExpr
  readonly update: CExpr
  /** Conditions that end the loop where they fail. */
  readonly rest: readonly CExpr[]
  /** Where it fails, the iteration is none of the source's. */
  readonly guard?: CExpr
  readonly before: readonly CStmt[]
  readonly inBody: readonly CStmt[]
  /** What counts the turns of a loop whose variable doubles or halves. */
  readonly turn?: string
  /** Its value after the loop, where that can be said; in the variable itself, which holds the first value then. */
  readonly end: CExpr | undefined
}

export const commaOperands = (e: CExpr): CExpr[] =>
  e.kind === 'comma' ? [...commaOperands(e.left), ...commaOperands(e.right)] : [e]

/** What `&&` joins. */
export const conjunctsOfC = (e: CExpr): CExpr[] =>
  e.kind === 'binary' && e.op === '&&' ? [...conjunctsOfC(e.left), ...conjunctsOfC(e.right)] : [e]
export const mirrored: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '!=': '!=' }
const isName = (e: CExpr, name: string): boolean => e.kind === 'name' && e.name === name
const mentions = (e: CExpr, name: string): boolean => everywhere(e).some((x) => isName(x, name))

/**
 * The header of `s`, or undefined when it must be taken as a `while`. `outside`: variables that something reads outside
 * of the loops that start them.
 */
export function headerOf(
  s: For,
  names: FreshNames,
  types: ReadonlyMap<string, CScalar>,
  outside: ReadonlySet<string>,
): Header | undefined {
  const starts = startsOf(s)
  if (!s.condition || !s.update || !starts) return undefined
  const updates = commaOperands(s.update),
    body = writtenIn(s.body)
  for (const move of updates) {
    const variable = movedBy(move),
      type = variable === undefined ? undefined : types.get(variable)
    if (variable === undefined || type === 'f32' || type === 'f64' || body.has(variable)) continue
    const others = updates.filter((u) => u !== move)
    if (others.some((u) => writtenIn({ kind: 'expr', expr: u, at: u.at }).has(variable))) continue
    const found = around({ s, condition: s.condition, variable, move, starts, others, body, types }, names, outside)
    if (found) return found
  }
  return undefined
}

/** `for (T i = n; i-- > 0;)` with its step where others have it. */
export function countedDown(s: For): For {
  const d = s.init?.kind === 'declare' && s.init.declarators.length === 1 ? s.init.declarators[0] : undefined
  const asked =
    s.condition?.kind === 'binary' &&
    (s.condition.op === '>' || s.condition.op === '!=') &&
    s.condition.right.kind === 'number' &&
    s.condition.right.value === 0
      ? s.condition.left
      : s.condition
  if (
    s.update ||
    !d?.initial ||
    asked?.kind !== 'update' ||
    asked.op !== '--' ||
    asked.prefix ||
    !isName(asked.arg, d.name)
  )
    return s
  const { at } = s,
    self = nameOf(d.name, at)
  return {
    ...s,
    init: declareOf(d.name, d.type, d.at, binaryOf('-', d.initial, numberOf(1, at))),
    condition: binaryOf('>=', self, numberOf(0, at)),
    update: { kind: 'update', op: '--', arg: self, at },
  }
}

interface Start {
  readonly name: string
  readonly value: CExpr
  readonly type: CScalar
  readonly at: Span
}
interface Starts {
  readonly own: boolean
  readonly of: readonly Start[]
}

/** What the header sets first; undefined where it is no list of variables. */
export function startsOf(s: For): Starts | undefined {
  if (!s.init || s.init.kind === 'empty') return { own: false, of: [] }
  if (s.init.kind === 'declare') {
    const of = s.init.declarators.map((d): Start | undefined =>
      d.initial && d.extents.length === 0 && !d.struct
        ? { name: d.name, value: d.initial, type: d.type, at: d.at }
        : undefined,
    )
    return of.every((x) => x !== undefined) ? inTurn({ own: true, of }) : undefined
  }
  if (s.init.kind !== 'expr') return undefined
  const of = commaOperands(s.init.expr).map((e): Start | undefined =>
    e.kind === 'assign' && e.op === '' && e.left.kind === 'name'
      ? { name: e.left.name, value: e.right, type: 'i32', at: e.at }
      : undefined,
  )
  return of.every((x) => x !== undefined) ? inTurn({ own: false, of }) : undefined
}

/** With what earlier variables start with put into later ones: `int i = 0, j = i + 1`. */
function inTurn(starts: Starts): Starts | undefined {
  const known = new Map<string, CExpr>(),
    of: Start[] = []
  for (const x of starts.of) {
    const value = mapC(x.value, (e) => (e.kind === 'name' ? (known.get(e.name) ?? e) : e))
    const isRepeatable = everywhere(value).every((e) => !['call', 'update', 'assign'].includes(e.kind))
    if (value !== x.value && !isRepeatable) return undefined
    known.set(x.name, value)
    of.push({ ...x, value })
  }
  return { own: starts.own, of }
}

interface Step {
  readonly sign: '+' | '-'
  readonly by: CExpr
}

/** By how much `e` moves `variable`. */
export function stepOfVariable(e: CExpr, variable: string): Step | undefined {
  if (e.kind === 'update')
    return isName(e.arg, variable) ? { sign: e.op === '++' ? '+' : '-', by: numberOf(1, e.at) } : undefined
  if (e.kind !== 'assign' || !isName(e.left, variable)) return undefined
  if (e.op === '+' || e.op === '-') return mentions(e.right, variable) ? undefined : { sign: e.op, by: e.right }
  if (e.op !== '' || e.right.kind !== 'binary') return undefined
  const { op, left, right } = e.right
  if ((op === '+' || op === '-') && isName(left, variable) && !mentions(right, variable)) return { sign: op, by: right }
  return op === '+' && isName(right, variable) && !mentions(left, variable) ? { sign: '+', by: left } : undefined
}

interface Shift {
  readonly op: '<<' | '>>'
  readonly by: number /** By a division, which is a shift of what is not negative. */
  readonly divides?: true
}

/** Shifts by which `e` moves `variable`: `k <<= 1`, `k *= 2`, `k = k >> 1`, `k /= 2`. */
export function shiftOf(e: CExpr, variable: string): Shift | undefined {
  if (e.kind !== 'assign' || !isName(e.left, variable)) return undefined
  const inner = e.right.kind === 'binary' && isName(e.right.left, variable) ? e.right : undefined
  const op = e.op === '' ? inner?.op : e.op,
    by = e.op === '' ? inner?.right : e.right
  if (by?.kind !== 'number' || op === undefined) return undefined
  if (op === '<<' || op === '>>') return by.value >= 1 && by.value < 31 ? { op, by: by.value } : undefined
  if ((op !== '*' && op !== '/') || by.value < 2 || !Number.isInteger(Math.log2(by.value))) return undefined
  return op === '*' ? { op: '<<', by: Math.log2(by.value) } : { op: '>>', by: Math.log2(by.value), divides: true }
}

/** The variable that `e` steps, doubles or halves. */
export function movedBy(e: CExpr): string | undefined {
  const target = e.kind === 'update' ? e.arg : e.kind === 'assign' ? e.left : undefined
  return target?.kind === 'name' && (stepOfVariable(e, target.name) || shiftOf(e, target.name))
    ? target.name
    : undefined
}

/** The comparisons that bound `variable` by what does not change, and the rest of the condition. */
function boundsIn(
  condition: CExpr,
  variable: string,
  written: ReadonlySet<string>,
): { readonly bounds: readonly CExpr[]; readonly rest: readonly CExpr[] } {
  const isFixed = (e: CExpr): boolean =>
    everywhere(e).every((x) => x.kind !== 'name' || x.name === variable || !written.has(x.name))
  const isBound = (c: CExpr): boolean =>
    c.kind === 'binary' &&
    mirrored[c.op] !== undefined &&
    mentions(c, variable) &&
    degree(c, variable) === 1 &&
    isFixed(c) &&
    !everywhere(c).some((x) => (x.kind === 'index' || x.kind === 'deref' || x.kind === 'call') && mentions(x, variable))
  const all = conjunctsOfC(condition)
  return { bounds: all.filter(isBound), rest: all.filter((c) => !isBound(c)) }
}

/** The highest power of `variable` in products of `e`: `d * d <= n` bounds nothing that counts in steps. */
function degree(e: CExpr, variable: string): number {
  if (e.kind === 'name') return e.name === variable ? 1 : 0
  const of = e.kind === 'binary' ? [e.left, e.right] : e.kind === 'cast' || e.kind === 'unary' ? [e.arg] : undefined
  if (!of) return mentions(e, variable) ? 1 : 0
  const all = of.map((x) => degree(x, variable))
  return e.kind === 'binary' && e.op === '*' ? all.reduce((a, b) => a + b, 0) : Math.max(...all)
}

/** A `for` whose header may be counted by one of the variables that it moves. */
interface Counting {
  readonly s: For
  readonly condition: CExpr
  readonly variable: string
  /** How the header moves the variable, and what else it updates. */
  readonly move: CExpr
  readonly others: readonly CExpr[]
  readonly starts: Starts
  /** Variables that the body writes. */
  readonly body: ReadonlySet<string>
  readonly types: ReadonlyMap<string, CScalar>
}

function around(given: Counting, names: FreshNames, outside: ReadonlySet<string>): Header | undefined {
  const { s, condition: written, variable, move, starts, others, body, types } = given,
    { at } = s
  const start = starts.of.find((x) => x.name === variable)
  if (!start && starts.own) return undefined
  const first = start?.value ?? nameOf(variable, at)
  const isOwn = (name: string): boolean => starts.own || !outside.has(name)
  const beside = besides(given, first, isOwn)
  if (!beside) return undefined
  const changed = new Set(
    [...body, ...others.flatMap((u) => [...writtenIn({ kind: 'expr', expr: u, at })])].filter(
      (n) => !beside.along.has(n),
    ),
  )
  const { bounds, rest } = boundsIn(beside.replaced(written), variable, changed)
  if (bounds.length === 0) return undefined
  const condition = bounds.reduce((a, b) => binaryOf('&&', a, b))
  const own = start !== undefined && starts.own
  const init: CStmt = own ? declareOf(variable, start.type, start.at, first) : assignOf(nameOf(variable, at), first)
  const step = stepOfVariable(move, variable)
  const plain: Header = {
    variable,
    own,
    first: start && first,
    init: starts.of.length === 1 && s.init ? s.init : init,
    condition,
    update: move,
    rest,
    before: beside.before,
    inBody: beside.inBody,
    end: step && bounds.length === 1 ? endOf(bounds[0]!, variable, step, at) : undefined, // one was counted
  }
  if (!step) {
    const shift = shiftOf(move, variable)
    return shift &&
      start &&
      types.get(variable) === 'i32' &&
      (!shift.divides || bounds.some((b) => staysPositive(b, variable)))
      ? shifted(plain, shift, first, names, at)
      : undefined
  }
  if (isConstant(step.by)) return start || plain.end ? plain : undefined
  return start &&
    bounds.length === 1 &&
    !readsMemory(step.by) &&
    everywhere(step.by).every((x) => x.kind !== 'name' || !changed.has(x.name))
    ? ((types.get(variable) === 'i32' ? inMultiples(plain, step, first, names, at) : undefined) ??
        strided(plain, step, first, at))
    : undefined
}

const isConstant = (e: CExpr): boolean =>
  everywhere(e).every(
    (x) =>
      x.kind === 'number' ||
      x.kind === 'binary' ||
      x.kind === 'unary' ||
      x.kind === 'cast' ||
      x.kind === 'sizeof' ||
      (x.kind === 'name' && /^[A-Z][A-Z0-9_]*$/.test(x.name)),
  )

interface Beside {
  readonly before: readonly CStmt[]
  readonly inBody: readonly CStmt[]
  /** Variables that step along with the loop's. */
  readonly along: ReadonlySet<string>
  readonly replaced: (e: CExpr) => CExpr
}

/** Other variables of the header: those that step along are expressions of the loop's variable. */
function besides(
  { variable, move, condition, starts, others, body, types }: Counting,
  first: CExpr,
  isOwn: (name: string) => boolean,
): Beside | undefined {
  const step = stepOfVariable(move, variable),
    changed = new Set([
      ...body,
      variable,
      ...others.flatMap((u) => [...writtenIn({ kind: 'expr', expr: u, at: u.at })]),
    ])
  const isFixed = (e: CExpr): boolean =>
    isConstant(e) ||
    (!readsMemory(e) && everywhere(e).every((x) => x.kind !== 'call' && (x.kind !== 'name' || !changed.has(x.name))))
  const along = new Map<string, CExpr>(),
    inBody: CStmt[] = []
  for (const u of others) {
    const name = movedBy(u),
      by = name === undefined ? undefined : stepOfVariable(u, name)
    const start = starts.of.find((x) => x.name === name)
    if (
      name === undefined ||
      !by ||
      !start ||
      !isOwn(name) ||
      step?.by.kind !== 'number' ||
      step.by.value < 1 ||
      body.has(name) ||
      !isFixed(by.by) ||
      (mentions(condition, name) && !divides(step.by.value, by.by)) // a quotient bounds nothing
    )
      return undefined
    const moved =
      step.sign === '+' ? binaryOf('-', nameOf(variable, u.at), first) : binaryOf('-', first, nameOf(variable, u.at))
    const value = binaryOf(by.sign, start.value, inProportion(moved, step.by.value, by.by))
    along.set(name, value)
    inBody.push(declareOf(name, starts.own ? start.type : (types.get(name) ?? 'i32'), u.at, value))
  }
  const before = starts.of
    .filter((x) => x.name !== variable && !along.has(x.name))
    .map((x) => (starts.own ? declareOf(x.name, x.type, x.at, x.value) : assignOf(nameOf(x.name, x.at), x.value)))
  return {
    before,
    inBody,
    along: new Set(along.keys()),
    replaced: (e) => mapC(e, (x) => (x.kind === 'name' ? (along.get(x.name) ?? x) : x)),
  }
}

const divides = (step: number, by: CExpr): boolean => step === 1 || (by.kind === 'number' && by.value % step === 0)

/** How far a variable goes in steps of `by` while another goes `moved` in steps of `step`. */
function inProportion(moved: CExpr, step: number, by: CExpr): CExpr {
  if (by.kind === 'number' && step !== 1 && divides(step, by))
    return by.value === step ? moved : binaryOf('*', moved, numberOf(by.value / step, moved.at))
  const turns = step === 1 ? moved : binaryOf('/', moved, numberOf(step, moved.at))
  return by.kind === 'number' && by.value === 1 ? turns : binaryOf('*', turns, by)
}

/** Whether `e` doubles or halves its variable, and adds nothing. */
export const isShifted = (e: CExpr): boolean => {
  const name = movedBy(e)
  return name !== undefined && !stepOfVariable(e, name)
}

/** The comparison with the variable alone on its left. */
export function variableOnLeft(
  bound: CExpr,
  variable: string,
): { readonly op: string; readonly limit: CExpr } | undefined {
  if (
    bound.kind !== 'binary' ||
    mirrored[bound.op] === undefined ||
    mentions(bound.left, variable) === mentions(bound.right, variable)
  )
    return undefined
  return mentions(bound.left, variable)
    ? alone(bound.left, bound.right, bound.op, variable)
    : alone(bound.right, bound.left, mirrored[bound.op]!, variable) // just asked
}

/** `side ∘ limit` with what is added to the variable on the other side. */
function alone(
  side: CExpr,
  limit: CExpr,
  op: string,
  variable: string,
): { readonly op: string; readonly limit: CExpr } | undefined {
  if (isName(side, variable)) return { op, limit }
  if (side.kind !== 'binary' || (side.op !== '+' && side.op !== '-')) return undefined
  if (side.op === '+' && mentions(side.right, variable) && !mentions(side.left, variable))
    return alone(side.right, binaryOf('-', limit, side.left), op, variable)
  return mentions(side.right, variable)
    ? undefined
    : alone(side.left, binaryOf(side.op === '+' ? '-' : '+', limit, side.right), op, variable)
}

/** The value after the last turn, from the variable's first value in itself. */
function endOf(bound: CExpr, variable: string, step: Step, at: Span): CExpr | undefined {
  const found = variableOnLeft(bound, variable)
  if (!found || step.by.kind !== 'number' || step.by.value < 1) return undefined
  const self = nameOf(variable, at),
    by = step.by.value,
    up = step.sign === '+'
  const limit =
    found.op.endsWith('=') && found.op !== '!=' ? binaryOf(up ? '+' : '-', found.limit, numberOf(1, at)) : found.limit
  if (found.op === '!=') return by === 1 ? limit : undefined
  if (found.op.startsWith('<') !== up) return undefined
  const isDone = binaryOf(up ? '>' : '<', self, limit)
  const span = up ? binaryOf('-', limit, self) : binaryOf('-', self, limit)
  const turns = binaryOf('/', binaryOf('+', span, numberOf(by - 1, at)), numberOf(by, at))
  const end = by === 1 ? limit : binaryOf(up ? '+' : '-', self, binaryOf('*', turns, numberOf(by, at)))
  return { kind: 'choose', condition: isDone, then: self, else: end, at }
}

/** The loop ends before its variable is negative. */
function staysPositive(bound: CExpr, variable: string): boolean {
  const found = variableOnLeft(bound, variable)
  return (
    found !== undefined &&
    (found.op === '>' || found.op === '>=') &&
    found.limit.kind === 'number' &&
    found.limit.value >= 0
  )
}

/** A step that is a variable: the loop goes in ones and does nothing between, so that subscripts stay linear. */
function strided(h: Header, step: Step, first: CExpr, at: Span): Header | undefined {
  const found = variableOnLeft(h.condition, h.variable),
    up = step.sign === '+',
    self = nameOf(h.variable, at)
  if (!found || !(up ? ['<', '<='] : ['>', '>=']).includes(found.op)) return undefined
  const past = up ? binaryOf('-', self, first) : binaryOf('-', first, self)
  return {
    ...h,
    update: { kind: 'update', op: up ? '++' : '--', arg: self, at },
    end: undefined,
    guard: binaryOf('==', binaryOf('%', past, step.by), numberOf(0, at)),
  }
}

/**
 * A loop over multiples of its step (`j = i * i; j < n; j += i`, as sieves have): it counts its turns, of which there
 * are far fewer than numbers between.
 */
function inMultiples(h: Header, step: Step, first: CExpr, names: FreshNames, at: Span): Header | undefined {
  const found = variableOnLeft(h.condition, h.variable)
  if (step.sign !== '+' || step.by.kind !== 'name' || !mentions(first, step.by.name)) return undefined
  if (found?.op !== '<' && found?.op !== '<=') return undefined
  const turn = names.fresh('turn'),
    span = binaryOf('-', found.limit, first),
    up = found.op === '<' ? binaryOf('-', step.by, numberOf(1, at)) : step.by
  const turns = binaryOf('/', binaryOf('+', span, up), step.by)
  const isAny: CExpr = binaryOf(found.op, first, found.limit)
  const made = inTurns(
    h,
    turn,
    { kind: 'choose', condition: isAny, then: turns, else: numberOf(0, at), at },
    binaryOf('+', first, binaryOf('*', nameOf(turn, at), step.by)),
    at,
  )
  return { ...made, guard: h.condition } // it holds, and says how far subscripts reach
}

/** A variable that doubles or halves: the loop counts its turns, at most as many as there are bits. */
function shifted(h: Header, shift: Shift, first: CExpr, names: FreshNames, at: Span): Header {
  const turn = names.fresh('turn')
  const by = shift.by === 1 ? nameOf(turn, at) : binaryOf('*', nameOf(turn, at), numberOf(shift.by, at))
  const made = inTurns(h, turn, numberOf(Math.ceil(31 / shift.by), at), binaryOf(shift.op, first, by), at)
  const positive = binaryOf('>', nameOf(h.variable, at), numberOf(0, at))
  return { ...made, guard: shift.op === '<<' ? binaryOf('&&', positive, h.condition) : h.condition }
}

/** The loop over `turn` below `turns`, in which the source's variable is `value`. */
function inTurns(h: Header, turn: string, turns: CExpr, value: CExpr, at: Span): Header {
  return {
    ...h,
    turn,
    init: declareOf(turn, 'i32', at, numberOf(0, at)),
    condition: binaryOf('<', nameOf(turn, at), turns),
    end: undefined,
    update: { kind: 'update', op: '++', arg: nameOf(turn, at), at },
    inBody: [declareOf(h.variable, 'i32', at, value), ...h.inBody],
  }
}
