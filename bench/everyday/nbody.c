#pragma tesela sizes(n = 16384)
void nbody(int n, const float *x, const float *y, const float *z, const float *m, float *ax, float *ay, float *az) {
  for (int i = 0; i < n; i++) {
    float sx = 0, sy = 0, sz = 0;
    for (int j = 0; j < n; j++) {
      float dx = x[j]-x[i], dy = y[j]-y[i], dz = z[j]-z[i];
      float d = dx*dx+dy*dy+dz*dz+0.01f, r = 1/sqrtf(d), f = m[j]*r*r*r;
      sx += f*dx;
      sy += f*dy;
      sz += f*dz;
    }
    ax[i] = sx;
    ay[i] = sy;
    az[i] = sz;
  }
}
