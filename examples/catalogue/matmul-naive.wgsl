// c = a · b, one output per invocation, neighbours in a row: a is broadcast, b is coalesced.
override n: u32 = 512;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var k = 0u; k < n; k++) {
    sum += a[id.y * n + k] * b[k * n + id.x];
  }
  c[id.y * n + id.x] = sum;
}
