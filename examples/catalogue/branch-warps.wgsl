// Two ways chosen by whole groups of 32 invocations: every warp goes one.
@group(0) @binding(0) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var x = f32(id.x);
  if (id.x / 32 % 2 == 0) {
    for (var i = 0; i < 64; i++) {
      x = x * 1.5 + 0.25;
    }
  } else {
    for (var i = 0; i < 64; i++) {
      x = x * 0.5 - 0.75;
    }
  }
  output[id.x] = x;
}
