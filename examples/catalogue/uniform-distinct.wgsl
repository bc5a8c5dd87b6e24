// A uniform table that neighbours read at distinct places: a request for each place.
override distinct: u32 = 32;

@group(0) @binding(0) var<uniform> table: array<vec4f, 256>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var i = 0u; i < 64; i++) {
    sum += table[(i + id.x % distinct) % 256].x;
  }
  output[id.x] = sum;
}
