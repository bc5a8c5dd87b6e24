// In: a GPU profile and what a block takes. Out: how many warps are in flight, what each limit allows and why, what to
// change, and a table of block sizes; as terminal text and as the `occupancy` object of docs/contracts.md. Everything
// here is computed exactly from the profile's limits; nothing is predicted.
import {
  advise,
  occupancy,
  type BlockUse,
  type GpuProfile,
  type Occupancy,
  type OccupancyLimit,
} from '../gpus/index.ts'
import { plain, type Paint } from './paint.ts'
import { paragraph, table } from './table.ts'
import { grouped, list, percent, plural } from './words.ts'

/** The `occupancy` object of docs/contracts.md, and what was asked. */
export interface OccupancyJson extends Occupancy {
  readonly registers: { readonly perThread: number; readonly source: 'given' | 'unknown' }
  readonly gpu: string
  readonly threads: number
  readonly shared: number
  readonly advice: readonly {
    readonly limit: OccupancyLimit
    readonly change: string
    readonly to: readonly number[]
    readonly occupancy: number
    readonly message: string
  }[]
}

export function occupancyJson(profile: GpuProfile, use: BlockUse): OccupancyJson {
  const advice = advise(profile, use).map(({ limit, change, to, after, message }) => ({
    limit,
    change,
    to,
    occupancy: after.occupancy,
    message,
  }))
  return {
    ...occupancy(profile, use),
    registers: { perThread: use.registers, source: use.registers > 0 ? 'given' : 'unknown' },
    gpu: profile.name,
    threads: use.threads,
    shared: use.shared,
    advice,
  }
}

/** The report, one string per line, at most `columns` wide. */
export function occupancyLines(profile: GpuProfile, use: BlockUse, paint: Paint = plain, columns = 100): string[] {
  const now = occupancy(profile, use)
  if (!Number.isFinite(now.occupancy))
    return [
      `${paint.bold(profile.title)}: occupancy is unknown`,
      '',
      ...paragraph('  ', `${profile.sources.occupancy}.`, columns),
    ]
  const registers = use.registers > 0 ? `${plural(use.registers, 'register')} a thread` : 'registers unknown (no limit)'
  return [
    `${paint.bold(profile.title)}: blocks of ${plural(use.threads, 'thread')}, ${registers}, ` +
      `${grouped(use.shared)} bytes of shared memory a block`,
    '',
    ...headline(profile, use, now, paint, columns),
    '',
    ...limitTable(profile, use, now, paint),
    '',
    ...changes(profile, use, paint, columns),
    paint.bold('Other block sizes') + paint.dim(', with the same registers a thread and shared memory a block'),
    ...sizeTable(profile, use, paint),
  ]
}

function headline(profile: GpuProfile, use: BlockUse, now: Occupancy, paint: Paint, columns: number): string[] {
  if (now.activeBlocks === 0)
    return paragraph(
      '  ',
      paint.red(`Such a block cannot start on this GPU: ${list(now.limitedBy.map((l) => needs[l](profile, use)))}.`),
      columns,
    )
  const warps = Math.ceil(use.threads / profile.warpSize)
  const colour = now.occupancy >= 0.5 ? paint.green : paint.yellow
  return [
    `  ${colour(paint.bold(`occupancy ${percent(now.occupancy)}`))}   ${now.activeWarps} of ${now.maxWarps} ` +
      `warps in flight on each multiprocessor: ${plural(now.activeBlocks, 'block')} of ${plural(warps, 'warp')}`,
  ]
}

/** Why a block can be too large. */
const needs: Readonly<Record<OccupancyLimit, (p: GpuProfile, u: BlockUse) => string>> = {
  warps: (p) => `a block may have at most ${grouped(p.occupancy.maxThreadsPerBlock)} threads`,
  blocks: () => 'no block fits',
  registers: (p, u) =>
    `${grouped(u.registers)} registers a thread are more than the ${grouped(p.occupancy.registers)} of a ` +
    `multiprocessor, or the ${p.occupancy.maxRegistersPerThread} of a thread, allow`,
  shared: (p) => `a block may have at most ${grouped(p.occupancy.sharedPerBlock)} bytes of shared memory`,
}

const reasons: Readonly<Record<OccupancyLimit, (p: GpuProfile, u: BlockUse) => string>> = {
  warps: (p, u) =>
    u.threads > p.occupancy.maxThreadsPerBlock
      ? needs.warps(p, u)
      : `${p.occupancy.maxWarps} warps, ${Math.ceil(u.threads / p.warpSize)} a block`,
  blocks: (p) =>
    Number.isFinite(p.occupancy.maxBlocks) ? `${p.occupancy.maxBlocks} blocks in flight at most` : 'not documented',
  registers: (p, u) =>
    u.registers === 0
      ? 'not known, so no limit'
      : !Number.isFinite(p.occupancy.registers)
        ? 'no limit, or none that is documented'
        : `${grouped(p.occupancy.registers)} registers, ${u.registers} × ${grouped(u.threads)} a block, in ` +
          `units of ${p.occupancy.registerUnit} a ${p.occupancy.registerAllocation}`,
  shared: (p, u) => {
    const reserved = p.occupancy.sharedReserved
    if (!Number.isFinite(p.occupancy.shared)) return 'not documented'
    return u.shared === 0 && reserved === 0
      ? 'none used, so no limit'
      : `${grouped(p.occupancy.shared)} bytes, ` +
          `${grouped(u.shared)}${reserved > 0 ? ` + ${grouped(reserved)} of the system's` : ''} a block, in ` +
          `units of ${p.occupancy.sharedUnit}`
  },
}

/** Limits that nobody documents are infinite. */
const finite = (n: number): string => (Number.isFinite(n) ? String(n) : '–')

function limitTable(profile: GpuProfile, use: BlockUse, now: Occupancy, paint: Paint): string[] {
  const order: readonly OccupancyLimit[] = ['warps', 'blocks', 'registers', 'shared']
  const rows = order.map((limit) => {
    const holds = now.limitedBy.includes(limit)
    const mark = holds && now.activeWarps < now.maxWarps ? paint.yellow('◄ limits') : holds ? paint.dim('◄') : ''
    return [limit, finite(now.limits[limit]), mark, paint.dim(reasons[limit](profile, use))]
  })
  return table(
    [{ title: 'limit' }, { title: 'blocks', align: 'right' }, { title: '' }, { title: 'because of' }],
    rows,
    { paint },
  )
}

function changes(profile: GpuProfile, use: BlockUse, paint: Paint, columns: number): string[] {
  const advice = advise(profile, use)
  const lines = advice.flatMap((a) => paragraph('  • ', a.message, columns))
  return advice.length === 0 ? [] : [paint.bold('What would lift it'), ...lines, '']
}

const blockSizes = [32, 64, 96, 128, 192, 256, 320, 384, 512, 640, 768, 1024]

function sizeTable(profile: GpuProfile, use: BlockUse, paint: Paint): string[] {
  const sizes = [...new Set([...blockSizes, use.threads])]
    .filter((n) => n <= profile.occupancy.maxThreadsPerBlock)
    .sort((a, b) => a - b)
  const rows = sizes.map((threads) => {
    const o = occupancy(profile, { ...use, threads })
    const row = [
      String(threads),
      String(o.activeBlocks),
      String(o.activeWarps),
      percent(o.occupancy),
      bar(o.occupancy, 20),
      threads === use.threads ? '◄ now' : '',
      o.occupancy === 1 ? '' : list(o.limitedBy),
    ]
    return threads === use.threads ? row.map((cell) => paint.bold(cell)) : row
  })
  const right = (title: string) => ({ title, align: 'right' as const })
  return table(
    [
      right('threads'),
      right('blocks'),
      right('warps'),
      right('occupancy'),
      { title: '' },
      { title: '' },
      { title: 'limited by' },
    ],
    rows,
    { paint },
  )
}

/** A bar of `cells` characters. */
const bar = (fraction: number, cells: number): string => '█'.repeat(Math.round(fraction * cells)).padEnd(cells, '·')
