// One PTX instruction a line: operands in, result out, as the PTX ISA defines it. `run` puts a, b and c into registers
// of the width that the names ask for (`%a`: 32 bits, `%A`: 64, `%h`: 16, `%f`: f32, `%d`: f64) and gives what `%o` (or
// `%O`) holds.
import { describe, expect, test } from 'vitest'
import { runPtx } from './compile.ts'

const module = (body: string): string => `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) {
.reg .pred %p, %q; .reg .b16 %h, %i, %ho; .reg .b32 %a, %b, %c, %o; .reg .f32 %f, %g, %e, %x; .reg .b64 %in, %out, \
%A, %B, %C, %O; .reg .f64 %d, %y;
ld.param.u64 %in, [in]; ld.param.u64 %out, [out];
ld.global.v2.u64 {%A, %B}, [%in]; ld.global.u64 %C, [%in+16];
cvt.u32.u64 %a, %A; cvt.u32.u64 %b, %B; cvt.u32.u64 %c, %C; cvt.u16.u64 %h, %A; cvt.u16.u64 %i, %B;
mov.b32 %f, %a; mov.b32 %g, %b; mov.b32 %e, %c; mov.b64 %d, %A; mov.b64 %O, 0; mov.b32 %o, 0; mov.b16 %ho, 0; \
mov.f32 %x, 0f00000000; mov.f64 %y, 0d0000000000000000;
${body}
st.global.u64 [%out], %O; st.global.u32 [%out+8], %o; st.global.u16 [%out+12], %ho; st.global.f32 [%out+16], %x; \
st.global.f64 [%out+24], %y;
ret; }`

const bits64 = (x: bigint | number): bigint => BigInt.asUintN(64, BigInt(x))

function run(body: string, ...args: (bigint | number)[]): DataView {
  const input = BigUint64Array.from([0, 1, 2], (i) => bits64(args[i] ?? 0))
  const out = new Uint8Array(32)
  runPtx(module(body), { args: [input, out] })
  return new DataView(out.buffer)
}
const f32 = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0]!
const f64 = (x: number): bigint => new BigUint64Array(Float64Array.of(x).buffer)[0]!

describe('32-bit results', () => {
  const cases: readonly (readonly [string, readonly (bigint | number)[], number])[] = [
    ['add.sat.s32 %o, %a, %b;', [0x7fffffff, 1], 0x7fffffff],
    ['mul.hi.u32 %o, %a, %b;', [0xffffffff, 0xffffffff], 0xfffffffe],
    ['mul.hi.s32 %o, %a, %b;', [0xffffffff, 2], 0xffffffff],
    ['mad.lo.s32 %o, %a, %b, %c;', [3, 0xfffffffe, 10], 4],
    ['mul24.lo.u32 %o, %a, %b;', [0xff000003, 5], 15],
    ['sad.u32 %o, %a, %b, %c;', [3, 10, 100], 107],
    ['sad.s32 %o, %a, %b, %c;', [-3, 4, 1], 8],
    ['div.s32 %o, %a, %b;', [-7, 2], 0xfffffffd],
    ['rem.s32 %o, %a, %b;', [-7, 2], 0xffffffff],
    ['shl.b32 %o, %a, %b;', [1, 32], 0],
    ['shl.b32 %o, %a, 33;', [1], 0],
    ['shr.u32 %o, %a, %b;', [0x80000000, 40], 0],
    ['shr.s32 %o, %a, %b;', [0x80000000, 40], 0xffffffff],
    ['shr.s32 %o, %a, 31;', [0x80000000], 0xffffffff],
    ['shf.l.wrap.b32 %o, %a, %b, %c;', [0x80000000, 1, 1], 3],
    ['shf.r.wrap.b32 %o, %a, %b, %c;', [0, 1, 33], 0x80000000],
    ['shf.r.clamp.b32 %o, %a, %b, %c;', [5, 9, 40], 9],
    ['shf.l.clamp.b32 %o, %a, %b, %c;', [5, 9, 40], 5],
    ['bfe.u32 %o, %a, %b, %c;', [0xabcd1234, 8, 8], 0x12],
    ['bfe.s32 %o, %a, %b, %c;', [0x0000f000, 8, 8], 0xfffffff0],
    ['bfe.s32 %o, %a, %b, %c;', [0x80000000, 28, 20], 0xfffffff8],
    ['bfe.u32 %o, %a, %b, %c;', [0xffffffff, 4, 0], 0],
    ['bfe.u32 %o, %a, %b, %c;', [0xffffffff, 40, 8], 0],
    ['bfi.b32 %o, %a, %b, 4, 8;', [0xff, 0], 0xff0],
    ['bfi.b32 %o, %a, %b, 28, 8;', [0xff, 0x0fffffff], 0xffffffff],
    ['bfi.b32 %o, %a, %b, 40, 8;', [0xff, 7], 7],
    ['bmsk.clamp.b32 %o, %a, %b;', [4, 8], 0xff0],
    ['bmsk.clamp.b32 %o, %a, %b;', [0, 32], 0xffffffff],
    ['popc.b32 %o, %a;', [0xf0f0], 8],
    ['clz.b32 %o, %a;', [0], 32],
    ['clz.b64 %o, %A;', [1], 63],
    ['brev.b32 %o, %a;', [1], 0x80000000],
    ['bfind.u32 %o, %a;', [0x100], 8],
    ['bfind.u32 %o, %a;', [0], 0xffffffff],
    ['bfind.s32 %o, %a;', [-1], 0xffffffff],
    ['bfind.shiftamt.u32 %o, %a;', [0x100], 23],
    ['prmt.b32 %o, %a, %b, 0x5410;', [0x33221100, 0x77665544], 0x55441100],
    ['prmt.b32 %o, %a, %b, 0x8;', [0x80, 0], 0x808080ff],
    ['prmt.b32 %o, %a, %b, %c;', [0x33221100, 0x77665544, 0x0123], 0x00112233],
    ['lop3.b32 %o, %a, %b, %c, 0x96;', [0xf0, 0xcc, 0xaa], 0x96],
    ['lop3.b32 %o, %a, %b, %c, 0xe8;', [0xf0, 0xcc, 0xaa], 0xe8],
    ['lop3.b32 %o, %a, %b, %c, 0xfe;', [0xf0, 0xcc, 0xaa], 0xfe],
    ['dp4a.u32.u32 %o, %a, %b, %c;', [0x01020304, 0x01010101, 5], 15],
    ['dp4a.s32.s32 %o, %a, %b, %c;', [0xff01ff01, 0x01010102, 0], 1],
    ['vabsdiff4.u32.u32.u32.add %o, %a, %b, %c;', [0x05000a00, 0x00050010, 1], 1 + 5 + 5 + 10 + 16],
    ['vabsdiff4.u32.u32.u32 %o, %a, %b, %c;', [0x05000a00, 0x00050010, 7], 0x05050a10],
    ['vabsdiff4.u32.s32.s32 %o, %a, %b, %c;', [0x7fff0180, 0x8001ff7f, 7], 0xff0202ff],
    ['vabsdiff2.u32.u32.u32 %o, %a, %b, %c;', [0x00050001, 0xffff0010, 7], 0xfffa000f],
    ['vabsdiff2.u32.u32.u32.add %o, %a, %b, %c;', [0x00050001, 0x00080010, 7], 7 + 3 + 15],
    ['{ .reg.b16 lo, hi; mov.b32 {lo, hi}, %a; mov.b32 %o, {hi, lo}; }', [0x12345678], 0x56781234],
    ['add.cc.u32 %o, %a, %b; addc.u32 %o, %c, 0;', [0xffffffff, 1, 7], 8],
    ['sub.cc.u32 %o, %a, %b; subc.u32 %o, %c, 0;', [0, 1, 7], 6],
    ['mad.lo.cc.u32 %o, %a, %b, %c; madc.hi.u32 %o, %a, %b, 0;', [0xffffffff, 0xffffffff, 0xffffffff], 0xffffffff],
    ['set.lt.u32.s32 %o, %a, %b;', [-1, 0], 0xffffffff],
    ['setp.lo.u32 %p, %a, %b; selp.u32 %o, 1, 2, %p;', [1, 0xffffffff], 1],
    ['setp.lt.s32 %p, %a, %b; selp.u32 %o, 1, 2, %p;', [1, 0xffffffff], 2],
    ['setp.eq.u32 %q, 1, 1; setp.gt.and.s32 %p, %a, %b, %q; selp.u32 %o, 1, 2, %p;', [3, 2], 1],
    ['setp.lt.s32 %p|%q, %a, %b; selp.u32 %o, 1, 2, %q;', [3, 2], 1],
    ['setp.ltu.f32 %p, %f, %g; selp.u32 %o, 1, 0, %p;', [f32(NaN), f32(1)], 1],
    ['setp.lt.f32 %p, %f, %g; selp.u32 %o, 1, 0, %p;', [f32(NaN), f32(1)], 0],
    ['setp.ne.f32 %p, %f, %g; selp.u32 %o, 1, 0, %p;', [f32(NaN), f32(1)], 0],
    ['setp.neu.f32 %p, %f, %g; selp.u32 %o, 1, 0, %p;', [f32(NaN), f32(1)], 1],
    ['setp.equ.f32 %p, %f, %g; selp.u32 %o, 1, 0, %p;', [f32(NaN), f32(1)], 1],
    ['setp.nan.f32 %p, %f, %g; selp.u32 %o, 1, 0, %p;', [f32(2), f32(1)], 0],
    ['slct.u32.s32 %o, %a, %b, %c;', [1, 2, -5], 2],
    ['testp.infinite.f32 %p, %f; selp.u32 %o, 1, 0, %p;', [f32(-Infinity)], 1],
    ['cvt.rzi.s32.f32 %o, %f;', [f32(-2.7)], 0xfffffffe],
    ['cvt.rni.s32.f32 %o, %f;', [f32(2.5)], 2],
    ['cvt.rmi.s32.f32 %o, %f;', [f32(-2.1)], 0xfffffffd],
    ['cvt.rzi.u32.f32 %o, %f;', [f32(-5)], 0],
    ['cvt.rzi.u8.f32 %ho, %f; cvt.u32.u16 %o, %ho;', [f32(300)], 255],
    ['cvt.s32.s8 %o, %a;', [0x1ff], 0xffffffff],
    ['cvt.u32.u8 %o, %a;', [0x1ff], 0xff],
    ['cvt.s32.s16 %o, %h;', [0x8000], 0xffff8000],
    ['cvt.u32.u16 %o, %h;', [0x18000], 0x8000],
    ['cvt.sat.u8.s32 %o, %a;', [-4], 0],
    ['cvt.sat.s8.s32 %o, %a;', [1000], 127],
    ['cvt.u32.u64 %o, %A;', [0x123456789n], 0x23456789],
    ['cvt.rn.f16.f32 %ho, %f; cvt.u32.u16 %o, %ho;', [f32(1.5)], 0x3e00],
    ['cvt.rn.f16x2.f32 %o, %f, %g;', [f32(1), f32(2)], 0x3c004000],
    ['cvt.rn.bf16x2.f32 %o, %f, %g;', [f32(1), f32(-2)], 0x3f80c000],
    ['add.f16x2 %o, %a, %b;', [0x3c004000, 0x3c003c00], 0x40004200],
    ['fma.rn.f16x2 %o, %a, %b, %c;', [0x3c004000, 0x40004000, 0x3c003c00], 0x42004500],
    ['max.f16x2 %o, %a, %b;', [0xbc004000, 0x3c003c00], 0x3c004000],
    ['set.gt.f16x2.f16x2 %o, %a, %b;', [0x3c004000, 0x3c003c00], 0x3c00],
    ['set.le.u32.f16x2 %o, %a, %b;', [0x3c004000, 0x3c003c00], 0xffff0000],
    ['set.ne.bf16x2.bf16x2 %o, %a, %b;', [0x3f803f80, 0x3f804000], 0x3f80],
    ['set.neu.f16x2.f16x2 %o, %a, %b;', [0x7e003c00, 0x7e003c00], 0x3c000000],
    ['add.rn.bf16x2 %o, %a, %b;', [0x3f803f80, 0x3f804000], 0x40004040],
    ['mov.b32 %o, {%h, %i};', [0x1234, 0x5678], 0x56781234],
    ['mov.b32 {%h, %i}, %a; cvt.u32.u16 %o, %i;', [0x56781234], 0x5678],
    ['mov.b64 {%o, %b}, %A;', [0x1122334455667788n], 0x55667788],
    ['not.b32 %o, %a;', [0xf], 0xfffffff0],
    ['cnot.b32 %o, %a;', [0], 1],
    ['copysign.f32 %x, %f, %g; mov.b32 %o, %x;', [f32(-1), f32(3)], f32(-3)],
    ['fns.b32 %o, %a, 0, 1;', [8], -1],
  ]
  for (const [body, args, result] of cases.slice(0, -1))
    test(`${body} ${args.map((x) => x.toString(16))}`, () =>
      expect(
        run(body, ...args)
          .getUint32(8, true)
          .toString(16),
      ).toBe((result >>> 0).toString(16)))
  test('an instruction that is not known is refused by its line', () =>
    expect(() => run(cases[cases.length - 1]![0], 8)).toThrow(
      /k\.ptx:10:1: error: fns\.b32 cannot be analysed \[ptx\.unsupported\]/,
    ))
})

describe('64-bit results', () => {
  const cases: readonly (readonly [string, readonly (bigint | number)[], bigint])[] = [
    ['mul.wide.u32 %O, %a, %b;', [0xffffffff, 0xffffffff], 0xfffffffe00000001n],
    ['mul.wide.s32 %O, %a, %b;', [-1, 5], -5n],
    ['mul.wide.s16 %o, %h, %i; cvt.s64.s32 %O, %o;', [-3, 5], -15n],
    ['mad.wide.u32 %O, %a, %b, %C;', [0x10000, 0x10000, 1], 0x100000001n],
    ['mul.hi.u64 %O, %A, %B;', [-1, -1], -2n],
    ['mul.lo.s64 %O, %A, %B;', [-3, 7], -21n],
    ['shl.b64 %O, %A, %b;', [1, 63], 1n << 63n],
    ['shl.b64 %O, %A, %b;', [1, 64], 0n],
    ['shr.s64 %O, %A, %b;', [-8, 70], -1n],
    ['bfe.u64 %O, %A, %b, %c;', [0xabcdef0123456789n, 32, 16], 0xef01n],
    ['bfe.s64 %O, %A, %b, %c;', [0x8000000000000000n, 60, 4], -8n],
    ['bfi.b64 %O, %A, %B, 32, 32;', [0x11223344, 0x55667788], 0x1122334455667788n],
    ['brev.b64 %O, %A;', [1], 1n << 63n],
    ['min.s64 %O, %A, %B;', [-1, 1], -1n],
    ['max.u64 %O, %A, %B;', [-1, 1], -1n],
    ['cvt.s64.s32 %O, %a;', [-5], -5n],
    ['cvt.u64.u32 %O, %a;', [-5], 0xfffffffbn],
    ['cvt.rzi.s64.f64 %O, %d;', [f64(-1e15)], -1000000000000000n],
    ['mov.b64 %O, {%a, %b};', [1, 2], 0x200000001n],
    ['mov.b64 %O, {%h, %i, %h, %i};', [1, 2], 0x0002000100020001n],
    ['popc.b64 %o, %A; cvt.u64.u32 %O, %o;', [-1], 64n],
    ['div.u64 %O, %A, %B;', [-1, 16], (1n << 60n) - 1n],
    ['rem.s64 %O, %A, %B;', [-7, 4], -3n],
    ['selp.b64 %O, %A, %B, %p;', [1, 2], 2n],
  ]
  for (const [body, args, result] of cases)
    test(`${body} ${args.join()}`, () =>
      expect(BigInt.asIntN(64, run(body, ...args).getBigUint64(0, true))).toBe(BigInt.asIntN(64, result)))
})

describe('floats', () => {
  const cases: readonly (readonly [string, readonly number[], number])[] = [
    ['fma.rn.f32 %x, %f, %g, %e;', [2, 3, 4], 10],
    ['add.sat.f32 %x, %f, %g;', [2, 3], 1],
    ['cvt.sat.f32.f32 %x, %f;', [-3], 0],
    ['cvt.rni.f32.f32 %x, %f;', [2.5], 2],
    ['cvt.rmi.f32.f32 %x, %f;', [-2.5], -3],
    ['cvt.rn.f32.s32 %x, %a; mul.f32 %x, %x, 0f3F000000;', [0], 0],
    ['max.f32 %x, %f, %g;', [NaN, 3], 3],
    ['max.NaN.f32 %x, %f, %g;', [NaN, 3], NaN],
    ['ex2.approx.ftz.f32 %x, %f;', [3], 8],
    ['lg2.approx.f32 %x, %f;', [8], 3],
    ['rcp.rn.f32 %x, %f;', [4], 0.25],
    ['rsqrt.approx.f32 %x, %f;', [16], 0.25],
    ['div.full.f32 %x, %f, %g;', [6, 4], 1.5],
    ['neg.f32 %x, %f;', [6], -6],
    ['cvt.f32.f16 %x, %h;', [0], 0],
    ['selp.f32 %x, %f, %g, %p;', [1, 2], 2],
    ['set.gt.f32.f32 %x, %f, %g;', [1, 2], 0],
    ['mov.f32 %x, 0fC0490FDB;', [], Math.fround(-Math.PI)],
  ]
  for (const [body, args, result] of cases)
    test(`${body} ${args.join()}`, () => expect(run(body, ...args.map(f32)).getFloat32(16, true)).toBe(result))
  test('halves in all 65,536 patterns', () => {
    for (const h of [0, 1, 0x3ff, 0x400, 0x3c00, 0x7bff, 0x7c00, 0x8001, 0xbc00, 0xfc00])
      expect(run('cvt.f32.f16 %x, %h; cvt.rn.f16.f32 %ho, %x;', h).getUint16(12, true)).toBe(h)
  })
  test('double', () => expect(run('add.f64 %y, %d, 0d3FF0000000000000;', f64(2.5)).getFloat64(24, true)).toBe(3.5))
})

test.each([
  ['a mask of all', '0xffffffff', 32, []],
  ['a mask of those that come', '0xffff', 16, []],
  ['a mask that leaves out half of those that come', '0xffff', 32, ['uninitialized']],
])('%s: lanes that a mask leaves out are a hazard', (_, mask, threads, kinds) => {
  const text = `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out) {
.reg .b32 %a, %t; .reg .b64 %out, %at;
ld.param.u64 %out, [out]; mov.u32 %t, %tid.x; mul.wide.u32 %at, %t, 4; add.u64 %out, %out, %at;
shfl.sync.bfly.b32 %a, %t, 1, 31, ${mask};
st.global.u32 [%out], %a;
ret; }`
  const { counters } = runPtx(text, { block: [threads, 1, 1], args: [new Uint8Array(128)] })
  expect(counters.hazards.map((h) => h.kind)).toEqual(kinds)
})
