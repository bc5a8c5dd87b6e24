// level1/4 matrix-vector: A, x -> y
#ifndef M
#define M 2048
#endif
#ifndef K
#define K 1048576
#endif

void matrix_vector(const float A[M][K], const float x[K], float y[M]) {
  for (int i = 0; i < M; i++) {
    float dot = 0.0f;
    for (int k = 0; k < K; k++)
      dot += A[i][k] * x[k];
    y[i] = dot;
  }
}
