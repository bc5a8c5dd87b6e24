// One step of particles kept as an array of structures.
// Shows: each invocation reads members that lie 32 bytes apart, so that half of every sector is fetched for nothing.
struct Particle { position: vec3f, mass: f32, velocity: vec3f, age: f32 }
struct Step { seconds: f32, count: u32 }

@group(0) @binding(0) var<storage, read_write> particles: array<Particle>;
@group(0) @binding(1) var<uniform> step: Step;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= step.count) { return; }
  let velocity = particles[id.x].velocity;
  particles[id.x].position += velocity * step.seconds;
}
