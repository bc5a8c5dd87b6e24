// In: a kernel from WGSL. Out: barriers that stand where not all threads of a block surely come along: WGSL forbids
// them and browsers refuse the shader. The one idea: a register is uniform unless it comes from a thread's own index,
// from memory that others write, or from an assignment in non-uniform control flow; a jump out of such flow makes the
// rest non-uniform too. It follows the inlined program, so it may accept what the specification, function by function,
// does not.
import type { Span } from '../base/index.ts'
import {
  allStatements,
  definesOf,
  listsOf,
  usesOf,
  type Builtin,
  type Kernel,
  type Operand,
  type Stmt,
} from '../ir/index.ts'

/** A barrier in non-uniform control flow and the condition that makes it so. */
export interface NonUniform {
  readonly barrier: Stmt
  readonly condition: Stmt
}

/** Visits of statements: the analysis repeats loops until nothing changes. */
const budget = 1_000_000

/** In program order; empty when the kernel is too deep to follow. */
export function nonUniformBarriers(kernel: Kernel): readonly NonUniform[] {
  if (!allStatements(kernel.body).some((s) => s.kind === 'barrier' && s.scope === 'block')) return []
  const walker = new Walker(kernel)
  return walker.all()
}

const ownIndex: readonly Builtin[] = ['threadIdx.x', 'threadIdx.y', 'threadIdx.z', 'threadRank', 'lane', 'warp']

/** Jumps that some threads took: out of the innermost loop, or out of the kernel; each with the condition to blame. */
interface Left {
  readonly loop: Stmt | null
  readonly kernel: Stmt | null
}
const nobody: Left = { loop: null, kernel: null }
const both = (a: Left, b: Left): Left => ({ loop: a.loop ?? b.loop, kernel: a.kernel ?? b.kernel })

class Walker {
  private readonly kernel: Kernel
  private readonly resources: ReadonlyMap<string, Kernel['resources'][number]>
  private readonly found = new Map<Stmt, Stmt>()
  /** Local arrays that hold something non-uniform. */
  private readonly mixed = new Set<string>()
  private varying = new Set<number>()
  private left = budget

  constructor(kernel: Kernel) {
    this.kernel = kernel
    this.resources = new Map(kernel.resources.map((r) => [r.name, r]))
  }

  all(): NonUniform[] {
    this.list(this.kernel.body, null)
    return this.left <= 0 ? [] : [...this.found].map(([barrier, condition]) => ({ barrier, condition }))
  }

  /** `why`: the condition that makes control flow non-uniform here; null: it is uniform. */
  private list(body: readonly Stmt[], why: Stmt | null): Left {
    let out = nobody
    body.forEach((s, i) => {
      if (--this.left <= 0) return
      const here = why ?? out.loop ?? out.kernel
      out = both(out, this.statement(s, here, body[i - 1], body[i + 1]))
    })
    return out
  }

  private statement(s: Stmt, why: Stmt | null, before: Stmt | undefined, after: Stmt | undefined): Left {
    switch (s.kind) {
      case 'break':
      case 'continue':
        return { loop: why, kernel: null }
      case 'return':
        return { loop: null, kernel: why }
      case 'barrier':
        if (why && s.scope === 'block' && !this.found.has(s)) this.found.set(s, why)
        return nobody
      case 'if':
        return this.branch(s, why)
      case 'loop':
        return this.loop(s, why)
      case 'op':
      case 'builtin':
      case 'load':
      case 'store':
      case 'atomic':
      case 'subgroup':
      case 'matrix':
        this.assign(s, why !== null || this.differs(s, before, after))
        return nobody
    }
  }

  private assign(s: Stmt, varies: boolean): void {
    for (const r of definesOf(s)) {
      if (varies) this.varying.add(r.id)
      else this.varying.delete(r.id)
    }
    if (s.kind === 'store' && varies) this.mixed.add(s.address.resource)
  }

  private readonly varies = (o: Operand): boolean => o.kind === 'reg' && this.varying.has(o.id)

  private differs(s: Stmt, before: Stmt | undefined, after: Stmt | undefined): boolean {
    if (usesOf(s).some(this.varies) || s.kind === 'atomic' || s.kind === 'subgroup') return true
    if (s.kind === 'builtin') return ownIndex.includes(s.name)
    if (s.kind !== 'load') return false
    const resource = this.resources.get(s.address.resource)
    if (resource?.space === 'local') return this.mixed.has(resource.name)
    if (resource?.space === 'shared') return !(before?.kind === 'barrier' && after?.kind === 'barrier')
    return resource?.access !== 'read'
  }

  private branch(s: Extract<Stmt, { kind: 'if' }>, why: Stmt | null): Left {
    const inner = why ?? (this.varies(s.condition) ? s : null)
    const entry = new Set(this.varying)
    const then = this.list(s.then, inner)
    const afterThen = this.varying
    this.varying = entry
    const other = this.list(s.else, inner)
    for (const id of afterThen) this.varying.add(id)
    return both(then, other)
  }

  /** Twice: what the first round leaves holds at the start of the next. */
  private loop(s: Extract<Stmt, { kind: 'loop' }>, why: Stmt | null): Left {
    let inner = why,
      out = nobody
    for (let pass = 0; pass < 2; pass++) {
      const entry = new Set(this.varying)
      out = both(this.list(s.body, inner), this.list(s.continuing, inner))
      for (const id of entry) this.varying.add(id)
      inner = why ?? out.loop ?? out.kernel
    }
    return { loop: null, kernel: out.kernel }
  }
}

/** The place of a condition; of a barrier that workgroupUniformLoad made, the call. */
export const placeOfStmt = (s: Stmt): Span | undefined =>
  s.at ??
  listsOf(s)
    .flat()
    .find((x) => x.at)?.at
