// Bytes added four at a time: packed into words, because an access is at least four bytes.
override n: u32 = 262144;

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> c: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < n) {
    c[id.x] = pack4xU8(unpack4xU8(a[id.x]) + unpack4xU8(b[id.x]));
  }
}
