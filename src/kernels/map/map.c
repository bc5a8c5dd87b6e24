// Every element of a vector; what is computed from it is fused into the loads.
void map(int n, const T x[n], T y[n]) {
  for (int i = 0; i < n; i++)
    y[i] = x[i];
}
