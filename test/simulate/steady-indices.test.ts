// Loops whose indices change by the same amount in all lanes: their requests are counted in a shorter way where nobody
// wants what they move, and must count as they do where somebody does.
import { expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { KernelBuilder, type Kernel, type Launch, type Reg, type Verified } from '../../src/ir/index.ts'
import { simulate } from '../../src/simulate/index.ts'

/** Loops in loops, under conditions that part warps, around accesses at indices of all kinds. */
function loops(seed: number): Verified<Kernel> {
  const r = random(seed),
    upTo = (n: number): number => r.int(0, n - 1),
    k = new KernelBuilder({ name: 'loops', block: [24, 5, 1] }),
    n = k.param('n', 'u32'),
    A = k.global('A', 'f32', 'read'),
    S = k.shared('S', 'f32', 512),
    sum = k.variable('f32', 0, 'sum')
  const leaves: Reg[] = [k.builtin('threadIdx.x'), k.builtin('threadIdx.y'), k.builtin('blockIdx.x')]
  const pick = (): Reg => leaves[upTo(leaves.length)]! // some of them
  /** An index that one access alone wants. */
  const index = (depth: number): Reg => {
    if (depth === 0) return pick()
    const a = index(depth - 1)
    switch (upTo(9)) {
      case 0:
        return k.op('sub', [a, pick()])
      case 1:
        return k.op('mul', [a, 1 + upTo(40)])
      case 2:
        return k.op('mul', [a, upTo(2) === 0 ? n : pick()])
      case 3:
        return k.op('shl', [a, upTo(4)])
      case 4:
        return k.op('and', [a, 31])
      default:
        return k.op('add', [a, index(depth - 1)])
    }
  }
  const access = (): void => {
    if (upTo(2) === 0) k.store(S, index(2), sum)
    k.op('add', [k.load(upTo(2) === 0 ? A : S, index(1 + upTo(3))), sum], { dst: sum })
  }
  const body = (depth: number): void => {
    access()
    if (upTo(2) === 0) k.ifThen(k.op('lt', [pick(), 12]), access)
    if (depth < 3)
      k.forRange({ to: 2 + upTo(9), type: 'u32' }, (i) => {
        leaves.push(i)
        body(depth + 1)
        leaves.pop()
      })
    access()
  }
  body(0)
  return k.finish()
}

test.each(['h200', 'gt200', 'cdna3'])('what is only counted counts the same in loops, on %s', (name) => {
  for (let seed = 1; seed <= 12; seed++) {
    const kernel = loops(seed),
      run = (discard: boolean, exact: boolean): unknown => {
        const launch: Launch = { grid: [7, 1, 1], params: { n: 3 + seed }, buffers: { A: new ArrayBuffer(8192) } }
        const { counters } = simulate(kernel, launch, gpu(name), { exact, discard })
        return { ...counters, work: null }
      }
    expect(run(true, true), `seed ${seed}`).toEqual(run(false, true))
    expect(run(true, false), `seed ${seed}, by classes`).toEqual(run(false, false))
  }
})
