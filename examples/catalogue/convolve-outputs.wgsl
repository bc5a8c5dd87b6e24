// Convolution straight from memory, four rows per invocation: a weight that is read serves four sums.
override width: u32 = 1024;
override height: u32 = 1024;
override radius: i32 = 4;

@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read> weights: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let last = vec2i(i32(width) - 1, i32(height) - 1);
  var sum = vec4f();
  for (var y = -radius; y <= radius; y++) {
    for (var x = -radius; x <= radius; x++) {
      let weight = weights[(y + radius) * (2 * radius + 1) + x + radius];
      let column = u32(clamp(i32(id.x) + x, 0, last.x));
      let row = i32(id.y) * 4 + y;
      sum += weight * vec4f(image[u32(clamp(row, 0, last.y)) * width + column], image[u32(clamp(row + 1, 0, last.y)) * width + column],
        image[u32(clamp(row + 2, 0, last.y)) * width + column], image[u32(clamp(row + 3, 0, last.y)) * width + column]);
    }
  }
  for (var i = 0u; i < 4; i++) {
    output[(id.y * 4 + i) * width + id.x] = sum[i];
  }
}
