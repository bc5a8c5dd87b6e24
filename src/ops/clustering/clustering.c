// Steps of k-means.
#pragma tesela sizes(points = 1048576, depth = 16, clusters = 64)

// The centre that is nearest, the first of several.
void nearest_centre(int points, int depth, int clusters, const float x[points][depth],
                    const float centre[clusters][depth], int y[points]) {
  for (int p = 0; p < points; p++) {
    float least = 3.4e38f;
    int best = 0;
    for (int c = 0; c < clusters; c++) {
      float sum = 0;
      for (int d = 0; d < depth; d++) sum += (x[p][d] - centre[c][d]) * (x[p][d] - centre[c][d]);
      if (sum < least) {
        least = sum;
        best = c;
      }
    }
    y[p] = best;
  }
}
