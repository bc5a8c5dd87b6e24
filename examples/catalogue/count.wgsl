// One counter for all: every addition waits for the one before.
@group(0) @binding(0) var<storage, read_write> counter: atomic<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  atomicAdd(&counter, id.x & 3);
}
