// All elements of a vector combined to one.
void whole(int n, const T x[n], T y[1]) {
#if OP == 0
  T s = 0;
#elif OP == 1
  T s = 1;
#else
  T s = x[0];
#endif
  for (int i = 0; i < n; i++) {
#if OP == 0
    s += x[i];
#elif OP == 1
    s *= x[i];
#else
    if (x[i] > s) s = x[i];
#endif
  }
  y[0] = s;
}
