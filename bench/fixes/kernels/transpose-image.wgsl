// Turns an image of 4096 × 4096; every invocation reads down a column.
const side = 4096u;
@group(0) @binding(0) var<storage, read> picture: array<f32>;
@group(0) @binding(1) var<storage, read_write> turned: array<f32>;
@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  turned[id.y * side + id.x] = picture[id.x * side + id.y];
}
