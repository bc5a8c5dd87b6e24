// One sweep of the five-point Jacobi stencil over the interior.
#pragma tesela sizes(n = 4096)
#define at(a, i, j) a[(i) * n + (j)]

void jacobi2d(int n, const float *a, float *b) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      at(b, i, j) = 0.2 * (at(a, i, j) + at(a, i, j - 1) + at(a, i, j + 1) + at(a, i - 1, j) + at(a, i + 1, j));
}
