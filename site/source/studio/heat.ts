// What each line costs, beside the text. In: costs by line and which of them to show. Out: a gutter whose cells carry a
// bar and a figure, and a mark on the line that is looked at. The figure is text: the colour says nothing that is not
// also read.
import { RangeSet, RangeSetBuilder, StateEffect, StateField, type Extension } from '@codemirror/state'
import { Decoration, EditorView, gutter, GutterMarker, type DecorationSet } from '@codemirror/view'
import { lineMetrics, type LineMetric, type LineView } from 'tesela/html'
import { heatText } from './heat-text.ts'

export interface Heat {
  readonly lines: readonly LineView[]
  readonly metric: LineMetric
}

class Cell extends GutterMarker {
  readonly text: string
  readonly share: number
  constructor(text: string, share: number) {
    super()
    this.text = text
    this.share = share
  }
  override eq(other: Cell): boolean {
    return other.text === this.text && other.share === this.share
  }
  override toDOM(): Node {
    const cell = document.createElement('div')
    cell.className = 'heatcell'
    const bar = document.createElement('span')
    bar.className = 'bar'
    bar.style.setProperty('width', `${100 * this.share}%`)
    const figure = document.createElement('span')
    figure.className = 'figure'
    figure.textContent = this.text
    cell.append(bar, figure)
    return cell
  }
}

const setHeat = StateEffect.define<Heat>()
const setMark = StateEffect.define<number | null>()

const cells = StateField.define<RangeSet<Cell>>({
  create: () => RangeSet.empty,
  update(value, transaction) {
    let next = value.map(transaction.changes)
    for (const e of transaction.effects)
      if (e.is(setHeat)) next = cellsOf(transaction.newDoc.lines, e.value, (n) => transaction.newDoc.line(n).from)
    return next
  },
})

function cellsOf(count: number, { lines, metric }: Heat, from: (line: number) => number): RangeSet<Cell> {
  const unit = lineMetrics.find((m) => m.key === metric)?.unit ?? ''
  const most = Math.max(1, ...lines.map((l) => l[metric]))
  const builder = new RangeSetBuilder<Cell>()
  for (const l of lines) {
    const value = l[metric]
    if (value > 0 && l.line <= count) {
      const at = from(l.line)
      builder.add(at, at, new Cell(heatText(value, unit), value / most))
    }
  }
  return builder.finish()
}

const marked = Decoration.line({ class: 'marked' })

const mark = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    let next = value.map(transaction.changes)
    for (const e of transaction.effects) {
      if (!e.is(setMark)) continue
      const line = e.value
      next =
        line === null || line < 1 || line > transaction.newDoc.lines
          ? Decoration.none
          : Decoration.set([marked.range(transaction.newDoc.line(line).from)])
    }
    return next
  },
  provide: (f) => EditorView.decorations.from(f),
})

/** `choose` hears of lines whose cell was clicked. */
export function heat(choose: (line: number) => void): Extension {
  return [
    cells,
    mark,
    gutter({
      class: 'heatgutter',
      markers: (view) => view.state.field(cells),
      initialSpacer: () => new Cell('000 MB', 0),
      domEventHandlers: {
        mousedown: (view, block) => {
          choose(view.state.doc.lineAt(block.from).number)
          return false
        },
      },
    }),
  ]
}

export const showHeat = (view: EditorView, of: Heat): void => view.dispatch({ effects: setHeat.of(of) })

/** Marks a line, or none, and brings it into view when asked to. */
export function showMark(view: EditorView, line: number | null, scroll: boolean): void {
  const known = line !== null && line >= 1 && line <= view.state.doc.lines
  view.dispatch({
    effects: [
      setMark.of(line),
      ...(known && scroll
        ? [EditorView.scrollIntoView(view.state.doc.line(line).from, { y: 'nearest', yMargin: 40 })]
        : []),
    ],
  })
}
