// Optimizing in the page. In: C. Out: the ladder as far as it was found, rung by rung; when it is whole the emitted
// files, the passes, the schedule and the proof. Any rung can be looked at while the search goes on.
import {
  explainViews,
  filePane,
  h,
  ladderChart,
  ladderComparison,
  ladderTable,
  optimizeFigures,
  passStepper,
  proofIntro,
  proofList,
  scheduleList,
  section,
  stepName,
  figureList,
  type OptimizePage,
  type Rung,
} from 'tesela/html'
import type { Answer, Explained, HeardRung, Part, Problem, Program, Progress } from '../worker/protocol.ts'
import type { Optimizer } from './client.ts'
import { fileActions } from './files.ts'
import type { View } from './tabs.ts'

/** What is known of the ladder of one program. */
export class LadderOf {
  rungs: readonly HeardRung[] = []
  /** Rungs that there will be. */
  count = 0
  page: OptimizePage | null = null
  problems: readonly Problem[] = []
  progress: Progress | null = null
  running = false
}

export interface LadderEvents {
  /** Something is to be drawn anew. */
  changed(): void
  /** The reader wants to see the kernels of a rung. */
  look(rung: number): void
}

export async function findLadder(
  optimizer: Optimizer,
  program: Program,
  gpu: string,
  device: boolean,
  into: LadderOf,
  events: Pick<LadderEvents, 'changed'>,
): Promise<void> {
  Object.assign(into, new LadderOf(), { running: true })
  events.changed()
  const answer: Answer<OptimizePage> = await optimizer.optimize(
    program,
    gpu,
    device,
    (r) => {
      into.rungs = [...into.rungs, r]
      into.count = r.count
      events.changed()
    },
    (p) => {
      into.progress = p
      events.changed()
    },
  )
  into.running = false
  into.progress = null
  if (answer.ok) into.page = answer.value
  else into.problems = answer.problems
  events.changed()
}

/** What a stage of the search is called. */
function stageWords({ stage, done, total }: Progress): string {
  const of = `${Math.min(done + 1, total)} of ${total}`
  if (stage === 'ladder') return `step ${of} of the ladder`
  if (stage.startsWith('search')) return `searching: candidate ${of}`
  if (stage === 'verify') return `proving: candidate ${of}`
  return `${stage}: ${of}`
}

export interface LadderControls {
  readonly element: HTMLElement
  update(ladder: LadderOf): void
}

/** Start, stop, and how far it is; kept while the rest is drawn anew, so that the focus stays. */
export function ladderControls(start: (device: boolean) => void, stop: () => void): LadderControls {
  const hasGpu = 'gpu' in navigator
  const device = h('input', { type: 'checkbox', disabled: !hasGpu })
  const begin = h('button', { type: 'button', class: 'primary', click: () => start(device.checked) }, 'Optimize')
  const end = h('button', { type: 'button', disabled: true, click: stop }, 'Stop')
  const bar = h('progress', { max: 1, value: 0, 'aria-label': 'progress', hidden: true })
  const words = h('span', { class: 'note', role: 'status' })
  return {
    element: h(
      'div',
      { class: 'controls ladderbar' },
      begin,
      end,
      h('label', { class: 'field' }, device, ' measure on this device'),
      hasGpu ? null : h('span', { class: 'note' }, 'This browser has no WebGPU: times are predicted only.'),
      bar,
      words,
    ),
    update: ({ running, progress, page, rungs }) => {
      begin.disabled = running
      end.disabled = !running
      bar.hidden = !running
      if (progress) bar.value = progress.total > 0 ? progress.done / progress.total : 0
      const idle = page
        ? `Done: ${rungs.length} steps, and a kernel that is proved.`
        : 'Nothing was searched yet: the plain kernel is explained.'
      words.textContent = running ? (progress ? stageWords(progress) : 'reading …') : idle
    },
  }
}

/** The ladder as far as it goes. */
export function ladderView(
  ladder: LadderOf,
  plain: Rung | null,
  gpuTitle: string,
  shown: number,
  controls: HTMLElement,
  problems: (list: readonly Problem[]) => HTMLElement,
  look: (rung: number) => void,
  explain: (parts: readonly Part[]) => Promise<readonly Answer<Explained>[]>,
): HTMLElement {
  const rungs = ladder.page?.rungs ?? (ladder.rungs.length > 0 ? ladder.rungs.map((r) => r.rung) : plain ? [plain] : [])
  const data = { gpu: gpuTitle, measuredOn: ladder.page?.measuredOn ?? null, rungs }
  const chosen = ladder.page ? { chosen: ladder.page.chosen } : {}
  // steps that the GPU refuses are in no row
  const positionOf = (i: number): number => ladder.rungs[i]?.position ?? i
  const named = (r: Rung, i: number): string | Node =>
    h(
      'button',
      { type: 'button', 'aria-pressed': String(positionOf(i) === shown), click: () => look(positionOf(i)) },
      stepName(r, i),
    )
  const lanes = (a: number, b: number): HTMLElement =>
    lanesOfBoth(
      [a, b].map((i) => ({ name: rungs[i] ? stepName(rungs[i], i) : '', part: { rung: positionOf(i), kernel: null } })),
      explain,
      problems,
    )
  return h(
    'div',
    {},
    controls,
    ladder.problems.length > 0 ? problems(ladder.problems) : null,
    ladder.page ? figureList(optimizeFigures(ladder.page)) : null,
    rungs.length > 1 ? ladderChart({ ...data, ...chosen }) : null,
    rungs.length > 0 ? ladderTable(data, named) : null,
    rungs.length > 0
      ? h('p', { class: 'note' }, 'Choose a step to see its kernel in the other views; each step adds one idea.')
      : null,
    rungs.length > 1 ? section('Before and after', null, ladderComparison(data, lanes)) : null,
  )
}

/** The lanes of two steps side by side, each over the access that wastes most, once they are asked for. */
function lanesOfBoth(
  steps: readonly { readonly name: string; readonly part: Part }[],
  explain: (parts: readonly Part[]) => Promise<readonly Answer<Explained>[]>,
  problems: (list: readonly Problem[]) => HTMLElement,
): HTMLElement {
  const place = h('div', { class: 'two even lanesofboth', 'aria-live': 'polite' })
  const show = async (): Promise<void> => {
    ask.disabled = true
    place.replaceChildren(h('p', { class: 'note' }, 'explaining both …'))
    const answers = await explain(steps.map(({ part }) => part))
    place.replaceChildren(
      ...answers.map((answer, i) =>
        h(
          'div',
          { class: 'pane' },
          h('h3', {}, steps[i]?.name ?? ''),
          answer.ok ? explainViews(answer.value.page, () => {}).detail() : problems(answer.problems),
        ),
      ),
    )
    ask.disabled = false
  }
  const ask = h('button', { type: 'button', click: () => void show() }, 'Show the lanes of both')
  return h('div', {}, h('div', { class: 'controls' }, ask), place)
}

/** What there is once the search has ended. */
export function resultViews(page: OptimizePage): View[] {
  const { files, passes, texts, kernels, proof } = page
  const pane = (start: number): HTMLElement => filePane(files, Math.min(start, files.length - 1), fileActions)
  return [
    { id: 'code', title: 'Code', draw: () => h('div', {}, pane(1)) },
    ...(passes.length > 0 ? [{ id: 'passes', title: 'Passes', draw: () => passStepper(passes, texts) }] : []),
    {
      id: 'proof',
      title: 'Proof',
      draw: () =>
        h(
          'div',
          {},
          h('p', { class: 'intro' }, proofIntro),
          proofList(proof),
          section('Schedule', null, scheduleList(kernels)),
        ),
    },
  ]
}
