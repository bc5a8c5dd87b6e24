// Integer multiplications and shifts, none of memory.
override steps: u32 = 64;

@group(0) @binding(0) var<storage, read_write> output: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var h = id.x;
  for (var i = 0u; i < steps; i++) {
    h ^= h >> 16;
    h *= 2146121005u;
    h ^= h >> 15;
    h *= 2221713035u;
  }
  output[id.x] = h;
}
