// c = a + s · b with a grid of fixed size: every invocation walks through the arrays in steps of the whole grid.
override n: u32 = 1048576;
override s: f32 = 3.0;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < n; i += groups.x * 256) {
    c[i] = a[i] + s * b[i];
  }
}
