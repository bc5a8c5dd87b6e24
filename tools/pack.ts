// In: the texts of a module, and what it builds on. Out: the packed form that `src/kernels/texts.ts` reads, checked by
// reading it. Texts that are much like an earlier one, or one of the base, are edits of it; the others are roots, those
// that are shorter by half first, so that most texts cost little time; of those as long, the plan that is named first.
import { reader, textsOf, unpack, wordsIn, type Packed } from '../src/kernels/texts.ts'
import { end, modelOf, wordBits } from '../src/kernels/word-model.ts'

/** How a module's texts stand to those of others. */
export interface PackOptions {
  /** Roots among so many first texts are packed before all others. */
  readonly first?: number
  /** Another module, and how many of its first roots the model has read. */
  readonly base?: { readonly packed: Packed; readonly roots: number }
}

/** Packs texts. Throws where they do not come back. */
export function packTexts(texts: readonly string[], { first = 0, base }: PackOptions = {}): Packed {
  const all = texts.map((t) => relative(t).match(/ ?[A-Za-z]+[$#]?|\d+|;?\n *| ?\S ?| +/g) ?? [])
  const before = base ? rootsOf(base.packed, base.roots) : [],
    theirs = base ? wordsIn(base.packed) : wordsIn({ words: '', count: 0, packed: '', edits: '' })
  const others = new Set(theirs),
    words = [...theirs, ...[...new Set(all.flat())].filter((w) => !others.has(w)).sort(alike)],
    ids = new Map(words.map((w, i) => [w, i]))
  if (words.length > 1 << wordBits) throw new Error(`${words.length} words have no numbers of ${wordBits} bits`)
  const own = all.map((list) => list.map((w) => ids.get(w)!)), // all are there
    earlier = base ? Array.from({ length: textsOf(base.packed).length }, (_, i) => textsOf(base.packed).wordsOf(i)) : []
  const isNewline = new Set([...ids].filter(([w]) => w.includes('\n')).map(([, id]) => id))
  const parents = parentsOf([...earlier.map((t) => Array.from(t)), ...own], earlier.length, isNewline)
  const size = (i: number): number => Math.floor(Math.log2(own[i]?.length ?? 1))
  const roots = [...own.keys()]
    .filter((i) => !parents[i])
    .sort((a, b) => +(a >= first) - +(b >= first) || size(a) - size(b) || a - b)
  const stream = roots.flatMap((i) => [...own[i]!, end])
  const result: Packed = {
    words: words.slice(theirs.length).join('`'),
    count: stream.length,
    packed: coded(before, stream),
    edits: own.map((_, i) => parents[i] ?? roots.indexOf(i).toString(36)).join('|'),
    ...(base && { base: base.packed, before: before.length }),
  }
  const back = unpack(result),
    wrong = texts.findIndex((t, i) => t !== back[i])
  if (wrong >= 0 || back.length !== texts.length) throw new Error(`text ${wrong} does not survive packing`)
  return result
}

/** Numbers by size behind names by letters: words that are much alike have numbers that begin alike. */
const alike = (a: string, b: string): number =>
  kindOf(a) - kindOf(b) || (kindOf(a) === numbers ? +a - +b : +(a > b) - +(a < b))
const numbers = 0
const kindOf = (word: string): number => [/^\d+$/, /#$/, /\$$/, /[A-Za-z]/, /^/].findIndex((p) => p.test(word))

/** The words of a module's first roots, each with what ends it, behind those that its base has read. */
function rootsOf(packed: Packed, roots: number): readonly number[] {
  const model = reader(packed)
  for (let n = 0; n < roots && model.known < model.out.length; ) if (model.next() === end) n++
  return [...model.out.subarray(0, model.known)]
}

/** The edits that make each of the last texts, from `first` on, of another, where there is one worth it. */
function parentsOf(
  all: readonly (readonly number[])[],
  first: number,
  newlines: ReadonlySet<number>,
): readonly (string | undefined)[] {
  const lines = all.map((words) => counted(linesOf(words, newlines))),
    depth: number[] = Array.from({ length: first }, () => 0)
  return all.slice(first).map((own, k) => {
    const i = first + k
    const near = all
      .slice(0, i)
      .map((_, j) => ({ j, alike: common(lines[i]!, lines[j]!) - Math.abs(own.length - all[j]!.length) / 20 }))
      .filter(({ j }) => depth[j]! < deepest)
      .sort((a, b) => b.alike - a.alike)
      .slice(0, tried)
    const [best] = near
      .map(({ j }) => ({ j, edits: editsOf(all[j]!, own) }))
      .sort((a, b) => costOf(a.edits) - costOf(b.edits))
    const most = Math.min(mostLetters, own.length * ((best?.j ?? 0) < first ? worthOfBase : worth)),
      edited = best !== undefined && costOf(best.edits) < most
    depth.push(edited ? depth[best.j]! + 1 : 0)
    return edited ? [(i - best.j).toString(36), ...best.edits].join(' ') : undefined
  })
}

/** Texts that a text may be an edit of at most, one after the other; candidates that are compared word by word. */
const deepest = 4,
  tried = 4
/**
 * Edits are worth it up to so many letters, and so many for each word of a text; of the base's texts more, because what
 * is read for them is read anyway where both modules are used.
 */
const worth = 0.12,
  mostLetters = 500,
  worthOfBase = 0.7

const costOf = (edits: readonly string[]): number => edits.reduce((n, e) => n + e.length + 1, 0)

function linesOf(words: readonly number[], newlines: ReadonlySet<number>): readonly string[] {
  const ends = [...words.keys()].filter((i) => newlines.has(words[i]!))
  return [...ends, words.length].map((to, n) => words.slice(n > 0 ? ends[n - 1]! : 0, to).join())
}

function counted(list: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const x of list) counts.set(x, (counts.get(x) ?? 0) + 1)
  return counts
}

const common = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number =>
  [...a].reduce((n, [line, count]) => n + Math.min(count, b.get(line) ?? 0), 0)

/** Words that must agree for a copy from elsewhere, and for one at all. */
const anchor = 6,
  shortest = 3
/** Places of an anchor that are looked at, the next. */
const places = 8

/** The edits that make `own` of `other`, greedily: the copy first that is longest, less what it skips. */
function editsOf(other: readonly number[], own: readonly number[]): readonly string[] {
  const anchors = new Map<string, number[]>()
  const keyAt = (list: readonly number[], i: number): string => list.slice(i, i + anchor).join()
  for (let i = 0; i + anchor <= other.length; i++) {
    const key = keyAt(other, i),
      known = anchors.get(key)
    if (known) known.push(i)
    else anchors.set(key, [i])
  }
  const agree = (from: number, to: number): number => {
    let n = 0
    while (from + n < other.length && to + n < own.length && other[from + n] === own[to + n]) n++
    return n
  }
  const edits: string[] = []
  const write = (fresh: readonly number[], copied: number, skipped: number): void => {
    const words = fresh.map((w) => w.toString(36)).join()
    edits.push(`${words}:${copied.toString(36)}${skipped === fresh.length ? '' : `:${skipped.toString(36)}`}`)
  }
  let fresh: number[] = [],
    at = 0
  for (let i = 0; i < own.length; ) {
    const close = (anchors.get(keyAt(own, i)) ?? []).filter((from) => from >= at).slice(0, places)
    const [best = { from: 0, length: 0 }] = [at + fresh.length, at, ...close]
      .map((from) => ({ from, length: agree(from, i) }))
      .sort((a, b) => b.length - b.from - (a.length - a.from))
    if (best.length < shortest) {
      fresh.push(own[i++]!) // i is a place
      continue
    }
    write(fresh, best.length, best.from - at)
    fresh = []
    at = best.from + best.length
    i += best.length
  }
  if (fresh.length > 0 || edits.length === 0) write(fresh, 0, fresh.length)
  return edits
}

/** The coder's bytes of some words in base 64; the model has read those `before` them, which are not written. */
function coded(before: readonly number[], own: readonly number[]): string {
  const given = [...before, ...own]
  const bytes: number[] = []
  let low = 0,
    high = 2 ** 32 - 1
  const write = (bit: number, chance: number): number => {
    if (model.known < before.length) return bit
    const middle = low + Math.floor((high - low) * chance)
    if (bit) high = middle
    else low = middle + 1
    for (; (low ^ high) >>> 24 === 0; high = ((high << 8) | 255) >>> 0) {
      bytes.push(high >>> 24)
      low = (low << 8) >>> 0
    }
    return bit
  }
  const model = modelOf(given.length, write, given)
  while (model.known < given.length) model.next()
  bytes.push(...[24, 16, 8, 0].map((s) => (high >>> s) & 255))
  return Buffer.from(bytes).toString('base64')
}

/** The inverse of `named` in texts.ts, for names that the text declares. */
function relative(text: string): string {
  const declared = new Set([...text.matchAll(/\b(?:let|var) ([A-Za-z]\w*)/g)].map((m) => m[1]))
  const last = new Map<string, number>()
  return text.replace(
    /(?<![.\w])([A-Za-z](?:[A-Za-z_]*[A-Za-z])?)(?:_(\d+))?(?!\w)/g,
    (name, stem: string, digits?: string) => {
      const number = digits === undefined ? 1 : Number(digits),
        now = last.get(stem) ?? 0
      if (!declared.has(name) || (digits !== undefined && (number < 2 || digits.startsWith('0')))) return name
      if (number <= now) return `${stem}#${now - number || ''}`
      if (number > now + 1) return name
      last.set(stem, number)
      return number === 1 ? name : `${stem}$`
    },
  )
}
