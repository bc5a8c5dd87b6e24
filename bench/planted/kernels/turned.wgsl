// A square matrix turned through a tile of workgroup memory, whose rows are one element longer.
const n = 512u;
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
var<workgroup> tile: array<array<f32, 33>, 32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) t: u32) {
  for (var k = 0u; k < 32u; k += 8u) {
    tile[local.y + k][local.x] = input[(group.y * 32u + local.y + k) * n + group.x * 32u + local.x];
  }
  workgroupBarrier();
  for (var k = 0u; k < 32u; k += 8u) {
    output[(group.x * 32u + local.y + k) * n + group.y * 32u + local.x] = tile[local.x][local.y + k];
  }
}
