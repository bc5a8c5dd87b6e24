struct Params {
  n: i32,
  a: f32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn saxpy(
  @builtin(local_invocation_id) local_id: vec3<u32>,
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
) {
  let i = i32(workgroup_id.x * 64u + local_id.x);
  if (i < params.n) {
    y[i] = y[i] + params.a * x[i];
  }
}
