// c = a + b from an offset: every warp touches one sector more than it needs.
override n: u32 = 1048576;
override offset: u32 = 1;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < n) {
    c[id.x] = a[id.x + offset] + b[id.x + offset];
  }
}
