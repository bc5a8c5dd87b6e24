// What targets promise of memory, atomics and subgroup operations, as words for the documentation. The one idea: what
// is open here the simulator finds as a hazard and refuses, so that no proof rests on it.
import type { AtomicOp, SubgroupOp } from '../kernel/kernel.ts'
import type { TargetName } from './promise.ts'

export type WordsByTarget = Readonly<Record<TargetName, string>>

const same = (text: string): WordsByTarget => ({ wgsl: text, cuda: text })

/** Reads and writes. */
export const memoryPromises: Readonly<Record<string, WordsByTarget>> = {
  'a read out of bounds': {
    wgsl: 'some element of the buffer, or 0 (WGSL §14.3); a hazard in the simulator, refused',
    cuda: 'undefined; a hazard in the simulator, refused',
  },
  'a write out of bounds': {
    wgsl: 'to some element, or nowhere (WGSL §14.3); a hazard in the simulator, refused',
    cuda: 'undefined; a hazard in the simulator, refused',
  },
  'workgroup and private memory that nothing wrote': {
    wgsl: '0 (WGSL §7.3); kernels do not rely on it: a read is a hazard',
    cuda: 'anything; a read is a hazard',
  },
  'an output or temporary that nothing wrote': same('what was there; proofs put NaNs and a pattern there'),
  'two threads, one place, one of them writes, no barrier': same('a race; a hazard in the simulator, refused'),
}

const once = same('one after another, in any order; integers do not depend on it, sums of floats within their bound')
const value = same('what was there before, which depends on the order')

export const atomicPromises = {
  add: once,
  sub: once,
  min: once,
  max: once,
  and: once,
  or: once,
  xor: once,
  exchange: value,
  compareExchange: {
    wgsl: 'may fail though the values are equal (atomicCompareExchangeWeak): emitted in a loop',
    cuda: value.cuda,
  },
  load: value,
  store: same('one of the values stored, which depends on the order'),
  increment: once,
  decrement: once,
} as const satisfies Record<AtomicOp, WordsByTarget>

const sums = same('of the active lanes; floats in any order, within the bound of their sum')
const bits = same('of the active lanes, exact')
const moved = same('from an inactive lane open: a hazard in the simulator')

export const subgroupPromises = {
  shuffle: moved,
  shuffleXor: moved,
  shuffleUp: moved,
  shuffleDown: moved,
  broadcast: moved,
  broadcastFirst: bits,
  add: sums,
  mul: sums,
  min: bits,
  max: bits,
  and: bits,
  or: bits,
  xor: bits,
  inclusiveAdd: sums,
  exclusiveAdd: sums,
  inclusiveMul: sums,
  exclusiveMul: sums,
  any: bits,
  all: bits,
  ballot: bits,
  elect: bits,
} as const satisfies Record<SubgroupOp, WordsByTarget>
