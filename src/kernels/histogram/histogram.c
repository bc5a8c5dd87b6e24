// Counts of numbers, by their integer part; those without a bin are passed over. What is counted of an element is fused
// into the loads.
void histogram(int n, int m, const T x[n], unsigned h[m]) {
  for (int i = 0; i < n; i++) {
    int k = (int)x[i];
    if (k >= 0 && k < m) h[k] += 1;
  }
}
