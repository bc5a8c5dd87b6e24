struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> partial: array<f32, 128>;

@compute @workgroup_size(128)
fn reduce_shared(
  @builtin(local_invocation_id) local_id: vec3<u32>,
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
) {
  let t = local_id.x;
  let block = workgroup_id.x;
  var sum = 0.0;
  let step_ = num_workgroups.x * 128u;
  for (var i = block * 128u + t; i < params.n; i += step_) {
    sum += x[i];
  }
  partial[t] = sum;
  for (var half = 64u;; half = half >> 1u) {
    workgroupBarrier();
    if (half == 0u) {
      break;
    }
    if (t < half) {
      partial[t] = partial[t] + partial[t + half];
    }
  }
  if (t == 0u) {
    out[block] = partial[0];
  }
}
