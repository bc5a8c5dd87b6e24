// Iterations that depend on the point: warps wait for their slowest lane.
override width: u32 = 1024;
override most: u32 = 200;

@group(0) @binding(0) var<storage, read_write> output: array<u32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let c = vec2f(f32(id.x), f32(id.y)) / f32(width) * 3.0 - vec2f(2.0, 1.5);
  var z = vec2f();
  var i = 0u;
  while (i < most && dot(z, z) < 4.0) {
    z = vec2f(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    i++;
  }
  output[id.y * width + id.x] = i;
}
