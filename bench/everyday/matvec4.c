#pragma tesela sizes(n = 4194304)
void matvec4(int n, const float m[n][4][4], const float v[n][4], float o[n][4]) {
  for (int t = 0; t < n; t++) for (int i = 0; i < 4; i++) {
    float s = 0;
    for (int k = 0; k < 4; k++) s += m[t][i][k]*v[t][k];
    o[t][i] = s;
  }
}
