// Matrix times vector, for several of each: y = A x.
void rows(int b, int n, int p, const float A[b][n][p], const float x[b][p], float y[b][n][1]) {
  for (int s = 0; s < b; s++)
    for (int i = 0; i < n; i++) {
      float sum = 0;
      for (int k = 0; k < p; k++) sum += A[s][i][k] * x[s][k];
      y[s][i][0] = sum;
    }
}
