// Vector times matrix, for several of each: y = x A.
void columns(int b, int n, int p, const float A[b][p][n], const float x[b][p], float y[b][n]) {
  for (int s = 0; s < b; s++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < p; k++) sum += A[s][k][j] * x[s][k];
      y[s][j] = sum;
    }
}
