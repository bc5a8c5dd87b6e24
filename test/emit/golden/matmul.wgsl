struct Params {
  m: i32,
  n: i32,
  depth: i32,
}

@group(0) @binding(0) var<storage, read> A: array<f32>;
@group(0) @binding(1) var<storage, read> B: array<f32>;
@group(0) @binding(2) var<storage, read_write> C: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

var<workgroup> tileA: array<f32, 256>;
var<workgroup> tileB: array<f32, 272>;

@compute @workgroup_size(16, 16)
fn matmul(
  @builtin(local_invocation_id) local_id: vec3<u32>,
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
) {
  let tx = i32(local_id.x);
  let ty = i32(local_id.y);
  let row = i32(workgroup_id.y) * 16 + ty;
  let col = i32(workgroup_id.x) * 16 + tx;
  var acc = 0.0;
  // one tile of the inner dimension
  for (var k0 = 0; k0 < params.depth; k0 += 16) {
    let ka = k0 + tx;
    let kb = k0 + ty;
    var a = 0.0;
    var b = 0.0;
    if ((row < params.m) & (ka < params.depth)) {
      a = A[row * params.depth + ka];
    }
    if ((kb < params.depth) & (col < params.n)) {
      b = B[kb * params.n + col];
    }
    tileA[ty * 16 + tx] = a;
    tileB[ty * 17 + tx] = b;
    workgroupBarrier();
    for (var kk = 0; kk < 16; kk++) {
      acc = fma(tileA[ty * 16 + kk], tileB[kk * 17 + tx], acc);
    }
    workgroupBarrier();
  }
  if ((row < params.m) & (col < params.n)) {
    C[row * params.n + col] = acc;
  }
}
