// In: a `MachineView`. Out: terminal text: how blocks are dealt to multiprocessors, how the warps of one scheduler take
// turns, the memories that they reach, DRAM at work, and the host. A column is a piece of time; what fills most of it
// is drawn.
import {
  interleave,
  type DramView,
  type HostView,
  type MachineView,
  type MachineMemory,
  type LanguageWords,
} from '../explain/index.ts'
import { plain, type Paint } from './paint.ts'
import { paragraph, table } from './table.ts'
import { amount, bytesWords, digits, duration, grouped, percent, plural, times } from './words.ts'

/** Lines of a figure at most, and characters before its bars. */
const rows = 8,
  label = 12

/** `--machine` of `tesela explain`. */
export function machineLines(m: MachineView, words: LanguageWords, paint: Paint = plain, columns = 100): string[] {
  return [
    '',
    ...dealingLines(m, words, paint, columns),
    '',
    ...turnLines(m, words, paint, columns),
    '',
    ...memoryLines(m, paint),
    ...(m.dram ? ['', ...dramLines(m.dram, words, paint, columns)] : []),
    ...(m.host ? ['', ...hostLines(m.host, paint, columns)] : []),
  ]
}

/** How full the machine is, in a sentence. */
export function dealingWords({ dealing: d }: MachineView, words: LanguageWords): string {
  const rounds = d.blocks / (d.multiprocessors * d.resident)
  return (
    `${grouped(d.blocks)} ${words.blocks} for ${plural(d.multiprocessors, 'multiprocessor')}, each with room for ` +
    `${d.resident}: ${digits(rounds, 2)} rounds. Whoever is done takes the next; of all places, ${percent(d.busy)} ` +
    `are taken on average.${d.known ? '' : ` Not all ${words.blocks} were run; the others are taken to be as long.`}`
  )
}

/** How busy a scheduler is alone, half full and full, in a sentence. */
export function turnWords({ scheduler: s }: MachineView, words: LanguageWords): string {
  const busy = (n: number): string => percent(interleave(s.steps, n, s.group, s.perInstruction).busy)
  const counts = [...new Set([1, Math.max(1, Math.round(s.warps / 2)), s.warps])]
  const each = counts.map((n) => `with ${plural(n, words.warp, words.warps)} ${busy(n)}`)
  return (
    `A scheduler begins one instruction at a time; while a ${words.warp} waits, another is taken. It is busy ` +
    `${each.join(', ')} of the time${s.whole ? '' : ', until the loop repeats'}.` +
    (s.steps.some((x) => x.what === 'barrier')
      ? ` At ${words.barrier} a ${words.warp} waits for those of its ${words.block}, and for no other ${words.block}.`
      : '')
  )
}

/** `width` columns of time, in each the mark of what `at` says fills its middle. */
const strip = (width: number, clocks: number, at: (clock: number) => string): string =>
  Array.from({ length: width }, (_, i) => at(((i + 0.5) * clocks) / width)).join('')

/** What stands below strips: how long they are, and what their marks mean. */
const below = (clocks: number, marks: string, paint: Paint): string =>
  `  ${' '.repeat(label)}${paint.dim(`0 to ${grouped(Math.round(clocks))} clocks; ${marks}`)}`

function dealingLines(m: MachineView, words: LanguageWords, paint: Paint, columns: number): string[] {
  const { dealing: d } = m,
    width = Math.max(20, columns - label - 4)
  const across = Math.min(d.drawn, rows) // one at least is drawn
  const places = Array.from({ length: Math.min(rows, d.drawn * d.resident) }, (_, i) => ({
    multiprocessor: i % across,
    slot: Math.floor(i / across),
  }))
  const marks = 'abcdefghijklmnopqrstuvwxyz'
  const lines = places.map(({ multiprocessor, slot }) => {
    const own = d.dealt.filter((x) => x.multiprocessor === multiprocessor && x.slot === slot)
    const until = Math.max(0, ...own.map((x) => x.end))
    const text = strip(width, d.clocks, (clock) => {
      const on = own.find((x) => x.start <= clock && clock < x.end)
      return on ? marks[on.block % marks.length]! : clock < until ? ' ' : '·'
    })
    return `  ${paint.dim(`place ${multiprocessor}.${slot}`.padEnd(label))}${text}`
  })
  return [
    paint.bold(`How ${words.blocks} are dealt`),
    ...paragraph('  ', dealingWords(m, words), columns),
    ...lines,
    below(d.clocks, `a letter is a ${words.block}, the next letter the next`, paint),
  ]
}

function turnLines(m: MachineView, words: LanguageWords, paint: Paint, columns: number): string[] {
  const { scheduler: s } = m,
    shown = Math.min(rows, s.warps),
    width = Math.max(20, columns - label - 4)
  if (s.steps.length === 0) return []
  const turns = interleave(s.steps, shown, s.group, s.perInstruction)
  const lines = Array.from({ length: shown }, (_, warp) => {
    const own = turns.steps.filter((x) => x.warp === warp),
      last = own.at(-1)?.issued ?? 0
    const piece = turns.clocks / width
    const text = strip(width, turns.clocks, (clock) => {
      const isIssuing = own.some((x) => x.start < clock + piece / 2 && x.issued > clock - piece / 2)
      return isIssuing ? '█' : clock < last ? '·' : ' '
    })
    return `  ${paint.dim(`${words.warp} ${warp}`.padEnd(label).slice(0, label))}${text}`
  })
  return [
    paint.bold(`How ${words.warps} take turns on one of ${plural(s.schedulers, 'scheduler')} of a multiprocessor`),
    ...paragraph('  ', turnWords(m, words), columns),
    ...lines,
    below(turns.clocks, '█ begins instructions, · waits', paint),
  ]
}

/** What is said of a memory, in the order of the tables; `unit` stands behind its rate. */
export const memoryCells = (x: MachineMemory, unit: string): readonly string[] => [
  x.name,
  x.scope,
  x.lifetime,
  x.bytes === null ? '' : `${bytesWords(x.bytes)}${x.of === 'GPU' ? '' : ' each'}`,
  x.clocks === null ? '?' : String(Math.round(x.clocks)),
  x.bytesPerSecond === null ? '' : `${amount(x.bytesPerSecond)}${unit}`,
  x.taken,
]

function memoryLines(m: MachineView, paint: Paint): string[] {
  return [
    paint.bold('Memories, from the nearest to the farthest'),
    ...table(
      [
        { title: 'memory' },
        { title: 'seen by' },
        { title: 'lives as long as' },
        { title: 'size', align: 'right' },
        { title: 'clocks', align: 'right' },
        { title: 'a second', align: 'right' },
        { title: 'this kernel' },
      ],
      m.memories.map((x) => memoryCells(x, 'B')),
      { paint },
    ),
  ]
}

/** How well DRAM works for the kernel, in sentences. */
export function dramWords(d: DramView, words: LanguageWords): string {
  const bursts = d.loads.reduce((n, l) => n + l.bursts, 0),
    opened = d.loads.reduce((n, l) => n + l.opened, 0),
    used = d.loads.filter((l) => l.bursts > 0).length
  return (
    `${plural(d.blocks, words.block, words.blocks)} side by side ask ${d.kind} for ${grouped(bursts)} bursts of ` +
    `${d.burstBytes} bytes, on ${grouped(used)} of ${grouped(d.loads.length)} channels. The pins of a channel send ` +
    `one in ${digits(d.burstNs)} ns; a bank takes ${digits(d.openNs)} ns to open another row of ` +
    `${bytesWords(d.rowBytes)}, as long as ${digits(d.openNs / d.burstNs, 2)} bursts. ` +
    `${digits((100 * opened) / Math.max(1, bursts))} % of the bursts open one. ${percent(d.busy)} of what all pins ` +
    `could send is sent until channel ${d.busiest}, the busiest, is done` +
    (d.known ? '.' : '. Which channel has which address is told nowhere: some hash stands for it.')
  )
}

/** Channels by how much they have to do, at most so many. */
const mostChannels = 8

function dramLines(d: DramView, words: LanguageWords, paint: Paint, columns: number): string[] {
  const width = Math.max(20, columns - label - 4),
    most = Math.max(...d.loads.map((l) => l.bursts)),
    bar = Math.min(30, width)
  const channels = d.loads.slice(0, mostChannels).map(({ bursts, opened }, i) => {
    const full = Math.round((bar * bursts) / most)
    return (
      `  ${paint.dim(`channel ${i}`.padEnd(label))}${'█'.repeat(full)}${'·'.repeat(bar - full)}  ` +
      `${plural(bursts, 'burst')}, ${plural(opened, 'row')} opened`
    )
  })
  const more = d.loads.length - channels.length,
    end = Math.max(...d.first.map((b) => b.end))
  const banks = [...new Set(d.first.map((b) => b.bank))].sort((a, b) => a - b).slice(0, mostChannels)
  const drawn = [...banks, null].map((bank) => {
    const own = d.first.filter((b) => bank === null || b.bank === bank)
    const text = strip(width, end, (ns) => {
      if (own.some((b) => b.start <= ns && ns < b.end)) return '█'
      return bank !== null && own.some((b) => b.opens !== null && b.opens <= ns && ns < b.start) ? '░' : '·'
    })
    return `  ${paint.dim((bank === null ? 'pins' : `bank ${bank}`).padEnd(label))}${text}`
  })
  const marks = `░ a row is being opened, █ a burst is sent, of channel ${d.busiest}`
  return [
    paint.bold('DRAM at work'),
    ...paragraph('  ', dramWords(d, words), columns),
    ...channels,
    ...(more > 0 ? [`  ${' '.repeat(label)}${paint.dim(`and ${plural(more, 'more channel')}`)}`] : []),
    ...drawn,
    `  ${' '.repeat(label)}${paint.dim(`0 to ${digits(end)} ns; ${marks}`)}`,
  ]
}

/** What the bus costs beside the kernel, in sentences. */
export function hostTransferWords(v: HostView): string {
  const moved = v.inNs + v.outNs
  return (
    `Over ${v.bus}, ${amount(v.busBytesPerSecond)}B/s each way, ${bytesWords(v.bytesIn)} in take ${duration(v.inNs)} ` +
    `and ${bytesWords(v.bytesOut)} out ${duration(v.outNs)}: ${times(moved / v.kernelNs)} the kernel's ` +
    `${duration(v.kernelNs)}. ` +
    (moved + v.kernelNs > v.cpu.leastNs
      ? `Data that come and go for this kernel alone are worth it only if the CPU takes longer than ` +
        `${duration(moved + v.kernelNs)}; it needs ${duration(v.cpu.leastNs)} at least.`
      : `The CPU needs ${duration(v.cpu.leastNs)} at least: longer than both together.`)
  )
}

/** What is said of a processor, in the order of the tables. */
export const processorCells = (p: HostView['cpu'], of: string): readonly string[] => [
  p.title,
  `${grouped(p.cores)} ${of}`,
  grouped(p.threads),
  `${amount(p.flops)}FLOP/s`,
  `${amount(p.bytesPerSecond)}B/s`,
  duration(p.leastNs),
]

export const processorHeads = ['processor', 'cores', 'threads', 'single precision', 'memory', 'this kernel, at least']

function hostLines(v: HostView, paint: Paint, columns: number): string[] {
  return [
    paint.bold('The CPU beside the GPU'),
    ...table(
      processorHeads.map((title, i) => (i === 0 ? { title } : { title, align: 'right' as const })),
      [processorCells(v.cpu, 'cores'), processorCells(v.gpu, 'multiprocessors')],
      { paint },
    ),
    ...paragraph('  ', hostTransferWords(v), columns),
  ]
}
