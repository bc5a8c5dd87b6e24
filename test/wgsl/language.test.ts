// Parts of the language that the generator does not reach: host layout, pointers into every space, structs with arrays,
// overrides, entry points with built-ins in a struct, f16. On SwiftShader and in the simulator, bit for bit.
import { describe, expect, it } from 'vitest'
import { parseWgsl } from '../../src/frontend/wgsl/index.ts'
import { difference, onDevice, simulated } from './both.ts'

const words = (n: number): ArrayBuffer =>
  Uint32Array.from({ length: n }, (_, i) => Math.imul(i + 1, 0x9e3779b9) >>> 8).buffer
const floats = (n: number): ArrayBuffer => Float32Array.from({ length: n }, (_, i) => ((i * 7) % 33) / 4).buffer

/** A chain of so many `else if` that test `x` and change `r`. */
const elseIfs = (n: number): string =>
  Array.from(
    { length: n },
    (_, i) => ` else if (x % ${i + 2}u == 1u) { r += ${i}u; if (x > ${3 * i}u) { return r; } }`,
  ).join('')

const programs: Readonly<Record<string, readonly [string, Record<string, ArrayBuffer>]>> = {
  'members where the host expects them': [
    `
struct Inner { x: vec2f, @size(16) y: f32 }
struct Outer { a: f32, b: vec3f, c: mat3x3f, d: array<vec3f, 2>, @align(64) e: u32, f: Inner, g: mat2x4f, h: \
array<Inner> }
@group(0) @binding(0) var<storage, read_write> s: Outer;
@group(0) @binding(1) var<storage, read> t: Outer;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) l: u32) {
  if (l == 0) { s.a = t.b.y; s.b = t.d[1] + t.c[2]; s.c = transpose(t.c); s.d = t.d; s.e = t.e ^ arrayLength(&t.h); \
s.f = t.f; s.g = t.g * 2.0; }
  s.h[l] = t.h[3 - l]; s.h[l].x.y += f32(l);
}`,
    { s: words(128), t: floats(128) },
  ],
  'uniform structs and vectors': [
    `
struct P { n: u32, m: mat4x4f, v: array<vec4<i32>, 3>, k: vec3u, z: f32 }
@group(0) @binding(0) var<uniform> p: P;
@group(1) @binding(3) var<storage, read_write> o: array<f32>;
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) g: vec3u) {
  let i = g.x % 3u;
  o[g.x] = (p.m * vec4f(1, 2, 3, f32(g.x))).y + f32(p.v[i].z & 255) + f32(p.k.y & 7u) + p.z + p.m[g.x % 4u][i];
}`,
    { p: floats(64), o: words(16) },
  ],
  'pointers into every space': [
    `
@group(0) @binding(0) var<storage, read_write> o: array<vec4u>;
var<private> q: array<u32, 5>;
var<workgroup> w: array<vec2u, 8>;
fn twice(p: ptr<function, u32>) { *p = *p * 2u; }
fn into(p: ptr<private, array<u32, 5>>, i: u32, v: u32) -> u32 { (*p)[i] += v; return p[i]; }
fn swap(p: ptr<workgroup, array<vec2u, 8>>, i: u32) { let a = &(*p)[i]; *a = (*a).yx; }
fn outer(p: ptr<function, u32>, n: u32) { for (var i = 0u; i < n; i++) { if (i == 3u) { return; } twice(p); } }
@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) l: u32, @builtin(workgroup_id) group: vec3u) {
  var x = l + 1u; outer(&x, l);
  w[l] = vec2u(l, x); swap(&w, l); workgroupBarrier();
  var i = l % 5u; let e = &q[i]; i = 0u; *e = 7u;
  let out = &o[l + 8u * group.x];
  *out = vec4u(into(&q, l % 5u, x), w[7u - l].x, i, q[l % 5u]);
  (*out).w += x; out.x ^= 1u;
}`,
    { o: words(64) },
  ],
  'overrides, built-ins in a struct, aliases, shadowing': [
    `
override n: u32 = 3; @id(7) override scale: f32 = 2.5; override big = n * 2u + 1u;
alias Row = array<f32, 4>;
struct In { @builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u, \
@builtin(workgroup_id) group: vec3u }
@group(0) @binding(0) var<storage, read_write> o: array<f32>;
const table = array<Row, 2>(Row(1, 2, 3, 4), Row(5, 6, 7, 8));
@compute @workgroup_size(n + 1u) fn main(in: In, @builtin(local_invocation_index) l: u32) {
  let id = in.id.x; var r = table[id & 1u]; { let r = 3.0; o[id] = r * scale; }
  r[l % 4u] *= 2.0; o[id] += r[(id * 3u) % 4u] + table[l & 1u][id % 4u] + f32(big + in.groups.x + in.group.x * 10u);
}`,
    { o: floats(16) },
  ],
  atomics: [
    `
struct S { n: atomic<u32>, bins: array<atomic<i32>, 4>, last: u32 }
@group(0) @binding(0) var<storage, read_write> s: S;
@group(0) @binding(1) var<storage, read_write> o: array<u32>;
var<workgroup> m: atomic<u32>;
@compute @workgroup_size(16) fn main(@builtin(local_invocation_index) l: u32, @builtin(global_invocation_id) g: vec3u) {
  atomicAdd(&s.n, l); atomicMax(&s.bins[l % 4u], i32(g.x)); atomicOr(&m, 1u << l); atomicSub(&s.bins[0], 0);
  workgroupBarrier();
  let all = workgroupUniformLoad(&m);
  if (l == 0u) { let r = atomicCompareExchangeWeak(&m, all, 5u); o[g.x / 16u] = all + select(0u, 1u, r.old_value == \
all); }
}`,
    { s: words(6), o: words(4) },
  ],
  'comparisons that look like template lists, and precedence around them': [
    `
@group(0) @binding(0) var<storage, read_write> o: array<u32>;
fn f(i: u32, n: u32) -> u32 { var r = 0u; if (i < n) { r = 1u; } if i < (n) { r += 2u; } return r; }
fn g(x: bool, y: bool) -> u32 { return select(0u, 1u, x) + select(0u, 2u, y); }
@compute @workgroup_size(16) fn main(@builtin(local_invocation_index) l: u32) {
  let i = l; let n = 7u; let v = vec4<u32>(i, n, array<u32, 2>(4, 5)[i & 1u], 1u);
  var r = select(1u, 2u, select(1, 2, i < (n)) > 1);
  r += select(0u, 4u, i < n * 2u - 9u); r += select(0u, 8u, i + 1u > n || (i * 2u - i == n - 3u && n > i));
  r += f(i, n) * 16u + g(i < n, (i > (n))) * 64u; r += select(0u, 256u, v.x < v.y * 2u - 3u); r += select(0u, 512u, \
(i < n) != (n < i));
  for (var j = 0u; j < n * 2u - 3u; j++) { r += 1024u; } if (i /* < */ < n && i > 2u) { r ^= 1u << 20u; } while (r \
< i) { r = bitcast<u32>(i); }
  o[l] = r + u32(i<n) + u32(i<=n) + (1u<<i);
}`,
    { o: words(16) },
  ],
  'several components assigned at once': [
    `
requires swizzle_assignment;
struct S { v: vec4u, a: array<vec3u, 2> }
@group(0) @binding(0) var<storage, read_write> o: array<S, 32>;
@compute @workgroup_size(16) fn main(@builtin(global_invocation_id) id: vec3u) { let l = id.x;
  o[l].v.zx = o[l].v.xy; o[l].a[l & 1u].zy += vec2u(l, 7u); var v = o[l].v; v.wz *= v.xy; let p = &o[l]; p.v.yzw = \
v.wwx; (*p).a[0].xy = vec2u(v.w);
}`,
    { o: words(32 * 12) },
  ],
  'a long chain of else if': [
    `
@group(0) @binding(0) var<storage, read_write> o: array<u32>;
fn pick(x: u32) -> u32 { var r = x; if (x == 1000u) { r = 1u; \
}${elseIfs(120)} else { r = 7u; } return r * 2u; }
@compute @workgroup_size(32) fn main(@builtin(local_invocation_index) l: u32) { o[l] = pick(l * 7u); }`,
    { o: words(32) },
  ],
  'returns out of loops and switches inside loops': [
    `
@group(0) @binding(0) var<storage, read_write> o: array<u32>;
fn find(n: u32) -> u32 { for (var i = 0u; i < 9u; i++) { for (var j = 0u; j < 9u; j++) { if (i * j == n) { return i \
* 10u + j; } if (j > i) { break; } } } return 99u; }
fn pick(n: u32) -> u32 { var r = 0u; loop { switch (n + r) { case 3u, 4u: { return r; } case 7u: { r += 5u; \
continue; } case 12u: { break; } default: { r += 2u; } } if (r > 20u) { return 100u + r; } r++; } }
@compute @workgroup_size(32) fn main(@builtin(local_invocation_index) l: u32) { o[l] = find(l) * 1000u + pick(l); }`,
    { o: words(32) },
  ],
}

describe('programs that run alike', () => {
  it.each(Object.entries(programs))(
    '%s',
    async (_, [text, buffers]) => {
      const mine = simulated(text, [2, 1, 1], buffers)
      const theirs = await onDevice(text, [2, 1, 1], buffers, mine.wgsl)
      expect(difference(mine.buffers, theirs)).toBeNull()
    },
    30_000,
  )
})

describe('assigning several components', () => {
  const rows: readonly (readonly [string, readonly number[]])[] = [
    ['v.xy = vec2i(7, 8);', [7, 8, 3, 4]],
    ['v.zx = vec2i(7, 8);', [8, 2, 7, 4]],
    ['v.wzyx = v;', [4, 3, 2, 1]],
    ['v.yzw = v.xyz;', [1, 1, 2, 3]],
    ['v.yw += vec2i(5);', [1, 7, 3, 9]],
    ['v.zw *= v.xy;', [1, 2, 3, 8]],
    ['v.bg = v.rg;', [1, 2, 1, 4]],
  ]
  const inSpace = (body: string, space: string): string => {
    if (space === 'registers') return `var v = o[id.x]; ${body} o[id.x] = v;`
    if (space === 'storage') return `let v = &o[id.x]; ${body}`
    return `p[id.x] = o[id.x]; let v = &p[id.x]; ${body} o[id.x] = p[id.x];`
  }
  const text = (body: string, space: string): string => `requires swizzle_assignment;
@group(0) @binding(0) var<storage, read_write> o: array<vec4i>;
var<private> p: array<vec4i, 3>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u) { \
${inSpace(body, space)} }`
  it.each(
    rows.flatMap(([body, expected]) =>
      ['registers', 'storage', 'private'].map((space) => [body, space, expected] as const),
    ),
  )('%s in %s', (body, space, expected) => {
    const { buffers, hazards } = simulated(
      text(space === 'registers' ? body : body.replace('v;', '*v;'), space),
      [1, 1, 1],
      { o: Int32Array.of(1, 2, 3, 4).buffer },
    )
    expect([...new Int32Array(buffers['o']!)]).toEqual(expected)
    expect(hazards).toEqual([])
  })
  it('refuses a component twice, and one that is not there', () => {
    expect(() => parseWgsl(text('v.xx = vec2i(1);', 'registers'), 'a.wgsl')).toThrow("'xx' assigns a component twice")
    expect(() => parseWgsl('@compute @workgroup_size(1) fn main() { var v = vec2i(1); v.xz = v; }', 'a.wgsl')).toThrow(
      "vec2<i32> has no component 'xz'",
    )
  })
})

describe('f16, which SwiftShader has not', () => {
  const text = `enable f16;
@group(0) @binding(0) var<storage, read> a: array<vec4<f16>>;
@group(0) @binding(1) var<storage, read_write> o: array<f32>;
@compute @workgroup_size(1) fn main() { let v = a[1]; o[0] = f32(v.x * v.y + 1.0h); o[1] = f32(dot(v.xy, v.zw)); \
o[2] = f32(f16(0.1)); o[3] = f32(vec3h(a[0].x).z); }`

  it('computes and lays out halves', () => {
    // 1, 2, 3, 4 and ½, 2048, −1, 2 as halves.
    const halves = Uint16Array.of(0x3c00, 0x4000, 0x4200, 0x4400, 0x3800, 0x6800, 0xbc00, 0x4000)
    const { buffers } = simulated(text, [1, 1, 1], { a: halves.buffer, o: new ArrayBuffer(16) })
    // dot: −½ + 4096 = 4095.5 rounds to 4096
    expect([...new Float32Array(buffers['o']!)]).toEqual([1025, 4096, 0.0999755859375, 1])
  })
})

describe('what parseWgsl says of a kernel', () => {
  it('lists bindings with their layout', () => {
    const { bindings, workgroupSize, sizes } = parseWgsl(programs['members where the host expects them']![0], 'a.wgsl')
    expect(workgroupSize).toEqual([4, 1, 1])
    // a 0, b 16, c 32…80, d 80…112, e 128, f 136…160, g 160…192, h 192 with 24 bytes an element, all to a multiple of
    // 64.
    expect(bindings.map((b) => [b.name, b.access, b.type, b.minBytes, b.runtime])).toEqual([
      ['s', 'read-write', 'Outer', 256, { stride: 24, offset: 192 }],
      ['t', 'read', 'Outer', 256, { stride: 24, offset: 192 }],
    ])
    expect(sizes).toEqual([{ param: 't_bytes', resource: 't' }])
  })
})
