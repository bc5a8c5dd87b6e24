// c = a + b, two elements per invocation in one access of 8 bytes.
override n: u32 = 524288;

@group(0) @binding(0) var<storage, read> a: array<vec2f>;
@group(0) @binding(1) var<storage, read> b: array<vec2f>;
@group(0) @binding(2) var<storage, read_write> c: array<vec2f>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < n) {
    c[id.x] = a[id.x] + b[id.x];
  }
}
