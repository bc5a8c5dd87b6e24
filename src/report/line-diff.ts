// In: a text before and after. Out: its lines, each kept, added or gone. The one idea: a longest common subsequence of
// lines, between a common start and a common end; texts that differ too much for that are replaced as a whole.

export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new'
  readonly text: string
}

/** Pairs of lines that are compared at most; beyond, what lies between start and end is replaced. */
const mostPairs = 4e6

export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [before, after].map((t) => t.trimEnd().split('\n')) as [string[], string[]] // two in, two out
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const same = (lines: readonly string[]): readonly DiffLine[] => lines.map((text) => ({ kind: 'same', text }))
  return [
    ...same(a.slice(0, start)),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ]
}

function middle(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  const gone = (text: string): DiffLine => ({ kind: 'gone', text }),
    added = (text: string): DiffLine => ({ kind: 'new', text })
  if (a.length * b.length > mostPairs) return [...a.map(gone), ...b.map(added)]
  // common[i][j]: length of the longest common subsequence of a from i on and b from j on
  const common = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
  const out: DiffLine[] = []
  let i = 0,
    j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push({ kind: 'same', text: a[i++]! })
      j++
    } else if (j === b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) out.push(gone(a[i++]!))
    else out.push(added(b[j++]!))
  }
  return out
}
