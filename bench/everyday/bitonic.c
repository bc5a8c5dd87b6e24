#pragma tesela sizes(n = 1048576)
/* bitonic sorting network */
void bitonic(int n, float a[n]) {
  for (int k = 2; k <= n; k *= 2)
    for (int j = k / 2; j > 0; j /= 2)
      for (int i = 0; i < n; i++) {
        int l = i ^ j;
        if (l > i) {
          float x = a[i], y = a[l];
          if (((i & k) == 0 && x > y) || ((i & k) != 0 && x < y)) {
            a[i] = y;
            a[l] = x;
          }
        }
      }
}
