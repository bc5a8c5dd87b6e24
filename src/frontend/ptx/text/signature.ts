// In: CUDA source and a kernel's name. Out: its parameters, in order. The one idea: PTX forgets names, and the source
// has them in the signature after `__global__`, which a scanner of brackets finds without understanding C++.

/** A parameter: its name, empty where it has none, and its type as it is written. */
export interface Parameter {
  readonly name: string
  readonly type: string
}

/** The parameters of `__global__ … name(…)`; null when the source has no such signature. */
export function parametersOf(source: string, name: string): readonly Parameter[] | null {
  const text = withoutComments(source)
  const pattern = /\b__global__\b/g
  for (let m = pattern.exec(text); m; m = pattern.exec(text)) {
    const found = signatureAt(text, m.index, name)
    if (found) return found
  }
  return null
}

/** Characters in which the parameters of an entry are looked for. */
const mostHead = 4000

/** The parameter list behind `name` in the declaration that begins at `from`. */
function signatureAt(text: string, from: number, name: string): readonly Parameter[] | null {
  const head = text.slice(from, from + mostHead)
  const end = head.search(/[{;]/)
  const declaration = end < 0 ? head : head.slice(0, end)
  const at = new RegExp(`\\b${name.replace(/[^A-Za-z0-9_]/g, '')}\\s*\\(`).exec(declaration)
  if (!at) return null
  const list = split(text, from + at.index + at[0].length)
  return list && list.map(parameterIn)
}

/** Pieces between top-level commas up to the closing parenthesis. */
function split(text: string, from: number): string[] | null {
  const pieces: string[] = []
  let depth = 0,
    start = from
  for (let i = from; i < text.length && i < from + 20_000; i++) {
    const c = text[i]!
    if (c === '(' || c === '[' || c === '{' || c === '<') depth++
    else if (c === ')' && depth === 0) {
      const last = text.slice(start, i).trim()
      if (last !== '' && last !== 'void') pieces.push(last)
      return pieces
    } else if (c === ')' || c === ']' || c === '}' || c === '>') depth--
    else if (c === ',' && depth === 0) {
      pieces.push(text.slice(start, i).trim())
      start = i + 1
    }
  }
  return null
}

/** The last identifier before an array's bounds or a default value, and what stands before it. */
function parameterIn(piece: string): Parameter {
  const declared = piece.split('=')[0]!,
    plain = declared.replace(/\[[^\]]*\]/g, ''),
    name = /([A-Za-z_]\w*)\s*$/.exec(plain)?.[1] ?? '',
    type = plain.slice(0, plain.lastIndexOf(name)).trim()
  return { name, type: plain === declared ? type : `${type} *` }
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"/g, ' ')
}
