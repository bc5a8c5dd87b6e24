// Sum with the first addition at the load: half of the workgroups for the same data.
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

var<workgroup> partial: array<f32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32, @builtin(workgroup_id) group: vec3u) {
  let first = group.x * 512 + local;
  partial[local] = input[first] + input[first + 256];
  workgroupBarrier();
  for (var step = 128u; step > 0; step /= 2) {
    if (local < step) {
      partial[local] += partial[local + step];
    }
    workgroupBarrier();
  }
  if (local == 0) {
    output[group.x] = partial[0];
  }
}
