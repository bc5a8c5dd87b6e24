// Each element times a factor, the last workgroup partly beyond the end.
struct Sizes { n: u32, factor: f32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> source: array<f32>;
@group(0) @binding(2) var<storage, read_write> scaled: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) t: u32) {
  let i = id.x;
  if (i < sizes.n) {
    scaled[i] = sizes.factor * source[i];
  }
}
