// level1/97 attention: q, k, v -> out
#include <math.h>
#ifndef B
#define B 32
#endif
#ifndef H
#define H 32
#endif
#ifndef L
#define L 512
#endif
#ifndef E
#define E 1024
#endif

void attention(const float q[B][H][L][E], const float k[B][H][L][E], const float v[B][H][L][E],
               float out[B][H][L][E]) {
  const float scale = 1.0f / sqrtf(E);
  for (int b = 0; b < B; b++)
    for (int h = 0; h < H; h++)
      for (int i = 0; i < L; i++) {
        float p[L];
        float max = -INFINITY;
        for (int j = 0; j < L; j++) {
          float dot = 0.0f;
          for (int e = 0; e < E; e++) dot += q[b][h][i][e] * k[b][h][j][e];
          p[j] = dot * scale;
          if (p[j] > max) max = p[j];
        }
        float sum = 0.0f;
        for (int j = 0; j < L; j++) {
          p[j] = expf(p[j] - max);
          sum += p[j];
        }
        for (int e = 0; e < E; e++) {
          float acc = 0.0f;
          for (int j = 0; j < L; j++) acc += p[j] * v[b][h][j][e];
          out[b][h][i][e] = acc / sum;
        }
      }
}
