// The launch of a kernel as fields. In: a program with its flags, and the integers that its uniform variables hold.
// Out: fields for the grid and for these integers, which write the flags; and a sentence where integers are left at 0,
// which keeps most kernels from doing anything. The flags say all; the form writes the commonest of them.
import { h } from 'tesela/html'
import { argumentFlag, gridIn, withArgument, withGrid } from '../worker/launch-flags.ts'
import type { Program } from '../worker/protocol.ts'

export interface LaunchForm {
  readonly element: HTMLElement
  update(program: Program, uniforms: readonly string[]): void
  /** What is missing, for the reader; null where nothing is. */
  missing(): HTMLElement | null
}

const axes = ['x', 'y', 'z'] as const
const whole = (text: string): boolean => /^-?\d+$/.test(text)

/** `write` takes the new flags. */
export function launchForm(write: (options: string) => void): LaunchForm {
  const element = h('div', { class: 'launch', role: 'group', 'aria-label': 'launch', hidden: true })
  let options = '',
    shown: string | null = null,
    uniforms: readonly string[] = [],
    fields: readonly { readonly input: HTMLInputElement; readonly value: () => string }[] = []

  const number = (id: string, label: string, value: () => string, wrote: (text: string) => string): HTMLElement => {
    const input: HTMLInputElement = h('input', {
      type: 'text',
      inputmode: 'numeric',
      id,
      size: 5,
      input: () => {
        if (whole(input.value)) write(wrote(input.value))
      },
    })
    fields = [...fields, { input, value }]
    return h('span', { class: 'field' }, h('label', { for: id }, label), input)
  }
  const draw = (): void => {
    fields = []
    element.replaceChildren(
      h('span', { class: 'note' }, 'Workgroups'),
      ...axes.map((axis, i) =>
        number(
          `grid-${axis}`,
          axis,
          () => gridIn(options)[i] ?? '1',
          (text) => withGrid(options, gridIn(options).with(i, text)),
        ),
      ),
      ...uniforms.map((name) =>
        number(
          `uniform-${name}`,
          name,
          () => argumentFlag(options, name)?.split('=').at(-1) ?? '',
          (text) => withArgument(options, name, text),
        ),
      ),
    )
  }
  return {
    element,
    update: (program, names) => {
      options = program.options
      const wanted = program.language === 'wgsl' ? names.join() : null
      element.hidden = wanted === null
      if (wanted !== null && wanted !== shown) {
        uniforms = names
        draw()
      }
      shown = wanted
      for (const { input, value } of fields) {
        if (input !== document.activeElement) input.value = value()
        input.classList.toggle('open', value() === '')
        input.placeholder = '0'
      }
    },
    missing: () => {
      const open = shown === null ? [] : uniforms.filter((name) => argumentFlag(options, name) === null)
      return open.length === 0
        ? null
        : h(
            'p',
            { class: 'finding level-warning missing' },
            h('strong', {}, `${open.join(', ')} ${open.length === 1 ? 'is' : 'are'} not set: 0 is taken. `),
            'A kernel that checks its bounds then does nothing. ',
            h(
              'button',
              { type: 'button', class: 'place', click: () => document.getElementById(`uniform-${open[0]}`)?.focus() },
              'Set',
            ),
          )
    },
  }
}
