// Each workgroup turns its part of an array round through storage, with the barrier that storage wants.
@group(0) @binding(0) var<storage, read_write> passed: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) group: vec3u) {
  let base = group.x * 64u;
  passed[base + t] = f32(t) * 2.0;
  storageBarrier();
  result[base + t] = passed[base + 63u - t];
}
