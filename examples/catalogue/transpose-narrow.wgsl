// Transpose through tiles of 8 × 8: a row of the tile is one sector, a quarter of what a warp could fetch at once.
override n: u32 = 1024;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

var<workgroup> tile: array<array<f32, 9>, 8>;

@compute @workgroup_size(8, 8)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let corner = group.xy * 8;
  tile[local.y][local.x] = input[(corner.y + local.y) * n + corner.x + local.x];
  workgroupBarrier();
  output[(corner.x + local.y) * n + corner.y + local.x] = tile[local.x][local.y];
}
