// In: a text before and after. Out: its lines, each kept, added or gone. The one idea: the shortest edit script (Myers,
// "An O(ND) difference algorithm and its variations", Algorithmica 1986); texts that differ too much for that are
// replaced as a whole.

export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new'
  /** A kept line as it stands afterwards. */
  readonly text: string
}

/** Lines that are gone or new at most; beyond, what lies between the common start and end is replaced. */
const mostEdits = 3000

/** Whether two lines are one. */
export type SameLine = (before: string, after: string) => boolean

const isEqual: SameLine = (before, after) => before === after

/** A line that only moved in or out, as into a branch, is kept. */
export const isEqualButForIndent: SameLine = (before, after) =>
  before === after || before.trimStart() === after.trimStart()

export function lineDiff(before: string, after: string, isSame: SameLine = isEqual): readonly DiffLine[] {
  const [a, b] = [before, after].map((t) => t.trimEnd().split('\n')) as [string[], string[]] // two in, two out
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && isSame(a[start]!, b[start]!)) start++
  let end = 0
  while (end < shorter - start && isSame(a[a.length - 1 - end]!, b[b.length - 1 - end]!)) end++
  const same = (lines: readonly string[]): readonly DiffLine[] => lines.map((text) => ({ kind: 'same', text }))
  return [
    ...same(b.slice(0, start)),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end), isSame),
    ...same(b.slice(b.length - end)),
  ]
}

function middle(a: readonly string[], b: readonly string[], isSame: SameLine): readonly DiffLine[] {
  const reached = frontiers(a, b, isSame)
  if (!reached)
    return [...a.map((text) => ({ kind: 'gone', text }) as const), ...b.map((text) => ({ kind: 'new', text }) as const)]
  const out: DiffLine[] = []
  let x = a.length,
    y = b.length
  const keepTo = (first: number): void => {
    for (; x > first; x--) out.push({ kind: 'same', text: b[--y]! })
  }
  // back from the end: each frontier says where the edit after it set out from
  for (let edits = reached.length - 1; edits > 0; edits--) {
    const before = reached[edits - 1]!, // as many as edits
      from = cameFrom(before, edits, x - y),
      fromX = before[from + edits]!,
      isGone = from < x - y
    keepTo(isGone ? fromX + 1 : fromX)
    x = fromX
    y = fromX - from
    out.push(isGone ? { kind: 'gone', text: a[x]! } : { kind: 'new', text: b[y]! })
  }
  keepTo(0)
  return goneFirst(out.reverse())
}

/**
 * By number of edits, the farthest place in `a` on each diagonal x - y; diagonal k of frontier d is at k + d + 1.
 * Undefined where more edits are needed than are tried.
 */
function frontiers(a: readonly string[], b: readonly string[], isSame: SameLine): readonly Int32Array[] | undefined {
  const all: Int32Array[] = []
  for (let edits = 0; edits <= Math.min(mostEdits, a.length + b.length); edits++) {
    const before = all[edits - 1],
      now = new Int32Array(2 * edits + 3).fill(-1)
    for (let k = -edits; k <= edits; k += 2) {
      const from = before ? cameFrom(before, edits, k) : 0
      let x = before ? before[from + edits]! + (from < k ? 1 : 0) : 0
      while (x < a.length && x - k < b.length && isSame(a[x]!, b[x - k]!)) x++
      now[k + edits + 1] = x
      if (x >= a.length && x - k >= b.length) return [...all, now]
    }
    all.push(now)
  }
  return undefined
}

/** The diagonal of the frontier before from which diagonal `k` is reached farthest. */
function cameFrom(before: Int32Array, edits: number, k: number): number {
  const at = (diagonal: number): number => before[diagonal + edits]!
  return k === -edits || (k !== edits && at(k - 1) < at(k + 1)) ? k + 1 : k - 1
}

/** Of lines that are replaced, those that are gone stand first. */
function goneFirst(lines: readonly DiffLine[]): readonly DiffLine[] {
  const out: DiffLine[] = []
  let added: DiffLine[] = []
  for (const l of lines) {
    if (l.kind === 'new') added.push(l)
    else if (l.kind === 'gone') out.push(l)
    else {
      out.push(...added, l)
      added = []
    }
  }
  return [...out, ...added]
}
