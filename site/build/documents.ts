// In: the documents of the repository. Out: a page of the site for each, one look and one navigation, their pictures
// beside them, and an index for the search. Served while people work on the site, written when it is built.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Plugin, Rollup } from 'vite'
import { readExamples } from './examples.ts'
import { outlines } from './experiments.ts'
import { rendered, type Places, type Rendered } from './markdown.ts'

type Part = 'guide' | 'reference'

interface Document {
  readonly part: Part
  /** In the repository: `docs/guide/tiling.md`. */
  readonly path: string
  /** In the site: `guide/tiling.html`. */
  readonly address: string
}

/** An entry of the search: a section of a page, or an example. */
export interface Found {
  readonly address: string
  readonly page: string
  readonly title: string
  readonly text: string
}

/** Chapters of the guide in their order, as its own list has them. */
function chapters(root: string): readonly string[] {
  const list = readFileSync(join(root, 'docs/guide/README.md'), 'utf8')
  return [...list.matchAll(/^\d+\. \[[^\]]+\]\(([\w-]+\.md)\)/gm)].map((m) => m[1] ?? '')
}

function documentsOf(root: string): readonly Document[] {
  const guide = ['README.md', ...chapters(root)].map(
    (file): Document => ({
      part: 'guide',
      path: `docs/guide/${file}`,
      address: `guide/${file === 'README.md' ? 'index' : file.replace('.md', '')}.html`,
    }),
  )
  const reference = readdirSync(join(root, 'docs'))
    .filter((f) => f.endsWith('.md'))
    .sort()
    .map(
      (file): Document => ({
        part: 'reference',
        path: `docs/${file}`,
        address: `reference/${file.replace('.md', '')}.html`,
      }),
    )
  return [...guide, ...reference]
}

const relativeTo = (from: string, to: string): string => posix.relative(posix.dirname(from), to) || posix.basename(to)

function placesFor(document: Document, all: readonly Document[], examples: ReadonlySet<string>): Places {
  const studio = relativeTo(document.address, 'index.html')
  const added = (flags: string): string => (flags === '' ? '' : `&flags=${encodeURIComponent(flags)}`)
  return {
    page: (path) => {
      const found = all.find((d) => d.path === path)
      return found ? relativeTo(document.address, found.address) : null
    },
    picture: (path) => relativeTo(document.address, pictureAddress(path)),
    example: (id, flags) => (examples.has(id) ? `${studio}#example=${id}${added(flags)}` : null),
  }
}

const pictureAddress = (path: string): string => path.replace(/^docs\//, 'pictures/')

const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; " +
  "form-action 'none'"

interface Page {
  readonly document: Document
  readonly content: Rendered
}

const linkTo = (from: Page, to: Page): string => {
  const address = relativeTo(from.document.address, to.document.address)
  return `<li><a href="${address}"${to === from ? ' aria-current="page"' : ''}>${escaped(to.content.title)}</a></li>`
}

function aside(page: Page, all: readonly Page[]): string {
  const siblings = all.filter((p) => p.document.part === page.document.part)
  const name = page.document.part === 'guide' ? 'Guide' : 'Reference'
  return `<nav class="contents" aria-label="${name}"><ul>${siblings.map((p) => linkTo(page, p)).join('')}</ul></nav>`
}

function onThisPage({ content }: Page): string {
  const inner = content.headings.filter((h) => h.depth === 2)
  if (inner.length < 3) return ''
  const items = inner.map((h) => `<li><a href="#${escaped(h.id)}">${escaped(h.title)}</a></li>`)
  return `<nav class="inner" aria-label="on this page"><ul>${items.join('')}</ul></nav>`
}

/** Chapters before and after. */
function turning(page: Page, all: readonly Page[]): string {
  if (page.document.part !== 'guide') return ''
  const chapters = all.filter((p) => p.document.part === 'guide')
  const at = chapters.indexOf(page)
  const link = (to: Page | undefined, words: string): string =>
    to
      ? `<a href="${relativeTo(page.document.address, to.document.address)}">${words} ${escaped(to.content.title)}</a>`
      : '<span></span>'
  return `<nav class="turning" aria-label="chapters">${link(chapters[at - 1], '←')}${link(chapters[at + 1], '→')}</nav>`
}

function html(page: Page, all: readonly Page[], scripts: string): string {
  const { document, content } = page
  return `<!doctype html>
<html lang="en" data-root="../" data-part="${document.part}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="../sign.svg" type="image/svg+xml">
<title>${escaped(content.title)} · Tesela</title>
${scripts}
</head>
<body class="document">
<div class="page">
${aside(page, all)}
<main>
${content.html}
${turning(page, all)}
</main>
${onThisPage(page)}
</div>
</body>
</html>
`
}

/** The page that lists the documents. */
function referenceIndex(pages: readonly Page[]): Page {
  const items = pages.map((p) => {
    const about = p.content.sections[0]?.text.split(/(?<=\.) /)[0] ?? ''
    return `<li><a href="${posix.basename(p.document.address)}">${escaped(p.content.title)}</a>: ${escaped(about)}</li>`
  })
  return {
    document: { part: 'reference', path: '', address: 'reference/index.html' },
    content: {
      title: 'Reference',
      html: `<h1 id="reference">Reference</h1>\n<ul class="list">${items.join('\n')}</ul>`,
      headings: [],
      sections: [],
      pictures: [],
    },
  }
}

/** The page of all experiments, each opened by a click or by its name in the address. */
function experimentsPage(): Page {
  const all = outlines()
  const items = all.map(
    (e) =>
      `<details id="${escaped(e.name)}"><summary>${escaped(e.title)}</summary>\n<p>${escaped(e.idea)}</p>\n` +
      `<div data-experiment="${escaped(e.name)}"></div>\n` +
      `<p class="note">On the command line: <code>npx tesela study ${escaped(e.name)}</code></p></details>`,
  )
  const title = 'All experiments'
  const intro =
    `The ${all.length} experiments of <code>tesela study</code>, here to be changed: choose a GPU, move the slider, ` +
    'guess, and run. Every number is counted by the simulator in this page, for the kernel that you see.'
  return {
    document: { part: 'guide', path: '', address: 'guide/experiments.html' },
    content: {
      title,
      html:
        `<h1 id="all-experiments">${title}</h1>\n<p>${intro}</p>\n` +
        `<div class="experiments">${items.join('\n')}</div>`,
      headings: [
        { depth: 1, id: 'all-experiments', title },
        ...all.map((e) => ({ depth: 3, id: e.name, title: e.title })),
      ],
      sections: all.map((e) => ({ id: e.name, title: e.title, text: e.idea })),
      pictures: [],
    },
  }
}

interface Site {
  readonly pages: readonly Page[]
  readonly search: readonly Found[]
}

export function readSite(root: string): Site {
  const examples = readExamples(join(root, 'examples'))
  const ids = new Set(examples.map((e) => e.id))
  const all = documentsOf(root)
  const read = all.map(
    (document): Page => ({
      document,
      content: rendered(document.path, readFileSync(join(root, document.path), 'utf8'), placesFor(document, all, ids)),
    }),
  )
  read.splice(read.findLastIndex((p) => p.document.part === 'guide') + 1, 0, experimentsPage())
  const sections = read.flatMap(({ document, content }) =>
    content.sections.map(
      (s): Found => ({
        address: s.title === content.title ? document.address : `${document.address}#${s.id}`,
        page: content.title,
        title: s.title,
        text: s.text,
      }),
    ),
  )
  const opened = examples.map((e): Found => {
    const first = e.text.split('\n').find((l) => /^\s*\/\//.test(l)) ?? ''
    return {
      address: `index.html#example=${e.id}`,
      page: e.group,
      title: e.file,
      text: first.replace(/^\s*\/\/\s*/, ''),
    }
  })
  const guide = read.filter((p) => p.document.part === 'guide'),
    reference = read.filter((p) => p.document.part === 'reference')
  reference.sort((a, b) => a.content.title.localeCompare(b.content.title, 'en'))
  return { pages: [...guide, referenceIndex(reference), ...reference], search: [...sections, ...opened] }
}

/** The entry that pages of documents load. */
const entry = 'source/document/main.ts'

export function documents(root: string): Plugin {
  return {
    name: 'documents',
    config: () => ({
      build: {
        rolldownOptions: {
          input: {
            index: join(root, 'site/index.html'),
            device: join(root, 'site/device.html'),
            document: join(root, 'site', entry),
          },
        },
      },
    }),
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const path = new URL(request.url ?? '/', 'http://x').pathname.slice(1)
        const site = readSite(root)
        const page = site.pages.find((p) => p.document.address === path)
        if (page) {
          const scripts = `<script type="module" src="/${entry}"></script>`
          // Vite puts its own inline script and styles into pages that it serves
          response.setHeader('content-type', 'text/html')
          response.end(html(page, site.pages, scripts).replace(/<meta http-equiv[^>]*>/, ''))
        } else if (path === 'search.json') response.end(JSON.stringify(site.search))
        else {
          const picture = pictures(site).find((p) => pictureAddress(p) === path)
          if (picture === undefined) return next()
          response.setHeader('content-type', 'image/svg+xml')
          response.end(readFileSync(join(root, picture)))
        }
      })
    },
    generateBundle(_, bundle) {
      const site = readSite(root)
      const scripts = scriptsOf(bundle)
      const emit = (fileName: string, source: string | Uint8Array): void => {
        this.emitFile({ type: 'asset', fileName, source })
      }
      for (const page of site.pages) emit(page.document.address, html(page, site.pages, scripts))
      for (const path of pictures(site)) emit(pictureAddress(path), readFileSync(join(root, path)))
      emit('search.json', JSON.stringify(site.search))
    },
  }
}

const pictures = (site: Site): readonly string[] => [...new Set(site.pages.flatMap((p) => p.content.pictures))]

/** The script and styles of documents as they are called in this bundle. */
function scriptsOf(bundle: Rollup.OutputBundle): string {
  const chunk = Object.values(bundle).find((o) => o.type === 'chunk' && o.isEntry && o.name === 'document')
  if (chunk?.type !== 'chunk') throw new Error('the documents have no script')
  const styles = Object.keys(bundle).filter((name) => name.endsWith('.css'))
  return [
    ...styles.map((name) => `<link rel="stylesheet" href="../${name}">`),
    `<script type="module" src="../${chunk.fileName}"></script>`,
  ].join('\n')
}
