// In: the folder of examples. Out: the modules `virtual:examples`, a list of all C programs and WGSL kernels
// with the line of flags that their launch files say, and `virtual:first`, the one that the studio opens with.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

export interface Example {
  /** Also its address: `wgsl/transpose-naive`. */
  readonly id: string
  readonly group: string
  readonly file: string
  readonly language: 'c' | 'wgsl'
  readonly text: string
  /** As on the command line. */
  readonly options: string
}

/** The flags that say what a launch file says. */
export function flagsOf(launch: Readonly<Record<string, unknown>>): string {
  const pairs = (flag: string, of: unknown): string[] =>
    Object.entries((of ?? {}) as Readonly<Record<string, unknown>>).map(([k, v]) => `${flag} ${k}=${String(v)}`)
  const sides = (flag: string, of: unknown): string[] => (Array.isArray(of) ? [`${flag} ${of.join(',')}`] : [])
  return [
    ...sides('--grid', launch['grid']),
    ...sides('--block', launch['block']),
    ...pairs('--override', launch['overrides']),
    ...pairs('--arg', launch['args']),
    ...pairs('--buffer', launch['buffers']),
    ...pairs('--sampler', launch['samplers']),
  ].join(' ')
}

export function readExamples(folder: string): readonly Example[] {
  const from = (under: string, group: string, extension: 'c' | 'wgsl'): Example[] =>
    readdirSync(join(folder, under))
      .filter((f) => f.endsWith(`.${extension}`))
      .sort()
      .map((file) => {
        const path = join(folder, under, file),
          launch = path.replace(/\.wgsl$/, '.launch.json')
        return {
          id: join(under, file.replace(/\.\w+$/, '')),
          group,
          file,
          language: extension,
          text: readFileSync(path, 'utf8'),
          // our own files
          options:
            extension === 'wgsl' && existsSync(launch)
              ? flagsOf(JSON.parse(readFileSync(launch, 'utf8')) as Record<string, unknown>)
              : '',
        }
      })
  return [
    ...from('', 'C programs', 'c'),
    ...from('wgsl', 'WGSL kernels', 'wgsl'),
    ...from('catalogue', 'WGSL of the experiments', 'wgsl'),
  ]
}

/** The example that the studio opens with: a transpose whose writes are far apart, the commonest fault of all. */
const first = 'wgsl/transpose-naive'

/** What people do first, who come from nothing but the address. */
const welcome = `// Paste WGSL, PTX or C loops here, or open an example.
// It is simulated here: no GPU needed, nothing sent.

`

function firstOf(list: readonly Example[]): Example {
  const found = list.find((e) => e.id === first)
  if (!found) throw new Error(`there is no example ${first}`)
  return { ...found, text: welcome + found.text }
}

export const examples = (folder: string): Plugin => {
  const modules: Readonly<Record<string, () => string>> = {
    'virtual:examples': () => `export const examples = ${JSON.stringify(readExamples(folder))}`,
    'virtual:first': () => `export const first = ${JSON.stringify(firstOf(readExamples(folder)))}`,
  }
  return {
    name: 'examples',
    resolveId: (id) => (Object.hasOwn(modules, id) ? `\0${id}` : undefined),
    load: (id) => (id.startsWith('\0') ? modules[id.slice(1)]?.() : undefined),
  }
}
