// Which `<` begin template lists. In: WGSL text. Out: the same text with every name that stands before a comparing `<`
// in parentheses, and where these were put in. The one idea: WGSL's own rule (template list discovery, section 3.9 of
// the specification) decides before the parser does, whose rule does not end at closing brackets.

/**
 * Text in which no name stands before a `<` that compares; `inserted` are the places of added characters in it,
 * ascending.
 */
export interface Disambiguated {
  readonly text: string
  readonly inserted: readonly number[]
}

interface Name {
  readonly start: number
  readonly end: number /** Of the `<` after it. */
  readonly angle: number
}
interface Candidate {
  readonly angle: number
  readonly depth: number
}

const blank = /(?:\s|\/\/[^\n]*)+/y
const name = /[\p{XID_Start}_][\p{XID_Continue}]*/uy
const number = /(?:0[xX][0-9a-fA-F.]*(?:[pP][+-]?\d+)?|\d[\d.]*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)[iufh]?/y

/** The end of what `pattern` matches at `at`, or `at`. */
function past(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function skipBlanks(text: string, from: number): number {
  let at = from
  for (;;) {
    const next = text.startsWith('/*', at) ? blockEnd(text, at) : past(blank, text, at)
    if (next === at) return at
    at = next
  }
}

/** Block comments nest. */
function blockEnd(text: string, from: number): number {
  let depth = 0
  for (let i = from; i < text.length; i++) {
    if (text.startsWith('/*', i)) {
      depth++
      i++
    } else if (text.startsWith('*/', i)) {
      i++
      if (--depth === 0) return i + 1
    }
  }
  return text.length
}

/** Names before a `<` that is no template list, `<<` or `<=`, in order of the text. */
function comparedNames(text: string): Name[] {
  const found = new Map<number, Name>()
  let open: Candidate[] = [],
    depth = 0,
    at = 0
  const closeDown = (): void => {
    while (open.length > 0 && open[open.length - 1]!.depth >= depth) open.pop()
  }
  const clear = (): void => {
    depth = 0
    open = []
  }
  let before = ''
  while ((at = skipBlanks(text, at)) < text.length) {
    const c = text[at]!
    const afterNumber = past(number, text, at)
    const afterName = afterNumber > at ? at : past(name, text, at)
    if (afterNumber > at) {
      at = afterNumber
      before = '0'
      continue
    }
    if (afterName > at) {
      const angle = skipBlanks(text, afterName)
      const member = before === '.'
      before = 'a'
      if (text[angle] !== '<') {
        at = afterName
        continue
      }
      if (text[angle + 1] === '<' || text[angle + 1] === '=') {
        at = angle + 2
        before = '<'
        continue
      }
      const candidate = { start: at, end: afterName, angle }
      if (!member) found.set(angle, candidate)
      open.push({ angle, depth })
      at = angle + 1
      before = '<'
      continue
    }
    before = c
    const two = text.slice(at, at + 2)
    if (c === '>' && open.length > 0 && open[open.length - 1]!.depth === depth) {
      found.delete(open.pop()!.angle)
      at++
      continue
    }
    if (two === '>=' || two === '!=' || two === '==') {
      at += 2
      continue
    }
    if (two === '&&' || two === '||') {
      closeDown()
      at += 2
      continue
    }
    if (c === '(' || c === '[') depth++
    if (c === ')' || c === ']') {
      closeDown()
      depth = Math.max(0, depth - 1)
    }
    if (c === '=' || c === ';' || c === '{' || c === ':') clear()
    at += c === '<' && (text[at + 1] === '<' || text[at + 1] === '=') ? 2 : 1
  }
  return [...found.values()]
}

export function disambiguate(text: string): Disambiguated {
  const inserted: number[] = []
  const parts: string[] = []
  let from = 0
  for (const { start, end } of comparedNames(text)) {
    parts.push(text.slice(from, start), '(', text.slice(start, end), ')')
    inserted.push(start + inserted.length, end + inserted.length + 1)
    from = end
  }
  return { text: parts.join('') + text.slice(from), inserted }
}

/** The place in the original text of a place in the disambiguated one. */
export function original({ inserted }: Pick<Disambiguated, 'inserted'>, at: number): number {
  let low = 0,
    high = inserted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (inserted[middle]! < at) low = middle + 1
    else high = middle
  }
  return at - low
}
