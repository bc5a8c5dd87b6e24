// In: types of memory. Out: code that moves one element between memory and its register value. The one idea:
// WebAssembly has an instruction for every width but half precision, whose bits are shifted into those of f32.
import type { MemoryType } from '../../ir/index.ts'
import { mem, opcode as o, type Func } from '../wasm.ts'
import { helper, type JitContext } from './context.ts'

/** Loads one element from the address on the stack plus `offset`, as its register value. */
export function loadElement(c: JitContext, f: Func, type: MemoryType, offset: number): void {
  switch (type) {
    case 'i8':
      f.mem(mem.i32_load8_s, offset)
      return
    case 'u8':
      f.mem(mem.i32_load8_u, offset)
      return
    case 'i16':
      f.mem(mem.i32_load16_s, offset)
      return
    case 'u16':
      f.mem(mem.i32_load16_u, offset)
      return
    case 'i32':
    case 'u32':
      f.mem(mem.i32_load, offset)
      return
    case 'f32':
      f.mem(mem.f32_load, offset)
      return
    case 'i64':
    case 'u64':
      f.mem(mem.i64_load, offset)
      return
    case 'f64':
      f.mem(mem.f64_load, offset)
      return
    case 'f16':
      f.mem(mem.i32_load16_u, offset).call(helper(c, 'f16value', () => writeF16Value(c)))
  }
}

/** Stores the register value on the stack to the address below it plus `offset`. */
export function storeElement(c: JitContext, f: Func, type: MemoryType, offset: number): void {
  switch (type) {
    case 'i8':
    case 'u8':
      f.mem(mem.i32_store8, offset)
      return
    case 'i16':
    case 'u16':
      f.mem(mem.i32_store16, offset)
      return
    case 'i32':
    case 'u32':
      f.mem(mem.i32_store, offset)
      return
    case 'f32':
      f.mem(mem.f32_store, offset)
      return
    case 'i64':
    case 'u64':
      f.mem(mem.i64_store, offset)
      return
    case 'f64':
      f.mem(mem.f64_store, offset)
      return
    case 'f16':
      f.call(helper(c, 'f16bits', () => writeF16Bits(c))).mem(mem.i32_store16, offset)
  }
}

/** 16 bits → f32: shift into place and scale by 2¹¹²; infinity and NaN keep their exponent of ones. */
function writeF16Value(c: JitContext): Func {
  const f = c.module.func(['i32'], ['f32'])
  f.get(0)
    .i32(0x7fff)
    .op(o.i32_and)
    .i32(13)
    .op(o.i32_shl)
    .op(o.f32_reinterpret_i32)
    .f32(2 ** 112)
    .op(o.f32_mul)
  f.get(0).i32(0x7fff).op(o.i32_and).i32(13).op(o.i32_shl).i32(0x70000000).op(o.i32_or).op(o.f32_reinterpret_i32)
  f.get(0).i32(0x7c00).op(o.i32_and).i32(0x7c00).op(o.i32_ne).op(o.select)
  f.get(0).i32(16).op(o.i32_shl).op(o.f32_reinterpret_i32).op(o.f32_copysign)
  return f
}

/** An f32 that f16 holds exactly → its 16 bits; NaN gives 0x7e00 without sign. */
function writeF16Bits(c: JitContext): Func {
  const f = c.module.func(['f32'], ['i32'])
  f.i32(0x7e00)
  f.i32(0x7c00)
  f.get(0)
    .op(o.f32_abs)
    .f32(2 ** -112)
    .op(o.f32_mul)
    .op(o.i32_reinterpret_f32)
    .i32(13)
    .op(o.i32_shr_u)
  f.get(0).op(o.f32_abs).f32(Infinity).op(o.f32_eq).op(o.select)
  f.get(0).op(o.i32_reinterpret_f32).i32(16).op(o.i32_shr_u).i32(0x8000).op(o.i32_and).op(o.i32_or)
  f.get(0).get(0).op(o.f32_ne).op(o.select)
  return f
}
