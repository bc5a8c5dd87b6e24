// A box of 5 × 5 over an image of 2048 × 2048; x runs down.
const side = 2048;
@group(0) @binding(0) var<storage, read> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> blurred: array<f32>;
@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let y = i32(id.x);
  let x = i32(id.y);
  var sum = 0.0;
  for (var j = -2; j <= 2; j++) {
    for (var i = -2; i <= 2; i++) {
      let v = clamp(y + j, 0, side - 1);
      let u = clamp(x + i, 0, side - 1);
      sum += source[v * side + u];
    }
  }
  blurred[y * side + x] = sum / 25.0;
}
