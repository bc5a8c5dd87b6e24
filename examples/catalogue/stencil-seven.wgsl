// Seven-point stencil in three dimensions: two of the neighbours are a whole plane away.
override n: u32 = 128;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let at = (id.z * n + id.y) * n + id.x;
  if (all(id > vec3u()) && all(id < vec3u(n - 1))) {
    output[at] = 0.4 * input[at] + 0.1 * (input[at - 1] + input[at + 1] + input[at - n] + input[at + n] + input[at - n * n] + input[at + n * n]);
  }
}
