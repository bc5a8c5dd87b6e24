// Largest element of a vector.
#pragma tesela sizes(n = 134217728)

float max(int n, const float x[n]) {
  float best = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] > best)
      best = x[i];
  return best;
}
