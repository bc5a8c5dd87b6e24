// The largest of 4 million whole numbers.
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> largest: array<atomic<u32>, 1>;
@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
  atomicMax(&largest[0], values[id.x]);
}
