// Transposed matrix times vector, a column per invocation: neighbours read neighbours.
override n: u32 = 1024;

@group(0) @binding(0) var<storage, read> matrix: array<f32>;
@group(0) @binding(1) var<storage, read> vector: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var k = 0u; k < n; k++) {
    sum += matrix[k * n + id.x] * vector[k];
  }
  output[id.x] = sum;
}
