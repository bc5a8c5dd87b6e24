// How often each of 64 grey values is in 4 million pixels.
@group(0) @binding(0) var<storage, read> pixels: array<u32>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>, 64>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  atomicAdd(&counts[pixels[id.x] & 63u], 1u);
}
