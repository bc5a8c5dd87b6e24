// Layouts of structures as texts declare them: a line of C++ a case, and where its numbers lie.
import { describe, expect, test } from 'vitest'
import { explain, type ExplainReport } from '../../../src/explain/index.ts'
import { bytesOfNamed, membersOfNamed } from '../../../src/explain/launch/host-types.ts'
import { gpu } from '../../../src/gpus/index.ts'

const types = (text: string) => ({ texts: [text], isDefined: () => false })
const members = (text: string, bytes: number): readonly string[] =>
  membersOfNamed(types(text), 'S', bytes).map((m) => `${m.at}${m.path} ${m.type}`)

describe('members', () => {
  test.each([
    ['numbers side by side', 'struct S { int n, m; float a; };', 12, ['0.n i32', '4.m i32', '8.a f32']],
    ['wider ones aligned', 'struct S { int n; double a; };', 16, ['0.n i32', '8.a f64']],
    ['words of several', 'struct S { unsigned long long n; unsigned int m; };', 16, ['0.n i64', '8.m i32']],
    ['values to begin with', 'struct S { int n = 3; float a{1.5f}; };', 8, ['0.n i32', '4.a f32']],
    [
      'functions left out',
      'struct S { int n; int half() const { return n / 2; } int m; S(); };',
      8,
      ['0.n i32', '4.m i32'],
    ],
    ['pointers', 'struct S { float *x, *y; int n; };', 24, ['0.x i64', '8.y i64', '16.n i32']],
    ['arrays of a constant', 'constexpr int N = 1 + 1; struct S { int a[N]; };', 8, ['0.a[0] i32', '4.a[1] i32']],
    [
      'vectors',
      'struct S { int n; float3 p; float2 q; };',
      24,
      ['0.n i32', '4.p.x f32', '8.p.y f32', '12.p.z f32', '16.q.x f32', '20.q.y f32'],
    ],
    [
      'structures in it, aligned as their members',
      'struct A { int x, y; }; struct S { int n; A a; };',
      12,
      ['0.n i32', '4.a.x i32', '8.a.y i32'],
    ],
    ['typedef', 'typedef struct { short n; } S;', 2, ['0.n i16']],
    ['none of other bytes than the compiler says', 'struct S { int n; };', 8, []],
    ['none of what is not followed', 'struct S { union { int a; float b; }; };', 4, []],
    ['none of a base', 'struct S : B { int a; };', 4, []],
  ] as const)('%s', (_, text, bytes, expected) => expect(members(text, bytes)).toEqual(expected))

  test('bytes of enumerations', () => expect(bytesOfNamed(types('enum class Kind { a, b };'), 'Kind')).toBe(4))
})

const text = `struct Dims { int nx; float h; };
__constant__ Dims c_size;
__constant__ int c_n;
__global__ void k(float *x, Dims d) {
  if (threadIdx.x < d.nx + c_size.nx + c_n) x[d.nx + threadIdx.x] = d.h;
}`
const ptx = `.version 8.0
.target sm_90
.address_size 64
.const .align 4 .b8 c_size[8];
.const .align 4 .u32 c_n;
.visible .entry _Z1kPf4Dims(.param .u64 p0, .param .align 4 .b8 p1[8])
{
  .reg .pred %p<2>;
  .reg .b32 %r<9>;
  .reg .f32 %f<2>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [p0];
  ld.param.u32 %r1, [p1];
  ld.param.f32 %f1, [p1+4];
  ld.const.u32 %r2, [c_size];
  ld.const.u32 %r3, [c_n];
  mov.u32 %r4, %tid.x;
  add.s32 %r5, %r1, %r2;
  add.s32 %r6, %r5, %r3;
  setp.ge.s32 %p1, %r4, %r6;
  @%p1 bra done;
  add.s32 %r7, %r1, %r4;
  mul.wide.s32 %rd2, %r7, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.f32 [%rd3], %f1;
done:
  ret;
}
`
const report = (args: Readonly<Record<string, number>>): ExplainReport =>
  explain(
    { text, file: 'k.cu', language: 'cuda', ptx },
    { grid: [1, 1, 1], block: [32, 1, 1], args },
    { gpu: gpu('h200') },
  )

describe('what a host gives has its names', () => {
  test('what nobody gave is why nothing ran', () => {
    const [unreached] = report({ 'd.h': 2 }).unreached
    expect(unreached?.follows).toEqual(['d.nx', 'c_size.nx', 'c_n'])
  })
  test.each([['d.nx'], ['1.0'], ['d.0'], ['c_size.nx'], ['c_n']])('%s gives it', (name) => {
    const { unreached, accesses } = report({ [name]: 32 })
    expect([unreached, accesses.find((a) => a.op === 'store')?.threads]).toEqual([[], 32])
  })
  test('a member that the kernel does not read is said, one that is none is refused', () => {
    expect(report({ c_n: 9, 'c_size.h': 1 }).notes.join()).not.toContain('c_size.h')
    expect(() => report({ 'd.other': 1 })).toThrow("the kernel reads no scalar 'd.other'")
  })
})
