// Sums of 2 × 256 elements: each invocation adds two while it loads, then a tree whose step halves.
// Shows: reads are coalesced, no bank conflicts, and only the last five rounds split a subgroup.
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;

var<workgroup> part: array<f32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let first = group.x * 512 + local.x;
  part[local.x] = input[first] + input[first + 256];
  workgroupBarrier();
  for (var step = 128u; step > 0; step /= 2) {
    if (local.x < step) {
      part[local.x] += part[local.x + step];
    }
    workgroupBarrier();
  }
  if (local.x == 0) {
    sums[group.x] = part[0];
  }
}
