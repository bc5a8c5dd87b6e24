// Sum with the tree written out: no loop, and no test of its variable.
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

var<workgroup> partial: array<f32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32, @builtin(workgroup_id) group: vec3u) {
  let first = group.x * 512 + local;
  partial[local] = input[first] + input[first + 256];
  workgroupBarrier();
  if (local < 128) {
    partial[local] += partial[local + 128];
  }
  workgroupBarrier();
  if (local < 64) {
    partial[local] += partial[local + 64];
  }
  workgroupBarrier();
  if (local < 32) {
    partial[local] += partial[local + 32];
  }
  workgroupBarrier();
  if (local < 16) {
    partial[local] += partial[local + 16];
  }
  workgroupBarrier();
  if (local < 8) {
    partial[local] += partial[local + 8];
  }
  workgroupBarrier();
  if (local < 4) {
    partial[local] += partial[local + 4];
  }
  workgroupBarrier();
  if (local < 2) {
    partial[local] += partial[local + 2];
  }
  workgroupBarrier();
  if (local < 1) {
    partial[local] += partial[local + 1];
  }
  workgroupBarrier();
  if (local == 0) {
    output[group.x] = partial[0];
  }
}
