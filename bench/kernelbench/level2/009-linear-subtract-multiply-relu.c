// level2/9 linear-subtract-multiply-relu: x, w=linear.weight, b=linear.bias -> y
#ifndef M
#define M 1024
#endif
#ifndef K
#define K 8192
#endif
#ifndef N
#define N 8192
#endif
#define SUBTRACT 2.0f
#define MULTIPLY 1.5f
void linear_subtract_multiply_relu(const float x[M][K], const float w[N][K], const float b[N], float y[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float s = b[j];
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      s = (s - SUBTRACT) * MULTIPLY;
      y[i][j] = s > 0.0f ? s : 0.0f;
    }
}
