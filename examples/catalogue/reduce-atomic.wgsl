// Integer sum in a single pass: every workgroup adds its own by one atomic operation.
override n: u32 = 1048576;
override groups: u32 = 264;

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: atomic<u32>;

var<workgroup> partial: array<u32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
  var sum = 0u;
  for (var i = id.x; i < n; i += groups * 256) {
    sum += input[i];
  }
  partial[local] = sum;
  workgroupBarrier();
  for (var step = 128u; step > 0; step /= 2) {
    if (local < step) {
      partial[local] += partial[local + step];
    }
    workgroupBarrier();
  }
  if (local == 0) {
    atomicAdd(&output, partial[0]);
  }
}
