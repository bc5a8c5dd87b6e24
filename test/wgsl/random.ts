// In: a seed. Out: the text of a WGSL program without races, and its buffers. The one idea: every expression has a type
// and is total, and no constant expression can overflow, since literals have a zero from a variable added. Floats stay
// small multiples of ¼, so that arithmetic on them is exact and may decide branches. Threads write slots of their own
// and share through workgroup memory across barriers, or by commutative atomics.
import { random, type Random } from '../../src/base/index.ts'
import { f16Bits } from '../../src/ir/index.ts'
import type { Options } from './both.ts'

type Scalar = 'i32' | 'u32' | 'f32' | 'bool'
interface Type {
  readonly scalar: Scalar
  readonly size: number
}
interface Variable {
  readonly name: string
  readonly type: Type
  readonly mutable: boolean
}

const block = [8, 4] as const
const threads = 32
const groups = 2
const slots = 8
const bitFunctions = [
  'abs',
  'countOneBits',
  'countLeadingZeros',
  'countTrailingZeros',
  'reverseBits',
  'firstLeadingBit',
  'firstTrailingBit',
]

export interface Program {
  readonly text: string
  readonly buffers: Record<string, ArrayBuffer>
  readonly grid: readonly [number, number, number]
  readonly options: Options
}

/**
 * Texels of `itex` are 4 signed bytes, of `ftex` 4 halves that are multiples of ¼, of `otex` one u32 for each thread.
 */
const options: Options = {
  textures: {
    itex: { format: 'rgba8sint', size: [8, 4, 1] },
    ftex: { format: 'rgba16float', size: [4, 4, 2] },
    otex: { size: [threads, groups, 1] },
  },
}

export function randomProgram(seed: number, subgroups = true): Program {
  const r = random(seed)
  const words = (n: number, make: () => number): ArrayBuffer => Int32Array.from({ length: n }, make).buffer
  const buffers = {
    out: words(threads * groups * slots, () => 0),
    outf: words(threads * groups * slots, () => 0),
    counters: words(16, () => r.int(-5, 5)),
    ints: words(64, () => (r.unit() < 0.3 ? r.bits() | 0 : r.int(-20, 20))),
    floats: Float32Array.from({ length: 64 }, () => r.int(-40, 40) / 4).buffer,
    params: words(8, () => r.int(0, 9)),
    itex: words(32, () => r.bits() | 0),
    ftex: Uint16Array.from({ length: 128 }, () => f16Bits(r.int(-40, 40) / 4)).buffer,
    otex: words(threads * groups, () => 0),
  }
  return { text: new Writer(r, subgroups).program(), buffers, grid: [groups, 1, 1], options }
}

const spell = (t: Type): string => (t.size === 1 ? t.scalar : `vec${t.size}<${t.scalar}>`)

class Writer {
  private readonly r: Random
  private readonly subgroups: boolean
  private names = 0
  private scope: Variable[] = []
  private functions: {
    readonly name: string
    readonly result: Type
    readonly parameters: readonly Type[]
    readonly pointer: Type | null
  }[] = []
  private budget = 30
  private loops = 0
  private inFunction = false

  constructor(r: Random, subgroups: boolean) {
    this.r = r
    this.subgroups = subgroups
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.r.int(0, list.length - 1)]!
  }
  private chance(p: number): boolean {
    return this.r.unit() < p
  }
  private fresh(stem: string): string {
    return `${stem}_${this.names++}`
  }
  private type(): Type {
    return {
      scalar: this.pick(['i32', 'u32', 'f32', 'i32', 'u32', 'bool'] as const),
      size: this.chance(0.65) ? 1 : this.r.int(2, 4),
    }
  }

  program(): string {
    const functions = Array.from({ length: this.r.int(0, 3) }, () => this.fn())
    this.scope = [
      { name: 'rank', type: { scalar: 'u32', size: 1 }, mutable: false },
      { name: 'gid', type: { scalar: 'u32', size: 3 }, mutable: false },
      { name: 'lane_', type: { scalar: 'u32', size: 1 }, mutable: false },
      { name: 'seed', type: { scalar: 'u32', size: 1 }, mutable: true },
    ]
    const body = Array.from({ length: this.r.int(3, 6) }, () => this.phase()).join('')
    const enable = `${this.subgroups ? 'enable subgroups;\n' : ''}requires swizzle_assignment;\n`
    return `${enable}struct Pair { a: i32, v: vec3<f32>, w: array<u32, 3> }
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read_write> outf: array<f32>;
@group(0) @binding(2) var<storage, read_write> counters: array<atomic<i32>, 16>;
@group(0) @binding(3) var<storage, read> ints: array<i32>;
@group(0) @binding(4) var<storage, read> floats: array<vec4<f32>>;
@group(1) @binding(0) var<uniform> params: array<vec4<i32>, 2>;
@group(1) @binding(1) var itex: texture_2d<i32>;
@group(1) @binding(2) var ftex: texture_2d_array<f32>;
@group(1) @binding(3) var otex: texture_storage_2d<r32uint, write>;
var<workgroup> tile: array<array<i32, ${block[0] + 1}>, ${block[1]}>;
var<workgroup> sums: array<atomic<u32>, 4>;
var<private> seed: u32 = 12345u;
var<private> zi = 0;
var<private> zu = 0u;
var<private> zf = 0.0;
const table = array<i32, 7>(3, -1, 4, 1, -5, 9, 2);
${functions.join('\n')}
@compute @workgroup_size(${block.join(', ')})
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(local_invocation_index) rank: u32, \
@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
  let lane_ = rank % 4u;
  let own = (group.x * ${threads}u + rank) * ${slots}u;
  var pair = Pair(i32(rank), vec3<f32>(1, 2, 3), array<u32, 3>(4, 5, 6));
${body}${this.finish()}  _ = textureDimensions(itex); _ = textureDimensions(ftex); _ = textureDimensions(otex);
}
`
  }

  /** Everything still in scope goes to memory. */
  private finish(): string {
    const list = this.scope.filter((v) => v.mutable || v.type.size > 1).slice(-slots)
    return list.map((v, i) => this.output(v, i)).join('')
  }

  private output(v: Variable, i: number): string {
    const part = v.type.size === 1 ? v.name : `${v.name}.${this.pick(['x', 'y'])}`
    if (v.type.scalar === 'f32') return `  outf[own + ${i}u] = ${part};\n`
    const asBits = v.type.scalar === 'bool' ? `select(0u, 7u, ${part})` : `bitcast<u32>(${part})`
    return `  out[own + ${i}u] ${this.chance(0.5) ? '=' : '^='} ${v.type.scalar === 'u32' ? part : asBits};\n`
  }

  /** One step of the main function that all threads take together. */
  private phase(): string {
    const choice = this.r.int(0, 8)
    if (choice === 8)
      return `  textureStore(otex, vec2u(rank, group.x), vec4u(${this.expr({ scalar: 'u32', size: 1 }, 2)}));\n`
    if (choice === 0) return this.exchange()
    if (choice === 1)
      return (
        `  atomicAdd(&counters[${this.expr({ scalar: 'u32', size: 1 }, 2)} % 16u], ` +
        `${this.expr({ scalar: 'i32', size: 1 }, 2)});\n`
      )
    if (choice === 2)
      return (
        `  atomicMax(&sums[rank % 4u], ${this.expr({ scalar: 'u32', size: 1 }, 2)});\n  workgroupBarrier();\n` +
        `${this.declare(`atomicLoad(&sums[(rank + 1u) % 4u])`, { scalar: 'u32', size: 1 })}  workgroupBarrier();\n`
      )
    if (choice === 3 && this.subgroups) return this.subgroup()
    this.budget = 12
    return this.statements(1)
  }

  private exchange(): string {
    const name = this.fresh('s')
    const text =
      `  tile[local.y][local.x] = ${this.expr({ scalar: 'i32', size: 1 }, 3)};\n  workgroupBarrier();\n  var ` +
      `${name} = tile[(local.y + ${this.r.int(0, 3)}u) % ${block[1]}u][(local.x * ${this.r.int(1, 5)}u + 1u) ` +
      `% ${block[0]}u];\n  workgroupBarrier();\n`
    this.scope.push({ name, type: { scalar: 'i32', size: 1 }, mutable: true })
    return text
  }

  private subgroup(): string {
    const i32: Type = { scalar: 'i32', size: 1 }
    const x = this.expr(i32, 2)
    const call = this.pick([
      `subgroupAdd(${x})`,
      `subgroupMax(${x})`,
      `subgroupMin(${x})`,
      `subgroupXor(${x})`,
      `subgroupExclusiveAdd(${x})`,
      `subgroupInclusiveAdd(${x})`,
      `subgroupShuffleXor(${x}, ${this.r.int(1, 3)}u)`,
      `subgroupBroadcast(${x}, ${this.r.int(0, 3)}u)`,
      `i32(subgroupBallot(${x} > 0).x)`,
      `select(0, 1, subgroupAny(${x} > 3))`,
      `quadSwapX(${x})`,
    ])
    return this.declare(call, i32)
  }

  private declare(text: string, type: Type): string {
    const name = this.fresh('v')
    const mutable = this.chance(0.7)
    const line = `  ${mutable ? 'var' : 'let'} ${name}${this.chance(0.3) ? `: ${spell(type)}` : ''} = ${text};\n`
    this.scope.push({ name, type, mutable })
    return line
  }

  /** A function with early returns, a loop, and perhaps a pointer that it writes through. */
  private fn(): string {
    const name = this.fresh('f')
    const outer = this.scope
    const parameters = Array.from({ length: this.r.int(1, 2) }, () => this.type())
    const pointer = this.chance(0.4) ? this.type() : null
    const result = this.type()
    this.scope = [
      ...parameters.map((type, i): Variable => ({ name: `p${i}`, type, mutable: false })),
      { name: 'seed', type: { scalar: 'u32', size: 1 }, mutable: true },
      ...(pointer ? [{ name: '(*q)', type: pointer, mutable: true }] : []),
    ]
    this.inFunction = true
    this.budget = 6
    const leave = (depth: number): string =>
      `if (${this.expr({ scalar: 'bool', size: 1 }, depth)}) { return ${this.expr(result, depth)}; }`
    const body =
      `${this.statements(1)}  ${leave(2)}\n${this.statements(1)}` +
      `${this.chance(0.3) ? `  for (var n = 0; n < 3; n++) { ${leave(1)} }\n` : ''}  return ${this.expr(result, 2)};\n`
    this.inFunction = false
    this.scope = outer
    const list = [
      ...parameters.map((t, i) => `p${i}: ${spell(t)}`),
      ...(pointer ? [`q: ptr<function, ${spell(pointer)}>`] : []),
    ]
    this.functions.push({ name, result, parameters, pointer })
    return `fn ${name}(${list.join(', ')}) -> ${spell(result)} {\n${body}}\n`
  }

  private statements(depth: number): string {
    const outer = this.scope.length
    let text = ''
    for (let n = this.r.int(1, 3); n > 0 && this.budget > 0; n--) {
      this.budget--
      text += this.statement(depth)
    }
    if (depth > 1 || this.inFunction) this.scope = this.scope.slice(0, depth > 1 ? outer : undefined)
    return text
  }

  private statement(depth: number): string {
    const deep = depth < 4
    switch (this.r.int(0, 11)) {
      case 0:
      case 1: {
        const type = this.type()
        return this.declare(this.expr(type, 3), type)
      }
      case 2:
      case 3:
      case 4:
        return this.assign()
      case 5:
        return deep ? this.branch(depth) : this.assign()
      case 6:
        return deep && this.loops < 2 ? this.loop(depth) : this.assign()
      case 7:
        return deep ? this.switch(depth) : this.assign()
      case 8:
        return this.array()
      case 9:
        return this.inFunction
          ? this.assign()
          : `  pair.${this.pick([
              `a += ${this.expr({ scalar: 'i32', size: 1 }, 2)}`,
              `v.y = ${this.expr({ scalar: 'f32', size: 1 }, 2)}`,
              `w[${this.expr({ scalar: 'u32', size: 1 }, 1)} % 3u] ^= ${this.expr({ scalar: 'u32', size: 1 }, 1)}`,
            ])};\n`
      case 10:
        return this.call()
      default:
        return `  seed = seed * 1664525u + 1013904223u;\n`
    }
  }

  private branch(depth: number): string {
    const condition = (): string => `if (${this.expr({ scalar: 'bool', size: 1 }, 2)}) `
    const block = (): string => `{\n${this.statements(depth + 1)}  }`
    const otherwise = (): string => ` else ${this.chance(0.3) ? condition() : ''}${block()}`
    return `  ${condition()}${block()}${this.chance(0.5) ? otherwise() : ''}\n`
  }

  private assign(): string {
    const targets = this.scope.filter((v) => v.mutable)
    if (targets.length === 0) return ''
    const v = this.pick(targets)
    if (v.type.size > 1 && this.chance(0.25)) return this.assignSome(v)
    if (v.type.size > 1 && this.chance(0.4)) {
      const part = this.chance(0.6)
        ? `.${'xyzw'[this.r.int(0, v.type.size - 1)]}`
        : `[${this.expr({ scalar: 'u32', size: 1 }, 1)} % ${v.type.size}u]`
      return `  ${v.name}${part} = ${this.expr({ scalar: v.type.scalar, size: 1 }, 2)};\n`
    }
    const compound = (v.type.scalar === 'i32' || v.type.scalar === 'u32') && this.chance(0.4)
    return (
      `  ${v.name} ${compound ? this.pick(['+=', '-=', '*=', '&=', '|=', '^=', '/=', '%=']) : '='} ` +
      `${this.expr(v.type, 3)};\n`
    )
  }

  /** Several components in any order. */
  private assignSome(v: Variable): string {
    const letters = [...'xyzw'].slice(0, v.type.size)
    const some = Array.from(
      { length: this.r.int(2, v.type.size) },
      () => letters.splice(this.r.int(0, letters.length - 1), 1)[0]!,
    )
    const compound = (v.type.scalar === 'i32' || v.type.scalar === 'u32') && this.chance(0.4)
    return (
      `  ${v.name}.${some.join('')} ${compound ? this.pick(['+=', '*=', '^=']) : '='} ` +
      `${this.expr({ scalar: v.type.scalar, size: some.length }, 2)};\n`
    )
  }

  private loop(depth: number): string {
    const i = this.fresh('i')
    this.loops++
    this.scope.push({ name: i, type: { scalar: 'i32', size: 1 }, mutable: false })
    const bound = this.chance(0.5) ? String(this.r.int(1, 6)) : `(${this.expr({ scalar: 'i32', size: 1 }, 1)} & 7)`
    const leave = this.chance(0.5)
      ? `  if (${this.expr({ scalar: 'bool', size: 1 }, 1)}) { ${this.pick(['break', 'continue'])}; }\n`
      : ''
    const body = this.statements(depth + 1) + leave + this.statements(depth + 1)
    this.loops--
    this.scope.pop()
    switch (this.r.int(0, 2)) {
      case 0:
        return `  for (var ${i} = 0; ${i} < ${bound}; ${i}++) {\n${body}  }\n`
      case 1:
        return `  { var ${i} = 0; let stop = ${bound}; while (${i} < stop) { ${i} += 1;\n${body}  } }\n`
      default:
        return (
          `  { var ${i} = 0; let stop = ${bound}; loop {\n    if (${i} > 9) { break; }\n${body}    continuing { ` +
          `${i}++; break if ${i} >= stop; } } }\n`
        )
    }
  }

  private switch(depth: number): string {
    const leave = (): string => `  if (${this.expr({ scalar: 'bool', size: 1 }, 1)}) { break; }\n`
    const cases = [[0], [1, 2], [3]]
      .slice(0, this.r.int(1, 3))
      .map(
        (c) =>
          `case ${c.join(', ')}: {\n` +
          `${this.statements(depth + 1)}${this.chance(0.4) ? `${leave()}${this.statements(depth + 1)}` : ''}  }\n`,
      )
    return (
      `  switch (${this.expr({ scalar: 'i32', size: 1 }, 2)} & 3) {\n${cases.join('')}  default: ` +
      `{\n${this.statements(depth + 1)}  }\n  }\n`
    )
  }

  /** An array in function memory, indexed by values known only at run time. */
  private array(): string {
    const name = this.fresh('a')
    const n = this.r.int(2, 6)
    const i32: Type = { scalar: 'i32', size: 1 }
    const items = Array.from({ length: n }, () => this.expr(i32, 1)).join(', ')
    const store = this.chance(0.6)
      ? `  ${name}[${this.expr({ scalar: 'u32', size: 1 }, 2)} % ${n}u] += ${this.expr(i32, 2)};\n`
      : ''
    const index = this.chance(0.5)
      ? `${this.expr({ scalar: 'u32', size: 1 }, 2)} % ${n}u`
      : String(this.r.int(0, n - 1))
    return `  var ${name} = array<i32, ${n}>(${items});\n${store}${this.declare(`${name}[${index}]`, i32)}`
  }

  private call(): string {
    const known = this.inFunction ? [] : this.functions
    if (known.length === 0) return this.assign()
    const f = this.pick(known)
    const args = f.parameters.map((t) => this.expr(t, 2))
    if (!f.pointer) return this.declare(`${f.name}(${args.join(', ')})`, f.result)
    const target = this.fresh('t')
    const text =
      `  var ${target} = ` +
      `${this.expr(f.pointer, 2)};\n${this.declare(`${f.name}(${[...args, `&${target}`].join(', ')})`, f.result)}`
    this.scope.push({ name: target, type: f.pointer, mutable: true })
    return text
  }

  /** A total expression of a type. */
  expr(type: Type, depth: number): string {
    if (depth <= 0 || this.chance(0.15)) return this.leaf(type)
    const sub = (t: Type = type): string => this.expr(t, depth - 1)
    if (this.chance(0.12))
      return `select(${sub()}, ${sub()}, ${sub({ scalar: 'bool', size: this.chance(0.5) ? 1 : type.size })})`
    if (type.size > 1 && this.chance(0.25)) return this.composed(type, depth)
    switch (type.scalar) {
      case 'bool':
        return this.boolean(type, depth)
      case 'f32':
        return this.float(type, depth)
      case 'i32':
      case 'u32':
        return this.integer(type, depth)
    }
  }

  private composed(type: Type, depth: number): string {
    const parts = (count: number, deep: number): string =>
      Array.from({ length: count }, () => this.expr({ scalar: type.scalar, size: 1 }, deep)).join(', ')
    if (this.chance(0.4)) {
      const wide: Type = { scalar: type.scalar, size: 4 }
      const swizzle = (): string => Array.from({ length: type.size }, () => 'xyzw'[this.r.int(0, 3)]).join('')
      return `${spell(wide)}(${parts(4, depth - 2)}).${swizzle()}`
    }
    return `${spell(type)}(${parts(type.size, depth - 1)})`
  }

  private boolean(type: Type, depth: number): string {
    const other: Type = { scalar: this.pick(['i32', 'u32', 'f32'] as const), size: type.size }
    if (this.chance(0.5))
      return (
        `(${this.expr(other, depth - 1)} ${this.pick(['<', '<=', '>', '>=', '==', '!='])} ` +
        `${this.expr(other, depth - 1)})`
      )
    if (this.chance(0.3)) return `!(${this.expr(type, depth - 1)})`
    if (type.size === 1 && this.chance(0.2))
      return `${this.pick(['any', 'all'])}(${this.expr({ scalar: 'bool', size: this.r.int(2, 4) }, depth - 1)})`
    return (
      `(${this.expr(type, depth - 1)} ` +
      `${this.pick(type.size === 1 ? ['&&', '||', '&', '|', '==', '!='] : ['&', '|'])} ${this.expr(type, depth - 1)})`
    )
  }

  private float(type: Type, depth: number): string {
    const a = (): string => this.expr(type, depth - 1)
    switch (this.r.int(0, 6)) {
      case 0:
        return `clamp(${a()} + ${a()}, ${spell(type)}(-64), ${spell(type)}(64))`
      case 1:
        return `clamp(${a()} - ${a()}, ${spell(type)}(-64), ${spell(type)}(64))`
      case 2:
        return `clamp(floor(${a()} * ${a()}), ${spell(type)}(-64), ${spell(type)}(64))`
      case 3:
        return `${this.pick(['abs', 'floor', 'ceil', 'trunc', 'sign', 'round', 'fract'])}(${a()})`
      case 4:
        return `${this.pick(['min', 'max', 'step'])}(${a()}, ${a()})`
      case 5:
        return (
          `${spell(type)}(${this.expr({ scalar: 'i32', size: type.size }, depth - 1)} & ` +
          `${spell({ scalar: 'i32', size: type.size })}(31))`
        )
      default:
        return `(-${a()})`
    }
  }

  private integer(type: Type, depth: number): string {
    const a = (t: Type = type): string => this.expr(t, depth - 1)
    const u: Type = { scalar: 'u32', size: type.size }
    switch (this.r.int(0, 11)) {
      case 0:
      case 1:
      case 2:
        return `(${a()} ${this.pick(['+', '-', '*', '&', '|', '^'])} ${a()})`
      case 3:
        return `(${a()} ${this.pick(['/', '%'])} ${a()})`
      case 4:
        return `(${a()} ${this.pick(['<<', '>>'])} (${a(u)} & ${spell(u)}(31u)))`
      case 5:
        return `${this.pick(['min', 'max'])}(${a()}, ${a()})`
      case 6:
        return `${this.pick(bitFunctions)}(${a()})`
      case 7:
        return `${spell(type)}(${a({ scalar: this.pick(['i32', 'u32', 'bool', 'f32'] as const), size: type.size })})`
      case 8:
        return `extractBits(${a()}, ${this.r.int(0, 33)}u + zu, ${this.r.int(0, 33)}u + zu)`
      case 9:
        return (
          `insertBits(${a()}, ${a()}, ${this.expr({ scalar: 'u32', size: 1 }, depth - 1)} % 32u, ` +
          `${this.r.int(0, 9)}u + zu)`
        )
      case 10:
        return type.size === 1
          ? `dot(${this.expr({ scalar: type.scalar, size: 3 }, depth - 1)}, ` +
              `${this.expr({ scalar: type.scalar, size: 3 }, depth - 1)})`
          : `clamp(${a()}, ${a()}, ${a()})`
      default:
        return type.scalar === 'i32' ? `(-${a()})` : `(~${a()})`
    }
  }

  private leaf(type: Type): string {
    const same = this.scope.filter((v) => v.type.scalar === type.scalar && v.type.size === type.size)
    if (same.length > 0 && this.chance(0.65)) return this.pick(same).name
    const parts = this.scope.filter((v) => v.type.scalar === type.scalar && v.type.size > 1)
    if (type.size === 1 && parts.length > 0 && this.chance(0.4)) {
      const v = this.pick(parts)
      return `${v.name}.${'xyzw'[this.r.int(0, v.type.size - 1)]}`
    }
    if (type.size > 1) return `${spell(type)}(${this.leaf({ scalar: type.scalar, size: 1 })})`
    return this.memory(type.scalar) ?? this.literal(type.scalar)
  }

  private memory(scalar: Scalar): string | null {
    const index = `${this.literal('u32')} % 64u`
    if (!this.chance(0.4)) return null
    if (scalar === 'i32')
      return this.pick([
        `ints[${index}]`,
        `table[${this.literal('u32')} % 7u]`,
        `params[${this.r.int(0, 1)}].${this.pick(['x', 'y', 'z', 'w'])}`,
        `textureLoad(itex, vec2u(${this.literal('u32')} % 8u, ${this.literal('u32')} % 4u), ` +
          `0).${this.pick(['x', 'y', 'z', 'w'])}`,
      ])
    if (scalar === 'u32') return this.chance(0.3) ? 'textureDimensions(itex).x' : null
    return scalar === 'f32'
      ? this.pick([
          `floats[${this.literal('u32')} % 16u].${this.pick(['x', 'w'])}`,
          `textureLoad(ftex, vec2i(${this.literal('i32')} & 3, ${this.literal('i32')} & 3), ` +
            `${this.literal('u32')} % 2u, 0).${this.pick(['x', 'y', 'w'])}`,
        ])
      : null
  }

  private literal(scalar: Scalar): string {
    switch (scalar) {
      case 'bool':
        return this.pick(['(zi == 0)', '(zi != 0)'])
      case 'f32':
        return `(${this.r.int(-9, 9)}.${this.pick(['0', '25', '5', '75'])} + zf)`
      case 'i32':
        return this.chance(0.1) ? '(-2147483647 + zi)' : `(${this.r.int(-9, 99)} + zi)`
      case 'u32':
        return this.chance(0.1) ? '(4294967295u + zu)' : `(${this.r.int(0, 99)}u + zu)`
    }
  }
}
