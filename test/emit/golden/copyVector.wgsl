struct Params {
  n: i32,
}

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4<f32>>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(32)
fn copy_vector(
  @builtin(local_invocation_id) local_id: vec3<u32>,
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
) {
  let i = i32(workgroup_id.x * 32u + local_id.x) * 4;
  if (i + 4 <= params.n) {
    let v = x[i >> 2u];
    y[i >> 2u] = vec4<f32>(v.x * 2.0, v.y * 2.0, v.z * 2.0, v.w * 2.0);
  } else {
    for (var j = i; j < params.n; j++) {
      y[j >> 2u][u32(j) % 4u] = x[j >> 2u][u32(j) % 4u] * 2.0;
    }
  }
}
