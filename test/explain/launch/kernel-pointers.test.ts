// Launches through pointers to kernels: statements of a host function a case, and the kernels that are launched.
import { expect, test } from 'vitest'
import { hostLaunches } from '../../../src/explain/index.ts'

const around = `__global__ void a(float* x) { x[0] = 1; }
__global__ void __launch_bounds__(64) b(float* x) { x[0] = 2; }
template <int N, int M> __global__ void t(float* x) { x[N] = M; }
__global__ void far(float* x);
typedef void (*Kernel)(float*);
template <class K> void run(K kernel, float* p) { kernel<<<2, 32>>>(p); }
`
const launched = (body: string): readonly (readonly [string, string | undefined])[] =>
  hostLaunches(`${around}int main() { float* p; const int n = 1; ${body} }`, {})
    .filter((l) => l.line === 7 || l.entry !== 'kernel')
    .map((l) => [l.entry, l.open])

test.each([
  ['a declarator', 'void (*k)(float*) = a; k<<<1, 32>>>(p);', ['a']],
  ['an address', 'Kernel k = &b; k<<<1, 32>>>(p);', ['b']],
  ['a template', 'auto k = t<n + 1, 4>; k<<<1, 32>>>(p);', ['t<2, 4>']],
  ['with its star', 'Kernel k = a; (*k)<<<1, 32>>>(p);', ['a']],
  ['the last value', 'Kernel k = a; k = b; k<<<1, 32>>>(p);', ['b']],
  ['a pointer to what a pointer points to', 'Kernel k = a, *q; auto r = k; r<<<1, 32>>>(p);', []],
  ['another pointer', 'Kernel k = a; Kernel r = k; r<<<1, 32>>>(p);', ['a']],
  ['an array', 'Kernel all[] = {a, t<1, 2>}; for (int i = 0; i < 2; i++) all[i]<<<1, 32>>>(p);', ['a', 't<1, 2>']],
  ['an array of declarators', 'void (*all[2])(float*) = {a, b}; all[n]<<<1, 32>>>(p);', ['b']],
  ['a choice', 'Kernel k = n > 4 ? a : t<1, 1>; k<<<1, 32>>>(p);', ['t<1, 1>']],
  ['a switch', 'Kernel k; switch (n) { case 0: k = a; break; case 1: k = b; break; } k<<<1, 32>>>(p);', ['b']],
  ['its default', 'Kernel k; switch (n + 1) { case 1: k = a; break; default: k = b; } k<<<1, 32>>>(p);', ['b']],
  [
    'a switch of a loop',
    'Kernel k; for (int i = 0; i < 2; i++) { switch (i) { case 0: k = a; break; case 1: { k = b; break; } } ' +
      'k<<<1, 32>>>(p); }',
    ['a', 'b'],
  ],
  ['the other side', 'Kernel k = a; if (n == 2) k = a; else k = b; k<<<1, 32>>>(p);', ['b']],
  ['the other side, in braces', 'Kernel k; if (n == 2) { k = a; } else { k = b; } k<<<1, 32>>>(p);', ['b']],
  ['a condition', 'Kernel k = a; if (n == 1) k = b; k<<<1, 32>>>(p);', ['b']],
])('%s', (_, body, expected) => {
  const found = launched(body)
  if (expected.length > 0) expect(found).toEqual(expected.map((e) => [e, undefined]))
  else expect(found.every(([, open]) => open === 'pointer')).toBe(true)
})

test('a parameter is what the first call passes', () => {
  expect(launched('run(b, p);')).toEqual([['b', undefined]])
})

test.each([
  ['what a run decides', 'Kernel k; if (p) k = b; else k = a; k<<<1, 32>>>(p);', ['k', 'pointer']],
  ['what a run decides, in braces', 'Kernel k; if (p) { k = b; } else { k = a; } k<<<1, 32>>>(p);', ['k', 'pointer']],
  ['what a function returns', 'Kernel k = choose(n); k<<<1, 32>>>(p);', ['k', undefined]],
  ['a kernel that is only declared', 'far<<<1, 32>>>(p);', ['far', 'declared']],
  ['one that nobody declares', 'near<<<1, 32>>>(p);', ['near', undefined]],
])('not known: %s', (_, body, expected) => {
  expect(launched(body)).toEqual([expected])
})
