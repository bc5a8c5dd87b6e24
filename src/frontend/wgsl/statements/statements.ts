// In: the statements of a function. Out: KernelIR. The one idea: a variable is registers unless an index known only at
// run time reaches it; a function is put in place where it is called, its returns as branches where the shape allows
// and as a loop left once where not. Every statement carries its place in the source.
import { fail } from '../../../base/index.ts'
import { constOf, type Operand, type Reg } from '../../../ir/index.ts'
import { registersFor, storeTo } from '../access.ts'
import { assign, bump, keep } from './assignment.ts'
import { checkAssert, clear, constantValue, localMemory, refuseConditional } from '../declarations.ts'
import { callExpression } from '../expressions.ts'
import { StructuredFlow, type JumpTarget } from './jumps.ts'
import { breaksEarly, chainLength, hasReturn, isTail, longestNested } from './returns.ts'
import { WgslScope, spanOf, type Env } from '../scope.ts'
import type { ElemOf, Expression, Fn, WgslStatement } from '../text/source.ts'
import { partCount, sameType, wgslTypeText, voidType, type WType } from '../types/types.ts'
import { coerce, concretize, freeze, zero, type Ref, type WgslValue } from '../values.ts'

/** The function being put in place: where its result goes and how to leave it. */
interface Frame {
  readonly type: WType
  result: readonly Reg[] | null
  /** The value itself, when the one `return` is the last statement. */
  value: WgslValue | null
  readonly leave: 'entry' | 'fall' | JumpTarget
}
interface Loops {
  readonly break: JumpTarget | 'end'
  readonly continue: JumpTarget | null
}

/** Functions are inlined recursively: deeper calls would overflow the stack. */
const maxCalls = 60

/** Builds function bodies. One per attempt at a kernel. */
export class Bodies {
  private readonly env: Env
  private readonly flow: StructuredFlow
  private readonly active: Fn[] = []
  private readonly locals = new Map<object, Ref>()

  constructor(env: Env) {
    this.env = env
    this.flow = new StructuredFlow(env.k)
  }

  /** The body of the entry point. */
  entry(fn: Fn, scope: WgslScope): void {
    this.active.push(fn)
    this.list(fn.body.body, scope, { type: voidType, result: null, value: null, leave: 'entry' }, null)
  }

  /** Puts a function in place. Recursion is refused: WGSL has none. */
  call(fn: Fn, args: readonly WgslValue[]): WgslValue {
    const { env } = this
    const name = fn.name.ident.originalName
    if (this.active.includes(fn)) return fail('wgsl.recursion', `function '${name}' calls itself`, env.k.at)
    if (this.active.length > maxCalls) return fail('wgsl.limit', `calls nest deeper than ${maxCalls}`, env.k.at)
    const at = env.k.at
    const scope = this.parameters(fn, args, name)
    const type = fn.returnType ? env.typeOf(fn.returnType, env.globals) : voidType
    this.active.push(fn)
    const result = this.body(fn, scope, type)
    this.active.pop()
    env.k.at = at
    return result
  }

  private parameters(fn: Fn, args: readonly WgslValue[], name: string): WgslScope {
    const { env } = this
    const scope = new WgslScope(env.globals)
    if (args.length !== fn.params.length)
      fail('wgsl.type', `${name}() takes ${fn.params.length} arguments, not ${args.length}`, env.k.at)
    fn.params.forEach((p, i) => {
      const given = p.name.typeRef
        ? this.argument(args[i]!, env.typeOf(p.name.typeRef, env.globals), name, i)
        : args[i]!
      scope.define(p.name.decl.ident.originalName, { kind: 'value', value: keep(this.env, given) }, spanOf(env, p))
    })
    return scope
  }

  private argument(v: WgslValue, type: WType, name: string, i: number): WgslValue {
    const what = `argument ${i + 1} of ${name}()`
    if (type.kind !== 'pointer') return coerce(this.env.k, v, type, what)
    if (!v.pointer || !sameType(v.type, type))
      return fail(
        'wgsl.type',
        `${what} has type ${wgslTypeText(v.type)}, but ${wgslTypeText(type)} is needed`,
        this.env.k.at,
      )
    return v
  }

  private body(fn: Fn, scope: WgslScope, type: WType): WgslValue {
    const { k } = this.env
    const list = fn.body.body
    const frame: Frame = { type, result: null, value: null, leave: 'fall' }
    if (isTail(list)) this.tail(list, scope, frame, single(list), null)
    else {
      this.flow.loop((loop) => {
        const inner: Frame = { ...frame, leave: { frame: loop, how: 'break' } }
        if (this.list(list, scope, inner, null)) k.break()
        frame.result = inner.result
      })
    }
    if (type.kind === 'void') return { type, parts: [] }
    if (frame.value) return freeze(k, frame.value)
    return frame.result
      ? freeze(k, { type, parts: frame.result })
      : fail('wgsl.type', `function '${fn.name.ident.originalName}' does not return a value`, spanOf(this.env, fn))
  }

  /** A list whose returns become branches; `rest` builds what follows it. */
  private tail(
    list: readonly WgslStatement[],
    scope: WgslScope,
    frame: Frame,
    only: boolean,
    rest: (() => void) | null,
  ): void {
    for (const [i, s] of list.entries()) {
      this.at(s)
      if (s.kind === 'return') return this.giveBack(s, scope, frame, only)
      if (!hasReturn(s)) {
        if (!this.statement(s, scope, frame, null)) return
        continue
      }
      const next = (): void => this.tail(list.slice(i + 1), scope, frame, only, rest)
      if (s.kind === 'block') return this.tail(s.body, new WgslScope(scope), frame, false, next)
      if (s.kind === 'if') return this.tailIf(s, scope, frame, next)
    }
    rest?.()
  }

  private tailIf(s: ElemOf<'if'>, scope: WgslScope, frame: Frame, next: () => void): void {
    this.at(s)
    const condition = this.condition(s.condition, scope)
    const then = (): void => this.tail(s.body.body, new WgslScope(scope), frame, false, next)
    const otherwise = (): void => {
      if (!s.else) return next()
      return s.else.kind === 'if'
        ? this.tailIf(s.else, scope, frame, next)
        : this.tail(s.else.body, new WgslScope(scope), frame, false, next)
    }
    this.branch(condition, then, otherwise)
  }

  private giveBack(s: ElemOf<'return'>, scope: WgslScope, frame: Frame, only: boolean): void {
    const { k } = this.env
    if (s.value) {
      const value = coerce(k, this.env.expression(s.value, scope), frame.type, 'the returned value')
      if (only) frame.value = value
      else {
        frame.result ??= registersFor(k, 'result', frame.type)
        storeTo(k, registers(frame.type, frame.result), value)
      }
    } else if (frame.type.kind !== 'void')
      fail('wgsl.type', `a value of type ${wgslTypeText(frame.type)} must be returned`, k.at)
  }

  private at(s: { readonly start: number; readonly end: number }): void {
    this.env.k.at = spanOf(this.env, s)
  }

  /** Builds statements; whether their end is reached. */
  private list(list: readonly WgslStatement[], scope: WgslScope, frame: Frame, loops: Loops | null): boolean {
    for (const s of list) if (!this.statement(s, scope, frame, loops)) return false
    return true
  }

  private block(list: readonly WgslStatement[], scope: WgslScope, frame: Frame, loops: Loops | null): boolean {
    return this.list(list, new WgslScope(scope), frame, loops)
  }

  /** One statement; whether what follows it is reached. */
  private statement(s: WgslStatement, scope: WgslScope, frame: Frame, loops: Loops | null): boolean {
    this.env.k.step()
    this.at(s)
    refuseConditional(this.env, s)
    switch (s.kind) {
      case 'block':
        return this.block(s.body, scope, frame, loops)
      case 'if':
        return this.ifElse(s, scope, frame, loops)
      case 'for':
        this.forLoop(s, scope, frame)
        return true
      case 'while':
        this.whileLoop(s, scope, frame)
        return true
      case 'loop':
        this.endless(s, scope, frame)
        return true
      case 'switch':
        this.switchCase(s, scope, frame, loops)
        return true
      case 'return':
        return this.leave(s, scope, frame)
      case 'break':
        return this.breakOut(s, loops)
      case 'continue':
        if (!loops?.continue) return fail('wgsl.syntax', 'continue stands outside a loop', this.env.k.at)
        this.flow.jump(loops.continue)
        return false
      case 'assign':
        assign(this.env, s, scope)
        return true
      case 'increment':
        bump(this.env, s.target, '+', scope)
        return true
      case 'decrement':
        bump(this.env, s.target, '-', scope)
        return true
      case 'call':
        callExpression(this.env, s.call, scope, false)
        return true
      case 'var':
        this.variable(s, scope)
        return true
      case 'let':
        this.let(s, scope)
        return true
      case 'const':
        this.constant(s, scope)
        return true
      case 'assert':
        checkAssert(this.env, s, scope)
        return true
      case 'empty':
        return true
      case 'discard':
        return fail('wgsl.unsupported', 'discard belongs to fragment shaders', this.env.k.at)
      case 'continuing':
        return fail('wgsl.syntax', 'continuing must be the last statement of a loop', this.env.k.at)
    }
  }

  private leave(s: ElemOf<'return'>, scope: WgslScope, frame: Frame): false {
    if (frame.leave === 'entry') {
      this.env.k.return()
      return false
    }
    this.giveBack(s, scope, frame, false)
    if (frame.leave !== 'fall') this.flow.jump(frame.leave)
    return false
  }

  private breakOut(s: ElemOf<'break'>, loops: Loops | null): boolean {
    if (!loops) return fail('wgsl.syntax', 'break stands outside a loop or switch', this.env.k.at)
    if (s.condition) fail('wgsl.syntax', "'break if' may only end a continuing block", this.env.k.at)
    if (loops.break !== 'end') this.flow.jump(loops.break)
    return false
  }

  private condition(e: Expression, scope: WgslScope): Operand {
    const v = this.env.expression(e, scope)
    if (v.type.kind !== 'scalar' || v.type.name !== 'bool')
      return fail('wgsl.type', `a condition must be bool, not ${wgslTypeText(v.type)}`, spanOf(this.env, e))
    return v.parts[0]!
  }

  /** An `if`; a constant condition takes its branch alone. Whether the end of either branch is reached. */
  private branch<T>(condition: Operand, then: () => T, otherwise: () => T): [T | undefined, T | undefined] {
    const { k } = this.env
    if (condition.kind === 'const') return condition.value === 1 ? [then(), undefined] : [undefined, otherwise()]
    const at = k.at
    let a: T | undefined, b: T | undefined
    const yes = k.collect(() => {
      a = then()
    })
    const no = k.collect(() => {
      b = otherwise()
    })
    k.push({ kind: 'if', condition, then: yes, else: no, ...(at && { at }) })
    return [a, b]
  }

  /** An `if` with very many `else if`: each is tried when none before it was taken. */
  private longChain(s: ElemOf<'if'>, scope: WgslScope, frame: Frame, loops: Loops | null): boolean {
    const { k } = this.env
    const open = k.reg('bool', 'open')
    k.mutable.add(open)
    k.set(open, constOf('bool', 1))
    let reached = false
    const link = (at: ElemOf<'if'>): void => {
      this.at(at)
      const [end] = this.branch(
        this.condition(at.condition, scope),
        () => {
          k.set(open, constOf('bool', 0))
          return this.block(at.body.body, scope, frame, loops)
        },
        () => false,
      )
      reached ||= end === true
    }
    let last: ElemOf<'if'>['else'] = s
    for (; last?.kind === 'if'; last = last.else) {
      const at = last
      this.branch(
        open,
        () => link(at),
        () => {},
      )
    }
    const body = last?.body
    if (body)
      this.branch(
        open,
        () => {
          reached = this.block(body, scope, frame, loops) || reached
        },
        () => {},
      )
    return reached || !body
  }

  private ifElse(s: ElemOf<'if'>, scope: WgslScope, frame: Frame, loops: Loops | null): boolean {
    if (chainLength(s) > longestNested) return this.longChain(s, scope, frame, loops)
    const condition = this.condition(s.condition, scope)
    const otherwise = (): boolean => {
      if (!s.else) return true
      if (s.else.kind !== 'if') return this.block(s.else.body, scope, frame, loops)
      this.at(s.else)
      return this.ifElse(s.else, scope, frame, loops)
    }
    const [a, b] = this.branch(condition, () => this.block(s.body.body, scope, frame, loops), otherwise)
    return a === true || b === true
  }

  private exitUnless(e: Expression, scope: WgslScope, target: JumpTarget): void {
    this.at(e)
    const more = this.condition(e, scope)
    this.branch(
      more,
      () => {},
      () => this.flow.jump(target),
    )
  }

  private forLoop(s: ElemOf<'for'>, outer: WgslScope, frame: Frame): void {
    const scope = new WgslScope(outer)
    if (s.init) this.statement(s.init, scope, frame, null)
    this.at(s)
    this.flow.loop(
      (loop) => {
        const [out, again] = jumps(loop)
        if (s.condition) this.exitUnless(s.condition, scope, out)
        this.block(s.body.body, scope, frame, { break: out, continue: again })
      },
      () => {
        if (s.update) this.statement(s.update, scope, frame, null)
      },
    )
  }

  private whileLoop(s: ElemOf<'while'>, scope: WgslScope, frame: Frame): void {
    this.flow.loop((loop) => {
      const [out, again] = jumps(loop)
      this.exitUnless(s.condition, scope, out)
      this.block(s.body.body, scope, frame, { break: out, continue: again })
    })
  }

  /** `loop`: the continuing block sees the body's names. */
  private endless(s: ElemOf<'loop'>, outer: WgslScope, frame: Frame): void {
    const scope = new WgslScope(outer)
    this.flow.loop(
      (loop) => {
        const [out, again] = jumps(loop)
        this.list(
          s.body.body.filter((x) => x !== s.continuing),
          scope,
          frame,
          { break: out, continue: again },
        )
      },
      (loop) => {
        if (!s.continuing) return
        const inner = new WgslScope(scope)
        if (s.continuing.body.body.some(hasReturn))
          fail('wgsl.syntax', 'return stands in a continuing block', spanOf(this.env, s.continuing))
        this.list(
          s.continuing.body.body.filter((x) => x.kind !== 'break' || !x.condition),
          inner,
          frame,
          null,
        )
        const { breakIf } = s.continuing
        if (!breakIf) return
        this.at(breakIf)
        this.branch(
          this.condition(breakIf, inner),
          () => this.flow.jump({ frame: loop, how: 'break' }),
          () => {},
        )
      },
    )
  }

  /** An if chain, or ifs side by side when there are many; inside a loop left once when a clause breaks early. */
  private switchCase(s: ElemOf<'switch'>, scope: WgslScope, frame: Frame, loops: Loops | null): void {
    const { k } = this.env
    const selector = freeze(k, concretize(k, this.env.expression(s.selector, scope)))
    if (selector.type.kind !== 'scalar' || (selector.type.name !== 'i32' && selector.type.name !== 'u32'))
      fail('wgsl.type', `switch chooses by i32 or u32, not ${wgslTypeText(selector.type)}`, k.at)
    if (!s.clauses.some((c) => breaksEarly(c.body.body)))
      return this.clauses(s, selector, scope, frame, { break: 'end', continue: loops?.continue ?? null })
    this.flow.loop((loop) => {
      const [out] = jumps(loop)
      this.clauses(s, selector, scope, frame, { break: out, continue: loops?.continue ?? null })
      k.break()
    })
  }

  private clauses(s: ElemOf<'switch'>, selector: WgslValue, scope: WgslScope, frame: Frame, loops: Loops): void {
    const cases = s.clauses.filter((c) => !c.selectors.includes('default'))
    const fallback = s.clauses.find((c) => c.selectors.includes('default'))
    const build = (c: ElemOf<'switch-clause'> | undefined): void => {
      if (c) this.block(c.body.body, scope, frame, loops)
    }
    const matches = cases.map((c) => this.matches(c, selector, scope))
    if (cases.length <= 24) {
      const chain = (i: number): void => {
        if (i === cases.length) build(fallback)
        else
          this.branch(
            matches[i]!,
            () => build(cases[i]),
            () => chain(i + 1),
          )
      }
      return chain(0)
    }
    const { k } = this.env
    const any = matches.reduce((a, b) => k.apply('lor', [a, b]))
    cases.forEach((c, i) =>
      this.branch(
        matches[i]!,
        () => build(c),
        () => {},
      ),
    )
    this.branch(
      any,
      () => {},
      () => build(fallback),
    )
  }

  private matches(c: ElemOf<'switch-clause'>, selector: WgslValue, scope: WgslScope): Operand {
    const { k } = this.env
    const tests = c.selectors
      .filter((x): x is Expression => x !== 'default')
      .map((x) => {
        const v = coerce(k, this.env.expression(x, scope), selector.type, 'a case')
        if (v.parts[0]?.kind !== 'const')
          fail('wgsl.const', 'a case must be a constant expression', spanOf(this.env, x))
        return k.apply('eq', [selector.parts[0]!, v.parts[0]!])
      })
    return tests.reduce((a, b) => k.apply('lor', [a, b]))
  }

  private let(s: ElemOf<'let'>, scope: WgslScope): void {
    const v = this.initial(s.name.typeRef, s.init, scope)
    this.at(s)
    scope.define(s.name.decl.ident.originalName, { kind: 'value', value: keep(this.env, v) }, this.env.k.at)
  }

  private constant(s: ElemOf<'const'>, scope: WgslScope): void {
    const v = constantValue(this.env, s, scope)
    scope.define(s.name.decl.ident.originalName, { kind: 'value', value: v, constant: true }, spanOf(this.env, s))
  }

  /** The initial value, concrete; of the declared type when there is one. */
  private initial(typeRef: ElemOf<'type'> | undefined, init: Expression | undefined, scope: WgslScope): WgslValue {
    const { env } = this
    if (!init) return fail('wgsl.syntax', 'a value is missing', env.k.at)
    const v = env.expression(init, scope)
    if (v.pointer) return v
    if (v.type.kind === 'void') return fail('wgsl.type', 'the function gives no value', env.k.at)
    return typeRef ? coerce(env.k, v, env.typeOf(typeRef, scope), 'the initial value') : concretize(env.k, v)
  }

  private variable(s: ElemOf<'var'>, scope: WgslScope): void {
    const { env } = this
    const name = s.name.decl.ident.originalName
    if (!s.name.typeRef && !s.init) fail('wgsl.syntax', `variable '${name}' needs a type or a value`, env.k.at)
    const value = s.init ? this.initial(s.name.typeRef, s.init, scope) : null
    const type = value?.type ?? env.typeOf(s.name.typeRef!, scope)
    if (value?.pointer) fail('wgsl.type', 'a variable cannot hold a pointer', env.k.at, 'use let')
    this.at(s)
    scope.define(name, { kind: 'place', ref: this.allocate(s, name, type, value) }, env.k.at)
  }

  private allocate(owner: object, name: string, type: WType, value: WgslValue | null): Ref {
    if (this.env.inMemory.has(owner) || partCount(type) > 256) return this.localMemory(owner, name, type, value)
    const ref: Ref = {
      kind: 'registers',
      type,
      choices: [registersFor(this.env.k, name, type)],
      index: null,
      owner,
      space: 'function',
    }
    storeTo(this.env.k, ref, value ?? zero(type))
    return ref
  }

  /** Memory for a variable; a function that is put in place twice uses the same again. */
  private localMemory(owner: object, name: string, type: WType, value: WgslValue | null): Ref {
    const { k } = this.env
    const known = this.locals.get(owner)
    const ref = known ?? localMemory(this.env, name, type, 'function')
    this.locals.set(owner, ref)
    if (value) storeTo(k, ref, value)
    else if (known || this.flow.depth > 0) clear(this.env, ref)
    return ref
  }
}

const jumps = (frame: JumpTarget['frame']): readonly [JumpTarget, JumpTarget] => [
  { frame, how: 'break' },
  { frame, how: 'continue' },
]
const registers = (type: WType, regs: readonly Reg[]): Ref => ({
  kind: 'registers',
  type,
  choices: [regs],
  index: null,
  owner: regs,
  space: 'function',
})

/** Whether the only `return` is the last statement. */
const single = (list: readonly WgslStatement[]): boolean =>
  list[list.length - 1]?.kind === 'return' && !list.slice(0, -1).some(hasReturn)
