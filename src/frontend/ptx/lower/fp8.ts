// In: conversions from and to numbers of 8 bits (e4m3, e5m2), two in 16 bits. Out: KernelIR. The one idea: the exponent
// of an f32 holds that of a quarter, so a quarter is an f32 shifted and scaled, and rounding is an addition below the
// last bit. Narrower formats (6 and 4 bits) are refused.
import { constOf, type Operand as Value } from '../../../ir/index.ts'
import type { Instruction } from '../text/syntax.ts'
import type { PtxValues } from './values.ts'

interface Quarter {
  /** Bits of the fraction. */ readonly fraction: number
  readonly bias: number /** The largest finite number. */
  readonly most: number
}

const quarters: Readonly<Record<string, Quarter>> = {
  e4m3x2: { fraction: 3, bias: 7, most: 448 },
  e5m2x2: { fraction: 2, bias: 15, most: 57344 },
}

/** Lowers a conversion from or to quarters; false when it is none. */
export function quarterConversion(v: PtxValues, s: Instruction): boolean {
  const { mods } = s.opcode
  const name = mods.find((m) => Object.hasOwn(quarters, m))
  if (name === undefined) return false
  const q = quarters[name]!
  const [dst, a, b] = s.operands
  const at = mods.indexOf(name)
  const other = mods[mods.length - 1] === name ? mods[at - 1] : mods[mods.length - 1]
  if (mods[mods.length - 1] === name) {
    if (other !== 'f16x2') return v.refuse(`${s.opcode.text} cannot be analysed`)
    const bits = v.get(a, 'b16')
    const [low, high] = [v.op('and', [bits, v.u32(255)]), v.op('shr', [bits, v.u32(8)])].map((x) =>
      v.halfBits(v.convert(fromQuarter(v, q, x), 'f16')),
    )
    v.put(dst, 'b32', v.op('or', [low!, v.op('shl', [high!, v.u32(16)])])) // two of them
    return true
  }
  const numbers =
    other === 'f32' && b
      ? [v.get(b, 'f32'), v.get(a, 'f32')]
      : other === 'f16x2'
        ? halves(v, v.get(a, 'b32'))
        : v.refuse(`${s.opcode.text} cannot be analysed`)
  const [low, high] = numbers.map((x) =>
    toQuarter(v, q, mods.includes('relu') ? v.op('max', [x, constOf('f32', 0)]) : x),
  )
  v.put(dst, 'b16', v.op('or', [low!, v.op('shl', [high!, v.u32(8)])])) // two of them
  return true
}

const halves = (v: PtxValues, word: Value): readonly Value[] =>
  [v.op('and', [word, v.u32(0xffff)]), v.op('shr', [word, v.u32(16)])].map((x) => v.halfNumber(x))

/** The f32 that 8 bits stand for. e5m2 has infinities, e4m3 only NaN. */
function fromQuarter(v: PtxValues, { fraction, bias }: Quarter, bits: Value): Value {
  const magnitude = v.op('and', [bits, v.u32(127)])
  const finite = v.op('mul', [
    v.bits(v.op('shl', [magnitude, v.u32(23 - fraction)]), 'f32'),
    constOf('f32', 2 ** (127 - bias)),
  ])
  const special =
    fraction === 3
      ? constOf('f32', NaN)
      : v.op('select', [v.op('eq', [magnitude, v.u32(0x7c)]), constOf('f32', Infinity), constOf('f32', NaN)])
  const whole = v.op('select', [v.op('ge', [magnitude, v.u32(fraction === 3 ? 127 : 0x7c)]), special, finite])
  return v.bits(v.op('or', [v.bits(whole, 'u32'), v.op('shl', [v.op('and', [bits, v.u32(128)]), v.u32(24)])]), 'f32')
}

/** The 8 bits nearest to an f32, to even; what is too large becomes the largest (.satfinite). */
function toQuarter(v: PtxValues, { fraction, bias, most }: Quarter, x: Value): Value {
  const size = v.op('min', [v.op('abs', [x]), constOf('f32', most)])
  const bits = v.bits(size, 'u32')
  const below = 23 - fraction
  const odd = v.op('and', [v.op('shr', [bits, v.u32(below)]), v.u32(1)])
  const normal = v.op('sub', [
    v.op('shr', [v.op('add', [bits, v.op('add', [odd, v.u32(2 ** (below - 1) - 1)])]), v.u32(below)]),
    v.u32((127 - bias) << fraction),
  ])
  // The sum's last bit is worth as much as that of the quarters without an exponent.
  const magic = 2 ** (24 - bias - fraction)
  const tiny = v.op('sub', [
    v.bits(v.op('add', [size, constOf('f32', magic)]), 'u32'),
    v.bits(v.op('copy', [constOf('f32', magic)]), 'u32'),
  ])
  const finite = v.op('select', [v.op('lt', [size, constOf('f32', 2 ** (1 - bias))]), tiny, normal])
  const whole = v.op('select', [v.op('eq', [x, x]), finite, v.u32(127)])
  return v.op('or', [whole, v.op('and', [v.op('shr', [v.bits(x, 'u32'), v.u32(24)]), v.u32(128)])])
}
