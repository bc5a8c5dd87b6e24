// Sums of 256 elements, a tree whose step doubles; invocation i works when i is a multiple of twice the step.
// Shows: the active invocations are spread over all subgroups, so that most lanes wait in every round.
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;

var<workgroup> part: array<f32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  part[local.x] = input[id.x];
  workgroupBarrier();
  for (var step = 1u; step < 256; step *= 2) {
    if (local.x % (2 * step) == 0) {
      part[local.x] += part[local.x + step];
    }
    workgroupBarrier();
  }
  if (local.x == 0) {
    sums[group.x] = part[0];
  }
}
