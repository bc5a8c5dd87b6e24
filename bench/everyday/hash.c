#pragma tesela sizes(n = 16777216)
/* the hash of a long key */
void hash(int n, const unsigned key[n], unsigned out[1]) {
  unsigned h = 5381;
  for (int i = 0; i < n; i++) h = h * 33u + key[i];
  out[0] = h;
}
