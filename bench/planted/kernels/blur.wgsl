// A mean over five neighbours of each point of a grid, from one array to another.
const n = 500u;
@group(0) @binding(0) var<storage, read_write> before: array<f32>;
@group(0) @binding(1) var<storage, read_write> after: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) t: u32) {
  let x = id.x;
  let y = id.y;
  if (x > 0u && x < n - 1u && y > 0u && y < n - 1u) {
    let sum = before[y * n + x] + before[y * n + x - 1u] + before[y * n + x + 1u] + before[(y - 1u) * n + x] + before[(y + 1u) * n + x];
    after[y * n + x] = 0.2 * sum;
  }
}
