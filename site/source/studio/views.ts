// Small views of the studio: the text of a kernel, divergence, what is wrong with a program.
import { h, percent, type ExplainPage, type ExplainViews } from 'tesela/html'
import type { ExplainedRung, Problem } from '../worker/protocol.ts'
import { fileActions } from './files.ts'
import type { View } from './tabs.ts'

/** A place for what is drawn in the page's next task, so that none is long. */
export function later(draw: () => Node): HTMLElement {
  const place = h('div', {})
  setTimeout(() => place.replaceChildren(draw()))
  return place
}

/** Of C, the text of the kernel. */
export const kernelViews = (rung: ExplainedRung | null, under: (...parts: Node[]) => HTMLElement): View[] =>
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

/** How many lanes work, and the branches that part them. */
export function divergence(views: ExplainViews, { report }: ExplainPage): HTMLElement {
  const table = views.branches()
  return h(
    'div',
    {},
    h(
      'p',
      { class: 'big' },
      h('strong', {}, percent(report.warpEfficiency)),
      ' of lanes are active, over all instructions',
    ),
    table ?? h('p', {}, 'No branch parts the lanes of a warp.'),
  )
}

/** What is wrong, each with a way to its line; `add` adds flags that mend it. */
export function problemList(
  problems: readonly Problem[],
  goTo: (line: number) => void,
  add: (flags: string) => void,
): HTMLElement {
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
        p.flags === null
          ? null
          : h('button', { type: 'button', class: 'primary', click: () => add(p.flags ?? '') }, `Add ${p.flags}`),
      ),
    ),
  )
}
