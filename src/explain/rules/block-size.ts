// Blocks that are too small: lanes that no thread fills, and more blocks than the machine starts in the time of their
// work. In: a setting. Out: at most one finding. The one idea: several blocks that never meet inside can be one, thread
// by thread; the kernel is rewritten so and run, so that what is said to be gained is what the larger block gains.
import {
  allStatements,
  constOf,
  verifyKernel,
  type Builtin,
  type Dim3,
  type Kernel,
  type Reg,
  type Stmt,
} from '../../ir/index.ts'
import { occupancyOf, predict } from '../../model/index.ts'
import { reads, withBuiltins } from '../address-strides.ts'
import type { Finding } from '../types.ts'
import { numbersThreadsOfTheGrid } from './global-index.ts'
import { launchedBlocks, gain, groupedWhole, round, typed, withWarps, type Setting } from '../what-if.ts'

/** Threads of a block beyond which nothing is gained: the occupancy of no GPU asks for more. */
const enough = 256
/** A gain below which a change of the block's size is not worth a sentence where all lanes work. */
const worthwhile = 1.1
/** Share of the work that starting blocks takes, above which larger ones are tried. */
const blocksShare = 0.3

export function blockSizeFindings(s: Setting): Finding[] {
  const { gpu, words, input } = s
  const threads = sizeOf(input.counters.block)
  const isPartial = threads % gpu.warpSize !== 0
  if (threads >= enough && !isPartial) return []
  const filled = threads / (Math.ceil(threads / gpu.warpSize) * gpu.warpSize)
  const now = predict(input)
  const mayPay = isPartial || now.terms.blocks > blocksShare * (now.ns - now.terms.launch) || fewWarps(s, threads)
  const merged = mayPay ? bestMerge(s, threads) : null
  if (!isPartial && (!merged || merged.gain < worthwhile)) return []
  const idle =
    `a ${words.block} of ${threads} ${words.threads} is no multiple of ${gpu.warpSize}: ` +
    `${Math.round((1 - filled) * 100)} % of the lanes never work`
  const many =
    `${groupedWhole(launchedBlocks(s))} ${words.blocks} of ${threads} ${words.threads} each: starting them takes ` +
    `longer than their work`
  const few =
    `${words.blocks} of ${threads} ${words.threads} leave room that larger ones would use: a multiprocessor holds ` +
    `${gpu.occupancy.maxBlocks} of them at most`
  const whenWhole = `make ${words.blockSize} a multiple of ${gpu.warpSize}`
  const whenMerged = merged
    ? `make ${words.blockSize} ${merged.block.join(' × ')} and ${words.dispatch} ${merged.grid.join(' × ')}: run so, ` +
      `it takes ${round(s.now / merged.gain / 1000)} µs`
    : whenWhole
  const full = now.boundBy === 'blocks' ? many : few
  const sentence = isPartial ? idle : full
  return [
    {
      rule: 'LaunchConfiguration',
      at: null,
      ...typed(merged?.gain ?? gain(s, withWarps(input, filled)), 1 / filled),
      message: sentence,
      fix: merged && merged.gain >= worthwhile ? whenMerged : whenWhole,
    },
  ]
}

const sizeOf = ([x, y, z]: readonly [number, number, number]): number => x * y * z

/** Whether the number of blocks on a multiprocessor keeps warps out that would otherwise fit. */
function fewWarps({ input, gpu }: Setting, threads: number): boolean {
  const { occupancy, limitedBy } = occupancyOf(
    gpu,
    threads,
    input.registers,
    input.shared,
    input.registerLimit,
    input.api ?? 'webgpu',
  )
  return occupancy < 1 && limitedBy.includes('blocks')
}

interface Merge {
  readonly block: Dim3
  readonly grid: Dim3
  /** Time now ÷ time of the merged launch. */
  readonly gain: number
}

/** The number of neighbours along x that makes the fastest launch of whole warps; null where blocks cannot be one. */
function bestMerge(s: Setting, threads: number): Merge | null {
  const { kernel, counters } = s.input
  if (!isMergeable(kernel)) return null
  const [gx, gy, gz] = counters.grid
  const factors = [32, 64, 128, 256]
    .map((wanted) => Math.ceil(wanted / threads))
    .filter((f, i, all) => f > 1 && f <= gx && all.indexOf(f) === i && (f * threads) % s.gpu.warpSize === 0)
  const asksSize = reads(kernel.body, ['blockDim.x'], false)
  const tried = factors.flatMap((factor): Merge[] => {
    const one = verifyKernel(asksSize ? larger(kernel, factor) : merged(kernel, factor, gx))
    const grid: Dim3 = [Math.ceil(gx / factor), gy, gz]
    const after = s.rerun(one, grid)
    if (!after) return []
    return [{ block: one.block, grid, gain: s.now / predict({ ...s.input, kernel: one, ...after }).ns }]
  })
  return tried.sort((a, b) => b.gain - a.gain)[0] ?? null
}

/** The kernel as it is, launched in larger blocks. */
const larger = (kernel: Kernel, factor: number): Kernel => {
  const [x, y, z] = kernel.block
  return { ...kernel, block: [x * factor, y, z] }
}

/** Whether threads know nothing of the others of their block: no shared memory, no meeting, no place in a warp. */
function isMergeable(kernel: Kernel): boolean {
  const alone = !allStatements(kernel.body).some(
    (s) => s.kind === 'barrier' || s.kind === 'subgroup' || s.kind === 'matrix',
  )
  return (
    alone &&
    !kernel.resources.some((r) => r.space === 'shared') &&
    !reads(kernel.body, ['lane', 'warp', 'warpSize'], true) &&
    (!reads(kernel.body, ['blockDim.x'], false) || numbersThreadsOfTheGrid(kernel))
  )
}

/**
 * The same kernel with `factor` blocks along x as one; of the `blocks` along x that there were, those beyond the last
 * one leave at once. What finds a thread's old place is not counted: a kernel written so has it in its index.
 */
function merged(kernel: Kernel, factor: number, blocks: number): Kernel {
  const registers = [...kernel.registers]
  const register = (name: string, type: Reg['type'] = 'u32'): Reg => {
    const made: Reg = { kind: 'reg', id: registers.length, type, name }
    registers.push(made)
    return made
  }
  const [bx, by, bz] = kernel.block
  const [thread, group, inside, x, first, block, exists] = [
    register('thread'),
    register('group'),
    register('inside'),
    register('x'),
    register('first'),
    register('block'),
    register('exists', 'bool'),
  ] as [Reg, Reg, Reg, Reg, Reg, Reg, Reg] // as many as are made
  const u32 = (n: number): ReturnType<typeof constOf> => constOf('u32', n)
  const free = { free: true } as const
  const prologue: readonly Stmt[] = [
    { kind: 'builtin', dst: thread, name: 'threadIdx.x', ...free },
    { kind: 'builtin', dst: group, name: 'blockIdx.x', ...free },
    { kind: 'op', op: 'div', dst: inside, args: [thread, u32(bx)], ...free },
    { kind: 'op', op: 'rem', dst: x, args: [thread, u32(bx)], ...free },
    { kind: 'op', op: 'mul', dst: first, args: [group, u32(factor)], ...free },
    { kind: 'op', op: 'add', dst: block, args: [first, inside], ...free },
    { kind: 'op', op: 'lt', dst: exists, args: [block, u32(blocks)], ...free },
    { kind: 'if', condition: exists, then: [], else: [{ kind: 'return' }], ...free },
  ]
  const copy = (s: Extract<Stmt, { kind: 'builtin' }>, arg: Reg | ReturnType<typeof constOf>): Stmt => ({
    kind: 'op',
    op: 'copy',
    dst: s.dst,
    args: [arg],
    ...(s.at && { at: s.at }),
    ...(s.free && { free: s.free }),
  })
  const rank = (s: Extract<Stmt, { kind: 'builtin' }>): readonly Stmt[] => {
    const [y, z, rows, row, place, at] = ['y', 'z', 'rows', 'row', 'place', 'at'].map((n) => register(n)) as [
      Reg,
      Reg,
      Reg,
      Reg,
      Reg,
      Reg,
    ] // as many as names
    return [
      { kind: 'builtin', dst: y, name: 'threadIdx.y', ...free },
      { kind: 'builtin', dst: z, name: 'threadIdx.z', ...free },
      { kind: 'op', op: 'mul', dst: rows, args: [z, u32(by)], ...free },
      { kind: 'op', op: 'add', dst: row, args: [rows, y], ...free },
      { kind: 'op', op: 'mul', dst: place, args: [row, u32(bx)], ...free },
      { kind: 'op', op: 'add', dst: at, args: [place, x], ...free },
      copy(s, at),
    ]
  }
  const placed: Partial<Record<Builtin, (s: Extract<Stmt, { kind: 'builtin' }>) => readonly Stmt[]>> = {
    'threadIdx.x': (s) => [copy(s, x)],
    'blockIdx.x': (s) => [copy(s, block)],
    'gridDim.x': (s) => [copy(s, u32(blocks))],
    threadRank: rank,
  }
  const body = withBuiltins(kernel.body, (s) => placed[s.name]?.(s) ?? [s])
  return { ...kernel, registers, block: [bx * factor, by, bz], body: [...prologue, ...body] }
}
