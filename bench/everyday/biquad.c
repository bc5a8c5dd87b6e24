#pragma tesela sizes(n = 4194304)
/* a filter of second order, direct form I */
void biquad(int n, float b0, float b1, float b2, float a1, float a2, const float x[n], float y[n]) {
  for (int i = 2; i < n; i++)
    y[i] = b0 * x[i] + b1 * x[i - 1] + b2 * x[i - 2] - a1 * 0.1f * y[i - 1] - a2 * 0.1f * y[i - 2];
}
