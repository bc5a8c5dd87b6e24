// Made by Tesela from resize_bilinear of resampling.c. Not written by hand: change that and build again.
// Proved against the C in float64 at planes = 67, height = 65, width = 63, rows = 61, columns = 59; planes = 37, height = 35, width = 33, rows = 31, columns = 29; planes = 3, height = 144, width = 140, rows = 136, columns = 132; planes = 16, height = 16, width = 16, rows = 16, columns = 16:
// largest relative error 1.1e-7, 2.1e-4 allowed.
// On h200 at planes = 64, height = 1024, width = 1024, rows = 1024, columns = 1024: 162 µs predicted, and no schedule takes less than 61.6 µs.
import { operation, type Operation, type Tensor } from '../../../kernels/index.ts'

export interface ResizeBilinearArguments {
  /** [planes, height, width] */
  readonly x: Tensor<'f32'>
  /** No shape says it. */
  readonly rows: number
  /** No shape says it. */
  readonly columns: number
}

export interface ResizeBilinearResults {
  /** [planes, rows, columns] */
  readonly y: Tensor<'f32'>
}

const kernel0 = /* wgsl */ `struct Params {
  blocks_1: i32,
  height: i32,
  rows: i32,
  blocks_2: i32,
  width: i32,
  columns: i32,
}

@group(0) @binding(0) var<storage, read_write> down: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> across: array<vec4<f32>>;
@group(0) @binding(2) var<uniform> params: Params;

// A significand beside a power of two, which is 2^25, in half units of those below it.
fn near_power_of_2(significand: u32, is_below: bool) -> u32 {
  return select(0x2000000u + 4u * (significand - 0x800000u), 2u * significand, is_below);
}

// What is counted so, and is_more than that, rounded to nearest, ties to even.
// exponent: of the power.
fn rounded_bits(sign: u32, exponent: u32, bits: u32, is_more: bool) -> f32 {
  let is_below = bits < 0x2000000u;
  let shift = select(2u, 1u, is_below);
  let whole = bits >> shift;
  let rest = bits - (whole << shift);
  let half = shift; // of 2 and of 4
  let up = rest > half || (rest == half && (is_more || (whole & 1u) == 1u));
  let own_exponent = select(exponent, exponent - 1u, is_below);
  return bitcast<f32>(sign | ((own_exponent << 23u) + (whole - 0x800000u) + u32(up)));
}

// a / b rounded to nearest: the device's quotient may be a few units off, and what is left over is known exactly
// modulo 2^32, from significands; no quotient lies half way between two numbers. Zeros, denormals and what is not
// finite stay as they are.
fn div_f32(a: f32, b: f32) -> f32 {
  let near = a / b;
  let bits = bitcast<u32>(near);
  let ua = bitcast<u32>(a) & 0x7fffffffu;
  let ub = bitcast<u32>(b) & 0x7fffffffu;
  let ma = (ua & 0x7fffffu) | 0x800000u;
  let mb = (ub & 0x7fffffu) | 0x800000u;
  let mq = (bits & 0x7fffffu) | 0x800000u;
  let eq = (bits >> 23u) & 255u;
  let scale = (ua >> 23u) - (ub >> 23u) - eq;
  let left = bitcast<i32>((ma << ((scale + 150u) & 31u)) - mq * mb);
  let is_normal = (ua - 0x800000u < 0x7f000000u) & (ub - 0x800000u < 0x7f000000u) & (eq - 2u < 252u);
  if ((left == 0) | !is_normal) {
    return near;
  }
  if (mq - 0x800008u >= 0x7ffff0u) {
    let is_below = mq > 0xc00000u;
    let power = eq + u32(is_below);
    let low = near_power_of_2(mq, is_below) - 16u;
    let rest = (ma << ((scale + 152u - u32(is_below)) & 31u)) - low * mb;
    let more = rest / mb;
    return rounded_bits(bits & 0x80000000u, power, low + more, rest != more * mb);
  }
  let unit = bitcast<i32>(mb);
  let rest = abs(left);
  let rest_2 = select(rest, rest - unit, 2 * rest > unit);
  let rest_3 = select(rest_2, rest_2 - unit, 2 * rest_2 > unit);
  let units = u32(2 * rest > unit) + u32(2 * rest_2 > unit) + u32(2 * rest_3 > unit);
  return bitcast<f32>(select(bits + units, bits - units, left < 0));
}

@compute @workgroup_size(256)
fn resize_bilinear_1_together(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_rank: u32,
) {
  let block = i32(workgroup_id.y * 32768u + workgroup_id.x);
  if (block < params.blocks_1) {
    let block_j = block;
    let thread = i32(local_rank);
    let index = block_j * 1024 + thread * 4;
    let index_2 = index + 1;
    let index_3 = index + 2;
    let index_4 = index + 3;
    let index_5 = block_j * 256 + thread;
    if (index < params.rows) {
      let convert = f32(params.height);
      let convert_2 = f32(params.rows);
      down[index_5] = vec4<f32>(div_f32((f32(index) + 0.5) * convert, convert_2) - 0.5, div_f32((f32(index_2) + 0.5) * convert, convert_2) - 0.5, div_f32((f32(index_3) + 0.5) * convert, convert_2) - 0.5, div_f32((f32(index_4) + 0.5) * convert, convert_2) - 0.5);
    }
  } else if (block < params.blocks_2) {
    let block_j = block - params.blocks_1;
    let thread = i32(local_rank);
    let index = block_j * 1024 + thread * 4;
    let index_2 = index + 1;
    let index_3 = index + 2;
    let index_4 = index + 3;
    let index_5 = block_j * 256 + thread;
    if (index < params.columns) {
      let convert = f32(params.width);
      let convert_2 = f32(params.columns);
      across[index_5] = vec4<f32>(div_f32((f32(index) + 0.5) * convert, convert_2) - 0.5, div_f32((f32(index_2) + 0.5) * convert, convert_2) - 0.5, div_f32((f32(index_3) + 0.5) * convert, convert_2) - 0.5, div_f32((f32(index_4) + 0.5) * convert, convert_2) - 0.5);
    }
  }
}
`

const kernel1 = /* wgsl */ `struct Params {
  height: i32,
  width: i32,
  rows: i32,
  columns: i32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<storage, read> down: array<f32>;
@group(0) @binding(3) var<storage, read> across: array<f32>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(256)
fn resize_bilinear_3(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_rank: u32,
) {
  let p = i32(workgroup_id.z);
  let block_i = i32(workgroup_id.y);
  let thread = i32(local_rank);
  let thread_i = thread / 32;
  let thread_j = thread % 32;
  let scaled = i32(workgroup_id.x) * 32;
  let index = scaled + thread_j;
  let inside = index < params.columns;
  let index_2 = block_i * 128 + thread_i * 16;
  let row = params.columns * params.rows * p;
  let scaled_2 = params.columns * block_i * 128;
  let scaled_3 = params.columns * thread_i * 16;
  let index_3 = row + scaled_2 + scaled_3 + scaled + thread_j;
  let row_2 = params.height * params.width * p;
  let index_4 = params.height - 1;
  let index_5 = params.width - 1;
  if (inside & (index_2 < params.rows)) {
    let down_ = down[index_2];
    let floor_ = floor(down_);
    let sub = down_ - floor_;
    let across_ = across[index];
    let floor_2 = floor(across_);
    let sub_2 = across_ - floor_2;
    let sub_3 = 1.0 - sub_2;
    let convert = i32(floor_);
    let index_6 = row_2 + params.width * select(select(convert, index_4, convert >= params.height), 0, convert < 0);
    let convert_2 = i32(floor_2);
    let place = select(select(convert_2, index_5, convert_2 >= params.width), 0, convert_2 < 0);
    let mul = sub_3 * x[index_6 + place];
    let index_7 = convert_2 + 1;
    let place_2 = select(select(index_7, index_5, index_7 >= params.width), 0, index_7 < 0);
    let mul_2 = (1.0 - sub) * (mul + sub_2 * x[index_6 + place_2]);
    let index_8 = convert + 1;
    let index_9 = row_2 + params.width * select(select(index_8, index_4, index_8 >= params.height), 0, index_8 < 0);
    y[index_3] = mul_2 + sub * (sub_3 * x[index_9 + place] + sub_2 * x[index_9 + place_2]);
  }
  let index_6 = index_2 + 1;
  let index_7 = params.columns + row + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_6 < params.rows)) {
    let down_ = down[index_6];
    let floor_ = floor(down_);
    let sub = down_ - floor_;
    let across_ = across[index];
    let floor_2 = floor(across_);
    let sub_2 = across_ - floor_2;
    let sub_3 = 1.0 - sub_2;
    let convert = i32(floor_);
    let index_8 = row_2 + params.width * select(select(convert, index_4, convert >= params.height), 0, convert < 0);
    let convert_2 = i32(floor_2);
    let place = select(select(convert_2, index_5, convert_2 >= params.width), 0, convert_2 < 0);
    let mul = sub_3 * x[index_8 + place];
    let index_9 = convert_2 + 1;
    let place_2 = select(select(index_9, index_5, index_9 >= params.width), 0, index_9 < 0);
    let mul_2 = (1.0 - sub) * (mul + sub_2 * x[index_8 + place_2]);
    let index_10 = convert + 1;
    let index_11 = row_2 + params.width * select(select(index_10, index_4, index_10 >= params.height), 0, index_10 < 0);
    y[index_7] = mul_2 + sub * (sub_3 * x[index_11 + place] + sub_2 * x[index_11 + place_2]);
  }
  let index_8 = index_2 + 2;
  let index_9 = params.columns * 2 + row + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_8 < params.rows)) {
    let down_ = down[index_8];
    let floor_ = floor(down_);
    let sub = down_ - floor_;
    let across_ = across[index];
    let floor_2 = floor(across_);
    let sub_2 = across_ - floor_2;
    let sub_3 = 1.0 - sub_2;
    let convert = i32(floor_);
    let index_10 = row_2 + params.width * select(select(convert, index_4, convert >= params.height), 0, convert < 0);
    let convert_2 = i32(floor_2);
    let place = select(select(convert_2, index_5, convert_2 >= params.width), 0, convert_2 < 0);
    let mul = sub_3 * x[index_10 + place];
    let index_11 = convert_2 + 1;
    let place_2 = select(select(index_11, index_5, index_11 >= params.width), 0, index_11 < 0);
    let mul_2 = (1.0 - sub) * (mul + sub_2 * x[index_10 + place_2]);
    let index_12 = convert + 1;
    let index_13 = row_2 + params.width * select(select(index_12, index_4, index_12 >= params.height), 0, index_12 < 0);
    y[index_9] = mul_2 + sub * (sub_3 * x[index_13 + place] + sub_2 * x[index_13 + place_2]);
  }
  let index_10 = index_2 + 3;
  let index_11 = params.columns * 3 + row + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_10 < params.rows)) {
    let down_ = down[index_10];
    let floor_ = floor(down_);
    let sub = down_ - floor_;
    let across_ = across[index];
    let floor_2 = floor(across_);
    let sub_2 = across_ - floor_2;
    let sub_3 = 1.0 - sub_2;
    let convert = i32(floor_);
    let index_12 = row_2 + params.width * select(select(convert, index_4, convert >= params.height), 0, convert < 0);
    let convert_2 = i32(floor_2);
    let place = select(select(convert_2, index_5, convert_2 >= params.width), 0, convert_2 < 0);
    let mul = sub_3 * x[index_12 + place];
    let index_13 = convert_2 + 1;
    let place_2 = select(select(index_13, index_5, index_13 >= params.width), 0, index_13 < 0);
    let mul_2 = (1.0 - sub) * (mul + sub_2 * x[index_12 + place_2]);
    let index_14 = convert + 1;
    let index_15 = row_2 + params.width * select(select(index_14, index_4, index_14 >= params.height), 0, index_14 < 0);
    y[index_11] = mul_2 + sub * (sub_3 * x[index_15 + place] + sub_2 * x[index_15 + place_2]);
  }
  let index_12 = index_2 + 4;
  let index_13 = params.columns * 4 + row + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_12 < params.rows)) {
    let down_ = down[index_12];
    let floor_ = floor(down_);
    let sub = down_ - floor_;
    let across_ = across[index];
    let floor_2 = floor(across_);
    let sub_2 = across_ - floor_2;
    let sub_3 = 1.0 - sub_2;
    let convert = i32(floor_);
    let index_14 = row_2 + params.width * select(select(convert, index_4, convert >= params.height), 0, convert < 0);
    let convert_2 = i32(floor_2);
    let place = select(select(convert_2, index_5, convert_2 >= params.width), 0, convert_2 < 0);
    let mul = sub_3 * x[index_14 + place];
    let index_15 = convert_2 + 1;
    let place_2 = select(select(index_15, index_5, index_15 >= params.width), 0, index_15 < 0);
    let mul_2 = (1.0 - sub) * (mul + sub_2 * x[index_14 + place_2]);
    let index_16 = convert + 1;
    let index_17 = row_2 + params.width * select(select(index_16, index_4, index_16 >= params.height), 0, index_16 < 0);
    y[index_13] = mul_2 + sub * (sub_3 * x[index_17 + place] + sub_2 * x[index_17 + place_2]);
  }
  let index_14 = index_2 + 5;
  let index_15 = params.columns * 5 + row + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_14 < params.rows)) {
    let down_ = down[index_14];
    let floor_ = floor(down_);
    let sub = down_ - floor_;
    let across_ = across[index];
    let floor_2 = floor(across_);
    let sub_2 = across_ - floor_2;
    let sub_3 = 1.0 - sub_2;
    let convert = i32(floor_);
    let index_16 = row_2 + params.width * select(select(convert, index_4, convert >= params.height), 0, convert < 0);
    let convert_2 = i32(floor_2);
    let place = select(select(convert_2, index_5, convert_2 >= params.width), 0, convert_2 < 0);
    let mul = sub_3 * x[index_16 + place];
    let index_17 = convert_2 + 1;
    let place_2 = select(select(index_17, index_5, index_17 >= params.width), 0, index_17 < 0);
    let mul_2 = (1.0 - sub) * (mul + sub_2 * x[index_16 + place_2]);
    let index_18 = convert + 1;
    let index_19 = row_2 + params.width * select(select(index_18, index_4, index_18 >= params.height), 0, index_18 < 0);
    y[index_15] = mul_2 + sub * (sub_3 * x[index_19 + place] + sub_2 * x[index_19 + place_2]);
  }
  let index_16 = index_2 + 6;
  let index_17 = params.columns * 6 + row + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_16 < params.rows)) {
    let down_ = down[index_16];
    let floor_ = floor(down_);
    let sub = down_ - floor_;
    let across_ = across[index];
    let floor_2 = floor(across_);
    let sub_2 = across_ - floor_2;
    let sub_3 = 1.0 - sub_2;
    let convert = i32(floor_);
    let index_18 = row_2 + params.width * select(select(convert, index_4, convert >= params.height), 0, convert < 0);
    let convert_2 = i32(floor_2);
    let place = select(select(convert_2, index_5, convert_2 >= params.width), 0, convert_2 < 0);
    let mul = sub_3 * x[index_18 + place];
    let index_19 = convert_2 + 1;
    let place_2 = select(select(index_19, index_5, index_19 >= params.width), 0, index_19 < 0);
    let mul_2 = (1.0 - sub) * (mul + sub_2 * x[index_18 + place_2]);
    let index_20 = convert + 1;
    let index_21 = row_2 + params.width * select(select(index_20, index_4, index_20 >= params.height), 0, index_20 < 0);
    y[index_17] = mul_2 + sub * (sub_3 * x[index_21 + place] + sub_2 * x[index_21 + place_2]);
  }
  let index_18 = index_2 + 7;
  let index_19 = params.columns * 7 + row + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_18 < params.rows)) {
    let down_ = down[index_18];
    let floor_ = floor(down_);
    let sub = down_ - floor_;
    let across_ = across[index];
    let floor_2 = floor(across_);
    let sub_2 = across_ - floor_2;
    let sub_3 = 1.0 - sub_2;
    let convert = i32(floor_);
    let index_20 = row_2 + params.width * select(select(convert, index_4, convert >= params.height), 0, convert < 0);
    let convert_2 = i32(floor_2);
    let place = select(select(convert_2, index_5, convert_2 >= params.width), 0, convert_2 < 0);
    let mul = sub_3 * x[index_20 + place];
    let index_21 = convert_2 + 1;
    let place_2 = select(select(index_21, index_5, index_21 >= params.width), 0, index_21 < 0);
    let mul_2 = (1.0 - sub) * (mul + sub_2 * x[index_20 + place_2]);
    let index_22 = convert + 1;
    let index_23 = row_2 + params.width * select(select(index_22, index_4, index_22 >= params.height), 0, index_22 < 0);
    y[index_19] = mul_2 + sub * (sub_3 * x[index_23 + place] + sub_2 * x[index_23 + place_2]);
  }
  let index_20 = index_2 + 8;
  let index_21 = params.columns * 8 + row + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_20 < params.rows)) {
    let down_ = down[index_20];
    let floor_ = floor(down_);
    let sub = down_ - floor_;
    let across_ = across[index];
    let floor_2 = floor(across_);
    let sub_2 = across_ - floor_2;
    let sub_3 = 1.0 - sub_2;
    let convert = i32(floor_);
    let index_22 = row_2 + params.width * select(select(convert, index_4, convert >= params.height), 0, convert < 0);
    let convert_2 = i32(floor_2);
    let place = select(select(convert_2, index_5, convert_2 >= params.width), 0, convert_2 < 0);
    let mul = sub_3 * x[index_22 + place];
    let index_23 = convert_2 + 1;
    let place_2 = select(select(index_23, index_5, index_23 >= params.width), 0, index_23 < 0);
    let mul_2 = (1.0 - sub) * (mul + sub_2 * x[index_22 + place_2]);
    let index_24 = convert + 1;
    let index_25 = row_2 + params.width * select(select(index_24, index_4, index_24 >= params.height), 0, index_24 < 0);
    y[index_21] = mul_2 + sub * (sub_3 * x[index_25 + place] + sub_2 * x[index_25 + place_2]);
  }
  let index_22 = index_2 + 9;
  let index_23 = params.columns * 9 + row + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_22 < params.rows)) {
    let down_ = down[index_22];
    let floor_ = floor(down_);
    let sub = down_ - floor_;
    let across_ = across[index];
    let floor_2 = floor(across_);
    let sub_2 = across_ - floor_2;
    let sub_3 = 1.0 - sub_2;
    let convert = i32(floor_);
    let index_24 = row_2 + params.width * select(select(convert, index_4, convert >= params.height), 0, convert < 0);
    let convert_2 = i32(floor_2);
    let place = select(select(convert_2, index_5, convert_2 >= params.width), 0, convert_2 < 0);
    let mul = sub_3 * x[index_24 + place];
    let index_25 = convert_2 + 1;
    let place_2 = select(select(index_25, index_5, index_25 >= params.width), 0, index_25 < 0);
    let mul_2 = (1.0 - sub) * (mul + sub_2 * x[index_24 + place_2]);
    let index_26 = convert + 1;
    let index_27 = row_2 + params.width * select(select(index_26, index_4, index_26 >= params.height), 0, index_26 < 0);
    y[index_23] = mul_2 + sub * (sub_3 * x[index_27 + place] + sub_2 * x[index_27 + place_2]);
  }
  let index_24 = index_2 + 10;
  let index_25 = params.columns * 10 + row + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_24 < params.rows)) {
    let down_ = down[index_24];
    let floor_ = floor(down_);
    let sub = down_ - floor_;
    let across_ = across[index];
    let floor_2 = floor(across_);
    let sub_2 = across_ - floor_2;
    let sub_3 = 1.0 - sub_2;
    let convert = i32(floor_);
    let index_26 = row_2 + params.width * select(select(convert, index_4, convert >= params.height), 0, convert < 0);
    let convert_2 = i32(floor_2);
    let place = select(select(convert_2, index_5, convert_2 >= params.width), 0, convert_2 < 0);
    let mul = sub_3 * x[index_26 + place];
    let index_27 = convert_2 + 1;
    let place_2 = select(select(index_27, index_5, index_27 >= params.width), 0, index_27 < 0);
    let mul_2 = (1.0 - sub) * (mul + sub_2 * x[index_26 + place_2]);
    let index_28 = convert + 1;
    let index_29 = row_2 + params.width * select(select(index_28, index_4, index_28 >= params.height), 0, index_28 < 0);
    y[index_25] = mul_2 + sub * (sub_3 * x[index_29 + place] + sub_2 * x[index_29 + place_2]);
  }
  let index_26 = index_2 + 11;
  let index_27 = params.columns * 11 + row + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_26 < params.rows)) {
    let down_ = down[index_26];
    let floor_ = floor(down_);
    let sub = down_ - floor_;
    let across_ = across[index];
    let floor_2 = floor(across_);
    let sub_2 = across_ - floor_2;
    let sub_3 = 1.0 - sub_2;
    let convert = i32(floor_);
    let index_28 = row_2 + params.width * select(select(convert, index_4, convert >= params.height), 0, convert < 0);
    let convert_2 = i32(floor_2);
    let place = select(select(convert_2, index_5, convert_2 >= params.width), 0, convert_2 < 0);
    let mul = sub_3 * x[index_28 + place];
    let index_29 = convert_2 + 1;
    let place_2 = select(select(index_29, index_5, index_29 >= params.width), 0, index_29 < 0);
    let mul_2 = (1.0 - sub) * (mul + sub_2 * x[index_28 + place_2]);
    let index_30 = convert + 1;
    let index_31 = row_2 + params.width * select(select(index_30, index_4, index_30 >= params.height), 0, index_30 < 0);
    y[index_27] = mul_2 + sub * (sub_3 * x[index_31 + place] + sub_2 * x[index_31 + place_2]);
  }
  let index_28 = index_2 + 12;
  let index_29 = params.columns * 12 + row + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_28 < params.rows)) {
    let down_ = down[index_28];
    let floor_ = floor(down_);
    let sub = down_ - floor_;
    let across_ = across[index];
    let floor_2 = floor(across_);
    let sub_2 = across_ - floor_2;
    let sub_3 = 1.0 - sub_2;
    let convert = i32(floor_);
    let index_30 = row_2 + params.width * select(select(convert, index_4, convert >= params.height), 0, convert < 0);
    let convert_2 = i32(floor_2);
    let place = select(select(convert_2, index_5, convert_2 >= params.width), 0, convert_2 < 0);
    let mul = sub_3 * x[index_30 + place];
    let index_31 = convert_2 + 1;
    let place_2 = select(select(index_31, index_5, index_31 >= params.width), 0, index_31 < 0);
    let mul_2 = (1.0 - sub) * (mul + sub_2 * x[index_30 + place_2]);
    let index_32 = convert + 1;
    let index_33 = row_2 + params.width * select(select(index_32, index_4, index_32 >= params.height), 0, index_32 < 0);
    y[index_29] = mul_2 + sub * (sub_3 * x[index_33 + place] + sub_2 * x[index_33 + place_2]);
  }
  let index_30 = index_2 + 13;
  let index_31 = params.columns * 13 + row + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_30 < params.rows)) {
    let down_ = down[index_30];
    let floor_ = floor(down_);
    let sub = down_ - floor_;
    let across_ = across[index];
    let floor_2 = floor(across_);
    let sub_2 = across_ - floor_2;
    let sub_3 = 1.0 - sub_2;
    let convert = i32(floor_);
    let index_32 = row_2 + params.width * select(select(convert, index_4, convert >= params.height), 0, convert < 0);
    let convert_2 = i32(floor_2);
    let place = select(select(convert_2, index_5, convert_2 >= params.width), 0, convert_2 < 0);
    let mul = sub_3 * x[index_32 + place];
    let index_33 = convert_2 + 1;
    let place_2 = select(select(index_33, index_5, index_33 >= params.width), 0, index_33 < 0);
    let mul_2 = (1.0 - sub) * (mul + sub_2 * x[index_32 + place_2]);
    let index_34 = convert + 1;
    let index_35 = row_2 + params.width * select(select(index_34, index_4, index_34 >= params.height), 0, index_34 < 0);
    y[index_31] = mul_2 + sub * (sub_3 * x[index_35 + place] + sub_2 * x[index_35 + place_2]);
  }
  let index_32 = index_2 + 14;
  let index_33 = params.columns * 14 + row + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_32 < params.rows)) {
    let down_ = down[index_32];
    let floor_ = floor(down_);
    let sub = down_ - floor_;
    let across_ = across[index];
    let floor_2 = floor(across_);
    let sub_2 = across_ - floor_2;
    let sub_3 = 1.0 - sub_2;
    let convert = i32(floor_);
    let index_34 = row_2 + params.width * select(select(convert, index_4, convert >= params.height), 0, convert < 0);
    let convert_2 = i32(floor_2);
    let place = select(select(convert_2, index_5, convert_2 >= params.width), 0, convert_2 < 0);
    let mul = sub_3 * x[index_34 + place];
    let index_35 = convert_2 + 1;
    let place_2 = select(select(index_35, index_5, index_35 >= params.width), 0, index_35 < 0);
    let mul_2 = (1.0 - sub) * (mul + sub_2 * x[index_34 + place_2]);
    let index_36 = convert + 1;
    let index_37 = row_2 + params.width * select(select(index_36, index_4, index_36 >= params.height), 0, index_36 < 0);
    y[index_33] = mul_2 + sub * (sub_3 * x[index_37 + place] + sub_2 * x[index_37 + place_2]);
  }
  let index_34 = index_2 + 15;
  let index_35 = params.columns * 15 + row + scaled_2 + scaled_3 + scaled + thread_j;
  if (inside & (index_34 < params.rows)) {
    let down_ = down[index_34];
    let floor_ = floor(down_);
    let sub = down_ - floor_;
    let across_ = across[index];
    let floor_2 = floor(across_);
    let sub_2 = across_ - floor_2;
    let sub_3 = 1.0 - sub_2;
    let convert = i32(floor_);
    let index_36 = row_2 + params.width * select(select(convert, index_4, convert >= params.height), 0, convert < 0);
    let convert_2 = i32(floor_2);
    let place = select(select(convert_2, index_5, convert_2 >= params.width), 0, convert_2 < 0);
    let mul = sub_3 * x[index_36 + place];
    let index_37 = convert_2 + 1;
    let place_2 = select(select(index_37, index_5, index_37 >= params.width), 0, index_37 < 0);
    let mul_2 = (1.0 - sub) * (mul + sub_2 * x[index_36 + place_2]);
    let index_38 = convert + 1;
    let index_39 = row_2 + params.width * select(select(index_38, index_4, index_38 >= params.height), 0, index_38 < 0);
    y[index_35] = mul_2 + sub * (sub_3 * x[index_39 + place] + sub_2 * x[index_39 + place_2]);
  }
}
`

const kernel2 = /* wgsl */ `struct Params {
  blocks_1: i32,
  height: i32,
  rows: i32,
  blocks_2: i32,
  width: i32,
  columns: i32,
}

@group(0) @binding(0) var<storage, read_write> down: array<f32>;
@group(0) @binding(1) var<storage, read_write> across: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

// A significand beside a power of two, which is 2^25, in half units of those below it.
fn near_power_of_2(significand: u32, is_below: bool) -> u32 {
  return select(0x2000000u + 4u * (significand - 0x800000u), 2u * significand, is_below);
}

// What is counted so, and is_more than that, rounded to nearest, ties to even.
// exponent: of the power.
fn rounded_bits(sign: u32, exponent: u32, bits: u32, is_more: bool) -> f32 {
  let is_below = bits < 0x2000000u;
  let shift = select(2u, 1u, is_below);
  let whole = bits >> shift;
  let rest = bits - (whole << shift);
  let half = shift; // of 2 and of 4
  let up = rest > half || (rest == half && (is_more || (whole & 1u) == 1u));
  let own_exponent = select(exponent, exponent - 1u, is_below);
  return bitcast<f32>(sign | ((own_exponent << 23u) + (whole - 0x800000u) + u32(up)));
}

// a / b rounded to nearest: the device's quotient may be a few units off, and what is left over is known exactly
// modulo 2^32, from significands; no quotient lies half way between two numbers. Zeros, denormals and what is not
// finite stay as they are.
fn div_f32(a: f32, b: f32) -> f32 {
  let near = a / b;
  let bits = bitcast<u32>(near);
  let ua = bitcast<u32>(a) & 0x7fffffffu;
  let ub = bitcast<u32>(b) & 0x7fffffffu;
  let ma = (ua & 0x7fffffu) | 0x800000u;
  let mb = (ub & 0x7fffffu) | 0x800000u;
  let mq = (bits & 0x7fffffu) | 0x800000u;
  let eq = (bits >> 23u) & 255u;
  let scale = (ua >> 23u) - (ub >> 23u) - eq;
  let left = bitcast<i32>((ma << ((scale + 150u) & 31u)) - mq * mb);
  let is_normal = (ua - 0x800000u < 0x7f000000u) & (ub - 0x800000u < 0x7f000000u) & (eq - 2u < 252u);
  if ((left == 0) | !is_normal) {
    return near;
  }
  if (mq - 0x800008u >= 0x7ffff0u) {
    let is_below = mq > 0xc00000u;
    let power = eq + u32(is_below);
    let low = near_power_of_2(mq, is_below) - 16u;
    let rest = (ma << ((scale + 152u - u32(is_below)) & 31u)) - low * mb;
    let more = rest / mb;
    return rounded_bits(bits & 0x80000000u, power, low + more, rest != more * mb);
  }
  let unit = bitcast<i32>(mb);
  let rest = abs(left);
  let rest_2 = select(rest, rest - unit, 2 * rest > unit);
  let rest_3 = select(rest_2, rest_2 - unit, 2 * rest_2 > unit);
  let units = u32(2 * rest > unit) + u32(2 * rest_2 > unit) + u32(2 * rest_3 > unit);
  return bitcast<f32>(select(bits + units, bits - units, left < 0));
}

@compute @workgroup_size(256)
fn resize_bilinear_1_together(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_rank: u32,
) {
  let block = i32(workgroup_id.y * 32768u + workgroup_id.x);
  if (block < params.blocks_1) {
    let index = block * 1024 + i32(local_rank) * 4;
    if (index < params.rows) {
      down[index] = div_f32((f32(index) + 0.5) * f32(params.height), f32(params.rows)) - 0.5;
    }
    let index_2 = index + 1;
    if (index_2 < params.rows) {
      down[index_2] = div_f32((f32(index_2) + 0.5) * f32(params.height), f32(params.rows)) - 0.5;
    }
    let index_3 = index + 2;
    if (index_3 < params.rows) {
      down[index_3] = div_f32((f32(index_3) + 0.5) * f32(params.height), f32(params.rows)) - 0.5;
    }
    let index_4 = index + 3;
    if (index_4 < params.rows) {
      down[index_4] = div_f32((f32(index_4) + 0.5) * f32(params.height), f32(params.rows)) - 0.5;
    }
  } else if (block < params.blocks_2) {
    let index = (block - params.blocks_1) * 1024 + i32(local_rank) * 4;
    if (index < params.columns) {
      across[index] = div_f32((f32(index) + 0.5) * f32(params.width), f32(params.columns)) - 0.5;
    }
    let index_2 = index + 1;
    if (index_2 < params.columns) {
      across[index_2] = div_f32((f32(index_2) + 0.5) * f32(params.width), f32(params.columns)) - 0.5;
    }
    let index_3 = index + 2;
    if (index_3 < params.columns) {
      across[index_3] = div_f32((f32(index_3) + 0.5) * f32(params.width), f32(params.columns)) - 0.5;
    }
    let index_4 = index + 3;
    if (index_4 < params.columns) {
      across[index_4] = div_f32((f32(index_4) + 0.5) * f32(params.width), f32(params.columns)) - 0.5;
    }
  }
}
`

/** `const { y } = resizeBilinear({ x, rows, columns })` */
export const resizeBilinear: Operation<ResizeBilinearArguments, ResizeBilinearResults> = /* @__PURE__ */ operation({
  format: 1,
  name: "resize_bilinear",
  sizes: [{"name":"planes","min":0},{"name":"height","min":0},{"name":"width","min":0},{"name":"rows","min":0},{"name":"columns","min":0}],
  scalars: [],
  arrays: [{"name":"x","type":"f32","shape":["planes","height","width"],"role":"in"},{"name":"y","type":"f32","shape":["planes","rows","columns"],"role":"out"},{"name":"down","type":"u32","shape":["rows"],"role":"temp"},{"name":"across","type":"u32","shape":["columns"],"role":"temp"}],
  variants: [{"when":["lor","bool",["lor","bool",["lt","bool","planes",1],["lt","bool","rows",1]],["lt","bool","columns",1]],"launches":[],"steps":[]},{"when":["lt","bool","height",1],"refusal":"resize_bilinear: height must be at least 1","launches":[],"steps":[]},{"when":["lt","bool","width",1],"refusal":"resize_bilinear: width must be at least 1","launches":[],"steps":[]},{"when":["land","bool",["land","bool",["eq","bool",["rem","i32","rows",4],0],["eq","bool",["rem","i32","columns",4],0]],["eq","bool",["rem","i32","width",4],0]],"launches":[{"text":0,"entry":"resize_bilinear_1_together","grid":[["min","i32",["add","i32",["max","i32",["div","i32",["add","i32","rows",1023],1024],0],["max","i32",["div","i32",["add","i32","columns",1023],1024],0]],32768],["div","i32",["add","i32",["add","i32",["max","i32",["div","i32",["add","i32","rows",1023],1024],0],["max","i32",["div","i32",["add","i32","columns",1023],1024],0]],32767],32768],1],"bind":[["down","read-write"],["across","read-write"]],"params":[["i32",["max","i32",["div","i32",["add","i32","rows",1023],1024],0]],["i32","height"],["i32","rows"],["i32",["add","i32",["max","i32",["div","i32",["add","i32","rows",1023],1024],0],["max","i32",["div","i32",["add","i32","columns",1023],1024],0]]],["i32","width"],["i32","columns"]]},{"text":1,"entry":"resize_bilinear_3","grid":[["div","i32",["add","i32","columns",31],32],["div","i32",["add","i32","rows",127],128],"planes"],"bind":[["x","read"],["y","read-write"],["down","read"],["across","read"]],"params":[["i32","height"],["i32","width"],["i32","rows"],["i32","columns"]]}],"steps":[0,1]},{"when":null,"launches":[{"text":2,"entry":"resize_bilinear_1_together","grid":[["min","i32",["add","i32",["max","i32",["div","i32",["add","i32","rows",1023],1024],0],["max","i32",["div","i32",["add","i32","columns",1023],1024],0]],32768],["div","i32",["add","i32",["add","i32",["max","i32",["div","i32",["add","i32","rows",1023],1024],0],["max","i32",["div","i32",["add","i32","columns",1023],1024],0]],32767],32768],1],"bind":[["down","read-write"],["across","read-write"]],"params":[["i32",["max","i32",["div","i32",["add","i32","rows",1023],1024],0]],["i32","height"],["i32","rows"],["i32",["add","i32",["max","i32",["div","i32",["add","i32","rows",1023],1024],0],["max","i32",["div","i32",["add","i32","columns",1023],1024],0]]],["i32","width"],["i32","columns"]]},{"text":1,"entry":"resize_bilinear_3","grid":[["div","i32",["add","i32","columns",31],32],["div","i32",["add","i32","rows",127],128],"planes"],"bind":[["x","read"],["y","read-write"],["down","read"],["across","read"]],"params":[["i32","height"],["i32","width"],["i32","rows"],["i32","columns"]]}],"steps":[0,1]}],
  texts: [kernel0, kernel1, kernel2],
})
