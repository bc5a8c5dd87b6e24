// Convolution of radius 4 where every invocation loads one pixel and those of the halo then stand idle.
override width: u32 = 1024;
override height: u32 = 1024;

@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read> weights: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

var<workgroup> tile: array<array<f32, 32>, 16>;

@compute @workgroup_size(32, 16)
fn main(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let at = vec2i(group.xy * vec2u(24, 8) + local.xy) - 4;
  let last = vec2i(i32(width) - 1, i32(height) - 1);
  let near = clamp(at, vec2i(), last);
  tile[local.y][local.x] = image[u32(near.y) * width + u32(near.x)];
  workgroupBarrier();
  let inside = all(local.xy >= vec2u(4)) && all(local.xy < vec2u(28, 12));
  if (inside && all(at <= last)) {
    var sum = 0.0;
    for (var y = 0u; y < 9; y++) {
      for (var x = 0u; x < 9; x++) {
        sum += tile[local.y + y - 4][local.x + x - 4] * weights[y * 9 + x];
      }
    }
    output[u32(at.y) * width + u32(at.x)] = sum;
  }
}
