// What bounds the kernel. In: a setting. Out: `SOLBottleneck`, always, and `HighPipeUtilization` when a pipe of
// instructions is the bound. The one idea: the model's terms say which part of the machine is busiest, the counted
// classes of instructions say with what; the gain is an upper bound, with that part free.
import { constants, predict, type Prediction, type PredictInput } from '../../model/index.ts'
import { overheadsOf, type GpuProfile } from '../../gpus/index.ts'
import { boundWords } from '../wording.ts'
import type { Finding } from '../types.ts'
import { gain, type Setting } from '../what-if.ts'

const boundFix: Record<string, (s: Setting) => string> = {
  atomics: (s) =>
    `combine within a ${s.words.warp} or ${s.words.block} first and let one ${s.words.thread} add the result`,
  blocks: (s) => `${s.words.dispatch} fewer ${s.words.blocks} with more work each`,
  dram: () => 'move fewer bytes: fuse kernels, keep results in registers, use f16 or packed data',
  l2: () => 'move fewer bytes between L1 and L2: make accesses adjacent and keep what is read again closer',
  l1: (s) => `use fewer or wider accesses (${s.words.vector(4)}), keep what is read again in registers`,
  shared: (s) =>
    `read each value from ${s.words.shared} once and use it several times from registers (several results per ` +
    `${s.words.thread})`,
  latency: (s) =>
    `have more loads under way: more ${s.words.warps} in flight, or several independent elements per ${s.words.thread}`,
  spill: () => 'keep fewer values alive at once: smaller tiles, shorter scopes',
  issue: (s) =>
    `execute fewer instructions per result: unroll, use wider accesses, give each ${s.words.thread} several ` +
    `results that share index arithmetic`,
  int: () => 'compute indices once outside of loops and step them by additions; use shifts and masks for powers of two',
  fp32: () => 'this is the arithmetic itself: fewer operations per result are all that helps',
  fp64: () => 'use single precision where its accuracy suffices',
  sfu: () => 'replace divisions, roots and transcendental functions in inner loops by multiplications or tables',
}

/** What a launch costs beside its work. */
interface LaunchShare {
  /** The nanoseconds after which the host launches again at the earliest, where the work takes less. */
  readonly apart: number | null
  /** Nanoseconds of the work alone. */
  readonly work: number
  /** The launch takes longer than the work. */
  readonly isMost: boolean
}

/** Whether a launch itself takes most of the time that is predicted for it. */
export function launchShare(input: Pick<PredictInput, 'api' | 'profile'>, p: Prediction): LaunchShare {
  const { value: apart } = overheadsOf(input.profile).hostLaunchNs,
    isSparse = input.api === 'cuda' && p.ns === apart,
    work = isSparse ? busy(p) : p.ns - p.terms.launch
  return { apart: isSparse ? apart : null, work, isMost: isSparse || p.terms.launch > work }
}

/**
 * The part of the machine that needs most, and the launch when that takes longer than the work; `explained`: another
 * finding says what to do.
 */
export function bottleneck(s: Setting, explained: boolean): Finding {
  const p = predict(s.input)
  const { apart, work, isMost } = launchShare(s.input, p)
  const message = isMost
    ? apart !== null
      ? `launches follow each other every ${ns(apart)} at most; the work takes ${ns(work)}`
      : `the launch itself (${ns(p.terms.launch)}) takes longer than the work (${ns(work)})`
    : `the kernel is bound by ${boundWords(p.boundBy, s.words)}: ${ns(p.terms[p.boundBy])} of ` +
      `${ns(s.now)} predicted`
  const fix = isMost
    ? `do more in one ${s.words.dispatch}`
    : explained
      ? 'see HighPipeUtilization'
      : (boundFix[p.boundBy]?.(s) ?? 'do less of it per result')
  return {
    rule: 'SOLBottleneck',
    level: 'note',
    at: null,
    scope: 'global',
    speedup: Math.max(1, s.now / Math.max(without(p), 1)),
    message,
    fix,
  }
}

const ns = (x: number): string =>
  x < 9999.5 ? `${Math.round(x)} ns` : x < 9.9995e6 ? `${Math.round(x / 1e3)} µs` : `${Math.round(x / 1e6)} ms`

/** Time of the work alone, without one of its terms. */
const busy = (p: Prediction, left?: string): number =>
  Object.entries(p.terms)
    .filter(([t]) => t !== left && t !== 'launch')
    .reduce((n, [, t]) => n + t ** constants.overlap, 0) **
  (1 / constants.overlap)

/** Time without the bounding term. */
const without = (p: Prediction): number => busy(p, p.boundBy) + p.terms.launch

const pipes = ['int', 'sfu', 'fp64', 'issue', 'fp32'] as const
const pipeWords = {
  int: 'integer arithmetic',
  sfu: 'special functions (divisions, roots, exponentials …)',
  fp64: 'double precision',
  issue: 'the issue of instructions',
  fp32: 'floating-point arithmetic',
} as const

/** The same GPU with endlessly many lanes of a pipe. */
function endless(profile: GpuProfile, pipe: 'int' | 'sfu' | 'fp64'): GpuProfile {
  const key = pipe === 'int' ? 'int32' : pipe
  return { ...profile, throughput: { ...profile.throughput, [key]: { ...profile.throughput[key], value: Infinity } } }
}

/** A pipe that takes at least 60 % of the work's time, with the instructions that fill it. */
export function pipeFindings(s: Setting): Finding[] {
  const p = predict(s.input)
  const pipe = pipes.find((x) => x === p.boundBy)
  if (!pipe || s.now - p.terms.launch < p.terms.launch || p.terms[pipe] < 0.6 * (s.now - p.terms.launch)) return []
  const { warpByClass, warp } = s.input.counters.instructions
  const issued = warp - warpByClass.move
  const share = (n: number): string => `${Math.round((100 * n) / Math.max(1, issued))} %`
  const mix = (['fp32', 'int', 'load', 'store', 'control', 'sfu', 'fp64', 'barrier', 'atomic', 'subgroup'] as const)
    .filter((c) => warpByClass[c] >= 0.01 * issued)
    .sort((a, b) => warpByClass[b] - warpByClass[a])
    .map((c) => `${c} ${share(warpByClass[c])}`)
  const kernel =
    pipe === 'issue' || pipe === 'fp32' ? 1 : gain(s, { ...s.input, profile: endless(s.input.profile, pipe) })
  const most =
    kernel > 1.02
      ? `; without it the kernel would be ${kernel.toFixed(1)} times as fast, which is the most there is to gain`
      : ''
  return [
    {
      rule: 'HighPipeUtilization',
      at: null,
      scope: 'global',
      level: 'note',
      speedup: kernel,
      fix: boundFix[pipe]?.(s) ?? '',
      message:
        `${pipeWords[pipe]} is busy for ${Math.round((100 * p.terms[pipe]) / (s.now - p.terms.launch))} % of ` +
        `the predicted work: of the instructions of ${s.words.warps}, ${mix.join(', ')}${most}`,
    },
  ]
}
