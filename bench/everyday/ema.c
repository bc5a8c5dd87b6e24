#pragma tesela sizes(n = 4194304)
/* exponential moving average of one long signal */
void ema(int n, float a, const float x[n], float y[n]) {
  float s = x[0];
  for (int i = 0; i < n; i++) {
    s = a * x[i] + (1.0f - a) * s;
    y[i] = s;
  }
}
