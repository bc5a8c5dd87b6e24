// The sum of 4 million whole numbers, all added to one place.
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>, 1>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  atomicAdd(&total[0], values[id.x]);
}
