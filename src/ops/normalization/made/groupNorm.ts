// Made by Tesela from group_norm of normalization.c. Not written by hand: change that and build again.
// Proved against the C in float64 at images = 3, groups = 65, depth = 63, n = 61; images = 37, groups = 35, depth = 33, n = 31; images = 3, groups = 4, depth = 140, n = 136; images = 16, groups = 16, depth = 16, n = 16; images = 13, groups = 15, depth = 17, n = 19:
// largest relative error 2.7e-7, 4.5e-3 allowed.
// On h200 at images = 16, groups = 32, depth = 8, n = 4096: 52.9 µs predicted, and no schedule takes less than 31.7 µs.
import { operation, type Operation, type Tensor } from '../../../kernels/index.ts'

export interface GroupNormArguments {
  /** [images, groups, depth, n] */
  readonly x: Tensor<'f32'>
  /** [groups, depth] */
  readonly gain: Tensor<'f32'>
  /** [groups, depth] */
  readonly bias: Tensor<'f32'>
  readonly epsilon: number
}

export interface GroupNormResults {
  /** [images, groups, depth, n] */
  readonly y: Tensor<'f32'>
}

const kernel0 = /* wgsl */ `struct Params {
  depth_by_n: i32,
}

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> sum: array<f32>;
@group(0) @binding(2) var<storage, read_write> squares: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

var<workgroup> tree: array<f32, 256>;
var<workgroup> tree2: array<f32, 256>;

@compute @workgroup_size(256)
fn group_norm_1(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_rank: u32,
) {
  let b_g = i32(workgroup_id.x);
  var sum2 = 0.0;
  let thread = i32(local_rank);
  var part = 0.0;
  let quotient = params.depth_by_n / 8192;
  let scaled = thread * 4;
  let index = params.depth_by_n * b_g + scaled;
  let step_end = max(quotient, 0);
  for (var step_left = -step_end; step_left < 0; step_left++) {
    let step_ = step_left + step_end;
    let index_2 = index + step_ * 8192;
    let x_ = x[index_2 >> 2u];
    part += x_.x;
    part += x_.y;
    part += x_.z;
    part += x_.w;
    let x_2 = x[(index_2 >> 2u) + 256];
    part += x_2.x;
    part += x_2.y;
    part += x_2.z;
    part += x_2.w;
    let x_3 = x[(index_2 >> 2u) + 512];
    part += x_3.x;
    part += x_3.y;
    part += x_3.z;
    part += x_3.w;
    let x_4 = x[(index_2 >> 2u) + 768];
    part += x_4.x;
    part += x_4.y;
    part += x_4.z;
    part += x_4.w;
    let x_5 = x[(index_2 >> 2u) + 1024];
    part += x_5.x;
    part += x_5.y;
    part += x_5.z;
    part += x_5.w;
    let x_6 = x[(index_2 >> 2u) + 1280];
    part += x_6.x;
    part += x_6.y;
    part += x_6.z;
    part += x_6.w;
    let x_7 = x[(index_2 >> 2u) + 1536];
    part += x_7.x;
    part += x_7.y;
    part += x_7.z;
    part += x_7.w;
    let x_8 = x[(index_2 >> 2u) + 1792];
    part += x_8.x;
    part += x_8.y;
    part += x_8.z;
    part += x_8.w;
  }
  let quotient_2 = (params.depth_by_n + 8191) / 8192;
  for (var step_rest = quotient; step_rest < quotient_2; step_rest++) {
    let scaled_2 = step_rest * 8192;
    let index_2 = scaled + scaled_2;
    let index_3 = index + scaled_2;
    for (var uu_rest = 0; uu_rest < 8; uu_rest++) {
      let scaled_3 = uu_rest * 1024;
      let index_4 = index_3 + scaled_3;
      if (index_2 + scaled_3 < params.depth_by_n) {
        let x_ = x[index_4 >> 2u];
        part += x_.x;
        part += x_.y;
        part += x_.z;
        part += x_.w;
      }
    }
  }
  tree[thread] = part;
  workgroupBarrier();
  let active_ = thread < 32;
  if (active_) {
    let x_ = tree[thread + 192];
    let x_2 = tree[thread + 224];
    let sum_ = tree[thread] + tree[thread + 32] + tree[thread + 64] + tree[thread + 96] + tree[thread + 128] + tree[thread + 160];
    tree[thread] = sum_ + x_ + x_2;
  }
  workgroupBarrier();
  let active_2 = thread < 4;
  if (active_2) {
    let x_ = tree[thread + 24];
    let x_2 = tree[thread + 28];
    let sum_ = tree[thread] + tree[thread + 4] + tree[thread + 8] + tree[thread + 12] + tree[thread + 16] + tree[thread + 20];
    tree[thread] = sum_ + x_ + x_2;
  }
  workgroupBarrier();
  sum2 += tree[0] + tree[1] + tree[2] + tree[3];
  let first = thread < 1;
  if (first) {
    sum[b_g] = sum2;
  }
  var sum2_1 = 0.0;
  var part_2 = 0.0;
  let step_end_2 = max(quotient, 0);
  for (var step_left = -step_end_2; step_left < 0; step_left++) {
    let step_ = step_left + step_end_2;
    let index_2 = index + step_ * 8192;
    let x_ = x[index_2 >> 2u];
    let v = sum2 / f32(params.depth_by_n);
    let v_2 = x_.x - v;
    let v_3 = x_.y - v;
    let v_4 = x_.z - v;
    let v_5 = x_.w - v;
    part_2 = fma(v_2, v_2, part_2);
    part_2 = fma(v_3, v_3, part_2);
    part_2 = fma(v_4, v_4, part_2);
    part_2 = fma(v_5, v_5, part_2);
    let x_2 = x[(index_2 >> 2u) + 256];
    let v_6 = x_2.x - v;
    let v_7 = x_2.y - v;
    let v_8 = x_2.z - v;
    let v_9 = x_2.w - v;
    part_2 = fma(v_6, v_6, part_2);
    part_2 = fma(v_7, v_7, part_2);
    part_2 = fma(v_8, v_8, part_2);
    part_2 = fma(v_9, v_9, part_2);
    let x_3 = x[(index_2 >> 2u) + 512];
    let v_10 = x_3.x - v;
    let v_11 = x_3.y - v;
    let v_12 = x_3.z - v;
    let v_13 = x_3.w - v;
    part_2 = fma(v_10, v_10, part_2);
    part_2 = fma(v_11, v_11, part_2);
    part_2 = fma(v_12, v_12, part_2);
    part_2 = fma(v_13, v_13, part_2);
    let x_4 = x[(index_2 >> 2u) + 768];
    let v_14 = x_4.x - v;
    let v_15 = x_4.y - v;
    let v_16 = x_4.z - v;
    let v_17 = x_4.w - v;
    part_2 = fma(v_14, v_14, part_2);
    part_2 = fma(v_15, v_15, part_2);
    part_2 = fma(v_16, v_16, part_2);
    part_2 = fma(v_17, v_17, part_2);
    let x_5 = x[(index_2 >> 2u) + 1024];
    let v_18 = x_5.x - v;
    let v_19 = x_5.y - v;
    let v_20 = x_5.z - v;
    let v_21 = x_5.w - v;
    part_2 = fma(v_18, v_18, part_2);
    part_2 = fma(v_19, v_19, part_2);
    part_2 = fma(v_20, v_20, part_2);
    part_2 = fma(v_21, v_21, part_2);
    let x_6 = x[(index_2 >> 2u) + 1280];
    let v_22 = x_6.x - v;
    let v_23 = x_6.y - v;
    let v_24 = x_6.z - v;
    let v_25 = x_6.w - v;
    part_2 = fma(v_22, v_22, part_2);
    part_2 = fma(v_23, v_23, part_2);
    part_2 = fma(v_24, v_24, part_2);
    part_2 = fma(v_25, v_25, part_2);
    let x_7 = x[(index_2 >> 2u) + 1536];
    let v_26 = x_7.x - v;
    let v_27 = x_7.y - v;
    let v_28 = x_7.z - v;
    let v_29 = x_7.w - v;
    part_2 = fma(v_26, v_26, part_2);
    part_2 = fma(v_27, v_27, part_2);
    part_2 = fma(v_28, v_28, part_2);
    part_2 = fma(v_29, v_29, part_2);
    let x_8 = x[(index_2 >> 2u) + 1792];
    let v_30 = x_8.x - v;
    let v_31 = x_8.y - v;
    let v_32 = x_8.z - v;
    let v_33 = x_8.w - v;
    part_2 = fma(v_30, v_30, part_2);
    part_2 = fma(v_31, v_31, part_2);
    part_2 = fma(v_32, v_32, part_2);
    part_2 = fma(v_33, v_33, part_2);
  }
  for (var step_rest = quotient; step_rest < quotient_2; step_rest++) {
    let scaled_2 = step_rest * 8192;
    let index_2 = scaled + scaled_2;
    let index_3 = index + scaled_2;
    for (var uu_rest = 0; uu_rest < 8; uu_rest++) {
      let scaled_3 = uu_rest * 1024;
      let index_4 = index_3 + scaled_3;
      if (index_2 + scaled_3 < params.depth_by_n) {
        let x_ = x[index_4 >> 2u];
        let v = sum2 / f32(params.depth_by_n);
        let v_2 = x_.x - v;
        let v_3 = x_.y - v;
        let v_4 = x_.z - v;
        let v_5 = x_.w - v;
        part_2 = fma(v_2, v_2, part_2);
        part_2 = fma(v_3, v_3, part_2);
        part_2 = fma(v_4, v_4, part_2);
        part_2 = fma(v_5, v_5, part_2);
      }
    }
  }
  tree2[thread] = part_2;
  workgroupBarrier();
  if (active_) {
    let x_ = tree2[thread + 192];
    let x_2 = tree2[thread + 224];
    let sum_ = tree2[thread] + tree2[thread + 32] + tree2[thread + 64] + tree2[thread + 96] + tree2[thread + 128] + tree2[thread + 160];
    tree2[thread] = sum_ + x_ + x_2;
  }
  workgroupBarrier();
  if (active_2) {
    let x_ = tree2[thread + 24];
    let x_2 = tree2[thread + 28];
    let sum_ = tree2[thread] + tree2[thread + 4] + tree2[thread + 8] + tree2[thread + 12] + tree2[thread + 16] + tree2[thread + 20];
    tree2[thread] = sum_ + x_ + x_2;
  }
  workgroupBarrier();
  sum2_1 += tree2[0] + tree2[1] + tree2[2] + tree2[3];
  if (first) {
    squares[b_g] = sum2_1;
  }
}
`

const kernel1 = /* wgsl */ `struct Params {
  groups: i32,
  depth: i32,
  n: i32,
  depth_by_n: i32,
  epsilon: f32,
}

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> gain: array<f32>;
@group(0) @binding(2) var<storage, read> bias: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> sum: array<f32>;
@group(0) @binding(5) var<storage, read> squares: array<f32>;
@group(0) @binding(6) var<uniform> params: Params;

@compute @workgroup_size(256)
fn group_norm_2(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_rank: u32,
) {
  let b = i32(workgroup_id.z);
  let g = b % params.groups;
  let block = b / params.groups;
  let c = i32(workgroup_id.y);
  let scaled = i32(workgroup_id.x) * 1024;
  let scaled_2 = i32(local_rank) * 4;
  let index = params.depth * params.groups * params.n * block + params.depth * params.n * g + params.n * c + scaled + scaled_2;
  let index_2 = params.groups * block + g;
  let index_3 = params.depth * g + c;
  if (scaled + scaled_2 < params.n) {
    let x_ = x[index >> 2u];
    let sum_ = sum[index_2];
    let convert = f32(params.depth_by_n);
    let v = sum_ / convert;
    let rsqrt = inverseSqrt(squares[index_2] / convert + params.epsilon);
    let gain_ = gain[index_3];
    let bias_ = bias[index_3];
    y[index >> 2u] = vec4<f32>((x_.x - v) * rsqrt * gain_ + bias_, (x_.y - v) * rsqrt * gain_ + bias_, (x_.z - v) * rsqrt * gain_ + bias_, (x_.w - v) * rsqrt * gain_ + bias_);
  }
}
`

const kernel2 = /* wgsl */ `struct Params {
  depth_by_n: i32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> sum: array<f32>;
@group(0) @binding(2) var<storage, read_write> squares: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

var<workgroup> tree: array<f32, 256>;
var<workgroup> tree2: array<f32, 256>;

@compute @workgroup_size(256)
fn group_norm_1(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_rank: u32,
) {
  let b_g = i32(workgroup_id.x);
  var sum2 = 0.0;
  let thread = i32(local_rank);
  var part = 0.0;
  let quotient = params.depth_by_n / 8192;
  let scaled = thread * 4;
  let index = params.depth_by_n * b_g + scaled;
  let step_end = max(quotient, 0);
  for (var step_left = -step_end; step_left < 0; step_left++) {
    let step_ = step_left + step_end;
    let index_2 = index + step_ * 8192;
    let x_ = x[index_2 + 1];
    let x_2 = x[index_2 + 2];
    let x_3 = x[index_2 + 3];
    part += x[index_2];
    part += x_;
    part += x_2;
    part += x_3;
    let x_4 = x[index_2 + 1025];
    let x_5 = x[index_2 + 1026];
    let x_6 = x[index_2 + 1027];
    part += x[index_2 + 1024];
    part += x_4;
    part += x_5;
    part += x_6;
    let x_7 = x[index_2 + 2049];
    let x_8 = x[index_2 + 2050];
    let x_9 = x[index_2 + 2051];
    part += x[index_2 + 2048];
    part += x_7;
    part += x_8;
    part += x_9;
    let x_10 = x[index_2 + 3073];
    let x_11 = x[index_2 + 3074];
    let x_12 = x[index_2 + 3075];
    part += x[index_2 + 3072];
    part += x_10;
    part += x_11;
    part += x_12;
    let x_13 = x[index_2 + 4097];
    let x_14 = x[index_2 + 4098];
    let x_15 = x[index_2 + 4099];
    part += x[index_2 + 4096];
    part += x_13;
    part += x_14;
    part += x_15;
    let x_16 = x[index_2 + 5121];
    let x_17 = x[index_2 + 5122];
    let x_18 = x[index_2 + 5123];
    part += x[index_2 + 5120];
    part += x_16;
    part += x_17;
    part += x_18;
    let x_19 = x[index_2 + 6145];
    let x_20 = x[index_2 + 6146];
    let x_21 = x[index_2 + 6147];
    part += x[index_2 + 6144];
    part += x_19;
    part += x_20;
    part += x_21;
    let x_22 = x[index_2 + 7169];
    let x_23 = x[index_2 + 7170];
    let x_24 = x[index_2 + 7171];
    part += x[index_2 + 7168];
    part += x_22;
    part += x_23;
    part += x_24;
  }
  let quotient_2 = (params.depth_by_n + 8191) / 8192;
  for (var step_rest = quotient; step_rest < quotient_2; step_rest++) {
    let scaled_2 = step_rest * 8192;
    let index_2 = scaled + scaled_2;
    let index_3 = index + scaled_2;
    for (var uu_rest = 0; uu_rest < 8; uu_rest++) {
      let scaled_3 = uu_rest * 1024;
      let index_4 = index_2 + scaled_3;
      let index_5 = index_3 + scaled_3;
      if (index_4 < params.depth_by_n) {
        part += x[index_5];
      }
      let index_6 = index_5 + 1;
      if (index_4 + 1 < params.depth_by_n) {
        part += x[index_6];
      }
      let index_7 = index_5 + 2;
      if (index_4 + 2 < params.depth_by_n) {
        part += x[index_7];
      }
      let index_8 = index_5 + 3;
      if (index_4 + 3 < params.depth_by_n) {
        part += x[index_8];
      }
    }
  }
  tree[thread] = part;
  workgroupBarrier();
  let active_ = thread < 32;
  if (active_) {
    let x_ = tree[thread + 192];
    let x_2 = tree[thread + 224];
    let sum_ = tree[thread] + tree[thread + 32] + tree[thread + 64] + tree[thread + 96] + tree[thread + 128] + tree[thread + 160];
    tree[thread] = sum_ + x_ + x_2;
  }
  workgroupBarrier();
  let active_2 = thread < 4;
  if (active_2) {
    let x_ = tree[thread + 24];
    let x_2 = tree[thread + 28];
    let sum_ = tree[thread] + tree[thread + 4] + tree[thread + 8] + tree[thread + 12] + tree[thread + 16] + tree[thread + 20];
    tree[thread] = sum_ + x_ + x_2;
  }
  workgroupBarrier();
  sum2 += tree[0] + tree[1] + tree[2] + tree[3];
  let first = thread < 1;
  if (first) {
    sum[b_g] = sum2;
  }
  var sum2_1 = 0.0;
  var part_2 = 0.0;
  let step_end_2 = max(quotient, 0);
  for (var step_left = -step_end_2; step_left < 0; step_left++) {
    let step_ = step_left + step_end_2;
    let index_2 = index + step_ * 8192;
    let x_ = x[index_2];
    let x_2 = x[index_2 + 1];
    let x_3 = x[index_2 + 2];
    let x_4 = x[index_2 + 3];
    let v = sum2 / f32(params.depth_by_n);
    let v_2 = x_ - v;
    let v_3 = x_2 - v;
    let v_4 = x_3 - v;
    let v_5 = x_4 - v;
    part_2 = fma(v_2, v_2, part_2);
    part_2 = fma(v_3, v_3, part_2);
    part_2 = fma(v_4, v_4, part_2);
    part_2 = fma(v_5, v_5, part_2);
    let x_5 = x[index_2 + 1025];
    let x_6 = x[index_2 + 1026];
    let x_7 = x[index_2 + 1027];
    let v_6 = x[index_2 + 1024] - v;
    let v_7 = x_5 - v;
    let v_8 = x_6 - v;
    let v_9 = x_7 - v;
    part_2 = fma(v_6, v_6, part_2);
    part_2 = fma(v_7, v_7, part_2);
    part_2 = fma(v_8, v_8, part_2);
    part_2 = fma(v_9, v_9, part_2);
    let x_8 = x[index_2 + 2049];
    let x_9 = x[index_2 + 2050];
    let x_10 = x[index_2 + 2051];
    let v_10 = x[index_2 + 2048] - v;
    let v_11 = x_8 - v;
    let v_12 = x_9 - v;
    let v_13 = x_10 - v;
    part_2 = fma(v_10, v_10, part_2);
    part_2 = fma(v_11, v_11, part_2);
    part_2 = fma(v_12, v_12, part_2);
    part_2 = fma(v_13, v_13, part_2);
    let x_11 = x[index_2 + 3073];
    let x_12 = x[index_2 + 3074];
    let x_13 = x[index_2 + 3075];
    let v_14 = x[index_2 + 3072] - v;
    let v_15 = x_11 - v;
    let v_16 = x_12 - v;
    let v_17 = x_13 - v;
    part_2 = fma(v_14, v_14, part_2);
    part_2 = fma(v_15, v_15, part_2);
    part_2 = fma(v_16, v_16, part_2);
    part_2 = fma(v_17, v_17, part_2);
    let x_14 = x[index_2 + 4097];
    let x_15 = x[index_2 + 4098];
    let x_16 = x[index_2 + 4099];
    let v_18 = x[index_2 + 4096] - v;
    let v_19 = x_14 - v;
    let v_20 = x_15 - v;
    let v_21 = x_16 - v;
    part_2 = fma(v_18, v_18, part_2);
    part_2 = fma(v_19, v_19, part_2);
    part_2 = fma(v_20, v_20, part_2);
    part_2 = fma(v_21, v_21, part_2);
    let x_17 = x[index_2 + 5121];
    let x_18 = x[index_2 + 5122];
    let x_19 = x[index_2 + 5123];
    let v_22 = x[index_2 + 5120] - v;
    let v_23 = x_17 - v;
    let v_24 = x_18 - v;
    let v_25 = x_19 - v;
    part_2 = fma(v_22, v_22, part_2);
    part_2 = fma(v_23, v_23, part_2);
    part_2 = fma(v_24, v_24, part_2);
    part_2 = fma(v_25, v_25, part_2);
    let x_20 = x[index_2 + 6145];
    let x_21 = x[index_2 + 6146];
    let x_22 = x[index_2 + 6147];
    let v_26 = x[index_2 + 6144] - v;
    let v_27 = x_20 - v;
    let v_28 = x_21 - v;
    let v_29 = x_22 - v;
    part_2 = fma(v_26, v_26, part_2);
    part_2 = fma(v_27, v_27, part_2);
    part_2 = fma(v_28, v_28, part_2);
    part_2 = fma(v_29, v_29, part_2);
    let x_23 = x[index_2 + 7169];
    let x_24 = x[index_2 + 7170];
    let x_25 = x[index_2 + 7171];
    let v_30 = x[index_2 + 7168] - v;
    let v_31 = x_23 - v;
    let v_32 = x_24 - v;
    let v_33 = x_25 - v;
    part_2 = fma(v_30, v_30, part_2);
    part_2 = fma(v_31, v_31, part_2);
    part_2 = fma(v_32, v_32, part_2);
    part_2 = fma(v_33, v_33, part_2);
  }
  for (var step_rest = quotient; step_rest < quotient_2; step_rest++) {
    let scaled_2 = step_rest * 8192;
    let index_2 = scaled + scaled_2;
    let index_3 = index + scaled_2;
    for (var uu_rest = 0; uu_rest < 8; uu_rest++) {
      let scaled_3 = uu_rest * 1024;
      let index_4 = index_2 + scaled_3;
      let index_5 = index_3 + scaled_3;
      if (index_4 < params.depth_by_n) {
        let sub = x[index_5] - sum2 / f32(params.depth_by_n);
        part_2 = fma(sub, sub, part_2);
      }
      let index_6 = index_5 + 1;
      if (index_4 + 1 < params.depth_by_n) {
        let sub = x[index_6] - sum2 / f32(params.depth_by_n);
        part_2 = fma(sub, sub, part_2);
      }
      let index_7 = index_5 + 2;
      if (index_4 + 2 < params.depth_by_n) {
        let sub = x[index_7] - sum2 / f32(params.depth_by_n);
        part_2 = fma(sub, sub, part_2);
      }
      let index_8 = index_5 + 3;
      if (index_4 + 3 < params.depth_by_n) {
        let sub = x[index_8] - sum2 / f32(params.depth_by_n);
        part_2 = fma(sub, sub, part_2);
      }
    }
  }
  tree2[thread] = part_2;
  workgroupBarrier();
  if (active_) {
    let x_ = tree2[thread + 192];
    let x_2 = tree2[thread + 224];
    let sum_ = tree2[thread] + tree2[thread + 32] + tree2[thread + 64] + tree2[thread + 96] + tree2[thread + 128] + tree2[thread + 160];
    tree2[thread] = sum_ + x_ + x_2;
  }
  workgroupBarrier();
  if (active_2) {
    let x_ = tree2[thread + 24];
    let x_2 = tree2[thread + 28];
    let sum_ = tree2[thread] + tree2[thread + 4] + tree2[thread + 8] + tree2[thread + 12] + tree2[thread + 16] + tree2[thread + 20];
    tree2[thread] = sum_ + x_ + x_2;
  }
  workgroupBarrier();
  sum2_1 += tree2[0] + tree2[1] + tree2[2] + tree2[3];
  if (first) {
    squares[b_g] = sum2_1;
  }
}
`

const kernel3 = /* wgsl */ `struct Params {
  groups: i32,
  depth: i32,
  n: i32,
  depth_by_n: i32,
  epsilon: f32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> gain: array<f32>;
@group(0) @binding(2) var<storage, read> bias: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
@group(0) @binding(4) var<storage, read> sum: array<f32>;
@group(0) @binding(5) var<storage, read> squares: array<f32>;
@group(0) @binding(6) var<uniform> params: Params;

@compute @workgroup_size(256)
fn group_norm_2(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_rank: u32,
) {
  let b = i32(workgroup_id.z);
  let g = b % params.groups;
  let block = b / params.groups;
  let c = i32(workgroup_id.y);
  let scaled = i32(workgroup_id.x) * 1024;
  let scaled_2 = i32(local_rank) * 4;
  let index = scaled + scaled_2;
  let index_2 = params.depth * params.groups * params.n * block + params.depth * params.n * g + params.n * c + scaled + scaled_2;
  let index_3 = params.groups * block + g;
  let index_4 = params.depth * g + c;
  if (index < params.n) {
    let x_ = x[index_2];
    let sum_ = sum[index_3];
    let convert = f32(params.depth_by_n);
    let add = (x_ - sum_ / convert) * inverseSqrt(squares[index_3] / convert + params.epsilon) * gain[index_4] + bias[index_4];
    y[index_2] = add;
  }
  let index_5 = index_2 + 1;
  if (index + 1 < params.n) {
    let x_ = x[index_5];
    let sum_ = sum[index_3];
    let convert = f32(params.depth_by_n);
    let add = (x_ - sum_ / convert) * inverseSqrt(squares[index_3] / convert + params.epsilon) * gain[index_4] + bias[index_4];
    y[index_5] = add;
  }
  let index_6 = index_2 + 2;
  if (index + 2 < params.n) {
    let x_ = x[index_6];
    let sum_ = sum[index_3];
    let convert = f32(params.depth_by_n);
    let add = (x_ - sum_ / convert) * inverseSqrt(squares[index_3] / convert + params.epsilon) * gain[index_4] + bias[index_4];
    y[index_6] = add;
  }
  let index_7 = index_2 + 3;
  if (index + 3 < params.n) {
    let x_ = x[index_7];
    let sum_ = sum[index_3];
    let convert = f32(params.depth_by_n);
    let add = (x_ - sum_ / convert) * inverseSqrt(squares[index_3] / convert + params.epsilon) * gain[index_4] + bias[index_4];
    y[index_7] = add;
  }
}
`

/** `const { y } = groupNorm({ x, gain, bias, epsilon })` */
export const groupNorm: Operation<GroupNormArguments, GroupNormResults> = /* @__PURE__ */ operation({
  format: 1,
  name: "group_norm",
  sizes: [{"name":"images","min":0},{"name":"groups","min":0},{"name":"depth","min":0},{"name":"n","min":0}],
  scalars: [{"name":"epsilon","type":"f32"}],
  arrays: [{"name":"x","type":"f32","shape":["images","groups","depth","n"],"role":"in"},{"name":"gain","type":"f32","shape":["groups","depth"],"role":"in"},{"name":"bias","type":"f32","shape":["groups","depth"],"role":"in"},{"name":"y","type":"f32","shape":["images","groups","depth","n"],"role":"out"},{"name":"sum","type":"u32","shape":["images","groups"],"role":"temp"},{"name":"squares","type":"u32","shape":["images","groups"],"role":"temp"}],
  variants: [{"when":["lor","bool",["lor","bool",["lor","bool",["lt","bool","images",1],["lt","bool","groups",1]],["lt","bool","depth",1]],["lt","bool","n",1]],"launches":[],"steps":[]},{"when":["land","bool",["eq","bool",["rem","i32",["mul","i32","depth","n"],4],0],["eq","bool",["rem","i32","n",4],0]],"launches":[{"text":0,"entry":"group_norm_1","grid":[["mul","i32","groups","images"],1,1],"bind":[["x","read"],["sum","read-write"],["squares","read-write"]],"params":[["i32",["mul","i32","depth","n"]]]},{"text":1,"entry":"group_norm_2","grid":[["div","i32",["add","i32","n",1023],1024],"depth",["mul","i32",["max","i32","images",0],["max","i32","groups",0]]],"bind":[["x","read"],["gain","read"],["bias","read"],["y","read-write"],["sum","read"],["squares","read"]],"params":[["i32","groups"],["i32","depth"],["i32","n"],["i32",["mul","i32","depth","n"]],["f32","epsilon"]]}],"steps":[0,1]},{"when":null,"launches":[{"text":2,"entry":"group_norm_1","grid":[["mul","i32","groups","images"],1,1],"bind":[["x","read"],["sum","read-write"],["squares","read-write"]],"params":[["i32",["mul","i32","depth","n"]]]},{"text":3,"entry":"group_norm_2","grid":[["div","i32",["add","i32","n",1023],1024],"depth",["mul","i32",["max","i32","images",0],["max","i32","groups",0]]],"bind":[["x","read"],["gain","read"],["bias","read"],["y","read-write"],["sum","read"],["squares","read"]],"params":[["i32","groups"],["i32","depth"],["i32","n"],["i32",["mul","i32","depth","n"]],["f32","epsilon"]]}],"steps":[0,1]}],
  texts: [kernel0, kernel1, kernel2, kernel3],
})
