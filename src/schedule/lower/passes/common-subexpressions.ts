// In: a kernel. Out: the same, with arithmetic on data that stands several times computed once. The one idea: value
// numbering; a register has one value until it is set again, so an operation on registers has one, too. Indices have
// been shared where they were made (`index-code.ts`). What stands in front of a loop is not held over it for its body:
// that would trade registers for instructions, which is the schedules' to decide.
import { ValueNumbers } from '../../../base/index.ts'
import {
  allStatements,
  definesOf,
  kernelIR,
  listsOf,
  mapUses,
  pass,
  type Kernel,
  type Operand,
  type PassContext,
  type Reg,
  type Stmt,
  usesOf,
} from '../../../ir/index.ts'

// Before:
//
//   kernel p block 32 1 1
//   global y: f32[*] read-write
//   reg t.0: u32
//   reg x.1: f32
//   reg first.2: f32
//   reg second.3: f32
//   reg sum.4: f32
//   {
//     t.0 = builtin threadIdx.x
//     x.1 = load f32 y[t.0 * 4 + 0]
//     first.2 = mul x.1, x.1
//     second.3 = mul x.1, x.1
//     sum.4 = add first.2, second.3
//     store f32 y[t.0 * 4 + 0] = sum.4
//   }
//
// After:
//
//   kernel p block 32 1 1
//   global y: f32[*] read-write
//   reg t.0: u32
//   reg x.1: f32
//   reg first.2: f32
//   reg second.3: f32
//   reg sum.4: f32
//   {
//     t.0 = builtin threadIdx.x
//     x.1 = load f32 y[t.0 * 4 + 0]
//     first.2 = mul x.1, x.1
//     sum.4 = add first.2, first.2
//     store f32 y[t.0 * 4 + 0] = sum.4
//   }
export const commonSubexpressions = /* @__PURE__ */ pass<Kernel, PassContext>({
  name: 'common-subexpression-elimination',
  summary: 'arithmetic on data that stands several times in one place is computed once',
  of: kernelIR,
  run: (kernel) => {
    const numbering = new Numbering(kernel),
      body = numbering.list(kernel.body, new Map())
    return numbering.isChanged ? { ...kernel, body } : kernel
  },
})

/** Places are computed in `i32`, and conditions on them: other types are data (hashes and random numbers of places). */
const isIndex = (type: Operand['type']): boolean => type === 'i32' || type === 'bool'

class Numbering {
  isChanged = false
  // By register, whose ids are dense:
  /** How many statements set it. */
  private readonly sets: Int32Array
  /** Of one that is gone: which holds its value. */
  private readonly held: (Reg | undefined)[]
  /** Whether it has what was loaded, or is made of it. */
  private readonly data: Uint8Array
  /** How often one that is set several times has been set so far. */
  private readonly versions: Int32Array
  private readonly numbers = new ValueNumbers()

  constructor({ body, registers: { length } }: Kernel) {
    this.sets = new Int32Array(length)
    this.held = new Array<Reg | undefined>(length).fill(undefined)
    this.data = new Uint8Array(length)
    this.versions = new Int32Array(length)
    for (const s of allStatements(body)) for (const r of definesOf(s)) this.sets[r.id]!++
  }

  /** `known`: the register that holds the value of an operation here. `news` gets what becomes known. */
  list(stmts: readonly Stmt[], known: Map<number, Reg>, news: number[] = []): readonly Stmt[] {
    const out: Stmt[] = []
    for (const s of stmts) {
      const made = this.renamed(s, known)
      if (made.kind === 'load' || (made.kind === 'op' && made.args.some((o) => this.isData(o))))
        for (const r of definesOf(made)) this.data[r.id] = 1
      const key = made.kind === 'op' ? this.keyOf(made) : undefined
      for (const r of definesOf(made)) if (!this.isFixed(r)) this.versions[r.id]!++
      if (key === undefined || made.kind !== 'op') {
        out.push(made)
        continue
      }
      const before = known.get(key)
      if (before) {
        this.held[made.dst.id] = before
        this.isChanged = true
        continue
      }
      known.set(key, made.dst)
      news.push(key)
      out.push(made)
    }
    return out
  }

  /** The statement on the registers that are left; most are as they were. */
  private renamed(s: Stmt, known: Map<number, Reg>): Stmt {
    if (listsOf(s).length === 0 && !usesOf(s).some((o) => o.kind === 'reg' && this.held[o.id] !== undefined)) return s
    return mapUses(
      s,
      (o) => this.operand(o),
      (inner) => (s.kind === 'if' ? this.branch(inner, known) : this.list(inner, new Map())),
    )
  }

  /** What is known before a branch is known in it; what becomes known in it is not known behind it. */
  private branch(stmts: readonly Stmt[], known: Map<number, Reg>): readonly Stmt[] {
    const news: number[] = [],
      made = this.list(stmts, known, news)
    for (const key of news) known.delete(key)
    return made
  }

  private operand(o: Operand): Operand {
    return o.kind === 'reg' ? (this.held[o.id] ?? o) : o
  }

  private isData(o: Operand): boolean {
    return !isIndex(o.type) || (o.kind === 'reg' && this.data[o.id] === 1)
  }

  /** The number of what an operation on data computes, where it is the same wherever it stands. */
  private keyOf(s: Extract<Stmt, { kind: 'op' }>): number | undefined {
    if (s.op === 'copy' || !this.isFixed(s.dst)) return undefined
    if (isIndex(s.dst.type) && !s.args.some((o) => this.isData(o))) return undefined
    let value = this.numbers.ofText(`${s.dst.type} ${s.op}`)
    for (const o of s.args) value = this.numbers.ofPair(value, this.numberOf(o))
    return value
  }

  private isFixed(o: Operand): boolean {
    return o.kind !== 'reg' || this.sets[o.id] === 1
  }

  /** Operands of different values have different numbers; 0 and −0 do, too. */
  private numberOf(o: Operand): number {
    if (o.kind === 'reg') {
      const own = -1 - o.id
      return this.isFixed(o) ? own : this.numbers.ofPair(own, this.versions[o.id]!) // ids are dense
    }
    return this.numbers.ofText(
      o.kind === 'param' ? `$${o.name}` : `${o.type}:${Object.is(o.value, -0) ? '-0' : o.value}`,
    )
  }
}
