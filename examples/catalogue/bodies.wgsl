// Gravity between all pairs, tile by tile through workgroup memory: much arithmetic for each byte.
override n: u32 = 16384;

@group(0) @binding(0) var<storage, read> bodies: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> forces: array<vec4f>;

var<workgroup> tile: array<vec4f, 256>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
  let me = bodies[id.x];
  var force = vec3f();
  for (var first = 0u; first < n; first += 256) {
    tile[local] = bodies[first + local];
    workgroupBarrier();
    for (var i = 0u; i < 256; i++) {
      let to = tile[i].xyz - me.xyz;
      let near = inverseSqrt(dot(to, to) + 0.01);
      force += to * (tile[i].w * near * near * near);
    }
    workgroupBarrier();
  }
  forces[id.x] = vec4f(force, 0.0);
}
