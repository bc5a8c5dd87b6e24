// A step of Adam: moving means of gradients and of their squares; `correction` is 1 - beta to the power of steps.
#include <math.h>
#pragma tesela sizes(n = 16777216)

void adam_step(int n, float rate, float beta1, float beta2, float epsilon, float correction1, float correction2,
               const float gradient[n], float weight[n], float first[n], float second[n]) {
  for (int i = 0; i < n; i++) {
    first[i] = beta1 * first[i] + (1 - beta1) * gradient[i];
    second[i] = beta2 * second[i] + (1 - beta2) * gradient[i] * gradient[i];
    weight[i] -= rate * (first[i] / correction1) / (sqrtf(second[i] / correction2) + epsilon);
  }
}
