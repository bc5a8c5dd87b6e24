// level1/32 hard-tanh: x -> y
#ifndef N
#define N 4096
#endif
#ifndef DIM
#define DIM 393216
#endif
#define LOW -1.0f
#define HIGH 1.0f

void hard_tanh(const float x[N][DIM], float y[N][DIM]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < DIM; j++) {
      float v = x[i][j];
      if (v < LOW) v = LOW;
      if (v > HIGH) v = HIGH;
      y[i][j] = v;
    }
}
