// Accesses to global memory that move more than their bytes need. In: a setting. Out: findings. The one idea: what to
// do depends on what else the address follows: if y runs along the row, the axes are swapped (and the swapped kernel is
// run, not guessed); if a loop does, each thread walks a row of its own; a small constant distance is a structure.
import { verifyKernel, type Builtin, type Kernel, type Stmt } from '../../ir/index.ts'
import { predict } from '../../model/index.ts'
import type { SourceAccess } from '../accesses.ts'
import { reads, withBuiltins, type SiteSteps } from '../address-strides.ts'
import { blockSteps } from '../block-sharing.ts'
import type { AccessJson, Finding } from '../types.ts'
import { gain, gainLevel, listed, quote, round, sitesIn, typed, verb, withSites, type Setting } from '../what-if.ts'

/** Uncoalesced accesses: those that swapping x and y mends as one finding, then one per array and shape. */
export function coalescingFindings(s: Setting): Finding[] {
  const wasteful = s.list.filter(
    (a) =>
      a.json.space === 'global' &&
      a.json.op !== 'atomic' &&
      a.json.requests > 0 &&
      (a.json.sectors > 1.1 * a.json.idealSectors || isHalfEmpty(s, a)),
  )
  const swap = swapped(s, wasteful)
  const rest = wasteful.filter((a) => !swap?.mended.has(a))
  return [...(swap ? [swap.finding] : []), ...groups(s, rest).flatMap((g) => grouped(s, g))]
}

/** Whether transactions are as few as can be, but longer than what is asked for. */
const isHalfEmpty = ({ gpu }: Setting, { json }: SourceAccess): boolean =>
  (gpu.globalRule === 'segments-shrinking' || gpu.globalRule === 'lines') &&
  json.sectors <= 1.1 * json.idealSectors &&
  json.pattern === 'strided' &&
  (json.efficiency ?? 1) < 0.75

const mirror: Partial<Record<Builtin, Builtin>> = {
  'threadIdx.x': 'threadIdx.y',
  'threadIdx.y': 'threadIdx.x',
  'blockIdx.x': 'blockIdx.y',
  'blockIdx.y': 'blockIdx.x',
  'blockDim.x': 'blockDim.y',
  'blockDim.y': 'blockDim.x',
  'gridDim.x': 'gridDim.y',
  'gridDim.y': 'gridDim.x',
}

/** The same program with lanes running along what was y: every index set is the same, only its order changes. */
const mirrored = (list: readonly Stmt[]): readonly Stmt[] =>
  withBuiltins(list, (s) => [{ ...s, name: mirror[s.name] ?? s.name }])

/**
 * The finding that x and y should change roles, when running the kernel so shows that it pays and harms no access; and
 * the accesses that it mends.
 */
function swapped(
  s: Setting,
  wasteful: readonly SourceAccess[],
): { finding: Finding; mended: ReadonlySet<SourceAccess> } | null {
  const { kernel, counters } = s.input
  const [bx, by, bz] = kernel.block
  const worst = biggest(
    wasteful.filter((a) => a.json.pattern === 'strided' && a.json.sectors >= 2 * a.json.idealSectors),
  )
  if (
    !worst ||
    by < 2 ||
    reads(kernel.body, ['lane', 'warp', 'threadRank'], true) ||
    !reads(kernel.body, ['threadIdx.y'], false)
  )
    return null
  const turned: Kernel = { ...kernel, block: [by, bx, bz], body: mirrored(kernel.body) }
  const [gx, gy, gz] = counters.grid
  const after = s.rerun(verifyKernel(turned), [gy, gx, gz])
  if (!after) return null
  const kernelGain = s.now / predict({ ...s.input, kernel: turned, ...after }).ns
  const sectors = new Map(after.counters.sites.map((site) => [site.site, site]))
  const then = (a: SourceAccess, key: 'sectors' | 'idealSectors'): number =>
    sum(a, (x) => sectors.get(x.site)?.[key] ?? 0)
  const mended = new Set(wasteful.filter((a) => then(a, 'sectors') < 0.75 * a.json.sectors))
  const worse = s.list.some(
    (a) => a.json.space === 'global' && then(a, 'sectors') > 1.1 * Math.max(a.json.sectors, then(a, 'idealSectors')),
  )
  if (kernelGain < 1.05 || worse || !mended.has(worst)) return null
  const { words } = s
  const [x, y] = [words.local('x'), words.local('y')]
  const others = [...mended].filter((a) => a !== worst)
  const also = others.length > 0 ? `; so does ${listed(others.map((a) => `${verb(a)} ${quote(a)}`))}` : ''
  const now = worst.json.sectors / worst.json.requests
  const mendedTo =
    then(worst, 'sectors') /
    Math.max(
      1,
      sum(worst, (site) => sectors.get(site.site)?.requests ?? 0),
    )
  return {
    mended,
    finding: {
      rule: 'UncoalescedGlobalAccess',
      at: worst.json.at,
      scope: 'global',
      speedup: kernelGain,
      level: gainLevel(kernelGain),
      message:
        `${verb(worst)} ${quote(worst)} goes down a column: neighbouring ${words.threads} are ` +
        `${distance(worst.json)} bytes apart, ${round(now)} ${unit(s)} a request where ` +
        `${round(worst.json.idealSectors / worst.json.requests)} would do${also}`,
      fix:
        `swap the roles of x and y: let ${x} take the place of ${y} in the indices and ${y} that of ${x} (and ` +
        `swap ${words.blockSize} and the ${words.dispatch}): run so, this access needs ${round(mendedTo)} ` +
        `${unit(s)} a request`,
    },
  }
}

const sum = (a: SourceAccess, of: (s: SourceAccess['sites'][number]) => number): number =>
  a.sites.reduce((n, site) => n + of(site), 0)
const biggest = (list: readonly SourceAccess[]): SourceAccess | undefined =>
  [...list].sort((a, b) => b.json.sectors - b.json.idealSectors - (a.json.sectors - a.json.idealSectors))[0]
const distance = (a: AccessJson): number => Math.round(Math.abs((a.stride ?? 0) * a.bytesPerLane))
const unit = (s: Setting): string =>
  s.gpu.globalRule === 'sectors'
    ? 'sectors'
    : s.gpu.globalRule === 'units'
      ? `units of ${s.gpu.sectorBytes} bytes`
      : 'transactions'

/** Where accesses should begin: a whole segment on GPUs without sectors. */
const unitBytes = ({ gpu }: Setting): number =>
  gpu.globalRule === 'sectors' || gpu.globalRule === 'units' ? gpu.sectorBytes : gpu.lineBytes

/** One cause: the same array, shape and distance. */
function groups(s: Setting, list: readonly SourceAccess[]): SourceAccess[][] {
  const found = new Map<string, SourceAccess[]>()
  for (const a of list) {
    const key = [a.json.resource, a.json.pattern, distance(a.json), kindOf(s, a)].join()
    const known = found.get(key)
    if (known) known.push(a)
    else found.set(key, [a])
  }
  return [...found.values()]
}

function grouped(s: Setting, group: readonly SourceAccess[]): Finding[] {
  const first = biggest(group)
  if (!first) return []
  const kernel = gain(
    s,
    withSites(s.input, sitesIn(group), (x) => ({
      sectors: x.idealSectors,
      movedBytes: Math.min(x.movedBytes, x.usefulBytes),
      wavefronts: x.idealWavefronts,
      lines: Math.min(x.lines, Math.ceil(x.idealSectors / 4)),
    })),
  )
  const excess = group.reduce((n, a) => n + a.json.sectors - a.json.idealSectors, 0)
  const all = s.list.reduce((n, a) => n + (a.json.space === 'global' ? a.json.sectors : 0), 0)
  if (first.json.pattern === 'broadcast' && first.json.sectors < 4 * first.json.idealSectors) return []
  const few = excess < 0.1 * all || first.json.sectors < 1.5 * first.json.idealSectors
  if (kernel < 1.02 && few) return []
  const { json } = first
  const others = group.filter((a) => a !== first)
  const also = others.length === 0 ? '' : `; the same holds for ${listed(others.map((a) => `${verb(a)} ${quote(a)}`))}`
  const compared = isHalfEmpty(s, first)
    ? 'as if coalesced, but longer ones'
    : `where ${round(json.idealSectors / json.requests)} would do`
  const message =
    `${verb(first)} ${quote(first)}: ${shape(s, json)}, ${round(json.sectors / json.requests)} ${unit(s)} a ` +
    `request ${compared}; ` +
    `${Math.round((json.efficiency ?? 1) * 100)} % of the bytes moved are used${also}`
  return [
    {
      rule: 'UncoalescedGlobalAccess',
      at: json.at,
      ...typed(kernel, isHalfEmpty(s, first) ? 1 / (json.efficiency ?? 1) : json.sectors / json.idealSectors),
      message,
      fix: fixOf(s, first, group),
    },
  ]
}

function shape(s: Setting, a: AccessJson): string {
  const { threads } = s.words
  switch (a.pattern) {
    case 'strided':
      return `neighbouring ${threads} are ${distance(a)} bytes apart`
    case 'misaligned':
      return `adjacent, but starting inside a unit of ${unitBytes(s)} bytes`
    case 'scattered':
      return 'scattered addresses'
    case 'broadcast':
      return `${threads} share addresses, but each ${s.words.warp} needs several that lie far apart`
    case 'coalesced':
      return isThin(s, a)
        ? `adjacent, but on average only ${round(a.threads / a.requests)} of ${s.gpu.warpSize} ${threads} of a ` +
            `${s.words.warp} ask, with idle ones between them`
        : `adjacent within rows, but a ${s.words.warp} covers several short rows`
  }
}

/** Idle threads are what an access wastes where blocks have rows of whole warps. */
const isThin = (s: Setting, a: AccessJson): boolean =>
  a.threads < 0.9 * s.gpu.warpSize * a.requests && s.input.kernel.block[0] % s.gpu.warpSize === 0

/** Whether all but x move the address by whole units, and so do blocks: then no row has to be padded. */
function hasAlignedRows(s: Setting, a: SourceAccess): boolean {
  const unit = unitBytes(s)
  const isWhole = (step: SiteSteps['loop']): boolean => step === undefined || (step !== null && step % unit === 0)
  return a.sites.every(({ site }) => {
    const steps = s.steps[site]
    const { kernel, counters } = s.input
    const blocks = blockSteps(kernel, site).filter((_, axis) => counters.grid[axis]! > 1)
    return steps !== undefined && [steps.y, steps.z, steps.loop, ...blocks].every(isWhole)
  })
}

type Kind = 'column' | 'own-row' | 'members' | 'interleaved' | 'other'

/** What the address follows besides x. */
function kindOf(s: Setting, a: SourceAccess): Kind {
  const site = a.sites.reduce((x, y) => (y.requests > x.requests ? y : x))
  const steps: SiteSteps | undefined = s.steps[site.site]
  const element = a.json.bytesPerLane
  const along = (step: SiteSteps['loop']): boolean => step !== undefined && step !== null && Math.abs(step) === element
  if (a.json.pattern !== 'strided' || !steps) return 'other'
  if (along(steps.y) && s.input.kernel.block[1] > 1) return 'column'
  if (along(steps.loop) && distance(a.json) > 16 * element) return 'own-row'
  if (
    /\]\s*\.\s*[A-Za-z_]\w*/.test(a.json.text) ||
    (steps.element > element && steps.x !== null && Math.abs(steps.x) === steps.element)
  )
    return 'members'
  return distance(a.json) <= 16 * element ? 'interleaved' : 'other'
}

function fixOf(s: Setting, a: SourceAccess, group: readonly SourceAccess[]): string {
  const { words } = s
  const { json } = a
  const array = `'${json.resource}'`
  const reading = json.op === 'load'
  const x = words.local('x'),
    y = words.local('y')
  const wholeElements = reading
    ? `load whole elements together into ${words.shared} and pick the members there`
    : `collect whole elements in ${words.shared} and write them together`
  const strided = (): string => {
    switch (kindOf(s, a)) {
      case 'column':
        return reading
          ? `read ${array} along its rows into a tile of ${words.declareShared} memory (tile[${y}][${x}]), ` +
              `${words.barrier}, then read the tile down its columns (tile[${x}][${y}]); rows of the tile one ` +
              `element longer keep it free of bank conflicts`
          : `exchange the block through a tile of ${words.declareShared} memory: write the tile as it comes ` +
              `(tile[${y}][${x}]), ${words.barrier}, read it turned (tile[${x}][${y}]) and let ${x} run along ` +
              `the rows of ${array}; rows of the tile one element longer keep it free of bank conflicts`
      case 'own-row':
        return (
          `each ${words.thread} ${reading ? 'reads' : 'writes'} a row of its own: let neighbouring ` +
          `${words.threads} take neighbouring elements of one row and ` +
          `${reading ? `share them through ${words.shared}` : `collect results in ${words.shared} first`}, or ` +
          `keep ${array} transposed`
        )
      case 'members':
        return (
          `make ${array} a structure of arrays, one array for each member or ` +
          `column${group.length > 1 ? '' : ' that is used here'}, so that neighbouring ${words.threads} ` +
          `${reading ? 'read' : 'write'} neighbouring elements; or ${wholeElements}`
        )
      case 'interleaved':
        return group.length > 1 && distance(json) === group.length * json.bytesPerLane && group.length <= 4
          ? `take the ${group.length} neighbours in one access: make the elements of ${array} ` +
              `${words.vector(group.length)}; or let ${words.thread} i take elements i, i + count, i + 2 · count`
          : `let neighbouring ${words.threads} ${reading ? 'read' : 'write'} neighbouring elements: deal the ` +
              `elements of ${array} out round-robin (i, i + count, …) instead of in runs, or keep those that ` +
              `are used together adjacent`
      case 'other':
        return (
          `let ${x} run along the contiguous index of ${array}, or ${reading ? 'load' : 'write'} it tile by ` +
          `tile through ${words.shared}`
        )
    }
  }
  const ordered = a.sites.some((x) => s.fromData[x.site])
    ? `sort or group the indices into ${array}`
    : `let ${x} run along the contiguous index of ${array}: ` +
      `what neighbouring ${words.threads} ask for lies at no one distance`
  const throughShared = reading
    ? `bring the needed part into ${words.shared} with adjacent reads`
    : `collect in ${words.shared} and write adjacent elements`
  switch (json.pattern) {
    case 'strided':
      return strided()
    case 'misaligned':
      if (hasAlignedRows(s, a))
        return (
          `rows of ${array} are aligned already, this access is at a constant distance from their beginning: ` +
          (reading
            ? `load whole units of ${unitBytes(s)} bytes into ${words.shared} and take the neighbours from there`
            : `let the first ${words.threads} of a row write up to the next whole unit, and the others whole ones`)
        )
      return (
        `start each row of ${array} at a multiple of ${unitBytes(s)} bytes (pad its length), or shift the tile ` +
        `to aligned addresses`
      )
    case 'scattered':
      return `${ordered}, or ${throughShared}`
    case 'broadcast':
    case 'coalesced':
      return json.pattern === 'coalesced' && isThin(s, json)
        ? `renumber the ${words.threads} so that those that ${reading ? 'read' : 'write'} ${array} are ` +
            `neighbours, and whole ${words.warp}s ask or do not`
        : `make ${words.blockSize} at least ${s.gpu.warpSize} along x, so that a whole ${words.warp} stays in ` +
            `one row of ${array}`
  }
}
