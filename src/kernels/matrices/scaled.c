// A factor multiplied by its power of two (power.c), for products that take it more than once.
void scaled(int n, const float x[n], const float a[3], float y[n]) {
  for (int i = 0; i < n; i++) y[i] = x[i] * a[0];
}
