// c = a · b of 1024 × 1024, where x is the row.
const n = 1024u;
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var k = 0u; k < n; k++) { sum += a[id.x * n + k] * b[k * n + id.y]; }
  c[id.x * n + id.y] = sum;
}
