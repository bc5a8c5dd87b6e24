// What an update of H [r][n] needs of the data V [p][n] and of the other factor W [p][r]: Wᵀ V above, Wᵀ W below. Both are cut
// into slices along p, to be summed up later.
void nmf(int splits, int r, int n, int p, const float W[splits][p][r], const float V[splits][p][n], float above[splits][r][n], float square[splits][r][r]) {
  for (int s = 0; s < splits; s++)
    for (int i = 0; i < r; i++)
      for (int j = 0; j < n; j++) {
        float acc = 0.0f;
        for (int k = 0; k < p; k++) acc += W[s][k][i] * V[s][k][j];
        above[s][i][j] = acc;
      }
  for (int s = 0; s < splits; s++)
    for (int i = 0; i < r; i++)
      for (int j = 0; j < r; j++) {
        float acc = 0.0f;
        for (int k = 0; k < p; k++) acc += W[s][k][i] * W[s][k][j];
        square[s][i][j] = acc;
      }
}
