// Machine code as the assembler makes it: what is read of a cubin, for old and new architectures; that results do not
// change by it; and that counts are those of code whose path is plain to see. Agreement with the hardware: test/truth.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DiagnosticError } from '../../src/base/index.ts'
import { bindPtx, parsePtx, readMachineCode, unbindPtx, type MachineFunction } from '../../src/frontend/ptx/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import type { Counters } from '../../src/ir/index.ts'
import { simulate } from '../../src/simulate/index.ts'
import { nvccAvailable } from '../support/nvcc.ts'
import { ptxOf } from './compile.ts'
import { someOf } from '../support/long.ts'

function cubinOf(ptx: string, arch = 90): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'tesela-cubin-'))
  try {
    writeFileSync(join(folder, 'k.ptx'), ptx)
    const run = spawnSync(
      'ptxas',
      ['-lineinfo', `-arch=sm_${arch}`, '-o', join(folder, 'k.cubin'), join(folder, 'k.ptx')],
      { encoding: 'utf8' },
    )
    if (run.status !== 0) throw new Error(run.stderr)
    return readFileSync(join(folder, 'k.cubin'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs `k(int *out, const int *in, int n)` over `threads` threads in blocks of 96. */
function run(
  ptx: string,
  machine: ReadonlyMap<string, MachineFunction> | undefined,
  n: number,
): { readonly out: Int32Array; readonly counters: Counters } {
  const kernel = parsePtx(ptx, 'k.ptx', { block: [96, 1, 1], ...(machine && { machine }) })
  const out = new Int32Array(192).fill(-7),
    input = Int32Array.from({ length: 1024 }, (_, i) => (i * 2654435761) >>> 20)
  const args = kernel.params.map(() => new ArrayBuffer(8))
  new DataView(args[2]!).setInt32(0, n, true)
  const buffers = kernel.pointers.map((p) => new Uint8Array((p.index === 0 ? out : input).buffer).slice().buffer)
  const bound = bindPtx(kernel, [2, 1, 1], args, buffers)
  const { counters } = simulate(kernel.kernel, bound.launch, gpu('h200'), { exact: true })
  unbindPtx(bound, buffers)
  return { out: new Int32Array(buffers[kernel.pointers.findIndex((p) => p.index === 0)]!), counters }
}

const programs: Readonly<Record<string, string>> = {
  loop: 'int s = 0; for (int j = 0; j < n + (i & 3); j++) s += in[(i + j) & 1023] ^ j; out[i] = s;',
  divergent:
    'int s = in[i]; if (s & 1) { for (int j = 0; j < n; j++) s = s * 3 + in[j]; } else if (s & 2) s = s / (n ' +
    '+ 1); out[i] = s;',
  shared:
    '__shared__ int t[200]; t[threadIdx.x] = in[i]; t[threadIdx.x + 96] = in[i + 7]; __syncthreads(); int s = ' +
    '0; for (int j = 0; j < n; j++) s += t[(threadIdx.x * 4 + j * 8) % 190] + t[(threadIdx.x * 4 + j * 8) % ' +
    '190 + 1]; out[i] = s;',
  joined:
    '__shared__ __align__(16) int t[400]; int b = 4 * threadIdx.x; t[b] = in[i]; t[b + 1] = in[i] + n; t[b + ' +
    '2] = in[i + 1]; t[b + 3] = n; __syncthreads(); b = 4 * ((threadIdx.x + n) % 96); out[i] = t[b] + 3 * t[b ' +
    '+ 1] + 5 * t[b + 2] + 7 * t[b + 3];',
  early:
    'if (i > 150) return; int s = 0; while (s < n && in[s] != i) s++; out[i] = s; __syncwarp(); if (s > 3) ' +
    'out[i] += __popc(__ballot_sync(__activemask(), s & 1));',
  groups: 'unsigned m = __match_any_sync(0xffffffffu, i % 3); out[i] = __reduce_add_sync(m, in[i] + n);',
  switched:
    'int s = in[i]; switch (s & 7) { case 0: s += n; break; case 1: s *= 5; break; case 3: s = in[s & 255]; ' +
    'break; case 6: for (int j = 0; j < n; j++) s ^= j * s; break; default: s -= 9; } out[i] = s;',
  divided:
    'long long a = in[i] + 1, b = n + 3; out[i] = (int)(a * 1000003 / b) + (int)((float)in[i] / (float)(n + ' +
    '1)) + in[i] % (n + 2);',
}
const source = (body: string): string =>
  `extern "C" __global__ void k(int *out, const int *in, int n) { int i = blockIdx.x * 96 + threadIdx.x; ${body} }`

describe.skipIf(!nvccAvailable())('machine code', () => {
  test.each(someOf(Object.entries(programs)))('%s: the same results, whatever is counted', (_, body) => {
    const ptx = ptxOf(source(body))
    const machine = readMachineCode(cubinOf(ptx))
    for (const n of [0, 1, 2, 3, 5, 8, 17]) {
      const [plain, measured] = [run(ptx, undefined, n), run(ptx, machine, n)]
      expect(measured.out).toEqual(plain.out)
      for (const space of ['global'] as const)
        expect(measured.counters.sites.filter((s) => s.space === space).map((s) => s.requests)).toEqual(
          plain.counters.sites.filter((s) => s.space === space).map((s) => s.requests),
        )
    }
  })

  test('straight code: every instruction up to EXIT, once for each warp', () => {
    const ptx = ptxOf(source('out[i] = in[i] * 5 + (in[i + 3] >> 2) - n;'))
    const machine = readMachineCode(cubinOf(ptx))
    const length = machine.get('k')!.instructions.findIndex((s) => s.flow === 'exit' && !s.guarded) + 1
    const { counters } = run(ptx, machine, 4)
    expect(counters.instructions.warp).toBe(6 * length)
    expect(counters.branches.reduce((a, b) => a + b.executed, 0)).toBe(0)
  })

  test('a loop that is not unrolled: its code as often as it runs', () => {
    const ptx = ptxOf(
      source(
        'int s = 0;\n#pragma unroll 1\nfor (int j = 0; j < n; j++) { s += in[(s + j) & 1023]; __syncwarp(); ' +
          '}\nout[i] = s;',
      ),
    )
    const machine = readMachineCode(cubinOf(ptx))
    const at = (n: number): number => run(ptx, machine, n).counters.instructions.warp
    const list = machine.get('k')!.instructions
    const back = list.findIndex((s, i) => s.flow === 'branch' && s.guarded && s.target >= 0 && s.target / 16 <= i)
    expect(at(9) - at(8)).toBe(6 * (back - list[back]!.target / 16 + 1))
  })

  test('an unrolled loop: its rounds are dealt to the copies', () => {
    const ptx = ptxOf(
      source('int s = 0;\n#pragma unroll 1\nfor (int j = 0; j < n; j++) s += in[j + i];\nout[i] = s;').replace(
        '#pragma unroll 1\n',
        '',
      ),
    )
    const machine = readMachineCode(cubinOf(ptx))
    const at = Array.from({ length: 70 }, (_, n) => run(ptx, machine, n).counters.instructions.warp)
    // Many rounds at a time cost less than one by one, and never less than the loads, and the sums of three that they
    // make.
    expect((at[64]! - at[32]!) / 32).toBeLessThan(at[3]! - at[2]!)
    expect((at[64]! - at[32]!) / 32).toBeGreaterThanOrEqual(6 * 1.5)
  })

  test.each(
    someOf([75, 80, 89, 90, 100, 120]),
  )('sm_%i: branches lead into the code, every line is of the PTX', (arch) => {
    const ptx = ptxOf(source(programs['divergent']!), ['-arch=sm_75'])
    const { instructions } = readMachineCode(cubinOf(ptx, arch)).get('k')!
    const jumps = instructions.filter((s) => s.flow === 'branch')
    expect(jumps.length).toBeGreaterThan(1)
    expect(jumps.every((s) => s.target >= 0 && s.target < 16 * instructions.length)).toBe(true)
    expect(instructions.every((s) => s.line > 0 && s.line <= ptx.split('\n').length)).toBe(true)
  })

  test('a cubin with bytes changed is read or refused, and never crashes', () => {
    const cubin = cubinOf(ptxOf(source(programs['loop']!)))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(cubin.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 }),
        fc.nat(cubin.length),
        (changes, end) => {
          const bytes = cubin.slice(0, end < 100 ? end : undefined)
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
          try {
            readMachineCode(bytes)
          } catch (e) {
            expect(e).toBeInstanceOf(DiagnosticError)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})
