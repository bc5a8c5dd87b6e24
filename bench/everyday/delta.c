#pragma tesela sizes(n = 67108864)
/* differences of neighbours */
void delta(int n, const int x[n], int y[n]) {
  int before = 0;
  for (int i = 0; i < n; i++) {
    y[i] = x[i] - before;
    before = x[i];
  }
}
