// The same with the support vectors in uniform memory, which serves one address to all lanes at once.
override dimensions: u32 = 32;
override vectors: u32 = 128;
override gamma: f32 = 0.125;

@group(0) @binding(0) var<storage, read> samples: array<f32>;
@group(0) @binding(1) var<uniform> support: array<vec4f, 1024>;
@group(0) @binding(2) var<storage, read> weights: array<f32>;
@group(0) @binding(3) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var v = 0u; v < vectors; v++) {
    var distance = 0.0;
    for (var d = 0u; d < dimensions; d++) {
      let difference = samples[id.x * dimensions + d] - support[(v * dimensions + d) / 4][d % 4];
      distance += difference * difference;
    }
    sum += weights[v] * exp(-gamma * distance);
  }
  output[id.x] = sum;
}
