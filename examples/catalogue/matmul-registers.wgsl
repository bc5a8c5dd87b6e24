// Tiles of 64 × 64 and 4 × 4 outputs per invocation, held in registers and moved as vectors.
override n: u32 = 512;

@group(0) @binding(0) var<storage, read> a: array<vec4f>;
@group(0) @binding(1) var<storage, read> b: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> c: array<vec4f>;

var<workgroup> left: array<array<vec4f, 16>, 16>;
var<workgroup> right: array<array<vec4f, 16>, 16>;

@compute @workgroup_size(16, 16)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let corner = group.xy * 64;
  let first = corner + local.xy * 4;
  let rank = local.y * 16 + local.x;
  var sum0 = vec4f();
  var sum1 = vec4f();
  var sum2 = vec4f();
  var sum3 = vec4f();
  for (var k = 0u; k < n; k += 16) {
    let part = a[((corner.y + rank / 4) * n + k) / 4 + rank % 4];
    for (var i = 0u; i < 4; i++) {
      left[rank % 4 * 4 + i][rank / 16][rank / 4 % 4] = part[i];
    }
    right[local.y][local.x] = b[((k + local.y) * n + corner.x) / 4 + local.x];
    workgroupBarrier();
    for (var i = 0u; i < 16; i++) {
      let column = left[i][local.y];
      let row = right[i][local.x];
      sum0 += column[0] * row;
      sum1 += column[1] * row;
      sum2 += column[2] * row;
      sum3 += column[3] * row;
    }
    workgroupBarrier();
  }
  c[(first.y + 0) * n / 4 + first.x / 4] = sum0;
  c[(first.y + 1) * n / 4 + first.x / 4] = sum1;
  c[(first.y + 2) * n / 4 + first.x / 4] = sum2;
  c[(first.y + 3) * n / 4 + first.x / 4] = sum3;
}
