// Loops that only data end: data are made up that end them, proofs run at real sizes, and nobody waits for minutes.
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { optimize } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'

test.each<[string, string]>([
  [
    'linked lists by index',
    `void f(int lists, const int *head, const int *next, const float *val, float *sum) {
      for (int i = 0; i < lists; i++) { float s = 0; for (int p = head[i]; p != -1; p = next[p]) s += val[p];
      sum[i] = s; } }`,
  ],
  [
    'roots of a union-find forest',
    `void f(int n, const int *parent, int *root) { for (int i = 0; i < n; i++) { int x = i;
      while (parent[x] != x) x = parent[x]; root[i] = x; } }`,
  ],
  [
    'a search tree of structures',
    `struct node { int key, left, right, value; };
    void f(int q, const struct node *t, const int *query, int *out) { for (int i = 0; i < q; i++) { int k = 0, r = -1;
      while (k >= 0) { if (query[i] == t[k].key) { r = t[k].value; break; }
      k = query[i] < t[k].key ? t[k].left : t[k].right; } out[i] = r; } }`,
  ],
  [
    'open addressing',
    `void f(int q, int mask, const unsigned *keys, const unsigned *query, int *out) { for (int i = 0; i < q; i++) {
      unsigned s = (query[i] * 2654435761u) & mask; while (keys[s] != 0 && keys[s] != query[i]) s = (s + 1) & mask;
      out[i] = s; } }`,
  ],
  [
    'a forest of decision trees',
    `void f(int n, int trees, int nodes, int feats, const float *x, const int *feat, const float *thr, const int *left,
      const int *right, const float *leaf, float *out) { for (int i = 0; i < n; i++) { float s = 0;
      for (int t = 0; t < trees; t++) { int k = 0; while (left[t * nodes + k] >= 0)
      k = x[i * feats + feat[t * nodes + k]] < thr[t * nodes + k] ? left[t * nodes + k] : right[t * nodes + k];
      s += leaf[t * nodes + k]; } out[i] = s; } }`,
  ],
])(
  '%s',
  async (_, code) => {
    const found = await optimize(await readC(code), { gpu: gpu('h200'), targets: ['cuda'], budget: 1 })
    expect(found.verified.ok).toBe(true)
    expect(Math.max(...found.verified.sizes.flatMap((s) => Object.values(s)))).toBeGreaterThan(60)
    // a sum has as many terms as the walk had steps, not as many as the loop might have
    expect(found.verified.bound).toBeLessThan(1e-4)
  },
  40_000,
)
