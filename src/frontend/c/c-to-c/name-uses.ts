// In: a C function. Out: how it uses its names: which are written and how often, which are loop variables, which stand
// in bounds, extents and subscripts (and so are sizes). The one idea: C declares a name before one can know what it is
// for; one walk beforehand tells. Names are taken without regard to shadowing, which errs on the side of refusing.
import type { CExpr, CFunction, CStmt, Declarator } from '../text/syntax.ts'

export interface Uses {
  /** Assignments and updates of each name outside `for` headers; initialisers not counted. */
  readonly writes: ReadonlyMap<string, number>
  /** Names that some `for` starts with an assignment. */
  readonly loopVariables: ReadonlySet<string>
  /** Names that occur in extents, bounds or subscripts, directly or through what a local is set to. */
  readonly inIndex: ReadonlySet<string>
  /**
   * Macros whose number occurs in an extent or a bound, and in none of an array that each iteration of a loop has for
   * itself.
   */
  readonly sizeMacros: ReadonlySet<string>
  /** Every name that stands in an expression. */
  readonly names: ReadonlySet<string>
}

/** Everything directly below `e`. */
export function children(e: CExpr): readonly CExpr[] {
  switch (e.kind) {
    case 'number':
    case 'name':
    case 'sizeof':
    case 'unknown':
      return []
    case 'index':
      return [e.base, e.index]
    case 'deref':
    case 'unary':
    case 'update':
    case 'address':
      return [e.arg]
    case 'cast':
      return [e.arg, ...(e.pointer ?? []).filter((x) => x !== null)]
    case 'member':
      return [e.base]
    case 'binary':
    case 'assign':
    case 'comma':
      return [e.left, e.right]
    case 'choose':
      return [e.condition, e.then, e.else]
    case 'call':
      return e.args
    case 'list':
      return e.items
  }
}

/** `e` and everything below it. */
export function everywhere(e: CExpr): CExpr[] {
  const all: CExpr[] = []
  const stack: CExpr[] = [e]
  for (let x = stack.pop(); x; x = stack.pop()) {
    all.push(x)
    stack.push(...children(x))
  }
  return all
}

/** The array or scalar that an lvalue is in. */
export function rootName(e: CExpr): string | undefined {
  if (e.kind === 'name') return e.name
  if (e.kind === 'index' || e.kind === 'member') return rootName(e.base)
  if (e.kind === 'deref' || e.kind === 'address' || (e.kind === 'cast' && e.pointer)) return rootName(e.arg)
  return e.kind === 'binary' ? rootName(e.left) : undefined
}

/** Arrays of up to this many elements that stand in a loop are each thread's own. */
const largestOwn = 1024

/** What an extent made of numbers is. */
function extentOf(e: CExpr): number | undefined {
  if (e.kind === 'number') return e.value
  const [a, b] = e.kind === 'binary' ? [extentOf(e.left), extentOf(e.right)] : []
  if (e.kind !== 'binary' || a === undefined || b === undefined) return undefined
  return e.op === '+' ? a + b : e.op === '-' ? a - b : e.op === '*' ? a * b : undefined
}

class Scan {
  readonly writes = new Map<string, number>()
  readonly loopVariables = new Set<string>()
  readonly inIndex = new Set<string>()
  readonly sizeMacros = new Set<string>()
  readonly names = new Set<string>()
  private readonly ownMacros = new Set<string>()
  private readonly values: { readonly name: string; readonly value: CExpr }[] = []
  private loops = 0

  index(e: CExpr, isBound: boolean): void {
    for (const x of everywhere(e)) {
      if (x.kind === 'name') this.inIndex.add(x.name)
      if (x.kind === 'number' && x.macro && isBound) this.sizeMacros.add(x.macro)
    }
  }

  expr(e: CExpr, inHeader = false): void {
    for (const x of everywhere(e)) {
      if (x.kind === 'name') this.names.add(x.name)
      if (x.kind === 'index') this.index(x.index, false)
      if (x.kind === 'deref' && x.arg.kind === 'binary') this.index(x.arg.right, false)
      const target = x.kind === 'assign' ? rootName(x.left) : x.kind === 'update' ? rootName(x.arg) : undefined
      if (target !== undefined && !inHeader) this.writes.set(target, (this.writes.get(target) ?? 0) + 1)
      if (x.kind === 'assign' && x.left.kind === 'name') this.values.push({ name: x.left.name, value: x.right })
    }
  }

  declarator(d: Declarator): void {
    for (const e of d.extents) if (e) this.index(e, true)
    const elements = d.extents.reduce((n, e) => n * ((e && extentOf(e)) ?? Infinity), 1)
    if (this.loops > 0 && elements <= largestOwn)
      for (const e of d.extents)
        for (const x of e ? everywhere(e) : []) if (x.kind === 'number' && x.macro) this.ownMacros.add(x.macro)
    if (!d.initial) return
    this.expr(d.initial)
    this.values.push({ name: d.name, value: d.initial })
  }

  statement(s: CStmt): void {
    switch (s.kind) {
      case 'declare':
        for (const d of s.declarators) this.declarator(d)
        return
      case 'expr':
        this.expr(s.expr)
        return
      case 'return':
        if (s.value) this.expr(s.value)
        return
      case 'block':
        for (const x of s.body) this.statement(x)
        return
      case 'if':
        this.expr(s.condition)
        this.statement(s.then)
        if (s.else) this.statement(s.else)
        return
      case 'for':
        this.forHeader(s)
        this.loops++
        this.statement(s.body)
        this.loops--
        return
      case 'while':
      case 'do':
      case 'switch':
      case 'break':
      case 'continue':
      case 'leave':
      case 'pragma':
      case 'empty':
      case 'unknown':
        return // resolved before
    }
  }

  private forHeader(s: Extract<CStmt, { kind: 'for' }>): void {
    const { init } = s
    if (init?.kind === 'expr') {
      this.expr(init.expr, true)
      this.index(init.expr, true)
      if (init.expr.kind === 'assign' && init.expr.left.kind === 'name') this.loopVariables.add(init.expr.left.name)
    }
    if (init?.kind === 'declare')
      for (const d of init.declarators) {
        this.declarator(d)
        if (d.initial) this.index(d.initial, true)
      }
    for (const e of [s.condition, s.update])
      if (e) {
        this.expr(e, true)
        this.index(e, true)
      }
  }

  /**
   * A local that is used in an index makes the names of what it is set to index names too; macros of what threads keep
   * are numbers.
   */
  propagate(): void {
    for (let before = -1; before !== this.inIndex.size; ) {
      before = this.inIndex.size
      for (const { name, value } of this.values) if (this.inIndex.has(name)) this.index(value, false)
    }
    for (const macro of this.ownMacros) this.sizeMacros.delete(macro)
  }
}

/** Scans `f`. */
export function usesIn(f: CFunction): Uses {
  const s = new Scan()
  for (const p of f.parameters) s.declarator(p)
  s.statement(f.body)
  s.propagate()
  return s
}

/** The local that the function returns at its end, if it returns one. */
export function resultName(f: CFunction): string | undefined {
  const end = f.body.body[f.body.body.length - 1]
  return end?.kind === 'return' && end.value?.kind === 'name' ? end.value.name : undefined
}

/** Whether `f` computes anything in double precision. */
export function usesDouble(f: CFunction): boolean {
  const has = (s: CStmt): boolean => {
    if (s.kind === 'declare') return s.declarators.some((d) => d.type === 'f64')
    if (s.kind === 'block') return s.body.some(has)
    if (s.kind === 'for') return (s.init ? has(s.init) : false) || has(s.body)
    if (s.kind === 'if') return has(s.then) || (s.else ? has(s.else) : false)
    return s.kind === 'expr' && everywhere(s.expr).some((e) => e.kind === 'cast' && e.type === 'f64')
  }
  return f.returns === 'f64' || f.parameters.some((p) => p.type === 'f64') || has(f.body)
}

/** Whether it reads an element or what a pointer points at. */
export const readsMemory = (e: CExpr): boolean => everywhere(e).some((x) => x.kind === 'index' || x.kind === 'deref')

/** Equal for expressions that are written alike, wherever they stand. */
export const keyOfC = (e: CExpr): string =>
  JSON.stringify(e, (key, value: unknown) => (key === 'at' ? undefined : value))
