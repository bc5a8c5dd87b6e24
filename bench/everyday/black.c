#pragma tesela sizes(n = 16777216, r = 0.02, v = 0.3)
static float cnd(float d) {
  float k = 1/(1+0.2316419f*fabsf(d));
  float c = 0.39894228f*expf(-0.5f*d*d)*(k*(0.31938153f+k*(-0.356563782f+k*(1.781477937f+k*(-1.821255978f+k*1.330274429f)))));
  return d > 0 ? 1-c : c;
}
void black(int n, float r, float v, const float *S, const float *X, const float *T, float *call, float *put) {
  for (int i = 0; i < n; i++) {
    float s = 5 + 25*fabsf(S[i]), x = 1 + 99*fabsf(X[i]), t = 0.25f + 10*fabsf(T[i]);
    float q = sqrtf(t), d1 = (logf(s/x)+(r+0.5f*v*v)*t)/(v*q), d2 = d1-v*q, a = cnd(d1), b = cnd(d2), e = expf(-r*t);
    call[i] = s*a-x*e*b;
    put[i] = x*e*(1-b)-s*(1-a);
  }
}
