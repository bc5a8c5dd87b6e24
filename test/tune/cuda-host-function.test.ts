// CUDA host functions, read and run by the proof's own interpreter of C++: right ones pass, and each kind of fault in
// their text is named. What its numbers do is C++'s: compared with g++ where there is one.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emitCudaLauncher } from '../../src/emit/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { optimize } from '../../src/tune/index.ts'
import { wrongCudaHostFunction } from '../../src/tune/proof/cuda-host/cuda-host-function.ts'
import { CppError, hostFunctions } from '../../src/tune/proof/cuda-host/cpp-parser.ts'
import { cppInteger, runHostFunction } from '../../src/tune/proof/cuda-host/cpp-interpreter.ts'
import { random } from '../../src/base/index.ts'
import { readC } from '../c/read.ts'
import { isLong } from '../support/long.ts'

type Said = (from: string | RegExp, to: string | ((m: string) => string)) => string | undefined

/** `c` as CUDA; what the proof says of its text with a fault. */
async function made(
  c: string,
): Promise<{ readonly right: string | undefined; readonly said: Said; readonly text: string }> {
  const { plan, verified } = await optimize(await readC(c), { gpu: gpu('h200'), targets: ['cuda'], budget: 1 })
  const { text, entries, constants } = emitCudaLauncher(plan)
  const said: Said = (from, to) => {
    const other = text.replace(from, to as string)
    expect(other).not.toBe(text)
    return wrongCudaHostFunction(plan, verified.sizes, { text: other, entries, constants })
  }
  return { right: wrongCudaHostFunction(plan, verified.sizes), said, text }
}

test('faults of a launch, a check, a scratch array are named', async () => {
  const { right, said } = await made(
    `#pragma tesela sizes(n = 16777216)
float f(int n, const float *x) { float s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }`,
  )
  expect(right).toBeUndefined()
  expect(said(/grid_of\(blocks, error, \d+, 1, 1\)\) \{\n {6}f_partial/, (m) => m.replace(/\d+/, '7'))).toMatch(
    /has the grid 7/,
  )
  expect(said(/, dim3\(256, 1, 1\), 0, stream>>>\(x/, ', dim3(128, 1, 1), 0, stream>>>(x')).toMatch(/has the block 128/)
  expect(said('(x, partial, (int)n)', '(x, partial, (int)n + 1)')).toMatch(/passes n 1|passes n \d+, not/)
  expect(said('(x, partial, (int)n)', '(partial, x, (int)n)')).toMatch(/passes another/)
  expect(said('(x, partial, (int)n)', '(x, partial)')).toMatch(/passes 2 arguments/)
  expect(said('n % 4 == 0', 'n % 4 != 0')).toMatch(/launches f_partial_? instead/)
  expect(said('4ull * ', '2ull * ')).toMatch(/allocates \d+ bytes for partial/)
  expect(said(/if \(partial != nullptr\) cudaFreeAsync[^\n]*\n/, '')).toMatch(/partial is never freed/)
  expect(said(/if \(error == cudaSuccess\) error = cudaMallocAsync[^\n]*\n/, '')).toMatch(/not allocated/)
  expect(said('0, stream>>>', '0, 0>>>')).toMatch(/another stream/)
  expect(said('n < 0 ||', 'n < -1 ||')).toMatch(/launches what the plan refuses/)
  expect(said('n < 0 ||', 'n < 1 ||')).toMatch(/answers cudaErrorInvalidValue/)
  expect(said(/n > (21\d{8})/, (m) => `n > ${Number(m.slice(4)) + 1}`)).toMatch(/launches what the plan refuses/)
  expect(said(/n > (21\d{8})/, (m) => `n > ${Number(m.slice(4)) - 1}`)).toMatch(/answers cudaErrorInvalidValue/)
  expect(said('if (n < 1) {', 'if (n < 2) {')).toMatch(/launches/)
  expect(said(/ {4}if \(error == cudaSuccess && grid_of[^]*?\n {4}\}\n/, '')).toMatch(/ends after|launches/)
  expect(said('return true;', 'return false;')).toMatch(/ends after 0 launches/)
  expect(said('if (x <= 0 ||', 'if (x <= 1 ||')).toMatch(/ends after/)
  expect(said('return error;', 'return cudaErrorInvalidValue;')).toMatch(/answers cudaErrorInvalidValue/)
})

test('grids that CUDA does not take are refused by the text, too', async () => {
  const { right, said, text } = await made(`void f(int n, int m, const float x[n][m], float y[m][n]) {
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[j][i] = x[i][j];
  }`)
  expect(right).toBeUndefined()
  expect(text).toContain('y > 65535')
  expect(said('y > 65535', 'y > 65535000')).toMatch(/launches what the plan refuses/)
  expect(said('x > 2147483647 || y', 'x > 2147483647 && y')).toMatch(/launches what the plan refuses/)
})

test('loops of the host are compared launch by launch', async () => {
  const { right, said } = await made(`void f(int t, int n, float *x, float *y) {
    for (int s = 0; s < t; s++) { x[0] = 1; for (int i = 1; i < n; i++) x[i] = x[i - 1] + y[i];
      for (int i = 0; i < n; i++) y[i] = x[n - 1 - i]; }
  }`)
  expect(right).toBeUndefined()
  expect(said(/([^]*)< t\b/, '$1< t + 1')).toMatch(/goes on after \d+ launches/)
  expect(said(/([^]*); (\w+) \+= 1\)/, '$1; $2 += 2)')).toMatch(/ends after \d+ launches/)
})

test('where C is undefined nothing is compared, but a division by 0 that the text makes is named', async () => {
  const { right, said } = await made(`#pragma tesela sizes(bits = 12)
void f(int bits, float *x) { for (int i = 0; i < 1 << bits; i++) x[i] *= 2; }`)
  expect(right).toBeUndefined()
  expect(said(/grid_of\(blocks, error, (?=[^1])/, 'grid_of(blocks, error, 1 / (bits - bits) + ')).toMatch(
    /division by zero/,
  )
})

test('a text that C++ leaves undefined, or that is not of the subset, is never taken for a right one', () => {
  const run = (body: string, n: number): string => {
    const functions = hostFunctions(`extern "C" cudaError_t f(long long n, cudaStream_t stream)\n{\n${body}\n}`)
    const options = { blocksAtOnce: 1, mostLaunches: 9 }
    return runHostFunction(functions, new Set(), [cppInteger(n), { kind: 'symbol', name: 'stream' }], options).result
  }
  expect(run('if (n / 2 == 1) return cudaErrorInvalidValue; return cudaSuccess;', 3)).toBe('cudaErrorInvalidValue')
  expect(() => run('if (1 / n == 1) return cudaErrorInvalidValue; return cudaSuccess;', 0)).toThrow(CppError)
  expect(() => run('int m = 2147483647; if (m + (int)n > 0) return cudaSuccess; return cudaSuccess;', 1)).toThrow(
    /range/,
  )
  expect(() => run('while (n) n += 1; return cudaSuccess;', 1)).toThrow(CppError)
  expect(() => run('if (k > 0) return cudaSuccess; return cudaSuccess;', 1)).toThrow(/not declared/)
})

/** An expression of the operators of plans over `n`, `m` (long long), `a` (float). */
function randomExpression(r: ReturnType<typeof random>, depth: number): string {
  const leaf = ['n', 'm', '3', '-7', '2147483647', '12u', '4ull', '(int)n', '(unsigned)m', '(unsigned)n']
  if (depth === 0) return leaf[r.int(0, leaf.length - 1)]!
  const of = (): string => `(${randomExpression(r, depth - 1)})`
  const forms = [
    ...['+', '-', '*', '<', '<=', '==', '!=', '&&', '||', '&', '|', '^'].map((op) => `${of()} ${op} ${of()}`),
    `${of()} / 5`,
    `${of()} % 7`,
    `${of()} >> 3`,
    `(unsigned)${of()} >> 4`,
    `${of()} ? ${of()} : ${of()}`,
    `(int)(unsigned)${of()}`,
    `(long long)(unsigned)${of()}`,
    `std::min<long long>(${of()}, ${of()})`,
    `std::max(0ll, (long long)${of()})`,
    `!${of()}`,
    `(long long)std::ilogb((double)((unsigned)${of()} | 1u))`,
  ]
  return forms[r.int(0, forms.length - 1)]!
}

const compiler = ['g++', 'c++'].find((c) => {
  try {
    execFileSync(c, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})

test.skipIf(!compiler)('numbers are those of a C++ compiler', { timeout: 120_000 }, () => {
  const r = random(20261126)
  const texts = Array.from({ length: isLong ? 300 : 20 }, (_, i) => randomExpression(r, 1 + (i % 4)))
  const calls = [-1, 0, 5, 1000003, 2147483647].flatMap((n) => [[n, 3] as const, [3, n] as const])
  // What C++ leaves undefined is an error of the interpreter: the sanitizer says where that is.
  const program = `#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <cstdio>
static sigjmp_buf back;
static void trapped(int) { siglongjmp(back, 1); }
${texts.map((t, i) => `static long long f${i}(long long n, long long m) { return (long long)(${t}); }`).join('\n')}
typedef long long (*function)(long long, long long);
static const function all[] = {${texts.map((_, i) => `f${i}`).join(', ')}};
static const long long calls[][2] = {${calls.map(([n, m]) => `{${n}ll, ${m}ll}`).join(', ')}};
int main() {
  signal(SIGILL, trapped);
  signal(SIGTRAP, trapped);
  for (auto& call : calls)
    for (function f : all)
      if (sigsetjmp(back, 1)) puts("undefined");
      else printf("%lld\\n", f(call[0], call[1]));
}`
  const folder = mkdtempSync(join(tmpdir(), 'cpp-'))
  writeFileSync(join(folder, 'all.cpp'), program)
  execFileSync(
    compiler!,
    ['-w', '-O0', '-fsanitize=undefined', '-fsanitize-undefined-trap-on-error', 'all.cpp', '-o', 'all'],
    {
      cwd: folder,
      stdio: 'ignore',
    },
  )
  const wanted = execFileSync(join(folder, 'all'), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .trim()
    .split('\n')
  let defined = 0
  const found = calls.flatMap(([n, m]) =>
    texts.map((t) => {
      const text = `extern "C" cudaError_t f(long long n, long long m, cudaStream_t stream)
{
  k<<<dim3(1, 1, 1), dim3(1, 1, 1), 0, stream>>>((long long)(${t}));
  return cudaSuccess;
}`
      try {
        const [launch] = runHostFunction(
          hostFunctions(text),
          new Set(['k']),
          [cppInteger(n), cppInteger(m), { kind: 'symbol', name: 'stream' }],
          { blocksAtOnce: 1, mostLaunches: 2 },
        ).launches
        const [v] = launch!.args
        defined++
        return v?.kind === 'number' ? `${v.value}` : 'no number'
      } catch (e) {
        if (e instanceof CppError) return 'undefined'
        throw e
      }
    }),
  )
  expect(wanted.length).toBe(found.length)
  expect(defined).toBeGreaterThan(5 * texts.length)
  for (const [i, w] of wanted.entries())
    expect(`${texts[i % texts.length]} is ${found[i]}`).toBe(`${texts[i % texts.length]} is ${w}`)
})
