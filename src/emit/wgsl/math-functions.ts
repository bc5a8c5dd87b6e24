// Functions of WGSL that emitted modules declare where WGSL's own promise less than C does (`ir/promises/wgsl.ts`):
// powers of negative numbers, remainders, rounded quotients and roots, angles beyond a turn, arc tangents on the axes.
// The one idea: what must be exact is done in integers, which every device computes alike; nothing relies on the order
// or the rounding of more than one float operation, which WGSL does not promise (§15.7.3).
import type { ScalarType } from '../../ir/index.ts'
import { call, infix, primary, type Text } from '../printer.ts'

/** Texts by name, as the module declares them. */
type Add = (name: string, text: string) => string

const notANumber = '0x7fc00000u'
const infinity = '0x7f800000u'

/** Half precision goes through single precision. */
function through(name: string, args: readonly Text[], type: ScalarType): Text {
  if (type !== 'f16') return call(name, ...args)
  return call('f16', call(name, ...args.map((a) => call('f32', a))))
}

/** C's power: of 0, of negative numbers to whole powers, and 1 to the power of 0. */
export function powerText(add: Add, fromBits: string, args: readonly Text[], type: ScalarType): Text {
  // its magnitude alone is asked for, and no device is in doubt about that
  if (type === 'f32' && args[0]!.text.startsWith('abs(') && isPositive(args[1]!)) return call('pow', ...args)
  const name = add(
    'pow_f32',
    `// x to the power of y as C has it. Powers of WGSL are those of exp2 and log2: undefined where x < 0.
fn pow_f32(x: f32, y: f32) -> f32 {
  if (y == 0.0 || x == 1.0) {
    return 1.0;
  }
  let is_whole = floor(y) == y;
  if (x < 0.0 && !is_whole) {
    return ${fromBits}(${notANumber});
  }
  if (is_whole && abs(y) <= 64.0) {
    // A product by squares, exact where the power is.
    var product = 1.0;
    var square = x;
    for (var n = u32(abs(y)); n > 0u; n >>= 1u) {
      if ((n & 1u) == 1u) {
        product *= square;
      }
      square *= square;
    }
    return select(product, 1.0 / product, y < 0.0);
  }
  var power = pow(abs(x), y);
  if (x == 0.0) {
    power = ${fromBits}(select(${infinity}, 0u, y > 0.0));
  }
  // From 2^24 on all numbers are even.
  var is_odd = false;
  if (is_whole && abs(y) < 16777216.0) {
    is_odd = (i32(y) & 1) == 1;
  }
  let is_negative = (bitcast<u32>(x) >> 31u) == 1u;
  return select(power, -power, is_odd && is_negative);
}`,
  )
  return through(name, args, type)
}

const isPositive = ({ text }: Text): boolean => /^\d[\d.]*(e[+-]?\d+)?$/.test(text) && Number(text) > 0

/** C's remainder, which is exact: digits of the quotient in base 2⁸, from the top. */
export function remainderText(add: Add, fromBits: string, args: readonly Text[], type: ScalarType): Text {
  const name = add(
    'rem_f32',
    `// What is left of a when b is taken off as often as it fits, exactly: in integers, eight bits of the quotient \
at a time.
fn rem_f32(a: f32, b: f32) -> f32 {
  let size = bitcast<u32>(a) & 0x7fffffffu;
  let by = bitcast<u32>(b) & 0x7fffffffu;
  if (by == 0u || size >= ${infinity} || by > ${infinity}) {
    return ${fromBits}(${notANumber});
  }
  if (size < by) {
    return a;
  }
  let exponent = max(by >> 23u, 1u);
  let divisor = select(by & 0x7fffffu, (by & 0x7fffffu) | 0x800000u, by >= 0x800000u);
  var left = select(size & 0x7fffffu, (size & 0x7fffffu) | 0x800000u, size >= 0x800000u) % divisor;
  var places = max(size >> 23u, 1u) - exponent;
  while (places > 0u && left > 0u) {
    let step = min(places, 8u);
    left = (left << step) % divisor;
    places -= step;
  }
  let sign = bitcast<u32>(a) & 0x80000000u;
  if (left == 0u) {
    return ${fromBits}(sign);
  }
  let shift = countLeadingZeros(left) - 8u;
  if (exponent > shift) {
    return ${fromBits}(sign | ((exponent - shift) << 23u) | ((left << shift) & 0x7fffffu));
  }
  return ${fromBits}(sign | (left << (exponent - 1u)));
}`,
  )
  return through(name, args, type)
}

/** The quotient rounded to nearest, whatever the device's own is within three units. */
export function quotientText(add: Add, args: readonly Text[]): Text {
  add('near_power_of_2', nearPowerOf2)
  add('rounded_bits', roundedBits)
  const name = add(
    'div_f32',
    `// a / b rounded to nearest: the device's quotient may be a few units off, and what is left over is known exactly
// modulo 2^32, from significands; no quotient lies half way between two numbers. Zeros, denormals and what is not
// finite stay as they are.
fn div_f32(a: f32, b: f32) -> f32 {
  let near = a / b;
  let bits = bitcast<u32>(near);
  let ua = bitcast<u32>(a) & 0x7fffffffu;
  let ub = bitcast<u32>(b) & 0x7fffffffu;
  let ma = (ua & 0x7fffffu) | 0x800000u;
  let mb = (ub & 0x7fffffu) | 0x800000u;
  let mq = (bits & 0x7fffffu) | 0x800000u;
  let eq = (bits >> 23u) & 255u;
  let scale = (ua >> 23u) - (ub >> 23u) - eq;
  let left = bitcast<i32>((ma << ((scale + 150u) & 31u)) - mq * mb);
  let is_normal = (ua - 0x800000u < 0x7f000000u) & (ub - 0x800000u < 0x7f000000u) & (eq - 2u < 252u);
  if ((left == 0) | !is_normal) {
    return near;
  }
  if (mq - 0x800008u >= 0x7ffff0u) {
    let is_below = mq > 0xc00000u;
    let power = eq + u32(is_below);
    let low = near_power_of_2(mq, is_below) - 16u;
    let rest = (ma << ((scale + 152u - u32(is_below)) & 31u)) - low * mb;
    let more = rest / mb;
    return rounded_bits(bits & 0x80000000u, power, low + more, rest != more * mb);
  }
  let unit = bitcast<i32>(mb);
  let rest = abs(left);
  let rest_2 = select(rest, rest - unit, 2 * rest > unit);
  let rest_3 = select(rest_2, rest_2 - unit, 2 * rest_2 > unit);
  let units = u32(2 * rest > unit) + u32(2 * rest_2 > unit) + u32(2 * rest_3 > unit);
  return bitcast<f32>(select(bits + units, bits - units, left < 0));
}`,
  )
  return call(name, ...args)
}

/** The square root rounded to nearest, likewise; the device's may be up to five units off. */
export function rootText(add: Add, args: readonly Text[]): Text {
  add('near_power_of_2', nearPowerOf2)
  add('rounded_bits', roundedBits)
  const name = add(
    'sqrt_f32',
    `// The square root rounded to nearest, in the same way.
fn sqrt_f32(a: f32) -> f32 {
  let near = sqrt(a);
  let bits = bitcast<u32>(near);
  let ua = bitcast<u32>(a);
  let ma = (ua & 0x7fffffu) | 0x800000u;
  let mr = (bits & 0x7fffffu) | 0x800000u;
  let er = bits >> 23u;
  let scale = (ua >> 23u) - 2u * er;
  var left = bitcast<i32>((ma << ((scale + 150u) & 31u)) - mr * mr);
  if ((left == 0) | (ua - 0x800000u >= 0x7f000000u)) {
    return near;
  }
  if (mr - 0x800010u >= 0x7fffe0u) {
    let is_below = mr > 0xc00000u;
    var low = near_power_of_2(mr, is_below);
    left = bitcast<i32>((ma << ((scale + 154u - 2u * u32(is_below)) & 31u)) - low * low);
    for (var i = 0; i < 24 && left < 0; i++) {
      low -= 1u;
      left += bitcast<i32>(2u * low + 1u);
    }
    for (var i = 0; i < 24 && left > bitcast<i32>(2u * low); i++) {
      left -= bitcast<i32>(2u * low + 1u);
      low += 1u;
    }
    return rounded_bits(0u, er + u32(is_below), low, left != 0);
  }
  var root = bitcast<i32>(mr);
  for (var i = 0; i < 5 && (left > root || left <= -root); i++) {
    let step = select(1, -1, left < 0);
    left -= 2 * root * step + 1;
    root += step;
  }
  return bitcast<f32>(bits + bitcast<u32>(root) - mr);
}`,
  )
  return call(name, ...args)
}

/** Beside a power of two, where units change, numbers are counted in half units of those below it. */
const nearPowerOf2 = `// A significand beside a power of two, which is 2^25, in half units of those below it.
fn near_power_of_2(significand: u32, is_below: bool) -> u32 {
  return select(0x2000000u + 4u * (significand - 0x800000u), 2u * significand, is_below);
}`

const roundedBits = `// What is counted so, and is_more than that, rounded to nearest, ties to even.
// exponent: of the power.
fn rounded_bits(sign: u32, exponent: u32, bits: u32, is_more: bool) -> f32 {
  let is_below = bits < 0x2000000u;
  let shift = select(2u, 1u, is_below);
  let whole = bits >> shift;
  let rest = bits - (whole << shift);
  let half = shift; // of 2 and of 4
  let up = rest > half || (rest == half && (is_more || (whole & 1u) == 1u));
  let own_exponent = select(exponent, exponent - 1u, is_below);
  return bitcast<f32>(sign | ((own_exponent << 23u) + (whole - 0x800000u) + u32(up)));
}`

/** A function of an angle, which is brought into −π … π first: WGSL promises no more (Cody and Waite's reduction). */
export function angleText(add: Add, name: string, args: readonly Text[], type: ScalarType): Text {
  if (type === 'f16') return call(name, ...args)
  const turned = add(
    'without_turns',
    `// An angle without its whole turns: 2 pi in three parts, of which the first two times up to 2^16 are exact.
fn without_turns(x: f32) -> f32 {
  let turns = round(x * 0.15915494);
  return ((x - turns * 6.28125) - turns * 0.00193023681640625) - turns * 5.0703632e-6;
}`,
  )
  return call(name, call(turned, ...args))
}

/** WGSL's tanh inherits from quotients of exponentials, which overflow. */
export function tanhText(add: Add, args: readonly Text[], type: ScalarType): Text {
  const name = add(
    `tanh_${type}`,
    `// From 10 on it is 1 in this precision.
fn tanh_${type}(x: ${type}) -> ${type} {
  return select(tanh(x), sign(x), abs(x) > 10.0);
}`,
  )
  return call(name, ...args)
}

/** A logarithm; of 0 and of negative numbers, of which WGSL promises nothing, as C has it. */
export function logarithmText(
  add: Add,
  fromBits: string,
  which: 'log' | 'log2',
  args: readonly Text[],
  type: ScalarType,
): Text {
  const name = add(
    `${which}_f32`,
    `// Negative infinity of 0, and no number of negative ones.
fn ${which}_f32(x: f32) -> f32 {
  if (x > 0.0) {
    return ${which}(x);
  }
  return ${fromBits}(select(${notANumber}, 0xff800000u, x == 0.0));
}`,
  )
  return through(name, args, type)
}

/** The angle of (x, y); on the axes, where WGSL promises nothing, as C has it. */
export function arcText(add: Add, args: readonly Text[], type: ScalarType): Text {
  const name = add(
    'atan2_f32',
    `// The angle of the point (x, y), on the axes too, where signs of zeros count.
fn atan2_f32(y: f32, x: f32) -> f32 {
  let is_below = (bitcast<u32>(y) >> 31u) == 1u;
  if (y == 0.0) {
    let is_left = (bitcast<u32>(x) >> 31u) == 1u;
    return select(y, select(3.1415927, -3.1415927, is_below), is_left);
  }
  if (x == 0.0) {
    return select(1.5707964, -1.5707964, is_below);
  }
  return atan2(y, x);
}`,
  )
  return through(name, args, type)
}

/** Whether a float is no number, by its bits: comparisons may be compiled as if there were none. */
export const isNanText = (a: Text): Text =>
  infix('>', infix('&', call('bitcast<u32>', a), primary('0x7fffffffu')), primary(infinity))
