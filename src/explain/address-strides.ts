// In: a kernel. Out: for each memory statement, how far its address moves when a thread's x, y or z grows by one, or
// the loop around it goes round once. The one idea: every register carries its derivatives; sums add them, products
// with constants scale them, anything else that depends on an axis makes that axis unknown. Facts for words, never for
// counts.
import { definesOf, listsOf, type Builtin, type Kernel, type Operand, type Stmt } from '../ir/index.ts'

/** Bytes (of registers: units) per step; null: not a constant. */
export type ByteStride = number | null

export interface SiteSteps {
  readonly x: ByteStride
  readonly y: ByteStride
  readonly z: ByteStride
  /** Around the innermost loop; undefined outside of loops. */
  readonly loop: ByteStride | undefined
  /** Around the others. */
  readonly outerLoops: readonly ByteStride[]
  /** Bytes of one element of the array, as it is indexed. */
  readonly element: number
}

/** x, y, z, then one per loop around, outermost first. */
type Steps = readonly ByteStride[]
type Env = Map<number, Steps>

const unknown: SiteSteps = { x: null, y: null, z: null, loop: null, outerLoops: [], element: 0 }
/** Derivatives computed before giving up: loops are walked twice at every depth. */
const budget = 2_000_000

/**
 * By position among the kernel's memory statements in program order; all unknown when the kernel is too deep to follow.
 */
export function siteSteps(kernel: Kernel): readonly SiteSteps[] {
  const numbers = new Map<Stmt, number>()
  number(kernel.body, numbers)
  const found: SiteSteps[] = Array.from({ length: numbers.size }, () => unknown)
  const walker = new Walker(kernel, (s, steps) => {
    found[numbers.get(s)!] = steps
  })
  return walker.all() ? found : found.map(() => unknown)
}

function number(list: readonly Stmt[], numbers: Map<Stmt, number>): void {
  for (const s of list) {
    if (s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic') numbers.set(s, numbers.size)
    for (const inner of listsOf(s)) number(inner, numbers)
  }
}

const isZero = (s: Steps, d: number): boolean => known(s[d]) === 0

class Walker {
  private readonly kernel: Kernel
  private readonly found: (s: Stmt, steps: SiteSteps) => void
  private readonly spaceOf: ReadonlyMap<string, string>
  private readonly lists = new Map<Stmt, Definitions>()
  private left = budget

  constructor(kernel: Kernel, found: (s: Stmt, steps: SiteSteps) => void) {
    this.kernel = kernel
    this.found = found
    this.spaceOf = new Map(kernel.resources.map((r) => [r.name, r.space]))
  }

  /** False when the budget ran out. */
  all(): boolean {
    this.list(this.kernel.body, new Map(), 3)
    return this.left > 0
  }

  private definitions(s: Stmt): Definitions {
    const found = this.lists.get(s) ?? definitions(listsOf(s).flat())
    this.lists.set(s, found)
    return found
  }

  private list(body: readonly Stmt[], env: Env, dims: number): void {
    for (const s of body) {
      if ((this.left -= dims) <= 0) return
      this.statement(s, env, dims)
    }
  }

  private statement(s: Stmt, env: Env, dims: number): void {
    const of = (o: Operand): Steps => (o.kind === 'reg' ? (env.get(o.id) ?? []) : [])
    switch (s.kind) {
      case 'op':
        env.set(s.dst.id, this.op(s, of, dims))
        return
      case 'builtin':
        env.set(s.dst.id, this.builtin(s.name))
        return
      case 'load':
      case 'store':
      case 'atomic':
        this.memory(s, of, env, dims)
        return
      case 'subgroup':
        env.set(s.dst.id, mixed(s.args.map(of), dims))
        return
      case 'if':
        this.branch(s, of(s.condition), env, dims)
        return
      case 'loop':
        this.loop(s, env, dims)
        return
      case 'barrier':
      case 'break':
      case 'continue':
      case 'return':
        return
    }
  }

  private op(s: Extract<Stmt, { kind: 'op' }>, of: (o: Operand) => Steps, dims: number): Steps {
    const [a, b] = s.args
    const whole = s.dst.type !== 'f16' && s.dst.type !== 'f32' && s.dst.type !== 'f64' && s.dst.type !== 'bool'
    const each = (f: (d: number) => ByteStride): Steps => Array.from({ length: dims }, (_, d) => f(d))
    const at = (o: Operand, d: number): ByteStride => known(of(o)[d])
    if (!whole || !a) return mixed(s.args.map(of), dims)
    if (s.op === 'copy' || s.op === 'convert' || s.op === 'bitcast')
      return a.type === 'f32' || a.type === 'bool' ? mixed([of(a)], dims) : of(a)
    if (s.op === 'neg') return each((d) => scale(at(a, d), -1))
    if ((s.op === 'add' || s.op === 'sub') && b)
      return each((d) => plus(at(a, d), scale(at(b, d), s.op === 'add' ? 1 : -1)))
    if (s.op === 'mul' && b) {
      const factor = a.kind === 'const' ? a : b.kind === 'const' ? b : null
      if (factor) return each((d) => scale(at(factor === a ? b : a, d), Number(factor.value)))
    }
    if (s.op === 'shl' && b?.kind === 'const') return each((d) => scale(at(a, d), 2 ** Number(b.value)))
    return mixed(s.args.map(of), dims)
  }

  private builtin(name: Builtin): Steps {
    const [bx, by] = this.kernel.block
    switch (name) {
      case 'threadIdx.x':
        return [1, 0, 0]
      case 'threadIdx.y':
        return [0, 1, 0]
      case 'threadIdx.z':
        return [0, 0, 1]
      case 'threadRank':
        return [1, bx, bx * by]
      case 'lane':
      case 'warp':
      case 'presentLanes':
        return [null, null, null]
      case 'blockIdx.x':
      case 'blockIdx.y':
      case 'blockIdx.z':
      case 'blockDim.x':
      case 'blockDim.y':
      case 'blockDim.z':
      case 'gridDim.x':
      case 'gridDim.y':
      case 'gridDim.z':
      case 'warpSize':
        return []
    }
  }

  private memory(
    s: Extract<Stmt, { kind: 'load' | 'store' | 'atomic' }>,
    of: (o: Operand) => Steps,
    env: Env,
    dims: number,
  ): void {
    const index = of(s.address.index)
    const at = (d: number): ByteStride => scale(known(index[d]), s.address.stride)
    this.found(s, {
      x: at(0),
      y: at(1),
      z: at(2),
      loop: dims > 3 ? at(dims - 1) : undefined,
      outerLoops: Array.from({ length: Math.max(0, dims - 4) }, (_, i) => at(3 + i)),
      element: s.address.stride,
    })
    const own = this.spaceOf.get(s.address.resource) === 'local' || s.kind === 'atomic'
    for (const r of definesOf(s)) env.set(r.id, own ? Array.from({ length: dims }, () => null) : mixed([index], dims))
  }

  private branch(s: Extract<Stmt, { kind: 'if' }>, condition: Steps, env: Env, dims: number): void {
    // Both sides begin with the same registers; only those that a side assigns are kept apart.
    const ids = [...this.definitions(s).keys()]
    const values = (): Steps[] => ids.map((id) => env.get(id) ?? [])
    const entry = values()
    this.list(s.then, env, dims)
    const then = values()
    ids.forEach((id, i) => env.set(id, entry[i]!)) // one of each id
    this.list(s.else, env, dims)
    ids.forEach((id, i) => {
      const [a, b] = [then[i]!, env.get(id) ?? []] // one of each id
      env.set(
        id,
        Array.from({ length: dims }, (_, d) => (isZero(condition, d) ? same(a[d], b[d]) : null)),
      )
    })
  }

  private loop(s: Extract<Stmt, { kind: 'loop' }>, env: Env, dims: number): void {
    const changed = this.definitions(s)
    const entry = new Map(
      [...changed].map(([id, all]) => [
        id,
        [...Array.from({ length: dims }, (_, d) => known(env.get(id)?.[d])), increment(all, id)],
      ]),
    )
    for (let pass = 0; pass < 2; pass++) {
      if ((this.left -= dims * entry.size) <= 0) return
      for (const [id, steps] of entry) env.set(id, steps)
      this.list(s.body, env, dims + 1)
      this.list(s.continuing, env, dims + 1)
      if (pass === 0)
        for (const [id, steps] of entry)
          entry.set(
            id,
            steps.map((step, d) => (d < dims ? same(step, env.get(id)?.[d]) : step)),
          )
    }
    for (const id of changed.keys()) env.set(id, (env.get(id) ?? []).slice(0, dims))
  }
}

/** Axes on which nothing depends stay 0; the others are unknown. */
const mixed = (args: readonly Steps[], dims: number): Steps =>
  Array.from({ length: dims }, (_, d) => (args.every((a) => isZero(a, d)) ? 0 : null))
const scale = (a: ByteStride, by: number): ByteStride => (a === null ? null : a === 0 ? 0 : a * by)
const plus = (a: ByteStride, b: ByteStride): ByteStride => (a === null || b === null ? null : a + b)
const known = (a: ByteStride | undefined): ByteStride => (a === undefined ? 0 : a)
const same = (a: ByteStride | undefined, b: ByteStride | undefined): ByteStride =>
  known(a) === known(b) ? known(a) : null

export type Definitions = ReadonlyMap<number, readonly Stmt[]>

/** The statements that assign each register, in nested lists too. */
export function definitions(body: readonly Stmt[], into = new Map<number, Stmt[]>()): Map<number, Stmt[]> {
  for (const s of body) {
    for (const r of definesOf(s)) {
      const before = into.get(r.id)
      if (before) before.push(s)
      else into.set(r.id, [s])
    }
    for (const inner of listsOf(s)) definitions(inner, into)
  }
  return into
}

/** What one round of the loop adds to a register: a constant when `r = r ± c` is its only assignment, else unknown. */
function increment(all: readonly Stmt[], id: number): ByteStride {
  const only = all[0]
  if (all.length !== 1 || only?.kind !== 'op') return null
  const [a, b] = only.args
  const own = a?.kind === 'reg' && a.id === id && b?.kind === 'const' && b.type !== 'f32'
  return own && (only.op === 'add' || only.op === 'sub') ? Number(b.value) * (only.op === 'add' ? 1 : -1) : null
}

/** The statements with each read of a builtin replaced, in nested lists too. */
export const withBuiltins = (
  list: readonly Stmt[],
  replaced: (s: Extract<Stmt, { kind: 'builtin' }>) => readonly Stmt[],
): readonly Stmt[] =>
  list.flatMap((s): readonly Stmt[] => {
    if (s.kind === 'builtin') return replaced(s)
    if (s.kind === 'if') return [{ ...s, then: withBuiltins(s.then, replaced), else: withBuiltins(s.else, replaced) }]
    if (s.kind !== 'loop') return [s]
    return [{ ...s, body: withBuiltins(s.body, replaced), continuing: withBuiltins(s.continuing, replaced) }]
  })

/** Whether a kernel reads any of some builtins, or exchanges values within warps when `warps` is set. */
export function reads(list: readonly Stmt[], names: readonly Builtin[], warps: boolean): boolean {
  return list.some(
    (s) =>
      (s.kind === 'builtin' && names.includes(s.name)) ||
      (warps && s.kind === 'subgroup') ||
      listsOf(s).some((inner) => reads(inner, names, warps)),
  )
}
