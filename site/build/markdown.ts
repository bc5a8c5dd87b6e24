// In: a document of the repository as Markdown. Out: its HTML, its headings, and its sections as plain text for the
// search. The one idea: links between documents stay links between pages; what a page of the site cannot show (files of
// the repository) becomes plain text; a screen of `explain` on an example gets a link that opens it in the studio.
import { Marked, type Tokens } from 'marked'
import { dirname, join, normalize } from 'node:path/posix'

export interface Heading {
  readonly depth: number
  readonly id: string
  readonly title: string
}

export interface Section {
  readonly id: string
  readonly title: string
  readonly text: string
}

export interface Rendered {
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
  readonly sections: readonly Section[]
  /** Pictures that the page shows, by their paths in the repository. */
  readonly pictures: readonly string[]
}

/** Where things are: the address of a document or picture relative to the page, null for what the site has not. */
export interface Places {
  readonly page: (path: string) => string | null
  readonly picture: (path: string) => string
  /** The studio with an example, by its path in the repository without the extension. */
  readonly example: (id: string, flags: string) => string | null
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

/** As GitHub makes anchors, which the documents' own links expect. */
const anchor = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

const plainText = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(
      /&(lt|gt|amp|quot);/g,
      (_, name: 'lt' | 'gt' | 'amp' | 'quot') => ({ lt: '<', gt: '>', amp: '&', quot: '"' })[name],
    )

/** The example and the flags of a screen that begins with `$ npx tesela explain examples/…`; GPU and files left out. */
function explainedIn(code: string): { readonly id: string; readonly flags: string } | null {
  const [, id, rest = ''] = /^\$ npx tesela explain examples\/([\w/-]+)\.wgsl(.*)$/m.exec(code) ?? []
  if (id === undefined) return null
  const flags = [...rest.matchAll(/--(grid|override|arg|buffer|entry|block) (\S+)/g)].map((m) => `--${m[1]} ${m[2]}`)
  return { id, flags: flags.join(' ') }
}

interface Live {
  readonly name: string
  readonly plots: string
  readonly gpu: string
}

/** The experiment of a screen that begins with `$ npx tesela study stride --gpu h200 --plot time`. */
function studiedIn(code: string): Live | null {
  const [, name, rest = ''] = /^\$ npx tesela study ([a-z0-9-]+)(.*)$/m.exec(code) ?? []
  if (name === undefined) return null
  const of = (flag: string): string => new RegExp(`--${flag} (\\S+)`).exec(rest)?.[1] ?? ''
  return { name, plots: of('plot'), gpu: of('gpu').split(',')[0] ?? '' }
}

/** A place for an experiment, filled by the page's script; `label` when it waits behind a line that opens it. */
const livePlace = ({ name, plots, gpu }: Live, label?: string): string =>
  `<div data-experiment="${escaped(name)}" data-plots="${escaped(plots)}"` +
  `${gpu === '' ? '' : ` data-gpu="${escaped(gpu)}"`}${label === undefined ? '' : ` data-label="${escaped(label)}"`}>` +
  '</div>\n'

/** Renders the document at `path` of the repository. */
export function rendered(path: string, text: string, places: Places): Rendered {
  const headings: Heading[] = [],
    pictures: string[] = [],
    used = new Map<string, number>()
  const idOf = (title: string): string => {
    const base = anchor(title),
      before = used.get(base) ?? 0
    used.set(base, before + 1)
    return before === 0 ? base : `${base}-${before}`
  }
  const resolved = (href: string): string => normalize(join(dirname(path), href))
  const marked = new Marked({ gfm: true, async: false })
  marked.use({
    renderer: {
      heading(token: Tokens.Heading) {
        const html = this.parser.parseInline(token.tokens),
          title = plainText(html),
          id = idOf(title)
        headings.push({ depth: token.depth, id, title })
        return `<h${token.depth} id="${escaped(id)}">${html}</h${token.depth}>\n`
      },
      link(token: Tokens.Link) {
        const inner = this.parser.parseInline(token.tokens)
        if (/^[a-z]+:/.test(token.href)) return `<a href="${escaped(token.href)}" rel="noopener">${inner}</a>`
        const [file = '', hash] = token.href.split('#')
        const page = file === '' ? '' : places.page(resolved(file))
        return page === null
          ? inner
          : `<a href="${escaped(page)}${hash === undefined ? '' : `#${escaped(hash)}`}">${inner}</a>`
      },
      image(token: Tokens.Image) {
        const file = resolved(token.href)
        pictures.push(file)
        return `<img src="${escaped(places.picture(file))}" alt="${escaped(token.text)}" loading="lazy">`
      },
      code(token: Tokens.Code) {
        const shown = explainedIn(token.text)
        const address = shown && places.example(shown.id, shown.flags)
        const label = token.text.startsWith('$ ') ? 'screen' : 'code'
        const pre = `<pre class="codepane" tabindex="0" role="group" aria-label="${label}">`
        const open = address
          ? `<p class="try"><a href="${escaped(address)}">Open this kernel in the studio</a></p>\n`
          : ''
        const live = studiedIn(token.text)
        const change = live ? livePlace(live, 'Change this experiment here') : ''
        return `${pre}<code>${escaped(token.text)}</code></pre>\n${open}${change}`
      },
      // `<!-- experiment stride --plot bandwidth --gpu h200 -->`: here the reader tries it before the text tells
      html(token: Tokens.HTML | Tokens.Tag) {
        const [, asked] = /^<!-- experiment (.*) -->\s*$/.exec(token.text) ?? []
        const live = asked === undefined ? null : studiedIn(`$ npx tesela study ${asked}`)
        return live ? livePlace(live) : false
      },
      table(token: Tokens.Table) {
        const cell = (c: Tokens.TableCell, tag: 'th' | 'td'): string =>
          `<${tag}${tag === 'th' ? ' scope="col"' : ''}${c.align ? ` class="${c.align}"` : ''}>` +
          `${this.parser.parseInline(c.tokens)}</${tag}>`
        const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td'): string =>
          `<tr>${cells.map((c) => cell(c, tag)).join('')}</tr>`
        const head = `<thead>${row(token.header, 'th')}</thead>`,
          body = `<tbody>${token.rows.map((r) => row(r, 'td')).join('')}</tbody>`
        const table = `<table class="data">${head}${body}</table>`
        return `<div class="scroll" tabindex="0" role="group" aria-label="table">${table}</div>\n`
      },
    },
  })
  const html = marked.parse(text) as string // not asynchronous
  return { title: headings[0]?.title ?? path, html, headings, sections: sectionsOf(html, headings), pictures }
}

/** The text under each heading, without code: screens repeat what the text says. */
function sectionsOf(html: string, headings: readonly Heading[]): readonly Section[] {
  const parts = html.split(/<h[1-6] id="[^"]*">[\s\S]*?<\/h[1-6]>\n/)
  return headings.map(({ id, title }, i) => ({
    id,
    title,
    text: plainText((parts[i + 1] ?? '').replace(/<pre[\s\S]*?<\/pre>/g, ' ').replace(/<\/t[dh]>/g, ' '))
      .replace(/\s+/g, ' ')
      .trim(),
  }))
}
