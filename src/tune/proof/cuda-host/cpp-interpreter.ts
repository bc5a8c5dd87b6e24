// In: host functions of a CUDA file, the arguments of one of them, and what the device answers. Out: what it launches,
// in order, and the error that it returns. The one idea: an interpreter of the syntax whose CUDA runtime only records:
// allocations, launches and their arguments; an array used before it is allocated, or never freed, is an error.
import { CppError, type CppExpr, type CppFunction, type CppStmt, type CppType } from './cpp-parser.ts'
import { cppBinary, cppBool, cppConverted, isTrue, standardCall, cppUnary, type CppNumber } from './cpp-arithmetic.ts'

/** A variable; a reference shares that of its caller. */
interface Cell {
  value: CppValue
}

export type CppValue =
  | ({ readonly kind: 'number' } & CppNumber)
  /** `to`: the array's name; null for `nullptr`. */
  | { readonly kind: 'array'; readonly to: string | null }
  | { readonly kind: 'address'; readonly of: Cell; readonly name: string }
  | { readonly kind: 'grid'; readonly extents: readonly number[] }
  /** A kernel, an error, an attribute or the stream, by its name. */
  | { readonly kind: 'symbol'; readonly name: string }
  | { readonly kind: 'function'; readonly body: readonly CppStmt[]; readonly scope: Scope }
  | { readonly kind: 'list'; readonly of: readonly CppValue[] }
  | { readonly kind: 'none' }

/** A launch as CUDA gets it; extents of grid and block, bytes of dynamic shared memory. */
export interface CudaLaunch {
  readonly kernel: string
  readonly grid: readonly number[]
  readonly block: readonly number[]
  readonly sharedBytes: number
  readonly args: readonly CppValue[]
  readonly isCooperative: boolean
}

export interface HostRun {
  readonly launches: readonly CudaLaunch[]
  /** Bytes of each scratch array by its variable. */
  readonly allocated: ReadonlyMap<string, number>
  /** `cudaSuccess`, or the error's name. */
  readonly result: string
  /** It launches more than was asked for, and was ended there. */
  readonly isCut: boolean
}

export interface HostRunOptions {
  /** Blocks of a kernel that are on the device at once, by its threads and bytes of shared memory. */
  readonly blocksAtOnce: number
  readonly mostLaunches: number
}

class Scope {
  private readonly cells = new Map<string, Cell>()
  private readonly outer: Scope | undefined

  constructor(outer?: Scope) {
    this.outer = outer
  }

  declare(name: string, cell: Cell): void {
    this.cells.set(name, cell)
  }

  find(name: string): Cell | undefined {
    return this.cells.get(name) ?? this.outer?.find(name)
  }
}

/** What ends a list of statements before its end. */
type Ended = { readonly returned: CppValue } | undefined

/** Enough launches were recorded. */
class Cut extends Error {}

const symbol = (name: string): CppValue => ({ kind: 'symbol', name })
const success = symbol('cudaSuccess')
const none: CppValue = { kind: 'none' }
const numeric = (n: CppNumber): CppValue => ({ kind: 'number', ...n })

export const cppInteger = (value: number): CppValue => numeric({ type: 'i64', value: BigInt(value) })

const describe = (v: CppValue): string => (v.kind === 'number' ? `${v.value}` : v.kind)

function numberIn(v: CppValue | undefined): CppNumber {
  if (v?.kind !== 'number') throw new CppError(`${v ? describe(v) : 'nothing'} where a number is meant`)
  return v
}
const plainNumber = (v: CppValue | undefined): number => Number(numberIn(v).value)

function symbolIn(v: CppValue | undefined): string {
  if (v?.kind !== 'symbol') throw new CppError(`${v ? describe(v) : 'nothing'} where a name of CUDA is meant`)
  return v.name
}
const isStream = (v: CppValue | undefined): boolean => v?.kind === 'symbol' && v.name === 'stream'

function initial(type: CppType): CppValue {
  if (type.kind === 'number') return numeric({ type: type.name, value: 0n })
  return type.kind === 'pointer' ? { kind: 'array', to: null } : none
}

/** `value` as a variable or a cast of `type` has it. */
function typed(value: CppValue, type: CppType): CppValue {
  if (type.kind === 'named' && type.name === 'void') return none
  return type.kind === 'number' ? numeric(cppConverted(numberIn(value), type.name)) : value
}

class Machine {
  readonly launches: CudaLaunch[] = []
  readonly allocated = new Map<string, number>()
  private readonly live = new Set<string>()
  private readonly allowedBytes = new Map<string, number>()
  private readonly functions: ReadonlyMap<string, CppFunction>
  private readonly kernels: ReadonlySet<string>
  private readonly options: HostRunOptions

  constructor(functions: readonly CppFunction[], kernels: ReadonlySet<string>, options: HostRunOptions) {
    this.functions = new Map(functions.map((f) => [f.name, f]))
    this.kernels = kernels
    this.options = options
  }

  call(f: CppFunction, args: readonly Cell[]): CppValue {
    if (args.length !== f.parameters.length) throw new CppError(`${f.name} takes ${f.parameters.length} arguments`)
    const scope = new Scope()
    for (const [i, p] of f.parameters.entries()) {
      const given = args[i]! // as many as there are
      scope.declare(p.name, p.isReference ? given : { value: typed(given.value, p.type) })
    }
    return this.block(f.body, scope)?.returned ?? none
  }

  /** What is left at the end. */
  close(): void {
    const [left] = this.live
    if (left !== undefined) throw new CppError(`${left} is never freed`)
  }

  private block(body: readonly CppStmt[], scope: Scope): Ended {
    for (const s of body) {
      const ended = this.statement(s, scope)
      if (ended) return ended
    }
    return undefined
  }

  private statement(s: CppStmt, scope: Scope): Ended {
    switch (s.kind) {
      case 'declare':
        scope.declare(s.name, { value: s.value ? typed(this.value(s.value, scope), s.type) : initial(s.type) })
        return undefined
      case 'if':
        return this.holds(s.condition, scope) ? this.block(s.then, new Scope(scope)) : undefined
      case 'for':
        return this.loop(s, new Scope(scope))
      case 'return':
        return { returned: this.value(s.value, scope) }
      case 'block':
        return this.block(s.body, new Scope(scope))
      case 'expression':
        this.value(s.of, scope)
        return undefined
    }
  }

  private loop(s: Extract<CppStmt, { kind: 'for' }>, scope: Scope): Ended {
    for (this.statement(s.first, scope); this.holds(s.condition, scope); this.value(s.next, scope)) {
      const ended = this.block(s.body, new Scope(scope))
      if (ended) return ended
    }
    return undefined
  }

  private holds(e: CppExpr, scope: Scope): boolean {
    return isTrue(numberIn(this.value(e, scope)))
  }

  private value(e: CppExpr, scope: Scope): CppValue {
    switch (e.kind) {
      case 'number':
        return numeric({ type: e.type, value: /^f/.test(e.type) ? Number(e.text) : BigInt(e.text) })
      case 'name':
        return this.named(e.name, scope)
      case 'unary':
        return this.unary(e, scope)
      case 'binary':
        return this.binary(e, scope)
      case 'choice':
        return this.choice(e, scope)
      case 'cast':
        return typed(this.value(e.of, scope), e.type)
      case 'call':
        return this.called(e, scope)
      case 'launch':
        return this.launched(e, scope)
      case 'lambda':
        return { kind: 'function', body: e.body, scope }
      case 'list':
        return { kind: 'list', of: e.of.map((x) => this.value(x, scope)) }
    }
  }

  private named(name: string, scope: Scope): CppValue {
    const cell = scope.find(name)
    if (cell) return cell.value
    if (name === 'nullptr') return { kind: 'array', to: null }
    if (name === 'true' || name === 'false') return numeric(cppBool(name === 'true'))
    if (name.startsWith('cuda') || this.kernels.has(name)) return symbol(name)
    throw new CppError(`${name} is not declared`)
  }

  private cellOf(e: CppExpr, scope: Scope): Cell {
    const cell = e.kind === 'name' ? scope.find(e.name) : undefined
    if (!cell) throw new CppError('what is assigned to is no variable')
    return cell
  }

  private unary(e: Extract<CppExpr, { kind: 'unary' }>, scope: Scope): CppValue {
    if (e.op === '&' && e.of.kind === 'name') return { kind: 'address', of: this.cellOf(e.of, scope), name: e.of.name }
    return numeric(cppUnary(e.op, numberIn(this.value(e.of, scope))))
  }

  private binary({ op, left, right }: Extract<CppExpr, { kind: 'binary' }>, scope: Scope): CppValue {
    if (op === '=' || op === '+=') return this.assigned(op, this.cellOf(left, scope), this.value(right, scope))
    const a = this.value(left, scope)
    if (op === ',') return this.value(right, scope)
    if (op === '&&') return numeric(cppBool(isTrue(numberIn(a)) && this.holds(right, scope)))
    if (op === '||') return numeric(cppBool(isTrue(numberIn(a)) || this.holds(right, scope)))
    const b = this.value(right, scope)
    if (a.kind === 'number') return numeric(cppBinary(op, a, numberIn(b)))
    if (a.kind !== b.kind || (op !== '==' && op !== '!=')) throw new CppError(`${op} of ${a.kind} and ${b.kind}`)
    const nameOf = (v: CppValue): string | null => (v.kind === 'array' ? v.to : symbolIn(v))
    return numeric(cppBool((nameOf(a) === nameOf(b)) === (op === '==')))
  }

  private assigned(op: '=' | '+=', cell: Cell, given: CppValue): CppValue {
    const before = cell.value,
      value = op === '=' ? given : numeric(cppBinary('+', numberIn(before), numberIn(given)))
    cell.value = before.kind === 'number' ? numeric(cppConverted(numberIn(value), before.type)) : value
    return cell.value
  }

  private choice(e: Extract<CppExpr, { kind: 'choice' }>, scope: Scope): CppValue {
    const isThen = this.holds(e.condition, scope),
      taken = this.value(isThen ? e.then : e.else, scope)
    if (taken.kind !== 'number') return taken
    // Both sides decide the type; the other one is computed for it where that is defined.
    const other = this.otherSide(isThen ? e.else : e.then, scope)
    return other ? numeric(cppBinary('+', taken, { type: other.type, value: /^f/.test(other.type) ? 0 : 0n })) : taken
  }

  private otherSide(e: CppExpr, scope: Scope): CppNumber | undefined {
    try {
      return numberIn(this.value(e, scope))
    } catch (error) {
      if (error instanceof CppError) return undefined
      throw error
    }
  }

  private called(e: Extract<CppExpr, { kind: 'call' }>, scope: Scope): CppValue {
    const lambda = scope.find(e.name)?.value
    if (lambda?.kind === 'function') return this.block(lambda.body, new Scope(lambda.scope))?.returned ?? none
    const f = this.functions.get(e.name)
    if (f)
      return this.call(
        f,
        e.args.map((a, i) => (f.parameters[i]?.isReference ? this.cellOf(a, scope) : { value: this.value(a, scope) })),
      )
    const args = e.args.map((a) => this.value(a, scope))
    if (e.name.startsWith('std::')) {
      const type = e.type?.kind === 'number' ? e.type.name : undefined
      return numeric(standardCall(e.name.slice('std::'.length), type, args.map(numberIn)))
    }
    return this.runtime(e.name, args)
  }

  /** CUDA's runtime. */
  private runtime(name: string, args: readonly CppValue[]): CppValue {
    const [a, b, c] = args
    switch (name) {
      case 'dim3':
        return { kind: 'grid', extents: [0, 1, 2].map((i) => plainNumber(args[i] ?? cppInteger(1))) }
      case '__float2half':
        return numberIn(a) && a!
      case 'cudaGetLastError':
        return success
      case 'cudaMallocAsync':
        return this.malloc(a, plainNumber(b), c)
      case 'cudaFreeAsync':
        return this.free(a, b)
      case 'cudaFuncSetAttribute':
        if (symbolIn(b) === 'cudaFuncAttributeMaxDynamicSharedMemorySize')
          this.allowedBytes.set(symbolIn(a), plainNumber(c))
        return success
      case 'cudaGetDevice':
        return this.answer(a, 0)
      case 'cudaDeviceGetAttribute':
        return this.answer(a, symbolIn(b) === 'cudaDevAttrCooperativeLaunch' ? 1 : this.options.blocksAtOnce)
      case 'cudaOccupancyMaxActiveBlocksPerMultiprocessor':
        return this.answer(a, 1)
      case 'cudaLaunchCooperativeKernel':
        return this.cooperative(args)
    }
    throw new CppError(`${name} is no function that is known here`)
  }

  private answer(to: CppValue | undefined, value: number): CppValue {
    if (to?.kind !== 'address') throw new CppError('an answer of CUDA goes to no variable')
    this.assigned('=', to.of, cppInteger(value))
    return success
  }

  private malloc(to: CppValue | undefined, bytes: number, stream: CppValue | undefined): CppValue {
    if (to?.kind !== 'address' || !isStream(stream)) throw new CppError('an allocation on another stream')
    if (this.live.has(to.name)) throw new CppError(`${to.name} is allocated twice`)
    this.live.add(to.name)
    this.allocated.set(to.name, bytes)
    to.of.value = { kind: 'array', to: to.name }
    return success
  }

  private free(of: CppValue | undefined, stream: CppValue | undefined): CppValue {
    if (of?.kind !== 'array' || of.to === null || !isStream(stream) || !this.live.delete(of.to))
      throw new CppError('what is freed was not allocated')
    return success
  }

  private launched(e: Extract<CppExpr, { kind: 'launch' }>, scope: Scope): CppValue {
    const [grid, block, bytes, stream] = e.how.map((h) => this.value(h, scope))
    if (!isStream(stream)) throw new CppError(`${e.kernel} is launched on another stream`)
    const args = e.args.map((a) => this.value(a, scope))
    this.record(e.kernel, grid, block, plainNumber(bytes), args, false)
    return none
  }

  private cooperative([kernel, grid, block, list, bytes, stream]: readonly CppValue[]): CppValue {
    const places = list?.kind === 'list' ? list.of : []
    if (!isStream(stream)) throw new CppError(`${symbolIn(kernel)} is launched on another stream`)
    const args = places.map((p) => {
      if (p.kind !== 'address') throw new CppError('a cooperative launch takes addresses')
      return p.of.value
    })
    this.record(symbolIn(kernel), grid, block, plainNumber(bytes), args, true)
    return success
  }

  private record(
    kernel: string,
    grid: CppValue | undefined,
    block: CppValue | undefined,
    sharedBytes: number,
    args: readonly CppValue[],
    isCooperative: boolean,
  ): void {
    if (!this.kernels.has(kernel)) throw new CppError(`${kernel} is no kernel of the file`)
    if (grid?.kind !== 'grid' || block?.kind !== 'grid') throw new CppError(`${kernel} has no grid`)
    if (sharedBytes > (this.allowedBytes.get(kernel) ?? 0))
      throw new CppError(`${kernel} takes more shared memory than was asked for`)
    for (const a of args)
      if (a.kind === 'array' && a.to === null) throw new CppError(`${kernel} gets an array that is not allocated`)
    if (this.launches.length >= this.options.mostLaunches) throw new Cut()
    this.launches.push({ kernel, grid: grid.extents, block: block.extents, sharedBytes, args, isCooperative })
  }
}

/** Calls the last of `functions`. Throws a `CppError` where that is undefined or no correct use of CUDA. */
export function runHostFunction(
  functions: readonly CppFunction[],
  kernels: ReadonlySet<string>,
  args: readonly CppValue[],
  options: HostRunOptions,
): HostRun {
  const machine = new Machine(functions, kernels, options),
    { launches, allocated } = machine
  const entry = functions.at(-1)
  if (!entry) throw new CppError('there is no host function')
  try {
    const cells = args.map((value) => ({ value }))
    const result = symbolIn(machine.call(entry, cells))
    machine.close()
    return { launches, allocated, result, isCut: false }
  } catch (e) {
    if (!(e instanceof Cut)) throw e
    return { launches, allocated, result: 'cudaSuccess', isCut: true }
  }
}
