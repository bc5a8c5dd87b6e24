#pragma tesela sizes(n = 16777216)
/* the small ones and the others, each in order */
void partition(int n, float pivot, const float x[n], float low[n], float high[n], int count[2]) {
  int a = 0, b = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] < pivot) low[a++] = x[i];
    else high[b++] = x[i];
  }
  count[0] = a;
  count[1] = b;
}
