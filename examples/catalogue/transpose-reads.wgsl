// Transpose: reads along rows, writes down columns.
override n: u32 = 1024;

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  output[id.x * n + id.y] = input[id.y * n + id.x];
}
