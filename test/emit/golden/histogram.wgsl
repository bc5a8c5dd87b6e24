struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>>;
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> counts: array<atomic<u32>, 16>;

@compute @workgroup_size(32)
fn histogram(
  @builtin(local_invocation_id) local_id: vec3<u32>,
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
) {
  let t = local_id.x;
  let i = workgroup_id.x * 32u + t;
  if (i < params.n) {
    atomicAdd(&counts[x[i] & 15u], 1u);
  }
  workgroupBarrier();
  if (t < 16u) {
    let old = atomicLoad(&counts[t]);
    atomicAdd(&bins[t], old);
  }
}
