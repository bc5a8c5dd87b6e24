#pragma tesela sizes(a = 64, b = 128, c = 64, d = 64)
void permute(int a, int b, int c, int d, const float *x, float *y) {
  for (int i = 0; i < a; i++) for (int j = 0; j < b; j++) for (int k = 0; k < c; k++) for (int l = 0; l < d; l++) y[((k*a+i)*d+l)*b+j] = x[((i*b+j)*c+k)*d+l];
}
