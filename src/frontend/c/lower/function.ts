// In: one C function, its file's other declarations and planned sizes. Out: a LoopIR program whose arrays may still
// have unknown outer extents (`delinearization.ts` finds them). The one idea: statement by statement, errors collected,
// so that the user sees all of them at once. Variables become arrays of rank 0; values that never change are put where
// they are used.
import {
  attempted,
  DiagnosticError,
  fail,
  InternalError,
  isInapplicable,
  type Diagnostic,
  type Span,
} from '../../../base/index.ts'
import {
  readsArray,
  negate,
  contains,
  conditionalReduction,
  asReduction,
  negated,
  int,
  isFloat,
  leastInteger,
  literal,
  loop,
  loopVar,
  read,
  registerType,
  sizeOf,
  store,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type MemoryType,
  type Program,
  type ReduceOp,
  type ScalarParam,
  type Size,
  type Store,
  affineFolded,
} from '../../../ir/index.ts'
import {
  apply,
  arithmetic,
  condition,
  constantOf,
  convert,
  divisorFor,
  element,
  lowerExpression,
  lowerIndex,
  naturalType,
  promoted,
  readPromoted,
  sizeUpTo,
  type LoweringContext,
  type Element,
} from './expressions.ts'
import { closeInductions } from '../settle/induction-substitution.ts'
import { narrowed } from './integer-narrowing.ts'
import { signedCounters } from './signed-counters.ts'
import {
  chosen,
  subscriptsOf,
  firstExtent,
  rowMajorElements,
  isConstant,
  largestList,
  largestUnrolled,
} from './initializers.ts'
import { hintFor } from './unknown-calls.ts'
import { changedBound, forHeader } from './for-header.ts'
import { expressionsOf, writtenIn } from '../c-to-c/c-rewriting.ts'
import { findRegion, refuseAround } from './scop.ts'
import { resultName, rootName, usesIn, usesDouble, type Uses } from '../c-to-c/name-uses.ts'
import { countType, Scope, type Meaning } from './scope.ts'
import { leastOf, type Least } from '../settle/parameter-ranges.ts'
import type { Planned } from '../text/defines.ts'
import type { CExpr, CFunction, CStmt, CUnit, Declarator } from '../text/syntax.ts'

/** A program and what is not known about it yet. */
export interface LoweredFunction {
  readonly program: Program
  /** Arrays whose first extent the source does not say. */
  readonly open: ReadonlySet<string>
  /** Open arrays of one dimension in the source, whose subscripts may be taken apart. */
  readonly flat: ReadonlySet<string>
  /** What to plan for, by the name of a size. */
  readonly planned: ReadonlyMap<string, Planned>
  /** Sizes that nothing says. */
  readonly assumed: ReadonlySet<string>
  /** Sizes and scalars that the source reads, and that its callers therefore give, whatever becomes of them. */
  readonly given: ReadonlySet<string>
  /** Nothing is assumed of sizes: the program stands by for those at which another one is not right. */
  readonly standsBy?: true
}

/** What sizes are assumed to be that nothing in the source says (docs/c.md). */
const defaultPlanned = 1024
/** Macro numbers up to this stay constants even where they are bounds: windows, unroll factors. */
const largestConstantMacro = 64

/** Whether a macro of this name and number stays a number where it is an extent or a bound. */
export type KeepsNumber = (macro: string, value: number) => boolean

const usualConstant: KeepsNumber = (_, value) => value <= largestConstantMacro
/** Initial values of up to this many nodes are put in place of a variable that never changes. */
const largestInPlace = 40
/** Local arrays of more elements, or of unknown size, live in global memory. */
const largestPrivate = 256

/**
 * Lowers `f`, twice: what it does with its parameters says what each of them may be. Throws a `DiagnosticError` with
 * everything that is wrong. Macros that are extents or bounds become sizes, but those that `keepsNumber`.
 */
export function lowerFunction(
  f: CFunction,
  unit: CUnit,
  planned: ReadonlyMap<string, Planned>,
  keepsNumber = usualConstant,
): LoweredFunction {
  const first = new Lowering(f, unit, planned, new Map(), keepsNumber)
  const { program } = first.run()
  return new Lowering(
    f,
    unit,
    planned,
    leastOf(program, (name) => first.isUnsigned(name)),
    keepsNumber,
  ).run()
}

class Lowering {
  private readonly f: CFunction
  private readonly unit: CUnit
  private readonly planned: ReadonlyMap<string, Planned>
  /** What parameters may be, by the names of their sizes; those that it does not have count from 0. */
  private readonly least: ReadonlyMap<string, Least>
  private readonly unsigned = new Set<string>()
  private readonly given = new Set<string>()
  private readonly uses: Uses
  private readonly diagnostics: Diagnostic[] = []
  private readonly sizes = new Map<string, Size>()
  private readonly scalars = new Map<string, ScalarParam>()
  private readonly arrays = new Map<string, ArrayDecl>()
  private readonly prologue: LoopStmt[] = []
  private readonly open = new Set<string>()
  private readonly flat = new Set<string>()
  private readonly assumed = new Set<string>()
  private readonly root = new Scope()
  private readonly context: LoweringContext
  private readonly result: string | undefined
  private loopDepth = 0
  /** Conditions around what is being read. */
  private guards = 0

  constructor(
    f: CFunction,
    unit: CUnit,
    planned: ReadonlyMap<string, Planned>,
    least: ReadonlyMap<string, Least>,
    private readonly keepsNumber: KeepsNumber,
  ) {
    this.f = f
    this.unit = unit
    this.planned = planned
    this.least = least
    this.uses = usesIn(f)
    this.result = resultName(f)
    this.context = {
      scope: this.root,
      functions: new Map(unit.functions.map((g) => [g.name, g])),
      inlined: 0,
      weakType: usesDouble(f) ? 'f64' : 'f32',
      global: (name, at) => this.global(name, at),
      sizeMacro: (macro, value) => this.sizeMacro(macro, value),
      isSigned: (name) => (this.sizes.get(name)?.min ?? 0) < 0,
    }
  }

  run(): LoweredFunction {
    return {
      program: narrowed(closeInductions(narrowed(signedCounters(narrowed(this.plain()))))),
      open: this.open,
      flat: this.flat,
      planned: this.planned,
      assumed: this.assumed,
      given: this.given,
    }
  }

  /** Whether the C type of the parameter that is this size has no sign. */
  isUnsigned(name: string): boolean {
    return this.unsigned.has(name)
  }

  /** The program statement by statement; once. */
  private plain(): Program {
    this.attempt(() => this.enums())
    for (const p of this.f.parameters)
      if (!p.unknown || this.uses.names.has(p.name) || this.calls(p.name))
        this.attempt(() => this.orBroken(p, this.root, () => this.parameter(p)))
    // In the order of the file, not of use; a local of the same name is declared later and hides it.
    for (const g of this.unit.globals)
      if (g.extents.length > 0 && !g.struct && this.uses.names.has(g.name))
        this.attempt(() => this.global(g.name, g.at))
    const body: LoopStmt[] = []
    const region = findRegion(this.f.body)
    for (const s of region.before)
      this.attempt(() => (s.kind === 'declare' ? this.statement(s, this.root, body) : refuseAround(s, 'before')))
    for (const s of region.body) this.attempt(() => this.statement(s, this.root, body))
    for (const s of region.after) this.attempt(() => refuseAround(s, 'after'))
    if (this.diagnostics.some((d) => d.severity === 'error')) throw new DiagnosticError(this.diagnostics)
    return {
      name: this.f.name,
      sizes: [...this.sizes.values()],
      hostVariables: [],
      scalars: [...this.scalars.values()],
      arrays: [...this.arrays.values()],
      body: [...this.prologue, ...body],
      at: this.f.at,
    }
  }

  private calls(name: string): boolean {
    return expressionsOf(this.f.body).some((e) => e.kind === 'call' && e.name === name)
  }

  /** Lowers one statement or declaration; what is wrong with it is kept, and the next one is lowered all the same. */
  private attempt(body: () => void): void {
    const made = attempted(() => {
      body()
      return this
    })
    if (isInapplicable(made)) this.diagnostics.push(...made.inapplicable)
  }

  /** A name whose declaration is refused is still known, so that its uses are not refused too. */
  private orBroken(d: Declarator, scope: Scope, body: () => void): void {
    try {
      body()
    } catch (e) {
      scope.set(d.name, { kind: 'broken' })
      throw e
    }
  }

  private at(scope: Scope): LoweringContext {
    return { ...this.context, scope, ...(this.guards > 0 && { guarded: true as const }) }
  }

  // -------------------------------------------------------------------------------------------------- declarations

  private enums(): void {
    let next = 0
    for (const e of this.unit.enums) {
      if (e.first) next = 0
      const given = e.value ? literal(lowerIndex(e.value, this.context)) : next
      if (given === undefined) fail('c.enum', `the value of ${e.name} is no constant`, e.at)
      this.root.set(e.name, { kind: 'value', expr: int(given), role: 'constant' })
      next = given + 1
    }
  }

  private plannedValue(name: string): number | undefined {
    return this.planned.get(name)?.value
  }

  private parameter(p: Declarator): void {
    if (p.name === '') return
    if (p.unknown)
      fail(
        'c.declaration',
        `the parameter ${p.name} is not supported: ${p.unknown}`,
        p.at,
        p.hint ??
          (p.extents.length > 1
            ? `rows behind pointers may lie anywhere; pass one array, as in float ${p.name}[n][m]`
            : undefined),
      )
    if (p.extents.length > 0) return this.parameterArray(p)
    const written = this.uses.writes.get(p.name) ?? 0
    if (written > 0 || this.uses.loopVariables.has(p.name))
      fail('c.parameter', `the parameter ${p.name} is assigned to`, p.at, 'copy it to a local variable')
    // void was refused by the parser's declarators
    const isInteger = !isFloat(p.type as MemoryType) && p.type !== 'void'
    if (isInteger && this.uses.inIndex.has(p.name)) return this.sizeParameter(p)
    const type = promoted(p.type),
      value = this.plannedValue(p.name) ?? numberIn(p),
      name = this.root.fresh(p.name)
    if (this.uses.names.has(p.name)) this.given.add(name)
    this.scalars.set(name, { name, type, ...(value !== undefined && { planned: value }) })
    this.root.set(p.name, { kind: 'value', expr: { kind: 'scalar', type, name }, role: 'parameter' })
  }

  private sizeParameter(p: Declarator): void {
    const name = this.root.fresh(p.name),
      known = this.least.get(name),
      least: Least = known ?? { min: 0, counts: true }
    const said = this.plannedValue(p.name) ?? numberIn(p),
      value = said ?? defaultPlanned,
      isCount = known !== undefined && known.min >= 0 // a pad may be 0, which the first lowering does not know
    if (!Number.isInteger(value) || value < (isCount ? 1 : leastInteger) || value > 2147483647)
      fail(
        'c.size',
        `the size ${p.name} = ${value} is no ${isCount ? 'positive ' : ''}32-bit integer`,
        this.planned.get(p.name)?.at ?? p.at,
      )
    if (said === undefined) this.assumed.add(name)
    if (this.uses.names.has(p.name)) this.given.add(name)
    if (p.type.startsWith('u')) this.unsigned.add(name)
    this.sizes.set(name, { kind: 'given', name, planned: value, ...least })
    this.root.set(p.name, { kind: 'value', expr: sizeOf(name), role: 'parameter', ...countType(p.type) })
  }

  private parameterArray(p: Declarator): void {
    const name = this.root.fresh(p.name)
    const array = this.arrayDecl(name, p, 'global', 'inout', this.root)
    this.arrays.set(name, array)
    if (p.extents[0] === null) this.open.add(name)
    if (p.extents[0] === null && p.extents.length === 1) this.flat.add(name)
    this.root.set(p.name, { kind: 'array', array, type: p.type })
  }

  private arrayDecl(
    name: string,
    d: Declarator,
    space: ArrayDecl['space'],
    role: ArrayDecl['role'],
    scope: Scope,
  ): ArrayDecl {
    const shape = d.extents.map((e, i) => {
      if (e) return affineFolded(lowerIndex(e, this.at(scope)))
      return i === 0 ? int(1) : fail('c.declaration', `dimension ${i + 1} of ${d.name} has no extent`, d.at)
    })
    if (d.type === 'void')
      fail('c.declaration', `the type of ${d.name} is not supported`, d.at, 'use int, unsigned, long, float or double')
    return { name, type: d.type === 'bool' ? 'u8' : d.type, shape, role, space, at: d.at }
  }

  /** A file's global variable: constants are put in place, arrays become parameters. */
  private global(name: string, at: Span): Meaning | undefined {
    const g = this.unit.globals.find((x) => x.name === name)
    if (!g) return undefined
    const scope = this.root
    if (scope.look(name)) return scope.look(name)
    if (g.extents.length === 0 && g.isConst && g.initial)
      scope.set(name, {
        kind: 'value',
        expr: lowerExpression(g.initial, promoted(g.type), this.context),
        role: 'constant',
      })
    else if (g.extents.length > 0 && !g.initial) this.parameterArray(g)
    else if (g.extents.length > 0) this.localArray(g, scope, this.prologue, true)
    else if (g.type !== 'void' && !g.isConst && !g.struct && this.uses.writes.has(name)) this.changedGlobal(g)
    else if (
      g.type !== 'void' &&
      !g.isConst &&
      !g.struct &&
      (!g.isStatic || this.unit.functions.some((f) => writtenIn(f.body).has(name)))
    )
      this.parameter(g)
    else if (g.type !== 'void' && !g.struct && g.isStatic)
      scope.set(name, {
        kind: 'value',
        expr: g.initial ? lowerExpression(g.initial, promoted(g.type), this.context) : constantOf(0, promoted(g.type)),
        role: 'constant',
      })
    else fail('c.global', `the global variable ${name} is not supported`, at, 'make it a parameter of the function')
    return scope.look(name)
  }

  /** A variable of the file that the function changes: one element that the caller gives and gets. */
  private changedGlobal(g: Declarator): void {
    const array = this.arrayDecl(this.root.fresh(g.name), g, 'global', 'inout', this.root)
    this.arrays.set(array.name, array)
    this.root.set(g.name, { kind: 'array', array, type: g.type })
  }

  private sizeMacro(macro: string, value: number): Expr | undefined {
    if (!this.uses.sizeMacros.has(macro) || this.keepsNumber(macro, value)) return undefined
    if (!this.sizes.has(macro)) {
      this.sizes.set(macro, { kind: 'given', name: macro, min: 1, planned: value, fixed: true })
      this.root.fresh(macro)
    }
    return sizeOf(macro)
  }

  private declare(d: Declarator, scope: Scope, out: LoopStmt[]): void {
    if (d.unknown && !this.uses.names.has(d.name)) {
      scope.set(d.name, { kind: 'broken' })
      return
    }
    if (d.unknown) fail('c.declaration', `the variable ${d.name} is not supported: ${d.unknown}`, d.at, d.hint)
    if (d.extents.some((e) => e === null) && d.initial?.kind !== 'list')
      fail('c.pointer', `the local pointer ${d.name} is not supported`, d.at, 'index the array it points into')
    if (d.isStatic && d.initial && this.uses.writes.has(d.name))
      fail(
        'c.declaration',
        `${d.name} is static and keeps its value from one call to the next`,
        d.at,
        'make it a parameter of the function',
      )
    if (d.extents.length > 0) return this.localArray(d, scope, out, false)
    if (
      !this.uses.writes.has(d.name) &&
      (this.uses.loopVariables.has(d.name) || (!d.initial && !d.isOutput && d.name !== this.result && !d.isStatic))
    ) {
      scope.set(d.name, { kind: 'unset', isLoop: this.uses.loopVariables.has(d.name), ...countType(d.type) })
      return
    }
    if (d.initial && !this.uses.writes.has(d.name)) {
      const value = lowerExpression(d.initial, promoted(d.type), this.at(scope))
      if (!readsArray(value) && sizeUpTo(value, largestInPlace) < largestInPlace) {
        scope.set(d.name, { kind: 'value', expr: d.type === 'i32' ? affineFolded(value) : value, role: 'constant' })
        return
      }
    }
    const isResult =
      d.isOutput || (d.name === this.result && this.loopDepth === 0 && scope === this.root && d.type === this.f.returns)
    const name = isResult ? this.root.fresh(d.isOutput ? d.name : 'result') : scope.fresh(d.name)
    const array = this.arrayDecl(name, d, isResult ? 'global' : 'private', isResult ? 'out' : 'temp', scope)
    if (isResult) this.arrays.set(name, array)
    else out.push({ kind: 'declare', array, at: d.at })
    const meaning: Meaning = { kind: 'array', array, type: d.type }
    scope.set(d.name, meaning)
    if (d.initial) this.plainStore({ meaning, index: [], type: d.type, at: d.at }, d.initial, this.at(scope), out)
  }

  private localArray(d: Declarator, scope: Scope, out: LoopStmt[], isGlobal: boolean): void {
    const items = d.initial?.kind === 'list' ? d.initial : undefined
    const inner = d.extents.slice(1).map((e) => e && literal(lowerIndex(e, this.context)))
    const sized: Declarator =
      d.extents[0] === null && items
        ? {
            ...d,
            extents: [
              {
                kind: 'number',
                value: firstExtent(
                  items,
                  inner.map((e) => e ?? undefined),
                ),
                type: 'i32',
                at: d.at,
              },
              ...d.extents.slice(1),
            ],
          }
        : d
    const probe = this.arrayDecl('probe', sized, 'private', 'temp', scope)
    const count = probe.shape.reduce<number | undefined>((n, e) => {
      const v = literal(e)
      return n === undefined || v === undefined ? undefined : n * v
    }, 1)
    const isOpen = count === undefined && this.loopDepth > 0
    if (isOpen && !probe.shape.every(isFixed))
      fail(
        'c.declaration',
        `the length of ${d.name} differs from iteration to iteration`,
        d.at,
        'declare it outside of the loops with the greatest length it can have',
      )
    if (probe.shape.some(readsArray))
      fail(
        'c.declaration',
        `the length of ${d.name} is computed while the function runs`,
        d.at,
        'make it a parameter of the function, or declare the greatest length that it can have',
      )
    const isLarge = d.isOutput || isOpen || (this.loopDepth === 0 && (count === undefined || count > largestPrivate))
    const name = (isLarge ? this.root : scope).fresh(d.name)
    const array: ArrayDecl = {
      ...probe,
      name,
      space: isLarge ? 'global' : 'private',
      ...(d.isOutput && { role: 'inout' as const }),
    }
    if (isLarge) this.arrays.set(name, array)
    else out.push({ kind: 'declare', array, at: d.at })
    const meaning: Meaning = { kind: 'array', array, type: d.type }
    scope.set(d.name, meaning)
    if (items && count !== undefined && count > largestList)
      fail(
        'c.declaration',
        `${d.name} has a list of values and ${count} elements; at most ${largestList} are taken`,
        d.at,
        'fill it with a loop',
      )
    if (items && count === undefined) fail('c.declaration', `${d.name} has a list of values but no constant size`, d.at)
    if (items)
      this.initialiseArray(
        { meaning, index: [], type: d.type, at: d.at },
        items,
        array.shape.map((e) => literal(e)!),
        isGlobal ? this.context : this.at(scope),
        scope,
        out,
      ) // all are constant, as their product is
    else if (d.initial) fail('c.declaration', `the initial value of ${d.name} is no list`, d.at)
  }

  /**
   * Stores of a list in braces; what it leaves out is 0, as in C. Constants of a large array are chosen by its
   * subscripts, in loops.
   */
  private initialiseArray(
    x: Element,
    list: Extract<CExpr, { kind: 'list' }>,
    extents: readonly number[],
    c: LoweringContext,
    scope: Scope,
    out: LoopStmt[],
  ): void {
    const zero: CExpr = { kind: 'number', value: 0, type: 'i32', at: x.at },
      { array } = x.meaning
    const items = rowMajorElements(list, extents, array.name).map((e) => e ?? zero)
    const values =
      items.length > (this.loopDepth > 0 ? largestUnrolled : 4) ? items.map((e) => this.stored(x, e, c)) : []
    if (values.length > 0 && values.every(isConstant)) {
      const names = extents.map(() => scope.fresh('at')),
        body = store(array, names.map(loopVar), chosen(values, extents, names))
      out.push(
        ...extents.reduceRight<readonly LoopStmt[]>(
          (inner, n, d) => [{ ...loop(names[d]!, int(n), inner), at: x.at }],
          [{ ...body, at: x.at }],
        ),
      ) // a name per extent
    } else items.forEach((item, n) => this.plainStore({ ...x, index: subscriptsOf(n, extents).map(int) }, item, c, out))
  }

  /** What the element holds after it is assigned. */
  private stored(x: Element, e: CExpr, c: LoweringContext): Expr {
    return convert(
      x.type === 'bool' ? convert(condition(e, c), 'i32') : lowerExpression(e, promoted(x.type), c),
      registerType(x.meaning.array.type),
    )
  }

  // ---------------------------------------------------------------------------------------------------- statements

  private statement(s: CStmt, scope: Scope, out: LoopStmt[]): void {
    switch (s.kind) {
      case 'declare':
        for (const d of s.declarators) this.attempt(() => this.orBroken(d, scope, () => this.declare(d, scope, out)))
        return
      case 'expr':
        return this.effect(s.expr, scope, out)
      case 'block': {
        const inner = scope.block()
        for (const x of s.body) this.attempt(() => this.statement(x, inner, out))
        return
      }
      case 'for':
        return this.forLoop(s, scope, out)
      case 'if':
        return this.ifStatement(s, scope, out)
      case 'return':
        return this.returnStatement(s, scope, out)
      case 'empty':
        return
      case 'while':
      case 'do':
      case 'switch':
      case 'break':
      case 'continue':
      case 'leave':
        throw new InternalError('frontend/c', `${s.kind} is left`)
      case 'pragma':
        return fail(
          'c.pragma',
          `#pragma ${s.text} stands inside a statement`,
          s.at,
          'mark statements of the function itself',
        )
      case 'unknown':
        return s.what.startsWith('syntax: ')
          ? fail('c.syntax', s.what.slice(8), s.at, s.hint)
          : fail('c.statement', `${s.what} is not supported`, s.at, s.hint)
    }
  }

  private nested(s: CStmt, scope: Scope): LoopStmt[] {
    const body: LoopStmt[] = []
    this.statement(s, new Scope(scope), body)
    return body
  }

  private forLoop(s: Extract<CStmt, { kind: 'for' }>, scope: Scope, out: LoopStmt[]): void {
    const inner = new Scope(scope)
    const h = forHeader(s, this.at(scope), inner)
    inner.set(h.variable, { kind: 'value', expr: h.value, role: 'loop', ...(h.type && { type: h.type }) })
    this.loopDepth++
    const body = this.nested(s.body, inner)
    this.loopDepth--
    const changed = changedBound([h.lower, h.upper], body)
    if (changed)
      fail(
        'c.not-affine',
        `the bound of loop ${h.variable} reads ${changed}, which the loop changes`,
        s.at,
        'copy the bound to a variable before the loop',
      )
    if (body.length === 0) return // a loop that does nothing, as C lets compilers take to end
    out.push({
      kind: 'loop',
      name: h.name,
      lower: h.lower,
      upper: h.upper,
      step: h.step,
      bind: { kind: 'serial' },
      body,
      at: s.at,
    })
  }

  private ifStatement(s: Extract<CStmt, { kind: 'if' }>, scope: Scope, out: LoopStmt[]): void {
    const test = condition(s.condition, this.at(scope))
    this.guards++
    const then = this.nested(s.then, scope),
      otherwise = s.else ? this.nested(s.else, scope) : []
    this.guards--
    if (then.length === 0 && otherwise.length === 0) return
    const made: LoopStmt =
      then.length === 0
        ? { kind: 'if', condition: negated(test), then: otherwise, else: [], at: s.at }
        : { kind: 'if', condition: test, then, else: otherwise, at: s.at }
    out.push(conditionalReduction(made, (store) => this.targetOf(store, then.length === 0 ? otherwise : then)))
  }

  private targetOf(store: Store, body: readonly LoopStmt[]): Expr {
    const local = body.find((s) => s.kind === 'declare' && s.array.name === store.array)
    const array = local?.kind === 'declare' ? local.array : undefined
    return {
      kind: 'read',
      type: array ? registerType(array.type) : store.value.type,
      array: store.array,
      index: store.index,
    }
  }

  private returnStatement(s: Extract<CStmt, { kind: 'return' }>, scope: Scope, out: LoopStmt[]): void {
    if (s !== this.f.body.body[this.f.body.body.length - 1])
      fail('c.return', 'a return before the end of the function is not supported', s.at, 'put the rest into an if')
    if (!s.value || (s.value.kind === 'name' && s.value.name === this.result && this.arrays.has('result'))) return
    const { returns } = this.f
    if (returns === 'void') fail('c.return', 'a function of type void returns a value', s.at)
    const name = this.root.fresh('result')
    const array: ArrayDecl = {
      name,
      type: returns === 'bool' ? 'u8' : returns,
      shape: [],
      role: 'out',
      space: 'global',
      at: s.at,
    }
    this.arrays.set(name, array)
    this.plainStore(
      { meaning: { kind: 'array', array, type: returns }, index: [], type: returns, at: s.at },
      s.value,
      this.at(scope),
      out,
    )
  }

  // --------------------------------------------------------------------------------------------------- assignments

  private effect(e: CExpr, scope: Scope, out: LoopStmt[]): void {
    switch (e.kind) {
      case 'assign':
        return this.assign(e, scope, out)
      case 'update': {
        const one: CExpr = { kind: 'number', value: 1, type: 'i32', at: e.at }
        return this.assign(
          { kind: 'assign', op: e.op === '++' ? '+' : '-', left: e.arg, right: one, at: e.at },
          scope,
          out,
        )
      }
      case 'comma':
        this.effect(e.left, scope, out)
        return this.effect(e.right, scope, out)
      case 'cast':
        if (e.type === 'void' && e.arg.kind === 'name') return // (void)x; only silences a warning
        break
      case 'number':
        return // 0; is what macros leave of a call
      case 'call':
        fail('c.call', `the function ${e.name} is not known`, e.at, hintFor(e.name))
      case 'name':
      case 'index':
      case 'deref':
      case 'unary':
      case 'binary':
      case 'choose':
      case 'sizeof':
      case 'list':
      case 'address':
      case 'member':
        break
      case 'unknown':
        return fail('c.expression', `${e.what} is not supported`, e.at, e.hint)
    }
    fail('c.statement', 'this statement has no effect', e.at, 'leave it out, or write (void) in front of it')
  }

  private assign(e: Extract<CExpr, { kind: 'assign' }>, scope: Scope, out: LoopStmt[]): void {
    const c = this.at(scope)
    if (e.right.kind === 'assign') {
      this.assign(e.right, scope, out)
      return this.assign({ ...e, right: e.right.left }, scope, out)
    }
    const target = this.target(e.left, c)
    if (e.op === '') this.plainStore(target, e.right, c, out, e.at)
    else this.compound(target, e, c, out)
  }

  private target(e: CExpr, c: LoweringContext): Element {
    if (e.kind === 'unknown') return fail('c.expression', `${e.what} is not supported`, e.at, e.hint)
    const root = rootName(e)
    if (e.kind !== 'name' && e.kind !== 'index' && e.kind !== 'deref')
      return fail('c.assign', 'this cannot be assigned to', e.at)
    if (root !== undefined && c.scope.look(root)?.kind === 'unset')
      fail(
        'c.loop-variable',
        `loop variable ${root} is assigned outside its loop`,
        e.at,
        'use another variable for the value',
      )
    return element(e, c)
  }

  private emit(x: Element, reduce: ReduceOp | null, value: Expr, out: LoopStmt[], at: Span): void {
    out.push({ kind: 'store', array: x.meaning.array.name, index: x.index, reduce, value, at })
  }

  /** `x = e`, as a reduction where it is one. */
  private plainStore(x: Element, e: CExpr, c: LoweringContext, out: LoopStmt[], at = x.at): void {
    const value = this.stored(x, e, c)
    const found = asReduction(read(x.meaning.array, x.index), value)
    this.emit(x, found?.reduce ?? null, found?.value ?? value, out, at)
  }

  /** `x op= e`. */
  private compound(x: Element, e: Extract<CExpr, { kind: 'assign' }>, c: LoweringContext, out: LoopStmt[]): void {
    const name = arithmetic[e.op] ?? fail('c.assign', `${e.op}= is not supported`, e.at)
    const type = registerType(x.meaning.array.type),
      current = promoted(x.type)
    const natural = naturalType(e.right, c)
    const t =
      natural === 'weak'
        ? isFloat(current)
          ? current
          : c.weakType
        : name === 'shl' || name === 'shr' || wider(current, natural)
          ? current
          : natural
    const value = divisorFor(name, lowerExpression(e.right, t, c), e.at, c),
      self = read(x.meaning.array, x.index)
    // membership was checked
    const reduce = name === 'sub' ? 'add' : reducible.has(name) ? (name as ReduceOp) : undefined
    if (reduce && t === current && !contains(value, self))
      return this.emit(x, reduce, convert(name === 'sub' ? negate(value) : value, type), out, e.at)
    this.emit(x, null, convert(convert(apply(name, convert(readPromoted(x), t), value), current), type), out, e.at)
  }
}

const reducible: ReadonlySet<string> = new Set(['add', 'mul', 'and', 'or', 'xor'])
const widths = { i32: 0, u32: 1, i64: 2, u64: 3, f16: 4, f32: 5, f64: 6 } as const
const wider = (a: keyof typeof widths, b: keyof typeof widths): boolean => widths[a] >= widths[b]

/** The number that a variable of the file starts with. */
const numberIn = (d: Declarator): number | undefined => (d.initial?.kind === 'number' ? d.initial.value : undefined)

/** Whether an extent is made of sizes and constants. */
const isFixed = (e: Expr): boolean =>
  e.kind === 'const' || e.kind === 'size' || (e.kind === 'op' && e.args.every(isFixed))
