// The statements of a kernel's source as ranges of its text, for edits that keep everything else as it is written.
// In: WGSL or CUDA C++. Out: nested blocks of statements, edits, and the text with them made. The one idea: with
// comments, strings and preprocessor lines blanked, braces, brackets and semicolons say where statements end, alike in
// both languages; whether an edit means what it should is found by compiling and running it.

/** `to` is the first character after it. */
export interface TextRange {
  readonly from: number
  readonly to: number
}

/** What stands between `{` at `from` and `}` before `to`. */
export interface TextBlock extends TextRange {
  readonly items: readonly Item[]
}

/** A statement or declaration, with the blocks in it; `else` belongs to its `if`. */
export interface Item extends TextRange {
  readonly blocks: readonly TextBlock[]
}

export interface Edit extends TextRange {
  readonly text: string
}

export interface SourceCode {
  readonly text: string
  /** The same length, with blanks for what is no code. */
  readonly bare: string
  readonly language: 'wgsl' | 'cuda'
  readonly items: readonly Item[]
}

export function codeOf(text: string, language: SourceCode['language']): SourceCode {
  const bare = blanked(text, language)
  return { text, bare, language, items: new Reader(bare).list().items }
}

/** With `m`, which preprocessor lines need, `$` ends a line: a comment without an end goes to that of the text. */
const notCode: Readonly<Record<SourceCode['language'], RegExp>> = {
  wgsl: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g,
  cuda: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$(?![\s\S]))|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*/gm,
}

const blanked = (text: string, language: SourceCode['language']): string =>
  text.replace(notCode[language], (found) => found.replace(/[^\n]/g, ' '))

class Reader {
  private readonly bare: string
  private at = 0

  constructor(bare: string) {
    this.bare = bare
  }

  /** Statements up to the closing brace of the block, which is not read. */
  list(): TextBlock {
    const from = this.at - 1
    const items: Item[] = []
    for (;;) {
      this.blanks()
      if (this.at >= this.bare.length || this.bare[this.at] === '}') return { from, to: this.at + 1, items }
      items.push(this.item())
    }
  }

  private blanks(): void {
    while (/\s/.test(this.bare[this.at] ?? '')) this.at++
  }

  private item(): Item {
    const from = this.at
    const blocks: TextBlock[] = []
    let depth = 0
    while (this.at < this.bare.length) {
      const c = this.bare[this.at]!
      if (depth === 0 && c === '}') break
      this.at++
      if (c === '(' || c === '[') depth++
      else if (c === ')' || c === ']') depth--
      else if (c === ';' && depth <= 0) break
      else if (c === '{' && (depth > 0 || this.isValue(from))) this.value()
      else if (c === '{') {
        blocks.push(this.list())
        this.at++
        if (!this.goesOn()) break
      }
    }
    return { from, to: this.at, blocks }
  }

  /** Whether the brace before the present place begins a list of values: `= { … }`, `return {`, `int4{`. */
  private isValue(from: number): boolean {
    const before = this.bare.slice(from, this.at - 1).trimEnd()
    return /(?:[=,[]|\breturn)$/.test(before)
  }

  private value(): void {
    for (let depth = 1; depth > 0 && this.at < this.bare.length; this.at++) {
      if (this.bare[this.at] === '{') depth++
      if (this.bare[this.at] === '}') depth--
    }
  }

  /** After a block: whether the statement has more. */
  private goesOn(): boolean {
    const rest = this.bare.slice(this.at, this.at + 400)
    const more = /^\s*(?:else\b|;|while\s*\([^;{}]*;)/.exec(rest)
    return more !== null
  }
}

/** The item of each block around a place, the outermost first. */
export interface BlockStep {
  readonly list: readonly Item[]
  readonly index: number
  readonly item: Item
  /** The block that the item stands in; null at the top. */
  readonly block: TextBlock | null
  /** The item that the block belongs to. */
  readonly owner: Item | null
}

export function pathTo({ items }: Pick<SourceCode, 'items'>, at: number): readonly BlockStep[] {
  const steps: BlockStep[] = []
  let list = items,
    block: TextBlock | null = null,
    owner: Item | null = null
  for (;;) {
    const index = list.findIndex((i) => i.from <= at && at < i.to)
    const item = list[index]
    if (!item) return steps
    steps.push({ list, index, item, block, owner })
    const inner: TextBlock | undefined = item.blocks.find((b) => b.from <= at && at < b.to)
    if (!inner) return steps
    list = inner.items
    block = inner
    owner = item
  }
}

/** Where a line and a column, both from 1, are in the text; null where the text has no such place. */
export function textOffset(text: string, place: { readonly line: number; readonly column: number }): number | null {
  let at = 0
  for (let line = 1; line < place.line; line++) {
    const next = text.indexOf('\n', at)
    if (next < 0) return null
    at = next + 1
  }
  return at + place.column - 1
}

export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

/** The text with edits made; null where two of them overlap. */
export function edited(text: string, edits: readonly Edit[]): string | null {
  const sorted = [...edits].sort((a, b) => a.from - b.from || a.to - b.to)
  let out = '',
    at = 0
  for (const e of sorted) {
    if (e.from < at) return null
    out += text.slice(at, e.from) + e.text
    at = e.to
  }
  return out + text.slice(at)
}

const indentAt = (text: string, at: number): string | null => {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const before = text.slice(start, at)
  return /^[ \t]*$/.test(before) ? before : null
}

/** A statement put before another. */
export function before({ text }: SourceCode, { from }: TextRange, statement: string): Edit {
  const indent = indentAt(text, from)
  return { from, to: from, text: indent === null ? `${statement} ` : `${statement}\n${indent}` }
}

/** A statement put after another, before what its line says of it. */
export function after({ text }: SourceCode, { from, to }: TextRange, statement: string): Edit {
  const indent = indentAt(text, from)
  return { from: to, to, text: indent === null ? ` ${statement}` : `\n${indent}${statement}` }
}

/** A statement taken out, with its line where nothing else stands there. */
export function without({ text }: SourceCode, { from, to }: TextRange): Edit {
  const indent = indentAt(text, from)
  const isAlone = indent !== null && /^[ \t]*\n/.test(text.slice(to))
  return isAlone ? { from: from - indent.length, to: text.indexOf('\n', to) + 1, text: '' } : { from, to, text: '' }
}

/** A statement put at the end of a block. */
export function atEnd(code: SourceCode, block: TextBlock, statement: string): Edit {
  const last = block.items[block.items.length - 1]
  if (last) return after(code, last, statement)
  return { from: block.from + 1, to: block.from + 1, text: ` ${statement} ` }
}

/** The code before the first block of an item: `for (…)`, `fn main(…)`. */
export const headOf = ({ bare }: SourceCode, item: Item): string =>
  bare.slice(item.from, item.blocks[0]?.from ?? item.to)

export const isLoop = (code: SourceCode, item: Item): boolean =>
  /^(?:\w+\s*:\s*)?(?:for|while|loop|do)\b/.test(headOf(code, item))

export const isBranch = (code: SourceCode, item: Item): boolean => /^if\b/.test(headOf(code, item))

/** The function of a name; null where the text has none with a body. */
export function functionNamed(code: SourceCode, name: string): Item | null {
  const named = new RegExp(`\\b${name.replace(/\W/g, '\\$&')}\\s*\\(`)
  const inside = (items: readonly Item[]): Item | null => {
    for (const item of items) {
      if (item.blocks.length === 0) continue
      if (named.test(headOf(code, item))) return item
      const found = /\b(?:namespace|extern)\b/.test(headOf(code, item)) ? inside(item.blocks[0]!.items) : null
      if (found) return found
    }
    return null
  }
  return inside(code.items)
}

/** The place after the bracket that closes the one at `open`; the end of the text where none does. */
export function closing(bare: string, open: number): number {
  let depth = 0
  for (let i = open; i < bare.length; i++) {
    if ('([{'.includes(bare[i]!)) depth++
    if (')]}'.includes(bare[i]!) && --depth === 0) return i + 1
  }
  return bare.length
}

/** Parts between commas that stand in no bracket. */
export function splitTop(bare: string, from: number, to: number): readonly TextRange[] {
  const parts: TextRange[] = []
  let depth = 0,
    start = from
  for (let i = from; i < to; i++) {
    if ('([{'.includes(bare[i]!)) depth++
    if (')]}'.includes(bare[i]!)) depth--
    if (bare[i] === ',' && depth === 0) {
      parts.push({ from: start, to: i })
      start = i + 1
    }
  }
  return to > start && bare.slice(start, to).trim() !== '' ? [...parts, { from: start, to }] : parts
}

/** All uses of a name as a whole word, as places. */
export const usesOfName = (bare: string, name: string, { from, to }: TextRange): readonly number[] =>
  [...bare.slice(from, to).matchAll(new RegExp(`(?<![\\w.])${name.replace(/\W/g, '\\$&')}(?!\\w)`, 'g'))].map(
    (m) => from + m.index,
  )

/** A name that the text does not have. */
export function unusedName(bare: string, wanted: string): string {
  let name = wanted
  while (new RegExp(`\\b${name}\\b`).test(bare)) name += '_'
  return name
}
