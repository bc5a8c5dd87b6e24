// In: a `MachineView`. Out: terminal text: how blocks are dealt to multiprocessors, how the warps of one scheduler take
// turns, and the memories that they reach. A column is a piece of time; what fills most of it is drawn.
import { interleave, type MachineView, type Memory, type Words } from '../explain/index.ts'
import { plain, type Paint } from './paint.ts'
import { paragraph, table } from './table.ts'
import { amount, bytesWords, digits, grouped, percent, plural } from './words.ts'

const rows = 8,
  label = 12

/** `--machine` of `tesela explain`. */
export function machineLines(m: MachineView, words: Words, paint: Paint = plain, columns = 100): string[] {
  return [
    '',
    ...dealingLines(m, words, paint, columns),
    '',
    ...turnLines(m, words, paint, columns),
    '',
    ...memoryLines(m, paint),
  ]
}

/** How full the machine is, in a sentence. */
export function dealingWords({ dealing: d }: MachineView, words: Words): string {
  const rounds = d.blocks / (d.multiprocessors * d.resident)
  return (
    `${grouped(d.blocks)} ${words.blocks} for ${plural(d.multiprocessors, 'multiprocessor')}, each with room for ` +
    `${d.resident}: ${digits(rounds, 2)} rounds. Whoever is done takes the next; of all places, ${percent(d.busy)} ` +
    `are taken on average.${d.known ? '' : ` Not all ${words.blocks} were run; the others are taken to be as long.`}`
  )
}

/** How busy a scheduler is alone, half full and full, in a sentence. */
export function turnWords({ scheduler: s }: MachineView, words: Words): string {
  const busy = (n: number): string => percent(interleave(s.steps, n, s.group, s.perInstruction).busy)
  const counts = [...new Set([1, Math.max(1, Math.round(s.warps / 2)), s.warps])]
  const each = counts.map((n) => `with ${plural(n, words.warp, words.warps)} ${busy(n)}`)
  return (
    `A scheduler begins one instruction at a time; while a ${words.warp} waits, another is taken. It is busy ` +
    `${each.join(', ')} of the time${s.whole ? '' : ', until the loop repeats'}.`
  )
}

/** `width` columns of time, in each the mark of what `at` says fills its middle. */
const strip = (width: number, clocks: number, at: (clock: number) => string): string =>
  Array.from({ length: width }, (_, i) => at(((i + 0.5) * clocks) / width)).join('')

/** What stands below strips: how long they are, and what their marks mean. */
const below = (clocks: number, marks: string, paint: Paint): string =>
  `  ${' '.repeat(label)}${paint.dim(`0 to ${grouped(Math.round(clocks))} clocks; ${marks}`)}`

function dealingLines(m: MachineView, words: Words, paint: Paint, columns: number): string[] {
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

function turnLines(m: MachineView, words: Words, paint: Paint, columns: number): string[] {
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
export const memoryCells = (x: Memory, unit: string): readonly string[] => [
  x.name,
  x.scope,
  x.lifetime,
  x.bytes === null ? '' : `${bytesWords(x.bytes)}${x.of === 'multiprocessor' ? ' each' : ''}`,
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
