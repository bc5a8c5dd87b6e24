// Constants that WGSL refuses, and values of the same kind that it takes: one line a case, each asked of Tint as well.
import { expect, test } from 'vitest'
import { DiagnosticError } from '../../src/base/index.ts'
import { parseWgsl } from '../../src/frontend/wgsl/index.ts'
import { nullDevice, tintErrors } from '../support/dawn.ts'

const head = `
@group(0) @binding(0) var<storage, read_write> o: array<f32>;
@group(0) @binding(1) var<storage, read_write> u: array<u32>;
@group(0) @binding(2) var<storage, read_write> s: array<i32>;
override ov: u32 = 40;
override zf: f32 = 0;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) l: u32) {
`
const bodies = [
  'o[0] = f32(l >> 32u);',
  'const by = 40; u[0] = l << by;',
  'let by = 40u; u[0] = l << by;',
  'o[0] = 1.0/0.0;',
  'let z = 0.0; o[0] = 1.0/z;',
  'o[0] = 3e38f*2f;',
  'const z = vec2f(1,0); o[0] = (z/z.yx).x;',
  'o[0]=sqrt(-1.0);',
  'o[0]=log(0.0);',
  'u[0] = l/0u;',
  'u[0]=(vec2u(l) % vec2u(3,0)).x;',
  'let z = 0u; u[0]=l/z;',
  's[0] = 2147483647i + 1i;',
  's[0] = 2147483647 + 1;',
  'u[0] = u32(4294967295u + 1u);',
  'o[0] = 9223372036854775807 + 1;',
  's[0] = 1 << 40;',
  's[0] = 1i << 31u;',
  's[0] = 3i << 31u;',
  'u[0] = 3u << 31u;',
  'u[0] = l << ov;',
  'o[0] = 1.0/zf;',
  'o[0] = o[0]/0.0;',
  's[0] = s[0] % 0;',
  's[0] = (-2147483647 - 1) / -1;',
  's[0] = (-2147483647i - 1i) / -1i;',
  'u[0] /= 0u;',
  'u[0] <<= 32u;',
  'o[0] = f32(1 << 62);',
  's[0] = 1 << 63;',
  'o[0] = exp(1000.0);',
  'o[0] = exp(100.0f);',
  's[0] = s[0] >> 32u;',
  'o[0] = 5.0 % 0.0;',
  'o[0] = f32(1e40);',
  's[0]= -(-2147483647i - 1i);',
  'o[0] = pow(-1.0, 0.5);',
  'o[0] = normalize(vec2f(0,0)).x;',
  'o[0] = o[0] % 0.0;',
  'u[0] = countOneBits(1u/0u);',
  's[0]=i32(3e10);',
  'u[0] = u32(-1.0);',
  's[0] = i32(3e10f);',
  'u[0] = u32(-1.0f);',
  'u[0] = extractBits(5u, 30u, 10u);',
  'u[0] = extractBits(l, 30u, 10u);',
  'o[0] = clamp(1.0, 3.0, 2.0);',
  'o[0] = clamp(o[0], 3.0, 2.0);',
  'o[0] = smoothstep(1.0, 1.0, 0.5);',
  'o[0] = ldexp(1.0, 200);',
  'o[0]=ldexp(o[0], 200);',
  's[0] = abs(-2147483647 - 1);',
  'u[0] = pack2x16float(vec2f(1e10, 0));',
  'o[0] = f32(f32(0x1p128));',
  'o[0]=acos(2.0);',
  'o[0]=acosh(0.5);',
  'o[0]=atanh(1.0);',
  'o[0]=inverseSqrt(0.0);',
  's[0]=select(1, 2/0, l == 0u);',
  'if (false && 1/0 == 1) {s[0] = 1;}',
  'u[0] = u32(4294967296);',
  'u[0] = 4294967295u * 2u;',
  's[0] = -2147483648;',
  's[0] = 2147483648;',
  'o[0] = f32(dot(vec2i(65536,1), vec2i(65536,1)));',
  'o[0]=1e38f + 3e38f;',
  'o[0]=length(vec2f(1e30,1e30));',
  'o[0] = distance(vec2f(3e38,0), vec2f(-3e38,0));',
  'u[0] = insertBits(1u,2u,30u,10u);',
  'u[0]=insertBits(l,2u,30u,10u);',
  'o[0]=bitcast<f32>(0x7f800000u);',
  'o[0]=quantizeToF16(1e6);',
  'o[0]=unpack2x16float(0x7c007c00u).x;',
  'const a = array(1,2); s[0] = a[2];',
  'const a=vec2i(1,2); s[0] = a[2];',
  'let v = vec2u(l); u[0] = v[2];',
  'u[0]=vec2u(l)[5];',
  's[0] = s[0] << 33;',
]

function isTaken(text: string): boolean {
  try {
    parseWgsl(text, 'constants.wgsl')
    return true
  } catch (error) {
    if (error instanceof DiagnosticError) return false
    throw error
  }
}

test('what Tint refuses is refused, and nothing else', async () => {
  const device = await nullDevice()
  const differ: string[] = []
  let refused = 0
  for (const body of bodies) {
    const text = `${head}  ${body}\n}\n`
    const taken = isTaken(text)
    if (!taken) refused++
    if (taken !== ((await tintErrors(device, text, 'main')).length === 0)) differ.push(body)
  }
  expect(differ).toEqual([])
  // neither all nor none, as an error in the head would have it
  expect(refused).toBeGreaterThan(bodies.length / 2)
  expect(refused).toBeLessThan(bodies.length)
})
