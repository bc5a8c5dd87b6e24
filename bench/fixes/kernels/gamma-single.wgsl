// Gamma of half a million pixels, one invocation a workgroup.
@group(0) @binding(0) var<storage, read> linear: array<f32>;
@group(0) @binding(1) var<storage, read_write> shown: array<f32>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.y * 8192u + id.x;
  shown[i] = pow(linear[i], 0.4545);
}
