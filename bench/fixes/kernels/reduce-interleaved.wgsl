// Sums of 512 elements a workgroup by a tree with growing distances.
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;
var<workgroup> part: array<f32, 512>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) i: u32) {
  part[i] = x[group.x * 512u + i];
  part[i + 256u] = x[group.x * 512u + 256u + i];
  for (var step = 1u; step < 512u; step *= 2u) {
    workgroupBarrier();
    let at = 2u * step * i;
    if (at + step < 512u) { part[at] += part[at + step]; }
  }
  workgroupBarrier();
  if (i == 0u) { sums[group.x] = part[0]; }
}
