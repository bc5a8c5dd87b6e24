// For tests: random small affine programs, from a seed. Up to four loops deep, several statements, triangular bounds,
// steps, linear guards, reductions, private scalars. All accesses are in bounds for sizes from 1 to `maxSize`, locals
// are written before they are read, and inputs are never stored to, so that every program runs in the interpreter.
import { random, type Random } from '../src/base/index.ts'
import {
  add,
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  constant,
  int,
  loop,
  op,
  read,
  sizeOf,
  store,
  when,
  type Affine,
  type ArrayDecl,
  type Expr,
  type LoopStmt,
  type Program,
  type ReduceOp,
} from '../src/ir/index.ts'

export interface RandomOptions {
  /** Deepest nest, 1 to 4; default 3. */
  readonly depth?: number
  /** Largest value that `n` and `m` will take; default 6. */
  readonly maxSize?: number
  /** Values and operators stay small integers, so that results are exact in f32; default false. */
  readonly exact?: boolean
}

interface Around {
  readonly name: string
  /** Smallest and largest value over all sizes. */
  readonly low: number
  readonly high: number
}

/** The program of `seed`. */
export function randomProgram(seed: number, options: RandomOptions = {}): Program {
  return new Maker(random(seed), options).program(seed)
}

class Maker {
  private readonly r: Random
  private readonly depth: number
  private readonly maxSize: number
  private readonly exact: boolean
  private readonly arrays: ArrayDecl[] = []
  private locals = 0
  private loops = 0

  constructor(r: Random, options: RandomOptions) {
    this.r = r
    this.depth = options.depth ?? 3
    this.maxSize = options.maxSize ?? 6
    this.exact = options.exact ?? false
  }

  private pick<T>(items: readonly T[]): T {
    return items[this.r.int(0, items.length - 1)]!
  }
  private chance(p: number): boolean {
    return this.r.unit() < p
  }

  program(seed: number): Program {
    const wide = 6 * this.maxSize + 12
    const decl = (name: string, rank: number, role: 'in' | 'inout'): ArrayDecl => ({
      name,
      type: 'f32',
      shape: new Array<Expr>(rank).fill(int(wide)),
      role,
      space: 'global',
    })
    this.arrays.push(decl('X', 1, 'in'), decl('A', 1, 'inout'), decl('B', 2, 'inout'), decl('S', 0, 'inout'))
    const body: LoopStmt[] = []
    for (let i = this.r.int(1, 2); i > 0; i--) body.push(this.loop([], []))
    return {
      name: `random_${seed}`,
      sizes: [
        { kind: 'given', name: 'n', min: 1, planned: this.maxSize },
        { kind: 'given', name: 'm', min: 1, planned: this.maxSize },
      ],
      hostVariables: [],
      scalars: [],
      arrays: this.arrays,
      body,
    }
  }

  private loop(around: readonly Around[], locals: readonly ArrayDecl[]): LoopStmt {
    const name = `${'ijkl'[around.length]}${this.loops++}`
    const outer = around.length > 0 && this.chance(0.4) ? this.pick(around) : undefined
    const size = sizeOf(this.pick(['n', 'm']))
    let lower: Expr = int(this.pick([0, 0, 0, 1])),
      upper: Expr = this.chance(0.15) ? int(this.r.int(2, 4)) : size
    let low = 0,
      high = Math.max(this.maxSize, 4) - 1
    if (outer && this.chance(0.5)) {
      lower = add({ kind: 'var', type: 'i32', name: outer.name }, int(this.pick([0, 1])))
      low = outer.low
    } else if (outer) {
      upper = add({ kind: 'var', type: 'i32', name: outer.name }, int(this.pick([0, 1, 1])))
      high = Math.max(high, outer.high)
    }
    const inner = [...around, { name, low, high }]
    return loop(name, upper, this.body(inner, locals), { lower, step: this.chance(0.12) ? 2 : 1 })
  }

  private body(around: readonly Around[], outerLocals: readonly ArrayDecl[]): LoopStmt[] {
    const body: LoopStmt[] = []
    let locals = outerLocals
    if (this.chance(0.2)) {
      const array: ArrayDecl = { name: `t${this.locals++}`, type: 'f32', shape: [], role: 'temp', space: 'private' }
      body.push({ kind: 'declare', array }, store(array, [], this.value(around, locals, 1)))
      locals = [...locals, array]
    }
    for (let i = this.r.int(1, 2); i > 0; i--) {
      if (around.length < this.depth && this.chance(0.6)) body.push(this.loop(around, locals))
      else
        body.push(
          this.chance(0.2)
            ? when(
                this.guard(around),
                [this.store(around, locals)],
                this.chance(0.3) ? [this.store(around, locals)] : [],
              )
            : this.store(around, locals),
        )
    }
    return body
  }

  private guard(around: readonly Around[]): Expr {
    const v: Expr = { kind: 'var', type: 'i32', name: this.pick(around).name }
    const other: Expr = this.chance(0.5)
      ? int(this.r.int(0, 3))
      : { kind: 'var', type: 'i32', name: this.pick(around).name }
    return op(this.pick(['lt', 'le', 'gt', 'ge', 'eq'] as const), [v, other])
  }

  /** A linear subscript, shifted so that it is never negative. */
  private index(around: readonly Around[]): Expr {
    let form: Affine = affineConstant(0),
      low = 0
    for (let i = this.pick([1, 1, 1, 2]); i > 0; i--) {
      const v = this.pick(around),
        c = this.pick([1, 1, 1, 1, 2, -1])
      const before = form.terms.get(v.name) ?? 0
      form = addScaled(form, affineName(v.name), c)
      low += Math.min((before + c) * v.low, (before + c) * v.high) - Math.min(before * v.low, before * v.high)
    }
    return affineExpr(addScaled(form, affineConstant(Math.max(0, -low) + this.pick([0, 0, 0, 1, 2])), 1))
  }

  private element(array: ArrayDecl, around: readonly Around[]): Expr[] {
    return array.shape.map(() => this.index(around))
  }

  private value(around: readonly Around[], locals: readonly ArrayDecl[], depth: number): Expr {
    if (depth === 0 || this.chance(0.3)) {
      if (this.chance(0.15)) return constant('f32', this.r.int(1, 3))
      const array = this.pick([...this.arrays.filter((a) => a.name !== 'S' || this.chance(0.3)), ...locals])
      return read(array, this.element(array, around))
    }
    const name = this.exact
      ? this.pick(['add', 'sub', 'max'] as const)
      : this.pick(['add', 'sub', 'mul', 'max'] as const)
    return op(name, [this.value(around, locals, depth - 1), this.value(around, locals, depth - 1)])
  }

  private store(around: readonly Around[], locals: readonly ArrayDecl[]): LoopStmt {
    const array = this.pick([
      ...this.arrays.filter((a) => a.role !== 'in' && (a.name !== 'S' || this.chance(0.4))),
      ...locals,
    ])
    const reduce: ReduceOp | null = this.chance(0.35) ? this.pick(['add', 'add', 'max'] as const) : null
    return store(array, this.element(array, around), this.value(around, locals, this.r.int(0, 2)), reduce)
  }
}
