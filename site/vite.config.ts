// How the site is built: the studio and the documents as plain files with relative addresses, for any static host.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { documents } from './build/documents.ts'
import { examples } from './build/examples.ts'
import { experiments } from './build/experiments.ts'
import { offline } from './build/offline.ts'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
/** The site uses the package by its public names; here they are its sources, so that nothing is built twice. */
const alias = [
  { find: 'tesela/html.css', replacement: at('../src/report/html/style.css') },
  { find: /^tesela\/([a-z]+)$/, replacement: at('../src/$1.ts') },
]

export default defineConfig(({ command }) => ({
  root: at('.'),
  base: './',
  resolve: { alias },
  define: { isBuilt: String(command === 'build') },
  plugins: [examples(at('../examples')), experiments(), documents(at('..')), offline()],
  worker: { format: 'es' },
  build: {
    outDir: at('./dist'),
    emptyOutDir: true,
    target: 'es2022',
    // Parts of the page's own policy: no inline scripts, no data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 4000,
  },
  server: { fs: { allow: [at('..')] } },
}))
