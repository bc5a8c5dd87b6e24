#pragma tesela sizes(n = 67108864)
/* where a value stands first */
int first(int n, float wanted, const float x[n]) {
  for (int i = 0; i < n; i++)
    if (x[i] == wanted) return i;
  return -1;
}
