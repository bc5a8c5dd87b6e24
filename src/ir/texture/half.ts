// f16 as bits in a u32, out of 32-bit operations: for pack2x16float, unpack2x16float and bitcast. In: an f16 or f32
// register. Out: its 16 bits, or the f32 that 16 bits stand for. The one idea: convert to f16 and back rounds; the bits
// are then read off the f32 by scaling, subnormals included. KernelIR has no 16-bit bitcast.
import { constOf } from '../kernel/kernel-build.ts'
import type { Operand } from '../kernel/kernel.ts'
import type { TexelBuilder } from './texture.ts'

const u = (x: number): Operand => constOf('u32', x)

/** The 16 bits of the f16 nearest to `p` (f16 or f32), in a u32. */
export function packHalf(k: Pick<TexelBuilder, 'apply'>, p: Operand): Operand {
  const rounded = k.apply('convert', [k.apply('convert', [p], 'f16')], 'f32')
  const bits = k.apply('bitcast', [rounded], 'u32')
  const sign = k.apply('and', [k.apply('shr', [bits, u(16)]), u(0x8000)])
  const magnitude = k.apply('and', [bits, u(0x7fffffff)])
  const normal = k.apply('shr', [k.apply('sub', [magnitude, u(112 << 23)]), u(13)])
  const scaled = k.apply('mul', [k.apply('bitcast', [magnitude], 'f32'), constOf('f32', 2 ** 24)])
  const subnormal = k.apply('convert', [scaled], 'u32')
  const special = k.apply('select', [k.apply('gt', [magnitude, u(0x7f800000)]), u(0x7e00), u(0x7c00)])
  const finite = k.apply('select', [k.apply('lt', [magnitude, u(113 << 23)]), subnormal, normal])
  return k.apply('or', [sign, k.apply('select', [k.apply('ge', [magnitude, u(0x7f800000)]), special, finite])])
}

/** The f32 that the low 16 bits of `bits` stand for; the upper 16 must be 0. */
export function unpackHalf(k: Pick<TexelBuilder, 'apply'>, bits: Operand): Operand {
  const sign = k.apply('shl', [k.apply('and', [bits, u(0x8000)]), u(16)])
  const magnitude = k.apply('and', [bits, u(0x7fff)])
  const shifted = k.apply('shl', [magnitude, u(13)])
  const normal = k.apply('add', [shifted, u(112 << 23)])
  const subnormal = k.apply(
    'bitcast',
    [k.apply('mul', [k.apply('convert', [magnitude], 'f32'), constOf('f32', 2 ** -24)])],
    'u32',
  )
  const special = k.apply('or', [shifted, u(0x7f800000)])
  const finite = k.apply('select', [k.apply('lt', [magnitude, u(0x400)]), subnormal, normal])
  const all = k.apply('select', [k.apply('ge', [magnitude, u(0x7c00)]), special, finite])
  return k.apply('bitcast', [k.apply('or', [sign, all])], 'f32')
}
