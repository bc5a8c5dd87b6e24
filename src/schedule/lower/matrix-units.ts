// Steps of a warp on 16 × 16 matrices. In: what a loop bound to `matrix` does. Out: statements of KernelIR, each with
// what it means lane by lane. The one idea: a matrix lies in its lanes as mma.m16n8k16 of the PTX ISA documents it:
// lane 4g + t holds rows g and g + 8 (of a right factor: columns) and, along the other axis, 2t, 2t + 1 and the two
// that are 8 further on.
import {
  bytesOf,
  constOf,
  int,
  literal,
  sum,
  type Address,
  type ArrayDecl,
  type Expr,
  type Matrix,
  type MatrixOperand,
  type MatrixStep,
  type MatrixSums,
  type MatrixWork,
  type Operand,
  type OpName,
  type Reg,
  type ScalarType,
  type Stmt,
} from '../../ir/index.ts'
import { i32 } from './operands.ts'

/** What lowering does for steps on matrices. */
export interface MatrixHost {
  array(name: string): ArrayDecl
  address(a: ArrayDecl, index: readonly Expr[], lanes?: number): Address
  emit(s: Stmt): void
  inScope(f: () => void): Stmt[]
  reg(type: ScalarType, name: string): Reg
}

/** Rows and columns of a matrix. */
const side = 16
/**
 * Elements of a matrix that a lane has: rows or columns 8 apart, blocks of 8 along the other axis, and two neighbours.
 */
const own = [0, 1].flatMap((far) => [0, 1].flatMap((down) => [0, 1].map((next) => ({ far, down, next }))))

/**
 * Clocks that a product of 16³ takes of a quarter of a multiprocessor, as instructions of the class fp32: 269 µs for
 * 4096³ / 16³ of them with their loads on an H200 (132 multiprocessors, 1.98 GHz).
 */
const productClocks = 13

/** Registers of each matrix, by its name. */
export class Matrices {
  private readonly registers = new Map<string, readonly Reg[]>()
  private loads = 0

  constructor(private readonly host: MatrixHost) {}

  emit(work: MatrixWork): void {
    switch (work.op) {
      case 'clear':
        for (const m of fragments(work.sums)) this.clear(m)
        return
      case 'multiply':
        this.multiply(work)
        return
      case 'store':
        fragments(work.sums)
          .slice(work.first, work.first + work.count)
          .forEach((m, n) => {
            const a = this.host.array(work.into),
              last = work.index.length - 2
            this.store(
              m,
              this.host.address(
                a,
                work.index.map((e, d) => (d === last - 1 ? sum(e, int(n)) : e)),
                4,
              ),
              rowBytes(a),
            )
            this.clear(m)
          })
    }
  }

  private step(step: MatrixStep, means: () => void): void {
    this.host.emit({ kind: 'matrix', step, means: this.host.inScope(means) })
  }

  private held(m: Matrix): readonly Reg[] {
    const known = this.registers.get(m.name) ?? own.map(() => this.host.reg('f32', m.name))
    this.registers.set(m.name, known)
    return known
  }

  private clear(m: Matrix): void {
    this.step({ op: 'clear', sum: m }, () => {
      for (const dst of this.held(m))
        this.host.emit({ kind: 'op', op: 'copy', dst, args: [constOf('f32', 0)], free: true })
    })
  }

  /** All steps along k: small products first, where factors are sums of parts. */
  private multiply({ sums, steps, left, right }: Extract<MatrixWork, { op: 'multiply' }>): void {
    for (let k = 0; k < steps; k++) {
      const rows = Array.from({ length: sums.rows }, (_, i) =>
        left.parts.map((_, part) => this.load('left', left, part, i, k)),
      )
      for (let j = 0; j < sums.columns; j++) {
        const column = right.parts.map((_, part) => this.load('right', right, part, j, k))
        for (let i = 0; i < sums.rows; i++) {
          const into = fragments(sums)[i * sums.columns + j]!
          for (const [a, b] of pairs(rows[i]!, column)) this.product(a, b, into)
        }
      }
    }
  }

  private load(
    role: 'left' | 'right',
    { parts, index, own: across, k }: MatrixOperand,
    part: number,
    n: number,
    step: number,
  ): Matrix {
    const a = this.host.array(parts[part]!),
      m: Matrix = { role, name: `${role}_${this.loads++}` }
    const at = index.map((e, d) => (d === across ? sum(e, int(n * side)) : d === k ? sum(e, int(step * side)) : e))
    const address = this.host.address(a, at, 8),
      stride = rowBytes(a),
      bytes = bytesOf[a.type],
      along = k > across // neighbours along k lie next to each other
    const [acrossBytes, depthBytes] = along ? [stride, bytes] : [bytes, stride]
    this.step({ op: 'load', dst: m, address, stride, lines: along === (role === 'left') ? 'rows' : 'columns' }, () => {
      const { g, t } = this.lane(),
        registers = this.held(m),
        narrow = own.map(() => this.host.reg('f16', 'half'))
      const start = this.free('add', [
        this.bytes(address),
        this.free('add', [this.free('mul', [g, i32(acrossBytes)]), this.free('mul', [t, i32(2 * depthBytes)])]),
      ])
      own.forEach((e, x) => {
        const [far, near] = role === 'left' ? [e.down, e.far] : [e.far, e.down],
          pair = along ? [narrow[x]!, narrow[x + 1]!] : [narrow[x]!] // neighbours come in pairs
        if (along && e.next === 1) return
        this.host.emit({
          kind: 'load',
          dst: pair,
          type: a.type,
          address: {
            resource: a.name,
            index: start,
            stride: 1,
            offset: 8 * far * acrossBytes + (8 * near + e.next) * depthBytes,
          },
          ...(x === 0 ? { counts: { load: 1 } } : { free: true }),
        })
      })
      registers.forEach((dst, x) => this.host.emit({ kind: 'op', op: 'convert', dst, args: [narrow[x]!], free: true }))
    })
    return m
  }

  /** Each of the four lanes of a row in turn: its part of the left factor's rows, and of the right factor's columns. */
  private product(a: Matrix, b: Matrix, into: Matrix): void {
    this.step({ op: 'multiply', left: a, right: b, sum: into }, () => {
      const { g, t } = this.lane(),
        [left, right, sums] = [this.held(a), this.held(b), this.held(into)]
      const turn = this.host.reg('u32', 'turn')
      this.host.emit({
        kind: 'op',
        op: 'copy',
        dst: turn,
        args: [constOf('u32', 0)],
        free: true,
        counts: { fp32: productClocks },
      })
      const body = this.host.inScope(() => {
        const from = (first: Operand, times: number, more: number): Operand =>
          this.free('add', [
            this.free('mul', [first, constOf('u32', 4 * times)]),
            this.free('add', [turn, constOf('u32', 4 * more)]),
          ])
        const shuffled = (x: Reg, lane: Operand): Reg => {
          const dst = this.host.reg('f32', 'other')
          this.host.emit({ kind: 'subgroup', op: 'shuffle', dst, args: [x, lane], free: true })
          return dst
        }
        const [gu, tu] = [g, t].map((x) => this.free('convert', [x], 'u32')) as [Operand, Operand] // two in, two out
        const rows = left.map((x) => shuffled(x, from(gu, 1, 0))),
          columns = [0, 1].map((n) => right.map((x) => shuffled(x, from(tu, 2, n))))
        own.forEach((e, n) =>
          own.forEach((f, x) => {
            // f: an element of the left factor's row
            if (f.down !== e.down) return
            const y = own.findIndex((h) => h.far === e.far && h.down === f.far && h.next === f.next)
            this.host.emit({
              kind: 'op',
              op: 'fma',
              dst: sums[n]!,
              args: [rows[x]!, columns[e.next]![y]!, sums[n]!],
              free: true,
            })
          }),
        )
        this.host.emit({ kind: 'op', op: 'add', dst: turn, args: [turn, constOf('u32', 1)], free: true })
        this.host.emit({
          kind: 'if',
          condition: this.free('ge', [turn, constOf('u32', 4)], 'bool'),
          then: [{ kind: 'break', free: true }],
          else: [],
          free: true,
        })
      })
      this.host.emit({ kind: 'loop', body, continuing: [], free: true })
    })
  }

  private store(m: Matrix, address: Address, stride: number): void {
    this.step({ op: 'store', src: m, address, stride }, () => {
      const { g, t } = this.lane(),
        registers = this.held(m)
      const start = this.free('add', [
        this.bytes(address),
        this.free('add', [this.free('mul', [g, i32(stride)]), this.free('mul', [t, i32(8)])]),
      ])
      own.forEach((e, n) => {
        if (e.next === 0)
          this.host.emit({
            kind: 'store',
            src: [registers[n]!, registers[n + 1]!],
            type: 'f32',
            address: { resource: address.resource, index: start, stride: 1, offset: 8 * stride * e.down + 32 * e.far },
            counts: { store: 1 },
          })
      })
    })
  }

  private free(op: OpName, args: readonly Operand[], type: ScalarType = args[0]!.type): Operand {
    const dst = this.host.reg(type, op)
    this.host.emit({ kind: 'op', op, dst, args, free: true })
    return dst
  }

  private bytes({ index, stride, offset }: Address): Operand {
    return this.free('add', [this.free('mul', [index, i32(stride)]), i32(offset)])
  }

  private lane(): { readonly g: Operand; readonly t: Operand } {
    const lane = this.host.reg('u32', 'lane')
    this.host.emit({ kind: 'builtin', dst: lane, name: 'lane', free: true })
    const rank = this.free('convert', [lane], 'i32')
    return { g: this.free('shr', [rank, i32(2)]), t: this.free('and', [rank, i32(3)]) }
  }
}

const fragments = ({ name, rows, columns }: MatrixSums): readonly Matrix[] =>
  Array.from({ length: rows * columns }, (_, n) => ({
    role: 'result',
    name: `${name}_${Math.floor(n / columns)}_${n % columns}`,
  }))

/** Products of parts, the smallest first; of two small ones nothing is left that results could hold. */
const pairs = (a: readonly Matrix[], b: readonly Matrix[]): readonly (readonly [Matrix, Matrix])[] =>
  a
    .flatMap((x, i) => b.flatMap((y, j) => (i + j < Math.max(a.length, b.length) ? [[x, y, i + j] as const] : [])))
    .sort((p, q) => q[2] - p[2])
    .map(([x, y]) => [x, y])

/** Bytes between neighbours along all but the last dimension. */
// of constant extents
const rowBytes = (a: ArrayDecl): number => ((literal(a.shape.at(-1)!) ?? 0) + (a.pad ?? 0)) * bytesOf[a.type]
