// The scalar types of both IRs and what each is in memory. Registers and expressions hold `ScalarType`s; memory may
// also hold narrower integers, which loads widen (sign- or zero-extending) and stores truncate.

/** What a register or expression holds. `bool` is one bit; integers wrap; floats are IEEE 754. */
export type ScalarType = 'bool' | 'i32' | 'u32' | 'i64' | 'u64' | 'f16' | 'f32' | 'f64'

/** What a memory element holds. */
export type MemoryType = Exclude<ScalarType, 'bool'> | 'i8' | 'u8' | 'i16' | 'u16'

/** Bytes of one element in memory. */
export const bytesOf = {
  i8: 1,
  u8: 1,
  i16: 2,
  u16: 2,
  f16: 2,
  i32: 4,
  u32: 4,
  f32: 4,
  i64: 8,
  u64: 8,
  f64: 8,
} as const satisfies Record<MemoryType, number>

/** The register type that a load of `type` produces. */
export function registerType(type: MemoryType): ScalarType {
  switch (type) {
    case 'i8':
    case 'i16':
      return 'i32'
    case 'u8':
    case 'u16':
      return 'u32'
    case 'i32':
    case 'u32':
    case 'i64':
    case 'u64':
    case 'f16':
    case 'f32':
    case 'f64':
      return type
  }
}

export const isFloat = (t: ScalarType | MemoryType): boolean => t === 'f16' || t === 'f32' || t === 'f64'
/** Of a type's name, `void` and `bool` among them. */
/** Whether a register of it holds 64 bits of an integer. */
export const isWideInteger = (t: ScalarType | MemoryType): boolean => t === 'i64' || t === 'u64'
export const isInteger = (t: ScalarType | MemoryType | 'void'): boolean => /^[iu]\d+$/.test(t)
export const isSigned = (t: ScalarType | MemoryType): boolean => t === 'i32' || t === 'i64' || t === 'i8' || t === 'i16'

/** The typed array that holds elements of `type` on the host; `f16` is carried as raw 16-bit patterns. */
export function hostArray(type: MemoryType, source: ArrayBuffer | number, byteOffset = 0, length?: number): HostArray {
  const buffer = typeof source === 'number' ? new ArrayBuffer(source * bytesOf[type]) : source
  const make = (): HostArray => {
    switch (type) {
      case 'i8':
        return new Int8Array(buffer, byteOffset, length)
      case 'u8':
        return new Uint8Array(buffer, byteOffset, length)
      case 'i16':
        return new Int16Array(buffer, byteOffset, length)
      case 'u16':
      case 'f16':
        return new Uint16Array(buffer, byteOffset, length)
      case 'i32':
        return new Int32Array(buffer, byteOffset, length)
      case 'u32':
        return new Uint32Array(buffer, byteOffset, length)
      case 'f32':
        return new Float32Array(buffer, byteOffset, length)
      case 'f64':
        return new Float64Array(buffer, byteOffset, length)
      case 'i64':
        return new BigInt64Array(buffer, byteOffset, length)
      case 'u64':
        return new BigUint64Array(buffer, byteOffset, length)
    }
  }
  return make()
}

/** A typed array over host memory. */
export type HostArray =
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>
