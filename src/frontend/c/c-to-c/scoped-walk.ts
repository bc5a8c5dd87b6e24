// What walks statements and knows names by the block that they stand in: the part that all such walks share.
import { blockOf } from './c-rewriting.ts'
import type { CStmt } from '../text/syntax.ts'

/** A rewriting of statements; `T`: what is known of a name. */
export abstract class Scoped<T> {
  protected scope = new Map<string, T>()

  /** What stands in place of a statement. */
  protected abstract statement(s: CStmt): CStmt[]

  /** Does `f` in a scope of its own. */
  protected inScope<R>(f: () => R): R {
    const outer = this.scope
    this.scope = new Map(outer)
    try {
      return f()
    } finally {
      this.scope = outer
    }
  }

  protected list(body: readonly CStmt[]): CStmt[] {
    return this.inScope(() => body.flatMap((s) => this.statement(s)))
  }

  protected one(s: CStmt): CStmt {
    const made = this.list([s])
    return made.length === 1 ? made[0]! : blockOf(made, s.at)
  }
}
