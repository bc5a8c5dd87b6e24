// In: the text between the quotes of a character constant or a string. Out: its bytes, as C's execution character set
// UTF-8 has them. The one idea: both are read by the same table of escapes.
const escapes: Readonly<Record<string, number>> = {
  n: 10,
  t: 9,
  r: 13,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
  '\\': 92,
  "'": 39,
  '"': 34,
  '?': 63,
}

/** The bytes, without the 0 behind them; `undefined` where an escape is not C's. */
export function bytesOfText(text: string): readonly number[] | undefined {
  const out: number[] = [],
    utf8 = new TextEncoder()
  for (const [piece, escape] of text.matchAll(/\\(x[0-9a-fA-F]+|[0-7]{1,3}|[^])|[^]/gu)) {
    if (escape === undefined) {
      out.push(...utf8.encode(piece))
      continue
    }
    const value = /^x./.test(escape)
      ? parseInt(escape.slice(1), 16)
      : /^[0-7]/.test(escape)
        ? parseInt(escape, 8)
        : escapes[escape]
    if (value === undefined) return undefined
    out.push(value & 255)
  }
  return out
}
