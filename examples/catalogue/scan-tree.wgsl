// Exclusive prefix sum of each workgroup up and down a tree (Blelloch): fewer additions, more conflicts.
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

var<workgroup> sums: array<f32, 512>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let first = group.x * 512 + 2 * local;
  sums[2 * local] = input[first];
  sums[2 * local + 1] = input[first + 1];
  var step = 1u;
  for (var alive = 256u; alive > 0; alive /= 2) {
    workgroupBarrier();
    if (local < alive) {
      let low = step * (2 * local + 1) - 1;
      sums[low + step] += sums[low];
    }
    step *= 2;
  }
  if (local == 0) {
    sums[511] = 0.0;
  }
  for (var alive = 1u; alive < 512; alive *= 2) {
    step /= 2;
    workgroupBarrier();
    if (local < alive) {
      let low = step * (2 * local + 1) - 1;
      let value = sums[low];
      sums[low] = sums[low + step];
      sums[low + step] += value;
    }
  }
  workgroupBarrier();
  output[first] = sums[2 * local];
  output[first + 1] = sums[2 * local + 1];
}
