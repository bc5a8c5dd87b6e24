// Texts that leave the page: to the clipboard, or as a file.
import { h } from 'tesela/html'

export function download(name: string, text: string, type = 'text/plain'): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = h('a', { href: address, download: name })
  link.click()
  // the browser has taken it by then
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** False where the browser does not let pages write there. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Two buttons for a text: copy and download. */
export function fileActions(file: () => { readonly name: string; readonly text: string } | undefined): HTMLElement {
  const copied: HTMLButtonElement = h(
    'button',
    {
      type: 'button',
      click: () => {
        void copy(file()?.text ?? '').then((ok) => {
          copied.textContent = ok ? 'Copied' : 'Not allowed here'
          setTimeout(() => {
            copied.textContent = 'Copy'
          }, 1500)
        })
      },
    },
    'Copy',
  )
  const save = h(
    'button',
    {
      type: 'button',
      click: () => {
        const f = file()
        if (f) download(f.name, f.text)
      },
    },
    'Download',
  )
  return h('span', { class: 'actions' }, copied, save)
}
