// The Mandelbrot set, 2048 × 2048 points, workgroups of 4 × 4.
@group(0) @binding(0) var<storage, read_write> rounds: array<u32>;
@compute @workgroup_size(4, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let c = vec2f(f32(id.x), f32(id.y)) / 2048.0 * vec2f(3.0, 2.0) - vec2f(2.0, 1.0);
  var z = vec2f();
  var n = 0u;
  for (; n < 64u; n++) {
    z = vec2f(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    if (dot(z, z) > 4.0) { break; }
  }
  rounds[id.y * 2048u + id.x] = n;
}
