// The convolution of convolve-simple with its image in a texture: the texture unit computes its addresses.
override width: u32 = 1024;
override height: u32 = 1024;
override radius: i32 = 4;

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var<storage, read> weights: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let last = vec2i(i32(width) - 1, i32(height) - 1);
  var sum = 0.0;
  for (var y = -radius; y <= radius; y++) {
    for (var x = -radius; x <= radius; x++) {
      let at = clamp(vec2i(id.xy) + vec2i(x, y), vec2i(), last);
      sum += textureLoad(image, at, 0).x * weights[(y + radius) * (2 * radius + 1) + x + radius];
    }
  }
  output[id.y * width + id.x] = sum;
}
