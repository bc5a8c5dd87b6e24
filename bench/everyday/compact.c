#pragma tesela sizes(n = 16777216)
int compact(int n, const float *a, float *b) {
  int k = 0;
  for (int i = 0; i < n; i++) if (a[i] > 0.25f) b[k++] = a[i];
  return k;
}
