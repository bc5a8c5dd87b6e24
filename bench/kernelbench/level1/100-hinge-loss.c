// level1/100 hinge-loss: prediction, target -> loss
#ifndef N
#define N 32768
#endif
#ifndef L
#define L 32768
#endif

/* A target per column. */
void hinge_loss(const float prediction[N][L], const float target[L], float loss[1]) {
  loss[0] = 0.0f;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < L; j++) {
      float h = 1.0f - prediction[i][j] * target[j];
      if (h > 0.0f) loss[0] += h;
    }
  loss[0] /= (float)N * L;
}
