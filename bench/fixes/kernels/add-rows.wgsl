// Adds two matrices of 4096 × 4096, a row for each x.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> sum: array<f32>;
@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x * 4096u + id.y;
  sum[i] = a[i] + b[i];
}
