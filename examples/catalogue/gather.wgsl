// output = input at places that a hash scatters: a sector per invocation.
override n: u32 = 1048576;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var h = id.x * 2654435761u;
  h ^= h >> 15;
  h *= 2246822507u;
  h ^= h >> 13;
  output[id.x] = input[h & (n - 1)];
}
