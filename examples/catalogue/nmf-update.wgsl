// A factor’s multiplicative update: h := h · (wᵀv) / (wᵀwh), elementwise.
override n: u32 = 1048576;

@group(0) @binding(0) var<storage, read_write> h: array<f32>;
@group(0) @binding(1) var<storage, read> above: array<f32>;
@group(0) @binding(2) var<storage, read> below: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < n) {
    h[id.x] = h[id.x] * above[id.x] / (below[id.x] + 1e-9);
  }
}
