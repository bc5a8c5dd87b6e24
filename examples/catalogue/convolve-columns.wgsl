// One pass of a separable convolution, along columns: 2r + 1 reads per pixel instead of their square.
override width: u32 = 1024;
override height: u32 = 1024;
override radius: i32 = 4;

@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read> weights: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var k = -radius; k <= radius; k++) {
    let row = u32(clamp(i32(id.y) + k, 0, i32(height) - 1));
    sum += image[row * width + id.x] * weights[k + radius];
  }
  output[id.y * width + id.x] = sum;
}
