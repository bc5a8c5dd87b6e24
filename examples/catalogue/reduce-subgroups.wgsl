// Sum within subgroups by one operation, then over the subgroups of the workgroup.
enable subgroups;

override n: u32 = 1048576;
override groups: u32 = 264;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

var<workgroup> partial: array<f32, 64>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32, @builtin(workgroup_id) group: vec3u, @builtin(subgroup_size) lanes: u32, @builtin(subgroup_invocation_id) lane: u32) {
  var sum = 0.0;
  for (var i = id.x; i < n; i += groups * 256) {
    sum += input[i];
  }
  let whole = subgroupAdd(sum);
  if (lane == 0) {
    partial[local / lanes] = whole;
  }
  workgroupBarrier();
  if (local == 0) {
    var total = 0.0;
    for (var i = 0u; i < 256 / lanes; i++) {
      total += partial[i];
    }
    output[group.x] = total;
  }
}
