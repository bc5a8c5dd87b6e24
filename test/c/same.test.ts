// Two ways to write one program compute the same: jumps, counters, pointers, structures and helpers against loops,
// branches and subscripts, on random data at odd sizes; and what is emitted for the first way is proved by `optimize`.
import { describe, expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { elementsOf, hostArray, interpret, isFloat, type HostArray, type Program } from '../../src/ir/index.ts'
import { analyse, build } from '../../src/pipeline.ts'
import { optimize, verifyPlan } from '../../src/tune/index.ts'
import { readC } from './read.ts'

const n = 37

/** Arrays by name after a run; floats are quarters in −2 … 2, so that sums are exact. */
function run(p: Program, seed: number): Record<string, number[]> {
  const sizes = Object.fromEntries(p.sizes.map((s) => [s.name, s.name === 'n' ? n : s.planned])),
    scalars = Object.fromEntries(p.scalars.map((s) => [s.name, 1]))
  const arrays: Record<string, HostArray> = {}
  for (const a of p.arrays.filter((x) => x.role !== 'temp')) {
    // no 64-bit integers here
    const data = hostArray(a.type, elementsOf(a, { sizes, scalars })) as Float32Array<ArrayBuffer>
    const r = random(seed + a.name.charCodeAt(0))
    for (let i = 0; i < data.length; i++) data[i] = isFloat(a.type) ? (r.bits() % 17) / 4 - 2 : r.bits() % 17
    arrays[a.name] = data
  }
  interpret(p, { sizes, scalars, arrays })
  return Object.fromEntries(Object.entries(arrays).map(([name, a]) => [name, [...a].map(Number)]))
}

const pairs: readonly (readonly [string, string, string])[] = [
  [
    'break',
    'void f(int n, float a[n]) { int i; for (i = 0; i < n; i++) { a[i] += 1; if (a[i] > 2) break; a[i] *= 2; ' +
      '} a[0] = i; }',
    'void f(int n, float a[n]) { int go = 1, at = n; for (int i = 0; i < n; i++) if (go) { a[i] += 1; if ' +
      '(a[i] > 2) { go = 0; at = i; } else a[i] *= 2; } a[0] = at; }',
  ],
  [
    'continue, nested',
    'void f(int n, float a[n], int b[n]) { for (int i = 0; i < n; i++) { if (b[i] > 8) { if (a[i] > 0) ' +
      'continue; a[i] -= 1; } a[i] += 3; } }',
    'void f(int n, float a[n], int b[n]) { for (int i = 0; i < n; i++) { if (b[i] > 8) { if (!(a[i] > 0)) ' +
      'a[i] = a[i] - 1 + 3; } else a[i] += 3; } }',
  ],
  [
    'return from two loops',
    'int f(int n, int a[n][n]) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (a[i][j] == 3) ' +
      'return i * 1000 + j; return -1; }',
    'int f(int n, int a[n][n]) { int r = -1; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (r < ' +
      '0 && a[i][j] == 3) r = i * 1000 + j; return r; }',
  ],
  [
    'while with a test of data',
    'void f(int n, int a[n]) { for (int i = 0; i < n; i++) { int v = a[i], k = 0; while (v) { v &= v - 1; ' +
      'k++; } a[i] = k; } }',
    'void f(int n, int a[n]) { for (int i = 0; i < n; i++) { int v = a[i], k = 0; for (int b = 0; b < 32; ' +
      'b++) k += (v >> b) & 1; a[i] = k; } }',
  ],
  [
    'do, and a counter used afterwards',
    'void f(int n, int a[n]) { for (int i = 0; i < n; i++) { int k = 0; do { k += 2; } while (k < a[i]); a[i] = k; } }',
    'void f(int n, int a[n]) { for (int i = 0; i < n; i++) a[i] = a[i] <= 2 ? 2 : (a[i] + 1) / 2 * 2; }',
  ],
  [
    'pointers that walk',
    'void f(int n, const float a[3 * n], float b[n]) { const float *p = a, *end = a + 3 * n; while (p != end) ' +
      '{ float s = *p++; s -= *p++; *b++ = s * *p++; } }',
    'void f(int n, const float a[3 * n], float b[n]) { for (int i = 0; i < n; i++) b[i] = (a[3 * i] - a[3 * i ' +
      '+ 1]) * a[3 * i + 2]; }',
  ],
  [
    'structures by value',
    'typedef struct { float x; struct { float u, v; } w; } t; static t turn(t a) { t r; r.x = a.w.u; r.w = ' +
      'a.w; r.w.v += a.x; return r; } void f(int n, t *a) { for (int i = 0; i < n; i++) { t *p = &a[i]; *p = ' +
      'turn(a[i]); p->x *= 2; } }',
    'void f(int n, float a[n][3]) { for (int i = 0; i < n; i++) { float x = a[i][0]; a[i][0] = a[i][1] * 2; ' +
      'a[i][2] += x; } }',
  ],
  [
    'switch that falls through',
    'void f(int n, int a[n]) { for (int i = 0; i < n; i++) switch (a[i] % 4) { case 0: a[i] += 1; case 1: ' +
      'a[i] += 10; break; case 2: if (a[i] > 5) break; a[i] = 7; break; default: continue; } }',
    'void f(int n, int a[n]) { for (int i = 0; i < n; i++) { int k = a[i] % 4; if (k == 0) a[i] += 11; else ' +
      'if (k == 1) a[i] += 10; else if (k == 2 && a[i] <= 5) a[i] = 7; } }',
  ],
  [
    'helpers with pointers to locals',
    'static unsigned next(unsigned *s) { *s = *s * 5u + 1u; return *s >> 3; } void f(int n, unsigned a[n]) { ' +
      'for (int i = 0; i < n; i++) { unsigned s = a[i]; unsigned x = next(&s); a[i] = next(&s) - x; } }',
    'void f(int n, unsigned a[n]) { for (int i = 0; i < n; i++) { unsigned s = a[i] * 5u + 1u, x = s >> 3; s ' +
      '= s * 5u + 1u; a[i] = (s >> 3) - x; } }',
  ],
  [
    'steps by a variable and by doubling',
    'void f(int n, int a[n], int b[n]) { for (int i = 1; i < n; i += b[0] + 1) a[i] = -1; for (int k = 1; k < ' +
      'n; k <<= 1) a[k] += 5; }',
    'void f(int n, int a[n], int b[n]) { for (int i = 1; i < n; i++) if ((i - 1) % (b[0] + 1) == 0) a[i] = ' +
      '-1; for (int k = 1; k < n; k++) if ((k & (k - 1)) == 0) a[k] += 5; }',
  ],
  [
    'effects in conditions',
    'void f(int n, int a[n]) { int k = 0; for (int i = 0; i < n; i++) if (a[i] > 8 && k++ < 3) a[i] = k; }',
    'void f(int n, int a[n]) { int k = 0; for (int i = 0; i < n; i++) if (a[i] > 8) { k++; if (k <= 3) a[i] = k; } }',
  ],
  [
    'lists in fewer braces, and places',
    'void f(int n, const int x[n], int y[n]) { static const int k[2][2][2] = {{1, 2, 3, 4}, {{5}, 6, 7}}, ' +
      't[9] = {[3] = 4, 5, [1] = 2}; for (int i = 0; i < n; i++) y[i] = k[x[i] & 1][(x[i] >> 1) & 1][(x[i] >> ' +
      '2) & 1] + t[x[i] % 9]; }',
    'void f(int n, const int x[n], int y[n]) { for (int i = 0; i < n; i++) { int a = x[i] & 1, b = (x[i] >> ' +
      '1) & 1, c = (x[i] >> 2) & 1, m = x[i] % 9; y[i] = (a ? b ? c ? 7 : 6 : c ? 0 : 5 : b ? c ? 4 : 3 : c ? ' +
      '2 : 1) + (m == 3 ? 4 : m == 4 ? 5 : m == 1 ? 2 : 0); } }',
  ],
  [
    'text and its bytes',
    'void f(int n, const int x[n], int y[n]) { const char s[] = "ab\\n\\x41\\0z"; char t[8] = "hi"; for (int ' +
      'i = 0; i < n; i++) y[i] = s[x[i] % 7] * 2 + t[x[i] & 7]; }',
    'void f(int n, const int x[n], int y[n]) { for (int i = 0; i < n; i++) { int m = x[i] % 7, e = x[i] & 7; ' +
      'y[i] = (m == 0 ? 97 : m == 1 ? 98 : m == 2 ? 10 : m == 3 ? 65 : m == 5 ? 122 : 0) * 2 + (e == 0 ? 104 ' +
      ': e == 1 ? 105 : 0); } }',
  ],
  [
    'members of several types',
    'struct v { float x, y; }; struct p { struct v at; int id; float h[2]; }; static struct v twice(struct v ' +
      'a) { return (struct v){2 * a.x, a.y}; } void f(int n, struct p *b) { for (int i = 0; i < n; i++) { ' +
      'struct p q = b[i]; q.at = twice(q.at); q.id ^= 1; q.h[1] += q.at.x; b[i] = q; (b + i)->h[0] = b[i].id; } }',
    'void f(int n, float b_at_x[n], float b_at_y[n], int b_id[n], float b_h[n][2]) { for (int i = 0; i < n; ' +
      'i++) { b_at_x[i] *= 2; b_at_y[i] += 0; b_id[i] ^= 1; b_h[i][1] += b_at_x[i]; b_h[i][0] = b_id[i]; } }',
  ],
  [
    'a structure with an array behind it',
    'typedef struct { float *data; int w; } m; void f(int n, const m *a, m *b) { for (int i = 0; i < n; i++) ' +
      'b->data[i] = a->data[i] * a->w; }',
    'void f(int n, const float a_data[n], int a_w, float b_data[n]) { for (int i = 0; i < n; i++) b_data[i] = ' +
      'a_data[i] * a_w; }',
  ],
  [
    'halving by division, and a square as an end',
    'void f(int n, int a[n]) { for (int len = 32; len > 1; len /= 2) for (int i = 0; i < len / 2; i++) a[i] ' +
      '+= a[len / 2 + i]; for (int d = 2; d * d <= n; d++) a[d] = d; }',
    'void f(int n, int a[n]) { for (int s = 4; s >= 0; s--) for (int i = 0; i < (1 << s); i++) a[i] += a[(1 ' +
      '<< s) + i]; for (int d = 2; d < n; d++) if (d * d <= n) a[d] = d; }',
  ],
  [
    'counting down in the condition, and unsigned steps down',
    'unsigned f(int n, unsigned a[n], float b[n]) { unsigned s = 5; for (unsigned i = n; i-- != 0;) { if (i % ' +
      '3 == 0) continue; b[i] += 1; a[i] -= 3u; a[i]--; s -= 2u; } return s; }',
    'unsigned f(int n, unsigned a[n], float b[n]) { unsigned s = 5; for (int i = 0; i < n; i++) if (i % 3 != ' +
      '0) { b[i] += 1; a[i] = a[i] + 4294967292u; s = s + 4294967294u; } return s; }',
  ],
  [
    'goto out of loops, over statements and back',
    'int f(int n, int a[n]) { int i = 0, t = 0; again: if (i >= n) goto end; if (a[i] > 12) goto skip; for ' +
      '(int j = 0; j < 5; j++) for (int k = 0; k < 5; k++) if (j * k > a[i]) { t += j; goto skip; } int u = t ' +
      '* 3; t = u % 1000; skip: a[i] = t; i++; goto again; end: return t; }',
    'int f(int n, int a[n]) { int t = 0; for (int i = 0; i < n; i++) { if (a[i] <= 12) { int found = 0; for ' +
      '(int j = 0; j < 5; j++) for (int k = 0; k < 5; k++) if (!found && j * k > a[i]) { t += j; found = 1; } ' +
      'if (!found) t = t * 3 % 1000; } a[i] = t; } return t; }',
  ],
  [
    'goto in a helper that is called twice, and back from within',
    'static int g(unsigned v) { int c = 0; if (v == 0) goto out; step: if (v == 1) goto out; c++; if (v & 1) ' +
      '{ v = 3 * v + 1; goto step; } v >>= 1; goto step; out: return c; } void f(int n, int a[n]) { for (int ' +
      'i = 0; i < n; i++) a[i] = g(a[i]) * 100 + g(i); }',
    'static int g(unsigned v) { int c = 0; while (v > 1) { c++; v = v & 1 ? 3 * v + 1 : v / 2; } return c; } ' +
      'void f(int n, int a[n]) { for (int i = 0; i < n; i++) a[i] = g(a[i]) * 100 + g(i); }',
  ],
  [
    'variables of the file',
    'static unsigned seed = 7; static int step = 3, unused; int i; static unsigned next(void) { seed = seed * ' +
      '5u + 1u; return seed >> 4; } void f(int n, unsigned a[n]) { for (i = 0; i < n; i++) a[i] += next() % ' +
      '10u + step; }',
    'void f(int n, unsigned a[n], unsigned seed[1]) { for (int i = 0; i < n; i++) { seed[0] = seed[0] * 5u + ' +
      '1u; a[i] += (seed[0] >> 4) % 10u + 3u; } }',
  ],
  [
    'types by name, members by name, arrays without a name',
    'typedef float v3[3]; typedef v3 *rows; typedef struct { int dx, dy; struct { int z; } in; } o; static ' +
      'const o t[2] = {{.dy = 4, .dx = 2}, {.in = {9}}}; void f(int n, rows p) { for (int i = 0; i < n; i++) ' +
      '{ const float *w = (const float[]){0.5f, 2, 4}; o q = {.in = {.z = 3}, .dx = 1}; for (int d = 0; d < ' +
      '3; d++) p[i][d] = p[i][d] * w[d] + t[d & 1].dx + t[d & 1].dy * 10 + t[d & 1].in.z * 100 + q.dx + q.dy ' +
      '+ q.in.z; } }',
    'void f(int n, float p[n][3]) { for (int i = 0; i < n; i++) { p[i][0] = p[i][0] * 0.5f + 46; p[i][1] = ' +
      'p[i][1] * 2 + 904; p[i][2] = p[i][2] * 4 + 46; } }',
  ],
  [
    'null, exit and stopwatches',
    'static double now(void) { struct timeval t; gettimeofday(&t, NULL); return t.tv_sec + 1e-6 * t.tv_usec; ' +
      '} int f(int n, float *a, float b[n]) { double start = now(), all; if (!a || b == NULL) { ' +
      'fprintf(stderr, "no"); exit(1); } float *t = malloc(n * sizeof *b); if (t == NULL || n < 1) return -1; ' +
      'for (int i = 0; i < n; i++) t[i] = a[i]; for (int i = 0; i < n; i++) b[i] = t[n - 1 - i]; all = now() ' +
      '- start; printf("%f", all); return 0; }',
    'int f(int n, float a[n], float b[n]) { for (int i = 0; i < n; i++) b[i] = a[n - 1 - i]; return 0; }',
  ],
  [
    'effects on one side of ?:',
    'static int ones(int v) { int c = 0; while (v) { v &= v - 1; c++; } return c; } static int pick(int v) { ' +
      'return v > 9 ? ones(v) : 10 * ones(v); } void f(int n, int a[n]) { int k = 0; for (int i = 0; i < n; ' +
      'i++) { int v = a[i] > 4 ? k++ : -1; a[i] = v + pick(a[i]); } }',
    'void f(int n, int a[n]) { int k = 0; for (int i = 0; i < n; i++) { int v = -1, c = 0; if (a[i] > 4) { v ' +
      '= k; k++; } for (int b = 0; b < 5; b++) c += (a[i] >> b) & 1; a[i] = v + (a[i] > 9 ? c : 10 * c); } }',
  ],
  [
    'literals of their own types',
    'void f(int n, const int x[n], int y[n], float z[n]) { for (int i = 0; i < n; i++) { y[i] = (x[i] - 9u > ' +
      '5) + ((x[i] * 300000007LL % 1000003) & 0xFFFFFFFF) % 1000 + (int)(0x9E3779B97F4A7C15 >> (x[i] & 31) & ' +
      '0xff); z[i] = (x[i] - 20u) / 2 * 0x1p-30f; } }',
    'void f(int n, const int x[n], int y[n], float z[n]) { for (int i = 0; i < n; i++) { unsigned u = x[i], w ' +
      '= x[i]; u -= 9; w -= 20; long p = x[i]; p = p * 300000007 % 1000003; int s = x[i], hi = 2654435769u, ' +
      'lo = 2135587861; y[i] = (u > 5u) + (int)(p % 1000) + (s == 0 ? lo & 255 : ((lo >> s) | (hi << (32 - ' +
      's))) & 255); z[i] = (float)(w / 2) / 1073741824.0f; } }',
  ],
  [
    'bits, characters and questions',
    'int f(int n, int c[n], float x[n]) { int k = 0; for (int i = 0; i < n; i++) { float w, r = modff(x[i], ' +
      '&w); int e; float m = frexpf(x[i], &e); k += isnan(x[i] / x[i]) + !isfinite(1 / x[i]) + ' +
      '!!signbit(x[i]) * 2; x[i] = r + 10 * w + 100 * m + e; c[i] = __builtin_popcount(c[i]) + 10 * ' +
      'toupper(c[i] + 90) + 10000 * !!isalpha(c[i] + 60) + CHAR_BIT; } return k; }',
    'int f(int n, int c[n], float x[n]) { int k = 0; for (int i = 0; i < n; i++) { float w = truncf(x[i]), m ' +
      '= fabsf(x[i]); int e = 0, b = 0, u = c[i] + 90, v = c[i] + 60; k += (x[i] == 0) * 2 + (x[i] < 0) * 2; ' +
      'while (m >= 1) { m /= 2; e++; } while (m > 0 && m < 0.5f) { m *= 2; e--; } if (x[i] < 0) m = -m; x[i] ' +
      '= x[i] - w + 10 * w + 100 * m + e; for (int j = 0; j < 5; j++) b += (c[i] >> j) & 1; c[i] = b + 10 * ' +
      '(u >= 97 ? u - 32 : u) + 10000 * (v >= 65) + 8; } return k; }',
  ],
  [
    'a whole program',
    'static int sq(int x) { return x * x; } int main(int argc, char **argv) { int n = argc > 1 ? ' +
      'atoi(argv[1]) : 9; if (argc != 2) { printf("usage"); return 1; } int a[37], i, most = -5, *b = ' +
      'malloc(37 * sizeof *b); if (!b) exit(1); for (i = 0; i < 37; i++) { a[i] = sq(i % n); b[i] = 0; } for ' +
      '(i = 0; i < 37; i++) { b[i] = a[36 - i]; if (b[i] > most) most = b[i]; } printf("%d %d", most, b[3]); ' +
      'free(b); return 0; }',
    'void f(int argument1, int a[37], int b[37], int most[1]) { most[0] = -5; for (int i = 0; i < 37; i++) { ' +
      'int m = i % argument1, k = (36 - i) % argument1; a[i] = m * m; b[i] = k * k; if (k * k > most[0]) ' +
      'most[0] = k * k; } }',
  ],
  [
    'calls of itself at the end',
    'static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); } static int up(int v, int k) { if (v ' +
      '> 50) return k; if (v & 1) return up(v * 3 + 1, k + 1); else return up(v * 2 + 2, k + 1); } void f(int ' +
      'n, int a[n]) { for (int i = 0; i < n; i++) a[i] = gcd(a[i], 12) * 100 + up(a[i], 0); }',
    'void f(int n, int a[n]) { for (int i = 0; i < n; i++) { int x = a[i], y = 12, v = a[i], k = 0; while (y) ' +
      '{ int t = x % y; x = y; y = t; } while (v <= 50) { v = v & 1 ? v * 3 + 1 : v * 2 + 2; k++; } a[i] = x ' +
      '* 100 + k; } }',
  ],
  [
    'memory of zeros, and sizes by the pointer',
    'void f(int n, const int a[n], int b[n]) { int *c = calloc(n, sizeof *c), *h = (int *)calloc(16, ' +
      'sizeof(int)), *z; z = malloc(n * sizeof(*z)); for (int i = 0; i < n; i++) { if (a[i] > 8) c[i] = a[i]; ' +
      'h[a[i] & 15]++; z[i] = i; } for (int i = 0; i < n; i++) b[i] = c[n - 1 - i] + h[i & 15] + z[i]; }',
    'void f(int n, const int a[n], int b[n]) { for (int i = 0; i < n; i++) { int h = 0, v = a[n - 1 - i]; for ' +
      '(int j = 0; j < n; j++) h += (a[j] & 15) == (i & 15); b[i] = (v > 8 ? v : 0) + h + i; } }',
  ],
  [
    'arrays of variable length in loops',
    'void f(int n, int m, float a[n][m]) { for (int i = 0; i < n; i++) { float row[m]; for (int j = 0; j < m; ' +
      'j++) row[j] = a[i][j]; for (int j = 0; j < m; j++) a[i][j] = row[m - 1 - j] * 2; } }',
    'void f(int n, int m, float a[n][m]) { for (int i = 0; i < n; i++) for (int j = 0; j < (m + 1) / 2; j++) ' +
      '{ float t = a[i][j]; a[i][j] = a[i][m - 1 - j] * 2; if (j != m - 1 - j) a[i][m - 1 - j] = t * 2; } }',
  ],
  [
    'rows of halves, in steps of two',
    'void f(int n, const float a[n * n], float b[n / 2 * (n / 2)], float c[(n + 1) / 2 * ((n + 1) / 2)]) { ' +
      'int k = 0, m = n >> 1; for (int y = 0; y + 1 < n; y += 2) for (int x = 0; x + 1 < n; x += 2) b[(y / 2) ' +
      '* m + (x >> 1)] = a[y * n + x] - a[(y + 1) * n + x + 1]; for (int y = 0; y < n; y += 2) for (int x = ' +
      '0; x < n; x += 2) c[k++] = a[y * n + x]; }',
    'void f(int n, const float a[n][n], float b[n / 2][n / 2], float c[(n + 1) / 2][(n + 1) / 2]) { for (int ' +
      'y = 0; y < n / 2; y++) for (int x = 0; x < n / 2; x++) b[y][x] = a[2 * y][2 * x] - a[2 * y + 1][2 * x ' +
      '+ 1]; for (int y = 0; y < (n + 1) / 2; y++) for (int x = 0; x < (n + 1) / 2; x++) c[y][x] = a[2 * y][2 * x]; }',
  ],
  [
    'a flag of what changed',
    'int f(int n, int a[n]) { int changed, rounds = 0; do { changed = 0; for (int i = 0; i < n; i++) { int v ' +
      '= a[i]; if (v > 3) { a[i] = v - 2; changed = 1; } } rounds++; } while (changed); int even = 1; for ' +
      '(int i = 0; i < n; i++) if (a[i] & 1) even = 0; return rounds * 2 + even; }',
    'int f(int n, int a[n]) { int most = 1, odd = 0; for (int i = 0; i < n; i++) { int v = a[i], k = 1; while ' +
      '(v > 3) { v -= 2; k++; } a[i] = v; if (k > most) most = k; odd += v & 1; } return most * 2 + (odd == 0 ' +
      '? 1 : 0); }',
  ],
  [
    'by row and column here, by one number there',
    'void f(int n, const float a[n * n * 3], float b[n * n * 3]) { float t[n * n * 3]; for (int k = 0; k < n ' +
      '* n * 3; k++) t[k] = a[k] + k; for (int k = 0; k < n * n; k++) { int y = k / n, x = k % n; t[3 * k] += ' +
      't[(x * n + y) * 3 + 1]; } for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int c = 0; c < ' +
      '3; c++) b[(i * n + j) * 3 + c] = 2 * t[(i * n + n - 1 - j) * 3 + c]; }',
    'void f(int n, const float a[n][n][3], float b[n][n][3]) { for (int i = 0; i < n; i++) for (int j = 0; j ' +
      '< n; j++) for (int c = 0; c < 3; c++) { int m = n - 1 - j; float v = a[i][m][c] + ((i * n + m) * 3 + ' +
      'c); if (c == 0) v += a[m][i][1] + ((m * n + i) * 3 + 1); b[i][j][c] = 2 * v; } }',
  ],
  [
    'tests for null in expressions',
    'void f(int n, const float *a, const float *w, float b[n]) { int has = w != NULL && a; for (int i = 0; i ' +
      '< n; i++) { float v = (w != 0) ? w[i] : 0.0f; v += !a ? 1 : has; b[i] = v + (NULL == w) + a[i]; } }',
    'void f(int n, const float a[n], const float w[n], float b[n]) { for (int i = 0; i < n; i++) b[i] = w[i] ' +
      '+ 1 + a[i]; }',
  ],
  [
    'a variable in the value that it is assigned',
    'int f(int n, int a[n], const int c[n]) { int i = 0, k = 0, s = 7; while ((i += c[i] % 5 + 1) < n) k++; ' +
      'for (int j = 0; j < n; j++) a[j] = ((s = s * 5 + j) & 63) + (k = k * 3 % 101); return k; }',
    'int f(int n, int a[n], const int c[n]) { int i = c[0] % 5 + 1, k = 0, s = 7; while (i < n) { k++; i = i ' +
      '+ c[i] % 5 + 1; } for (int j = 0; j < n; j++) { s = s * 5 + j; k = k * 3 % 101; a[j] = (s & 63) + k; } ' +
      'return k; }',
  ],
  [
    'a loop that data end behind an early return',
    'int f(int n, int a[n]) { if (n == 1) return 0; int lg = 1, m = 2; while (m < n) { m <<= 1; lg++; } for ' +
      '(int i = 0; i < n; i++) a[i] += lg; return lg; }',
    'int f(int n, int a[n]) { for (int i = 0; i < n; i++) a[i] += 6; return 6; }',
  ],
  [
    'a condition on data below one on sizes',
    'int f(int n, int m, int a[n]) { int c = 0; if (n > m - 2000) { if (a[0] > 8) { for (int i = 0; i < n; ' +
      'i++) c += a[i]; } } return c; }',
    'int f(int n, int m, int a[n]) { int c = 0; for (int i = 0; i < n; i++) if (a[0] > 8) c += a[i]; return c; }',
  ],
  [
    'pointers to members, members as arguments',
    'struct v { float x, y; }; struct p { struct v at, to; int id; float h[3]; struct v all[2]; }; static ' +
      'float dot(struct v a, struct v b) { return a.x * b.x + a.y * b.y; } static void grow(struct v *a, ' +
      'float d) { a->x += d; a->y -= d; } void f(int n, const unsigned o[n], struct p *b, float y[n]) { for ' +
      '(int i = 0; i < n; i++) { struct p *q = &b[i]; struct v *t = &q->to; const float *h = q->h; struct v ' +
      '*all = q->all; int k = o[i] & 1; struct v *one = &all[k]; k = 7; y[i] = dot(q->at, b[i].to) + h[o[i] % ' +
      '3] + one->x; t->x = h[1]; one->y += k; grow(&b[i].at, 2); grow(&q->all[1 - (o[i] & 1)], 3); struct v m ' +
      '= q->id > 4 ? q->at : *t; y[i] += m.x; } }',
    'void f(int n, const unsigned o[n], float b_at_x[n], float b_at_y[n], float b_to_x[n], float b_to_y[n], ' +
      'int b_id[n], float b_h[n][3], float b_all_x[n][2], float b_all_y[n][2], float y[n]) { for (int i = 0; ' +
      'i < n; i++) { y[i] = b_at_x[i] * b_to_x[i] + b_at_y[i] * b_to_y[i] + b_h[i][o[i] % 3] + ' +
      'b_all_x[i][o[i] & 1]; b_to_x[i] = b_h[i][1]; b_all_y[i][o[i] & 1] += 7; b_at_x[i] += 2; b_at_y[i] -= ' +
      '2; b_all_x[i][1 - (o[i] & 1)] += 3; b_all_y[i][1 - (o[i] & 1)] -= 3; y[i] += b_id[i] > 4 ? b_at_x[i] : ' +
      'b_to_x[i]; b_to_y[i] += 0; } }',
  ],
  [
    'counters that are made of each other',
    'int f(int n, int a[2000], const int c[2000]) { int j = -1, k = 0; for (int i = 0; i < n; i++) { k = j + 1; ' +
      'a[k] += c[i]; j = k + 2; a[k + 1] -= j; j--; k = j; a[j] = i; j = k + 3; } return j * 1000 + k; }',
    'int f(int n, int a[2000], const int c[2000]) { for (int i = 0; i < n; i++) { int b = 5 * i - 1; a[b + 1] += ' +
      'c[i]; a[b + 2] -= b + 3; a[b + 2] = i; } return (5 * n - 1) * 1000 + (n ? 5 * n - 4 : 0); }',
  ],
  [
    'counters that follow each other, one of them in a branch',
    'void f(int n, int a[2000], const int c[2000]) { int next = 3, at = 0; for (int i = 0; i < n; i++) { at = ' +
      'next; a[at] = c[i]; if (c[i] > 8) at++; a[at + 1] = i; next = at + 2; } }',
    'void f(int n, int a[2000], const int c[2000]) { int at = 3; for (int i = 0; i < n; i++) { a[at] = c[i]; at ' +
      '+= c[i] > 8 ? 1 : 0; a[at + 1] = i; at += 2; } }',
  ],
  [
    'two counters that meet, left early',
    'int f(int n, const int a[n], int b[n]) { int i, j; for (i = 0, j = n - 1; i < j; i++, j--) { b[i] = ' +
      'a[j]; if (a[i] + a[j] > 30) return i; } return -1; }',
    'int f(int n, const int a[n], int b[n]) { int r = -1; for (int i = 0; i < n / 2; i++) if (r < 0) { b[i] = ' +
      'a[n - 1 - i]; if (a[i] + a[n - 1 - i] > 30) r = i; } return r; }',
  ],
  [
    'two counters of a while, left early, the second in the middle',
    'int f(int n, const int a[n], int b[n]) { int i = 0, j = n - 1, ok = 1; while (i < j) { b[i] = a[j]; j--; ' +
      'if (a[i] + a[j + 1] > 30) { ok = 0; break; } b[j + 1] = 5; i++; } return ok; }',
    'int f(int n, const int a[n], int b[n]) { int ok = 1; for (int i = 0; i < n / 2; i++) if (ok) { b[i] = ' +
      'a[n - 1 - i]; if (a[i] + a[n - 1 - i] > 30) ok = 0; else b[n - 1 - i] = 5; } return ok; }',
  ],
  [
    'two counters, the second in steps of a number, used behind',
    'int f(int n, const int s[1], int a[2000]) { int i, k; for (i = 0, k = 3; i < n; i++, k += 7) { if (a[k] ' +
      '& 1) continue; a[k] = i; } return k; }',
    'int f(int n, const int s[1], int a[2000]) { for (int i = 0; i < n; i++) if (!(a[3 + 7 * i] & 1)) a[3 + 7 ' +
      '* i] = i; return 3 + 7 * n; }',
  ],
  [
    'two counters, a jump, and the second behind the loop',
    'int f(int n, const int a[n]) { int i, j; for (i = 0, j = n - 1; i < j; i++, j--) if (a[i] == a[j]) ' +
      'break; return j; }',
    'int f(int n, const int a[n]) { int at = n / 2; for (int i = 0; i < n / 2; i++) if (at == n / 2 && a[i] ' +
      '== a[n - 1 - i]) at = i; return n - 1 - at; }',
  ],
  [
    'tables of structures in structures',
    'typedef struct { float x, y; } v; typedef struct { v a, b; int id; float h[2 + 1]; } e; typedef struct { ' +
      'float c; struct { float d[2]; } b; } r; static const r q[2] = {{1, {{7, 8}}}, {3}}; void f(int n, ' +
      'const unsigned k[n], float y[n]) { static const e t[3] = {{{1, 2}, {3}, 4, {5, 6}}, {.id = 7, .b = {8, ' +
      '9}}, {10, 11, 12, 13, 14, 15}}; for (int i = 0; i < n; i++) { const e *p = &t[k[i] % 3]; y[i] = p->a.x ' +
      '+ 2 * p->a.y + 3 * p->b.x + 5 * p->b.y + p->id + 7 * p->h[0] + 11 * p->h[k[i] & 1] + q[k[i] & ' +
      '1].b.d[1] + q[k[i] & 1].c; } }',
    'void f(int n, const unsigned k[n], float y[n]) { const float t[3][8] = {{1, 2, 3, 0, 4, 5, 6, 0}, {0, 0, ' +
      '8, 9, 7, 0, 0, 0}, {10, 11, 12, 13, 14, 15, 0, 0}}; for (int i = 0; i < n; i++) { int m = k[i] % 3; ' +
      'y[i] = t[m][0] + 2 * t[m][1] + 3 * t[m][2] + 5 * t[m][3] + t[m][4] + 7 * t[m][5] + 11 * t[m][5 + (k[i] ' +
      '& 1)] + (k[i] & 1 ? 3 : 9); } }',
  ],
  [
    'structures with arrays of structures, local and copied',
    'typedef struct { float x, y; } v; typedef struct { v p[2]; struct { int a; float b; } in[2]; } s; void ' +
      'f(int n, const unsigned k[n], float y[n][2][2], s *z) { for (int i = 0; i < n; i++) { s t = {{{1, i}, ' +
      '{2}}}; t.in[0].a = k[i]; t.in[1].a = 3; t.in[0].b = t.in[1].b = 0.5f; s u = t; u.p[k[i] & 1].x += 4; ' +
      'u.in[k[i] & 1].b += u.in[1 - (k[i] & 1)].a; t = u; for (int j = 0; j < 2; j++) { y[i][j][0] = t.p[j].x ' +
      '+ t.p[j].y; y[i][j][1] = t.in[j].b; } z[i] = t; z[i].p[1] = z[i].p[0]; } }',
    'void f(int n, const unsigned k[n], float y[n][2][2], float z_p_x[n][2], float z_p_y[n][2], int ' +
      'z_in_a[n][2], float z_in_b[n][2]) { for (int i = 0; i < n; i++) { int o = k[i] & 1; float b[2], x[2]; ' +
      'x[0] = 1 + (o ? 0 : 4); x[1] = 2 + (o ? 4 : 0); b[0] = 0.5f + (o ? 0 : 3); b[1] = 0.5f + (o ? k[i] : ' +
      '0); y[i][0][0] = x[0] + i; y[i][1][0] = x[1]; y[i][0][1] = b[0]; y[i][1][1] = b[1]; z_p_x[i][0] = ' +
      'x[0]; z_p_x[i][1] = x[0]; z_p_y[i][0] = i; z_p_y[i][1] = i; z_in_a[i][0] = k[i]; z_in_a[i][1] = 3; ' +
      'z_in_b[i][0] = b[0]; z_in_b[i][1] = b[1]; } }',
  ],
  [
    'one of two structures',
    'typedef struct { float x, y, z; } v; void f(int n, const v *a, const v *b, v *c) { for (int i = 0; i < ' +
      'n; i++) { v best = a[i].x > b[i].x ? a[i] : b[i]; best = best.x < c[i].y ? c[i] : best; c[i] = best; } }',
    'void f(int n, const float a[n][3], const float b[n][3], float c[n][3]) { for (int i = 0; i < n; i++) { ' +
      'int k = a[i][0] > b[i][0], m = (k ? a[i][0] : b[i][0]) < c[i][1]; for (int j = 0; j < 3; j++) { float ' +
      't = k ? a[i][j] : b[i][j]; if (!m) c[i][j] = t; } } }',
  ],
  [
    'calls on one side of ?: inside of an expression',
    'static int pick(int c, int a, int b) { if (c) return a; return b; } void f(int n, int m, const int x[n], int ' +
      'y[n]) { int most = 2; for (int i = 0; i < n; i++) y[i] = ((x[i] > 4 ? pick(m, x[i], 7) : x[i] - 1) | 1) + ' +
      '(x[i] < 2 ? -3 : pick(x[i], i, m)) % 5 + (x[i] > most ? (most = x[i]) : 0); }',
    'void f(int n, int m, const int x[n], int y[n]) { int most = 2; for (int i = 0; i < n; i++) { int p = x[i] - 1, ' +
      'q = -3, r = 0; if (x[i] > 4) p = m ? x[i] : 7; if (x[i] >= 2) q = x[i] ? i : m; if (x[i] > most) { most = ' +
      'x[i]; r = most; } y[i] = (p | 1) + q % 5 + r; } }',
  ],
  [
    'a pointer that takes signed for unsigned, and stores so',
    'void f(int n, int a[n], short b[n]) { unsigned *q = a; unsigned short *h = (unsigned short *)b; for (int i = ' +
      '0; i < n; i++) { a[i] -= 9; q[i] /= 3; b[i] -= 9; h[i] /= 3; h[i] += 40000; } }',
    'void f(int n, int a[n], short b[n]) { for (int i = 0; i < n; i++) { a[i] -= 9; a[i] = (int)((unsigned)a[i] ' +
      '/ 3u); b[i] -= 9; b[i] = (short)((unsigned short)b[i] / 3); b[i] = (short)(unsigned short)((unsigned ' +
      'short)b[i] + 40000); } }',
  ],
  [
    'a helper that takes bytes for signed ones',
    'static int low(const signed char *p, int i) { return p[i] < 0 ? 1 : 0; } void f(int n, unsigned char a[n], ' +
      'int b[n]) { for (int i = 0; i < n; i++) { a[i] = a[i] * 13; b[i] = low(a, i); } }',
    'void f(int n, unsigned char a[n], int b[n]) { for (int i = 0; i < n; i++) { a[i] = a[i] * 13; b[i] = a[i] > ' +
      '127 ? 1 : 0; } }',
  ],
  [
    'bits of a number',
    '#include <string.h>\nstatic float bits(unsigned u) { return *(float *)&u; } void f(int n, float a[n], float ' +
      'b[n], unsigned c[n]) { for (int i = 0; i < n; i++) { unsigned u; memcpy(&u, &a[i], sizeof u); c[i] = u >> ' +
      '31; a[i] = bits(u & 0x7fffffffu); ((unsigned *)b)[i] ^= 0x80000000u; } }',
    'void f(int n, float a[n], float b[n], unsigned c[n]) { for (int i = 0; i < n; i++) { c[i] = a[i] < 0 ? 1 : 0; ' +
      'a[i] = a[i] < 0 ? -a[i] : a[i]; b[i] = -b[i]; } }',
  ],
  [
    'a flat array as rows, rows as a flat array, walked',
    'void f(int n, float a[8 * n], float b[n][4], float c[n]) { const float (*p)[8] = (const float (*)[8])a; float ' +
      '*q = (float *)b; for (int i = 0; i < n; i++, p++) { float s = 0; for (int j = 0; j < 8; j++) s += (*p)[j]; ' +
      'c[i] = s + ((float (*)[8])a)[n - 1 - i][2]; } for (int i = 0; i < 4 * n; i++) q[i] *= 2; }',
    'void f(int n, float a[8 * n], float b[n][4], float c[n]) { for (int i = 0; i < n; i++) { float s = 0; for (int ' +
      'j = 0; j < 8; j++) s += a[8 * i + j]; c[i] = s + a[8 * (n - 1 - i) + 2]; } for (int i = 0; i < n; i++) for ' +
      '(int j = 0; j < 4; j++) b[i][j] *= 2; }',
  ],
  [
    'parameters that point to nothing named',
    'void f(int n, const void *a, void *b) { const float *x = (const float *)a; for (int i = 0; i < n; i++) ((float ' +
      '*)b)[i] = 2 * x[i]; }',
    'void f(int n, const float *a, float *b) { for (int i = 0; i < n; i++) b[i] = 2 * a[i]; }',
  ],
  [
    'a search from an offset, backwards',
    'void f(int n, const int *a, int b[n], int off) { int at = -1; for (int k = 0; k < n; k++) { int i = n - 1 ' +
      '- k; if (a[off + i] > 12) { at = i; break; } } for (int i = 0; i < n; i++) b[i] = at + i; }',
    'void f(int n, const int *a, int b[n], int off) { int at = -1; for (int i = 0; i < n; i++) if (a[off + i] > ' +
      '12) at = i; for (int i = 0; i < n; i++) b[i] = at + i; }',
  ],
]

/** Arithmetic in the types that C gives counters, literals and sizes, against variables that were stored in them. */
const typed: readonly (readonly [string, string, string])[] = [
  [
    'counters without a sign, which pass 0',
    'void f(int n, const int x[n], int y[n], float z[n]) { for (unsigned i = 0; i < n; i++) { y[i] = x[(i - 5) % 7] ' +
      '+ (int)((i - 3) % 11) + (int)((i - 2) >> 28) + (i - 2 < 9 ? 100 : 0) + (i - 1 < (unsigned)n ? x[i - 1] : 7) + ' +
      '(int)((i - 4) / 1000); z[i] = i - 1; } }',
    'void f(int n, const int x[n], int y[n], float z[n]) { for (int i = 0; i < n; i++) { unsigned a = i, b = i, c = ' +
      'i, d = i, e = i; a -= 5; b -= 3; c -= 2; d -= 1; e -= 4; a %= 7; b %= 11; e /= 1000; y[i] = x[a] + b + (c >> ' +
      '28) + (c < 9u ? 100 : 0) + (i > 0 ? x[i - 1] : 7) + e; z[i] = d; } }',
  ],
  [
    'counters of 64 bits',
    'void f(int n, int y[n], float z[n]) { for (long i = 0; i < n; i++) { y[i] = (int)((i * i * 100003 * i * 1001) % ' +
      '997) + (int)((i - 5) / 2) + (i - 9 < 3 ? 1 : 0); z[i] = i * i * i * 1000000; } }',
    'void f(int n, int y[n], float z[n]) { for (int i = 0; i < n; i++) { long long v = i, w = i; v *= i; v *= ' +
      '100003; v *= i; v *= 1001; v %= 997; w *= i; w *= i; w *= 1000000; y[i] = v + (i - 5) / 2 + (i < 12 ? 1 : 0); ' +
      'z[i] = w; } }',
  ],
  [
    'literals without a sign in subscripts, and their complement',
    'void f(int n, const int x[n], int y[n]) { for (int i = 0; i < n; i++) y[i] = x[(i - 5) % 16u] + x[i / 2u] + ' +
      'x[(int)((~1u) % 609u) & 15] + x[(~0u >> 28) - i % 7u] + x[(i - 30) / 400000000u]; }',
    'void f(int n, const int x[n], int y[n]) { for (int i = 0; i < n; i++) y[i] = x[(i + 11) % 16] + x[i / 2] + ' +
      `x[${(4294967294 % 609) % 16}] + x[15 - i % 7] + x[i < 30 ? 10 : 0]; }`,
  ],
  [
    'counters that are size_t and unsigned variables',
    '#include <stddef.h>\nvoid f(int n, const int x[n], int y[n], float z[3]) { size_t k = 0, at = 0; int m = -1; ' +
      'unsigned u = 5; for (size_t i = 0; i < n; i++) { if (x[i] > 8) y[k++] = x[i]; if (x[i] > m) { m = x[i]; at = ' +
      'i; } u -= 2; } for (size_t i = k; i < n; i++) y[i] = -1; z[0] = k; z[1] = at; z[2] = u % 1000; }',
    'void f(int n, const int x[n], int y[n], float z[3]) { int k = 0, at = 0, m = -1; for (int i = 0; i < n; i++) if ' +
      '(x[i] > 8) { y[k] = x[i]; k++; } for (int i = 0; i < n; i++) if (x[i] > m) { m = x[i]; at = i; } for (int i = ' +
      'k; i < n; i++) y[i] = -1; z[0] = k; z[1] = at; unsigned u = n; u *= -2; u += 5; z[2] = u % 1000; }',
  ],
  [
    'down until 0 is passed, and sizes of types',
    'void f(int n, const int x[n], int y[n]) { for (unsigned i = n - 1; i < (unsigned)n; i--) y[i] = x[i] * 2 + (i - ' +
      'sizeof(int) < 9 ? 1 : 0) + (int)(n * sizeof(float) / sizeof(short)); }',
    'void f(int n, const int x[n], int y[n]) { for (int i = 0; i < n; i++) y[i] = x[i] * 2 + (i >= 4 && i < 13 ? 1 : ' +
      '0) + 2 * n; }',
  ],
  [
    'a place of 64 bits that a branch chooses',
    'void f(long n, int flag, const int x[n], int y[n]) { long i, sh; if (flag > 0) sh = n / 2; else sh = 0; for (i ' +
      '= 0; i < n; i++) y[i] = i + sh - 9 < 0 || i + sh >= n ? 0 : x[i + sh]; }',
    'void f(int n, int flag, const int x[n], int y[n]) { for (int i = 0; i < n; i++) { int at = i + (flag > 0 ? n / ' +
      '2 : 0); y[i] = at < 9 || at >= n ? 0 : x[at]; } }',
  ],
  [
    'variables that count past what they hold',
    'void f(int n, const int x[n], int y[n]) { unsigned k = 5, s = 0; for (int i = 0; i < n; i++) { k += 100000007u; ' +
      's += i * 9000001u; y[i] = (int)(k % 7) + x[k % 37] + (int)(s / 3 % 100) + (s < 5000 ? 1 : 0); } }',
    'void f(int n, const int x[n], int y[n]) { for (int i = 0; i < n; i++) { unsigned v = i, w = i; v += 1; v *= ' +
      '100000007; v += 5; w *= i + 1; w /= 2; w *= 9000001; y[i] = (int)(v % 7u) + x[v % 37u] + (int)(w / 3u % 100u) ' +
      '+ (w < 5000u ? 1 : 0); } }',
  ],
  [
    'a size without a sign',
    'void f(unsigned n, const int x[n], int y[n]) { for (unsigned i = 0; i < n; i++) y[i] = x[(i + n - 1) % n] + ' +
      'x[n - 1 - i] + (int)((n - 40) % 1000) + (i + 5 < n - 3 ? x[i + 5] : 0); }',
    'void f(int n, const int x[n], int y[n]) { for (int i = 0; i < n; i++) { unsigned u = n; u -= 40; u %= 1000; ' +
      'y[i] = x[i > 0 ? i - 1 : n - 1] + x[n - 1 - i] + u + (i < n - 8 ? x[i + 5] : 0); } }',
  ],
]

describe('in the types of C', () => {
  test.each(typed)('%s', async (_, one, other) => {
    const p = await readC(one),
      q = await readC(other)
    for (const seed of [1, 2]) expect(run(p, seed)).toEqual(run(q, seed))
    const { verified } = await optimize(p, { gpu: gpu('h200'), targets: ['cuda'], budget: 1 })
    expect(verified.ok).toBe(true)
  })
})

describe('written otherwise', () => {
  test.each(pairs)('%s', async (_, one, other) => {
    const p = await readC(one),
      q = await readC(other)
    for (const seed of [1, 2, 3]) expect(run(p, seed)).toEqual(run(q, seed))
  })
  const last = pairs.length - 1
  test.each([
    0,
    2,
    3,
    5,
    7,
    18,
    19,
    20,
    21,
    34,
    35,
    36,
    last - 4,
    last - 3,
    last - 2,
    last - 1,
    last,
  ])('kernels of %s', async (i) => {
    const result = await optimize(await readC(pairs[i]![1]), { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 })
    expect(result.verified.ok).toBe(true)
  })
})

// Lanes and unrolled iterations once shared one value of an expression that is not linear in their variable.
test("a remainder by a parameter is each lane's own", async () => {
  const p = await readC(
    '#pragma tesela sizes(s = 3)\nvoid f(int n, int s, float a[n]) { for (int i = 0; i < n; i += s) a[i] *= 2; }',
  )
  const a = analyse(p)
  for (const { point } of a.parts[0]!.sketch.ladder)
    expect(verifyPlan(p, build(a, [point]).plan, [{ n: 157 }], gpu('h200'), 5).why).toBeUndefined()
})

test('a loop that never ends is refused with its place', async () => {
  const p = await readC(
    'void f(int n, float a[n]) { for (int i = 0; i < n; i++) { float x = 1; while (x > 0) x += 1e-9f; a[i] = x; } }',
  )
  expect(() => run(p, 1)).toThrow(
    'test.c:1:72: error: this loop has not ended after 1000000 iterations on the data that it was tried on',
  )
})

// A condition on sizes and scalars around loops made one thread of them all.
test('what is returned early leaves the rest parallel', async () => {
  const p = await readC(
    'float f(int n, int mode, const float x[n], float y[n]) { if (n <= 0) return 0; if (n < 3) return x[0]; ' +
      'float s = 0; if (mode == 1) { for (int i = 0; i < n; i++) y[i] = x[i]; } else if (mode == 2) { for ' +
      '(int i = 0; i < n; i++) y[i] = -x[i]; } for (int i = 0; i < n; i++) s += y[i]; return s; }',
  )
  const result = await optimize(p, { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 })
  expect(result.parts.map((x) => x.sketch)).toEqual(expect.arrayContaining(['maps', 'reduction']))
  expect(result.parts.flatMap((x) => x.inOrder)).toEqual([])
})

// The parallel part was in one thread because its bound was a number and no size.
test('a long sum whose length is a number is shared by threads', async () => {
  const p = await readC(
    'int main() { int i, n = 100000; float sum = 0, h = 1.0f / n; for (i = 0; i < n; i++) { float x = (i + ' +
      '0.5f) * h; sum += 4 / (1 + x * x); } printf("%f", sum * h); return 0; }',
  )
  expect(analyse(p).parts.map((x) => x.sketch.name)).toEqual(['reduction'])
  expect(p.notes).toEqual([
    'what main leaves, in arrays and in numbers that it prints, is what the kernels give: sum',
    'printf (line 1) computes nothing and is left out of the kernels',
  ])
})

test('counters that are made of each other leave iterations parallel', async () => {
  const p = await readC(
    'void f(int n, const float *c, float *a, float *b) { int j = -1, k; for (int i = 0; i < n; i++) { k = j + 1; ' +
      'a[i] = b[k] - c[i]; j = k + 1; b[k] = a[i] + c[k]; } }',
  )
  expect(analyse(p).parts.map((x) => x.sketch.name)).not.toContain('sequential')
})
