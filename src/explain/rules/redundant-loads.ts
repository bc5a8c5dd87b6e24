// What several threads of a block fetch each for themselves. In: a setting. Out: `MemoryCacheAccessPattern`. The one
// idea: a load in a loop whose address does not depend on x (or y, z) is done again by every thread along that axis;
// the counts are predicted again as if the block loaded each tile once and read it from shared memory. Barriers are not
// counted.
import type { SiteCounters } from '../../ir/index.ts'
import type { SourceAccess } from '../accesses.ts'
import { addressesInRound } from '../block-sharing.ts'
import type { Finding } from '../types.ts'
import { gain, gainLevel, listed, quote, round, type Setting } from '../what-if.ts'

/** Loads in loops that are shared along an axis at least four times over; one finding for all of them. */
export function reuseFindings(s: Setting): Finding[] {
  const shared = s.list
    .flatMap((a) =>
      a.json.space === 'global' && a.json.op === 'load' && a.json.requests > 0 ? [{ a, times: sharing(s, a) }] : [],
    )
    .filter((x) => x.times >= 4)
  const most = [...shared].sort((x, y) => y.a.json.sectors - x.a.json.sectors)[0]
  if (!most) return []
  const kernel = gain(
    s,
    staged(s, new Map(shared.flatMap(({ a, times }) => a.sites.map((site) => [site.site, times] as const)))),
  )
  if (kernel < 1.05) return []
  const {
    words,
    input: { profile, kernel: k },
  } = s
  const moved = shared.reduce((n, { a }) => n + a.json.sectors * profile.sectorBytes, 0)
  const each = shared.map(({ a, times }) => `${quote(a)} by ${round(times)} ${words.threads}`)
  const size = Math.round(Math.min(...shared.map(({ times }) => times)))
  return [
    {
      rule: 'MemoryCacheAccessPattern',
      at: most.a.json.at,
      scope: 'global',
      speedup: kernel,
      level: gainLevel(kernel),
      message:
        `the ${words.threads} of a ${words.block} (${k.block.join(' × ')}) fetch the same elements again: ` +
        `${listed(each)}; ${bytesText(moved)} pass L1 that way`,
      fix:
        `work in tiles: load ${listed(shared.map(({ a }) => `a tile of '${a.json.resource}'`))} (${size} × ` +
        `${size}) together into ${words.declareShared} arrays, ${words.barrier}, let every ${words.thread} ` +
        `read from there, ${words.barrier}`,
    },
  ]
}

const bytesText = (n: number): string =>
  n >= 1e9 ? `${(n / 1e9).toFixed(1)} GB` : n >= 1e6 ? `${(n / 1e6).toFixed(1)} MB` : `${Math.round(n / 1e3)} kB`

/** Threads of a block that load the same element in the same round of the loop. */
function sharing(s: Setting, a: SourceAccess): number {
  const site = a.sites.reduce((x, y) => (y.requests > x.requests ? y : x))
  const steps = s.steps[site.site]
  if (!steps || steps.loop === undefined || steps.loop === 0) return 1
  if (steps.x === 0 && steps.y === 0 && steps.z === 0) return 1
  const { kernel } = s.input
  const [bx, by, bz] = kernel.block
  const alongAxes = (steps.x === 0 ? bx : 1) * (steps.y === 0 ? by : 1) * (steps.z === 0 ? bz : 1)
  if (alongAxes > 1) return alongAxes
  const different = addressesInRound(kernel, site.site)
  return different === null || different === 1 ? 1 : (bx * by * bz) / different
}

/** Each such site loads its share once, adjacent; all requests are then served from shared memory without conflicts. */
function staged(s: Setting, times: ReadonlyMap<number, number>): Setting['input'] {
  const { counters, profile } = s.input
  /** The model finds sites by their position: what is new comes after them. */
  const added: SiteCounters[] = []
  const sites = counters.sites.map((site): SiteCounters => {
    const n = times.get(site.site)
    if (n === undefined) return site
    const requests = site.requests / n
    const passes = Math.max(1, site.bytesPerLane / 4)
    const bytes = requests * 32 * site.bytesPerLane
    const common = { ...site, space: 'shared' as const, movedBytes: 0, sectors: 0, idealSectors: 0, lines: 0 }
    added.push(
      { ...common, op: 'store', requests, wavefronts: requests * passes, idealWavefronts: requests * passes },
      { ...common, wavefronts: site.requests * passes, idealWavefronts: site.requests * passes },
    )
    return {
      ...site,
      requests,
      movedBytes: bytes,
      sectors: bytes / profile.sectorBytes,
      idealSectors: bytes / profile.sectorBytes,
      lines: bytes / profile.lineBytes,
      wavefronts: requests * passes,
      idealWavefronts: requests * passes,
    }
  })
  return { ...s.input, counters: { ...counters, sites: [...sites, ...added] } }
}
