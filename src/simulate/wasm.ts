// In: functions written instruction by instruction. Out: the bytes of a WebAssembly module. The one idea: an
// append-only byte buffer per function and a table of opcodes; structure (labels, locals) is tracked just enough to
// write branches by name. It does not validate; `new WebAssembly.Module` does.

export const valueType = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b } as const
export type ValueType = keyof typeof valueType

/** One-byte opcodes that take no immediate, by the names of the specification with `_` for `.`. */
export const opcode = {
  unreachable: 0x00,
  else: 0x05,
  end: 0x0b,
  return: 0x0f,
  drop: 0x1a,
  select: 0x1b,
  i32_eqz: 0x45,
  i32_eq: 0x46,
  i32_ne: 0x47,
  i32_lt_s: 0x48,
  i32_lt_u: 0x49,
  i32_gt_s: 0x4a,
  i32_gt_u: 0x4b,
  i32_le_s: 0x4c,
  i32_le_u: 0x4d,
  i32_ge_s: 0x4e,
  i32_ge_u: 0x4f,
  i64_eqz: 0x50,
  i64_eq: 0x51,
  i64_ne: 0x52,
  i64_lt_s: 0x53,
  i64_lt_u: 0x54,
  i64_gt_s: 0x55,
  i64_gt_u: 0x56,
  i64_le_s: 0x57,
  i64_le_u: 0x58,
  i64_ge_s: 0x59,
  i64_ge_u: 0x5a,
  f32_eq: 0x5b,
  f32_ne: 0x5c,
  f32_lt: 0x5d,
  f32_gt: 0x5e,
  f32_le: 0x5f,
  f32_ge: 0x60,
  f64_eq: 0x61,
  f64_ne: 0x62,
  f64_lt: 0x63,
  f64_gt: 0x64,
  f64_le: 0x65,
  f64_ge: 0x66,
  i32_clz: 0x67,
  i32_ctz: 0x68,
  i32_popcnt: 0x69,
  i32_add: 0x6a,
  i32_sub: 0x6b,
  i32_mul: 0x6c,
  i32_div_s: 0x6d,
  i32_div_u: 0x6e,
  i32_rem_s: 0x6f,
  i32_rem_u: 0x70,
  i32_and: 0x71,
  i32_or: 0x72,
  i32_xor: 0x73,
  i32_shl: 0x74,
  i32_shr_s: 0x75,
  i32_shr_u: 0x76,
  i64_clz: 0x79,
  i64_ctz: 0x7a,
  i64_popcnt: 0x7b,
  i64_add: 0x7c,
  i64_sub: 0x7d,
  i64_mul: 0x7e,
  i64_div_s: 0x7f,
  i64_div_u: 0x80,
  i64_rem_s: 0x81,
  i64_rem_u: 0x82,
  i64_and: 0x83,
  i64_or: 0x84,
  i64_xor: 0x85,
  i64_shl: 0x86,
  i64_shr_s: 0x87,
  i64_rotr: 0x8a,
  i64_shr_u: 0x88,
  f32_abs: 0x8b,
  f32_neg: 0x8c,
  f32_ceil: 0x8d,
  f32_floor: 0x8e,
  f32_trunc: 0x8f,
  f32_nearest: 0x90,
  f32_sqrt: 0x91,
  f32_add: 0x92,
  f32_sub: 0x93,
  f32_mul: 0x94,
  f32_div: 0x95,
  f32_min: 0x96,
  f32_max: 0x97,
  f32_copysign: 0x98,
  f64_abs: 0x99,
  f64_neg: 0x9a,
  f64_ceil: 0x9b,
  f64_floor: 0x9c,
  f64_trunc: 0x9d,
  f64_nearest: 0x9e,
  f64_sqrt: 0x9f,
  f64_add: 0xa0,
  f64_sub: 0xa1,
  f64_mul: 0xa2,
  f64_div: 0xa3,
  f64_min: 0xa4,
  f64_max: 0xa5,
  i32_wrap_i64: 0xa7,
  i64_extend_i32_s: 0xac,
  i64_extend_i32_u: 0xad,
  f32_convert_i32_s: 0xb2,
  f32_convert_i32_u: 0xb3,
  f32_convert_i64_s: 0xb4,
  f32_convert_i64_u: 0xb5,
  f32_demote_f64: 0xb6,
  f64_convert_i32_s: 0xb7,
  f64_convert_i32_u: 0xb8,
  f64_convert_i64_s: 0xb9,
  f64_convert_i64_u: 0xba,
  f64_promote_f32: 0xbb,
  i32_reinterpret_f32: 0xbc,
  i64_reinterpret_f64: 0xbd,
  f32_reinterpret_i32: 0xbe,
  f64_reinterpret_i64: 0xbf,
} as const

/** Loads and stores: opcode; all take a memory argument. */
export const mem = {
  i32_load: 0x28,
  i64_load: 0x29,
  f32_load: 0x2a,
  f64_load: 0x2b,
  i32_load8_s: 0x2c,
  i32_load8_u: 0x2d,
  i32_load16_s: 0x2e,
  i32_load16_u: 0x2f,
  i32_store: 0x36,
  i64_store: 0x37,
  f32_store: 0x38,
  f64_store: 0x39,
  i32_store8: 0x3a,
  i32_store16: 0x3b,
} as const

/** SIMD opcodes after the prefix 0xfd. */
export const simd = {
  load: 0x00,
  load32_splat: 0x09,
  load64_splat: 0x0a,
  store: 0x0b,
  const: 0x0c,
  shuffle: 0x0d,
  i32x4_splat: 0x11,
  i64x2_splat: 0x12,
  f32x4_splat: 0x13,
  f64x2_splat: 0x14,
  i32x4_extract: 0x1b,
  i32x4_replace: 0x1c,
  i64x2_extract: 0x1d,
  i64x2_replace: 0x1e,
  f32x4_extract: 0x1f,
  f32x4_replace: 0x20,
  f64x2_extract: 0x21,
  f64x2_replace: 0x22,
  i32x4_eq: 0x37,
  i32x4_ne: 0x38,
  i32x4_lt_s: 0x39,
  i32x4_lt_u: 0x3a,
  i32x4_gt_s: 0x3b,
  i32x4_gt_u: 0x3c,
  i32x4_le_s: 0x3d,
  i32x4_le_u: 0x3e,
  i32x4_ge_s: 0x3f,
  i32x4_ge_u: 0x40,
  f32x4_eq: 0x41,
  f32x4_ne: 0x42,
  f32x4_lt: 0x43,
  f32x4_gt: 0x44,
  f32x4_le: 0x45,
  f32x4_ge: 0x46,
  f64x2_eq: 0x47,
  f64x2_ne: 0x48,
  f64x2_lt: 0x49,
  f64x2_gt: 0x4a,
  f64x2_le: 0x4b,
  f64x2_ge: 0x4c,
  not: 0x4d,
  and: 0x4e,
  andnot: 0x4f,
  or: 0x50,
  xor: 0x51,
  bitselect: 0x52,
  any_true: 0x53,
  load32_lane: 0x56,
  load64_lane: 0x57,
  store32_lane: 0x5a,
  store64_lane: 0x5b,
  f32x4_demote_f64x2_zero: 0x5e,
  f64x2_promote_low_f32x4: 0x5f,
  i8x16_popcnt: 0x62,
  f32x4_ceil: 0x67,
  f32x4_floor: 0x68,
  f32x4_trunc: 0x69,
  f32x4_nearest: 0x6a,
  f64x2_ceil: 0x74,
  f64x2_floor: 0x75,
  f64x2_trunc: 0x7a,
  f64x2_nearest: 0x94,
  i16x8_extadd_i8x16_u: 0x7d,
  i32x4_extadd_i16x8_u: 0x7f,
  i32x4_abs: 0xa0,
  i32x4_neg: 0xa1,
  i32x4_bitmask: 0xa4,
  i32x4_shl: 0xab,
  i32x4_shr_s: 0xac,
  i32x4_shr_u: 0xad,
  i32x4_add: 0xae,
  i32x4_sub: 0xb1,
  i32x4_mul: 0xb5,
  i32x4_min_s: 0xb6,
  i32x4_min_u: 0xb7,
  i32x4_max_s: 0xb8,
  i32x4_max_u: 0xb9,
  i64x2_abs: 0xc0,
  i64x2_neg: 0xc1,
  i64x2_extend_low_s: 0xc7,
  i64x2_extend_high_s: 0xc8,
  i64x2_extend_low_u: 0xc9,
  i64x2_extend_high_u: 0xca,
  i64x2_shl: 0xcb,
  i64x2_shr_s: 0xcc,
  i64x2_shr_u: 0xcd,
  i64x2_add: 0xce,
  i64x2_sub: 0xd1,
  i64x2_mul: 0xd5,
  i64x2_eq: 0xd6,
  i64x2_ne: 0xd7,
  i64x2_lt_s: 0xd8,
  i64x2_gt_s: 0xd9,
  i64x2_le_s: 0xda,
  i64x2_ge_s: 0xdb,
  i64x2_extmul_low_s: 0xdc,
  i64x2_extmul_high_s: 0xdd,
  i64x2_extmul_low_u: 0xde,
  i64x2_extmul_high_u: 0xdf,
  f32x4_abs: 0xe0,
  f32x4_neg: 0xe1,
  f32x4_sqrt: 0xe3,
  f32x4_add: 0xe4,
  f32x4_sub: 0xe5,
  f32x4_mul: 0xe6,
  f32x4_div: 0xe7,
  f32x4_min: 0xe8,
  f32x4_max: 0xe9,
  f64x2_abs: 0xec,
  f64x2_neg: 0xed,
  f64x2_sqrt: 0xef,
  f64x2_add: 0xf0,
  f64x2_sub: 0xf1,
  f64x2_mul: 0xf2,
  f64x2_div: 0xf3,
  f64x2_min: 0xf4,
  f64x2_max: 0xf5,
  i32x4_trunc_sat_f32x4_s: 0xf8,
  i32x4_trunc_sat_f32x4_u: 0xf9,
  f32x4_convert_i32x4_s: 0xfa,
  f32x4_convert_i32x4_u: 0xfb,
  i32x4_trunc_sat_f64x2_s_zero: 0xfc,
  i32x4_trunc_sat_f64x2_u_zero: 0xfd,
  f64x2_convert_low_i32x4_s: 0xfe,
  f64x2_convert_low_i32x4_u: 0xff,
} as const

/** Opcodes after the prefix 0xfc: saturating truncations, result type first. */
export const sat = {
  i32_f32_s: 0,
  i32_f32_u: 1,
  i32_f64_s: 2,
  i32_f64_u: 3,
  i64_f32_s: 4,
  i64_f32_u: 5,
  i64_f64_s: 6,
  i64_f64_u: 7,
} as const

/** Array buffers of `Bytes` that nobody needs any more: engines take long to make many small ones. */
const spare: Uint8Array<ArrayBuffer>[] = []
/** So many are kept at most: it bounds the memory that nobody uses. */
const mostSpare = 64
const none = new Uint8Array(0)

/** A growing byte buffer with WebAssembly's number encodings. */
export class Bytes {
  private data = spare.pop() ?? new Uint8Array(1024)
  length = 0

  byte(b: number): void {
    if (this.length === this.data.length) this.grow(1)
    this.data[this.length++] = b
  }
  private grow(extra: number): void {
    const next = new Uint8Array(Math.max(this.data.length * 2, this.length + extra))
    next.set(this.data.subarray(0, this.length))
    this.data = next
  }
  /** `other` is written and read no more. */
  append(other: Bytes): void {
    if (this.length + other.length > this.data.length) this.grow(other.length)
    this.data.set(other.data.subarray(0, other.length), this.length)
    this.length += other.length
    other.release()
  }
  /** The bytes, which are written and read no more. */
  whole(): Uint8Array<ArrayBuffer> {
    const out = this.data.slice(0, this.length)
    this.release()
    return out
  }
  private release(): void {
    if (spare.length < mostSpare) spare.push(this.data)
    this.data = none
    this.length = 0
  }
  /** Unsigned LEB128, 0 … 2³²−1. */
  u32(value: number): void {
    let v = value >>> 0
    while (v >= 128) {
      this.byte((v & 127) | 128)
      v >>>= 7
    }
    this.byte(v)
  }
  /** Signed LEB128 of an i32. */
  s32(value: number): void {
    let v = value | 0
    while (v < -64 || v > 63) {
      this.byte((v & 127) | 128)
      v >>= 7
    }
    this.byte(v & 127)
  }
  s64(value: bigint): void {
    let v = BigInt.asIntN(64, value)
    while (v < -64n || v > 63n) {
      this.byte(Number(v & 127n) | 128)
      v >>= 7n
    }
    this.byte(Number(v & 127n))
  }
  /** A name of ASCII letters. */
  name(text: string): void {
    this.u32(text.length)
    for (let i = 0; i < text.length; i++) this.byte(text.charCodeAt(i))
  }
}

const scratch = new DataView(new ArrayBuffer(8))

/** A function being written. Locals are numbered from its parameters on; `label` counts open blocks for branches. */
export class Func {
  readonly index: number
  readonly type: number
  readonly code = new Bytes()
  private readonly locals: ValueType[] = []
  private readonly free: Record<ValueType, number[]> = { i32: [], i64: [], f32: [], f64: [], v128: [] }
  private readonly paramCount: number
  private depth = 0

  constructor(index: number, type: number, paramCount: number) {
    this.index = index
    this.type = type
    this.paramCount = paramCount
  }

  /** A local of `type`, recycled when one was released. Its value is whatever it held; new ones are 0. */
  local(type: ValueType): number {
    return this.free[type].pop() ?? this.fresh(type)
  }
  /** A local that nothing else has used: 0 at the start. */
  fresh(type: ValueType): number {
    this.locals.push(type)
    return this.paramCount + this.locals.length - 1
  }
  release(type: ValueType, local: number): void {
    this.free[type].push(local)
  }

  op(code: number): this {
    this.code.byte(code)
    return this
  }
  get(local: number): this {
    this.code.byte(0x20)
    this.code.u32(local)
    return this
  }
  set(local: number): this {
    this.code.byte(0x21)
    this.code.u32(local)
    return this
  }
  tee(local: number): this {
    this.code.byte(0x22)
    this.code.u32(local)
    return this
  }
  globalGet(index: number): this {
    this.code.byte(0x23)
    this.code.u32(index)
    return this
  }
  globalSet(index: number): this {
    this.code.byte(0x24)
    this.code.u32(index)
    return this
  }
  i32(value: number): this {
    this.code.byte(0x41)
    this.code.s32(value)
    return this
  }
  i64(value: bigint): this {
    this.code.byte(0x42)
    this.code.s64(value)
    return this
  }
  f32(value: number): this {
    scratch.setFloat32(0, value, true)
    this.code.byte(0x43)
    for (let i = 0; i < 4; i++) this.code.byte(scratch.getUint8(i))
    return this
  }
  f64(value: number): this {
    scratch.setFloat64(0, value, true)
    this.code.byte(0x44)
    for (let i = 0; i < 8; i++) this.code.byte(scratch.getUint8(i))
    return this
  }
  /** A load or store out of `mem`, at the address on the stack plus `offset`; no alignment is promised. */
  mem(code: number, offset = 0): this {
    this.code.byte(code)
    this.code.u32(0)
    this.code.u32(offset)
    return this
  }
  simd(code: number): this {
    this.code.byte(0xfd)
    this.code.u32(code)
    return this
  }
  simdMem(code: number, offset = 0): this {
    this.simd(code)
    this.code.u32(0)
    this.code.u32(offset)
    return this
  }
  simdMemLane(code: number, lane: number, offset = 0): this {
    this.simdMem(code, offset)
    this.code.byte(lane)
    return this
  }
  simdLane(code: number, lane: number): this {
    this.simd(code)
    this.code.byte(lane)
    return this
  }
  /** i8x16.shuffle with 16 byte positions of the two operands. */
  shuffle(bytes: readonly number[]): this {
    this.simd(simd.shuffle)
    for (const b of bytes) this.code.byte(b)
    return this
  }
  /** v128.const of four i32. */
  v128(words: readonly [number, number, number, number]): this {
    this.simd(simd.const)
    for (const w of words) {
      scratch.setInt32(0, w, true)
      for (let i = 0; i < 4; i++) this.code.byte(scratch.getUint8(i))
    }
    return this
  }
  sat(code: number): this {
    this.code.byte(0xfc)
    this.code.u32(code)
    return this
  }
  memoryCopy(): this {
    this.code.byte(0xfc)
    this.code.u32(10)
    this.code.byte(0)
    this.code.byte(0)
    return this
  }
  memoryFill(): this {
    this.code.byte(0xfc)
    this.code.u32(11)
    this.code.byte(0)
    return this
  }
  call(index: number): this {
    this.code.byte(0x10)
    this.code.u32(index)
    return this
  }

  /** Opens a block; returns the label for `br`. */
  block(): number {
    return this.open(0x02)
  }
  loop(): number {
    return this.open(0x03)
  }
  if(): number {
    return this.open(0x04)
  }
  private open(code: number): number {
    this.code.byte(code)
    this.code.byte(0x40)
    return ++this.depth
  }
  else(): this {
    return this.op(opcode.else)
  }
  end(): this {
    this.depth--
    return this.op(opcode.end)
  }
  br(label: number): this {
    this.code.byte(0x0c)
    this.code.u32(this.depth - label)
    return this
  }
  brIf(label: number): this {
    this.code.byte(0x0d)
    this.code.u32(this.depth - label)
    return this
  }

  /** The body with its locals, as the code section wants it. */
  encode(): Bytes {
    const out = new Bytes()
    const runs: [ValueType, number][] = []
    for (const t of this.locals) {
      const last = runs.at(-1)
      if (last && last[0] === t) last[1]++
      else runs.push([t, 1])
    }
    out.u32(runs.length)
    for (const [t, n] of runs) {
      out.u32(n)
      out.byte(valueType[t])
    }
    out.append(this.code)
    out.byte(opcode.end)
    return out
  }
}

/** A module: imported functions first, then a memory import `env.memory`, i64 globals, own functions, exports. */
export class WasmModule {
  private readonly types: string[] = []
  private readonly imports: { readonly name: string; readonly type: number }[] = []
  private readonly functions: Func[] = []
  private readonly exports: { readonly name: string; readonly kind: number; readonly index: number }[] = []
  private globals = 0

  private typeOf(params: readonly ValueType[], results: readonly ValueType[]): number {
    const key = `${params.join()}:${results.join()}`
    const known = this.types.indexOf(key)
    return known >= 0 ? known : this.types.push(key) - 1
  }

  /** Imports `env.name`; must precede every `func`. */
  import(name: string, params: readonly ValueType[], results: readonly ValueType[]): number {
    return this.imports.push({ name, type: this.typeOf(params, results) }) - 1
  }

  func(params: readonly ValueType[], results: readonly ValueType[], exported?: string): Func {
    const f = new Func(this.imports.length + this.functions.length, this.typeOf(params, results), params.length)
    this.functions.push(f)
    if (exported) this.exports.push({ name: exported, kind: 0, index: f.index })
    return f
  }

  /** A mutable i64 global that starts at 0, exported. */
  global(name: string): number {
    this.exports.push({ name, kind: 3, index: this.globals })
    return this.globals++
  }

  encode(): Uint8Array<ArrayBuffer> {
    const out = new Bytes()
    for (const b of [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]) out.byte(b)
    this.section(out, 1, this.types.length, (s) => this.types.forEach((t) => writeType(s, t)))
    this.section(out, 2, this.imports.length + 1, (s) => this.writeImports(s))
    this.section(out, 3, this.functions.length, (s) => this.functions.forEach((f) => s.u32(f.type)))
    if (this.globals > 0)
      this.section(out, 6, this.globals, (s) => {
        for (let i = 0; i < this.globals; i++) for (const b of [0x7e, 1, 0x42, 0, 0x0b]) s.byte(b)
      })
    this.section(out, 7, this.exports.length, (s) =>
      this.exports.forEach((e) => {
        s.name(e.name)
        s.byte(e.kind)
        s.u32(e.index)
      }),
    )
    this.section(out, 10, this.functions.length, (s) =>
      this.functions.forEach((f) => {
        const body = f.encode()
        s.u32(body.length)
        s.append(body)
      }),
    )
    return out.whole()
  }

  private section(out: Bytes, id: number, count: number, write: (s: Bytes) => void): void {
    const s = new Bytes()
    s.u32(count)
    write(s)
    out.byte(id)
    out.u32(s.length)
    out.append(s)
  }

  private writeImports(s: Bytes): void {
    for (const { name, type } of this.imports) {
      s.name('env')
      s.name(name)
      s.byte(0)
      s.u32(type)
    }
    s.name('env')
    s.name('memory')
    s.byte(2)
    s.byte(0)
    s.u32(1)
  }
}

function writeType(s: Bytes, key: string): void {
  s.byte(0x60)
  for (const list of key.split(':')) {
    const types = list === '' ? [] : (list.split(',') as ValueType[]) // written by typeOf
    s.u32(types.length)
    for (const t of types) s.byte(valueType[t])
  }
}
