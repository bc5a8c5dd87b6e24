// In: a C function without effects inside expressions. Out: the same where loops that count are `for` loops, however
// they are written: `while`, `do`, an endless loop that `break` leaves, the step anywhere in the body or at the end of
// both branches that `continue` makes. The one idea: what stands behind the one step of a variable uses its next value,
// so that the step can wait for the end of the round. Loops that do something before a test in their middle stay as
// they are; so do those whose step stands under a condition.
import { cFunction, type InUnit } from '../text/representation.ts'
import { keeping, pass } from '../../../ir/index.ts'
import { continues, declares, jumpsOut, readOutside, typesOf } from './structuring-facts.ts'
import {
  conjunctsOfC,
  headerOf,
  isShifted,
  movedBy,
  commaOperands,
  stepOfVariable,
  variableOnLeft,
} from './counted-header.ts'
import {
  assignOf,
  binaryOf,
  blockOf,
  declareOf,
  eachC,
  expressionsOf,
  hasEffect,
  inRegion,
  mapC,
  mapParts,
  nameOf,
  FreshNames,
  notOf,
  numberOf,
  replacedIn,
  writtenIn,
  someC,
} from './c-rewriting.ts'
import { everywhere } from './name-uses.ts'
import type { CExpr, CFunction, CScalar, CStmt } from '../text/syntax.ts'

// Before:
//
//   void f(int n, float *y) {
//     int i = 0;
//     while (i < n) {
//       y[i] = 1;
//       i++;
//     }
//   }
//
// After:
//
//   void f(int n, float *y) {
//     for (int i = 0; i < n; i++) {
//       y[i] = 1;
//     }
//   }
export const forRecognition = pass<CFunction, InUnit>({
  name: 'for-recognition',
  summary: 'loops that count are `for` loops, however they are written',
  of: cFunction,
  run: keeping(countedLoops),
})

type For = Extract<CStmt, { kind: 'for' }>
type LoopOfC = Extract<CStmt, { kind: 'for' | 'while' | 'do' }>
type If = Extract<CStmt, { kind: 'if' }>

/**
 * One round of a loop in order: what its tests leave by `break`, its step and all else; `tail` is what `continue` does
 * not pass over.
 */
interface Round {
  readonly list: readonly CStmt[]
  readonly tail: number
  readonly isDo: boolean
}

/** A round's step, and the test that ends the loop. */
interface Turn {
  readonly round: Round
  readonly variable: string
  readonly step: number
  readonly test: number
}

/** A counter that steps along with a loop's variable: its value in a round before its step, and behind it. */
interface Along {
  readonly name: string
  readonly over: string
  readonly step: CStmt
  readonly value: CExpr
  readonly next: CExpr
}

/** Loops of `f` that count as `for` loops. */
export function countedLoops(f: CFunction): CFunction {
  const body = inRegion(f.body.body, (list) => new Counting(f).list(list))
  return { ...f, body: { ...f.body, body } }
}

class Counting {
  private readonly names: FreshNames
  private readonly types: ReadonlyMap<string, CScalar>
  private readonly addressed: ReadonlySet<string>
  private readonly outside: ReadonlySet<string>
  /** How often each name is declared. */
  private readonly declared = new Map<string, number>()

  constructor(private readonly f: CFunction) {
    this.names = new FreshNames([f])
    this.outside = readOutside(f.body)
    const pointing = new Set(f.parameters.flatMap((p) => (p.extents.length > 0 ? [p.name] : [])))
    for (const p of f.parameters) this.declared.set(p.name, 1)
    eachC(f.body, (s) => {
      if (s.kind !== 'declare') return
      for (const d of s.declarators) {
        this.declared.set(d.name, (this.declared.get(d.name) ?? 0) + 1)
        if (d.extents.length > 0 || d.struct) pointing.add(d.name)
      }
    })
    this.types = new Map([...typesOf(f)].filter(([name]) => !pointing.has(name)))
    this.addressed = new Set(
      expressionsOf(f.body).flatMap((e) =>
        e.kind === 'address' ? everywhere(e.arg).flatMap((x) => (x.kind === 'name' ? [x.name] : [])) : [],
      ),
    )
  }

  list(body: readonly CStmt[]): readonly CStmt[] {
    const out: CStmt[] = []
    for (const s of body.flatMap((x) => this.opened(x))) {
      const made = this.inside(s)
      const loop =
        made.kind === 'while' ||
        made.kind === 'do' ||
        (made.kind === 'for' && !headerOf(made, this.names, this.types, this.outside))
          ? this.counted(made, s as LoopOfC, out)
          : undefined // of the kind that it was
      if (loop) out.splice(0, out.length, ...loop)
      else out.push(made)
    }
    return out
  }

  /** A block that only groups its statements, as these: what stands before it starts counters of its loops. */
  private opened(s: CStmt): readonly CStmt[] {
    if (s.kind !== 'block' || s.mark !== undefined || s.label !== undefined) return [s]
    const own = s.body.flatMap((x) => (x.kind === 'declare' ? x.declarators.map((d) => d.name) : []))
    const isOwn = (name: string): boolean =>
      this.declared.get(name) === 1 && readsOf(this.f.body, name) === readsOf(s, name)
    return own.every(isOwn) ? s.body.flatMap((x) => this.opened(x)) : [s]
  }

  /** A statement with the lists in it done. */
  private inside(s: CStmt): CStmt {
    if (s.kind === 'block') return { ...s, body: this.list(s.body) }
    if (s.kind === 'switch') return { ...s, cases: s.cases.map((c) => ({ ...c, body: this.list(c.body) })) }
    return mapParts(
      s,
      (e) => e,
      (x) => {
        const made = this.list([x]),
          [only, more] = made
        return only && !more ? only : blockOf(made, x.at)
      },
    )
  }

  /** `before` and `s` as a loop that counts; `written` is how the source has the loop. */
  private counted(s: LoopOfC, written: LoopOfC, before: readonly CStmt[]): readonly CStmt[] | undefined {
    if (s.kind === 'for' && s.init && s.init.kind !== 'declare' && s.init.kind !== 'expr' && s.init.kind !== 'empty')
      return undefined
    const round = roundOf(s)
    for (const [step, x] of round.list.entries()) {
      const variable = x.kind === 'expr' ? movedBy(x.expr) : undefined,
        type = variable === undefined ? undefined : this.types.get(variable)
      if (
        variable === undefined ||
        type === undefined ||
        type === 'f32' ||
        type === 'f64' ||
        this.addressed.has(variable) ||
        round.list.some((y, i) => i !== step && (writtenIn(y).has(variable) || declares(y, variable)))
      )
        continue
      for (const [test, y] of round.list.entries()) {
        if (!staysIf(y, variable)) continue
        const loop = this.turned(
          s,
          { round, variable, step, test },
          before,
          (name) => readsOf(this.f.body, name) > readsOf(written, name),
        )
        if (loop) return loop
      }
    }
    return undefined
  }

  private turned(
    s: LoopOfC,
    { round, variable, step, test }: Turn,
    before: readonly CStmt[],
    usedElsewhere: (name: string) => boolean,
  ): readonly CStmt[] | undefined {
    const { at } = s,
      isUsed = usedElsewhere(variable),
      moved = (round.list[step] as Extract<CStmt, { kind: 'expr' }>).expr,
      next = nextOf(moved) // it was chosen as a step
    const atEnd = round.isDo && test === round.list.length - 1
    const list = round.list.map((x, i) => (i > step && !(atEnd && i === test) ? replacedIn(x, variable, next) : x))
    const ahead = list.slice(0, test).filter((_, i) => i !== step)
    const stays = staysIf(list[test]!, variable)! // it is a test
    if (!atEnd && !ahead.every((x) => isLet(x) || staysIf(x, variable))) return undefined
    const body = blockOf(
      list.filter((_, i) => i !== step && i !== test),
      at,
    )
    if (
      (continues(body) && (step < round.tail || round.list.length > round.tail + 1)) ||
      everywhere(next).some((x) => x.kind === 'name' && x.name !== variable && writtenIn(body).has(x.name))
    )
      return undefined
    const leaves = (from: number, to: number): boolean =>
      list.slice(from, to).some((x, i) => from + i !== test && jumpsOut(x))
    const late = !atEnd && step < test // every way out of the loop is behind the step
    if (isUsed && !late && leaves(step + 1, list.length)) return undefined
    const asked = atEnd ? stays : ahead.reduceRight((c, x) => settled(c, x), stays)
    const least = atEnd ? this.onceAtLeast(asked, variable, moved) : undefined,
      asksBefore = atEnd && least?.before.length !== 0
    const start =
      s.kind === 'for' && s.init && s.init.kind !== 'empty'
        ? { before, init: s.init }
        : started(before, variable, this.types.get(variable)!, isUsed, !asksBefore) // it has a type
    const made = atEnd
      ? least
      : test < step
        ? this.overOne(asked, variable, moved, start, list.slice(test))
        : { condition: asked, before: [], along: [] }
    if (!made) return undefined
    const rest = made.along.filter((x) => !usedElsewhere(x.name)).reduce(withoutCounter, list)
    const loop: For = {
      kind: 'for',
      init: start.init,
      condition: made.condition,
      update: moved,
      body: blockOf(
        rest.filter((_, i) => i !== step && i !== test),
        at,
      ),
      at,
    }
    const own: CStmt[] = late && isUsed ? [{ kind: 'expr', expr: moved, at }] : []
    if (!isShifted(moved))
      return headerOf(loop, this.names, this.types, this.outside) && (own.length === 0 || loop.init?.kind !== 'declare')
        ? [...start.before, ...made.before, loop, ...own]
        : undefined
    if (!isUsed && start.init)
      return headerOf(loop, this.names, this.types, this.outside) ? [...start.before, ...made.before, loop] : undefined
    return leaves(0, list.length) || continues(body) || late || s.kind === 'for'
      ? undefined
      : this.apart(loop, variable, next, [...before, ...made.before], isUsed)
  }

  /** A loop whose variable is used elsewhere, over a variable of its own. */
  private apart(
    loop: For,
    variable: string,
    next: CExpr,
    before: readonly CStmt[],
    isUsed: boolean,
  ): readonly CStmt[] | undefined {
    const { at } = loop,
      type = this.types.get(variable)!,
      first = this.names.fresh(`${variable}_first`),
      now = this.names.fresh(variable) // it has a type
    const own = (s: CStmt): CStmt => replacedIn(s, variable, nameOf(now, at))
    const last = isUsed
      ? [
          assignOf(
            nameOf(variable, at),
            mapC(next, (e) => (e.kind === 'name' && e.name === variable ? { ...e, name: now } : e)),
          ),
        ]
      : []
    const made = own({ ...loop, init: null }) as For,
      header: For = {
        ...made,
        init: declareOf(now, type, at, nameOf(first, at)),
        update: renamedStep(loop.update!, variable, now),
        body: blockOf([made.body, ...last], at),
      } // a loop stays one
    return headerOf(header, this.names, new Map([...this.types, [now, type]]), this.outside)
      ? [...before, declareOf(first, type, at, nameOf(variable, at)), header]
      : undefined
  }

  /**
   * A condition in which another variable steps along (`i < j`, where i rises and j falls), over the loop's variable
   * alone; `behind`: what each round does after its test.
   */
  private overOne(
    c: CExpr,
    variable: string,
    step: CExpr,
    start: Started,
    behind: readonly CStmt[],
  ): { readonly condition: CExpr; readonly before: readonly CStmt[]; readonly along: readonly Along[] } | undefined {
    const own = stepOfVariable(step, variable),
      first = firstIn(start.init),
      turns = new Map<string, CExpr>(),
      steps: Along[] = []
    for (const s of behind) {
      const name = s.kind === 'expr' ? movedBy(s.expr) : undefined,
        along = name !== undefined && name !== variable && s.kind === 'expr' ? stepOfVariable(s.expr, name) : undefined
      if (
        name === undefined ||
        along?.by.kind !== 'number' ||
        !everywhere(c).some((x) => x.kind === 'name' && x.name === name)
      )
        continue
      const type = this.types.get(name),
        from = type && firstIn(started(start.before, name, type, true, true).init)
      if (
        !first ||
        !from ||
        own?.by.kind !== 'number' ||
        own.by.value !== 1 ||
        turns.has(name) ||
        this.addressed.has(name) ||
        behind.some((x) => x !== s && (writtenIn(x).has(name) || continues(x)))
      )
        return undefined
      const { at } = s,
        past =
          own.sign === '+' ? binaryOf('-', nameOf(variable, at), first) : binaryOf('-', first, nameOf(variable, at))
      const value = binaryOf(along.sign, from, along.by.value === 1 ? past : binaryOf('*', past, along.by))
      turns.set(name, value)
      steps.push({ name, over: variable, step: s, value, next: binaryOf(along.sign, value, along.by) })
    }
    const condition = mapC(c, (x) => (x.kind === 'name' ? (turns.get(x.name) ?? x) : x))
    return turns.size === 0 ||
      conjunctsOfC(condition).every(
        (x) => x.kind === 'binary' && (factorOf(binaryOf('-', x.left, x.right), variable) ?? 0) !== 0,
      )
      ? { condition, before: [], along: steps }
      : undefined
  }

  /** The condition of a loop whose first round nothing asks for: the limit is at least one behind the first value. */
  private onceAtLeast(
    c: CExpr,
    variable: string,
    step: CExpr,
  ): { readonly condition: CExpr; readonly before: readonly CStmt[]; readonly along: readonly Along[] } | undefined {
    const found = variableOnLeft(c, variable),
      { at } = c,
      self = nameOf(variable, at)
    if (!found || everywhere(found.limit).some((x) => x.kind === 'index' || x.kind === 'deref')) return undefined
    const up = isRising(step),
      op = found.op === '!=' ? (up ? '<' : '>') : found.op,
      name = this.names.fresh('end')
    if (op.startsWith('<') !== up) return undefined
    // down to 0 without a sign: as many rounds as it is, and from 0 on more than memory has
    if (op === '>' && this.types.get(variable)?.startsWith('u') && isZero(found.limit))
      return { condition: binaryOf(op, self, found.limit), before: [], along: [] }
    const least = op.endsWith('=') ? self : binaryOf(up ? '+' : '-', self, numberOf(1, at))
    return {
      condition: binaryOf(op, self, nameOf(name, at)),
      before: [declareOf(name, 'i32', at, { kind: 'call', name: up ? 'max' : 'min', args: [found.limit, least], at })],
      along: [],
    }
  }
}

/**
 * The statements of a round with the value of a counter that steps along in its place, where what it starts from stays.
 */
function withoutCounter(list: readonly CStmt[], { name, over, step, value, next }: Along): readonly CStmt[] {
  const at = list.indexOf(step),
    whole = blockOf(list, step.at),
    written = writtenIn(whole)
  const stays = everywhere(value).every(
    (x) =>
      x.kind === 'number' ||
      x.kind === 'binary' ||
      (x.kind === 'name' && (x.name === over || !written.has(x.name)) && !declares(whole, x.name)),
  )
  return stays && !declares(whole, name)
    ? list.map((x, i): CStmt => (i === at ? { kind: 'empty', at: x.at } : replacedIn(x, name, i < at ? value : next)))
    : list
}

/** A round of `s`, whose `continue`s are branches where that can be. */
function roundOf(s: LoopOfC): Round {
  const { at } = s,
    body = merged(withoutContinue(flat(s.body)))
  const stays = (c: CExpr): CStmt[] =>
    c.kind === 'number' && c.value !== 0
      ? []
      : [{ kind: 'if', condition: notOf(c), then: { kind: 'break', at: c.at }, else: null, at: c.at }]
  const head = s.kind === 'do' || !s.condition ? [] : stays(s.condition)
  const update: CStmt[] =
    s.kind === 'for' && s.update ? commaOperands(s.update).map((expr) => ({ kind: 'expr', expr, at })) : []
  return {
    list: [...head, ...body, ...update, ...(s.kind === 'do' ? stays(s.condition) : [])],
    tail: head.length + body.length,
    isDo: s.kind === 'do' || endsWithTest(head, [...body, ...update]),
  }
}

/** Whether the only test of a round is its last statement. */
const endsWithTest = (head: readonly CStmt[], list: readonly CStmt[]): boolean =>
  head.length === 0 && list.length > 0 && list.findIndex((x) => staysIf(x, '') !== undefined) === list.length - 1

/** Statements of plain blocks as those of the list around them. */
function flat(s: CStmt): readonly CStmt[] {
  if (s.kind === 'empty') return []
  if (s.kind !== 'block' || s.mark !== undefined) return [s]
  const { label } = s
  if (label !== undefined && someC(s, (x) => x.kind === 'leave' && x.label === label)) return [s]
  return s.body.flatMap(flat)
}

/** `if (c) { x; continue; } y` as `if (c) x else y`. */
function withoutContinue(list: readonly CStmt[]): readonly CStmt[] {
  const i = list.findIndex((s) => s.kind === 'if' && s.else === null && lastOf(s.then)?.kind === 'continue')
  const s = list[i] as If | undefined
  if (!s) return lastOf(blockOf(list, list[0]?.at ?? noPlace))?.kind === 'continue' ? list.slice(0, -1) : list
  const then = flat(s.then).slice(0, -1),
    rest = withoutContinue(list.slice(i + 1))
  return [...list.slice(0, i), { ...s, then: blockOf(then, s.at), else: rest.length > 0 ? blockOf(rest, s.at) : null }]
}

const noPlace = { file: '', line: 0, column: 0 }
const lastOf = (s: CStmt): CStmt | undefined => {
  const list = flat(s)
  return list[list.length - 1]
}

/** A step that both branches of a last `if` end with stands behind it. */
function merged(list: readonly CStmt[]): readonly CStmt[] {
  const s = list[list.length - 1]
  if (s?.kind !== 'if' || !s.else) return list
  const then = merged(flat(s.then)),
    other = merged(flat(s.else)),
    a = then[then.length - 1],
    b = other[other.length - 1]
  if (a?.kind !== 'expr' || b?.kind !== 'expr' || movedBy(a.expr) === undefined || !sameC(a.expr, b.expr)) return list
  const left = other.slice(0, -1)
  return [
    ...list.slice(0, -1),
    { ...s, then: blockOf(then.slice(0, -1), s.at), else: left.length > 0 ? blockOf(left, s.at) : null },
    a,
  ]
}

/** The same but for their places. */
const sameC = (a: CExpr, b: CExpr): boolean =>
  JSON.stringify(a, (k, v: unknown) => (k === 'at' ? 0 : v)) ===
  JSON.stringify(b, (k, v: unknown) => (k === 'at' ? 0 : v))

/** The condition under which `s`, which only tests, stays in the loop of `variable`. */
function staysIf(s: CStmt, variable: string): CExpr | undefined {
  if (s.kind !== 'if' || s.else) return undefined
  const [only, more] = flat(s.then)
  return only?.kind === 'break' && !more ? opposite(s.condition, variable) : undefined
}

const opposites: Readonly<Record<string, string>> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '==': '!=',
  '!=': '==',
}

/**
 * `!e`, as comparisons where they are of `variable`, an integer: of numbers that may be NaN both a comparison and its
 * opposite fail.
 */
function opposite(e: CExpr, variable: string): CExpr {
  if (e.kind === 'unary' && e.op === '!') return e.arg
  if (e.kind === 'binary' && opposites[e.op] && everywhere(e).some((x) => x.kind === 'name' && x.name === variable))
    return { ...e, op: opposites[e.op]! } // just asked
  return e.kind === 'binary' && e.op === '||'
    ? binaryOf('&&', opposite(e.left, variable), opposite(e.right, variable))
    : notOf(e)
}

/** A number that only memory of scalars makes, declared. */
const isLet = (s: CStmt): boolean =>
  s.kind === 'empty' ||
  (s.kind === 'declare' &&
    s.declarators.every(
      (d) =>
        d.extents.length === 0 &&
        (!d.initial ||
          (!hasEffect(d.initial) &&
            everywhere(d.initial).every(
              (x) => x.kind === 'name' || x.kind === 'number' || x.kind === 'binary' || x.kind === 'unary',
            ))),
    ))

/** `c` with what `s` declares put in its place. */
function settled(c: CExpr, s: CStmt): CExpr {
  if (s.kind !== 'declare') return c
  const made = s.declarators.reduceRight(
    (e, d) => mapC(e, (x) => (x.kind === 'name' && x.name === d.name && d.initial ? d.initial : x)),
    c,
  )
  return truth(made)
}

/** `(a < b) != 0` and `!!(a < b)` as the comparison. */
function truth(e: CExpr): CExpr {
  const isTest = (x: CExpr): boolean =>
    (x.kind === 'binary' && (opposites[x.op] !== undefined || x.op === '&&' || x.op === '||')) ||
    (x.kind === 'unary' && x.op === '!')
  if (e.kind === 'binary' && e.op === '!=' && e.right.kind === 'number' && e.right.value === 0 && isTest(e.left))
    return truth(e.left)
  return e.kind === 'unary' && e.op === '!' && e.arg.kind === 'unary' && e.arg.op === '!' && isTest(e.arg.arg)
    ? truth(e.arg.arg)
    : e
}

/** What the variable is after its step. */
function nextOf(step: CExpr): CExpr {
  if (step.kind === 'update') return binaryOf(step.op === '++' ? '+' : '-', step.arg, numberOf(1, step.at))
  return step.kind === 'assign' && step.op !== ''
    ? binaryOf(step.op, step.left, step.right)
    : (step as Extract<CExpr, { kind: 'assign' }>).right // a step is one of these
}

const isRising = (step: CExpr): boolean => {
  const e = nextOf(step)
  return e.kind === 'binary' && ['+', '*', '<<'].includes(e.op)
}

const renamedStep = (step: CExpr, from: string, to: string): CExpr =>
  mapC(step, (e) => (e.kind === 'name' && e.name === from ? { ...e, name: to } : e))

const isZero = (e: CExpr): boolean => e.kind === 'number' && e.value === 0

/** How often `s` reads `name`; a plain assignment to it is no read. */
function readsOf(s: CStmt, name: string): number {
  let count = 0
  for (const e of expressionsOf(s)) {
    if (e.kind === 'name' && e.name === name) count++
    if (e.kind === 'assign' && e.op === '' && e.left.kind === 'name' && e.left.name === name) count--
  }
  return count
}

/** The first value that a header gives its one variable. */
const firstIn = (init: CStmt | null): CExpr | undefined =>
  init?.kind === 'declare' && init.declarators.length === 1
    ? init.declarators[0]!.initial
    : init?.kind === 'expr' && init.expr.kind === 'assign' && init.expr.op === ''
      ? init.expr.right
      : undefined // one was counted

/** By what a sum multiplies `variable`; `undefined` where it is no such sum. */
function factorOf(e: CExpr, variable: string): number | undefined {
  if (e.kind === 'name') return e.name === variable ? 1 : 0
  if (e.kind !== 'binary' || !['+', '-', '*'].includes(e.op))
    return everywhere(e).some((x) => x.kind === 'name' && x.name === variable) ? undefined : 0
  const a = factorOf(e.left, variable),
    b = factorOf(e.right, variable)
  if (a === undefined || b === undefined) return undefined
  if (e.op !== '*') return e.op === '+' ? a + b : a - b
  return a === 0 && b === 0
    ? 0
    : a === 0 && e.left.kind === 'number'
      ? e.left.value * b
      : b === 0 && e.right.kind === 'number'
        ? e.right.value * a
        : undefined
}

/**
 * What stands before a loop, and what gives its variable the first value in the header; null where that stays outside.
 */
interface Started {
  readonly before: readonly CStmt[]
  readonly init: CStmt | null
}

/**
 * The last value that the variable is given before the loop, as the loop's first one where nothing between needs it
 * there.
 */
function started(given: readonly CStmt[], variable: string, type: CScalar, isUsed: boolean, mayMove: boolean): Started {
  const before = given.flatMap(singly),
    i = before.findLastIndex(
      (s) => declares(s, variable) || expressionsOf(s).some((e) => e.kind === 'name' && e.name === variable),
    ),
    s = before[i]
  const d = s?.kind === 'declare' && s.declarators.length === 1 ? s.declarators[0] : undefined,
    set =
      s?.kind === 'expr' && s.expr.kind === 'assign' && s.expr.op === '' && s.expr.left.kind === 'name'
        ? s.expr
        : undefined
  const value = d?.initial ?? set?.right
  if (!s || !value || !mayMove || (d ? d.name : (set!.left as { name: string }).name) !== variable || hasEffect(value))
    return { before, init: null } // one of the two has the value
  const names = new Set(everywhere(value).flatMap((x) => (x.kind === 'name' ? [x.name] : []))),
    between = before.slice(i + 1)
  const isMoved =
    !everywhere(value).some((x) => x.kind === 'index' || x.kind === 'deref' || x.kind === 'call') &&
    !between.some((x) => jumpsOut(x) || [...writtenIn(x)].some((n) => names.has(n)))
  if (!isMoved || names.has(variable)) return { before, init: null }
  if (d && !isUsed) return { before: [...before.slice(0, i), ...between], init: declareOf(variable, type, d.at, value) }
  const { initial: _, ...bare } = d ?? { initial: undefined }
  const kept: CStmt[] = d ? [{ kind: 'declare', declarators: [bare as typeof d], at: s.at }] : []
  return { before: [...before.slice(0, i), ...kept, ...between], init: assignOf(nameOf(variable, s.at), value) }
}

/** A declaration of several variables as one of each. */
const singly = (s: CStmt): readonly CStmt[] =>
  s.kind === 'declare' && s.declarators.length > 1 ? s.declarators.map((d) => ({ ...s, declarators: [d] })) : [s]
