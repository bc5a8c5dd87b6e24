// The way of one scheduled program to its kernel, as declared passes. In: a program of block loops around phases, and
// what is known of its sizes. Out: a verified kernel, its grid and the arrays that it takes. Schedules are made before
// (`sketches/`); what a target spells in its own way is the emitters' business.
import {
  kernelIR,
  printProgram,
  route,
  translation,
  verifyKernel,
  type AnyPass,
  type Kernel,
  type Pass,
  type PassContext,
  type Program,
  type Representation,
} from '../../ir/index.ts'
import { codeSinking, type RegisterRoom } from './passes/code-sinking.ts'
import { commonSubexpressions } from './passes/common-subexpressions.ts'
import { loopInvariantHoisting } from './passes/loop-invariant-hoisting.ts'
import { operandReuseOrder } from './passes/operand-reuse-order.ts'
import { lowerNest, type LoweredKernel, type LowerOptions } from './kernel.ts'

/** A program of one kernel, and how it is lowered. */
export interface ScheduledKernel {
  readonly program: Program
  readonly name: string
  readonly options: LowerOptions
}

export const scheduledLoops: Representation<ScheduledKernel> = {
  name: 'LoopIR',
  print: ({ program }) => printProgram(program),
  verify: () => {}, // a kernel that is not of the form is refused where it is lowered
}

/** Kernels are verified where they are made, always. */
const loweredKernel: Representation<LoweredKernel> = {
  name: 'KernelIR',
  print: ({ kernel }) => kernelIR.print(kernel),
  verify: () => {},
  isSame: (a, b) => a.kernel === b.kernel,
}

/* @__NO_SIDE_EFFECTS__ */
const onKernel = (of: Pass<Kernel, RegisterRoom>): Pass<LoweredKernel> => ({
  ...of,
  of: loweredKernel,
  declared: of as AnyPass,
  run: (lowered, context) => {
    const kernel = of.run(lowered.kernel, context)
    return kernel === lowered.kernel ? lowered : { ...lowered, kernel: verifyKernel(kernel) }
  },
})

// Before:
//
//   program p {
//     size n = 64 min 1
//     array x: f32[n] in global
//     array y: f32[n] out global
//     for b in 0 .. (n + 31) / 32 @block.x {
//       for t in 0 .. 32 @thread(1) {
//         if b * 32 + t < n {
//           y[b * 32 + t] = x[b * 32 + t] * 2.0f
//         }
//       }
//     }
//   }
//
// After:
//
//   kernel example block 32 1 1
//   param n: i32
//   global x: f32[*] read
//   global y: f32[*] write
//   reg block_x.0: u32
//   reg b.1: i32
//   reg thread_rank.2: u32
//   reg thread.3: i32
//   reg scaled.4: i32
//   reg index.5: i32
//   reg inside.6: bool
//   reg x.7: f32
//   reg mul.8: f32
//   {
//     block_x.0 = builtin blockIdx.x
//     b.1 = convert block_x.0
//     thread_rank.2 = builtin threadRank
//     thread.3 = convert thread_rank.2
//     scaled.4 = mul b.1, i32:32
//     index.5 = add scaled.4, thread.3
//     inside.6 = lt index.5, $n
//     if inside.6 {
//       x.7 = load f32 x[index.5 * 4 + 0]
//       mul.8 = mul x.7, f32:2
//       store f32 y[index.5 * 4 + 0] = mul.8 @ "program.loop":8:9
//     }
//   }
const kernelLowering = /* @__PURE__ */ translation<ScheduledKernel, LoweredKernel>({
  name: 'kernel-lowering',
  summary:
    'thread loops become digits of the thread rank, private arrays registers, subscripts polynomials that are ' +
    'computed in the outermost scope that has their variables; barriers stand where phases meet',
  needs: ['phases', 'index polynomials'],
  from: scheduledLoops,
  to: loweredKernel,
  run: ({ program, name, options }) => lowerNest(program, name, options),
})

/** From a scheduled program to a kernel. */
export const toKernel = /* @__PURE__ */ route<ScheduledKernel, PassContext>(
  'kernel',
  'from a scheduled program to a kernel',
)
  .to(kernelLowering)
  .through(onKernel(commonSubexpressions), 'functions are written out in operations by now')
  .through(onKernel(loopInvariantHoisting), 'what a loop changes is known when equal operations are one')
  .through(onKernel(codeSinking), 'which values are held over a loop is known once indices are code')
  .through(onKernel(operandReuseOrder), 'no pass puts anything between the multiply-adds of a tile any more')
