// Made by Tesela from random_normal of arithmetic.c. Not written by hand: change that and build again.
// Proved against the C in float64 at n = 30011; n = 257; n = 30012:
// largest relative error 5.0e-7, 1.3e-2 allowed.
// On h200 at n = 16777216: 51.8 µs predicted, and no schedule takes less than 29.9 µs.
import { operation, type Operation, type Tensor } from '../../../kernels/index.ts'

export interface RandomNormalArguments {
  readonly seed: number
  /** No shape says it. */
  readonly n: number
}

export interface RandomNormalResults {
  /** [n] */
  readonly y: Tensor<'f32'>
}

const kernel0 = /* wgsl */ `struct Params {
  n: i32,
  seed: u32,
}

@group(0) @binding(0) var<storage, read_write> y: array<f32>;
@group(0) @binding(1) var<uniform> params: Params;

fn f32_from_bits(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}

// Negative infinity of 0, and no number of negative ones.
fn log_f32(x: f32) -> f32 {
  if (x > 0.0) {
    return log(x);
  }
  return f32_from_bits(select(0x7fc00000u, 0xff800000u, x == 0.0));
}

// An angle without its whole turns: 2 pi in three parts, of which the first two times up to 2^16 are exact.
fn without_turns(x: f32) -> f32 {
  let turns = round(x * 0.15915494);
  return ((x - turns * 6.28125) - turns * 0.00193023681640625) - turns * 5.0703632e-6;
}

@compute @workgroup_size(256)
fn random_normal(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_rank: u32,
) {
  let block = i32(workgroup_id.y) * 32768 + i32(workgroup_id.x);
  let index = block * 256 + i32(local_rank);
  let inside = index < params.n;
  if (block < (params.n + 255) / 256) {
    if (inside) {
      let mul = 2u * u32(index);
      let mul_2 = (mul ^ (mul >> 16u)) * 569420461u;
      let mul_3 = (mul_2 ^ (mul_2 >> 15u)) * 1935289751u;
      let xor = mul_3 ^ (mul_3 >> 15u) ^ params.seed;
      let mul_4 = (xor ^ (xor >> 16u)) * 569420461u;
      let x_in_mixed2222 = (mul_4 ^ (mul_4 >> 15u)) * 1935289751u;
      let add = mul + 1u;
      let mul_5 = (add ^ (add >> 16u)) * 569420461u;
      let mul_6 = (mul_5 ^ (mul_5 >> 15u)) * 1935289751u;
      let xor_2 = mul_6 ^ (mul_6 >> 15u) ^ params.seed;
      let mul_7 = (xor_2 ^ (xor_2 >> 16u)) * 569420461u;
      let x_in_mixed_32222 = (mul_7 ^ (mul_7 >> 15u)) * 1935289751u;
      let mul_8 = sqrt(-2.0 * log_f32((f32((x_in_mixed2222 ^ (x_in_mixed2222 >> 15u)) >> 8u) + 1.0) / 16777216.0)) * cos(without_turns(6.2831855 * (f32((x_in_mixed_32222 ^ (x_in_mixed_32222 >> 15u)) >> 8u) / 16777216.0)));
      y[index] = mul_8;
    }
  }
}
`

/** `const { y } = randomNormal({ seed, n })` */
export const randomNormal: Operation<RandomNormalArguments, RandomNormalResults> = /* @__PURE__ */ operation({
  format: 1,
  name: "random_normal",
  sizes: [{"name":"n","min":0}],
  scalars: [{"name":"seed","type":"u32"}],
  arrays: [{"name":"y","type":"f32","shape":["n"],"role":"out"}],
  variants: [{"when":["lt","bool","n",1],"launches":[],"steps":[]},{"when":null,"launches":[{"text":0,"entry":"random_normal","grid":[32768,["div","i32",["add","i32",["div","i32",["add","i32","n",255],256],32767],32768],1],"bind":[["y","read-write"]],"params":[["i32","n"],["u32","seed"]]}],"steps":[0]}],
  texts: [kernel0],
})
