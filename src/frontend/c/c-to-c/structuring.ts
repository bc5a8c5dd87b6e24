// In: a C function without effects inside expressions. Out: the same with `for`, `if` and blocks alone. The one idea:
// every jump leaves a block that stands around it (`break` its loop, `continue` the body of its loop, a return inside
// of an inlined function that function). What comes after a jump in a block moves into the other branch of its `if`, or
// stands under a flag that the jump clears. A loop whose end is not known counts to 2³¹ − 1 with its condition as a
// guard.
import { cFunction, type InUnit } from '../text/representation.ts'
import { fail, type Span } from '../../../base/index.ts'
import { endless, keeping, pass } from '../../../ir/index.ts'
import { alongTurns } from './geometric-induction.ts'
import { continues, jumpsOut, neverEnds, readOutside, returnsInside, typesOf } from './structuring-facts.ts'
import { headerOf, commaOperands, type Header } from './counted-header.ts'
import {
  assignOf,
  binaryOf,
  blockOf,
  declareOf,
  hasRegion,
  inRegion,
  mapC,
  mapParts,
  nameOf,
  FreshNames,
  notOf,
  numberOf,
  writtenIn,
} from './c-rewriting.ts'
import { everywhere } from './name-uses.ts'
import type { CExpr, CFunction, CScalar, CStmt } from '../text/syntax.ts'

// Before:
//
//   void f(int n, float *y) {
//     for (int i = 0; i < n; i++) {
//       if (y[i] < 0) continue;
//       y[i] = 1;
//     }
//   }
//
// After:
//
//   void f(int n, float *y) {
//     for (int i = 0; i < n; i++) {
//       if (y[i] < 0) {
//         ;
//       } else {
//         y[i] = 1;
//       }
//     }
//   }
export const structuring = pass<CFunction, InUnit>({
  name: 'structuring',
  summary: 'loops and branches have one way in and one way out: what comes after a jump stands under a condition',
  of: cFunction,
  run: keeping(structureFlow),
})

type For = Extract<CStmt, { kind: 'for' }>

/**
 * Turns jumps, `while`, `do` and `switch` of `f` into guards and counted loops; loops that are counted already keep
 * their form.
 */
export function structureFlow(f: CFunction): CFunction {
  return new Flow(f).run()
}

/** What a list of statements became. */
interface Made {
  readonly body: readonly CStmt[]
  /** Labels of the blocks around that it may leave. */
  readonly leaves: ReadonlySet<string>
  /** It never runs to its end. */
  readonly always: boolean
}

const nothing: ReadonlySet<string> = new Set()
const union = (a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> =>
  b.size === 0 ? a : new Set([...a, ...b])
const without = (a: ReadonlySet<string>, label: string): ReadonlySet<string> =>
  new Set([...a].filter((x) => x !== label))

class Flow {
  private readonly f: CFunction
  private readonly names: FreshNames
  /** Flag of each label that something asks for. */
  private readonly flags = new Map<string, string>()
  /** Labels that `break` and `continue` leave. */
  private targets: { readonly stop: string; readonly next: string | undefined } | undefined
  /** Variables that something reads outside of the loops that start them. */
  private readonly readOutside: ReadonlySet<string>
  private readonly types: ReadonlyMap<string, CScalar>
  private readonly returned: string

  constructor(f: CFunction) {
    this.f = f
    this.names = new FreshNames([f])
    this.readOutside = readOutside(f.body)
    this.types = typesOf(f)
    this.returned = this.names.fresh('returned')
  }

  run(): CFunction {
    const { body } = this.f
    const last = body.body[body.body.length - 1]
    const early =
      !hasRegion(this.f) &&
      (returnsInside(body.body.slice(0, -1)) || (last !== undefined && last.kind !== 'return' && returnsInside([last])))
    if (!early) return { ...this.f, body: { ...body, body: inRegion(body.body, (x) => this.list(x).body) } }
    return { ...this.f, body: { ...body, body: this.withResult(body.body) } }
  }

  /** A function that returns in several places sets one variable and returns it at the end. */
  private withResult(body: readonly CStmt[]): readonly CStmt[] {
    const { returns, at } = this.f
    const result = returns === 'void' ? undefined : this.names.fresh('answer')
    const label = this.returned
    const visit = (s: CStmt): CStmt => {
      if (s.kind !== 'return') return mapParts(s, (e) => e, visit)
      const leave: CStmt = { kind: 'leave', label, at: s.at }
      return s.value && result ? blockOf([assignOf(nameOf(result, s.at), s.value), leave], s.at) : leave
    }
    const inner: CStmt = { kind: 'block', label, body: body.map(visit), at }
    const made = this.list([inner]).body
    return result ? [declareOf(result, returns, at), ...made, { kind: 'return', value: nameOf(result, at), at }] : made
  }

  // ---------------------------------------------------------------------------------------------------- statements

  private list(body: readonly CStmt[]): Made {
    const out: CStmt[] = []
    let leaves = nothing
    for (const [i, s] of body.entries()) {
      const rest = body.slice(i + 1)
      const split = s.kind === 'if' && rest.length > 0 ? this.intoBranch(s, rest) : undefined
      if (split) return { body: [...out, ...split.body], leaves: union(leaves, split.leaves), always: split.always }
      const made = this.statement(s)
      out.push(...made.body)
      leaves = union(leaves, made.leaves)
      if (made.always) return { body: out, leaves, always: true }
      if (made.leaves.size === 0 || rest.length === 0) continue
      const declares = rest.every((x) => x.kind === 'declare' && x.declarators.every((d) => !d.initial))
      if (declares) continue
      const after = this.list(rest)
      // Names declared in the rest are used nowhere else: it goes to the end of the block.
      out.push({
        kind: 'if',
        condition: this.alive(made.leaves, s.at),
        then: blockOf(after.body, s.at),
        else: null,
        at: s.at,
      })
      return { body: out, leaves: union(leaves, after.leaves), always: false }
    }
    return { body: out, leaves, always: false }
  }

  /** An `if` one side of which always jumps: what follows belongs to the other side, without a flag. */
  private intoBranch(s: Extract<CStmt, { kind: 'if' }>, rest: readonly CStmt[]): Made | undefined {
    if (!jumpsOut(s.then) && !(s.else && jumpsOut(s.else))) return undefined
    const then = this.list([s.then]),
      other = s.else ? this.list([s.else]) : { body: [], leaves: nothing, always: false }
    const isFree = (m: Made): boolean => !m.always && m.leaves.size === 0
    if (then.always && isFree(other)) {
      const after = this.list(s.else ? [s.else, ...rest] : rest)
      return {
        body: [branch(s, then.body, after.body)],
        leaves: union(then.leaves, after.leaves),
        always: after.always,
      }
    }
    if (other.always && isFree(then)) {
      const after = this.list([s.then, ...rest])
      return {
        body: [branch(s, after.body, other.body)],
        leaves: union(other.leaves, after.leaves),
        always: after.always,
      }
    }
    return undefined
  }

  private statement(s: CStmt): Made {
    switch (s.kind) {
      case 'declare':
      case 'expr':
      case 'pragma':
      case 'empty':
      case 'unknown':
        return { body: [s], leaves: nothing, always: false }
      case 'return':
        return { body: [s], leaves: nothing, always: true }
      case 'block':
        return this.block(s)
      case 'if': {
        const then = this.list([s.then]),
          other = s.else ? this.list([s.else]) : { body: [], leaves: nothing, always: false }
        return {
          body: [branch(s, then.body, other.body)],
          leaves: union(then.leaves, other.leaves),
          always: then.always && other.always,
        }
      }
      case 'leave':
        return this.leave(s.label, s.at)
      case 'break':
        return this.targets
          ? this.leave(this.targets.stop, s.at)
          : fail('c.statement', 'this break stands in no loop', s.at)
      case 'continue':
        return this.targets?.next !== undefined
          ? this.leave(this.targets.next, s.at)
          : fail('c.statement', 'this continue stands in no loop', s.at)
      case 'switch':
        return this.choice(s)
      case 'while':
        return this.whileLoop(s)
      case 'do':
        return this.doLoop(s)
      case 'for':
        return this.forLoop(s)
    }
  }

  private block(s: Extract<CStmt, { kind: 'block' }>): Made {
    const { label } = s
    const made = this.list(s.body)
    if (label === undefined) return { ...made, body: [{ ...s, body: made.body }] }
    const { label: _, ...plain } = s
    return {
      body: [...this.flagOf(label, s.at), { ...plain, body: this.left(made.body, label) }],
      leaves: without(made.leaves, label),
      always: false,
    }
  }

  private leave(label: string, at: Span): Made {
    return { body: [{ kind: 'leave', label, at }], leaves: new Set([label]), always: true }
  }

  /** The condition that none of the blocks has been left. */
  private alive(labels: ReadonlySet<string>, at: Span): CExpr {
    return [...labels]
      .map((label): CExpr => {
        if (!this.flags.has(label)) this.flags.set(label, this.names.fresh(`in_${label}`))
        return nameOf(this.flags.get(label)!, at) // set just before
      })
      .reduce((a, b) => binaryOf('&&', a, b))
  }

  /** The declaration of the flag of `label`, if something asks for it. */
  private flagOf(label: string, at: Span): CStmt[] {
    const flag = this.flags.get(label)
    return flag === undefined ? [] : [declareOf(flag, 'i32', at, numberOf(1, at))]
  }

  /** `body` with what `leave` does: the flag cleared where there is one. */
  private left(body: readonly CStmt[], label: string): CStmt[] {
    const flag = this.flags.get(label)
    const visit = (s: CStmt): CStmt => {
      if (s.kind !== 'leave' || s.label !== label) return mapParts(s, (e) => e, visit)
      return flag === undefined ? { kind: 'empty', at: s.at } : assignOf(nameOf(flag, s.at), numberOf(0, s.at))
    }
    return body.map(visit)
  }

  // --------------------------------------------------------------------------------------------------------- loops

  /** The body of a loop, whose jumps are resolved as far as they concern the loop, and whether it can be left early. */
  private loopBody(
    body: CStmt,
    guards: readonly CStmt[],
    at: Span,
  ): { readonly body: readonly CStmt[]; readonly stop: string; readonly leaves: ReadonlySet<string> } {
    const stop = this.names.fresh('loop'),
      next = this.names.fresh('turn')
    const outer = this.targets
    this.targets = { stop, next }
    const inner: CStmt = { kind: 'block', label: next, body: [body], at }
    const made = this.list([...guards, inner])
    this.targets = outer
    return { body: made.body, stop, leaves: made.leaves }
  }

  private whileLoop(s: Extract<CStmt, { kind: 'while' }>): Made {
    const counted = this.counting(s)
    if (counted) return counted
    const { body, stop, leaves } = this.loopBody(s.body, [], s.at)
    return this.guardedLoop(s.condition, body, stop, leaves, s.at)
  }

  /** `for (;;)` with a guard: the condition, and that nothing has left the loop. */
  private guardedLoop(
    condition: CExpr,
    body: readonly CStmt[],
    stop: string,
    leaves: ReadonlySet<string>,
    at: Span,
  ): Made {
    const isTrue = condition.kind === 'number' && condition.value !== 0
    if (isTrue && leaves.size === 0)
      return fail('c.for', 'this loop has no end', at, 'give it a condition, or leave it with break')
    const live = leaves.size > 0 ? this.alive(leaves, at) : undefined
    const guard = live && !isTrue ? binaryOf('&&', live, condition) : (live ?? condition)
    const turn = this.names.fresh('turn')
    const loop: CStmt = {
      kind: 'for',
      init: declareOf(turn, 'i32', at, numberOf(0, at)),
      condition: binaryOf('<', nameOf(turn, at), numberOf(endless, at)),
      update: { kind: 'update', op: '++', arg: nameOf(turn, at), at },
      body: { kind: 'if', condition: guard, then: blockOf(body, at), else: null, at },
      at,
    }
    return this.closed([loop], stop, leaves, at)
  }

  /** A loop after its own `break` is resolved. */
  private closed(body: readonly CStmt[], stop: string, leaves: ReadonlySet<string>, at: Span): Made {
    return { body: [...this.flagOf(stop, at), ...this.left(body, stop)], leaves: without(leaves, stop), always: false }
  }

  private doLoop(s: Extract<CStmt, { kind: 'do' }>): Made {
    if (s.condition.kind === 'number' && s.condition.value === 0) return this.once(s)
    const counted = this.countingDo(s)
    if (counted) return counted
    const again = this.names.fresh('again')
    const { body, stop, leaves } = this.loopBody(s.body, [], s.at)
    const test: CStmt = assignOf(nameOf(again, s.at), binaryOf('!=', s.condition, numberOf(0, s.at)))
    const tested =
      leaves.size > 0
        ? { kind: 'if' as const, condition: this.alive(leaves, s.at), then: test, else: null, at: s.at }
        : test
    const made = this.guardedLoop(nameOf(again, s.at), [...body, tested], stop, leaves, s.at)
    return { ...made, body: [declareOf(again, 'i32', s.at, numberOf(1, s.at)), ...made.body] }
  }

  /** `while (i < n && …) { …; i++; }` as a `for`, when nothing else changes i and nothing skips the end of the body. */
  private counting(s: Extract<CStmt, { kind: 'while' }>): Made | undefined {
    const body = s.body.kind === 'block' ? s.body.body : [s.body]
    const last = body[body.length - 1]
    if (last?.kind !== 'expr' || (s.body.kind === 'block' && s.body.label !== undefined) || continues(s.body))
      return undefined
    const loop: For = {
      kind: 'for',
      init: null,
      condition: s.condition,
      update: last.expr,
      body: blockOf(body.slice(0, -1), s.at),
      at: s.at,
    }
    const header = this.headerOf(loop)
    return header && this.counted(loop, header)
  }

  /** `do { … } while (0)`: a block that `break` and `continue` leave. */
  private once(s: Extract<CStmt, { kind: 'do' }>): Made {
    const { body, stop, leaves } = this.loopBody(s.body, [], s.at)
    return this.closed([blockOf(body, s.at)], stop, leaves, s.at)
  }

  /**
   * `do { …; i++; } while (i < n)`: as `while`, but once at least, so that the end is at least the first value and one.
   */
  private countingDo(s: Extract<CStmt, { kind: 'do' }>): Made | undefined {
    const { condition: c, at } = s
    const limit = this.names.fresh('end')
    if (c.kind !== 'binary' || c.op !== '<' || c.left.kind !== 'name') return undefined
    const made = this.counting({ kind: 'while', condition: { ...c, right: nameOf(limit, at) }, body: s.body, at })
    const isFixed = !everywhere(c.right).some(
      (x) => x.kind === 'index' || x.kind === 'deref' || (x.kind === 'name' && writtenIn(s.body).has(x.name)),
    )
    const atLeast: CExpr = { kind: 'call', name: 'max', args: [c.right, binaryOf('+', c.left, numberOf(1, at))], at }
    return made && isFixed ? { ...made, body: [declareOf(limit, 'i32', at, atLeast), ...made.body] } : undefined
  }

  private forLoop(s: For): Made {
    const header = this.headerOf(s)
    return header ? this.counted(s, header) : this.asWhile(s)
  }

  /** What of `s` is a counted loop; undefined when it must be taken as a `while`. */
  private headerOf(s: For): Header | undefined {
    const header = headerOf(s, this.names, this.types, this.readOutside)
    return header && (header.own || !this.readOutside.has(header.variable) || header.end) ? header : undefined
  }

  /** A loop whose variable is counted by the loop of the result. */
  private counted(s: For, h: Header): Made {
    const { variable } = h,
      { at } = s
    const keeps = !h.own && h.end !== undefined && this.readOutside.has(variable)
    const inner = keeps ? this.names.fresh(variable) : variable
    const renamed = (e: CExpr): CExpr =>
      keeps ? mapC(e, (x) => (x.kind === 'name' && x.name === variable ? { ...x, name: inner } : x)) : e
    const inBody = (x: CStmt): CStmt => (keeps ? mapParts(x, renamed, inBody) : x)
    const along =
      h.turn === undefined ? { before: [], body: s.body } : alongTurns(s.body, h.turn, this.names, this.types)
    const stops: CStmt[] = h.rest.map((c) => ({
      kind: 'if',
      condition: notOf(renamed(c)),
      then: { kind: 'break', at: c.at },
      else: null,
      at: c.at,
    }))
    const asked: CStmt = h.guard
      ? { kind: 'if', condition: h.guard, then: blockOf([...stops, along.body], at), else: null, at }
      : blockOf([...stops, inBody(along.body)], at)
    const { body, stop, leaves } = this.loopBody(asked, h.inBody.map(inBody), at)
    const live = leaves.size > 0 ? this.alive(leaves, at) : undefined
    const guarded: CStmt = live
      ? { kind: 'if', condition: live, then: blockOf(body, at), else: null, at }
      : blockOf(body, at)
    if (!keeps)
      return this.closed(
        [
          ...h.before,
          ...along.before,
          { kind: 'for', init: h.init, condition: h.condition, update: h.update, body: guarded, at },
        ],
        stop,
        leaves,
        at,
      )
    const self = nameOf(variable, at)
    // A jump sets the variable, so that the loop starts from a copy.
    const from = live ? this.names.fresh(`${variable}_first`) : undefined
    const loop: CStmt = {
      kind: 'for',
      init: declareOf(inner, 'i32', at, from === undefined ? self : nameOf(from, at)),
      condition: renamed(h.condition),
      update: renamed(h.update),
      body: guarded,
      at,
    }
    // The variable after the loop: where it was left, else the first value that the condition refuses.
    const end = assignOf(self, h.end!) // asked above
    const jumping = this.leaving([loop], leaves, stop, (there) =>
      assignOf(nameOf(variable, there), nameOf(inner, there)),
    )
    const start = [
      ...(h.first ? [assignOf(self, h.first)] : []),
      ...(from === undefined ? [] : [declareOf(from, 'i32', at, self)]),
    ]
    return {
      body: [
        ...h.before,
        ...this.flagOf(stop, at),
        ...start,
        ...jumping,
        live ? { kind: 'if', condition: live, then: end, else: null, at } : end,
      ],
      leaves: without(leaves, stop),
      always: false,
    }
  }

  /** As `left` for the loop's own label; `first` goes before every jump out of the loop. */
  private leaving(
    body: readonly CStmt[],
    leaves: ReadonlySet<string>,
    stop: string,
    first: (at: Span) => CStmt,
  ): CStmt[] {
    const visit = (s: CStmt): CStmt =>
      s.kind === 'leave' && leaves.has(s.label) ? blockOf([first(s.at), s], s.at) : mapParts(s, (e) => e, visit)
    return this.left(body.map(visit), stop)
  }

  private asWhile(s: For): Made {
    if (!s.condition && !jumpsOut(s.body))
      return fail(
        'c.for',
        'this for has no condition and would not end',
        s.at,
        'give it a condition, or leave it with break',
      )
    const label = this.names.fresh('next')
    const visit = (x: CStmt): CStmt =>
      x.kind === 'continue'
        ? { kind: 'leave', label, at: x.at }
        : x.kind === 'for' || x.kind === 'while' || x.kind === 'do'
          ? x
          : mapParts(x, (e) => e, visit)
    const body: CStmt = { kind: 'block', label, body: [visit(s.body)], at: s.at }
    const update: CStmt[] = s.update ? commaOperands(s.update).map((e) => ({ kind: 'expr', expr: e, at: s.at })) : []
    const loop: CStmt = {
      kind: 'while',
      condition: s.condition ?? numberOf(1, s.at),
      body: blockOf([body, ...update], s.at),
      at: s.at,
    }
    const init: CStmt[] = !s.init
      ? []
      : s.init.kind === 'expr'
        ? commaOperands(s.init.expr).map((e) => ({ kind: 'expr', expr: e, at: s.at }))
        : [s.init]
    const made = this.list([blockOf([...init, loop], s.at)])
    return made
  }

  // -------------------------------------------------------------------------------------------------------- switch

  private choice(s: Extract<CStmt, { kind: 'switch' }>): Made {
    const value = this.names.fresh('choice'),
      stop = this.names.fresh('switch')
    const outer = this.targets
    this.targets = { stop, next: outer?.next }
    const self = (at: Span): CExpr => nameOf(value, at)
    const own = (i: number): CStmt[] => {
      const body: CStmt[] = []
      for (const c of s.cases.slice(i)) {
        body.push(...c.body)
        const last = c.body[c.body.length - 1]
        if (last && neverEnds(last)) break
      }
      // A `break` at the end is what every branch does anyway.
      return body[body.length - 1]?.kind === 'break' ? body.slice(0, -1) : body
    }
    const otherwise = s.cases.findIndex((c) => c.labels.includes(null))
    let chain: CStmt | null = otherwise < 0 ? null : blockOf(own(otherwise), s.at)
    for (let i = s.cases.length - 1; i >= 0; i--) {
      const labels = s.cases[i]!.labels.filter((l) => l !== null)
      if (labels.length === 0 || s.cases[i]!.labels.includes(null)) continue
      const test = labels.map((l) => binaryOf('==', self(l.at), l)).reduce((a, b) => binaryOf('||', a, b))
      chain = { kind: 'if', condition: test, then: blockOf(own(i), s.at), else: chain, at: s.at }
    }
    const made = chain ? this.list([chain]) : { body: [], leaves: nothing, always: false }
    this.targets = outer
    const closed = this.closed(made.body, stop, made.leaves, s.at)
    return { ...closed, body: [declareOf(value, 'i32', s.at, s.value), ...closed.body] }
  }
}

const branch = (s: Extract<CStmt, { kind: 'if' }>, then: readonly CStmt[], other: readonly CStmt[]): CStmt => ({
  ...s,
  then: blockOf(then, s.then.at),
  else: other.length > 0 ? blockOf(other, s.at) : null,
})
