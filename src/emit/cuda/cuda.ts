// In: a verified kernel. Out: CUDA C++ with one `extern "C"` kernel. The one idea: the same tree and printer as WGSL
// with another table of spellings; pointers are reinterpreted for vectors. Warps that are not whole are guarded. Signed
// arithmetic is assumed not to overflow, as elsewhere in C (KernelIR wraps): indices do not.
import { fail, InternalError } from '../../base/index.ts'
import {
  boundResources,
  bytesOf,
  listsOf,
  meetsGrid,
  sharedBytesOf,
  sharedPlaces,
  type Builtin,
  type Emitted,
  type Kernel,
  type MemoryType,
  type OpName,
  type Resource,
  type ScalarType,
  type SharedPlaces,
  type Stmt,
  type Verified,
} from '../../ir/index.ts'
import {
  atomicText,
  byteHelper,
  type CudaHelpers,
  electHelper,
  extendsHalves,
  meetingHelper,
  warpHelper,
} from './device-functions.ts'
import { castText, cudaType, opTable, signed, singleText } from './op-spellings.ts'
import { foldKernel } from '../expression-folding.ts'
import { constantQuotient, unitIndex } from '../index-math.ts'
import { floatBits, shortFloat } from '../literal.ts'
import { legalName, legalNames } from '../legal-names.ts'
import { changedAcross, mergedWithWritten } from '../communicating-arrays.ts'
import {
  call,
  commentLines,
  infix,
  levels,
  primary,
  Printer,
  type Spell,
  type PrintTarget,
  type Text,
} from '../printer.ts'
import { negatesIntoExtremes } from '../integer-extremes.ts'
import { withKnownZeros } from '../known-bits.ts'
import { asksRounding } from '../rounding.ts'
import { isGroup, type Holder, type Line, type ResourcePlace, type Value } from '../tree.ts'
import { cudaTaken } from './reserved-words.ts'
import type { EmitOptions } from '../wgsl/wgsl.ts'

/** Vector types that one instruction loads, by element and width. */
const vectorTypes: Readonly<Record<string, string>> = {
  'f32 2': 'float2',
  'f32 4': 'float4',
  'i32 2': 'int2',
  'i32 4': 'int4',
  'u32 2': 'uint2',
  'u32 4': 'uint4',
  'f64 2': 'double2',
  'i64 2': 'longlong2',
  'u64 2': 'ulonglong2',
  'f16 2': '__half2',
}

/**
 * The kernel as CUDA C++ for nvcc and NVRTC. Arguments: global and constant resources in declared order, then
 * parameters. Where its blocks meet (`meetsGrid`) it wants a cooperative launch, and two launches of one module may not
 * overlap: they would count each other's blocks. Where its shared arrays are more than may be declared (`sharedPlaces`)
 * it wants their bytes at launch.
 */
export function emitCuda(kernel: Verified<Kernel>, options: EmitOptions = {}): Emitted {
  const { entry, includes, helpers, text } = printCuda(
    kernel,
    new Set(cudaTaken),
    'extern "C"',
    options.rounded ?? asksRounding(kernel),
  )
  const parts = [
    ...includes,
    ...(includes.length > 0 ? [''] : []),
    ...[...helpers.values()].flatMap((helper) => [helper, '']),
    ...text,
  ]
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

/**
 * Prints a kernel with the given linkage; `rounded`: quotients, roots and powers to the nearest; `constants`:
 * parameters that have the same value in all launches, which it does not take. The name that it gets is added to
 * `taken`.
 */
export function printCuda(
  given: Verified<Kernel>,
  taken: Set<string>,
  linkage: 'extern "C"' | 'static',
  rounded: boolean,
  constants: ReadonlyMap<string, number> = new Map(),
): CudaParts {
  const kernel = withKnownZeros(given)
  refuseLargeShared(kernel)
  const entry = legalName(kernel.name, taken)
  const local = new Set(taken)
  const names = legalNames(
    [...kernel.resources, ...kernel.params].map((x) => x.name),
    local,
  )
  const target = new CudaTarget(kernel, names, local, rounded, linkage === 'static', constants)
  const lines = foldKernel(kernel, { canGroup: (load) => `${load.type} ${load.dst.length}` in vectorTypes })
  const body = new Printer(target).block(lines)
  return { entry, includes: target.includes(), helpers: target.helpers, text: target.definition(entry, body, linkage) }
}

/**
 * The most that a block may ask for at launch, on any GPU (CUDA programming guide, cc 9.0); smaller ones refuse the
 * launch.
 */
const mostShared = 232448

function refuseLargeShared(kernel: Kernel): void {
  const bytes = sharedBytesOf(kernel)
  if (bytes > mostShared)
    fail(
      'cuda.shared',
      `kernel ${kernel.name} declares ${bytes} bytes of shared memory; CUDA takes at most ${mostShared}`,
      undefined,
      'use smaller tiles',
    )
}

class CudaTarget implements PrintTarget {
  readonly taken: ReadonlySet<string>
  readonly ops: Record<OpName, Spell>
  readonly subgroups: PrintTarget['subgroups']
  readonly helpers: CudaHelpers = new Map()
  private readonly kernel: Kernel
  private readonly names: ReadonlyMap<string, string>
  private loops = 0
  /** Where shared arrays are that are too many to be declared. */
  private readonly places: SharedPlaces | null
  /** Parameters that are known. */
  private readonly constants: ReadonlyMap<string, number>
  /** Blocks meet by CUDA's own library, whose header NVRTC may not find. */
  private readonly groups: boolean

  /** Whether signed bytes are loaded as integers of any size (`byteHelper`). */
  private readonly widensBytes: boolean
  /** Resources whose loads stay where they stand. */
  private readonly held: ReadonlySet<string>

  constructor(
    kernel: Kernel,
    names: ReadonlyMap<string, string>,
    taken: ReadonlySet<string>,
    rounded: boolean,
    groups: boolean,
    constants: ReadonlyMap<string, number>,
  ) {
    this.kernel = kernel
    this.constants = constants
    this.places = sharedPlaces(kernel)
    this.groups = groups
    this.names = names
    this.taken = taken
    this.ops = opTable(this.helpers, rounded, negatesIntoExtremes(kernel))
    this.held = heldOf(kernel)
    this.widensBytes = extendsHalves(kernel)
    const whole = (kernel.block[0] * kernel.block[1] * kernel.block[2]) % 32 === 0
    this.subgroups = warpTable(this.helpers, whole)
  }

  /** Plans have kernels without them for CUDA. */
  matrix(): never {
    throw new InternalError('emit/cuda', `a step on matrices in kernel ${this.kernel.name}`)
  }

  literal(type: ScalarType, value: number | bigint): Text {
    const n = Number(value)
    switch (type) {
      case 'bool':
        return primary(n ? 'true' : 'false')
      case 'i32':
        return n === -2147483648 ? primary('(-2147483647 - 1)') : signed(`${n}`)
      case 'u32':
        return primary(`${n}u`)
      case 'i64':
        return BigInt(value) === -(2n ** 63n) ? primary('(-9223372036854775807ll - 1)') : signed(`${value}ll`)
      case 'u64':
        return primary(`${value}ull`)
      case 'f16':
        return call('__float2half', this.literal('f32', n))
      case 'f32':
        return Number.isFinite(n) ? singleText(n) : primary(`__int_as_float(0x${floatBits(n).toString(16)})`)
      case 'f64':
        return Number.isFinite(n)
          ? signed(Object.is(n, -0) ? '-0.0' : shortFloat(n, (x) => x === n))
          : primary(`__longlong_as_double(0x${doubleBits(n).toString(16)}ull)`)
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
      case 'threadIdx.x':
      case 'threadIdx.y':
      case 'threadIdx.z':
      case 'blockIdx.x':
      case 'blockIdx.y':
      case 'blockIdx.z':
      case 'gridDim.x':
      case 'gridDim.y':
      case 'gridDim.z':
        return primary(name)
      case 'blockDim.x':
        return primary(`${this.kernel.block[0]}u`)
      case 'blockDim.y':
        return primary(`${this.kernel.block[1]}u`)
      case 'blockDim.z':
        return primary(`${this.kernel.block[2]}u`)
      case 'threadRank':
        return this.rank()
      case 'lane':
        return infix('%', this.rank(), primary('32u'))
      case 'warp':
        return infix('/', this.rank(), primary('32u'))
      case 'warpSize':
        return primary('32u')
      case 'presentLanes': // of kernels that were read, which nobody prints
        return primary('__activemask()')
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
  private element(
    p: Printer,
    place: ResourcePlace,
    type: MemoryType,
    cType = cudaType[type],
    constant = false,
  ): string {
    const r = this.resource(place.resource)
    const pointer = `${constant ? 'const ' : ''}${cType}*`
    const bytes = bytesOf[r.type]
    const whole = isDivisible(place, bytes)
    if (whole && r.type === type && cType === cudaType[type])
      return `${this.name(r.name)}[${p.value(unitIndex(place, bytes)).text}]`
    if (whole) return `*reinterpret_cast<${pointer}>(&${this.name(r.name)}[${p.value(unitIndex(place, bytes)).text}])`
    const byte = p.value(unitIndex(place, 1)).text
    return (
      `*reinterpret_cast<${pointer}>(reinterpret_cast<${constant ? 'const ' : ''}char*>(${this.name(r.name)}) + ` +
      `${byte})`
    )
  }

  load(p: Printer, v: Extract<Value, { kind: 'load' }>): Text {
    const cType = v.width === 1 ? cudaType[v.type] : vectorTypes[`${v.type} ${v.width}`]
    const text = this.element(p, v.place, v.type, cType, this.resource(v.place.resource).access === 'read')
    if (this.held.has(v.place.resource) && bytesOf[v.type] >= 4)
      return primary(`__ldca(${`&${text}`.replace(/^&\*/, '')})`)
    if (v.type === 'i8' && this.widensBytes) return call(byteHelper(this.helpers), primary(text))
    return text.startsWith('*') ? { text, level: levels.unary } : primary(text)
  }

  /**
   * C promotes unsigned integers of 8 and 16 bits to int, where KernelIR has u32: ~x, x - y and x >> n would be signed.
   * One argument that is unsigned makes an operator so; min and max want both of one type.
   */
  operands(v: Extract<Value, { kind: 'op' | 'subgroup' }>, texts: readonly Text[]): readonly Text[] {
    if (v.op === 'copy' || v.op === 'convert' || v.op === 'bitcast' || v.type === 'bool') return texts
    if (v.op === 'min' || v.op === 'max') return texts.map((t, i) => promoted(v.args[i]!, t)) // one text an argument
    const first = v.op === 'select' ? 1 : 0,
      isShift = v.op === 'shl' || v.op === 'shr',
      deciding = v.args.slice(first, isShift ? 1 : undefined)
    if (!deciding.every((a) => narrowTypeOf(a)?.startsWith('u'))) return texts
    return texts.map((t, i) => (i === first ? promoted(v.args[i]!, t) : t)) // as above
  }

  store(p: Printer, line: Extract<Line, { kind: 'store' }>): readonly string[] {
    const { type, place, values } = line
    const vector = vectorTypes[`${type} ${values.length}`]
    if (vector) return [`${this.element(p, place, type, vector)} = ${this.vector(p, vector, values)};`]
    return values.map((v, i) => {
      const target = this.element(p, { ...place, offset: place.offset + i * bytesOf[type] }, type)
      return (
        `${target} = ` +
        `${bytesOf[type] < 4 && type !== 'f16' ? castText(cudaType[type], p.value(v)).text : p.value(v).text};`
      )
    })
  }

  private vector(p: Printer, type: string, values: readonly Value[]): string {
    const [first] = values
    const isGroupWhole =
      first?.kind === 'component' &&
      first.group.regs.length === values.length &&
      values.every((v, i) => v.kind === 'component' && v.group === first.group && v.index === i)
    if (isGroupWhole) return p.nameOf(first.group)
    const make = type === '__half2' ? '__halves2half2' : `make_${type}`
    return call(make, ...values.map((v) => p.value(v))).text
  }

  atomic(p: Printer, v: Extract<Value, { kind: 'atomic' }>): Text {
    return atomicText(
      this.helpers,
      v.op,
      v.type,
      `&${this.element(p, v.place, v.type)}`.replace(/^&\*/, ''),
      v.args.map((a) => p.value(a)),
    )
  }

  barrier({ scope }: Extract<Line, { kind: 'barrier' }>): readonly string[] {
    switch (scope) {
      case 'warp':
        return ['__syncwarp(__activemask());']
      case 'block':
        return ['__syncthreads();']
      case 'grid':
        return [this.groups ? 'cooperative_groups::this_grid().sync();' : `${meetingHelper(this.helpers)}();`]
    }
  }

  /** What is declared without a value is zero, as in WGSL. */
  declare(kind: 'let' | 'var', holder: Holder, name: string, value: string | null): string {
    const type = isGroup(holder) ? vectorTypes[`${holder.type} ${holder.regs.length}`] : cudaType[holder.type]
    return (
      `${kind === 'let' ? 'const ' : ''}${type} ${name} = ` +
      `${value ?? (isGroup(holder) || holder.type === 'f16' ? '{}' : this.literal(holder.type, 0).text)};`
    )
  }

  loopVariable(holder: Holder, name: string, value: string): string {
    return `${isGroup(holder) ? '' : cudaType[holder.type]} ${name} = ${value}`
  }

  /** `continue` becomes a jump to the continuing part, which stands outside the body's braces. */
  endless(body: readonly string[], continuing: readonly string[], continues: boolean): readonly string[] {
    if (continuing.length === 0) return ['while (true) {', ...body, '}']
    if (!continues) return ['while (true) {', ...body, ...continuing, '}']
    const label = `next_${++this.loops}`
    return [
      'while (true) {',
      '  {',
      ...rewriteContinue(body, label).map((l) => `  ${l}`),
      '  }',
      `  ${label}:;`,
      ...continuing,
      '}',
    ]
  }

  definition(entry: string, body: readonly string[], linkage: string): string[] {
    const { block } = this.kernel
    const args = this.arguments().map((a, i, all) => `    ${a}${i < all.length - 1 ? ',' : ')'}`)
    const head = `${linkage} __global__ void __launch_bounds__(${block[0] * block[1] * block[2]}) ${entry}(`
    return [args.length === 0 ? `${head})` : head, ...args, '{', ...this.known(), ...this.arrays(), ...body, '}']
  }

  includes(): string[] {
    const { kernel } = this
    const half = [...kernel.registers, ...kernel.params, ...kernel.resources].some((x) => x.type === 'f16')
    return [
      ...(half ? ['#include <cuda_fp16.h>'] : []),
      ...(this.groups && meetsGrid(kernel) ? ['#include <cooperative_groups.h>'] : []),
    ]
  }

  private arguments(): string[] {
    const bound = boundResources(this.kernel)
    // compilers take what is restricted to be this thread's alone, and keep what they have loaded over barriers
    const shared = new Set([...changedAcross(this.kernel), ...mergedWithWritten(this.kernel)])
    const pointers = bound.map(
      (r) =>
        `${r.access === 'read' ? 'const ' : ''}${cudaType[r.type]}* ` +
        `${shared.has(r.name) ? '' : '__restrict__ '}${this.name(r.name)}`,
    )
    const open = this.kernel.params.filter((p) => !this.constants.has(p.name))
    return [...pointers, ...open.map((p) => `${cudaType[p.type]} ${this.name(p.name)}`)]
  }

  private known(): string[] {
    return this.kernel.params.flatMap((p) => {
      const value = this.constants.get(p.name)
      return value === undefined ? [] : [`  constexpr ${cudaType[p.type]} ${this.name(p.name)} = ${value};`]
    })
  }

  private arrays(): string[] {
    const { places } = this
    const memory = places ? ['  extern __shared__ __align__(16) unsigned char shared_memory[];'] : []
    return [
      ...memory,
      ...this.kernel.resources.flatMap((r) => {
        const name = this.name(r.name)
        if (r.space === 'local') return [`  ${cudaType[r.type]} ${name}[${r.count}]${r.zeroed ? ' = {}' : ''};`]
        if (r.space !== 'shared') return []
        const type = cudaType[r.type],
          declared = places
            ? `${type}* const __restrict__ ${name} = reinterpret_cast<${type}*>(shared_memory + ` +
              `${places.offsets.get(r.name)});`
            : `__shared__ __align__(16) ${type} ${name}[${r.count}];`
        return [`  ${declared}`, ...(r.zeroed ? this.zeroing(r, name) : [])]
      }),
    ]
  }

  private zeroing(r: Resource, name: string): string[] {
    const [x, y, z] = this.kernel.block
    return [
      `  for (unsigned at = ${this.rank().text}; at < ${r.count}u; at += ${x * y * z}u) {`,
      `    ${name}[at] = ${r.type === 'f16' ? '__float2half(0.0f)' : '0'};`,
      '  }',
      '  __syncthreads();',
    ]
  }
}

/** The type of 8 or 16 bits that a value has in C, which KernelIR holds as i32 or u32; undefined of all others. */
function narrowTypeOf(v: Value): MemoryType | undefined {
  const narrow = (type: MemoryType): MemoryType | undefined => (bytesOf[type] < 4 && type !== 'f16' ? type : undefined)
  if (v.kind === 'load') return narrow(v.type)
  if (v.kind === 'component') return narrow(v.group.type)
  return v.kind === 'op' && v.op === 'copy' ? narrowTypeOf(v.args[0]!) : undefined // it has one argument
}

/** A value in the type that KernelIR holds it in. */
function promoted(v: Value, text: Text): Text {
  const type = narrowTypeOf(v)
  if (type === undefined) return text
  return castText(type.startsWith('u') ? 'unsigned' : 'int', text)
}

/** Whether a place is a whole number of elements of `bytes`. */
function isDivisible(place: ResourcePlace, bytes: number): boolean {
  if (place.offset % bytes !== 0) return false
  if (place.stride % bytes === 0) return true
  return (
    place.stride > 0 && bytes % place.stride === 0 && constantQuotient(place.index, bytes / place.stride)?.rest === 0
  )
}

/**
 * Replaces the `continue`s of this loop; those of inner loops stay. Inner loops begin with `for (` or `while (` lines.
 */
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

/** Warp operations: all 32 lanes where a kernel of whole warps has them together, the active ones elsewhere. */
function warpTable(h: CudaHelpers, whole: boolean): PrintTarget['subgroups'] {
  const mask = (nested: boolean): Text => primary(nested || !whole ? '__activemask()' : '0xffffffffu')
  const shuffle =
    (name: string) =>
    (_: readonly Value[], [v, by]: readonly Text[], type: ScalarType, nested: boolean): Text => {
      const moved = call(name, mask(nested), type === 'bool' ? castText('int', v!) : v!, by!)
      return type === 'bool' ? infix('!=', moved, primary('0')) : moved
    }
  const helper =
    (kind: 'reduce' | 'inclusive' | 'exclusive', what: string) =>
    (_: readonly Value[], [v]: readonly Text[], type: ScalarType, nested: boolean): Text =>
      call(warpHelper(h, kind, what, type), v!, mask(nested))
  const first = primary('__ffs(__activemask()) - 1')
  return {
    shuffle: shuffle('__shfl_sync'),
    shuffleXor: shuffle('__shfl_xor_sync'),
    shuffleUp: shuffle('__shfl_up_sync'),
    shuffleDown: shuffle('__shfl_down_sync'),
    broadcast: shuffle('__shfl_sync'),
    broadcastFirst: (a, [v], type, nested) => shuffle('__shfl_sync')(a, [v!, first], type, nested),
    add: helper('reduce', 'add'),
    mul: helper('reduce', 'mul'),
    min: helper('reduce', 'min'),
    max: helper('reduce', 'max'),
    and: helper('reduce', 'and'),
    or: helper('reduce', 'or'),
    xor: helper('reduce', 'xor'),
    inclusiveAdd: helper('inclusive', 'add'),
    exclusiveAdd: helper('exclusive', 'add'),
    inclusiveMul: helper('inclusive', 'mul'),
    exclusiveMul: helper('exclusive', 'mul'),
    any: (_, [v], _type, nested) => infix('!=', call('__any_sync', mask(nested), v!), primary('0')),
    all: (_, [v], _type, nested) => infix('!=', call('__all_sync', mask(nested), v!), primary('0')),
    ballot: (_, [v], _type, nested) => call('__ballot_sync', mask(nested), v!),
    elect: () => call(electHelper(h)),
  }
}

/** Global resources that the kernel reads alone although it may write them (see `Resource.access`). */
function heldOf(kernel: Kernel): ReadonlySet<string> {
  const written = new Set<string>()
  const walk = (list: readonly Stmt[]): void =>
    list.forEach((s) => {
      if (s.kind === 'store' || s.kind === 'atomic') written.add(s.address.resource)
      listsOf(s).forEach(walk)
    })
  walk(kernel.body)
  return new Set(
    kernel.resources
      .filter((r) => r.space === 'global' && r.access === 'read-write' && !written.has(r.name))
      .map((r) => r.name),
  )
}
