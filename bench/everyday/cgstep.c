#pragma tesela sizes(n = 4096)
void cgstep(int n, const float *A, float *x, float *r, float *p, float *q) {
  float rr = 0, pq = 0, r2 = 0;
  for (int i = 0; i < n; i++) rr += r[i]*r[i];
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < n; j++) s += A[i*n+j]*p[j];
    q[i] = s;
  }
  for (int i = 0; i < n; i++) pq += p[i]*q[i];
  float al = rr/pq;
  for (int i = 0; i < n; i++) {
    x[i] += al*p[i];
    r[i] -= al*q[i];
  }
  for (int i = 0; i < n; i++) r2 += r[i]*r[i];
  float be = r2/rr;
  for (int i = 0; i < n; i++) p[i] = r[i] + be*p[i];
}
