// level2/40 linear-scale-residual: x, w=matmul.weight, b=matmul.bias -> y
#ifndef BATCH
#define BATCH 16384
#endif
#ifndef IN
#define IN 4096
#endif
#ifndef OUT
#define OUT 4096
#endif
#define SCALE 0.5f
void linear_scale_residual(const float x[BATCH][IN], const float w[OUT][IN], const float b[OUT], float y[BATCH][OUT]) {
  for (int n = 0; n < BATCH; n++)
    for (int o = 0; o < OUT; o++) {
      float original = b[o];
      for (int k = 0; k < IN; k++) original += x[n][k] * w[o][k];
      y[n][o] = original * SCALE + original;
    }
}
