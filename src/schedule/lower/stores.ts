// In: stores of a statement, or of every lane of a vector. Out: what they do: memory written, registers assigned, sums
// taken further. The one idea: a private array is registers, so that a store to it is an operation whose target is that
// register; a sum of products is fused multiply-adds.
import { fail } from '../../base/index.ts'
import {
  constOf,
  isFloat,
  registerType,
  type ArrayDecl,
  type Operand,
  type ReduceOp,
  type Reg,
  type Stmt,
  type Store,
} from '../../ir/index.ts'
import { factors, isLogical, reduceOps } from './operands.ts'
import { Values, type VectorLoop } from './values.ts'

export abstract class Stores extends Values {
  protected store(s: Store): void {
    const a = this.array(s.array)
    if (a.space === 'private' && !this.localArrays.has(a.name)) return this.assign(s, a)
    const address = this.address(a, s.index)
    if (s.atomic) {
      if (s.reduce === null || s.reduce === 'mul' || isLogical(s.reduce))
        fail('schedule.lower', `no atomic does ${s.reduce ?? 'a plain store'}`)
      return this.emit({
        kind: 'atomic',
        op: s.reduce,
        dst: null,
        type: a.type,
        address,
        args: [this.value(s.value)],
        ...(s.at && { at: s.at }),
      })
    }
    const value = s.reduce ? this.combine(s.reduce, this.loadOne(a, address), this.value(s.value)) : this.value(s.value)
    this.emit({ kind: 'store', src: [this.asMemory(value, a.type)], type: a.type, address, ...(s.at && { at: s.at }) })
  }

  private assign(s: Store, a: ArrayDecl): void {
    const dst = this.privateReg(a, s.index)
    if (!isFloat(a.type)) this.version++
    if (!s.reduce) return this.emitValueInto(dst, s.value)
    const product = s.reduce === 'add' && a.type === 'f32' ? factors(s.value) : undefined
    if (product) {
      const [x, y] = [this.value(product[0]), this.value(product[1])]
      return this.emit({ kind: 'op', op: 'fma', dst, args: [x, y, dst], ...(s.at && { at: s.at }) })
    }
    this.reduceInto(s.reduce, dst, this.value(s.value), s.at)
  }

  protected reduceInto(op: ReduceOp, dst: Reg, value: Operand, at?: Stmt['at']): void {
    if (isLogical(op) && dst.type !== 'bool')
      return this.emit({ kind: 'op', op: 'copy', dst, args: [this.combine(op, dst, value)], ...(at && { at }) })
    this.emit({ kind: 'op', op: reduceOps[op], dst, args: [dst, value], ...(at && { at }) })
  }

  protected combine(op: ReduceOp, a: Operand, b: Operand): Operand {
    if (!isLogical(op) || a.type === 'bool') return this.local(reduceOps[op], [a, b], a.type, 'sum')
    const [x, y] = [a, b].map((v) =>
      this.local('ne', [v, constOf(v.type, v.type === 'i64' || v.type === 'u64' ? 0n : 0)], 'bool', 'truth'),
    )
    return this.local('convert', [this.local(op, [x!, y!], 'bool', 'truth')], a.type, 'sum') // two in, two out
  }

  /** The store of every lane: what touches consecutive elements as one vector. */
  protected vectorStore(s: Store, v: VectorLoop): void {
    const a = this.array(s.array)
    const isReg = a.space === 'private' && !this.localArrays.has(a.name)
    if (s.reduce) return isReg ? this.reduceLanes(s, a, v) : this.perLane(v, () => this.store(s))
    if (isReg && this.loadLanesInto(s, a, v)) return
    const values = this.lanesOf(s.value, v)
    if (!isReg && !this.contiguous(a, s.index, v))
      return values.forEach((x, lane) =>
        this.atLane(v, lane, () =>
          this.emit({
            kind: 'store',
            src: [this.asMemory(x, a.type)],
            type: a.type,
            address: this.address(a, s.index),
            ...(s.at && { at: s.at }),
          }),
        ),
      )
    if (isReg)
      return values.forEach((x, lane) =>
        this.atLane(v, lane, () =>
          this.emit({ kind: 'op', op: 'copy', dst: this.privateReg(a, s.index), args: [this.asMemory(x, a.type)] }),
        ),
      )
    const address = this.atLane(v, 0, () => this.address(a, s.index, v.lanes))
    this.emit({
      kind: 'store',
      src: values.map((x) => this.asMemory(x, a.type)),
      type: a.type,
      address,
      ...(s.at && { at: s.at }),
    })
  }

  /** register ∘= value for every lane: what is contiguous is loaded as a vector first. */
  private reduceLanes(s: Store, a: ArrayDecl, v: VectorLoop): void {
    const product = s.reduce === 'add' && a.type === 'f32' ? factors(s.value) : undefined
    const sides = (product ?? [s.value]).map((e) => this.lanesOf(e, v))
    for (let lane = 0; lane < v.lanes; lane++)
      this.atLane(v, lane, () => {
        const dst = this.privateReg(a, s.index)
        const [x, y] = sides.map((side) => side[lane]!)
        if (x && y) this.emit({ kind: 'op', op: 'fma', dst, args: [x, y, dst], ...(s.at && { at: s.at }) })
        else if (x) this.reduceInto(s.reduce!, dst, this.asMemory(x, a.type), s.at)
      })
  }

  /**
   * Loads a read, or a guarded read, straight into the private registers of the store; false when it is something else.
   */
  private loadLanesInto(s: Store, a: ArrayDecl, v: VectorLoop): boolean {
    const from = s.value.kind === 'choose' ? s.value.then : s.value
    if (from.kind !== 'read' || from.type !== registerType(a.type)) return false
    const into = Array.from({ length: v.lanes }, (_, lane) => this.atLane(v, lane, () => this.privateReg(a, s.index)))
    const done = s.value.kind === 'choose' ? this.lanesOfChoose(s.value, v, into) : this.lanesOfRead(from, v, into)
    return done !== undefined
  }

  private perLane(v: VectorLoop, f: () => void): void {
    for (let lane = 0; lane < v.lanes; lane++) this.atLane(v, lane, f)
  }
}
