// In: what a page shows, and the same as lines of text. Out: one HTML file that asks nobody for anything. The one idea:
// what comes from users is data in a JSON script whose `<` is escaped, or text whose markup is escaped; only our own
// script and style run, named by hash.
import { texts } from './made/pages.texts.js'

export type PageKind = 'explain' | 'optimize' | 'study'

/** Text as text, wherever it stands in markup. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

/** JSON that no parser of HTML can take for anything else; infinities as words that pages turn back. */
const inScript = (data: unknown): string =>
  JSON.stringify(data, (_key, value: unknown) => (value === Infinity ? '\u0000Infinity' : value)).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const made = (name: string): string => {
  const text = texts[name]
  if (text === undefined) throw new Error(`the package was built without ${name}`)
  return text
}

/** A whole page. `title` and `fallback` (for readers without scripts) may hold anything. */
export function htmlPage(kind: PageKind, title: string, data: unknown, fallback: readonly string[]): string {
  const policy =
    `default-src 'none'; script-src 'sha256-${made(`${kind}.hash`)}'; style-src 'sha256-${made('style.hash')}'; ` +
    `img-src data:; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style>${made('style')}</style>
</head>
<body>
<main></main>
<noscript><pre>${escaped(fallback.join('\n'))}</pre></noscript>
<script type="application/json" id="data">${inScript(data)}</script>
<script>${made(kind)}</script>
</body>
</html>
`
}
