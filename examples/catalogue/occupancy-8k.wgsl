// Workgroups that take 8 KiB of workgroup memory on purpose: fewer of them fit beside each other.
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

var<workgroup> tile: array<f32, 2048>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
  for (var i = 0u; i < 2048; i += 64) {
    tile[i + local] = input[(id.x + i) & 1048575];
  }
  workgroupBarrier();
  var sum = 0.0;
  for (var i = 0u; i < 2048; i += 128) {
    sum += tile[(local * 33 + i) % 2048];
  }
  output[id.x] = sum;
}
