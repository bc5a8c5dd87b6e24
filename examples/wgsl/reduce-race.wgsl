// The tree of reduce-halving with its barrier left out.
// Shows: a race between the write of one subgroup and the read of another, with both lines.
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;

var<workgroup> part: array<f32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  part[local.x] = input[id.x];
  for (var step = 128u; step > 0; step /= 2) {
    if (local.x < step) {
      part[local.x] += part[local.x + step];
    }
  }
  if (local.x == 0) {
    sums[group.x] = part[0];
  }
}
