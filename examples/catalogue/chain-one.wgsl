// A chain of multiply-adds, each waiting for the one before.
override steps: u32 = 256;

@group(0) @binding(0) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var x = f32(id.x);
  for (var i = 0u; i < steps; i++) {
    x = fma(x, 0.999, 0.5);
  }
  output[id.x] = x;
}
