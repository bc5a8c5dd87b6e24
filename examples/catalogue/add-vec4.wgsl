// c = a + b, four elements per invocation in one access of 16 bytes.
override n: u32 = 262144;
override block: u32 = 256;

@group(0) @binding(0) var<storage, read> a: array<vec4f>;
@group(0) @binding(1) var<storage, read> b: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> c: array<vec4f>;

@compute @workgroup_size(block)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < n) {
    c[id.x] = a[id.x] + b[id.x];
  }
}
