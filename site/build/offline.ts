// In: all files of the built site. Out: `sw.js`, a service worker that keeps them, so that the site works without a
// network after the first visit. The one idea: a cache is named by what is in it; a new build has a new name, is filled
// before it is used, and takes over when no page of the old one is open.
import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'

/** The worker's text; it knows its files by addresses relative to itself. */
const worker = (name: string, files: readonly string[]): string => `// Keeps the site's files for use without a network.
const name = ${JSON.stringify(name)}
const files = ${JSON.stringify(files)}
addEventListener('install', (e) => {
  e.waitUntil(caches.open(name).then((c) => c.addAll(files)))
})
addEventListener('activate', (e) => {
  const old = (keys) => keys.filter((k) => k.startsWith('tesela-') && k !== name)
  e.waitUntil(caches.keys().then((keys) => Promise.all(old(keys).map((k) => caches.delete(k)))))
})
addEventListener('fetch', (e) => {
  if (e.request.method !== 'GET' || new URL(e.request.url).origin !== location.origin) return
  const kept = caches.open(name).then((c) => c.match(e.request, { ignoreSearch: true }))
  e.respondWith(kept.then((found) => found || fetch(e.request)))
})
`

export const offline = (): Plugin => ({
  name: 'offline',
  apply: 'build',
  enforce: 'post',
  generateBundle(_, bundle) {
    const hash = createHash('sha256')
    for (const [name, o] of Object.entries(bundle)) hash.update(name).update(o.type === 'chunk' ? o.code : o.source)
    const files = Object.keys(bundle).filter((name) => !name.endsWith('.map'))
    const source = worker(`tesela-${hash.digest('hex').slice(0, 16)}`, [
      './',
      './sign.svg',
      ...files.map((f) => `./${f}`),
    ])
    this.emitFile({ type: 'asset', fileName: 'sw.js', source })
  },
})
