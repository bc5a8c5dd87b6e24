// In: WGSL text. Out: wesl's syntax tree and spans in it, or the user's errors. The one idea: everything hostile is
// refused here before the parser sees it: size, nesting, template brackets. WESL's own additions to WGSL (imports,
// conditional compilation) are refused by name.
import { parseSrcModule } from 'wesl/core'
import { disambiguate, original, type Disambiguated } from './template-lists.ts'
import { DiagnosticError, fail, type Diagnostic, type Span } from '../../../base/index.ts'

const limits = { characters: 2_000_000, nesting: 120, angles: 20_000, comments: 100 } as const

type Ast = ReturnType<typeof parseSrcModule>
/** A module, and all that its tree is made of. */
export type WgslModule = Ast['moduleElem']
export type Node = WgslModule['decls'][number]
export type Expression = Extract<Node, { kind: 'unary-expression' }>['expression']
export type WgslStatement = Extract<Node, { kind: 'block' }>['body'][number]
export type ElemOf<K extends Node['kind']> = Extract<Node, { kind: K }>
export type Fn = ElemOf<'fn'>
export type TypeRef = ElemOf<'type'>
export type WgslAttributes = Fn['attributes']

/** Text with the places of its lines. */
export interface WgslSource {
  readonly file: string
  readonly text: string
  readonly lines: readonly number[] /** What the parser reads; its places are those of the tree. */
  readonly parsed: Disambiguated
}

export function makeSource(text: string, file: string): WgslSource {
  const lines = [0]
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) lines.push(i + 1)
  return { file, text, lines, parsed: text.length > limits.characters ? { text, inserted: [] } : disambiguate(text) }
}

/** The place of characters `from` … `to` of what was parsed. */
export function spanAt(source: WgslSource, from: number, to = from + 1): Span {
  const [start, end] = [original(source.parsed, from), original(source.parsed, to)]
  let low = 0,
    high = source.lines.length - 1
  while (low < high) {
    const mid = (low + high + 1) >> 1
    if (source.lines[mid]! <= start) low = mid
    else high = mid - 1
  }
  return {
    file: source.file,
    line: low + 1,
    column: start - source.lines[low]! + 1,
    length: Math.max(1, end - start),
  }
}

/** Parses a module. Throws `wgsl.syntax`, `wgsl.limit`, `wgsl.unsupported`. */
export function parseWgslModule(source: WgslSource): WgslModule {
  refuseHostile(source)
  const ast = parse(source)
  const errors = ast.diagnostics.filter((d) => d.severity === 'error')
  if (errors.length > 0) throw new DiagnosticError(errors.slice(0, 20).map((d) => diagnosticOf(source, d)))
  for (const d of ast.moduleElem.decls) {
    if (d.kind === 'import')
      fail(
        'wgsl.unsupported',
        'imports are WESL, not WGSL',
        spanAt(source, d.start),
        'link the modules first and explain the result',
      )
    if (d.kind === 'do') fail('wgsl.unsupported', 'do blocks are no WGSL', spanAt(source, d.start))
  }
  return ast.moduleElem
}

function diagnosticOf(source: WgslSource, d: Ast['diagnostics'][number]): Diagnostic {
  const at = spanAt(source, d.start, d.end)
  if (!tooDeep(d.message)) return { severity: 'error', code: 'wgsl.syntax', message: oneLine(d.message), at }
  return {
    severity: 'error',
    code: 'wgsl.limit',
    message: 'statements or expressions nest too deeply here',
    at,
    hint: "a chain of 'else if' may have some 350 links: use a switch or a table",
  }
}

const tooDeep = (message: string): boolean => /nested too deeply|call stack/.test(message)

const oneLine = (text: string): string => text.split('\n')[0]!.trim()

function parse(source: WgslSource): Ast {
  try {
    return parseSrcModule(
      { modulePath: 'package::main', debugFilePath: source.file, src: source.parsed.text },
      { keepComments: false },
    )
  } catch (e) {
    if (e instanceof RangeError || (e instanceof Error && tooDeep(e.message)))
      return fail('wgsl.limit', 'the text nests too deeply to be parsed', spanAt(source, 0))
    const span = (e as { span?: readonly [number, number] }).span // wesl's errors carry one
    return fail(
      'wgsl.syntax',
      oneLine(e instanceof Error ? e.message : String(e)),
      span ? spanAt(source, span[0], span[1]) : undefined,
    )
  }
}

/** One pass over the characters, before any recursion: size, depth of brackets, chains of operators. */
function refuseHostile(source: WgslSource): void {
  const { text } = source
  if (text.length > limits.characters)
    fail('wgsl.limit', `the text has ${text.length} characters; the limit is ${limits.characters}`)
  let depth = 0,
    angles = 0,
    chain = 0
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!
    if (c === '/' && (text[i + 1] === '/' || text[i + 1] === '*')) {
      i = skipComment(text, i)
      continue
    }
    if (c === '#' && /(^|\n)[ \t]*$/.test(text.slice(Math.max(0, i - 200), i)))
      fail(
        'wgsl.unsupported',
        'lines with # are for a preprocessor, and WGSL has none',
        spanAt(source, i),
        'explain the text that the preprocessor makes, which the device gets',
      )
    if ('([{'.includes(c)) depth++
    else if (')]}'.includes(c)) depth--
    else if (c === '<' && ++angles > limits.angles)
      fail('wgsl.limit', `more than ${limits.angles} times '<'`, spanAt(source, i))
    chain = c === ';' || c === ',' || c === '{' || c === '}' ? 0 : '!~-+*&|^/%.'.includes(c) ? chain + 1 : chain
    if (depth > limits.nesting)
      fail(
        'wgsl.limit',
        `brackets nest deeper than ${limits.nesting}`,
        spanAt(source, i),
        'split the expression or the blocks into functions',
      )
    if (chain > 2000)
      fail(
        'wgsl.limit',
        'an expression has more than 2000 operators',
        spanAt(source, i),
        'split it into several statements',
      )
  }
}

function skipComment(text: string, i: number): number {
  if (text[i + 1] === '/') {
    const end = text.indexOf('\n', i)
    return end < 0 ? text.length : end
  }
  let depth = 0
  for (; i < text.length; i++) {
    if (text.startsWith('/*', i)) {
      depth++
      i++
      if (depth > limits.comments) fail('wgsl.limit', `comments nest deeper than ${limits.comments}`)
    } else if (text.startsWith('*/', i)) {
      i++
      if (--depth === 0) return i
    }
  }
  return i
}
