// c = a · b through tiles of 32 × 32: every element is fetched n / 32 times instead of n.
override n: u32 = 512;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

var<workgroup> left: array<array<f32, 32>, 32>;
var<workgroup> right: array<array<f32, 32>, 32>;

@compute @workgroup_size(32, 32)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
  var sum = 0.0;
  for (var k = 0u; k < n; k += 32) {
    left[local.y][local.x] = a[id.y * n + k + local.x];
    right[local.y][local.x] = b[(k + local.y) * n + id.x];
    workgroupBarrier();
    for (var i = 0u; i < 32; i++) {
      sum += left[local.y][i] * right[i][local.x];
    }
    workgroupBarrier();
  }
  c[id.y * n + id.x] = sum;
}
