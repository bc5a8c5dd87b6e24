// Sums of the rows of 32 × 32 tiles: each invocation adds one row of a tile in workgroup memory.
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;
var<workgroup> tile: array<array<f32, 32>, 32>;
@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
  for (var j = 0u; j < 32u; j++) { tile[j][local.x] = x[group.x * 1024u + j * 32u + local.x]; }
  workgroupBarrier();
  var sum = 0.0;
  for (var i = 0u; i < 32u; i++) { sum += tile[local.x][i]; }
  sums[group.x * 32u + local.x] = sum;
}
