enable subgroups;
diagnostic(off, subgroup_uniformity);

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<atomic<u32>>;
@group(0) @binding(2) var<uniform> params: Params;

fn out_atomic_add(i: u32, value: f32) -> f32 {
  var seen = atomicLoad(&out[i]);
  loop {
    let before = bitcast<f32>(seen);
    let r = atomicCompareExchangeWeak(&out[i], seen, bitcast<u32>(before + value));
    if (r.exchanged) {
      return before;
    }
    seen = r.old_value;
  }
}

@compute @workgroup_size(64)
fn reduce_subgroup(
  @builtin(local_invocation_id) local_id: vec3<u32>,
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(subgroup_invocation_id) lane: u32,
) {
  let i = workgroup_id.x * 64u + local_id.x;
  var value = 0.0;
  if (i < params.n) {
    value = x[i];
  }
  let sum = subgroupAdd(value);
  if (lane == 0u) {
    out_atomic_add(u32(0), sum);
  }
}
