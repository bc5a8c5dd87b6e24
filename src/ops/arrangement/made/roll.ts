// Made by Tesela from roll of arrangement.c. Not written by hand: change that and build again.
// Proved against the C in float64 at m = 331, n = 329, shift = 327; m = 71, n = 69, shift = 67; m = 332, n = 328, shift = 324; m = 0, n = 1, shift = 2:
// largest relative error 0.0e+0, 1.0e-6 allowed.
// On h200 at m = 8192, n = 8192, shift = 100: 137 µs predicted, and no schedule takes less than 121 µs.
import { operation, type Operation, type Tensor } from '../../../kernels/index.ts'

export interface RollArguments {
  /** [m, n] */
  readonly x: Tensor<'f32'>
  /** No shape says it. */
  readonly shift: number
}

export interface RollResults {
  /** [m, n] */
  readonly y: Tensor<'f32'>
}

const kernel0 = /* wgsl */ `struct Params {
  n: i32,
  shift: i32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4<f32>>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(256)
fn roll(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_rank: u32,
) {
  let scaled = i32(workgroup_id.x) * 1024;
  let scaled_2 = i32(local_rank) * 4;
  let row = params.n * i32(workgroup_id.y);
  let index = params.n - params.shift + scaled + scaled_2;
  let index_2 = row + index % params.n;
  let index_3 = row + (index + 1) % params.n;
  let index_4 = row + (index + 2) % params.n;
  let index_5 = row + (index + 3) % params.n;
  let index_6 = row + scaled + scaled_2;
  if (scaled + scaled_2 < params.n) {
    y[index_6 >> 2u] = vec4<f32>(x[index_2], x[index_3], x[index_4], x[index_5]);
  }
}
`

const kernel1 = /* wgsl */ `struct Params {
  n: i32,
  shift: i32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(256)
fn roll(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_rank: u32,
) {
  let scaled = i32(workgroup_id.x) * 1024;
  let scaled_2 = i32(local_rank) * 4;
  let index = scaled + scaled_2;
  let row = params.n * i32(workgroup_id.y);
  let index_2 = row + scaled + scaled_2;
  let index_3 = params.n - params.shift + scaled + scaled_2;
  let index_4 = row + index_3 % params.n;
  if (index < params.n) {
    y[index_2] = x[index_4];
  }
  let index_5 = index_2 + 1;
  let index_6 = row + (index_3 + 1) % params.n;
  if (index + 1 < params.n) {
    y[index_5] = x[index_6];
  }
  let index_7 = index_2 + 2;
  let index_8 = row + (index_3 + 2) % params.n;
  if (index + 2 < params.n) {
    y[index_7] = x[index_8];
  }
  let index_9 = index_2 + 3;
  let index_10 = row + (index_3 + 3) % params.n;
  if (index + 3 < params.n) {
    y[index_9] = x[index_10];
  }
}
`

/** `const { y } = roll({ x, shift })` */
export const roll: Operation<RollArguments, RollResults> = /* @__PURE__ */ operation({
  format: 1,
  name: "roll",
  sizes: [{"name":"m","min":0},{"name":"n","min":0},{"name":"shift","min":-2147483648}],
  scalars: [],
  arrays: [{"name":"x","type":"f32","shape":["m","n"],"role":"in"},{"name":"y","type":"f32","shape":["m","n"],"role":"out"}],
  variants: [{"when":["lor","bool",["lt","bool","m",1],["lt","bool","n",1]],"launches":[],"steps":[]},{"when":["eq","bool",["rem","i32","n",4],0],"launches":[{"text":0,"entry":"roll","grid":[["div","i32",["add","i32","n",1023],1024],"m",1],"bind":[["x","read"],["y","read-write"]],"params":[["i32","n"],["i32","shift"]]}],"steps":[0]},{"when":null,"launches":[{"text":1,"entry":"roll","grid":[["div","i32",["add","i32","n",1023],1024],"m",1],"bind":[["x","read"],["y","read-write"]],"params":[["i32","n"],["i32","shift"]]}],"steps":[0]}],
  texts: [kernel0, kernel1],
})
