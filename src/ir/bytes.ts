// Elements in bytes, little-endian, as all memories of kernels and hosts hold them. In: a view, a place in bytes and a
// memory type. Out: the value. Half precision comes as a number, 64-bit integers as bigint.
import { f16Value, type ScalarValue } from './round.ts'
import type { MemoryType } from './types.ts'

/** The element of `type` at byte `byte` of `view`. */
export function readElement(view: DataView, byte: number, type: MemoryType): ScalarValue {
  switch (type) {
    case 'i8':
      return view.getInt8(byte)
    case 'u8':
      return view.getUint8(byte)
    case 'i16':
      return view.getInt16(byte, true)
    case 'u16':
      return view.getUint16(byte, true)
    case 'i32':
      return view.getInt32(byte, true)
    case 'u32':
      return view.getUint32(byte, true)
    case 'i64':
      return view.getBigInt64(byte, true)
    case 'u64':
      return view.getBigUint64(byte, true)
    case 'f16':
      return f16Value(view.getUint16(byte, true))
    case 'f32':
      return view.getFloat32(byte, true)
    case 'f64':
      return view.getFloat64(byte, true)
  }
}
