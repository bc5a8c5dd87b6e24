// What iterative solvers are made of, and systems of three diagonals next to each other.
#pragma tesela sizes(rows = 8192, columns = 8192, length = 16777216, n = 64, batch = 65536)

void residual(int rows, int columns, const float a[rows][columns], const float x[columns], const float b[rows],
              float r[rows]) {
  for (int i = 0; i < rows; i++) {
    float sum = 0;
    for (int j = 0; j < columns; j++) sum += a[i][j] * x[j];
    r[i] = b[i] - sum;
  }
}

// x + alpha p, r - alpha q, and the square of what is left.
void conjugate_step(int length, float alpha, const float p[length], const float q[length], float x[length],
                    float r[length], float squares[1]) {
  for (int i = 0; i < length; i++) x[i] += alpha * p[i];
  float sum = 0;
  for (int i = 0; i < length; i++) {
    r[i] -= alpha * q[i];
    sum += r[i] * r[i];
  }
  squares[0] = sum;
}

void conjugate_direction(int length, float beta, const float r[length], float p[length]) {
  for (int i = 0; i < length; i++) p[i] = r[i] + beta * p[i];
}

void dot(int length, const float a[length], const float b[length], float y[1]) {
  float sum = 0;
  for (int i = 0; i < length; i++) sum += a[i] * b[i];
  y[0] = sum;
}

void poisson(int rows, int columns, const float x[rows][columns], float y[rows][columns]) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      float up = i > 0 ? x[i - 1][j] : 0, down = i + 1 < rows ? x[i + 1][j] : 0;
      float left = j > 0 ? x[i][j - 1] : 0, right = j + 1 < columns ? x[i][j + 1] : 0;
      y[i][j] = 4 * x[i][j] - up - down - left - right;
    }
}

// Elimination without pivoting: column s of each array is a system; the first of below and the last of above do not
// count, but must be numbers.
void tridiagonal_solve(int n, int batch, const float below[n][batch], const float diagonal[n][batch],
                       const float above[n][batch], const float right[n][batch], float x[n][batch]) {
  float factor[n][batch];
  for (int s = 0; s < batch; s++) {
    float f = 0, v = 0;
    for (int i = 0; i < n; i++) {
      float pivot = diagonal[i][s] - below[i][s] * f;
      v = (right[i][s] - below[i][s] * v) / pivot;
      f = above[i][s] / pivot;
      factor[i][s] = f;
      x[i][s] = v;
    }
    for (int i = n - 2; i >= 0; i--) {
      v = x[i][s] - factor[i][s] * v;
      x[i][s] = v;
    }
  }
}
