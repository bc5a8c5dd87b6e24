// Sines and square roots: the special function units are a quarter as many lanes or fewer.
override steps: u32 = 64;

@group(0) @binding(0) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var x = f32(id.x) * 0.001;
  for (var i = 0u; i < steps; i++) {
    x = sin(x) + inverseSqrt(x * x + 1.0);
  }
  output[id.x] = x;
}
