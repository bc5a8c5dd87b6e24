#pragma tesela sizes(n = 8388608, dt = 0.01)
struct particle {
  float x, y, z, vx, vy, vz, m;
};
void aos(int n, float dt, struct particle *p) {
  for (int i = 0; i < n; i++) {
    p[i].x += dt*p[i].vx;
    p[i].y += dt*p[i].vy;
    p[i].z += dt*p[i].vz;
    if (p[i].y < 0) {
      p[i].y = -p[i].y;
      p[i].vy = -0.9f*p[i].vy;
    }
  }
}
