// In: operations one after the other. Out: statements in nested scopes over registers. The one idea: a pure operation
// is emitted once, in the outermost scope that has its arguments; everything else stands where it is asked for.
import type { OpName, Operand, Reg, ScalarType, Stmt } from '../../ir/index.ts'
import { exactReciprocal, operandKey } from './operands.ts'

interface Scope {
  readonly stmts: Stmt[]
  /** Index values by key, and (under keys with a version) what was loaded since the memory last changed. */
  readonly memo: Map<string, Operand>
  /** It is the body of a loop, or all. */
  readonly repeats: boolean
}

export class Code {
  protected readonly registers: Reg[] = []
  protected readonly scopes: Scope[] = [{ stmts: [], memo: new Map(), repeats: true }]
  /** Rises whenever memory, or an integer register that may be an index, may have changed. */
  protected version = 0
  /** What was computed where its arguments are, not where it stands. */
  protected readonly hoisted = new Set<Operand>()
  /** Registers that are assigned again: nothing of them may be computed elsewhere, or once. */
  protected readonly changing = new Set<number>()
  /** By register, whose ids are dense. */
  protected readonly depthOfReg: number[] = []

  /** `near`: operations stay in the branches where they are asked for, as long as no loop is left by that. */
  constructor(private readonly near = false) {}

  protected get top(): Scope {
    return this.scopes[this.scopes.length - 1]!
  }

  protected emit(s: Stmt): void {
    if (s.kind === 'store' || s.kind === 'atomic' || s.kind === 'barrier') this.version++
    this.top.stmts.push(s)
  }

  protected inScope(f: () => void, repeats = false): Stmt[] {
    const scope: Scope = { stmts: [], memo: new Map(), repeats }
    this.scopes.push(scope)
    f()
    this.scopes.pop()
    return scope.stmts
  }

  protected inLoop(f: () => void): Stmt[] {
    return this.inScope(f, true)
  }

  /** Where an operation goes whose arguments are there at `depth`. */
  protected placeAt(depth: number): number {
    if (!this.near) return depth
    const last = this.scopes.length - 1
    for (let d = depth + 1; d <= last; d++) if (this.scopes[d]!.repeats) return depth
    return last
  }

  /** Runs `f` so that what it emits lands in the scope at `depth`. */
  protected at<T>(depth: number, f: () => T): T {
    if (depth >= this.scopes.length - 1) return f()
    const inner = this.scopes.splice(depth + 1)
    const out = f()
    this.scopes.push(...inner)
    return out
  }

  protected atTop<T>(f: () => T): T {
    return this.at(0, f)
  }

  /** What is known by `key` where an operation goes whose arguments are there at `depth`. */
  protected known(depth: number, key: string): Operand | undefined {
    const last = this.placeAt(depth)
    for (let d = 0; d <= last; d++) {
      const known = this.scopes[d]?.memo.get(key)
      if (known) return known
    }
    return undefined
  }

  protected memoised(given: number, key: string, f: () => Operand): Operand {
    const known = this.known(given, key)
    if (known) return known
    return this.at(this.placeAt(given), () => {
      const value = f()
      this.top.memo.set(key, value)
      this.hoisted.add(value)
      return value
    })
  }

  /** A pure operation on index values, computed once in the outermost scope that has its arguments. */
  protected pure(op: OpName, args: readonly Operand[], type: ScalarType, name: string): Operand {
    if (args.some((a) => a.kind === 'reg' && this.changing.has(a.id))) return this.local(op, args, type, name)
    const key = `${op}(${args.map(operandKey).join(',')})`
    const depth = Math.max(0, ...args.map((a) => this.operandDepth(a)))
    return this.memoised(depth, key, () => this.rawOp(op, args, type, name))
  }

  protected operandDepth(o: Operand): number {
    return o.kind === 'reg' ? (this.depthOfReg[o.id] ?? this.scopes.length - 1) : 0
  }

  protected rawOp(op: OpName, args: readonly Operand[], type: ScalarType, name: string): Reg {
    const dst = this.reg(type, name)
    this.depthOfReg[dst.id] = this.scopes.length - 1
    this.emit({ kind: 'op', op, dst, args })
    return dst
  }

  /** An operation where it stands; a quotient by a power of two is the product with its reciprocal, which is exact. */
  protected local(op: OpName, args: readonly Operand[], type: ScalarType, name: string): Operand {
    const dst = this.reg(type, name),
      inverse = op === 'div' ? exactReciprocal(args[1]!, type) : undefined // a quotient has two arguments
    this.emit(inverse ? { kind: 'op', op: 'mul', dst, args: [args[0]!, inverse] } : { kind: 'op', op, dst, args })
    return dst
  }

  protected reg(type: ScalarType, name: string): Reg {
    const r: Reg = { kind: 'reg', id: this.registers.length, type, name }
    this.registers.push(r)
    this.depthOfReg[r.id] = this.scopes.length - 1
    return r
  }
}
