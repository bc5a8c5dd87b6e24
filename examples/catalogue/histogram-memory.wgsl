// Histogram by atomics in memory: invocations queue for the same counters.
override n: u32 = 1048576;
override groups: u32 = 264;

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  for (var i = id.x; i < n; i += groups * 256) {
    let value = input[i] & 255;
    atomicAdd(&bins[value], 1);
  }
}
