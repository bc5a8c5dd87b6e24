#pragma tesela sizes(n = 1048576)
void matmul4(int n, const float (*a)[4][4], const float (*b)[4][4], float (*c)[4][4]) {
  for (int t = 0; t < n; t++) for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) {
    float s = 0;
    for (int k = 0; k < 4; k++) s += a[t][i][k]*b[t][k][j];
    c[t][i][j] = s;
  }
}
