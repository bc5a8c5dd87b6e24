// Sums of 256 elements, a tree whose step doubles; the first invocations work, on elements that lie 2·step apart.
// Shows: whole subgroups are busy or idle, but the growing distance makes invocations meet on the same banks.
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;

var<workgroup> part: array<f32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  part[local.x] = input[id.x];
  workgroupBarrier();
  for (var step = 1u; step < 256; step *= 2) {
    let first = 2 * step * local.x;
    if (first + step < 256) {
      part[first] += part[first + step];
    }
    workgroupBarrier();
  }
  if (local.x == 0) {
    sums[group.x] = part[0];
  }
}
