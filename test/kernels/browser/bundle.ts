// In: text of a module that imports the built package. Out: one file, as a page would load it.
import { build, type Plugin } from 'esbuild'
import { root } from '../../cli/run.ts'

/**
 * The minified text; with `split`, parts that are loaded on demand stay where they are, as in builds that split, all
 * but those that `inside` names.
 */
export async function bundle(source: string, split = false, inside?: RegExp): Promise<string> {
  const apart: Plugin = {
    name: 'apart',
    setup: (b) => {
      b.onResolve({ filter: /./ }, ({ kind, path }) =>
        kind === 'dynamic-import' && !inside?.test(path) ? { path, external: true } : undefined,
      )
    },
  }
  const r = await build({
    stdin: { contents: source, resolveDir: root },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    minify: true,
    write: false,
    logLevel: 'error',
    tsconfigRaw: {}, // the package, not the sources that the paths of tsconfig.json name
    plugins: split ? [apart] : [],
  })
  return r.outputFiles[0]!.text // one entry, one output
}
