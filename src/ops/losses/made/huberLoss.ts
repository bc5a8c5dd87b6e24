// Made by Tesela from huber_loss of losses.c. Not written by hand: change that and build again.
// Proved against the C in float64 at rows = 331, n = 329; rows = 71, n = 69; rows = 332, n = 328; rows = 144, n = 176:
// largest relative error 2.0e-7, 1.4e-4 allowed.
// On h200 at rows = 4096, n = 4096: 32.6 µs predicted, and no schedule takes less than 31.7 µs.
import { operation, type Operation, type Tensor } from '../../../kernels/index.ts'

export interface HuberLossArguments {
  /** [rows, n] */
  readonly x: Tensor<'f32'>
  /** [rows, n] */
  readonly target: Tensor<'f32'>
  readonly delta: number
}

export interface HuberLossResults {
  /** [rows] */
  readonly loss: Tensor<'f32'>
}

const kernel0 = /* wgsl */ `struct Params {
  rows: i32,
}

@group(0) @binding(0) var<storage, read_write> loss: array<f32>;
@group(0) @binding(1) var<uniform> params: Params;

fn hold_i32(x: i32) -> i32 {
  return x;
}

@compute @workgroup_size(256)
fn huber_loss_without_n(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_rank: u32,
) {
  let index = i32(workgroup_id.x) * 4096 + i32(local_rank) * 16;
  for (var run = 0; run < 16; run++) {
    let index_2 = index + run;
    if (index_2 < params.rows) {
      loss[index_2] = 0.0 / f32(hold_i32(0));
    }
  }
}
`

const kernel1 = /* wgsl */ `struct Params {
  n: i32,
  delta: f32,
}

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> target_: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> loss: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

var<workgroup> tree: array<f32, 256>;

@compute @workgroup_size(256)
fn huber_loss(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_rank: u32,
) {
  let r = i32(workgroup_id.x);
  var sum = 0.0;
  let thread = i32(local_rank);
  var part = 0.0;
  let quotient = params.n / 4096;
  let scaled = thread * 4;
  let index = params.n * r + scaled;
  let step_end = max(quotient, 0);
  for (var step_left = -step_end; step_left < 0; step_left++) {
    let step_ = step_left + step_end;
    let index_2 = index + step_ * 4096;
    let x_ = x[index_2 >> 2u];
    let target_2 = target_[index_2 >> 2u];
    let v = abs(x_.x - target_2.x);
    let v_2 = abs(x_.y - target_2.y);
    let v_3 = abs(x_.z - target_2.z);
    let v_4 = abs(x_.w - target_2.w);
    let v_5 = 0.5 * params.delta;
    part += select(params.delta * (v - v_5), 0.5 * v * v, v < params.delta);
    part += select(params.delta * (v_2 - v_5), 0.5 * v_2 * v_2, v_2 < params.delta);
    part += select(params.delta * (v_3 - v_5), 0.5 * v_3 * v_3, v_3 < params.delta);
    part += select(params.delta * (v_4 - v_5), 0.5 * v_4 * v_4, v_4 < params.delta);
    let x_2 = x[(index_2 >> 2u) + 256];
    let target_3 = target_[(index_2 >> 2u) + 256];
    let v_6 = abs(x_2.x - target_3.x);
    let v_7 = abs(x_2.y - target_3.y);
    let v_8 = abs(x_2.z - target_3.z);
    let v_9 = abs(x_2.w - target_3.w);
    part += select(params.delta * (v_6 - v_5), 0.5 * v_6 * v_6, v_6 < params.delta);
    part += select(params.delta * (v_7 - v_5), 0.5 * v_7 * v_7, v_7 < params.delta);
    part += select(params.delta * (v_8 - v_5), 0.5 * v_8 * v_8, v_8 < params.delta);
    part += select(params.delta * (v_9 - v_5), 0.5 * v_9 * v_9, v_9 < params.delta);
    let x_3 = x[(index_2 >> 2u) + 512];
    let target_4 = target_[(index_2 >> 2u) + 512];
    let v_10 = abs(x_3.x - target_4.x);
    let v_11 = abs(x_3.y - target_4.y);
    let v_12 = abs(x_3.z - target_4.z);
    let v_13 = abs(x_3.w - target_4.w);
    part += select(params.delta * (v_10 - v_5), 0.5 * v_10 * v_10, v_10 < params.delta);
    part += select(params.delta * (v_11 - v_5), 0.5 * v_11 * v_11, v_11 < params.delta);
    part += select(params.delta * (v_12 - v_5), 0.5 * v_12 * v_12, v_12 < params.delta);
    part += select(params.delta * (v_13 - v_5), 0.5 * v_13 * v_13, v_13 < params.delta);
    let x_4 = x[(index_2 >> 2u) + 768];
    let target_5 = target_[(index_2 >> 2u) + 768];
    let v_14 = abs(x_4.x - target_5.x);
    let v_15 = abs(x_4.y - target_5.y);
    let v_16 = abs(x_4.z - target_5.z);
    let v_17 = abs(x_4.w - target_5.w);
    part += select(params.delta * (v_14 - v_5), 0.5 * v_14 * v_14, v_14 < params.delta);
    part += select(params.delta * (v_15 - v_5), 0.5 * v_15 * v_15, v_15 < params.delta);
    part += select(params.delta * (v_16 - v_5), 0.5 * v_16 * v_16, v_16 < params.delta);
    part += select(params.delta * (v_17 - v_5), 0.5 * v_17 * v_17, v_17 < params.delta);
  }
  let quotient_2 = (params.n + 4095) / 4096;
  for (var step_rest = quotient; step_rest < quotient_2; step_rest++) {
    let scaled_2 = step_rest * 4096;
    let index_2 = scaled + scaled_2;
    let index_3 = index + scaled_2;
    for (var uu_rest = 0; uu_rest < 4; uu_rest++) {
      let scaled_3 = uu_rest * 1024;
      let index_4 = index_3 + scaled_3;
      if (index_2 + scaled_3 < params.n) {
        let x_ = x[index_4 >> 2u];
        let target_2 = target_[index_4 >> 2u];
        let v = abs(x_.x - target_2.x);
        let v_2 = abs(x_.y - target_2.y);
        let v_3 = abs(x_.z - target_2.z);
        let v_4 = abs(x_.w - target_2.w);
        let v_5 = 0.5 * params.delta;
        part += select(params.delta * (v - v_5), 0.5 * v * v, v < params.delta);
        part += select(params.delta * (v_2 - v_5), 0.5 * v_2 * v_2, v_2 < params.delta);
        part += select(params.delta * (v_3 - v_5), 0.5 * v_3 * v_3, v_3 < params.delta);
        part += select(params.delta * (v_4 - v_5), 0.5 * v_4 * v_4, v_4 < params.delta);
      }
    }
  }
  tree[thread] = part;
  workgroupBarrier();
  if (thread < 32) {
    let x_ = tree[thread + 192];
    let x_2 = tree[thread + 224];
    let sum_2 = tree[thread] + tree[thread + 32] + tree[thread + 64] + tree[thread + 96] + tree[thread + 128] + tree[thread + 160];
    tree[thread] = sum_2 + x_ + x_2;
  }
  workgroupBarrier();
  if (thread < 4) {
    let x_ = tree[thread + 24];
    let x_2 = tree[thread + 28];
    let sum_2 = tree[thread] + tree[thread + 4] + tree[thread + 8] + tree[thread + 12] + tree[thread + 16] + tree[thread + 20];
    tree[thread] = sum_2 + x_ + x_2;
  }
  workgroupBarrier();
  sum += tree[0] + tree[1] + tree[2] + tree[3];
  if (thread < 1) {
    loss[r] = sum / f32(params.n);
  }
}
`

const kernel2 = /* wgsl */ `struct Params {
  n: i32,
  delta: f32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> target_: array<f32>;
@group(0) @binding(2) var<storage, read_write> loss: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

var<workgroup> tree: array<f32, 256>;

@compute @workgroup_size(256)
fn huber_loss(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_rank: u32,
) {
  let r = i32(workgroup_id.x);
  var sum = 0.0;
  let thread = i32(local_rank);
  var part = 0.0;
  let quotient = params.n / 4096;
  let scaled = thread * 4;
  let index = params.n * r + scaled;
  let step_end = max(quotient, 0);
  for (var step_left = -step_end; step_left < 0; step_left++) {
    let step_ = step_left + step_end;
    let index_2 = index + step_ * 4096;
    let x_ = x[index_2];
    let index_3 = index_2 + 1;
    let x_2 = x[index_3];
    let index_4 = index_2 + 2;
    let x_3 = x[index_4];
    let index_5 = index_2 + 3;
    let v = x_2 - target_[index_3];
    let v_2 = x_3 - target_[index_4];
    let v_3 = x[index_5] - target_[index_5];
    let v_4 = abs(x_ - target_[index_2]);
    let v_5 = abs(v);
    let v_6 = abs(v_2);
    let v_7 = abs(v_3);
    let v_8 = 0.5 * params.delta;
    part += select(params.delta * (v_4 - v_8), 0.5 * v_4 * v_4, v_4 < params.delta);
    part += select(params.delta * (v_5 - v_8), 0.5 * v_5 * v_5, v_5 < params.delta);
    part += select(params.delta * (v_6 - v_8), 0.5 * v_6 * v_6, v_6 < params.delta);
    part += select(params.delta * (v_7 - v_8), 0.5 * v_7 * v_7, v_7 < params.delta);
    let index_6 = index_2 + 1024;
    let x_4 = x[index_6];
    let index_7 = index_2 + 1025;
    let x_5 = x[index_7];
    let index_8 = index_2 + 1026;
    let x_6 = x[index_8];
    let index_9 = index_2 + 1027;
    let v_9 = x_5 - target_[index_7];
    let v_10 = x_6 - target_[index_8];
    let v_11 = x[index_9] - target_[index_9];
    let v_12 = abs(x_4 - target_[index_6]);
    let v_13 = abs(v_9);
    let v_14 = abs(v_10);
    let v_15 = abs(v_11);
    part += select(params.delta * (v_12 - v_8), 0.5 * v_12 * v_12, v_12 < params.delta);
    part += select(params.delta * (v_13 - v_8), 0.5 * v_13 * v_13, v_13 < params.delta);
    part += select(params.delta * (v_14 - v_8), 0.5 * v_14 * v_14, v_14 < params.delta);
    part += select(params.delta * (v_15 - v_8), 0.5 * v_15 * v_15, v_15 < params.delta);
    let index_10 = index_2 + 2048;
    let x_7 = x[index_10];
    let index_11 = index_2 + 2049;
    let x_8 = x[index_11];
    let index_12 = index_2 + 2050;
    let x_9 = x[index_12];
    let index_13 = index_2 + 2051;
    let v_16 = x_8 - target_[index_11];
    let v_17 = x_9 - target_[index_12];
    let v_18 = x[index_13] - target_[index_13];
    let v_19 = abs(x_7 - target_[index_10]);
    let v_20 = abs(v_16);
    let v_21 = abs(v_17);
    let v_22 = abs(v_18);
    part += select(params.delta * (v_19 - v_8), 0.5 * v_19 * v_19, v_19 < params.delta);
    part += select(params.delta * (v_20 - v_8), 0.5 * v_20 * v_20, v_20 < params.delta);
    part += select(params.delta * (v_21 - v_8), 0.5 * v_21 * v_21, v_21 < params.delta);
    part += select(params.delta * (v_22 - v_8), 0.5 * v_22 * v_22, v_22 < params.delta);
    let index_14 = index_2 + 3072;
    let x_10 = x[index_14];
    let index_15 = index_2 + 3073;
    let x_11 = x[index_15];
    let index_16 = index_2 + 3074;
    let x_12 = x[index_16];
    let index_17 = index_2 + 3075;
    let v_23 = x_11 - target_[index_15];
    let v_24 = x_12 - target_[index_16];
    let v_25 = x[index_17] - target_[index_17];
    let v_26 = abs(x_10 - target_[index_14]);
    let v_27 = abs(v_23);
    let v_28 = abs(v_24);
    let v_29 = abs(v_25);
    part += select(params.delta * (v_26 - v_8), 0.5 * v_26 * v_26, v_26 < params.delta);
    part += select(params.delta * (v_27 - v_8), 0.5 * v_27 * v_27, v_27 < params.delta);
    part += select(params.delta * (v_28 - v_8), 0.5 * v_28 * v_28, v_28 < params.delta);
    part += select(params.delta * (v_29 - v_8), 0.5 * v_29 * v_29, v_29 < params.delta);
  }
  let quotient_2 = (params.n + 4095) / 4096;
  for (var step_rest = quotient; step_rest < quotient_2; step_rest++) {
    let scaled_2 = step_rest * 4096;
    let index_2 = scaled + scaled_2;
    let index_3 = index + scaled_2;
    for (var uu_rest = 0; uu_rest < 4; uu_rest++) {
      let scaled_3 = uu_rest * 1024;
      let index_4 = index_2 + scaled_3;
      let index_5 = index_3 + scaled_3;
      if (index_4 < params.n) {
        let abs_ = abs(x[index_5] - target_[index_5]);
        part += select(params.delta * (abs_ - 0.5 * params.delta), 0.5 * abs_ * abs_, abs_ < params.delta);
      }
      let index_6 = index_5 + 1;
      if (index_4 + 1 < params.n) {
        let abs_ = abs(x[index_6] - target_[index_6]);
        part += select(params.delta * (abs_ - 0.5 * params.delta), 0.5 * abs_ * abs_, abs_ < params.delta);
      }
      let index_7 = index_5 + 2;
      if (index_4 + 2 < params.n) {
        let abs_ = abs(x[index_7] - target_[index_7]);
        part += select(params.delta * (abs_ - 0.5 * params.delta), 0.5 * abs_ * abs_, abs_ < params.delta);
      }
      let index_8 = index_5 + 3;
      if (index_4 + 3 < params.n) {
        let abs_ = abs(x[index_8] - target_[index_8]);
        part += select(params.delta * (abs_ - 0.5 * params.delta), 0.5 * abs_ * abs_, abs_ < params.delta);
      }
    }
  }
  tree[thread] = part;
  workgroupBarrier();
  if (thread < 32) {
    let x_ = tree[thread + 192];
    let x_2 = tree[thread + 224];
    let sum_2 = tree[thread] + tree[thread + 32] + tree[thread + 64] + tree[thread + 96] + tree[thread + 128] + tree[thread + 160];
    tree[thread] = sum_2 + x_ + x_2;
  }
  workgroupBarrier();
  if (thread < 4) {
    let x_ = tree[thread + 24];
    let x_2 = tree[thread + 28];
    let sum_2 = tree[thread] + tree[thread + 4] + tree[thread + 8] + tree[thread + 12] + tree[thread + 16] + tree[thread + 20];
    tree[thread] = sum_2 + x_ + x_2;
  }
  workgroupBarrier();
  sum += tree[0] + tree[1] + tree[2] + tree[3];
  if (thread < 1) {
    loss[r] = sum / f32(params.n);
  }
}
`

/** `const { loss } = huberLoss({ x, target, delta })` */
export const huberLoss: Operation<HuberLossArguments, HuberLossResults> = /* @__PURE__ */ operation({
  format: 1,
  name: "huber_loss",
  sizes: [{"name":"rows","min":0},{"name":"n","min":0}],
  scalars: [{"name":"delta","type":"f32"}],
  arrays: [{"name":"x","type":"f32","shape":["rows","n"],"role":"in"},{"name":"target","type":"f32","shape":["rows","n"],"role":"in"},{"name":"loss","type":"f32","shape":["rows"],"role":"out"}],
  variants: [{"when":["lt","bool","rows",1],"launches":[],"steps":[]},{"when":["lt","bool","n",1],"launches":[{"text":0,"entry":"huber_loss_without_n","grid":[["div","i32",["add","i32","rows",4095],4096],1,1],"bind":[["loss","read-write"]],"params":[["i32","rows"]]}],"steps":[0]},{"when":["eq","bool",["rem","i32","n",4],0],"launches":[{"text":1,"entry":"huber_loss","grid":["rows",1,1],"bind":[["x","read"],["target","read"],["loss","read-write"]],"params":[["i32","n"],["f32","delta"]]}],"steps":[0]},{"when":null,"launches":[{"text":2,"entry":"huber_loss","grid":["rows",1,1],"bind":[["x","read"],["target","read"],["loss","read-write"]],"params":[["i32","n"],["f32","delta"]]}],"steps":[0]}],
  texts: [kernel0, kernel1, kernel2],
})
