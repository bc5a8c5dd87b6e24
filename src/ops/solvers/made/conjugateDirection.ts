// Made by Tesela from conjugate_direction of solvers.c. Not written by hand: change that and build again.
// Proved against the C in float64 at length = 30011; length = 257; length = 30012; length = 144:
// largest relative error 1.1e-7, 5.4e-3 allowed.
// On h200 at length = 16777216: 47.0 µs predicted, and no schedule takes less than 46.6 µs.
import { operation, type Operation, type Tensor } from '../../../kernels/index.ts'

export interface ConjugateDirectionArguments {
  /** [length] */
  readonly r: Tensor<'f32'>
  /** [length], changed */
  readonly p: Tensor<'f32'>
  readonly beta: number
}

export interface ConjugateDirectionResults {
  /** [length], changed */
  readonly p: Tensor<'f32'>
}

const kernel0 = /* wgsl */ `struct Params {
  length_: i32,
  beta: f32,
}

@group(0) @binding(0) var<storage, read> r: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> p: array<vec4<f32>>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(256)
fn conjugate_direction(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_rank: u32,
) {
  let block_j = i32(workgroup_id.x);
  let thread = i32(local_rank);
  let quotient = (params.length_ + 1081343) / 1081344;
  let index = block_j * 1024 + thread * 4;
  let index_2 = block_j * 256 + thread;
  let walk_end = max(quotient, 0);
  for (var walk_left = -walk_end; walk_left < 0; walk_left++) {
    let walk = walk_left + walk_end;
    let index_3 = index_2 + walk * 270336;
    if (index + walk * 1081344 < params.length_) {
      let r_ = r[index_3];
      let p_ = p[index_3];
      p[index_3] = vec4<f32>(r_.x + params.beta * p_.x, r_.y + params.beta * p_.y, r_.z + params.beta * p_.z, r_.w + params.beta * p_.w);
    }
  }
}
`

const kernel1 = /* wgsl */ `struct Params {
  length_: i32,
  beta: f32,
}

@group(0) @binding(0) var<storage, read> r: array<f32>;
@group(0) @binding(1) var<storage, read_write> p: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(256)
fn conjugate_direction(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_rank: u32,
) {
  let quotient = (params.length_ + 1081343) / 1081344;
  let index = i32(workgroup_id.x) * 1024 + i32(local_rank) * 4;
  let walk_end = max(quotient, 0);
  for (var walk_left = -walk_end; walk_left < 0; walk_left++) {
    let walk = walk_left + walk_end;
    let index_2 = index + walk * 1081344;
    if (index_2 < params.length_) {
      p[index_2] = r[index_2] + params.beta * p[index_2];
    }
    let index_3 = index_2 + 1;
    if (index_3 < params.length_) {
      p[index_3] = r[index_3] + params.beta * p[index_3];
    }
    let index_4 = index_2 + 2;
    if (index_4 < params.length_) {
      p[index_4] = r[index_4] + params.beta * p[index_4];
    }
    let index_5 = index_2 + 3;
    if (index_5 < params.length_) {
      p[index_5] = r[index_5] + params.beta * p[index_5];
    }
  }
}
`

/** `const { p } = conjugateDirection({ r, p, beta })` */
export const conjugateDirection: Operation<ConjugateDirectionArguments, ConjugateDirectionResults> = /* @__PURE__ */ operation({
  format: 1,
  name: "conjugate_direction",
  sizes: [{"name":"length","min":0}],
  scalars: [{"name":"beta","type":"f32"}],
  arrays: [{"name":"r","type":"f32","shape":["length"],"role":"in"},{"name":"p","type":"f32","shape":["length"],"role":"inout"}],
  variants: [{"when":["lt","bool","length",1],"launches":[],"steps":[]},{"when":["eq","bool",["rem","i32","length",4],0],"launches":[{"text":0,"entry":"conjugate_direction","grid":[1056,1,1],"bind":[["r","read"],["p","read-write"]],"params":[["i32","length"],["f32","beta"]]}],"steps":[0]},{"when":null,"launches":[{"text":1,"entry":"conjugate_direction","grid":[1056,1,1],"bind":[["r","read"],["p","read-write"]],"params":[["i32","length"],["f32","beta"]]}],"steps":[0]}],
  texts: [kernel0, kernel1],
})
