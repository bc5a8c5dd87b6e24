// Matrix product with both factors transposed: C = Aᵀ Bᵀ, of fixed size.
#define N 4096

float A[N][N], B[N][N], C[N][N];

void gemm_tt(void) {
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      C[i][j] = 0;
      for (int k = 0; k < N; k++)
        C[i][j] += A[k][i] * B[j][k];
    }
#pragma endscop
}
