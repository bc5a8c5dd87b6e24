// Neighbouring loads of shared memory are joined where the assembler joins them, and nowhere else.
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { parsePtx } from '../../src/frontend/ptx/index.ts'
import { simulate } from '../../src/simulate/index.ts'

/**
 * One warp fills 128 words with twice their place, then runs `body` with %r8 = the array + `stride` × lane; stores %r9.
 */
function run(stride: number, body: string): { readonly requests: number; readonly out: Int32Array } {
  const text = `.version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out)\n{
.reg .b32 %r<30>; .reg .b64 %rd<5>; .reg .f32 %f<4>; .reg .pred %p<2>; .shared .align 4 .b8 s[2048];
ld.param.u64 %rd1, [out]; cvta.to.global.u64 %rd2, %rd1; mov.u32 %r1, %tid.x; mov.u32 %r2, s; shl.b32 %r3, %r1, 2; \
add.s32 %r4, %r2, %r3; shl.b32 %r5, %r1, 1;
st.shared.u32 [%r4], %r5; add.s32 %r6, %r5, 64; st.shared.u32 [%r4+128], %r6; add.s32 %r7, %r5, 128; st.shared.u32 \
[%r4+256], %r7; add.s32 %r10, %r5, 192; st.shared.u32 [%r4+384], %r10;
bar.sync 0; mov.f32 %f1, 0f3F800000;
mul.lo.s32 %r11, %r1, ${stride}; add.s32 %r8, %r2, %r11;
${body}
mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3; st.global.u32 [%rd4], %r9; ret;\n}`
  const ptx = parsePtx(text, 'k.ptx', { block: [32, 1, 1] })
  const out = new ArrayBuffer(128)
  const { counters } = simulate(
    ptx.kernel,
    {
      grid: [1, 1, 1],
      params: Object.fromEntries(ptx.scalars.map((s) => [s.param, ptx.pointers[0]!.base])),
      buffers: { [ptx.pointers[0]!.resource]: out },
    },
    gpu('h200'),
    { exact: true },
  ) // one pointer
  return {
    requests: counters.sites.filter((s) => s.space === 'shared' && s.op === 'load').reduce((n, s) => n + s.requests, 0),
    out: new Int32Array(out),
  }
}

const load = (n: number, at: number): string => `ld.shared.u32 %r${n}, [%r8+${at}];`
const sum = 'add.s32 %r24, %r20, %r21; add.s32 %r25, %r22, %r23; add.s32 %r9, %r24, %r25;'
const four = [load(20, 0), load(21, 4), load(22, 8), load(23, 12)]

test.each([
  ['four words at an address of 16 bytes are one access', 16, four.join(' ') + sum, 1],
  ['the order does not matter', 16, [four[2], four[0], four[3], four[1]].join(' ') + sum, 1],
  ['at an address of 8 bytes they are two', 8, four.join(' ') + sum, 2],
  ['at an address of 4 bytes they stay four', 4, four.join(' ') + sum, 4],
  [
    'a store between them keeps them apart',
    16,
    `${four[0]}${four[1]} st.shared.u32 [%r4+1024], %r1; ${four[2]}${four[3]}${sum}`,
    2,
  ],
  ['so does a barrier', 16, `${four[0]} bar.sync 0; ${four[1]}${four[2]}${four[3]}${sum}`, 3],
  [
    'and a division with a slow path',
    16,
    `${four[0]} div.rn.f32 %f2, %f1, %f1; ${four[1]}${four[2]}${four[3]}${sum}`,
    3,
  ],
  ['volatile loads stay', 16, four.join(' ').replaceAll('ld.shared', 'ld.volatile.shared') + sum, 4],
  ['gaps stay', 16, `${four[0]}${four[2]} mov.u32 %r21, 0; mov.u32 %r23, 0;${sum}`, 2],
])('%s', (_, stride, body, requests) => {
  const r = run(stride, body)
  const words = body.includes(load(21, 4)) || body.includes('volatile') ? [0, 1, 2, 3] : [0, 2]
  expect(r.requests).toBe(requests)
  expect([...r.out].slice(0, 7)).toEqual(
    Array.from({ length: 7 }, (_x, lane) => words.reduce((n, w) => n + 2 * ((stride * lane) / 4 + w), 0)),
  )
})
