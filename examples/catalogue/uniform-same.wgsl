// A uniform table that all invocations read at the same place: one request.
override n: u32 = 1048576;

@group(0) @binding(0) var<uniform> table: array<vec4f, 256>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var i = 0u; i < 64; i++) {
    sum += table[i].x * f32(id.x);
  }
  output[id.x] = sum;
}
