// In: a verified kernel. Out: a WGSL module with one entry point. The one idea: a table says how each op is spelled;
// the module around the body declares only what the body used. 64-bit types do not exist in WGSL and are refused with
// what to do instead. Divisions by zero, shifts and conversions have WGSL's own meaning, which is KernelIR's.
import { fail, InternalError } from '../../base/index.ts'
import {
  allStatements,
  bindingsOf,
  hollowKernel,
  registerType,
  type Builtin,
  type Emitted,
  type Kernel,
  type Matrix,
  type OpName,
  type ScalarType,
  type Stmt,
  type SubgroupOp,
  type Verified,
} from '../../ir/index.ts'
import { finite } from './provable-bounds.ts'
import { foldKernel } from '../expression-folding.ts'
import { floatBits, shortFloat } from '../literal.ts'
import { legalName, legalNames } from '../legal-names.ts'
import { negatesIntoExtremes, wgslMagnitude, wgslNegated, withoutNegativeLiteral } from '../integer-extremes.ts'
import { withKnownZeros } from '../known-bits.ts'
import { asksRounding } from '../rounding.ts'
import {
  call,
  commentLines,
  infix,
  levels,
  prefix,
  primary,
  Printer,
  type Spell,
  type PrintTarget,
  type Text,
} from '../printer.ts'
import { isGroup, type Holder, type Line, type Value } from '../tree.ts'
import {
  arrayType,
  bitcastTo,
  elementText,
  hookTexts,
  loadText,
  storageBarriers,
  shapesOf,
  storeText,
  type BufferLayout,
} from './buffers.ts'
import {
  angleText,
  arcText,
  isNanText,
  logarithmText,
  powerText,
  quotientText,
  remainderText,
  rootText,
  tanhText,
} from './math-functions.ts'
import { matrixText, matrixType } from './subgroup-matrices.ts'
import { wgslTaken } from './reserved-words.ts'

export interface EmitOptions {
  /** Comment lines on top: what it computes, the schedule in words, what it was verified on. */
  readonly header?: readonly string[]
  /**
   * Global resources whose loads (of those only read) or stores (of others) go through a function each, for hosts that
   * fuse work into them.
   */
  readonly hooks?: readonly string[]
  /**
   * Quotients, roots and (of CUDA) powers of single precision are rounded to nearest; when absent, where the kernel
   * itself asks for it.
   */
  readonly rounded?: boolean
}

/**
 * The kernel as a WGSL module. Resources are bound in group 0 in declared order (`bindingsOf`), parameters after them
 * in one uniform buffer of 4-byte fields. Throws a `DiagnosticError` for 64-bit types and accesses WGSL cannot express.
 */
export function emitWgsl(given: Verified<Kernel>, options: EmitOptions = {}): Emitted {
  const kernel = withKnownZeros(hollowKernel(given))
  refuseWideTypes(kernel)
  const taken = new Set(wgslTaken)
  const entry = legalName(kernel.name, taken)
  const names = legalNames(
    kernel.resources.map((r) => r.name),
    taken,
  )
  const fields = legalNames(
    kernel.params.map((p) => p.name),
    new Set(wgslTaken),
  )
  const target = new WgslTarget(
    kernel,
    shapesOf(kernel, names, options.hooks),
    fields,
    taken,
    options.rounded ?? asksRounding(kernel),
  )
  const lines = foldKernel(kernel, {
    canGroup: (load) => load.dst.length === 2 || load.dst.length === 4 || load.dst.length === 3,
  })
  const body = new Printer(target).block(finite(kernel, lines))
  const text = [...(options.header ?? []).flatMap(commentLines), ...target.module(entry, body)].join('\n')
  return { target: 'wgsl', entry, text: `${text}\n` }
}

function refuseWideTypes(kernel: Kernel): void {
  const wide = (t: string): boolean => t === 'f64' || t === 'i64' || t === 'u64'
  const found = [...kernel.resources, ...kernel.params, ...kernel.registers].find((x) => wide(x.type))
  if (!found) return
  const what = found.type === 'f64' ? 'double precision' : '64-bit integers'
  fail(
    'wgsl.type',
    `kernel ${kernel.name} uses ${what} ('${found.name}' is ${found.type}), which WGSL does not have`,
    undefined,
    found.type === 'f64'
      ? 'compute in single precision with --precision f32, or emit CUDA with --target cuda'
      : 'use 32-bit integers (--precision f32 narrows floats only), or emit CUDA with --target cuda',
  )
}

const fn =
  (name: string): Spell =>
  (args) =>
    call(name, ...args)
const op =
  (symbol: string): Spell =>
  ([a, b]) =>
    infix(symbol, a!, b!) // arity is verified
const isConstant = (t: Text): boolean => /^-?[\d.]+(e[+-]?\d+)?[uhf]?$/.test(t.text)

/**
 * Runtime wrapper around the first of all-literal arguments, which WGSL would otherwise evaluate and check at compile
 * time.
 */
const held =
  (helpers: Helpers, spell: Spell): Spell =>
  (args, type, argType) => {
    if (!args.every(isConstant)) return spell(args, type, argType)
    return spell([call(helpers.hold(argType), args[0]!), ...args.slice(1)], type, argType)
  }

/** An integer of the uniform buffer, as an i32. */
function integerField(kernel: Kernel, fields: ReadonlyMap<string, string>): string | undefined {
  const p = kernel.params.find((x) => x.type === 'i32' || x.type === 'u32')
  if (!p) return undefined
  const field = `params.${fields.get(p.name) ?? p.name}`
  return p.type === 'i32' ? field : `i32(${field})`
}

/** Helper functions that the body asked for. */
class Helpers {
  readonly texts = new Map<string, string>()
  private readonly integer: string | undefined

  /** `integer`: a field of the uniform buffer that holds one, as an i32. */
  constructor(integer: string | undefined) {
    this.integer = integer
  }
  readonly declare = (name: string, text: string): string => this.add(name, text)
  add(name: string, text: string): string {
    this.texts.set(name, text)
    return name
  }
  hold(type: ScalarType): string {
    return this.add(`hold_${type}`, `fn hold_${type}(x: ${type}) -> ${type} {\n  return x;\n}`)
  }
  fromBits(type: 'f32' | 'f16'): string {
    if (type === 'f32')
      return this.add('f32_from_bits', 'fn f32_from_bits(bits: u32) -> f32 {\n  return bitcast<f32>(bits);\n}')
    return this.add('f16_from_bits', 'fn f16_from_bits(bits: u32) -> f16 {\n  return bitcast<vec2<f16>>(bits).x;\n}')
  }
  negated(): string {
    return this.add('neg_i32', wgslNegated(this.integer))
  }
  magnitude(): string {
    return this.add('abs_i32', wgslMagnitude)
  }
  mulhi(type: ScalarType): string {
    this.add('mulhi_u32', mulhiU32)
    return type === 'i32' ? this.add('mulhi_i32', mulhiI32) : 'mulhi_u32'
  }
}

const mulhiU32 = `// Upper half of the 64-bit product, from four 16-bit products.
fn mulhi_u32(a: u32, b: u32) -> u32 {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let mid = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let cross = (a & 0xffffu) * (b >> 16u) + (mid & 0xffffu);
  return (a >> 16u) * (b >> 16u) + (mid >> 16u) + (cross >> 16u);
}`
const mulhiI32 = `fn mulhi_i32(a: i32, b: i32) -> i32 {
  let high = bitcast<i32>(mulhi_u32(bitcast<u32>(a), bitcast<u32>(b)));
  return high - select(0, b, a < 0) - select(0, a, b < 0);
}`

/**
 * The spelling of every op. Division by a literal zero is what it means, since WGSL refuses to compile it. Conditions
 * are joined by & and |, which evaluate both sides as KernelIR does: && and || are branches in SPIR-V, and
 * SwiftShader's time and memory double with each in a loop. */
const opTable = (h: Helpers, rounded: boolean, extremes: boolean): Record<OpName, Spell> => ({
  add: op('+'),
  sub: (args, type) =>
    extremes && type === 'i32' && isZero(args[0]!) ? call(h.negated(), args[1]!) : op('-')(args, type, type),
  mul: (args, type) => {
    const turned = extremes && type === 'i32' ? withoutNegativeLiteral('*', args, () => h.negated()) : undefined
    return turned ?? op('*')(args, type, type)
  },
  div: (args, type) => {
    if (type === 'f32' && rounded) return quotientText(h.declare, args)
    const turned = extremes && type === 'i32' ? withoutNegativeLiteral('/', args, () => h.negated()) : undefined
    if (turned) return turned
    return isZero(args[1]!) && type !== 'f32' && type !== 'f16' ? args[0]! : op('/')(args, type, type)
  },
  rem: (args, type) => {
    if (type === 'f32' || type === 'f16') return remainderText(h.declare, h.fromBits('f32'), args, type)
    return isZero(args[1]!) ? zeroOf(type) : op('%')(args, type, type)
  },
  neg: ([a], type) => {
    if (type === 'u32') return infix('+', prefix('~', a!), primary('1u'))
    return extremes && type === 'i32' ? call(h.negated(), a!) : prefix('-', a!)
  },
  abs: ([a], type) => call(extremes && type === 'i32' ? h.magnitude() : 'abs', a!),
  sign: ([a], type) => (type === 'u32' ? call('min', a!, primary('1u')) : call('sign', a!)),
  min: fn('min'),
  max: fn('max'),
  fma: fn('fma'),
  floor: fn('floor'),
  ceil: fn('ceil'),
  trunc: fn('trunc'),
  round: fn('round'),
  and: op('&'),
  or: op('|'),
  xor: op('^'),
  not: ([a]) => prefix('~', a!),
  shl: shift('<<'),
  shr: shift('>>'),
  mulhi: (args, type) => call(h.mulhi(type), ...args),
  popcount: fn('countOneBits'),
  clz: fn('countLeadingZeros'),
  ctz: fn('countTrailingZeros'),
  reverseBits: fn('reverseBits'),
  eq: (args, type, from) =>
    from === 'f32' && args[0]!.text === args[1]!.text ? prefix('!', isNanText(args[0]!)) : op('==')(args, type, from),
  // Tint compares what is ordered: of NaNs it would say that they are not unequal.
  ne: ([a, b], _, from) => {
    if (from !== 'f32' && from !== 'f16') return infix('!=', a!, b!)
    return from === 'f32' && a!.text === b!.text ? isNanText(a!) : prefix('!', infix('==', a!, b!))
  },
  lt: op('<'),
  le: op('<='),
  gt: op('>'),
  ge: op('>='),
  land: op('&'),
  lor: op('|'),
  lnot: ([a]) => prefix('!', a!),
  select: ([c, a, b]) => call('select', b!, a!, c!),
  sqrt: (args, type) => (type === 'f32' && rounded ? rootText(h.declare, args) : call('sqrt', ...args)),
  rsqrt: fn('inverseSqrt'),
  rcp: ([a], type) => {
    if (type === 'f32' && rounded) return quotientText(h.declare, [primary('1.0'), a!])
    return infix('/', primary(type === 'f16' ? '1.0h' : '1.0'), a!)
  },
  exp: fn('exp'),
  exp2: fn('exp2'),
  log: (args, type) => logarithmText(h.declare, h.fromBits('f32'), 'log', args, type),
  log2: (args, type) => logarithmText(h.declare, h.fromBits('f32'), 'log2', args, type),
  sin: (args, type) => angleText(h.declare, 'sin', args, type),
  cos: (args, type) => angleText(h.declare, 'cos', args, type),
  tan: (args, type) => angleText(h.declare, 'tan', args, type),
  asin: fn('asin'),
  acos: fn('acos'),
  atan: fn('atan'),
  sinh: fn('sinh'),
  cosh: fn('cosh'),
  tanh: (args, type) => tanhText(h.declare, args, type),
  pow: (args, type) => powerText(h.declare, h.fromBits('f32'), args, type),
  atan2: (args, type) => arcText(h.declare, args, type),
  convert: ([a], type, from) => (type === from ? a! : call(type, a!)),
  bitcast: ([a], type, from) => (type === from ? a! : call(`bitcast<${type}>`, a!)),
  copy: ([a]) => a!,
})

const isZero = (t: Text): boolean => t.text === '0' || t.text === '0u'
const zeroOf = (type: ScalarType): Text => primary(type === 'u32' ? '0u' : '0')

/** Shift amounts are u32 and taken modulo 32; a literal amount is printed as what it means. */
function shift(symbol: '<<' | '>>'): Spell {
  return ([a, b], _type, argType) => {
    const known = /^(-?\d+)u?$/.exec(b!.text)?.[1]
    if (known !== undefined) return infix(symbol, a!, primary(`${Number(known) & 31}u`))
    const amount = argType === 'i32' ? call('u32', b!) : b!
    return infix(symbol, a!, infix('&', amount, primary('31u')))
  }
}

const subgroup =
  (name: string) =>
  (_: readonly Value[], texts: readonly Text[], type: ScalarType): Text => {
    if (type !== 'bool') return call(name, ...texts)
    return infix('!=', call(name, call('u32', texts[0]!), ...texts.slice(1)), primary('0u'))
  }
const vote =
  (name: string) =>
  (_: readonly Value[], texts: readonly Text[]): Text =>
    call(name, ...texts)

const subgroupTable: Record<SubgroupOp, PrintTarget['subgroups'][SubgroupOp]> = {
  shuffle: subgroup('subgroupShuffle'),
  shuffleXor: subgroup('subgroupShuffleXor'),
  shuffleUp: subgroup('subgroupShuffleUp'),
  shuffleDown: subgroup('subgroupShuffleDown'),
  broadcast: (args, texts, type) =>
    subgroup(args[1]?.kind === 'const' ? 'subgroupBroadcast' : 'subgroupShuffle')(args, texts, type),
  broadcastFirst: subgroup('subgroupBroadcastFirst'),
  add: vote('subgroupAdd'),
  mul: vote('subgroupMul'),
  min: vote('subgroupMin'),
  max: vote('subgroupMax'),
  and: vote('subgroupAnd'),
  or: vote('subgroupOr'),
  xor: vote('subgroupXor'),
  inclusiveAdd: vote('subgroupInclusiveAdd'),
  exclusiveAdd: vote('subgroupExclusiveAdd'),
  inclusiveMul: vote('subgroupInclusiveMul'),
  exclusiveMul: vote('subgroupExclusiveMul'),
  any: vote('subgroupAny'),
  all: vote('subgroupAll'),
  elect: vote('subgroupElect'),
  ballot: (_, texts) => primary(`subgroupBallot(${texts[0]!.text}).x`),
}

/** Entry-point arguments by the name that the body uses. */
const inputs = {
  local_id: '@builtin(local_invocation_id) local_id: vec3<u32>',
  workgroup_id: '@builtin(workgroup_id) workgroup_id: vec3<u32>',
  num_workgroups: '@builtin(num_workgroups) num_workgroups: vec3<u32>',
  local_rank: '@builtin(local_invocation_index) local_rank: u32',
  lane: '@builtin(subgroup_invocation_id) lane: u32',
  subgroup_size: '@builtin(subgroup_size) subgroup_size: u32',
} as const

class WgslTarget implements PrintTarget {
  readonly taken: ReadonlySet<string>
  readonly subgroups = subgroupTable
  readonly ops: Record<OpName, Spell>
  private readonly helpers: Helpers
  private readonly used = new Set<keyof typeof inputs>()
  private readonly kernel: Kernel
  private readonly shapes: ReadonlyMap<string, BufferLayout>
  private readonly fields: ReadonlyMap<string, string>
  private readonly names: Set<string>
  private readonly passing: ReadonlySet<Stmt>
  /** Names of matrices in the text. */
  private readonly matrices = new Map<string, string>()

  constructor(
    kernel: Kernel,
    shapes: ReadonlyMap<string, BufferLayout>,
    fields: ReadonlyMap<string, string>,
    taken: Set<string>,
    rounded: boolean,
  ) {
    this.kernel = kernel
    this.shapes = shapes
    this.fields = fields
    this.names = taken
    this.passing = storageBarriers(kernel)
    this.taken = taken
    this.helpers = new Helpers(integerField(kernel, fields))
    const table = opTable(this.helpers, rounded, negatesIntoExtremes(kernel))
    this.ops = Object.fromEntries(
      Object.entries(table).map(([name, spell]) => [name, name === 'copy' ? spell : held(this.helpers, spell)]),
    ) as Record<OpName, Spell> // same keys
  }

  literal(type: ScalarType, value: number | bigint): Text {
    const n = Number(value)
    switch (type) {
      case 'bool':
        return primary(n ? 'true' : 'false')
      case 'u32':
        return primary(`${n}u`)
      case 'i32':
        return n === -2147483648 ? primary('i32(-2147483648)') : signed(`${n}`)
      case 'f32':
        return this.float(n, 'f32', Math.fround, floatBits)
      case 'f16':
        return this.float(n, 'f16', (x) => x, halfBits)
      case 'f64':
      case 'i64':
      case 'u64':
        throw new InternalError('emit/wgsl', `a literal of type ${type}`)
    }
  }

  private float(n: number, type: 'f32' | 'f16', round: (x: number) => number, bits: (x: number) => number): Text {
    if (!Number.isFinite(n)) return primary(`${this.helpers.fromBits(type)}(0x${bits(n).toString(16)}u)`)
    if (Object.is(n, -0)) return { text: type === 'f16' ? '-0.0h' : '-0.0', level: levels.unary }
    return signed(`${shortFloat(n, (x) => round(x) === n)}${type === 'f16' ? 'h' : ''}`)
  }

  param(name: string, type: ScalarType): Text {
    const field = `params.${this.fields.get(name) ?? name}`
    if (type === 'bool') return infix('!=', primary(field), primary('0u'))
    return type === 'f16' ? primary(`f16(${field})`) : primary(field)
  }

  private input(name: keyof typeof inputs): string {
    this.used.add(name)
    return name
  }

  builtin(name: Builtin): Text {
    const axis = name.at(-1)!
    const [x, y, z] = this.kernel.block
    switch (name) {
      case 'threadIdx.x':
      case 'threadIdx.y':
      case 'threadIdx.z':
        return primary(`${this.input('local_id')}.${axis}`)
      case 'blockIdx.x':
      case 'blockIdx.y':
      case 'blockIdx.z':
        return primary(`${this.input('workgroup_id')}.${axis}`)
      case 'gridDim.x':
      case 'gridDim.y':
      case 'gridDim.z':
        return primary(`${this.input('num_workgroups')}.${axis}`)
      case 'blockDim.x':
        return primary(`${x}u`)
      case 'blockDim.y':
        return primary(`${y}u`)
      case 'blockDim.z':
        return primary(`${z}u`)
      case 'threadRank':
        return primary(this.input('local_rank'))
      case 'lane':
        return primary(this.input('lane'))
      case 'warpSize':
        return primary(this.input('subgroup_size'))
      case 'presentLanes': // of kernels that were read from PTX, which nobody prints
        return primary('subgroupBallot(true).x')
      case 'warp':
        return infix('/', primary(this.input('local_rank')), primary(this.input('subgroup_size')))
    }
  }

  private shape(resource: string): BufferLayout {
    const shape = this.shapes.get(resource)
    if (!shape) throw new InternalError('emit/wgsl', `no resource ${resource}`)
    return shape
  }

  load(p: Printer, v: Extract<Value, { kind: 'load' }>): Text {
    return loadText(p, this.shape(v.place.resource), v.type, v.width, v.place)
  }

  store(p: Printer, line: Extract<Line, { kind: 'store' }>): readonly string[] {
    return storeText(p, this.shape(line.place.resource), line.type, line.place, line.values)
  }

  matrix(p: Printer, line: Extract<Line, { kind: 'matrix' }>): readonly string[] {
    return [
      matrixText(
        p,
        line,
        (m) => this.matrixName(m),
        (resource) => this.shape(resource),
      ),
    ]
  }

  private matrixName({ name }: Matrix): string {
    const known = this.matrices.get(name) ?? this.reserve(name)
    this.matrices.set(name, known)
    return known
  }

  barrier({ stmt, scope }: Extract<Line, { kind: 'barrier' }>): readonly string[] {
    if (scope === 'grid')
      fail(
        'wgsl.barrier',
        `the blocks of kernel ${this.kernel.name} meet, which workgroups of WGSL cannot`,
        stmt.at,
        'emit CUDA with --target cuda',
      )
    return this.passing.has(stmt) ? ['workgroupBarrier();', 'storageBarrier();'] : ['workgroupBarrier();']
  }

  atomic(p: Printer, v: Extract<Value, { kind: 'atomic' }>): Text {
    const s = this.shape(v.place.resource)
    const cell = s.resource.type === 'i32' ? 'i32' : 'u32'
    const [a, b] = v.args.map((arg) => p.value(arg))
    const native = nativeAtomics[v.op]
    const place = `&${elementText(p, s, v.place)}`
    const isBits = v.op === 'exchange' || v.op === 'load' || v.op === 'store'
    if (native && (v.type === cell || isBits)) {
      const call_ = primary(`${native}(${[place, ...(a ? [bitcastTo(cell, v.type, a).text] : [])].join(', ')})`)
      return v.op === 'store' || !v.used ? call_ : bitcastTo(v.type, cell, call_)
    }
    const index = place.slice(place.indexOf('[') + 1, -1)
    return primary(
      `${this.atomicHelper(s, v)}(u32(${index}), ${[a, b].flatMap((t) => (t ? [t.text] : [])).join(', ')})`,
    )
  }

  /** A compare-and-swap loop on one resource, for what WGSL has no atomic for. */
  private atomicHelper(s: BufferLayout, v: Extract<Value, { kind: 'atomic' }>): string {
    const cell = s.resource.type === 'i32' ? 'i32' : 'u32'
    const operation = v.op === 'compareExchange' ? 'cas' : v.op
    const type = v.type === s.resource.type ? '' : `_${v.type}`
    const name = `${s.name}_atomic_${operation}${type}`
    const key = this.helpers.texts.has(name) ? name : this.reserve(name)
    return this.helpers.add(
      key,
      v.op === 'compareExchange' ? casHelper(key, s.name, v.type, cell) : loopHelper(key, s.name, v.op, v.type, cell),
    )
  }

  private reserve(name: string): string {
    return legalName(name, this.names)
  }

  declare(kind: 'let' | 'var', holder: Holder, name: string, value: string | null): string {
    if (value === null) return `var ${name}: ${holderType(holder)};`
    return `${kind} ${name} = ${value};`
  }

  loopVariable(_: Holder, name: string, value: string): string {
    return `var ${name} = ${value}`
  }

  endless(body: readonly string[], continuing: readonly string[]): readonly string[] {
    if (continuing.length === 0) return ['loop {', ...body, '}']
    return ['loop {', ...body, '', '  continuing {', ...continuing.map((l) => `  ${l}`), '  }', '}']
  }

  /** The whole module around a printed body. */
  module(entry: string, body: readonly string[]): string[] {
    const { block } = this.kernel
    const args = (Object.keys(inputs) as (keyof typeof inputs)[])
      .filter((name) => this.used.has(name))
      .map((name) => `  ${inputs[name]},`) // keys of a constant
    const size = block[2] !== 1 ? block.join(', ') : block[1] !== 1 ? `${block[0]}, ${block[1]}` : `${block[0]}`
    return [
      ...this.enables(),
      ...this.resources(),
      ...[...hookTexts(this.shapes.values()), ...this.helpers.texts.values()].flatMap((text) => [
        ...text.split('\n'),
        '',
      ]),
      `@compute @workgroup_size(${size})`,
      ...(args.length > 0 ? [`fn ${entry}(`, ...args, ') {'] : [`fn ${entry}() {`]),
      ...this.locals(),
      ...body,
      '}',
    ]
  }

  private enables(): string[] {
    const { kernel } = this
    const half = [...kernel.registers, ...kernel.params, ...kernel.resources].some((x) => x.type === 'f16')
    const subgroups = usesSubgroups(kernel.body) || this.used.has('lane') || this.used.has('subgroup_size')
    const lines = [
      ...(half ? ['enable f16;'] : []),
      ...(subgroups ? ['enable subgroups;', 'diagnostic(off, subgroup_uniformity);'] : []),
      ...(this.matrices.size > 0
        ? ['enable chromium_experimental_subgroup_matrix;', 'diagnostic(off, chromium.subgroup_matrix_uniformity);']
        : []),
    ]
    return lines.length > 0 ? [...lines, ''] : []
  }

  private resources(): string[] {
    const bindings = bindingsOf(this.kernel).map(({ resource, binding, kind }) => {
      const shape = this.shape(resource.name)
      const space = kind === 'uniform' ? 'uniform' : kind === 'read' ? 'storage, read' : 'storage, read_write'
      return `@group(0) @binding(${binding}) var<${space}> ${shape.name}: ${arrayType(shape)};`
    })
    const shared = this.kernel.resources
      .filter((r) => r.space === 'shared')
      .map((r) => `var<workgroup> ${this.shape(r.name).name}: ${arrayType(this.shape(r.name))};`)
    return [
      ...this.paramStruct(),
      ...bindings,
      ...this.paramBinding(bindings.length),
      '',
      ...shared,
      ...(shared.length > 0 ? [''] : []),
    ]
  }

  private paramStruct(): string[] {
    const { params } = this.kernel
    if (params.length === 0) return []
    return [
      'struct Params {',
      ...params.map(
        (p) => `  ${this.fields.get(p.name)}: ${p.type === 'bool' ? 'u32' : p.type === 'f16' ? 'f32' : p.type},`,
      ),
      '}',
      '',
    ]
  }

  private paramBinding(binding: number): string[] {
    return this.kernel.params.length === 0 ? [] : [`@group(0) @binding(${binding}) var<uniform> params: Params;`]
  }

  private locals(): string[] {
    const sums = new Map(
      allStatements(this.kernel.body).flatMap((s) =>
        s.kind === 'matrix' && s.step.op === 'clear' ? [[s.step.sum.name, s.step.sum] as const] : [],
      ),
    )
    return [
      ...this.kernel.resources
        .filter((r) => r.space === 'local')
        .map((r) => `  var ${this.shape(r.name).name}: ${arrayType(this.shape(r.name))};`),
      ...[...sums.values()].map((m) => `  var ${this.matrixName(m)}: ${matrixType(m)};`),
    ]
  }
}

const signed = (text: string): Text => ({ text, level: text.startsWith('-') ? levels.unary : levels.primary })

function halfBits(x: number): number {
  return Number.isNaN(x) ? 0x7e00 : x > 0 ? 0x7c00 : 0xfc00
}

function holderType(h: Holder): string {
  return isGroup(h) ? `vec${h.regs.length}<${registerType(h.type)}>` : h.type
}

const nativeAtomics: Partial<Record<Extract<Value, { kind: 'atomic' }>['op'], string>> = {
  add: 'atomicAdd',
  sub: 'atomicSub',
  min: 'atomicMin',
  max: 'atomicMax',
  and: 'atomicAnd',
  or: 'atomicOr',
  xor: 'atomicXor',
  exchange: 'atomicExchange',
  load: 'atomicLoad',
  store: 'atomicStore',
}

/** Compare-and-exchange that fails only when the values differ. */
function casHelper(name: string, array: string, type: string, cell: string): string {
  const bits = (x: string): string => (type === cell ? x : `bitcast<${cell}>(${x})`)
  const back = type === cell ? 'r.old_value' : `bitcast<${type}>(r.old_value)`
  return `fn ${name}(i: u32, expected: ${type}, value: ${type}) -> ${type} {
  loop {
    let r = atomicCompareExchangeWeak(&${array}[i], ${bits('expected')}, ${bits('value')});
    if (r.exchanged || r.old_value != ${bits('expected')}) {
      return ${back};
    }
  }
}`
}

/** What is left in memory, where it is no call of a built-in function. */
const expressions: Readonly<Partial<Record<string, string>>> = {
  add: 'before + value',
  sub: 'before - value',
  increment: 'select(before + 1u, 0u, before >= value)',
  decrement: 'select(before - 1u, value, before == 0u || before > value)',
}

function loopHelper(name: string, array: string, op_: string, type: string, cell: string): string {
  const next = expressions[op_] ?? `${op_}(before, value)`
  return `fn ${name}(i: u32, value: ${type}) -> ${type} {
  var seen = atomicLoad(&${array}[i]);
  loop {
    let before = bitcast<${type}>(seen);
    let r = atomicCompareExchangeWeak(&${array}[i], seen, bitcast<${cell}>(${next}));
    if (r.exchanged) {
      return before;
    }
    seen = r.old_value;
  }
}`
}

const usesSubgroups = (list: readonly Stmt[]): boolean => allStatements(list).some((s) => s.kind === 'subgroup')
