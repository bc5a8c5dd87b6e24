// Array of structures of 12 bytes, every member used: three strided reads that share their sectors.
struct Particle {
  x: f32,
  y: f32,
  z: f32,
}

override n: u32 = 1048576;

@group(0) @binding(0) var<storage, read> particles: array<Particle>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < n) {
    let p = particles[id.x];
    output[id.x] = p.x * p.x + p.y * p.y + p.z * p.z;
  }
}
