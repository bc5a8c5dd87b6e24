#pragma tesela sizes(n = 33554432)
float variance(int n, const float *x) {
  float s = 0;
  for (int i = 0; i < n; i++) s += x[i];
  float m = s / n, v = 0;
  for (int i = 0; i < n; i++) v += (x[i]-m)*(x[i]-m);
  return v / n;
}
