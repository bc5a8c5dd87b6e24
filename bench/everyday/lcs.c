#pragma tesela sizes(n = 4096, m = 4096)
int lcs(int n, int m, const char *a, const char *b, int *L) {
  for (int i = 0; i <= n; i++) for (int j = 0; j <= m; j++) {
    if (i == 0 || j == 0) L[i*(m+1)+j] = 0;
    else if (a[i-1] == b[j-1]) L[i*(m+1)+j] = L[(i-1)*(m+1)+j-1] + 1;
    else L[i*(m+1)+j] = L[(i-1)*(m+1)+j] > L[i*(m+1)+j-1] ? L[(i-1)*(m+1)+j] : L[i*(m+1)+j-1];
  }
  return L[n*(m+1)+m];
}
