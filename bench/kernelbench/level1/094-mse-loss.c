// level1/94 mse-loss: prediction, target -> loss
#ifndef N
#define N 32768
#endif
#ifndef L
#define L 32768
#endif

void mse_loss(const float prediction[N][L], const float target[N][L], float loss[1]) {
  float sum = 0.0f;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < L; j++) {
      float d = prediction[i][j] - target[i][j];
      sum += d * d;
    }
  loss[0] = sum / ((float)N * L);
}
