// Structure of arrays: the same three members, each read by neighbours from neighbours.
override n: u32 = 1048576;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> y: array<f32>;
@group(0) @binding(2) var<storage, read> z: array<f32>;
@group(0) @binding(3) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < n) {
    output[id.x] = x[id.x] * x[id.x] + y[id.x] * y[id.x] + z[id.x] * z[id.x];
  }
}
