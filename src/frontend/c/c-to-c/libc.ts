// Functions of the C library that are a few lines of C themselves: what a file calls and does not define comes from
// here, and is put in place as its own helpers are. `__fraction` and `__exponent` are rows of `math-calls.ts`.
import type { CFunction, CUnit } from '../text/syntax.ts'
import { expressionsOf } from './c-rewriting.ts'

const kinds: Readonly<Record<string, string>> = {
  isdigit: "c >= '0' && c <= '9'",
  isupper: "c >= 'A' && c <= 'Z'",
  islower: "c >= 'a' && c <= 'z'",
  isalpha: "(c | 32) >= 'a' && (c | 32) <= 'z'",
  isspace: "c == ' ' || (c >= 9 && c <= 13)",
  isblank: "c == ' ' || c == 9",
  isalnum: "((c | 32) >= 'a' && (c | 32) <= 'z') || (c >= '0' && c <= '9')",
  isxdigit: "(c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f')",
  isprint: 'c >= 32 && c <= 126',
  isgraph: 'c > 32 && c <= 126',
  iscntrl: '(c >= 0 && c < 32) || c == 127',
  ispunct: "c > 32 && c <= 126 && !((c | 32) >= 'a' && (c | 32) <= 'z') && !(c >= '0' && c <= '9')",
}

/** C by the name of the function. */
const texts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(kinds).map(([name, test]) => [name, `static int ${name}(int c) { return ${test}; }`]),
  ),
  toupper: "static int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }",
  tolower: "static int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }",
  modff: 'static float modff(float x, float *whole) { float t = truncf(x); *whole = t; return x - t; }',
  modf: 'static double modf(double x, double *whole) { double t = trunc(x); *whole = t; return x - t; }',
  frexpf: 'static float frexpf(float x, int *exponent) { *exponent = __exponentf(x); return __fractionf(x); }',
  sincosf: 'static void sincosf(float x, float *s, float *c) { *s = sinf(x); *c = cosf(x); }',
  sincos: 'static void sincos(double x, double *s, double *c) { *s = sin(x); *c = cos(x); }',
  ...Object.fromEntries(
    ['omp_get_num_threads', 'omp_get_max_threads', 'omp_get_num_procs'].map((name) => [
      name,
      `static int ${name}(void) { return 1; }`,
    ]),
  ),
  omp_get_thread_num: 'static int omp_get_thread_num(void) { return 0; }',
  strlen: 'static int strlen(const char *s) { int n = 0; while (s[n] != 0) n++; return n; }',
}

/** What of the library the file calls and does not define, as C; empty when it is nothing. */
export function libraryFor(unit: CUnit): string {
  const own = new Set(unit.functions.map((f) => f.name)),
    called = new Set(
      unit.functions
        .flatMap((f: CFunction) => expressionsOf(f.body))
        .flatMap((e) => (e.kind === 'call' && !own.has(e.name) ? [e.name] : [])),
    )
  return [...called]
    .filter((name) => Object.hasOwn(texts, name))
    .map((name) => texts[name]!)
    .join('\n') // just asked
}
