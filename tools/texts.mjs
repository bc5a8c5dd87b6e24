// In: nothing. Out: modules of texts that the package carries: the catalogue's kernels for `study`, scripts and style
// of HTML reports and of the farm's page. The one idea: a module `NAME.texts.js` exports `texts`, names to contents, so
// that the package reads no files when it runs.
import { build } from 'esbuild'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Writes a module of texts when it differs from what is there. */
export function writeTexts(path, texts) {
  const body = Object.entries(texts)
    .map(([name, text]) => `  ${JSON.stringify(name)}: ${JSON.stringify(text)},\n`)
    .join('')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `// Made by tools/build.mjs.\nexport const texts = {\n${body}}\n`)
}

/** The kernels of `examples/catalogue`, and the race of `examples/wgsl`. */
export function catalogueTexts(root) {
  const folder = join(root, 'examples/catalogue')
  const names = readdirSync(folder)
    .filter((f) => f.endsWith('.wgsl'))
    .map((f) => f.replace('.wgsl', ''))
    .sort()
  const read = (name, at) => [name, readFileSync(join(at, `${name}.wgsl`), 'utf8')]
  return Object.fromEntries([
    ...names.map((name) => read(name, folder)),
    read('reduce-race', join(root, 'examples/wgsl')),
  ])
}

/** A script or a style of a page with all that it imports, minified. */
async function bundledText(root, file) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [file],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    charset: 'ascii',
    logLevel: 'warning',
  })
  return outputFiles[0].text.trim()
}

/** What the farm's page for volunteers runs and looks like. */
export async function volunteerTexts(root) {
  const folder = 'src/farm/volunteers/page'
  return { script: await bundledText(root, `${folder}/main.ts`), style: await bundledText(root, `${folder}/page.css`) }
}

/** Scripts of the pages and their style, minified, each with the hash by which a page's policy names it. */
export async function pageTexts(root) {
  const files = {
    explain: 'pages/explain.ts',
    optimize: 'pages/optimize.ts',
    study: 'pages/study.ts',
    style: 'style.css',
  }
  const texts = {}
  for (const [name, file] of Object.entries(files)) {
    texts[name] = await bundledText(root, `src/report/html/${file}`)
    texts[`${name}.hash`] = createHash('sha256').update(texts[name]).digest('base64')
  }
  return texts
}
