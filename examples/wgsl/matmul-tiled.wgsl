// C = A·B for n × n, a multiple of 16, through 16 × 16 tiles in workgroup memory.
// Shows: reads of A and B are coalesced in rows of 16, and reads of the tiles have no bank conflicts.
override n: u32 = 1024;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

var<workgroup> tileA: array<array<f32, 16>, 16>;
var<workgroup> tileB: array<array<f32, 16>, 16>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
  var sum = 0.0;
  for (var k = 0u; k < n; k += 16) {
    tileA[local.y][local.x] = a[id.y * n + k + local.x];
    tileB[local.y][local.x] = b[(k + local.y) * n + id.x];
    workgroupBarrier();
    for (var i = 0u; i < 16; i++) {
      sum += tileA[local.y][i] * tileB[i][local.x];
    }
    workgroupBarrier();
  }
  c[id.y * n + id.x] = sum;
}
