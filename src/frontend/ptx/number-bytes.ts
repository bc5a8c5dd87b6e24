// Numbers in bytes, little-endian. In: a buffer, a place and a memory type. Out: the value, or the buffer changed.
import { f16Bits, readElement, type MemoryType, type ScalarValue } from '../../ir/index.ts'

export function readMemory(buffer: ArrayBuffer, at: number, type: MemoryType): ScalarValue {
  return readElement(new DataView(buffer), at, type)
}

export function writeMemory(buffer: ArrayBuffer, at: number, type: MemoryType, value: number): void {
  const view = new DataView(buffer)
  switch (type) {
    case 'i8':
    case 'u8':
      return view.setUint8(at, value)
    case 'i16':
    case 'u16':
      return view.setUint16(at, value, true)
    case 'i32':
    case 'u32':
      return view.setUint32(at, value, true)
    case 'i64':
    case 'u64':
      return view.setBigUint64(at, BigInt.asUintN(64, BigInt(Math.trunc(value))), true)
    case 'f16':
      return view.setUint16(at, f16Bits(value), true)
    case 'f32':
      return view.setFloat32(at, value, true)
    case 'f64':
      return view.setFloat64(at, value, true)
  }
}
