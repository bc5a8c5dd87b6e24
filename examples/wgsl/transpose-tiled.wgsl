// out = inᵀ for n × n through a 32 × 32 tile, so that reads and writes both run along rows.
// Shows: storage is coalesced both ways, but the tile is read down a column: 32 invocations meet on one bank.
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
