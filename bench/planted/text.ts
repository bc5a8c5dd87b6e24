// In: lines of WGSL or CUDA C++. Out: where its blocks, loops, accesses and thread numbers are. The one idea: faults
// are planted by line, so what braces and names say is enough; kernels are written one statement a line.

export type Language = 'wgsl' | 'cuda'

/** A kernel's text as faults see it. */
export interface Subject {
  readonly language: Language
  readonly lines: readonly string[]
  /** First and last line of the kernel's function, numbered from 1. */
  readonly body: Range
  /** An expression for the thread's number in its block, or null where the text has no name for it. */
  readonly rank: string | null
  /** Arrays of global memory, shared arrays with their extents as the text writes them. */
  readonly buffers: readonly string[]
  readonly shared: readonly string[]
}

/** Lines, both ends included, numbered from 1. */
export interface Range {
  readonly from: number
  readonly to: number
}

export const isIn = (line: number | undefined, { from, to }: Range): boolean =>
  line !== undefined && line >= from && line <= to

/** The code of a line, without its comment. */
export const codeOf = (line: string): string => line.replace(/\/\/.*$/, '')

const count = (text: string, character: string): number => text.split(character).length - 1

/** The lines from an opening brace on `line` (or the next one) to its closing one; `line` alone without braces. */
export function blockAt(lines: readonly string[], line: number): Range {
  let depth = 0,
    isOpen = false
  for (let n = line; n <= lines.length; n++) {
    const code = codeOf(lines[n - 1]!)
    depth += count(code, '{') - count(code, '}')
    isOpen ||= code.includes('{')
    if (isOpen && depth <= 0) return { from: line, to: n }
    if (!isOpen && n > line && code.trim() !== '') return { from: line, to: n }
  }
  return { from: line, to: lines.length }
}

/** Loops that hold a line, outermost first. */
export function loopsAround(lines: readonly string[], line: number): readonly Range[] {
  return lines.flatMap((text, i) => {
    if (!/^\s*(?:for|while|loop)\b/.test(codeOf(text))) return []
    const range = blockAt(lines, i + 1)
    return isIn(line, range) ? [range] : []
  })
}

/** The kernel whose name is `entry`, or the first one. */
export function subjectOf(text: string, language: Language, entry?: string): Subject {
  const lines = text.split('\n')
  const begins = language === 'wgsl' ? /\bfn\s+(\w+)/ : /__global__[^;]*?\b(\w+)\s*\(/
  const heads = lines.flatMap((line, i) => {
    // The name of a kernel may stand on the line behind its qualifier.
    const isQualifier = /__global__\s*$/.test(codeOf(line))
    const name = begins.exec(isQualifier ? `${codeOf(line)} ${codeOf(lines[i + 1] ?? '')}` : codeOf(line))?.[1]
    const isKernel = language === 'cuda' || /@compute/.test(lines.slice(Math.max(0, i - 3), i + 1).join(' '))
    return name !== undefined && isKernel ? [{ name, line: i + 1 }] : []
  })
  const head = heads.find((h) => h.name === entry) ?? heads[0]
  if (!head) throw new Error('the text has no kernel')
  const body = headed(lines, head.line)
  const inside = lines.slice(body.from - 1, body.to).join('\n')
  return {
    language,
    lines,
    body,
    rank: language === 'cuda' ? 'threadIdx.x' : rankOf(inside),
    buffers:
      language === 'wgsl'
        ? named(text, /var<storage[^>]*>\s*(\w+)\s*:/g)
        : named(inside, /\*\s*(?:__restrict__\s+)?(\w+)\s*[,)]/g),
    shared:
      language === 'wgsl'
        ? named(text, /var<workgroup>\s*(\w+)\s*:/g)
        : named(inside, /__shared__\s+[\w\s]+?(\w+)\s*[[;]/g),
  }
}

/** A function from its head, whose parameters may take several lines. */
function headed(lines: readonly string[], line: number): Range {
  const open = lines.findIndex((text, i) => i >= line - 1 && codeOf(text).includes('{'))
  return { from: line, to: blockAt(lines, open + 1).to }
}

const named = (text: string, pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, name]) => name!)

function rankOf(text: string): string | null {
  const index = /@builtin\(local_invocation_index\)\s*(\w+)/.exec(text)?.[1]
  const id = /@builtin\(local_invocation_id\)\s*(\w+)/.exec(text)?.[1]
  return index ?? (id === undefined ? null : `${id}.x`)
}

/** An access `name[index]` of a line. */
export interface Access {
  readonly name: string
  readonly index: string
  /** Characters of the index in the line. */
  readonly from: number
  readonly to: number
  readonly isStore: boolean
}

/** Accesses of `names` in a line; of several subscripts the last one. */
export function accessesIn(line: string, names: readonly string[]): readonly Access[] {
  const code = codeOf(line)
  return names.flatMap((name) =>
    [...code.matchAll(new RegExp(`\\b${name}\\[`, 'g'))].flatMap((m) => {
      let open = m.index + m[0].length - 1,
        close = matching(code, open)
      while (close > 0 && code[close + 1] === '[') {
        open = close + 1
        close = matching(code, open)
      }
      if (close < 0) return []
      const isStore = /^\s*(?:[-+*/]?=)(?!=)/.test(code.slice(close + 1))
      return [{ name, index: code.slice(open + 1, close), from: open + 1, to: close, isStore }]
    }),
  )
}

function matching(code: string, open: number): number {
  let depth = 0
  for (let i = open; i < code.length; i++) {
    if (code[i] === '[') depth++
    if (code[i] === ']' && --depth === 0) return i
  }
  return -1
}
