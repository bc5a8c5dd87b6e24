#pragma tesela sizes(n = 16777216)
int montecarlo(int n) {
  int in = 0;
  for (int i = 0; i < n; i++) {
    unsigned s = i * 747796405u + 2891336453u;
    s = ((s >> ((s >> 28) + 4)) ^ s) * 277803737u;
    s = (s >> 22) ^ s;
    unsigned t = s * 747796405u + 2891336453u;
    t = ((t >> ((t >> 28) + 4)) ^ t) * 277803737u;
    t = (t >> 22) ^ t;
    float x = (s >> 8) / 16777216.0f, y = (t >> 8) / 16777216.0f;
    if (x*x + y*y < 1) in++;
  }
  return in;
}
