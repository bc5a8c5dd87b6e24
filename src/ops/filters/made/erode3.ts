// Made by Tesela from erode3 of filters.c. Not written by hand: change that and build again.
// Proved against the C in float64 at planes = 67, height = 65, width = 63; planes = 37, height = 35, width = 33; planes = 3, height = 144, width = 140:
// largest relative error 0.0e+0, 1.8e-5 allowed.
// On h200 at planes = 64, height = 1024, width = 1024: 148 µs predicted, and no schedule takes less than 121 µs.
import { operation, type Operation, type Tensor } from '../../../kernels/index.ts'

export interface Erode3Arguments {
  /** [planes, height, width] */
  readonly x: Tensor<'f32'>
}

export interface Erode3Results {
  /** [planes, height, width] */
  readonly y: Tensor<'f32'>
}

const kernel0 = /* wgsl */ `struct Params {
  height: i32,
  width: i32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

fn f32_from_bits(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}

@compute @workgroup_size(256)
fn erode3(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_rank: u32,
) {
  let block_i = i32(workgroup_id.y);
  let thread = i32(local_rank);
  let thread_i = thread / 64;
  let thread_j = thread % 64;
  var least_0 = f32_from_bits(0x7f800000u);
  var least_1 = f32_from_bits(0x7f800000u);
  var least_2 = f32_from_bits(0x7f800000u);
  var least_3 = f32_from_bits(0x7f800000u);
  var least_4 = f32_from_bits(0x7f800000u);
  var least_5 = f32_from_bits(0x7f800000u);
  var least_6 = f32_from_bits(0x7f800000u);
  var least_7 = f32_from_bits(0x7f800000u);
  var least_8 = f32_from_bits(0x7f800000u);
  var least_9 = f32_from_bits(0x7f800000u);
  var least_10 = f32_from_bits(0x7f800000u);
  var least_11 = f32_from_bits(0x7f800000u);
  var least_12 = f32_from_bits(0x7f800000u);
  var least_13 = f32_from_bits(0x7f800000u);
  var least_14 = f32_from_bits(0x7f800000u);
  var least_15 = f32_from_bits(0x7f800000u);
  let row = params.height * params.width * i32(workgroup_id.z);
  let index = block_i * 64 + thread_i * 16;
  let index_2 = params.height - 1;
  let index_3 = row + params.width * max(min(index - 1, index_2), 0);
  let scaled = i32(workgroup_id.x) * 64;
  let index_4 = scaled + thread_j;
  let index_5 = params.width - 1;
  let max_ = max(min(index_4 - 1, index_5), 0);
  least_0 = min(least_0, x[index_3 + max_]);
  let index_6 = row + params.width * max(min(index, index_2), 0);
  let x_ = x[index_6 + max_];
  least_1 = min(least_1, x_);
  let index_7 = index + 1;
  let index_8 = row + params.width * max(min(index_7, index_2), 0);
  let x_2 = x[index_8 + max_];
  least_2 = min(least_2, x_2);
  let index_9 = index + 2;
  let index_10 = row + params.width * max(min(index_9, index_2), 0);
  let x_3 = x[index_10 + max_];
  least_3 = min(least_3, x_3);
  let index_11 = index + 3;
  let index_12 = row + params.width * max(min(index_11, index_2), 0);
  let x_4 = x[index_12 + max_];
  least_4 = min(least_4, x_4);
  let index_13 = index + 4;
  let index_14 = row + params.width * max(min(index_13, index_2), 0);
  let x_5 = x[index_14 + max_];
  least_5 = min(least_5, x_5);
  let index_15 = index + 5;
  let index_16 = row + params.width * max(min(index_15, index_2), 0);
  let x_6 = x[index_16 + max_];
  least_6 = min(least_6, x_6);
  let index_17 = index + 6;
  let index_18 = row + params.width * max(min(index_17, index_2), 0);
  let x_7 = x[index_18 + max_];
  least_7 = min(least_7, x_7);
  let index_19 = index + 7;
  let index_20 = row + params.width * max(min(index_19, index_2), 0);
  let x_8 = x[index_20 + max_];
  least_8 = min(least_8, x_8);
  let index_21 = index + 8;
  let index_22 = row + params.width * max(min(index_21, index_2), 0);
  let x_9 = x[index_22 + max_];
  least_9 = min(least_9, x_9);
  let index_23 = index + 9;
  let index_24 = row + params.width * max(min(index_23, index_2), 0);
  let x_10 = x[index_24 + max_];
  least_10 = min(least_10, x_10);
  let index_25 = index + 10;
  let index_26 = row + params.width * max(min(index_25, index_2), 0);
  let x_11 = x[index_26 + max_];
  least_11 = min(least_11, x_11);
  let index_27 = index + 11;
  let index_28 = row + params.width * max(min(index_27, index_2), 0);
  let x_12 = x[index_28 + max_];
  least_12 = min(least_12, x_12);
  let index_29 = index + 12;
  let index_30 = row + params.width * max(min(index_29, index_2), 0);
  let x_13 = x[index_30 + max_];
  least_13 = min(least_13, x_13);
  let index_31 = index + 13;
  let index_32 = row + params.width * max(min(index_31, index_2), 0);
  let x_14 = x[index_32 + max_];
  least_14 = min(least_14, x_14);
  let index_33 = index + 14;
  let index_34 = row + params.width * max(min(index_33, index_2), 0);
  let x_15 = x[index_34 + max_];
  least_15 = min(least_15, x_15);
  least_0 = min(least_0, x_);
  least_1 = min(least_1, x_2);
  least_2 = min(least_2, x_3);
  least_3 = min(least_3, x_4);
  least_4 = min(least_4, x_5);
  least_5 = min(least_5, x_6);
  least_6 = min(least_6, x_7);
  least_7 = min(least_7, x_8);
  least_8 = min(least_8, x_9);
  least_9 = min(least_9, x_10);
  least_10 = min(least_10, x_11);
  least_11 = min(least_11, x_12);
  least_12 = min(least_12, x_13);
  least_13 = min(least_13, x_14);
  least_14 = min(least_14, x_15);
  let index_35 = index + 15;
  let index_36 = row + params.width * max(min(index_35, index_2), 0);
  let x_16 = x[index_36 + max_];
  least_15 = min(least_15, x_16);
  least_0 = min(least_0, x_2);
  least_1 = min(least_1, x_3);
  least_2 = min(least_2, x_4);
  least_3 = min(least_3, x_5);
  least_4 = min(least_4, x_6);
  least_5 = min(least_5, x_7);
  least_6 = min(least_6, x_8);
  least_7 = min(least_7, x_9);
  least_8 = min(least_8, x_10);
  least_9 = min(least_9, x_11);
  least_10 = min(least_10, x_12);
  least_11 = min(least_11, x_13);
  least_12 = min(least_12, x_14);
  least_13 = min(least_13, x_15);
  least_14 = min(least_14, x_16);
  let index_37 = row + params.width * max(min(index + 16, index_2), 0);
  least_15 = min(least_15, x[index_37 + max_]);
  let max_2 = max(min(index_4, index_5), 0);
  least_0 = min(least_0, x[index_3 + max_2]);
  let x_17 = x[index_6 + max_2];
  least_1 = min(least_1, x_17);
  let x_18 = x[index_8 + max_2];
  least_2 = min(least_2, x_18);
  let x_19 = x[index_10 + max_2];
  least_3 = min(least_3, x_19);
  let x_20 = x[index_12 + max_2];
  least_4 = min(least_4, x_20);
  let x_21 = x[index_14 + max_2];
  least_5 = min(least_5, x_21);
  let x_22 = x[index_16 + max_2];
  least_6 = min(least_6, x_22);
  let x_23 = x[index_18 + max_2];
  least_7 = min(least_7, x_23);
  let x_24 = x[index_20 + max_2];
  least_8 = min(least_8, x_24);
  let x_25 = x[index_22 + max_2];
  least_9 = min(least_9, x_25);
  let x_26 = x[index_24 + max_2];
  least_10 = min(least_10, x_26);
  let x_27 = x[index_26 + max_2];
  least_11 = min(least_11, x_27);
  let x_28 = x[index_28 + max_2];
  least_12 = min(least_12, x_28);
  let x_29 = x[index_30 + max_2];
  least_13 = min(least_13, x_29);
  let x_30 = x[index_32 + max_2];
  least_14 = min(least_14, x_30);
  let x_31 = x[index_34 + max_2];
  least_15 = min(least_15, x_31);
  least_0 = min(least_0, x_17);
  least_1 = min(least_1, x_18);
  least_2 = min(least_2, x_19);
  least_3 = min(least_3, x_20);
  least_4 = min(least_4, x_21);
  least_5 = min(least_5, x_22);
  least_6 = min(least_6, x_23);
  least_7 = min(least_7, x_24);
  least_8 = min(least_8, x_25);
  least_9 = min(least_9, x_26);
  least_10 = min(least_10, x_27);
  least_11 = min(least_11, x_28);
  least_12 = min(least_12, x_29);
  least_13 = min(least_13, x_30);
  least_14 = min(least_14, x_31);
  let x_32 = x[index_36 + max_2];
  least_15 = min(least_15, x_32);
  least_0 = min(least_0, x_18);
  least_1 = min(least_1, x_19);
  least_2 = min(least_2, x_20);
  least_3 = min(least_3, x_21);
  least_4 = min(least_4, x_22);
  least_5 = min(least_5, x_23);
  least_6 = min(least_6, x_24);
  least_7 = min(least_7, x_25);
  least_8 = min(least_8, x_26);
  least_9 = min(least_9, x_27);
  least_10 = min(least_10, x_28);
  least_11 = min(least_11, x_29);
  least_12 = min(least_12, x_30);
  least_13 = min(least_13, x_31);
  least_14 = min(least_14, x_32);
  least_15 = min(least_15, x[index_37 + max_2]);
  let max_3 = max(min(index_4 + 1, index_5), 0);
  least_0 = min(least_0, x[index_3 + max_3]);
  let x_33 = x[index_6 + max_3];
  least_1 = min(least_1, x_33);
  let x_34 = x[index_8 + max_3];
  least_2 = min(least_2, x_34);
  let x_35 = x[index_10 + max_3];
  least_3 = min(least_3, x_35);
  let x_36 = x[index_12 + max_3];
  least_4 = min(least_4, x_36);
  let x_37 = x[index_14 + max_3];
  least_5 = min(least_5, x_37);
  let x_38 = x[index_16 + max_3];
  least_6 = min(least_6, x_38);
  let x_39 = x[index_18 + max_3];
  least_7 = min(least_7, x_39);
  let x_40 = x[index_20 + max_3];
  least_8 = min(least_8, x_40);
  let x_41 = x[index_22 + max_3];
  least_9 = min(least_9, x_41);
  let x_42 = x[index_24 + max_3];
  least_10 = min(least_10, x_42);
  let x_43 = x[index_26 + max_3];
  least_11 = min(least_11, x_43);
  let x_44 = x[index_28 + max_3];
  least_12 = min(least_12, x_44);
  let x_45 = x[index_30 + max_3];
  least_13 = min(least_13, x_45);
  let x_46 = x[index_32 + max_3];
  least_14 = min(least_14, x_46);
  let x_47 = x[index_34 + max_3];
  least_15 = min(least_15, x_47);
  least_0 = min(least_0, x_33);
  least_1 = min(least_1, x_34);
  least_2 = min(least_2, x_35);
  least_3 = min(least_3, x_36);
  least_4 = min(least_4, x_37);
  least_5 = min(least_5, x_38);
  least_6 = min(least_6, x_39);
  least_7 = min(least_7, x_40);
  least_8 = min(least_8, x_41);
  least_9 = min(least_9, x_42);
  least_10 = min(least_10, x_43);
  least_11 = min(least_11, x_44);
  least_12 = min(least_12, x_45);
  least_13 = min(least_13, x_46);
  least_14 = min(least_14, x_47);
  let x_48 = x[index_36 + max_3];
  least_15 = min(least_15, x_48);
  least_0 = min(least_0, x_34);
  least_1 = min(least_1, x_35);
  least_2 = min(least_2, x_36);
  least_3 = min(least_3, x_37);
  least_4 = min(least_4, x_38);
  least_5 = min(least_5, x_39);
  least_6 = min(least_6, x_40);
  least_7 = min(least_7, x_41);
  least_8 = min(least_8, x_42);
  least_9 = min(least_9, x_43);
  least_10 = min(least_10, x_44);
  least_11 = min(least_11, x_45);
  least_12 = min(least_12, x_46);
  least_13 = min(least_13, x_47);
  least_14 = min(least_14, x_48);
  least_15 = min(least_15, x[index_37 + max_3]);
  let inside = index_4 < params.width;
  let scaled_2 = params.width * block_i * 64;
  let scaled_3 = params.width * thread_i * 16;
  let index_38 = row + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index < params.height)) {
    y[index_38] = least_0;
  }
  let index_39 = row + params.width + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_7 < params.height)) {
    y[index_39] = least_1;
  }
  let index_40 = row + params.width * 2 + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_9 < params.height)) {
    y[index_40] = least_2;
  }
  let index_41 = row + params.width * 3 + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_11 < params.height)) {
    y[index_41] = least_3;
  }
  let index_42 = row + params.width * 4 + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_13 < params.height)) {
    y[index_42] = least_4;
  }
  let index_43 = row + params.width * 5 + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_15 < params.height)) {
    y[index_43] = least_5;
  }
  let index_44 = row + params.width * 6 + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_17 < params.height)) {
    y[index_44] = least_6;
  }
  let index_45 = row + params.width * 7 + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_19 < params.height)) {
    y[index_45] = least_7;
  }
  let index_46 = row + params.width * 8 + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_21 < params.height)) {
    y[index_46] = least_8;
  }
  let index_47 = row + params.width * 9 + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_23 < params.height)) {
    y[index_47] = least_9;
  }
  let index_48 = row + params.width * 10 + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_25 < params.height)) {
    y[index_48] = least_10;
  }
  let index_49 = row + params.width * 11 + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_27 < params.height)) {
    y[index_49] = least_11;
  }
  let index_50 = row + params.width * 12 + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_29 < params.height)) {
    y[index_50] = least_12;
  }
  let index_51 = row + params.width * 13 + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_31 < params.height)) {
    y[index_51] = least_13;
  }
  let index_52 = row + params.width * 14 + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_33 < params.height)) {
    y[index_52] = least_14;
  }
  let index_53 = row + params.width * 15 + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_35 < params.height)) {
    y[index_53] = least_15;
  }
}
`

/** `const { y } = erode3({ x })` */
export const erode3: Operation<Erode3Arguments, Erode3Results> = /* @__PURE__ */ operation({
  format: 1,
  name: "erode3",
  sizes: [{"name":"planes","min":0},{"name":"height","min":0},{"name":"width","min":0}],
  scalars: [],
  arrays: [{"name":"x","type":"f32","shape":["planes","height","width"],"role":"in"},{"name":"y","type":"f32","shape":["planes","height","width"],"role":"out"}],
  variants: [{"when":["lor","bool",["lor","bool",["lt","bool","planes",1],["lt","bool","height",1]],["lt","bool","width",1]],"launches":[],"steps":[]},{"when":null,"launches":[{"text":0,"entry":"erode3","grid":[["div","i32",["add","i32","width",63],64],["div","i32",["add","i32","height",63],64],"planes"],"bind":[["x","read"],["y","read-write"]],"params":[["i32","height"],["i32","width"]]}],"steps":[0]}],
  texts: [kernel0],
})
