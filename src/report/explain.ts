// In: an `ExplainReport` and the source's lines. Out: terminal text: launch, what bounds it, findings by gain, every
// memory access by source line, branches that diverge, occupancy, hazards. Text from outside is made printable.
import { wordsOf, type AccessJson, type ExplainReport, type Finding, type LanguageWords } from '../explain/index.ts'
import { plain, type Paint } from './paint.ts'
import { paragraph, table } from './table.ts'
import { amount, digits, duration, grouped, list, percent, plural, printable, times } from './words.ts'

/** The report, one string per line, about `columns` wide. */
export function explainLines(r: ExplainReport, paint: Paint = plain, columns = 100): string[] {
  return [
    ...head(r, paint),
    ...portableLines(r, paint),
    ...unreachedLines(r, paint, columns),
    '',
    ...findingLines(r, paint, columns),
    ...hazardLines(r, paint, columns),
    ...accessLines(r, paint),
    ...branchLines(r, paint),
    ...occupancyPart(r, paint),
    ...r.notes.flatMap((n) => paragraph(paint.dim('note '), paint.dim(printable(n)), columns)),
  ]
}

/** Conditions that are named of those that kept accesses from running. */
const mostConditions = 3

/** What never ran, and why: the figures are of the rest. */
const unreachedLines = (r: ExplainReport, paint: Paint, columns: number): string[] =>
  r.unreached.slice(0, mostConditions).flatMap(({ message, follows }) => {
    const mark = follows.length > 0 ? paint.yellow('!') : paint.dim('·')
    return paragraph(`  ${mark} `, printable(message), columns)
  })

/** How many blocks ran, and what of the others. */
function countedWords({ coverage: { blocks, simulated, exact } }: ExplainReport): string {
  if (simulated === blocks) return 'all blocks run'
  const some = `${grouped(simulated)} of ${grouped(blocks)} blocks run`
  return exact ? `${some}, the others count as these do` : `${some}, counts estimated`
}

/** ` ± ` and a half width of at least 0.01 a request. */
const plusMinus = (half: number | undefined): string => (half && half >= 0.005 ? ` ± ${half.toFixed(2)}` : '')

function head(r: ExplainReport, paint: Paint): string[] {
  const { grid, block } = r.launch
  const words = wordsOf(r.kernel.language)
  const counted = countedWords(r)
  const { error } = r.prediction
  const accuracy = error ? `error ${digits(error.mape, 2)} % on ${error.kernels} kernels` : 'not calibrated'
  return [
    `${paint.bold(printable(r.kernel.name))} ${paint.dim(printable(r.kernel.file))}   ${grid.join(' × ')} ` +
      `${words.blocks} of ${block.join(' × ')} on ${r.gpu}; ${counted}`,
    `  ${paint.bold(duration(r.prediction.ns))} predicted ` +
      `(${accuracy}), bound by ${paint.bold(r.prediction.boundBy)}   ` +
      `${amount(r.instructions.warp)} ${words.warp} instructions, ${percent(r.warpEfficiency)} of lanes active`,
  ]
}

/** Each GPU of a portable report in one row. */
function portableLines(r: ExplainReport, paint: Paint): string[] {
  if (!r.portable) return []
  const rows = r.portable.map((p) => [
    p.gpu,
    duration(p.ns),
    p.boundBy,
    p.occupancy === null ? '?' : percent(p.occupancy),
    p.unknown.join(', '),
  ])
  return [
    '',
    ...table(
      [
        { title: 'GPU' },
        { title: 'predicted', align: 'right' },
        { title: 'bound by' },
        { title: 'occupancy', align: 'right' },
        { title: 'not documented' },
      ],
      rows,
      { paint },
    ),
  ]
}

function findingLines(r: ExplainReport, paint: Paint, columns: number): string[] {
  const lines = r.findings.flatMap((f) => [
    ...findingHead(f, r.kernel.file, paint, columns),
    ...paragraph('      fix: ', printable(f.fix), columns),
  ])
  return [paint.bold('Findings'), ...lines, '']
}

/** A line of the kernel's own file, or of one that it includes. */
const lineOf = (at: { readonly file: string; readonly line: number }, own: string): string =>
  at.file === own ? String(at.line) : `${printable(at.file.split(/[\\/]/).pop() ?? '')}:${at.line}`

function findingHead(f: Finding, own: string, paint: Paint, columns: number): string[] {
  const colour = f.level === 'error' ? paint.red : f.level === 'warning' ? paint.yellow : paint.cyan
  const gain =
    f.rule === 'SOLBottleneck' || f.speedup < 1.005
      ? ''
      : f.scope === 'global'
        ? ` ${paint.bold(`${times(f.speedup)} kernel`)}`
        : ` ${paint.dim(`${times(f.speedup)} at the site, kernel unchanged`)}`
  const place = f.at ? `${lineOf(f.at, own)}:${f.at.column} ` : ''
  const also =
    f.gpus && f.gpus.length > 1 ? ` (also on ${list(f.gpus.filter((g) => !f.message.startsWith(`on ${g}:`)))})` : ''
  return paragraph(`  ${colour('•')} `, `${place}${colour(f.rule)}${gain}: ${printable(f.message)}${also}`, columns)
}

function hazardLines(r: ExplainReport, paint: Paint, columns: number): string[] {
  if (r.hazards.length === 0) return []
  const colourOf = (h: ExplainReport['hazards'][number]): ((text: string) => string) =>
    h.level === 'error' ? paint.red : paint.dim
  const lines = r.hazards.flatMap((h) => {
    const place = h.at ? `${lineOf(h.at, r.kernel.file)}:${h.at.column} ` : ''
    const count = h.count > 0 ? `, ${plural(h.count, 'time')}` : ''
    return [
      ...paragraph(
        `  ${colourOf(h)(h.level === 'error' ? '!' : '·')} `,
        `${place}${colourOf(h)(h.kind)}${count}: ${printable(h.message)}; for example ${printable(h.example)}`,
        columns,
      ),
      ...paragraph('      fix: ', printable(h.fix), columns),
    ]
  })
  return [paint.bold('Hazards'), ...lines, '']
}

function accessLines(r: ExplainReport, paint: Paint): string[] {
  const right = (title: string) => ({ title, align: 'right' as const })
  const columns = [
    right('line'),
    { title: 'access' },
    { title: 'space' },
    right('requests'),
    right('sectors/req\n(ideal)'),
    right('passes/req\n(ideal)'),
    right('bytes\nused'),
    { title: 'pattern' },
    ...(r.portable ? [{ title: 'worst on' }] : []),
  ]
  return [
    paint.bold('Memory accesses'),
    ...table(
      columns,
      folded(r.accesses.filter((a) => a.requests > 0)).map((a) => accessRow(a, r, paint)),
      { paint },
    ),
    ...unreached(r),
    '',
  ]
}

/** Rows of a thread's own arrays beyond which each array has one row for reads and one for writes. */
const mostLocal = 4

/** Accesses to arrays of single threads, which unrolled code has hundreds of, summed up by array. */
function folded(list: readonly AccessJson[]): readonly AccessJson[] {
  const own = list.filter((a) => a.space === 'local')
  if (own.length <= mostLocal) return list
  const groups = new Map<string, AccessJson[]>()
  for (const a of own) {
    const key = `${a.resource} ${a.op}`
    groups.set(key, [...(groups.get(key) ?? []), a])
  }
  return [...list.filter((a) => a.space !== 'local'), ...[...groups.values()].map(summed)]
}

function summed(group: readonly AccessJson[]): AccessJson {
  const [first] = group as [AccessJson, ...AccessJson[]] // groups are made with their first
  if (group.length === 1) return first
  const sum = (of: (a: AccessJson) => number): number => group.reduce((n, a) => n + of(a), 0)
  return {
    ...first,
    text: `${first.resource}, ${group.length} accesses`,
    requests: sum((a) => a.requests),
    sectors: sum((a) => a.sectors),
    idealSectors: sum((a) => a.idealSectors),
    wavefronts: group.some((a) => a.wavefronts === null) ? null : sum((a) => a.wavefronts ?? 0),
    idealWavefronts: sum((a) => a.idealWavefronts),
    efficiency:
      sum((a) => (a.efficiency ?? 0) * a.requests) /
      Math.max(
        1,
        sum((a) => a.requests),
      ),
  }
}

/** Lines that are listed; the others are counted. */
const mostLines = 8

/** The lines of accesses that this launch does not execute. */
function unreached(r: ExplainReport): string[] {
  const idle = r.accesses.filter((a) => a.requests === 0)
  const lines = [...new Set(idle.map((a) => (a.at ? lineOf(a.at, r.kernel.file) : '?')))]
  if (lines.length === 0) return []
  const more = lines.length > mostLines ? ` and ${lines.length - mostLines} more` : ''
  return [
    `  not executed: ${plural(idle.length, 'access', 'accesses')} of ${lines.length > 1 ? 'lines' : 'line'} ` +
      `${lines.slice(0, mostLines).join(', ')}${more}`,
  ]
}

function accessRow(a: AccessJson, r: ExplainReport, paint: Paint): string[] {
  const words = wordsOf(r.kernel.language)
  const per = (x: number): string => (a.requests === 0 ? '–' : digits(x / a.requests, 2))
  const sectors =
    a.space === 'shared'
      ? ''
      : mark(
          a.sectors > 1.1 * a.idealSectors,
          `${per(a.sectors)}${plusMinus(a.uncertainty?.sectors)} (${per(a.idealSectors)})`,
          paint,
        )
  const passes =
    a.wavefronts === null
      ? `? (${per(a.idealWavefronts)})`
      : mark(
          a.wavefronts > 1.1 * a.idealWavefronts,
          `${per(a.wavefronts)}${plusMinus(a.uncertainty?.wavefronts)} (${per(a.idealWavefronts)})`,
          paint,
        )
  const word = a.op === 'load' ? 'read' : a.op === 'store' ? 'write' : 'atomic'
  return [
    a.at ? lineOf(a.at, r.kernel.file) : '',
    `${word} ${printable(a.text.length > 44 ? `${a.text.slice(0, 43)}…` : a.text)}`,
    spaceWord(words)[a.space],
    amount(a.requests),
    sectors,
    passes,
    a.efficiency === null ? '?' : percent(a.efficiency),
    a.pattern + (a.stride !== null ? ` ${Math.round(a.stride * 100) / 100}` : ''),
    ...(a.gpu !== undefined ? [a.gpu] : []),
  ]
}

const spaceWord = (w: LanguageWords): Readonly<Record<AccessJson['space'], string>> =>
  w.block === 'workgroup'
    ? { global: 'storage', constant: 'uniform', shared: 'workgroup', local: 'private', texture: 'texture' }
    : { global: 'global', constant: 'constant', shared: 'shared', local: 'local', texture: 'texture' }
const mark = (bad: boolean, text: string, paint: Paint): string => (bad ? paint.yellow(text) : text)

function branchLines(r: ExplainReport, paint: Paint): string[] {
  const split = r.branches.filter((b) => b.divergent > 0)
  if (split.length === 0) return []
  const rows = split.map((b) => [
    b.at ? `line ${lineOf(b.at, r.kernel.file)}` : '',
    `${amount(b.executed)} executed`,
    `${percent(b.divergent / Math.max(1, b.executed))} divergent`,
  ])
  return [
    paint.bold(`Branches that split ${wordsOf(r.kernel.language).warps}`),
    ...table([{ title: '' }, { title: '', align: 'right' }, { title: '', align: 'right' }], rows, { paint }),
    '',
  ]
}

function occupancyPart(r: ExplainReport, paint: Paint): string[] {
  const o = r.occupancy
  const words = wordsOf(r.kernel.language)
  const registers =
    o.registers.source === 'ptxas'
      ? `${o.registers.perThread} registers (ptxas)`
      : `about ${o.registers.perThread} registers (estimated)`
  return [
    ...(o.occupancy === null
      ? [`${paint.bold('Occupancy')} unknown: nobody documents how many ${words.warps} ${r.gpu} holds; ${registers}`]
      : [
          `${paint.bold('Occupancy')} ${percent(o.occupancy)}: ${o.activeWarps} of ${o.maxWarps} ` +
            `${words.warps}, limited by ${list(o.limitedBy)}; ` +
            registers,
          ...sizeTable(r, words, paint),
        ]),
    '',
  ]
}

const shownSizes = [32, 64, 96, 128, 192, 256, 384, 512, 768, 1024]

/** Occupancy by block size, in one row; the size of this launch is marked. */
function sizeTable(r: ExplainReport, words: LanguageWords, paint: Paint): string[] {
  const [x, y, z] = r.launch.block
  const shown = r.occupancy.blockSizes.filter((b) => shownSizes.includes(b.threads))
  const cell = (text: string, threads: number): string => (threads === x * y * z ? paint.bold(text) : text)
  return table(
    [{ title: '' }, ...shown.map(() => ({ title: '', align: 'right' as const }))],
    [
      [`${words.threads} a ${words.block}`, ...shown.map((b) => cell(String(b.threads), b.threads))],
      ['occupancy', ...shown.map((b) => cell(b.occupancy === null ? '?' : percent(b.occupancy), b.threads))],
    ],
    { paint },
  )
}
