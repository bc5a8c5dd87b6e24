// Numbers of eight bits, four in a word, and of four bits, eight in a word; the first in the lowest bits.
#include <math.h>
#pragma tesela sizes(words = 2048, rows = 8192, groups = 256, tokens = 512, outputs = 4096)

static int byte_of(unsigned word, int i) { return (int)(word << (24 - 8 * i)) >> 24; }
static int nibble_of(unsigned word, int i) { return (int)(word << (28 - 4 * i)) >> 28; }

void quantize_int8(int rows, int words, const float x[rows][words][4], unsigned y[rows][words], float scale[rows]) {
  for (int r = 0; r < rows; r++) {
    float top = 0;
    for (int k = 0; k < words; k++)
      for (int i = 0; i < 4; i++) top = fmaxf(top, fabsf(x[r][k][i]));
    scale[r] = top / 127;
    float by = top > 0 ? 127 / top : 0;
    for (int k = 0; k < words; k++)
      y[r][k] = ((unsigned)(int)rintf(x[r][k][0] * by) & 255u) | ((unsigned)(int)rintf(x[r][k][1] * by) & 255u) << 8 |
                ((unsigned)(int)rintf(x[r][k][2] * by) & 255u) << 16 | (unsigned)(int)rintf(x[r][k][3] * by) << 24;
  }
}

void dequantize_int8(int rows, int words, const unsigned x[rows][words], const float scale[rows],
                     float y[rows][words][4]) {
  for (int r = 0; r < rows; r++)
    for (int k = 0; k < words; k++)
      for (int i = 0; i < 4; i++) y[r][k][i] = scale[r] * byte_of(x[r][k], i);
}

// A scale for each 32 numbers.
void dequantize_int4(int rows, int groups, const unsigned x[rows][groups][4], const float scale[rows][groups],
                     float y[rows][groups][32]) {
  for (int r = 0; r < rows; r++)
    for (int g = 0; g < groups; g++)
      for (int k = 0; k < 32; k++) y[r][g][k] = scale[r][g] * nibble_of(x[r][g][k / 8], k % 8);
}

// Products with weights of eight bits, a scale for each row of them.
void matmul_int8(int tokens, int outputs, int words, const float x[tokens][4 * words], const unsigned w[outputs][words],
                 const float scale[outputs], float y[tokens][outputs]) {
  float whole[outputs][4 * words];
  for (int o = 0; o < outputs; o++)
    for (int k = 0; k < 4 * words; k++) whole[o][k] = scale[o] * byte_of(w[o][k / 4], k % 4);
  for (int t = 0; t < tokens; t++)
    for (int o = 0; o < outputs; o++) {
      float sum = 0;
      for (int k = 0; k < 4 * words; k++) sum += x[t][k] * whole[o][k];
      y[t][o] = sum;
    }
}
