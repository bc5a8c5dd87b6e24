// In: declarations. Out: what a C name means at a place, and a LoopIR name that clashes with no visible one. The one
// idea: C may shadow names and LoopIR may not, so meaning and IR name are kept apart.
import type { ArrayDecl, Expr } from '../../../ir/index.ts'
import type { CScalar } from '../text/syntax.ts'

export type Meaning =
  /**
   * A value that never changes: loop variable, size, scalar parameter, constant, argument of an inlined function.
   * `type`: its type in C, where that is no int: loops count in 32 bits with a sign, whatever their variables are.
   */
  | {
      readonly kind: 'value'
      readonly expr: Expr
      readonly role: 'loop' | 'parameter' | 'constant'
      readonly type?: CountType
    }
  /** An array; rank 0 for a scalar variable. `type` is its C element. */
  | { readonly kind: 'array'; readonly array: ArrayDecl; readonly type: CScalar }
  /** An integer declared to be a loop variable, outside any loop over it. */
  | { readonly kind: 'unset'; readonly isLoop: boolean; readonly type?: CountType }
  /** Its declaration was refused already; uses are not reported again. */
  | { readonly kind: 'broken' }

/** Types of counters in which arithmetic differs from that in int: it wraps elsewhere, or has no negative numbers. */
export type CountType = 'u32' | 'i64' | 'u64'

/** `type` where arithmetic in it differs from that in int. */
export const countType = (type: CScalar | undefined): { readonly type?: CountType } =>
  type === 'u32' || type === 'i64' || type === 'u64' ? { type } : {}

export class Scope {
  private readonly meanings = new Map<string, Meaning>()
  private names: Set<string>
  private readonly parent: Scope | undefined

  /** `names`: LoopIR names in use around. */
  constructor(parent?: Scope, names?: Iterable<string>) {
    this.parent = parent
    this.names = new Set([...(parent?.names ?? []), ...(names ?? [])])
  }

  /** The scope of a bare block: LoopIR has none, so names stay taken when it ends. */
  block(): Scope {
    const inner = new Scope(this)
    inner.names = this.names
    return inner
  }

  look(name: string): Meaning | undefined {
    return this.meanings.get(name) ?? this.parent?.look(name)
  }
  set(name: string, meaning: Meaning): void {
    this.meanings.set(name, meaning)
  }

  /** `name`, or with a number appended when something visible has it; it is taken from now on. */
  fresh(name: string): string {
    let free = name
    for (let n = 2; this.names.has(free) || free === 'true' || free === 'false'; n++) free = `${name}_${n}`
    this.names.add(free)
    return free
  }
}
