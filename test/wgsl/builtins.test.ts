// Every built-in on 64 inputs, on SwiftShader and in the simulator: integers bit for bit, floats within the accuracy
// that WGSL allows (wider where it inherits from several operations). A case is one expression. Halves are kept out of
// `pack*snorm`: WGSL says floor(½ + x), SwiftShader rounds them to even.
import { describe, expect, it } from 'vitest'
import { difference, onDevice, simulated } from './both.ts'

const exact = [
  'abs(i)',
  'abs(u)',
  'sign(i)',
  'min(i, -3)',
  'max(u, 7u)',
  'clamp(i, -5, 5)',
  'countOneBits(u)',
  'countLeadingZeros(i)',
  'countTrailingZeros(u)',
  'reverseBits(u)',
  'firstLeadingBit(i)',
  'firstLeadingBit(u)',
  'firstTrailingBit(i)',
  'extractBits(i, 3u, 7u)',
  'extractBits(u, 20u, 12u)',
  'insertBits(u, 5u, 4u, 9u)',
  'insertBits(i, -1, 31u, 1u)',
  'dot(vec3i(i, 2, 3), vec3i(1, i, -1))',
  'dot4U8Packed(u, 0x01ff8003u)',
  'dot4I8Packed(u, 0x01ff8003u)',
  'pack4x8snorm(vec4f(x * 0.9, y, -x * 0.9, 2.0 * y))',
  'pack4x8unorm(vec4f(x, y, -x, 2.0 * y))',
  'pack2x16snorm(vec2f(x * 0.9, y))',
  'pack2x16unorm(vec2f(x, -y))',
  'pack4xI8(vec4i(i, 1, -1, 300))',
  'pack4xU8(vec4u(u, 1, 2, 300))',
  'pack4xI8Clamp(vec4i(i, 1, -1, 300))',
  'pack4xU8Clamp(vec4u(u, 1, 2, 300))',
  'unpack4xI8(u).z',
  'unpack4xU8(u).w',
  'pack2x16float(vec2f(x, y * 4096.0))',
  'bitcast<i32>(x)',
  'bitcast<vec2u>(vec2f(x, y)).y',
  'i32(x)',
  'u32(x)',
  'i32(u)',
  'u32(i)',
  'u32(x > 0.0)',
  'select(1u, 2u, x < y)',
  'u32(all(vec2f(x, y) < vec2f(0.5)))',
  'u32(any(vec2i(i) == vec2i(3, 4)))',
  'u32(vec3f(x, y, 1).yzx.x > y)',
  'frexp(x).exp',
  'u32(modf(x * 8.0).whole + 100.0)',
  'u << (u & 31u)',
  'i >> (u & 31u)',
  'i % 7',
  'u / 0x10u',
  '~i',
  '-i',
  'u ^ 0xffu',
  'arrayLength(&input)',
] as const

const floats = [
  'abs(x)',
  'acos(clamp(x, -1.0, 1.0)) * 0.1',
  'asin(clamp(x, -1.0, 1.0)) * 0.1',
  'atan(x)',
  'atan2(x, y)',
  'ceil(x)',
  'cos(x)',
  'cosh(x)',
  'cross(vec3f(x, y, 1), vec3f(y, 2, x)).y',
  'degrees(x)',
  'determinant(mat3x3f(x, y, 1, 2, x, 3, y, 1, 4))',
  'distance(vec2f(x, y), vec2f(1, 2))',
  'dot(vec4f(x, y, 1, 2), vec4f(y, x, 2, 1))',
  'exp(x)',
  'exp2(x)',
  'faceForward(vec2f(x, 1), vec2f(y, 1), vec2f(1, -1)).x',
  'floor(x)',
  'fma(x, y, 1.0)',
  'fract(x)',
  'frexp(x).fract',
  'inverseSqrt(abs(x) + 1.0)',
  'ldexp(x, 3)',
  'length(vec3f(x, y, 2))',
  'log(abs(x) + 1.0)',
  'log2(abs(x) + 1.0)',
  'max(x, y)',
  'min(x, y)',
  'mix(x, y, 0.25)',
  'mix(vec2f(x, y), vec2f(1, 2), vec2f(0.5, y)).y',
  'modf(x).fract',
  'normalize(vec3f(x, y, 2)).z',
  'pow(abs(x) + 0.5, y)',
  'quantizeToF16(x)',
  'radians(x)',
  'reflect(vec2f(x, y), vec2f(0, 1)).y',
  'refract(vec2f(x, y), vec2f(0.6, 0.8), 0.5).x',
  'round(x * 4.0)',
  'saturate(x)',
  'sign(x)',
  'sin(x)',
  'sinh(x)',
  'smoothstep(-1.0, 2.0, x)',
  'sqrt(abs(x))',
  'step(x, y)',
  'tan(x * 0.5)',
  'tanh(x)',
  'transpose(mat2x3f(x, y, 1, 2, 3, 4))[1].y',
  'trunc(x)',
  'asinh(x)',
  'acosh(abs(x) + 1.5)',
  'atanh(x * 0.2)',
  'unpack2x16float(u).x * 0.001',
  'unpack4x8snorm(u).y',
  'unpack4x8unorm(u).z',
  'unpack2x16snorm(u).x',
  'unpack2x16unorm(u).y',
  '(mat2x2f(x, y, 1, 2) * vec2f(y, 3)).y',
  'mat2x2f(x, y, 1, 2)[u32(i) & 1u].x',
  '(vec3f(y, 3, x) * mat2x3f(x, y, 1, 2, 1, x)).y',
  '(mat2x2f(x, y, 1, 2) * mat2x2f(1, x, y, 2))[1].x',
  '(mat3x2f(x, y, 1, 2, 3, 4) - mat3x2f(1, 1, 1, 1, 1, y))[2].y',
  'x / (abs(y) + 1.0)',
  'x % 1.5',
  'f32(i)',
  'f32(u)',
  'f32(x > y)',
  'select(x, y, i > 3)',
] as const

const n = 64
const input = Float32Array.from(
  { length: 2 * n },
  (_, k) => (k % 2 === 0 ? (k - 64) / 16 : Math.sin(k) * 1.5) + (k === 6 ? 1e-3 : 0),
)
const words = Int32Array.from(
  { length: n },
  (_, k) => [0, 1, -1, 2147483647, -2147483648, k, -k, Math.imul(k, 0x9e3779b9)][k % 8]!,
)

/** The statements that store each of the expressions of a thread. */
const stored = (expressions: readonly string[], type: 'u32' | 'f32'): string =>
  expressions
    .map((e, k) => `  out[id.x * ${expressions.length}u + ${k}u] = ${type === 'u32' ? `bitcast<u32>(${e})` : e};`)
    .join('\n')

const program = (expressions: readonly string[], type: 'u32' | 'f32'): string => `
@group(0) @binding(0) var<storage, read> input: array<vec2f>;
@group(0) @binding(1) var<storage, read> words: array<i32>;
@group(0) @binding(2) var<storage, read_write> out: array<${type}>;
@compute @workgroup_size(32) fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = input[id.x].x; let y = input[id.x].y; let i = words[id.x]; let u = bitcast<u32>(i);
${stored(expressions, type)}
}`

describe('built-in functions', () => {
  it.each([
    ['integers', exact, 'u32', 0],
    ['floats', floats, 'f32', 2e-3],
  ] as const)(
    '%s',
    async (_, expressions, type, tolerance) => {
      const text = program(expressions, type)
      const buffers = {
        input: input.buffer.slice(0),
        words: words.buffer.slice(0),
        out: new ArrayBuffer(4 * n * expressions.length),
      }
      const mine = simulated(text, [n / 32, 1, 1], buffers)
      const theirs = await onDevice(text, [n / 32, 1, 1], buffers, mine.wgsl)
      const view = (b: ArrayBuffer): Uint32Array | Float32Array =>
        type === 'u32' ? new Uint32Array(b) : new Float32Array(b)
      const [a, b] = [view(mine.buffers['out']!), view(theirs['out']!)]
      const wrong = new Map<string, string>()
      for (let k = 0; k < a.length; k++) {
        const [p, q] = [a[k]!, b[k]!]
        const same =
          p === q ||
          (Number.isNaN(p) && Number.isNaN(q)) ||
          Math.abs(p - q) <= tolerance * Math.max(1, Math.abs(p), Math.abs(q))
        const e = expressions[k % expressions.length]!
        if (!same && !wrong.has(e))
          wrong.set(
            e,
            `x ${input[2 * Math.floor(k / expressions.length)]} i ` +
              `${words[Math.floor(k / expressions.length)]}: ${p}, SwiftShader ${q}`,
          )
      }
      expect([...wrong]).toEqual([])
      expect(difference({ input: mine.buffers['input']! }, { input: theirs['input']! })).toBeNull()
    },
    60_000,
  )
})
