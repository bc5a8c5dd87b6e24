// Four independent chains of multiply-adds: latency is hidden inside one invocation.
override steps: u32 = 256;

@group(0) @binding(0) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var a = f32(id.x);
  var b = a + 1.0;
  var c = a + 2.0;
  var d = a + 3.0;
  for (var i = 0u; i < steps; i++) {
    a = fma(a, 0.999, 0.5);
    b = fma(b, 0.999, 0.5);
    c = fma(c, 0.999, 0.5);
    d = fma(d, 0.999, 0.5);
  }
  output[id.x] = a + b + c + d;
}
