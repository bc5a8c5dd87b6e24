// Tiles of 16 × 16 with a test at every access, for sizes that are no multiple of the tile.
override n: u32 = 500;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

var<workgroup> left: array<array<f32, 16>, 16>;
var<workgroup> right: array<array<f32, 16>, 16>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
  var sum = 0.0;
  for (var k = 0u; k < n; k += 16) {
    left[local.y][local.x] = 0.0;
    right[local.y][local.x] = 0.0;
    if (id.y < n && k + local.x < n) {
      left[local.y][local.x] = a[id.y * n + k + local.x];
    }
    if (k + local.y < n && id.x < n) {
      right[local.y][local.x] = b[(k + local.y) * n + id.x];
    }
    workgroupBarrier();
    for (var i = 0u; i < 16; i++) {
      sum += left[local.y][i] * right[i][local.x];
    }
    workgroupBarrier();
  }
  if (id.y < n && id.x < n) {
    c[id.y * n + id.x] = sum;
  }
}
