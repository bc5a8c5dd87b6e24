struct Params {
  divisor: i32,
  flag: u32,
}

@group(0) @binding(0) var<storage, read> class_: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<i32>;
@group(0) @binding(2) var<uniform> table: array<vec4<f32>, 2>;
@group(0) @binding(3) var<uniform> params: Params;

// Upper half of the 64-bit product, from four 16-bit products.
fn mulhi_u32(a: u32, b: u32) -> u32 {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let mid = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let cross = (a & 0xffffu) * (b >> 16u) + (mid & 0xffffu);
  return (a >> 16u) * (b >> 16u) + (mid >> 16u) + (cross >> 16u);
}

fn mulhi_i32(a: i32, b: i32) -> i32 {
  let high = bitcast<i32>(mulhi_u32(bitcast<u32>(a), bitcast<u32>(b)));
  return high - select(0, b, a < 0) - select(0, a, b < 0);
}

// -x, past minima and maxima of three operands, where some compilers lose it.
fn neg_i32(x: i32) -> i32 {
  // of two neighbours one is even
  let zero = (params.divisor * (params.divisor + 1)) & 1;
  return (zero - (x ^ i32(-2147483648))) ^ i32(-2147483648);
}

@compute @workgroup_size(16, 2)
fn loop_(
  @builtin(local_invocation_index) local_rank: u32,
) {
  var scratch: array<i32, 4>;
  let var_ = i32(local_rank);
  var picked: i32;
  if (params.flag != 0u) {
    picked = 7;
  } else {
    picked = 9;
  }
  var total = 0;
  var j = 0;
  loop {
    if (j >= 6) {
      break;
    }
    if (j % 2 == 1) {
      continue;
    }
    total += extractBits(bitcast<i32>(class_[(var_ + j) >> 2u]), u32(var_ + j) % 4u * 8u, 8u);

    continuing {
      j++;
      total ^= 1;
    }
  }
  scratch[0] = total / params.divisor;
  scratch[1] = total << (u32(var_) & 31u);
  scratch[2] = i32(table[(var_ % 5) >> 2u][u32(var_ % 5) % 4u] * 2.0);
  scratch[3] = mulhi_i32(total * 123456789, params.divisor - -1000000007);
  let xor = scratch[0] ^ scratch[1] ^ (scratch[2] ^ scratch[3]);
  out[var_] = select(neg_i32(xor), xor, xor > 0) - -3 + picked * (var_ + i32(-2147483648));
}
