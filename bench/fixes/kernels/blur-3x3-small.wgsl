// A box of 3 × 3 over 2048 × 2048, workgroups of 4 × 2.
const side = 2048u;
@group(0) @binding(0) var<storage, read> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> blurred: array<f32>;
@compute @workgroup_size(4, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x == 0u || id.y == 0u || id.x >= side - 1u || id.y >= side - 1u) { return; }
  var sum = 0.0;
  for (var j = 0u; j < 3u; j++) {
    for (var i = 0u; i < 3u; i++) { sum += source[(id.y + j - 1u) * side + id.x + i - 1u]; }
  }
  blurred[id.y * side + id.x] = sum / 9.0;
}
