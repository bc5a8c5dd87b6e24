// In: a seed. Out: a kernel of 32-bit types that WGSL can express, and a plan that runs it. The one idea: registers are
// assigned under every kind of control flow, loaded in vectors, carried round loops and read late, so that whatever
// folding or declaring gets wrong shows in the output. All arithmetic is exact, so results must be equal to the bit.
import { random, type Random } from '../../src/base/index.ts'
import {
  constOf,
  int,
  KernelBuilder,
  opRow,
  type Kernel,
  type OpName,
  type Operand,
  type Plan,
  type Reg,
  type Resource,
  type Verified,
} from '../../src/ir/index.ts'

type Type = 'i32' | 'u32' | 'f32' | 'bool'
const types: readonly Type[] = ['i32', 'i32', 'u32', 'f32', 'bool']
const opsOf: Readonly<Record<Type, readonly OpName[]>> = {
  i32: [
    'add',
    'sub',
    'mul',
    'div',
    'rem',
    'neg',
    'abs',
    'sign',
    'min',
    'max',
    'and',
    'or',
    'xor',
    'not',
    'shl',
    'shr',
    'mulhi',
    'popcount',
    'clz',
    'ctz',
    'reverseBits',
    'select',
    'copy',
  ],
  u32: [
    'add',
    'sub',
    'mul',
    'div',
    'rem',
    'min',
    'max',
    'and',
    'or',
    'xor',
    'not',
    'shl',
    'shr',
    'mulhi',
    'popcount',
    'clz',
    'ctz',
    'select',
    'copy',
    'neg',
    'abs',
    'sign',
  ],
  f32: ['add', 'sub', 'min', 'max', 'abs', 'neg', 'floor', 'ceil', 'trunc', 'round', 'sign', 'select', 'copy'],
  bool: ['land', 'lor', 'lnot', 'select', 'copy'],
}
const compares: readonly OpName[] = ['eq', 'ne', 'lt', 'le', 'gt', 'ge']
export const threads = 8
export const slots = 24

export function randomKernel32(seed: number): Verified<Kernel> {
  return new Maker(random(seed)).make()
}

/** A plan that runs the kernel once on `in` (64 elements) and `out`. */
export function planOf(kernel: Verified<Kernel>): Plan {
  return {
    name: 'random',
    sizes: [],
    scalars: [],
    arrays: [
      { name: 'source', type: 'i32', shape: [int(64)], role: 'in' },
      { name: 'out', type: 'i32', shape: [int(threads * slots)], role: 'inout' },
    ],
    variants: [
      {
        when: null,
        launches: [
          {
            kernel,
            grid: [int(1), int(1), int(1)],
            arguments: { source: 'source', out: 'out' },
            params: { p: int(-7), q: { kind: 'const', type: 'u32', value: 9 } },
          },
        ],
      },
    ],
  }
}

class Maker {
  private readonly r: Random
  private readonly k = new KernelBuilder({ name: 'random', block: [threads, 1, 1] })
  private readonly source = this.k.global('source', 'i32', 'read')
  private readonly out = this.k.global('out', 'i32')
  private readonly mine: Resource = this.k.local('mine', 'i32', 8, true)
  private readonly params: Readonly<Partial<Record<Type, Operand>>> = {
    i32: this.k.param('p', 'i32'),
    u32: this.k.param('q', 'u32'),
  }
  private readonly regs: Reg[] = []
  private depth = 0
  private budget = 40

  constructor(r: Random) {
    this.r = r
  }

  make(): Verified<Kernel> {
    const t = this.k.op('convert', [this.k.builtin('threadIdx.x')], { type: 'i32', name: 't' })
    for (const type of ['i32', 'u32', 'f32', 'bool', 'i32', 'f32'] as const)
      this.regs.push(this.k.variable(type, this.literal(type).value, `${type}_`))
    while (this.budget > 0) this.statements(t)
    const base = this.k.op('mul', [t, slots])
    this.regs
      .slice(0, slots - 2)
      .forEach((reg, i) => this.k.store(this.out, this.k.op('add', [base, i]), this.asInt(reg)))
    return this.k.finish()
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.r.int(0, list.length - 1)]!
  } // never empty
  private chance(p: number): boolean {
    return this.r.unit() < p
  }

  private literal(type: Type): ReturnType<typeof constOf> {
    if (type === 'bool') return constOf('bool', this.r.int(0, 1))
    if (type === 'f32') return constOf('f32', this.r.int(-64, 64) / 4)
    const special = type === 'i32' ? [0, 1, -1, 31, -2147483648, 2147483647] : [0, 1, 31, 4294967295]
    return constOf(type, this.chance(0.3) ? this.pick(special) : this.r.int(type === 'i32' ? -40 : 0, 40))
  }

  private operand(type: Type): Operand {
    const known = this.regs.filter((x) => x.type === type)
    if (known.length > 0 && this.chance(0.8)) return this.pick(known)
    return (this.chance(0.4) ? this.params[type] : undefined) ?? this.literal(type)
  }

  private target(type: Type): Reg {
    const old = this.regs.filter((x) => x.type === type)
    if (old.length > 0 && this.chance(0.5)) return this.pick(old)
    const reg = this.k.reg(type, this.pick(['x', 'y', 'loop', 'i']))
    if (this.regs.length < 40) this.regs.push(reg)
    return reg
  }

  private asInt(reg: Reg): Operand {
    if (reg.type === 'i32') return reg
    return this.k.op(reg.type === 'bool' ? 'convert' : 'bitcast', [reg], { type: 'i32' })
  }

  private statements(t: Reg): void {
    for (let n = this.r.int(1, 6); n > 0 && this.budget > 0; n--) {
      this.budget--
      this.statement(t)
    }
  }

  private statement(t: Reg): void {
    const roll = this.r.unit()
    if (roll < 0.5) this.operation()
    else if (roll < 0.58) this.loadVector()
    else if (roll < 0.64)
      this.k.load(this.source, this.k.op('and', [this.operand('i32'), 63]), { dst: this.target('i32') })
    else if (roll < 0.72) this.localAccess()
    else if (roll < 0.76)
      this.k.store(
        this.out,
        this.k.op('add', [this.k.op('mul', [t, slots]), slots - 1]),
        this.asInt(this.pick(this.regs)),
      )
    else if (roll < 0.79)
      this.k.load(this.out, this.k.op('add', [this.k.op('mul', [t, slots]), slots - 1]), { dst: this.target('i32') })
    else if (this.depth < 3) this.structure(t)
    else this.operation()
  }

  private operation(): void {
    const type = this.pick(types)
    if (this.chance(0.2)) {
      this.k.op(this.pick(compares), [this.operand('i32'), this.operand('i32')], { dst: this.target('bool') })
      return
    }
    if (this.chance(0.15)) {
      this.conversion()
      return
    }
    const op = this.pick(opsOf[type])
    const args = Array.from({ length: opRow(op).arity }, (_, i) =>
      this.operand(op === 'select' && i === 0 ? 'bool' : type),
    )
    this.k.op(op, args, { dst: this.target(type) })
    if (type === 'f32') this.settle()
  }

  /** Keeps floats among small quarters, so that every operation on them is exact. */
  private settle(): void {
    for (const reg of this.regs.filter((x) => x.type === 'f32')) {
      const low = this.k.op('max', [reg, constOf('f32', -1000)])
      this.k.op('min', [low, constOf('f32', 1000)], { dst: reg })
    }
  }

  private conversion(): void {
    const from = this.pick(types),
      to = this.pick(types)
    if (to === 'f32' && from !== 'f32') {
      const small = from === 'bool' ? this.operand('bool') : this.k.op('and', [this.operand(from), constOf(from, 255)])
      this.k.op('convert', [small], { dst: this.target('f32') })
    } else this.k.op('convert', [this.operand(from)], { dst: this.target(to) })
  }

  private loadVector(): void {
    const width = this.pick([2, 3, 4, 4])
    const at =
      width === 3
        ? this.k.op('and', [this.operand('i32'), 31])
        : this.k.op('mul', [this.k.op('and', [this.operand('i32'), 15]), width])
    const fresh = this.chance(0.6)
    const dst = fresh
      ? Array.from({ length: width }, (_, i) => this.k.reg('i32', `v${i}`))
      : [...new Set([this.target('i32'), this.target('i32')])]
    if (!fresh && dst.length < 2) return
    const even = fresh ? at : this.k.op('mul', [this.k.op('and', [at, 15]), 2])
    this.k.loadTo(dst, this.source, even)
    if (fresh) this.regs.push(...dst.slice(0, this.r.int(0, width)))
  }

  private localAccess(): void {
    const at = this.k.op('and', [this.operand('i32'), 7])
    if (this.chance(0.5)) this.k.store(this.mine, at, this.operand('i32'))
    else this.k.load(this.mine, at, { dst: this.target('i32') })
  }

  private structure(t: Reg): void {
    this.depth++
    const inside = (): void => this.statements(t)
    const roll = this.r.unit()
    if (roll < 0.5) this.k.ifThen(this.operand('bool'), inside, this.chance(0.5) ? inside : () => {})
    else if (roll < 0.75) this.counted(inside)
    else this.general(inside)
    this.depth--
  }

  /** A `for` loop, whose counter may be read later. */
  private counted(inside: () => void): void {
    this.k.forRange({ to: this.r.int(1, 4), name: 'i' }, (i) => {
      const copy = this.k.op('add', [i, 0])
      this.regs.push(copy)
      inside()
      // never both: SwiftShader loses an assignment before `if (c) { continue; } if (c) { break; }`
      if (this.chance(0.5))
        this.k.ifThen(this.operand('bool'), () => (this.chance(0.5) ? this.k.continue() : this.k.break()))
      inside()
    })
  }

  /** A loop with its test anywhere and work in its continuing part. */
  private general(inside: () => void): void {
    const n = this.k.variable('i32', 0, 'n')
    this.k.loop(
      () => {
        inside()
        this.k.ifThen(this.k.op('ge', [n, this.r.int(1, 3)]), () => this.k.break())
        if (this.chance(0.4)) this.k.ifThen(this.operand('bool'), () => this.k.continue())
        inside()
      },
      () => {
        this.k.op('add', [n, 1], { dst: n })
        if (this.chance(0.5)) this.operation()
      },
    )
    if (this.chance(0.5)) this.regs.push(n)
  }
}
