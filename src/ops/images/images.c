// Images [planes, height, width], colours as planes or as pixels of three channels next to each other.
#include <math.h>
#pragma tesela sizes(planes = 64, height = 1024, width = 1024, n = 16777216, images = 16, \
                     channels = 3, pixels = 1048576)

void rgb_to_gray(int n, const float rgb[n][3], float gray[n]) {
  for (int i = 0; i < n; i++) gray[i] = 0.299f * rgb[i][0] + 0.587f * rgb[i][1] + 0.114f * rgb[i][2];
}

void box_blur3(int planes, int height, int width, const float x[planes][height][width],
               float y[planes][height][width]) {
  for (int p = 0; p < planes; p++)
    for (int i = 0; i < height; i++)
      for (int j = 0; j < width; j++) {
        float sum = 0;
        for (int u = -1; u <= 1; u++)
          for (int v = -1; v <= 1; v++) {
            int r = i + u < 0 ? 0 : i + u >= height ? height - 1 : i + u;
            int c = j + v < 0 ? 0 : j + v >= width ? width - 1 : j + v;
            sum += x[p][r][c];
          }
        y[p][i][j] = sum / 9;
      }
}

void upsample2(int planes, int height, int width, const float x[planes][height][width],
               float y[planes][2 * height][2 * width]) {
  for (int p = 0; p < planes; p++)
    for (int i = 0; i < 2 * height; i++)
      for (int j = 0; j < 2 * width; j++) y[p][i][j] = x[p][i / 2][j / 2];
}

void rgb_to_yuv(int images, int pixels, const float rgb[images][3][pixels], float yuv[images][3][pixels]) {
  for (int b = 0; b < images; b++)
    for (int i = 0; i < pixels; i++) {
      float gray = 0.299f * rgb[b][0][i] + 0.587f * rgb[b][1][i] + 0.114f * rgb[b][2][i];
      yuv[b][0][i] = gray;
      yuv[b][1][i] = 0.492f * (rgb[b][2][i] - gray);
      yuv[b][2][i] = 0.877f * (rgb[b][0][i] - gray);
    }
}

void yuv_to_rgb(int images, int pixels, const float yuv[images][3][pixels], float rgb[images][3][pixels]) {
  for (int b = 0; b < images; b++)
    for (int i = 0; i < pixels; i++) {
      rgb[b][0][i] = yuv[b][0][i] + 1.14025f * yuv[b][2][i];
      rgb[b][1][i] = yuv[b][0][i] - 0.39473f * yuv[b][1][i] - 0.58081f * yuv[b][2][i];
      rgb[b][2][i] = yuv[b][0][i] + 2.03252f * yuv[b][1][i];
    }
}

void normalize_channels(int images, int channels, int pixels, const float x[images][channels][pixels],
                        const float mean[channels], const float deviation[channels],
                        float y[images][channels][pixels]) {
  for (int b = 0; b < images; b++)
    for (int c = 0; c < channels; c++)
      for (int i = 0; i < pixels; i++) y[b][c][i] = (x[b][c][i] - mean[c]) / deviation[c];
}
