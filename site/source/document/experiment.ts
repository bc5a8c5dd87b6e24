// An experiment that the reader changes. In: its outline and a place on the page. Out: a question with room for a
// guess, a slider along the axis, and what the simulator says there: the quantity as a chart that fills while the
// slider moves, and the lanes of a warp over memory as the picture of why. The compiler is loaded when the first point
// is asked for.
import { choice, explainViews, fresh, h, noteList, slider, studyChart, type ExplainViews } from 'tesela/html'
import { gpu, gpuNames } from 'tesela/occupancy'
import { quantityText, type Quantity, type StudyReport, type StudySeries } from 'tesela/study'
import type { Outline } from '../../build/experiments.ts'
import { limits, Session } from '../studio/client.ts'
import { fragmentOf } from '../studio/state.ts'
import type { LivePoint } from '../worker/protocol.ts'
import { root } from './root.ts'

/** Milliseconds that the slider rests before its point is simulated. */
const pause = 150

interface Wanted {
  readonly plots: readonly string[]
  readonly gpu: string
}

/** One thread for all experiments of a page: a new question ends the one before. */
const session = new Session(limits.experiment)

export class LiveExperiment {
  private gpuName: string
  private series = 0
  private at: number
  private quantity: Quantity
  private readonly found = new Map<string, LivePoint>()
  private hasRun = false
  private asked = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly outline: Outline
  private readonly guess: HTMLInputElement
  private readonly question = h('p', { class: 'question' })
  private readonly sliderPlace = h('div', { class: 'controls' })
  private readonly status = h('p', { class: 'status', role: 'status' })
  private readonly answer = h('div', { class: 'answer' })
  readonly element: HTMLElement

  constructor(outline: Outline, wanted: Wanted) {
    this.outline = outline
    this.gpuName = gpuNames().includes(wanted.gpu) ? wanted.gpu : 'h200'
    this.quantity = outline.plots.find((q) => wanted.plots.includes(q)) ?? outline.plots[0] ?? 'time'
    this.at = (outline.series[0]?.points.length ?? 1) - 1
    const id = fresh('guess')
    this.guess = h('input', { id, type: 'number', min: 0, step: 'any', inputmode: 'decimal', placeholder: 'a guess' })
    const run = h('button', { type: 'button', class: 'run', click: () => void this.run([this.at]) }, 'Run it')
    const all = h('button', { type: 'button', click: () => void this.run(this.places()) }, 'Run all')
    const names = gpuNames()
    this.element = h(
      'section',
      { class: 'experiment', 'aria-label': `experiment: ${outline.title}` },
      h('h2', { class: 'hidden' }, outline.title),
      this.question,
      h(
        'div',
        { class: 'controls' },
        choice(
          'GPU',
          names.map((n) => gpu(n).title),
          (i) => this.change(() => (this.gpuName = names[i] ?? this.gpuName)),
          names.indexOf(this.gpuName),
        ),
        outline.plots.length > 1
          ? choice(
              'Look at',
              outline.plots.map((q) => outline.labels[q] ?? q),
              (i) => this.change(() => (this.quantity = outline.plots[i] ?? this.quantity)),
              outline.plots.indexOf(this.quantity),
            )
          : null,
        outline.series.length > 1
          ? choice(
              'Variant',
              outline.series.map((s) => s.name),
              (i) => this.change(() => this.chooseSeries(i)),
              0,
            )
          : null,
      ),
      this.sliderPlace,
      h(
        'div',
        { class: 'controls' },
        h('label', { for: id }, 'Your guess, as a multiple of the first'),
        this.guess,
        run,
        all,
      ),
      this.status,
      this.answer,
    )
    this.showSlider()
    this.ask()
  }

  /** The axis in words. */
  private get axis(): string {
    return this.outline.isPlaced ? 'Setting' : this.outline.x.label
  }

  private points(): readonly string[] {
    return this.outline.series[this.series]?.points ?? []
  }

  private places(): readonly number[] {
    return this.points().map((_, i) => i)
  }

  private chooseSeries(i: number): void {
    this.series = i
    this.at = Math.min(this.at, this.points().length - 1)
    this.showSlider()
  }

  /** Once something has run, the pictures follow what is chosen. */
  private change(choose: () => void): void {
    choose()
    this.ask()
    if (!this.hasRun) return
    this.draw()
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.run([this.at]), pause)
  }

  private showSlider(): void {
    const made = slider(
      this.axis,
      { min: 0, max: Math.max(0, this.points().length - 1), step: 1, value: this.at },
      (i) => this.label(i),
      (i) => this.change(() => (this.at = i)),
    )
    this.sliderPlace.replaceChildren(made.element)
  }

  /** The point in words; where its place follows from the GPU, by that place once it is known. */
  private label(point: number): string {
    if (!this.outline.isPlaced) return this.points()[point] ?? ''
    const x = this.found.get(this.key(point))?.point.x
    return x === null || x === undefined ? `${point + 1} of ${this.points().length}` : `${this.outline.x.label} ${x}`
  }

  private ask(): void {
    const label = this.outline.labels[this.quantity] ?? this.quantity
    this.question.replaceChildren(
      `${this.axis.charAt(0).toUpperCase()}${this.axis.slice(1)}: ${this.label(this.at)} instead of `,
      `${this.label(0)}. How does `,
      h('strong', {}, label),
      ' change? Guess, then run it.',
    )
  }

  private key(point: number): string {
    return `${this.gpuName} ${this.series} ${point}`
  }

  /** Simulates these points and the first, those that are not yet known. */
  private async run(points: readonly number[]): Promise<void> {
    this.hasRun = true
    const mine = ++this.asked
    const missing = [...new Set([0, ...points])].filter((p) => !this.found.has(this.key(p)))
    for (const [done, p] of missing.entries()) {
      const [key, name, series] = [this.key(p), this.gpuName, this.series]
      this.status.textContent = `simulating ${this.label(p)} (${done + 1} of ${missing.length}) …`
      const answer = await session.ask((c) => c.experiment(this.outline.name, name, series, p))
      if (answer.ok) this.found.set(key, answer.value)
      if (mine !== this.asked) return
      if (!answer.ok) {
        this.status.textContent = answer.problems[0]?.message ?? ''
        return
      }
      this.draw()
    }
    this.draw()
    this.say()
  }

  private say(): void {
    const value = (p: number): number | null => this.found.get(this.key(p))?.point.values[this.quantity] ?? null
    const here = this.found.get(this.key(this.at))?.point,
      [first, now] = [value(0), value(this.at)]
    if (here && here.why !== null) {
      this.status.textContent = here.why
      return
    }
    const text = (v: number | null): string => quantityText(this.quantity, v)
    const ratio = first !== null && now !== null && first > 0 ? now / first : null
    const guess = this.guess.value === '' ? null : Number(this.guess.value)
    this.status.textContent =
      `${this.outline.labels[this.quantity] ?? this.quantity}: ${text(now)} at ${this.label(this.at)}` +
      (this.at === 0 ? '' : `, ${text(first)} at ${this.label(0)}`) +
      (ratio === null || this.at === 0 ? '.' : `: ${Number(ratio.toPrecision(3))} times.`) +
      (guess === null || ratio === null || this.at === 0 ? '' : ` ${verdict(guess, ratio)}`)
  }

  private draw(): void {
    const made = studyChart(this.report(), this.quantity)
    const shown = this.found.get(this.key(this.at))
    const kernel = shown?.kernel
    const views: ExplainViews | null = kernel ? explainViews(kernel.page, () => {}) : null
    const open = h('p', { class: 'try' })
    if (kernel?.flags !== null && kernel?.flags !== undefined)
      void this.addressOf(kernel.text, kernel.flags).then((address) =>
        open.replaceChildren(h('a', { href: address }, 'Open this kernel in the studio')),
      )
    this.answer.replaceChildren(
      ...[
        made?.chart,
        made?.table,
        made && h('p', { class: 'note' }, `${made.title}: ${made.means}.`),
        views && views.worst >= 0 && views.detail(),
        kernel ? open : null,
        this.outline.notes.length > 0 ? noteList(this.outline.notes) : null,
      ].filter((x): x is HTMLElement => x instanceof HTMLElement),
    )
  }

  private async addressOf(text: string, options: string): Promise<string> {
    const program = { language: 'wgsl', text, options } as const
    const state = { program, gpu: this.gpuName, before: null, view: 'lanes', heat: 'moved' }
    return `${root}index.html#${await fragmentOf(state)}`
  }

  /** What is known so far, as a report. */
  private report(): StudyReport {
    const { outline } = this
    const gpus = [...new Set([...this.found.keys()].map((k) => k.split(' ')[0] ?? ''))]
    const series = gpus.flatMap((name) =>
      outline.series.map(
        (s, n): StudySeries => ({
          name: s.name,
          gpu: name,
          kind: 'predicted',
          points: s.points
            .flatMap((_, i) => this.found.get(`${name} ${n} ${i}`)?.point ?? [])
            .sort((a, b) => (a.x ?? 0) - (b.x ?? 0)),
        }),
      ),
    )
    return {
      schema: 'tesela.study/1',
      name: outline.name,
      title: outline.title,
      idea: outline.idea,
      sources: [],
      x: outline.x,
      plots: outline.plots,
      series: series.filter((s) => s.points.length > 0),
      error: {},
      measuredOn: null,
      notes: [],
    }
  }
}

/** A guess beside what came out, both as a multiple of the first point. */
function verdict(guess: number, ratio: number): string {
  const off = guess > 0 && ratio > 0 ? Math.max(guess / ratio, ratio / guess) : Infinity
  if (off <= 1.15) return 'Your guess was right.'
  const amount = Number.isFinite(off) ? `${Number(off.toPrecision(2))} times ` : ''
  return `Your guess was ${amount}too ${guess > ratio ? 'high' : 'low'}.`
}
