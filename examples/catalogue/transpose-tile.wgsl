// Transpose through a tile: rows both ways in memory, but one bank down the tile’s columns.
override n: u32 = 1024;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

var<workgroup> tile: array<array<f32, 32>, 32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let corner = group.xy * 32;
  for (var row = local.y; row < 32; row += 8) {
    tile[row][local.x] = input[(corner.y + row) * n + corner.x + local.x];
  }
  workgroupBarrier();
  for (var row = local.y; row < 32; row += 8) {
    output[(corner.x + row) * n + corner.y + local.x] = tile[local.x][row];
  }
}
