// In: a verified kernel. Out: CUDA C++ with one `extern "C"` kernel. The one idea: the same tree and printer as WGSL
// with another table of spellings; pointers are reinterpreted for vectors. What C leaves undefined is guarded: division
// by what is no non-zero literal, shift amounts, partial warps. Signed arithmetic is assumed not to overflow, as
// elsewhere in C (KernelIR wraps): indices do not.
import { fail, InternalError } from '../base/index.ts'
import { bytesOf, listsOf, type Builtin, type Emitted, type Kernel, type MemoryType, type OpName, type Resource, type ScalarType, type Stmt, type Verified } from '../ir/index.ts'
import { atomicText, type CudaHelpers, divisionHelper, electHelper, quotientHelper, reciprocalHelper, rootHelper, signHelper, warpHelper } from './cuda-helpers.ts'
import { foldKernel } from './fold.ts'
import { split, unitIndex } from './index-math.ts'
import { floatBits, shortFloat } from './literal.ts'
import { legalName, legalNames } from './names.ts'
import { at, call, commentLines, infix, levels, prefix, primary, Printer, type Spell, type Target, type Text } from './print.ts'
import { asksRounding } from './rounding.ts'
import { isGroup, type Holder, type Line, type Place, type Value } from './tree.ts'
import { cudaTaken } from './words-cuda.ts'
import type { EmitOptions } from './wgsl.ts'

/** Types of registers and of memory in C. */
export const cudaType: Readonly<Record<ScalarType | MemoryType, string>> = {
  bool: 'bool', i8: 'signed char', u8: 'unsigned char', i16: 'short', u16: 'unsigned short', i32: 'int', u32: 'unsigned', i64: 'long long', u64: 'unsigned long long',
  f16: '__half', f32: 'float', f64: 'double',
}

/** Vector types that one instruction loads, by element and width. */
const vectorTypes: Readonly<Record<string, string>> = {
  'f32 2': 'float2', 'f32 4': 'float4', 'i32 2': 'int2', 'i32 4': 'int4', 'u32 2': 'uint2', 'u32 4': 'uint4',
  'f64 2': 'double2', 'i64 2': 'longlong2', 'u64 2': 'ulonglong2', 'f16 2': '__half2',
}

/** The kernel as CUDA C++ for nvcc and NVRTC. Arguments: global and constant resources in declared order, then parameters. */
export function emitCuda(kernel: Verified<Kernel>, options: EmitOptions = {}): Emitted {
  const { entry, includes, helpers, text } = printCuda(kernel, new Set(cudaTaken), 'extern "C"', options.rounded ?? asksRounding(kernel))
  const parts = [...includes, ...(includes.length > 0 ? [''] : []), ...[...helpers.values()].flatMap((helper) => [helper, '']), ...text]
  return { target: 'cuda', entry, text: `${[...(options.header ?? []).flatMap(commentLines), ...parts].join('\n')}\n` }
}

/** The parts of a kernel's text, so that several can stand in one file. */
export interface CudaParts {
  readonly entry: string
  readonly includes: readonly string[]
  /** Helper functions by name; one name always has one text. */
  readonly helpers: ReadonlyMap<string, string>
  readonly text: readonly string[]
}

/** Prints a kernel with the given linkage; `rounded`: quotients, roots and powers to the nearest. The name that it gets is added to `taken`. */
export function printCuda(kernel: Verified<Kernel>, taken: Set<string>, linkage: 'extern "C"' | 'static', rounded: boolean): CudaParts {
  refuseLargeShared(kernel)
  const entry = legalName(kernel.name, taken)
  const local = new Set(taken)
  const names = legalNames([...kernel.resources, ...kernel.params].map((x) => x.name), local)
  const target = new CudaTarget(kernel, names, local, rounded)
  const lines = foldKernel(kernel, { canGroup: (load) => `${load.type} ${load.dst.length}` in vectorTypes })
  const body = new Printer(target).block(lines)
  return { entry, includes: target.includes(), helpers: target.helpers, text: target.definition(entry, body, linkage) }
}

/** Shared arrays declared in a kernel may take 48 KiB together on every GPU; more needs an opt-in at launch. */
const maxStaticShared = 49152

function refuseLargeShared(kernel: Kernel): void {
  const bytes = kernel.resources.filter((r) => r.space === 'shared').reduce((n, r) => n + (r.count ?? 0) * bytesOf[r.type], 0)
  if (bytes > maxStaticShared) fail('cuda.shared', `kernel ${kernel.name} declares ${bytes} bytes of shared memory; CUDA takes at most ${maxStaticShared} in declared arrays`, undefined, 'use smaller tiles')
}

const op = (symbol: string): Spell => ([a, b]) => infix(symbol, a!, b!) // arity is verified
const cast = (type: string, a: Text): Text => ({ text: `(${type})${at(a, levels.unary)}`, level: levels.unary })

/** A math function: `name` for double, `namef` for float, through float for half. */
const math = (name: string): Spell => (args, type) => {
  if (type === 'f64') return call(name, ...args)
  if (type === 'f16') return call('__float2half', call(`${name}f`, ...args.map((a) => call('__half2float', a))))
  return call(`${name}f`, ...args)
}

/** `name` on integers, the math function `float` on floats. */
const either = (integer: string, float: string): Spell => (args, type, from) =>
  (type === 'f16' || type === 'f32' || type === 'f64' ? math(float)(args, type, from) : call(integer, ...args))

const wideName = (narrow: string, wide: string): Spell => ([a], type) => {
  const text = call(type === 'i64' || type === 'u64' ? wide : narrow, cast(type === 'u64' || type === 'i64' ? 'long long' : 'int', a!))
  return type === 'i32' ? text : cast(cudaType[type], text)
}

/** `exact`: quotients, roots and powers are rounded as well as CUDA can; else to the bounds of `docs/c.md`. */
const opTable = (h: CudaHelpers, exact: boolean): Record<OpName, Spell> => ({
  add: op('+'), sub: op('-'), mul: op('*'),
  div: (args, type) => (type === 'f32' && !exact ? quotient(h, args) : divide(h, '/', args, type)), rem: (args, type) => divide(h, '%', args, type),
  neg: ([a], type) => (type === 'u32' || type === 'u64' ? infix('-', primary(type === 'u32' ? '0u' : '0ull'), a!) : prefix('-', a!)),
  abs: (args, type, from) => (type === 'u32' || type === 'u64' ? args[0]! : type === 'i64' ? call('llabs', ...args) : either('abs', 'fabs')(args, type, from)),
  sign: (args, type) => call(signHelper(h, type), ...args),
  min: either('min', 'fmin'), max: either('max', 'fmax'),
  fma: math('fma'), floor: math('floor'), ceil: math('ceil'), trunc: math('trunc'), round: math('rint'),
  and: op('&'), or: op('|'), xor: op('^'), not: ([a]) => prefix('~', a!),
  shl: shift('<<'), shr: shift('>>'),
  mulhi: (args, type) => call({ i32: '__mulhi', u32: '__umulhi', i64: '__mul64hi', u64: '__umul64hi' }[type as 'i32'], ...args), // integers only
  popcount: wideName('__popc', '__popcll'), clz: wideName('__clz', '__clzll'),
  ctz: ([a], type) => wideName('__clz', '__clzll')([call(type === 'i64' || type === 'u64' ? '__brevll' : '__brev', a!)], type, type),
  reverseBits: ([a], type) => cast(cudaType[type], call(type === 'i64' || type === 'u64' ? '__brevll' : '__brev', a!)),
  eq: op('=='), ne: op('!='), lt: op('<'), le: op('<='), gt: op('>'), ge: op('>='),
  land: op('&'), lor: op('|'), lnot: ([a]) => prefix('!', a!),
  select: ([c, a, b]) => ({ text: `${at(c!, levels.logic)} ? ${at(a!, levels.logic)} : ${at(b!, levels.logic)}`, level: levels.choice }),
  sqrt: (args, type, from) => (type === 'f32' && !exact ? call(rootHelper(h), ...args) : math('sqrt')(args, type, from)), rsqrt: math('rsqrt'),
  rcp: ([a], type) => (type === 'f32' && !exact ? quotient(h, [primary('1.0f'), a!]) : infix('/', primary(type === 'f64' ? '1.0' : type === 'f32' ? '1.0f' : '__float2half(1.0f)'), a!)),
  exp: math('exp'), exp2: math('exp2'), log: math('log'), log2: math('log2'), sin: math('sin'), cos: math('cos'), tan: math('tan'),
  asin: math('asin'), acos: math('acos'), atan: math('atan'), sinh: math('sinh'), cosh: math('cosh'), tanh: math('tanh'), pow: (args, type, from) => (type === 'f32' && !exact ? power(args) : undefined) ?? math('pow')(args, type, from), atan2: math('atan2'),
  convert: ([a], type, from) => convert(a!, type, from), bitcast: ([a], type, from) => bitcast(a!, type, from),
  copy: ([a]) => a!,
})

/** Plain where the divisor is a literal other than 0 and −1; else a helper that says what KernelIR says. */
function divide(h: CudaHelpers, symbol: '/' | '%', args: readonly Text[], type: ScalarType): Text {
  const [a, b] = [args[0]!, args[1]!]
  if (type === 'f16' || type === 'f32' || type === 'f64') return symbol === '/' ? infix('/', a, b) : math('fmod')([a, b], type, type)
  const known = /^(-?\d+)(u|ll|ull)?$/.exec(b.text)?.[1]
  if (known !== undefined && known !== '0' && known !== '-1') return infix(symbol, a, b)
  return call(divisionHelper(h, symbol, type), a, b)
}

/** The value of a literal of single precision. */
const singleOf = ({ text }: Text): number | undefined => (/^-?\d[\d.]*(e[+-]?\d+)?f$/.test(text) ? Math.fround(Number(text.slice(0, -1))) : undefined)

/** Of single precision, within 2 ulp; by a literal the product with its reciprocal, within 1 ulp where both are normal numbers. */
function quotient(h: CudaHelpers, [a, b]: readonly Text[]): Text {
  const by = singleOf(b!), inverse = by === undefined ? 0 : Math.fround(1 / by) // two arguments
  const normal = (x: number): boolean => Math.abs(x) >= 2 ** -126 && Math.abs(x) < 2 ** 126
  if (by !== undefined && normal(by) && normal(inverse)) return infix('*', a!, singleText(inverse))
  return singleOf(a!) === 1 ? call(reciprocalHelper(h), b!) : call(quotientHelper(h), a!, b!)
}

/** A power whose exponent is a literal and no whole number: 2^(y · log2 x), which is NaN below zero as the power is. */
function power([x, y]: readonly Text[]): Text | undefined {
  const exponent = singleOf(y!) // two arguments
  return exponent === undefined || Number.isInteger(exponent) ? undefined : call('exp2f', infix('*', y!, call('log2f', x!)))
}

const singleText = (n: number): Text => signed(`${Object.is(n, -0) ? '-0.0' : shortFloat(n, (x) => Math.fround(x) === n)}f`)

function shift(symbol: '<<' | '>>'): Spell {
  return ([a, b], type) => {
    const mask = type === 'i64' || type === 'u64' ? 63 : 31
    const known = /^(-?\d+)(u|ll|ull)?$/.exec(b!.text)?.[1]
    return known !== undefined ? infix(symbol, a!, primary(`${Number(known) & mask}`)) : infix(symbol, a!, infix('&', b!, primary(`${mask}`)))
  }
}

function convert(a: Text, type: ScalarType, from: ScalarType): Text {
  if (type === from) return a
  if (type === 'bool') return infix('!=', from === 'f16' ? call('__half2float', a) : a, primary('0'))
  if (from === 'f16') return convert(call('__half2float', a), type, 'f32')
  if (type === 'f16') return call(from === 'f64' ? '__double2half' : '__float2half', from === 'f32' || from === 'f64' ? a : cast('float', a))
  if ((from === 'f32' || from === 'f64') && type !== 'f32' && type !== 'f64') return call(`__${from === 'f32' ? 'float' : 'double'}2${saturating[type]}_rz`, a)
  return cast(cudaType[type], a)
}

/** What intrinsics that truncate and saturate call integer types; a C cast is undefined out of range. */
const saturating = { i32: 'int', u32: 'uint', i64: 'll', u64: 'ull' } as const

function bitcast(a: Text, type: ScalarType, from: ScalarType): Text {
  if (type === from) return a
  const names: Readonly<Record<string, string>> = {
    'i32 f32': '__int_as_float', 'u32 f32': '__uint_as_float', 'f32 i32': '__float_as_int', 'f32 u32': '__float_as_uint',
    'i64 f64': '__longlong_as_double', 'f64 i64': '__double_as_longlong',
  }
  const name = names[`${from} ${type}`]
  if (name) return call(name, a)
  if (from === 'u64' && type === 'f64') return call('__longlong_as_double', cast('long long', a))
  if (from === 'f64') return cast(cudaType[type], call('__double_as_longlong', a))
  return cast(cudaType[type], a)
}

class CudaTarget implements Target {
  readonly taken: ReadonlySet<string>
  readonly ops: Record<OpName, Spell>
  readonly subgroups: Target['subgroups']
  readonly helpers: CudaHelpers = new Map()
  private readonly kernel: Kernel
  private readonly names: ReadonlyMap<string, string>
  private loops = 0

  /** Resources whose loads stay where they stand. */
  private readonly held: ReadonlySet<string>

  constructor(kernel: Kernel, names: ReadonlyMap<string, string>, taken: ReadonlySet<string>, rounded: boolean) {
    this.kernel = kernel
    this.names = names
    this.taken = taken
    this.ops = opTable(this.helpers, rounded)
    this.held = heldOf(kernel)
    const whole = (kernel.block[0] * kernel.block[1] * kernel.block[2]) % 32 === 0
    this.subgroups = warpTable(this.helpers, whole)
  }

  literal(type: ScalarType, value: number | bigint): Text {
    const n = Number(value)
    switch (type) {
      case 'bool': return primary(n ? 'true' : 'false')
      case 'i32': return n === -2147483648 ? primary('(-2147483647 - 1)') : signed(`${n}`)
      case 'u32': return primary(`${n}u`)
      case 'i64': return BigInt(value) === -(2n ** 63n) ? primary('(-9223372036854775807ll - 1)') : signed(`${value}ll`)
      case 'u64': return primary(`${value}ull`)
      case 'f16': return call('__float2half', this.literal('f32', n))
      case 'f32': return Number.isFinite(n) ? singleText(n) : primary(`__int_as_float(0x${floatBits(n).toString(16)})`)
      case 'f64': return Number.isFinite(n) ? signed(Object.is(n, -0) ? '-0.0' : shortFloat(n, (x) => x === n)) : primary(`__longlong_as_double(0x${doubleBits(n).toString(16)}ull)`)
    }
  }

  private name(old: string): string {
    return this.names.get(old) ?? old
  }

  param(name: string): Text {
    return primary(this.name(name))
  }

  /** Built-in values are u32 in KernelIR, and unsigned in CUDA but for `warpSize`. */
  builtin(name: Builtin): Text {
    switch (name) {
      case 'threadIdx.x': case 'threadIdx.y': case 'threadIdx.z': case 'blockIdx.x': case 'blockIdx.y': case 'blockIdx.z':
      case 'gridDim.x': case 'gridDim.y': case 'gridDim.z': return primary(name)
      case 'blockDim.x': return primary(`${this.kernel.block[0]}u`)
      case 'blockDim.y': return primary(`${this.kernel.block[1]}u`)
      case 'blockDim.z': return primary(`${this.kernel.block[2]}u`)
      case 'threadRank': return this.rank()
      case 'lane': return infix('%', this.rank(), primary('32u'))
      case 'warp': return infix('/', this.rank(), primary('32u'))
      case 'warpSize': return primary('32u')
    }
  }

  private rank(): Text {
    const [x, y, z] = this.kernel.block
    const row = z > 1 ? `(threadIdx.y + ${y}u * threadIdx.z)` : 'threadIdx.y'
    return y * z === 1 ? primary('threadIdx.x') : { text: `threadIdx.x + ${x}u * ${row}`, level: levels.sum }
  }

  private resource(name: string): Resource {
    const found = this.kernel.resources.find((r) => r.name === name)
    if (!found) throw new InternalError('emit/cuda', `no resource ${name}`)
    return found
  }

  /** An lvalue of `cType` (elements of `type` where it is no vector) at a place. */
  private element(p: Printer, place: Place, type: MemoryType, cType = cudaType[type], constant = false): string {
    const r = this.resource(place.resource)
    const pointer = `${constant ? 'const ' : ''}${cType}*`
    const bytes = bytesOf[r.type]
    const whole = isDivisible(place, bytes)
    if (whole && r.type === type && cType === cudaType[type]) return `${this.name(r.name)}[${p.value(unitIndex(place, bytes)).text}]`
    if (whole) return `*reinterpret_cast<${pointer}>(&${this.name(r.name)}[${p.value(unitIndex(place, bytes)).text}])`
    const byte = p.value(unitIndex(place, 1)).text
    return `*reinterpret_cast<${pointer}>(reinterpret_cast<${constant ? 'const ' : ''}char*>(${this.name(r.name)}) + ${byte})`
  }

  load(p: Printer, v: Extract<Value, { kind: 'load' }>): Text {
    const cType = v.width === 1 ? cudaType[v.type] : vectorTypes[`${v.type} ${v.width}`]
    const text = this.element(p, v.place, v.type, cType, this.resource(v.place.resource).access === 'read')
    if (this.held.has(v.place.resource) && bytesOf[v.type] >= 4) return primary(`__ldca(${`&${text}`.replace(/^&\*/, '')})`)
    return text.startsWith('*') ? { text, level: levels.unary } : primary(text)
  }

  store(p: Printer, line: Extract<Line, { kind: 'store' }>): readonly string[] {
    const { type, place, values } = line
    const vector = vectorTypes[`${type} ${values.length}`]
    if (vector) return [`${this.element(p, place, type, vector)} = ${this.vector(p, vector, values)};`]
    return values.map((v, i) => {
      const target = this.element(p, { ...place, offset: place.offset + i * bytesOf[type] }, type)
      return `${target} = ${bytesOf[type] < 4 && type !== 'f16' ? cast(cudaType[type], p.value(v)).text : p.value(v).text};`
    })
  }

  private vector(p: Printer, type: string, values: readonly Value[]): string {
    const [first] = values
    const isGroupWhole = first?.kind === 'component' && first.group.regs.length === values.length
      && values.every((v, i) => v.kind === 'component' && v.group === first.group && v.index === i)
    if (isGroupWhole) return p.nameOf(first.group)
    const make = type === '__half2' ? '__halves2half2' : `make_${type}`
    return call(make, ...values.map((v) => p.value(v))).text
  }

  atomic(p: Printer, v: Extract<Value, { kind: 'atomic' }>): Text {
    return atomicText(this.helpers, v.op, v.type, `&${this.element(p, v.place, v.type)}`.replace(/^&\*/, ''), v.args.map((a) => p.value(a)))
  }

  barrier({ scope }: Extract<Line, { kind: 'barrier' }>): readonly string[] {
    return [scope === 'block' ? '__syncthreads();' : '__syncwarp(__activemask());']
  }

  /** What is declared without a value is zero, as in WGSL. */
  declare(kind: 'let' | 'var', holder: Holder, name: string, value: string | null): string {
    const type = isGroup(holder) ? vectorTypes[`${holder.type} ${holder.regs.length}`] : cudaType[holder.type]
    return `${kind === 'let' ? 'const ' : ''}${type} ${name} = ${value ?? (isGroup(holder) || holder.type === 'f16' ? '{}' : this.literal(holder.type, 0).text)};`
  }

  loopVariable(holder: Holder, name: string, value: string): string {
    return `${isGroup(holder) ? '' : cudaType[holder.type]} ${name} = ${value}`
  }

  /** `continue` becomes a jump to the continuing part, which stands outside the body's braces. */
  endless(body: readonly string[], continuing: readonly string[], continues: boolean): readonly string[] {
    if (continuing.length === 0) return ['while (true) {', ...body, '}']
    if (!continues) return ['while (true) {', ...body, ...continuing, '}']
    const label = `next_${++this.loops}`
    return ['while (true) {', '  {', ...rewriteContinue(body, label).map((l) => `  ${l}`), '  }', `  ${label}:;`, ...continuing, '}']
  }

  definition(entry: string, body: readonly string[], linkage: string): string[] {
    const { block } = this.kernel
    const args = this.arguments().map((a, i, all) => `    ${a}${i < all.length - 1 ? ',' : ')'}`)
    const head = `${linkage} __global__ void __launch_bounds__(${block[0] * block[1] * block[2]}) ${entry}(`
    return [args.length === 0 ? `${head})` : head, ...args, '{', ...this.arrays(), ...body, '}']
  }

  includes(): string[] {
    const { kernel } = this
    return [...kernel.registers, ...kernel.params, ...kernel.resources].some((x) => x.type === 'f16') ? ['#include <cuda_fp16.h>'] : []
  }

  private arguments(): string[] {
    const bound = this.kernel.resources.filter((r) => r.space === 'global' || r.space === 'constant')
    const pointers = bound.map((r) => `${r.access === 'read' ? 'const ' : ''}${cudaType[r.type]}* __restrict__ ${this.name(r.name)}`)
    return [...pointers, ...this.kernel.params.map((p) => `${cudaType[p.type]} ${this.name(p.name)}`)]
  }

  private arrays(): string[] {
    return this.kernel.resources.flatMap((r) => {
      const name = this.name(r.name)
      if (r.space === 'local') return [`  ${cudaType[r.type]} ${name}[${r.count}]${r.zeroed ? ' = {}' : ''};`]
      if (r.space !== 'shared') return []
      return [`  __shared__ __align__(16) ${cudaType[r.type]} ${name}[${r.count}];`, ...(r.zeroed ? this.zeroing(r, name) : [])]
    })
  }

  private zeroing(r: Resource, name: string): string[] {
    const [x, y, z] = this.kernel.block
    return [`  for (unsigned at = ${this.rank().text}; at < ${r.count}u; at += ${x * y * z}u) {`, `    ${name}[at] = ${r.type === 'f16' ? '__float2half(0.0f)' : '0'};`, '  }', '  __syncthreads();']
  }
}

/** Whether a place is a whole number of elements of `bytes`. */
function isDivisible(place: Place, bytes: number): boolean {
  if (place.offset % bytes !== 0) return false
  if (place.stride % bytes === 0) return true
  return place.stride > 0 && bytes % place.stride === 0 && split(place.index, bytes / place.stride)?.rest === 0
}

/** Replaces the `continue`s of this loop; those of inner loops stay. Inner loops begin with `for (` or `while (` lines. */
function rewriteContinue(body: readonly string[], label: string): string[] {
  let innerIndent = -1
  return body.map((line) => {
    const indent = line.search(/\S/)
    if (innerIndent >= 0 && indent <= innerIndent && line.trim() === '}') innerIndent = -1
    else if (innerIndent < 0 && /^\s*(for|while) \(/.test(line)) innerIndent = indent
    return innerIndent < 0 ? line.replace(/^(\s*)continue;$/, `$1goto ${label};`) : line
  })
}

function doubleBits(value: number): bigint {
  return new BigUint64Array(new Float64Array([value]).buffer)[0]! // one element
}

const signed = (text: string): Text => ({ text, level: text.startsWith('-') ? levels.unary : levels.primary })

/** Warp operations: all 32 lanes where a kernel of whole warps has them together, the active ones elsewhere. */
function warpTable(h: CudaHelpers, whole: boolean): Target['subgroups'] {
  const mask = (nested: boolean): Text => primary(nested || !whole ? '__activemask()' : '0xffffffffu')
  const shuffle = (name: string) => (_: readonly Value[], [v, by]: readonly Text[], type: ScalarType, nested: boolean): Text => {
    const moved = call(name, mask(nested), type === 'bool' ? cast('int', v!) : v!, by!)
    return type === 'bool' ? infix('!=', moved, primary('0')) : moved
  }
  const helper = (kind: 'reduce' | 'inclusive' | 'exclusive', what: string) => (_: readonly Value[], [v]: readonly Text[], type: ScalarType, nested: boolean): Text =>
    call(warpHelper(h, kind, what, type), v!, mask(nested))
  const first = primary('__ffs(__activemask()) - 1')
  return {
    shuffle: shuffle('__shfl_sync'), shuffleXor: shuffle('__shfl_xor_sync'), shuffleUp: shuffle('__shfl_up_sync'), shuffleDown: shuffle('__shfl_down_sync'), broadcast: shuffle('__shfl_sync'),
    broadcastFirst: (a, [v], type, nested) => shuffle('__shfl_sync')(a, [v!, first], type, nested),
    add: helper('reduce', 'add'), mul: helper('reduce', 'mul'), min: helper('reduce', 'min'), max: helper('reduce', 'max'),
    and: helper('reduce', 'and'), or: helper('reduce', 'or'), xor: helper('reduce', 'xor'),
    inclusiveAdd: helper('inclusive', 'add'), exclusiveAdd: helper('exclusive', 'add'), inclusiveMul: helper('inclusive', 'mul'), exclusiveMul: helper('exclusive', 'mul'),
    any: (_, [v], _type, nested) => infix('!=', call('__any_sync', mask(nested), v!), primary('0')),
    all: (_, [v], _type, nested) => infix('!=', call('__all_sync', mask(nested), v!), primary('0')),
    ballot: (_, [v], _type, nested) => call('__ballot_sync', mask(nested), v!),
    elect: () => call(electHelper(h)),
  }
}

/** Global resources that the kernel reads alone although it may write them (see `Resource.access`). */
function heldOf(kernel: Kernel): ReadonlySet<string> {
  const written = new Set<string>()
  const walk = (list: readonly Stmt[]): void => list.forEach((s) => {
    if (s.kind === 'store' || s.kind === 'atomic') written.add(s.address.resource)
    listsOf(s).forEach(walk)
  })
  walk(kernel.body)
  return new Set(kernel.resources.filter((r) => r.space === 'global' && r.access === 'read-write' && !written.has(r.name)).map((r) => r.name))
}
