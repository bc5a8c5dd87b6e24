// Tiles of 16 × 16 and 4 outputs per invocation: what is read of a serves 4 products.
override n: u32 = 512;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

var<workgroup> left: array<array<f32, 16>, 16>;
var<workgroup> right: array<array<f32, 64>, 16>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let column = group.x * 64 + local.x;
  var sum0 = 0.0;
  var sum1 = 0.0;
  var sum2 = 0.0;
  var sum3 = 0.0;
  for (var k = 0u; k < n; k += 16) {
    left[local.y][local.x] = a[id.y * n + k + local.x];
    right[local.y][local.x + 0] = b[(k + local.y) * n + column + 0];
    right[local.y][local.x + 16] = b[(k + local.y) * n + column + 16];
    right[local.y][local.x + 32] = b[(k + local.y) * n + column + 32];
    right[local.y][local.x + 48] = b[(k + local.y) * n + column + 48];
    workgroupBarrier();
    for (var i = 0u; i < 16; i++) {
      let value = left[local.y][i];
      sum0 += value * right[i][local.x + 0];
      sum1 += value * right[i][local.x + 16];
      sum2 += value * right[i][local.x + 32];
      sum3 += value * right[i][local.x + 48];
    }
    workgroupBarrier();
  }
  c[id.y * n + column + 0] = sum0;
  c[id.y * n + column + 16] = sum1;
  c[id.y * n + column + 32] = sum2;
  c[id.y * n + column + 48] = sum3;
}
