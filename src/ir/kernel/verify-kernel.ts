// In: a kernel. Out: the same kernel as `Verified`, or a `DiagnosticError` with every rule it breaks. The one idea:
// what passes here never fails in an emitter or the simulator, so those need no checks of their own. It does not look
// at values: bounds, races and uniformity are the simulator's.
import { DiagnosticError, type Diagnostic } from '../../base/index.ts'
import { isBound, placeOf } from './kernel-parts.ts'
import { opRow, ops, type OpName, type TypeGroup } from '../ops.ts'
import { isOfType } from '../round.ts'
import { bytesOf, isFloat, registerType, type MemoryType, type ScalarType } from '../types.ts'
import type { Address, AtomicOp, Kernel, Matrix, Operand, Reg, Resource, Stmt, SubgroupOp, Verified } from './kernel.ts'

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/
/** Threads of a block in CUDA and in WebGPU on any device. */
const maxThreads = 1024
/** Walks over kernels are recursive: deeper nesting would overflow the stack. */
const maxDepth = 200

interface Scope {
  readonly inLoop: boolean
  readonly inContinuing: boolean
  readonly inBranch: boolean
  readonly depth: number
}

/**
 * Checks every rule of KernelIR. Throws a `DiagnosticError` with codes `kernel.*`; each message names the statement.
 */
export function verifyKernel(kernel: Kernel): Verified<Kernel> {
  const problems = new Checker(kernel).run()
  if (problems.length > 0) throw new DiagnosticError(problems)
  return kernel as Verified<Kernel> // the one place that grants the brand
}

const operandCount: Record<AtomicOp, number> = {
  add: 1,
  sub: 1,
  min: 1,
  max: 1,
  and: 1,
  or: 1,
  xor: 1,
  exchange: 1,
  compareExchange: 2,
  load: 0,
  store: 1,
  increment: 1,
  decrement: 1,
}
/** How many arguments each subgroup op takes, and of which type the value is. */
const subgroupRow: Record<SubgroupOp, { readonly arity: 0 | 1 | 2; readonly takes: TypeGroup }> = {
  shuffle: { arity: 2, takes: 'any' },
  shuffleXor: { arity: 2, takes: 'any' },
  shuffleUp: { arity: 2, takes: 'any' },
  shuffleDown: { arity: 2, takes: 'any' },
  broadcast: { arity: 2, takes: 'any' },
  broadcastFirst: { arity: 1, takes: 'any' },
  add: { arity: 1, takes: 'number' },
  mul: { arity: 1, takes: 'number' },
  min: { arity: 1, takes: 'number' },
  max: { arity: 1, takes: 'number' },
  and: { arity: 1, takes: 'integer' },
  or: { arity: 1, takes: 'integer' },
  xor: { arity: 1, takes: 'integer' },
  inclusiveAdd: { arity: 1, takes: 'number' },
  exclusiveAdd: { arity: 1, takes: 'number' },
  inclusiveMul: { arity: 1, takes: 'number' },
  exclusiveMul: { arity: 1, takes: 'number' },
  any: { arity: 1, takes: 'bool' },
  all: { arity: 1, takes: 'bool' },
  ballot: { arity: 1, takes: 'bool' },
  elect: { arity: 0, takes: 'bool' },
}

/** Whether `type` belongs to `group`. */
export function inGroup(type: ScalarType, group: TypeGroup): boolean {
  switch (group) {
    case 'any':
      return true
    case 'bool':
      return type === 'bool'
    case 'number':
      return type !== 'bool'
    case 'float':
      return isFloat(type)
    case 'integer':
      return type !== 'bool' && !isFloat(type)
  }
}

const groupWords: Record<TypeGroup, string> = {
  any: 'any value',
  bool: 'a bool',
  number: 'numbers',
  float: 'floats',
  integer: 'integers',
}
const widthOf = (t: ScalarType): number => (t === 'bool' ? 0 : bytesOf[t])

class Checker {
  private readonly problems: Diagnostic[] = []
  private readonly kernel: Kernel
  private readonly resources = new Map<string, Resource>()
  private readonly params = new Map<string, ScalarType>()
  private readonly matrices = new Map<string, Matrix['role']>()
  private current: Stmt | null = null
  private path = ''

  constructor(kernel: Kernel) {
    this.kernel = kernel
  }

  run(): Diagnostic[] {
    this.header()
    this.list(this.kernel.body, 'body', { inLoop: false, inContinuing: false, inBranch: false, depth: 0 })
    return this.problems
  }

  private report(code: string, message: string): void {
    if (this.problems.length >= 50) return
    const at = this.current?.at
    const place = this.path ? `kernel ${this.kernel.name}, ${this.path}: ` : `kernel ${this.kernel.name}: `
    this.problems.push({ severity: 'error', code: `kernel.${code}`, message: place + message, ...(at && { at }) })
  }

  private header(): void {
    const { kernel } = this
    if (!identifier.test(kernel.name)) this.report('name', `the name '${kernel.name}' is no identifier`)
    this.blockSize()
    const seen = new Set<string>()
    for (const { name } of [...kernel.params, ...kernel.resources]) {
      if (!identifier.test(name)) this.report('name', `'${name}' is no identifier`)
      if (seen.has(name)) this.report('name', `'${name}' is declared twice`)
      seen.add(name)
    }
    for (const p of kernel.params) this.params.set(p.name, p.type)
    for (const r of kernel.resources) this.resource(r)
    kernel.registers.forEach((r, i) => this.register(r, i))
  }

  private blockSize(): void {
    const [x, y, z] = this.kernel.block
    const whole = [x, y, z].every((n) => Number.isInteger(n) && n >= 1)
    if (!whole || x * y * z > maxThreads)
      this.report('block', `a block of ${x}×${y}×${z} threads is not between 1 and ${maxThreads}`)
  }

  private resource(r: Resource): void {
    this.resources.set(r.name, r)
    const bound = isBound(r)
    if (r.count === null && !bound) this.report('resource', `${r.space} '${r.name}' needs a count of elements`)
    if (r.count !== null && !(Number.isInteger(r.count) && r.count >= 1 && r.count <= 2 ** 31))
      this.report('resource', `'${r.name}' has a count of ${r.count}`)
    if (r.space === 'constant' && r.access !== 'read')
      this.report('resource', `constant '${r.name}' must have access read`)
    if (r.zeroed && bound)
      this.report('resource', `${r.space} '${r.name}' cannot be zeroed: its memory is bound at launch`)
  }

  private register(r: Reg, position: number): void {
    if (r.id !== position)
      this.report('register', `register '${r.name}' has id ${r.id} at position ${position}: ids must be dense from 0`)
    if (!identifier.test(r.name))
      this.report('name', `register ${r.id} has the name '${r.name}', which is no identifier`)
  }

  private list(stmts: readonly Stmt[], path: string, scope: Scope): void {
    if (scope.depth > maxDepth) return this.report('depth', `statements nest deeper than ${maxDepth}`)
    for (let i = 0; i < stmts.length; i++) {
      const s = stmts[i]!
      this.current = s
      this.path = `${path}[${i}]`
      this.statement(s, scope)
      if ((s.kind === 'break' || s.kind === 'continue' || s.kind === 'return') && i + 1 < stmts.length) {
        this.report('unreachable', `statements after ${s.kind} are never reached`)
      }
    }
  }

  private statement(s: Stmt, scope: Scope): void {
    switch (s.kind) {
      case 'op':
        return this.operation(s)
      case 'builtin':
        return this.defines(s.dst, 'u32', s.name)
      case 'load':
      case 'store':
        return this.access(s)
      case 'atomic':
        return this.atomic(s)
      case 'subgroup':
        return this.subgroup(s)
      case 'matrix':
        return this.matrix(s, scope)
      case 'barrier':
        return this.barrier(s, scope)
      case 'if':
        return this.branch(s, scope)
      case 'loop':
        return this.loop(s, scope)
      case 'break':
        if (!scope.inLoop) this.report('jump', 'break stands outside a loop')
        return
      case 'continue':
        if (scope.inContinuing) this.report('jump', 'continue stands in a continuing block')
        else if (!scope.inLoop) this.report('jump', 'continue stands outside a loop')
        return
      case 'return':
        if (scope.inContinuing) this.report('jump', 'return stands in a continuing block')
    }
  }

  /** Each matrix plays one role. */
  private matrix(s: Extract<Stmt, { kind: 'matrix' }>, scope: Scope): void {
    const { step } = s,
      path = this.path,
      place = placeOf(step)
    const roles: readonly (readonly [Matrix, Matrix['role'] | 'factor'])[] =
      step.op === 'multiply'
        ? [
            [step.left, 'left'],
            [step.right, 'right'],
            [step.sum, 'result'],
          ]
        : step.op === 'load'
          ? [[step.dst, 'factor']]
          : [[step.op === 'clear' ? step.sum : step.src, 'result']]
    for (const [m, role] of roles) {
      if (!identifier.test(m.name)) this.report('name', `a matrix has the name '${m.name}', which is no identifier`)
      if (role === 'factor' ? m.role === 'result' : m.role !== role)
        this.report('matrix', `'${m.name}' is a ${m.role} matrix where a ${role} is wanted`)
      const known = this.matrices.get(m.name) ?? m.role
      this.matrices.set(m.name, known)
      if (known !== m.role) this.report('matrix', `'${m.name}' is a ${known} and a ${m.role} matrix`)
    }
    if (place) this.address(place, step.op === 'load' ? 'read' : 'write')
    if ('stride' in step && !(Number.isInteger(step.stride) && step.stride >= 32))
      this.report('matrix', `lines ${step.stride} bytes apart overlap`)
    this.list(s.means, `${path}.means`, { ...scope, depth: scope.depth + 1 })
  }

  private branch(s: Extract<Stmt, { kind: 'if' }>, scope: Scope): void {
    const path = this.path,
      inner = { ...scope, inBranch: true, depth: scope.depth + 1 }
    this.operand(s.condition)
    if (s.condition.type !== 'bool') this.report('type', `the condition has type ${s.condition.type}, not bool`)
    this.list(s.then, `${path}.then`, inner)
    this.list(s.else, `${path}.else`, inner)
  }

  private loop(s: Extract<Stmt, { kind: 'loop' }>, scope: Scope): void {
    const path = this.path
    this.list(s.body, `${path}.body`, { ...scope, inLoop: true, inContinuing: false, depth: scope.depth + 1 })
    this.list(s.continuing, `${path}.continuing`, {
      ...scope,
      inLoop: true,
      inContinuing: true,
      depth: scope.depth + 1,
    })
  }

  /** Loops say how often all blocks meet; a branch would say which of them do. */
  private barrier(s: Extract<Stmt, { kind: 'barrier' }>, scope: Scope): void {
    if (s.some && s.scope !== 'block')
      this.report('barrier', `a barrier for some is one of a block, not of a ${s.scope}`)
    if (s.orders && s.scope !== 'block')
      this.report('barrier', `a barrier that orders ${s.orders} memory only is one of a block, not of a ${s.scope}`)
    if (s.scope === 'grid' && scope.inBranch)
      this.report('barrier', 'a barrier of the grid stands in an if: all blocks must come to it')
  }

  private operand(o: Operand): void {
    switch (o.kind) {
      case 'const':
        if (!isOfType(o.type, o.value)) this.report('literal', `the literal ${o.value} is no ${o.type}`)
        return
      case 'param':
        if (this.params.get(o.name) !== o.type)
          this.report(
            'param',
            this.params.has(o.name)
              ? `param '${o.name}' is ${this.params.get(o.name)}, used as ${o.type}`
              : `unknown param '${o.name}'`,
          )
        return
      case 'reg':
        this.registerUse(o)
    }
  }

  private registerUse(r: Reg): void {
    const declared = this.kernel.registers[r.id]
    if (!declared) this.report('register', `register '${r.name}' (${r.id}) is not declared`)
    else if (declared.type !== r.type)
      this.report('register', `register '${r.name}' (${r.id}) is ${declared.type}, used as ${r.type}`)
    else if (declared.name !== r.name)
      this.report('register', `register ${r.id} is named '${declared.name}', used as '${r.name}'`)
  }

  private defines(dst: Reg, type: ScalarType, what: string): void {
    this.registerUse(dst)
    if (dst.type !== type) this.report('type', `${what} gives ${type}, but '${dst.name}' is ${dst.type}`)
  }

  private operation(s: Extract<Stmt, { kind: 'op' }>): void {
    if (!Object.hasOwn(ops, s.op)) return this.report('op', `unknown op '${s.op}'`)
    const row = opRow(s.op)
    for (const a of s.args) this.operand(a)
    if (s.args.length !== row.arity)
      return this.report('arity', `${s.op} takes ${row.arity} arguments, got ${s.args.length}`)
    const values = s.op === 'select' ? s.args.slice(1) : s.args
    const type = values[0]?.type ?? 'bool'
    if (s.op === 'select' && s.args[0]?.type !== 'bool')
      this.report('type', `select chooses by ${s.args[0]?.type}, not bool`)
    if (values.some((a) => a.type !== type))
      this.report(
        'type',
        `${s.op} has arguments of types ${values.map((a) => a.type).join(' and ')}: they must be the same`,
      )
    if (!inGroup(type, row.takes)) this.report('type', `${s.op} takes ${groupWords[row.takes]}, got ${type}`)
    this.result(s.op, s.dst, type)
  }

  private result(op: OpName, dst: Reg, type: ScalarType): void {
    switch (opRow(op).gives) {
      case 'same':
        return this.defines(dst, type, op)
      case 'bool':
        return this.defines(dst, 'bool', op)
      case 'to':
        this.registerUse(dst)
        if (op === 'bitcast' && (type === 'bool' || widthOf(type) !== widthOf(dst.type)))
          this.report('type', `bitcast from ${type} to ${dst.type}: the widths differ`)
    }
  }

  private address(a: Address, needs: 'read' | 'write' | 'read-write'): void {
    this.operand(a.index)
    if (!inGroup(a.index.type, 'integer')) this.report('type', `an index has type ${a.index.type}, not an integer`)
    if (!(Number.isInteger(a.stride) && a.stride >= 0 && a.stride <= 2 ** 20))
      this.report('address', `a stride of ${a.stride} bytes is not between 0 and ${2 ** 20}`)
    if (!(Number.isInteger(a.offset) && Math.abs(a.offset) < 2 ** 31))
      this.report('address', `an offset of ${a.offset} bytes does not fit 31 bits`)
    const r = this.resources.get(a.resource)
    if (!r) return this.report('resource', `unknown resource '${a.resource}'`)
    if (r.access !== 'read-write' && r.access !== needs)
      this.report('access', `'${r.name}' has access ${r.access}, but the statement needs ${needs}`)
  }

  private access(s: Extract<Stmt, { kind: 'load' | 'store' }>): void {
    this.address(s.address, s.kind === 'load' ? 'read' : 'write')
    const values: readonly Operand[] = s.kind === 'load' ? s.dst : s.src
    if (values.length < 1 || values.length > 4)
      this.report('width', `a ${s.kind} of ${values.length} elements: 1 to 4 are possible`)
    const type = registerType(s.type)
    if (s.kind === 'load') {
      s.dst.forEach((d) => this.defines(d, type, `load ${s.type}`))
      if (s.dst.length > 1 && new Set(s.dst.map((d) => d.id)).size !== s.dst.length)
        this.report('width', 'a load names the same register twice')
    } else for (const v of s.src) this.stored(v, type, s.type)
  }

  private stored(v: Operand, type: ScalarType, memory: MemoryType): void {
    this.operand(v)
    if (v.type !== type) this.report('type', `store ${memory} takes ${type}, got ${v.type}`)
  }

  private atomic(s: Extract<Stmt, { kind: 'atomic' }>): void {
    if (!Object.hasOwn(operandCount, s.op)) return this.report('op', `unknown atomic '${s.op}'`)
    this.address(s.address, s.op === 'load' ? 'read' : s.op === 'store' && !s.dst ? 'write' : 'read-write')
    const r = this.resources.get(s.address.resource)
    if (r && r.space !== 'global' && r.space !== 'shared' && r.space !== 'texture')
      this.report(
        'access',
        `an atomic on ${r.space} '${r.name}': only global and shared memory and surfaces have atomics`,
      )
    const type = registerType(s.type)
    if (bytesOf[s.type] < 4) return this.report('type', `an atomic on ${s.type}: 4 or 8 bytes are possible`)
    if ((s.op === 'and' || s.op === 'or' || s.op === 'xor') && isFloat(type))
      this.report('type', `atomic ${s.op} takes integers, got ${type}`)
    if ((s.op === 'increment' || s.op === 'decrement') && type !== 'u32')
      this.report('type', `atomic ${s.op} takes u32, got ${type}`)
    if (s.args.length !== operandCount[s.op])
      this.report('arity', `atomic ${s.op} takes ${operandCount[s.op]} arguments, got ${s.args.length}`)
    for (const a of s.args) this.stored(a, type, s.type)
    if (s.dst) this.defines(s.dst, type, `atomic ${s.op} ${s.type}`)
    else if (s.op === 'load') this.report('arity', 'atomic load needs a register for its result')
  }

  private subgroup(s: Extract<Stmt, { kind: 'subgroup' }>): void {
    if (!Object.hasOwn(subgroupRow, s.op)) return this.report('op', `unknown subgroup op '${s.op}'`)
    const row = subgroupRow[s.op]
    s.args.forEach((a) => this.operand(a))
    if (s.args.length !== row.arity)
      return this.report('arity', `subgroup ${s.op} takes ${row.arity} arguments, got ${s.args.length}`)
    const type = s.args[0]?.type ?? 'bool'
    if (!inGroup(type, row.takes)) this.report('type', `subgroup ${s.op} takes ${groupWords[row.takes]}, got ${type}`)
    if (row.arity === 2 && s.args[1]?.type !== 'u32')
      this.report('type', `subgroup ${s.op} takes a u32 second, got ${s.args[1]?.type}`)
    this.defines(s.dst, s.op === 'ballot' ? 'u32' : row.takes === 'bool' ? 'bool' : type, `subgroup ${s.op}`)
  }
}
