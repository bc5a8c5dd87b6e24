// Changes that mend a kernel, found when they are asked for. In: a program and a GPU. Out: a button; then what each
// change does, what it gains, and a button that puts the text with all of them into the editor.
import { duration, h, times } from 'tesela/html'
import type { Change, Mended, Problem, Program } from '../worker/protocol.ts'
import { mendOnce } from './client.ts'

/** What a change gained, in words. */
function gainWords(c: Change): string {
  const faster = c.before / c.after
  const time = faster >= 1.005 ? `${times(faster)}: ${duration(c.before)} → ${duration(c.after)}` : ''
  const hazards = c.gone > 0 ? `${c.gone === 1 ? 'one hazard is' : `${c.gone} hazards are`} gone` : ''
  return [time, hazards].filter((t) => t !== '').join('; ')
}

const compared = ({ same, different }: Change): string => {
  if (same === null) return ''
  const kept = `${same.toLocaleString('en')} values that it writes are the same`
  return different === 0 ? `${kept}.` : `${kept}; ${different}, which the hazard left open, differ.`
}

/** `apply` puts a text and its flags into the editor; `problems` draws what went wrong. */
export function mending(
  program: Program,
  gpu: string,
  apply: (changed: Mended) => void,
  problems: (list: readonly Problem[]) => HTMLElement,
): HTMLElement {
  const place = h('div', { 'aria-live': 'polite' })
  const button: HTMLButtonElement = h(
    'button',
    { type: 'button', class: 'primary', click: () => void find() },
    'Find fixes',
  )
  const find = async (): Promise<void> => {
    button.disabled = true
    place.replaceChildren(h('p', { class: 'note' }, 'Changes are tried, run and compared …'))
    const answer = await mendOnce(program, gpu)
    button.disabled = false
    if (!answer.ok) {
      place.replaceChildren(problems(answer.problems))
      return
    }
    place.replaceChildren(changeList(answer.value, apply))
  }
  return h('div', { class: 'mending' }, h('div', { class: 'controls' }, button), place)
}

function changeList(found: Mended, apply: (changed: Mended) => void): HTMLElement {
  const { changes } = found
  if (changes.length === 0)
    return h('p', {}, 'No change that can be made by itself gains anything here: the advice below needs a hand.')
  const all = changes.length === 1 ? 'this change' : `these ${changes.length} changes`
  return h(
    'div',
    {},
    h(
      'ol',
      { class: 'changes' },
      ...changes.map((c) =>
        h(
          'li',
          {},
          h('b', {}, `${c.mends}${c.line === null ? '' : `, line ${c.line}`}: `),
          `${c.does}. `,
          h('span', { class: 'gain' }, gainWords(c)),
          `. ${compared(c)}`,
        ),
      ),
    ),
    h('button', { type: 'button', class: 'apply', click: () => apply(found) }, `Make ${all}`),
  )
}
