// In: calls that name what a kernel does. Out: a verified `Kernel`. The one idea: the builder keeps the list that is
// being filled and numbers registers densely, so that code which makes kernels reads like the kernel. Plain numbers
// stand for literals of the type that the other arguments have. It folds nothing and moves nothing.
import { InternalError, type Span } from '../../base/index.ts'
import { opRow, type OpName } from '../ops.ts'
import { bytesOf, registerType, type MemoryType, type ScalarType } from '../types.ts'
import { roundTo, type ScalarValue } from '../round.ts'
import { verifyKernel } from './verify-kernel.ts'
import type {
  Address,
  AtomicOp,
  BarrierScope,
  OrderedSpace,
  Builtin,
  Const,
  Kernel,
  Operand,
  Param,
  Reg,
  Resource,
  Stmt,
  SubgroupOp,
  Verified,
} from './kernel.ts'

/**
 * A literal of `type`; numbers are wrapped or rounded to it, so `constOf('f32', 0.1)` is what a register would hold.
 */
export const constOf = (type: ScalarType, value: ScalarValue): Const => ({
  kind: 'const',
  type,
  value: roundTo(type, value),
})

/** An operand, or a plain number whose type the context gives. */
export type Arg = Operand | ScalarValue

export interface StatementOptions {
  readonly at?: Span
  /** Printed before the statement in emitted code. */
  readonly comment?: string
  /** Executed, but not counted. */
  readonly free?: true
}
export interface RegisterOptions extends StatementOptions {
  /** Hint for the new register's name. */
  readonly name?: string
  /** Assign to this register instead of a new one. */
  readonly dst?: Reg
  /** Result type of `convert` and `bitcast`. */
  readonly type?: ScalarType
}
export interface AccessOptions extends StatementOptions {
  /** Element type in memory; the resource's own when absent. */
  readonly type?: MemoryType
  /** Bytes per step of the index; one element of `type` when absent. */
  readonly stride?: number
  /** Constant bytes added to the address; 0 when absent. */
  readonly offset?: number
}
export interface LoadOptions extends AccessOptions {
  readonly name?: string
  readonly dst?: Reg
}

/** Where a counting loop runs: `from`, `from + step`, … while `< to`. Bounds are i32 unless `type` says u32. */
export interface RangeOptions extends StatementOptions {
  readonly from?: Arg
  readonly to: Arg
  readonly step?: Arg
  readonly name?: string
  readonly type?: 'i32' | 'u32'
}

const isOperand = (a: Arg): a is Operand => typeof a === 'object'
const where = (o: StatementOptions): StatementOptions => ({
  ...(o.at && { at: o.at }),
  ...(o.comment !== undefined && { comment: o.comment }),
  ...(o.free && { free: o.free }),
})

/** Makes one kernel. `finish` verifies; after it the builder is spent. */
export class KernelBuilder {
  readonly name: string
  readonly block: readonly [number, number, number]
  private readonly params: Param[] = []
  private readonly resources = new Map<string, Resource>()
  private readonly registers: Reg[] = []
  private readonly body: Stmt[] = []
  private list: Stmt[] = this.body

  constructor(options: { readonly name: string; readonly block: readonly [number, number, number] }) {
    this.name = options.name
    this.block = options.block
  }

  /** Declares a launch parameter. */
  param(name: string, type: ScalarType): Param {
    const param: Param = { kind: 'param', name, type }
    this.params.push(param)
    return param
  }

  /** Declares any resource; returns it for use in loads and stores. */
  resource(resource: Resource): Resource {
    this.resources.set(resource.name, resource)
    return resource
  }

  /** A buffer bound at launch, of any size unless `count` is given. */
  global(
    name: string,
    type: MemoryType,
    access: Resource['access'] = 'read-write',
    count: number | null = null,
  ): Resource {
    return this.resource({ name, space: 'global', type, count, access })
  }

  /** One array per block. */
  shared(name: string, type: MemoryType, count: number, zeroed = false): Resource {
    return this.resource({ name, space: 'shared', type, count, access: 'read-write', ...(zeroed && { zeroed }) })
  }

  /** One array per thread. */
  local(name: string, type: MemoryType, count: number, zeroed = false): Resource {
    return this.resource({ name, space: 'local', type, count, access: 'read-write', ...(zeroed && { zeroed }) })
  }

  /** A new register without a definition: for values assigned more than once. */
  reg(type: ScalarType, name = 'v'): Reg {
    const reg: Reg = { kind: 'reg', id: this.registers.length, type, name }
    this.registers.push(reg)
    return reg
  }

  /** Appends a ready statement. */
  push(stmt: Stmt): void {
    this.list.push(stmt)
  }

  /** `op` applied to `args`; returns the register that holds the result. */
  op(op: OpName, args: readonly Arg[], options: RegisterOptions = {}): Reg {
    const operands = this.operands(op, args, options)
    const gives = opRow(op).gives
    const type =
      gives === 'bool'
        ? 'bool'
        : gives === 'to'
          ? (options.type ?? options.dst?.type)
          : operands[op === 'select' ? 1 : 0]?.type
    if (!type) throw new InternalError('ir/kernel-build', `${op} needs a result type`)
    const dst = options.dst ?? this.reg(type, options.name ?? op)
    this.push({ kind: 'op', op, dst, args: operands, ...where(options) })
    return dst
  }

  /** dst = value. */
  set(dst: Reg, value: Arg, options: StatementOptions = {}): void {
    this.push({ kind: 'op', op: 'copy', dst, args: [this.operand(value, dst.type)], ...where(options) })
  }

  /** A new register that starts as `value`: for accumulators and loop variables. */
  variable(type: ScalarType, value: Arg, name = 'v'): Reg {
    const dst = this.reg(type, name)
    this.set(dst, value)
    return dst
  }

  /** A built-in value, always u32. */
  builtin(name: Builtin, hint = name.replace('.', '_')): Reg {
    const dst = this.reg('u32', hint)
    this.push({ kind: 'builtin', dst, name })
    return dst
  }

  /** Loads one element. */
  load(resource: Resource, index: Arg, options: LoadOptions = {}): Reg {
    const type = options.type ?? resource.type
    const dst = options.dst ?? this.reg(registerType(type), options.name ?? resource.name)
    this.loadTo([dst], resource, index, options)
    return dst
  }

  /** Loads `width` (1 to 4) consecutive elements into new registers. */
  loadVector(width: number, resource: Resource, index: Arg, options: LoadOptions = {}): Reg[] {
    const type = registerType(options.type ?? resource.type)
    const dst = Array.from({ length: width }, (_, i) => this.reg(type, `${options.name ?? resource.name}${i}`))
    this.loadTo(dst, resource, index, options)
    return dst
  }

  /** Loads consecutive elements into the registers given. */
  loadTo(dst: readonly Reg[], resource: Resource, index: Arg, options: AccessOptions = {}): void {
    const type = options.type ?? resource.type
    this.push({ kind: 'load', dst, type, address: this.address(resource, index, options), ...where(options) })
  }

  /** Stores one value, or several consecutive ones. */
  store(resource: Resource, index: Arg, value: Arg | readonly Arg[], options: AccessOptions = {}): void {
    const type = options.type ?? resource.type
    // Array.isArray does not narrow readonly arrays
    const values = Array.isArray(value) ? (value as readonly Arg[]) : [value as Arg]
    const src = values.map((v) => this.operand(v, registerType(type)))
    this.push({ kind: 'store', src, type, address: this.address(resource, index, options), ...where(options) })
  }

  /** An atomic; returns the register with the value before, or null when `result` is false. */
  atomic(
    op: AtomicOp,
    resource: Resource,
    index: Arg,
    args: readonly Arg[],
    options: LoadOptions & { readonly result?: boolean } = {},
  ): Reg | null {
    const type = options.type ?? resource.type
    const value = registerType(type)
    const wantsResult = options.result ?? (options.dst !== undefined || options.name !== undefined || op === 'load')
    const dst = wantsResult ? (options.dst ?? this.reg(value, options.name ?? 'old')) : null
    this.push({
      kind: 'atomic',
      op,
      dst,
      type,
      address: this.address(resource, index, options),
      args: args.map((a) => this.operand(a, value)),
      ...where(options),
    })
    return dst
  }

  /** A subgroup operation; the second argument, where there is one, is u32. */
  subgroup(op: SubgroupOp, args: readonly Arg[], options: RegisterOptions = {}): Reg {
    const operands = args.map((a, i) => this.operand(a, i === 1 ? 'u32' : 'i32'))
    const type = op === 'any' || op === 'all' || op === 'elect' ? 'bool' : op === 'ballot' ? 'u32' : operands[0]?.type
    if (!type) throw new InternalError('ir/kernel-build', `subgroup ${op} needs a value`)
    const dst = options.dst ?? this.reg(type, options.name ?? op)
    this.push({ kind: 'subgroup', op, dst, args: operands, ...where(options) })
    return dst
  }

  /** `orders`: of a block's barrier, the one kind of memory that it orders. */
  barrier(
    scope: BarrierScope = 'block',
    { orders, ...options }: StatementOptions & { readonly orders?: OrderedSpace } = {},
  ): void {
    this.push({ kind: 'barrier', scope, ...(orders && { orders }), ...where(options) })
  }

  ifThen(condition: Operand, then: () => void, otherwise: () => void = () => {}, options: StatementOptions = {}): void {
    this.push({ kind: 'if', condition, then: this.collect(then), else: this.collect(otherwise), ...where(options) })
  }

  /** Endless until `break` or `return`. */
  loop(body: () => void, continuing: () => void = () => {}, options: StatementOptions = {}): void {
    this.push({ kind: 'loop', body: this.collect(body), continuing: this.collect(continuing), ...where(options) })
  }

  /** `for (i = from; i < to; i += step) body(i)`. */
  forRange(range: RangeOptions, body: (i: Reg) => void): void {
    const type = range.type ?? 'i32'
    const i = this.variable(type, range.from ?? 0, range.name ?? 'i')
    const head = (): void => {
      const more = this.op('lt', [i, this.operand(range.to, type)], { name: 'more' })
      this.ifThen(
        more,
        () => {},
        () => this.break(),
      )
      body(i)
    }
    this.loop(head, () => this.op('add', [i, this.operand(range.step ?? 1, type)], { dst: i }), where(range))
  }

  break(options: StatementOptions = {}): void {
    this.push({ kind: 'break', ...where(options) })
  }
  continue(options: StatementOptions = {}): void {
    this.push({ kind: 'continue', ...where(options) })
  }
  return(options: StatementOptions = {}): void {
    this.push({ kind: 'return', ...where(options) })
  }

  /** The statements that `emit` appends, taken out of the kernel: for branches, or to unroll and rewrite. */
  collect(emit: () => void): Stmt[] {
    const outer = this.list
    const inner: Stmt[] = []
    this.list = inner
    try {
      emit()
    } finally {
      this.list = outer
    }
    return inner
  }

  /** The kernel, unverified: for tests of the verifier. */
  raw(): Kernel {
    return {
      name: this.name,
      block: this.block,
      params: this.params,
      resources: [...this.resources.values()],
      registers: this.registers,
      body: this.body,
    }
  }

  /** The verified kernel. Throws `DiagnosticError` when it breaks a rule. */
  finish(): Verified<Kernel> {
    return verifyKernel(this.raw())
  }

  private operand(a: Arg, type: ScalarType): Operand {
    return isOperand(a) ? a : constOf(type, a)
  }

  private operands(op: OpName, args: readonly Arg[], options: RegisterOptions): Operand[] {
    const values = op === 'select' ? args.slice(1) : args
    const typed = values.find(isOperand)?.type ?? options.dst?.type ?? options.type
    const own = op === 'convert' || op === 'bitcast' ? args.find(isOperand)?.type : typed
    return args.map((a, i) => {
      if (isOperand(a)) return a
      const type = op === 'select' && i === 0 ? 'bool' : own
      if (!type)
        throw new InternalError('ir/kernel-build', `${op}: a plain number needs another argument to take its type from`)
      return constOf(type, a)
    })
  }

  private address(resource: Resource, index: Arg, options: AccessOptions): Address {
    const type = options.type ?? resource.type
    return {
      resource: resource.name,
      index: this.operand(index, 'i32'),
      stride: options.stride ?? bytesOf[type],
      offset: options.offset ?? 0,
    }
  }
}
