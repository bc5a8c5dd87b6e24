// One step of heat in a plate of 4096 × 2048 cells; x runs along rows.
const width = 4096u;
const height = 2048u;
@group(0) @binding(0) var<storage, read> before: array<f32>;
@group(0) @binding(1) var<storage, read_write> after: array<f32>;
@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let row = id.x;
  let column = id.y;
  if (row == 0u || row >= height - 1u || column == 0u || column >= width - 1u) { return; }
  let here = row * width + column;
  after[here] = before[here] + 0.1 * (before[here - 1u] + before[here + 1u] + before[here - width] +
    before[here + width] - 4.0 * before[here]);
}
