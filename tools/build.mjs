// In: src/. Out: the library's plans in src/kernels/made/ (anew when what they are made of has changed), and dist/: the
// command line, one ESM entry per subpath export with shared chunks, and declarations. The one idea: entries are read
// from package.json's `exports`, so that there is one list. Dependencies stay imports.
import { build } from 'esbuild'
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { catalogueTexts, pageTexts, volunteerTexts, writeTexts } from './texts.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const entries = Object.values(exports).flatMap((e) =>
  e.default && e.types ? [e.default.replace('./dist/', '').replace('.js', '')] : [],
)
const shared = {
  absWorkingDir: root,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  target: 'es2022',
  packages: 'external',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  legalComments: 'none',
  logLevel: 'warning',
}

/** A hash of everything that the library's plans are made from. */
function origin() {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'tools/kernels.ts')))
    .update(readFileSync(join(root, 'tools/pack.ts')))
  for (const folder of [
    'base',
    'ir',
    'frontend/c',
    'analysis',
    'gpus',
    'transform',
    'regions',
    'schedule',
    'emit',
    'kernels',
    '.',
  ]) {
    const files = readdirSync(join(root, 'src', folder), { recursive: folder !== '.' })
      .map(String)
      .sort()
    for (const file of files) {
      if (
        /(^|\/)(kernel|spec|recipe|texts|word-model)\.ts$|\.c$/.test(file) ||
        (folder !== 'kernels' && /\.ts$/.test(file) && (folder !== '.' || file === 'pipeline.ts'))
      )
        hash.update(file).update(readFileSync(join(root, 'src', folder, file)))
    }
  }
  return hash.digest('hex')
}

/** Makes the modules of plans that are asked for. */
const kernels = (...asked) =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', 'tools/kernels.ts', ...asked], { cwd: root })

/** The file that has what an entry exports. */
const chunkOf = (entry) => /chunks\/[\w-]+\.js/.exec(readFileSync(join(dist, entry), 'utf8'))[0]

const stamp = join(root, 'src/kernels/made/origin'),
  now = origin()
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== now) {
  // two halves side by side: products, what builds on them, and scans are as much work as all others
  await Promise.all([kernels('matmul', 'scan'), kernels('--without', 'matmul', 'scan')])
  writeFileSync(stamp, now)
}

writeTexts(join(root, 'src/study/made/catalogue.texts.js'), catalogueTexts(root))
writeTexts(join(root, 'src/report/html/made/pages.texts.js'), await pageTexts(root))
writeTexts(join(root, 'src/farm/made/volunteer.texts.js'), await volunteerTexts(root))

/** What kept results of the compiler are kept by, besides what they were made from: a hash of its sources. */
function compilerHash() {
  const hash = createHash('sha256')
  for (const file of readdirSync(join(root, 'src'), { recursive: true })
    .map(String)
    .filter((f) => f.endsWith('.ts'))
    .sort())
    hash.update(file).update(readFileSync(join(root, 'src', file)))
  return hash.digest('hex').slice(0, 16)
}

const require = createRequire(import.meta.url)
/**
 * The C parser comes along, in JavaScript and two files of WebAssembly, so that nobody who installs the package builds
 * or downloads a grammar. Web-tree-sitter loads parts of Node when it runs there, for which bundlers of pages shall not
 * look; it evaluates text that WebAssembly modules may bring, and these bring none. `up`: where its files lie, from
 * where its code does.
 */
const parser = (up = '') => ({
  name: 'parser',
  setup(b) {
    b.onResolve({ filter: /^web-tree-sitter$/ }, () => ({
      path: join(dirname(require.resolve('web-tree-sitter')), 'web-tree-sitter.js'),
    }))
    b.onLoad({ filter: /web-tree-sitter[\\/]web-tree-sitter\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replace(
          /await import\("(fs\/promises|module)"\)/g,
          'await import(/* @vite-ignore */ /* webpackIgnore: true */ "$1".slice())',
        )
        .replace('new URL("web-tree-sitter.wasm"', `new URL("${up}web-tree-sitter.wasm"`)
        .replace(/= eval\(func\);/g, '= () => { throw new Error("a module brings JavaScript"); };'),
    }))
  },
})

rmSync(dist, { recursive: true, force: true })
// The compiler's thread is one file with all that it needs, beside the parser's two: a page loads it by its address.
await build({
  ...shared,
  splitting: false,
  packages: 'bundle',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  external: ['fs/promises', 'module'],
  plugins: [parser()],
  entryPoints: { 'compile-worker': 'src/compile/worker.ts' },
})
for (const file of ['web-tree-sitter/web-tree-sitter.wasm', 'tree-sitter-c/tree-sitter-c.wasm'])
  copyFileSync(require.resolve(file), join(dist, basename(file)))
// Parts of the library are files of their own: bundlers leave out whole files that nobody uses, and not every part of
// one file.
const parts = [
  ...readdirSync(join(root, 'src/kernels')).map((name) => `kernels/${name}/${name}`),
  'kernels/gpu',
  'kernels/open',
  ...readdirSync(join(root, 'src/ops'), { recursive: true })
    .map(String)
    .filter((f) => /\bmade[\\/]\w+\.ts$/.test(f))
    .map((f) => `ops/${f.slice(0, -'.ts'.length)}`),
].filter((name) => existsSync(join(root, `src/${name}.ts`)))
const plans = readdirSync(join(root, 'src/kernels/made'))
  .filter((f) => f.endsWith('.made.js') && f !== 'matrices.made.js') // a part of its own
  .map((f) => `kernels/made/${f}`)
const define = { TESELA_COMPILER: JSON.stringify(compilerHash()) }
await build({
  ...shared,
  define,
  platform: 'neutral',
  plugins: [parser('../')],
  entryPoints: [...[...entries, ...parts].map((name) => `${name}.ts`), ...plans].map((file) => `src/${file}`),
})
// Packed plans side by side: deflate has one code for some 16,000 symbols, and what looks random spoils that of a text.
// So files that import all operations import all plans before any code.
for (const file of ['index.js', 'kernels.js', ...readdirSync(join(dist, 'chunks')).map((f) => `chunks/${f}`)]) {
  if (!/^\w+\.js|^chunks\/operations-/.test(file)) continue
  const path = join(dist, file),
    up = file.includes('/') ? '..' : '.'
  writeFileSync(path, plans.map((f) => `import '${up}/${chunkOf(f)}'\n`).join('') + readFileSync(path, 'utf8'))
}
await build({
  ...shared,
  define,
  platform: 'node',
  plugins: [parser('../')],
  target: 'node20',
  entryPoints: { cli: 'src/cli/main.ts' },
  chunkNames: 'chunks/cli-[name]-[hash]',
  banner: { js: '#!/usr/bin/env node' },
})
chmodSync(join(dist, 'cli.js'), 0o755)
copyFileSync(join(root, 'src/report/html/style.css'), join(dist, 'html.css'))

const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.types.json'], { cwd: root, stdio: ['ignore', 2, 2] })

// The parser's types as well: nothing says them but its package.
copyFileSync(join(dirname(require.resolve('web-tree-sitter')), 'web-tree-sitter.d.ts'), join(dist, 'types/parser.d.ts'))
for (const file of readdirSync(join(dist, 'types'), { recursive: true }).map(String)) {
  const path = join(dist, 'types', file)
  if (!file.endsWith('.d.ts') || file === 'parser.d.ts') continue
  const text = readFileSync(path, 'utf8')
  if (!text.includes("'web-tree-sitter'")) continue
  const here = relative(dirname(path), join(dist, 'types/parser.d.ts'))
  writeFileSync(path, `/// <reference path="${here.replaceAll('\\', '/')}" />\n${text}`)
}
writeFileSync(
  join(dist, 'LICENSES.txt'),
  ['web-tree-sitter', 'tree-sitter-c']
    .map((name) => {
      const folder = join(root, 'node_modules', name)
      const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      return `${name} ${version}\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8')}`
    })
    .join('\n'),
)
