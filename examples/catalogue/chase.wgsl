// Every address is what was read before: nothing can be fetched ahead.
override steps: u32 = 256;

@group(0) @binding(0) var<storage, read> next: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var at = (id.x * 32) & 1048575;
  for (var i = 0u; i < steps; i++) {
    at = (next[at] + at * 5 + 32771) & 1048575;
  }
  output[id.x] = at;
}
