// level1/85 conv-depthwise-2d-3x7: x, w=conv2d.weight -> y
#ifndef N
#define N 32
#endif
#ifndef C
#define C 128
#endif
#ifndef H
#define H 128
#endif
#ifndef W
#define W 256
#endif
#define KH 3
#define KW 7
#define HO (H - KH + 1)
#define WO (W - KW + 1)

void conv_depthwise_2d_3x7(const float *x, const float *w, float *y) {
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++) {
      const float *plane = x + (n * C + c) * H * W;
      const float *kernel = w + c * KH * KW;
      float *out = y + (n * C + c) * HO * WO;
      for (int i = 0; i < HO; i++)
        for (int j = 0; j < WO; j++) {
          float sum = 0.0f;
          for (int u = 0; u < KH; u++)
            for (int v = 0; v < KW; v++)
              sum += plane[(i + u) * W + j + v] * kernel[u * KW + v];
          out[i * WO + j] = sum;
        }
    }
}
