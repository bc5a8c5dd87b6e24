// Finds accesses that the hardware serialises: reads of constant memory at several addresses in one request, and
// atomics of several lanes on one address. In: a kernel with its counters. Out: findings. The one idea: each further
// address or lane costs one more pass; the gain is the model's time with one pass a request.
import type { SourceAccess } from '../accesses.ts'
import type { AccessJson, ExplainReport, Finding } from '../types.ts'
import { gain, quote, round, sitesIn, typed, withSites, type Setting } from '../what-if.ts'

export function serialFindings(s: Setting): Finding[] {
  return s.list.flatMap((a) =>
    a.json.requests === 0
      ? []
      : a.json.space === 'constant'
        ? distinct(s, a)
        : a.json.op === 'atomic' && a.json.space === 'global'
          ? contended(s, a)
          : [],
  )
}

/** The constant cache answers one address of a request at a time. */
function distinct(s: Setting, a: SourceAccess): Finding[] {
  const { json } = a
  const turns = (json.wavefronts ?? json.idealWavefronts) / Math.max(1, json.idealWavefronts)
  if (turns < 1.5) return []
  const kernel = gain(
    s,
    withSites(s.input, sitesIn([a]), (x) => ({ wavefronts: x.idealWavefronts })),
  )
  if (kernel < 1.02) return []
  const { words } = s
  return [
    {
      rule: 'MemoryCacheAccessPattern',
      at: json.at,
      ...typed(kernel, turns),
      message:
        `read ${quote(a)}: the ${words.threads} of a ${words.warp} read ${round(turns)} different places of a ` +
        `uniform table on average, which answers one at a time`,
      fix:
        `let the ${words.threads} of a ${words.warp} read the same place, or put the table into ${words.shared} ` +
        `or a storage buffer, whose lanes may differ`,
    },
  ]
}

/** Atomics of different lanes on one address wait for each other. */
function contended(s: Setting, a: SourceAccess): Finding[] {
  const { json } = a
  const places = json.usefulBytes / json.bytesPerLane / json.requests,
    lanes = json.threads / json.requests
  const kernel = gain(s, {
    ...s.input,
    counters: {
      ...s.input.counters,
      sites: s.input.counters.sites.filter((x) => !a.sites.some((y) => y.site === x.site)),
    },
  })
  if (kernel < 1.2) return []
  const { words } = s
  const meet = lanes / Math.max(places, 1e-9),
    isOnce = s.list.some((x) => x.json.space === 'shared') && isOnceABlock(json, s.input.counters)
  return [
    {
      rule: 'AtomicContention',
      at: json.at,
      ...typed(kernel, kernel),
      message:
        `${quote(a)}: requests wait for each other in the L2 ` +
        `cache${meet > 1.05 ? `; ${round(meet)} ${words.threads} of a ${words.warp} meet at each address` : ''}`,
      fix: isOnce
        ? `let fewer ${words.blocks} update '${json.resource}': each takes more elements, in steps of the whole ` +
          `grid, and adds up what it has found once; or spread the updates over several copies`
        : `add up in the ${words.warp} or in ${words.shared} first and update '${json.resource}' once a ` +
          `${words.block}, or spread the updates over several copies`,
    },
  ]
}

/** Whether blocks add up in shared memory already: no thread updates memory more than once, and no two meet. */
export function isOnceABlock(
  { threads, usefulBytes, bytesPerLane }: Pick<AccessJson, 'threads' | 'usefulBytes' | 'bytesPerLane'>,
  { grid, block }: ExplainReport['launch'],
): boolean {
  const own = usefulBytes / bytesPerLane
  return threads <= own && own <= [...grid, ...block].reduce((a, b) => a * b, 1)
}
