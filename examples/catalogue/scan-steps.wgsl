// Inclusive prefix sum of each workgroup in log n steps over all elements (Hillis and Steele): n log n additions.
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

var<workgroup> sums: array<f32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
  sums[local] = input[id.x];
  for (var step = 1u; step < 256; step *= 2) {
    workgroupBarrier();
    var value = sums[local];
    if (local >= step) {
      value += sums[local - step];
    }
    workgroupBarrier();
    sums[local] = value;
  }
  output[id.x] = sums[local];
}
