// The studio's behaviour. In: a state, an editor, a compiler. Out: views that follow what people type and choose, and
// an address that holds it all. It only draws: reading, simulating and searching happen in other threads.
import { gpu, gpuNames } from 'tesela/occupancy'
import {
  choice,
  explainViews,
  figureList,
  h,
  lineMetrics,
  noteList,
  type ExplainPage,
  type ExplainViews,
  type LineMetric,
  type LineView,
} from 'tesela/html'
import {
  plainPart,
  type Answer,
  type Explained,
  type Heard,
  type HeardRung,
  type Language,
  type Mended,
  type Part,
  type Problem,
  type Program,
} from '../worker/protocol.ts'
import { explainFile, explainOnce, explainParts, Optimizer, type Explainer } from './client.ts'
import { languageOf } from '../languages/guess.ts'
import { firstLaunch } from '../worker/launch-flags.ts'
import { comparison } from './compare.ts'
import type { Editor, Remark } from './editor.ts'
import { copy, download } from './files.ts'
import { findLadder, ladderControls, LadderOf, ladderView, resultViews } from './ladder.ts'
import { mark } from './marks.ts'
import { measuring } from './measure.ts'
import { mending } from './mending.ts'
import { launchForm } from './launch-form.ts'
import { exampleIn, fragmentOf, stateOf, type State } from './state.ts'
import { openShell, type Shell } from './shell.ts'
import { tabs, type Tabs, type View } from './tabs.ts'
import { divergence, kernelViews, later, problemList } from './views.ts'

/** Milliseconds without a key before the text is explained: half of what the last heat took, within these. */
const pause = { least: 40, most: 120 } as const

/** What is looked at first: of C how fast it can be. */
const firstView = (language: Language): string => (language === 'c' ? 'ladder' : 'findings')

const fileNames: Readonly<Record<Language, string>> = { c: 'program.c', wgsl: 'kernel.wgsl', ptx: 'kernel.ptx' }
export class Studio {
  private program: Program
  private gpuName: string
  private before: Program | null
  private heat: LineMetric
  private readonly explainer: Explainer
  private readonly optimizer = new Optimizer()
  private readonly ladder = new LadderOf()
  private explained: Explained | null = null
  /** The rung of C that is shown. */
  private rung: HeardRung | null = null
  /** What each line costs. */
  private lines: readonly LineView[] = []
  private isHeatOld = false
  /** When the compiler was asked last, and how many milliseconds later lines had their heat. */
  private askedAt = 0
  private heatTook = 0
  private beforePage: ExplainPage | null = null
  private problems: readonly Problem[] = []
  private views: ExplainViews | null = null
  private part: Part = plainPart
  /** Runs while the program is another than the compiler was asked about: it is asked when people pause. */
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly tabs: Tabs
  private readonly editor: Editor
  private readonly shell: Shell
  private readonly launch = launchForm((options) => {
    this.shell.options.value = options
    this.changed()
  })
  private readonly controls = ladderControls(
    (device) => void this.optimize(device),
    () => this.optimizer.stop(),
  )

  /** `place` holds the editor, whose changes are to be told to `changed`, and its clicks on heat to `lookAt`. */
  constructor(start: State, explainer: Explainer, place: HTMLElement, editor: Editor) {
    this.explainer = explainer
    this.program = start.program
    this.gpuName = start.gpu
    this.before = start.before
    this.heat = lineMetrics.find((m) => m.key === start.heat)?.key ?? 'moved'
    this.tabs = tabs('views', start.view, () => this.remember())
    this.editor = editor
    this.shell = openShell(place, this.tabs.element, this.launch.element, start.gpu, {
      language: (language) => this.chooseLanguage(language),
      gpu: (name) => this.chooseGpu(name),
      example: (id) => void this.openExample(id),
      options: () => this.changed(),
      keep: () => this.keep(this.program),
      share: () => void this.share(),
      report: () => void this.saveReport(),
    })
    this.shell.options.value = start.program.options
    if (location.hash === '') this.exampleFlags = start.program.options
    this.showLanguage()
    this.say('loading the compiler …')
  }

  /** Shows what there is, and asks for the rest; resolves with the first answer. */
  async begin(): Promise<void> {
    this.redraw()
    addEventListener('hashchange', (event) => void this.fromAddress(new URL(event.newURL).hash))
    const example = exampleIn(location.hash)
    if (this.before) void this.explainBefore()
    void this.listExamples()
    await (example === null ? this.explain() : this.openExample(example.id, example.flags))
  }

  // ── what people change ──────────────────────────────────────────────────────────────────────────────────────────

  /** The text or its flags have changed. Another text may be in another language. */
  changed(isAnother = false): void {
    const { text } = this.editor
    const language = isAnother ? languageOf(text) : null
    if (isAnother) this.exampleId = this.shell.example.value = ''
    // flags of an example say nothing of another text
    if (isAnother && this.shell.options.value === this.exampleFlags && this.program.language !== 'c')
      this.shell.options.value = firstLaunch(text)
    if (language !== null && language !== this.program.language) {
      this.shell.options.value = language === 'c' ? '' : firstLaunch(text)
      this.editor.read(language)
      this.tabs.open(firstView(language))
      this.program = { ...this.program, language }
      this.showLanguage()
    }
    this.program = { ...this.program, text, options: this.shell.options.value }
    this.launch.update(this.program, this.explained?.page.view.uniforms ?? [])
    this.forgetLadder()
    this.busy(true)
    clearTimeout(this.timer)
    this.timer = setTimeout(
      () => {
        void this.explain()
        this.remember()
      },
      Math.min(pause.most, Math.max(pause.least, this.heatTook / 2)),
    )
  }

  private set(program: Program): void {
    this.program = program
    this.shell.options.value = program.options
    this.editor.set(program.text, program.language)
    this.forgetLadder()
    this.explained = null
    this.rung = null
    this.lines = []
    this.views = null
    this.problems = []
    this.showLanguage()
    this.redraw()
    void this.explain()
    this.remember()
  }

  private chooseLanguage(language: Language): void {
    const wasC = this.program.language === 'c'
    this.tabs.open(firstView(language))
    this.set({
      ...this.program,
      language,
      options: language === 'c' ? '' : wasC ? firstLaunch(this.program.text) : this.program.options,
    })
  }

  private chooseGpu(name: string): void {
    this.gpuName = name
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
    this.busy(true)
    this.stopTimer()
    const began = (this.askedAt = performance.now())
    this.say('explaining …')
    this.isHeatOld = true
    const hear = (heard: Heard): void => this.hear(heard)
    this.take(await this.explainer.explain(this.program, this.gpuName, this.part, hear), began)
  }

  /** What lines cost is known; of C also the rung. */
  private hear({ lines, rung }: Heard): void {
    this.lines = lines
    this.isHeatOld = false
    this.heatTook = performance.now() - this.askedAt
    if (rung) {
      this.rung = rung
      this.problems = []
    }
    this.showHeat()
    mark('heat')
    if (rung && (this.tabs.current === 'ladder' || this.tabs.current === 'problems')) this.redraw()
  }

  private take(answer: Answer<Explained> | null, began: number): void {
    if (answer === null) return
    if (answer.ok) {
      this.explained = answer.value
      this.rung = answer.value.rung
      this.lines = answer.value.rung?.lines ?? answer.value.page.view.lines
      this.problems = []
      // what the reader has chosen, not what was the worst
      const chosen = this.views?.chosen === this.views?.worst ? undefined : this.views?.chosen
      this.views = explainViews(answer.value.page, (line, scroll) => this.mark(line, scroll), this.keeps(chosen))
      this.say(
        `${this.views.subtitle.replace(/^[^·]*· /, '')} · answered in ${Math.round(performance.now() - began)} ms`,
      )
    } else {
      this.problems = answer.problems
      if (this.isHeatOld) {
        this.rung = null
        this.lines = []
      }
      this.say(answer.problems[0]?.message ?? '')
    }
    this.showInEditor()
    this.launch.update(this.program, this.explained?.page.view.uniforms ?? [])
    this.redraw()
    this.busy(this.timer !== undefined)
    mark('answer')
  }

  private stopTimer(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }

  /** The views are of an older text. */
  private busy(is: boolean): void {
    this.shell.right.setAttribute('aria-busy', String(is))
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
    const answer = await explainOnce(before, this.gpuName)
    if (answer.ok && this.before === before) this.beforePage = answer.value.page
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
    this.shell.status.textContent = text
  }

  private mark(line: number | null, scroll: boolean): void {
    this.editor.mark(line, scroll)
  }

  /** The reader points at a line of the text. */
  lookAt(line: number): void {
    if (this.views?.chooseLine(line)) {
      this.tabs.open('lanes')
      this.remember()
    }
  }

  private showInEditor(): void {
    this.showHeat()
    this.editor.remarks(this.remarks())
    if (this.problems.length === 0)
      this.mark(this.explained?.page.report.accesses[this.views?.chosen ?? -1]?.at?.line ?? null, false)
    else this.editor.mark(null, false)
  }

  private showHeat(): void {
    const { lines } = this
    const used = lineMetrics.filter((m) => lines.some((l) => l[m.key] > 0))
    const metric = used.find((m) => m.key === this.heat) ?? used[0]
    this.editor.heat({ lines, metric: metric?.key ?? 'moved' })
    this.shell.heatChoice.replaceChildren(
      ...(used.length < 2
        ? []
        : [
            choice(
              'Heat',
              used.map((m) => m.name),
              (i) => {
                this.heat = used[i]?.key ?? this.heat
                this.editor.heat({ lines: this.lines, metric: this.heat })
                this.remember()
              },
              used.findIndex((m) => m === metric),
            ),
          ]),
    )
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
    this.shell.summary.replaceChildren(
      ...(this.views && this.problems.length === 0 ? [figureList(this.views.figures)] : []),
    )
    document.body.classList.toggle('stale', this.problems.length > 0 && this.explained !== null)
    this.tabs.show([...this.problemViews(), ...this.ladderViews(), ...this.explainedViews(), ...this.otherViews()])
  }

  private problemViews(): View[] {
    return this.problems.length === 0
      ? []
      : [{ id: 'problems', title: 'Problems', draw: () => this.problemList(this.problems) }]
  }

  private problemList(list: readonly Problem[]): HTMLElement {
    return problemList(
      list,
      (line) => this.goTo(line),
      (flags) => {
        this.shell.options.value = `${this.shell.options.value} ${flags}`.trim()
        this.changed()
      },
    )
  }

  private goTo(line: number): void {
    const { view } = this.editor
    const at = view.state.doc.line(Math.min(line, view.state.doc.lines)).from
    view.dispatch({ selection: { anchor: at }, scrollIntoView: true })
    view.focus()
  }

  private ladderViews(): View[] {
    if (this.program.language !== 'c' || (this.problems.length > 0 && this.rung === null)) return []
    return [
      {
        id: 'ladder',
        title: 'Ladder',
        draw: () =>
          h(
            'div',
            {},
            // the ladder is there where a step of it cannot be explained
            this.problems.length > 0 ? this.problemList(this.problems) : null,
            ladderView(
              this.ladder,
              this.rung?.rung ?? null,
              gpu(this.gpuName).title,
              this.part.rung,
              this.controls.element,
              (list) => this.problemList(list),
              (rung) => void this.look(rung, null),
              (parts) => explainParts(this.program, this.gpuName, parts),
            ),
          ),
      },
      ...(this.ladder.page ? resultViews(this.ladder.page) : []),
    ]
  }

  private explainedViews(): View[] {
    const { views, explained } = this
    if (!views || !explained || this.problems.length > 0) return []
    const { page } = explained,
      { unreached, notes: others } = page.report,
      notes = [...unreached.map((u) => u.message), ...others]
    const under = (...parts: (Node | null)[]): HTMLElement =>
      h('div', {}, this.kernelLine(), ...parts.filter((p) => p !== null))
    return [
      {
        id: 'findings',
        title: 'Findings',
        draw: () => under(this.launch.missing(), this.mendingView(explained), views.findings(), noteList(notes)),
      },
      ...kernelViews(explained.rung, under),
      { id: 'lanes', title: 'Lanes', draw: () => under(later(views.detail), later(views.accesses)) },
      { id: 'time', title: 'Time', draw: () => under(views.timeline()) },
      { id: 'machine', title: 'Machine', draw: () => under(views.machine()) },
      { id: 'divergence', title: 'Divergence', draw: () => under(divergence(views, page)) },
      { id: 'occupancy', title: 'Occupancy', draw: () => under(views.occupancy()) },
      { id: 'roofline', title: 'Roofline', draw: () => under(views.roofline()) },
    ]
  }

  private mendingOf: { readonly of: Explained; readonly element: HTMLElement } | null = null
  /** Changes by a click; drawn once for a text, so that what was found stays. */
  private mendingView(explained: Explained): HTMLElement | null {
    const { findings, hazards } = explained.page.report
    if (this.program.language !== 'wgsl' || findings.length + hazards.length === 0) return null
    if (this.mendingOf?.of !== explained) {
      const apply = (changed: Mended): void => this.apply(changed)
      const wrong = (list: readonly Problem[]): HTMLElement => this.problemList(list)
      this.mendingOf = { of: explained, element: mending(this.program, this.gpuName, apply, wrong) }
    }
    return this.mendingOf.element
  }

  /** Takes a changed text; the one before is kept beside it. */
  private apply({ text, options }: Mended): void {
    this.before = this.program
    this.beforePage = this.explained?.page ?? null
    this.tabs.open('compare')
    this.set({ ...this.program, text, options })
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
  private addressesRead = 0

  /** Writes the state into the address, unless another address was opened while it was packed. */
  private remember(): void {
    const read = this.addressesRead
    void fragmentOf(this.state()).then((fragment) => {
      if (read !== this.addressesRead) return
      this.ownFragment = fragment
      history.replaceState(null, '', `#${fragment}`)
    })
  }

  /** Shows what an address opened by the reader holds: `hash` is its own, for `location.hash` may be ours by now. */
  private async fromAddress(hash: string): Promise<void> {
    if (hash === `#${this.ownFragment}`) return
    this.addressesRead++
    this.stopTimer()
    const example = exampleIn(hash)
    if (example !== null) return this.openExample(example.id, example.flags)
    const state = await stateOf(hash)
    if (!state) return this.changed()
    this.gpuName = gpuNames().includes(state.gpu) ? state.gpu : this.gpuName
    this.shell.gpu.value = this.gpuName
    this.before = state.before
    this.beforePage = null
    this.tabs.open(state.view)
    this.set(state.program)
    if (this.before) void this.explainBefore()
  }

  private exampleId = ''
  /** The flags that the example came with; null where none is open. */
  private exampleFlags: string | null = null
  private async openExample(id: string, flags = ''): Promise<void> {
    const { examples } = await import('./examples.ts')
    const found = examples.find((e) => e.id === id)
    if (!found) {
      if (!this.explained) await this.explain()
      return this.say(`There is no example ‘${id}’; this is another.`)
    }
    this.tabs.open(firstView(found.language))
    this.set({ language: found.language, text: found.text, options: `${found.options} ${flags}`.trim() })
    this.shell.example.value = id
    this.exampleId = id
    this.exampleFlags = this.program.options
  }

  private async listExamples(): Promise<void> {
    const { examples } = await import('./examples.ts')
    const groups = [...new Set(examples.map((e) => e.group))]
    this.shell.example.replaceChildren(
      h('option', { value: '', disabled: true, selected: true }, 'Open an example …'),
      ...groups.map((g) =>
        h(
          'optgroup',
          { label: g },
          ...examples.filter((e) => e.group === g).map((e) => h('option', { value: e.id }, e.file)),
        ),
      ),
    )
    if (this.exampleId !== '') this.shell.example.value = this.exampleId
  }

  // ── what leaves the page ──────────────────────────────────────────────────────────────────────────────────────────

  private showLanguage(): void {
    this.launch.update(this.program, [])
    this.shell.showLanguage(this.program.language)
    this.controls.update(this.ladder)
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
