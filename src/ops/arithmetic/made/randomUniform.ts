// Made by Tesela from random_uniform of arithmetic.c. Not written by hand: change that and build again.
// Proved against the C in float64 at n = 30011; n = 257; n = 30012:
// largest relative error 2.4e-7, 5.4e-3 allowed.
// On h200 at n = 16777216: 44.8 µs predicted, and no schedule takes less than 16.7 µs.
import { operation, type Operation, type Tensor } from '../../../kernels/index.ts'

export interface RandomUniformArguments {
  readonly seed: number
  /** No shape says it. */
  readonly n: number
}

export interface RandomUniformResults {
  /** [n] */
  readonly y: Tensor<'f32'>
}

const kernel0 = /* wgsl */ `struct Params {
  n: i32,
  seed: u32,
}

@group(0) @binding(0) var<storage, read_write> y: array<f32>;
@group(0) @binding(1) var<uniform> params: Params;

@compute @workgroup_size(256)
fn random_uniform(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_rank: u32,
) {
  let block = i32(workgroup_id.y) * 32768 + i32(workgroup_id.x);
  let index = block * 256 + i32(local_rank);
  let inside = index < params.n;
  if (block < (params.n + 255) / 256) {
    if (inside) {
      let convert = u32(index);
      let mul = (convert ^ (convert >> 16u)) * 569420461u;
      let mul_2 = (mul ^ (mul >> 15u)) * 1935289751u;
      let xor = mul_2 ^ (mul_2 >> 15u) ^ params.seed;
      let mul_3 = (xor ^ (xor >> 16u)) * 569420461u;
      let x_in_mixed2222 = (mul_3 ^ (mul_3 >> 15u)) * 1935289751u;
      y[index] = f32((x_in_mixed2222 ^ (x_in_mixed2222 >> 15u)) >> 8u) / 16777216.0;
    }
  }
}
`

/** `const { y } = randomUniform({ seed, n })` */
export const randomUniform: Operation<RandomUniformArguments, RandomUniformResults> = /* @__PURE__ */ operation({
  format: 1,
  name: "random_uniform",
  sizes: [{"name":"n","min":0}],
  scalars: [{"name":"seed","type":"u32"}],
  arrays: [{"name":"y","type":"f32","shape":["n"],"role":"out"}],
  variants: [{"when":["lt","bool","n",1],"launches":[],"steps":[]},{"when":null,"launches":[{"text":0,"entry":"random_uniform","grid":[32768,["div","i32",["add","i32",["div","i32",["add","i32","n",255],256],32767],32768],1],"bind":[["y","read-write"]],"params":[["i32","n"],["u32","seed"]]}],"steps":[0]}],
  texts: [kernel0],
})
