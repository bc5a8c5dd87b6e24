// In: a C function and its file. Out: the same function without calls of the file's other functions (but those that are
// one expression of their arguments), and with effects only as statements of their own. The one idea: what an
// expression does besides its value is put before or after its statement, in the order that C asks for; where C leaves
// the order open and it matters, the program is refused. A body that is put in place is a block with a label, which its
// returns leave.
import { cFunction, type InUnit } from '../text/representation.ts'
import { keeping, pass } from '../../../ir/index.ts'
import { fail, type Span } from '../../../base/index.ts'
import { countedDown } from './counted-header.ts'
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
  mapChildren,
  mapParts,
  nameOf,
  FreshNames,
  notOf,
  numberOf,
  writtenIn,
  type CBlock,
} from './c-rewriting.ts'
import { recursiveIn } from './tail-calls.ts'
import { children, everywhere, rootName } from './name-uses.ts'
import type { CExpr, CFunction, CStmt, CUnit, Declarator, Dropped } from '../text/syntax.ts'

// Before:
//
//   static float twice(float x) {
//     float t = x;
//     t += x;
//     return t;
//   }
//   void f(int n, float *y) {
//     for (int i = 0; i < n; i++) y[i] = twice(y[i]);
//   }
//
// After:
//
//   void f(int n, float *y) {
//     for (int i = 0; i < n; i++) {
//       float twice_result;
//       float x_in_twice = y[i];
//       {
//         {
//           float t_in_twice = x_in_twice;
//           t_in_twice += x_in_twice;
//           twice_result = t_in_twice;
//           goto end_of_twice;
//         }
//       }
//       end_of_twice:;
//       y[i] = twice_result;
//     }
//   }
export const inlining = pass<CFunction, InUnit>({
  name: 'inlining',
  summary:
    'calls of the file’s functions are put in place, and effects inside of expressions are statements of their own',
  of: cFunction,
  run: keeping((f, { unit }) => hoistEffects(f, unit)),
})

/** Calls inside calls that are put in place. */
const deepest = 30
/** Calls that are put in place in all. */
const mostCalls = 2000

/** Functions that only report or free; their calls compute nothing. */
export const reportingFunctions: ReadonlySet<string> = new Set([
  'printf',
  'fprintf',
  'puts',
  'putchar',
  'fputs',
  'fflush',
  'assert',
  'free',
  'perror',
  'srand',
  '_mm_free',
  'omp_set_num_threads',
  'omp_set_dynamic',
  'omp_set_nested',
  '__builtin_prefetch',
  '__builtin_unreachable',
  '__builtin_assume',
  '__assume',
])

/** Functions that end the program; what a caller would have seen then, nobody sees. */
const ending: ReadonlySet<string> = new Set(['exit', 'abort', '_exit', '_Exit', 'quick_exit'])

/** Puts calls in place and makes effects statements. */
export function hoistEffects(f: CFunction, unit: CUnit): CFunction {
  return new Hoist(f, unit).run()
}

/** The value of a helper that is one return expression of scalars, which is inlined as an expression later. */
function isPlain(g: CFunction, functions: ReadonlyMap<string, CFunction>, depth = 0): boolean {
  const [only, more] = g.body.body.filter((s) => s.kind !== 'empty')
  if (depth > deepest || only?.kind !== 'return' || !only.value || more || hasEffect(only.value)) return depth > deepest
  if (g.returnsStruct || g.parameters.some((p) => p.extents.length > 0 || p.struct)) return false
  return everywhere(only.value).every((e) => {
    const h = e.kind === 'call' ? functions.get(e.name) : undefined
    if (e.kind === 'address' || e.kind === 'deref') return false
    return !h || isPlain(h, functions, depth + 1)
  })
}

/** Nodes of the largest call that is written out with its arguments wherever the helper has them. */
const largestInlined = 60
/** Nodes that a function of the mathematical library stands for. */
const libraryNodes = 8

/** Whether an expression is small once the calls of helpers in it are written out. */
function isSmallWritten(e: CExpr, functions: ReadonlyMap<string, CFunction>): boolean {
  let left = largestInlined
  const visit = (x: CExpr, depth: number): void => {
    const g = x.kind === 'call' ? functions.get(x.name) : undefined,
      only = g?.body.body.find((s) => s.kind === 'return'),
      value = only?.kind === 'return' ? only.value : null
    left -= depth > deepest ? Infinity : x.kind === 'call' && !g ? libraryNodes : 1
    if (left < 0) return
    if (!g || x.kind !== 'call' || !value) return children(x).forEach((y) => visit(y, depth))
    visit(value, depth + 1)
    for (const [i, p] of g.parameters.entries()) {
      const given = x.args[i]
      for (let uses = usesOf(p.name, value); given && uses > 0 && left >= 0; uses--) visit(given, depth + 1)
    }
  }
  visit(e, 0)
  return left >= 0
}

interface Pure {
  readonly pre: readonly CStmt[]
  readonly e: CExpr
  readonly post: readonly CStmt[]
}

class Hoist {
  private readonly f: CFunction
  private readonly functions: ReadonlyMap<string, CFunction>
  private readonly names: FreshNames
  private readonly dropped: Dropped[] = []
  private readonly recursive: ReadonlySet<string>
  private depth = 0
  private calls = 0

  constructor(f: CFunction, unit: CUnit) {
    this.f = f
    this.functions = new Map(unit.functions.map((g) => [g.name, g]))
    this.names = new FreshNames(unit.functions)
    this.recursive = recursiveIn(unit.functions)
  }

  run(): CFunction {
    const written = writtenIn(this.f.body)
    const copied = this.f.parameters.filter(
      (p) => p.extents.length === 0 && !p.struct && written.has(p.name) && !this.isStepped(p.name),
    )
    const renamed = new Map(copied.map((p) => [p.name, this.names.fresh(`${p.name}_now`)]))
    const body = renamed.size > 0 ? renameIn(this.f.body, renamed) : this.f.body
    // all have a name there
    const declares = copied.map((p) => declareOf(renamed.get(p.name)!, p.type, p.at, nameOf(p.name, p.at)))
    const made = [...declares, ...inRegion(body.body, (x) => this.list(x))]
    return { ...this.f, body: { ...body, body: made }, dropped: [...(this.f.dropped ?? []), ...this.dropped] }
  }

  /** Whether the parameter is the variable of every loop that changes it, and so keeps its name. */
  private isStepped(name: string): boolean {
    let elsewhere = 0,
      inHeaders = 0
    eachC(this.f.body, (s) => {
      mapParts(
        s,
        (e) => {
          if (writtenIn({ kind: 'expr', expr: e, at: e.at }).has(name)) s.kind === 'for' ? inHeaders++ : elsewhere++
          return e
        },
        (x) => x,
      )
      if (s.kind === 'for' && s.init?.kind === 'expr' && writtenIn(s.init).has(name)) elsewhere--
    })
    return inHeaders > 0 && elsewhere === 0
  }

  // ---------------------------------------------------------------------------------------------------- statements

  private list(body: readonly CStmt[]): CStmt[] {
    return body.flatMap((s) => this.statement(s))
  }

  private one(s: CStmt): CStmt {
    const made = this.statement(s)
    return made.length === 1 ? made[0]! : blockOf(made, s.at)
  }

  private statement(s: CStmt): CStmt[] {
    switch (s.kind) {
      case 'declare':
        return s.declarators.flatMap((d) => this.declared(d, s.at))
      case 'expr':
        return this.effect(s.expr, s.at)
      case 'block':
        return [{ ...s, body: this.list(s.body) }]
      case 'if': {
        const test = this.condition(s.condition)
        return [...test.pre, { ...s, condition: test.e, then: this.one(s.then), else: s.else && this.one(s.else) }]
      }
      case 'while':
        return this.whileLoop(s)
      case 'do': {
        const test = this.condition(s.condition)
        if (test.pre.length === 0) return [{ ...s, body: this.one(s.body) }]
        return [this.endless([this.withoutContinue(s.body), ...test.pre, this.breakUnless(test.e)], s.at)]
      }
      case 'for':
        return this.forLoop(countedDown(s))
      case 'switch': {
        const value = this.condition(s.value, true)
        return [...value.pre, { ...s, value: value.e, cases: s.cases.map((c) => ({ ...c, body: this.list(c.body) })) }]
      }
      case 'return': {
        if (!s.value) return [s]
        if (s.value.kind === 'choose' && this.needsOrder(s.value.then, s.value.else))
          return this.statement({
            kind: 'if',
            condition: s.value.condition,
            then: { ...s, value: s.value.then },
            else: { ...s, value: s.value.else },
            at: s.at,
          })
        const { pre, e, post } = this.pure(s.value)
        if (post.length === 0) return [...pre, { ...s, value: e }]
        const name = this.names.fresh('returned')
        return [...pre, declareOf(name, this.f.returns, s.at, e), ...post, { ...s, value: nameOf(name, s.at) }]
      }
      case 'break':
      case 'continue':
      case 'leave':
      case 'pragma':
      case 'empty':
      case 'unknown':
        return [s]
    }
  }

  private declared(d: Declarator, at: Span): CStmt[] {
    if (!d.initial || (d.initial.kind === 'list' && !d.initial.of)) return [{ kind: 'declare', declarators: [d], at }]
    if (d.initial.kind === 'choose' && d.extents.length === 0 && this.needsOrder(d.initial.then, d.initial.else)) {
      const { initial, ...bare } = d
      return [
        { kind: 'declare', declarators: [bare], at },
        ...this.effect({ kind: 'assign', op: '', left: nameOf(d.name, d.at), right: initial, at: d.at }, at),
      ]
    }
    const { pre, e, post } = this.pure(d.initial)
    return [...pre, { kind: 'declare', declarators: [{ ...d, initial: e }], at }, ...post]
  }

  /** A statement that is an expression. */
  private effect(e: CExpr, at: Span): CStmt[] {
    if (e.kind === 'comma') return [...this.effect(e.left, at), ...this.effect(e.right, at)]
    if (e.kind === 'cast' && e.type === 'void')
      return this.effect(e.arg, at).filter(
        (s) => !(s.kind === 'expr' && !hasEffect(s.expr) && s.expr.kind !== 'unknown'),
      )
    if (e.kind === 'call') {
      if (reportingFunctions.has(e.name) && !this.functions.has(e.name)) {
        this.dropped.push({ name: e.name, at })
        return []
      }
      if (ending.has(e.name) && !this.functions.has(e.name)) {
        this.dropped.push({ name: e.name, at, ends: true })
        return [this.end(at)]
      }
      const g = this.functions.get(e.name)
      if (g) {
        this.callOf(e)
        return this.inPlace(e, g).pre.slice()
      }
    }
    if (e.kind === 'choose')
      return this.statement({
        kind: 'if',
        condition: e.condition,
        then: { kind: 'expr', expr: e.then, at },
        else: { kind: 'expr', expr: e.else, at },
        at,
      })
    if (e.kind === 'update') {
      const { pre, e: arg, post } = this.pure(e.arg)
      return [...pre, { kind: 'expr', expr: { ...e, arg }, at }, ...post]
    }
    if (e.kind !== 'assign') {
      const { pre, e: value, post } = this.pure(e)
      return [...pre, { kind: 'expr', expr: value, at }, ...post]
    }
    if (e.right.kind === 'assign')
      return [...this.effect(e.right, at), ...this.effect({ ...e, right: e.right.left }, at)]
    if (e.right.kind === 'choose' && this.needsOrder(e.right.then, e.right.else)) {
      const to = (right: CExpr): CStmt => ({ kind: 'expr', expr: { ...e, right }, at })
      return this.statement({
        kind: 'if',
        condition: e.right.condition,
        then: to(e.right.then),
        else: to(e.right.else),
        at,
      })
    }
    const whole = this.pure({ kind: 'binary', op: '=', left: e.left, right: e.right, at: e.at })
    const made = whole.e as Extract<CExpr, { kind: 'binary' }> // as it went in
    return [...whole.pre, { kind: 'expr', expr: { ...e, left: made.left, right: made.right }, at }, ...whole.post]
  }

  /** What ends the program ends the function; its result, which nobody would see, is 0. */
  private end(at: Span): CStmt {
    return { kind: 'return', value: this.f.returns === 'void' ? null : numberOf(0, at), at }
  }

  private whileLoop(s: Extract<CStmt, { kind: 'while' }>): CStmt[] {
    const counted = this.countedDown(s)
    if (counted) return counted
    const test = this.condition(s.condition)
    if (test.pre.length === 0) return [{ ...s, condition: test.e, body: this.one(s.body) }]
    return [this.endless([...test.pre, this.breakUnless(test.e), this.one(s.body)], s.at)]
  }

  /** `while (n--)`: n − 1 … 0, and n is −1 afterwards. */
  private countedDown(s: Extract<CStmt, { kind: 'while' }>): CStmt[] | undefined {
    const c = s.condition
    const isZero = (e: CExpr): boolean => e.kind === 'number' && e.value === 0
    const step = c.kind === 'binary' && (c.op === '>' || c.op === '!=') && isZero(c.right) ? c.left : c
    if (
      step.kind !== 'update' ||
      step.op !== '--' ||
      step.prefix ||
      step.arg.kind !== 'name' ||
      writtenIn(s.body).has(step.arg.name)
    )
      return undefined
    const v = step.arg,
      { at } = s
    const loop: CStmt = {
      kind: 'for',
      at,
      init: {
        kind: 'expr',
        expr: { kind: 'assign', op: '', left: v, right: binaryOf('-', v, numberOf(1, at)), at },
        at,
      },
      condition: binaryOf('>=', v, numberOf(0, at)),
      update: { kind: 'update', op: '--', arg: v, at },
      body: s.body,
    }
    return this.statement(loop)
  }

  private forLoop(s: Extract<CStmt, { kind: 'for' }>): CStmt[] {
    const test = s.condition ? this.condition(s.condition) : undefined
    const simple = (e: CExpr | null): boolean =>
      e === null ||
      (e.kind === 'comma'
        ? simple(e.left) && simple(e.right)
        : !this.isBusy(e.kind === 'assign' ? binaryOf('+', e.left, e.right) : e.kind === 'update' ? e.arg : e))
    const starts =
      s.init?.kind === 'declare'
        ? s.init.declarators.every((d) => !d.initial || !this.isBusy(d.initial))
        : s.init?.kind === 'expr'
          ? simple(s.init.expr)
          : true
    const init = s.init && (starts ? [s.init] : this.statement(s.init))
    const plainStart = starts ? s.init : null,
      before = starts ? [] : (init ?? [])
    if ((test?.pre.length ?? 0) === 0 && simple(s.update)) {
      const made: CStmt = { ...s, init: plainStart, condition: test?.e ?? null, body: this.one(s.body) }
      return before.length > 0 ? [blockOf([...before, made], s.at)] : [made]
    }
    const update = s.update ? this.effect(s.update, s.at) : []
    const loop = this.endless(
      [...(test ? [...test.pre, this.breakUnless(test.e)] : []), this.withoutContinue(s.body), ...update],
      s.at,
    )
    return [blockOf([...(s.init ? this.statement(s.init) : []), loop], s.at)]
  }

  private endless(body: readonly CStmt[], at: Span): CStmt {
    return { kind: 'while', condition: numberOf(1, at), body: blockOf(body, at), at }
  }
  private breakUnless(test: CExpr): CStmt {
    return { kind: 'if', condition: notOf(test), then: { kind: 'break', at: test.at }, else: null, at: test.at }
  }

  /** The body of a loop as a block that its `continue` leaves. */
  private withoutContinue(body: CStmt): CStmt {
    const label = this.names.fresh('next')
    const visit = (s: CStmt): CStmt =>
      s.kind === 'continue'
        ? { kind: 'leave', label, at: s.at }
        : s.kind === 'for' || s.kind === 'while' || s.kind === 'do'
          ? s
          : mapParts(s, (e) => e, visit)
    return { kind: 'block', label, body: [this.one(visit(body))], at: body.at }
  }

  // --------------------------------------------------------------------------------------------------- expressions

  private callOf(e: CExpr): CFunction | undefined {
    const g = e.kind === 'call' ? this.functions.get(e.name) : undefined
    if (g && e.kind === 'call' && this.recursive.has(e.name))
      fail(
        'c.call',
        `${e.name} calls itself${e.name === this.f.name ? '' : ', here or through others'}`,
        e.at,
        'write it as a loop; only a function that ends with `return` and the call of itself is read',
      )
    if (!g || e.kind !== 'call') return undefined
    const isExpression = isPlain(g, this.functions) && !e.args.some(hasEffect) && isSmallWritten(e, this.functions)
    return isExpression ? undefined : g
  }

  /** Whether something must be taken out of `e`. */
  private isBusy(e: CExpr): boolean {
    return hasEffect(e) || everywhere(e).some((x) => (x.kind === 'list' && x.of) || this.callOf(x) !== undefined)
  }

  private needsOrder(...all: readonly CExpr[]): boolean {
    return all.some((e) => this.isBusy(e))
  }

  /** A condition that is tested after all of its effects. */
  private condition(e: CExpr, isValue = false): { readonly pre: readonly CStmt[]; readonly e: CExpr } {
    if (!this.isBusy(e)) return { pre: [], e }
    const { pre, e: value, post } = this.pure(e)
    if (post.length === 0) return { pre, e: value }
    const name = this.names.fresh('test')
    const kept = isValue ? value : notOf(notOf({ ...value }))
    return {
      pre: [
        ...pre,
        declareOf(
          name,
          'i32',
          e.at,
          kept === value ? value : { kind: 'binary', op: '!=', left: value, right: numberOf(0, e.at), at: e.at },
        ),
        ...post,
      ],
      e: nameOf(name, e.at),
    }
  }

  /** `e` without effects, what to do before it, and what after it. */
  private pure(e: CExpr): Pure {
    if (!this.isBusy(e)) return { pre: [], e, post: [] }
    const pre: CStmt[] = [],
      post: CStmt[] = []
    const made = this.taken(e, e, pre, post)
    return { pre, e: made, post }
  }

  private taken(e: CExpr, whole: CExpr, pre: CStmt[], post: CStmt[]): CExpr {
    if (!this.isBusy(e)) return e
    const g = this.callOf(e)
    if (g && e.kind === 'call') {
      const { pre: before, e: value } = this.inPlace(e, g)
      pre.push(...before)
      return value
    }
    switch (e.kind) {
      case 'comma':
        pre.push(...this.effect(e.left, e.at))
        return this.taken(e.right, whole, pre, post)
      case 'assign':
        pre.push(...this.effect(e, e.at))
        this.once(e.left, whole, e.at, e.right)
        return e.left
      case 'update': {
        this.once(e.arg, whole, e.at)
        const arg = this.taken(e.arg, whole, pre, post)
        const step: CStmt = { kind: 'expr', expr: { ...e, arg }, at: e.at }
        if (e.prefix) pre.push(step)
        else post.push(step)
        return arg
      }
      case 'binary':
        if ((e.op === '&&' || e.op === '||') && this.isBusy(e.right)) return this.shortCut(e, whole, pre, post)
        break
      case 'choose':
        if (this.needsOrder(e.then, e.else)) return this.choice(e, whole, pre)
        break
      case 'list': {
        if (!e.of) break
        const { of, ...list } = e,
          name = this.names.fresh('values')
        pre.push({ kind: 'declare', declarators: [{ ...of, name, initial: list }], at: e.at })
        return nameOf(name, e.at)
      }
      case 'number':
      case 'name':
      case 'index':
      case 'deref':
      case 'unary':
      case 'call':
      case 'cast':
      case 'sizeof':
      case 'address':
      case 'member':
      case 'unknown':
        break
    }
    return mapChildren(e, (x) => this.taken(x, whole, pre, post))
  }

  /** `a && f()` as a variable that is set in order. */
  private shortCut(e: Extract<CExpr, { kind: 'binary' }>, whole: CExpr, pre: CStmt[], post: CStmt[]): CExpr {
    const name = this.names.fresh('both'),
      self = nameOf(name, e.at)
    const left = this.taken(e.left, whole, pre, post),
      right = this.condition(e.right)
    const truth = (x: CExpr): CExpr => binaryOf('!=', x, numberOf(0, e.at))
    pre.push(declareOf(name, 'i32', e.at, truth(left)))
    pre.push({
      kind: 'if',
      condition: e.op === '&&' ? self : notOf(self),
      then: blockOf([...right.pre, assignOf(self, truth(right.e))], e.at),
      else: null,
      at: e.at,
    })
    return self
  }

  /** `c ? f() : x` as a branch that does what its sides do, and a choice of the values that it leaves. */
  private choice(e: Extract<CExpr, { kind: 'choose' }>, whole: CExpr, pre: CStmt[]): CExpr {
    const name = this.names.fresh('chosen'),
      self = nameOf(name, e.at)
    const asked = this.condition(e.condition)
    pre.push(...asked.pre, declareOf(name, 'i32', e.at, binaryOf('!=', asked.e, numberOf(0, e.at))))
    const [then, other] = [this.side(e.then, e, whole), this.side(e.else, e, whole)]
    pre.push(...then.declared, ...other.declared)
    pre.push({
      kind: 'if',
      condition: self,
      then: blockOf(then.body, e.at),
      else: other.body.length > 0 ? blockOf(other.body, e.at) : null,
      at: e.at,
    })
    return { ...e, condition: self, then: then.value, else: other.value }
  }

  /** One side of the choice `of`: variables that its value needs are declared before the branch. */
  private side(
    e: CExpr,
    of: CExpr,
    whole: CExpr,
  ): { readonly declared: readonly CStmt[]; readonly body: readonly CStmt[]; readonly value: CExpr } {
    for (const x of everywhere(e))
      if (x.kind === 'assign' || x.kind === 'update') this.only(x.kind === 'assign' ? x.left : x.arg, of, whole, x.at)
    const { pre, e: value, post } = this.pure(e)
    const named = new Set(everywhere(value).flatMap((x) => (x.kind === 'name' ? [x.name] : [])))
    const isScalar = (d: Declarator): boolean => d.extents.length === 0 && !d.struct && !d.pointer
    const kept = pre.flatMap((s) => (s.kind === 'declare' ? s.declarators.filter((d) => named.has(d.name)) : []))
    if (post.length > 0 || !kept.every(isScalar))
      fail('c.effect', 'an effect on one side of ?: is not supported here', of.at, 'write it as if … else')
    const isKept = (d: Declarator): boolean => named.has(d.name)
    return {
      declared: kept.map((d) => declareOf(d.name, d.type, of.at, numberOf(0, of.at))),
      body: pre.flatMap((s): readonly CStmt[] =>
        s.kind === 'declare'
          ? s.declarators.flatMap((d) =>
              !isKept(d) ? [{ ...s, declarators: [d] }] : d.initial ? [assignOf(nameOf(d.name, of.at), d.initial)] : [],
            )
          : [s],
      ),
      value,
    }
  }

  /**
   * C leaves open what a variable is that one expression changes and uses besides, but for the `value` that it is
   * assigned.
   */
  private once(target: CExpr, whole: CExpr, at: Span, value?: CExpr): void {
    const root = rootName(target),
      uses = usesOf(root, whole) - (value ? usesOf(root, value) : 0)
    if (root === undefined || uses > usesOf(root, target)) changedAndUsed(root, at)
  }

  /** The same for a change in `part` of `whole`, within which the order is known. */
  private only(target: CExpr, part: CExpr, whole: CExpr, at: Span): void {
    const root = rootName(target)
    if (root === undefined || usesOf(root, whole) > usesOf(root, part)) changedAndUsed(root, at)
  }

  // --------------------------------------------------------------------------------------------------------- calls

  /** The body of `g` with its arguments, and the name of its result. */
  private inPlace(
    e: Extract<CExpr, { kind: 'call' }>,
    g: CFunction,
  ): { readonly pre: readonly CStmt[]; readonly e: CExpr } {
    const parameters = g.parameters.filter((p) => p.name !== '')
    if (this.depth >= deepest || ++this.calls > mostCalls)
      fail(
        'c.call',
        `the call of ${e.name} cannot be inlined: helpers call each other too deep`,
        e.at,
        'a function that calls itself has no end that is known here; write it as a loop',
      )
    if (parameters.length !== e.args.length)
      fail('c.call', `${e.name} takes ${parameters.length} arguments, got ${e.args.length}`, e.at)
    const renamed = new Map<string, string>()
    const rename = (name: string): void => {
      if (!renamed.has(name)) renamed.set(name, this.names.fresh(`${name}_in_${g.name}`))
    }
    for (const [i, p] of parameters.entries()) {
      const same = samePointers(p, e.args[i]!, g.body) // as many as parameters
      if (same === undefined) rename(p.name)
      else renamed.set(p.name, same)
    }
    eachC(g.body, (s) => {
      if (s.kind === 'declare') for (const d of s.declarators) rename(d.name)
      if (s.kind === 'block' && s.label !== undefined) rename(s.label)
    })
    const references = new Map<string, CExpr>()
    const arguments_ = parameters.flatMap((p, i) => {
      const reference = referenceOf(p, e.args[i]!, g.body) // as many as parameters
      if (reference) references.set(renamed.get(p.name)!, reference)
      if (reference || samePointers(p, e.args[i]!, g.body) !== undefined) return []
      const { pre, e: value, post } = this.pure(e.args[i]!)
      const shaped = p.extents.length > 0 ? { extents: [null, ...p.extents.slice(1)], pointer: true as const } : {}
      const d: Declarator = { ...p, ...shaped, name: renamed.get(p.name)!, initial: value } // renamed above
      return [...pre, { kind: 'declare', declarators: [d], at: e.at } as const, ...post]
    })
    const label = this.names.fresh(`end_of_${g.name}`)
    const hasResult = g.returns !== 'void' || g.returnsStruct !== undefined
    const result = this.names.fresh(`${g.name}_result`)
    const returned = (s: CStmt): CStmt => {
      if (s.kind !== 'return') return mapParts(s, (x) => x, returned)
      const leave: CStmt = { kind: 'leave', label, at: s.at }
      if (!s.value) return leave
      const set: CStmt = hasResult ? assignOf(nameOf(result, s.at), s.value) : { kind: 'expr', expr: s.value, at: s.at }
      return blockOf([set, leave], s.at)
    }
    this.depth++
    const body = this.list([returned(dereferenced(renameIn(g.body, renamed), references))])
    this.depth--
    const declare: CStmt = {
      kind: 'declare',
      declarators: [
        { name: result, type: g.returns, extents: [], at: e.at, ...(g.returnsStruct && { struct: g.returnsStruct }) },
      ],
      at: e.at,
    }
    return {
      pre: [...(hasResult ? [declare] : []), ...arguments_, { kind: 'block', label, body, at: e.at }],
      e: nameOf(result, e.at),
    }
  }
}

const usesOf = (name: string | undefined, e: CExpr): number => (name === undefined ? 0 : usesIn(everywhere(e), name))

const changedAndUsed = (name: string | undefined, at: Span): never =>
  fail(
    'c.effect',
    `${name ?? 'this'} is changed and used in one expression`,
    at,
    'make the change a statement of its own',
  )

/** Whether `e` is what the pointer `name` points to. */
const isTarget = (e: CExpr, name: string): boolean =>
  (e.kind === 'deref' && e.arg.kind === 'name' && e.arg.name === name) ||
  (e.kind === 'index' &&
    e.base.kind === 'name' &&
    e.base.name === name &&
    e.index.kind === 'number' &&
    e.index.value === 0)

/** The pointer that a helper with this body gets by reference: `&q` for a `float **p` of which it only uses `*p`. */
function referenceOf(p: Declarator, given: CExpr, body: CBlock): CExpr | undefined {
  if (!p.pointer || p.extents.length < 2 || given.kind !== 'address' || given.arg.kind !== 'name') return undefined
  const all = expressionsOf(body)
  return usesIn(all, p.name) === all.filter((e) => isTarget(e, p.name)).length ? given.arg : undefined
}

/** The caller's array of pointers that a helper with this body takes and leaves as it is. */
const samePointers = (p: Declarator, given: CExpr, body: CBlock): string | undefined =>
  p.pointer && p.extents.length === 2 && p.extents[1] === null && given.kind === 'name' && !setsName(body, p.name)
    ? given.name
    : undefined

/** Whether a variable itself is assigned to, not what it points to. */
const setsName = (body: CBlock, name: string): boolean =>
  expressionsOf(body).some((e) => {
    const target = e.kind === 'assign' ? e.left : e.kind === 'update' || e.kind === 'address' ? e.arg : undefined
    return target?.kind === 'name' && target.name === name
  })

const usesIn = (all: readonly CExpr[], name: string): number =>
  all.filter((x) => x.kind === 'name' && x.name === name).length

/** `s` with the variables themselves where it uses them by reference. */
function dereferenced(s: CStmt, references: ReadonlyMap<string, CExpr>): CStmt {
  if (references.size === 0) return s
  const expr = (e: CExpr): CExpr => mapC(e, (x) => [...references].find(([name]) => isTarget(x, name))?.[1] ?? x)
  return mapParts(s, expr, (x) => dereferenced(x, references))
}

/** `s` with names of variables and blocks replaced, where they are declared too. */
function renameIn(s: CBlock, names: ReadonlyMap<string, string>): CBlock {
  const expr = (e: CExpr): CExpr =>
    mapC(e, (x) => {
      if (x.kind === 'sizeof' && x.of) return { ...x, of: expr(x.of) }
      return x.kind === 'name' && names.has(x.name) ? { ...x, name: names.get(x.name)! } : x // just asked
    })
  const visit = (x: CStmt): CStmt => {
    const made = mapParts(x, expr, visit)
    if ((made.kind === 'block' || made.kind === 'leave') && made.label !== undefined)
      return { ...made, label: names.get(made.label) ?? made.label }
    return made.kind === 'declare'
      ? { ...made, declarators: made.declarators.map((d) => ({ ...d, name: names.get(d.name) ?? d.name })) }
      : made
  }
  return { ...s, body: s.body.map(visit) }
}
