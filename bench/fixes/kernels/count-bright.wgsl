// How many of 4 million values are larger than a half.
@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> bright: atomic<u32>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (values[id.x] > 0.5) { atomicAdd(&bright, 1u); }
}
