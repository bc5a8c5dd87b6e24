// The program's text pass by pass. In: the changes of a trace, and the texts that they name by position. Out: a choice
// of a pass, two buttons to step, and a listing whose lines are marked as kept, gone or new. The one idea: the mark is
// a sign beside the line, so that the colour says nothing that is not also read.
import { isEqualButForIndent, lineDiff, type DiffLine } from '../../line-diff.ts'
import type { PassStep } from '../pages/data.ts'
import { fresh, h } from './dom.ts'

const signs: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', gone: '−', new: '+' }

/** How many lines a pass changed; nothing where it made another kind of text. */
function changedText(lines: number): string {
  if (lines === 0) return ''
  return ` ${lines} ${lines === 1 ? 'line' : 'lines'} changed.`
}

export function passStepper(steps: readonly PassStep[], texts: readonly string[]): HTMLElement {
  let at = 0
  const id = fresh('pass')
  const listing = h('pre', { class: 'codepane', tabindex: 0, 'aria-label': 'the program' }),
    what = h('p', { class: 'note', 'aria-live': 'polite' }),
    script = h('ol', { class: 'note', 'aria-label': 'steps' })
  const select: HTMLSelectElement = h(
    'select',
    { id, change: () => show(Number(select.value)) },
    ...steps.map((s, i) => h('option', { value: i }, `${i + 1}. ${s.name}${s.within === '' ? '' : `, ${s.within}`}`)),
  )
  const button = (text: string, by: number): HTMLButtonElement =>
    h('button', { type: 'button', click: () => show(at + by) }, text)
  const back = button('← previous', -1),
    on = button('next →', 1)
  const show = (i: number): void => {
    const step = steps[i]
    if (!step) return
    at = i
    select.value = String(i)
    back.disabled = i === 0
    on.disabled = i === steps.length - 1
    const lines = lineDiff(texts[step.before] ?? '', texts[step.after] ?? '', isEqualButForIndent)
    const changed = lines.filter((l) => l.kind !== 'same').length
    const within = step.within === '' ? '' : `, in ${step.within}`
    what.replaceChildren(h('b', {}, step.name), ` (${step.of}${within}): ${step.summary}.${changedText(changed)}`)
    script.replaceChildren(...step.steps.map((s) => h('li', {}, s)))
    script.hidden = step.steps.length === 0
    const marked = lines.map((l) => h('code', { class: `diff ${l.kind}` }, `${signs[l.kind]} ${l.text}`))
    listing.replaceChildren(h('span', { class: 'difflines' }, ...marked))
  }
  show(0)
  return h(
    'div',
    {},
    h('div', { class: 'controls' }, h('span', { class: 'field' }, h('label', { for: id }, 'Pass'), select), back, on),
    what,
    script,
    listing,
  )
}
