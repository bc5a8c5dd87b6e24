// How lanes and blocks are laid over the data. In: a finding about order or about blocks. Out: candidates that exchange
// x and y, or make blocks larger. The one idea: both change the source and the launch together, so that the same
// elements are computed by other threads.
import type { FixCandidate, FixCase } from './candidate.ts'
import { functionNamed, headOf, type SourceCode, type Edit, type Item } from './source-text.ts'
import type { Dim3 } from '../../ir/index.ts'
import type { ExplainLaunch } from '../types.ts'
import { wordsOf } from '../wording.ts'

const exchanged = ([x, y, z]: Dim3): Dim3 => [y, x, z]

const swapLetters = (text: string): string =>
  text.replace(/[xyrg]/g, (c) => ({ x: 'y', y: 'x', r: 'g', g: 'r' })[c] ?? c)

/** x and y change roles everywhere in the kernel, in the size of its blocks and in the launch. */
export function exchangedAxes(c: FixCase): readonly FixCandidate[] {
  const { code, report } = c
  const main = functionNamed(code, report.kernel.name)
  if (!main) return []
  const edits = code.language === 'wgsl' ? wgslAxes(code, main) : cudaAxes(code, main)
  if (!edits || edits.length === 0) return []
  const launch = (l: ExplainLaunch): ExplainLaunch => ({
    ...l,
    grid: exchanged(l.grid),
    ...(l.block && { block: exchanged(l.block) }),
  })
  return [{ does: 'exchange the roles of x and y', edits, launch }]
}

const idKinds = /@builtin\s*\(\s*(?:global_invocation_id|local_invocation_id|workgroup_id|num_workgroups)\s*\)\s*(\w+)/g

/** Null where an index is used whole, so that its parts cannot be told apart. */
function wgslAxes(code: SourceCode, main: Item): readonly Edit[] | null {
  const head = headOf(code, main)
  const names = [...head.matchAll(idKinds)].map((m) => m[1]!)
  const body = main.blocks[main.blocks.length - 1]
  if (names.length === 0 || !body) return null
  const edits: Edit[] = []
  for (const name of names)
    for (const m of code.bare
      .slice(body.from, body.to)
      .matchAll(new RegExp(`(?<![\\w.])${name}\\b(\\s*\\.\\s*)?`, 'g'))) {
      const at = body.from + m.index + m[0].length
      const swizzle = m[1] === undefined ? undefined : /^[xyzrgb]+\b/.exec(code.bare.slice(at, at + 5))?.[0]
      if (swizzle === undefined) return null
      edits.push({ from: at, to: at + swizzle.length, text: swapLetters(swizzle) })
    }
  const size = /@workgroup_size\s*\(([^)]*)\)/.exec(head)
  if (!size) return null
  const [x = '1', y = '1', z] = size[1]!.split(',').map((t) => t.trim())
  const from = main.from + size.index + size[0].indexOf('(') + 1
  edits.push({ from, to: from + size[1]!.length, text: [y, x, ...(z === undefined ? [] : [z])].join(', ') })
  return edits
}

function cudaAxes(code: SourceCode, main: Item): readonly Edit[] {
  const { from, to } = main
  return [...code.bare.slice(from, to).matchAll(/\b(?:threadIdx|blockIdx|blockDim|gridDim)\s*\.\s*([xy])\b/g)].map(
    (m) => {
      const at = from + m.index + m[0].length - 1
      return { from: at, to: at + 1, text: m[1] === 'x' ? 'y' : 'x' }
    },
  )
}

/** Threads of larger blocks that are tried. */
const wanted = [32, 64, 128, 256] as const

/** Blocks along x joined to larger ones. */
export function largerBlocks(c: FixCase): readonly FixCandidate[] {
  const { code, report } = c
  const { block, grid } = report.launch
  const threads = block[0] * block[1] * block[2]
  const ways = [...new Set(wanted.map((n) => Math.ceil(n / threads)))].filter((n) => n > 1 && n <= grid[0])
  return ways.flatMap((factor): FixCandidate[] => {
    const larger: Dim3 = [block[0] * factor, block[1], block[2]]
    const edits = code.language === 'wgsl' ? sizeEdits(c, factor) : []
    if (!edits) return []
    const launch = (l: ExplainLaunch): ExplainLaunch => ({
      ...l,
      grid: [Math.ceil(l.grid[0] / factor), l.grid[1], l.grid[2]],
      ...(code.language === 'cuda' && { block: larger }),
    })
    return [
      {
        does: `make ${wordsOf(report.kernel.language).blockSize} ${larger.join(' × ')}`,
        edits,
        launch,
        merges: [factor, 1, 1],
      },
    ]
  })
}

function sizeEdits({ code, report }: FixCase, factor: number): readonly Edit[] | null {
  const main = functionNamed(code, report.kernel.name)
  if (!main) return null
  const head = headOf(code, main)
  const size = /@workgroup_size\s*\(\s*([^,)]*?)\s*[,)]/.exec(head)
  const x = report.launch.block[0]
  if (!size) return null
  const from = main.from + size.index + size[0].indexOf(size[1]!, size[0].indexOf('('))
  const literal = /^(\d+)([ui]?)$/.exec(size[1]!)
  if (!literal) return constantEdits(code, size[1]!, x, factor)
  const suffix = literal[2] ?? ''
  return [{ from, to: from + size[1]!.length, text: `${x * factor}${suffix}` }, ...strides(code, main, head, x, factor)]
}

/** `workgroup_id.x * 64u`, where 64 is the size that changes. */
function strides(code: SourceCode, main: Item, head: string, x: number, factor: number): readonly Edit[] {
  const [, name] = /@builtin\s*\(\s*workgroup_id\s*\)\s*(\w+)/.exec(head) ?? []
  if (name === undefined) return []
  const behind = new RegExp(
    `(\\b${name}\\s*\\.\\s*x\\s*\\*\\s*)${x}\\b|(\\b${name}\\s*\\.\\s*x\\s*\\*\\s*)${x}u\\b`,
    'g',
  )
  const ahead = new RegExp(`(?<![\\w.])${x}u?\\s*\\*\\s*${name}\\s*\\.\\s*x\\b`, 'g')
  const text = code.bare.slice(main.from, main.to)
  return [
    ...[...text.matchAll(behind)].map((m): Edit => {
      const at = main.from + m.index + (m[1] ?? m[2] ?? '').length
      return { from: at, to: at + String(x).length, text: String(x * factor) }
    }),
    ...[...text.matchAll(ahead)].map((m): Edit => {
      const at = main.from + m.index
      return { from: at, to: at + String(x).length, text: String(x * factor) }
    }),
  ]
}

/** A constant of the module that the size is written with. */
function constantEdits(code: SourceCode, name: string, x: number, factor: number): readonly Edit[] | null {
  if (!/^\w+$/.test(name)) return null
  const found = new RegExp(`\\bconst\\s+${name}\\s*(?::\\s*\\w+\\s*)?=\\s*(${x})[ui]?\\s*;`).exec(code.bare)
  if (!found) return null
  const from = found.index + found[0].lastIndexOf(found[1]!)
  return [{ from, to: from + found[1]!.length, text: String(x * factor) }]
}
