// In: a setting. Out: all findings, the greatest gain first. The order of the rules lives here; each rule is a file.
import { advise, occupancy } from '../gpus/index.ts'
import { bottleneck, pipeFindings } from './rules/bottleneck.ts'
import { coalescingFindings } from './rules/uncoalesced-access.ts'
import { conflictFindings } from './rules/bank-conflicts.ts'
import { reuseFindings } from './rules/redundant-loads.ts'
import { serialFindings } from './rules/serialized-access.ts'
import type { Finding } from './types.ts'
import { gain, gainLevel, type Setting } from './what-if.ts'
import { workFindings } from './rules/work-distribution.ts'

/** All findings of a launch. */
export function findings(s: Setting): Finding[] {
  const never = neverStarts(s)
  if (never.length > 0) return never
  const all = [
    ...coalescingFindings(s),
    ...conflictFindings(s),
    ...reuseFindings(s),
    ...serialFindings(s),
    ...workFindings(s),
    ...occupancyFindings(s),
  ]
  const pipes = pipeFindings(s)
  return [...all.sort((a, b) => rank(b) - rank(a)), ...pipes, bottleneck(s, pipes.length > 0)]
}

const rank = (f: Finding): number => (f.scope === 'global' ? 1000 + f.speedup : Math.min(900, f.speedup))

/** A block that no multiprocessor of the GPU has room for: the launch fails, and all else is beside the point. */
function neverStarts({ input, gpu, words }: Setting): Finding[] {
  const [x, y, z] = input.counters.block,
    threads = x * y * z
  const o = occupancy(gpu, {
    threads,
    registers: Math.min(input.registers, gpu.occupancy.maxRegistersPerThread),
    shared: input.shared,
  })
  if (o.activeBlocks > 0) return []
  const needs = o.limitedBy.includes('shared')
    ? `${input.shared} bytes of ${words.shared}`
    : o.limitedBy.includes('registers')
      ? `${threads} × ${input.registers} registers`
      : `${threads} ${words.threads}`
  return [
    {
      rule: 'LaunchConfiguration',
      at: null,
      scope: 'global',
      speedup: 1,
      level: 'error',
      message: `no ${words.block} can start on ${gpu.title}: it needs ${needs}, more than a multiprocessor gives`,
      fix:
        `use smaller ${words.blocks}, or less of what each needs; the figures below are those of a launch ` +
        `that fails`,
    },
  ]
}

/** Limits on the warps in flight that are worth lifting. */
function occupancyFindings(s: Setting): Finding[] {
  const { input, words } = s
  const [x, y, z] = input.counters.block
  const use = {
    threads: x * y * z,
    registers: Math.min(input.registers, s.gpu.occupancy.maxRegistersPerThread),
    shared: input.shared,
  }
  const now = occupancy(s.gpu, use)
  return advise(s.gpu, use).flatMap((a): Finding[] => {
    if (a.change === 'threads') return []
    const kernel = gain(s, { ...input, [a.change]: a.to[0]! })
    if (kernel < 1.02) return []
    const needed =
      a.change === 'registers'
        ? `at most ${a.to[0]} registers ${words.thread === 'invocation' ? 'an' : 'a'} ${words.thread} (now ` +
          `about ${use.registers}, estimated)`
        : `at most ${a.to[0]} bytes of ${words.shared} a ${words.block} (now ${use.shared})`
    const fix =
      a.change === 'registers'
        ? `keep fewer values alive at once: smaller tiles per ${words.thread}, shorter scopes, recompute ` +
          `instead of keep`
        : `use smaller tiles of ${words.shared}, or one array for two purposes`
    const message =
      `${now.activeWarps} of ${now.maxWarps} ${words.warps} in ` + `flight; ${needed} let ${a.after.activeWarps} run`
    return [{ rule: 'Occupancy', at: null, scope: 'global', speedup: kernel, level: gainLevel(kernel), message, fix }]
  })
}
