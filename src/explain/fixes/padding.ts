// Rows of arrays in shared memory that are one element too short: threads that walk a column meet on one bank. In: an
// access with conflicts. Out: candidates that lengthen rows by one element. The one idea: where the declaration has
// rows, it is enough to change it; where the source counts rows itself, the factor in every index is changed; and where
// neither is there, one element is left out after each row.
import { arrayIn, accessesAt, type FixCandidate, type FixCase } from './candidate.ts'
import { closing, usesOfName, type SourceCode, type Edit } from './source-text.ts'
import type { Finding } from '../types.ts'

export function paddedRows(c: FixCase, f: Finding): readonly FixCandidate[] {
  const access = accessesAt(c, f.at).find((a) => a.space === 'shared')
  const name = access && arrayIn(c, access)
  if (!name) return []
  const declared = declarationOf(c.code, name)
  if (!declared) return []
  const [rows] = declared.lengths.slice(-1)
  if (!rows) return []
  if (declared.lengths.length > 1)
    return [
      {
        does: `make each row of '${name}' one element longer`,
        edits: [{ ...rows, text: `${c.code.text.slice(rows.from, rows.to).trimEnd()} + 1` }],
      },
    ]
  const period = Math.abs(access.stride ?? 0)
  return [...factors(c.code, name, rows), ...(period >= 2 ? [gaps(c.code, name, rows, period)] : [])]
}

interface Declared {
  /** Where lengths stand, the outermost first. */
  readonly lengths: readonly { readonly from: number; readonly to: number }[]
}

function declarationOf(code: SourceCode, name: string): Declared | null {
  return code.language === 'wgsl' ? declaredInWgsl(code, name) : declaredInCuda(code, name)
}

function declaredInWgsl({ bare }: SourceCode, name: string): Declared | null {
  const found = new RegExp(`var\\s*<\\s*workgroup\\s*>\\s*${name}\\s*:\\s*([^;]+);`).exec(bare)
  if (!found) return null
  const start = found.index + found[0].indexOf(found[1]!, found[0].indexOf(':'))
  const lengths: { from: number; to: number }[] = []
  let [from, to] = [start, start + found[1]!.trimEnd().length]
  for (;;) {
    const type = bare.slice(from, to)
    const head = /^\s*array\s*</.exec(type)
    const comma = lastComma(type)
    const end = type.lastIndexOf('>')
    if (!head || comma < 0 || end < 0) return lengths.length > 0 ? { lengths } : null
    lengths.push({ from: from + comma + 1, to: from + end })
    ;[from, to] = [from + head[0].length, from + comma]
  }
}

/** The comma between an array's element and its length. */
function lastComma(type: string): number {
  const inner = type.lastIndexOf('>')
  let depth = 0,
    found = -1
  for (let i = 0; i < inner; i++) {
    if ('<('.includes(type[i]!)) depth++
    if ('>)'.includes(type[i]!)) depth--
    if (type[i] === ',' && depth === 1) found = i
  }
  return found
}

function declaredInCuda({ bare }: SourceCode, name: string): Declared | null {
  const found = new RegExp(`__shared__[^;]*?\\b${name}\\s*((?:\\[[^\\]]*\\]\\s*)+)[;,=]`).exec(bare)
  if (!found) return null
  const start = found.index + found[0].lastIndexOf(found[1]!)
  const lengths = [...found[1]!.matchAll(/\[([^\]]*)\]/g)].map((m) => ({
    from: start + m.index + 1,
    to: start + m.index + 1 + m[1]!.length,
  }))
  return lengths.every(({ from, to }) => to > from) ? { lengths } : null
}

/** The text between the brackets of each use; null when the array is used in another way too. */
function indices(
  { bare }: SourceCode,
  name: string,
  declaredAt: number,
): readonly { from: number; to: number }[] | null {
  const all = usesOfName(bare, name, { from: 0, to: bare.length }).flatMap((at) => {
    const open = at + name.length + /^\s*/.exec(bare.slice(at + name.length))![0].length
    const isDeclaration = at <= declaredAt && declaredAt - at < 80 && !bare.slice(at, declaredAt).includes(';')
    if (isDeclaration) return []
    return [bare[open] === '[' ? { from: open + 1, to: closing(bare, open) - 1 } : null]
  })
  const isWhole = (x: { from: number; to: number } | null): x is { from: number; to: number } => x !== null
  return all.every(isWhole) ? all : null
}

/** Candidates that change `* ROW` in all indices to a row of one more. */
function factors(code: SourceCode, name: string, size: { from: number; to: number }): readonly FixCandidate[] {
  const found = indices(code, name, size.from)
  if (!found || found.length === 0) return []
  const counted = found.map(({ from, to }) => factorsIn(code.bare, from, to))
  const rows = [...new Set(counted[0]!.map((x) => x.text))].filter((text) =>
    counted.every((list) => list.some((x) => x.text === text)),
  )
  return rows.map((row) => {
    const longer = /^\d+u?$/.test(row) ? `${parseInt(row, 10) + 1}${row.endsWith('u') ? 'u' : ''}` : `(${row} + 1)`
    const length = code.text.slice(size.from, size.to).trim()
    return {
      does: `make each row of '${name}' ${longer} elements long instead of ${row}`,
      edits: [
        { ...size, text: ` (${length}) / ${row} * ${longer}` },
        ...counted
          .flat()
          .filter((x) => x.text === row)
          .map((x): Edit => ({ from: x.from, to: x.to, text: longer })),
      ],
    }
  })
}

interface Factor {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Numbers and constants that something is multiplied by. */
function factorsIn(bare: string, from: number, to: number): readonly Factor[] {
  const text = bare.slice(from, to)
  const after = [...text.matchAll(/\*\s*(\d+u?|[A-Z_][A-Z_0-9]*)\b(?!\s*[.([])/g)].map((m) => ({
    from: from + m.index + m[0].length - m[1]!.length,
    text: m[1]!,
  }))
  const before = [...text.matchAll(/(?<![\w.])(\d+u?|[A-Z_][A-Z_0-9]*)\s*\*/g)].map((m) => ({
    from: from + m.index,
    text: m[1]!,
  }))
  return [...after, ...before].map((f) => ({ ...f, to: f.from + f.text.length }))
}

/** One element is left out after every `period`. */
function gaps(code: SourceCode, name: string, size: { from: number; to: number }, period: number): FixCandidate {
  const found = indices(code, name, size.from) ?? []
  const length = code.text.slice(size.from, size.to).trim()
  return {
    does: `leave one element of '${name}' out after every ${period}`,
    edits:
      found.length === 0
        ? []
        : [
            { ...size, text: ` (${length}) + (${length}) / ${period}` },
            ...found.flatMap(({ from, to }): Edit[] => {
              const index = code.text.slice(from, to)
              return [{ from, to, text: `(${index}) + (${index}) / ${period}` }]
            }),
          ],
  }
}
