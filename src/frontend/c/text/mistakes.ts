// In: a piece of tree-sitter's tree that is not C. Out: one sentence about the first mistake in it, and where that is.
// The one idea: a parser that goes on after mistakes is vague about brackets, so that these are counted first.
import type { Node } from 'web-tree-sitter'

export const syntaxHint = 'look for a missing bracket, semicolon or type just before'

/** An unclosed bracket when there is one, else the parser's first error. `offset`: from the start of the file. */
export function syntaxError(node: Node): { readonly what: string; readonly offset: number } {
  const bracket = unbalanced(node.text)
  if (bracket) return { what: bracket.what, offset: node.startIndex + bracket.offset }
  const bad = firstError(node),
    offset = bad.startIndex
  const text = bad.text.trim().split(/\s+/).slice(0, 4).join(' ')
  if (/^_?complex\b/i.test(text))
    return { what: 'complex numbers are not read: write their parts as numbers of their own', offset }
  return {
    what: bad.isMissing
      ? `${bad.type} is missing here`
      : text === ''
        ? 'the text is not C here'
        : `"${text}" is not understood as C here`,
    offset,
  }
}

/** The first bracket without its partner; strings are skipped. */
function unbalanced(text: string): { readonly what: string; readonly offset: number } | undefined {
  const open: { sign: string; offset: number }[] = []
  for (const m of text.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()[\]{}]/g)) {
    const sign = m[0]
    if ('([{'.includes(sign)) open.push({ sign, offset: m.index })
    else if (')]}'.includes(sign)) {
      const last = open.pop()
      if (!last) return { what: `this ${sign} closes nothing`, offset: m.index }
      if ('([{'.indexOf(last.sign) !== ')]}'.indexOf(sign))
        return { what: `this ${last.sign} is not closed`, offset: last.offset }
    }
  }
  const last = open.pop()
  return last && { what: `this ${last.sign} is not closed`, offset: last.offset }
}

/** The first error or missing node in text order. */
function firstError(node: Node): Node {
  for (const child of node.children)
    if (child && (child.hasError || child.isMissing || child.isError))
      return child.isError || child.isMissing ? child : firstError(child)
  return node
}
