// level2/12 linear-multiply-leaky-relu: x, weight=gemm.weight, bias=gemm.bias -> out
#ifndef BATCH
#define BATCH 1024
#endif
#ifndef IN
#define IN 8192
#endif
#ifndef OUT
#define OUT 8192
#endif
#define MULTIPLIER 2.0f
#define SLOPE 0.1f
void linear_multiply_leaky_relu(const float *x, const float *weight, const float *bias, float *out) {
  for (int n = 0; n < BATCH; n++)
    for (int o = 0; o < OUT; o++) {
      float acc = 0.0f;
      for (int k = 0; k < IN; k++) acc += x[n * IN + k] * weight[o * IN + k];
      float v = (acc + bias[o]) * MULTIPLIER;
      out[n * OUT + o] = v >= 0.0f ? v : SLOPE * v;
    }
}
