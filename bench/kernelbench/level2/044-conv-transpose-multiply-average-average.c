// level2/44 conv-transpose-multiply-average-average: x, w=conv_transpose.weight, b=conv_transpose.bias -> y
#ifndef N
#define N 16
#endif
#ifndef C
#define C 64
#endif
#ifndef O
#define O 128
#endif
#ifndef H
#define H 128
#endif
#ifndef W
#define W 128
#endif
#define K 3
#define S 2
#define P 1
#define OP 1
#define MULTIPLIER 0.5f
#define OH ((H - 1) * S - 2 * P + K + OP)
#define OW ((W - 1) * S - 2 * P + K + OP)
void conv_transpose_multiply_average_average(const float x[N][C][H][W], const float w[C][O][K][K], const float b[O],
                                             float y[N][O]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++) {
      float total = 0.0f;
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) {
                int p = i + P - u, q = j + P - v;
                if (p >= 0 && p % S == 0 && p / S < H && q >= 0 && q % S == 0 && q / S < W)
                  s += x[n][c][p / S][q / S] * w[c][o][u][v];
              }
          total += s * MULTIPLIER;
        }
      float mean = total / (OH * OW);
      y[n][o] = mean / 1.0f; /* the second average is over one element */
    }
}
