// In: src/. Out: dist/: the command line, one ESM entry per subpath export with shared chunks, and declarations.
// The one idea: entries are read from package.json's `exports`, so that there is one list. Dependencies stay imports.
import { build } from 'esbuild'
import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const entries = Object.values(exports).flatMap((e) => (e.default ? [e.default.replace('./dist/', '').replace('.js', '')] : []))
const shared = { absWorkingDir: root, outdir: 'dist', bundle: true, format: 'esm', target: 'es2022', packages: 'external', splitting: true, chunkNames: 'chunks/[name]-[hash]', legalComments: 'none', logLevel: 'warning' }

rmSync(dist, { recursive: true, force: true })
await build({ ...shared, platform: 'neutral', entryPoints: entries.map((name) => `src/${name}.ts`) })
await build({ ...shared, platform: 'node', target: 'node20', entryPoints: { cli: 'src/cli/main.ts' }, banner: { js: '#!/usr/bin/env node' } })
chmodSync(join(dist, 'cli.js'), 0o755)

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.types.json'], { cwd: root, stdio: ['ignore', 2, 2] })
