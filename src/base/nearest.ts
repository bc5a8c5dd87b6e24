// In: a word that nothing is called, and what things are called. Out: the one that was probably meant, for a hint.

/**
 * The candidate at an edit distance of at most 2 that is less than half of the longer word, the nearest first, whatever
 * the case and the separators (`transpose_b`); else one that begins with the word, or with which the word begins.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > 40) return undefined
  const ranked = candidates
    .map((name) => ({ name, d: editDistance(plain(word), plain(name)) }))
    .filter(({ name, d }) => d <= 2 && 2 * d < Math.max(name.length, word.length))
  const [best] = ranked.sort((a, b) => a.d - b.d)
  return best ? best.name : candidates.find((name) => beginsWith(word, name) || beginsWith(name, word))
}

const plain = (word: string): string => word.replace(/[-_]/g, '').toLowerCase()

/** Shorter beginnings say nothing. */
const shortest = 3
const beginsWith = (word: string, part: string): boolean => part.length >= shortest && word.startsWith(part)

/** Letters to insert, to leave out, to replace or to change with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [],
    row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const turned = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(
        Math.min(
          row[j]! + 1,
          next[j - 1]! + 1,
          row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
          turned ? before[j - 2]! + 1 : Infinity,
        ),
      )
    }
    before = row
    row = next
  }
  return row[b.length]!
}
