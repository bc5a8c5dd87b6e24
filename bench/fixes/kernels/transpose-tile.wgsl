// Turns 4096 × 4096 through tiles of 32 × 32 whose columns fall on one bank.
const side = 4096u;
@group(0) @binding(0) var<storage, read> picture: array<f32>;
@group(0) @binding(1) var<storage, read_write> turned: array<f32>;
var<workgroup> tile: array<array<f32, 32>, 32>;
@compute @workgroup_size(32, 8)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
  for (var j = 0u; j < 32u; j += 8u) {
    tile[local.y + j][local.x] = picture[(group.y * 32u + local.y + j) * side + group.x * 32u + local.x];
  }
  workgroupBarrier();
  for (var j = 0u; j < 32u; j += 8u) {
    turned[(group.x * 32u + local.y + j) * side + group.y * 32u + local.x] = tile[local.x][local.y + j];
  }
}
