// C = A·B for n × n, one element an invocation.
// Shows: A is read by a whole row of invocations at once (a broadcast, one sector, not a strided access), B along rows;
// both are fetched n times over.
override n: u32 = 256;

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
