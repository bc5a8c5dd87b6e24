#pragma tesela sizes(n = 1048576)
/* Walsh-Hadamard transform in place */
void wht(int n, float a[n]) {
  for (int h = 1; h < n; h *= 2)
    for (int i = 0; i < n; i += 2 * h)
      for (int j = i; j < i + h; j++) {
        float x = a[j], y = a[j + h];
        a[j] = x + y;
        a[j + h] = x - y;
      }
}
