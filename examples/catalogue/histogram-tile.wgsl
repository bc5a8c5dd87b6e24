// Histogram by atomics in workgroup memory, added to memory once at the end.
override n: u32 = 1048576;
override groups: u32 = 264;

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>, 256>;

var<workgroup> own: array<atomic<u32>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
  for (var i = id.x; i < n; i += groups * 256) {
    let value = input[i] & 255;
    atomicAdd(&own[value], 1);
  }
  workgroupBarrier();
  atomicAdd(&bins[local], atomicLoad(&own[local]));
}
