// In: the texts of a module. Out: the packed form that `src/kernels/texts.ts` reads, checked by reading it. Texts that
// are much like an earlier one are edits of it; the others are roots, those that are shorter by half first, so that
// most texts cost little time; of those as long, the plan that is named first.
import { bitsOf, end, modelOf, unpack, type Packed } from '../src/kernels/texts.ts'

/** Packs texts. Throws where they do not come back. */
export function packTexts(texts: readonly string[]): Packed {
  const all = texts.map((t) => relative(t).match(/ ?[A-Za-z]+[$#]?|\d+|;?\n *| ?\S ?| +/g) ?? [])
  const parents = parentsOf(texts, all)
  const size = (i: number): number => Math.floor(Math.log2(all[i]?.length ?? 1))
  const roots = [...all.keys()].filter((i) => parents[i] === undefined).sort((a, b) => size(a) - size(b) || a - b)
  // roots' words in their order, which is how new ones are foretold
  const list = [...new Set([...roots.flatMap((i) => [...all[i]!, end]), ...all.flat()])],
    ids = new Map(list.map((w, i) => [w, i]))
  const numbersOf = (words: readonly string[]): readonly number[] => words.map((w) => ids.get(w) ?? 0) // all are there
  const stream = roots.flatMap((i) => numbersOf([...all[i]!, end]))
  const edits = all.map((own, i) => {
    const parent = parents[i]
    if (parent === undefined) return roots.indexOf(i).toString(36)
    return [(i - parent).toString(36), ...editsOf(numbersOf(all[parent]!), numbersOf(own))].join(' ')
  })
  const result: Packed = {
    words: list.join('`'),
    count: stream.length,
    packed: coded(list.length, stream, ids.get(end) ?? 0), // roots have one
    edits: edits.join('|'),
  }
  const back = unpack(result),
    wrong = texts.findIndex((t, i) => t !== back[i])
  if (wrong >= 0 || back.length !== texts.length) throw new Error(`text ${wrong} does not survive packing`)
  return result
}

/** The text that each is an edit of, where there is one worth it. */
function parentsOf(texts: readonly string[], all: readonly (readonly string[])[]): readonly (number | undefined)[] {
  const lines = texts.map((t) => counted(t.split('\n'))),
    depth: number[] = []
  return all.map((own, i) => {
    const near = texts
      .slice(0, i)
      .map((_, j) => ({ j, alike: common(lines[i]!, lines[j]!) - Math.abs(own.length - all[j]!.length) / 20 }))
      .filter(({ j }) => depth[j]! < deepest)
      .sort((a, b) => b.alike - a.alike)
      .slice(0, tried)
    const costs = near.map(({ j }) => ({ j, cost: costOf(editsOf(all[j]!, own)) })).sort((a, b) => a.cost - b.cost)
    const [best] = costs
    const edited = best !== undefined && best.cost < own.length * (texts.length < many ? worth : worthOfMany)
    depth.push(edited ? depth[best.j]! + 1 : 0)
    return edited ? best.j : undefined
  })
}

/** Texts that a text may be an edit of at most, one after the other; candidates that are compared word by word. */
const deepest = 4,
  tried = 4
/**
 * Edits are worth it up to so many letters for each word of a text; in modules of so many texts more, since the roots
 * before one that is asked for are read with it.
 */
const worth = 0.02,
  many = 100,
  worthOfMany = 0.07

const costOf = (edits: readonly string[]): number => edits.reduce((n, e) => n + e.length + 1, 0)

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
/** Places of an anchor that are looked at, the nearest. */
const places = 8

/** The edits that make `own` of `other`, greedily: the longest copy first. */
function editsOf<T extends string | number>(other: readonly T[], own: readonly T[]): readonly string[] {
  const anchors = new Map<string, number[]>()
  const keyAt = (list: readonly T[], i: number): string => list.slice(i, i + anchor).join('\0')
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
  const write = (fresh: readonly T[], copied: number, skipped: number): void => {
    const words = fresh.map((w) => (typeof w === 'number' ? w.toString(36) : '..')).join()
    edits.push(`${words}:${copied.toString(36)}${skipped === 0 ? '' : `:${skipped.toString(36)}`}`)
  }
  let fresh: T[] = [],
    at = 0
  for (let i = 0; i < own.length; ) {
    const close = [...(anchors.get(keyAt(own, i)) ?? [])].sort((a, b) => Math.abs(a - at) - Math.abs(b - at))
    const [best = { from: 0, length: 0 }] = [at + fresh.length, at, ...close.slice(0, places)]
      .map((from) => ({ from, length: agree(from, i) }))
      .sort((a, b) => b.length - a.length)
    if (best.length < shortest) {
      fresh.push(own[i++]!) // i is a place
      continue
    }
    write(fresh, best.length, best.from - at)
    fresh = []
    at = best.from + best.length
    i += best.length
  }
  if (fresh.length > 0 || edits.length === 0) write(fresh, 0, 0)
  return edits
}

/** The coder's bytes in base 64. */
function coded(words: number, given: readonly number[], last: number): string {
  const bytes: number[] = []
  let low = 0,
    high = 2 ** 32 - 1
  const write = (bit: number, chance: number): number => {
    const middle = low + Math.floor((high - low) * chance)
    if (bit) high = middle
    else low = middle + 1
    for (; (low ^ high) >>> 24 === 0; high = ((high << 8) | 255) >>> 0) {
      bytes.push(high >>> 24)
      low = (low << 8) >>> 0
    }
    return bit
  }
  const model = modelOf(bitsOf(words), given.length, last, write, given)
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
