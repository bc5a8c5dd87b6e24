// level1/11 tensor-matmul-4d: A, B -> C
#ifndef NB
#define NB 8
#endif
#ifndef NI
#define NI 256
#endif
#ifndef NJ
#define NJ 512
#endif
#ifndef NL
#define NL 256
#endif
#ifndef NK
#define NK 768
#endif

void tensor_matmul_4d(const float A[NB][NI][NJ][NL], const float B[NL][NK], float C[NB][NI][NJ][NK]) {
  for (int b = 0; b < NB; b++)
    for (int i = 0; i < NI; i++)
      for (int j = 0; j < NJ; j++)
        for (int k = 0; k < NK; k++) {
          float sum = 0.0f;
          for (int l = 0; l < NL; l++)
            sum += A[b][i][j][l] * B[l][k];
          C[b][i][j][k] = sum;
        }
}
