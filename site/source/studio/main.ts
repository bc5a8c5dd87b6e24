// The studio. In: the address. Out: an editor and views of what its text costs, which follow while people type. The
// page only draws: reading, simulating and searching happen in other threads.
import 'tesela/html.css'
import '../site.css'
import { gpu, gpuNames } from 'tesela/occupancy'
import {
  choice,
  explainViews,
  figureList,
  h,
  lineMetrics,
  noteList,
  percent,
  type ExplainPage,
  type ExplainViews,
  type LineMetric,
  type LineView,
} from 'tesela/html'
import { navigation } from '../document/navigation.ts'
import {
  plainPart,
  type Answer,
  type Explained,
  type ExplainedRung,
  type Language,
  type Part,
  type Problem,
  type Program,
} from '../worker/protocol.ts'
import { Explainer, explainFile, Optimizer } from './client.ts'
import { comparison } from './compare.ts'
import { openEditor, type Remark } from './editor.ts'
import { copy, download, fileActions } from './files.ts'
import { findLadder, ladderControls, LadderOf, ladderView, resultViews } from './ladder.ts'
import { measuring } from './measure.ts'
import { exampleIn, fragmentOf, stateOf, type State } from './state.ts'
import { tabs, type View } from './tabs.ts'
import { first } from 'virtual:first'

/** Milliseconds without a key before the text is explained. */
const pause = 180

const embedded = new URLSearchParams(location.search).has('embed')
const fileNames: Readonly<Record<Language, string>> = { c: 'program.c', wgsl: 'kernel.wgsl', ptx: 'kernel.ptx' }
const languageNames: Readonly<Record<Language, string>> = { c: 'C', wgsl: 'WGSL', ptx: 'PTX' }
const languages = Object.keys(languageNames) as readonly Language[] // its keys

const { language, text, options } = first
const startState: State = {
  program: { language, text, options },
  gpu: 'h200',
  before: null,
  view: 'findings',
  heat: 'moved',
}

async function main(): Promise<void> {
  const start = (await stateOf(location.hash)) ?? startState
  new Studio(start).begin()
}

class Studio {
  private program: Program
  private gpuName: string
  private before: Program | null
  private heat: LineMetric
  private readonly explainer = new Explainer()
  private readonly optimizer = new Optimizer()
  private readonly ladder = new LadderOf()
  private explained: Explained | null = null
  private beforePage: ExplainPage | null = null
  private problems: readonly Problem[] = []
  private views: ExplainViews | null = null
  private part: Part = plainPart
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly tabs
  private readonly editor
  private readonly status = h('p', { class: 'status', role: 'status' })
  private readonly summary = h('div', { class: 'summary' })
  private readonly options = h('input', {
    type: 'text',
    id: 'options',
    spellcheck: 'false',
    autocomplete: 'off',
    input: () => this.changed(),
  })
  private readonly heatChoice = h('span', { class: 'heatchoice' })
  private readonly controls = ladderControls(
    (device) => void this.optimize(device),
    () => this.optimizer.stop(),
  )
  private readonly selects: { language: HTMLSelectElement; gpu: HTMLSelectElement; example: HTMLSelectElement }

  constructor(start: State) {
    this.program = start.program
    this.gpuName = gpuNames().includes(start.gpu) ? start.gpu : startState.gpu
    this.before = start.before
    this.heat = lineMetrics.find((m) => m.key === start.heat)?.key ?? 'moved'
    this.tabs = tabs('views', start.view, () => this.remember())
    this.selects = {
      language: h('select', { id: 'language', change: () => this.chooseLanguage() }),
      gpu: h('select', { id: 'gpu', change: () => this.chooseGpu() }),
      example: h('select', { id: 'example', change: () => void this.openExample(this.selects.example.value) }),
    }
    const place = h('div', { class: 'editor' })
    this.layOut(place)
    this.editor = openEditor(
      place,
      start.program,
      () => this.changed(),
      (line) => this.lookAt(line),
    )
    this.options.value = start.program.options
  }

  /** Shows what there is, and asks for the rest. */
  begin(): void {
    this.say('loading the compiler …')
    this.showLanguage()
    this.redraw()
    this.explainer.warm()
    addEventListener('hashchange', () => void this.fromAddress())
    const example = exampleIn(location.hash)
    if (example !== null) void this.openExample(example)
    else void this.explain()
    if (this.before) void this.explainBefore()
    void this.listExamples()
  }

  // ── what people change ──────────────────────────────────────────────────────────────────────────────────────────

  private changed(): void {
    this.program = { ...this.program, text: this.editor.text, options: this.options.value }
    this.forgetLadder()
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      void this.explain()
      this.remember()
    }, pause)
  }

  private set(program: Program): void {
    this.program = program
    this.options.value = program.options
    this.editor.set(program.text, program.language)
    this.forgetLadder()
    this.explained = null
    this.views = null
    this.problems = []
    this.showLanguage()
    this.redraw()
    void this.explain()
    this.remember()
  }

  private chooseLanguage(): void {
    const language = languages.find((l) => l === this.selects.language.value) ?? 'wgsl'
    this.set({ ...this.program, language, options: language === 'c' ? '' : this.program.options })
  }

  private chooseGpu(): void {
    this.gpuName = this.selects.gpu.value
    this.forgetLadder()
    void this.explain()
    if (this.before) void this.explainBefore()
    this.remember()
  }

  private forgetLadder(): void {
    this.optimizer.stop()
    Object.assign(this.ladder, new LadderOf())
    this.part = plainPart
    this.controls.update(this.ladder)
  }

  // ── what the compiler says ──────────────────────────────────────────────────────────────────────────────────────

  private async explain(): Promise<void> {
    const began = performance.now()
    this.say('explaining …')
    this.take(await this.explainer.explain(this.program, this.gpuName, this.part), began)
  }

  private take(answer: Answer<Explained> | null, began: number): void {
    if (answer === null) return
    if (answer.ok) {
      this.explained = answer.value
      this.problems = []
      const chosen = this.views?.chosen
      this.views = explainViews(answer.value.page, (line, scroll) => this.mark(line, scroll), this.keeps(chosen))
      this.say(
        `${this.views.subtitle.replace(/^[^·]*· /, '')} · answered in ${Math.round(performance.now() - began)} ms`,
      )
    } else {
      this.problems = answer.problems
      this.say(answer.problems[0]?.message ?? '')
    }
    this.showInEditor()
    this.redraw()
  }

  private lastAccesses = ''
  /** The chosen access stays chosen while the accesses are the same. */
  private keeps(chosen: number | undefined): number | undefined {
    const before = this.lastAccesses
    this.lastAccesses = this.accessNames()
    return before === this.lastAccesses ? chosen : undefined
  }
  private accessNames(): string {
    return (this.explained?.page.report.accesses ?? []).map((a) => `${a.op} ${a.text}`).join('\n')
  }

  private async explainBefore(): Promise<void> {
    const { before } = this
    if (!before) return
    const answer = await new Explainer().explain(before, this.gpuName, plainPart)
    if (answer?.ok && this.before === before) this.beforePage = answer.value.page
    this.redraw()
  }

  private async optimize(device: boolean): Promise<void> {
    await findLadder(this.optimizer, this.program, this.gpuName, device, this.ladder, {
      changed: () => {
        this.controls.update(this.ladder)
        if (this.tabs.current === 'ladder' || !this.ladder.running) this.redraw()
      },
    })
  }

  /** Explains the kernel that takes longest of a rung, or the one that is asked for. */
  private async look(rung: number, kernel: number | null): Promise<void> {
    this.part = { rung, kernel }
    await this.explain()
  }

  // ── what is shown ───────────────────────────────────────────────────────────────────────────────────────────────

  private say(text: string): void {
    this.status.textContent = text
  }

  private mark(line: number | null, scroll: boolean): void {
    this.editor.mark(line, scroll)
  }

  /** The reader points at a line of the text. */
  private lookAt(line: number): void {
    if (this.views?.chooseLine(line)) {
      this.tabs.open('lanes')
      this.remember()
    }
  }

  private heatLines(): readonly LineView[] {
    return this.explained?.rung?.lines ?? this.explained?.page.view.lines ?? []
  }

  private showInEditor(): void {
    const lines = this.heatLines()
    const used = lineMetrics.filter((m) => lines.some((l) => l[m.key] > 0))
    const metric = used.find((m) => m.key === this.heat) ?? used[0]
    this.editor.heat({ lines: this.problems.length > 0 ? [] : lines, metric: metric?.key ?? 'moved' })
    this.heatChoice.replaceChildren(
      ...(used.length < 2
        ? []
        : [
            choice(
              'Heat',
              used.map((m) => m.name),
              (i) => {
                this.heat = used[i]?.key ?? this.heat
                this.editor.heat({ lines: this.heatLines(), metric: this.heat })
                this.remember()
              },
              used.findIndex((m) => m === metric),
            ),
          ]),
    )
    this.editor.remarks(this.remarks())
    if (this.problems.length === 0)
      this.mark(this.explained?.page.report.accesses[this.views?.chosen ?? -1]?.at?.line ?? null, false)
    else this.editor.mark(null, false)
  }

  private remarks(): readonly Remark[] {
    if (this.problems.length > 0)
      return this.problems.flatMap((p): Remark[] =>
        p.line === null ? [] : [{ line: p.line, column: p.column, level: 'error', text: p.message }],
      )
    if (!this.explained) return []
    const { findings, hazards } = this.explained.page.report
    return [
      ...hazards.flatMap((z): Remark[] =>
        z.at
          ? [{ line: z.at.line, column: z.at.column, level: z.level === 'error' ? 'error' : 'info', text: z.message }]
          : [],
      ),
      ...findings.flatMap((f): Remark[] =>
        f.at && f.level !== 'note'
          ? [{ line: f.at.line, column: f.at.column, level: 'warning', text: `${f.message} ${f.fix}` }]
          : [],
      ),
    ]
  }

  private redraw(): void {
    this.summary.replaceChildren(...(this.views && this.problems.length === 0 ? [figureList(this.views.figures)] : []))
    document.body.classList.toggle('stale', this.problems.length > 0 && this.explained !== null)
    this.tabs.show([...this.problemViews(), ...this.ladderViews(), ...this.explainedViews(), ...this.otherViews()])
  }

  private problemViews(): View[] {
    return this.problems.length === 0
      ? []
      : [{ id: 'problems', title: 'Problems', draw: () => problemList(this.problems, (line) => this.goTo(line)) }]
  }

  private goTo(line: number): void {
    const { view } = this.editor
    const at = view.state.doc.line(Math.min(line, view.state.doc.lines)).from
    view.dispatch({ selection: { anchor: at }, scrollIntoView: true })
    view.focus()
  }

  private ladderViews(): View[] {
    if (this.program.language !== 'c') return []
    return [
      {
        id: 'ladder',
        title: 'Ladder',
        draw: () =>
          ladderView(
            this.ladder,
            this.explained?.rung?.rung ?? null,
            gpu(this.gpuName).title,
            this.part.rung,
            this.controls.element,
            (list) => problemList(list, (line) => this.goTo(line)),
            (rung) => void this.look(rung, null),
          ),
      },
      ...(this.ladder.page ? resultViews(this.ladder.page) : []),
    ]
  }

  private explainedViews(): View[] {
    const { views, explained } = this
    if (!views || !explained || this.problems.length > 0) return []
    const { page } = explained
    const under = (...parts: (Node | null)[]): HTMLElement =>
      h('div', {}, this.kernelLine(), ...parts.filter((p) => p !== null))
    return [
      { id: 'findings', title: 'Findings', draw: () => under(views.findings(), noteList(page.report.notes)) },
      ...kernelViews(explained.rung, under),
      { id: 'lanes', title: 'Lanes', draw: () => under(views.detail(), views.accesses()) },
      { id: 'time', title: 'Time', draw: () => under(views.timeline()) },
      { id: 'divergence', title: 'Divergence', draw: () => under(divergence(views, page)) },
      { id: 'occupancy', title: 'Occupancy', draw: () => under(views.occupancy()) },
      { id: 'roofline', title: 'Roofline', draw: () => under(views.roofline()) },
    ]
  }

  /** Which kernel of which step the views are of, where the text is C. */
  private kernelLine(): HTMLElement | null {
    const shown = this.explained?.rung
    if (!shown) return null
    const names = shown.kernels
    return h(
      'div',
      { class: 'controls kernelline' },
      h('span', { class: 'note' }, `Step ${shown.position + 1} of ${shown.count}: ${shown.rung.step}`),
      names.length > 1 ? choice('Kernel', names, (i) => void this.look(shown.position, i), shown.kernel) : null,
    )
  }

  private otherViews(): View[] {
    const measure: View[] =
      this.program.language === 'wgsl' && this.problems.length === 0 && this.explained
        ? [{ id: 'measure', title: 'Measure', draw: () => measuring(this.program, this.gpuName) }]
        : []
    const { beforePage, explained } = this
    const compare: View[] =
      this.before && beforePage && explained && this.problems.length === 0
        ? [{ id: 'compare', title: 'Compare', draw: () => this.compareView(beforePage, explained.page) }]
        : []
    return [...measure, ...compare]
  }

  private compareView(before: ExplainPage, now: ExplainPage): HTMLElement {
    const swap = h('button', { type: 'button', click: () => this.backToKept() }, 'Go back to the kept version')
    const drop = h('button', { type: 'button', click: () => this.keep(null) }, 'Forget it')
    return h('div', {}, h('div', { class: 'controls' }, swap, drop), comparison(before, now))
  }

  private backToKept(): void {
    if (this.before) this.set(this.before)
  }

  private keep(version: Program | null): void {
    this.before = version
    this.beforePage = version && this.explained ? this.explained.page : null
    if (version) this.tabs.open('compare')
    this.redraw()
    this.remember()
  }

  // ── the address ─────────────────────────────────────────────────────────────────────────────────────────────────

  private state(): State {
    const { program, before, heat } = this
    return { program, gpu: this.gpuName, before, view: this.tabs.current, heat }
  }

  private ownFragment = ''
  private remember(): void {
    void fragmentOf(this.state()).then((fragment) => {
      this.ownFragment = fragment
      history.replaceState(null, '', `#${fragment}`)
    })
  }

  private async fromAddress(): Promise<void> {
    if (location.hash === `#${this.ownFragment}`) return
    const example = exampleIn(location.hash)
    if (example !== null) return this.openExample(example)
    const state = await stateOf(location.hash)
    if (!state) return
    this.gpuName = gpuNames().includes(state.gpu) ? state.gpu : this.gpuName
    this.selects.gpu.value = this.gpuName
    this.before = state.before
    this.beforePage = null
    this.tabs.open(state.view)
    this.set(state.program)
    if (this.before) void this.explainBefore()
  }

  private async openExample(id: string): Promise<void> {
    const { examples } = await import('./examples.ts')
    const found = examples.find((e) => e.id === id)
    if (!found) return this.say(`There is no example ‘${id}’.`)
    this.tabs.open(found.language === 'c' ? 'ladder' : 'findings')
    this.set({ language: found.language, text: found.text, options: found.options })
    this.selects.example.value = id
  }

  private async listExamples(): Promise<void> {
    const { examples } = await import('./examples.ts')
    const groups = [...new Set(examples.map((e) => e.group))]
    this.selects.example.replaceChildren(
      h('option', { value: '', disabled: true, selected: true }, 'Open an example …'),
      ...groups.map((g) =>
        h(
          'optgroup',
          { label: g },
          ...examples.filter((e) => e.group === g).map((e) => h('option', { value: e.id }, e.file)),
        ),
      ),
    )
  }

  // ── the page ────────────────────────────────────────────────────────────────────────────────────────────────────

  private showLanguage(): void {
    this.selects.language.value = this.program.language
    this.options.placeholder = this.program.language === 'c' ? '-D n=1024' : '--grid 64,64'
    this.controls.update(this.ladder)
  }

  private layOut(place: HTMLElement): void {
    this.selects.language.replaceChildren(...languages.map((l) => h('option', { value: l }, languageNames[l])))
    this.selects.gpu.replaceChildren(...gpuNames().map((n) => h('option', { value: n }, gpu(n).title)))
    this.selects.gpu.value = this.gpuName
    this.selects.example.append(h('option', { value: '' }, 'Open an example …'))
    const field = (label: string, control: HTMLElement, name: string, isSeen = true): HTMLElement =>
      h(
        'span',
        { class: `field ${name}` },
        h('label', { for: control.id, class: isSeen ? '' : 'hidden' }, label),
        control,
      )
    const toolbar = h(
      'div',
      { class: 'toolbar' },
      field('Example', this.selects.example, 'example', false),
      field('Language', this.selects.language, 'language', false),
      field('GPU', this.selects.gpu, 'gpu', false),
      field('Flags', this.options, 'flags'),
    )
    const left = h(
      'section',
      { class: 'left', 'aria-label': 'program' },
      toolbar,
      place,
      h('div', { class: 'underline' }, this.heatChoice, this.status),
    )
    const right = h('section', { class: 'right', 'aria-label': 'what it costs' }, this.summary, this.tabs.element)
    document.body.classList.toggle('embedded', embedded)
    document.body.append(
      navigation('studio', this.actions()),
      h('main', { class: 'studio' }, h('h1', { class: 'hidden' }, 'Tesela studio'), left, right),
    )
  }

  private actions(): HTMLElement {
    const button = (title: string, label: string, click: () => void): HTMLElement =>
      h('button', { type: 'button', title: label, click }, title)
    const open: HTMLElement = h(
      'button',
      {
        type: 'button',
        click: () => window.open(`${location.origin}${location.pathname}${location.hash}`, '_blank', 'noopener'),
      },
      'Open in the studio',
    )
    if (embedded) return h('span', { class: 'actions' }, open)
    return h(
      'span',
      { class: 'actions' },
      button('Keep', 'keep this version to compare later ones with', () => this.keep(this.program)),
      button('Share', 'copy an address that holds all of this', () => void this.share()),
      button('Report', 'download the report as one HTML file', () => void this.saveReport()),
    )
  }

  private async share(): Promise<void> {
    const fragment = await fragmentOf(this.state())
    this.ownFragment = fragment
    history.replaceState(null, '', `#${fragment}`)
    this.say(
      (await copy(location.href))
        ? `The address was copied: ${location.href.length.toLocaleString('en')} characters hold all of this.`
        : 'The address of this page holds all of this: copy it from above.',
    )
  }

  private async saveReport(): Promise<void> {
    this.say('writing the report …')
    const answer = this.ladder.page
      ? await this.optimizer.file()
      : await explainFile(this.program, this.gpuName, this.part)
    if (!answer.ok) return this.say(answer.problems[0]?.message ?? '')
    download(`${fileNames[this.program.language].replace(/\.\w+$/, '')}.html`, answer.value, 'text/html')
    this.say('The report was downloaded.')
  }
}

/** Of C, the text of the kernel. */
const kernelViews = (rung: ExplainedRung | null, under: (...parts: Node[]) => HTMLElement): View[] =>
  rung === null ? [] : [{ id: 'kernel', title: 'Kernel', draw: () => under(kernelText(rung)) }]

/** The kernel as WGSL. */
const kernelText = ({ kernels, kernel, wgsl }: ExplainedRung): HTMLElement =>
  h(
    'div',
    {},
    h(
      'div',
      { class: 'controls' },
      fileActions(() => ({ name: `${kernels[kernel] ?? 'kernel'}.wgsl`, text: wgsl })),
    ),
    h('pre', { class: 'codepane', tabindex: 0, role: 'region', 'aria-label': 'kernel' }, h('code', {}, wgsl)),
  )

function divergence(views: ExplainViews, { report }: ExplainPage): HTMLElement {
  const table = views.branches()
  return h(
    'div',
    {},
    h(
      'p',
      { class: 'big' },
      h('strong', {}, percent(report.warpEfficiency)),
      ' of the lanes that instructions pay for work',
    ),
    table ?? h('p', {}, 'No branch parts the lanes of a warp.'),
  )
}

function problemList(problems: readonly Problem[], goTo: (line: number) => void): HTMLElement {
  return h(
    'ul',
    { class: 'findings', role: 'alert' },
    ...problems.map((p) =>
      h(
        'li',
        { class: 'finding level-error' },
        h(
          'p',
          { class: 'head' },
          p.line === null
            ? null
            : h('button', { type: 'button', class: 'place', click: () => goTo(p.line ?? 1) }, `line ${p.line}`),
          ' ',
          p.message,
        ),
        p.hint ? h('p', { class: 'fix' }, p.hint) : null,
      ),
    ),
  )
}

void main()
