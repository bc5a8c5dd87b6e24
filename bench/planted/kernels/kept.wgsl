// Keeps what is positive: a place for each from a counter of the workgroup, a part for that from one of all.
@group(0) @binding(0) var<storage, read> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> kept: array<f32>;
@group(0) @binding(2) var<storage, read_write> count: atomic<u32>;
var<workgroup> own: atomic<u32>;
var<workgroup> base: u32;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) t: u32) {
  let keeps = source[id.x] > 0.5;
  var place = 0u;
  if (keeps) {
    place = atomicAdd(&own, 1u);
  }
  workgroupBarrier();
  if (t == 0u) {
    base = atomicAdd(&count, atomicLoad(&own));
  }
  workgroupBarrier();
  if (keeps) {
    kept[base + place] = source[id.x];
  }
}
