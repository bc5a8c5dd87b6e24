// y = 2 x + 1 of 4 million, eight a workgroup.
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.y * 262144u + id.x;
  y[i] = 2.0 * x[i] + 1.0;
}
