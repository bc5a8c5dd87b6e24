// Activations, element by element.
#include <math.h>
#pragma tesela sizes(n = 16777216)

void sigmoid(int n, const float x[n], float y[n]) {
  for (int i = 0; i < n; i++) y[i] = 1 / (1 + expf(-x[i]));
}

void gelu(int n, const float x[n], float y[n]) {
  for (int i = 0; i < n; i++) y[i] = 0.5f * x[i] * (1 + erff(0.70710678f * x[i]));
}

void gelu_tanh(int n, const float x[n], float y[n]) {
  for (int i = 0; i < n; i++)
    y[i] = 0.5f * x[i] * (1 + tanhf(0.79788456f * (x[i] + 0.044715f * x[i] * x[i] * x[i])));
}

void silu(int n, const float x[n], float y[n]) {
  for (int i = 0; i < n; i++) y[i] = x[i] / (1 + expf(-x[i]));
}

void swiglu(int n, const float gate[n], const float x[n], float y[n]) {
  for (int i = 0; i < n; i++) y[i] = gate[i] / (1 + expf(-gate[i])) * x[i];
}

static float softplus_of(float x) { return fmaxf(x, 0) + logf(1 + expf(-fabsf(x))); }

void softplus(int n, const float x[n], float y[n]) {
  for (int i = 0; i < n; i++) y[i] = softplus_of(x[i]);
}

void mish(int n, const float x[n], float y[n]) {
  for (int i = 0; i < n; i++) y[i] = x[i] * tanhf(softplus_of(x[i]));
}

void elu(int n, const float x[n], float alpha, float y[n]) {
  for (int i = 0; i < n; i++) y[i] = x[i] > 0 ? x[i] : alpha * (expf(x[i]) - 1);
}

void leaky_relu(int n, const float x[n], float slope, float y[n]) {
  for (int i = 0; i < n; i++) y[i] = x[i] > 0 ? x[i] : slope * x[i];
}

void hard_swish(int n, const float x[n], float y[n]) {
  for (int i = 0; i < n; i++) y[i] = x[i] * fminf(fmaxf(x[i] + 3, 0), 6) / 6;
}
