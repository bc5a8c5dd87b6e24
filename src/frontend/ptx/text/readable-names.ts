// Names of PTX made readable. In: mangled symbols (Itanium C++ ABI). Out: the name as the source wrote it. The one
// idea: only the last name of a path is wanted, with its template arguments where a person would write them; what does
// not parse stays as it is.

/** The name of a variable: of `_ZZ4kerniE2As` it is `As`. */
export function shortName(symbol: string): string {
  const plain = symbol.replace(/[~#]\d+/g, '')
  const local = /E(\d+)([A-Za-z_]\w*?)(?:_\d+)?$/.exec(plain)
  if (plain.startsWith('_ZZ') && local) {
    const name = local[2]!.slice(0, Number(local[1]))
    if (name.length === Number(local[1])) return name
  }
  return plain.startsWith('_Z') ? functionName(plain) : plain
}

/** The unqualified name of a mangled function, without template arguments; unmangled names as they are. */
export function functionName(symbol: string): string {
  if (!symbol.startsWith('_Z')) return symbol
  let at = 2
  const nested = symbol[at] === 'N'
  if (nested) at++
  let name = ''
  for (;;) {
    while (nested && /[KVr]/.test(symbol[at] ?? '')) at++
    if (symbol.startsWith('St', at)) {
      at += 2
      continue
    }
    if (symbol[at] === 'L') at++
    const digits = /^\d{1,4}/.exec(symbol.slice(at, at + 4))?.[0]
    if (digits === undefined) break
    at += digits.length
    name = symbol.slice(at, at + Number(digits))
    at += Number(digits)
    if (!nested) break
  }
  return name === '' ? symbol : name
}
