// Convolution of radius 4 from a tile with its halo: some invocations load twice, all compute.
override width: u32 = 1024;
override height: u32 = 1024;

@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read> weights: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

var<workgroup> tile: array<array<f32, 40>, 24>;

@compute @workgroup_size(32, 16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let corner = vec2i(group.xy * vec2u(32, 16)) - 4;
  let last = vec2i(i32(width) - 1, i32(height) - 1);
  for (var y = local.y; y < 24; y += 16) {
    for (var x = local.x; x < 40; x += 32) {
      let at = clamp(corner + vec2i(vec2u(x, y)), vec2i(), last);
      tile[y][x] = image[u32(at.y) * width + u32(at.x)];
    }
  }
  workgroupBarrier();
  var sum = 0.0;
  for (var y = 0u; y < 9; y++) {
    for (var x = 0u; x < 9; x++) {
      sum += tile[local.y + y][local.x + x] * weights[y * 9 + x];
    }
  }
  output[id.y * width + id.x] = sum;
}
